//! Meshes on the GPU, many of them in one set of buffers; positions apart from the rest, which
//! the id pass does not read.

use crate::material::{Alpha, Look};
use crate::mesh::Mesh;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use wgpu::util::DeviceExt;

/// What the fragment shaders need to know of a vertex.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Surface {
    normal: [f32; 3],
    color: [u8; 4],
    uv: [f32; 2],
}

/// Vertices that share their buffers. Readers of files keep each mesh below a buffer's limit; a
/// larger one has a page for itself.
const PAGE_VERTICES: usize = 1 << 20;

/// All meshes of a scene.
#[derive(Debug, Default)]
pub(super) struct Meshes {
    pages: Vec<Page>,
    meshes: Vec<GpuMesh>,
    /// Opaque parts, then those with holes, those of a material side by side.
    pub(super) batches: Vec<Batch>,
    /// What is seen through, by mesh.
    pub(super) blended: Vec<Batch>,
}

/// Buffers of some meshes.
#[derive(Debug)]
struct Page {
    positions: wgpu::Buffer,
    surface: wgpu::Buffer,
    indices: wgpu::Buffer,
}

/// Where a mesh is.
#[derive(Debug)]
struct GpuMesh {
    page: usize,
    base_vertex: i32,
    /// Triangles without holes.
    solid: Vec<Range<u32>>,
    /// Triangles with holes or seen through, and their material.
    cut: Vec<Cut>,
}

/// Triangles of which something is missing.
#[derive(Debug)]
struct Cut {
    indices: Range<u32>,
    material: usize,
    is_blended: bool,
}

/// A part of a mesh in the order in which it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Batch {
    pub(super) has_holes: bool,
    /// 0 is that of parts without one, others are one more than their index.
    pub(super) material: usize,
    pub(super) mesh: usize,
    first_index: u32,
    end_index: u32,
}

impl Batch {
    fn indices(&self) -> Range<u32> {
        self.first_index..self.end_index
    }
}

/// Contents of a page that is being filled.
#[derive(Default)]
struct Filling {
    positions: Vec<[f32; 3]>,
    surface: Vec<Surface>,
    indices: Vec<u32>,
}

impl Meshes {
    pub(super) fn new(device: &wgpu::Device, meshes: &[Mesh], look: &Look) -> Self {
        let mut all = Self::default();
        let mut filling = Filling::default();
        for (index, mesh) in meshes.iter().enumerate() {
            if !filling.positions.is_empty() && filling.positions.len() + mesh.positions.len() > PAGE_VERTICES
            {
                all.pages.push(std::mem::take(&mut filling).finish(device));
            }
            all.add(index, mesh, look, &mut filling);
        }
        all.pages.push(filling.finish(device));
        all.batches.sort_unstable();
        all
    }

    fn add(&mut self, index: usize, mesh: &Mesh, look: &Look, filling: &mut Filling) {
        let base_vertex = filling.positions.len() as i32;
        let first_index = filling.indices.len() as u32;
        let mut of_mesh = GpuMesh { page: self.pages.len(), base_vertex, solid: Vec::new(), cut: Vec::new() };
        for part in mesh.parts().iter().filter(|part| !part.indices.is_empty()) {
            let range = first_index + part.indices.start..first_index + part.indices.end;
            let material =
                part.material.and_then(|material| look.materials.get(material).map(|m| (material, m)));
            let alpha = material.map_or(Alpha::Opaque, |(_, material)| material.alpha);
            let batch = Batch {
                has_holes: alpha != Alpha::Opaque,
                material: material.map_or(0, |(index, _)| index + 1),
                mesh: index,
                first_index: range.start,
                end_index: range.end,
            };
            match (&mut of_mesh.solid[..], alpha) {
                ([.., last], Alpha::Opaque) if last.end == range.start => last.end = range.end,
                (_, Alpha::Opaque) => of_mesh.solid.push(range),
                _ => of_mesh.cut.push(Cut {
                    indices: range,
                    material: batch.material,
                    is_blended: alpha == Alpha::Blend,
                }),
            }
            let list = if alpha == Alpha::Blend { &mut self.blended } else { &mut self.batches };
            list.push(batch);
        }
        self.meshes.push(of_mesh);
        filling.positions.extend(&mesh.positions);
        filling.indices.extend(&mesh.indices);
        let uvs = mesh.uvs.iter().copied().chain(std::iter::repeat([0.0; 2]));
        let surfaces = mesh.normals.iter().zip(&mesh.colors).zip(uvs);
        filling.surface.extend(surfaces.map(|((normal, color), uv)| Surface {
            normal: *normal,
            color: *color,
            uv,
        }));
    }

    /// Something to draw meshes with, one after the other.
    pub(super) fn drawer<'a, 'p>(
        &'a self,
        pass: &'a mut wgpu::RenderPass<'p>,
        instances: &wgpu::Buffer,
        surface: bool,
    ) -> Drawer<'a, 'p> {
        pass.set_vertex_buffer(1, instances.slice(..));
        Drawer { meshes: self, pass, surface, page: None }
    }
}

/// Draws meshes into a pass, and sets buffers only where they are others.
pub(super) struct Drawer<'a, 'p> {
    meshes: &'a Meshes,
    pub(super) pass: &'a mut wgpu::RenderPass<'p>,
    /// Whether the vertices' surfaces are looked at.
    surface: bool,
    page: Option<usize>,
}

impl Drawer<'_, '_> {
    /// Triangles of a mesh, for instances at these places.
    fn draw(&mut self, mesh: usize, indices: Range<u32>, places: Range<u32>) {
        let mesh = &self.meshes.meshes[mesh];
        if self.page != Some(mesh.page) {
            self.page = Some(mesh.page);
            let page = &self.meshes.pages[mesh.page];
            self.pass.set_vertex_buffer(0, page.positions.slice(..));
            if self.surface {
                self.pass.set_vertex_buffer(2, page.surface.slice(..));
            }
            self.pass.set_index_buffer(page.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        self.pass.draw_indexed(indices, mesh.base_vertex, places);
    }

    /// A part of a mesh.
    pub(super) fn batch(&mut self, batch: &Batch, places: Range<u32>) {
        self.draw(batch.mesh, batch.indices(), places);
    }

    /// What has no holes of a mesh.
    pub(super) fn solid(&mut self, mesh: usize, places: &Range<u32>) {
        for indices in self.meshes.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.solid) {
            self.draw(mesh, indices.clone(), places.clone());
        }
    }

    /// What has holes of a mesh, and what is seen through if that is wanted too; `before` is told
    /// the material.
    pub(super) fn cut(
        &mut self,
        mesh: usize,
        places: &Range<u32>,
        with_blended: bool,
        mut before: impl FnMut(&mut wgpu::RenderPass<'_>, usize),
    ) {
        let cut = self.meshes.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.cut);
        for Cut { indices, material, .. } in cut.iter().filter(|cut| with_blended || !cut.is_blended) {
            before(self.pass, *material);
            self.draw(mesh, indices.clone(), places.clone());
        }
    }
}

impl Filling {
    fn finish(self, device: &wgpu::Device) -> Page {
        let buffer = |label, contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        use wgpu::BufferUsages as Usage;
        Page {
            positions: buffer("viewer positions", bytemuck::cast_slice(&self.positions), Usage::VERTEX),
            surface: buffer("viewer surface", bytemuck::cast_slice(&self.surface), Usage::VERTEX),
            indices: buffer("viewer indices", bytemuck::cast_slice(&self.indices), Usage::INDEX),
        }
    }
}
