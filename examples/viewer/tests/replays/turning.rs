//! The angles of rings and the rotation of the trackball.

use crate::camera::Camera;
use crate::drag::Reach;
use crate::solid::rotation_about;
use std::f64::consts::TAU;
use wgpu_gizmo::glam::{DMat3, DVec2, DVec3};

/// Returns the angle that is equal to `angle` up to whole turns and nearest to `last`.
pub(crate) fn nearest_turn(angle: f64, last: f64) -> f64 {
    angle + TAU * ((last - angle) / TAU).round()
}

/// Returns the equivalent angle from −π to π.
pub(crate) fn wrapped(angle: f64) -> f64 {
    nearest_turn(angle, 0.0)
}

/// The radius around the pivot, in logical pixels, within which a cursor has no angle.
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

    /// Returns the counterclockwise angle about the pivot on screen.
    pub(crate) fn on_screen(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        let from_pivot = cursor - camera.px(self.pivot);
        (!self.is_at_pivot(camera, cursor)).then(|| (-from_pivot.y).atan2(from_pivot.x))
    }

    /// Returns the angle about the axis of the point that the cursor hits in the plane of the ring, from an
    /// arbitrary direction. Past the horizon it is the angle of the ray's direction.
    pub(crate) fn in_plane(&self, camera: &Camera, cursor: DVec2) -> Option<f64> {
        if self.is_at_pivot(camera, cursor) {
            return None;
        }
        let ray = camera.ray(cursor);
        let hit = ray.hit(self.pivot, self.axis).map_or(ray.direction, |hit| hit - self.pivot);
        let helper = if self.axis.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
        let x = self.axis.cross(helper).normalize();
        Some(hit.dot(self.axis.cross(x)).atan2(hit.dot(x)))
    }

    /// Returns true if the pressed ray is within 10° of the plane of the ring.
    pub(crate) fn is_edge_on(&self, camera: &Camera, press: DVec2) -> bool {
        self.axis.dot(camera.ray(press).direction).abs() < 10f64.to_radians().sin()
    }

    /// Returns the angle of a drag along the tangent at the grabbed point of the near half, in pixels divided
    /// by the radius.
    pub(crate) fn along_tangent(&self, camera: &Camera, press: DVec2, cursor: DVec2) -> f64 {
        let to_eye = -camera.direction_to(self.pivot);
        let front = (to_eye - self.axis * self.axis.dot(to_eye)).normalize();
        let side = self.axis.cross(front);
        let ray = camera.ray(press);
        // The points R (front cos a + side sin a) in the plane of the ray and the axis satisfy
        // A cos a + B sin a = C, which has two solutions. The grabbed point is the one on the near half that
        // is closer to the press on screen.
        let normal = self.axis.cross(ray.direction);
        let (a, b) = (front.dot(normal), side.dot(normal));
        let c = (ray.origin - self.pivot).dot(normal) / self.radius.size_world;
        let half_angle = (c / a.hypot(b)).acos();
        let solutions = [b.atan2(a) + half_angle, b.atan2(a) - half_angle];
        let distance =
            |radial: &DVec3| camera.px(self.pivot + *radial * self.radius.size_world).distance(press);
        let grabbed = solutions
            .map(|angle| front * angle.cos() + side * angle.sin())
            .into_iter()
            .filter(|radial| radial.dot(to_eye) >= -0.05)
            // The point in front wins if the occluded one is closer by less than a quarter of a pixel.
            .min_by(|p, q| {
                let bias = if p.dot(to_eye) > q.dot(to_eye) { -0.25 } else { 0.25 };
                (distance(p) + bias).total_cmp(&distance(q))
            })
            // A press past the end of the ring has no solution.
            .unwrap_or(front);
        let point = self.pivot + grabbed * self.radius.size_world;
        let (px, w) = camera.homogeneous_px(point, 1.0);
        let (px_rate, w_rate) = camera.homogeneous_px(self.axis.cross(grabbed), 0.0);
        // The quotient rule, without its positive factor.
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
    /// Returns the unit vector to the point of the front half under a cursor, and the distance of the cursor
    /// past the rim in radii.
    pub(crate) fn front(&self, camera: &Camera, cursor: DVec2) -> (DVec3, f64) {
        let from_pivot = (cursor - camera.px(self.pivot)) / self.radius_px;
        let axes = camera.axes();
        let flat = axes.x_axis * from_pivot.x - axes.y_axis * from_pivot.y;
        match from_pivot.length() {
            inside if inside < 1.0 => (flat - camera.forward * (1.0 - inside * inside).sqrt(), 0.0),
            outside => (flat / outside, outside - 1.0),
        }
    }

    pub(crate) fn rotation(&self, camera: &Camera, cursor: DVec2, grab: DVec3) -> DMat3 {
        let (point, past_rim) = self.front(camera, cursor);
        let normal = grab.cross(point);
        let to_point = rotation_about(normal.normalize(), normal.length().atan2(grab.dot(point)));
        let roll = match past_rim > 0.0 {
            true => rotation_about((-camera.forward).cross(point).normalize(), past_rim),
            false => DMat3::IDENTITY,
        };
        roll * to_point
    }
}
