//! All pipelines. Those with a depth test come twice, for both directions of depth.

use super::instances::{IdInstance, LitInstance};
use super::meshes::Surface;
use super::{DEPTH_FORMAT, ID_FORMATS, SAMPLES};

use wgpu_gizmo::gpu::RegionThrough;
use wgpu_gizmo::math::DepthDirection;

/// Pipelines and the layout of the one bind group.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) frame_layout: wgpu::BindGroupLayout,
    pub(super) background: wgpu::RenderPipeline,
    pub(super) shadow: wgpu::RenderPipeline,
    /// Ids of things that do not hide each other, where a region is open.
    pub(super) through: wgpu::RenderPipeline,
    standard: PerDepth,
    reversed: PerDepth,
}

/// Pipelines with a depth test.
#[derive(Debug)]
pub(super) struct PerDepth {
    pub(super) lit: wgpu::RenderPipeline,
    pub(super) ground: wgpu::RenderPipeline,
    pub(super) ids: wgpu::RenderPipeline,
}

const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const SURFACE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![1 => Float32x3, 2 => Unorm8x4];
const LIT: [wgpu::VertexAttribute; 11] = wgpu::vertex_attr_array![
    3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4,
    7 => Float32x4, 8 => Float32x4, 9 => Float32x4,
    10 => Float32x4, 11 => Float32x4, 12 => Float32x4,
    13 => Float32x4
];
const ID: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Uint32
];

fn buffer<T>(
    attributes: &[wgpu::VertexAttribute],
    step_mode: wgpu::VertexStepMode,
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes })
}

fn lit_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    [
        buffer::<[f32; 3]>(&POSITION, wgpu::VertexStepMode::Vertex),
        buffer::<Surface>(&SURFACE, wgpu::VertexStepMode::Vertex),
        buffer::<LitInstance>(&LIT, wgpu::VertexStepMode::Instance),
    ]
}

fn id_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 2] {
    [
        buffer::<[f32; 3]>(&POSITION, wgpu::VertexStepMode::Vertex),
        buffer::<IdInstance>(&ID, wgpu::VertexStepMode::Instance),
    ]
}

/// The darker of two colours.
const DARKER: wgpu::BlendState = {
    let min = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Min,
    };
    wgpu::BlendState { color: min, alpha: min }
};

/// One pipeline in few words.
struct Recipe<'a> {
    name: &'a str,
    vertex: &'a str,
    layout: &'a wgpu::PipelineLayout,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    targets: &'a [Option<wgpu::ColorTargetState>],
    topology: wgpu::PrimitiveTopology,
    samples: u32,
    depth_write: bool,
    compare: wgpu::CompareFunction,
}

impl Recipe<'_> {
    fn build(self, device: &wgpu::Device, shader: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
        let fragment = format!("fs_{}", self.name);
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("viewer {}", self.name)),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: shader,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState { topology: self.topology, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(self.depth_write),
                depth_compare: Some(self.compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: shader,
                entry_point: Some(&fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: self.targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("../scene.wgsl"));
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("viewer frame"),
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
        let layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("viewer"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let (color_layout, id_layout) = (layout(&[Some(&frame_layout)]), layout(&[]));
        let plain = [Some(wgpu::ColorTargetState::from(format))];
        let background = Recipe {
            name: "background",
            vertex: "vs_background",
            layout: &color_layout,
            buffers: &[],
            targets: &plain,
            topology: wgpu::PrimitiveTopology::TriangleList,
            samples: SAMPLES,
            depth_write: false,
            compare: wgpu::CompareFunction::Always,
        };
        let background = background.build(device, &shader);
        let shadow = Recipe {
            name: "shadow",
            vertex: "vs_shadow",
            layout: &color_layout,
            buffers: &lit_buffers(),
            targets: &[Some(wgpu::ColorTargetState { blend: Some(DARKER), ..format.into() })],
            topology: wgpu::PrimitiveTopology::TriangleList,
            samples: SAMPLES,
            depth_write: false,
            compare: wgpu::CompareFunction::Always,
        };
        let shadow = shadow.build(device, &shader);
        let region = RegionThrough::depth_stencil();
        let through = Recipe {
            name: "id",
            vertex: "vs_id",
            layout: &id_layout,
            buffers: &id_buffers(),
            targets: &ID_FORMATS.map(|format| Some(format.into())),
            topology: wgpu::PrimitiveTopology::TriangleList,
            samples: 1,
            depth_write: region.depth_write_enabled.unwrap_or_default(),
            compare: region.depth_compare.unwrap_or_default(),
        };
        let through = through.build(device, &shader);
        let per_depth =
            |compare| PerDepth::new(device, &shader, [&color_layout, &id_layout], format, compare);
        Self {
            standard: per_depth(wgpu::CompareFunction::Less),
            reversed: per_depth(wgpu::CompareFunction::Greater),
            background,
            shadow,
            through,
            frame_layout,
        }
    }

    pub(super) fn of(&self, depth: DepthDirection) -> &PerDepth {
        match depth {
            DepthDirection::Standard => &self.standard,
            DepthDirection::Reversed => &self.reversed,
        }
    }
}

impl PerDepth {
    fn new(
        device: &wgpu::Device,
        shader: &wgpu::ShaderModule,
        [color_layout, id_layout]: [&wgpu::PipelineLayout; 2],
        format: wgpu::TextureFormat,
        compare: wgpu::CompareFunction,
    ) -> Self {
        use wgpu::PrimitiveTopology::{TriangleList, TriangleStrip};
        let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
        let blended = wgpu::ColorTargetState { blend, ..format.into() };
        let lit = Recipe {
            name: "lit",
            vertex: "vs_lit",
            layout: color_layout,
            buffers: &lit_buffers(),
            targets: &[Some(format.into())],
            topology: TriangleList,
            samples: SAMPLES,
            depth_write: true,
            compare,
        };
        let ground = Recipe {
            name: "ground",
            vertex: "vs_ground",
            layout: color_layout,
            buffers: &[],
            targets: &[Some(blended)],
            topology: TriangleStrip,
            samples: SAMPLES,
            depth_write: false,
            compare,
        };
        let ids = Recipe {
            name: "id",
            vertex: "vs_id",
            layout: id_layout,
            buffers: &id_buffers(),
            targets: &ID_FORMATS.map(|format| Some(format.into())),
            topology: TriangleList,
            samples: 1,
            depth_write: true,
            compare,
        };
        let [lit, ground, ids] = [lit, ground, ids].map(|recipe| recipe.build(device, shader));
        Self { lit, ground, ids }
    }
}
