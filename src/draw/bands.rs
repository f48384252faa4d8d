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
use glam::{DVec2, DVec3};

/// The distance of a band from the curve that it follows, in pixels.
const TOLERANCE_PX: f64 = 0.1;
/// The number of pieces of a stroke that ends in a point: it narrows only where its quad is narrower than it.
const NEEDLE_PIECES: u32 = 8;
/// The positions from the outline of a ball to its middle between which its light is nearly linear.
const BALL_RINGS: [f64; 4] = [0.1, 0.25, 0.45, 0.7];
/// The number of pieces of a grid line, so that it can fade along its length. The shader of grids has the same.
const GRID_PIECES: u32 = 6;

/// The maximum number of positions: the pieces of an arc, and six distances at each of its ends.
const MAX_STOPS: usize = 48;

/// Positions in ascending order, without memory of its own.
struct Stops {
    at: [f64; MAX_STOPS],
    count: usize,
}

impl Stops {
    fn new() -> Self {
        Self { at: [0.0; MAX_STOPS], count: 0 }
    }

    fn push(&mut self, at: f64) {
        if self.count < self.at.len() && at.is_finite() {
            self.at[self.count] = at;
            self.count += 1;
        }
    }

    fn sorted(&mut self) -> &[f64] {
        let stops = &mut self.at[..self.count];
        stops.sort_unstable_by(f64::total_cmp);
        stops
    }
}

fn lerp(from: f64, to: f64, t: f64) -> f64 {
    from + (to - from) * t
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

    /// Returns the distance beyond the ends of a stroke, or beyond the other edges that bound a wedge.
    fn end(&self, [t, _]: [f64; 2]) -> f64 {
        if self.length > 0.0 { ((t - 0.5).abs() - 0.5) * self.length } else { f64::NEG_INFINITY }
    }

    /// Returns the premultiplied color of a point of the patch, as `painted` in `shaders/handle.wgsl`.
    fn painted(&self, at: &PatchCorner) -> Rgba {
        let saturated = |x: f64| x.clamp(0.0, 1.0) as f32;
        let (off, end) = (self.off(at.uv), self.end(at.uv));
        let side = self.half_width(at.uv[0]).map_or(off, |half| off.abs() - half);
        let core = saturated(0.5 - side) * saturated(0.5 - end);
        let beyond = side.max(end);
        let inner = core.min(saturated(0.5 - self.inset_px - beyond));
        let halo = self.halo.opacity * saturated(self.halo.width_px + 0.5 - beyond);
        let light = (at.light + 0.25 * at.inward.max(0.0) * (1.0 - at.inward)) as f32;
        let premultiplied = |[r, g, b, a]: Rgba| [r * a, g * a, b * a, a];
        let (outside, inside) = (premultiplied(self.outer), premultiplied(self.inner));
        let opacity = at.opacity as f32;
        let [r, g, b, a] =
            [0, 1, 2, 3].map(|i| (outside[i] * core + (inside[i] - outside[i]) * inner) * opacity);
        [r * light, g * light, b * light, a + halo * (1.0 - core) * opacity]
    }

    /// Returns the distances outside of an outline, or beyond the end of a stroke, between which colors are linear.
    fn distances(&self) -> impl Iterator<Item = f64> {
        let rim = (self.inset_px > 0.0).then_some([-self.inset_px - 0.5, -self.inset_px + 0.5]);
        let halo = (self.halo.opacity > 0.0).then_some([self.halo.width_px - 0.5, self.halo.width_px + 0.5]);
        [rim, Some([-0.5, 0.5]), halo].into_iter().flatten().flatten()
    }

    /// Passes the shares of the patch, from its start to its end, at which it is cut.
    fn sections(&self, stops: &mut Stops) {
        let [[_, start], [_, end]] = &self.corners;
        let is_needle = self.half_widths.is_some() && self.corners[1][0].px == end.px;
        let pieces = (self.sagitta.abs() / TOLERANCE_PX).sqrt().ceil().clamp(1.0, 32.0) as u32;
        let pieces = if is_needle { NEEDLE_PIECES } else { pieces };
        (0..=pieces).for_each(|piece| stops.push(f64::from(piece) / f64::from(pieces)));
        if self.length > 0.0 && self.half_widths.is_some() {
            let share = |t: f64| ((t - start.uv[0]) / (end.uv[0] - start.uv[0])).clamp(0.0, 1.0);
            for distance in self.distances() {
                // Within a short stroke, the ends meet in the middle.
                let from_middle = (0.5 + distance / self.length).max(0.0);
                stops.push(share(0.5 - from_middle));
                stops.push(share(0.5 + from_middle));
            }
        } else if self.length > 0.0 {
            // Where the edge before or after this one is as far as this one; one is nearer on each side of the middle.
            let middle = ((0.5 - start.uv[0]) / (end.uv[0] - start.uv[0])).clamp(0.0, 1.0);
            let inner = self.corners[0][0].uv;
            let [side, beyond] = [self.off(inner), self.end(inner)];
            stops.push(middle);
            for [from, to] in [[0.0, middle], [middle, 1.0]] {
                let corners = [from, to].map(|share| start.lerp(end, share).uv);
                for distance in self.distances() {
                    let [first, last] = corners.map(|uv| {
                        (distance - side) * (self.end(uv) - beyond)
                            - (distance - beyond) * (self.off(uv) - side)
                    });
                    if first * last < 0.0 {
                        stops.push(lerp(from, to, first / (first - last)));
                    }
                }
            }
        }
    }

    /// Passes the shares of a section, from its first corner to its second one, at which it is cut.
    fn cuts(&self, [from, to]: [&PatchCorner; 2], stops: &mut Stops) {
        let [first, last] = [from, to].map(|corner| self.off(corner.uv));
        let share = |[from, to]: [f64; 2], distance: f64| {
            let is_constant = (to - from).abs() < 1e-6;
            let change = if is_constant { 1e-6 } else { to - from };
            ((distance - from) / change).clamp(0.0, 1.0)
        };
        let at_side = |distance: f64| {
            let nearly = share([first, last], distance);
            // The edge is curved, so that the distance is not linear.
            let off = self.off(from.lerp(to, nearly).uv);
            share([first, last], distance + lerp(first, last, nearly) - off)
        };
        match self.half_width(from.lerp(to, 0.5).uv[0]) {
            Some(half) => self.distances().for_each(|distance| {
                let from_center = (half + distance).max(0.0);
                stops.push(at_side(-from_center));
                stops.push(at_side(from_center));
            }),
            None => {
                let ends = [from, to].map(|corner| self.end(corner.uv));
                for distance in self.distances() {
                    let at_end = if ends[0] < ends[1] { share(ends, distance) } else { 1.0 };
                    stops.push(at_side(distance).min(at_end));
                }
                if from.inward > 0.0 {
                    BALL_RINGS.into_iter().for_each(|ring| stops.push(at_side(lerp(0.0, first, ring))));
                }
                stops.push(0.0);
            }
        }
    }
}

impl Triangles {
    /// Adds the bands of a patch.
    pub(super) fn patch(&mut self, patch: &Patch) {
        let [[start_from, start_to], [end_from, end_to]] = &patch.corners;
        let mut sections = Stops::new();
        patch.sections(&mut sections);
        let mut last: Option<(f64, u32, usize)> = None;
        for share in sections.sorted() {
            if last.is_some_and(|(last, ..)| last == *share) {
                continue;
            }
            let [from, to] = [start_from.lerp(end_from, *share), start_to.lerp(end_to, *share)];
            let mut cuts = Stops::new();
            patch.cuts([&from, &to], &mut cuts);
            let first = self.next_index();
            for cut in cuts.sorted() {
                let corner = from.lerp(&to, *cut);
                self.vertex(corner.px, patch.painted(&corner));
            }
            if let Some((_, last_first, count)) = last {
                self.join([last_first, first], count.min(cuts.count));
            }
            last = Some((*share, first, cuts.count));
        }
    }

    /// Adds the triangles between two rows of vertices, except for empty ones.
    fn join(&mut self, [a, b]: [u32; 2], count: usize) {
        for i in 0..count.saturating_sub(1) as u32 {
            for triangle in [[a + i, a + i + 1, b + i], [b + i, a + i + 1, b + i + 1]] {
                self.triangle(triangle);
            }
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
