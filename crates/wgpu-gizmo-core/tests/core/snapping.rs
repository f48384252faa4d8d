//! Snapping, the precision key and the snap hook (§10 of docs/spec.md).

use crate::oracle::{between, cases, direction, handle, px, rotation};
use crate::views::{self, Camera, Shot};
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::settings::{Modifiers, Pivot, SnapKind};
use wgpu_gizmo_core::interaction::{Change, Drag, Motion};
use wgpu_gizmo_core::{HandleId, Increment, Orientation, Settings, Snap, Target, Transform};

fn by(motion: Motion) -> DVec3 {
    match motion.change {
        Change::Translate(by) => by,
        other => panic!("{other:?} is not a translation"),
    }
}

fn any_shot(rng: &mut Rng) -> Shot {
    let eye = direction(rng) * between(rng, 5.0, 15.0);
    views::ALL[rng.usize(..views::ALL.len())].shot(&Camera::at(eye))
}

fn target(rng: &mut Rng) -> Target {
    let parent = DMat4::from_translation(direction(rng) * 0.7) * DMat4::from_quat(rotation(rng));
    let local = Transform {
        translation: direction(rng) * between(rng, 0.0, 1.0),
        rotation: rotation(rng),
        scale: DVec3::new(1.0, 2.0, 0.5),
    };
    Target::new(local, parent)
}

fn orientation(rng: &mut Rng) -> Orientation {
    match rng.u8(..5) {
        0 => Orientation::World,
        1 => Orientation::Parent,
        2 => Orientation::Local,
        3 => Orientation::View,
        _ => Orientation::Custom(rotation(rng)),
    }
}

const NAMES: [&str; 7] = [
    "translate_x",
    "translate_y",
    "translate_z",
    "translate_yz",
    "translate_zx",
    "translate_xy",
    "translate_view",
];

/// Begins a drag of a random translate handle near the pivot, or returns `None` if it is seen end-on.
fn pressed(rng: &mut Rng, shot: &Shot, target: Target, settings: &Settings) -> Option<(Drag, DVec2)> {
    let name = NAMES[rng.usize(..NAMES.len())];
    let press = px(shot, target.position_world()) + DVec2::new(between(rng, -60.0, 60.0), 31.0);
    let drag = Drag::begin(handle(name), &shot.view, press, &[target], settings, Snap::OFF).ok()?;
    Some((drag, press))
}

#[test]
fn all_targets_share_grid_motion_of_pivot() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 0.0, 10.0)));
    let at = |x: f64| Target::from_world(Transform { translation: DVec3::X * x, ..Transform::IDENTITY });
    let targets = [at(0.13), at(0.37)];
    let press = px(&shot, DVec3::X * 0.25);
    let settings = Settings::default();
    let mut drag = Drag::begin(handle("translate_x"), &shot.view, press, &targets, &settings, Snap::OFF)
        .expect("the handle is usable");
    let held = Modifiers {
        snap: Snap { translate: Increment::new(1.0), ..Snap::OFF },
        snap_kind: SnapKind::Grid { origin_world: DVec3::ZERO },
        ..Modifiers::default()
    };
    let motion = drag.solve(&shot.view, px(&shot, DVec3::X * 1.8), held);
    assert!((by(motion).x - 1.75).abs() < 1e-12, "{motion:?}");
    let mut after = targets;
    drag.apply(&mut after);
    assert!((after[0].local.translation.x - 1.88).abs() < 1e-12);
    assert!((after[1].local.translation.x - 2.12).abs() < 1e-12);
}

/// Begins a drag of a random handle without snapping.
fn any_drag(rng: &mut Rng, shot: &Shot, target: Target) -> Option<(Drag, DVec2)> {
    let handle = HandleId::from_index(rng.usize(..HandleId::BUILT_IN)).expect("the index is in the table");
    let press = px(shot, target.position_world()) + DVec2::new(between(rng, 25.0, 90.0), 31.0);
    let settings = Settings::default().with(|s| s.orientation = orientation(rng));
    Some((Drag::begin(handle, &shot.view, press, &[target], &settings, Snap::OFF).ok()?, press))
}

fn difference(a: Motion, b: Motion) -> f64 {
    match (a.change, b.change) {
        (Change::Translate(a), Change::Translate(b)) | (Change::Scale(a), Change::Scale(b)) => a.distance(b),
        (a @ Change::Rotate { .. }, b @ Change::Rotate { .. }) => (a.total_angle() - b.total_angle()).abs(),
        (Change::RotateFreely(a), Change::RotateFreely(b)) => 2.0 * (a * b.conjugate()).xyz().length(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precision_key_slows_without_jump() {
    let checked = Cell::new(0u64);
    cases(20_000, |rng| {
        let (shot, target) = (any_shot(rng), target(rng));
        let Some((mut drag, press)) = any_drag(rng, &shot, target) else { return };
        let mut plain = drag.clone();
        let mut wander = || press + DVec2::new(between(rng, -80.0, 80.0), between(rng, -80.0, 80.0));
        let (a, b, c) = (wander(), wander(), wander());
        // In half of the cases, the key is released at the pressed position.
        let b = if c.x > press.x { press } else { b };
        let pace = |precise| Modifiers { precise, ..Modifiers::default() };
        let before = drag.solve(&shot.view, a, pace(false));
        let at_change = drag.solve(&shot.view, a, pace(true));
        assert!(
            difference(before, at_change) < 1e-9,
            "{:?} jumps when the key is pressed",
            drag.handle().name()
        );
        let slow = drag.solve(&shot.view, b, pace(true));
        let after_release = drag.solve(&shot.view, b, pace(false));
        assert!(
            difference(slow, after_release) < 1e-9,
            "{:?} jumps when the key is released",
            drag.handle().name()
        );
        let full = drag.solve(&shot.view, c, pace(false));
        // Compared with a drag along the same path without the precision key.
        let solved = [a, b, c].map(|cursor| {
            let motion = plain.solve(&shot.view, cursor, pace(false));
            (motion.clamped, plain.numbers().to_vec())
        });
        let clamped = [slow, full].iter().any(|motion| motion.clamped) || solved.iter().any(|(c, _)| *c);
        if clamped || drag.handle().constraint() == Constraint::Trackball {
            return;
        }
        checked.set(checked.get() + 1);
        for (i, number) in drag.numbers().iter().enumerate() {
            let [at_a, at_b, at_c] = [0, 1, 2].map(|index: usize| solved[index].1[i]);
            let expected = at_a + 0.1 * (at_b - at_a) + (at_c - at_b);
            let size = 1.0 + at_a.abs().max(at_b.abs()).max(at_c.abs());
            assert!(
                (number - expected).abs() < 1e-9 * size,
                "{number} for {expected}: {:?}",
                drag.handle().name()
            );
        }
    });
    assert!(checked.get() > 10_000, "{} cases", checked.get());
}

/// Moves the cursor to `there` at a tenth of the speed, then to `beyond` at full speed.
fn slow_there_and_fast_back(
    drag: &mut Drag,
    shot: &Shot,
    press: DVec2,
    there: DVec2,
    beyond: DVec2,
) -> Motion {
    let pace = |precise| Modifiers { precise, ..Modifiers::default() };
    drag.solve(&shot.view, press, pace(true));
    drag.solve(&shot.view, there, pace(true));
    drag.solve(&shot.view, there, pace(false));
    drag.solve(&shot.view, beyond, pace(false))
}

#[test]
fn precise_drag_stays_within_reach_on_return() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 1.0, 8.0)));
    let target = Target::from_world(Transform::IDENTITY);
    let settings = Settings::default();
    // Toward the viewer. Without the slow part, the horizon would stop the motion.
    let press = px(&shot, DVec3::Z * 0.5);
    let toward = (px(&shot, DVec3::Z * 0.6) - press).normalize();
    let mut drag = Drag::begin(handle("translate_z"), &shot.view, press, &[target], &settings, Snap::OFF)
        .expect("the handle is usable");
    let (there, beyond) = (px(&shot, DVec3::Z * -50.0), press + toward * 1e5);
    let motion = slow_there_and_fast_back(&mut drag, &shot, press, there, beyond);
    assert!(motion.clamped && by(motion).z > 0.0, "{motion:?}");
    assert!(shot.view.clip_w(by(motion)) > 0.0, "behind the viewer: {motion:?}");
    let settings = settings.with(|s| s.motion.max_distance = Some(2.0));
    let press = px(&shot, DVec3::new(0.4, 0.4, 0.0));
    let mut drag = Drag::begin(handle("translate_xy"), &shot.view, press, &[target], &settings, Snap::OFF)
        .expect("the handle is usable");
    let (there, beyond) = (press - DVec2::X * 300.0, press + DVec2::X * 3000.0);
    let motion = slow_there_and_fast_back(&mut drag, &shot, press, there, beyond);
    assert!(motion.clamped && (by(motion).length() - 2.0).abs() < 1e-12, "{motion:?}");
}

#[test]
fn precision_key_released_at_pressed_position_does_not_jump() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 1.0, 8.0)));
    let target = Target::from_world(Transform::IDENTITY);
    let [press, away] = [0.5, 0.9].map(|x| px(&shot, DVec3::X * x));
    let begin = || {
        Drag::begin(handle("translate_x"), &shot.view, press, &[target], &Settings::default(), Snap::OFF)
            .expect("the handle is usable")
    };
    let mut drag = begin();
    for (cursor, precise) in [(press, true), (away, true), (away, false), (away, true), (press, true)] {
        drag.solve(&shot.view, cursor, Modifiers { precise, ..Modifiers::default() });
    }
    for cursor in [press, away] {
        let motion = drag.solve(&shot.view, cursor, Snap::OFF);
        assert_eq!(motion, begin().solve(&shot.view, cursor, Snap::OFF));
    }
}

#[test]
fn coarse_grid_stays_within_reach() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 0.0, 8.0)));
    let pivot = DVec3::X * 2.4;
    let settings = Settings::default().with(|s| s.motion.max_distance = Some(1.0));
    let snap = Snap { translate: Increment::new(5.0), ..Snap::OFF };
    let held =
        Modifiers { snap, snap_kind: SnapKind::Grid { origin_world: DVec3::ZERO }, ..Modifiers::default() };
    for (name, grab) in [("translate_x", DVec3::X * 0.5), ("translate_xy", DVec3::new(0.3, 0.3, 0.0))] {
        let (press, targets) = (px(&shot, pivot + grab), [Target::from_world(Transform::IDENTITY)]);
        let settings = settings.with(|s| s.pivot = Pivot::Custom(pivot));
        let mut drag = Drag::begin(handle(name), &shot.view, press, &targets, &settings, held)
            .expect("the handle is usable");
        let motion = drag.solve(&shot.view, px(&shot, pivot + grab + DVec3::X * 0.8), held);
        assert!(by(motion).length() <= 1.0 + 1e-12, "{name}: {motion:?}");
    }
}

#[test]
fn snap_hook_moves_pivot_within_handle() {
    let checked = Cell::new(0u64);
    cases(20_000, |rng| {
        let (shot, target) = (any_shot(rng), target(rng));
        let settings = Settings::default().with(|s| s.orientation = orientation(rng));
        let Some((mut drag, press)) = pressed(rng, &shot, target, &settings) else { return };
        let point = target.position_world() + direction(rng) * between(rng, 0.0, 2.0);
        let cursor = press + DVec2::new(between(rng, -90.0, 90.0), between(rng, -90.0, 90.0));
        // Increments do not apply if the hook returns a point.
        let held = Modifiers::from(Snap { translate: Increment::new(0.77), ..Snap::OFF });
        let free = drag.clone().solve(&shot.view, cursor, Snap::OFF);
        let mut hooked = None;
        let motion = drag.solve_with(&shot.view, cursor, held, &mut |moved| {
            hooked = Some(moved);
            Some(point)
        });
        let hooked = hooked.expect("the hook is called");
        assert!(hooked.distance(target.position_world() + by(free)) < 1e-9, "called with the moved pivot");
        if motion.clamped {
            return;
        }
        checked.set(checked.get() + 1);
        let expected = point - target.position_world();
        let rest = expected - by(motion);
        match drag.handle().constraint() {
            Constraint::Axis(axis) => {
                let direction = drag.axes().col(axis.index());
                assert!(rest.dot(direction).abs() < 1e-9 && by(motion).cross(direction).length() < 1e-9);
            }
            Constraint::Plane(normal) => {
                let normal = drag.axes().col(normal.index());
                assert!(rest.cross(normal).length() < 1e-9 && by(motion).dot(normal).abs() < 1e-9);
            }
            _ => {
                let normal = shot.view.forward();
                assert!(rest.cross(normal).length() < 1e-9 && by(motion).dot(normal).abs() < 1e-9);
            }
        }
        // If the hook returns `None` or NaN, increments apply.
        for answer in [None, Some(DVec3::NAN)] {
            let snapped = drag.solve_with(&shot.view, cursor, held, &mut |_| answer);
            assert_eq!(snapped, drag.clone().solve(&shot.view, cursor, held));
        }
    });
    assert!(checked.get() > 10_000, "{} cases", checked.get());
}

#[test]
fn snap_hook_is_not_called_for_rotate_and_scale() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(3.0, 3.0, 6.0)));
    let target = Target::from_world(Transform::IDENTITY);
    for name in ["rotate_x", "rotate_view", "rotate_trackball", "scale_x", "scale_uniform"] {
        let press = px(&shot, DVec3::ZERO) + DVec2::new(40.0, 10.0);
        let settings = Settings::default();
        let mut drag = Drag::begin(handle(name), &shot.view, press, &[target], &settings, Snap::OFF)
            .expect("the handle is usable");
        drag.solve_with(&shot.view, press + DVec2::new(20.0, -7.0), Snap::OFF, &mut |_| {
            panic!("{name} calls the hook")
        });
        assert!(!drag.motion().change.is_identity());
    }
}
