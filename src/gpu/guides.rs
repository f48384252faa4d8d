use super::error::{GpuError, check_alive};
use super::target_state::TargetState;
use super::window::Window;
use crate::handle::{DrawList, GuideVertex};
use glam::DVec2;
use std::mem::size_of;
use std::ops::Range;

/// The rules of colour, and what paints guides.
pub(super) const SHADER: &str =
    concat!(include_str!("../../shaders/color.wgsl"), include_str!("../../shaders/guide.wgsl"));

/// How [`GuideVertex`] reaches the shader.
pub(super) const GUIDE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<GuideVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x3, 2 => Float32x4],
};

/// Vertices of a first upload: a line, its ends and a letter for each axis.
const SMALLEST: usize = 256;

/// Paints the guides of a draw list into the host's pass.
#[derive(Debug)]
pub(super) struct Guides {
    pipeline: wgpu::RenderPipeline,
    /// Made at the first upload that has something in it; holds `capacity` vertices.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    /// Kept, so that an upload allocates nothing.
    staged: Vec<GuideVertex>,
    /// Under the handles, and over them.
    layers: [Range<u32>; 2],
    window: Option<Window>,
}

impl Guides {
    /// `depth_stencil` leaves the pass' depth and stencil alone.
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
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("wgpu-gizmo guides"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_guide"),
                compilation_options: Default::default(),
                buffers: &[Some(GUIDE_LAYOUT)],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil,
            multisample: wgpu::MultisampleState { count: target.sample_count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(target.fragment_entry()),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: target.format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline, buffer: None, capacity: 0, staged: Vec::new(), layers: [0..0, 0..0], window: None }
    }

    /// Nothing is drawn until the next upload.
    pub(super) fn clear(&mut self) {
        self.window = None;
    }

    /// Replaces what was there by the guides of a list.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.window = None;
        let [under, over] = list.guides();
        let Some(view) = list.view().filter(|_| !(under.is_empty() && over.is_empty())) else {
            return Ok(());
        };
        let v = view.viewport();
        // No pixel of a target is left of or above 0, and a window is no longer than a target may be.
        let all = [DVec2::new(v.x, v.y).max(DVec2::ZERO), DVec2::new(v.x + v.width, v.y + v.height)];
        let limit = device.limits().max_texture_dimension_2d;
        let Some(window) = Window::holding(all, view, limit) else { return Ok(()) };
        let origin = DVec2::new(window.origin[0] as f64, window.origin[1] as f64);
        let size = DVec2::new(window.size[0].into(), window.size[1].into());
        let in_window = |vertex: &GuideVertex| {
            let [x, y] = vertex.position_px;
            let part = (DVec2::new(x.into(), y.into()) - origin) / size;
            // Pixels run down and NDC runs up.
            let ndc = [2.0 * part.x - 1.0, 1.0 - 2.0 * part.y];
            GuideVertex { position_px: ndc.map(|n| n as f32), ..*vertex }
        };
        self.staged.clear();
        self.staged.extend(under.iter().chain(over).map(in_window));
        let (middle, end) = (under.len() as u32, self.staged.len() as u32);
        self.layers = [0..middle, middle..end];
        if self.staged.len() > self.capacity {
            check_alive(device)?;
            self.capacity = self.staged.len().next_power_of_two().max(SMALLEST);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("wgpu-gizmo guides"),
                size: (self.capacity * size_of::<GuideVertex>()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytemuck::cast_slice(&self.staged));
        }
        self.window = Some(window);
        Ok(())
    }

    pub(super) fn draw_under(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.layers[0]);
    }

    pub(super) fn draw_over(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.layers[1]);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: &Range<u32>) {
        let (Some(window), Some(buffer)) = (&self.window, &self.buffer) else { return };
        if layer.is_empty() {
            return;
        }
        let ([x, y], [width, height]) = (window.origin, window.size);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(layer.clone(), 0..1);
    }
}
