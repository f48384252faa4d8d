//! The camera of a replay, computed from its matrices and their inverses.

use crate::solid::numbers;
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// A camera with its viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Camera {
    view_from_world: DMat4,
    clip_from_view: DMat4,
    view_from_clip: DMat4,
    world_from_view: DMat3,
    /// x, y, width, height, in physical pixels.
    viewport: [f64; 4],
    pub(crate) scale_factor: f64,
    /// The unit vector along the line of sight.
    pub(crate) forward: DVec3,
    pub(crate) is_perspective: bool,
}

/// The ray through a pixel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: DVec3,
    /// The unit vector away from the viewer.
    pub(crate) direction: DVec3,
    /// Whether the ray starts at the origin. In orthographic views it extends both ways.
    pub(crate) has_start: bool,
}

impl Ray {
    /// Returns the visible intersection with a plane.
    pub(crate) fn hit(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        let distance = normal.dot(point - self.origin) / normal.dot(self.direction);
        let is_visible = distance.is_finite() && (distance > 0.0 || !self.has_start);
        is_visible.then(|| self.origin + self.direction * distance)
    }
}

impl Camera {
    pub(crate) fn new(json: &Value, viewport: [f64; 4], scale_factor: f64) -> Self {
        let (view_from_world, clip_from_view) = match json.get("eye") {
            Some(_) => (look_at(json), projection(&json["projection"], viewport[2] / viewport[3])),
            None => {
                let matrix = |key| DMat4::from_cols_array(&numbers::<16>(&json[key]));
                (matrix("view_from_world"), matrix("clip_from_view"))
            }
        };
        let linear = DMat3::from_mat4(view_from_world);
        let is_perspective = clip_from_view.row(3).truncate() != DVec3::ZERO;
        // In perspective w increases forward; the orthographic cameras here all look along −z.
        let forward = if is_perspective { clip_from_view.z_axis.w } else { -1.0 };
        Self {
            view_from_world,
            clip_from_view,
            view_from_clip: clip_from_view.inverse(),
            world_from_view: linear.inverse(),
            viewport,
            scale_factor,
            forward: (linear.inverse() * DVec3::Z * forward.signum()).normalize(),
            is_perspective,
        }
    }

    /// Returns the axes of the view as columns: rows 0 and 1 of `view_from_world`, and their cross product.
    pub(crate) fn axes(&self) -> DMat3 {
        let [right, up] = [0, 1].map(|row| self.view_from_world.row(row).truncate().normalize());
        DMat3::from_cols(right, up, right.cross(up))
    }

    /// Returns the pixel position times w, and w. Both are linear in the homogeneous world position.
    pub(crate) fn homogeneous_px(&self, point: DVec3, w: f64) -> (DVec2, f64) {
        let clip = self.clip_from_view * (self.view_from_world * point.extend(w));
        let [x, y, width, height] = self.viewport;
        let px = DVec2::new(
            x * clip.w + 0.5 * width * (clip.x + clip.w),
            y * clip.w + 0.5 * height * (clip.w - clip.y),
        );
        (px, clip.w)
    }

    /// Returns the pixel position of a point in front of the viewer.
    pub(crate) fn px(&self, point: DVec3) -> DVec2 {
        let (px, w) = self.homogeneous_px(point, 1.0);
        assert!(w > 0.0, "{point} is behind the viewer");
        px / w
    }

    /// Returns the clip w of a point.
    pub(crate) fn w(&self, point: DVec3) -> f64 {
        self.homogeneous_px(point, 1.0).1
    }

    /// Returns the ray through a pixel position.
    pub(crate) fn ray(&self, px: DVec2) -> Ray {
        let [x, y, width, height] = self.viewport;
        let ndc = DVec2::new(2.0 * (px.x - x) / width - 1.0, 1.0 - 2.0 * (px.y - y) / height);
        // Any depth within the range is on the ray.
        let point = self.view_from_clip * ndc.extend(0.5).extend(1.0);
        let point = point.truncate() / point.w;
        let world_from_view = |offset: DVec3| self.world_from_view * offset;
        let eye = -world_from_view(self.view_from_world.w_axis.truncate());
        if !self.is_perspective {
            return Ray { origin: eye + world_from_view(point), direction: self.forward, has_start: false };
        }
        let direction = world_from_view(point).normalize();
        let direction = direction * direction.dot(self.forward).signum();
        Ray { origin: eye, direction, has_start: true }
    }

    /// Returns the unit vector from the viewer to a point.
    pub(crate) fn direction_to(&self, point: DVec3) -> DVec3 {
        if self.is_perspective { self.ray(self.px(point)).direction } else { self.forward }
    }

    /// Returns the pixels per world unit at a point, perpendicular to the line of sight.
    pub(crate) fn px_per_unit(&self, point: DVec3) -> f64 {
        let up = self.axes().y_axis;
        self.px(point + up).distance(self.px(point))
    }

    /// Returns the height of the viewport at a point, in world units.
    pub(crate) fn visible_height(&self, point: DVec3) -> f64 {
        self.viewport[3] / self.px_per_unit(point)
    }

    /// Returns the length of the viewport's shorter side.
    pub(crate) fn shorter_side(&self) -> f64 {
        self.viewport[2].min(self.viewport[3])
    }
}

fn look_at(json: &Value) -> DMat4 {
    let vector = |key| DVec3::from(numbers::<3>(&json[key]));
    let eye = vector("eye");
    let back = (eye - vector("look_at")).normalize();
    let right = vector("up").cross(back).normalize();
    let world_from_view = DMat3::from_cols(right, back.cross(right), back);
    let mut world_from_view = DMat4::from_mat3(world_from_view);
    world_from_view.w_axis = eye.extend(1.0);
    world_from_view.inverse()
}

/// Returns a projection matrix with depth from 0 to 1, from the depths of the near plane and of the far
/// plane or infinity.
fn projection(json: &Value, aspect: f64) -> DMat4 {
    let near = json["near"].as_f64().expect("the value is a number");
    let far = json["far"].as_f64();
    let reversed = json["reversed"].as_bool().unwrap_or(false);
    let (at_near, at_far) = if reversed { (1.0, 0.0) } else { (0.0, 1.0) };
    let mut clip_from_view = DMat4::ZERO;
    if json["kind"] == "perspective" {
        let half = (0.5 * json["fov_y"].as_f64().expect("the value is a number")).to_radians();
        clip_from_view.y_axis.y = half.cos() / half.sin();
        clip_from_view.z_axis.w = -1.0;
        // depth = slope + offset / distance
        let offset = (at_near - at_far) / (near.recip() - far.map_or(0.0, f64::recip));
        clip_from_view.w_axis.z = offset;
        clip_from_view.z_axis.z = offset / near - at_near;
    } else {
        clip_from_view.y_axis.y = 2.0 / json["height"].as_f64().expect("the value is a number");
        clip_from_view.w_axis.w = 1.0;
        let slope = (at_far - at_near) / (far.expect("the far plane is finite") - near);
        clip_from_view.z_axis.z = -slope;
        clip_from_view.w_axis.z = at_near - slope * near;
    }
    clip_from_view.x_axis.x = clip_from_view.y_axis.y / aspect;
    clip_from_view
}
