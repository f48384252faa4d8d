//! Translation in a plane (§5 of docs/spec.md).

use crate::oracle::{
    self, any_shot, begin, between, cases, direction_to, handle_of, magnitude, oriented, plane_hit, px,
    target_at, visible_point, w,
};
use crate::translate_axis::{any_cursor, moved};
use crate::views::{self, Camera, Shot};
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::Drag;
use wgpu_gizmo_core::{Increment, Orientation, Settings, Snap};

struct Pressed {
    shot: Shot,
    pivot: DVec3,
    axes: [DVec3; 2],
    normal: DVec3,
    press: DVec2,
    orthographic: bool,
    max_distance: f64,
    drag: Drag,
}

impl Pressed {
    /// Presses a random square or the center handle in a random view, or returns `None` if it is hidden.
    fn any(rng: &mut Rng) -> Option<Self> {
        let (projection, camera, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let frame = oracle::rotation(rng);
        let visible_height = oracle::world_per_px(&shot, pivot) * shot.view.viewport().height;
        let chosen = rng.bool().then(|| visible_height * magnitude(rng, -2.0, 2.0));
        let settings = oriented(Orientation::Custom(frame)).with(|s| s.motion.max_distance = chosen);
        let size = oracle::size_world(&shot, pivot, &settings);
        let (constraint, axes, normal, point) = if rng.u8(..4) == 0 {
            let rows = [0, 1].map(|i| shot.view_from_world.row(i).truncate().normalize());
            let forward = (camera.look_at - camera.eye).normalize();
            (Constraint::ViewPlane, rows, forward, pivot)
        } else {
            let axis = Axis::ALL[rng.usize(..3)];
            let [a, b] = axis.others().map(|other| frame * other.unit());
            let point = pivot + (a * between(rng, 0.3, 0.5) + b * between(rng, 0.3, 0.5)) * size;
            (Constraint::Plane(axis), [a, b], frame * axis.unit(), point)
        };
        let facing = normal.dot(direction_to(&projection, &camera, pivot)).abs();
        if facing < 10f64.to_radians().sin() || w(&shot, point) < 0.05 * w(&shot, pivot) {
            return None;
        }
        let press = px(&shot, point) + DVec2::new(between(rng, -3.0, 3.0), between(rng, -3.0, 3.0));
        let drag = begin(handle_of(constraint), &shot, press, target_at(pivot), &settings);
        let max_distance = chosen.unwrap_or(1000.0 * visible_height);
        let orthographic = projection.orthographic;
        Some(Self { shot, pivot, axes, normal, press, orthographic, max_distance, drag })
    }
}

#[test]
fn grabbed_point_stays_under_cursor_up_to_max_distance() {
    let (exact, clamped) = (Cell::new(0u64), Cell::new(0u64));
    cases(100_000, |rng| {
        let Some(mut p) = Pressed::any(rng) else { return };
        let grabbed = plane_hit(&p.shot, p.press, p.pivot, p.normal);
        if w(&p.shot, grabbed) <= 0.0 {
            return;
        }
        let cursor = any_cursor(rng, &p.shot);
        let motion = p.drag.solve(&p.shot.view, cursor, Snap::OFF);
        let by = moved(motion);
        let away = by.length();
        assert!(by.dot(p.normal).abs() < 1e-6 * (away + 1e-3 * p.max_distance), "off the plane: {by}");
        assert!(away <= p.max_distance * (1.0 + 1e-6), "{away} of {}", p.max_distance);
        let expected = plane_hit(&p.shot, cursor, p.pivot, p.normal);
        let in_front = w(&p.shot, expected) > 0.0;
        let distance = expected.distance(grabbed) / p.max_distance;
        if motion.clamped {
            clamped.set(clamped.get() + 1);
            assert!((away / p.max_distance - 1.0).abs() < 1e-6, "clamped at {away}");
            assert!(!in_front || distance > 0.999, "clamped at {distance} of the max distance");
            if in_front {
                let direction_error = by.normalize().distance((expected - grabbed).normalize());
                assert!(direction_error < 1e-3, "the direction is off by {direction_error}");
            } else {
                let ray = p.shot.view.pointer_ray(cursor).direction;
                let along = ray.reject_from_normalized(p.normal).normalize();
                assert!(by.normalize().distance(along) < 1e-6, "not along the ray");
            }
        } else {
            exact.set(exact.get() + 1);
            assert!(in_front && distance < 1.001, "at {distance} of the max distance");
            let off = px(&p.shot, grabbed + by).distance(cursor);
            assert!(
                off < 0.5,
                "{off} px off at {} of the max distance, moved {away} of {}: {motion:?}, pivot {}, \
                 orthographic: {}, normal {}, {} to the ray, expected {expected}, grabbed {grabbed}, \
                 cursor {cursor}, press {}",
                distance,
                p.max_distance,
                p.pivot,
                p.orthographic,
                p.normal,
                p.shot.view.pointer_ray(cursor).direction.dot(p.normal),
                p.press
            );
        }
    });
    assert!(
        exact.get() > 40_000 && clamped.get() > 5_000,
        "{} exact, {} clamped",
        exact.get(),
        clamped.get()
    );
}

#[test]
fn plane_motion_is_continuous_across_horizon() {
    let crossed = Cell::new(0u64);
    cases(5_000, |rng| {
        let Some(mut p) = Pressed::any(rng) else { return };
        if p.orthographic {
            return;
        }
        // Paths that go up or down, some of which cross the horizon of the plane.
        let along = DVec2::new(between(rng, -0.3, 0.3), if rng.bool() { 1.0 } else { -1.0 });
        let mut at = |t: f64| {
            let motion = p.drag.solve(&p.shot.view, p.press + along * t, Snap::OFF);
            (moved(motion), motion.clamped)
        };
        let samples: Vec<(f64, DVec3)> =
            (0..300).map(|i| f64::from(i) * 20.0).map(|t| (t, at(t).0)).collect();
        let widest = samples
            .windows(2)
            .max_by(|a, b| a[0].1.distance(a[1].1).total_cmp(&b[0].1.distance(b[1].1)))
            .expect("there are samples");
        let (mut low, mut high) = (widest[0].0, widest[1].0);
        for _ in 0..45 {
            let center = 0.5 * (low + high);
            let (l, m, h) = (at(low).0, at(center).0, at(high).0);
            if m.distance(l) > h.distance(m) { high = center } else { low = center }
        }
        let jump = at(low).0.distance(at(high).0);
        assert!(jump < 1e-3 * p.max_distance, "a jump by {jump} of {}", p.max_distance);
        if at(6000.0).1 {
            crossed.set(crossed.get() + 1);
        }
    });
    assert!(crossed.get() > 500, "only {} reached the limit", crossed.get());
}

#[test]
fn plane_coordinates_snap_along_frame_axes() {
    let checked = Cell::new(0u64);
    cases(30_000, |rng| {
        let Some(mut p) = Pressed::any(rng) else { return };
        let size = p.max_distance * magnitude(rng, -4.0, -0.5);
        let snap = Snap { translate: Increment::new(size), ..Snap::OFF };
        let cursor = any_cursor(rng, &p.shot);
        let free = moved(p.drag.solve(&p.shot.view, cursor, Snap::OFF));
        let snapped = moved(p.drag.solve(&p.shot.view, cursor, snap));
        checked.set(checked.get() + 1);
        let raw = p.axes.map(|axis| free.dot(axis) / size);
        let nearest = DVec2::from_array(raw.map(f64::round)).length() * size;
        // If the nearest multiples exceed the max distance, each axis stops before them.
        let stops_short = nearest > p.max_distance * (1.0 - 1e-9);
        // The axes are accurate relative to the whole motion.
        let slack = 1e-5 * (1.0 + raw[0].abs().max(raw[1].abs()));
        for (axis, raw) in p.axes.into_iter().zip(raw) {
            let steps = snapped.dot(axis) / size;
            assert!((steps - steps.round()).abs() < slack, "{steps} increments");
            let is_short = stops_short && steps.abs() < raw.abs() + slack;
            let within = if is_short { 1.0 } else { 0.5 };
            assert!((steps - raw).abs() < within + slack, "{raw} snapped to {steps}");
        }
        assert!(snapped.length() <= p.max_distance * (1.0 + 1e-9));
    });
    assert!(checked.get() > 10_000, "{} cases", checked.get());
}

#[test]
fn orthographic_view_along_plane_holds_last_motion() {
    for projection in views::ALL.iter().filter(|p| p.orthographic) {
        let shot = projection.shot(&Camera::at(DVec3::new(2.0, 3.0, 6.0)));
        let press = px(&shot, DVec3::new(0.4, 0.4, 0.0));
        let mut drag =
            begin(oracle::handle("translate_xy"), &shot, press, target_at(DVec3::ZERO), &Settings::default());
        let cursor = press + DVec2::new(50.0, -20.0);
        let motion = drag.solve(&shot.view, cursor, Snap::OFF);
        assert!(moved(motion).length() > 0.1, "{}", projection.name);
        let edge_on = projection.shot(&Camera::at(DVec3::new(5.0, 0.0, 0.0)));
        let held = drag.solve(&edge_on.view, DVec2::new(10.0, 20.0), Snap::OFF);
        assert_eq!(held, motion, "{}", projection.name);
    }
}
