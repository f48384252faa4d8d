use super::instance::ObjectInstance;
use super::mesh::PickMeshes;
use super::store::Store;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::create_buffer;
use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

/// The order in which objects are drawn, sorted by mesh, and when each of them last changed.
#[derive(Debug, Default)]
pub(super) struct DrawOrder {
    /// The slots of the objects, in drawing order.
    slots: Vec<u32>,
    runs: Vec<MeshRun>,
    /// Counts the changes.
    revision: u64,
    /// Per block of [`BLOCK`] objects: the revision of its last change.
    changed: Vec<u64>,
    /// Distinguishes it from other orders.
    identity: Arc<()>,
    /// Per mesh: first the number of objects, then the next free index (counting sort). Kept between calls, so that
    /// nothing is allocated once it has grown.
    next_index: Vec<u32>,
}

/// A range of objects with the same mesh.
#[derive(Debug)]
struct MeshRun {
    mesh: u32,
    indices: Range<u32>,
}

/// The objects of a [`DrawOrder`] on the GPU, as they were at the last upload.
#[derive(Debug, Default)]
pub(super) struct InstanceBuffers {
    chunks: Vec<Chunk>,
    /// The order that was uploaded, and its revision.
    uploaded: Option<(Arc<()>, u64)>,
    /// Kept between calls, so that nothing is allocated once it has grown.
    staged: Vec<ObjectInstance>,
}

/// A buffer of at most [`CHUNK`] instances, so that no scene exceeds the maximum buffer size.
#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    capacity: usize,
}

/// Instances per buffer: 4 MiB.
const CHUNK: usize = 1 << 16;
/// Instances whose changes are recorded together: 4 KiB.
const BLOCK: usize = 1 << 6;
/// Instances in the smallest buffer, enough for the objects under a cursor.
const MIN_CAPACITY: usize = 32;

impl DrawOrder {
    /// Replaces the objects with those in these slots.
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
        self.revision += 1;
        self.changed.clear();
        self.changed.resize(self.slots.len().div_ceil(BLOCK), self.revision);
    }

    /// Returns the slots in drawing order.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Records that the object at this index has changed.
    pub(super) fn touch(&mut self, index: usize) {
        self.revision += 1;
        if let Some(changed) = self.changed.get_mut(index / BLOCK) {
            *changed = self.revision;
        }
    }
}

impl InstanceBuffers {
    /// Uploads what has changed since the last upload.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        store: &Store,
        order: &DrawOrder,
    ) -> Result<(), GpuError> {
        let last = self.uploaded.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &order.identity));
        let last = last.map_or(0, |(_, revision)| *revision);
        if last == order.revision {
            return Ok(());
        }
        self.uploaded = None;
        let chunks = order.slots.chunks(CHUNK).zip(order.changed.chunks(CHUNK / BLOCK));
        for (index, (slots, changed)) in chunks.enumerate() {
            let has_room = self.chunks.get(index).is_some_and(|chunk| chunk.capacity >= slots.len());
            let since = if has_room { last } else { 0 };
            if !has_room {
                let chunk = Chunk::new(device, slots.len())?;
                self.chunks.truncate(index);
                self.chunks.push(chunk);
            }
            let is_stale = |revision: &u64| *revision > since;
            let (first, end) = (changed.iter().position(is_stale), changed.iter().rposition(is_stale));
            let Some((first, end)) = first.zip(end).map(|(first, last)| (first * BLOCK, (last + 1) * BLOCK))
            else {
                continue;
            };
            let stale = &slots[first..end.min(slots.len())];
            self.staged.clear();
            self.staged.extend(stale.iter().map(|slot| match store.instances.get(*slot as usize) {
                Some(instance) if store.is_drawn(*slot) => *instance,
                _ => ObjectInstance::COLLAPSED,
            }));
            let offset = (first * size_of::<ObjectInstance>()) as u64;
            queue.write_buffer(&self.chunks[index].buffer, offset, bytemuck::cast_slice(&self.staged));
        }
        self.uploaded = Some((order.identity.clone(), order.revision));
        Ok(())
    }

    /// Draws only the object at this index. The pipeline and the bind group must be set.
    pub(super) fn draw_one(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        order: &DrawOrder,
        meshes: &PickMeshes,
        index: u32,
    ) {
        let run = order.runs.partition_point(|run| run.indices.end <= index);
        let mesh = order.runs.get(run).and_then(|run| meshes.get(run.mesh));
        let (chunk, first) = (index as usize / CHUNK, index as usize % CHUNK);
        let (Some(mesh), Some(chunk)) = (mesh, self.chunks.get(chunk)) else { return };
        mesh.bind(pass);
        let bytes = |index: usize| (index * size_of::<ObjectInstance>()) as u64;
        pass.set_vertex_buffer(1, chunk.buffer.slice(bytes(first)..bytes(first + 1)));
        pass.draw_indexed(0..mesh.index_count, 0, 0..1);
    }

    /// Draws everything that has been uploaded. The pipeline and the bind group must be set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, order: &DrawOrder, meshes: &PickMeshes) {
        for MeshRun { mesh, indices } in &order.runs {
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
        Ok(Self { buffer, capacity })
    }
}
