use super::{OutlineUniform, SHADER, SHAPE_FORMAT};
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
    /// Draws lines around occluded parts too.
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
        let shape = PassState {
            vertex_entry: "vs_outline",
            entry: "",
            depth_stencil: None,
            sample_count: 1,
            target: wgpu::ColorTargetState::from(SHAPE_FORMAT),
        };
        let lines = PassState {
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
        let whole_lines = PassState { entry: whole_entry, ..lines.clone() };
        let shape_pass = |entry| PassState { entry, ..shape.clone() };
        Ok(Self {
            marks: pipeline(device, &module, &[Some(&uint_bindings)], shape_pass("fs_marks")),
            cells: pipeline(device, &module, &[Some(&float_bindings)], shape_pass("fs_cells")),
            coverage: pipeline(device, &module, &[Some(&float_bindings)], shape_pass("fs_coverage")),
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

/// The fragment entry point and the attachment state of a pass.
#[derive(Clone)]
struct PassState {
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
    state: PassState,
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
            entry_point: Some(state.vertex_entry),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: state.depth_stencil,
        multisample: wgpu::MultisampleState { count: state.sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(state.entry),
            compilation_options: Default::default(),
            targets: &[Some(state.target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Creates a layout of two textures and, optionally, the uniform.
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
        min_binding_size: std::num::NonZeroU64::new(size_of::<OutlineUniform>() as u64),
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
