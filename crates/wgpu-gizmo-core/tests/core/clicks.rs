//! Clicks on objects of the host and on nothing (§16 of docs/spec.md).

use crate::oracle::target_at;
use crate::stage::{Stage, answer_with};
use crate::views::{self, Camera};
use wgpu_gizmo_core::Mode;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::Event;
use wgpu_gizmo_core::interaction::settings::GrabMode;

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
    for scale_factor in [1.0, 2.5] {
        let click = |path: &[f64]| {
            let mut stage = Stage::of_mode(Mode::Translate);
            let camera = Camera { scale_factor, ..Camera::at(DVec3::new(2.0, 2.5, 6.0)) };
            stage.shot = views::ALL[0].shot(&camera);
            stage.update();
            stage.move_to(at);
            stage.gizmo.pointer_pressed();
            for lpx in path {
                stage.move_to(at + DVec2::X * *lpx * scale_factor);
            }
            stage.gizmo.pointer_released();
            stage.update();
            stage.answer();
            names(&stage.update())
        };
        assert_eq!(click(&[]), ["clicked nothing"]);
        assert_eq!(click(&[3.9]), ["clicked nothing"]);
        assert_eq!(click(&[4.1]), [""; 0]);
        assert_eq!(click(&[90.0, 0.0]), [""; 0], "a camera drag that returned");
    }
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

/// With [`GrabMode::Either`], a click keeps the drag until the next press.
#[test]
fn click_keeps_drag_within_drag_threshold() {
    for (scale_factor, lpx) in [(1.0, 3.6), (1.0, 4.4), (2.5, 3.6), (2.5, 4.4)] {
        for by_ray in [false, true] {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.gizmo.settings.input.grab = GrabMode::Either;
            let camera = Camera { scale_factor, ..Camera::at(DVec3::new(2.0, 2.5, 6.0)) };
            stage.shot = views::ALL[0].shot(&camera);
            stage.targets = vec![target_at(DVec3::new(0.3, 0.2, 0.4))];
            let (at, view) = (stage.at(DVec3::X * 0.6), stage.shot.view);
            let point = |stage: &mut Stage, px: DVec2| {
                if by_ray { stage.gizmo.pointer_ray(view.pointer_ray(px), 0.0) } else { stage.move_to(px) }
            };
            stage.update();
            point(&mut stage, at);
            stage.gizmo.pointer_pressed();
            stage.update();
            stage.answer();
            stage.update();
            assert!(stage.gizmo.is_active());
            point(&mut stage, at + DVec2::X * lpx * scale_factor);
            stage.update();
            point(&mut stage, at);
            stage.gizmo.pointer_released();
            stage.update();
            assert_eq!(stage.gizmo.is_active(), lpx < 4.0, "{lpx} at {scale_factor}, by ray: {by_ray}");
        }
    }
}
