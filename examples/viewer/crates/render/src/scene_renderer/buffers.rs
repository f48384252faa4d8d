//! The parts of a scene on the GPU that do not depend on its nodes.

use super::meshes::Meshes;
use super::surfaces::Surfaces;
use crate::device::Gpu;
use scene::Scene;

/// The meshes and materials of a scene on the GPU.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(super) meshes: Meshes,
    pub(super) surfaces: Surfaces,
}

impl Buffers {
    /// Uploads a scene.
    pub(crate) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout, scene: &Scene) -> Self {
        Self { meshes: Meshes::new(gpu, scene), surfaces: Surfaces::new(gpu, layout, &scene.look) }
    }
}
