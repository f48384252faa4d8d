//! Angles of rings and the trackball's rotation.

use crate::camera::Camera;
use crate::drag::Reach;
use crate::solid::turn;
use std::f64::consts::TAU;
use wgpu_gizmo::glam::{DMat3, DVec2, DVec3};

/// The angle that shows the same direction as `angle` and is nearest to `last`.
pub(crate) fn nearest_turn(angle: f64, last: f64) -> f64 {
    angle + TAU * ((last - angle) / TAU).round()
}

/// The same direction in −π..π.
pub(crate) fn wrapped(angle: f64) -> f64 {
    nearest_turn(angle, 0.0)
}

/// Nearer to the pivot's pixel than this, in logical pixels, a cursor gives no angle.
const DEAD_ZONE: f64 = 2.0;

/// A ring about a unit axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    pub(crate) pivot: DVec3,
    pub(crate) axis: DVec3,
    pub(crate) radius: Reach,
}

impl Ring {
    fn is_at_pivot(&self, camera: &Camera, cursor: DVec2) -> bool {
        cursor.distance(camera.px(self.pivot)) < DEAD_ZONE * camera.scale_factor
    }

    /// Counter-clockwise about the pivot's pixel, as the view's X turns to its Y.
    pub(crate) fn on_screen(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        let from_pivot = cursor - camera.px(self.pivot);
        (!self.is_at_pivot(camera, cursor)).then(|| (-from_pivot.y).atan2(from_pivot.x))
    }

    /// About the axis, from a direction of our own choice, of what the cursor hits in the
    /// ring's plane; past the horizon, of the ray's own direction.
    pub(crate) fn in_plane(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        if self.is_at_pivot(camera, cursor) {
            return None;
        }
        let ray = camera.ray(cursor);
        let hit = ray.hit(self.pivot, self.axis).map_or(ray.direction, |hit| hit - self.pivot);
        let least = if self.axis.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
        let x = self.axis.cross(least).normalize();
        Some(hit.dot(self.axis.cross(x)).atan2(hit.dot(x)))
    }

    /// Whether the pressed ray is within 10° of the ring's plane.
    pub(crate) fn is_edge_on(&self, camera: &Camera, press: DVec2) -> bool {
        self.axis.dot(camera.ray(press).direction).abs() < 10f64.to_radians().sin()
    }

    /// Pixels along the ring's tangent at the grabbed point of its near half, in radii.
    pub(crate) fn along_tangent(&self, camera: &Camera, press: DVec2, cursor: DVec2) -> f64 {
        let to_eye = -camera.direction_to(self.pivot);
        let front = (to_eye - self.axis * self.axis.dot(to_eye)).normalize();
        let side = self.axis.cross(front);
        let ray = camera.ray(press);
        // Points R (front cos a + side sin a) of the plane that holds the ray and the axis'
        // direction: A cos a + B sin a = C, which has two answers. Of those on the near half, the
        // one seen closer to the press was pressed.
        let normal = self.axis.cross(ray.direction);
        let (a, b) = (front.dot(normal), side.dot(normal));
        let c = (ray.origin - self.pivot).dot(normal) / self.radius.size_world;
        let between = (c / a.hypot(b)).acos();
        let answers = [b.atan2(a) + between, b.atan2(a) - between];
        let off = |radial: &DVec3| camera.px(self.pivot + *radial * self.radius.size_world).distance(press);
        let grabbed = answers
            .map(|angle| front * angle.cos() + side * angle.sin())
            .into_iter()
            .filter(|radial| radial.dot(to_eye) >= -0.05)
            // In front first; what it hides is within a quarter of a pixel of it.
            .min_by(|p, q| {
                let hidden = if p.dot(to_eye) > q.dot(to_eye) { -0.25 } else { 0.25 };
                (off(p) + hidden).total_cmp(&off(q))
            })
            // Past the end of the line it is the line's own direction that counts.
            .unwrap_or(front);
        let point = self.pivot + grabbed * self.radius.size_world;
        let (px, w) = camera.homogeneous_px(point, 1.0);
        let (px_rate, w_rate) = camera.homogeneous_px(self.axis.cross(grabbed), 0.0);
        // The quotient rule, short of a positive factor.
        let tangent = (px_rate * w - px * w_rate).normalize();
        (cursor - press).dot(tangent) / self.radius.size_px
    }
}

/// The trackball.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub(crate) pivot: DVec3,
    pub(crate) radius_px: f64,
}

impl Ball {
    /// The unit vector to the front half's point under a cursor, and how many radii past the
    /// rim the cursor is.
    pub(crate) fn front(&self, camera: &Camera, cursor: DVec2) -> (DVec3, f64) {
        let from_pivot = (cursor - camera.px(self.pivot)) / self.radius_px;
        let frame = camera.frame();
        let flat = frame.x_axis * from_pivot.x - frame.y_axis * from_pivot.y;
        match from_pivot.length() {
            inside if inside < 1.0 => (flat - camera.forward * (1.0 - inside * inside).sqrt(), 0.0),
            outside => (flat / outside, outside - 1.0),
        }
    }

    pub(crate) fn rotation(&self, camera: &Camera, cursor: DVec2, grab: DVec3) -> DMat3 {
        let (point, past_rim) = self.front(camera, cursor);
        let across = grab.cross(point);
        let to_point = turn(across.normalize(), across.length().atan2(grab.dot(point)));
        let further = match past_rim > 0.0 {
            true => turn((-camera.forward).cross(point).normalize(), past_rim),
            false => DMat3::IDENTITY,
        };
        further * to_point
    }
}
