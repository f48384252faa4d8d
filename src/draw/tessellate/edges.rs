//! The soft edge, the halo and the rim of a convex outline.

use super::{ShapeRim, Triangles, mix, shade};
use crate::draw::Rim;
use crate::handle::Rgba;
use glam::DVec2;

/// An edge of a closed, convex outline. The next one begins where it ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: DVec2,
    /// The colors at both ends.
    pub(super) colors: [Rgba; 2],
    /// The opacity of the halo along it.
    pub(super) halo: f32,
    /// False where a stem is attached.
    pub(super) has_rim: bool,
}

/// The gap in the halo and the rim of an arrow head, through which its stem passes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stem {
    /// A point of its center line, and the unit direction from there along the stem.
    pub(super) origin: DVec2,
    pub(super) along: DVec2,
    pub(super) half_width: f64,
}

impl Stem {
    /// Returns the position on an edge where it crosses a side of the stem.
    fn crossings(&self, from: DVec2, to: DVec2) -> [Option<f64>; 2] {
        let [a, b] = [from, to].map(|at| self.along.perp_dot(at - self.origin));
        [-self.half_width, self.half_width].map(|side| {
            let t = (side - a) / (b - a);
            let is_ahead = self.along.dot(from.lerp(to, t) - self.origin) > 0.0;
            (t > 1e-6 && t < 1.0 - 1e-6 && is_ahead).then_some(t)
        })
    }

    fn contains(&self, at: DVec2) -> bool {
        let from = at - self.origin;
        self.along.dot(from) > 0.0 && self.along.perp_dot(from).abs() < self.half_width
    }
}

/// An outline whose soft edge, halo and rim are added. It keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    edges: Vec<Edge>,
    split: Vec<Edge>,
}

/// The shape inside of a soft edge: its outline, moved inward by half a pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inset {
    winding: f64,
    /// That of a circle inside of the outline.
    radius: f64,
    by: f64,
    /// The coverage at the inner end of the soft edge, which is less than 1 for a shape thinner than a pixel.
    pub(super) coverage: f32,
}

impl Inset {
    /// Returns the inset of a convex polygon, or `None` if it has no area.
    pub(super) fn new(corners: impl Iterator<Item = DVec2> + Clone) -> Option<Self> {
        let radius = Self::radius(corners.clone())?;
        let by = radius.min(0.5);
        Some(Self { winding: twice_area(corners).signum(), radius, by, coverage: (2.0 * by) as f32 })
    }

    /// Returns the radius of a circle inside of a convex polygon, or `None` if the polygon has no area. The
    /// largest such circle is at most twice as large.
    pub(super) fn radius(corners: impl Iterator<Item = DVec2> + Clone) -> Option<f64> {
        let next = corners.clone().cycle().skip(1);
        let perimeter: f64 = corners.clone().zip(next).map(|(a, b)| a.distance(b)).sum();
        let radius = twice_area(corners).abs() / perimeter;
        (radius > 1e-6).then_some(radius)
    }

    /// Returns the unit normal of an edge, which points outward.
    fn normal(&self, from: DVec2, to: DVec2) -> DVec2 {
        (to - from).perp().normalize_or_zero() * -self.winding
    }

    /// Returns the way outward at a corner for each pixel of distance from both of its edges.
    fn miter(&self, [before, at, after]: [DVec2; 3]) -> DVec2 {
        let [a, b] = [self.normal(before, at), self.normal(at, after)];
        (a + b) / (1.0 + a.dot(b)).max(0.05)
    }

    /// Returns a corner of the inner end of the soft edge, given the corner of the outline and its neighbors.
    pub(super) fn inner(&self, corners: [DVec2; 3]) -> DVec2 {
        corners[1] - self.miter(corners) * self.by
    }
}

/// Returns twice the area of a polygon, negative if it winds the other way.
fn twice_area(corners: impl Iterator<Item = DVec2> + Clone) -> f64 {
    let origin = corners.clone().next().unwrap_or_default();
    let next = corners.clone().cycle().skip(1);
    corners.zip(next).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum()
}

impl Edges {
    pub(super) fn clear(&mut self) {
        self.edges.clear();
    }

    /// Appends an edge.
    pub(super) fn push(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Removes edges that are too short to have a direction.
    pub(super) fn remove_short(&mut self) {
        let mut kept = 0;
        for i in 0..self.edges.len() {
            let to = self.edges[(i + 1) % self.edges.len()].from;
            if self.edges[i].from.distance_squared(to) > 1e-6 {
                self.edges[kept] = self.edges[i];
                kept += 1;
            }
        }
        self.edges.truncate(kept);
    }

    /// Returns the corner of the outline at an index, between its neighbors.
    pub(super) fn corner(&self, index: usize) -> [DVec2; 3] {
        let count = self.edges.len();
        [index + count - 1, index, index + 1].map(|i| self.edges[i % count].from)
    }

    /// Returns the inner end of the soft edge at the corner that is nearest to a point.
    pub(super) fn inner_near(&self, inset: &Inset, at: DVec2) -> DVec2 {
        let distance = |i: &usize| self.edges[*i].from.distance_squared(at);
        let nearest = (0..self.edges.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(at, |i| inset.inner(self.corner(i)))
    }

    pub(super) fn inset(&self) -> Option<Inset> {
        Inset::new(self.edges.iter().map(|edge| edge.from))
    }

    /// Splits the edges at the sides of a stem, and removes the halo between them, and the rim where the stem
    /// has none.
    pub(super) fn leave_free(&mut self, stem: &Stem, rim: Option<ShapeRim>) {
        self.split_at(stem, |edge| Edge { halo: 0.0, ..edge });
        if let Some(rim) = rim {
            let inside = Stem { half_width: stem.half_width - rim.width_px(), ..*stem };
            self.split_at(&inside, |edge| Edge { has_rim: false, ..edge });
        }
    }

    /// Splits the edges at the sides of a stem, and replaces those between them.
    fn split_at(&mut self, stem: &Stem, replaced: impl Fn(Edge) -> Edge) {
        self.split.clear();
        for (i, edge) in self.edges.iter().enumerate() {
            let to = self.edges[(i + 1) % self.edges.len()].from;
            let mut at = stem.crossings(edge.from, to);
            if at[0] > at[1] {
                at.swap(0, 1);
            }
            let cuts = [Some(0.0), at[0], at[1]].into_iter().flatten();
            let ends = at.into_iter().flatten().chain([1.0]);
            for (start, end) in cuts.zip(ends) {
                let is_stem = stem.contains(edge.from.lerp(to, 0.5 * (start + end)));
                let part = Edge {
                    from: edge.from.lerp(to, start),
                    colors: [start, end].map(|t| mix(edge.colors[0], edge.colors[1], t as f32)),
                    ..*edge
                };
                self.split.push(if is_stem { replaced(part) } else { part });
            }
        }
        std::mem::swap(&mut self.edges, &mut self.split);
    }

    /// Adds the soft edge, the halo and the rim of the outline.
    pub(super) fn add(&self, triangles: &mut Triangles, inset: &Inset, halo_px: f64, rim: Option<ShapeRim>) {
        let count = self.edges.len();
        for (i, edge) in self.edges.iter().enumerate() {
            let [start, end] = [self.corner(i), self.corner(i + 1)];
            let normal = inset.normal(edge.from, end[1]);
            let spoke = |triangles: &mut Triangles, corner, out: DVec2, color: Rgba, halo: f32| {
                let rim = rim.filter(|_| edge.has_rim).map(|rim| (rim.lit(color), inset.miter(corner)));
                Spoke { inner: inset.inner(corner), at: corner[1], out, color, halo, halo_px, rim }
                    .add(triangles, inset)
            };
            // The normals of neighbors differ: the soft edge turns around the corner between them.
            let miter = |corner| Some(inset.miter(corner)).filter(|out| out.length_squared() < MAX_MITER);
            let [from_out, to_out] = [miter(start), miter(end)];
            let from = spoke(triangles, start, from_out.unwrap_or(normal), edge.colors[0], edge.halo);
            let to = spoke(triangles, end, to_out.unwrap_or(normal), edge.colors[1], edge.halo);
            join(triangles, from, to);
            if to_out.is_none() {
                let next = &self.edges[(i + 1) % count];
                let next_normal = inset.normal(next.from, self.corner(i + 2)[1]);
                let middle = (normal + next_normal).normalize_or(normal);
                let middle = spoke(triangles, end, middle, edge.colors[1], edge.halo);
                let last = spoke(triangles, end, next_normal, edge.colors[1], edge.halo.min(next.halo));
                join(triangles, to, middle);
                join(triangles, middle, last);
            }
        }
    }
}

/// Corners with a longer miter are rounded; the square of the length.
const MAX_MITER: f64 = 1.25;

/// A line of vertices from the inner end of a soft edge, or of a rim, outward.
struct Spoke {
    inner: DVec2,
    at: DVec2,
    /// The way outward for each pixel.
    out: DVec2,
    color: Rgba,
    halo: f32,
    halo_px: f64,
    /// The rim, and the way outward inside of the shape.
    rim: Option<(Rim, DVec2)>,
}

/// The first vertex of a spoke, and their number.
#[derive(Debug, Clone, Copy)]
struct SpokeVertices {
    first: u32,
    count: u32,
}

impl Spoke {
    fn add(&self, triangles: &mut Triangles, inset: &Inset) -> SpokeVertices {
        let first = triangles.vertices.len() as u32;
        let color = match self.rim {
            Some((rim, miter)) => {
                // Over the fill, from the inner end of the rim.
                for from in [rim.width_px + 0.5, rim.width_px - 0.5] {
                    let from = from.clamp(inset.by, inset.radius);
                    let share = (rim.width_px + 0.5 - from).clamp(0.0, 1.0) as f32;
                    triangles.vertex(self.at - miter * from, shade(rim.color, share * inset.coverage, 0.0));
                }
                rim.color
            }
            None => self.color,
        };
        triangles.vertex(self.inner, shade(color, inset.coverage, self.halo));
        let mut push = |distance: f64, halo: f32| {
            triangles.vertex(self.at + self.out * distance, shade(color, 0.0, halo));
        };
        let has_halo = self.halo_px > 0.0;
        push(0.5, if has_halo { self.halo } else { 0.0 });
        if has_halo {
            push((self.halo_px - 0.5).max(0.5), self.halo);
            push(self.halo_px + 0.5, 0.0);
        }
        SpokeVertices { first, count: triangles.vertices.len() as u32 - first }
    }
}

fn join(triangles: &mut Triangles, from: SpokeVertices, to: SpokeVertices) {
    for i in 0..from.count.min(to.count) - 1 {
        triangles.quad([from.first + i, from.first + i + 1], [to.first + i, to.first + i + 1]);
    }
}
