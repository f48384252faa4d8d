//! Picking and outlining the host's objects: [`PickScene`] draws them into the ID image,
//! [`XrayRegion`] finds every object in a region including occluded ones, and [`Outline`] draws
//! lines around selected objects.

mod objects;
mod outline;
mod xray;

pub use objects::{PickBatch, PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
#[cfg(all(test, feature = "native"))]
pub(super) use outline::CELL;
pub use outline::{Outline, OutlineStyle};
pub use xray::{RegionQuery, XrayRegion};
