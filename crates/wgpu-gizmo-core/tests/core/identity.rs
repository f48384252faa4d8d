//! §22 of docs/spec.md: a drag moves the pressed targets and no others.

use crate::oracle::bits;
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo_core::interaction::{DisabledReason, Event};
use wgpu_gizmo_core::{HandleId, Mode, Target, Transform};

fn keyed(key: u64, x: f64) -> Target {
    Target::from_world(Transform { translation: DVec3::X * x, ..Transform::IDENTITY }).with_key(key)
}

/// Returns a stage with a drag of two targets, with the keys 7 and 8, that has moved them.
fn dragged() -> Stage {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.targets = vec![keyed(7, -1.0), keyed(8, 1.0)];
    stage.gizmo.settings.pivot = wgpu_gizmo_core::interaction::settings::Pivot::Active;
    let arrow = stage.at(DVec3::Y * 0.7);
    let events = stage.grab(arrow);
    assert!(matches!(events[..], [Event::Started(_)]), "{events:?}");
    stage.point_at(arrow - DVec2::Y * 50.0);
    assert!(stage.targets.iter().all(|target| target.local.translation.y > 0.1));
    stage
}

#[test]
fn swapped_target_cancels_drag_and_stays() {
    let mut stage = dragged();
    let other = keyed(9, 5.0);
    stage.targets[1] = other;
    assert_eq!(stage.update(), [Event::Canceled]);
    assert_eq!(bits(&stage.targets[1].local), bits(&other.local), "never moved");
    assert_eq!(bits(&stage.targets[0].local), bits(&keyed(7, -1.0).local), "its start");
    assert!(!stage.gizmo.is_active());
}

#[test]
fn press_on_handle_drags_no_other_target() {
    for is_other in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.targets = vec![keyed(7, 0.0)];
        stage.update();
        let arrow = stage.at(DVec3::Y * 0.7);
        stage.move_to(arrow);
        let query = stage.press();
        // The host selects another object, or moves the same one, before the pick is known.
        stage.targets = vec![keyed(if is_other { 9 } else { 7 }, 1.0)];
        let ball = HandleMesh::ball();
        stage.gizmo.add_handle(CustomHandle::new(Constraint::ViewPlane, ball, Transform::IDENTITY, [1.0; 4]));
        stage.update();
        stage.answer_hit(query, "translate_y");
        let arrow = HandleId::from_name("translate_y").expect("the handle is built in");
        let refused = Event::Refused(arrow, DisabledReason::NoTarget);
        assert_eq!(stage.update(), [if is_other { refused } else { Event::Started(arrow) }]);
    }
}

#[test]
fn reordered_targets_cancel_drag_and_get_own_starts() {
    let mut stage = dragged();
    stage.targets.reverse();
    assert_eq!(stage.update(), [Event::Canceled]);
    assert_eq!(bits(&stage.targets[0].local), bits(&keyed(8, 1.0).local));
    assert_eq!(bits(&stage.targets[1].local), bits(&keyed(7, -1.0).local));
}

#[test]
fn removed_target_cancels_drag_and_restores_the_rest() {
    let mut stage = dragged();
    stage.targets.remove(0);
    assert_eq!(stage.update(), [Event::Canceled]);
    assert_eq!(bits(&stage.targets[0].local), bits(&keyed(8, 1.0).local));
    assert_eq!(stage.gizmo.starts().count(), 2, "the host restores the removed one");
}
