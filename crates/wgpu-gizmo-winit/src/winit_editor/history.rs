//! The steps of an editor that can be undone and done again.

use std::num::NonZeroU32;
use wgpu_gizmo::Transform;

/// The objects of a drag and where they were before it. Once it is undone, where they were after it.
pub(super) type Step = Vec<(NonZeroU32, Transform)>;

/// The drags that can be undone, and those that can be done again.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Steps that were undone are after the first `done`.
    steps: Vec<Step>,
    done: usize,
}

impl History {
    /// Adds a step, and forgets those that were undone and the oldest beyond `max`.
    pub(super) fn push(&mut self, step: Step, max: usize) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.steps.drain(..self.steps.len().saturating_sub(max));
        self.done = self.steps.len();
    }

    /// Returns the step to undo, which then counts as undone.
    pub(super) fn undo(&mut self) -> Option<&mut Step> {
        self.done = self.done.checked_sub(1)?;
        Some(&mut self.steps[self.done])
    }

    /// Returns the step to do again, which then counts as done.
    pub(super) fn redo(&mut self) -> Option<&mut Step> {
        let step = self.steps.get_mut(self.done)?;
        self.done += 1;
        Some(step)
    }

    /// Forgets an object, and the steps that moved nothing else.
    pub(super) fn forget(&mut self, id: NonZeroU32) {
        self.steps.iter_mut().for_each(|step| step.retain(|(moved, _)| *moved != id));
        self.done = self.steps[..self.done].iter().filter(|step| !step.is_empty()).count();
        self.steps.retain(|step| !step.is_empty());
    }
}
