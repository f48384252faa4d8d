use super::tile_view::PixelGrid;
use crate::draw::GuideVertex;
use crate::draw::shape::{EDGE_PX, Shape, ShapeKind, Stroke, Wedge};
use crate::handle::Rgba;
use glam::{DVec2, Vec2};
use std::mem::size_of;

/// A corner of the quad around a stroke, in the layout of the shader.
///
/// Most shapes of a gizmo are strokes. On a software rasterizer, which has a setup cost per instance,
/// vertices cost half as much as instances.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct StrokeVertex {
    pub(super) position: [f32; 2],
    /// The position along the chord, from 0 to 1, and beside it in pixels.
    pub(super) place: [f32; 2],
    /// As half floats: four times the sagitta, half of the width at the start, its change, and the smaller
    /// component of the normal, relative to the larger one.
    pub(super) curve: [u16; 4],
    /// As half floats: the opacity of the halo, relative to the color; its width and half a pixel; the change
    /// of the opacity of the color along the stroke, and of its light, relative to the start.
    pub(super) rest: [u16; 4],
    /// The length of a stroke with flat, soft ends, or 0.
    pub(super) length: f32,
    /// The color at the start.
    pub(super) color: [u8; 4],
    /// The depth of the view.
    pub(super) depth: f32,
}

/// The vertex buffer layout of [`StrokeVertex`].
pub(super) const STROKE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<StrokeVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x2, 1 => Float32x2, 2 => Float16x4, 3 => Float16x4, 4 => Float32, 5 => Unorm8x4,
        6 => Float32,
    ],
};

/// The opacity of the black halo of a guide. It is less than around handles, which are thicker.
const GUIDE_HALO: f32 = 0.28;

/// The numbers that all corners of a stroke share.
#[derive(Debug, Clone, Copy)]
struct Common {
    sagitta: f32,
    half_widths: [f32; 2],
    along: Vec2,
    /// The opacity relative to the color, and the width in pixels.
    halo: [f32; 2],
    length: f32,
    colors: [Rgba; 2],
}

impl Common {
    /// Returns a vertex without its position and place.
    fn vertex(&self) -> StrokeVertex {
        let [h0, h1] = self.half_widths;
        // A stroke that is thinner than a pixel is a transparent one of a pixel.
        let thin = [h0, h1].map(|half| (2.0 * half).clamp(0.0, 1.0));
        let [h0, h1] = [h0, h1].map(|half| half.max(0.5));
        // Colors are rounded as in the records of other shapes.
        let [from, to] = self.colors.map(|color| color.map(|part| (255.0 * part).round() / 255.0));
        let opacity = [from[3] * thin[0], to[3] * thin[1]];
        let [x, y] = self.along.abs().to_array();
        let slant = x.min(y) / x.max(y).max(0.5);
        let color = [from[0], from[1], from[2], opacity[0]];
        let sum = |[r, g, b, _]: Rgba| r + g + b;
        let light = sum(to) / sum(from).max(1e-3) - 1.0;
        StrokeVertex {
            position: [0.0; 2],
            place: [0.0; 2],
            curve: [4.0 * self.sagitta, h0, h1 - h0, slant].map(half_float),
            rest: [self.halo[0], self.halo[1] + 0.5, opacity[1] - opacity[0], light].map(half_float),
            length: self.length,
            color: color.map(|part| (255.0 * part).round() as u8),
            depth: 0.0,
        }
    }
}

impl StrokeVertex {
    /// Returns the vertex at this position in NDC, and this place along and beside the chord.
    fn at(self, position: DVec2, place: [f32; 2]) -> Self {
        Self { position: position.as_vec2().to_array(), place, ..self }
    }
}

/// Appends the two triangles of a stroke. They have no indices: the host's index buffer stays bound.
pub(super) fn push(vertices: &mut Vec<StrokeVertex>, shape: &Shape, grid: &PixelGrid) {
    let stroke: Stroke = bytemuck::cast(shape.data);
    let [start, along] = [stroke.start, stroke.along].map(Vec2::from);
    let opacity = 0.5 * (shape.colors[0][3] + shape.colors[1][3]);
    let common = Common {
        sagitta: stroke.sagitta,
        half_widths: stroke.half_widths,
        along,
        halo: [shape.halo.opacity / opacity.max(1e-3), shape.halo.width_px as f32],
        length: if shape.kind == ShapeKind::Line { stroke.length } else { 0.0 },
        colors: shape.colors,
    };
    let vertex = common.vertex();
    let [a, b, c, d] = shape.corners().map(|corner| {
        let by = corner - start;
        let t = by.dot(along) / stroke.length.max(1e-6);
        let depth = stroke.depths[0] + (stroke.depths[1] - stroke.depths[0]) * t;
        let place = [t, along.perp_dot(by)];
        StrokeVertex { depth, ..vertex.at(grid.ndc(shape.anchor_px + corner.as_dvec2()), place) }
    });
    vertices.extend([a, b, c, c, b, d]);
}

/// Added to the distance from the edge of a wedge, which has one side and not two.
const ONE_SIDED: f64 = 64.0;

/// Appends the triangles of a shape that is not a stroke. Its corners are less exact than with stages of its
/// own.
pub(super) fn push_wedges(vertices: &mut Vec<StrokeVertex>, shape: &Shape, grid: &PixelGrid) {
    let reach_px = shape.halo.width_px + EDGE_PX;
    shape.wedges(reach_px, |wedge| {
        let Wedge { corners, distances, half_width, color } = wedge;
        let (half, offset) = half_width.map_or((ONE_SIDED, ONE_SIDED), |half| (half, 0.0));
        let common = Common {
            sagitta: 0.0,
            half_widths: [half as f32; 2],
            along: (corners[2] - corners[1]).as_vec2().normalize_or_zero(),
            halo: [shape.halo.opacity / color[3].max(1e-3), shape.halo.width_px as f32],
            length: 0.0,
            colors: [color; 2],
        };
        let vertex = common.vertex();
        vertices.extend([0, 1, 2].map(|i| {
            let place = [0.5, (distances[i] + offset) as f32];
            vertex.at(grid.ndc(shape.anchor_px + corners[i]), place)
        }));
    });
}

/// Appends the two triangles of a quad of a guide.
pub(super) fn push_guide(vertices: &mut Vec<StrokeVertex>, quad: &[GuideVertex; 4], grid: &PixelGrid) {
    let px = quad.map(|corner| Vec2::from(corner.position_px));
    let [_, half, halo] = quad[0].across_px;
    let common = Common {
        sagitta: 0.0,
        half_widths: [half; 2],
        along: (px[3] - px[0]).normalize_or_zero(),
        halo: [if halo > 0.0 { GUIDE_HALO } else { 0.0 }, halo],
        length: 0.0,
        colors: [quad[0].color, quad[2].color],
    };
    let vertex = common.vertex();
    let corner = |i: usize, at: f32| {
        let place = [at, quad[i].across_px[0]];
        vertex.at(grid.ndc(px[i].as_dvec2()), place)
    };
    let [a, b, c, d] = [corner(0, 0.0), corner(1, 0.0), corner(2, 1.0), corner(3, 1.0)];
    // The color is that of the first vertex of a triangle, at the start of the stroke.
    vertices.extend([a, b, c, a, c, d]);
}

/// Returns the nearest half-precision number; numbers beyond the range are clamped.
fn half_float(number: f32) -> u16 {
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let bits = number.abs().min(65504.0).to_bits();
    // Below 2^-14 there are only multiples of 2^-24.
    if bits < 0x3880_0000 {
        return sign | (number.abs() * 16_777_216.0).round() as u16;
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
