//! §16 of docs/spec.md: which uses of pointer and keys belong to the gizmo.

use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::Claims;
use wgpu_gizmo_core::{Mode, Settings};

fn with(mut claims: Claims, change: impl FnOnce(&mut Claims)) -> Claims {
    change(&mut claims);
    claims
}

fn nothing() -> Claims {
    Claims::default()
}

fn hovered() -> Claims {
    with(nothing(), |claims| claims.primary_press = true)
}

fn dragged() -> Claims {
    with(hovered(), |claims| {
        (claims.primary_drag, claims.click, claims.secondary) = (true, true, true);
        (claims.middle, claims.keys) = (true, true);
    })
}

/// Returns a stage whose pointer hovers `at`, in sizes from the pivot.
fn hovering(settings: Settings, at: DVec3) -> Stage {
    let mut stage = Stage::new(settings);
    stage.update();
    let px = stage.at(at);
    stage.hover(px);
    stage.update();
    stage
}

#[test]
fn claims_follow_hover_press_drag_and_release() {
    let mut stage = hovering(Settings::default(), DVec3::new(-2.0, 1.2, 0.0));
    assert_eq!(stage.gizmo.claims(), nothing(), "beside the gizmo");
    let arrow = stage.at(DVec3::X * 0.7);
    stage.hover(arrow);
    assert_eq!(stage.gizmo.claims(), hovered());
    stage.gizmo.pointer_pressed();
    stage.update();
    assert!(stage.gizmo.claims().primary_drag && stage.gizmo.claims().click, "the pick is in flight");
    stage.answer();
    stage.update();
    assert_eq!(stage.gizmo.claims(), dragged());
    stage.release();
    assert_eq!(
        stage.gizmo.claims(),
        with(hovered(), |claims| claims.click = true),
        "the release just handled"
    );
    stage.answer();
    stage.update();
    assert_eq!(stage.gizmo.claims(), hovered());
}

#[test]
fn canceled_press_stays_claimed_until_release() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let arrow = stage.at(DVec3::X * 0.7);
    stage.grab(arrow);
    stage.gizmo.cancel();
    stage.update();
    stage.update();
    let Claims { primary_press, primary_drag, click, keys, secondary, .. } = stage.gizmo.claims();
    assert_eq!((primary_press, primary_drag, click), (false, true, true), "the button is still down");
    assert_eq!((keys, secondary), (false, false));
    stage.release();
    assert!(stage.gizmo.claims().click, "this release selects nothing");
    stage.update();
    assert!(!stage.gizmo.claims().click);
}

#[test]
fn pending_hover_is_distinct_from_nothing() {
    let mut stage = hovering(Settings::default(), DVec3::new(-2.0, 1.2, 0.0));
    assert!(!stage.gizmo.is_hover_pending() && stage.gizmo.hovered().is_none(), "nothing is there");
    let arrow = stage.at(DVec3::X * 0.7);
    stage.move_to(arrow);
    assert!(stage.gizmo.is_hover_pending(), "the move is queued");
    stage.update();
    let query = stage.gizmo.pick_query().expect("the gizmo has a query");
    assert!(stage.gizmo.is_hover_pending(), "the pick is in flight");
    stage.answer_hit(query, "translate_x");
    assert!(!stage.gizmo.is_hover_pending() && stage.gizmo.hovered().is_some());
    stage.gizmo.scene_changed();
    assert!(stage.gizmo.is_hover_pending(), "something else may be there");
    stage.point_at(DVec2::splat(-50.0));
    assert!(!stage.gizmo.is_hover_pending(), "outside the view there is nothing to know");
}
