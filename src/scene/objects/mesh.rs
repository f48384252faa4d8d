use super::inner_ball::inner_ball_of;
use super::occlusion::Extent;
use super::store::{PickMeshKey, SlotKey};
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::create_buffer_with;
use crate::handle::MeshError;
use crate::math::Ball;
use crate::pick::snap::SnapMesh;
use std::mem::size_of;

/// Validated triangles for a [`PickScene`](super::PickScene).
///
/// Closed meshes occlude the objects behind them before those are drawn. A mesh is closed if every
/// edge is shared by an even number of triangles. Meshes of up to 32 768 triangles are tested for
/// that, once per mesh, which takes some milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct PickMesh<'a> {
    positions: &'a [[f32; 3]],
    indices: &'a [u32],
    bounds: Ball,
    inner: Option<Ball>,
    keeps_geometry: bool,
}

impl<'a> PickMesh<'a> {
    /// Creates a mesh from vertex positions in local space and three indices per triangle. Both
    /// sides of a triangle can be picked.
    ///
    /// # Errors
    /// Returns a [`MeshError`] if the data is not a mesh that can be drawn.
    pub fn new(positions: &'a [[f32; 3]], indices: &'a [u32]) -> Result<Self, MeshError> {
        let is_finite = |p: &[f32; 3]| p.iter().all(|number| number.is_finite());
        MeshError::check(positions, is_finite, indices.iter().copied())?;
        let bounds = Ball::around(positions.iter().copied());
        let inner = inner_ball_of(positions, indices, bounds);
        Ok(Self { positions, indices, bounds, inner, keeps_geometry: false })
    }

    /// Keeps the triangles on the CPU too, in a tree that is built once, so that drags can snap to objects with
    /// this mesh ([`PickScene::snap_objects`](super::PickScene::snap_objects)).
    #[must_use]
    pub fn with_snapping(self) -> Self {
        Self { keeps_geometry: true, ..self }
    }
}

/// A mesh on the GPU.
#[derive(Debug)]
pub(super) struct UploadedMesh {
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    pub(super) index_count: u32,
    pub(super) bounds: Ball,
    pub(super) inner: Option<Ball>,
    pub(super) geometry: Option<SnapMesh>,
}

/// The vertex buffer layout of the positions.
pub(super) const CORNER_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<[f32; 3]>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3],
};

impl UploadedMesh {
    fn new(device: &wgpu::Device, mesh: &PickMesh<'_>) -> Result<Self, GpuError> {
        let buffer =
            |contents: &[u8], usage| create_buffer_with(device, "wgpu-gizmo object mesh", contents, usage);
        Ok(Self {
            corners: buffer(bytemuck::cast_slice(mesh.positions), wgpu::BufferUsages::VERTEX)?,
            indices: buffer(bytemuck::cast_slice(mesh.indices), wgpu::BufferUsages::INDEX)?,
            index_count: mesh.indices.len() as u32,
            bounds: mesh.bounds,
            inner: mesh.inner,
            // The mesh is valid.
            geometry: mesh.keeps_geometry.then(|| SnapMesh::new(mesh.positions, mesh.indices).ok()).flatten(),
        })
    }

    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
    }
}

/// The meshes of a scene, by slot.
#[derive(Debug, Default)]
pub(super) struct PickMeshes {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Entry {
    generation: u32,
    mesh: Option<UploadedMesh>,
    /// The number of objects that use the mesh.
    users: u32,
    /// Set by [`PickMeshes::remove`]: the mesh is dropped with the last object that uses it.
    is_removed: bool,
}

impl PickMeshes {
    pub(super) fn add(
        &mut self,
        device: &wgpu::Device,
        mesh: &PickMesh<'_>,
    ) -> Result<PickMeshKey, GpuError> {
        let mesh = Some(UploadedMesh::new(device, mesh)?);
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.entries[slot as usize];
            *entry = Entry { mesh, users: 0, is_removed: false, generation: entry.generation };
            return Ok(PickMeshKey(SlotKey { slot, generation: entry.generation }));
        }
        let slot = self.entries.len() as u32;
        self.entries.push(Entry { mesh, users: 0, is_removed: false, generation: 0 });
        Ok(PickMeshKey(SlotKey { slot, generation: 0 }))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the extent of the mesh in a slot.
    pub(super) fn extent_of(&self, slot: u32) -> Option<Extent> {
        self.get(slot).map(|mesh| (mesh.bounds, mesh.inner))
    }

    pub(super) fn get(&self, slot: u32) -> Option<&UploadedMesh> {
        self.entries.get(slot as usize)?.mesh.as_ref()
    }

    /// Returns the bounding ball of a mesh, or `None` if it was removed.
    pub(super) fn bounds_of(&self, PickMeshKey(key): PickMeshKey) -> Option<Ball> {
        let entry = self.entries.get(key.slot as usize)?;
        let is_there = entry.generation == key.generation && !entry.is_removed;
        Some(entry.mesh.as_ref().filter(|_| is_there)?.bounds)
    }

    /// Counts one more object that uses the mesh.
    pub(super) fn acquire(&mut self, slot: u32) {
        if let Some(entry) = self.entries.get_mut(slot as usize) {
            entry.users += 1;
        }
    }

    /// Counts one object less, and drops the mesh if it was removed and is unused.
    pub(super) fn release(&mut self, slot: u32) {
        if let Some(entry) = self.entries.get_mut(slot as usize) {
            entry.users = entry.users.saturating_sub(1);
        }
        self.drop_unused(slot);
    }

    pub(super) fn remove(&mut self, key: PickMeshKey) -> bool {
        let is_there = self.bounds_of(key).is_some();
        if is_there {
            self.entries[key.0.slot as usize].is_removed = true;
            self.drop_unused(key.0.slot);
        }
        is_there
    }

    fn drop_unused(&mut self, slot: u32) {
        let Some(entry) = self.entries.get_mut(slot as usize) else { return };
        if entry.is_removed && entry.users == 0 && entry.mesh.take().is_some() {
            entry.generation = entry.generation.wrapping_add(1);
            self.free.push(slot);
        }
    }
}
