use super::error::GpuError;
use super::resources::create_buffer_with;
use crate::draw::DrawList;
use crate::handle::{HandleMesh, Mesh, MeshData, MeshKind, Vertex};
use std::mem::size_of;
use std::ops::Range;
use std::sync::Weak;

/// The built-in meshes in one vertex and one index buffer, and each custom mesh in its own.
#[derive(Debug)]
pub(super) struct HandleMeshes {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The range of each built-in mesh, in the order of [`MeshKind::ALL`].
    ranges: [MeshRange; MeshKind::ALL.len()],
    /// The custom meshes that were shown and still exist.
    custom: Vec<Custom>,
}

/// A custom mesh on the GPU.
#[derive(Debug)]
struct Custom {
    key: u32,
    /// Dead once the host and all draw lists have dropped the mesh.
    held: Weak<MeshData>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
}

#[derive(Debug, Clone)]
struct MeshRange {
    first_vertex: i32,
    indices: Range<u32>,
}

/// The vertex buffer layout of [`Vertex`].
pub(super) const VERTEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Vertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32],
};

impl HandleMeshes {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut indices: Vec<u16> = Vec::new();
        let ranges = MeshKind::ALL.map(|kind| {
            let Mesh { vertices: corners, indices: order } = kind.built();
            let first_vertex = vertices.len() as i32;
            let first_index = indices.len() as u32;
            vertices.extend_from_slice(&corners);
            indices.extend_from_slice(&order);
            MeshRange { first_vertex, indices: first_index..indices.len() as u32 }
        });
        let [vertices, indices] = buffers(device, "wgpu-gizmo meshes", &vertices, &indices)?;
        Ok(Self { vertices, indices, ranges, custom: Vec::new() })
    }

    /// Uploads the custom meshes that the list shows, and drops those that no longer exist.
    pub(super) fn keep(&mut self, device: &wgpu::Device, list: &DrawList) -> Result<(), GpuError> {
        self.custom.retain(|custom| custom.held.strong_count() > 0);
        for mesh in list.custom_meshes() {
            let MeshData { key, mesh: triangles, .. } = mesh.data();
            if self.custom.iter().any(|custom| custom.key == *key) {
                continue;
            }
            let Mesh { vertices, indices } = triangles;
            let count = indices.len() as u32;
            let [vertices, indices] = buffers(device, "wgpu-gizmo custom mesh", vertices, indices)?;
            let held = HandleMesh::downgrade(mesh);
            self.custom.push(Custom { key: *key, held, vertices, indices, count });
        }
        Ok(())
    }

    /// Binds the built-in meshes in a pass.
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
    }

    /// Draws a range of pieces of a mesh; a mesh without pieces is piece 0. The built-in meshes are bound
    /// before and after.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        kind: MeshKind,
        pieces: Range<u16>,
        instances: Range<u32>,
    ) {
        if let Some(range) = kind.index().map(|index| &self.ranges[index]) {
            let Range { start, end } = range.indices;
            let length = (end - start) / u32::from(kind.pieces());
            let indices = start + u32::from(pieces.start) * length..start + u32::from(pieces.end) * length;
            pass.draw_indexed(indices, range.first_vertex, instances);
        } else if let Some(custom) = self.custom.iter().find(|own| MeshKind::Custom(own.key) == kind) {
            pass.set_vertex_buffer(0, custom.vertices.slice(..));
            pass.set_index_buffer(custom.indices.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..custom.count, 0, instances);
            self.bind(pass);
        }
    }
}

/// Creates the vertex buffer and the index buffer of triangles.
fn buffers(
    device: &wgpu::Device,
    label: &str,
    vertices: &[Vertex],
    indices: &[u16],
) -> Result<[wgpu::Buffer; 2], GpuError> {
    use wgpu::BufferUsages;
    Ok([
        create_buffer_with(device, label, bytemuck::cast_slice(vertices), BufferUsages::VERTEX)?,
        create_buffer_with(device, label, bytemuck::cast_slice(indices), BufferUsages::INDEX)?,
    ])
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::handle::MeshKind;

    #[test]
    fn custom_mesh_is_uploaded_once_and_dropped_unused() {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
        let adapter = adapter.expect("the tests need an adapter");
        let (device, _queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults(),
            ..Default::default()
        }))
        .expect("a device");
        let mut meshes = HandleMeshes::new(&device).expect("alive");
        let view = crate::math::View::from_clip_from_world(
            glam::DMat4::from_cols_array(&std::array::from_fn(|i| [1.0, 0.0, 0.0, 0.0, 0.0][i % 5])),
            crate::math::Viewport::from_size(10, 10),
            1.0,
        );
        let view = view.expect("parallel");
        let mut list = DrawList::new();
        let Mesh { vertices, indices } = MeshKind::Cube.built();
        let mesh = HandleMesh::new(vertices, indices).expect("whole");
        for _ in 0..3 {
            list.begin(&view);
            list.keep(&mesh);
            list.keep(&mesh.clone());
            meshes.keep(&device, &list).expect("alive");
            assert_eq!(meshes.custom.len(), 1);
        }
        drop(mesh);
        meshes.keep(&device, &list).expect("alive");
        assert_eq!(meshes.custom.len(), 1, "the list holds it still");
        list.begin(&view);
        meshes.keep(&device, &list).expect("alive");
        assert!(meshes.custom.is_empty());
        device.poll(wgpu::PollType::wait_indefinitely()).expect("alive");
    }
}
