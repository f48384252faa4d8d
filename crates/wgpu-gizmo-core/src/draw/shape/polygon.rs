//! Convex polygons that lines cut.

use crate::draw::shape::outline::SAME_PX;
use glam::DVec2;

/// The maximum number of corners of a polygon: a rectangle that six lines cut.
const MAX_POLYGON: usize = 10;

/// A convex outline of straight edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    corners: [DVec2; MAX_POLYGON],
    count: usize,
}

impl Polygon {
    pub(super) fn new(corners: impl IntoIterator<Item = DVec2>) -> Self {
        let mut polygon = Self { corners: [DVec2::ZERO; MAX_POLYGON], count: 0 };
        for corner in corners {
            let is_new = polygon.corners().last().is_none_or(|last| last.distance(corner) > SAME_PX);
            if is_new && polygon.count < MAX_POLYGON {
                polygon.corners[polygon.count] = corner;
                polygon.count += 1;
            }
        }
        polygon
    }

    pub(super) fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// Returns a corner; before the first corner is the last one, and after the last corner the first one.
    fn corner(&self, i: usize) -> DVec2 {
        self.corners[i % self.count]
    }

    /// Returns the part whose distance along a normal is at most `high`.
    pub(super) fn clipped(&self, normal: DVec2, high: f64) -> Self {
        let beyond = |corner: DVec2| normal.dot(corner) - high;
        let parts = (0..self.count).flat_map(|i| {
            let (corner, next) = (self.corner(i), self.corner(i + 1));
            let (from, to) = (beyond(corner), beyond(next));
            let crossing = (from * to < 0.0).then(|| corner.lerp(next, from / (from - to)));
            [(from <= 0.0).then_some(corner), crossing]
        });
        Self::new(parts.flatten())
    }

    /// Replaces edges that are too short to be seen by the corner of the edges next to them.
    pub(super) fn without_chamfers(&self) -> Self {
        let edge = |i: usize| self.corner(i + 1) - self.corner(i);
        let is_short = |i: usize| edge(i).length_squared() < MIN_EDGE_PX * MIN_EDGE_PX;
        Self::new((0..self.count).filter_map(|i| {
            let before = i + self.count - 1;
            // The corner at the end of a short edge is replaced together with the one at its start.
            match [is_short(before), is_short(i)] {
                [true, false] => None,
                [false, true] => {
                    let lines = [(edge(before), self.corner(i)), (edge(i + 1), self.corner(i + 1))];
                    Some(crossing(lines).unwrap_or(self.corner(i)))
                }
                _ => Some(self.corner(i)),
            }
        }))
    }
}

/// Returns the point where two lines cross, given as a direction and a point, unless they are almost parallel.
fn crossing([(a, p), (b, q)]: [(DVec2, DVec2); 2]) -> Option<DVec2> {
    let area = a.perp_dot(b);
    (area.abs() > 0.1 * a.length() * b.length()).then(|| p + a * ((q - p).perp_dot(b) / area))
}

/// The length of an edge, in pixels, that is too short to be seen.
const MIN_EDGE_PX: f64 = 0.7;
