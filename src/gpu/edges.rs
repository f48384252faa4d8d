use super::tile_view::PixelGrid;
use crate::draw::guides::HALO_OPACITY as GUIDE_HALO_OPACITY;
use crate::draw::shape::{EDGE_PX, Shape, ShapeKind, Stroke, Wedge};
use crate::draw::{GuideVertex, Rim, light_between};
use crate::handle::Rgba;
use glam::{DVec2, Vec2};
use std::mem::size_of;

/// A vertex of a triangle of a handle or a guide, in the layout of the shader.
///
/// A fragment knows its position along and beside one edge: the center line of a stroke, or one side of another
/// shape. On a software rasterizer, which has a setup cost per instance, vertices cost half as much as
/// instances.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct EdgeVertex {
    pub(super) position: [f32; 2],
    /// The position along the chord of the edge, from 0 to 1, and beside it in pixels.
    pub(super) uv: [f32; 2],
    /// As half floats: the factors on the brightness and on the opacity.
    pub(super) shade: [u16; 2],
    /// As half floats: four times the sagitta, half of the width at the start of a stroke or -1, its change, and the
    /// smaller component of the normal, relative to the larger one.
    pub(super) curve: [u16; 4],
    /// As half floats: the opacity of the halo; its width and half a pixel; how far inside of the outline the
    /// inner color begins; the length of a stroke with flat, soft ends, or 0.
    pub(super) rest: [u16; 4],
    /// The colors at the outline and inside.
    pub(super) outer: [u8; 4],
    pub(super) inner: [u8; 4],
    /// The depth of the view, of a ball at its outline; and its change to the front of the ball.
    pub(super) depth: [f32; 2],
    /// The position from the outline of a ball, 0, to its middle, 1. Elsewhere 0.
    pub(super) inward: f32,
}

/// The vertex buffer layout of [`EdgeVertex`].
pub(super) const EDGE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<EdgeVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x2, 1 => Float32x2, 2 => Float16x2, 3 => Float16x4, 4 => Float16x4, 5 => Unorm8x4,
        6 => Unorm8x4, 7 => Float32x2,
        8 => Float32,
    ],
};

/// The triangles of a quad: two corners at one end, and two at the other. Upright quads on whole blocks of a software
/// rasterizer have four times the fragments and take twice as long.
const QUAD: [u32; 6] = [0, 1, 2, 2, 1, 3];

/// The triangles of strokes, guides and wedges.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub(super) vertices: Vec<EdgeVertex>,
    /// Three per triangle.
    pub(super) indices: Vec<u32>,
}

/// The numbers that all vertices of an edge share.
#[derive(Debug, Clone, Copy)]
struct Common {
    sagitta: f32,
    /// At the ends of a stroke; `None` for the side of another shape.
    half_widths: Option<[f32; 2]>,
    along: Vec2,
    /// The opacity relative to that of the shape, and the width in pixels.
    halo: [f32; 2],
    inset: f32,
    length: f32,
    outer: [u8; 4],
    inner: [u8; 4],
}

/// Returns a color as bytes.
fn bytes(color: Rgba) -> [u8; 4] {
    // Rounded without a call of the C library.
    color.map(|part| (255.0 * part + 0.5) as u8)
}

impl Common {
    /// Returns a vertex without its position, its coordinates and its shade.
    fn vertex(&self) -> EdgeVertex {
        // A stroke that is thinner than a pixel is a transparent one of a pixel.
        let [h0, h1] = self.half_widths.map_or([-1.0; 2], |ends| ends.map(|half| half.max(0.5)));
        let [x, y] = self.along.abs().to_array();
        let slant = x.min(y) / x.max(y).max(0.5);
        EdgeVertex {
            position: [0.0; 2],
            uv: [0.0; 2],
            shade: [0; 2],
            curve: [4.0 * self.sagitta, h0, h1 - h0, slant].map(half_float),
            rest: [self.halo[0], self.halo[1] + 0.5, self.inset, self.length].map(half_float),
            outer: self.outer,
            inner: self.inner,
            depth: [0.0; 2],
            inward: 0.0,
        }
    }
}

impl EdgeVertex {
    /// Returns the vertex at this position in NDC, and at these coordinates along and beside the chord.
    fn at(self, position: DVec2, uv: [f32; 2], light_opacity: [f32; 2]) -> Self {
        let shade = light_opacity.map(half_float);
        Self { position: position.as_vec2().to_array(), uv, shade, ..self }
    }
}

/// Returns the factor on the opacity of a stroke that is thinner than a pixel: it is a transparent one of a
/// pixel.
fn thin(half_width: f32) -> f32 {
    (2.0 * half_width).clamp(0.0, 1.0)
}

fn opaque([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    [r, g, b, u8::MAX]
}

impl Edges {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
    }

    /// Appends triangles; `indices` count from the first of these vertices.
    fn add<const V: usize, const I: usize>(&mut self, vertices: [EdgeVertex; V], indices: [u32; I]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&vertices);
        self.indices.extend_from_slice(&indices.map(|index| first + index));
    }

    /// Appends the two triangles of a stroke.
    pub(super) fn push_stroke(&mut self, shape: &Shape, rim: Option<Rim>, grid: &PixelGrid) {
        let stroke: Stroke = bytemuck::cast(shape.data);
        let [start, along] = [stroke.start, stroke.along].map(Vec2::from);
        let inner = bytes(shape.colors[0]);
        let [from, to] =
            [inner, bytes(shape.colors[1])].map(|color| color.map(|byte| f32::from(byte) / 255.0));
        // Only the light changes along a stroke.
        let lights = [1.0, light_between(from, to)];
        let opacities = [from[3] * thin(stroke.half_widths[0]), to[3] * thin(stroke.half_widths[1])];
        let opacity = 0.5 * (shape.colors[0][3] + shape.colors[1][3]);
        let common = Common {
            sagitta: stroke.sagitta,
            half_widths: Some(stroke.half_widths),
            along,
            halo: [shape.halo.opacity / opacity.max(1e-3), shape.halo.width_px as f32],
            inset: rim.map_or(0.0, |rim| rim.width_px as f32),
            length: if shape.kind == ShapeKind::Line { stroke.length } else { 0.0 },
            outer: opaque(rim.map_or(inner, |rim| bytes(rim.color))),
            inner: opaque(inner),
        };
        let vertex = common.vertex();
        let per_px = stroke.length.max(1e-6).recip();
        let at = |corner: Vec2| {
            let by = corner - start;
            let t = by.dot(along) * per_px;
            let depth = stroke.depths[0] + (stroke.depths[1] - stroke.depths[0]) * t;
            let uv = [t, along.perp_dot(by)];
            let shade = [lights, opacities].map(|[from, to]| from + (to - from) * t);
            let position = grid.ndc(shape.anchor_px + corner.as_dvec2());
            EdgeVertex { depth: [depth, 0.0], ..vertex.at(position, uv, shade) }
        };
        let [a, b, c, d] = shape.corners();
        self.add([at(a), at(b), at(c), at(d)], QUAD);
    }

    /// Appends the triangles of a shape that is not a stroke.
    pub(super) fn push_wedges(&mut self, shape: &Shape, rim: Option<Rim>, grid: &PixelGrid) {
        let reach_px = shape.halo.width_px + EDGE_PX;
        shape.wedges(reach_px, rim.map_or(0.0, |rim| rim.width_px), |wedge| {
            let Wedge { corners, uvs, length, lights, depths, front_depth, .. } = wedge;
            let Wedge { sagitta, inset_px, colors, has_halo, .. } = wedge;
            let (halo, rim) = if has_halo { (shape.halo.opacity, rim) } else { (0.0, None) };
            let [outer, inner] = colors;
            let opacity = outer[3];
            let inner = [inner[0], inner[1], inner[2], inner[3] / opacity.max(1e-3)];
            let common = Common {
                sagitta: sagitta as f32,
                half_widths: None,
                along: (corners[2] - corners[1]).as_vec2().normalize_or_zero(),
                halo: [halo / opacity.max(1e-3), shape.halo.width_px as f32],
                inset: rim.map_or(inset_px, |rim| rim.width_px.max(inset_px)) as f32,
                length: length as f32,
                outer: opaque(bytes(rim.map_or(outer, |rim| rim.color))),
                inner: bytes(inner),
            };
            let vertex = common.vertex();
            let at = |i: usize| {
                let [t, beside] = uvs[i];
                let shade = [lights[i] as f32, opacity];
                let position = grid.ndc(shape.anchor_px + corners[i]);
                // The first corner is the middle of a ball.
                let inward = front_depth.map_or(0.0, |_| beside / uvs[0][1].min(-1e-3)) as f32;
                let depth = [depths[i], front_depth.unwrap_or(0.0)].map(|part| part as f32);
                EdgeVertex { depth, inward, ..vertex.at(position, [t as f32, beside as f32], shade) }
            };
            self.add([at(0), at(1), at(2)], [0, 1, 2]);
        });
    }

    /// Appends the two triangles of a quad of a guide. If its end is a point, the second one is empty: indices that are
    /// always those of quads are written once.
    pub(super) fn push_guide(&mut self, quad: &[GuideVertex; 4], grid: &PixelGrid) {
        let px = quad.map(|corner| Vec2::from(corner.position_px));
        let [_, half, halo] = quad[0].across_px;
        let color = opaque(bytes(quad[0].color));
        let common = Common {
            sagitta: 0.0,
            half_widths: Some([half; 2]),
            along: (px[2] + px[3] - px[0] - px[1]).normalize_or_zero(),
            halo: [if halo > 0.0 { GUIDE_HALO_OPACITY as f32 } else { 0.0 }, halo],
            inset: 0.0,
            length: 0.0,
            outer: color,
            inner: color,
        };
        let vertex = common.vertex();
        let corner = |i: usize, at: f32| {
            let uv = [at, quad[i].across_px[0]];
            vertex.at(grid.ndc(px[i].as_dvec2()), uv, [1.0, quad[i].color[3] * thin(half)])
        };
        let [a, b, c, d] = [corner(0, 0.0), corner(1, 0.0), corner(2, 1.0), corner(3, 1.0)];
        self.add([b, a, c, d], QUAD);
    }
}

/// Returns the nearest half-precision number; numbers beyond the range are clamped.
fn half_float(number: f32) -> u16 {
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let bits = number.abs().min(65504.0).to_bits();
    // Below 2^-14 there are only multiples of 2^-24.
    if bits < 0x3880_0000 {
        return sign | (number.abs() * 16_777_216.0 + 0.5) as u16;
    }
    // Drops 13 bits, rounding to nearest, and lowers the bias of the exponent by 112.
    sign | ((bits + 0xfff + (bits >> 13 & 1) - (112 << 23)) >> 13) as u16
}

impl Shape {
    /// Returns the corners of the quad around a stroke: two at its start, two at its end. Neighboring arcs
    /// have the same bits.
    fn corners(&self) -> [Vec2; 4] {
        let [center, along, across] = self.bounds.map(DVec2::as_vec2);
        if self.kind == ShapeKind::Line {
            return [
                center - along - across,
                center - along + across,
                center + along - across,
                center + along + across,
            ];
        }
        let stroke: Stroke = bytemuck::cast(self.data);
        let end = |[x, y, z]: [f32; 3], px: Vec2| {
            let tangent = Vec2::new(x, y);
            // On the line of the joint, which neighbors share.
            let px = px - tangent * (tangent.dot(px) - z);
            (px, tangent.perp())
        };
        let start = Vec2::from(stroke.start);
        let (a, out_a) = end(stroke.from, start);
        let (b, out_b) = end(stroke.to, self.end.as_vec2());
        let [[right_a, left_a], [right_b, left_b]] = self.reach_px.map(|end| end.map(|reach| reach as f32));
        [a - out_a * right_a, a + out_a * left_a, b - out_b * right_b, b + out_b * left_b]
    }
}

#[cfg(test)]
mod tests {
    use super::half_float;

    #[test]
    fn half_float_returns_nearest_half() {
        let float = |half: u16| {
            let (exponent, digits) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
            let size = match exponent {
                0 => digits * 2f64.powi(-24),
                _ => (1024.0 + digits) * 2f64.powi(exponent - 25),
            };
            if half & 0x8000 == 0 { size } else { -size }
        };
        for (number, half) in [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (1e9, 0x7bff)] {
            assert_eq!(half_float(number), half, "{number}");
        }
        for i in 1..20_000u16 {
            let number = f32::from(i) * 0.0031;
            let half = half_float(number);
            let off = |half: u16| (float(half) - f64::from(number)).abs();
            assert!(off(half) <= off(half - 1) && off(half) <= off(half + 1), "{number}: {}", float(half));
        }
    }
}
