//! Strokes: bands of triangles along a line, with a soft edge and a halo on both sides.

use super::{ShapeRim, Triangles, mix, shade, vec};
use crate::draw::Rim;
use crate::draw::guides::{GuideVertex, HALO_OPACITY};
use crate::draw::shape::{Shape, Stroke};
use crate::handle::Rgba;
use glam::DVec2;

/// The distance of a band from the curve that it follows, in pixels.
const TOLERANCE_PX: f64 = 0.1;

/// A cut across a stroke.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// The point of the center line.
    pub(super) at: DVec2,
    /// The way across the stroke for each pixel of distance from the center line.
    pub(super) side: DVec2,
    pub(super) half_width: f64,
    pub(super) halo_px: f64,
    pub(super) color: Rgba,
    pub(super) rim: Option<Rim>,
    /// The coverage of the center line, the share that is not rim, and the opacity of the halo.
    pub(super) core: f32,
    pub(super) inner: f32,
    pub(super) halo: f32,
    /// The distances from the center line at which the stroke is cut off.
    pub(super) ends: [f64; 2],
}

/// The vertices of a section: from one side to the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    first: u32,
    count: u32,
}

impl Section {
    /// Adds the vertices of the section.
    pub(super) fn cut(&self, triangles: &mut Triangles) -> Cut {
        let outer = self.half_width + 0.5;
        // A stroke may be thinner than a pixel.
        let full = (2.0 * self.half_width).clamp(0.0, 1.0);
        let halo_end = outer + self.halo_px;
        // Where the rim ends.
        let rim = self.rim.map_or(0.0, |rim| rim.width_px);
        let [soft, inside] = [0.0, 1.0].map(|by| (outer - rim - by).max(0.0));
        let stops = [halo_end, (halo_end - 1.0).max(outer), outer, outer - full, soft, inside];
        let stops = if self.halo_px > 0.0 { &stops[..] } else { &stops[2..] };
        let stops = if self.rim.is_some() { stops } else { &stops[..stops.len() - 2] };
        let first = triangles.vertices.len() as u32;
        for distance in stops.iter().map(|stop| -stop).chain(stops.iter().rev().copied()) {
            let distance = distance.clamp(self.ends[0], self.ends[1]);
            let from = distance.abs();
            let core = (outer - from).clamp(0.0, full) as f32 * self.core;
            let halo = (halo_end - from).clamp(0.0, 1.0) as f32 * self.halo;
            let color = match self.rim {
                Some(rim) => {
                    let inner = (outer - rim.width_px - from).clamp(0.0, 1.0) as f32 * self.inner;
                    mix(rim.color, self.color, inner)
                }
                None => self.color,
            };
            triangles.vertex(self.at + self.side * distance, shade(color, core, halo));
        }
        Cut { first, count: triangles.vertices.len() as u32 - first }
    }
}

impl Cut {
    /// Adds the triangles between two sections of one stroke.
    pub(super) fn join(self, triangles: &mut Triangles, to: Self) {
        for i in 0..self.count.min(to.count).saturating_sub(1) {
            triangles.quad([self.first + i, self.first + i + 1], [to.first + i, to.first + i + 1]);
        }
    }
}

const EVERYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A cut near the end of a straight stroke.
#[derive(Debug, Clone, Copy)]
struct EndCut {
    /// How far it is outside of the end.
    out: f64,
    /// The factors on the coverage, on the share that is not rim, and on the halo.
    core: f32,
    inner: f32,
    halo: f32,
}

/// Adds a straight stroke with flat ends.
pub(super) fn line(triangles: &mut Triangles, shape: &Shape, rim: Option<ShapeRim>) {
    let stroke: Stroke = bytemuck::cast(shape.data);
    let (start, along) = (shape.anchor_px + vec(stroke.start), vec(stroke.along));
    let length = f64::from(stroke.length);
    let [h0, h1] = stroke.half_widths.map(f64::from);
    let halo = shape.halo;
    let halo_px = if halo.opacity > 0.0 { halo.width_px } else { 0.0 };
    let inward = (0.5 * length).min(0.5);
    let outside = |out: f64, halo: f32| EndCut { out, core: 0.0, inner: 0.0, halo };
    let inside = |by: f64, inner: f32| EndCut {
        out: -by.max(inward).min(0.5 * length),
        core: (2.0 * inward) as f32,
        inner,
        halo: 1.0,
    };
    // From the outside to the inside.
    let rim_px = rim.map_or(0.0, |rim| rim.width_px());
    let cuts = [
        outside(halo_px + 0.5, 0.0),
        outside((halo_px - 0.5).max(0.5), 1.0),
        outside(0.5, 1.0),
        inside(inward, if rim.is_some() { 0.0 } else { 1.0 }),
        inside(rim_px - 0.5, 0.0),
        inside(rim_px + 0.5, 1.0),
    ];
    let cuts = if halo_px > 0.0 { &cuts[..] } else { &cuts[2..] };
    let cuts = if rim.is_some() { cuts } else { &cuts[..cuts.len() - 2] };
    let at_start = cuts.iter().map(|cut| (-cut.out, cut));
    let at_end = cuts.iter().rev().map(|cut| (length + cut.out, cut));
    let mut last: Option<Cut> = None;
    for (x, EndCut { core, inner, halo: share, .. }) in at_start.chain(at_end) {
        let t = if length > 0.0 { (x / length).clamp(0.0, 1.0) } else { 0.0 };
        let section = Section {
            at: start + along * x,
            side: along.perp(),
            half_width: h0 + (h1 - h0) * t,
            halo_px,
            color: mix(shape.colors[0], shape.colors[1], t as f32),
            rim: rim.map(|rim| rim.lit(shape.colors[0])),
            core: *core,
            inner: *inner,
            halo: halo.opacity * share,
            ends: EVERYWHERE,
        };
        let cut = section.cut(triangles);
        if let Some(last) = last.replace(cut) {
            last.join(triangles, cut);
        }
    }
}

/// The pieces of a ring, which are joined where they meet.
#[derive(Debug, Default)]
pub(super) struct Arcs {
    /// The joint at the end of the last piece.
    last: Option<([f32; 3], Cut)>,
}

impl Arcs {
    pub(super) fn push(&mut self, triangles: &mut Triangles, shape: &Shape, rim: Option<ShapeRim>) {
        let stroke: Stroke = bytemuck::cast(shape.data);
        let joined = self.last.filter(|(joint, _)| *joint == stroke.from).map(|(_, cut)| cut);
        let mut last = joined.unwrap_or_else(|| section(shape, rim, &stroke, 0.0).cut(triangles));
        let pieces = (f64::from(stroke.sagitta).abs() / TOLERANCE_PX).sqrt().ceil().clamp(1.0, 32.0);
        for piece in 1..=pieces as u32 {
            let cut = section(shape, rim, &stroke, f64::from(piece) / pieces).cut(triangles);
            last.join(triangles, cut);
            last = cut;
        }
        self.last = Some((stroke.to, last));
    }
}

/// Returns the cut across an arc at a position from 0 to 1.
fn section(shape: &Shape, rim: Option<ShapeRim>, stroke: &Stroke, t: f64) -> Section {
    let along = vec(stroke.along);
    let (length, sagitta) = (f64::from(stroke.length), 4.0 * f64::from(stroke.sagitta));
    let mut at = vec(stroke.start) + along * (length * t) + along.perp() * (sagitta * t * (1.0 - t));
    let tangent = along * length + along.perp() * (sagitta * (1.0 - 2.0 * t));
    let mut side = tangent.normalize_or(along).perp();
    // Neighbors meet on the line of their joint.
    let joint = if t <= 0.0 { Some(stroke.from) } else { (t >= 1.0).then_some(stroke.to) };
    if let Some([x, y, z]) = joint {
        let tangent = vec([x, y]);
        at -= tangent * (tangent.dot(at) - f64::from(z));
        side = tangent.perp();
    }
    let [h0, h1] = stroke.half_widths.map(f64::from);
    let color = mix(shape.colors[0], shape.colors[1], t as f32);
    Section {
        at: shape.anchor_px + at,
        side,
        half_width: h0 + (h1 - h0) * t,
        halo_px: if shape.halo.opacity > 0.0 { shape.halo.width_px } else { 0.0 },
        color,
        rim: rim.map(|rim| rim.lit(color)),
        core: 1.0,
        inner: 1.0,
        halo: shape.halo.opacity,
        ends: EVERYWHERE,
    }
}

/// Adds guides.
pub(super) fn guides(triangles: &mut Triangles, vertices: &[GuideVertex]) {
    for quad in vertices.chunks_exact(4) {
        let [a, b, c, d] = std::array::from_fn(|i| &quad[i]);
        let px = |vertex: &GuideVertex| vec(vertex.position_px);
        if a.across_px[0] == b.across_px[0] {
            let [red, green, blue, opacity] = a.color;
            let color = [red * opacity, green * opacity, blue * opacity, opacity];
            triangles.fan([a, b, c, d].map(px), color);
            continue;
        }
        let from = guide_section([a, b], DVec2::Y);
        let across = from.side;
        // A stroke that ends in a point narrows only where its quad is narrower than it.
        let pieces = if c.position_px == d.position_px { 8 } else { 1 };
        let mut last = from.cut(triangles);
        for piece in 1..=pieces {
            let t = piece as f32 / pieces as f32;
            let to = guide_section([&between(a, d, t), &between(b, c, t)], across).cut(triangles);
            last.join(triangles, to);
            last = to;
        }
    }
}

/// Returns the vertex between two others.
fn between(a: &GuideVertex, b: &GuideVertex, t: f32) -> GuideVertex {
    if t >= 1.0 {
        return *b;
    }
    let at = |i: usize| a.position_px[i] + (b.position_px[i] - a.position_px[i]) * t;
    let across = a.across_px[0] + (b.across_px[0] - a.across_px[0]) * t;
    GuideVertex {
        position_px: [at(0), at(1)],
        across_px: [across, a.across_px[1], a.across_px[2]],
        color: mix(a.color, b.color, t),
    }
}

/// Returns the cut between two corners of a guide. `across` is its direction if they are equal.
fn guide_section([first, second]: [&GuideVertex; 2], across: DVec2) -> Section {
    let [p, q] = [first, second].map(|vertex| vec(vertex.position_px));
    let [low, high] = [first, second].map(|vertex| f64::from(vertex.across_px[0]));
    let side = if high != low { (q - p) / (high - low) } else { across };
    let [_, half_width, halo_px] = first.across_px.map(f64::from);
    Section {
        at: p - side * low,
        side,
        half_width,
        halo_px,
        color: first.color,
        rim: None,
        core: 1.0,
        inner: 1.0,
        halo: first.color[3] * HALO_OPACITY as f32,
        ends: [low, high],
    }
}
