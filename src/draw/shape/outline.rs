//! Convex outlines and the wedges along their edges.

use super::Wedge;
use crate::handle::Rgba;
use glam::{DMat2, DVec2};

/// How far a sharp corner is moved outward, relative to its sides.
const MAX_MITER: f64 = 3.0;
/// Half of the largest angle of an arc that is drawn as a parabola, and the largest error of one in pixels.
const MAX_HALF_ARC: f64 = 0.4;
const MAX_ERROR_PX: f64 = 0.03;
/// The maximum number of corners of an outline.
const MAX_CORNERS: usize = 40;

/// A corner of a convex outline, and the edge that begins there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    pub(super) px: DVec2,
    /// How far the edge bulges outward.
    pub(super) sagitta: f64,
    /// Two straight edges meet here.
    pub(super) is_sharp: bool,
    pub(super) light: f64,
}

/// A convex outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline {
    corners: [Corner; MAX_CORNERS],
    count: usize,
}

/// Corners that are closer together are one.
const SAME_PX: f64 = 0.05;

impl Outline {
    pub(super) const EMPTY: Self = Self {
        corners: [Corner { px: DVec2::ZERO, sagitta: 0.0, is_sharp: false, light: 1.0 }; MAX_CORNERS],
        count: 0,
    };

    pub(super) fn push(&mut self, corner: Corner) {
        let is_new = self.corners().last().is_none_or(|last| last.px.distance(corner.px) > SAME_PX);
        if is_new && self.count < MAX_CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// Returns an outline of straight edges.
    pub(super) fn polygon(corners: &[DVec2]) -> Self {
        let mut outline = Self::EMPTY;
        for px in corners {
            outline.push(Corner { px: *px, sagitta: 0.0, is_sharp: true, light: 1.0 });
        }
        outline
    }

    /// Returns the part of a polygon whose distance along a normal is at most `high`.
    pub(super) fn clipped(&self, normal: DVec2, high: f64) -> Self {
        let beyond = |corner: &Corner| normal.dot(corner.px) - high;
        let mut clipped = Self::EMPTY;
        let corners = self.corners();
        for (i, corner) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            let (from, to) = (beyond(corner), beyond(&next));
            if from <= 0.0 {
                clipped.push(*corner);
            }
            if from * to < 0.0 {
                clipped.push(Corner { px: corner.px.lerp(next.px, from / (from - to)), ..*corner });
            }
        }
        clipped
    }

    /// Adds the part of an ellipse from an angle on, in radians on its unit circle.
    pub(super) fn add_arc(
        &mut self,
        center: DVec2,
        m: &DMat2,
        [start, sweep]: [f64; 2],
        light: impl Fn(DVec2) -> f64,
    ) {
        let radius = m.x_axis.length().max(m.y_axis.length());
        let half = (32.0 * MAX_ERROR_PX / radius.max(1e-3)).powf(0.25).min(MAX_HALF_ARC);
        let count = (sweep / (2.0 * half)).ceil().clamp(1.0, 32.0) as u32;
        let step = sweep / f64::from(count);
        let sagitta = |middle: f64| {
            // From the chord to the arc, across the chord.
            let (out, along) =
                (m.mul_vec2(DVec2::from_angle(middle)), m.mul_vec2(DVec2::from_angle(middle).perp()));
            (1.0 - (0.5 * step).cos()) * out.perp_dot(along.normalize_or_zero()).abs()
        };
        for i in 0..count {
            let angle = start + f64::from(i) * step;
            let around = DVec2::from_angle(angle);
            let sagitta = sagitta(angle + 0.5 * step);
            self.push(Corner { px: center + *m * around, sagitta, is_sharp: false, light: light(around) });
        }
    }

    /// Passes a wedge per edge to `emit`. `colors` returns its colors for a point inside.
    pub(super) fn wedges(
        &self,
        Fan { reach_px, inset_px, light }: Fan,
        emit: &mut impl FnMut(Wedge),
        mut colors: impl FnMut(DVec2) -> [Rgba; 2],
    ) {
        let edges = Edges::new(self.corners());
        let corners = edges.corners;
        for i in 0..corners.len() {
            let after = edges.after(i);
            let wedge = [edges.center, edges.moved(i, reach_px), edges.moved(after, reach_px)];
            let along = edges.along(i, &wedge);
            let beyond = |at: DVec2| edges.out(i).dot(at - corners[i].px);
            emit(Wedge {
                corners: wedge,
                places: wedge.map(|at| [along.start + along.change.dot(at - corners[i].px), beyond(at)]),
                length: along.length,
                lights: [light, corners[i].light, corners[after].light],
                sagitta: if along.length > 0.0 { 0.0 } else { corners[i].sagitta },
                half_width: None,
                colors: colors(edges.center.midpoint(corners[i].px.midpoint(corners[after].px))),
                inset_px,
            });
        }
    }
}

/// The smallest turn of the outline, in radians, at a corner of straight edges that pixels are cut by twice, and
/// at any corner.
const MIN_SHARP: f64 = 0.1;
const MIN_TURN: f64 = 0.9;
/// How far the second edge of a sharp corner is moved inward: the product of two coverages is more than that of
/// an acute corner.
const INWARD_PX: f64 = 0.03;

/// The edges of an outline.
struct Edges<'a> {
    corners: &'a [Corner],
    center: DVec2,
    /// 1 if outward is to the left of the edges.
    winding: f64,
}

/// The position of a point along an edge: a linear function.
struct Along {
    /// At the start of the edge, and its change per pixel.
    start: f64,
    change: DVec2,
    length: f64,
}

impl<'a> Edges<'a> {
    fn new(mut corners: &'a [Corner]) -> Self {
        if let [first, rest @ .., last] = corners {
            if first.px.distance(last.px) <= SAME_PX {
                corners = &corners[..=rest.len()];
            }
        }
        let center = corners.iter().map(|corner| corner.px).sum::<DVec2>() / corners.len() as f64;
        let mut edges = Self { corners, center, winding: 1.0 };
        let twice_area: f64 = (0..corners.len())
            .map(|i| (corners[i].px - center).perp_dot(corners[edges.after(i)].px - center))
            .sum();
        edges.winding = if twice_area < 0.0 { 1.0 } else { -1.0 };
        edges
    }

    fn after(&self, i: usize) -> usize {
        (i + 1) % self.corners.len()
    }

    fn before(&self, i: usize) -> usize {
        (i + self.corners.len() - 1) % self.corners.len()
    }

    /// Returns an edge as a vector.
    fn edge(&self, i: usize) -> DVec2 {
        self.corners[self.after(i)].px - self.corners[i].px
    }

    /// Returns the unit normal of an edge.
    fn out(&self, i: usize) -> DVec2 {
        self.edge(i).normalize_or_zero().perp() * self.winding
    }

    /// Returns a corner that is moved outward along the bisector of its edges.
    fn moved(&self, i: usize, reach_px: f64) -> DVec2 {
        let [a, b] = [self.out(self.before(i)), self.out(i)];
        let reach = reach_px + self.corners[self.before(i)].sagitta.max(self.corners[i].sagitta);
        self.corners[i].px + (a + b) * (reach / (1.0 + a.dot(b)).max(2.0 / (MAX_MITER * MAX_MITER)))
    }

    fn is_sharp(&self, i: usize) -> bool {
        let turn = self.out(self.before(i)).angle_to(self.out(i)).abs();
        turn > MIN_TURN || self.corners[i].is_sharp && turn > MIN_SHARP
    }

    /// Returns the position along an edge within a wedge.
    fn along(&self, i: usize, wedge: &[DVec2; 3]) -> Along {
        let (after, before) = (self.after(i), self.before(i));
        let (start, edge) = (self.corners[i].px, self.edge(i));
        // How far a point is inside of the edges before and after this one.
        let inside = |of: usize, at: DVec2| self.out(of).dot(self.corners[of].px - at) - INWARD_PX;
        let farthest = |of: usize| 2.0 * wedge.iter().map(|at| inside(of, *at)).fold(0.0, f64::max) + 1.0;
        match [self.is_sharp(i), self.is_sharp(after)] {
            [false, false] => Along { start: 0.0, change: edge / edge.length_squared(), length: 0.0 },
            [true, false] => {
                let length = farthest(before);
                let change = -self.out(before) / length;
                Along { start: inside(before, start) / length, change, length }
            }
            [false, true] => {
                let length = farthest(after);
                let change = self.out(after) / length;
                Along { start: 1.0 - inside(after, start) / length, change, length }
            }
            [true, true] => {
                let [first, second] = [inside(before, self.center), inside(after, self.center)];
                let length = first + second;
                // From 0 to 1 along the edge, and in the middle in the ratio of both distances.
                let to_center = self.center - start;
                let area = edge.perp_dot(to_center);
                let share = first / length;
                let change = DVec2::new(to_center.y - share * edge.y, share * edge.x - to_center.x) / area;
                let inward = INWARD_PX / length;
                Along { start: -inward, change: change * (1.0 + 2.0 * inward), length }
            }
        }
    }
}

/// The numbers of the wedges of an outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fan {
    /// How far they reach beyond it.
    pub(super) reach_px: f64,
    pub(super) inset_px: f64,
    /// The factor on the brightness in the middle.
    pub(super) light: f64,
}
