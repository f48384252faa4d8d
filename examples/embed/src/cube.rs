//! The scene of the application: one shaded cube.

use wgpu_gizmo::Target;
use wgpu_gizmo::glam::DMat4;

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

pub(crate) struct Cube {
    pipeline: wgpu::RenderPipeline,
    clip_from_cube: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    depth: Option<wgpu::Texture>,
}

impl Cube {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("cube.wgsl"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("cube"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
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
        });
        let clip_from_cube = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("clip_from_cube"),
            size: 64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("cube"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: clip_from_cube.as_entire_binding() }],
        });
        Self { pipeline, clip_from_cube, bind_group, depth: None }
    }

    #[expect(clippy::too_many_arguments, reason = "a frame consists of these parts")]
    /// Draws the cube with depth in one pass. `last` draws over it in a second pass.
    pub(crate) fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        clip_from_world: DMat4,
        cube: &Target,
        last: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let clip_from_cube = clip_from_world * cube.local.to_matrix();
        queue.write_buffer(
            &self.clip_from_cube,
            0,
            bytemuck::bytes_of(&clip_from_cube.as_mat4().to_cols_array()),
        );
        let depth = self.depth_view(device, target.texture().size());
        let color = |load| {
            Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })
        };
        let sky = wgpu::Color { r: 0.045, g: 0.05, b: 0.06, a: 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[color(wgpu::LoadOp::Clear(sky))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.draw(0..36, 0..1);
        drop(pass);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("over the scene"),
            color_attachments: &[color(wgpu::LoadOp::Load)],
            ..Default::default()
        });
        last(&mut pass);
    }

    /// Returns the depth attachment, created again if the size has changed.
    fn depth_view(&mut self, device: &wgpu::Device, size: wgpu::Extent3d) -> wgpu::TextureView {
        let depth = self.depth.take().filter(|depth| depth.size() == size).unwrap_or_else(|| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("depth"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: DEPTH,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        });
        self.depth.insert(depth).create_view(&Default::default())
    }
}
