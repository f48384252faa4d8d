//! Clicks on objects of the host and on nothing (§16 of docs/spec.md).

use crate::prelude::*;

#[test]
fn click_ends_within_drag_threshold_of_press() {
    let at = DVec2::new(100.0, 100.0);
    // The last one is a camera drag that returned.
    for (path_lpx, is_click) in [(&[][..], true), (&[3.9], true), (&[4.1], false), (&[90.0, 0.0], false)] {
        for (scale_factor, has_object) in [(1.0, false), (1.0, true), (2.5, false), (2.5, true)] {
            let mut stage = Stage::of_mode(Mode::Translate);
            let camera = Camera { scale_factor, ..Camera::at(DVec3::new(2.0, 2.5, 6.0)) };
            stage.shot = views::ALL[0].shot(&camera);
            let object = has_object.then(|| stage.ids.allocate(1).expect("ids are free").first());
            stage.update();
            let query = stage.press(at);
            stage.gizmo.answer(&query.answered(object));
            let pressed: Vec<Event> = object.into_iter().map(Event::PressedObject).collect();
            assert_eq!(stage.update(), pressed, "known at the press");
            for lpx in path_lpx {
                assert_eq!(stage.point_at(at + DVec2::X * *lpx * scale_factor), []);
            }
            stage.gizmo.pointer_released();
            let clicked = object.map_or(Event::ClickedNothing, Event::ClickedObject);
            let expected: Vec<Event> = is_click.then_some(clicked).into_iter().collect();
            assert_eq!(stage.update(), expected, "{path_lpx:?} at {scale_factor}");
        }
    }
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
            stage.release();
            assert_eq!(stage.gizmo.is_active(), lpx < 4.0, "{lpx} at {scale_factor}, by ray: {by_ray}");
        }
    }
}
