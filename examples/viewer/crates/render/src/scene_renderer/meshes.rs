//! Meshes on the GPU. Many meshes share a set of buffers. Positions have a buffer of their own, because
//! the ID pass does not read the other attributes.

use crate::device::Gpu;
use crate::resources::filled_buffer;
use bytemuck::{Pod, Zeroable};
use scene::Scene;
use scene::material::{Alpha, Look};
use scene::mesh::Mesh;
use std::ops::Range;

/// The vertex attributes for shading.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Surface {
    normal: [f32; 3],
    color: [u8; 4],
    uv: [f32; 2],
}

/// The maximum number of vertices that share buffers. A larger mesh has a page of its own; the file reader
/// keeps each mesh below the limit of a buffer.
const PAGE_VERTICES: usize = 1 << 20;

/// All meshes of a scene.
#[derive(Debug, Default)]
pub(super) struct Meshes {
    pages: Vec<Page>,
    meshes: Vec<GpuMesh>,
    /// Sorted in draw order, which the picture and ID images share: of two surfaces at the same depth, the
    /// visible one is picked.
    batches: Vec<Batch>,
    /// The value of [`Scene::moves`] when deformed meshes were uploaded last.
    moves: u64,
}

/// The buffers of several meshes.
#[derive(Debug)]
struct Page {
    positions: wgpu::Buffer,
    surface: wgpu::Buffer,
    indices: wgpu::Buffer,
}

/// The location of a mesh in the pages.
#[derive(Debug)]
struct GpuMesh {
    page: usize,
    /// Index of its first vertex.
    first_vertex: u32,
    /// Indices of the batches of its parts.
    batches: Vec<u32>,
}

/// The way a part of a mesh is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Solid,
    /// Alpha-tested, with holes.
    Cut,
    /// Alpha-blended.
    Blended,
}

/// The draw call of a part of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Batch {
    pub(super) kind: Kind,
    /// 0 for parts without a material, otherwise the index of the material plus one.
    pub(super) material: usize,
    mesh: usize,
    first_index: u32,
    end_index: u32,
}

/// The contents of a page under construction.
#[derive(Default)]
struct PageBuilder {
    positions: Vec<[f32; 3]>,
    surface: Vec<Surface>,
    indices: Vec<u32>,
}

impl Batch {
    /// Returns the number of triangles.
    pub(super) fn triangles(&self) -> u32 {
        (self.end_index - self.first_index) / 3
    }
}

impl Meshes {
    pub(super) fn new(Gpu { device, .. }: &Gpu, scene: &Scene) -> Self {
        let mut all = Self { moves: scene.moves(), ..Self::default() };
        let mut page = PageBuilder::default();
        for (index, mesh) in scene.meshes().iter().enumerate() {
            if !page.positions.is_empty() && page.positions.len() + mesh.positions.len() > PAGE_VERTICES {
                all.pages.push(std::mem::take(&mut page).finish(device));
            }
            all.add(index, mesh, &scene.look, &mut page);
        }
        all.pages.push(page.finish(device));
        all.batches.sort_unstable();
        for (batch, index) in all.batches.iter().zip(0..) {
            all.meshes[batch.mesh].batches.push(index);
        }
        all
    }

    fn add(&mut self, index: usize, mesh: &Mesh, look: &Look, page: &mut PageBuilder) {
        let first_vertex = page.positions.len() as u32;
        let first_index = page.indices.len() as u32;
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
        self.meshes.push(GpuMesh { page: self.pages.len(), first_vertex, batches: Vec::new() });
        page.positions.extend(&mesh.positions);
        // WebGL2 cannot add the first vertex in a draw call.
        page.indices.extend(mesh.indices.iter().map(|index| first_vertex.wrapping_add(*index)));
        page.surface.extend(surfaces(mesh));
    }

    /// Uploads the vertices of meshes that were deformed, and all meshes if some were added.
    pub(super) fn sync(&mut self, gpu: &Gpu, scene: &Scene) {
        if self.meshes.len() != scene.meshes().len() {
            *self = Self::new(gpu, scene);
            return;
        }
        let moves = std::mem::replace(&mut self.moves, scene.moves());
        if moves == self.moves {
            return;
        }
        for index in scene.deformed_since(moves) {
            let (mesh, GpuMesh { page, first_vertex, .. }) = (&scene.meshes()[index], &self.meshes[index]);
            let (page, first) = (&self.pages[*page], u64::from(*first_vertex));
            let surface: Vec<Surface> = surfaces(mesh).collect();
            let positions: &[u8] = bytemuck::cast_slice(&mesh.positions);
            gpu.queue.write_buffer(&page.positions, first * size_of::<[f32; 3]>() as u64, positions);
            let surface: &[u8] = bytemuck::cast_slice(&surface);
            gpu.queue.write_buffer(&page.surface, first * size_of::<Surface>() as u64, surface);
        }
    }

    /// Returns a batch by its index in draw order.
    pub(super) fn batch(&self, index: u32) -> &Batch {
        &self.batches[index as usize]
    }

    /// Returns the indices of the batches of a mesh.
    pub(super) fn of_mesh(&self, mesh: u32) -> &[u32] {
        self.meshes.get(mesh as usize).map_or(&[], |mesh| &mesh.batches)
    }

    /// Returns true if a part of a mesh is alpha-blended.
    pub(super) fn is_blended(&self, mesh: u32) -> bool {
        self.of_mesh(mesh).iter().any(|batch| self.batch(*batch).kind == Kind::Blended)
    }

    /// Returns a drawer for a pass.
    pub(super) fn drawer<'a, 'p>(
        &'a self,
        pass: &'a mut wgpu::RenderPass<'p>,
        instances: &wgpu::Buffer,
    ) -> Drawer<'a, 'p> {
        pass.set_vertex_buffer(1, instances.slice(..));
        Drawer { meshes: self, pass, page: None }
    }
}

/// Returns the vertex attributes of a mesh for shading.
fn surfaces(mesh: &Mesh) -> impl Iterator<Item = Surface> {
    let uvs = mesh.uvs.iter().copied().chain(std::iter::repeat([0.0; 2]));
    let vertices = mesh.normals.iter().zip(&mesh.colors).zip(uvs);
    vertices.map(|((normal, color), uv)| Surface { normal: *normal, color: *color, uv })
}

/// Draws meshes into a pass, and binds buffers only when they change.
pub(super) struct Drawer<'a, 'p> {
    meshes: &'a Meshes,
    pub(super) pass: &'a mut wgpu::RenderPass<'p>,
    page: Option<usize>,
}

impl Drawer<'_, '_> {
    /// Draws a part of a mesh for a range of instances.
    pub(super) fn draw(&mut self, batch: &Batch, instances: Range<u32>) {
        let mesh = &self.meshes.meshes[batch.mesh];
        if self.page != Some(mesh.page) {
            self.page = Some(mesh.page);
            let page = &self.meshes.pages[mesh.page];
            self.pass.set_vertex_buffer(0, page.positions.slice(..));
            self.pass.set_vertex_buffer(2, page.surface.slice(..));
            self.pass.set_index_buffer(page.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        self.pass.draw_indexed(batch.first_index..batch.end_index, 0, instances);
    }
}

impl PageBuilder {
    fn finish(self, device: &wgpu::Device) -> Page {
        let buffer = |label, contents: &[u8], usage| filled_buffer(device, label, contents, usage);
        use wgpu::BufferUsages as Usage;
        // Deformed meshes are uploaded again.
        let vertex = Usage::VERTEX | Usage::COPY_DST;
        Page {
            positions: buffer("viewer positions", bytemuck::cast_slice(&self.positions), vertex),
            surface: buffer("viewer surface", bytemuck::cast_slice(&self.surface), vertex),
            indices: buffer("viewer indices", bytemuck::cast_slice(&self.indices), Usage::INDEX),
        }
    }
}
