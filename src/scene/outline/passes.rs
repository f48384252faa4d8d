use super::{CELLS_FORMAT, OutlineUniform, ROWS_FORMAT, SHADER, SHAPE_FORMAT};
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::device::target_state::TargetState;
use std::mem::size_of;
use wgpu::TextureSampleType;

/// The pipelines, in the order in which they run, and what they read.
#[derive(Debug)]
pub(super) struct Passes {
    pub(super) cells: wgpu::RenderPipeline,
    pub(super) near: wgpu::RenderPipeline,
    pub(super) marks: wgpu::RenderPipeline,
    pub(super) coverage: wgpu::RenderPipeline,
    pub(super) rows: wgpu::RenderPipeline,
    pub(super) lines: wgpu::RenderPipeline,
    /// Draws lines around occluded parts too.
    pub(super) whole_lines: wgpu::RenderPipeline,
    /// Ids and table.
    pub(super) cells_input: Input,
    /// Cells.
    pub(super) near_input: Input,
    /// Ids, table and the cells with texels of a shape.
    pub(super) marks_input: Input,
    /// The styles or the coverage of the texels, and the cells near a shape.
    pub(super) shapes_input: Input,
    /// Rows and the cells near a shape.
    pub(super) lines_input: Input,
    /// The same of the whole shapes, without the uniform.
    pub(super) whole_input: Input,
}

/// A bind group layout of textures and, optionally, the uniform.
#[derive(Debug)]
pub(super) struct Input {
    layout: wgpu::BindGroupLayout,
    /// The binding of each texture.
    bindings: &'static [u32],
}

// As in shaders/outline.wgsl.
const TABLE: u32 = 1;
const UNIFORM: u32 = 2;
const NEAR: u32 = 3;

impl Passes {
    pub(super) fn new(
        factory: &PipelineFactory<'_>,
        target: TargetState,
        depth_stencil: Option<wgpu::DepthStencilState>,
    ) -> Self {
        let shader = factory.shader("wgpu-gizmo outline", SHADER);
        let device = factory.device;
        let [float, uint] = [TextureSampleType::Float { filterable: false }, TextureSampleType::Uint];
        let cells_input = Input::new(device, &[0, TABLE], uint, Some(UNIFORM));
        let near_input = Input::new(device, &[0], float, Some(UNIFORM));
        let marks_input = Input::new(device, &[0, TABLE, NEAR], uint, Some(UNIFORM));
        let shapes_input = Input::new(device, &[0, NEAR], float, Some(UNIFORM));
        let lines_input = Input::new(device, &[0, NEAR], uint, Some(UNIFORM));
        let whole_input = Input::new(device, &[0, NEAR], uint, None);
        let layer = |vertex, fragment, format: wgpu::TextureFormat, input: &Input| {
            shader.pipeline(&PipelineState {
                entries: [vertex, fragment],
                groups: &[Some(&input.layout)],
                targets: &[Some(format.into())],
                ..Default::default()
            })
        };
        let lines = PipelineState {
            entries: ["vs_near", target.fragment_entry()],
            groups: &[Some(&lines_input.layout)],
            depth_stencil,
            sample_count: target.sample_count,
            targets: &[Some(target.blended())],
            ..Default::default()
        };
        let whole_entry = if target.stores_linear() { "fs_whole_linear" } else { "fs_whole_encoded" };
        let whole_lines = PipelineState {
            entries: ["vs_whole", whole_entry],
            groups: &[Some(&lines_input.layout), Some(&whole_input.layout)],
            ..lines.clone()
        };
        Self {
            cells: layer("vs_all", "fs_cells", CELLS_FORMAT, &cells_input),
            near: layer("vs_all", "fs_near", CELLS_FORMAT, &near_input),
            marks: layer("vs_near", "fs_marks", SHAPE_FORMAT, &marks_input),
            coverage: layer("vs_near", "fs_coverage", SHAPE_FORMAT, &shapes_input),
            rows: layer("vs_near", "fs_rows", ROWS_FORMAT, &shapes_input),
            lines: shader.pipeline(&lines),
            whole_lines: shader.pipeline(&whole_lines),
            cells_input,
            near_input,
            marks_input,
            shapes_input,
            lines_input,
            whole_input,
        }
    }
}

impl Input {
    /// Creates a layout of textures. The vertex stage reads the one with the cells to draw.
    fn new(
        device: &wgpu::Device,
        bindings: &'static [u32],
        sample_type: TextureSampleType,
        uniform: Option<u32>,
    ) -> Self {
        let [vertex, fragment] = [wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT];
        let entry =
            |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
        let texture = |&binding: &u32| {
            let (visibility, sample_type) = match binding {
                NEAR => (vertex, TextureSampleType::Float { filterable: false }),
                _ => (fragment, sample_type),
            };
            let view_dimension = wgpu::TextureViewDimension::D2;
            let texture = wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false };
            entry(binding, visibility, texture)
        };
        let buffer = |binding| {
            let buffer = wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: std::num::NonZeroU64::new(size_of::<OutlineUniform>() as u64),
            };
            entry(binding, vertex | fragment, buffer)
        };
        let entries: Vec<_> = bindings.iter().map(texture).chain(uniform.map(buffer)).collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("wgpu-gizmo outline"),
            entries: &entries,
        });
        Self { layout, bindings }
    }

    /// Creates a bind group of textures, in the order of the layout, and the uniform if the layout has one.
    pub(super) fn bind(
        &self,
        device: &wgpu::Device,
        textures: &[&wgpu::TextureView],
        uniform: Option<&wgpu::Buffer>,
    ) -> wgpu::BindGroup {
        let textures = self.bindings.iter().zip(textures);
        let mut entries: Vec<_> = textures
            .map(|(&binding, &view)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(view),
            })
            .collect();
        entries.extend(
            uniform.map(|uniform| wgpu::BindGroupEntry {
                binding: UNIFORM,
                resource: uniform.as_entire_binding(),
            }),
        );
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wgpu-gizmo outline"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}
