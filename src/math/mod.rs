//! Rays, planes, views and transforms: pure `f64`, no state, no GPU.

mod matrix;
mod ray;
mod snap;
mod transform;
mod view;

pub use matrix::{IntoDMat4, nearest_rotation};
pub use ray::Ray;
pub use snap::Increment;
pub use transform::{Decomposed, Transform};
pub use view::{DepthDirection, View, ViewError, Viewport};
