//! Tests of undo, of the saved state, and of the values since then.

use super::*;
use crate::Node;
use crate::scene::tests::at;

/// A log with its scene.
struct Edited {
    log: Log,
    scene: Scene,
}

impl Edited {
    fn new() -> Self {
        let nodes = vec![Node::new("a", None, at(0.0)), Node::new("b", Some(0), at(0.0))];
        let scene = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
        Self { log: Log::default(), scene }
    }

    fn make(&mut self, edit: Edit) {
        let undo = edit.apply(&mut self.scene).expect("the edit is valid");
        self.log.push("an edit".to_owned(), edit, undo);
    }

    fn move_to(&mut self, x: f64) {
        self.make(Edit::Place(vec![(0, at(x))]));
    }

    fn rename(&mut self, node: usize, name: &str) {
        self.make(Edit::Rename(vec![(node, name.to_owned())]));
    }

    fn go_to(&mut self, done: usize) -> usize {
        self.log.go_to(done, &mut self.scene).len()
    }

    fn x(&self) -> f64 {
        self.scene.nodes()[0].local.translation.x
    }

    /// Returns the saved position of the first node, if an edit since then has set it.
    fn saved_x(&self) -> Option<f64> {
        let values = self.log.saved_values(&self.scene);
        values.nodes.get(&0)?.local.map(|local| local.translation.x)
    }
}

#[test]
fn new_entry_discards_undone_entries() {
    let mut edited = Edited::new();
    edited.move_to(1.0);
    edited.move_to(2.0);
    assert_eq!((edited.go_to(1), edited.x()), (1, 1.0));
    assert_eq!((edited.go_to(2), edited.x()), (1, 2.0));
    assert_eq!((edited.go_to(1), edited.x()), (1, 1.0));
    edited.move_to(5.0);
    assert_eq!((edited.log.entries().len(), edited.log.done()), (2, 2));
    assert_eq!(edited.go_to(9), 0, "there is nothing to redo");
    assert_eq!((edited.go_to(0), edited.x()), (2, 0.0));
    assert_eq!(edited.go_to(0), 0, "there is nothing to undo");
}

#[test]
fn edit_in_progress_becomes_entry_if_it_changed_anything() {
    let mut edited = Edited::new();
    for (x, entries) in [(0.0, 0), (3.0, 1)] {
        let start = Edit::Place(vec![(0, edited.scene.nodes()[0].local)]);
        edited.log.open = Some(OpenEdit { key: "x".to_owned(), name: "X".to_owned(), start });
        edited.scene.set_local(0, at(x));
        edited.log.settle(&edited.scene);
        assert_eq!((edited.log.entries().len(), &edited.log.open), (entries, &None));
    }
    assert_eq!((edited.go_to(0), edited.x()), (1, 0.0));
}

#[test]
fn undo_returns_to_saved_state_unless_discarded() {
    let mut edited = Edited::new();
    assert!(edited.log.is_saved(), "a new log has no unsaved changes");
    edited.move_to(1.0);
    assert_eq!((edited.log.is_saved(), edited.saved_x()), (false, Some(0.0)));
    edited.log.begin_save();
    assert!(edited.log.is_being_saved() && !edited.log.is_saved());
    edited.log.end_save(true);
    assert_eq!((edited.log.is_saved(), edited.saved_x()), (true, None));
    edited.move_to(2.0);
    edited.move_to(3.0);
    assert_eq!((edited.log.is_saved(), edited.saved_x()), (false, Some(1.0)));
    edited.go_to(1);
    assert!(edited.log.is_saved());
    edited.go_to(0);
    assert_eq!((edited.log.is_saved(), edited.saved_x()), (false, Some(1.0)));
    edited.move_to(7.0);
    assert!(!edited.log.is_saved(), "one entry is done, but not the saved one");
    edited.go_to(0);
    assert_eq!((edited.log.is_saved(), edited.log.saved()), (false, None));
    edited.rename(1, "c");
    assert_eq!(edited.saved_x(), Some(1.0), "the discarded entries still lead to the saved state");
    assert_eq!(edited.log.opened_values(&edited.scene).nodes.len(), 1, "only the name has changed");
}

#[test]
fn edits_during_save_are_not_saved() {
    let mut edited = Edited::new();
    edited.move_to(1.0);
    edited.log.begin_save();
    edited.move_to(2.0);
    assert!(!edited.log.is_being_saved());
    edited.log.end_save(true);
    assert_eq!((edited.log.is_saved(), edited.log.saved(), edited.saved_x()), (false, Some(1), Some(1.0)));
    edited.go_to(1);
    assert!(edited.log.is_saved());
    // The state being saved is discarded.
    edited.move_to(3.0);
    edited.log.begin_save();
    edited.go_to(1);
    edited.move_to(4.0);
    edited.log.end_save(true);
    assert_eq!((edited.log.is_saved(), edited.log.saved(), edited.saved_x()), (false, None, Some(3.0)));
    edited.log.begin_save();
    edited.log.end_save(false);
    assert_eq!(edited.log.saved(), None, "the save failed");
}

#[test]
fn cursor_finds_entries_made_since() {
    let mut edited = Edited::new();
    edited.move_to(1.0);
    edited.move_to(2.0);
    let cursor = edited.log.cursor();
    assert_eq!(edited.log.since(cursor), (2, &[][..]));
    edited.go_to(1);
    assert_eq!(edited.log.since(cursor), (2, &[][..]), "undo makes no entry");
    edited.move_to(3.0);
    edited.go_to(0);
    edited.move_to(4.0);
    edited.move_to(5.0);
    edited.go_to(1);
    let (done, made) = edited.log.since(cursor);
    assert_eq!((done, made), (0, edited.log.entries()));
}
