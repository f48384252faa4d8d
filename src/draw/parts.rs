//! The contents of a [`DrawList`](super::DrawList), for renderers other than [`gpu`](crate::gpu).
//!
//! A host whose library draws triangles with colors needs [`DrawList::triangles_px`](super::DrawList::triangles_px)
//! alone. One that draws shapes of its own reads [`DrawList::items`](super::DrawList::items),
//! [`DrawList::guides`](super::DrawList::guides) and [`DrawList::grids`](super::DrawList::grids):
//!
//! ```
//! use wgpu_gizmo::DrawList;
//! use wgpu_gizmo::draw::parts::MeshKind;
//!
//! /// Returns the number of rings that a list shows.
//! fn rings(list: &DrawList) -> usize {
//!     list.items().iter().filter(|item| item.mesh == MeshKind::Ring).count()
//! }
//! # assert_eq!(rings(&DrawList::new()), 0);
//! ```

pub use super::grid::GuideGrid;
pub use super::guides::GuideVertex;
pub use super::list::Item;
pub use super::tessellate::{TriangleVertex, Triangles};
pub use crate::handle::mesh::MeshKind;
