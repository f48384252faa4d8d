use super::edges::Edges;
use super::error::GpuError;
use super::painting::{Painting, Runs};
use super::tile_view::PixelGrid;
use super::vertex_memory::{IndexMemory, VertexMemory};
use crate::draw::shape::{Patch, Purpose};
use crate::draw::{DepthStyle, DrawList, GuideVertex};

/// Bytes of the smallest buffers: a gizmo with rings.
const MIN_CAPACITY: usize = 1 << 15;

/// The triangles of handles and guides on the GPU, in the order of painting.
#[derive(Debug)]
pub(super) struct Picture {
    vertices: VertexMemory,
    indices: IndexMemory,
    edges: Edges,
    // Kept between calls, so that an upload allocates nothing.
    last_edges: Edges,
    runs: Runs,
    painting: Painting,
    /// Bytes of the last upload.
    uploaded: u64,
}

impl Picture {
    pub(super) fn new() -> Self {
        Self {
            vertices: VertexMemory::new("wgpu-gizmo vertices", MIN_CAPACITY),
            indices: IndexMemory::new("wgpu-gizmo indices", MIN_CAPACITY),
            edges: Edges::default(),
            last_edges: Edges::default(),
            runs: Runs::default(),
            painting: Painting::default(),
            uploaded: 0,
        }
    }

    /// Returns the number of bytes of the last upload.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// Replaces the triangles by those of a list that may be in the grid.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        grid: &PixelGrid,
    ) -> Result<(), GpuError> {
        std::mem::swap(&mut self.edges, &mut self.last_edges);
        self.collect(list, grid);
        let [vertices, last] =
            [&self.edges, &self.last_edges].map(|edges| bytemuck::cast_slice(&edges.vertices));
        self.uploaded = self.vertices.write(device, queue, vertices, last)?
            + self.indices.write(device, queue, &self.edges.indices)?;
        Ok(())
    }

    fn collect(&mut self, list: &DrawList, grid: &PixelGrid) {
        self.edges.clear();
        self.runs.clear();
        let [under, over] = list.guides();
        self.collect_guides(under, grid);
        let (edges, runs) = (&mut self.edges, &mut self.runs);
        self.painting.shapes(list, Purpose::Picture, grid, |style, item, shape| {
            shape.patches(&list.items()[item as usize], |patch| edges.push(patch, grid));
            runs.add(style, edges.indices.len());
        });
        self.collect_guides(over, grid);
    }

    fn collect_guides(&mut self, guides: &[GuideVertex], grid: &PixelGrid) {
        for quad in guides.chunks_exact(4).filter_map(|four| <&[_; 4]>::try_from(four).ok()) {
            self.edges.push(&Patch::guide(quad), grid);
        }
        self.runs.add(DepthStyle::OnTop, self.edges.indices.len());
    }

    /// Draws the triangles. `begin` is called before those of each style.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        begin: impl Fn(&mut wgpu::RenderPass<'_>, DepthStyle),
    ) {
        let (Some(vertices), Some(indices)) = (self.vertices.buffer(), self.indices.buffer()) else { return };
        for (style, range) in self.runs.iter().filter(|(_, range)| !range.is_empty()) {
            begin(pass, style);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(range, 0, 0..1);
        }
    }
}
