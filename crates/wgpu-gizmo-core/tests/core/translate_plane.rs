//! Translation in a plane (§5 of docs/spec.md).

use crate::oracle::{
    self, any_shot, begin, between, cases, direction_to, handle_of, magnitude, oriented, px, target_at,
    visible_point, w,
};
use crate::translate_axis::moved;
use crate::views::Shot;
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::Drag;
use wgpu_gizmo_core::{Orientation, Snap};

struct Pressed {
    shot: Shot,
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
        let (constraint, normal, point) = if rng.u8(..4) == 0 {
            let forward = (camera.look_at - camera.eye).normalize();
            (Constraint::ViewPlane, forward, pivot)
        } else {
            let axis = Axis::ALL[rng.usize(..3)];
            let [a, b] = axis.others().map(|other| frame * other.unit());
            let point = pivot + (a * between(rng, 0.3, 0.5) + b * between(rng, 0.3, 0.5)) * size;
            (Constraint::Plane(axis), frame * axis.unit(), point)
        };
        let facing = normal.dot(direction_to(&projection, &camera, pivot)).abs();
        if facing < 10f64.to_radians().sin() || w(&shot, point) < 0.05 * w(&shot, pivot) {
            return None;
        }
        let press = px(&shot, point) + DVec2::new(between(rng, -3.0, 3.0), between(rng, -3.0, 3.0));
        let drag = begin(handle_of(constraint), &shot, press, target_at(pivot), &settings);
        let max_distance = chosen.unwrap_or(1000.0 * visible_height);
        let orthographic = projection.orthographic;
        Some(Self { shot, press, orthographic, max_distance, drag })
    }
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
