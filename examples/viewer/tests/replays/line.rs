//! The position of a cursor along a line in world space, for each of the three solvers.

use crate::camera::{Camera, Ray};
use crate::drag::Reach;
use wgpu_gizmo::glam::{DVec2, DVec3};

/// A line through the pivot.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) pivot: DVec3,
    /// Unit vector.
    pub(crate) direction: DVec3,
    /// Unit normal of the plane of the solver `movement_plane`.
    pub(crate) plane_normal: DVec3,
    pub(crate) solver: String,
    /// A length of the line that is clearly visible, in world units.
    pub(crate) step: f64,
}

/// A position along a line in world units from the pivot, and whether it is clamped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinePosition {
    pub(crate) at: f64,
    pub(crate) clamped: bool,
}

impl Line {
    /// Returns the positions of the closest points along this line and along a ray.
    fn nearest(&self, ray: &Ray) -> (f64, f64) {
        // The common perpendicular spans a plane with each line, which the other line intersects.
        let across = self.direction.cross(ray.direction);
        let between = ray.origin - self.pivot;
        let squared = across.length_squared();
        let at = between.cross(ray.direction).dot(across) / squared;
        (at, between.cross(self.direction).dot(across) / squared)
    }

    /// Returns the position at a cursor, or `None` past the vanishing point.
    fn position(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        let ray = match self.solver.as_str() {
            "movement_plane" => {
                let hit = camera.ray(cursor).hit(self.pivot, self.plane_normal);
                return hit.map(|hit| (hit - self.pivot).dot(self.direction));
            }
            "closest_point" => camera.ray(cursor),
            // The ray goes through the projection of the cursor onto the line on screen, so it intersects
            // the line.
            "screen_projection" => {
                let pivot_px = camera.px(self.pivot);
                let deferred_input = camera.w(self.pivot + self.direction * self.step) > 0.0;
                let step = if deferred_input { self.step } else { -self.step };
                let along_px = (camera.px(self.pivot + self.direction * step) - pivot_px).normalize();
                camera.ray(pivot_px + along_px * along_px.dot(cursor - pivot_px))
            }
            other => panic!("unknown solver `{other}`"),
        };
        let (at, along_ray) = self.nearest(&ray);
        (along_ray > 0.0 || !ray.has_start).then_some(at)
    }

    /// Returns the sign of the direction in which the line leads away from the viewer.
    fn far_end(&self, camera: &Camera, cursor: DVec2) -> f64 {
        match self.solver.as_str() {
            "screen_projection" => camera.forward.dot(self.direction).signum(),
            _ => camera.ray(cursor).direction.dot(self.direction).signum(),
        }
    }

    /// Returns the position at a cursor, clamped to the range around `grab`.
    pub(crate) fn within(
        &self,
        camera: &Camera,
        cursor: DVec2,
        grab: f64,
        reach: Reach,
    ) -> Option<LinePosition> {
        let (mut low, mut high) = (grab - reach.max_distance, grab + reach.max_distance);
        let pivot_w = camera.w(self.pivot);
        let slope = camera.w(self.pivot + self.direction) - pivot_w;
        // w(s) = pivot_w + s · slope must not be less than min_w. Orthographic views have w = 1; the
        // rounding error of the difference must not count as a slope.
        if slope.abs() > 1e-13 * pivot_w {
            let bound = (reach.min_w - pivot_w) / slope;
            if slope > 0.0 { low = low.max(bound) } else { high = high.min(bound) }
        }
        let free = match self.position(camera, cursor) {
            Some(at) => at,
            None => self.far_end(camera, cursor) * f64::INFINITY,
        };
        let at = free.clamp(low, high);
        at.is_finite().then_some(LinePosition { at, clamped: at != free })
    }
}
