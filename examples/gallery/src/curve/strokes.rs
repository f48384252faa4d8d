//! Draws the curve as plain triangles.

use crate::solids::{DEPTH, SAMPLES};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

const SHADER: &str = "
struct Raster { @builtin(position) clip: vec4f, @location(0) color: vec3f }
@vertex fn vs(@location(0) ndc: vec2f, @location(1) color: vec3f) -> Raster {
    return Raster(vec4f(ndc, 0.0, 1.0), color);
}
@fragment fn fs(in: Raster) -> @location(0) vec4f { return vec4f(in.color, 1.0); }
@fragment fn fs_linear(in: Raster) -> @location(0) vec4f {
    return vec4f(pow((in.color + 0.055) / 1.055, vec3f(2.4)), 1.0);
}
";

/// A pipeline for triangles with colors, and their buffer.
pub(super) struct Strokes {
    pipeline: wgpu::RenderPipeline,
    vertices: Option<wgpu::Buffer>,
    count: u32,
}

impl Strokes {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("strokes"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let vertices = wgpu::VertexBufferLayout {
            array_stride: 20,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x3],
        };
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("strokes"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs"),
                compilation_options: Default::default(),
                buffers: &[Some(vertices)],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(if format.is_srgb() { "fs_linear" } else { "fs" }),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline, vertices: None, count: 0 }
    }

    pub(super) fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, triangles: &[[f32; 5]]) {
        let contents: &[u8] = bytemuck::cast_slice(triangles);
        self.count = triangles.len() as u32;
        match &self.vertices {
            Some(buffer) if buffer.size() >= contents.len() as u64 => queue.write_buffer(buffer, 0, contents),
            _ => {
                let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
                let descriptor = BufferInitDescriptor { label: Some("strokes"), contents, usage };
                self.vertices = Some(device.create_buffer_init(&descriptor));
            }
        }
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(vertices) = &self.vertices else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.draw(0..self.count, 0..1);
    }
}
