use super::instance::Instance;
use super::mesh::Meshes;
use super::store::Store;
use crate::gpu::error::{GpuError, check_alive};
use std::mem::size_of;
use std::ops::Range;

/// Objects on the GPU in the order in which they are drawn: mesh by mesh.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// Of the objects.
    slots: Vec<u32>,
    runs: Vec<Run>,
    chunks: Vec<Chunk>,
    // Kept, so that nothing is allocated once they have grown.
    /// For each mesh: how many there are, then where the next one goes.
    places: Vec<u32>,
    staged: Vec<Instance>,
}

/// Neighbours that have the same mesh.
#[derive(Debug)]
struct Run {
    mesh: u32,
    places: Range<u32>,
}

/// A buffer for [`CHUNK`] instances at most: no scene is larger than a buffer can be.
#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    capacity: usize,
    /// What of it has to be uploaded.
    dirty: Range<usize>,
}

/// Instances in a buffer: 4 MiB of them.
const CHUNK: usize = 1 << 16;
/// Instances of a first upload: what lies under a cursor.
const SMALLEST: usize = 32;

impl Drawing {
    /// Replaces what was drawn by these slots. All of it has to be uploaded then.
    pub(super) fn arrange(&mut self, store: &Store, meshes: usize, slots: &[u32]) {
        let mesh_of = |slot: u32| store.meshes.get(slot as usize).map(|mesh| *mesh as usize);
        let known = || slots.iter().filter_map(|slot| Some((*slot, mesh_of(*slot)?)));
        self.places.clear();
        self.places.resize(meshes, 0);
        for (_, mesh) in known() {
            if let Some(place) = self.places.get_mut(mesh) {
                *place += 1;
            }
        }
        self.runs.clear();
        let mut end = 0;
        for (mesh, place) in (0..).zip(&mut self.places) {
            let first = end;
            end += std::mem::replace(place, first);
            if end > first {
                self.runs.push(Run { mesh, places: first..end });
            }
        }
        self.slots.clear();
        self.slots.resize(end as usize, 0);
        for (slot, mesh) in known() {
            if let Some(place) = self.places.get_mut(mesh) {
                self.slots[*place as usize] = slot;
                *place += 1;
            }
        }
        self.chunks.truncate(self.slots.len().div_ceil(CHUNK));
        for chunk in &mut self.chunks {
            chunk.dirty = 0..CHUNK;
        }
    }

    /// The objects, each at its place.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// What is at a place has changed.
    pub(super) fn touch(&mut self, place: usize) {
        if let Some(Chunk { dirty, .. }) = self.chunks.get_mut(place / CHUNK) {
            let place = place % CHUNK;
            let is_clean = dirty.start >= dirty.end;
            *dirty =
                if is_clean { place..place + 1 } else { dirty.start.min(place)..dirty.end.max(place + 1) };
        }
    }

    /// Uploads what has changed.
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
            let offset = (dirty.start * size_of::<Instance>()) as u64;
            self.staged.clear();
            self.staged.extend(slots[dirty].iter().map(|slot| match store.instances.get(*slot as usize) {
                Some(instance) if store.is_drawn(*slot) => *instance,
                _ => Instance::COLLAPSED,
            }));
            queue.write_buffer(&chunk.buffer, offset, bytemuck::cast_slice(&self.staged));
        }
        Ok(())
    }

    /// Draws the one at a place alone. Pipeline and bind group are set.
    pub(super) fn draw_one(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &Meshes, place: u32) {
        let run = self.runs.partition_point(|run| run.places.end <= place);
        let mesh = self.runs.get(run).and_then(|run| meshes.get(run.mesh));
        let (index, first) = (place as usize / CHUNK, place as usize % CHUNK);
        let (Some(mesh), Some(chunk)) = (mesh, self.chunks.get(index)) else { return };
        mesh.bind(pass);
        let bytes = |place: usize| (place * size_of::<Instance>()) as u64;
        pass.set_vertex_buffer(1, chunk.buffer.slice(bytes(first)..bytes(first + 1)));
        pass.draw_indexed(0..mesh.index_count, 0, 0..1);
    }

    /// Draws all that has been uploaded. Pipeline and bind group are set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &Meshes) {
        for Run { mesh, places } in &self.runs {
            let Some(mesh) = meshes.get(*mesh) else { continue };
            mesh.bind(pass);
            let (first, end) = (places.start as usize, places.end as usize);
            let chunks = self.chunks.iter().enumerate().take(end.div_ceil(CHUNK)).skip(first / CHUNK);
            for (index, chunk) in chunks {
                let start = index * CHUNK;
                let here = first.max(start) - start..end.min(start + CHUNK) - start;
                let bytes = |place: usize| (place * size_of::<Instance>()) as u64;
                pass.set_vertex_buffer(1, chunk.buffer.slice(bytes(here.start)..bytes(here.end)));
                pass.draw_indexed(0..mesh.index_count, 0, 0..here.len() as u32);
            }
        }
    }
}

impl Chunk {
    fn new(device: &wgpu::Device, instances: usize) -> Result<Self, GpuError> {
        check_alive(device)?;
        let capacity = instances.next_power_of_two().clamp(SMALLEST, CHUNK);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wgpu-gizmo objects"),
            size: (capacity * size_of::<Instance>()) as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self { buffer, capacity, dirty: 0..capacity })
    }
}
