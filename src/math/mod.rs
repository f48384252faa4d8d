//! Rays, planes, views and transforms: pure `f64`, no state, no GPU.

mod frustum;
mod matrix;
mod ray;
mod snap;
mod transform;
mod view;
mod viewport;

pub use frustum::Frustum;
pub(crate) use matrix::nearest_rotation_of_upright;
pub use matrix::{IntoDMat4, nearest_rotation};
pub use ray::Ray;
pub use snap::Increment;
pub use transform::{Decomposed, Transform};
pub use view::View;
pub use viewport::{DepthDirection, ViewError, Viewport};
