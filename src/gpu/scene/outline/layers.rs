use super::passes::Passes;
use super::table::Table;
use super::{CELL, SHAPE_FORMAT};
use crate::gpu::error::GpuError;
use crate::gpu::resources::{TextureShape, create_texture};
use crate::gpu::tile::Tile;

/// The textures that the passes write, for views of one size.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) size: [u32; 2],
    pub(super) ids: Tile,
    to_marks: wgpu::BindGroup,
    /// Shapes of the visible parts.
    pub(super) seen: Shapes,
    /// Shapes of the outlined objects alone, including occluded parts; created on first use.
    pub(super) whole: Option<Shapes>,
}

/// The silhouette of each style, and the textures derived from it.
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
        let to_marks =
            bind_group(device, &passes.uint_bindings, [ids.ids_view(), &table.view], Some(uniform));
        let seen = Shapes::new(device, passes, Some(uniform), uniform, size)?;
        Ok(Self { size, ids, to_marks, seen, whole: None })
    }

    /// Creates the shapes for occluded parts if they do not exist yet.
    pub(super) fn add_whole(
        &mut self,
        device: &wgpu::Device,
        passes: &Passes,
        uniform: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        if self.whole.is_none() {
            self.whole = Some(Shapes::new(device, passes, None, uniform, self.size)?);
        }
        Ok(())
    }

    /// Computes shapes from the current ids: of the visible parts or of the whole objects.
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
    /// Creates the textures. With `in_lines`, `to_lines` is group 0 and contains the uniform;
    /// without, it is group 1 without the uniform.
    fn new(
        device: &wgpu::Device,
        passes: &Passes,
        in_lines: Option<&wgpu::Buffer>,
        uniform: &wgpu::Buffer,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let layer = |size| {
            let shape = TextureShape { size, format: SHAPE_FORMAT, sample_count: 1 };
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = create_texture(device, "wgpu-gizmo outline", shape, usage)?;
            Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
        };
        let (marks, coverage) = (layer(size)?, layer(size)?);
        let cells = layer(size.map(|side| side.div_ceil(CELL)))?;
        let (float, whole) = (&passes.float_bindings, &passes.whole_bindings);
        let for_lines = if in_lines.is_some() { float } else { whole };
        Ok(Self {
            // The shader does not read the second texture.
            to_cells: bind_group(device, float, [&marks, &marks], Some(uniform)),
            to_coverage: bind_group(device, float, [&marks, &cells], Some(uniform)),
            to_lines: bind_group(device, for_lines, [&coverage, &cells], in_lines),
            marks,
            cells,
            coverage,
        })
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
