use crate::draw::DrawList;
use crate::draw::parts::GuideGrid;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::device::target_state::TargetState;
use crate::gpu::device::vertex_memory::VertexMemory;
use crate::gpu::id_target::tile_view::PixelRect;
use glam::{DMat3, DVec2, DVec3};
use std::mem::size_of;

/// The color conversions, followed by the grid shader.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/grid.wgsl"));

/// A [`GuideGrid`] in the layout of the shader, which expands it into strokes.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct GridRecord {
    /// The homogeneous NDC (x, y, w) of its center, and their changes along its axes.
    pub(crate) middle: [f32; 3],
    pub(crate) axes: [[f32; 3]; 2],
    /// The offset of the first line across each axis, and the distance between lines.
    pub(crate) lines: [f32; 3],
    /// The number of lines across the first axis.
    pub(crate) across_first: u32,
    /// The size of the viewport that it is drawn in.
    pub(crate) size_px: [f32; 2],
    /// Half of the width of a line, and the width of its halo.
    pub(crate) width: [f32; 2],
    pub(crate) color: [f32; 4],
}

/// The vertex buffer layout of [`GridRecord`].
pub(crate) const GRID_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<GridRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3,
        4 => Uint32, 5 => Float32x2, 6 => Float32x2, 7 => Float32x4,
    ],
};

/// Bytes of the smallest buffer: the grids of a drag.
const MIN_CAPACITY: usize = 4 * size_of::<GridRecord>();

impl GridRecord {
    /// `ndc_from_px` is the scale and the offset of both coordinates.
    fn new(grid: &GuideGrid, [scale, shift]: [DVec2; 2], size_px: DVec2) -> Self {
        let ndc_from_px = DMat3::from_cols(DVec3::X * scale.x, DVec3::Y * scale.y, shift.extend(1.0));
        let plane = ndc_from_px * grid.px_from_plane;
        // Scaled so that `f32` can represent it, whatever the unit of w in the view.
        let largest_w = plane.row(2).abs().max_element();
        let [a, b, middle] =
            [plane.x_axis, plane.y_axis, plane.z_axis].map(|v| (v / largest_w).as_vec3().to_array());
        let [first_a, first_b] = grid.first;
        Self {
            middle,
            axes: [a, b],
            lines: [first_a, first_b, grid.spacing].map(|length| length as f32),
            across_first: grid.lines[0],
            size_px: size_px.as_vec2().to_array(),
            width: [grid.half_width_px, grid.halo_px],
            color: grid.color,
        }
    }
}

/// Draws the grids of a draw list into the host's pass.
#[derive(Debug)]
pub(crate) struct Grids {
    pipeline: wgpu::RenderPipeline,
    records: VertexMemory<GridRecord>,
    /// The number of vertices of each grid.
    vertices: Vec<u32>,
}

impl Grids {
    /// Returns the number of bytes of the last upload.
    pub(crate) fn uploaded_bytes(&self) -> u64 {
        self.records.uploaded_bytes()
    }

    /// `depth_stencil` must keep the depth and stencil of the pass.
    pub(crate) fn new(
        factory: &PipelineFactory<'_>,
        target: TargetState,
        depth_stencil: &Option<wgpu::DepthStencilState>,
    ) -> Self {
        let pipeline = factory.shader("wgpu-gizmo grids", SHADER).pipeline(&PipelineState {
            entries: ["vs_grid", "fs_grid"],
            constants: &[target.encoding()],
            buffers: &[Some(GRID_LAYOUT)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth_stencil: depth_stencil.clone(),
            sample_count: target.sample_count,
            targets: &[Some(target.blended())],
            ..Default::default()
        });
        Self::with(pipeline)
    }

    fn with(pipeline: wgpu::RenderPipeline) -> Self {
        let records = VertexMemory::new("wgpu-gizmo grids", wgpu::BufferUsages::VERTEX, MIN_CAPACITY);
        Self { pipeline, records, vertices: Vec::new() }
    }

    /// Returns the grids of another view, with the same pipeline.
    pub(crate) fn for_another_view(&self) -> Self {
        Self::with(self.pipeline.clone())
    }

    /// Replaces the grids by what a list has, for a viewport with these pixels.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        pixels: &PixelRect,
    ) -> Result<(), GpuError> {
        let (origin, size) = (pixels.origin_px(), pixels.size_px());
        // Pixels run down and NDC runs up.
        let scale = DVec2::new(2.0, -2.0) / size;
        let ndc_from_px = [scale, DVec2::new(-1.0, 1.0) - origin * scale];
        let records = self.records.replace();
        self.vertices.clear();
        for grid in list.grids() {
            records.push(GridRecord::new(grid, ndc_from_px, size));
            self.vertices.push(6 * GuideGrid::PIECES * (grid.lines[0] + grid.lines[1]));
        }
        self.records.upload(device, queue)
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some(buffer), false) = (self.records.buffer(), self.vertices.is_empty()) {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, buffer.slice(..));
            for (grid, vertices) in (0..).zip(&self.vertices) {
                pass.draw(0..*vertices, grid..grid + 1);
            }
        }
    }
}
