use super::tile_view::PixelGrid;
use crate::draw::shape::{Halo, Patch, PatchCorner};
use crate::handle::Rgba;
use crate::math::Rect;
use glam::DVec2;
use std::mem::size_of;

/// A corner of a [`Patch`] in the layout of the shader. On a software rasterizer, which has a setup cost per instance, vertices cost half as much as
/// instances.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct EdgeVertex {
    pub(super) position: [f32; 2],
    /// The position along the chord of the edge, from 0 to 1, and beside it in pixels.
    pub(super) uv: [f32; 2],
    /// The factors on the brightness and on the opacity.
    pub(super) shade: [f32; 2],
    /// Four times the sagitta, half of the width at the start of a stroke or -1, its change, and the
    /// smaller component of the normal, relative to the larger one.
    pub(super) curve: [f32; 4],
    /// The opacity of the halo; its width and half a pixel; how far inside of the outline the
    /// inner color begins; the length of a stroke with flat, soft ends, or 0.
    pub(super) rest: [f32; 4],
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
        0 => Float32x2, 1 => Float32x2, 2 => Float32x2, 3 => Float32x4, 4 => Float32x4, 5 => Unorm8x4,
        6 => Unorm8x4, 7 => Float32x2,
        8 => Float32,
    ],
};

/// The triangles of a quad: two corners at one end, and two at the other. Upright quads on whole blocks of a software
/// rasterizer have four times the fragments and take twice as long.
const QUAD: [u32; 6] = [0, 1, 2, 2, 1, 3];

/// The triangles of patches.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub(super) vertices: Vec<EdgeVertex>,
    /// Three per triangle.
    pub(super) indices: Vec<u32>,
}

/// Returns a color as bytes.
fn bytes(color: Rgba) -> [u8; 4] {
    // Rounded without a call of the C library.
    color.map(|part| (255.0 * part + 0.5) as u8)
}

impl EdgeVertex {
    /// Returns what the corners of a patch share.
    fn of(patch: &Patch) -> Self {
        let [h0, h1] = patch.half_widths.unwrap_or([-1.0; 2]);
        let DVec2 { x, y } = patch.along.abs();
        let slant = x.min(y) / x.max(y).max(0.5);
        let Halo { opacity, width_px } = patch.halo;
        Self {
            curve: [4.0 * patch.sagitta, h0, h1 - h0, slant].map(|part| part as f32),
            rest: [opacity.into(), width_px + 0.5, patch.inset_px, patch.length].map(|part| part as f32),
            outer: bytes(patch.outer),
            inner: bytes(patch.inner),
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// Returns the vertex at a corner of the patch.
    fn at(self, corner: &PatchCorner, grid: &PixelGrid) -> Self {
        Self {
            position: grid.ndc(corner.px).as_vec2().to_array(),
            uv: corner.uv.map(|part| part as f32),
            shade: [corner.light, corner.opacity].map(|part| part as f32),
            depth: corner.depth.map(|part| part as f32),
            inward: corner.inward as f32,
            ..self
        }
    }
}

impl Edges {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
    }

    /// Appends the one or two triangles of a patch, unless they are not in the grid.
    pub(super) fn push(&mut self, patch: &Patch, grid: &PixelGrid) {
        let [a, b, c, d] = patch.corners.as_flattened() else { return };
        let min = a.px.min(b.px).min(c.px).min(d.px);
        let max = a.px.max(b.px).max(c.px).max(d.px);
        if !grid.may_show(&Rect { min, max }) {
            return;
        }
        let vertex = EdgeVertex::of(patch);
        let [[a, b], [c, d]] =
            patch.corners.each_ref().map(|end| end.each_ref().map(|corner| vertex.at(corner, grid)));
        if patch.is_triangle() {
            self.add([a, b, d], [0, 1, 2]);
        } else {
            self.add([a, b, c, d], QUAD);
        }
    }

    /// Appends triangles; `indices` count from the first of these vertices.
    fn add<const V: usize, const I: usize>(&mut self, vertices: [EdgeVertex; V], indices: [u32; I]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&vertices);
        self.indices.extend_from_slice(&indices.map(|index| first + index));
    }
}
