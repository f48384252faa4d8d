//! §14: questions that nobody answers freeze nothing, and nothing is lost by them.

use crate::oracle::handle;
use crate::stage::{Stage, answer_with};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::{Event, Key, KeyModifiers};
use wgpu_gizmo::{Mode, PickAnswer, PickOutcome, PickQuery};

const ARROW_X: DVec3 = DVec3::new(0.7, 0.0, 0.0);
const NOWHERE: DVec2 = DVec2::new(31.0, 47.0);

/// A press at a pixel whose question was given out and is in nobody's hands.
fn adrift(px: DVec2) -> (Stage, PickQuery) {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.move_to(px);
    stage.gizmo.pointer_pressed();
    stage.update();
    let query = stage.gizmo.pick_query().expect("the press asks");
    assert!(stage.gizmo.is_busy() && stage.gizmo.wants_pointer() && stage.gizmo.needs_redraw());
    (stage, query)
}

fn arrow_px() -> DVec2 {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.at(ARROW_X)
}

fn assert_free(stage: &mut Stage) {
    stage.draw();
    let gizmo = &stage.gizmo;
    assert_eq!((gizmo.is_busy(), gizmo.wants_pointer(), gizmo.needs_redraw()), (false, false, false));
    assert_eq!((gizmo.held_view(), gizmo.is_active()), (None, false));
}

/// The next press and drag are as ever.
fn assert_alive(stage: &mut Stage) {
    stage.gizmo.pointer_released();
    assert_eq!(stage.update(), []);
    let at = stage.at(ARROW_X);
    assert_eq!(stage.grab(at), [Event::Started(handle("translate_x"))]);
    stage.gizmo.pointer_released();
    assert_eq!(stage.update(), [Event::Ended { changed: false }]);
}

#[test]
fn a_cancel_frees_a_press_whose_question_nobody_has() {
    let cancels: [fn(&mut Stage); 2] =
        [|stage| stage.gizmo.cancel(), |stage| stage.gizmo.key(Key::Escape, KeyModifiers::NONE)];
    for cancel in cancels {
        for releases_first in [false, true] {
            let (mut stage, query) = adrift(arrow_px());
            if releases_first {
                stage.gizmo.pointer_released();
                stage.update();
            }
            cancel(&mut stage);
            assert_eq!(stage.update(), []);
            assert_free(&mut stage);
            let late = stage.hit(query, "translate_x");
            stage.gizmo.answer(&late);
            assert_eq!(stage.update(), [], "an answer after all");
            assert_eq!(stage.gizmo.hovered(), None);
            assert_free(&mut stage);
            assert_alive(&mut stage);
        }
    }
}

#[test]
fn a_release_and_a_new_press_abandon_a_press_that_nobody_has() {
    let (mut stage, old) = adrift(NOWHERE);
    stage.gizmo.pointer_released();
    assert_eq!(stage.update(), []);
    assert!(stage.gizmo.is_busy(), "a release alone waits, or a fast click would be lost");
    let arrow = stage.at(ARROW_X);
    stage.move_to(arrow);
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), []);
    let new = stage.gizmo.pick_query().expect("the new press asks");
    assert_eq!(new.cursor_px, arrow);
    assert!(new.sequence > old.sequence);
    stage.gizmo.answer(&PickAnswer { query: old, outcome: PickOutcome::Nothing });
    assert_eq!(stage.update(), [], "a late answer is never taken for a newer one");
    let answer = stage.hit(new, "translate_x");
    stage.gizmo.answer(&answer);
    assert_eq!(stage.update(), [Event::Started(handle("translate_x"))]);
}

#[test]
fn a_new_press_at_the_same_pixel_does_not_take_the_old_answer() {
    let (mut stage, old) = adrift(NOWHERE);
    stage.gizmo.pointer_released();
    stage.gizmo.pointer_pressed();
    stage.update();
    let late = stage.hit(old, "translate_y");
    stage.gizmo.answer(&late);
    assert_eq!(stage.update(), []);
    assert!(stage.gizmo.pick_query().is_some_and(|new| new.sequence > old.sequence));
}

#[test]
fn a_question_that_nobody_has_is_asked_again_under_a_new_number() {
    for answers_first in [true, false] {
        let (mut stage, first) = adrift(arrow_px());
        for _ in 0..7 {
            assert_eq!(stage.update(), []);
            assert_eq!(stage.gizmo.pick_query(), None, "given out once");
        }
        stage.update();
        let again = stage.gizmo.pick_query().expect("asked again in the eighth update");
        assert_eq!((again.cursor_px, again.view), (first.cursor_px, first.view));
        assert!(again.sequence > first.sequence);
        // Both are about this press: whichever is answered first decides, and the other is late.
        let (sooner, later) = if answers_first { (first, again) } else { (again, first) };
        let answer = stage.hit(sooner, "translate_x");
        stage.gizmo.answer(&answer);
        assert_eq!(stage.update(), [Event::Started(handle("translate_x"))]);
        let late = stage.hit(later, "translate_y");
        stage.gizmo.answer(&late);
        assert_eq!(stage.update(), []);
        stage.gizmo.pointer_released();
        stage.update();
        stage.gizmo.answer(&late);
        assert_eq!((stage.gizmo.hovered(), stage.update()), (Some(handle("translate_x")), Vec::new()));
    }
}

#[test]
fn after_sixty_four_updates_without_anybody_having_it_a_press_is_given_up() {
    // Hosts that take the question again each time, and hosts that never do.
    for takes_again in [false, true] {
        let (mut stage, _) = adrift(arrow_px());
        stage.move_to(stage.at(ARROW_X * 2.0));
        stage.gizmo.pointer_released();
        let mut taken = 0;
        for _ in 0..63 {
            assert_eq!(stage.update(), []);
            assert!(stage.gizmo.is_busy());
            taken += usize::from(takes_again && stage.gizmo.pick_query().is_some());
            stage.draw();
            assert!(stage.gizmo.needs_redraw(), "a host that draws on demand is to go on");
        }
        assert_eq!(taken, if takes_again { 7 } else { 0 });
        assert_eq!(stage.update(), [], "neither a drag nor a click on nothing");
        assert_free(&mut stage);
        assert_eq!(stage.local(), wgpu_gizmo::Transform::IDENTITY);
        assert_alive(&mut stage);
    }
}

#[test]
fn a_question_that_is_lost_over_and_over_gives_the_press_up() {
    let (mut stage, mut query) = adrift(arrow_px());
    let mut asked = 1;
    for _ in 0..64 {
        stage.gizmo.answer(&PickAnswer { query, outcome: PickOutcome::Lost });
        stage.update();
        let Some(again) = stage.gizmo.pick_query().filter(|_| stage.gizmo.is_busy()) else { break };
        query = again;
        asked += 1;
    }
    assert!(asked > 8 && !stage.gizmo.is_busy(), "asked {asked} times");
    assert_alive(&mut stage);
}

#[test]
fn a_question_in_flight_is_waited_for_however_slow_the_answer() {
    // A pixel of its own: what is in flight is known to all gizmos, also to those of other tests.
    let at = arrow_px() + DVec2::new(1.0, 0.0);
    let (mut stage, query) = adrift(at);
    let in_flight = query.in_flight();
    stage.gizmo.pointer_released();
    for _ in 0..1000 {
        assert_eq!(stage.update(), []);
        assert_eq!(stage.gizmo.pick_query(), None, "it is not asked twice");
    }
    // A cancel and another press wait for it too, in their order.
    stage.gizmo.pointer_pressed();
    stage.gizmo.cancel();
    assert_eq!(stage.update(), []);
    let answer = stage.hit(query, "translate_x");
    stage.gizmo.answer(&answer);
    drop(in_flight);
    let arrow = handle("translate_x");
    assert_eq!(stage.update(), [Event::Started(arrow), Event::Ended { changed: false }]);
    // The picker is gone with its question.
    let (mut stage, query) = adrift(at);
    drop(query.in_flight());
    stage.gizmo.cancel();
    stage.update();
    assert_free(&mut stage);
}

#[test]
fn a_hover_question_that_nobody_has_is_asked_again_too() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.move_to(stage.at(ARROW_X) + DVec2::new(2.0, 0.0));
    stage.update();
    let first = stage.gizmo.pick_query().expect("another texel");
    let in_flight = first.in_flight();
    for _ in 0..100 {
        stage.update();
        assert_eq!(stage.gizmo.pick_query(), None, "it is on its way");
    }
    drop(in_flight);
    for _ in 0..8 {
        assert_eq!(stage.gizmo.pick_query(), None);
        stage.update();
    }
    let again = stage.gizmo.pick_query().expect("asked again");
    assert!(again.sequence > first.sequence);
    let answer = stage.hit(again, "translate_x");
    stage.gizmo.answer(&answer);
    let late = stage.hit(first, "translate_y");
    stage.gizmo.answer(&late);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    for _ in 0..20 {
        stage.update();
        assert_eq!(stage.gizmo.pick_query(), None, "answered");
    }
}

#[test]
fn an_object_pressed_after_a_dead_press_is_selected() {
    let (mut stage, _) = adrift(NOWHERE);
    let object = stage.ids.allocate(1).expect("free").first();
    stage.gizmo.pointer_released();
    stage.gizmo.pointer_pressed();
    stage.gizmo.pointer_released();
    stage.update();
    let query = stage.gizmo.pick_query().expect("the new press asks");
    stage.gizmo.answer(&answer_with(query, object));
    assert_eq!(stage.update(), [Event::PressedObject(object)]);
}
