//! The order in which the parts of a gizmo are painted, so that nearer ones hide farther ones.
//!
//! All parts of a gizmo stand on rays from its pivot, and rings lie on a sphere around it, so a depth
//! buffer is not needed. Inside the sphere, parts are ordered by the depth of their centers. The near half
//! of the sphere is in front of everything inside, and the far half is behind it. A part outside the sphere
//! is either in front of the whole sphere or behind it.

/// A layer of a gizmo, from back to front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PaintLayer {
    /// The trackball if handles of several channels are shown, and the inactive handles in a drag.
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

/// The whole of a part, or the half of a ring, that is painted at one position in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PiecePart {
    Whole,
    /// The far half of a ring.
    Far,
    /// The near half of a ring.
    Near,
}

/// One position in the order of painting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    /// The layer, then how far the center is toward the viewer.
    key: u64,
    /// The index of the part in the draw list.
    pub(crate) item: u32,
    pub(crate) part: PiecePart,
}

impl Piece {
    /// Creates a piece. Pieces are ordered from back to front; `nearness` is how far the center is toward
    /// the viewer from the pivot.
    pub(super) fn new(item: u32, part: PiecePart, layer: PaintLayer, nearness: f64) -> Self {
        // The bits of floats in the order of their values.
        let bits = nearness.to_bits();
        let ordered = if nearness.is_sign_negative() { !bits } else { bits | 1 << 63 };
        Self { key: (layer as u64) << 60 | ordered >> 4, item, part }
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
