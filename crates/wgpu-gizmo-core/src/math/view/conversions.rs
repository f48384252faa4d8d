//! The conversions of a [`View`] between pixels, NDC and world space.

use super::{Rays, View, Viewport, rows};
use crate::math::Ray;
use glam::{DVec2, DVec3, DVec4};

/// Conversions between pixels, NDC and world space.
impl View {
    /// Converts a displacement in physical pixels to the X and Y axes of [`View::axes`].
    ///
    /// These axes point the other way if the projection mirrors the image.
    pub(crate) fn axes_from_px(&self, by_px: DVec2) -> DVec2 {
        let [x, y, ..] = rows(self.clip_from_world).map(DVec4::truncate);
        let along = |row: DVec3, axis: DVec3| if row.dot(axis) < 0.0 { -1.0 } else { 1.0 };
        DVec2::new(by_px.x * along(x, self.right), -by_px.y * along(y, self.up))
    }

    /// Returns the clip w of a world point, which is greater than 0 in front of the viewer.
    ///
    /// In a perspective projection it is proportional to the view depth.
    pub fn clip_w(&self, point_world: DVec3) -> f64 {
        self.clip_from_world.row(3).dot(point_world.extend(1.0))
    }

    /// Converts physical pixels to NDC. The y axis flips: it points down in pixels and up in NDC.
    pub fn ndc_from_px(&self, px: DVec2) -> DVec2 {
        let Viewport { x, y, width, height } = self.viewport;
        DVec2::new(2.0 * (px.x - x) / width - 1.0, 1.0 - 2.0 * (px.y - y) / height)
    }

    /// Converts NDC to physical pixels.
    pub fn px_from_ndc(&self, ndc: DVec2) -> DVec2 {
        let v = self.viewport;
        DVec2::new(v.x + (ndc.x + 1.0) * 0.5 * v.width, v.y + (1.0 - ndc.y) * 0.5 * v.height)
    }

    /// Returns the linear forms that map a homogeneous world point to pixel x times clip w, pixel y
    /// times clip w, and clip w.
    pub(crate) fn px_rows(&self) -> [DVec4; 3] {
        let [x, y, _, w] = rows(self.clip_from_world);
        let v = self.viewport;
        [
            w * (v.x + 0.5 * v.width) + x * (0.5 * v.width),
            w * (v.y + 0.5 * v.height) - y * (0.5 * v.height),
            w,
        ]
    }

    /// Returns the homogeneous pixel `(x_px · w, y_px · w, w)` of a homogeneous world vector.
    ///
    /// The map is linear, so it accepts directions (w = 0) as well.
    #[inline(always)]
    pub(crate) fn px_homogeneous(&self, world: DVec4) -> DVec3 {
        let clip = self.clip_from_world * world;
        let v = self.viewport;
        DVec3::new(
            v.x * clip.w + (clip.x + clip.w) * 0.5 * v.width,
            v.y * clip.w + (clip.w - clip.y) * 0.5 * v.height,
            clip.w,
        )
    }

    /// Converts a world point to physical pixels, or returns `None` if it is not in front of the
    /// viewer.
    pub fn px_from_world(&self, point_world: DVec3) -> Option<DVec2> {
        self.px_of(point_world.extend(1.0))
    }

    /// Returns the pixel of a homogeneous world vector, or `None` if it is not in front of the viewer.
    #[inline]
    pub(super) fn px_of(&self, world: DVec4) -> Option<DVec2> {
        let homogeneous = self.px_homogeneous(world);
        let px = homogeneous.truncate() / homogeneous.z;
        (homogeneous.z > 0.0 && px.is_finite()).then_some(px)
    }

    /// Returns the world-space ray through a pixel, which may lie outside the viewport.
    pub fn pointer_ray(&self, px: DVec2) -> Ray {
        self.pointer_ray_from(DVec3::ZERO, px)
    }

    /// Returns the ray through a pixel, in coordinates relative to `point_world`.
    ///
    /// If that point is near the objects in question, no precision is lost far from the world's origin.
    pub fn pointer_ray_from(&self, point_world: DVec3, px: DVec2) -> Ray {
        let ndc = self.ndc_from_px(px);
        match self.rays {
            Rays::Eye { eye, ahead, u, v } => Ray {
                origin: eye - point_world,
                direction: (ahead + u * ndc.x + v * ndc.y).normalize_or(self.forward),
                start: 0.0,
            },
            Rays::Parallel { origin, u, v } => Ray {
                origin: origin - point_world + u * ndc.x + v * ndc.y,
                direction: self.forward,
                start: f64::NEG_INFINITY,
            },
        }
    }

    /// Returns the unit direction from the viewer to a world point.
    pub fn direction_to(&self, point_world: DVec3) -> DVec3 {
        match self.rays {
            Rays::Eye { eye, .. } => (point_world - eye).normalize_or(self.forward),
            Rays::Parallel { .. } => self.forward,
        }
    }

    /// Returns the world length of one physical pixel, parallel to the image plane, at a world
    /// point.
    // Let r be xyz of row 1 of `clip_from_world`, and n the unit xyz of its row 3. Moving a point by
    // one unit along r − (r·n) n does not change w and moves NDC y by g / w, where g is the length of
    // that vector. One pixel is 2 / height of NDC.
    pub fn pixel_size(&self, point_world: DVec3) -> f64 {
        let [_, y, _, w] = rows(self.clip_from_world).map(DVec4::truncate);
        let g = y.reject_from_normalized(w.normalize_or_zero()).length();
        let w_point =
            if self.is_orthographic() { self.clip_from_world.w_axis.w } else { self.clip_w(point_world) };
        2.0 * w_point / (self.viewport.height * g)
    }

    /// Returns the world point at the pixel `px` with this depth (0 to 1, as the projection writes
    /// it), or `None` if it is at infinity or behind the viewer.
    pub fn unproject(&self, px: DVec2, depth: f64) -> Option<DVec3> {
        let ray = self.pointer_ray(px);
        let [_, _, z, w] = rows(self.clip_from_world);
        let plane = z - depth * w;
        let distance = -plane.dot(ray.origin.extend(1.0)) / plane.truncate().dot(ray.direction);
        (distance.is_finite() && distance > ray.start).then(|| ray.at(distance))
    }
}
