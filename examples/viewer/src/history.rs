//! Undo and redo: a list of named steps, how many of them are done, and which state was saved.

use crate::flags::Flag;
use crate::scene::Scene;
use wgpu_gizmo::Transform;

/// What one step changed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// Which nodes, with their local transforms before and after.
    Moved(Vec<(usize, Transform, Transform)>),
    /// A node's name.
    Renamed { node: usize, before: String, after: String },
    /// What nodes hang on, and their local transforms there, before and after.
    Hung(Vec<Hung>),
    /// Copies were made of nodes: they are there afterwards, and not before.
    Copied { of: Vec<usize>, copies: Vec<usize> },
    /// These nodes were hidden, shown, locked, unlocked or deleted; all of them were the opposite
    /// before.
    Flagged { flag: Flag, nodes: Vec<usize>, on: bool },
}

/// A node that was hung elsewhere: its parent and its local transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hung {
    pub(crate) node: usize,
    pub(crate) before: (Option<usize>, Transform),
    pub(crate) after: (Option<usize>, Transform),
}

/// One step: a drag, a typed value, a new name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// For people, such as `Translate armLeft X 0.250`.
    pub(crate) name: String,
    pub(crate) change: Change,
}

/// Which way a step is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forward,
}

impl Change {
    fn apply(&self, scene: &mut Scene, way: Way) {
        let forward = way == Way::Forward;
        match self {
            Self::Moved(moved) => {
                for (node, before, after) in moved {
                    scene.set_local(*node, if forward { *after } else { *before });
                }
            }
            Self::Renamed { node, before, after } => {
                let name = if forward { after } else { before };
                // Unique when the step was made, and again when all steps since are undone.
                let renamed = scene.rename(*node, name);
                debug_assert!(renamed.is_ok(), "{name} was free at this step");
            }
            Self::Hung(hung) => {
                let hang = |(node, (parent, local))| {
                    let is_hung = scene.hang(node, parent, local);
                    debug_assert!(is_hung, "it was no loop at this step");
                };
                // One by one the way they came: all that was between is a tree as well.
                match way {
                    Way::Forward => hung.iter().map(|hung| (hung.node, hung.after)).for_each(hang),
                    Way::Back => hung.iter().rev().map(|hung| (hung.node, hung.before)).for_each(hang),
                }
            }
            Self::Copied { copies, .. } => {
                for node in copies {
                    scene.set_flag(*node, Flag::Deleted, !forward);
                }
            }
            Self::Flagged { flag, nodes, on } => {
                for node in nodes {
                    scene.set_flag(*node, *flag, *on == forward);
                }
            }
        }
    }
}

/// Steps done, and steps undone that can be done again.
#[derive(Debug)]
pub(crate) struct History {
    steps: Vec<Step>,
    /// How many of the steps are done.
    done: usize,
    /// How many were done when the scene was saved; `None` where that state cannot be come back
    /// to.
    saved: Option<usize>,
    /// The same of a state that is being saved.
    being_saved: Option<usize>,
    /// Grows with every step that is done or undone.
    revision: u64,
    /// Grows whenever steps are taken back or done again.
    jumps: u64,
}

impl Default for History {
    /// Nothing done, and nothing to save.
    fn default() -> Self {
        Self { steps: Vec::new(), done: 0, saved: Some(0), being_saved: None, revision: 0, jumps: 0 }
    }
}

impl History {
    /// Takes a step that has just been done; what was undone is forgotten.
    pub(crate) fn push(&mut self, step: Step) {
        for state in [&mut self.saved, &mut self.being_saved] {
            *state = state.filter(|state| *state <= self.done);
        }
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.done += 1;
        self.revision += 1;
    }

    /// Goes to the state after the first `done` steps, or as near to it as there are steps.
    /// Whether anything changed.
    pub(crate) fn go_to(&mut self, done: usize, scene: &mut Scene) -> bool {
        let done = done.min(self.steps.len());
        let before = self.done;
        while self.done > done {
            self.done -= 1;
            self.steps[self.done].change.apply(scene, Way::Back);
        }
        while self.done < done {
            self.steps[self.done].change.apply(scene, Way::Forward);
            self.done += 1;
        }
        let has_changed = self.done != before;
        self.revision += u64::from(has_changed);
        self.jumps += u64::from(has_changed);
        has_changed
    }

    /// All steps, the oldest first, also those that were undone.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many of them are done.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// Another number after every step that is done or undone.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns another number after every step that is taken back or done again, but not after new
    /// ones.
    pub(crate) fn jumps(&self) -> u64 {
        self.jumps
    }

    /// How many were done when the scene was saved, if that state is in the list.
    pub(crate) fn saved(&self) -> Option<usize> {
        self.saved
    }

    /// The scene as it is now is on its way to the disk.
    pub(crate) fn begin_save(&mut self) {
        self.being_saved = Some(self.done);
    }

    /// The scene is on disk as it was at [`History::begin_save`], or could not be brought there.
    pub(crate) fn end_save(&mut self, is_on_disk: bool) {
        let state = self.being_saved.take();
        if is_on_disk {
            self.saved = state;
        }
    }

    /// Whether the scene is as it was when the save began that is going on.
    pub(crate) fn is_being_saved(&self) -> bool {
        self.being_saved == Some(self.done)
    }

    /// Whether the scene is as it was opened, or as it was saved last.
    pub(crate) fn is_saved(&self) -> bool {
        self.saved == Some(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;
    use wgpu_gizmo::glam::DVec3;

    fn at(x: f64) -> Transform {
        Transform { translation: DVec3::X * x, ..Transform::IDENTITY }
    }

    fn scene() -> Scene {
        let nodes = vec![Node::new("a", None, at(0.0)), Node::new("b", Some(0), at(0.0))];
        Scene::new(nodes, Vec::new()).expect("a tree")
    }

    fn step(change: Change) -> Step {
        Step { name: "a step".to_owned(), change }
    }

    fn moved(from: f64, to: f64) -> Step {
        step(Change::Moved(vec![(0, at(from), at(to))]))
    }

    #[test]
    fn a_new_step_forgets_what_was_undone() {
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
        assert!(!history.go_to(9, &mut scene), "there is nothing to do again");
        assert!(history.go_to(0, &mut scene));
        assert_eq!(scene.nodes()[0].local, at(0.0));
        assert!(!history.go_to(0, &mut scene), "there is nothing more to undo");
    }

    #[test]
    fn names_eyes_and_locks_come_back_in_order() {
        let (mut history, mut scene) = (History::default(), scene());
        let renamed = |node, before: &str, after: &str| {
            step(Change::Renamed { node, before: before.to_owned(), after: after.to_owned() })
        };
        // b takes the name that a gave up.
        history.push(renamed(0, "a", "c"));
        history.push(renamed(1, "b", "a"));
        history.push(step(Change::Flagged { flag: Flag::Hidden, nodes: vec![0], on: true }));
        history.push(step(Change::Flagged { flag: Flag::Hidden, nodes: vec![0], on: false }));
        scene.rename(0, "c").and_then(|()| scene.rename(1, "a")).expect("free names");
        history.go_to(0, &mut scene);
        assert_eq!((scene.find("a"), scene.find("b"), scene.find("c")), (Some(0), Some(1), None));
        history.go_to(3, &mut scene);
        assert_eq!((scene.find("a"), scene.find("c")), (Some(1), Some(0)));
        assert!(scene.has_flag(0, Flag::Hidden) && scene.is_flagged(1, Flag::Hidden));
        history.go_to(4, &mut scene);
        assert!(!scene.is_flagged(1, Flag::Hidden));
    }

    #[test]
    fn what_was_saved_is_saved_again_only_where_steps_lead_back_to_it() {
        let (mut history, mut scene) = (History::default(), scene());
        assert!(history.is_saved(), "as it was opened");
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
        assert!(!history.is_saved(), "one step, but another one than that which was saved");
        history.go_to(0, &mut scene);
        assert_eq!((history.is_saved(), history.saved()), (false, None));
    }

    #[test]
    fn what_was_done_while_the_scene_was_saved_is_not_saved() {
        let (mut history, mut scene) = (History::default(), scene());
        history.push(moved(0.0, 1.0));
        history.begin_save();
        history.push(moved(1.0, 2.0));
        assert!(!history.is_being_saved());
        history.end_save(true);
        assert_eq!((history.is_saved(), history.saved()), (false, Some(1)));
        history.go_to(1, &mut scene);
        assert!(history.is_saved());
        // The state that is saved cannot be come back to.
        history.push(moved(1.0, 3.0));
        history.begin_save();
        history.go_to(1, &mut scene);
        history.push(moved(1.0, 4.0));
        history.end_save(true);
        assert_eq!((history.is_saved(), history.saved()), (false, None));
        history.begin_save();
        history.end_save(false);
        assert_eq!(history.saved(), None, "nothing came of it");
    }
}
