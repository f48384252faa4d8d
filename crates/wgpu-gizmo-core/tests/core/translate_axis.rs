//! Translation along an axis (§4 of docs/spec.md).

use crate::oracle::{
    self, any_shot, begin, between, cases, direction_to, handle_of, magnitude, oriented, px, target_at,
    visible_point, w,
};
use crate::views::Shot;
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::{Change, Drag, Motion};
use wgpu_gizmo_core::{Orientation, Settings, Snap, Solver};

/// A drag of an arrow that was pressed at a random point on or next to it, in a random view.
pub(crate) struct Pressed {
    pub(crate) shot: Shot,
    pub(crate) pivot: DVec3,
    pub(crate) along: DVec3,
    pub(crate) press: DVec2,
    pub(crate) settings: Settings,
    pub(crate) max_distance: f64,
    pub(crate) drag: Drag,
}

impl Pressed {
    /// Presses a random arrow, or returns `None` if it is glancing or its pressed end is behind the viewer.
    pub(crate) fn any(rng: &mut Rng, solver: Solver) -> Option<Self> {
        let (projection, camera, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let frame = oracle::rotation(rng);
        let axis = Axis::ALL[rng.usize(..3)];
        let along = frame * axis.unit();
        let ray = direction_to(&projection, &camera, pivot);
        if along.cross(ray).length() < 8f64.to_radians().sin() {
            return None;
        }
        let visible_height = oracle::world_per_px(&shot, pivot) * shot.view.viewport().height;
        let chosen = rng.bool().then(|| visible_height * magnitude(rng, -2.0, 2.0));
        let settings = oriented(Orientation::Custom(frame)).with(|s| {
            s.motion.solver = solver;
            s.motion.max_distance = chosen;
        });
        let size = oracle::size_world(&shot, pivot, &settings);
        let point = pivot + along * size * between(rng, 0.15, 1.0);
        if w(&shot, point) < 0.05 * w(&shot, pivot) {
            return None;
        }
        let press = px(&shot, point) + DVec2::new(between(rng, -4.0, 4.0), between(rng, -4.0, 4.0));
        let drag = begin(handle_of(Constraint::Axis(axis)), &shot, press, target_at(pivot), &settings);
        let max_distance = chosen.unwrap_or(1000.0 * visible_height);
        Some(Self { shot, pivot, along, press, settings, max_distance, drag })
    }

    /// Returns a point and the unit direction of the drawn axis, from two of its points.
    pub(crate) fn drawn(&self) -> (DVec2, DVec2) {
        let step = 0.05 * oracle::size_world(&self.shot, self.pivot, &self.settings);
        let [a, b] = [-step, step].map(|s| px(&self.shot, self.pivot + self.along * s));
        (a, (b - a).normalize())
    }
}

/// Returns a random cursor: in half of the cases inside the viewport, otherwise up to ten thousand screens
/// away, where a pixel is about as fine as a position in `f64`.
pub(crate) fn any_cursor(rng: &mut Rng, shot: &Shot) -> DVec2 {
    let v = shot.view.viewport();
    let spread = if rng.bool() { 1.0 } else { magnitude(rng, 0.0, 4.0) };
    let center = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
    let half = DVec2::new(v.width, v.height) * 0.5 * spread;
    center + half * DVec2::new(between(rng, -1.0, 1.0), between(rng, -1.0, 1.0))
}

pub(crate) fn moved(motion: Motion) -> DVec3 {
    let Change::Translate(by) = motion.change else { panic!("not a translation: {motion:?}") };
    assert!(by.is_finite(), "{by}");
    by
}

#[test]
fn motion_is_monotone_past_vanishing_point() {
    let far_ends = Cell::new(0u64);
    cases(3_000, |rng| {
        let Some(mut p) = Pressed::any(rng, Solver::ScreenProjection) else { return };
        let (a, d) = p.drawn();
        let across = d.perp() * between(rng, -200.0, 200.0);
        let mut at = |t: f64| moved(p.drag.solve(&p.shot.view, a + across + d * t, Snap::OFF)).dot(p.along);
        let steps = 400;
        let distance_at = |i: i32| {
            let x = f64::from(i) / f64::from(steps);
            x * x.abs() * 40_000.0
        };
        let values: Vec<f64> = (-steps..=steps).map(|i| at(distance_at(i))).collect();
        let slack = 1e-9 * p.max_distance;
        let mut widest = 0;
        for i in 1..values.len() {
            assert!(values[i] >= values[i - 1] - slack, "{} then {}", values[i - 1], values[i]);
            if values[i] - values[i - 1] > values[widest + 1] - values[widest] {
                widest = i - 1;
            }
        }
        if values[values.len() - 1] > 0.999 * p.max_distance || values[0] < -0.999 * p.max_distance {
            far_ends.set(far_ends.get() + 1);
        }
        // Bisect the widest step: a jump does not shrink.
        let (mut low, mut high) =
            (distance_at(widest as i32 - steps), distance_at(widest as i32 + 1 - steps));
        for _ in 0..45 {
            let center = 0.5 * (low + high);
            let (l, m, h) = (at(low), at(center), at(high));
            if m - l > h - m { high = center } else { low = center }
        }
        let jump = at(high) - at(low);
        assert!(jump < 1e-3 * p.max_distance, "a jump by {jump} of {}", p.max_distance);
    });
    assert!(far_ends.get() > 1_000, "only {} reached an end", far_ends.get());
}

#[test]
fn every_solver_stays_finite_and_within_reach() {
    for solver in [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane] {
        let checked = Cell::new(0u64);
        cases(30_000, |rng| {
            let Some(mut p) = Pressed::any(rng, solver) else { return };
            checked.set(checked.get() + 1);
            for _ in 0..3 {
                let cursor = any_cursor(rng, &p.shot);
                let by = moved(p.drag.solve(&p.shot.view, cursor, Snap::OFF));
                let s = by.dot(p.along);
                assert!(by.distance(p.along * s) <= 1e-12 * s.abs(), "{solver:?}: off the axis: {by}");
                assert!(s.abs() <= p.max_distance * (1.0 + 1e-6), "{solver:?}: {s}");
            }
            let back = moved(p.drag.solve(&p.shot.view, p.press, Snap::OFF));
            assert_eq!(back, DVec3::ZERO, "{solver:?}");
        });
        assert!(checked.get() > 10_000, "{solver:?}: {} cases", checked.get());
    }
}
