//! Queries that are never answered (§14 of docs/spec.md): they neither block the gizmo nor lose input.

use crate::oracle::handle;
use crate::stage::{ARROW_X, Stage};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::interaction::{Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, PickAnswer, PickOutcome, PickQuery, Transform};

const NOWHERE: DVec2 = DVec2::new(31.0, 47.0);

/// Creates a stage with a press whose query was taken but is not in flight.
fn unanswered_press(px: DVec2) -> (Stage, PickQuery) {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.move_to(px);
    let query = stage.press();
    assert!(stage.gizmo.is_busy() && stage.gizmo.claims().primary_press && stage.gizmo.needs_redraw(0));
    (stage, query)
}

fn arrow_px() -> DVec2 {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.at(ARROW_X)
}

fn assert_idle(stage: &mut Stage) {
    stage.draw();
    let gizmo = &stage.gizmo;
    let claims_press = gizmo.claims().primary_press;
    assert_eq!((gizmo.is_busy(), claims_press, gizmo.needs_redraw(0)), (false, false, false));
    assert_eq!((gizmo.held_view(), gizmo.is_active()), (None, false));
}

/// Asserts that the next press and drag work as usual.
fn assert_next_drag_works(stage: &mut Stage) {
    assert_eq!(stage.release(), []);
    let at = stage.at(ARROW_X);
    assert_eq!(stage.grab(at), [Event::Started(handle("translate_x"))]);
    assert_eq!(stage.release(), [Event::Ended { changed: false }]);
}

#[test]
fn cancel_ends_press_with_unanswered_query() {
    let cancels: [fn(&mut Stage); 2] =
        [|stage| stage.gizmo.cancel(), |stage| stage.gizmo.key(Key::Escape, KeyModifiers::NONE)];
    for cancel in cancels {
        for releases_first in [false, true] {
            let (mut stage, query) = unanswered_press(arrow_px());
            if releases_first {
                stage.release();
            }
            cancel(&mut stage);
            assert_eq!(stage.update(), []);
            assert_idle(&mut stage);
            let late = stage.hit(query, "translate_x");
            stage.gizmo.answer(&late);
            assert_eq!(stage.update(), [], "a late answer");
            assert_eq!(stage.gizmo.hovered(), None);
            assert_idle(&mut stage);
            assert_next_drag_works(&mut stage);
        }
    }
}

#[test]
fn new_press_abandons_unanswered_press() {
    let (mut stage, old) = unanswered_press(NOWHERE);
    assert_eq!(stage.release(), []);
    assert!(stage.gizmo.is_busy(), "a release waits, so that a fast click is not lost");
    let arrow = stage.at(ARROW_X);
    stage.move_to(arrow);
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), []);
    let new = stage.gizmo.pick_query().expect("the new press has a query");
    assert_eq!(new.cursor_px, arrow);
    assert!(new.sequence > old.sequence);
    stage.gizmo.answer(&PickAnswer::new(old, PickOutcome::Nothing));
    assert_eq!(stage.update(), [], "a late answer is never taken for a newer one");
    stage.answer_hit(new, "translate_x");
    assert_eq!(stage.update(), [Event::Started(handle("translate_x"))]);
}

#[test]
fn unanswered_press_query_is_repeated_with_new_sequence() {
    for answers_first in [true, false] {
        let (mut stage, first) = unanswered_press(arrow_px());
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
        let (mut stage, _) = unanswered_press(arrow_px());
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
        assert_idle(&mut stage);
        assert_eq!(stage.local(), wgpu_gizmo_core::Transform::IDENTITY);
        assert_next_drag_works(&mut stage);
    }
}

#[test]
fn repeatedly_lost_press_is_abandoned() {
    let (mut stage, mut query) = unanswered_press(arrow_px());
    let mut queries = 1;
    for _ in 0..64 {
        stage.gizmo.answer(&PickAnswer::new(query, PickOutcome::Lost));
        stage.update();
        let Some(again) = stage.gizmo.pick_query().filter(|_| stage.gizmo.is_busy()) else { break };
        query = again;
        queries += 1;
    }
    assert!(queries > 8 && !stage.gizmo.is_busy(), "only {queries} queries");
    assert_next_drag_works(&mut stage);
}

#[test]
fn query_in_flight_is_awaited_without_limit() {
    let at = arrow_px();
    let (mut stage, query) = unanswered_press(at);
    stage.gizmo.pointer_released();
    for _ in 0..1000 {
        stage.gizmo.await_answer(&query);
        assert_eq!(stage.update(), []);
        assert_eq!(stage.gizmo.pick_query(), None, "the query is not repeated");
    }
    // A cancel and another press wait in order.
    stage.gizmo.pointer_pressed();
    stage.gizmo.cancel();
    stage.gizmo.await_answer(&query);
    assert_eq!(stage.update(), []);
    stage.answer_hit(query, "translate_x");
    let arrow = handle("translate_x");
    assert_eq!(stage.update(), [Event::Started(arrow), Event::Ended { changed: false }]);
    // The picker has been dropped with its query.
    let (mut stage, query) = unanswered_press(at);
    stage.gizmo.await_answer(&query);
    stage.update();
    stage.gizmo.cancel();
    stage.update();
    assert_idle(&mut stage);
}

#[test]
fn unanswered_hover_query_is_repeated() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.point_at(stage.at(ARROW_X) + DVec2::new(2.0, 0.0));
    let first = stage.gizmo.pick_query().expect("the query is about another texel");
    for _ in 0..100 {
        stage.gizmo.await_answer(&first);
        stage.update();
        assert_eq!(stage.gizmo.pick_query(), None, "the query is in flight");
    }
    for _ in 0..8 {
        assert_eq!(stage.gizmo.pick_query(), None);
        stage.update();
    }
    let again = stage.gizmo.pick_query().expect("the query is repeated");
    assert!(again.sequence > first.sequence);
    let answer = stage.hit(again, "translate_x");
    stage.gizmo.answer(&answer);
    stage.answer_hit(first, "translate_y");
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    for _ in 0..20 {
        stage.update();
        assert_eq!(stage.gizmo.pick_query(), None, "answered");
    }
}

#[test]
fn query_of_other_gizmo_is_awaited_only_at_same_place() {
    let (mut stage, own) = unanswered_press(arrow_px());
    let elsewhere = PickQuery::new(&stage.shot.view, NOWHERE, 5.0);
    let shared = PickQuery::new(&stage.shot.view, own.cursor_px, 5.0);
    let repeats = |stage: &mut Stage, in_flight: &PickQuery| {
        (0..20).any(|_| {
            stage.gizmo.await_answer(in_flight);
            stage.update();
            stage.gizmo.pick_query().is_some()
        })
    };
    assert!(!repeats(&mut stage, &shared), "its answer is for all gizmos");
    assert!(repeats(&mut stage, &elsewhere), "an answer about another place is not");
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

#[test]
fn endless_input_behind_press_stays_bounded_and_cancels() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let arrow = stage.at(DVec3::X * 0.7);
    stage.update();
    stage.move_to(arrow);
    stage.gizmo.pointer_pressed();
    stage.update();
    let counted = || {
        for i in 0..100_000 {
            match i % 5 {
                0 => stage.gizmo.key(Key::Digit(1), KeyModifiers::NONE),
                1 => stage.gizmo.pointer_left(),
                2 => stage.gizmo.wheel(1.0),
                3 => stage.gizmo.set_held_keys(HeldKeys { snap: i % 2 == 0, ..HeldKeys::NONE }),
                _ => stage.move_to(arrow + DVec2::X),
            }
        }
    };
    let grown = allocation_counter::measure(counted).bytes_max;
    assert!(grown < 1 << 20, "{grown} bytes");
    stage.gizmo.pointer_released();
    stage.answer();
    let events = stage.update();
    assert!(matches!(events[..], [Event::Started(_), .., Event::Canceled]), "{events:?}");
    assert_eq!(stage.local(), Transform::IDENTITY);
    assert!(!stage.gizmo.is_busy());
}

/// Neither the button stays down that was released before the queue was full, nor does the press that fills it count.
#[test]
fn full_queue_keeps_release_and_drops_press() {
    for is_release in [true, false] {
        let (mut stage, query) = unanswered_press(arrow_px());
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

/// The pointer that left before the queue was full hovers nothing, and a host that lost the focus holds no button.
#[test]
fn full_queue_keeps_leave_and_interrupt() {
    let (mut stage, _) = unanswered_press(arrow_px());
    stage.gizmo.pointer_left();
    stage.gizmo.interrupt();
    (0..1_100).for_each(|_| stage.gizmo.wheel(1.0));
    stage.update();
    stage.answer();
    stage.update();
    assert_eq!(stage.gizmo.hovered(), None);
    assert!(!stage.gizmo.claims().click, "the button is down");
}

/// More moves than the queue holds arrive between press and release: none of the three is lost.
#[test]
fn burst_of_moves_keeps_press_and_release() {
    for by_ray in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.update();
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
    let (mut stage, query) = unanswered_press(arrow_px());
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
    stage.update();
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    assert!(!stage.gizmo.needs_update());
}

#[test]
fn update_without_view_reports_events_no_longer() {
    let (mut stage, query) = unanswered_press(arrow_px());
    stage.answer_hit(query, "translate_x");
    assert!(!stage.update().is_empty() && stage.gizmo.needs_update());
    stage.gizmo.update(&[][..], &mut stage.targets);
    assert!(!stage.gizmo.needs_update(), "a hidden window needs no frames");
}
