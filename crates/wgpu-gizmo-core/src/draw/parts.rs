//! The contents of a [`DrawList`](super::DrawList), for renderers.
//!
//! A host whose library draws triangles with colors needs [`DrawList::triangles_px`](super::DrawList::triangles_px)
//! alone. One with shaders draws the [`Patch`]es and [`Edge`]s of a [`Painting`], as the crate `wgpu-gizmo` does. One that
//! draws shapes of its own reads [`DrawList::items`](super::DrawList::items),
//! [`DrawList::guides`](super::DrawList::guides) and [`DrawList::grids`](super::DrawList::grids):
//!
//! ```
//! use wgpu_gizmo_core::DrawList;
//! use wgpu_gizmo_core::draw::parts::{GuideGrid, GuideVertex, Item, MeshKind};
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
pub use super::guides::{GuidePainter, GuideVertex, StrokeStyle};
pub use super::item::{Halo, Item};
pub use super::letters::letter_strokes;
pub use super::list::GuideLayer;
pub use super::painting::{Painting, PartEdge};
pub use super::screen_meshes::{ScreenMesh, ScreenPlacement};
pub use super::shape::{Edge, Line, Patch, PatchCorner, Plane};
pub use super::triangles::{TriangleVertex, Triangles};
pub use crate::handle::mesh::MeshKind;
