//! Nodes that are made after others.

use super::Editor;
use crate::flags::Flag;
use crate::history::{Change, Step};
use crate::labels;
use crate::scene::CopyPair;
use crate::selection::Selection;
use wgpu_gizmo::View;

impl Editor {
    /// Copies what is selected and not locked, with all that hangs on it: one step. The copies lie
    /// where their nodes do, and are selected instead of them. Not in a drag.
    pub(super) fn duplicate(&mut self) {
        if self.gizmo.is_active() {
            return;
        }
        self.settle();
        let tops = self.tops(None);
        if tops.is_empty() {
            self.message = Some("Nothing is selected that is not locked".to_owned());
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
        let is_top = |(of, _): &&CopyPair| tops.contains(of);
        let (of, copies): (Vec<usize>, Vec<usize>) = copies.iter().filter(is_top).copied().unzip();
        let what = labels::nodes(&self.scene, &of);
        self.selection = Selection::of(&copies);
        self.history
            .push(Step { name: format!("Duplicate {what}"), change: Change::CopyPair { of, copies } });
        self.changed();
        self.message = Some(format!("Duplicated {what}, in place: drag the copy away"));
    }

    /// Makes copies of nodes that have been reserved for it: nothing that undo knows of. A drag is
    /// cancelled first.
    pub(crate) fn duplicate_raw(&mut self, copies: &[CopyPair], view: &View) {
        self.place(&[], view);
        if let Err(error) = self.scene.fill_copies(copies) {
            self.message = Some(error.to_string());
        }
    }

    /// The selection that a step leads to which makes nodes come or go: what has come, or what the
    /// copies were made of that have gone. `None` where it leads to none.
    pub(super) fn selection_after(&self, step: usize, is_undone: bool) -> Option<Selection> {
        let nodes = match &self.history.steps().get(step)?.change {
            Change::CopyPair { of, .. } if is_undone => of,
            Change::CopyPair { copies, .. } => copies,
            Change::Flagged { flag: Flag::Deleted, nodes, on } if *on == is_undone => nodes,
            _ => return None,
        };
        let there: Vec<usize> = nodes.iter().copied().filter(|node| self.scene.is_there(*node)).collect();
        Some(Selection::of(&there))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;
    use crate::command::Command;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::{DMat4, DVec3};
    use wgpu_gizmo::{Target, Transform};

    fn view() -> View {
        View::from_clip_from_world(DMat4::IDENTITY, Viewport::of_size(400, 300), 1.0).expect("usable")
    }

    fn editor(selected: &[&str]) -> Editor {
        let mut editor = Editor::new(built_in::scene()).expect("few nodes");
        select(&mut editor, selected);
        editor
    }

    fn select(editor: &mut Editor, names: &[&str]) {
        let nodes: Vec<usize> = names.iter().map(|name| editor.scene.find(name).expect("ours")).collect();
        editor.select(Selection::of(&nodes), &view());
    }

    fn selected(editor: &Editor) -> Vec<&str> {
        editor.selection.nodes().iter().map(|node| editor.scene.nodes()[*node].name.as_str()).collect()
    }

    fn there(editor: &Editor) -> Vec<usize> {
        (0..editor.scene.nodes().len()).filter(|node| editor.scene.is_there(*node)).collect()
    }

    #[test]
    fn copies_are_selected_where_they_lie_and_undo_takes_them_away() {
        let mut editor = editor(&["ball", "wrist", "forearm"]);
        let before = there(&editor);
        editor.run(Command::Duplicate, &view());
        assert_eq!(selected(&editor), ["ball.001", "forearm.001"], "the wrist goes along with the forearm");
        assert_eq!(editor.history.steps()[0].name, "Duplicate 2 nodes");
        for node in there(&editor).split_off(before.len()) {
            let of = editor.scene.nodes()[node].copy_of.expect("a copy");
            assert_eq!(editor.scene.world_from_node(node), editor.scene.world_from_node(of));
            assert_eq!(editor.scene.nodes()[node].mesh, editor.scene.nodes()[of].mesh);
            assert_eq!(editor.free_id_of(node).and_then(|id| editor.node_of(id)), Some(node));
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
    fn a_copy_is_moved_alone_and_by_the_gizmo() {
        let mut editor = editor(&["forearm"]);
        let [forearm, wrist] = ["forearm", "wrist"].map(|name| editor.scene.find(name).expect("ours"));
        let was = [forearm, wrist].map(|node| editor.scene.world_from_node(node));
        editor.run(Command::Duplicate, &view());
        editor.update(&view());
        let copy = editor.scene.find("forearm.001").expect("there");
        assert_eq!(editor.moved(), [copy]);
        let target = Target::new(editor.scene.nodes()[copy].local, editor.scene.world_from_parent(copy));
        assert_eq!(
            (editor.targets[0].local, editor.targets[0].world_from_parent),
            (target.local, target.world_from_parent)
        );
        let by = |_, local: &Transform| Transform { translation: local.translation + DVec3::X, ..*local };
        editor.adjust("x", "Move {}", by);
        editor.settle();
        assert_eq!([forearm, wrist].map(|node| editor.scene.world_from_node(node)), was);
        let wrist = editor.scene.find("wrist.001").expect("copied too");
        assert_ne!(editor.scene.world_from_node(wrist), was[1], "it goes along");
    }

    #[test]
    fn what_is_locked_or_nothing_at_all_is_not_copied_and_says_so() {
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
    fn what_was_deleted_is_selected_again_when_it_is_back() {
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
