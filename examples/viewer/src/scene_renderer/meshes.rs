//! Meshes on the GPU: positions apart from the rest, which the id pass does not read.

use crate::mesh::Mesh;
use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

/// What `fs_lit` needs to know of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Surface {
    normal: [f32; 3],
    color: [u8; 4],
}

/// A mesh's three buffers. Readers of files keep each below wgpu's downlevel limit.
#[derive(Debug)]
pub(super) struct GpuMesh {
    pub(super) positions: wgpu::Buffer,
    pub(super) surface: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    pub(super) index_count: u32,
}

impl GpuMesh {
    pub(super) fn new(device: &wgpu::Device, mesh: &Mesh) -> Self {
        let buffer = |label, contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        let surface: Vec<Surface> = mesh
            .normals
            .iter()
            .zip(&mesh.colors)
            .map(|(&normal, &color)| Surface { normal, color })
            .collect();
        Self {
            positions: buffer(
                "viewer positions",
                bytemuck::cast_slice(&mesh.positions),
                wgpu::BufferUsages::VERTEX,
            ),
            surface: buffer("viewer surface", bytemuck::cast_slice(&surface), wgpu::BufferUsages::VERTEX),
            indices: buffer("viewer indices", bytemuck::cast_slice(&mesh.indices), wgpu::BufferUsages::INDEX),
            index_count: mesh.indices.len() as u32,
        }
    }
}
