//! Hover queries and their answers (§14 of docs/spec.md).

use crate::prelude::*;

/// Creates a stage that hovers over the X arrow and has no pending query.
fn hovering() -> Stage {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.hover(stage.at(ARROW_X));
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    stage
}

#[test]
fn no_query_in_drag_or_without_change() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    stage.point_at(at.floor() + 0.25);
    assert_eq!(stage.gizmo.pick_query(), None, "the same texel");
    stage.point_at(at + DVec2::X);
    assert!(stage.gizmo.pick_query().is_some(), "another texel");
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 2.5, 6.1)));
    stage.update();
    assert!(stage.gizmo.pick_query().is_some(), "another view");
    stage.targets[0].local.translation.x += 0.1;
    stage.update();
    assert!(stage.gizmo.pick_query().is_some(), "the target moved");
    stage.gizmo.scene_changed();
    assert!(stage.gizmo.pick_query().is_some(), "the scene changed");
    stage.gizmo.handle_input(Input::Moved { px: at + DVec2::X, tolerance_lpx: Some(16.0) });
    stage.update();
    let late = stage.gizmo.pick_query().expect("a finger reaches further");
    let at = stage.at(ARROW_X);
    stage.grab(at);
    stage.point_at(at + DVec2::new(50.0, 3.0));
    assert_eq!(stage.gizmo.pick_query(), None, "a drag is in progress");
    assert_eq!(stage.gizmo.cursor_hint(), CursorHint::Grabbing);
    stage.release();
    stage.answer_hit(late, "translate_z");
    assert_ne!(stage.gizmo.hovered(), Some(handle("translate_z")), "from before the drag");
    assert!(stage.gizmo.pick_query().is_some(), "the hover is stale after the drag");
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
fn pointer_back_from_click_beside_handle_hovers_again() {
    let mut stage = hovering();
    let at = stage.at(ARROW_X);
    stage.gizmo.scene_changed();
    assert!(stage.gizmo.pick_query().is_some(), "it stays unanswered");
    stage.move_to(at + DVec2::splat(200.0));
    stage.gizmo.pointer_pressed();
    stage.update();
    stage.answer();
    assert_eq!(stage.release(), [Event::ClickedNothing]);
    assert_eq!(stage.gizmo.hovered(), None);
    stage.hover(at);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    // A press outside of the view has no query.
    stage.move_to(DVec2::splat(-20.0));
    stage.gizmo.pointer_pressed();
    stage.hover(at);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
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
    stage.gizmo.settings.input.tolerance_lpx = 22.0;
    let camera = Camera { scale_factor: 2.0, ..Camera::at(DVec3::new(2.0, 2.5, 6.0)) };
    stage.shot = views::ALL[0].shot(&camera);
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

#[test]
fn each_view_is_redrawn_once_after_change() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let views = [0, 7, 8].map(|key| stage.shot.view.with_key(key));
    for hovers in [false, true] {
        if hovers {
            stage.hover(stage.at(ARROW_X));
        }
        for (index, view) in views.iter().enumerate() {
            let outdated = views.map(|view| stage.gizmo.needs_redraw(view.key()));
            assert_eq!(outdated, [0, 1, 2].map(|other| other >= index), "it shows in every view");
            stage.gizmo.draw(DrawList::new().begin(view));
        }
    }
    assert!(views.iter().all(|view| !stage.gizmo.needs_redraw(view.key())));
}
