//! A camera that orbits around a point.

use wgpu_gizmo::glam::dcamera::rh::{proj::directx, view::look_at_mat4};
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};

/// Radians per logical pixel of a drag that orbits.
const ORBIT: f64 = 0.008;
/// The camera never looks straight up or down.
const MAX_PITCH: f64 = 1.45;

/// A camera that orbits around a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The angle around Y, in radians.
    pub yaw: f64,
    /// The angle above the ground, in radians.
    pub pitch: f64,
    /// The distance from the center.
    pub distance: f64,
    /// The point that it looks at.
    pub center: DVec3,
}

impl Default for Camera {
    fn default() -> Self {
        Self { yaw: 0.6, pitch: 0.45, distance: 5.6, center: DVec3::new(0.0, 0.5, 0.0) }
    }
}

impl Camera {
    /// Returns the matrix from the world to the camera.
    pub fn view_from_world(&self) -> DMat4 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let outward = DVec3::new(cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw);
        look_at_mat4(self.center + outward * self.distance, self.center, DVec3::Y)
    }

    /// Returns a perspective projection. The scene fits into narrow views, too.
    pub fn clip_from_view(&self, aspect: f64) -> DMat4 {
        let vertical = 0.36f64.tan().max(0.42f64.tan() / aspect).atan();
        directx::perspective(2.0 * vertical, aspect, 0.1, 100.0)
    }

    /// Returns the angles and the distance.
    pub(crate) fn save(&self) -> [f64; 3] {
        [self.yaw, self.pitch, self.distance]
    }

    /// Restores the angles and the distance.
    pub(crate) fn restore(&mut self, [yaw, pitch, distance]: [f64; 3]) {
        *self = Self { yaw, pitch, distance, center: self.center };
    }

    /// Orbits by a displacement of the pointer in logical pixels.
    pub fn orbit(&mut self, by_lpx: DVec2) {
        if by_lpx.is_finite() {
            self.yaw -= by_lpx.x * ORBIT;
            self.pitch = (self.pitch + by_lpx.y * ORBIT).clamp(-MAX_PITCH, MAX_PITCH);
        }
    }

    /// Multiplies the distance, within bounds.
    pub fn zoom(&mut self, factor: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(2.0, 30.0);
        }
    }
}
