//! What follows the pointer in a drag: the readout, and the handle of a scale; and the ticks of a snapped drag.

use super::{at, dragged, front};
use crate::oracle::{handle, px};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo_core::draw::parts::MeshKind;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::SnapKind;
use wgpu_gizmo_core::{DrawList, Increment, Mode, Settings};

/// Returns the pixels of a grid over the text of the only readout, and its center.
fn text_pixels(list: &DrawList) -> (Vec<DVec2>, DVec2) {
    let readout = list.readouts().next().expect("a drag has a readout");
    let width = 8.0 * readout.text.chars().count() as f64;
    let columns = (0..=40).map(|i| width * f64::from(i) / 40.0);
    let pixels =
        columns.flat_map(|x| [-8.0, -4.0, 0.0, 4.0, 8.0].map(|y| readout.anchor_px + DVec2::new(x, y)));
    (pixels.collect(), readout.anchor_px + DVec2::X * (0.5 * width))
}

#[test]
fn readout_is_near_pointer_and_beside_handle() {
    let ring = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
    let drags = [
        (Mode::Translate, DVec3::X * 0.7, DVec3::X * 1.0),
        (Mode::Translate, DVec3::Y * 0.7, DVec3::Y * 0.4),
        (Mode::Translate, DVec3::Z * 0.7, DVec3::new(0.3, 0.0, 1.0)),
        (Mode::Translate, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.7, 0.3, 0.0)),
        (Mode::Translate, DVec3::ZERO, DVec3::new(0.3, 0.3, 0.0)),
        (Mode::Rotate, ring(0.0, 1.0, 1.5), ring(0.0, 0.3, 1.0)),
        (Mode::Rotate, ring(1.0, 0.0, 1.5), ring(1.0, 0.0, 1.0)),
        (Mode::Rotate, ring(1.5, 1.0, 0.0), ring(1.5, 0.2, 0.0)),
        (Mode::Scale, DVec3::X * 0.94, DVec3::X * 1.2),
        (Mode::Scale, DVec3::Y * 0.6, DVec3::Y * 0.4),
        (Mode::Scale, DVec3::new(0.0, 0.4, 0.4), DVec3::new(0.0, 0.6, 0.6)),
        (Mode::Scale, DVec3::ZERO, DVec3::new(0.3, 0.3, 0.0)),
        (Mode::Universal, DVec3::X * 1.3, DVec3::X * 1.5),
    ];
    for eye in [DVec3::new(3.0, 2.5, 5.0), DVec3::new(-1.0, 3.0, 6.0), DVec3::new(4.0, -1.5, 5.0)] {
        for (mode, from, to) in drags {
            let mut stage = Stage::of_mode(mode);
            stage.shot = views::ALL[0].shot(&Camera::at(eye));
            stage.update();
            let list = dragged(&mut stage, from, to);
            let (pixels, center) = text_pixels(&list);
            let covered = pixels.iter().filter(|px| list.pick(**px, 0.0).is_some()).count();
            assert_eq!(covered, 0, "{mode:?} from {from} to {to}, seen from {eye}");
            // A ring can be as far from the pointer as it is large.
            let size_px = stage.at(DVec3::ZERO).distance(stage.at(DVec3::Y));
            let distance = center.distance(stage.at(to));
            assert!(distance < size_px + 110.0, "{mode:?} from {from} to {to}, seen from {eye}: {distance}");
        }
    }
}

#[test]
fn readout_is_beside_gizmo_with_dimmed_handles() {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
    stage.gizmo.theme.opacities.dimmed = 0.3;
    let pivot = stage.at(DVec3::ZERO);
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 0.7);
    let (pixels, _) = text_pixels(&list);
    assert!(pixels.iter().all(|px| px.distance(pivot) > 130.0));
}

#[test]
fn scale_handle_stays_under_pointer() {
    for eye in [DVec3::new(3.0, 2.5, 5.0), DVec3::new(-1.0, 3.0, 6.0)] {
        for (name, from, to) in [
            ("scale_x", DVec3::X * 0.93, DVec3::X * 2.2),
            ("scale_x", DVec3::X * 0.98, DVec3::X * 0.3),
            ("scale_y", DVec3::Y * 0.945, DVec3::Y * 1.7),
            ("scale_xy", DVec3::new(0.45, 0.42, 0.0), DVec3::new(0.9, 0.84, 0.0)),
        ] {
            let mut stage = Stage::of_mode(Mode::Scale);
            stage.shot = views::ALL[0].shot(&Camera::at(eye));
            stage.update();
            let list = dragged(&mut stage, from, to);
            let picked = list.pick(stage.at(to), 0.0);
            assert_eq!(picked, Some(stage.gizmo.id_of(handle(name))), "{name} to {to}, seen from {eye}");
        }
    }
}

#[test]
fn letter_stays_beyond_handle_pulled_through_pivot() {
    let gaps = [0.6, -0.6].map(|to: f64| {
        let mut stage = front(Settings::default().with(|s| {
            s.mode = Mode::Scale;
            s.motion.allow_mirror = true;
        }));
        stage.gizmo.theme.letters = true;
        let pivot = stage.at(DVec3::ZERO);
        let list = dragged(&mut stage, DVec3::X * 0.94, DVec3::X * to);
        let side = to.signum();
        let letter = list.guides()[1].iter().map(|vertex| (at(vertex).x - pivot.x) * side);
        let is_handle = |x: &f64| list.pick(pivot + DVec2::X * (*x * side), 0.0).is_some();
        let handle = (0..200).map(f64::from).filter(is_handle).fold(0.0, f64::max);
        assert!(handle > 60.0, "the handle is under the pointer");
        letter.fold(f64::INFINITY, f64::min) - handle
    });
    // Both are rounded to pixels.
    assert!(gaps[0] > 2.0 && (gaps[0] - gaps[1]).abs() <= 2.0, "{gaps:?}");
}

#[test]
fn gaps_to_center_are_equal_on_screen() {
    for (mode, gap) in [(Mode::Translate, 0.15), (Mode::Scale, 0.2)] {
        for projection in views::ALL {
            let mut stage = Stage::of_mode(mode);
            stage.shot = projection.shot(&Camera::at(DVec3::new(1.6, 1.2, 6.0)));
            stage.update();
            let list = stage.draw();
            let pivot = px(&stage.shot, DVec3::ZERO);
            let stems = list.items().iter().filter(|item| item.mesh == MeshKind::Stem);
            let gaps: Vec<f64> = stems
                .map(|item| item.px_from_part(DVec3::ZERO).expect("the stem is visible").distance(pivot))
                .collect();
            let wanted = gap * 96.0 * stage.shot.view.scale_factor();
            assert_eq!(gaps.len(), 3, "{}", projection.name);
            assert!(gaps.iter().all(|gap| (gap - wanted).abs() < 0.01), "{}: {gaps:?}", projection.name);
        }
    }
}

#[test]
fn ticks_mark_points_that_arrow_snaps_to() {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
    let start = stage.at(DVec3::ZERO);
    stage.gizmo.settings.snap.increments.translate = Increment::new(0.25);
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let guide = &stage.gizmo.theme.colors.guide[..3];
    let quads = list.guides()[0].chunks_exact(4);
    // Strokes across the axis, and not the pieces of the circle at the start.
    let ticks: Vec<f64> = quads
        .filter(|quad| &quad[0].color[..3] == guide)
        .map(|quad| [0.5 * (at(&quad[0]) + at(&quad[1])), 0.5 * (at(&quad[2]) + at(&quad[3]))])
        .filter(|[from, to]| (from.x - to.x).abs() < 1e-3 && (from.y - to.y).abs() > 5.0)
        .map(|[from, _]| (from.x - start.x) / 25.0)
        .collect();
    assert!(ticks.iter().all(|tick| (tick - tick.round()).abs() < 1e-3), "{ticks:?}");
    assert_eq!(ticks.len(), 6, "from -0.25 to 1: the others are too far or under the arrow: {ticks:?}");
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
