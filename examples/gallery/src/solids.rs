//! Draws lit solids and the ground: the host's own rendering, which the gizmo knows nothing about.

use crate::shapes::Shape;
use std::ops::Range;
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu_gizmo::glam::{DMat4, Vec3};

pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// The solids are multisampled; handles have smooth edges without that.
pub(crate) const SAMPLES: u32 = 4;

/// The pipelines and the meshes, which all scenes share.
#[derive(Debug)]
pub(crate) struct Solids {
    solid: wgpu::RenderPipeline,
    ground: wgpu::RenderPipeline,
    depth_only: wgpu::RenderPipeline,
    scene_layout: wgpu::BindGroupLayout,
    meshes: Vec<Mesh>,
    stores_linear: bool,
}

#[derive(Debug)]
struct Mesh {
    positions: wgpu::Buffer,
    normals: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
}

/// A solid to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid {
    pub(crate) shape: Shape,
    pub(crate) world_from_local: DMat4,
    pub(crate) color: [f32; 3],
}

/// The solids of one scene on the GPU, seen from one or more cameras.
#[derive(Debug, Default)]
pub(crate) struct SolidBuffers {
    instances: Option<wgpu::Buffer>,
    uploaded: Vec<f32>,
    /// The instances per shape.
    ranges: [Range<u32>; Shape::ALL.len()],
    cameras: Vec<(wgpu::Buffer, wgpu::BindGroup)>,
}

/// What a camera shows beside the solids.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) clip_from_world: DMat4,
    pub(crate) ground: [f32; 4],
}

impl Solids {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("solids.wgsl"));
        let scene_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("scene"),
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
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("solids"),
            bind_group_layouts: &[Some(&scene_layout)],
            immediate_size: 0,
        });
        let pipeline = |kind: Kind| kind.pipeline(device, &shader, &layout, format);
        Self {
            solid: pipeline(Kind::Solid),
            ground: pipeline(Kind::Ground),
            depth_only: pipeline(Kind::DepthOnly),
            scene_layout,
            meshes: Shape::ALL.map(|shape| Mesh::new(device, shape)).into(),
            stores_linear: format.is_srgb(),
        }
    }

    /// Uploads the solids and the cameras.
    pub(crate) fn upload(
        &self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        buffers: &mut SolidBuffers,
        solids: &[Solid],
        cameras: &[Surroundings],
    ) {
        let mut numbers: Vec<f32> = Vec::with_capacity(15 * solids.len());
        let mut count = 0;
        for shape in Shape::ALL {
            let first = count;
            for solid in solids.iter().filter(|solid| solid.shape == shape) {
                let m = solid.world_from_local.as_mat4();
                for column in [m.x_axis, m.y_axis, m.z_axis, m.w_axis] {
                    numbers.extend(column.truncate().to_array());
                }
                numbers.extend(solid.color);
                count += 1;
            }
            buffers.ranges[shape.index()] = first..count;
        }
        buffers.upload_instances(device, queue, numbers);
        for (index, camera) in cameras.iter().enumerate() {
            if index == buffers.cameras.len() {
                buffers.cameras.push(self.camera(device));
            }
            let light = Vec3::new(0.45, 0.8, 0.4).normalize();
            let mut scene = [0.0f32; 24];
            scene[..16].copy_from_slice(&camera.clip_from_world.as_mat4().to_cols_array());
            scene[16..20].copy_from_slice(&camera.ground);
            scene[20..23].copy_from_slice(&light.to_array());
            scene[23] = f32::from(u8::from(self.stores_linear));
            queue.write_buffer(&buffers.cameras[index].0, 0, bytemuck::bytes_of(&scene));
        }
    }

    fn camera(&self, device: &wgpu::Device) -> (wgpu::Buffer, wgpu::BindGroup) {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("camera"),
            size: 96,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("camera"),
            layout: &self.scene_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        (buffer, group)
    }

    /// Draws the solids and the ground as one camera sees them.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, buffers: &SolidBuffers, camera: usize) {
        pass.set_pipeline(&self.solid);
        self.draw_meshes(pass, buffers, camera);
        pass.set_pipeline(&self.ground);
        pass.draw(0..4, 0..1);
    }

    /// Draws only the depth of the solids, into a pass with one sample.
    pub(crate) fn draw_depth(&self, pass: &mut wgpu::RenderPass<'_>, buffers: &SolidBuffers, camera: usize) {
        pass.set_pipeline(&self.depth_only);
        self.draw_meshes(pass, buffers, camera);
    }

    fn draw_meshes(&self, pass: &mut wgpu::RenderPass<'_>, buffers: &SolidBuffers, camera: usize) {
        let Some((_, group)) = buffers.cameras.get(camera) else { return };
        pass.set_bind_group(0, group, &[]);
        let Some(instances) = &buffers.instances else { return };
        for (mesh, range) in self.meshes.iter().zip(&buffers.ranges) {
            if !range.is_empty() {
                pass.set_vertex_buffer(0, mesh.positions.slice(..));
                pass.set_vertex_buffer(1, mesh.normals.slice(..));
                // The first instance is an offset into the buffer, because WebGL has no other.
                pass.set_vertex_buffer(2, instances.slice(u64::from(range.start) * INSTANCE_BYTES..));
                pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..mesh.index_count, 0, 0..range.end - range.start);
            }
        }
    }
}

/// Five vectors: the columns of an affine matrix, and the color.
const INSTANCE_BYTES: u64 = 60;

impl SolidBuffers {
    fn upload_instances(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, numbers: Vec<f32>) {
        if numbers == self.uploaded {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(&numbers);
        match &self.instances {
            Some(buffer) if buffer.size() >= bytes.len() as u64 => queue.write_buffer(buffer, 0, bytes),
            _ => {
                let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
                let descriptor = BufferInitDescriptor { label: Some("solids"), contents: bytes, usage };
                self.instances = Some(device.create_buffer_init(&descriptor));
            }
        }
        self.uploaded = numbers;
    }
}

impl Mesh {
    fn new(device: &wgpu::Device, shape: Shape) -> Self {
        let triangles = shape.triangles();
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&BufferInitDescriptor { label: Some("mesh"), contents, usage })
        };
        Self {
            positions: buffer(bytemuck::cast_slice(&triangles.positions), wgpu::BufferUsages::VERTEX),
            normals: buffer(bytemuck::cast_slice(&triangles.normals), wgpu::BufferUsages::VERTEX),
            indices: buffer(bytemuck::cast_slice(&triangles.indices), wgpu::BufferUsages::INDEX),
            index_count: triangles.indices.len() as u32,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Solid,
    Ground,
    DepthOnly,
}

impl Kind {
    fn pipeline(
        self,
        device: &wgpu::Device,
        module: &wgpu::ShaderModule,
        layout: &wgpu::PipelineLayout,
        format: wgpu::TextureFormat,
    ) -> wgpu::RenderPipeline {
        let vector = wgpu::vertex_attr_array![0 => Float32x3];
        let normal = wgpu::vertex_attr_array![1 => Float32x3];
        let instance = wgpu::vertex_attr_array![
            2 => Float32x3, 3 => Float32x3, 4 => Float32x3, 5 => Float32x3, 6 => Float32x3
        ];
        let buffer = |array_stride, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
        };
        let buffers = [
            buffer(12, wgpu::VertexStepMode::Vertex, &vector),
            buffer(12, wgpu::VertexStepMode::Vertex, &normal),
            buffer(INSTANCE_BYTES, wgpu::VertexStepMode::Instance, &instance),
        ];
        let is_ground = self == Self::Ground;
        let blend = is_ground.then_some(wgpu::BlendState::ALPHA_BLENDING);
        let targets = [Some(wgpu::ColorTargetState { blend, ..format.into() })];
        let fragment = wgpu::FragmentState {
            module,
            entry_point: Some(if is_ground { "fs_ground" } else { "fs_solid" }),
            compilation_options: Default::default(),
            targets: &targets,
        };
        let topology = match is_ground {
            true => wgpu::PrimitiveTopology::TriangleStrip,
            false => wgpu::PrimitiveTopology::TriangleList,
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("solids"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(if is_ground { "vs_ground" } else { "vs_solid" }),
                compilation_options: Default::default(),
                buffers: if is_ground { &[] } else { &buffers },
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(!is_ground),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: if self == Self::DepthOnly { 1 } else { SAMPLES },
                ..Default::default()
            },
            fragment: (self != Self::DepthOnly).then_some(fragment),
            multiview_mask: None,
            cache: None,
        })
    }
}
