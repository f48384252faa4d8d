//! Views from the origin of a pointer's ray, in which the ray is one pixel.

use super::{Rays, View, rows};
use crate::math::{Ray, is_positive};
use glam::{DMat4, DQuat, DVec2, DVec3, DVec4};

/// The minimum cosine between a ray and the direction of a view that is used for it: 75°. From 90° on, a ray
/// has no pixel.
const MIN_FACING: f64 = 0.26;

impl View {
    /// Returns the view from the origin of a ray, in which a pixel at `focus_world` is as large as in this
    /// one. It has the directions and the [`View::axes`] of this view, unless the ray points too far away
    /// from them. Returns `None` if the point is behind one of the two.
    pub(crate) fn seen_from(&self, ray: &Ray, focus_world: DVec3) -> Option<Self> {
        if self.is_parallel_to(ray) || self.eye() == Some(ray.origin) {
            return Some(*self);
        }
        let mut moved = match self.rays {
            Rays::Eye { .. } => self.with_eye(ray.origin),
            Rays::Parallel { u, v, .. } => self.perspective_from(ray.origin, [u, v])?.with_eye(ray.origin),
        };
        // From a hand near a handle, its pivot can be behind the viewer even if the ray is not.
        let facing = [ray.direction, moved.direction_to(focus_world)].map(|to| to.dot(moved.forward));
        if facing[0].min(facing[1]) < MIN_FACING {
            moved = moved.turned_to(ray.direction);
        }
        moved.with_pixel_size(focus_world, self.pixel_size(focus_world))
    }

    /// Returns the view of [`View::seen_from`], turned to look along the ray. There, the distance of a pixel
    /// from that of the ray is the tangent of an angle.
    pub(crate) fn aimed_along(&self, ray: &Ray, focus_world: DVec3) -> Option<Self> {
        let seen = self.seen_from(ray, focus_world)?;
        if seen.is_orthographic() {
            return Some(seen);
        }
        let aimed =
            seen.turned_to(ray.direction).with_pixel_size(focus_world, self.pixel_size(focus_world))?;
        // A pick tests the center of a pixel, so the ray must pass through one.
        let px = aimed.px_of_ray(ray)?;
        Some(aimed.shifted(px.floor() + 0.5 - px))
    }

    /// Returns true if the ray is one of this view's parallel rays, which have no origin.
    fn is_parallel_to(&self, ray: &Ray) -> bool {
        let is_along = || ray.direction.dot(self.forward) > 1.0 - 1e-9;
        self.is_orthographic() && ray.start == f64::NEG_INFINITY && is_along()
    }

    /// Returns the pixel of a ray that starts at the eye, or for a parallel projection passes through its
    /// origin; `None` if it points behind the viewer.
    pub(crate) fn px_of_ray(&self, ray: &Ray) -> Option<DVec2> {
        self.px_of(if self.is_orthographic() { ray.origin.extend(1.0) } else { ray.direction.extend(0.0) })
    }

    /// Returns the view with its eye at `to`. A parallel projection has no eye and stays as it is.
    pub(crate) fn with_eye(&self, to: DVec3) -> Self {
        let Rays::Eye { eye, ahead, u, v } = self.rays else { return *self };
        let clip_from_world = self.clip_from_world * DMat4::from_translation(eye - to);
        Self { clip_from_world, rays: Rays::Eye { eye: to, ahead, u, v }, ..*self }
    }

    /// Rotates the view about its eye, so that it looks along `direction`. [`View::axes`] stay the same.
    pub(crate) fn turned_to(&self, direction: DVec3) -> Self {
        let Rays::Eye { eye, ahead, u, v } = self.rays else { return *self };
        let turn = DQuat::from_rotation_arc(self.forward, direction);
        // The linear form keeps its value at the eye.
        let turned = |row: DVec4| {
            let axis = turn * row.truncate();
            axis.extend(row.w + (row.truncate() - axis).dot(eye))
        };
        let [x, y, z, w] = rows(self.clip_from_world).map(turned);
        Self {
            clip_from_world: DMat4::from_cols(x, y, z, w).transpose(),
            rays: Rays::Eye { eye, ahead: turn * ahead, u: turn * u, v: turn * v },
            forward: direction,
            ..*self
        }
    }

    /// Zooms, so that a pixel at a point has this size.
    pub(crate) fn with_pixel_size(&self, point_world: DVec3, size: f64) -> Option<Self> {
        let zoom = self.pixel_size(point_world) / size;
        let Rays::Eye { eye, ahead, u, v } = self.rays else { return Some(*self) };
        if ![zoom, size].into_iter().all(is_positive) {
            return None;
        }
        let [x, y, z, w] = rows(self.clip_from_world);
        let clip_from_world = DMat4::from_cols(x * zoom, y * zoom, z, w).transpose();
        Some(Self { clip_from_world, rays: Rays::Eye { eye, ahead, u: u / zoom, v: v / zoom }, ..*self })
    }

    /// Shifts all pixels.
    fn shifted(&self, by_px: DVec2) -> Self {
        let Rays::Eye { eye, ahead, u, v } = self.rays else { return *self };
        let by = DVec2::new(2.0 * by_px.x / self.viewport.width, -2.0 * by_px.y / self.viewport.height);
        let [x, y, z, w] = rows(self.clip_from_world);
        let clip_from_world = DMat4::from_cols(x + w * by.x, y + w * by.y, z, w).transpose();
        let ahead = ahead - u * by.x - v * by.y;
        Self { clip_from_world, rays: Rays::Eye { eye, ahead, u, v }, ..*self }
    }

    /// Returns a perspective view with the directions and the pixels of a parallel one.
    fn perspective_from(&self, eye: DVec3, [u, v]: [DVec3; 2]) -> Option<Self> {
        let row = |axis: DVec3, length: f64| {
            let axis = axis.normalize() * (2.0 / length);
            axis.extend(-axis.dot(eye))
        };
        let (size, forward) = (self.viewport, self.forward());
        let w = forward.extend(-forward.dot(eye));
        let clip = DMat4::from_cols(row(u, size.width), row(v, size.height), DVec4::W, w).transpose();
        let frame = [self.right, self.up];
        Self::from_parts(clip, frame, self.viewport, self.scale_factor, "clip_from_world").ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::dcamera::rh;

    fn views() -> [View; 2] {
        let view_from_world =
            rh::view::look_at_mat4(DVec3::new(1.0, 2.0, 6.0), DVec3::new(0.3, 0.0, 0.0), DVec3::Y);
        [
            rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0),
            rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
        ]
        .map(|lens| {
            View::new(view_from_world, lens, Viewport::from_size(800, 600), 1.0).expect("the view is valid")
        })
    }

    #[test]
    fn aimed_views_agree_on_pixels_and_rays() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut point = || DVec3::from_array(std::array::from_fn(|_| rng.f64() * 2.0 - 1.0));
        for view in views() {
            for _ in 0..50 {
                let (origin, focus) = (point() + DVec3::new(0.0, 1.0, 5.0), point());
                let ray = Ray { origin, direction: (focus + 0.1 * point() - origin).normalize(), start: 0.0 };
                let seen = view.seen_from(&ray, focus).expect("the ray points forward");
                let aimed = view.aimed_along(&ray, focus).expect("the ray points forward");
                let sizes = [view, seen, aimed].map(|view| view.pixel_size(focus));
                assert!(sizes.iter().all(|size| (size / sizes[0] - 1.0).abs() < 1e-9), "{sizes:?}");
                let px = aimed.px_of_ray(&ray).expect("the ray points forward");
                assert!((px.fract() - 0.5).length() < 1e-6, "{px} is the center of a pixel");
                for view in [seen, aimed] {
                    assert!(view.eye().is_some_and(|eye| eye.distance(origin) < 1e-9), "{origin}");
                    for _ in 0..5 {
                        let point = point();
                        let px = view.px_from_world(point).expect("the point is in front");
                        let through = view.pointer_ray(px);
                        let off = (point - through.origin).reject_from_normalized(through.direction);
                        assert!(off.length() < 1e-9, "{px} is not at {point}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_parallel_ray_without_origin_keeps_parallel_view() {
        let [perspective, parallel] = views();
        let ray = |direction: DVec3, start: f64| Ray { origin: DVec3::Z * 3.0, direction, start };
        let (ahead, aside) = (parallel.forward(), (parallel.forward() + 0.2 * DVec3::X).normalize());
        for (view, ray, is_kept) in [
            (parallel, ray(ahead, f64::NEG_INFINITY), true),
            (parallel, ray(ahead, 0.0), false),
            (parallel, ray(aside, f64::NEG_INFINITY), false),
            (perspective, ray(perspective.forward(), f64::NEG_INFINITY), false),
        ] {
            let seen = view.seen_from(&ray, DVec3::ZERO).expect("the ray points forward");
            assert_eq!(seen == view, is_kept, "{ray:?}");
            assert!(is_kept || seen.eye().is_some_and(|eye| eye.distance(ray.origin) < 1e-9), "{ray:?}");
        }
    }
}
