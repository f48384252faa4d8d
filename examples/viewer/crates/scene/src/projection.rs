//! Projection matrices with a near and a far plane.

use wgpu_gizmo_core::glam::DMat4;
use wgpu_gizmo_core::math::DepthDirection;

/// The projection from view space to clip space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// A perspective projection.
    Perspective {
        /// The vertical field of view in degrees.
        fov_y: f64,
        /// The distance of the near plane, greater than 0.
        near: f64,
        /// The distance of the far plane; `None` for infinity.
        far: Option<f64>,
        /// If true, the near plane has depth 1.
        reversed: bool,
    },
    /// An orthographic projection.
    Orthographic {
        /// The height of the viewport in world units.
        height: f64,
        /// The distance of the near plane along the line of sight; may be negative.
        near: f64,
        /// The distance of the far plane, greater than `near`.
        far: f64,
        /// If true, the near plane has depth 1.
        reversed: bool,
    },
}

impl Projection {
    /// Returns the projection matrix for a viewport with this aspect ratio (width / height). It scales x
    /// and y, and maps z so that the near and far planes get depth 0 and 1, or 1 and 0 if reversed.
    pub fn clip_from_view(self, aspect: f64) -> DMat4 {
        // Both projections map z (negative in front of the camera) to `a z + b` before the division by
        // w. Swapping the planes swaps the depths.
        let columns = |x: f64, y: f64, a: f64, b: f64, w: [f64; 2]| {
            DMat4::from_cols_array_2d(&[
                [x, 0.0, 0.0, 0.0],
                [0.0, y, 0.0, 0.0],
                [0.0, 0.0, a, w[0]],
                [0.0, 0.0, b, w[1]],
            ])
        };
        match self {
            Self::Perspective { fov_y, near, far, reversed } => {
                let y = (fov_y.to_radians() * 0.5).tan().recip();
                let (a, b) = match (far, reversed) {
                    (Some(far), false) => (far / (near - far), near * far / (near - far)),
                    (Some(far), true) => (near / (far - near), near * far / (far - near)),
                    (None, false) => (-1.0, -near),
                    (None, true) => (0.0, near),
                };
                columns(y / aspect, y, a, b, [-1.0, 0.0])
            }
            Self::Orthographic { height, near, far, reversed } => {
                let y = 2.0 / height;
                let (zero, one) = if reversed { (far, near) } else { (near, far) };
                columns(y / aspect, y, 1.0 / (zero - one), zero / (zero - one), [0.0, 1.0])
            }
        }
    }

    /// Returns the direction of depth in clip space.
    pub fn depth_direction(self) -> DepthDirection {
        let (Self::Perspective { reversed, .. } | Self::Orthographic { reversed, .. }) = self;
        if reversed { DepthDirection::Reversed } else { DepthDirection::Standard }
    }
}
