//! The order of painting: the shapes of all gizmos from back to front.

use super::item::Item;
use super::list::{DrawList, GizmoEntry};
use super::order::{Piece, PiecePart};
use super::shape::{Purpose, Shape};
use crate::math::Rect;

/// Passes the shapes of a list from back to front. Kept between frames, so that this allocates nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Painting {
    /// The indices of the gizmos, farthest first.
    gizmos: Vec<usize>,
    /// Scratch memory for the triangles of a custom mesh.
    triangles: Vec<(f64, u32)>,
}

/// Parts are drawn if they are this close to the pixels that are shown.
const MARGIN_PX: f64 = 1.0;

impl Painting {
    /// Passes the shapes that are in a rectangle of pixels to `emit`, and perhaps some others, with their gizmo and the
    /// index of their part.
    pub(crate) fn shapes(
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
