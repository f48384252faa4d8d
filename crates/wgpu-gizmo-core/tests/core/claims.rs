//! §16 of docs/spec.md: which uses of pointer and keys belong to the gizmo.

use crate::prelude::*;

#[test]
fn claims_follow_hover_press_drag_and_release() {
    let nothing = Claims::default();
    let mut hovered = nothing;
    hovered.primary_press = true;
    let mut released = hovered;
    released.click = true;
    let mut dragged = released;
    (dragged.primary_drag, dragged.secondary, dragged.middle, dragged.keys) = (true, true, true, true);
    let mut stage = Stage::new(Settings::default());
    stage.hover(DVec2::new(90.0, 80.0));
    assert_eq!(stage.gizmo.claims(), nothing, "beside the gizmo");
    stage.hover(stage.at(ARROW_X));
    assert_eq!(stage.gizmo.claims(), hovered);
    stage.gizmo.pointer_pressed();
    stage.update();
    assert!(stage.gizmo.claims().primary_drag && stage.gizmo.claims().click, "the pick is in flight");
    stage.answer();
    stage.update();
    assert_eq!(stage.gizmo.claims(), dragged);
    stage.release();
    assert_eq!(stage.gizmo.claims(), released, "the release just handled");
    stage.answer();
    stage.update();
    assert_eq!(stage.gizmo.claims(), hovered);
}

#[test]
fn pending_hover_is_distinct_from_nothing() {
    let mut stage = Stage::new(Settings::default());
    stage.hover(DVec2::new(90.0, 80.0));
    assert!(!stage.gizmo.is_hover_pending() && stage.gizmo.hovered().is_none(), "nothing is there");
    stage.move_to(stage.at(ARROW_X));
    assert!(stage.gizmo.is_hover_pending(), "the move is queued");
    stage.update();
    assert!(stage.gizmo.is_hover_pending(), "the query is not answered");
    stage.answer();
    assert!(!stage.gizmo.is_hover_pending() && stage.gizmo.hovered().is_some());
    stage.gizmo.scene_changed();
    let is_shown = stage.gizmo.hovered().is_some();
    assert!(stage.gizmo.is_hover_pending() && is_shown, "something else may be there");
    stage.point_at(DVec2::splat(-50.0));
    assert!(!stage.gizmo.is_hover_pending(), "outside the view there is nothing to know");
}
