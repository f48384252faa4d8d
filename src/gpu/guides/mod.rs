//! Drawing of guides.

#[cfg(all(test, feature = "native"))]
mod pictures;
mod records;

pub(super) use records::{GRID_LAYOUT, GRID_PIECES, GUIDE_LAYOUT, GridRecord, Quad};

use super::error::GpuError;
use super::resources::create_buffer;
use super::target_state::TargetState;
use super::tile_view::PixelRect;
use crate::draw::DrawList;
use glam::DVec2;
use std::mem::size_of;
use std::ops::Range;

/// The color conversions, followed by the guide shader.
pub(super) const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/guide.wgsl"));

/// Bytes of the smallest buffer: a line, its ends and a letter per axis.
const MIN_CAPACITY: usize = 64 * size_of::<Quad>();

/// Draws the guides of a draw list into the host's pass.
#[derive(Debug)]
pub(super) struct Guides {
    quads: wgpu::RenderPipeline,
    grids: wgpu::RenderPipeline,
    /// Created by the first upload that has something in it; holds `capacity` bytes.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    /// Grids, then quads. Kept between calls, so that an upload allocates nothing.
    staged: Vec<u8>,
    /// The contents of the buffer.
    sent: Vec<u8>,
    /// The number of vertices of each grid.
    grid_vertices: Vec<u32>,
    /// The quads below the handles, and those above them.
    layers: [Range<u32>; 2],
    pixels: Option<PixelRect>,
    /// Bytes of the last upload.
    uploaded: u64,
}

impl Guides {
    /// Returns the number of bytes of the last upload.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// `depth_stencil` must keep the depth and stencil of the pass.
    pub(super) fn new(
        device: &wgpu::Device,
        target: TargetState,
        depth_stencil: Option<wgpu::DepthStencilState>,
    ) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("wgpu-gizmo guides"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo guides"),
            ..Default::default()
        });
        let pipeline = |vertex_entry, buffer| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("wgpu-gizmo guides"),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(vertex_entry),
                    compilation_options: Default::default(),
                    buffers: &[Some(buffer)],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: depth_stencil.clone(),
                multisample: wgpu::MultisampleState { count: target.sample_count, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(target.fragment_entry()),
                    compilation_options: Default::default(),
                    targets: &[Some(target.blended())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            quads: pipeline("vs_guide", GUIDE_LAYOUT),
            grids: pipeline("vs_grid", GRID_LAYOUT),
            buffer: None,
            capacity: 0,
            staged: Vec::new(),
            sent: Vec::new(),
            grid_vertices: Vec::new(),
            layers: [0..0, 0..0],
            pixels: None,
            uploaded: 0,
        }
    }

    /// Replaces the guides with those of a list.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.pixels = None;
        self.uploaded = 0;
        let ([under, over], grids) = (list.guides(), list.grids());
        let is_empty = under.is_empty() && over.is_empty() && grids.is_empty();
        let Some(view) = list.view().filter(|_| !is_empty) else { return Ok(()) };
        let limit = device.limits().max_texture_dimension_2d;
        let Some(pixels) = PixelRect::of_view(view, limit) else { return Ok(()) };
        let (origin, size) = (pixels.origin_px(), pixels.size_px());
        // Pixels run down and NDC runs up.
        let scale = DVec2::new(2.0, -2.0) / size;
        let ndc_from_px = [scale, DVec2::new(-1.0, 1.0) - origin * scale];
        self.staged.clear();
        self.grid_vertices.clear();
        for grid in grids {
            self.staged.extend_from_slice(bytemuck::bytes_of(&GridRecord::new(grid, ndc_from_px, size)));
            self.grid_vertices.push(6 * GRID_PIECES * (grid.lines[0] + grid.lines[1]));
        }
        for layer in [under, over] {
            let corners = layer.chunks_exact(4).filter_map(|four| <&[_; 4]>::try_from(four).ok());
            let quads = corners.map(|corners| Quad::new(corners, ndc_from_px));
            quads.for_each(|quad| self.staged.extend_from_slice(bytemuck::bytes_of(&quad)));
        }
        let [under, over] = [under, over].map(|layer| (layer.len() / 4) as u32);
        self.layers = [0..under, under..under + over];
        if self.staged.len() > self.capacity {
            let capacity = self.staged.len().next_power_of_two().max(MIN_CAPACITY);
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
            self.buffer = Some(create_buffer(device, "wgpu-gizmo guides", capacity as u64, usage)?);
            self.capacity = capacity;
            self.sent.clear();
        }
        // Equal guides are not uploaded again.
        if let (Some(buffer), true) = (&self.buffer, self.staged != self.sent) {
            queue.write_buffer(buffer, 0, &self.staged);
            self.uploaded = self.staged.len() as u64;
            self.sent.clone_from(&self.staged);
        }
        self.pixels = Some(pixels);
        Ok(())
    }

    pub(super) fn draw_under(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some(buffer), false) = (self.begin(pass), self.grid_vertices.is_empty()) {
            pass.set_pipeline(&self.grids);
            pass.set_vertex_buffer(0, buffer.slice(..self.grid_bytes()));
            for (place, vertices) in (0..).zip(&self.grid_vertices) {
                pass.draw(0..*vertices, place..place + 1);
            }
        }
        self.draw(pass, &self.layers[0]);
    }

    pub(super) fn draw_over(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.layers[1]);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: &Range<u32>) {
        if layer.is_empty() {
            return;
        }
        if let Some(buffer) = self.begin(pass) {
            pass.set_pipeline(&self.quads);
            pass.set_vertex_buffer(0, buffer.slice(self.grid_bytes()..));
            pass.draw(0..6, layer.clone());
        }
    }

    /// Returns the offset of the quads in the buffer.
    fn grid_bytes(&self) -> u64 {
        (self.grid_vertices.len() * size_of::<GridRecord>()) as u64
    }

    /// Sets the viewport and returns the buffer, or returns `None` if there is nothing to draw.
    fn begin(&self, pass: &mut wgpu::RenderPass<'_>) -> Option<&wgpu::Buffer> {
        let (pixels, buffer) = (self.pixels.as_ref()?, self.buffer.as_ref()?);
        pixels.set_viewport(pass);
        Some(buffer)
    }
}
