//! The viewer's camera, which orbits a point and can fly.

use crate::views::{ZOOM, orthographic_matrices};
use scene::Scene;
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::math::DepthDirection;
use wgpu_gizmo_core::{View, Viewport};

/// The pitch in radians above which the world's up axis does not determine the up direction of the view.
const STEEP_PITCH: f64 = 1.55;
/// The pitch of a camera that looks straight down.
const MAX_PITCH: f64 = std::f64::consts::FRAC_PI_2;
/// The vertical field of view in radians.
pub(crate) const FIELD_OF_VIEW: f64 = 0.7;
/// The rotation per logical pixel. 720 pixels are a bit more than half a turn.
const RADIANS_PER_LPX: f64 = 0.006;
/// The angle of a step, in radians.
const STEP: f64 = std::f64::consts::PI / 12.0;
/// The distance of the near plane, as a fraction of the distance to the center.
const NEAR: f64 = 1e-3;

/// A bounding sphere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// The center in world space.
    pub center: DVec3,
    /// The radius, greater than 0.
    pub radius: f64,
}

impl Ball {
    /// Returns the bounding sphere of a scene. The radius is 1 if the scene shows nothing or a point.
    pub fn of_scene(scene: &Scene) -> Self {
        scene
            .bounds()
            .map_or(Self { center: DVec3::ZERO, radius: 1.0 }, |b| Self::new(b.center(), b.radius()))
    }

    /// Creates a sphere. A radius that is not positive and finite becomes 1. What a camera cannot show is clamped: a
    /// sphere that is too large, too small, or too far away.
    pub fn new(center: DVec3, radius: f64) -> Self {
        let center = center.clamp(DVec3::splat(-1e15), DVec3::splat(1e15));
        let radius = if radius.is_finite() && radius > 0.0 { radius } else { 1.0 };
        let smallest = (1e-12 * center.abs().max_element()).max(1e-30);
        Self { center, radius: radius.clamp(smallest, 1e30) }
    }
}

/// A camera without roll that looks at a point from a distance. The world's y axis points up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// The point that the camera looks at, in world space.
    pub(crate) center: DVec3,
    /// The distance from the center to the eye, in world units.
    pub(crate) distance: f64,
    /// Rotation around the y axis in radians; 0 looks along −z.
    yaw: f64,
    /// Angle of the eye above the horizon in radians.
    pitch: f64,
    /// The vertical field of view in radians. With an orthographic projection it determines the height at
    /// the center.
    field_of_view: f64,
    /// Whether the projection is orthographic. It has the same scale at the center.
    pub is_orthographic: bool,
    /// The bounding sphere of the scene when the camera was created, which the near and far planes of an
    /// orthographic projection must contain.
    scene: Ball,
}

impl Orbit {
    /// Returns a camera in three-quarter view that frames a sphere.
    pub fn around(ball: Ball) -> Self {
        let mut orbit = Self {
            center: ball.center,
            distance: 1.0,
            yaw: 0.6,
            pitch: 0.38,
            field_of_view: FIELD_OF_VIEW,
            is_orthographic: false,
            scene: ball,
        };
        orbit.frame(ball);
        orbit
    }

    /// Returns a camera that frames a scene.
    pub(crate) fn framing(scene: &Scene) -> Self {
        Self::around(Ball::of_scene(scene))
    }

    /// Returns the closest camera without roll to a view. It has the same position and direction, and the
    /// same scale at the depth of the scene's center.
    pub(crate) fn from_view(view: &View, scene: Ball) -> Self {
        let (forward, viewport) = (view.forward(), view.viewport());
        let backward = -forward;
        let center_px = DVec2::new(viewport.x + 0.5 * viewport.width, viewport.y + 0.5 * viewport.height);
        let is_orthographic = view.eye().is_none();
        let eye = view.eye().unwrap_or_else(|| view.pointer_ray(center_px).origin);
        // A perspective camera needs a positive distance, even if the scene is beside or behind it.
        let to_scene = (scene.center - eye).dot(forward);
        let distance = if is_orthographic { to_scene } else { to_scene.max(0.1 * scene.radius) };
        let center = eye + forward * distance;
        let height = view.pixel_size(center) * viewport.height;
        let (field_of_view, distance) = match is_orthographic {
            true => (FIELD_OF_VIEW, 0.5 * height / (0.5 * FIELD_OF_VIEW).tan()),
            false => (2.0 * (0.5 * height / distance).atan(), distance),
        };
        let [yaw, pitch] = yaw_and_pitch(backward, view.up());
        Self { center, distance, yaw, pitch, field_of_view, is_orthographic, scene }
    }

    /// Moves to frame a sphere, without turning.
    pub fn frame(&mut self, Ball { center, radius }: Ball) {
        self.center = center;
        self.distance = 1.25 * radius / (0.5 * self.field_of_view).sin();
    }

    /// Returns the unit vector from the center to the eye.
    fn backward(&self) -> DVec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Returns the approximate up direction of the view. It need not be perpendicular to the line of sight.
    fn up(&self) -> DVec3 {
        if self.pitch.abs() < STEEP_PITCH {
            return DVec3::Y;
        }
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        DVec3::new(-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch)
    }

    fn eye(&self) -> DVec3 {
        self.center + self.backward() * self.distance
    }

    /// Returns the height of the view at the center, in world units.
    fn height(&self) -> f64 {
        2.0 * self.distance * (0.5 * self.field_of_view).tan()
    }

    /// Orbits around the center by a movement of the pointer.
    pub fn turn(&mut self, by_lpx: DVec2) {
        self.yaw = (self.yaw - by_lpx.x * RADIANS_PER_LPX) % std::f64::consts::TAU;
        self.pitch = (self.pitch + by_lpx.y * RADIANS_PER_LPX).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Orbits around the center by steps of 15 degrees: to the right, and up.
    pub(crate) fn turn_steps(&mut self, right_up: [f64; 2]) {
        let [right, up] = right_up.map(|steps| steps * STEP);
        self.turn(DVec2::new(-right, up) / RADIANS_PER_LPX);
    }

    /// Orbits around a point in world space by a movement of the pointer.
    pub(crate) fn turn_about(&mut self, point: DVec3, by_lpx: DVec2) {
        let from_point = self.rotation().inverse() * (self.center - point);
        self.turn(by_lpx);
        self.center = point + self.rotation() * from_point;
    }

    /// Returns the rotation from the axes of the view to those of the world.
    fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw) * DQuat::from_rotation_x(-self.pitch)
    }

    /// Zooms in by a number of wheel notches. This point stays where it is on screen.
    pub(crate) fn zoom_to(&mut self, point: DVec3, notches: f64) {
        let before = self.distance;
        self.zoom(notches);
        let center = point + (self.center - point) * (self.distance / before);
        if center.is_finite() && center.abs().max_element() < 1e12 {
            self.center = center;
        }
    }

    /// Looks from the opposite side.
    pub(crate) fn look_from_opposite(&mut self) {
        match self.pitch.abs() > STEEP_PITCH {
            true => self.pitch = -self.pitch,
            false => self.look_from(-self.backward()),
        }
    }

    /// Interpolates between this camera and another one. `part` runs from 0 to 1. The projection is that of the
    /// other camera.
    pub fn toward(&self, to: &Self, part: f64) -> Self {
        use std::f64::consts::{PI, TAU};
        let part = part.clamp(0.0, 1.0);
        if part == 1.0 {
            return *to;
        }
        let between = |from: f64, to: f64| from + (to - from) * part;
        let turn = (to.yaw - self.yaw + PI).rem_euclid(TAU) - PI;
        Self {
            center: self.center.lerp(to.center, part),
            distance: self.distance * (to.distance / self.distance).powf(part),
            yaw: self.yaw + turn * part,
            pitch: between(self.pitch, to.pitch),
            field_of_view: between(self.field_of_view, to.field_of_view),
            ..*to
        }
    }

    /// Orbits around the center by an angle in radians.
    pub fn spin(&mut self, radians: f64) {
        self.yaw = (self.yaw + radians) % std::f64::consts::TAU;
    }

    /// Turns the camera around the eye.
    pub fn look(&mut self, by_lpx: DVec2) {
        let eye = self.eye();
        // Half as fast as orbiting, because everything in the view moves.
        self.turn(0.5 * by_lpx);
        self.center = eye - self.backward() * self.distance;
    }

    /// Looks at the center from this side. From straight above or below, X points right.
    pub(crate) fn look_from(&mut self, backward: DVec3) {
        [self.yaw, self.pitch] = yaw_and_pitch(backward, DVec3::Z * -backward.y);
    }

    /// Rotates around the center. The camera has no roll, so that of the rotation is ignored.
    pub(crate) fn rotate_to(&mut self, rotation: DQuat) {
        [self.yaw, self.pitch] = yaw_and_pitch(rotation * DVec3::Z, rotation * DVec3::Y);
    }

    /// Zooms in by a number of wheel notches.
    pub fn zoom(&mut self, notches: f64) {
        self.distance = (self.distance * ZOOM.powf(notches)).clamp(1e-6, 1e12);
    }

    /// Moves the camera by a vector in world units: right, up in world space, forward.
    pub fn fly(&mut self, right_up_forward: DVec3) {
        let DVec3 { x, y, z } = right_up_forward;
        let (backward, yaw) = (self.backward(), self.yaw);
        let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
        let center = self.center + right * x + DVec3::Y * y - backward * z;
        if center.is_finite() && center.abs().max_element() < 1e12 {
            self.center = center;
        }
    }

    /// Returns `view_from_world` and `clip_from_view`. Depth is reversed and, in perspective, the far plane
    /// is at infinity, which is precise at any scale.
    pub(crate) fn matrices(&self, viewport: Viewport) -> [DMat4; 2] {
        let up = self.up();
        if self.is_orthographic {
            let height = self.height();
            let reach = height.max(self.scene.center.distance(self.center) + self.scene.radius);
            let pose = [self.center, self.backward(), up];
            return orthographic_matrices(pose, height, 50.0 * reach, viewport, DepthDirection::Reversed);
        }
        let aspect = viewport.width / viewport.height;
        let near = self.distance * NEAR;
        [
            rh::view::look_at_mat4(self.eye(), self.center, up),
            rh::proj::directx::perspective_infinite_reverse(self.field_of_view, aspect, near),
        ]
    }
}

/// Returns the yaw and the pitch of a camera with these unit vectors, as far as it has no roll.
fn yaw_and_pitch(backward: DVec3, up: DVec3) -> [f64; 2] {
    let yaw = match backward.y {
        y if y > STEEP_PITCH.sin() => (-up.x).atan2(-up.z),
        y if y < -STEEP_PITCH.sin() => up.x.atan2(up.z),
        _ => backward.x.atan2(backward.z),
    };
    [yaw, backward.y.clamp(-1.0, 1.0).asin()]
}

#[cfg(test)]
mod tests;
