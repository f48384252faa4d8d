use super::instance::ObjectInstance;
use super::mesh::PickMeshes;
use super::store::Store;
use crate::gpu::error::GpuError;
use crate::gpu::resources::create_buffer;
use std::mem::size_of;
use std::ops::Range;

/// Objects on the GPU in drawing order: sorted by mesh.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// The slots of the objects, in drawing order.
    slots: Vec<u32>,
    runs: Vec<MeshRun>,
    chunks: Vec<Chunk>,
    // Kept between calls, so that nothing is allocated once they have grown.
    /// Per mesh: first the number of objects, then the next free index (counting sort).
    next_index: Vec<u32>,
    staged: Vec<ObjectInstance>,
}

/// A range of objects with the same mesh.
#[derive(Debug)]
struct MeshRun {
    mesh: u32,
    indices: Range<u32>,
}

/// A buffer of at most [`CHUNK`] instances, so that no scene exceeds the maximum buffer size.
#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    capacity: usize,
    /// The range that must be uploaded.
    dirty: Range<usize>,
}

/// Instances per buffer: 4 MiB.
const CHUNK: usize = 1 << 16;
/// Instances in the smallest buffer, enough for the objects under a cursor.
const MIN_CAPACITY: usize = 32;

impl Drawing {
    /// Replaces the drawn objects with these slots and marks all of them as dirty.
    pub(super) fn arrange(&mut self, store: &Store, meshes: usize, slots: &[u32]) {
        let mesh_of = |slot: u32| store.meshes.get(slot as usize).map(|mesh| *mesh as usize);
        let known = || slots.iter().filter_map(|slot| Some((*slot, mesh_of(*slot)?)));
        self.next_index.clear();
        self.next_index.resize(meshes, 0);
        for (_, mesh) in known() {
            if let Some(index) = self.next_index.get_mut(mesh) {
                *index += 1;
            }
        }
        self.runs.clear();
        let mut end = 0;
        for (mesh, index) in (0..).zip(&mut self.next_index) {
            let first = end;
            end += std::mem::replace(index, first);
            if end > first {
                self.runs.push(MeshRun { mesh, indices: first..end });
            }
        }
        self.slots.clear();
        self.slots.resize(end as usize, 0);
        for (slot, mesh) in known() {
            if let Some(index) = self.next_index.get_mut(mesh) {
                self.slots[*index as usize] = slot;
                *index += 1;
            }
        }
        self.chunks.truncate(self.slots.len().div_ceil(CHUNK));
        for chunk in &mut self.chunks {
            chunk.dirty = 0..CHUNK;
        }
    }

    /// Returns the slots in drawing order.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Marks the object at this index as dirty.
    pub(super) fn touch(&mut self, index: usize) {
        if let Some(Chunk { dirty, .. }) = self.chunks.get_mut(index / CHUNK) {
            let index = index % CHUNK;
            let is_clean = dirty.start >= dirty.end;
            *dirty =
                if is_clean { index..index + 1 } else { dirty.start.min(index)..dirty.end.max(index + 1) };
        }
    }

    /// Uploads the dirty ranges.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        store: &Store,
    ) -> Result<(), GpuError> {
        for (index, slots) in self.slots.chunks(CHUNK).enumerate() {
            let chunk = match self.chunks.get_mut(index) {
                Some(chunk) if chunk.capacity >= slots.len() => chunk,
                Some(small) => {
                    *small = Chunk::new(device, slots.len())?;
                    small
                }
                None => {
                    self.chunks.push(Chunk::new(device, slots.len())?);
                    &mut self.chunks[index]
                }
            };
            let dirty = chunk.dirty.start.min(slots.len())..chunk.dirty.end.min(slots.len());
            chunk.dirty = 0..0;
            if dirty.start >= dirty.end {
                continue;
            }
            let offset = (dirty.start * size_of::<ObjectInstance>()) as u64;
            self.staged.clear();
            self.staged.extend(slots[dirty].iter().map(|slot| match store.instances.get(*slot as usize) {
                Some(instance) if store.is_drawn(*slot) => *instance,
                _ => ObjectInstance::COLLAPSED,
            }));
            queue.write_buffer(&chunk.buffer, offset, bytemuck::cast_slice(&self.staged));
        }
        Ok(())
    }

    /// Draws only the object at this index. The pipeline and the bind group must be set.
    pub(super) fn draw_one(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &PickMeshes, index: u32) {
        let run = self.runs.partition_point(|run| run.indices.end <= index);
        let mesh = self.runs.get(run).and_then(|run| meshes.get(run.mesh));
        let (chunk, first) = (index as usize / CHUNK, index as usize % CHUNK);
        let (Some(mesh), Some(chunk)) = (mesh, self.chunks.get(chunk)) else { return };
        mesh.bind(pass);
        let bytes = |index: usize| (index * size_of::<ObjectInstance>()) as u64;
        pass.set_vertex_buffer(1, chunk.buffer.slice(bytes(first)..bytes(first + 1)));
        pass.draw_indexed(0..mesh.index_count, 0, 0..1);
    }

    /// Draws everything that has been uploaded. The pipeline and the bind group must be set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &PickMeshes) {
        for MeshRun { mesh, indices } in &self.runs {
            let Some(mesh) = meshes.get(*mesh) else { continue };
            mesh.bind(pass);
            let (first, end) = (indices.start as usize, indices.end as usize);
            let chunks = self.chunks.iter().enumerate().take(end.div_ceil(CHUNK)).skip(first / CHUNK);
            for (index, chunk) in chunks {
                let start = index * CHUNK;
                let here = first.max(start) - start..end.min(start + CHUNK) - start;
                let bytes = |index: usize| (index * size_of::<ObjectInstance>()) as u64;
                pass.set_vertex_buffer(1, chunk.buffer.slice(bytes(here.start)..bytes(here.end)));
                pass.draw_indexed(0..mesh.index_count, 0, 0..here.len() as u32);
            }
        }
    }
}

impl Chunk {
    fn new(device: &wgpu::Device, instances: usize) -> Result<Self, GpuError> {
        let capacity = instances.next_power_of_two().clamp(MIN_CAPACITY, CHUNK);
        let bytes = (capacity * size_of::<ObjectInstance>()) as u64;
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let buffer = create_buffer(device, "wgpu-gizmo objects", bytes, usage)?;
        Ok(Self { buffer, capacity, dirty: 0..capacity })
    }
}
