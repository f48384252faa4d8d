//! All pipelines of the scene. Those with a depth test exist once per depth direction.

use super::attachments::SAMPLES;
use super::instances::Instance;
use super::meshes::Surface;
use super::portion::Shading;
use super::{DEPTH_FORMAT, surfaces};
use crate::resources::{UNIFORM, bind_group_layout};
use wgpu::ShaderStages as Stages;
use wgpu::{BindGroupLayout, CompareFunction, PipelineLayout, PrimitiveTopology};
use wgpu_gizmo::gpu::object_pass;
use wgpu_gizmo::math::DepthDirection;
use wgpu_gizmo::scene::RegionPicker;

/// The source of the shader module. Each file comes after those it depends on.
pub(super) const SHADER: &str =
    concat!(include_str!("shared.wgsl"), include_str!("ids.wgsl"), include_str!("scene.wgsl"));

/// The pipelines and their bind group layouts.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// Group 0 of passes that need only the camera.
    pub(super) camera_layout: BindGroupLayout,
    /// Group 0 of the color pass.
    pub(super) frame_layout: BindGroupLayout,
    /// Group 1, for materials.
    pub(super) material_layout: BindGroupLayout,
    pub(super) background: wgpu::RenderPipeline,
    /// The grid behind the whole scene.
    pub(super) backdrop: wgpu::RenderPipeline,
    /// Ids of objects that do not occlude each other, for regions.
    pub(super) through: Pair,
    pub(super) shadow: Pair,
    standard: PerDepth,
    reversed: PerDepth,
}

/// Two pipelines: for solid parts, and for alpha-tested and cropped ones.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) solid: wgpu::RenderPipeline,
    pub(super) cut: wgpu::RenderPipeline,
    /// Whether alpha-blended parts are drawn with them.
    pub(super) with_blended: bool,
    pub(super) shading: Shading,
}

/// The pipelines with a depth test.
#[derive(Debug)]
pub(super) struct PerDepth {
    pub(super) lit: Pair,
    pub(super) blend: wgpu::RenderPipeline,
    pub(super) ground: wgpu::RenderPipeline,
    pub(super) ids: Pair,
    /// Depth alone, with one sample per pixel.
    pub(super) depth: Pair,
}

/// Prevents a lit surface from casting a shadow on itself.
const SHADOW_BIAS: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 };

const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const SURFACE: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![1 => Float32x3, 2 => Unorm8x4, 3 => Float32x2];
const INSTANCE: [wgpu::VertexAttribute; 7] = wgpu::vertex_attr_array![
    4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x3, 8 => Uint32, 9 => Float32x3,
    10 => Float32x3
];

/// Returns the layouts of positions, instances and surfaces. Pipelines without shading use the first two.
fn buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    use wgpu::VertexStepMode::{Instance as PerInstance, Vertex as PerVertex};
    let of = |stride: usize, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode, attributes })
    };
    [
        of(size_of::<[f32; 3]>(), PerVertex, &POSITION),
        of(size_of::<Instance>(), PerInstance, &INSTANCE),
        of(size_of::<Surface>(), PerVertex, &SURFACE),
    ]
}

/// The description of a pipeline.
#[derive(Clone, Copy)]
struct PipelineSpec<'a> {
    vertex: &'a str,
    fragment: Option<&'a str>,
    layout: &'a PipelineLayout,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    targets: &'a [Option<wgpu::ColorTargetState>],
    topology: PrimitiveTopology,
    samples: u32,
    /// Whether alpha to coverage is enabled.
    alpha_covers: bool,
    depth_write: bool,
    compare: CompareFunction,
    bias: wgpu::DepthBiasState,
}

/// Builds pipelines from the shared layouts and the shader.
struct PipelineBuilder<'a> {
    device: &'a wgpu::Device,
    shader: wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    /// Layout of the color pass.
    color: PipelineLayout,
    /// Layout of other passes without materials.
    plain: PipelineLayout,
    /// Layout of other passes with materials.
    cut: PipelineLayout,
    buffers: [Option<wgpu::VertexBufferLayout<'static>>; 3],
}

impl PipelineBuilder<'_> {
    fn build(&self, spec: PipelineSpec<'_>) -> wgpu::RenderPipeline {
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("viewer {}", spec.fragment.unwrap_or(spec.vertex))),
            layout: Some(spec.layout),
            vertex: wgpu::VertexState {
                module: &self.shader,
                entry_point: Some(spec.vertex),
                compilation_options: Default::default(),
                buffers: spec.buffers,
            },
            primitive: wgpu::PrimitiveState { topology: spec.topology, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(spec.depth_write),
                depth_compare: Some(spec.compare),
                stencil: wgpu::StencilState::default(),
                bias: spec.bias,
            }),
            multisample: wgpu::MultisampleState {
                count: spec.samples,
                alpha_to_coverage_enabled: spec.alpha_covers,
                ..Default::default()
            },
            fragment: spec.fragment.map(|entry| wgpu::FragmentState {
                module: &self.shader,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                targets: spec.targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Returns the description of a color pipeline without vertex buffers and depth test.
    fn flat<'a>(
        &'a self,
        vertex: &'a str,
        fragment: &'a str,
        targets: &'a [Option<wgpu::ColorTargetState>],
    ) -> PipelineSpec<'a> {
        PipelineSpec {
            vertex,
            fragment: Some(fragment),
            layout: &self.color,
            buffers: &[],
            targets,
            topology: PrimitiveTopology::TriangleStrip,
            samples: SAMPLES,
            alpha_covers: false,
            depth_write: false,
            compare: CompareFunction::Always,
            bias: wgpu::DepthBiasState::default(),
        }
    }

    /// Returns the description of a color pipeline for triangles of the scene.
    fn lit<'a>(
        &'a self,
        fragment: &'a str,
        targets: &'a [Option<wgpu::ColorTargetState>],
        compare: CompareFunction,
    ) -> PipelineSpec<'a> {
        PipelineSpec {
            buffers: &self.buffers,
            topology: PrimitiveTopology::TriangleList,
            depth_write: true,
            compare,
            ..self.flat("vs_lit", fragment, targets)
        }
    }

    /// Returns the pipelines that draw triangles of the scene without shading. `cut_fragment` draws the parts that
    /// are not solid.
    fn unshaded(&self, spec: PipelineSpec<'_>, cut_fragment: &str, with_blended: bool) -> Pair {
        let solid = PipelineSpec {
            layout: &self.plain,
            buffers: &self.buffers[..2],
            topology: PrimitiveTopology::TriangleList,
            samples: 1,
            ..spec
        };
        let cut = PipelineSpec {
            vertex: "vs_cut_id",
            fragment: Some(cut_fragment),
            layout: &self.cut,
            buffers: &self.buffers,
            ..solid
        };
        Pair { solid: self.build(solid), cut: self.build(cut), with_blended, shading: Shading::Flat }
    }

    fn ids(&self, compare: CompareFunction, depth_write: bool) -> Pair {
        let spec = self.flat("vs_id", "fs_id", object_pass::color_targets(self.device));
        self.unshaded(PipelineSpec { compare, depth_write, ..spec }, "fs_cut_id", true)
    }

    fn depth(&self, compare: CompareFunction, bias: wgpu::DepthBiasState) -> Pair {
        let spec = PipelineSpec { fragment: None, depth_write: true, ..self.flat("vs_id", "", &[]) };
        self.unshaded(PipelineSpec { compare, bias, ..spec }, "fs_cut_shadow", false)
    }

    fn per_depth(&self, compare: CompareFunction) -> PerDepth {
        let plain = [Some(self.format.into())];
        // Alpha is the coverage; the pixels themselves are opaque.
        let coverage =
            [Some(wgpu::ColorTargetState { write_mask: wgpu::ColorWrites::COLOR, ..self.format.into() })];
        let cut =
            PipelineSpec { vertex: "vs_cut", alpha_covers: true, ..self.lit("fs_cut", &coverage, compare) };
        let blended = [Some(self.blended())];
        PerDepth {
            lit: Pair {
                solid: self.build(self.lit("fs_lit", &plain, compare)),
                cut: self.build(cut),
                with_blended: false,
                shading: Shading::Lit,
            },
            blend: self.build(PipelineSpec {
                vertex: "vs_cut",
                depth_write: false,
                ..self.lit("fs_blend", &blended, compare)
            }),
            ground: self.build(PipelineSpec { compare, ..self.flat("vs_ground", "fs_ground", &blended) }),
            ids: self.ids(compare, true),
            depth: self.depth(compare, wgpu::DepthBiasState::default()),
        }
    }

    fn blended(&self) -> wgpu::ColorTargetState {
        wgpu::ColorTargetState { blend: Some(wgpu::BlendState::ALPHA_BLENDING), ..self.format.into() }
    }
}

fn frame_layout(device: &wgpu::Device) -> BindGroupLayout {
    let map = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let compare = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    let bindings = [
        (Stages::VERTEX, UNIFORM),
        (Stages::VERTEX_FRAGMENT, UNIFORM),
        (Stages::FRAGMENT, map),
        (Stages::FRAGMENT, compare),
    ];
    bind_group_layout(device, "viewer frame", bindings)
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let camera_layout = bind_group_layout(device, "viewer camera", [(Stages::VERTEX, UNIFORM)]);
        let frame_layout = frame_layout(device);
        let material_layout = surfaces::layout(device);
        let layout = |groups: &[Option<&BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("viewer"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let builder = PipelineBuilder {
            device,
            shader: device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("viewer"),
                source: wgpu::ShaderSource::Wgsl(SHADER.into()),
            }),
            format,
            color: layout(&[Some(&frame_layout), Some(&material_layout)]),
            plain: layout(&[Some(&camera_layout)]),
            cut: layout(&[Some(&camera_layout), Some(&material_layout)]),
            buffers: buffers(),
        };
        let region = RegionPicker::depth_stencil();
        let blended = [Some(builder.blended())];
        Self {
            background: builder.build(PipelineSpec {
                topology: PrimitiveTopology::TriangleList,
                ..builder.flat("vs_background", "fs_background", &[Some(format.into())])
            }),
            backdrop: builder.build(builder.flat("vs_ground", "fs_ground", &blended)),
            through: builder.ids(
                region.depth_compare.unwrap_or_default(),
                region.depth_write_enabled.unwrap_or_default(),
            ),
            shadow: builder.depth(CompareFunction::Less, SHADOW_BIAS),
            standard: builder.per_depth(CompareFunction::Less),
            reversed: builder.per_depth(CompareFunction::Greater),
            camera_layout,
            frame_layout,
            material_layout,
        }
    }

    pub(super) fn of(&self, depth: DepthDirection) -> &PerDepth {
        match depth {
            DepthDirection::Standard => &self.standard,
            DepthDirection::Reversed => &self.reversed,
        }
    }
}
