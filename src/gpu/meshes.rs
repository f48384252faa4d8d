use super::error::GpuError;
use crate::handle::{MeshKind, Vertex};
use std::mem::size_of;
use std::ops::Range;

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
    pub(super) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
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
        use wgpu::BufferUsages;
        let vertices = filled(
            device,
            "wgpu-gizmo mesh vertices",
            bytemuck::cast_slice(&vertices),
            BufferUsages::VERTEX,
        )?;
        let indices =
            filled(device, "wgpu-gizmo mesh indices", bytemuck::cast_slice(&indices), BufferUsages::INDEX)?;
        Ok(Self { vertices, indices, places })
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

/// `wgpu::util` does the same, but panics on a lost device. The length is a multiple of four.
fn filled(
    device: &wgpu::Device,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, GpuError> {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: contents.len() as u64,
        usage,
        mapped_at_creation: true,
    });
    let mapped = buffer.get_mapped_range_mut(..);
    mapped.map_err(|error| GpuError::DeviceLost(error.to_string()))?.copy_from_slice(contents);
    buffer.unmap();
    Ok(buffer)
}
