//! The order in which the parts of a gizmo are painted, so that nearer ones hide farther ones.
//!
//! All parts of a gizmo stand on rays from its pivot, and rings lie on a sphere around it. So a depth
//! buffer is not needed: inside of the sphere, the order of the parts' centers along the view is the order
//! on every pixel; the near half of the sphere is in front of all that is inside, and the far half is
//! behind it; a part outside of the sphere is in front of all of it or behind all of it.

use std::cmp::Ordering;

/// A layer of a gizmo, from back to front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PaintLayer {
    /// The trackball if handles of several channels are shown.
    Backdrop,
    /// Outside of the rings, on the far side.
    Beyond,
    /// The far halves of rings.
    FarArcs,
    /// The trackball.
    Ball,
    /// Inside of the rings.
    Inside,
    /// The near halves of rings, and rings that face the viewer.
    NearArcs,
    /// Outside of the rings, on the near side.
    Before,
}

/// The share of a part that is painted at one position in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PiecePart {
    Whole,
    /// The far half of a ring.
    Far,
    /// The near half of a ring.
    Near,
}

/// One position in the order of painting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    /// The index of the part in the draw list.
    pub(crate) item: u32,
    pub(crate) part: PiecePart,
    pub(super) layer: PaintLayer,
    /// How far the center is toward the viewer from the pivot, in sizes.
    pub(super) nearness: f64,
}

impl Piece {
    /// Orders pieces from back to front.
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        self.layer
            .cmp(&other.layer)
            .then(self.nearness.total_cmp(&other.nearness))
            .then(self.part.cmp(&other.part))
            .then(self.item.cmp(&other.item))
    }
}

impl PaintLayer {
    /// Returns the layer of a part that is not a ring or a trackball, by the distance of its center from
    /// the pivot.
    pub(super) fn at(distance: f64, nearness: f64) -> Self {
        match distance >= 1.0 {
            true if nearness < 0.0 => Self::Beyond,
            true => Self::Before,
            false => Self::Inside,
        }
    }
}
