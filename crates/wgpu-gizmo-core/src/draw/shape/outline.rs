//! Convex outlines, their edges, and the patches along them.

use crate::draw::shape::patch::{Ink, Side};
use crate::draw::shape::{Edge, Line, Patch, PatchCorner, Plane};
use crate::handle::Rgba;
use glam::{DMat2, DVec2};

/// How far a sharp corner is moved outward, relative to its sides.
pub(super) const MAX_MITER: f64 = 3.0;
/// Half of the largest angle of an arc that is drawn as a parabola, and the largest error of one in pixels.
const MAX_HALF_ARC: f64 = 0.3;
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
    /// The edge is where a stem is attached, and has no halo.
    pub(super) is_stem: bool,
}

/// A stem that is attached to a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attached {
    /// A point of its center line, and the unit direction from there along the stem.
    pub(super) origin: DVec2,
    pub(super) along: DVec2,
    pub(super) half_width: f64,
}

impl Attached {
    /// Returns true if the stem leaves the shape through a point of its outline.
    fn contains(&self, px: DVec2) -> bool {
        let from = px - self.origin;
        self.along.dot(from) > 0.0 && self.along.perp_dot(from).abs() < self.half_width
    }

    /// Returns the positions on a chord, from 0 to 1, where it crosses the sides of the stem, in order.
    fn crossings(&self, from: DVec2, to: DVec2) -> [Option<f64>; 2] {
        let [a, b] = [from, to].map(|px| self.along.perp_dot(px - self.origin));
        let mut at = [-self.half_width, self.half_width].map(|side| (side - a) / (b - a));
        if at[0] > at[1] {
            at.swap(0, 1);
        }
        at.map(|t| (t > 1e-3 && t < 1.0 - 1e-3).then_some(t))
    }
}

/// A convex outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline {
    corners: [Corner; MAX_CORNERS],
    count: usize,
}

/// Corners that are closer together are one.
pub(super) const SAME_PX: f64 = 0.05;

impl Outline {
    pub(super) const EMPTY: Self = Self {
        corners: [Corner { px: DVec2::ZERO, sagitta: 0.0, is_sharp: false, light: 1.0, is_stem: false };
            MAX_CORNERS],
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

    /// Returns the corners without the last one if it is the first one.
    fn closed(&self) -> &[Corner] {
        match self.corners() {
            [first, rest @ .., last] if first.px.distance(last.px) <= SAME_PX => &self.corners[..=rest.len()],
            corners => corners,
        }
    }

    /// Returns an outline of straight edges.
    pub(super) fn polygon(corners: &[DVec2]) -> Self {
        let mut outline = Self::EMPTY;
        for px in corners {
            outline.push(Corner { px: *px, is_sharp: true, light: 1.0, ..Corner::default() });
        }
        outline
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
        let half = (32.0 * MAX_ERROR_PX / radius.max(1e-3)).sqrt().sqrt().min(MAX_HALF_ARC);
        let count = (sweep / (2.0 * half)).ceil().clamp(1.0, 32.0) as u32;
        let half_step = DVec2::from_angle(0.5 * sweep / f64::from(count));
        let mut around = DVec2::from_angle(start);
        for _ in 0..count {
            let middle = half_step.rotate(around);
            // From the chord to the arc, across the chord.
            let chord = (*m * middle.perp()).normalize_or_zero();
            let sagitta = (1.0 - half_step.x) * (*m * middle).perp_dot(chord).abs();
            let px = center + *m * around;
            self.push(Corner { px, sagitta, light: light(around), ..Corner::default() });
            around = half_step.rotate(middle);
        }
    }

    /// Splits the edges at the sides of a stem. Those between them have no halo.
    pub(super) fn attached_to(&self, stem: &Attached) -> Self {
        let sides = Sides::new(self, None);
        let mut split = Self::EMPTY;
        for (i, corner) in sides.corners.iter().enumerate() {
            let end = sides.corners[sides.after(i)];
            // Parts of a parabola are parabolas.
            let at =
                |t: f64| corner.px.lerp(end.px, t) + sides.out(i) * (4.0 * corner.sagitta * t * (1.0 - t));
            let crossings = stem.crossings(corner.px, end.px);
            let starts = [Some(0.0), crossings[0], crossings[1]].into_iter().flatten();
            let ends = crossings.into_iter().flatten().chain([1.0]);
            for (start, to) in starts.zip(ends) {
                split.push(Corner {
                    px: at(start),
                    sagitta: corner.sagitta * (to - start).powi(2),
                    is_sharp: corner.is_sharp && start == 0.0,
                    light: corner.light + (end.light - corner.light) * start,
                    is_stem: stem.contains(at(0.5 * (start + to))),
                });
            }
        }
        split
    }

    /// Splits the edges where a line through a point crosses them.
    pub(super) fn split_along(&self, point: DVec2, along: DVec2) -> Self {
        self.attached_to(&Attached { origin: point, along: along.normalize_or_zero(), half_width: 0.0 })
    }

    /// Passes the edges of the outline to `emit`, whose pixels are the triangles from the apex to them. Without facets,
    /// they have no depth.
    pub(super) fn edges(&self, fan: &Fan, facets: Option<&Facets<'_>>, mut emit: impl FnMut(&Edge)) {
        let corners = self.closed();
        let apex = fan.apex.unwrap_or_else(|| middle_of(corners));
        for (i, corner) in corners.iter().enumerate() {
            let [start, end] = [corner.px, corners[(i + 1) % corners.len()].px];
            let triangle = [apex, start, end];
            let bounds = [(start, end), (end, start)].map(|(at, other)| Line::between([apex, at], other));
            let mut edge = Edge::of_outline([start, end], corner.sagitta, bounds, &triangle);
            if let Some(facets) = facets {
                edge.depth = Plane::through(triangle, facets(&triangle).depths);
            }
            let inside = corner.sagitta - edge.along.perp_dot(apex - edge.start);
            edge.round = fan.front_depth.map(|front| [front, inside]);
            emit(&edge);
        }
    }

    /// Passes the patches of each side to `emit`: one, or one per end if the outline turns at both.
    pub(super) fn patches(&self, fan: &Fan, facets: &Facets<'_>, ink: &Ink, mut emit: impl FnMut(&Patch)) {
        let Fan { reach_px, inset_px, light, front_depth, .. } = *fan;
        let sides = Sides::new(self, fan.apex);
        if sides.corners.is_empty() {
            return;
        }
        // From a middle close to a side, triangles to the outer corners would slant across the triangles of other sides.
        let from_apex = |i: usize| sides.out(i).dot(sides.apex - sides.corners[i].px);
        let is_close = front_depth.is_none() && (0..sides.corners.len()).any(|i| from_apex(i) > -reach_px);
        let mut moved = sides.moved(0, reach_px);
        for (i, corner) in sides.corners.iter().enumerate() {
            let after = sides.after(i);
            let end = &sides.corners[after];
            let ends = [moved, sides.moved(after, reach_px)];
            moved = ends[1];
            let middle = ends[0].midpoint(ends[1]);
            let middle_light = 0.5 * (corner.light + end.light);
            let triangle = [sides.apex, corner.px, end.px];
            let Facet { colors, lights, depths } = facets(&triangle);
            let depth = Plane::through(triangle, depths);
            let per_inside = front_depth.map_or(0.0, |_| from_apex(i).min(-1e-3).recip());
            let mut push = |edge: [DVec2; 2], outer: [DVec2; 2], ends: [f64; 2], next: Option<[usize; 2]>| {
                let along = sides.along(i, next, &[sides.apex, outer[0], outer[1]]);
                let [middle, from, to] = lights.unwrap_or([light, ends[0], ends[1]]);
                let corner_at = |px: DVec2, light: f64| {
                    let by = px - corner.px;
                    let beside = sides.out(i).dot(by);
                    PatchCorner {
                        px: ink.anchor_px + px,
                        uv: [along.start + along.change.dot(by), beside],
                        light,
                        opacity: colors[0][3].into(),
                        depth: [depth.at(px), front_depth.unwrap_or(0.0)],
                        inward: beside * per_inside,
                    }
                };
                let side = Side {
                    along: sides.out(i).perp(),
                    sagitta: if along.length > 0.0 { 0.0 } else { corner.sagitta },
                    length: along.length,
                    colors,
                    inset_px,
                    has_halo: !(corner.is_stem || fan.is_cover),
                };
                let apex = corner_at(sides.apex, middle);
                let outer = [corner_at(outer[0], from), corner_at(outer[1], to)];
                if is_close {
                    let edge = [corner_at(edge[0], from), corner_at(edge[1], to)];
                    emit(&ink.patch([[apex, edge[0]], [apex, edge[1]]], &side));
                    emit(&ink.patch([[edge[0], outer[0]], [edge[1], outer[1]]], &side));
                } else {
                    emit(&ink.patch([[apex, outer[0]], [apex, outer[1]]], &side));
                }
            };
            let (whole, half) = ([corner.px, end.px], corner.px.midpoint(end.px));
            let both = [corner.light, end.light];
            match [sides.is_sharp(i), sides.is_sharp(after)] {
                [true, true] if sides.are_parallel(sides.before(i), after) => {
                    push(whole, ends, both, Some([sides.before(i), after]));
                }
                [true, true] => {
                    let before = Some([sides.before(i); 2]);
                    push([whole[0], half], [ends[0], middle], [both[0], middle_light], before);
                    push([half, whole[1]], [middle, ends[1]], [middle_light, both[1]], Some([after; 2]));
                }
                [true, false] => push(whole, ends, both, Some([sides.before(i); 2])),
                [false, true] => push(whole, ends, both, Some([after; 2])),
                [false, false] => push(whole, ends, both, None),
            }
        }
    }
}

/// The cosine of the smallest turn of the outline at a corner of straight edges that pixels are cut by twice (0.1
/// radians), and at any corner (0.9 radians).
const MIN_SHARP_COSINE: f64 = 0.995;
const MIN_TURN_COSINE: f64 = 0.6216;
/// The cosine of the angle between two edges that are almost parallel.
const MIN_PARALLEL: f64 = 0.995;
/// How far the second edge of a sharp corner is moved inward if it is a right one, and how much farther for each
/// cosine of its angle: the product of two coverages is more than that of an acute corner, and less than that of an
/// obtuse one.
const INWARD_PX: f64 = 0.03;
const INWARD_PX_PER_COSINE: f64 = 0.1;

fn middle_of(corners: &[Corner]) -> DVec2 {
    corners.iter().map(|corner| corner.px).sum::<DVec2>() / corners.len() as f64
}

/// The edges of an outline with their directions.
struct Sides<'a> {
    corners: &'a [Corner],
    /// The point that all patches have in common.
    apex: DVec2,
    /// The unit normals of the edges, which point outward.
    normals: [DVec2; MAX_CORNERS],
}

/// The position of a point along an edge: a linear function.
struct Along {
    /// At the start of the edge, and its change per pixel.
    start: f64,
    change: DVec2,
    length: f64,
}

impl<'a> Sides<'a> {
    fn new(outline: &'a Outline, apex: Option<DVec2>) -> Self {
        let corners = outline.closed();
        let center = middle_of(corners);
        let mut sides = Self { corners, apex: apex.unwrap_or(center), normals: [DVec2::ZERO; MAX_CORNERS] };
        let twice_area: f64 = (0..corners.len())
            .map(|i| (corners[i].px - center).perp_dot(corners[sides.after(i)].px - center))
            .sum();
        // 1 if outward is to the left of the edges.
        let winding = if twice_area < 0.0 { 1.0 } else { -1.0 };
        for i in 0..corners.len() {
            sides.normals[i] = sides.edge(i).normalize_or_zero().perp() * winding;
        }
        sides
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
        self.normals[i]
    }

    /// Returns a corner that is moved outward along the bisector of its edges.
    fn moved(&self, i: usize, reach_px: f64) -> DVec2 {
        let [a, b] = [self.out(self.before(i)), self.out(i)];
        let reach = reach_px + self.corners[self.before(i)].sagitta.max(self.corners[i].sagitta);
        self.corners[i].px + (a + b) * (reach / (1.0 + a.dot(b)).max(2.0 / (MAX_MITER * MAX_MITER)))
    }

    fn is_sharp(&self, i: usize) -> bool {
        let cosine = self.out(self.before(i)).dot(self.out(i));
        cosine < MIN_TURN_COSINE || self.corners[i].is_sharp && cosine < MIN_SHARP_COSINE
    }

    /// Returns true if the outline has the same width everywhere between two edges, almost.
    fn are_parallel(&self, before: usize, after: usize) -> bool {
        self.out(before).dot(self.out(after)) < -MIN_PARALLEL
    }

    /// Returns the position along an edge within a patch that other edges bound, too: one, or two parallel ones.
    fn along(&self, i: usize, next: Option<[usize; 2]>, patch: &[DVec2; 3]) -> Along {
        let (start, edge) = (self.corners[i].px, self.edge(i));
        let Some([first, second]) = next else {
            return Along { start: 0.0, change: edge / edge.length_squared(), length: 0.0 };
        };
        let inside = |of: usize, at: DVec2| {
            // The cosine of the angle between the edges is that between their normals, negated.
            let inward = INWARD_PX - INWARD_PX_PER_COSINE * self.out(i).dot(self.out(of));
            self.out(of).dot(self.corners[of].px - at) - inward
        };
        let length = if first == second {
            // The other end is far.
            2.0 * patch.iter().map(|at| inside(first, *at)).fold(0.0, f64::max) + 1.0
        } else {
            inside(first, self.apex) + inside(second, self.apex)
        };
        Along { start: inside(first, start) / length, change: -self.out(first) / length, length }
    }
}

/// The surface along an edge: its color, light and depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// The color at the edge, and that inside.
    pub(super) colors: [Rgba; 2],
    /// The factors on the brightness, in the middle and at the ends; `None` for the factors of the fan and the corners.
    pub(super) lights: Option<[f64; 3]>,
    /// The depth of the view in the middle and at the ends.
    pub(super) depths: [f64; 3],
}

/// Returns the facet of the triangle from the middle to an edge.
pub(super) type Facets<'a> = dyn Fn(&[DVec2; 3]) -> Facet + 'a;

/// How an outline is filled.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fan {
    /// The point that all patches have in common, inside of all chords; or `None` for the middle of the corners.
    pub(super) apex: Option<DVec2>,
    /// How far they reach beyond it.
    pub(super) reach_px: f64,
    pub(super) inset_px: f64,
    /// The factor on the brightness in the middle.
    pub(super) light: f64,
    /// The change of depth from the outline of a ball to its front.
    pub(super) front_depth: Option<f64>,
    /// The outline covers a part of another one, and has no halo, no rim and no ids.
    pub(super) is_cover: bool,
}
