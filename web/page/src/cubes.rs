//! The scene: cubes that are drawn in color, and one that the host itself draws into the ID image.

use bytemuck::{Pod, Zeroable};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DAffine3, DMat4, Vec3};
use wgpu_gizmo::gpu::Picker;
use wgpu_gizmo::math::DepthDirection;

const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A cube of the scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cube {
    pub(crate) world_from_cube: DAffine3,
    pub(crate) color: Vec3,
    pub(crate) id: NonZeroU32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CubeUniform {
    clip_from_cube: [f32; 16],
    color: [f32; 3],
    id: u32,
}

#[derive(Debug)]
pub(crate) struct CubeRenderer {
    color: wgpu::RenderPipeline,
    ids: wgpu::RenderPipeline,
    slots: Vec<Slot>,
    depth: Option<wgpu::Texture>,
}

#[derive(Debug)]
struct Slot {
    uniform: wgpu::Buffer,
    bindings: wgpu::BindGroup,
}

impl CubeRenderer {
    /// Creates the pipelines, and uniforms for this many cubes and one in the ID image.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat, count: usize) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("cube"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let slot = || {
            let uniform = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("cube"),
                size: size_of::<CubeUniform>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("cube"),
                layout: &layout,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
            });
            Slot { uniform, bindings }
        };
        let slots = std::iter::repeat_with(slot).take(count + 1).collect();
        let depth = wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        };
        Self {
            color: pipeline(device, &layout, "fs_color", &[Some(format.into())], depth),
            ids: pipeline(
                device,
                &layout,
                "fs_id",
                Picker::color_targets(device),
                Picker::depth_stencil(DepthDirection::Standard),
            ),
            slots,
            depth: None,
        }
    }

    /// Draws cubes in color.
    pub(crate) fn draw(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        clip_from_world: DMat4,
        cubes: &[Cube],
    ) {
        let depth = self.depth_view(device, target.texture().size());
        for (cube, slot) in cubes.iter().zip(&self.slots) {
            upload(queue, slot, cube, clip_from_world);
        }
        let sky = wgpu::Color { r: 0.045, g: 0.05, b: 0.06, a: 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cubes"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(sky), store: wgpu::StoreOp::Store },
            })],
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
        pass.set_pipeline(&self.color);
        for (_, slot) in cubes.iter().zip(&self.slots) {
            pass.set_bind_group(0, &slot.bindings, &[]);
            pass.draw(0..36, 0..1);
        }
    }

    /// Draws a cube into the ID image.
    pub(crate) fn draw_id(
        &self,
        queue: &wgpu::Queue,
        pass: &mut wgpu::RenderPass<'_>,
        clip_from_world: DMat4,
        cube: &Cube,
    ) {
        let Some(slot) = self.slots.last() else { return };
        upload(queue, slot, cube, clip_from_world);
        pass.set_pipeline(&self.ids);
        pass.set_bind_group(0, &slot.bindings, &[]);
        pass.draw(0..36, 0..1);
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
                format: DEPTH_FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        });
        self.depth.insert(depth).create_view(&Default::default())
    }
}

fn upload(queue: &wgpu::Queue, slot: &Slot, cube: &Cube, clip_from_world: DMat4) {
    let clip_from_cube = clip_from_world * DMat4::from(cube.world_from_cube);
    let uniform = CubeUniform {
        clip_from_cube: clip_from_cube.as_mat4().to_cols_array(),
        color: cube.color.to_array(),
        id: cube.id.get(),
    };
    queue.write_buffer(&slot.uniform, 0, bytemuck::bytes_of(&uniform));
}

fn pipeline(
    device: &wgpu::Device,
    bindings: &wgpu::BindGroupLayout,
    fragment: &str,
    targets: &[Option<wgpu::ColorTargetState>],
    depth_stencil: wgpu::DepthStencilState,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::include_wgsl!("cubes.wgsl"));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("cubes"),
        bind_group_layouts: &[Some(bindings)],
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("cubes"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: Some(depth_stencil),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
