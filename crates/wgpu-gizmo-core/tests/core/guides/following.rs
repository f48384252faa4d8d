//! What follows the pointer in a drag: the readout, the handle of a scale, and the ticks of a snapped drag.

use super::{at, dragged, front};
use crate::prelude::*;

#[test]
fn readout_is_near_pointer_and_beside_handle() {
    let ring = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
    let drags = [
        (Mode::Translate, DVec3::X * 0.7, DVec3::X * 1.0),
        (Mode::Translate, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.7, 0.3, 0.0)),
        (Mode::Translate, DVec3::ZERO, DVec3::new(0.3, 0.3, 0.0)),
        (Mode::Rotate, ring(0.0, 1.0, 1.5), ring(0.0, 0.3, 1.0)),
        (Mode::Rotate, ring(1.5, 1.0, 0.0), ring(1.5, 0.2, 0.0)),
        (Mode::Scale, DVec3::Y * 0.6, DVec3::Y * 0.4),
        (Mode::Universal, DVec3::X * 1.3, DVec3::X * 1.5),
    ];
    for eye in [DVec3::new(3.0, 2.5, 5.0), DVec3::new(-1.0, 3.0, 6.0), DVec3::new(4.0, -1.5, 5.0)] {
        for (mode, from, to) in drags {
            let mut stage = Stage::of_mode(mode);
            stage.shot = views::ALL[0].shot(&Camera::at(eye));
            let list = dragged(&mut stage, from, to);
            let readout = list.readouts().next().expect("a drag has a readout");
            let characters = readout.text.chars().count() as f64;
            let at = |column: f64, y: f64| readout.anchor_px + DVec2::new(characters * column, y);
            for (x, y) in (0..=8).flat_map(|x| [-8.0, 0.0, 8.0].map(|y| (f64::from(x), y))) {
                assert_eq!(list.pick(at(x, y), 0.0), None, "{mode:?} from {from} to {to}, seen from {eye}");
            }
            // A ring can be as far from the pointer as it is large.
            let size_px = stage.at(DVec3::ZERO).distance(stage.at(DVec3::Y));
            let distance = at(4.0, 0.0).distance(stage.at(to));
            assert!(distance < size_px + 110.0, "{mode:?} from {from} to {to}, seen from {eye}: {distance}");
        }
    }
}

/// The gap beside the pointer, the text and the margin of the view are in logical pixels.
#[test]
fn readout_is_at_same_place_on_dense_display() {
    let ring = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
    let drags = [
        (Mode::Translate, DVec3::X * 0.7, DVec3::X),
        (Mode::Translate, DVec3::Y * 0.7, DVec3::Y * 3.2),
        (Mode::Translate, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.7, 0.3, 0.0)),
        (Mode::Translate, DVec3::ZERO, DVec3::new(3.0, 0.3, 0.0)),
        (Mode::Rotate, ring(0.0, 1.0, 1.5), ring(0.0, 0.3, 1.0)),
        (Mode::Rotate, DVec3::new(0.1, 0.15, 0.1), DVec3::new(0.2, -0.1, 0.1)),
        (Mode::Scale, DVec3::Y * 0.6, DVec3::Y * 0.4),
        (Mode::Scale, DVec3::ZERO, DVec3::X * 0.3),
        // A face and a corner of a box with sides of two sizes.
        (Mode::None, DVec3::X, DVec3::X * 1.2),
        (Mode::None, DVec3::ONE, DVec3::ONE * 1.2),
    ];
    for (dimmed, (mode, from, to)) in
        [0.0, 0.5].into_iter().flat_map(|dimmed| drags.map(|drag| (dimmed, drag)))
    {
        let place_lpx = |scale_factor: f64| {
            let mut stage = Stage::of_mode(mode);
            let viewport = Viewport::from_size((800.0 * scale_factor) as u32, (600.0 * scale_factor) as u32);
            let camera = Camera { viewport, scale_factor, ..Camera::at(DVec3::new(3.0, 2.5, 5.0)) };
            stage.shot = views::ALL[0].shot(&camera);
            stage.gizmo.theme.opacities.dimmed = dimmed;
            if mode == Mode::None {
                stage.gizmo.settings.box_handles = Some(BoxHandles::default());
                stage.targets[0].bounds_local =
                    Some([-1.0, 1.0].map(|side| DVec3::splat(side * stage.size())));
            }
            let list = dragged(&mut stage, from, to);
            let readout = list.readouts().next().expect("a drag has a readout");
            readout.anchor_px / scale_factor
        };
        let [usual, dense] = [1.0, 2.5].map(place_lpx);
        assert!(usual.distance(dense) < 1e-6, "{mode:?} from {from} to {to}: {usual} and {dense}");
    }
}

#[test]
fn scale_handle_stays_under_pointer() {
    for (name, from, to) in [
        ("scale_x", DVec3::X * 0.93, DVec3::X * 2.2),
        ("scale_y", DVec3::Y * 0.98, DVec3::Y * 0.3),
        ("scale_xy", DVec3::new(0.45, 0.42, 0.0), DVec3::new(0.9, 0.84, 0.0)),
    ] {
        let mut stage = Stage::of_mode(Mode::Scale);
        let list = dragged(&mut stage, from, to);
        let picked = list.pick(stage.at(to), 0.0);
        assert_eq!(picked, Some(stage.gizmo.id_of(handle(name))), "{name} to {to}");
    }
}

#[test]
fn ticks_of_grid_are_at_multiples_from_its_origin() {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
    stage.targets = vec![crate::oracle::target_at(DVec3::X * 0.1)];
    let start = stage.at(DVec3::ZERO);
    stage.gizmo.settings.snap.kind = SnapKind::Grid { origin_world: DVec3::new(0.05, 9.0, 0.0) };
    stage.gizmo.settings.snap.increments.translate = Increment::new(0.25);
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let guide = &stage.gizmo.theme.colors.guide[..3];
    let ticks: Vec<f64> = list.guides()[0]
        .chunks_exact(4)
        .filter(|quad| &quad[0].color[..3] == guide)
        .map(|quad| [0.5 * (at(&quad[0]) + at(&quad[1])), 0.5 * (at(&quad[2]) + at(&quad[3]))])
        .filter(|[from, to]| (from.x - to.x).abs() < 1e-3 && (from.y - to.y).abs() > 5.0)
        // A unit is 100 pixels, and the target starts at 0.1.
        .map(|[from, _]| ((from.x - start.x) / 100.0 + 0.1 - 0.05) / 0.25)
        .collect();
    assert!(ticks.len() >= 5 && ticks.iter().all(|tick| (tick - tick.round()).abs() < 1e-3), "{ticks:?}");
}

#[test]
fn ticks_are_shown_if_origin_is_behind_viewer() {
    let vertices = |z: f64| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.snap.kind = SnapKind::Grid { origin_world: DVec3::Z * z };
        stage.gizmo.settings.snap.increments.translate = Increment::new(0.25);
        dragged(&mut stage, DVec3::Z * 0.7, DVec3::Z).guides()[0].len()
    };
    assert_eq!(vertices(100.0), vertices(0.0));
}
