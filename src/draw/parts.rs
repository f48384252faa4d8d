//! The contents of a [`DrawList`](super::DrawList), for renderers other than [`gpu`](crate::gpu).
//!
//! A host whose library draws triangles with colors needs [`DrawList::triangles_px`](super::DrawList::triangles_px)
//! alone. One that draws shapes of its own reads [`DrawList::items`](super::DrawList::items),
//! [`DrawList::guides`](super::DrawList::guides) and [`DrawList::grids`](super::DrawList::grids):
//!
//! ```
//! use wgpu_gizmo::DrawList;
//! use wgpu_gizmo::draw::parts::{GuideGrid, GuideVertex, Item, MeshKind};
//!
//! /// Passes everything that a list shows to a renderer, in the order of painting of the layers.
//! fn paint(
//!     list: &DrawList,
//!     grid: impl FnMut(&GuideGrid),
//!     mut quad: impl FnMut(&[GuideVertex]),
//!     handle: impl FnMut(&Item),
//! ) {
//!     let [under, over] = list.guides();
//!     list.grids().iter().for_each(grid);
//!     under.chunks_exact(4).for_each(&mut quad);
//!     list.items().iter().for_each(handle);
//!     over.chunks_exact(4).for_each(quad);
//! }
//!
//! let mut rings = 0;
//! paint(&DrawList::new(), |_| {}, |_| {}, |item| rings += u32::from(item.mesh == MeshKind::Ring));
//! assert_eq!(rings, 0);
//! ```

pub use super::grid::GuideGrid;
pub use super::guides::GuideVertex;
pub use super::item::Item;
pub use super::triangles::{TriangleVertex, Triangles};
pub use crate::handle::mesh::MeshKind;
