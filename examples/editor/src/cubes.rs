//! Draws the cubes of the scene.

use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::{Transform, View, Viewport};

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The corners of a cube with sides of 1.
pub(crate) const CORNERS: [[f32; 3]; 8] = {
    let mut corners = [[0.0; 3]; 8];
    let mut i = 0;
    while i < 8 {
        corners[i] = [(i & 1) as f32 - 0.5, (i >> 1 & 1) as f32 - 0.5, (i >> 2) as f32 - 0.5];
        i += 1;
    }
    corners
};

/// Two triangles per side.
pub(crate) const TRIANGLES: [u32; 36] = [
    0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 6, 3, 7, 0, 2, 4, 4, 2, 6, 1, 5, 3, 3, 5,
    7,
];

/// The maximum number of cubes that are drawn.
const CAPACITY: usize = 100;

pub(crate) struct Cubes {
    pipeline: wgpu::RenderPipeline,
    clip_from_world: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    corners: wgpu::Buffer,
    triangles: wgpu::Buffer,
    matrices: wgpu::Buffer,
    depth: Option<wgpu::Texture>,
}

impl Cubes {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let pipeline = pipeline(device, format);
        let buffer = |label, size, usage| {
            let usage = usage | wgpu::BufferUsages::COPY_DST;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let filled = |label, contents, usage| {
            device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
        };
        let clip_from_world = buffer("clip_from_world", 64, wgpu::BufferUsages::UNIFORM);
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("cubes"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: clip_from_world.as_entire_binding() }],
        });
        Self {
            pipeline,
            clip_from_world,
            bind_group,
            corners: filled("corners", bytemuck::cast_slice(&CORNERS), wgpu::BufferUsages::VERTEX),
            triangles: filled("triangles", bytemuck::cast_slice(&TRIANGLES), wgpu::BufferUsages::INDEX),
            matrices: buffer("matrices", 64 * CAPACITY as u64, wgpu::BufferUsages::VERTEX),
            depth: None,
        }
    }

    /// Uploads the matrices of the objects.
    pub(crate) fn upload(&self, queue: &wgpu::Queue, worlds: impl Iterator<Item = Transform>) {
        let matrices: Vec<_> = worlds.take(CAPACITY).map(|world| columns(world.to_matrix())).collect();
        queue.write_buffer(&self.matrices, 0, bytemuck::cast_slice(&matrices));
    }

    /// Draws a view with depth in one pass. `last` draws over the cubes in a second pass. The view at the left
    /// comes first, and clears the target.
    pub(crate) fn draw(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        view: &View,
        last: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let clip_from_world = columns(view.clip_from_world());
        queue.write_buffer(&self.clip_from_world, 0, bytemuck::bytes_of(&clip_from_world));
        let size = target.texture().size();
        if self.depth.as_ref().is_none_or(|depth| depth.size() != size) {
            self.depth = Some(device.create_texture(&wgpu::TextureDescriptor {
                label: Some("depth"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: DEPTH,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            }));
        }
        let depth = self.depth.as_ref().map(|depth| depth.create_view(&Default::default()));
        let color = |load| {
            Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })
        };
        let sky = wgpu::LoadOp::Clear(wgpu::Color { r: 0.045, g: 0.05, b: 0.06, a: 1.0 });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[color(if view.viewport().x == 0.0 { sky } else { wgpu::LoadOp::Load })],
            depth_stencil_attachment: depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let Viewport { x, y, width, height } = view.viewport();
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_vertex_buffer(1, self.matrices.slice(..));
        pass.set_index_buffer(self.triangles.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..TRIANGLES.len() as u32, 0, 0..CAPACITY as u32);
        drop(pass);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("over the scene"),
            color_attachments: &[color(wgpu::LoadOp::Load)],
            ..Default::default()
        });
        last(&mut pass);
    }
}

fn columns(matrix: DMat4) -> [f32; 16] {
    matrix.as_mat4().to_cols_array()
}

fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let shader = device.create_shader_module(wgpu::include_wgsl!("cubes.wgsl"));
    let corner = wgpu::vertex_attr_array![0 => Float32x3];
    let matrix = wgpu::vertex_attr_array![1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4];
    let layout = |array_stride, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("cubes"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[
                layout(12, wgpu::VertexStepMode::Vertex, &corner),
                layout(64, wgpu::VertexStepMode::Instance, &matrix),
            ],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
