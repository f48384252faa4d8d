//! The viewer's own camera: it circles a point.

use crate::scene::Scene;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::{View, Viewport, math::ViewError};

/// Straight up or down, the camera would lose which way is right.
const STEEPEST: f64 = 1.55;
/// Vertical, in radians.
const FIELD_OF_VIEW: f64 = 0.7;

/// A camera that looks at a point, y up, from a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Orbit {
    /// Looked at, in world space.
    center: DVec3,
    /// World units.
    distance: f64,
    /// Radians round the y axis; 0 looks along −z.
    yaw: f64,
    /// Radians above the horizon.
    pitch: f64,
}

impl Orbit {
    /// Three quarters from the front, far enough to see a sphere whole.
    pub(crate) fn around(center: DVec3, radius: f64) -> Self {
        let mut orbit = Self { center, distance: 1.0, yaw: 0.6, pitch: 0.38 };
        orbit.frame(center, radius);
        orbit
    }

    /// Comes close to a sphere without turning.
    pub(crate) fn frame(&mut self, center: DVec3, radius: f64) {
        let radius = if radius.is_finite() && radius > 0.0 { radius } else { 1.0 };
        self.center = center;
        self.distance = 1.25 * radius / (0.5 * FIELD_OF_VIEW).sin();
    }

    /// Unit vector from the centre to the eye.
    fn backward(&self) -> DVec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Turns with the pointer: the height of a 720-pixel view is half a turn and a bit.
    pub(crate) fn turn(&mut self, by_lpx: DVec2) {
        let radians_per_lpx = 0.006;
        self.yaw = (self.yaw - by_lpx.x * radians_per_lpx) % std::f64::consts::TAU;
        self.pitch = (self.pitch + by_lpx.y * radians_per_lpx).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves sideways so that what is looked at stays under the pointer.
    pub(crate) fn pan(&mut self, by_px: DVec2, view: &View) {
        let unit = view.pixel_size(self.center);
        self.center += (view.up() * by_px.y - view.right() * by_px.x) * unit;
    }

    /// Nearer by so many notches of a wheel.
    pub(crate) fn zoom(&mut self, notches: f64) {
        self.distance = (self.distance * 0.88f64.powf(notches)).clamp(1e-6, 1e12);
    }

    /// Round everything in a scene.
    pub(crate) fn of_scene(scene: &Scene) -> Self {
        let bounds = scene.bounds();
        bounds.map_or(Self::around(DVec3::ZERO, 1.0), |b| Self::around(b.center(), b.radius()))
    }

    /// `view_from_world` and `clip_from_view`, with a far plane at infinity and reversed depth:
    /// precise at any scale.
    pub(crate) fn matrices(&self, viewport: Viewport) -> [DMat4; 2] {
        let eye = self.center + self.backward() * self.distance;
        let aspect = viewport.width / viewport.height;
        let near = self.distance * 1e-3;
        [
            rh::view::look_at_mat4(eye, self.center, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(FIELD_OF_VIEW, aspect, near),
        ]
    }

    /// What it sees.
    pub(crate) fn view(&self, viewport: Viewport, scale_factor: f64) -> Result<View, ViewError> {
        let [view_from_world, clip_from_view] = self.matrices(viewport);
        View::new(view_from_world, clip_from_view, viewport, scale_factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_sphere_is_in_the_middle_and_fits() {
        let (center, radius) = (DVec3::new(1.0, 2.0, 3.0), 2.0);
        let view = Orbit::around(center, radius).view(Viewport::of_size(1280, 720), 1.0).expect("a view");
        let middle = view.px_from_world(center).expect("in front");
        assert!(middle.distance(DVec2::new(640.0, 360.0)) < 1e-6, "{middle}");
        let top = view.px_from_world(center + view.up() * radius).expect("in front");
        assert!(top.y > 0.0 && top.y < 120.0, "{top}");
    }

    #[test]
    fn panning_keeps_the_centre_under_the_pointer() {
        let mut orbit = Orbit::around(DVec3::ZERO, 1.0);
        let viewport = Viewport::of_size(800, 600);
        let before = orbit.view(viewport, 1.0).expect("a view");
        orbit.pan(DVec2::new(30.0, -20.0), &before);
        let after = orbit.view(viewport, 1.0).expect("a view");
        let moved = after.px_from_world(DVec3::ZERO).expect("in front");
        assert!(moved.distance(DVec2::new(430.0, 280.0)) < 0.5, "{moved}");
    }
}
