use crate::handle::{MeshKind, Vertex};
use std::mem::size_of;
use std::ops::Range;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Every mesh in one vertex and one index buffer.
#[derive(Debug)]
pub(super) struct Meshes {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// Place of each mesh, in the order of [`MeshKind::ALL`].
    places: [Place; MeshKind::ALL.len()],
}

#[derive(Debug, Clone)]
struct Place {
    first_vertex: i32,
    indices: Range<u32>,
}

/// How [`Vertex`] reaches the shader.
pub(super) const VERTEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Vertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32],
};

impl Meshes {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut indices: Vec<u16> = Vec::new();
        let places = MeshKind::ALL.map(|kind| {
            let mesh = kind.mesh();
            let first_vertex = vertices.len() as i32;
            let first_index = indices.len() as u32;
            vertices.extend_from_slice(&mesh.vertices);
            indices.extend_from_slice(&mesh.indices);
            Place { first_vertex, indices: first_index..indices.len() as u32 }
        });
        // Copies are in units of four bytes.
        if indices.len() % 2 == 1 {
            indices.push(0);
        }
        let vertices = device.create_buffer_init(&BufferInitDescriptor {
            label: Some("wgpu-gizmo mesh vertices"),
            contents: bytemuck::cast_slice(&vertices),
            usage: wgpu::BufferUsages::VERTEX,
        });
        let indices = device.create_buffer_init(&BufferInitDescriptor {
            label: Some("wgpu-gizmo mesh indices"),
            contents: bytemuck::cast_slice(&indices),
            usage: wgpu::BufferUsages::INDEX,
        });
        Self { vertices, indices, places }
    }

    /// Makes the buffers current in a pass.
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, kind: MeshKind, instances: Range<u32>) {
        let place = &self.places[kind as usize];
        pass.draw_indexed(place.indices.clone(), place.first_vertex, instances);
    }
}
