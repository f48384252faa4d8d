//! Patches: the triangles and quads that a picture consists of.

use crate::draw::guides::{GuideVertex, HALO_OPACITY as GUIDE_HALO_OPACITY};
use crate::draw::item::{Halo, Item, Rim, light_between};
use crate::draw::shape::{Edge, Geometry, Shape, Stroke};
use crate::handle::Rgba;
use glam::{DVec2, Vec2};

/// A triangle or quad along one edge: the center line of a stroke or of a guide, or one side of another shape. A
/// point of it is colored by its position along and beside that edge. The shader `handle.wgsl` of `wgpu-gizmo` says
/// how, and [`Triangles`](crate::draw::parts::Triangles) cuts patches into bands of linear color for other renderers.
#[derive(Debug, Clone, Copy)]
pub struct Patch {
    /// The two corners at the start of the edge and the two at its end: on the sides of -perp and of perp of a stroke;
    /// inside and outside of another shape. In a triangle, the inner ones are equal.
    pub corners: [[PatchCorner; 2]; 2],
    /// The unit direction of the chord of the edge.
    pub along: DVec2,
    /// How far the edge bulges to the side of perp, or outward.
    pub sagitta: f64,
    /// Half of the width of a stroke at its start and at its end, at least half a pixel: a thinner one is transparent.
    pub half_widths: Option<[f64; 2]>,
    /// The opacity is relative to the opacity of the shape.
    pub halo: Halo,
    /// How far inside of the outline the inner color begins.
    pub inset_px: f64,
    /// The length of a stroke with flat, soft ends, or the distance between the two edges that also bound a side; or 0.
    pub length: f64,
    /// The color at the outline.
    pub outer: Rgba,
    /// The color inside, whose opacity is relative to that of `outer`.
    pub inner: Rgba,
}

/// A corner of a [`Patch`]. Between corners, all of it is interpolated.
#[derive(Debug, Clone, Copy)]
pub struct PatchCorner {
    /// Pixels of the render target.
    pub px: DVec2,
    /// The position along the chord of the edge, from 0 to 1, and beside it in pixels.
    pub uv: [f64; 2],
    /// The factor on the brightness.
    pub light: f64,
    /// The factor on the opacity.
    pub opacity: f64,
    /// The depth of the view, of a ball at its outline; and its change to the front of the ball.
    pub depth: [f64; 2],
    /// The position from the outline of a ball, 0, to its middle, 1. Elsewhere 0.
    pub inward: f64,
}

/// Returns the factor on the opacity of a stroke that is thinner than a pixel.
fn thin(half_width: f64) -> f64 {
    (2.0 * half_width).clamp(0.0, 1.0)
}

fn opaque([r, g, b, _]: Rgba) -> Rgba {
    [r, g, b, 1.0]
}

impl Shape {
    /// Passes the patches of a shape to `emit`, in the order of painting. `item` is the part that it belongs to.
    pub(crate) fn patches(&self, item: &Item, mut emit: impl FnMut(&Patch)) {
        if let Geometry::Stroke(stroke) = &self.geometry {
            let rim = item.rim.map(|rim| rim.lit(item.color(), self.colors[0]));
            return emit(&self.stroke_patch(stroke, rim));
        }
        // A side lights its rim, too.
        self.sides(&Ink { anchor_px: self.anchor_px, halo: self.halo, rim: item.rim }, emit);
    }

    fn stroke_patch(&self, stroke: &Stroke, rim: Option<Rim>) -> Patch {
        let Edge { start, along, length, sagitta, half_widths, depth, .. } = stroke.edge;
        let half_widths = half_widths.unwrap_or_default();
        let [from, to] = self.colors;
        // Only the light changes along a stroke.
        let lights = [1.0, light_between(from, to).into()];
        let opacities = [from[3], to[3]].map(f64::from);
        let opacities = [opacities[0] * thin(half_widths[0]), opacities[1] * thin(half_widths[1])];
        let per_length = length.recip();
        let corner = |at: DVec2| {
            let by = at - start;
            let t = by.dot(along) * per_length;
            let between = |[from, to]: [f64; 2]| from + (to - from) * t;
            PatchCorner {
                px: self.anchor_px + at,
                uv: [t, along.perp_dot(by)],
                light: between(lights),
                opacity: between(opacities),
                depth: [depth.at(at), 0.0],
                inward: 0.0,
            }
        };
        let opacity = 0.5 * (from[3] + to[3]);
        let [[a, b], [c, d]] = stroke.corners();
        Patch {
            corners: [[corner(a), corner(b)], [corner(c), corner(d)]],
            along,
            sagitta,
            half_widths: Some(half_widths.map(|half| half.max(0.5))),
            halo: Halo { opacity: self.halo.opacity / opacity.max(1e-3), ..self.halo },
            inset_px: rim.map_or(0.0, |rim| rim.width_px),
            length: if stroke.beyond_px > 0.0 { length } else { 0.0 },
            outer: opaque(rim.map_or(from, |rim| rim.color)),
            inner: opaque(from),
        }
    }
}

/// The anchor, the halo and the rim of a shape, which all of its sides share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) anchor_px: DVec2,
    pub(super) halo: Halo,
    pub(super) rim: Option<Rim>,
}

/// A side of an outline, for its patches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) along: DVec2,
    /// How far it bulges outward.
    pub(super) sagitta: f64,
    /// [`Patch::length`].
    pub(super) length: f64,
    /// The color at the side, and the color from this distance inside of it.
    pub(super) colors: [Rgba; 2],
    pub(super) inset_px: f64,
    /// It has a halo and a rim: not where a stem is attached, and not inside of a shape.
    pub(super) has_halo: bool,
}

impl Ink {
    pub(super) fn patch(&self, corners: [[PatchCorner; 2]; 2], side: &Side) -> Patch {
        let (halo, rim) = if side.has_halo { (self.halo.opacity, self.rim) } else { (0.0, None) };
        let [outer, [r, g, b, a]] = side.colors;
        let opacity = outer[3].max(1e-3);
        Patch {
            corners,
            along: side.along,
            sagitta: side.sagitta,
            half_widths: None,
            halo: Halo { opacity: halo / opacity, ..self.halo },
            inset_px: rim.map_or(side.inset_px, |rim| rim.width_px.max(side.inset_px)),
            length: side.length,
            outer: opaque(rim.map_or(outer, |rim| rim.color)),
            inner: [r, g, b, a / opacity],
        }
    }
}

impl Stroke {
    /// Returns the corners of the quad around the stroke. Neighboring pieces of a ring have the same bits.
    fn corners(&self) -> [[DVec2; 2]; 2] {
        [0, 1].map(|end| {
            let out = self.edge.bounds[end].normal;
            let at = self.ends[end] + out * self.beyond_px;
            let across = if end == 0 { -out.perp() } else { out.perp() };
            let [right, left] = self.reach_px[end];
            [at - across * right, at + across * left]
        })
    }
}

impl Patch {
    /// Returns the quad of a guide.
    pub(crate) fn guide(quad: &[GuideVertex; 4]) -> Self {
        let [_, half, halo_px] = quad[0].across_px.map(f64::from);
        let corner = |i: usize, at: f64| PatchCorner {
            px: Vec2::from(quad[i].position_px).as_dvec2(),
            uv: [at, quad[i].across_px[0].into()],
            light: 1.0,
            opacity: f64::from(quad[i].color[3]) * thin(half),
            depth: [0.0; 2],
            inward: 0.0,
        };
        let corners = [[corner(0, 0.0), corner(1, 0.0)], [corner(3, 1.0), corner(2, 1.0)]];
        let [[right, left], [end_right, end_left]] = &corners;
        Self {
            along: (end_right.px + end_left.px - right.px - left.px).normalize_or_zero(),
            corners,
            sagitta: 0.0,
            half_widths: Some([half.max(0.5); 2]),
            halo: Halo {
                opacity: if halo_px > 0.0 { GUIDE_HALO_OPACITY as f32 } else { 0.0 },
                width_px: halo_px,
            },
            inset_px: 0.0,
            length: 0.0,
            outer: opaque(quad[0].color),
            inner: opaque(quad[0].color),
        }
    }

    /// Returns true if the second half of the quad is empty.
    pub fn is_triangle(&self) -> bool {
        self.corners[0][0].px == self.corners[1][0].px
    }
}
