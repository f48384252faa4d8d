//! The readouts of a drag: texts and positions.

use super::{dragged, front, readout_texts};
use crate::prelude::*;

#[test]
fn readouts_show_total_motion() {
    let on_ring = DVec3::new(0.6, 0.8, 0.0);
    for (mode, from, to, text) in [
        (Mode::Translate, DVec3::X * 0.6, DVec3::new(0.1, 3.0, 0.0), "X -0.500"),
        (Mode::Translate, DVec3::new(0.4, 0.4, 0.0), DVec3::new(1.65, 0.9, 0.0), "X 1.250  Y 0.500"),
        (Mode::Translate, DVec3::ZERO, DVec3::new(1.0, -0.5, 0.0), "X 1.000  Y -0.500  Z 0.000"),
        (Mode::Rotate, on_ring, DVec3::new(0.8, -0.6, 0.0), "Z -90.0°"),
        (Mode::Scale, DVec3::X * 0.6, DVec3::X * -0.6, "X ×0.00 (limit)"),
        (Mode::Scale, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.6, 0.6, 0.0), "XY ×1.50"),
        (Mode::Scale, DVec3::ZERO, DVec3::X, "×2.00"),
    ] {
        let mut stage = front(Settings::default().with(|s| s.mode = mode));
        assert_eq!(readout_texts(&dragged(&mut stage, from, to)), [text]);
        stage.cancel();
        assert!(readout_texts(&stage.draw()).is_empty(), "no readout without a drag");
    }
}

#[test]
fn small_motion_is_shown_with_more_digits() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6e-4)));
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let text = &readout_texts(&list)[0];
    let digits = text.split('.').nth(1).map_or(0, str::len);
    assert!((6..=9).contains(&digits), "{text}");
}

#[test]
fn readout_moves_to_edge_nearest_pivot() {
    let viewport = Viewport { x: 100.0, y: 50.0, width: 800.0, height: 600.0 };
    let anchor = |position: DVec3| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = views::ALL[0].shot(&Camera { viewport, ..Camera::at(DVec3::new(0.0, 0.0, 6.0)) });
        stage.update();
        stage.keys("z1");
        // The camera moves during the drag, until the pivot is at the given position.
        let pivot = stage.pivot();
        stage.shot = views::ALL[0].shot(&Camera {
            viewport,
            look_at: pivot - position - DVec3::Z,
            ..Camera::at(pivot - position)
        });
        stage.update();
        let list = stage.draw();
        list.readouts().next().map(|readout| readout.anchor_px).expect("the list has a readout")
    };
    // In front of the eye, beside it and behind it, far to one side.
    for z in [-1.0, 0.0, 1.0] {
        let [left, right] = [-40.0, 40.0].map(|x| anchor(DVec3::new(x, 0.0, z)));
        assert!(left.x < 120.0 && right.x > 700.0, "{z}: {left} {right}");
        let [above, below] = [40.0, -40.0].map(|y| anchor(DVec3::new(0.0, y, z)));
        assert!(above.y < 80.0 && below.y > 620.0, "{z}: {above} {below}");
    }
    assert!(anchor(DVec3::Z * 5.0).y > 620.0, "directly behind");
}

/// Returns the center of the readout of a rotation about Z, relative to a pivot at this pixel. The ring
/// has a radius of 100 pixels, and the pointer is on it in the direction `toward`.
fn readout_beside_ring(viewport: [u32; 2], pivot_px: DVec2, toward: DVec2) -> DVec2 {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Rotate));
    let [width, height] = viewport;
    let viewport = Viewport::from_size(width, height);
    let by = (pivot_px - 0.5 * DVec2::new(viewport.width, viewport.height)) / 100.0;
    let look_at = DVec3::new(-by.x, by.y, 0.0);
    let distance = f64::from(height) / (2.0 * (views::FOV * 0.5).tan()) / 100.0;
    stage.shot =
        views::ALL[7].shot(&Camera { viewport, look_at, ..Camera::at(look_at + DVec3::Z * distance) });
    let pivot = stage.at(DVec3::ZERO);
    assert!(pivot.distance(pivot_px) < 1e-6, "{pivot}");
    stage.grab(pivot + toward * 100.0);
    stage.point_at(pivot + toward * 100.0);
    assert_eq!(stage.gizmo.dragging().map(|handle| handle.name()), Some("rotate_z"));
    let list = stage.draw();
    let readout = list.readouts().next().expect("a drag has a readout");
    // The place for 14 characters, of which `Z 0.0°` takes 6.
    readout.anchor_px + DVec2::X * (0.5 * 14.0 * 8.0) - pivot
}

#[test]
fn readout_of_ring_without_room_moves_clockwise_first() {
    let [right, below, left, above] = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    for (viewport, pivot_px, toward, side) in [
        // Without room outside of the pointer: a quarter turn clockwise.
        ([800, 600], DVec2::new(620.0, 300.0), right, below),
        ([800, 600], DVec2::new(400.0, 460.0), below, left),
        ([800, 600], DVec2::new(180.0, 300.0), left, above),
        ([800, 600], DVec2::new(400.0, 140.0), above, right),
        // Nor there: a quarter turn counterclockwise.
        ([800, 600], DVec2::new(620.0, 460.0), right, above),
        ([800, 600], DVec2::new(180.0, 460.0), below, right),
        ([800, 600], DVec2::new(180.0, 140.0), left, below),
        ([800, 600], DVec2::new(620.0, 140.0), above, left),
        // Nor on either side: opposite of the pointer.
        ([800, 280], DVec2::new(620.0, 140.0), right, left),
        ([800, 280], DVec2::new(180.0, 140.0), left, right),
        ([360, 600], DVec2::new(180.0, 460.0), below, above),
        ([360, 600], DVec2::new(180.0, 140.0), above, below),
    ] {
        let center = readout_beside_ring(viewport, pivot_px, toward);
        assert!(center.dot(side) > 130.0, "{toward} at {pivot_px}: {center} is not at {side}");
        // Next to the pointer, and not past the pivot.
        let along = center - side * center.dot(side);
        let expected = toward * 100.0 - side * (toward * 100.0).dot(side);
        assert!(along.distance(expected) < 1e-6, "{toward} at {pivot_px}: {center}");
    }
}
