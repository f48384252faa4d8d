//! Duplicates nodes.

use super::Editor;
use crate::labels;
use scene::edit::Edit;
use scene::flags::Flag;
use scene::selection::Selection;
use std::collections::HashSet;

impl Editor {
    /// Duplicates the selected nodes that are not locked, with their descendants: one undo step. The
    /// copies lie exactly on their originals and become the selection. Does nothing during a drag.
    pub(crate) fn duplicate(&mut self) {
        if self.is_dragging() {
            return;
        }
        self.rest();
        self.settle();
        let tops = self.tops(None);
        if tops.is_empty() {
            return self.explain_no_change();
        }
        let plan_copies = self.scene.plan_copies(&tops);
        if let Err(error) = self.ids.grow_to(self.scene.nodes().len() + plan_copies.len()) {
            return self.show_message(error.to_string());
        }
        let nodes_label = labels::nodes(&self.scene, &tops);
        let copies = match self.scene.reserve_copies(&plan_copies) {
            Ok(copies) => copies,
            Err(error) => return self.show_message(error.to_string()),
        };
        if self.edit(format!("Duplicate {nodes_label}"), Edit::Copy(copies)).is_ok() {
            let selection = self.selection_after(self.log.done() - 1, false);
            self.selection = selection.unwrap_or_default();
            self.message = Some(format!("Duplicated {nodes_label}, in place: drag the copy away"));
        }
    }

    /// Returns the selection after an edit that adds or removes nodes was made or undone: the nodes that
    /// appeared, or the originals of the copies that disappeared. Returns `None` for other edits.
    pub(super) fn selection_after(&self, entry: usize, is_undone: bool) -> Option<Selection> {
        let nodes: Vec<usize> = match &self.log.entries().get(entry)?.redo {
            Edit::Copy(copies) => {
                let all: HashSet<usize> = copies.iter().map(|(_, copy)| *copy).collect();
                let is_below =
                    |copy: usize| self.scene.nodes()[copy].parent.is_some_and(|it| all.contains(&it));
                let tops = copies.iter().filter(|(_, copy)| !is_below(*copy));
                tops.map(|(original, copy)| if is_undone { *original } else { *copy }).collect()
            }
            Edit::Flag(flags) => {
                let appeared =
                    flags.iter().filter(|(_, flag, on)| *flag == Flag::Deleted && *on == is_undone);
                appeared.map(|(node, ..)| *node).collect()
            }
            _ => return None,
        };
        let there: Vec<usize> = nodes.into_iter().filter(|node| self.scene.exists(*node)).collect();
        Some(Selection::of(&there)).filter(|there| !there.nodes().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    #[test]
    fn late_answers_do_not_select_nodes_removed_by_undo() {
        let mut editor = Editor::of_test(built_in::scene(), &["ball"]);
        editor.run(Command::Duplicate, &view());
        let copy = editor.node("ball.001");
        let region = Region::Rectangle([DVec2::ZERO, DVec2::ONE]);
        editor.select_region(&view(), region, false, SelectMode::Add);
        let query = editor.region_query().expect("the region needs an answer");
        editor.undo(&view());
        editor.handle(GizmoEvent::PressedObject(editor.id_of(copy).expect("it keeps its id")));
        editor.answer_region(Some((query, Some(vec![copy]))));
        assert_eq!(editor.selected_names(), ["ball"]);
    }
}
