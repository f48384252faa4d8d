//! Duplicates nodes.

use super::Editor;
use crate::labels;
use scene::CopyPair;
use scene::flags::Flag;
use scene::history::{Change, Step};
use scene::selection::Selection;
use wgpu_gizmo_core::View;

impl Editor {
    /// Duplicates the selected nodes that are not locked, with their descendants: one undo step. The
    /// copies lie exactly on their originals and become the selection. Does nothing during a drag.
    pub(super) fn duplicate(&mut self) {
        if self.is_dragging() {
            return;
        }
        self.rest();
        self.settle();
        let tops = self.tops(None);
        if tops.is_empty() {
            self.message = Some("Select a node that is not locked".to_owned());
            return;
        }
        let plan_copies = self.scene.plan_copies(&tops);
        if let Err(error) = self.ids.grow_to(self.scene.nodes().len() + plan_copies.len()) {
            self.message = Some(error.to_string());
            return;
        }
        let reserved = self.scene.reserve_copies(&plan_copies);
        let made = reserved.and_then(|copies| self.scene.fill_copies(&copies).map(|()| copies));
        let copies = match made {
            Ok(copies) => copies,
            Err(error) => {
                self.message = Some(error.to_string());
                return;
            }
        };
        let is_top = |(original, _): &&CopyPair| tops.contains(original);
        let (originals, copies): (Vec<usize>, Vec<usize>) = copies.iter().filter(is_top).copied().unzip();
        let nodes_label = labels::nodes(&self.scene, &originals);
        self.report_selection(Selection::of(&copies));
        self.history.push(Step {
            name: format!("Duplicate {nodes_label}"),
            change: Change::Duplicated { originals, copies },
        });
        self.changed();
        self.message = Some(format!("Duplicated {nodes_label}, in place: drag the copy away"));
    }

    /// Fills in copies that were reserved earlier, without an undo step. Cancels a drag first.
    pub(crate) fn duplicate_raw(&mut self, copies: &[CopyPair], view: &View) {
        self.set_transforms_raw(&[], view);
        if let Err(error) = self.scene.fill_copies(copies) {
            self.message = Some(error.to_string());
        }
    }

    /// Returns the selection after a step that adds or removes nodes was undone or redone: the nodes
    /// that appeared, or the originals of the copies that disappeared. Returns `None` for other steps.
    pub(super) fn selection_after(&self, step: usize, is_undone: bool) -> Option<Selection> {
        let nodes = match &self.history.steps().get(step)?.change {
            Change::Duplicated { originals, .. } if is_undone => originals,
            Change::Duplicated { copies, .. } => copies,
            Change::FlagSet { flag: Flag::Deleted, nodes, on } if *on == is_undone => nodes,
            _ => return None,
        };
        let there: Vec<usize> = nodes.iter().copied().filter(|node| self.scene.exists(*node)).collect();
        Some(Selection::of(&there))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use scene::built_in;
    use wgpu_gizmo_core::Viewport;
    use wgpu_gizmo_core::glam::{DMat4, DVec3};
    use wgpu_gizmo_core::{Target, Transform};

    fn view() -> View {
        View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(400, 300), 1.0)
            .expect("the view is valid")
    }

    fn editor(selected: &[&str]) -> Editor {
        let mut editor = Editor::new(built_in::scene()).expect("there are enough ids");
        select(&mut editor, selected);
        editor
    }

    fn select(editor: &mut Editor, names: &[&str]) {
        let nodes: Vec<usize> = names
            .iter()
            .map(|name| editor.scene.find(name).expect("the built-in scene has this node"))
            .collect();
        editor.select(Selection::of(&nodes), &view());
    }

    fn selected(editor: &Editor) -> Vec<&str> {
        editor.selection.nodes().iter().map(|node| editor.scene.nodes()[*node].name.as_str()).collect()
    }

    fn there(editor: &Editor) -> Vec<usize> {
        (0..editor.scene.nodes().len()).filter(|node| editor.scene.exists(*node)).collect()
    }

    #[test]
    fn duplicate_selects_copies_in_place_and_undo_removes_them() {
        let mut editor = editor(&["ball", "wrist", "forearm"]);
        let before = there(&editor);
        editor.run(Command::Duplicate, &view());
        assert_eq!(selected(&editor), ["ball.001", "forearm.001"], "the wrist is copied with the forearm");
        assert_eq!(editor.history.steps()[0].name, "Duplicate 2 nodes");
        for node in there(&editor).split_off(before.len()) {
            let original = editor.scene.nodes()[node].copy_of.expect("the node is a copy");
            assert_eq!(editor.scene.world_from_node(node), editor.scene.world_from_node(original));
            assert_eq!(editor.scene.nodes()[node].mesh, editor.scene.nodes()[original].mesh);
            assert_eq!(editor.pickable_id_of(node).and_then(|id| editor.node_of(id)), Some(node));
        }
        editor.undo(&view());
        assert_eq!((there(&editor), selected(&editor)), (before.clone(), vec!["ball", "forearm"]));
        editor.redo();
        assert_eq!(selected(&editor), ["ball.001", "forearm.001"]);
        editor.undo(&view());
        select(&mut editor, &["crate"]);
        editor.run(Command::Duplicate, &view());
        assert_eq!((there(&editor).len(), selected(&editor)), (before.len() + 1, vec!["crate.001"]));
        assert!(!editor.is_saved());
    }

    #[test]
    fn copy_moves_without_its_original() {
        let mut editor = editor(&["forearm"]);
        let [forearm, wrist] = ["forearm", "wrist"]
            .map(|name| editor.scene.find(name).expect("the built-in scene has this node"));
        let was = [forearm, wrist].map(|node| editor.scene.world_from_node(node));
        editor.run(Command::Duplicate, &view());
        editor.update(&view());
        let copy = editor.scene.find("forearm.001").expect("the copy exists");
        assert_eq!(editor.moved(), [copy]);
        let target = Target::new(editor.scene.nodes()[copy].local, editor.scene.world_from_parent(copy));
        assert_eq!(
            (editor.targets[0].local, editor.targets[0].world_from_parent),
            (target.local, target.world_from_parent)
        );
        let by = |_, local: &Transform| Transform { translation: local.translation + DVec3::X, ..*local };
        editor.adjust("x", "Translate {}", by);
        editor.settle();
        assert_eq!([forearm, wrist].map(|node| editor.scene.world_from_node(node)), was);
        let wrist = editor.scene.find("wrist.001").expect("descendants are copied too");
        assert_ne!(editor.scene.world_from_node(wrist), was[1], "the copied child follows");
    }

    #[test]
    fn duplicating_locked_or_no_nodes_is_reported() {
        let mut editor = editor(&[]);
        let count = editor.scene.nodes().len();
        for names in [&[][..], &["ball"]] {
            select(&mut editor, names);
            let nodes = editor.selection.nodes().to_vec();
            editor.set_flag(&nodes, Flag::Locked, true);
            editor.run(Command::Duplicate, &view());
            assert!(editor.message().is_some_and(|message| message.contains("not locked")));
        }
        assert_eq!(editor.scene.nodes().len(), count);
    }

    #[test]
    fn undoing_delete_selects_restored_nodes() {
        let mut editor = editor(&["ball", "wrist"]);
        editor.run(Command::Delete, &view());
        assert_eq!(selected(&editor), [""; 0]);
        select(&mut editor, &["base"]);
        editor.undo(&view());
        assert_eq!(selected(&editor), ["ball", "wrist"]);
        editor.redo();
        assert_eq!(selected(&editor), [""; 0]);
    }
}
