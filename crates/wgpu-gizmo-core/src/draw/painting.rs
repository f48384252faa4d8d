//! The order of painting: the shapes of all gizmos from back to front.

use crate::draw::depth_style::DepthStyle;
use crate::draw::item::Item;
use crate::draw::list::{DrawList, GizmoEntry};
use crate::draw::order::{Piece, PiecePart};
use crate::draw::shape::{Edge, Patch, Purpose, Shape};
use crate::math::Rect;
use glam::DVec2;

/// Passes what a list shows from back to front: as patches for a picture, or as edges for ids. Keep it from frame to
/// frame, so that it allocates nothing.
///
/// ```
/// use wgpu_gizmo_core::DrawList;
/// use wgpu_gizmo_core::draw::parts::Painting;
/// use wgpu_gizmo_core::math::Rect;
///
/// /// Returns the number of triangles of a picture.
/// fn triangles(list: &DrawList, painting: &mut Painting) -> usize {
///     let mut count = 0;
///     painting.patches(list, &Rect::EVERYWHERE, |_, patch| count += if patch.is_triangle() { 1 } else { 2 });
///     count
/// }
/// assert_eq!(triangles(&DrawList::new(), &mut Painting::default()), 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Painting {
    /// The indices of the gizmos, farthest first.
    gizmos: Vec<usize>,
    /// Scratch memory for the triangles of a custom mesh.
    triangles: Vec<(f64, u32)>,
}

/// An edge of a part that can be picked.
#[derive(Debug, Clone, Copy)]
pub struct PartEdge<'a> {
    /// The index of the part in [`DrawList::items`].
    pub item: usize,
    /// How the part is drawn where the scene is in front of it.
    pub depth_style: DepthStyle,
    /// The corner of a pixel that the edge is relative to.
    pub anchor_px: DVec2,
    /// The edge.
    pub edge: &'a Edge,
}

/// Parts are drawn if they are this close to the pixels that are shown.
const MARGIN_PX: f64 = 1.0;

impl Painting {
    /// Passes the patches that are in a rectangle of pixels to `emit`, and perhaps some others, in the order of
    /// painting: the guides below the handles, the handles and the guides above them. Grids are below all of them
    /// ([`DrawList::grids`]).
    pub fn patches(&mut self, list: &DrawList, shown_px: &Rect, mut emit: impl FnMut(DepthStyle, &Patch)) {
        let [under, over] =
            list.guides().map(|guides| guides.chunks_exact(4).filter_map(|quad| quad.try_into().ok()));
        under.for_each(|quad| emit(DepthStyle::OnTop, &Patch::guide(quad)));
        self.shapes(list, Purpose::Picture, shown_px, |gizmo, item, shape| {
            shape.patches(&list.items()[item], |patch| emit(gizmo.depth_style, patch));
        });
        over.for_each(|quad| emit(DepthStyle::OnTop, &Patch::guide(quad)));
    }

    /// Passes the edges of the parts that can be picked and are in a rectangle of pixels to `emit`, and perhaps some
    /// others, in the order of painting.
    pub fn edges(&mut self, list: &DrawList, shown_px: &Rect, mut emit: impl FnMut(PartEdge<'_>)) {
        self.shapes(list, Purpose::Ids, shown_px, |gizmo, item, shape| {
            let (depth_style, anchor_px) = (gizmo.depth_style, shape.anchor_px);
            shape.edges(|edge| emit(PartEdge { item, depth_style, anchor_px, edge }));
        });
    }

    /// Passes the shapes that are in a rectangle of pixels to `emit`, and perhaps some others, with their gizmo and the
    /// index of their part.
    fn shapes(
        &mut self,
        list: &DrawList,
        purpose: Purpose,
        shown_px: &Rect,
        mut emit: impl FnMut(&GizmoEntry, usize, &Shape),
    ) {
        let entries = list.gizmos();
        self.gizmos.clear();
        self.gizmos.extend(0..entries.len());
        // The first of two at the same distance is in front.
        self.gizmos.sort_unstable_by(|a, b| entries[*b].depth.total_cmp(&entries[*a].depth).then(b.cmp(a)));
        for gizmo in &self.gizmos {
            let entry = &entries[*gizmo];
            if !shown_px.touches(&entry.bounds_px, MARGIN_PX) {
                continue;
            }
            for piece in list.pieces_of(*gizmo) {
                let index = piece.item as usize;
                let item = &list.items()[index];
                if purpose == Purpose::Picture || is_in_ids(item, piece) && list.may_touch(item, shown_px) {
                    list.shapes(piece, purpose, &mut self.triangles, |shape| emit(entry, index, &shape));
                }
            }
        }
    }
}

/// Returns true if a piece is in the ID image.
fn is_in_ids(item: &Item, piece: &Piece) -> bool {
    let is_part = match piece.part {
        PiecePart::Whole | PiecePart::Near => true,
        PiecePart::Far => item.is_whole_in_ids(),
    };
    item.id.is_some() && is_part
}
