use super::passes::{Input, Passes};
use super::table::Table;
use super::{CELL, CELLS_FORMAT, ROWS_FORMAT, SHAPE_FORMAT};
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{TextureShape, create_texture};
use crate::gpu::id_target::tile::Tile;
use wgpu::{TextureFormat, TextureView};

/// The textures that the passes write, for views of one size.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) size: [u32; 2],
    pub(super) ids: Tile,
    /// The style of each texel, and its coverage by the shapes. Both are used up by the next pass.
    marks: TextureView,
    coverage: TextureView,
    to_cells: wgpu::BindGroup,
    /// Shapes of the visible parts.
    pub(super) seen: Shapes,
    /// Shapes of the outlined objects alone, including occluded parts; created on first use.
    pub(super) whole: Option<Shapes>,
}

/// The silhouettes, as the lines read them.
#[derive(Debug)]
pub(super) struct Shapes {
    cells: TextureView,
    near: TextureView,
    rows: TextureView,
    to_near: wgpu::BindGroup,
    to_marks: wgpu::BindGroup,
    to_coverage: wgpu::BindGroup,
    to_rows: wgpu::BindGroup,
    pub(super) to_lines: wgpu::BindGroup,
}

/// The group that the passes of the lines bind the shapes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinesGroup {
    /// Group 0, with the uniform.
    Seen,
    /// Group 1.
    Whole,
}

impl Layers {
    pub(super) fn new(
        device: &wgpu::Device,
        passes: &Passes,
        table: &Table,
        uniform: &wgpu::Buffer,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let ids = Tile::new(device, size)?;
        let to_cells = passes.cells_input.bind(device, &[ids.ids_view(), &table.view], Some(uniform));
        let [marks, coverage] = [layer(device, size, SHAPE_FORMAT)?, layer(device, size, SHAPE_FORMAT)?];
        let sources = Sources { ids: &ids, table, marks: &marks, coverage: &coverage, uniform, size };
        let seen = Shapes::new(device, passes, &sources, LinesGroup::Seen)?;
        Ok(Self { size, ids, marks, coverage, to_cells, seen, whole: None })
    }

    /// Creates the shapes for occluded parts if they do not exist yet.
    pub(super) fn add_whole(
        &mut self,
        device: &wgpu::Device,
        passes: &Passes,
        table: &Table,
        uniform: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        if self.whole.is_none() {
            let Self { ids, marks, coverage, size, .. } = self;
            let sources = Sources { ids, table, marks, coverage, uniform, size: *size };
            self.whole = Some(Shapes::new(device, passes, &sources, LinesGroup::Whole)?);
        }
        Ok(())
    }

    /// Computes shapes from the current ids: of the visible parts or of the whole objects.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, passes: &Passes, shapes: &Shapes) {
        let cells = self.cell_count();
        for (pipeline, bind_group, view, instances) in [
            (&passes.cells, &self.to_cells, &shapes.cells, 1),
            (&passes.near, &shapes.to_near, &shapes.near, 1),
            (&passes.marks, &shapes.to_marks, &self.marks, cells),
            (&passes.coverage, &shapes.to_coverage, &self.coverage, cells),
            (&passes.rows, &shapes.to_rows, &shapes.rows, cells),
        ] {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
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
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bind_group, &[]);
            pass.draw(0..4, 0..instances);
        }
    }

    pub(super) fn cell_count(&self) -> u32 {
        let [columns, rows] = self.size.map(|side| side.div_ceil(CELL));
        columns * rows
    }
}

/// The textures and the uniform that the passes of all shapes read.
struct Sources<'a> {
    ids: &'a Tile,
    table: &'a Table,
    marks: &'a TextureView,
    coverage: &'a TextureView,
    uniform: &'a wgpu::Buffer,
    size: [u32; 2],
}

impl Shapes {
    fn new(
        device: &wgpu::Device,
        passes: &Passes,
        sources: &Sources<'_>,
        group: LinesGroup,
    ) -> Result<Self, GpuError> {
        let &Sources { ids, table, marks, coverage, uniform, size } = sources;
        let small = || layer(device, size.map(|side| side.div_ceil(CELL)), CELLS_FORMAT);
        let (cells, near) = (small()?, small()?);
        let rows = layer(device, size, ROWS_FORMAT)?;
        let (lines, in_lines): (&Input, _) = match group {
            LinesGroup::Seen => (&passes.lines_input, Some(uniform)),
            LinesGroup::Whole => (&passes.whole_input, None),
        };
        let uniform = Some(uniform);
        Ok(Self {
            to_near: passes.near_input.bind(device, &[&cells], uniform),
            to_marks: passes.marks_input.bind(device, &[ids.ids_view(), &table.view, &cells], uniform),
            to_coverage: passes.shapes_input.bind(device, &[marks, &near], uniform),
            to_rows: passes.shapes_input.bind(device, &[coverage, &near], uniform),
            to_lines: lines.bind(device, &[&rows, &near], in_lines),
            cells,
            near,
            rows,
        })
    }
}

fn layer(device: &wgpu::Device, size: [u32; 2], format: TextureFormat) -> Result<TextureView, GpuError> {
    let shape = TextureShape { size, format, sample_count: 1 };
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = create_texture(device, "wgpu-gizmo outline", shape, usage)?;
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}
