use super::error::GpuError;
use super::resources::create_buffer;
use super::tile_view::PixelGrid;
use crate::draw::shape::{Shape, ShapeKind, Stroke};
use glam::{DVec2, Vec2};
use std::mem::size_of;
use std::ops::Range;

/// A corner of the quad around a stroke, in the layout of the shader.
///
/// Most shapes of a gizmo are strokes. On a software rasterizer, which has a setup cost per instance,
/// vertices cost half as much as instances.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct StrokeVertex {
    pub(super) position: [f32; 2],
    /// The position along the chord, from 0 to 1, and the signed distance from it in pixels.
    pub(super) place: [f32; 2],
    /// Four times the sagitta, half of the width at the start, its change, and the slope of the coverage
    /// over the edge.
    pub(super) curve: [f32; 4],
    /// The opacity of the halo, its width plus half a pixel, the length of a straight line or 0, and the
    /// change of the opacity along the stroke.
    pub(super) rest: [f32; 4],
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
        0 => Float32x2, 1 => Float32x2, 2 => Float32x4, 3 => Float32x4, 4 => Unorm8x4, 5 => Float32,
    ],
};

/// Strokes of the smallest buffer: a gizmo with rings.
const MIN_CAPACITY: usize = 128;
const CORNERS: usize = 6;

/// Strokes on the GPU, two triangles each. They have no indices: the host's index buffer stays bound.
#[derive(Debug, Default)]
pub(super) struct Strokes {
    buffer: Option<wgpu::Buffer>,
    /// The number of strokes that the buffer holds.
    capacity: usize,
    // Kept between calls, so that an upload allocates nothing.
    staged: Vec<StrokeVertex>,
    /// The contents of the vertex buffer.
    sent: Vec<StrokeVertex>,
}

impl Strokes {
    pub(super) fn clear(&mut self) {
        self.staged.clear();
    }

    /// Returns the number of staged strokes.
    pub(super) fn count(&self) -> usize {
        self.staged.len() / CORNERS
    }

    pub(super) fn push(&mut self, shape: &Shape, grid: &PixelGrid) {
        let stroke: Stroke = bytemuck::cast(shape.data);
        let is_line = shape.kind == ShapeKind::Line;
        let [start, along] = [stroke.start, stroke.along].map(Vec2::from);
        let [h0, h1] = stroke.half_widths;
        let length = if is_line { stroke.length } else { 0.0 };
        let [from, to] = shape.colors;
        let color = from.map(|part| (255.0 * part).round() as u8);
        let curve = [4.0 * stroke.sagitta, h0, h1 - h0, coverage_slope(along)];
        let rest = [shape.halo.opacity, shape.halo.width_px as f32 + 0.5, length, to[3] - from[3]];
        let [a, b, c, d] = shape.corners();
        for corner in [a, b, c, c, b, d] {
            let by = corner - start;
            let t = by.dot(along) / stroke.length.max(1e-6);
            self.staged.push(StrokeVertex {
                position: grid.ndc(shape.anchor_px + corner.as_dvec2()).as_vec2().to_array(),
                place: [t, along.perp_dot(by)],
                curve,
                rest,
                color,
                depth: stroke.depths[0] + (stroke.depths[1] - stroke.depths[0]) * t,
            });
        }
    }

    /// Uploads the staged strokes if they have changed, and returns the number of bytes.
    pub(super) fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<u64, GpuError> {
        if self.count() > self.capacity {
            let capacity = self.count().next_power_of_two().max(MIN_CAPACITY);
            let bytes = (CORNERS * capacity * size_of::<StrokeVertex>()) as u64;
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
            self.buffer = Some(create_buffer(device, "wgpu-gizmo strokes", bytes, usage)?);
            self.capacity = capacity;
            self.sent.clear();
        }
        let [staged, sent]: [&[u8]; 2] = [&self.staged, &self.sent].map(|part| bytemuck::cast_slice(part));
        let (Some(vertices), false) = (&self.buffer, staged.is_empty() || staged == sent) else {
            return Ok(0);
        };
        queue.write_buffer(vertices, 0, staged);
        self.sent.clone_from(&self.staged);
        Ok(size_of_val(&self.sent[..]) as u64)
    }

    /// Draws a range of strokes.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, strokes: Range<u32>) {
        let Some(vertices) = &self.buffer else { return };
        pass.set_vertex_buffer(0, vertices.slice(..));
        let corners = CORNERS as u32;
        pass.draw(corners * strokes.start..corners * strokes.end, 0..1);
    }
}

/// Returns the slope of the linear function that best approximates how much of a square pixel lies on one
/// side of an edge in this direction.
fn coverage_slope(along: Vec2) -> f32 {
    let [x, y] = along.abs().to_array();
    (x.max(y) + 0.2 * x.min(y)).max(0.5).recip()
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
