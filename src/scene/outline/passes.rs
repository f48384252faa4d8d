//! The pipelines, and the textures that they write.

use super::table::Table;
use super::{CELL, OutlineUniform, SHADER};
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::device::resources::{TextureShape, create_buffer, create_texture};
use crate::gpu::device::target_state::TargetState;
use crate::gpu::id_target::tile::Tile;
use std::mem::size_of;
use wgpu::{BindGroup, RenderPipeline, TextureFormat, TextureView};

/// The pipelines of all passes. Their bind group layouts are those of the shader.
#[derive(Debug)]
pub(super) struct Passes {
    /// In the order in which they run: cells, near cells, marks, coverage and rows.
    shapes: [RenderPipeline; 5],
    /// The lines, without and with those around occluded parts.
    lines: [RenderPipeline; 2],
}

// The bindings of shaders/outline.wgsl.
const INPUT: u32 = 0;
const TABLE: u32 = 1;
const UNIFORM: u32 = 2;
const NEAR: u32 = 3;
const WHOLE: u32 = 4;
const WHOLE_NEAR: u32 = 5;

/// One channel per style.
const SHAPE_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
/// One channel per style: a distance and a coverage.
const ROWS_FORMAT: TextureFormat = TextureFormat::Rgba16Uint;
const CELLS_FORMAT: TextureFormat = TextureFormat::R8Unorm;

impl Passes {
    pub(super) fn new(
        factory: &PipelineFactory<'_>,
        target: TargetState,
        depth_stencil: Option<wgpu::DepthStencilState>,
    ) -> Self {
        let shader = factory.shader("wgpu-gizmo outline", SHADER);
        let shapes = [
            (["vs_all", "fs_cells"], CELLS_FORMAT),
            (["vs_all", "fs_near"], CELLS_FORMAT),
            (["vs_near", "fs_marks"], SHAPE_FORMAT),
            (["vs_near", "fs_coverage"], SHAPE_FORMAT),
            (["vs_near", "fs_rows"], ROWS_FORMAT),
        ];
        let shapes = shapes.map(|(entries, format)| {
            let targets = &[Some(format.into())];
            shader.pipeline(&PipelineState { entries, targets, ..Default::default() })
        });
        let lines = [false, true].map(|has_occluded| {
            let has_occluded = ("HAS_OCCLUDED", f64::from(u8::from(has_occluded)));
            shader.pipeline(&PipelineState {
                entries: ["vs_lines", "fs_lines"],
                constants: &[target.encoding(), has_occluded],
                depth_stencil: depth_stencil.clone(),
                sample_count: target.sample_count,
                targets: &[Some(target.blended())],
                ..Default::default()
            })
        });
        Self { shapes, lines }
    }
}

/// The textures that the passes write, for views of one size.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) size: [u32; 2],
    pub(super) ids: Tile,
    /// One per [`Outline::STYLES`](super::Outline::STYLES) styles.
    pub(super) groups: Vec<Group>,
    pub(super) has_whole: bool,
}

/// The silhouettes of the styles that one run of the passes finds.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) uniform: wgpu::Buffer,
    /// Of the visible parts, and of the outlined objects alone, including occluded parts.
    shapes: Vec<Shapes>,
}

#[derive(Debug)]
struct Shapes {
    /// The input and the output of each pass.
    steps: [(BindGroup, TextureView); 5],
    to_lines: BindGroup,
}

impl Layers {
    pub(super) fn new(
        device: &wgpu::Device,
        passes: &Passes,
        table: &Table,
        size: [u32; 2],
        groups: usize,
        has_whole: bool,
    ) -> Result<Self, GpuError> {
        let ids = Tile::new(device, size)?;
        // All shapes share them, because the next pass uses them up.
        let [marks, coverage] = [layer(device, size, SHAPE_FORMAT)?, layer(device, size, SHAPE_FORMAT)?];
        let small = || layer(device, size.map(|side| side.div_ceil(CELL)), CELLS_FORMAT);
        let group = |_| -> Result<Group, GpuError> {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            let bytes = size_of::<OutlineUniform>() as u64;
            let uniform = create_buffer(device, "wgpu-gizmo outline", bytes, usage)?;
            let mut shapes: Vec<Shapes> = Vec::new();
            for lines in passes.lines.iter().take(1 + usize::from(has_whole)) {
                let (cells, near, rows) = (small()?, small()?, layer(device, size, ROWS_FORMAT)?);
                let steps: [(&[_], _); 5] = [
                    (&[(INPUT, ids.ids_view()), (TABLE, &table.view)], &cells),
                    (&[(INPUT, &cells)], &near),
                    (&[(INPUT, ids.ids_view()), (TABLE, &table.view), (NEAR, &cells)], &marks),
                    (&[(INPUT, &marks), (NEAR, &near)], &coverage),
                    (&[(INPUT, &coverage), (NEAR, &near)], &rows),
                ];
                let bound = |i: usize| bind(device, &passes.shapes[i], &uniform, steps[i].0);
                let steps = std::array::from_fn(|i| (bound(i), steps[i].1.clone()));
                let [_, (_, seen_near), .., (_, seen_rows)] =
                    shapes.first().map_or(&steps, |seen| &seen.steps);
                let textures = [(INPUT, seen_rows), (NEAR, seen_near), (WHOLE, &rows), (WHOLE_NEAR, &near)];
                shapes.push(Shapes { to_lines: bind(device, lines, &uniform, &textures), steps });
            }
            Ok(Group { uniform, shapes })
        };
        let groups = (0..groups).map(group).collect::<Result<_, _>>()?;
        Ok(Self { size, ids, groups, has_whole })
    }

    /// Computes the shapes from the current ids: those of the visible parts or of the whole objects.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, passes: &Passes, is_whole: bool) {
        for group in &self.groups {
            let steps = &group.shapes[usize::from(is_whole)].steps;
            for (index, (pipeline, (input, view))) in passes.shapes.iter().zip(steps).enumerate() {
                let mut pass = begin(encoder, view);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, input, &[]);
                // The first two passes draw the cells, one per texel.
                pass.draw(0..4, 0..if index < 2 { 1 } else { self.cell_count() });
            }
        }
    }

    /// Draws the lines into the host's pass, those of the first style on top.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, passes: &Passes, is_whole: bool) {
        pass.set_pipeline(&passes.lines[usize::from(is_whole)]);
        for group in self.groups.iter().rev() {
            pass.set_bind_group(0, &group.shapes[usize::from(is_whole)].to_lines, &[]);
            pass.draw(0..4, 0..self.cell_count());
        }
    }

    fn cell_count(&self) -> u32 {
        let [columns, rows] = self.size.map(|side| side.div_ceil(CELL));
        columns * rows
    }
}

/// Binds textures and the uniform as the input of a pipeline.
fn bind(
    device: &wgpu::Device,
    pipeline: &RenderPipeline,
    uniform: &wgpu::Buffer,
    textures: &[(u32, &TextureView)],
) -> BindGroup {
    let mut entries = vec![wgpu::BindGroupEntry { binding: UNIFORM, resource: uniform.as_entire_binding() }];
    entries.extend(textures.iter().map(|(binding, view)| wgpu::BindGroupEntry {
        binding: *binding,
        resource: wgpu::BindingResource::TextureView(view),
    }));
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("wgpu-gizmo outline"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    })
}

fn begin<'a>(encoder: &'a mut wgpu::CommandEncoder, view: &TextureView) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("wgpu-gizmo outline"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    })
}

fn layer(device: &wgpu::Device, size: [u32; 2], format: TextureFormat) -> Result<TextureView, GpuError> {
    let shape = TextureShape { size, format, sample_count: 1 };
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = create_texture(device, "wgpu-gizmo outline", shape, usage)?;
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}
