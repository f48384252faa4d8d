//! Undo steps: recording drags, undo and redo.

use super::Editor;
use crate::labels;
use scene::history::{Change, Step};
use wgpu_gizmo_core::View;

impl Editor {
    /// Adds an undo step for the drag that has ended.
    pub(super) fn record(&mut self) {
        let after = self.targets.iter().map(|target| target.local);
        let before = self.gizmo.starts();
        let moved = self.moved.iter().zip(before).zip(after);
        let moved: Vec<_> = moved.map(|((node, before), after)| (*node, before, after)).collect();
        let nodes_label = labels::nodes(&self.scene, &self.moved);
        let name = labels::drag_step_name(self.gizmo.last_drag(), &nodes_label);
        let resized = std::mem::take(&mut self.resized).into_iter();
        let resized: Vec<_> =
            resized.filter_map(|(node, before)| Some((node, before, self.scene.extents(node)?))).collect();
        let change = if resized.is_empty() { Change::Moved(moved) } else { Change::Resized(resized) };
        self.history.push(Step { name, change });
    }

    /// Undoes the last step. During a drag, cancels the drag instead.
    pub fn undo(&mut self, view: &View) {
        if self.is_dragging() {
            self.cancel();
            self.update(view);
            return;
        }
        self.settle();
        self.go_to_step(self.history.done().saturating_sub(1));
    }

    /// Redoes the step that was undone last.
    pub(crate) fn redo(&mut self) {
        self.settle();
        self.go_to_step(self.history.done() + 1);
    }

    /// Restores the scene to its state after `done` steps. Does nothing during a drag.
    pub fn go_to_step(&mut self, done: usize) {
        if !self.is_dragging() {
            self.rest();
            self.settle();
            let before = self.history.done();
            if self.history.go_to(done, &mut self.scene) {
                self.restore_pivot(before, self.history.done());
                let is_undone = self.history.done() < before;
                let last = self.history.done() - usize::from(!is_undone);
                let selection = self
                    .selection_after(last, is_undone)
                    .unwrap_or_else(|| self.selection.retain(|node| self.scene.exists(node)));
                self.report_selection(selection);
                self.changed();
                self.update_section_handles();
            }
        }
    }
}
