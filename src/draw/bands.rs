//! Patches as bands of triangles, for renderers without the shader of this crate.
//!
//! Across an edge, the color of a patch changes only within a pixel of a few distances: where the rim, the soft edge and
//! the halo begin and end. Vertices at those distances with the color of the shader, and linear colors between them, are
//! nearly its picture.

use super::grid::GuideGrid;
use super::guides::{GuideVertex, clip_line};
use super::shape::{Patch, PatchCorner};
use super::triangles::Triangles;
use crate::handle::Rgba;
use crate::math::View;
use glam::{DVec2, DVec3, Vec4};

/// The distance of a band from the curve that it follows, in pixels.
const TOLERANCE_PX: f64 = 0.1;
/// The number of pieces of a stroke that ends in a point: it narrows only where its quad is narrower than it.
const NEEDLE_PIECES: u32 = 8;
/// The positions from the outline of a ball to its middle between which its light is nearly linear.
const BALL_RINGS: [f64; 4] = [0.7, 0.45, 0.25, 0.1];
/// The number of pieces of a grid line, so that it can fade along its length. The shader of grids has the same.
const GRID_PIECES: u32 = 6;

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

/// The share of the way between two distances at which there is another one.
#[derive(Debug, Clone, Copy)]
struct Share {
    start: f64,
    per_distance: f64,
}

impl Share {
    fn between([start, end]: [f64; 2]) -> Self {
        let is_constant = (end - start).abs() < 1e-6;
        Self { start, per_distance: if is_constant { 1e6 } else { (end - start).recip() } }
    }

    fn of(&self, distance: f64) -> f64 {
        ((distance - self.start) * self.per_distance).clamp(0.0, 1.0)
    }
}

impl PatchCorner {
    fn lerp(&self, to: &Self, t: f64) -> Self {
        Self {
            px: self.px.lerp(to.px, t),
            uv: [0, 1].map(|i| lerp(self.uv[i], to.uv[i], t)),
            light: lerp(self.light, to.light, t),
            opacity: lerp(self.opacity, to.opacity, t),
            depth: self.depth,
            inward: lerp(self.inward, to.inward, t),
        }
    }
}

impl Patch {
    /// Returns the distance to the side of perp of the edge, or outside of it.
    fn off(&self, [t, beside]: [f64; 2]) -> f64 {
        let t = t.clamp(-0.5, 1.5);
        beside - 4.0 * self.sagitta * (t - t * t)
    }

    fn half_width(&self, t: f64) -> Option<f64> {
        self.half_widths.map(|[from, to]| lerp(from, to, t))
    }

    /// Returns the distance beyond the ends of a stroke, or beyond the other edges that bound a patch.
    fn end(&self, [t, _]: [f64; 2]) -> f64 {
        if self.length > 0.0 { ((t - 0.5).abs() - 0.5) * self.length } else { f64::NEG_INFINITY }
    }

    /// Returns the distances outside of an outline, or beyond the end of a stroke, between which colors are linear, in
    /// ascending order.
    fn distances(&self) -> Stops<6> {
        let mut stops = Stops::new();
        let rim = (self.inset_px > 0.0).then_some(-self.inset_px);
        let halo = (self.halo.opacity > 0.0).then_some(self.halo.width_px);
        for at in [Some(0.0), rim, halo].into_iter().flatten() {
            stops.insert(at - 0.5);
            stops.insert(at + 0.5);
        }
        stops
    }

    /// Passes the shares of the patch, from its start to its end, at which it is cut.
    fn sections(&self, stops: &mut Stops<MAX_SECTIONS>) {
        let [[_, start], [_, end]] = &self.corners;
        let is_needle = self.half_widths.is_some() && self.corners[1][0].px == end.px;
        let pieces = (self.sagitta.abs() / TOLERANCE_PX).sqrt().ceil().clamp(1.0, 32.0) as u32;
        let pieces = if is_needle { NEEDLE_PIECES } else { pieces };
        (0..=pieces).for_each(|piece| stops.insert(f64::from(piece) / f64::from(pieces)));
        if self.length > 0.0 && self.half_widths.is_some() {
            let share = |t: f64| ((t - start.uv[0]) / (end.uv[0] - start.uv[0])).clamp(0.0, 1.0);
            for distance in self.distances().as_slice() {
                // Within a short stroke, the ends meet in the middle.
                let from_middle = (0.5 + distance / self.length).max(0.0);
                stops.insert(share(0.5 - from_middle));
                stops.insert(share(0.5 + from_middle));
            }
        } else if self.length > 0.0 {
            // Where the edge before or after this one is as far as this one; one is nearer on each side of the middle.
            let middle = ((0.5 - start.uv[0]) / (end.uv[0] - start.uv[0])).clamp(0.0, 1.0);
            let inner = self.corners[0][0].uv;
            let [side, beyond] = [self.off(inner), self.end(inner)];
            stops.insert(middle);
            for [from, to] in [[0.0, middle], [middle, 1.0]] {
                let corners = [from, to].map(|share| start.lerp(end, share).uv);
                for distance in self.distances().as_slice() {
                    let [first, last] = corners.map(|uv| {
                        (distance - side) * (self.end(uv) - beyond)
                            - (distance - beyond) * (self.off(uv) - side)
                    });
                    if first * last < 0.0 {
                        stops.insert(lerp(from, to, first / (first - last)));
                    }
                }
            }
        }
    }

    /// Passes the shares of a section, from its first corner to its second one, at which it is cut.
    fn cuts(&self, [from, to]: [&PatchCorner; 2], cuts: &mut Stops<MAX_CUTS>) {
        let sides = [from, to].map(|corner| self.off(corner.uv));
        let at_side = Share::between(sides);
        let at_side = |distance: f64| {
            let nearly = at_side.of(distance);
            if self.sagitta == 0.0 {
                return nearly;
            }
            // The distance is not linear.
            let off = self.off([0, 1].map(|i| lerp(from.uv[i], to.uv[i], nearly)));
            at_side.of(distance + lerp(sides[0], sides[1], nearly) - off)
        };
        if let Some(half) = self.half_width(0.5 * (from.uv[0] + to.uv[0])) {
            let distances = self.distances();
            let from_center = distances.as_slice().iter().map(|distance| (half + distance).max(0.0));
            from_center.clone().rev().for_each(|distance| cuts.push(at_side(-distance)));
            from_center.for_each(|distance| cuts.push(at_side(distance)));
            return;
        }
        cuts.push(0.0);
        if from.inward > 0.0 {
            BALL_RINGS.into_iter().for_each(|ring| cuts.push(at_side(ring * sides[0])));
        }
        let ends = [from, to].map(|corner| self.end(corner.uv));
        let at_end = Share::between(ends);
        for distance in self.distances().as_slice() {
            let at_end = if ends[0] < ends[1] { at_end.of(*distance) } else { 1.0 };
            cuts.push(at_side(*distance).min(at_end));
        }
    }
}

/// Colors the points of a patch, as `painted` in `shaders/handle.wgsl`.
struct Painter<'a> {
    patch: &'a Patch,
    /// The color at the outline, premultiplied, and the change to the inner color.
    outer: Vec4,
    change: Vec4,
}

impl<'a> Painter<'a> {
    fn new(patch: &'a Patch) -> Self {
        let [outer, inner] = [patch.outer, patch.inner].map(|color| {
            let [r, g, b, a] = color;
            Vec4::new(r * a, g * a, b * a, a)
        });
        Self { patch, outer, change: inner - outer }
    }

    /// Returns the premultiplied color.
    fn color(&self, at: &PatchCorner) -> Rgba {
        let Self { patch, outer, change } = *self;
        let saturated = |x: f64| (x as f32).clamp(0.0, 1.0);
        let (off, end) = (patch.off(at.uv), patch.end(at.uv));
        let side = patch.half_width(at.uv[0]).map_or(off, |half| off.abs() - half);
        let core = saturated(0.5 - side) * saturated(0.5 - end);
        let beyond = side.max(end);
        let inner = core.min(saturated(0.5 - patch.inset_px - beyond));
        let halo = patch.halo.opacity * saturated(patch.halo.width_px + 0.5 - beyond);
        let (inward, opacity) = (at.inward as f32, at.opacity as f32);
        let light = at.light as f32 + 0.25 * inward.max(0.0) * (1.0 - inward);
        let color = outer * core + change * inner;
        let halo = Vec4::new(0.0, 0.0, 0.0, halo * (1.0 - core));
        ((color * Vec4::new(light, light, light, 1.0) + halo) * opacity).to_array()
    }
}

impl Triangles {
    /// Adds the bands of a patch.
    pub(super) fn patch(&mut self, patch: &Patch) {
        let [[start_from, start_to], [end_from, end_to]] = &patch.corners;
        let mut sections = Stops::new();
        patch.sections(&mut sections);
        let painter = Painter::new(patch);
        let mut last: Option<(u32, Stops<MAX_CUTS>)> = None;
        for share in sections.as_slice() {
            let [from, to] = [start_from.lerp(end_from, *share), start_to.lerp(end_to, *share)];
            let mut cuts = Stops::new();
            patch.cuts([&from, &to], &mut cuts);
            let first = self.next_index();
            for cut in cuts.as_slice() {
                let corner = from.lerp(&to, *cut);
                self.vertex(corner.px, painter.color(&corner));
            }
            if let Some((last_first, last_cuts)) = &last {
                for (i, (a, b)) in (0..).zip(last_cuts.as_slice().windows(2).zip(cuts.as_slice().windows(2)))
                {
                    let (c, d) = (last_first + i, first + i);
                    // At the inner corner of a triangle, both sections are one point.
                    let is_point = patch.is_triangle() && a[0] == 0.0 && b[0] == 0.0;
                    if a[0] < a[1] && !is_point {
                        self.triangle([c, c + 1, d]);
                    }
                    if b[0] < b[1] {
                        self.triangle([d, c + 1, d + 1]);
                    }
                }
            }
            last = Some((first, cuts));
        }
    }

    /// Adds the lines of a grid. `shaders/grid.wgsl` generates the same.
    pub(super) fn grid(&mut self, view: &View, grid: &GuideGrid) {
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
                for piece in 0..GRID_PIECES {
                    let [from, to] = [piece, piece + 1].map(|end| f64::from(end) / f64::from(GRID_PIECES));
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
