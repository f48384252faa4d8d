//! Hover queries and their answers (§14 of docs/spec.md).

use crate::oracle::{handle, target_at};
use crate::stage::{ARROW_X, Stage, answer_with};
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::interaction::{CursorHint, HeldKeys, Input};
use wgpu_gizmo_core::{Event, Mode, PickAnswer, PickOutcome};

/// Creates a stage that hovers over the X arrow and has no pending query.
fn hovering() -> Stage {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.hover(stage.at(ARROW_X));
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    stage
}

#[test]
fn hover_claims_pointer_and_redraws_once() {
    let mut stage = hovering();
    assert!(stage.gizmo.claims().primary_press && stage.gizmo.needs_redraw(0));
    assert_eq!(stage.gizmo.cursor_hint(), CursorHint::Grab);
    stage.draw();
    assert!(!stage.gizmo.needs_redraw(0));
    stage.update();
    assert!(!stage.gizmo.needs_redraw(0));
}

#[test]
fn no_query_without_change() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    for _ in 0..3 {
        stage.update();
        assert_eq!(stage.gizmo.pick_query(), None);
    }
    stage.point_at(at.floor() + 0.25);
    assert_eq!(stage.gizmo.pick_query(), None, "the same texel");
    stage.point_at(at + DVec2::new(1.0, 0.0));
    assert!(stage.gizmo.pick_query().is_some(), "another texel");
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 2.5, 6.1)));
    stage.update();
    assert!(stage.gizmo.pick_query().is_some(), "another view");
    stage.targets[0].local.translation.x += 0.1;
    stage.update();
    assert!(stage.gizmo.pick_query().is_some(), "the target moved");
    stage.gizmo.scene_changed();
    assert!(stage.gizmo.pick_query().is_some(), "the scene changed");
    let finger = Input::Moved { px: at + DVec2::new(1.0, 0.0), tolerance_lpx: Some(16.0) };
    stage.gizmo.handle_input(finger);
    stage.update();
    assert!(stage.gizmo.pick_query().is_some(), "a finger reaches further");
    assert_eq!(stage.gizmo.pick_query(), None);
}

#[test]
fn late_answers_do_not_hover_after_pointer_left() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    stage.point_at(at + DVec2::new(1.0, 0.0));
    let pending = stage.gizmo.pick_query().expect("the query is about another texel");
    stage.gizmo.pointer_left();
    stage.update();
    assert_eq!(stage.gizmo.hovered(), None);
    assert_eq!(stage.gizmo.pick_query(), None);
    let late = stage.hit(pending, "translate_x");
    stage.gizmo.answer(&late);
    assert_eq!(stage.gizmo.hovered(), None, "the pointer has left");
    // Back to the same texel.
    stage.hover(at + DVec2::new(1.0, 0.0));
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    // Outside the viewport, for example over a panel.
    stage.point_at(at);
    let pending = stage.gizmo.pick_query().expect("the query is about another texel");
    stage.point_at(DVec2::new(900.0, 10.0));
    assert_eq!(stage.gizmo.pick_query(), None);
    stage.answer_hit(pending, "translate_x");
    assert_eq!(stage.gizmo.hovered(), None, "the pointer is outside");
}

#[test]
fn pointer_that_left_during_drag_hovers_nothing() {
    let mut stage = hovering();
    stage.grab(stage.at(ARROW_X));
    stage.gizmo.pointer_left();
    stage.update();
    assert!(stage.gizmo.is_active(), "the drag continues");
    stage.release();
    assert_eq!((stage.gizmo.hovered(), stage.gizmo.claims().primary_press), (None, false));
    assert_eq!(stage.gizmo.pick_query(), None);
    // If the pointer comes back before the release, it hovers again.
    let at = stage.at(ARROW_X);
    stage.grab(at);
    stage.gizmo.pointer_left();
    stage.move_to(at);
    stage.release();
    assert!(stage.gizmo.claims().primary_press);
}

#[test]
fn pointer_that_left_hovers_nothing_however_drag_ends() {
    type End = fn(&mut Stage);
    let ends: [(&str, End); 4] = [
        ("beside, with the button down", |stage| {
            assert_eq!(stage.grab(DVec2::splat(30.0)), []);
            stage.hover(stage.at(ARROW_X));
            stage.gizmo.pointer_left();
        }),
        ("canceled, with the button down", |stage| {
            stage.grab(stage.at(ARROW_X));
            stage.gizmo.pointer_left();
            stage.update();
            stage.gizmo.cancel();
        }),
        ("by the host", |stage| {
            stage.gizmo.drive_begin(handle("translate_y"), &stage.targets).expect("it can be driven");
            stage.gizmo.pointer_left();
            stage.update();
            stage.gizmo.drive_end(&mut stage.targets).expect("it is driven");
        }),
        ("by other targets", |stage| {
            stage.gizmo.grab(handle("translate_y"));
            stage.gizmo.pointer_left();
            stage.update();
            stage.targets[0].local.translation = DVec3::ZERO;
            stage.targets.push(target_at(DVec3::ZERO));
        }),
    ];
    for (name, end) in ends {
        let mut stage = hovering();
        end(&mut stage);
        stage.update();
        stage.answer();
        assert!(!stage.gizmo.is_active(), "{name}");
        assert_eq!((stage.gizmo.hovered(), stage.gizmo.claims().primary_press), (None, false), "{name}");
    }
}

#[test]
fn stale_answers_are_dropped_and_lost_queries_repeated() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    let query_at = |stage: &mut Stage, by: f64| {
        stage.point_at(at + DVec2::new(by, 0.0));
        stage.gizmo.pick_query().expect("the query is about another texel")
    };
    let (first, second) = (query_at(&mut stage, 1.0), query_at(&mut stage, 2.0));
    stage.answer_hit(second, "translate_y");
    stage.answer_hit(first, "translate_z");
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_y")));
    let third = query_at(&mut stage, 3.0);
    stage.gizmo.answer(&PickAnswer::new(third, PickOutcome::Lost));
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_y")), "a lost query changes nothing");
    let again = stage.gizmo.pick_query().expect("the query is repeated");
    stage.gizmo.answer(&PickAnswer::new(again, PickOutcome::Nothing));
    assert_eq!(stage.gizmo.hovered(), None);
}

#[test]
fn no_queries_or_hover_during_drag() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    stage.point_at(at + DVec2::new(1.0, 0.0));
    let pending = stage.gizmo.pick_query().expect("the query is about another texel");
    stage.grab(at);
    assert!(stage.gizmo.is_active());
    for by in [5.0, 50.0, 150.0] {
        stage.point_at(at + DVec2::new(by, 3.0));
        assert_eq!(stage.gizmo.pick_query(), None);
        assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    }
    assert_eq!(stage.gizmo.cursor_hint(), CursorHint::Grabbing);
    let late = stage.hit(pending, "translate_z");
    stage.gizmo.answer(&late);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    stage.release();
    stage.gizmo.answer(&late);
    assert_ne!(stage.gizmo.hovered(), Some(handle("translate_z")), "from before the drag");
    assert!(stage.gizmo.pick_query().is_some(), "the hover is stale after the drag");
}

#[test]
fn hover_distinguishes_object_from_handle() {
    let mut stage = hovering();
    let object = stage.ids.allocate(1).expect("ids are free").first();
    stage.gizmo.scene_changed();
    let query = stage.gizmo.pick_query().expect("the scene changed");
    stage.gizmo.answer(&answer_with(query, object));
    assert_eq!((stage.gizmo.hovered(), stage.gizmo.hovered_object()), (None, Some(object)));
    assert!(!stage.gizmo.claims().primary_press);
}

#[test]
fn tolerance_is_in_logical_pixels() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let hidpi = views::ALL
        .iter()
        .find(|p| p.name == "two pixels to the pixel")
        .expect("the table has this projection");
    stage.shot = hidpi.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
    stage.gizmo.settings.input.tolerance_lpx = 22.0;
    stage.update();
    stage.point_at(stage.at(ARROW_X));
    assert_eq!(stage.gizmo.pick_query().map(|query| query.radius_px), Some(44.0));
}

#[test]
fn non_finite_cursor_keeps_hover() {
    let mut stage = hovering();
    stage.move_to(DVec2::NAN);
    stage.point_at(DVec2::new(f64::INFINITY, 0.0));
    assert_eq!(stage.gizmo.pick_query(), None);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
}

#[test]
fn press_answer_also_decides_hover() {
    let mut stage = hovering();
    stage.point_at(DVec2::new(20.0, 20.0));
    let hover = stage.gizmo.pick_query().expect("the query is about another texel");
    let press = stage.press();
    for query in [hover, press] {
        stage.gizmo.answer(&PickAnswer::new(query, PickOutcome::Nothing));
    }
    stage.release();
    assert_eq!(stage.gizmo.hovered(), None);
    assert!(!stage.gizmo.claims().primary_press, "the camera is free again");
}

#[test]
fn settings_and_theme_changes_request_redraw() {
    let mut stage = hovering();
    stage.draw();
    assert!(!stage.gizmo.needs_redraw(0));
    stage.gizmo.settings.mode = Mode::Rotate;
    assert!(stage.gizmo.needs_redraw(0), "a host that draws on demand must call update");
    stage.update();
    stage.draw();
    assert!(!stage.gizmo.needs_redraw(0));
    stage.gizmo.theme.sizes.line_lpx = 5.0;
    assert!(stage.gizmo.needs_redraw(0));
    stage.update();
    stage.draw();
    assert!(!stage.gizmo.needs_redraw(0));
}

#[test]
fn events_request_redraw_until_next_update() {
    // The host selects the clicked object after the update that reported it.
    let mut stage = Stage::of_mode(Mode::Translate);
    let object = stage.ids.allocate(1).expect("ids are free").first();
    let selected = std::mem::take(&mut stage.targets);
    stage.update();
    stage.move_to(stage.at(ARROW_X));
    stage.gizmo.pointer_pressed();
    stage.release();
    let query = stage.gizmo.pick_query().expect("the press has a query");
    stage.gizmo.answer(&answer_with(query, object));
    assert_eq!(stage.update(), [Event::PressedObject(object), Event::ClickedObject(object)]);
    stage.targets = selected;
    assert!(stage.draw().is_empty(), "update creates the handles");
    assert!(stage.gizmo.needs_redraw(0), "the selection has no handles yet");
    assert_eq!(stage.update(), []);
    assert!(!stage.draw().is_empty());
    assert!(!stage.gizmo.needs_redraw(0), "one frame is enough");
    // The same holds if the host ignores the events.
    stage.gizmo.pointer_pressed();
    stage.update();
    stage.answer();
    stage.gizmo.pointer_released();
    assert_ne!(stage.update(), []);
    stage.draw();
    assert!(stage.gizmo.needs_redraw(0));
    stage.update();
    stage.draw();
    assert!(!stage.gizmo.needs_redraw(0));
}

#[test]
fn keys_held_without_drag_request_no_redraw() {
    let mut stage = hovering();
    stage.draw();
    stage.gizmo.set_held_keys(HeldKeys { snap: true, ..HeldKeys::NONE });
    stage.update();
    assert!(!stage.gizmo.needs_redraw(0), "the handles look the same");
    stage.grab(stage.at(ARROW_X));
    stage.draw();
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    stage.update();
    assert!(stage.gizmo.needs_redraw(0), "a drag shows what it snaps to");
}

/// With a gizmo on every target, the same handle of another target is highlighted.
#[test]
fn hover_of_other_target_requests_redraw() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.targets = vec![target_at(DVec3::X * -1.5), target_at(DVec3::X * 0.8)];
    stage.update();
    for (index, is_changed) in [(0, true), (1, true), (1, false), (0, true)] {
        let position = stage.targets[index].position_world() + ARROW_X * stage.size();
        stage.move_to(crate::oracle::px(&stage.shot, position) + f64::from(is_changed));
        stage.update();
        stage.answer();
        assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
        assert_eq!(stage.gizmo.hovered_target(), Some(index));
        assert_eq!(stage.gizmo.needs_redraw(0), is_changed, "{index}");
        stage.draw();
    }
}

#[test]
fn drag_requests_redraw_only_if_cursor_or_motion_changes() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.motion.limits.translation = [DVec3::ZERO; 2];
    let press = stage.at(ARROW_X);
    stage.grab(press);
    for (by, is_changed) in [(9.0, true), (9.0, false), (30.0, true), (30.0, false)] {
        stage.draw();
        stage.move_to(press + DVec2::X * by);
        stage.update();
        assert_eq!(stage.gizmo.needs_redraw(0), is_changed, "{by}: guides end at the cursor");
    }
    assert_eq!(stage.local().translation, DVec3::ZERO);
    stage.gizmo.cancel();
    stage.update();
    stage.gizmo.settings.motion.limits = Default::default();
    stage.update();
    stage.gizmo.drive_begin(handle("translate_x"), &stage.targets).expect("the handle is usable");
    for (by, is_changed) in [(0.5, true), (0.0, false)] {
        stage.update();
        stage.draw();
        stage.gizmo.drive_by(by, &mut stage.targets).expect("a drive is in progress");
        assert_eq!(stage.gizmo.needs_redraw(0), is_changed, "driven by {by}");
    }
}
