//! Scale handles (§7 of docs/spec.md).

use crate::oracle::{
    self, any_shot, begin, between, cases, direction_to, handle_of, magnitude, px, size_world, target_at,
    visible_point, w,
};
use crate::stage::Stage;
use crate::translate_axis::any_cursor;
use crate::views::{self, Camera, Shot};
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DMat3, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::settings::Limits;
use wgpu_gizmo_core::interaction::{Change, Drag, Key, KeyModifiers, Motion};
use wgpu_gizmo_core::{HandleId, Increment, Mode, Orientation, Settings, Snap, Target, Transform};

fn factors(motion: Motion) -> DVec3 {
    let Change::Scale(by) = motion.change else { panic!("no scale: {motion:?}") };
    assert!(by.is_finite() && by.abs().min_element() >= 1e-4, "{by}");
    by
}

struct Pressed {
    shot: Shot,
    target: Target,
    drag: Drag,
}

impl Pressed {
    /// Presses a random point of a scale handle, on a rotated and scaled target. The orientation is World,
    /// but scale handles are always local.
    fn any(rng: &mut Rng, constraint: fn(Axis) -> Constraint, settings: Settings) -> Option<Self> {
        let (projection, camera, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let rotation = oracle::rotation(rng);
        let frame = DMat3::from_quat(rotation);
        let axis = Axis::ALL[rng.usize(..3)];
        let size = size_world(&shot, pivot, &settings);
        let along = frame * axis.unit();
        let facing = along.dot(direction_to(&projection, &camera, pivot)).abs();
        let [a, b] = axis.others().map(|other| frame * other.unit());
        let (point, glancing) = match constraint(axis) {
            Constraint::ScaleAxis(_) => {
                (pivot + along * size * between(rng, 0.2, 1.0), facing > 8f64.to_radians().cos())
            }
            Constraint::ScalePlane(_) => {
                let point = pivot + (a * between(rng, 0.3, 0.5) + b * between(rng, 0.3, 0.5)) * size;
                (point, facing < 10f64.to_radians().sin())
            }
            _ => (pivot, false),
        };
        if glancing || w(&shot, point) < 0.05 * w(&shot, pivot) {
            return None;
        }
        let scale = DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -1.0, 1.0)));
        let target = Target::from_world(Transform { translation: pivot, rotation, scale });
        let drag = begin(handle_of(constraint(axis)), &shot, px(&shot, point), target, &settings);
        Some(Self { shot, target, drag })
    }

    fn solve(&mut self, cursor: DVec2) -> Motion {
        self.drag.solve(&self.shot.view, cursor, Snap::OFF)
    }
}

#[test]
fn factor_clamps_unless_mirroring_is_allowed() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
        for (mirror, sign) in [(false, 1.0), (true, -1.0)] {
            let settings = Settings::default().with(|s| s.motion.allow_mirror = mirror);
            let press = DVec3::X * 0.5;
            let mut drag =
                begin(oracle::handle("scale_x"), &shot, px(&shot, press), target_at(DVec3::ZERO), &settings);
            let motion = drag.solve(&shot.view, px(&shot, -1.5 * press), Snap::OFF);
            let expected = if mirror { -1.5 } else { 1e-4 };
            assert!((factors(motion).x - expected).abs() < 1e-6, "{}: {motion:?}", projection.name);
            assert_eq!(motion.clamped, !mirror, "{}", projection.name);
            let smallest = drag.solve(&shot.view, px(&shot, -1e-6 * press), Snap::OFF);
            assert!((factors(smallest).x - sign * 1e-4).abs() < 1e-12, "{}: {smallest:?}", projection.name);
            assert!(smallest.clamped);
            // The min snapped factor is one increment.
            let snap = Snap { scale: Increment::new(0.25), ..Snap::OFF };
            let snapped = drag.solve(&shot.view, px(&shot, press * 0.05), snap);
            assert!((factors(snapped).x - 0.25).abs() < 1e-12, "{snapped:?}");
            let snapped = drag.solve(&shot.view, px(&shot, press * 1.6), snap);
            assert!((factors(snapped).x - 1.5).abs() < 1e-12, "{snapped:?}");
        }
    }
}

#[test]
fn zero_limit_does_not_flatten_mirrored_scale() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
    let limits = Limits { scale: [DVec3::ZERO, DVec3::INFINITY], ..Limits::NONE };
    let settings = Settings::default().with(|s| {
        s.motion.allow_mirror = true;
        s.motion.limits = limits;
    });
    let press = DVec3::X * 0.5;
    let handle = oracle::handle("scale_x");
    let mut drag = begin(handle, &shot, px(&shot, press), target_at(DVec3::ZERO), &settings);
    let motion = drag.solve(&shot.view, px(&shot, -1.5 * press), Snap::OFF);
    assert_eq!((factors(motion).x, motion.clamped), (1e-4, true));
}

#[test]
fn press_beside_pivot_does_not_jump() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
        for name in ["scale_x", "scale_xy"] {
            for at in [-0.01, 0.0, 0.003, 0.02] {
                // Within the tolerance of a press beside the stem.
                let press = px(&shot, DVec3::new(at, at, 0.0)) + DVec2::new(0.0, 3.0);
                let target = target_at(DVec3::ZERO);
                let mut drag = begin(oracle::handle(name), &shot, press, target, &Settings::default());
                let motion = drag.solve(&shot.view, press + DVec2::splat(1e-3), Snap::OFF);
                let by = factors(motion);
                assert!(by.distance(DVec3::ONE) < 1e-2, "{} {name}: {by} at {at}", projection.name);
            }
        }
    }
}

#[test]
fn every_cursor_gives_factor_within_limits() {
    let checked = Cell::new(0u64);
    cases(30_000, |rng| {
        let constraint: fn(Axis) -> Constraint =
            [Constraint::ScaleAxis, Constraint::ScalePlane, |_| Constraint::ScaleUniform][rng.usize(..3)];
        let settings = Settings::default().with(|s| {
            s.motion.allow_mirror = rng.bool();
            s.orientation = Orientation::View;
            s.motion.max_distance = Some(1e-3);
        });
        let Some(mut p) = Pressed::any(rng, constraint, settings) else { return };
        let cursor = any_cursor(rng, &p.shot);
        let by = factors(p.solve(cursor));
        checked.set(checked.get() + 1);
        assert!(settings.motion.allow_mirror || by.min_element() > 0.0, "{by}");
        let mut targets = [p.target];
        p.drag.apply(&mut targets);
        assert!(targets[0].local.is_finite());
    });
    assert!(checked.get() > 10_000, "{} cases", checked.get());
}

#[test]
fn several_targets_scale_along_active_axes() {
    cases(20_000, |rng| {
        let shot = views::ALL[rng.usize(..views::ALL.len())].shot(&Camera::at(DVec3::new(2.0, 3.0, 6.0)));
        let starts: [Target; 3] = std::array::from_fn(|_| {
            let (translation, rotation) = (oracle::direction(rng), oracle::rotation(rng));
            let scale = DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -1.0, 1.0)));
            Target::from_world(Transform { translation, rotation, scale })
        });
        let pivot = starts.iter().map(|t| t.local.translation).sum::<DVec3>() / 3.0;
        let axes = DMat3::from_quat(starts[2].local.rotation);
        let press = px(&shot, pivot) + DVec2::new(45.0, -28.0);
        let handle = oracle::handle(["scale_x", "scale_zx", "scale_uniform"][rng.usize(..3)]);
        let begun = Drag::begin(handle, &shot.view, press, &starts, &Settings::default(), Snap::OFF);
        let mut drag = begun.expect("the handle is usable");
        let cursor = press + DVec2::new(between(rng, -40.0, 80.0), between(rng, -80.0, 40.0));
        let by = factors(drag.solve(&shot.view, cursor, Snap::OFF));
        let mut targets = starts;
        drag.apply(&mut targets);
        for (now, start) in targets.iter().zip(&starts) {
            let (now, start) = (now.local, start.local);
            // Along each axis of the active target, the distance from the pivot scales by its factor.
            for i in 0..3 {
                let along = |p: DVec3| (p - pivot).dot(axes.col(i));
                let (far, was) = (along(now.translation), along(start.translation));
                assert!((far - was * by[i]).abs() < 1e-9 * (1.0 + by[i]), "{far} from {was} by {by}");
                assert!((now.scale[i] - start.scale[i] * by[i]).abs() < 1e-12 * (1.0 + now.scale[i]));
            }
            assert_eq!(now.rotation, start.rotation);
        }
    });
}

#[test]
fn flipped_plane_factor_is_independent_of_pivot_position() {
    let eye = DVec3::new(-4.0, 3.0, 5.0);
    let factor = |pivot: DVec3| {
        let mut stage = Stage::of_mode(Mode::Scale);
        stage.gizmo.settings.display.flip_toward_camera = true;
        stage.targets[0].local.translation = pivot;
        stage.shot = views::ALL[0].shot(&Camera { look_at: pivot, ..Camera::at(pivot + eye) });
        stage.update();
        // The square of X and Y toward this eye is on the other diagonal.
        let square = DVec3::new(-0.4, 0.4, 0.0);
        stage.grab(stage.at(square));
        assert_eq!(stage.gizmo.dragging().map(HandleId::name), Some("scale_xy"), "{pivot}");
        stage.move_to(stage.at(1.5 * square));
        stage.update();
        stage.targets[0].local.scale
    };
    let expected = DVec3::new(1.5, 1.5, 1.0);
    for pivot in
        [DVec3::ZERO, DVec3::new(7.0, 8.0, 0.0), DVec3::new(-6.0, 9.0, 3.0), DVec3::new(5.0, -3.0, -8.0)]
    {
        let found = factor(pivot);
        assert!((found - expected).abs().max_element() < 1e-9, "{pivot}: {found}");
    }
}

/// A scale handle that points at the viewer stops at a tenth of the pivot's distance; before, it is at its length.
#[test]
fn stretched_handle_stays_in_front_of_viewer() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.4, 0.3, 6.0)));
    stage.update();
    let pivot_w = stage.shot.view.clip_w(DVec3::ZERO);
    let size = stage.size();
    stage.gizmo.grab(crate::oracle::handle("scale_z"));
    stage.update();
    for factor in ["2", "3", "5", "70", "4000"] {
        for digit in factor.chars().filter_map(Key::from_char) {
            stage.gizmo.key(digit, KeyModifiers::NONE);
        }
        stage.update();
        let list = stage.draw();
        let id = stage.gizmo.id_of(crate::oracle::handle("scale_z"));
        let cubes = list.items().iter().filter(|item| item.id == Some(id));
        let farthest = cubes.map(|item| item.world_from_part.translation.z).fold(0.0, f64::max);
        let nearest_w = stage.shot.view.clip_w(DVec3::Z * farthest);
        let wanted = factor.parse::<f64>().expect("a number") * size;
        let is_near = stage.shot.view.clip_w(DVec3::Z * wanted) < 0.1 * pivot_w;
        if is_near {
            assert!((nearest_w / pivot_w - 0.1).abs() < 1e-9, "{factor}: {}", nearest_w / pivot_w);
        } else {
            // The center of the cube is before the end of the handle.
            assert!((0.9..1.0).contains(&(farthest / wanted)), "{factor}: {farthest} instead of {wanted}");
        }
        for _ in factor.chars() {
            stage.gizmo.key(Key::Backspace, KeyModifiers::NONE);
        }
    }
}

#[test]
fn parts_are_drawn_where_they_are_in_world() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        let mut stage = Stage::of_mode(mode);
        stage.gizmo.settings.box_handles = Some(Default::default());
        let bounds = [DVec3::new(-0.4, -0.3, -0.6), DVec3::new(0.5, 0.7, 0.2)];
        stage.targets[0].bounds_local = Some(bounds);
        stage.targets[0].local.rotation = wgpu_gizmo_core::glam::DQuat::from_rotation_y(0.3);
        stage.gizmo.settings.orientation = wgpu_gizmo_core::Orientation::Local;
        stage.update();
        for item in stage.draw().items() {
            for point in [DVec3::ZERO, DVec3::new(0.3, 0.2, 0.1)] {
                let drawn = item.px_from_part(point).expect("the part is in front");
                let expected = crate::oracle::px(&stage.shot, item.world_from_part.transform_point3(point));
                assert!(drawn.distance(expected) < 1e-6, "{mode:?}: {drawn} instead of {expected}");
            }
        }
    }
}
