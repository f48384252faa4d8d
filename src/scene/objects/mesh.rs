use super::inner_ball::inner_ball_of;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::create_buffer_with;
use crate::handle::MeshError;
use crate::math::Ball;
use crate::pick::snap::SnapMesh;
use std::mem::size_of;

/// Identifies a mesh of a [`PickScene`](super::PickScene).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PickMeshKey(pub(super) u64);

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
    pub(super) key: PickMeshKey,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
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
    pub(super) fn new(
        device: &wgpu::Device,
        mesh: &PickMesh<'_>,
        key: PickMeshKey,
    ) -> Result<Self, GpuError> {
        let buffer =
            |contents: &[u8], usage| create_buffer_with(device, "wgpu-gizmo object mesh", contents, usage);
        Ok(Self {
            key,
            corners: buffer(bytemuck::cast_slice(mesh.positions), wgpu::BufferUsages::VERTEX)?,
            indices: buffer(bytemuck::cast_slice(mesh.indices), wgpu::BufferUsages::INDEX)?,
            index_count: mesh.indices.len() as u32,
            bounds: mesh.bounds,
            inner: mesh.inner,
            // The mesh is valid.
            geometry: mesh.keeps_geometry.then(|| SnapMesh::new(mesh.positions, mesh.indices).ok()).flatten(),
        })
    }

    /// Draws instances. The pipeline and the bind group must be set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, instances: wgpu::BufferSlice<'_>, count: u32) {
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_vertex_buffer(1, instances);
        pass.draw_indexed(0..self.index_count, 0, 0..count);
    }
}
