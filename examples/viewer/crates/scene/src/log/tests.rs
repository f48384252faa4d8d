//! Tests of undo, of the saved state, and of the values since then.

use super::*;
use crate::bounds::Bounds;
use crate::flags::FLAGS;
use crate::node_value::NodeValue;
use crate::scene::tests::{at, scene_of};
use std::collections::BTreeMap;
use wgpu_gizmo_core::glam::DVec3;

/// A log with its scene.
struct Edited {
    log: Log,
    scene: Scene,
}

impl Edited {
    fn new() -> Self {
        Self { log: Log::default(), scene: scene_of(&[("a", None, 0.0), ("b", Some(0), 0.0)]) }
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

    fn go_to(&mut self, done: usize) {
        self.log.go_to(done, &mut self.scene, |_, _| {});
    }

    /// Returns the saved position of the first node, if an edit since then has set it.
    fn saved_x(&self) -> Option<f64> {
        match self.log.saved_values(&self.scene).get(0, &NodeValue::Local(at(0.0)))? {
            NodeValue::Local(local) => Some(local.translation.x),
            _ => None,
        }
    }
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
    assert_eq!(edited.log.opened_values(&edited.scene).nodes().count(), 1, "only the name has changed");
}

/// The values of all nodes, by kind and node.
type NodeValues = BTreeMap<(usize, usize), NodeValue>;

fn values(scene: &Scene) -> NodeValues {
    let values = |node| NodeValue::all(node, scene).map(move |value| ((value.kind(), node), value));
    (0..scene.nodes().len()).flat_map(values).collect()
}

/// Returns the values of all nodes after these were set.
fn with(mut all: NodeValues, set: &Values) -> NodeValues {
    all.extend(set.0.iter().map(|(key, (_, value))| (*key, value.clone())));
    all
}

#[test]
fn random_sessions_know_their_saved_and_opened_values() {
    // A linear congruential generator, of which the upper bits are used.
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..300 {
        let mut edited = Edited::new();
        let opened = values(&edited.scene);
        let (mut saved, mut being_saved) = (opened.clone(), opened.clone());
        for step in 0..24 {
            let node = random(2);
            match random(10) {
                0 | 1 => edited.make(Edit::Place(vec![(node, at(f64::from(step)))])),
                2 => edited.make(Edit::All(vec![
                    Edit::Rename(vec![(node, format!("{step}"))]),
                    Edit::Rename(vec![(node, format!("{step} again"))]),
                ])),
                3 => edited.make(Edit::Parent(vec![(1, Some(0).filter(|_| random(2) == 0))])),
                4 => edited.make(Edit::Flag(vec![(node, FLAGS[random(3)], random(2) == 0)])),
                5 => {
                    let points = [DVec3::ZERO, DVec3::splat(f64::from(step))];
                    edited.make(Edit::Crop(vec![(node, Bounds::of_points(points))]));
                }
                6 => {
                    edited.log.begin_save();
                    being_saved = values(&edited.scene);
                }
                7 => {
                    let is_saved = random(3) > 0;
                    if is_saved && edited.log.being_saved.is_some() {
                        saved.clone_from(&being_saved);
                    }
                    edited.log.end_save(is_saved);
                }
                // Also one step more than there are.
                _ => edited.go_to(random(edited.log.entries().len() + 2)),
            }
            let now = values(&edited.scene);
            assert_eq!(with(now.clone(), &edited.log.saved_values(&edited.scene)), saved);
            assert_eq!(with(now.clone(), &edited.log.opened_values(&edited.scene)), opened);
            assert!(!edited.log.is_saved() || now == saved, "unsaved changes");
        }
    }
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
fn place_of_gizmo_is_no_unsaved_change() {
    let mut edited = Edited::new();
    let pivot = Edit::Pivot(vec![0], (Some(DVec3::X), None));
    edited.make(pivot.clone());
    edited.move_to(1.0);
    edited.make(pivot.clone());
    for (done, is_saved) in [(3, false), (2, false), (1, true), (0, true)] {
        edited.go_to(done);
        assert_eq!(edited.log.is_saved(), is_saved, "{done}");
    }
    edited.go_to(3);
    edited.log.begin_save();
    edited.log.end_save(true);
    edited.go_to(2);
    edited.make(pivot);
    assert!(edited.log.is_saved(), "another place was saved");
    edited.go_to(1);
    assert!(!edited.log.is_saved());
}
