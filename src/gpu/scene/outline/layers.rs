use super::passes::Passes;
use super::table::Table;
use super::{CELL, SHAPE_FORMAT};
use crate::gpu::error::GpuError;
use crate::gpu::tile::Tile;

/// What the passes write, for views of one size.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) size: [u32; 2],
    pub(super) ids: Tile,
    to_marks: wgpu::BindGroup,
    /// Of what is seen.
    pub(super) seen: Shapes,
    /// Of the outlined objects without what hides them; made at first use.
    pub(super) whole: Option<Shapes>,
}

/// Shapes of each style, and what is found of them.
#[derive(Debug)]
pub(super) struct Shapes {
    marks: wgpu::TextureView,
    cells: wgpu::TextureView,
    coverage: wgpu::TextureView,
    to_cells: wgpu::BindGroup,
    to_coverage: wgpu::BindGroup,
    pub(super) to_lines: wgpu::BindGroup,
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
        let to_marks = bind_group(device, &passes.uint_bindings, [&ids.ids_view, &table.view], Some(uniform));
        let seen = Shapes::new(device, passes, Some(uniform), uniform, size);
        Ok(Self { size, ids, to_marks, seen, whole: None })
    }

    /// Makes place for the whole shapes.
    pub(super) fn add_whole(&mut self, device: &wgpu::Device, passes: &Passes, uniform: &wgpu::Buffer) {
        let size = self.size;
        self.whole.get_or_insert_with(|| Shapes::new(device, passes, None, uniform, size));
    }

    /// Finds the shapes in the ids that are there now: of what is seen, or the whole ones.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, passes: &Passes, shapes: &Shapes) {
        for (pipeline, bind_group, view) in [
            (&passes.marks, &self.to_marks, &shapes.marks),
            (&passes.cells, &shapes.to_cells, &shapes.cells),
            (&passes.coverage, &shapes.to_coverage, &shapes.coverage),
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
            pass.draw(0..4, 0..1);
        }
    }
}

impl Shapes {
    /// The lines are drawn with `to_lines` as group 0, with the uniform, or as group 1 without.
    fn new(
        device: &wgpu::Device,
        passes: &Passes,
        in_lines: Option<&wgpu::Buffer>,
        uniform: &wgpu::Buffer,
        size: [u32; 2],
    ) -> Self {
        let layer = |[width, height]: [u32; 2]| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("wgpu-gizmo outline"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: SHAPE_FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (marks, coverage) = (layer(size), layer(size));
        let cells = layer(size.map(|side| side.div_ceil(CELL)));
        let (float, whole) = (&passes.float_bindings, &passes.whole_bindings);
        let for_lines = if in_lines.is_some() { float } else { whole };
        Self {
            // It has no use for the second.
            to_cells: bind_group(device, float, [&marks, &marks], Some(uniform)),
            to_coverage: bind_group(device, float, [&marks, &cells], Some(uniform)),
            to_lines: bind_group(device, for_lines, [&coverage, &cells], in_lines),
            marks,
            cells,
            coverage,
        }
    }
}

fn bind_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    textures: [&wgpu::TextureView; 2],
    uniform: Option<&wgpu::Buffer>,
) -> wgpu::BindGroup {
    let [a, b] = textures.map(wgpu::BindingResource::TextureView);
    let mut entries = vec![
        wgpu::BindGroupEntry { binding: 0, resource: a },
        wgpu::BindGroupEntry { binding: 1, resource: b },
    ];
    entries.extend(uniform.map(|u| wgpu::BindGroupEntry { binding: 2, resource: u.as_entire_binding() }));
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("wgpu-gizmo outline"),
        layout,
        entries: &entries,
    })
}
