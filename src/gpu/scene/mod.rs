//! The host's objects: in the ID image ([`PickScene`]), in regions that see through what hides
//! them ([`RegionThrough`]), and with an [`Outline`] round some.

mod objects;
mod outline;
mod xray;

pub use objects::{PickBatch, PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
pub use outline::{Outline, OutlineStyle};
pub use xray::{RegionQuestion, RegionThrough};
