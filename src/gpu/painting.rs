//! The order of painting, which the picture and the ID image share.

use super::tile_view::PixelGrid;
use crate::draw::shape::{Expansion, Purpose, Shape};
use crate::draw::{DepthStyle, DrawList, GizmoEntry, Item, Piece, PiecePart};
use std::ops::Range;

/// Passes the shapes of a list from back to front. Kept between frames, so that this allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Painting {
    /// The indices of the gizmos, farthest first.
    order: Vec<usize>,
    /// Scratch memory for the triangles of a custom mesh.
    triangles: Vec<(f64, u32)>,
}

impl Painting {
    /// Passes the shapes of the parts that may be in the grid to `emit`, with the style of their gizmo and the index of their part.
    pub(super) fn shapes(
        &mut self,
        list: &DrawList,
        purpose: Purpose,
        grid: &PixelGrid,
        mut emit: impl FnMut(DepthStyle, u32, &Shape),
    ) {
        self.sort(list.gizmos());
        for gizmo in &self.order {
            let entry = &list.gizmos()[*gizmo];
            if !grid.may_show(&entry.bounds_px) {
                continue;
            }
            for piece in list.pieces_of(*gizmo) {
                let item = &list.items()[piece.item as usize];
                if purpose == Purpose::Ids && !(is_in_ids(item, piece) && grid.may_show_part(list, item)) {
                    continue;
                }
                let shapes = Expansion::new(list, piece, purpose);
                shapes.shapes(&mut self.triangles, |shape| emit(entry.depth_style, piece.item, &shape));
            }
        }
    }

    /// Sorts the gizmos from back to front. The first of two at the same distance is in front.
    fn sort(&mut self, gizmos: &[GizmoEntry]) {
        self.order.clear();
        self.order.extend(0..gizmos.len());
        self.order.sort_unstable_by(|a, b| gizmos[*b].depth.total_cmp(&gizmos[*a].depth).then(b.cmp(a)));
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

/// Draw calls in the order of painting: neighbors of one style are one call.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// The style and the end of each call's indices or records.
    ends: Vec<(DepthStyle, u32)>,
}

impl Runs {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
    }

    /// Adds what was appended up to `end`. Returns false if that is nothing.
    pub(super) fn add(&mut self, style: DepthStyle, end: usize) -> bool {
        let end = end as u32;
        let is_new = end > self.ends.last().map_or(0, |(_, end)| *end);
        match self.ends.last_mut() {
            Some((last, last_end)) if *last == style => *last_end = end,
            _ if is_new => self.ends.push((style, end)),
            _ => {}
        }
        is_new
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (DepthStyle, Range<u32>)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(_, end)| *end));
        starts.zip(&self.ends).map(|(start, (style, end))| (*style, start..*end))
    }
}
