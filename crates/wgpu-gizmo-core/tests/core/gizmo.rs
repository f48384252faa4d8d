//! The state machine of the gizmo (§3 and §14 of docs/spec.md).

use crate::oracle::{bits, handle, odd_transform};
use crate::stage::{ARROW_X, Stage};
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DMat3, DMat4, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::{Change, DisabledReason, Event};
use wgpu_gizmo_core::{Mode, PickAnswer, PickOutcome, Settings, Snap, Target, Transform};

fn names(events: &[Event]) -> Vec<&'static str> {
    events
        .iter()
        .map(|event| match event {
            Event::Started(_) => "started",
            Event::Changed(_) => "changed",
            Event::Ended { changed } => ["ended unchanged", "ended"][usize::from(*changed)],
            Event::Canceled => "canceled",
            Event::Refused(..) => "refused",
            Event::PressedObject(_) => "object",
            Event::ClickedNothing => "clicked nothing",
            _ => "another",
        })
        .collect()
}

#[test]
fn drag_events_come_in_order() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.targets[0].local = odd_transform(DVec3::ZERO);
    let events = stage.grab(stage.at(ARROW_X));
    assert_eq!(events, [Event::Started(handle("translate_x"))]);
    assert!(stage.gizmo.is_active() && stage.gizmo.claims().primary_press);
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    let to = stage.at(ARROW_X * 2.0);
    stage.move_to(to);
    assert_eq!(names(&stage.update()), ["changed"]);
    assert_eq!(names(&stage.update()), [""; 0], "nothing has changed");
    assert!(stage.local().translation.x > 0.1);
    assert_eq!(names(&stage.release()), ["ended"]);
    assert!(!stage.gizmo.is_active());
    assert_eq!(names(&stage.update()), [""; 0]);
}

#[test]
fn unchanged_release_reports_no_change_and_restores_bits() {
    for snap in [Snap::OFF, Snap::DEFAULT_INCREMENTS] {
        let mut stage = Stage::new(Settings::default().with(|s| s.snap.increments = snap));
        let start = odd_transform(DVec3::new(-0.0, 0.0, 0.0));
        stage.targets[0].local = start;
        let press = stage.at(ARROW_X);
        stage.grab(press);
        for px in [stage.at(ARROW_X * 4.0), stage.at(DVec3::Y * 9.0), press] {
            stage.point_at(px);
        }
        assert_eq!(names(&stage.release()), ["ended unchanged"]);
        assert_eq!(bits(&stage.local()), bits(&start));
    }
}

#[test]
fn cancel_restores_start_bits_and_mutes_release() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    let start = odd_transform(DVec3::ZERO);
    stage.targets[0].local = start;
    stage.grab(stage.at(DVec3::X));
    let to = stage.at(DVec3::Y);
    stage.point_at(to);
    assert_ne!(bits(&stage.local()), bits(&start));
    assert_eq!(names(&stage.cancel()), ["canceled"]);
    assert_eq!(bits(&stage.local()), bits(&start));
    assert!(!stage.gizmo.is_active() && !stage.gizmo.claims().primary_press);
    let kept: Vec<_> = stage.gizmo.starts().map(|start| bits(&start)).collect();
    assert_eq!(kept, [bits(&start)]);
    stage.move_to(DVec2::new(20.0, 20.0));
    assert_eq!(names(&stage.release()), [""; 0]);
}

#[test]
fn press_uses_view_last_shown() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    let (seen, press) = (stage.shot, stage.at(ARROW_X));
    stage.move_to(press);
    stage.gizmo.pointer_pressed();
    // The camera jumps in the frame of the press.
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(-4.0, 1.0, 3.0)));
    stage.update();
    let query = stage.gizmo.pick_query().expect("the press has a query");
    assert_eq!((query.view, query.cursor_px), (seen.view, press));
    assert_eq!(query.radius_px, 5.0);
    stage.answer_hit(query, "translate_x");
    assert_eq!(names(&stage.update()), ["started"]);
    assert_eq!(stage.local(), Transform::IDENTITY, "no jump");
}

#[test]
fn only_answer_to_its_query_resolves_press() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    stage.point_at(stage.at(ARROW_X));
    let hover = stage.gizmo.pick_query().expect("the hover has a query");
    let press = stage.press();
    assert!(press.sequence > hover.sequence);
    assert_eq!(stage.gizmo.pick_query(), None, "returned only once");
    let stale = stage.hit(hover, "translate_y");
    stage.gizmo.answer(&stale);
    assert_eq!(names(&stage.update()), [""; 0]);
    stage.gizmo.answer(&PickAnswer::new(press, PickOutcome::Lost));
    let again = stage.gizmo.pick_query().expect("a lost query is repeated");
    assert_eq!((again.cursor_px, again.view), (press.cursor_px, press.view));
    stage.answer_hit(press, "translate_y");
    assert_eq!(names(&stage.update()), [""; 0], "the lost query has no answer");
    let answer = stage.hit(again, "translate_x");
    stage.gizmo.answer(&answer);
    assert_eq!(stage.update(), [Event::Started(handle("translate_x"))]);
    stage.gizmo.answer(&answer);
    stage.answer_hit(hover, "translate_z");
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
}

#[test]
fn press_outside_viewport_misses_without_query() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    for outside in [DVec2::new(-1.0, 300.0), DVec2::new(800.0, 300.0), DVec2::new(5.0, 600.5)] {
        stage.move_to(outside);
        stage.gizmo.pointer_pressed();
        assert_eq!(names(&stage.update()), [""; 0]);
        assert_eq!(stage.gizmo.pick_query(), None);
        assert!(!stage.gizmo.is_active() && !stage.gizmo.claims().primary_press);
        assert_eq!(names(&stage.release()), [""; 0], "a click on a panel deselects nothing");
    }
}

#[test]
fn last_drag_reports_drag_within_one_update() {
    let mut stage = Stage::of_mode(Mode::Translate);
    assert!(stage.gizmo.last_drag().is_none());
    stage.move_to(stage.at(ARROW_X));
    stage.gizmo.pointer_pressed();
    stage.move_to(stage.at(ARROW_X * 3.0));
    stage.release();
    stage.answer();
    assert_eq!(names(&stage.update()), ["started", "changed", "ended"]);
    assert!(stage.gizmo.drag().is_none());
    let drag = stage.gizmo.last_drag().expect("a drag has ended");
    assert_eq!(drag.handle().constraint(), Constraint::Axis(Axis::X));
    assert_eq!(drag.axes(), DMat3::IDENTITY);
    let Change::Translate(by) = drag.motion().change else { panic!("{:?}", drag.motion()) };
    assert_eq!((by, [by.x].as_slice()), (stage.local().translation, drag.numbers()));
}

#[test]
fn emptied_selection_hides_handles_during_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.grab(stage.at(ARROW_X));
    stage.targets.clear();
    assert_eq!(names(&stage.update()), ["canceled"]);
    assert!(stage.draw().items().is_empty());
}

#[test]
fn every_disabled_handle_has_reason() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let parents = [(DMat4::NAN, DisabledReason::NotFinite), (DMat4::ZERO, DisabledReason::SingularParent)];
    for (world_from_parent, disabled_reason) in parents {
        stage.targets = vec![Target::new(Transform::IDENTITY, world_from_parent)];
        stage.update();
        assert_eq!(stage.gizmo.disabled_reason(handle("translate_x")), Some(disabled_reason));
    }
    stage.targets.clear();
    stage.update();
    assert_eq!(stage.gizmo.disabled_reason(handle("translate_x")), Some(DisabledReason::NoTarget));
    stage.targets = vec![Target::from_world(Transform::IDENTITY)];
    stage.update();
    assert_eq!(stage.gizmo.disabled_reason(handle("translate_x")), None);
}

#[test]
fn unusable_press_is_refused_with_reason() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.targets[0].local.scale = DVec3::new(0.0, 1.0, 1.0);
    stage.update();
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_x")), Some(DisabledReason::ZeroScale));
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_y")), None);
    let id = stage.gizmo.id_of(handle("scale_x"));
    assert!(stage.draw().items().iter().all(|item| item.id != Some(id)), "a disabled handle has no id");
    stage.move_to(stage.at(ARROW_X));
    let query = stage.press();
    stage.answer_hit(query, "scale_x");
    assert_eq!(stage.update(), [Event::Refused(handle("scale_x"), DisabledReason::ZeroScale)]);
}
