//! Undo steps: recording drags, undo and redo.

use super::Editor;
use super::driving::restore_pivots;
use crate::labels;
use scene::Scene;
use scene::edit::Edit;
use wgpu_gizmo_core::View;

impl Editor {
    /// Adds an undo step for the drag that has ended.
    pub(super) fn record(&mut self) {
        let start = self.moved.take_start(&self.gizmo);
        let nodes_label = labels::nodes(&self.scene, &self.moved.nodes);
        let name = match start {
            Edit::Crop(_) => format!("Crop {nodes_label}"),
            _ => labels::drag_step_name(self.gizmo.last_drag(), &nodes_label),
        };
        self.log.push(name, start.now(&self.scene), start);
    }

    /// Returns the edits that restore the start of a drag or an edit of a field in progress.
    pub(crate) fn pending_starts(&self) -> Vec<Edit> {
        let mut starts = Vec::new();
        if self.gizmo.is_active() {
            starts.extend(self.moved.starts(&self.gizmo));
        }
        starts.extend(self.dragged_volume());
        starts.extend(self.log.open.as_ref().map(|open| open.start.clone()));
        starts
    }

    /// Undoes the last step. During a drag, cancels the drag instead.
    pub fn undo(&mut self, view: &View) {
        self.end_wheel(view);
        if self.is_dragging() {
            self.cancel();
            self.update(view);
            return;
        }
        self.settle();
        self.go_to_step(self.log.done().saturating_sub(1));
    }

    /// Redoes the step that was undone last.
    pub(crate) fn redo(&mut self) {
        self.settle();
        self.go_to_step(self.log.done() + 1);
    }

    /// Restores the scene to its state after `done` steps. Does nothing during a drag.
    pub fn go_to_step(&mut self, done: usize) {
        if self.is_dragging() {
            return;
        }
        self.rest();
        self.settle();
        let before = self.log.done();
        // The place is in world space, so it is restored while the nodes are where its own step leaves them.
        let restore = |edit: &Edit, scene: &Scene| restore_pivots(&mut self.gizmo, edit, scene);
        let edits = self.log.go_to(done, &mut self.scene, restore);
        if edits.is_empty() {
            return;
        }
        let is_undone = self.log.done() < before;
        let last = self.log.done() - usize::from(!is_undone);
        let selection = self
            .selection_after(last, is_undone)
            .unwrap_or_else(|| self.selection.retain(|node| self.scene.exists(node)));
        self.selection = selection;
        self.changed();
        self.update_section_handles();
    }
}
