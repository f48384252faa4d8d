//! Views, rays, frusta and transforms: pure `f64` geometry, without state and without a GPU.
//!
//! [`View`] is the type to start with. It combines a camera with the viewport that it fills, converts
//! between pixels, NDC and world space, and returns the [`Ray`] under a pixel. [`Transform`] is the
//! translation, rotation and scale of a target.

mod ball;
mod frustum;
mod increment;
mod matrix;
mod principal_axes;
mod ray;
mod rect;
mod transform;
mod view;
mod viewport;

pub use ball::Ball;
pub use frustum::Frustum;
pub use increment::Increment;
pub use matrix::Matrix4;
pub(crate) use matrix::nearest_rotation;
pub(crate) use principal_axes::PrincipalAxes;
pub use ray::Ray;
pub(crate) use ray::TriangleRay;
pub use rect::Rect;
pub use transform::{HostTransform, Transform};
pub use view::View;
pub use viewport::{DepthDirection, ViewError, Viewport};

/// Returns true if a number is greater than 0 and finite, and not so small that it has lost digits.
pub(crate) fn is_positive(number: f64) -> bool {
    (f64::MIN_POSITIVE..=f64::MAX).contains(&number)
}
