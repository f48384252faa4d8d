//! Queries that are never answered (§14 of docs/spec.md): they neither block the gizmo nor lose input.

use crate::prelude::*;

/// Creates a stage with a press whose query was taken but is not in flight.
fn unanswered_press() -> (Stage, PickQuery) {
    let mut stage = Stage::of_mode(Mode::Translate);
    let query = stage.press(stage.at(ARROW_X));
    assert!(stage.gizmo.is_busy() && stage.gizmo.claims().primary_press && stage.gizmo.needs_redraw(0));
    (stage, query)
}

#[test]
fn unanswered_press_query_is_repeated_with_new_sequence() {
    for answers_first in [true, false] {
        let (mut stage, first) = unanswered_press();
        for _ in 0..7 {
            assert_eq!(stage.update(), []);
            assert_eq!(stage.gizmo.pick_query(), None, "returned only once");
        }
        stage.update();
        let again = stage.gizmo.pick_query().expect("the eighth update repeats the query");
        assert_eq!((again.cursor_px, again.view), (first.cursor_px, first.view));
        assert!(again.sequence > first.sequence);
        // Both queries are about this press: the first answer decides, and the other one is stale.
        let (sooner, later) = if answers_first { (first, again) } else { (again, first) };
        let answer = stage.hit(sooner, "translate_x");
        stage.gizmo.answer(&answer);
        assert_eq!(stage.update(), [Event::Started(handle("translate_x"))]);
        let late = stage.hit(later, "translate_y");
        stage.gizmo.answer(&late);
        assert_eq!(stage.update(), []);
        stage.release();
        stage.gizmo.answer(&late);
        assert_eq!((stage.gizmo.hovered(), stage.update()), (Some(handle("translate_x")), Vec::new()));
    }
}

#[test]
fn unanswered_press_is_abandoned_after_64_updates() {
    // Hosts that take the repeated query, and hosts that never do.
    for takes_repeated in [false, true] {
        let (mut stage, _) = unanswered_press();
        stage.move_to(stage.at(ARROW_X * 2.0));
        stage.gizmo.pointer_released();
        let mut taken = 0;
        for _ in 0..63 {
            assert_eq!(stage.update(), []);
            assert!(stage.gizmo.is_busy());
            taken += usize::from(takes_repeated && stage.gizmo.pick_query().is_some());
            stage.draw();
            assert!(stage.gizmo.needs_redraw(0), "a host that draws on demand must continue");
        }
        assert_eq!(taken, if takes_repeated { 7 } else { 0 });
        assert_eq!(stage.update(), [], "neither a drag nor a click on nothing");
        stage.draw();
        assert!(!stage.gizmo.is_busy() && !stage.gizmo.needs_redraw(0) && stage.gizmo.held_view().is_none());
        assert_eq!(stage.local(), Transform::IDENTITY);
        let at = stage.at(ARROW_X);
        assert_eq!(stage.grab(at), [Event::Started(handle("translate_x"))], "the next press begins a drag");
    }
}

/// A host that never asks for the query, and one whose picker is busy with an earlier query.
#[test]
fn press_that_is_never_asked_is_abandoned() {
    for is_busy in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.move_to(stage.at(ARROW_X));
        stage.update();
        let hover = stage.gizmo.pick_query().expect("the pointer has moved");
        stage.gizmo.pointer_pressed();
        stage.update();
        stage.gizmo.cancel();
        for _ in 0..64 {
            assert!(stage.gizmo.is_busy());
            if is_busy {
                stage.gizmo.await_answer(&hover);
            }
            assert_eq!(stage.update(), []);
        }
        assert_eq!(stage.gizmo.is_busy(), is_busy);
    }
}

#[test]
fn nan_in_settings_or_targets_asks_no_further_picks() {
    for pivot in [Pivot::Custom(DVec3::NAN), Pivot::EachTarget, Pivot::Median] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.pivot = pivot;
        stage.gizmo.settings.motion.max_distance = Some(f64::NAN);
        if pivot != Pivot::Median {
            stage.targets[0].bounds_local = Some([DVec3::NAN; 2]);
        }
        let arrow = stage.at(DVec3::X * 0.7);
        stage.hover(arrow);
        for _ in 0..20 {
            stage.update();
            assert_eq!(stage.gizmo.pick_query(), None, "{pivot:?}");
        }
        // Other changes still count.
        stage.gizmo.settings.mode = Mode::Rotate;
        stage.update();
        assert!(stage.gizmo.pick_query().is_some());
    }
}

/// Neither the button stays down that was released before the queue was full, nor does the press that fills it count.
#[test]
fn full_queue_keeps_release_and_drops_press() {
    for is_release in [true, false] {
        let (mut stage, query) = unanswered_press();
        if is_release {
            stage.gizmo.pointer_released();
        }
        (0..1_024).for_each(|_| stage.gizmo.wheel(1.0));
        if !is_release {
            stage.gizmo.pointer_pressed();
        }
        stage.answer_hit(query, "translate_x");
        let events = stage.update();
        assert!(matches!(events[..], [Event::Started(_), .., Event::Canceled]), "{events:?}");
        stage.update();
        assert!(!stage.gizmo.is_busy(), "a press is queued");
        assert_eq!(stage.gizmo.claims().click, !is_release, "the button is down");
    }
}

/// More moves than the queue holds arrive between press and release: none of the three is lost.
#[test]
fn burst_of_moves_keeps_press_and_release() {
    for by_ray in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        let (arrow, view) = (stage.at(DVec3::X * 0.7), stage.shot.view);
        let point = |stage: &mut Stage, px: DVec2| {
            if by_ray { stage.gizmo.pointer_ray(view.pointer_ray(px), 0.01) } else { stage.move_to(px) }
        };
        point(&mut stage, arrow);
        stage.gizmo.pointer_pressed();
        for i in 0..1_000 {
            point(&mut stage, arrow + DVec2::X * f64::from(i % 50));
        }
        for _ in 0..1_000 {
            point(&mut stage, arrow + DVec2::X * 30.0);
        }
        stage.update();
        stage.answer();
        stage.update();
        assert!(stage.gizmo.is_active(), "by ray: {by_ray}");
        let moved = stage.local().translation.x;
        assert_eq!(stage.release().last(), Some(&Event::Ended { changed: true }));
        assert!(moved > 0.1 && stage.local().translation.x == moved, "{moved}");
    }
}

#[test]
fn unchanged_keys_are_not_queued() {
    let (mut stage, query) = unanswered_press();
    let answer = stage.hit(query, "translate_x");
    for held in [HeldKeys { snap: true, ..HeldKeys::NONE }, HeldKeys::NONE] {
        for _ in 0..2_000 {
            stage.gizmo.set_held_keys(held);
        }
    }
    stage.gizmo.answer(&answer);
    stage.update();
    assert!(stage.gizmo.is_active(), "the queue did not overflow");
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    assert!(!stage.gizmo.needs_update());
}

/// A cancel, or the next press, ends a press whose query is not answered.
#[test]
fn cancel_and_next_press_end_unanswered_press() {
    for ends_by_press in [false, true] {
        let (mut stage, query) = unanswered_press();
        if ends_by_press {
            stage.release();
            stage.gizmo.pointer_pressed();
        } else {
            stage.gizmo.cancel();
        }
        assert_eq!(stage.update(), []);
        stage.answer_hit(query, "translate_x");
        assert_eq!(stage.update(), [], "a late answer begins nothing");
        assert_eq!(stage.gizmo.is_busy(), ends_by_press, "the next press has a query of its own");
    }
}
