//! A cursor's place on a line in the world, for each of the three solvers.

use crate::camera::{Camera, Ray};
use crate::drag::Reach;
use wgpu_gizmo::glam::{DVec2, DVec3};

/// A line through the pivot.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) pivot: DVec3,
    /// Unit.
    pub(crate) direction: DVec3,
    /// Unit; the plane of the solver `movement_plane`.
    pub(crate) plane_normal: DVec3,
    pub(crate) solver: String,
    /// World units; a length of the line that is well seen.
    pub(crate) step: f64,
}

/// World units from the pivot, and whether a limit held it there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) at: f64,
    pub(crate) clamped: bool,
}

impl Line {
    /// The nearest point to a ray, and where along the ray that is.
    fn nearest(&self, ray: &Ray) -> (f64, f64) {
        // Both normals of the common perpendicular: each line meets the plane of the other.
        let across = self.direction.cross(ray.direction);
        let between = ray.origin - self.pivot;
        let squared = across.length_squared();
        let at = between.cross(ray.direction).dot(across) / squared;
        (at, between.cross(self.direction).dot(across) / squared)
    }

    /// `None`: past the vanishing point.
    fn seen_at(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        let ray = match self.solver.as_str() {
            "movement_plane" => {
                let hit = camera.ray(cursor).hit(self.pivot, self.plane_normal);
                return hit.map(|hit| (hit - self.pivot).dot(self.direction));
            }
            "closest_point" => camera.ray(cursor),
            // The foot of the perpendicular from the cursor to the line as drawn. What is seen
            // there lies on the line, so that ray and line meet.
            "screen_projection" => {
                let drawn_from = camera.px(self.pivot);
                let ahead = camera.w(self.pivot + self.direction * self.step) > 0.0;
                let step = if ahead { self.step } else { -self.step };
                let drawn = camera.px(self.pivot + self.direction * step) - drawn_from;
                let drawn = drawn.normalize();
                camera.ray(drawn_from + drawn * drawn.dot(cursor - drawn_from))
            }
            other => panic!("unknown solver `{other}`"),
        };
        let (at, along_ray) = self.nearest(&ray);
        (along_ray > 0.0 || !ray.has_start).then_some(at)
    }

    /// The end of the line that runs away from the viewer, where the cursor is past it.
    fn far_end(&self, camera: &Camera, cursor: DVec2) -> f64 {
        match self.solver.as_str() {
            "screen_projection" => camera.forward.dot(self.direction).signum(),
            _ => camera.ray(cursor).direction.dot(self.direction).signum(),
        }
    }

    /// The cursor's place, within reach of `grab`.
    pub(crate) fn within(&self, camera: &Camera, cursor: DVec2, grab: f64, reach: Reach) -> Option<Place> {
        let (mut low, mut high) = (grab - reach.farthest, grab + reach.farthest);
        let here = camera.w(self.pivot);
        let slope = camera.w(self.pivot + self.direction) - here;
        // w(s) = here + s · slope must stay at least the least w. Parallel views have w = 1; the
        // rounding of the difference must not pass for a slope.
        if slope.abs() > 1e-13 * here {
            let bound = (reach.least_w - here) / slope;
            if slope > 0.0 { low = low.max(bound) } else { high = high.min(bound) }
        }
        let at = match self.seen_at(camera, cursor) {
            Some(at) => at,
            None => self.far_end(camera, cursor) * f64::INFINITY,
        };
        let held = at.clamp(low, high);
        held.is_finite().then_some(Place { at: held, clamped: held != at })
    }
}
