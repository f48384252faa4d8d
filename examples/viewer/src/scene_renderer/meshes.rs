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
    /// In the order in which they are drawn, into the picture and into ID images alike: of two
    /// surfaces at one depth the same one is then seen and picked.
    batches: Vec<Batch>,
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
    /// Of its parts.
    batches: Vec<u32>,
}

/// How a part is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Solid,
    /// With holes.
    Cut,
    /// Seen through.
    Blended,
}

/// A part of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Batch {
    pub(super) kind: Kind,
    /// 0 is that of parts without one, others are one more than their index.
    pub(super) material: usize,
    mesh: usize,
    first_index: u32,
    end_index: u32,
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
        for (batch, place) in all.batches.iter().zip(0..) {
            all.meshes[batch.mesh].batches.push(place);
        }
        all
    }

    fn add(&mut self, index: usize, mesh: &Mesh, look: &Look, filling: &mut Filling) {
        let base_vertex = filling.positions.len() as i32;
        let first_index = filling.indices.len() as u32;
        for part in mesh.parts().iter().filter(|part| !part.indices.is_empty()) {
            let material = part.material.and_then(|index| Some((index, look.materials.get(index)?)));
            self.batches.push(Batch {
                kind: match material.map(|(_, material)| material.alpha) {
                    None | Some(Alpha::Opaque) => Kind::Solid,
                    Some(Alpha::Mask(_)) => Kind::Cut,
                    Some(Alpha::Blend) => Kind::Blended,
                },
                material: material.map_or(0, |(index, _)| index + 1),
                mesh: index,
                first_index: first_index + part.indices.start,
                end_index: first_index + part.indices.end,
            });
        }
        self.meshes.push(GpuMesh { page: self.pages.len(), base_vertex, batches: Vec::new() });
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

    /// In the order in which they are drawn.
    pub(super) fn batch(&self, place: u32) -> &Batch {
        &self.batches[place as usize]
    }

    /// The parts of a mesh.
    pub(super) fn of_mesh(&self, mesh: u32) -> &[u32] {
        self.meshes.get(mesh as usize).map_or(&[], |mesh| &mesh.batches)
    }

    /// Something to draw meshes with, one after the other.
    pub(super) fn drawer<'a, 'p>(
        &'a self,
        pass: &'a mut wgpu::RenderPass<'p>,
        instances: &wgpu::Buffer,
    ) -> Drawer<'a, 'p> {
        pass.set_vertex_buffer(1, instances.slice(..));
        Drawer { meshes: self, pass, page: None }
    }
}

/// Draws meshes into a pass, and sets buffers only where they are others.
pub(super) struct Drawer<'a, 'p> {
    meshes: &'a Meshes,
    pub(super) pass: &'a mut wgpu::RenderPass<'p>,
    page: Option<usize>,
}

impl Drawer<'_, '_> {
    /// A part of a mesh, for instances at these places.
    pub(super) fn draw(&mut self, batch: &Batch, places: Range<u32>) {
        let mesh = &self.meshes.meshes[batch.mesh];
        if self.page != Some(mesh.page) {
            self.page = Some(mesh.page);
            let page = &self.meshes.pages[mesh.page];
            self.pass.set_vertex_buffer(0, page.positions.slice(..));
            self.pass.set_vertex_buffer(2, page.surface.slice(..));
            self.pass.set_index_buffer(page.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        self.pass.draw_indexed(batch.first_index..batch.end_index, mesh.base_vertex, places);
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
