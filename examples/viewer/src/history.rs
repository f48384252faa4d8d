//! Undo and redo.

use wgpu_gizmo::Transform;

/// One drag, as far as undo is concerned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// Which nodes, with their local transforms before and after.
    pub(crate) changes: Vec<(usize, Transform, Transform)>,
}

/// Steps done, and steps undone that can be done again.
#[derive(Debug, Default)]
pub(crate) struct History {
    steps: Vec<Step>,
    /// How many of the steps are done.
    done: usize,
}

impl History {
    /// Takes a step that has just been done; what was undone is forgotten.
    pub(crate) fn push(&mut self, step: Step) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.done += 1;
    }

    /// The transforms to go back to, if there is a step to undo.
    pub(crate) fn undo(&mut self) -> Option<Vec<(usize, Transform)>> {
        self.done = self.done.checked_sub(1)?;
        let step = self.steps.get(self.done)?;
        Some(step.changes.iter().map(|(node, before, _)| (*node, *before)).collect())
    }

    /// The transforms to go forward to, if there is a step to do again.
    pub(crate) fn redo(&mut self) -> Option<Vec<(usize, Transform)>> {
        let step = self.steps.get(self.done)?;
        self.done += 1;
        Some(step.changes.iter().map(|(node, _, after)| (*node, *after)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::glam::DVec3;

    fn at(x: f64) -> Transform {
        Transform { translation: DVec3::X * x, ..Transform::IDENTITY }
    }

    #[test]
    fn a_new_step_forgets_what_was_undone() {
        let mut history = History::default();
        history.push(Step { changes: vec![(0, at(0.0), at(1.0))] });
        history.push(Step { changes: vec![(0, at(1.0), at(2.0))] });
        assert_eq!(history.undo(), Some(vec![(0, at(1.0))]));
        assert_eq!(history.redo(), Some(vec![(0, at(2.0))]));
        assert_eq!(history.undo(), Some(vec![(0, at(1.0))]));
        history.push(Step { changes: vec![(0, at(1.0), at(5.0))] });
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo(), Some(vec![(0, at(1.0))]));
        assert_eq!(history.undo(), Some(vec![(0, at(0.0))]));
        assert_eq!(history.undo(), None);
    }
}
