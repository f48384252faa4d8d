//! Patches as bands of triangles, for renderers without the shader of this crate.
//!
//! Across an edge, the color of a patch changes only within a pixel of a few distances: where the rim, the soft edge
//! and the halo begin and end. Vertices at those distances with the color of the shader, and linear colors between
//! them, are nearly its picture.

use crate::draw::grid::GuideGrid;
use crate::draw::guides::{GuideVertex, clip_line};
use crate::draw::painter::Triangles;
use crate::draw::shape::{Patch, PatchCorner};
use crate::handle::Rgba;
use crate::math::View;
use glam::{DVec2, DVec3, Vec4};

/// The distance of a band from the curve that it follows, in pixels.
const TOLERANCE_PX: f64 = 0.1;
/// The number of pieces of a stroke that ends in a point: it narrows only where its quad is narrower than it.
const NEEDLE_PIECES: u32 = 8;
/// The positions from the outline of a ball to its middle between which its light is nearly linear.
const BALL_RINGS: [f64; 4] = [0.7, 0.45, 0.25, 0.1];

/// The maximum number of sections: the pieces of an arc, and six distances at each of its ends.
const MAX_SECTIONS: usize = 48;
/// The maximum number of cuts of a section: six distances on each side of a stroke.
const MAX_CUTS: usize = 12;

/// Positions in ascending order, at most N, so that nothing is allocated.
struct Stops<const N: usize> {
    at: [f64; N],
    count: usize,
}

impl<const N: usize> Stops<N> {
    fn new() -> Self {
        Self { at: [0.0; N], count: 0 }
    }

    fn as_slice(&self) -> &[f64] {
        &self.at[..self.count]
    }

    /// Adds a position at the end: the last one again if that is greater.
    fn push(&mut self, at: f64) {
        let last = self.as_slice().last().copied().unwrap_or(at);
        if self.count < N {
            self.at[self.count] = at.max(last);
            self.count += 1;
        }
    }

    /// Adds a position where it belongs, unless it is there or not a number.
    fn insert(&mut self, at: f64) {
        if at.is_nan() {
            return;
        }
        let place = self.as_slice().partition_point(|other| *other < at);
        if self.count < N && (place == self.count || self.at[place] != at) {
            self.at.copy_within(place..self.count, place + 1);
            self.at[place] = at;
            self.count += 1;
        }
    }
}

fn lerp(from: f64, to: f64, t: f64) -> f64 {
    from + (to - from) * t
}

/// The fraction of the way between two distances at which there is another one.
#[derive(Debug, Clone, Copy)]
struct Fraction {
    start: f64,
    per_distance: f64,
}

impl Fraction {
    fn between([start, end]: [f64; 2]) -> Self {
        let is_constant = (end - start).abs() < 1e-6;
        Self { start, per_distance: if is_constant { 1e6 } else { (end - start).recip() } }
    }

    fn of(&self, distance: f64) -> f64 {
        ((distance - self.start) * self.per_distance).clamp(0.0, 1.0)
    }
}

/// A point of a patch.
#[derive(Debug, Clone, Copy)]
struct Point {
    px: DVec2,
    uv: DVec2,
    light: f64,
    opacity: f64,
    inward: f64,
}

impl Point {
    fn at(corner: &PatchCorner) -> Self {
        let PatchCorner { px, uv, light, opacity, inward, .. } = *corner;
        Self { px, uv: uv.into(), light, opacity, inward }
    }

    fn lerp(&self, to: &Self, t: f64) -> Self {
        Self {
            px: self.px + (to.px - self.px) * t,
            uv: self.uv + (to.uv - self.uv) * t,
            light: lerp(self.light, to.light, t),
            opacity: lerp(self.opacity, to.opacity, t),
            inward: lerp(self.inward, to.inward, t),
        }
    }
}

/// A patch that is cut into bands.
struct Bands<'a> {
    patch: &'a Patch,
    /// The inner and the outer corner at the start, and those at the end.
    corners: [[Point; 2]; 2],
    /// The distances outside of an outline, or beyond the end of a stroke, between which colors are linear, in
    /// ascending order.
    distances: Stops<6>,
    /// The color at the outline, premultiplied, and the change to the inner color.
    outer: Vec4,
    change: Vec4,
}

impl<'a> Bands<'a> {
    fn new(patch: &'a Patch) -> Self {
        let [[a, b], [c, d]] = &patch.corners;
        let mut distances = Stops::new();
        let rim = (patch.inset_px > 0.0).then_some(-patch.inset_px);
        let halo = (patch.halo.opacity > 0.0).then_some(patch.halo.width_px);
        for at in [Some(0.0), rim, halo].into_iter().flatten() {
            distances.insert(at - 0.5);
            distances.insert(at + 0.5);
        }
        let premultiplied = |[r, g, b, a]: Rgba| Vec4::new(r * a, g * a, b * a, a);
        let outer = premultiplied(patch.outer);
        let corners = [[Point::at(a), Point::at(b)], [Point::at(c), Point::at(d)]];
        Self { patch, corners, distances, outer, change: premultiplied(patch.inner) - outer }
    }

    /// Returns the distance to the side of perp of the edge, or outside of it.
    fn off(&self, uv: DVec2) -> f64 {
        let t = uv.x.clamp(-0.5, 1.5);
        uv.y - 4.0 * self.patch.sagitta * (t - t * t)
    }

    /// Returns the distance beyond the ends of a stroke, or beyond the other edges that bound a patch.
    fn end(&self, uv: DVec2) -> f64 {
        let length = self.patch.length;
        if length > 0.0 { ((uv.x - 0.5).abs() - 0.5) * length } else { f64::NEG_INFINITY }
    }

    /// Returns the inner and the outer end of a section, at a fraction of the way from the start to the end.
    fn section(&self, fraction: f64) -> [Point; 2] {
        let [start, end] = &self.corners;
        [start[0].lerp(&end[0], fraction), start[1].lerp(&end[1], fraction)]
    }

    /// Adds the fractions of the patch, from its start to its end, at which it is cut.
    fn sections(&self, stops: &mut Stops<MAX_SECTIONS>) {
        let patch = self.patch;
        let [[inner, start], [_, end]] = &self.corners;
        let is_needle = patch.half_widths.is_some() && self.corners[1][0].px == end.px;
        let pieces = (patch.sagitta.abs() / TOLERANCE_PX).sqrt().ceil().clamp(1.0, 32.0) as u32;
        let pieces = if is_needle { NEEDLE_PIECES } else { pieces };
        (0..=pieces).for_each(|piece| stops.push(f64::from(piece) / f64::from(pieces)));
        if patch.length > 0.0 && patch.half_widths.is_some() {
            let fraction = |t: f64| ((t - start.uv.x) / (end.uv.x - start.uv.x)).clamp(0.0, 1.0);
            for distance in self.distances.as_slice() {
                // Within a short stroke, the ends meet in the middle.
                let from_middle = (0.5 + distance / patch.length).max(0.0);
                stops.insert(fraction(0.5 - from_middle));
                stops.insert(fraction(0.5 + from_middle));
            }
        } else if patch.length > 0.0 {
            // Where the edge before or after this one is as far as this one; one is nearer on each side of the middle.
            let middle = ((0.5 - start.uv.x) / (end.uv.x - start.uv.x)).clamp(0.0, 1.0);
            let [side, beyond] = [self.off(inner.uv), self.end(inner.uv)];
            stops.insert(middle);
            for [from, to] in [[0.0, middle], [middle, 1.0]] {
                let ends = [from, to].map(|fraction| {
                    let uv = start.uv.lerp(end.uv, fraction);
                    [self.off(uv) - side, self.end(uv) - beyond]
                });
                for distance in self.distances.as_slice() {
                    let [first, last] =
                        ends.map(|[off, end]| (distance - side) * end - (distance - beyond) * off);
                    if first * last < 0.0 {
                        stops.insert(lerp(from, to, first / (first - last)));
                    }
                }
            }
        }
    }

    /// Adds the fractions of a section, from its inner end to its outer one, at which it is cut.
    fn cuts(&self, [from, to]: &[Point; 2], cuts: &mut Stops<MAX_CUTS>) {
        let sides = [self.off(from.uv), self.off(to.uv)];
        let fraction = Fraction::between(sides);
        let distances = self.distances.as_slice();
        if let Some([start, end]) = self.patch.half_widths {
            let half = lerp(start, end, 0.5 * (from.uv.x + to.uv.x));
            // A section of a stroke is so short that its distance is nearly linear.
            for distance in distances.iter().rev() {
                cuts.push(fraction.of(-(half + distance).max(0.0)));
            }
            for distance in distances {
                cuts.push(fraction.of((half + distance).max(0.0)));
            }
            return;
        }
        let at_side = |distance: f64| {
            let nearly = fraction.of(distance);
            if self.patch.sagitta == 0.0 {
                return nearly;
            }
            let off = self.off(from.uv + (to.uv - from.uv) * nearly);
            fraction.of(distance + lerp(sides[0], sides[1], nearly) - off)
        };
        cuts.push(0.0);
        if from.inward > 0.0 {
            BALL_RINGS.into_iter().for_each(|ring| cuts.push(at_side(ring * sides[0])));
        }
        let ends = [self.end(from.uv), self.end(to.uv)];
        let at_end = (ends[0] < ends[1]).then(|| Fraction::between(ends));
        for distance in distances {
            cuts.push(at_side(*distance).min(at_end.map_or(1.0, |at_end| at_end.of(*distance))));
        }
    }

    /// Returns the premultiplied color of a point, as `painted` in `shaders/handle.wgsl`.
    fn color(&self, at: &Point) -> Rgba {
        let patch = self.patch;
        let saturated = |x: f64| (x as f32).clamp(0.0, 1.0);
        let (off, end) = (self.off(at.uv), self.end(at.uv));
        let side = patch.half_widths.map_or(off, |[from, to]| off.abs() - lerp(from, to, at.uv.x));
        let core = saturated(0.5 - side) * saturated(0.5 - end);
        let beyond = side.max(end);
        let inner = core.min(saturated(0.5 - patch.inset_px - beyond));
        let halo = patch.halo.opacity * saturated(patch.halo.width_px + 0.5 - beyond);
        let (inward, opacity) = (at.inward as f32, at.opacity as f32);
        let light = at.light as f32 + 0.25 * inward.max(0.0) * (1.0 - inward);
        let color = self.outer * core + self.change * inner;
        let halo = Vec4::new(0.0, 0.0, 0.0, halo * (1.0 - core));
        ((color * Vec4::new(light, light, light, 1.0) + halo) * opacity).to_array()
    }
}

impl Triangles {
    /// Adds the bands of a patch.
    pub(crate) fn patch(&mut self, patch: &Patch) {
        let bands = Bands::new(patch);
        let is_triangle = patch.is_triangle();
        let mut sections = Stops::new();
        bands.sections(&mut sections);
        // The vertices of two sections.
        let mut before = Stops::<MAX_CUTS>::new();
        let mut cuts = Stops::<MAX_CUTS>::new();
        for (i, fraction) in sections.as_slice().iter().enumerate() {
            let section = bands.section(*fraction);
            std::mem::swap(&mut before, &mut cuts);
            cuts.count = 0;
            bands.cuts(&section, &mut cuts);
            let first = self.next_index();
            for cut in cuts.as_slice() {
                let point = section[0].lerp(&section[1], *cut);
                self.vertex(point.px, bands.color(&point));
            }
            if i == 0 {
                continue;
            }
            let pairs = before.as_slice().windows(2).zip(cuts.as_slice().windows(2));
            for (d, (a, b)) in (first..).zip(pairs) {
                let c = d - before.count as u32;
                // At the inner corner of a triangle, both sections are one point.
                let is_point = is_triangle && a[0] == 0.0 && b[0] == 0.0;
                if a[0] < a[1] && !is_point {
                    self.triangle([c, c + 1, d]);
                }
                if b[0] < b[1] {
                    self.triangle([d, c + 1, d + 1]);
                }
            }
        }
    }

    /// Adds the lines of a grid. `shaders/grid.wgsl` generates the same.
    pub(crate) fn grid(&mut self, view: &View, grid: &GuideGrid) {
        let m = grid.px_from_plane;
        let families = [(m.x_axis, m.y_axis), (m.y_axis, m.x_axis)];
        for ((family, first), (across, along)) in (0..).zip(grid.first).zip(families) {
            for line in 0..grid.lines[family] {
                let offset = first + f64::from(line) * grid.spacing;
                let half = (1.0 - offset * offset).max(0.0).sqrt();
                let middle = m.z_axis + across * offset;
                let Some(ends) = clip_line(view, [middle - along * half, along * (2.0 * half)], [0.0, 1.0])
                else {
                    continue;
                };
                let end = |t: f64| {
                    let at = half * (2.0 * t.clamp(ends[0], ends[1]) - 1.0);
                    grid_line_end(grid, [middle, along], [offset, at])
                };
                for piece in 0..GuideGrid::PIECES {
                    let [from, to] =
                        [piece, piece + 1].map(|end| f64::from(end) / f64::from(GuideGrid::PIECES));
                    if from < ends[1]
                        && to > ends[0]
                        && let (Some([a, b]), Some([d, c])) = (end(from), end(to))
                    {
                        self.patch(&Patch::guide(&[a, b, c, d]));
                    }
                }
            }
        }
    }
}

/// Returns the corners at a point of a grid line, in plane coordinates across and along the line.
fn grid_line_end(
    grid: &GuideGrid,
    [middle, along]: [DVec3; 2],
    [offset, at]: [f64; 2],
) -> Option<[GuideVertex; 2]> {
    let seen = middle + along * at;
    let px = DVec2::new(seen.x, seen.y) / seen.z;
    // Constant along the line.
    let direction = DVec2::new(along.x, along.y) * seen.z - DVec2::new(seen.x, seen.y) * along.z;
    let side = direction.try_normalize().filter(|_| px.is_finite())?.perp();
    let [r, g, b, a] = grid.color;
    let reach = grid.half_width_px.max(0.5) + grid.halo_px + 0.5;
    Some([-reach, reach].map(|across| GuideVertex {
        position_px: (px + side * f64::from(across)).as_vec2().to_array(),
        across_px: [across, grid.half_width_px, grid.halo_px],
        color: [r, g, b, a * GuideGrid::brightness(offset.hypot(at)) as f32],
    }))
}
