//! Clicks on objects of the host and on nothing (§16 of docs/spec.md).

use crate::stage::{Stage, answer_with};
use wgpu_gizmo_core::Mode;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::Event;

fn names(events: &[Event]) -> Vec<&'static str> {
    events
        .iter()
        .map(|event| match event {
            Event::PressedObject(_) => "object",
            Event::ClickedObject(_) => "clicked object",
            Event::ClickedNothing => "clicked nothing",
            _ => "another",
        })
        .collect()
}

#[test]
fn click_on_nothing_deselects_within_drag_threshold() {
    let at = DVec2::new(100.0, 100.0);
    let click = |path: &[DVec2]| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.update();
        stage.move_to(at);
        stage.gizmo.pointer_pressed();
        for px in path {
            stage.move_to(*px);
        }
        stage.gizmo.pointer_released();
        stage.update();
        stage.answer();
        names(&stage.update())
    };
    assert_eq!(click(&[]), ["clicked nothing"]);
    assert_eq!(click(&[at + DVec2::new(3.9, 0.0)]), ["clicked nothing"]);
    assert_eq!(click(&[at + DVec2::new(4.1, 0.0)]), [""; 0]);
    assert_eq!(click(&[at + DVec2::new(90.0, 0.0), at]), [""; 0], "a camera drag that returned");
}

#[test]
fn object_is_clicked_at_release_within_drag_threshold() {
    let at = DVec2::new(100.0, 100.0);
    let click = |path: &[DVec2]| {
        let mut stage = Stage::of_mode(Mode::Translate);
        let object = stage.ids.allocate(1).expect("ids are free").first();
        stage.update();
        stage.move_to(at);
        stage.gizmo.pointer_pressed();
        stage.update();
        let query = stage.gizmo.pick_query().expect("the press has a query");
        stage.gizmo.answer(&answer_with(query, object));
        assert_eq!(names(&stage.update()), ["object"], "known at the press");
        for px in path {
            stage.move_to(*px);
            assert_eq!(names(&stage.update()), [""; 0]);
        }
        stage.gizmo.pointer_released();
        names(&stage.update())
    };
    assert_eq!(click(&[]), ["clicked object"]);
    assert_eq!(click(&[at + DVec2::new(3.9, 0.0)]), ["clicked object"]);
    assert_eq!(click(&[at + DVec2::new(4.1, 0.0)]), [""; 0]);
    assert_eq!(click(&[at + DVec2::new(90.0, 0.0), at]), [""; 0], "a camera drag that returned");
}

#[test]
fn canceled_press_on_object_does_not_click() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let object = stage.ids.allocate(1).expect("ids are free").first();
    stage.update();
    stage.move_to(DVec2::new(100.0, 100.0));
    stage.gizmo.pointer_pressed();
    stage.update();
    let query = stage.gizmo.pick_query().expect("the press has a query");
    stage.gizmo.answer(&answer_with(query, object));
    stage.update();
    stage.gizmo.cancel();
    stage.gizmo.pointer_released();
    assert_eq!(names(&stage.update()), [""; 0]);
}
