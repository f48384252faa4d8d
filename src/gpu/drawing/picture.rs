use super::runs::Runs;
use crate::draw::parts::{Halo, Painting, Patch, PatchCorner};
use crate::draw::{DepthStyle, DrawList};
use crate::gpu::device::error::GpuError;
use crate::gpu::device::vertex_memory::VertexMemory;
use crate::gpu::id_target::tile_view::PixelGrid;
use crate::handle::Rgba;
use crate::math::Rect;
use glam::DVec2;
use std::mem::size_of;

/// A corner of a [`Patch`] in the layout of the shader. On a software rasterizer, which has a setup cost per instance,
/// vertices cost half as much as instances.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct PatchVertex {
    pub(crate) position: [f32; 2],
    /// The position along the chord of the edge, from 0 to 1, and beside it in pixels.
    pub(crate) uv: [f32; 2],
    /// The factors on the brightness and on the opacity.
    pub(crate) shade: [f32; 2],
    /// Four times the sagitta, half of the width at the start of a stroke or -1, its change, and the
    /// smaller component of the normal, relative to the larger one.
    pub(crate) curve: [f32; 4],
    /// The opacity of the halo; its width and half a pixel; how far inside of the outline the
    /// inner color begins; the length of a stroke with flat, soft ends, or 0.
    pub(crate) rest: [f32; 4],
    /// The colors at the outline and inside.
    pub(crate) outer: [u8; 4],
    pub(crate) inner: [u8; 4],
    /// The depth of the view, of a ball at its outline; and its change to the front of the ball.
    pub(crate) depth: [f32; 2],
    /// The position from the outline of a ball, 0, to its middle, 1. Elsewhere 0.
    pub(crate) inward: f32,
}

/// The vertex buffer layout of [`PatchVertex`].
pub(crate) const PATCH_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<PatchVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x2, 1 => Float32x2, 2 => Float32x2, 3 => Float32x4, 4 => Float32x4, 5 => Unorm8x4,
        6 => Unorm8x4, 7 => Float32x2,
        8 => Float32,
    ],
};

/// Returns a color as bytes.
fn bytes(color: Rgba) -> [u8; 4] {
    // Rounded without a call of the C library.
    color.map(|part| (255.0 * part + 0.5) as u8)
}

impl PatchVertex {
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

/// The color conversions, followed by the shader of handles.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/handle.wgsl"));

/// Bytes of the smallest buffers: a gizmo with rings.
const MIN_CAPACITY: usize = 1 << 15;

/// The triangles of handles and guides on the GPU, in the order of painting.
#[derive(Debug)]
pub(crate) struct Picture {
    vertices: VertexMemory<PatchVertex>,
    /// Three per triangle.
    indices: VertexMemory<u32>,
    runs: Runs,
    painting: Painting,
}

impl Picture {
    pub(crate) fn new() -> Self {
        Self {
            vertices: VertexMemory::new("wgpu-gizmo vertices", wgpu::BufferUsages::VERTEX, MIN_CAPACITY),
            indices: VertexMemory::new("wgpu-gizmo indices", wgpu::BufferUsages::INDEX, MIN_CAPACITY),
            runs: Runs::default(),
            painting: Painting::default(),
        }
    }

    /// Returns the number of bytes of the last upload.
    pub(crate) fn uploaded_bytes(&self) -> u64 {
        self.vertices.uploaded_bytes() + self.indices.uploaded_bytes()
    }

    /// Replaces the triangles by what a list shows in the grid.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        grid: &PixelGrid,
    ) -> Result<(), GpuError> {
        let mut triangles = Mesh { vertices: self.vertices.replace(), indices: self.indices.replace(), grid };
        let Self { runs, painting, .. } = self;
        runs.clear();
        painting.patches(list, grid.visible_px(), |style, patch| {
            triangles.push(patch);
            runs.add(style, triangles.indices.len());
        });
        self.vertices.upload(device, queue)?;
        self.indices.upload(device, queue)
    }

    /// Draws the triangles. `begin` is called before the triangles of each style.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        begin: impl Fn(&mut wgpu::RenderPass<'_>, DepthStyle),
    ) {
        let (Some(vertices), Some(indices)) = (self.vertices.buffer(), self.indices.buffer()) else { return };
        for (style, range) in self.runs.iter().filter(|(_, range)| !range.is_empty()) {
            begin(pass, style);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(range, 0, 0..1);
        }
    }
}

/// Receives the triangles of patches.
struct Mesh<'a> {
    vertices: &'a mut Vec<PatchVertex>,
    indices: &'a mut Vec<u32>,
    grid: &'a PixelGrid,
}

impl Mesh<'_> {
    /// Appends the one or two triangles of a patch, unless they are not in the grid.
    fn push(&mut self, patch: &Patch) {
        let [a, b, c, d] = patch.corners.as_flattened() else { return };
        let min = a.px.min(b.px).min(c.px).min(d.px);
        let max = a.px.max(b.px).max(c.px).max(d.px);
        if !self.grid.may_show(&Rect { min, max }) {
            return;
        }
        let first = self.vertices.len() as u32;
        let vertex = PatchVertex::of(patch);
        // Upright quads on whole blocks of a software rasterizer would have four times the fragments and take twice as
        // long.
        if patch.is_triangle() {
            for corner in [a, b, d] {
                self.vertices.push(vertex.at(corner, self.grid));
            }
            self.indices.extend([first, first + 1, first + 2]);
        } else {
            for corner in [a, b, c, d] {
                self.vertices.push(vertex.at(corner, self.grid));
            }
            self.indices.extend([first, first + 1, first + 2, first + 2, first + 1, first + 3]);
        }
    }
}
