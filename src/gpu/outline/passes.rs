use super::{SHADER, SHAPE_FORMAT, Uniform};
use crate::gpu::error::GpuError;
use crate::gpu::target_state::TargetState;
use std::mem::size_of;

/// The pipelines, in the order in which they run.
#[derive(Debug)]
pub(super) struct Passes {
    pub(super) uint_bindings: wgpu::BindGroupLayout,
    pub(super) float_bindings: wgpu::BindGroupLayout,
    pub(super) whole_bindings: wgpu::BindGroupLayout,
    pub(super) marks: wgpu::RenderPipeline,
    pub(super) cells: wgpu::RenderPipeline,
    pub(super) coverage: wgpu::RenderPipeline,
    pub(super) lines: wgpu::RenderPipeline,
    /// With those round what is hidden.
    pub(super) whole_lines: wgpu::RenderPipeline,
}

impl Passes {
    pub(super) fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        let depth_stencil = target.check(device)?;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("wgpu-gizmo outline"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let float = wgpu::TextureSampleType::Float { filterable: false };
        let uint_bindings = bindings(device, wgpu::TextureSampleType::Uint, true);
        let (float_bindings, whole_bindings) =
            (bindings(device, float, true), bindings(device, float, false));
        let shape = Drawn {
            vertex_entry: "vs_outline",
            entry: "",
            depth_stencil: None,
            sample_count: 1,
            target: wgpu::ColorTargetState::from(SHAPE_FORMAT),
        };
        let lines = Drawn {
            vertex_entry: "vs_lines",
            entry: target.fragment_entry(),
            depth_stencil,
            sample_count: target.sample_count,
            target: wgpu::ColorTargetState {
                format: target.format,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            },
        };
        let whole_entry = if lines.entry == "fs_linear" { "fs_whole_linear" } else { "fs_whole_encoded" };
        let whole_lines = Drawn { entry: whole_entry, ..lines.clone() };
        let own = |entry| Drawn { entry, ..shape.clone() };
        Ok(Self {
            marks: pipeline(device, &module, &[Some(&uint_bindings)], own("fs_marks")),
            cells: pipeline(device, &module, &[Some(&float_bindings)], own("fs_cells")),
            coverage: pipeline(device, &module, &[Some(&float_bindings)], own("fs_coverage")),
            lines: pipeline(device, &module, &[Some(&float_bindings)], lines),
            whole_lines: pipeline(
                device,
                &module,
                &[Some(&float_bindings), Some(&whole_bindings)],
                whole_lines,
            ),
            uint_bindings,
            float_bindings,
            whole_bindings,
        })
    }
}

/// What a pass writes, and into what.
#[derive(Clone)]
struct Drawn {
    vertex_entry: &'static str,
    entry: &'static str,
    depth_stencil: Option<wgpu::DepthStencilState>,
    sample_count: u32,
    target: wgpu::ColorTargetState,
}

fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    bindings: &[Option<&wgpu::BindGroupLayout>],
    drawn: Drawn,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("wgpu-gizmo outline"),
        bind_group_layouts: bindings,
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("wgpu-gizmo outline"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(drawn.vertex_entry),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: drawn.depth_stencil,
        multisample: wgpu::MultisampleState { count: drawn.sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(drawn.entry),
            compilation_options: Default::default(),
            targets: &[Some(drawn.target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Two textures, and the uniform where it is not there already.
fn bindings(
    device: &wgpu::Device,
    sample_type: wgpu::TextureSampleType,
    has_uniform: bool,
) -> wgpu::BindGroupLayout {
    let fragment = wgpu::ShaderStages::FRAGMENT;
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let texture = wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(size_of::<Uniform>() as u64),
    };
    let entries = [
        entry(0, fragment, texture),
        entry(1, fragment, texture),
        entry(2, wgpu::ShaderStages::VERTEX_FRAGMENT, uniform),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("wgpu-gizmo outline"),
        entries: &entries[..if has_uniform { 3 } else { 2 }],
    })
}
