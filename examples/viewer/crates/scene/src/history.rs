//! Undo and redo: a list of named steps, the number of steps that are done, and the saved state.

use crate::Scene;
use crate::bounds::Bounds;
use crate::flags::Flag;
use crate::volume::NodeVolume;
use wgpu_gizmo_core::Transform;

/// The change of one undo step.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Nodes were moved: their indices and their local transforms before and after.
    Moved(Vec<(usize, Transform, Transform)>),
    /// A node was renamed.
    Renamed {
        /// Index of the node.
        node: usize,
        /// Name before.
        before: String,
        /// Name after.
        after: String,
    },
    /// Nodes were reparented.
    Reparented(Vec<Reparented>),
    /// Nodes were copied. Undoing deletes the copies.
    Duplicated {
        /// The nodes that were copied.
        originals: Vec<usize>,
        /// All copies, including those of descendants.
        copies: Vec<usize>,
    },
    /// The extents of nodes were changed: their indices and their boxes before and after.
    Resized(Vec<(usize, Bounds, Bounds)>),
    /// Cameras and lights were changed: their indices and their values before and after.
    VolumesSet(Vec<(usize, NodeVolume, NodeVolume)>),
    /// The gizmo itself was moved: its pivot and its reference frame in world space, before and after;
    /// `None` where the settings place it. It is applied by the editor, because a scene has no gizmo.
    PivotMoved {
        /// The place before.
        before: Option<Transform>,
        /// The place after.
        after: Option<Transform>,
    },
    /// Several changes were made, one after another.
    All(Vec<Self>),
    /// A flag of nodes was set or cleared. All of the nodes had the opposite value before.
    FlagSet {
        /// The flag.
        flag: Flag,
        /// The nodes on which it was set or cleared.
        nodes: Vec<usize>,
        /// Whether it was set.
        on: bool,
    },
}

/// A reparented node: its parent and its local transform before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reparented {
    /// Index of the node.
    pub node: usize,
    /// Parent and local transform before.
    pub before: (Option<usize>, Transform),
    /// Parent and local transform after.
    pub after: (Option<usize>, Transform),
}

/// One undo step, such as a drag, a typed value or a new name.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Label for the user, such as `Translate armLeft X 0.250`.
    pub name: String,
    /// The change of the scene.
    pub change: Change,
}

/// The direction in which a step is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Undo,
    Redo,
}

impl Change {
    /// Returns the changes that this one consists of, or the change itself.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::All(changes) => changes,
            _ => std::slice::from_ref(self),
        }
    }

    /// Applies the change to a scene in the state before it.
    pub fn redo(&self, scene: &mut Scene) {
        self.apply(scene, Direction::Redo);
    }

    /// Reverts the change in a scene in the state after it.
    pub fn undo(&self, scene: &mut Scene) {
        self.apply(scene, Direction::Undo);
    }

    fn apply(&self, scene: &mut Scene, direction: Direction) {
        let is_redo = direction == Direction::Redo;
        match self {
            Self::Moved(moved) => {
                for (node, before, after) in moved {
                    scene.set_local(*node, if is_redo { *after } else { *before });
                }
            }
            Self::Renamed { node, before, after } => {
                let name = if is_redo { after } else { before };
                // The name was free when the step was made, and is again after undoing all later steps.
                let renamed = scene.rename(*node, name);
                debug_assert!(renamed.is_ok(), "the name {name} is free at this step");
            }
            Self::Reparented(reparented) => {
                let reparent = |(node, (parent, local))| {
                    let is_reparented = scene.reparent(node, parent, local);
                    debug_assert!(is_reparented, "the new parent is not a descendant at this step");
                };
                // In the original order, or reversed for undo, so that every state in between is a tree.
                match direction {
                    Direction::Redo => {
                        reparented.iter().map(|edit| (edit.node, edit.after)).for_each(reparent)
                    }
                    Direction::Undo => {
                        reparented.iter().rev().map(|edit| (edit.node, edit.before)).for_each(reparent)
                    }
                }
            }
            Self::Resized(resized) => {
                for (node, before, after) in resized {
                    scene.set_extents(*node, if is_redo { *after } else { *before });
                }
            }
            Self::VolumesSet(set) => {
                for (index, before, after) in set {
                    scene.set_volume(*index, if is_redo { *after } else { *before });
                }
            }
            Self::PivotMoved { .. } => {}
            Self::All(changes) => match direction {
                Direction::Redo => changes.iter().for_each(|change| change.redo(scene)),
                Direction::Undo => changes.iter().rev().for_each(|change| change.undo(scene)),
            },
            Self::Duplicated { copies, .. } => {
                for node in copies {
                    scene.set_flag(*node, Flag::Deleted, !is_redo);
                }
            }
            Self::FlagSet { flag, nodes, on } => {
                for node in nodes {
                    scene.set_flag(*node, *flag, *on == is_redo);
                }
            }
        }
    }
}

/// The undo history: steps that are done, followed by undone steps that can be redone.
#[derive(Debug)]
pub struct History {
    steps: Vec<Step>,
    /// Number of steps that are done.
    done: usize,
    /// Value of `done` for the saved state, or `None` if no steps lead to that state.
    saved: Option<usize>,
    /// Value of `done` for the state that is being saved.
    being_saved: Option<usize>,
    /// Increases when steps are done or undone.
    revision: u64,
    /// Increases with every undo and redo, but not with new steps.
    jumps: u64,
}

impl Default for History {
    /// Returns an empty history without unsaved changes.
    fn default() -> Self {
        Self { steps: Vec::new(), done: 0, saved: Some(0), being_saved: None, revision: 0, jumps: 0 }
    }
}

impl History {
    /// Adds a step that has just been done. Discards the undone steps.
    pub fn push(&mut self, step: Step) {
        for state in [&mut self.saved, &mut self.being_saved] {
            *state = state.filter(|state| *state <= self.done);
        }
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.done += 1;
        self.revision += 1;
    }

    /// Undoes or redoes steps until the first `done` steps are done, or all of them if there are fewer.
    /// Returns true if anything changed.
    pub fn go_to(&mut self, done: usize, scene: &mut Scene) -> bool {
        let done = done.min(self.steps.len());
        let before = self.done;
        while self.done > done {
            self.done -= 1;
            self.steps[self.done].change.undo(scene);
        }
        while self.done < done {
            self.steps[self.done].change.redo(scene);
            self.done += 1;
        }
        let has_changed = self.done != before;
        self.revision += u64::from(has_changed);
        self.jumps += u64::from(has_changed);
        has_changed
    }

    /// Returns all steps, including undone ones, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the number of steps that are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Returns a number that changes whenever steps are done or undone.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a counter that increases with every undo and redo, but not with new steps.
    pub fn jumps(&self) -> u64 {
        self.jumps
    }

    /// Returns the number of steps that lead to the saved state, or `None` if no steps lead to it.
    pub fn saved(&self) -> Option<usize> {
        self.saved
    }

    /// Records that the current state is being saved.
    pub fn begin_save(&mut self) {
        self.being_saved = Some(self.done);
    }

    /// Records that the state at [`History::begin_save`] was saved, or that saving it failed.
    pub fn end_save(&mut self, is_saved: bool) {
        let state = self.being_saved.take();
        if is_saved {
            self.saved = state;
        }
    }

    /// Returns true if the current state is the one being saved.
    pub fn is_being_saved(&self) -> bool {
        self.being_saved == Some(self.done)
    }

    /// Returns true if the scene has no unsaved changes.
    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use wgpu_gizmo_core::glam::DVec3;

    fn at(x: f64) -> Transform {
        Transform { translation: DVec3::X * x, ..Transform::IDENTITY }
    }

    fn scene() -> Scene {
        let nodes = vec![Node::new("a", None, at(0.0)), Node::new("b", Some(0), at(0.0))];
        Scene::new(nodes, Vec::new()).expect("the nodes form a tree")
    }

    fn step(change: Change) -> Step {
        Step { name: "a step".to_owned(), change }
    }

    fn moved(from: f64, to: f64) -> Step {
        step(Change::Moved(vec![(0, at(from), at(to))]))
    }

    #[test]
    fn new_step_discards_undone_steps() {
        let (mut history, mut scene) = (History::default(), scene());
        history.push(moved(0.0, 1.0));
        history.push(moved(1.0, 2.0));
        assert!(history.go_to(1, &mut scene));
        assert_eq!(scene.nodes()[0].local, at(1.0));
        assert!(history.go_to(2, &mut scene));
        assert_eq!(scene.nodes()[0].local, at(2.0));
        assert!(history.go_to(1, &mut scene));
        history.push(moved(1.0, 5.0));
        assert_eq!((history.steps().len(), history.done()), (2, 2));
        assert!(!history.go_to(9, &mut scene), "there is nothing to redo");
        assert!(history.go_to(0, &mut scene));
        assert_eq!(scene.nodes()[0].local, at(0.0));
        assert!(!history.go_to(0, &mut scene), "there is nothing to undo");
    }

    #[test]
    fn names_and_flags_are_undone_and_redone() {
        let (mut history, mut scene) = (History::default(), scene());
        let renamed = |node, before: &str, after: &str| {
            step(Change::Renamed { node, before: before.to_owned(), after: after.to_owned() })
        };
        // Node 1 takes the old name of node 0.
        history.push(renamed(0, "a", "c"));
        history.push(renamed(1, "b", "a"));
        history.push(step(Change::FlagSet { flag: Flag::Hidden, nodes: vec![0], on: true }));
        history.push(step(Change::FlagSet { flag: Flag::Hidden, nodes: vec![0], on: false }));
        scene.rename(0, "c").and_then(|()| scene.rename(1, "a")).expect("the names are free");
        history.go_to(0, &mut scene);
        assert_eq!((scene.find("a"), scene.find("b"), scene.find("c")), (Some(0), Some(1), None));
        history.go_to(3, &mut scene);
        assert_eq!((scene.find("a"), scene.find("c")), (Some(1), Some(0)));
        assert!(scene.has_flag(0, Flag::Hidden) && scene.is_flagged(1, Flag::Hidden));
        history.go_to(4, &mut scene);
        assert!(!scene.is_flagged(1, Flag::Hidden));
    }

    #[test]
    fn undo_returns_to_saved_state_unless_discarded() {
        let (mut history, mut scene) = (History::default(), scene());
        assert!(history.is_saved(), "a new history has no unsaved changes");
        history.push(moved(0.0, 1.0));
        assert!(!history.is_saved());
        history.begin_save();
        assert!(history.is_being_saved() && !history.is_saved());
        history.end_save(true);
        history.push(moved(1.0, 2.0));
        assert!(!history.is_saved());
        history.go_to(1, &mut scene);
        assert!(history.is_saved());
        history.go_to(0, &mut scene);
        assert!(!history.is_saved());
        history.push(moved(0.0, 7.0));
        assert!(!history.is_saved(), "one step is done, but not the saved one");
        history.go_to(0, &mut scene);
        assert_eq!((history.is_saved(), history.saved()), (false, None));
    }

    #[test]
    fn steps_during_save_are_not_saved() {
        let (mut history, mut scene) = (History::default(), scene());
        history.push(moved(0.0, 1.0));
        history.begin_save();
        history.push(moved(1.0, 2.0));
        assert!(!history.is_being_saved());
        history.end_save(true);
        assert_eq!((history.is_saved(), history.saved()), (false, Some(1)));
        history.go_to(1, &mut scene);
        assert!(history.is_saved());
        // The state being saved is discarded.
        history.push(moved(1.0, 3.0));
        history.begin_save();
        history.go_to(1, &mut scene);
        history.push(moved(1.0, 4.0));
        history.end_save(true);
        assert_eq!((history.is_saved(), history.saved()), (false, None));
        history.begin_save();
        history.end_save(false);
        assert_eq!(history.saved(), None, "the save failed");
    }
}
