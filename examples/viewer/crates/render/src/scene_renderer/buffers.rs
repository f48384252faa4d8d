//! The parts of a scene on the GPU that do not depend on its nodes.

use super::meshes::Meshes;
use super::surfaces::Surfaces;
use scene::Scene;

/// The meshes and materials of a scene on the GPU.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(super) meshes: Meshes,
    pub(super) surfaces: Surfaces,
}

impl Buffers {
    /// Uploads a scene.
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layout: &wgpu::BindGroupLayout,
        scene: &Scene,
    ) -> Self {
        let meshes = Meshes::new(device, scene);
        Self { meshes, surfaces: Surfaces::new(device, queue, layout, &scene.look) }
    }
}
