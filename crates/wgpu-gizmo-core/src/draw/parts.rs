//! The contents of a [`DrawList`](crate::draw::DrawList), for renderers.
//!
//! A host whose library draws triangles with colors needs [`DrawList::triangles_px`](crate::draw::DrawList::triangles_px)
//! alone. One with shaders draws the [`Patch`]es and [`Edge`]s of a [`Painting`], as the crate `wgpu-gizmo` does. One that
//! draws shapes of its own reads [`DrawList::items`](crate::draw::DrawList::items),
//! [`DrawList::guides`](crate::draw::DrawList::guides) and [`DrawList::grids`](crate::draw::DrawList::grids):
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

pub use crate::draw::grid::GuideGrid;
pub use crate::draw::guides::{GuidePainter, GuideVertex, StrokeStyle};
pub use crate::draw::handles::letters::letter_strokes;
pub use crate::draw::item::{Halo, Item};
pub use crate::draw::list::GuideLayer;
pub use crate::draw::painter::{TriangleVertex, Triangles};
pub use crate::draw::painting::{Painting, PartEdge};
pub use crate::draw::screen_meshes::{ScreenMesh, ScreenPlacement};
pub use crate::draw::shape::{Edge, Line, Patch, PatchCorner, Plane};
pub use crate::handle::mesh::MeshKind;
