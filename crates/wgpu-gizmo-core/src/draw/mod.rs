//! The draw list of a view, with the layout, guides and readouts that fill it.
//!
//! A [`DrawList`] contains everything that one view shows of one or more gizmos.
//! [`Gizmo::draw`](crate::Gizmo::draw) fills it. The renderer, the ID image and the CPU pick all read
//! the same list, so the handles that are visible are the handles that can be picked.
//!
//! A part of a handle is written once, as the edges of its shapes:
//!
//! ```text
//! Item ──► Shape ──► edges ──┬─► Patch: interpolated ──┬─► wgpu-gizmo: gpu::picture, handle.wgsl         picture
//!                            │                         └─► bands ──► Triangles                          painters
//!                            └─► Edge: at whole pixels ─┬─► wgpu-gizmo: gpu::id_handles, handle_ids.wgsl   ID image
//!                                                       └─► Edge::distance                              CPU pick
//! ```
//!
//! [`Painting`](parts::Painting) passes patches and edges in the order of painting.

mod depth_style;
mod glyphs;
pub(crate) mod grid;
pub(crate) mod guides;
mod handles;
pub(crate) mod item;
mod list;
mod order;
mod painter;
mod painting;
pub mod parts;
mod screen_meshes;
pub(crate) mod shape;

pub use depth_style::DepthStyle;
pub(crate) use handles::handle_style::{HandleState, HandleStretch, HandleStyle};
pub use handles::invisible::InvisibleReason;
pub(crate) use handles::layout::{Arrangement, Flips, Layout};
pub(crate) use handles::letters::append_letter;
pub(crate) use handles::oriented_box::OrientedBox;
pub(crate) use handles::{BALL_RADIUS, DrawContext, OUTER_RING, append};
pub(crate) use item::Item;
pub use list::{DrawList, Readout};
pub(crate) use list::{GizmoEntry, GuideLayer};
pub(crate) use order::{Piece, PiecePart};

use crate::math::View;

/// The maximum width of a stroke, a halo or a rim, in pixels. It covers every view, and `f32` products of it
/// are finite.
const MAX_WIDTH_PX: f64 = 1e5;

/// Converts a width from logical to physical pixels. It is bounded, and 0 if it is not a number.
fn width_px(width_lpx: impl Into<f64>, view: &View) -> f64 {
    let width_px = width_lpx.into() * view.scale_factor();
    if width_px > 0.0 { width_px.min(MAX_WIDTH_PX) } else { 0.0 }
}
