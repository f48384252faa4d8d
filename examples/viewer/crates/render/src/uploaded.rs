//! Uploads scenes to the GPU in the threads that load them, so that showing one does not block the window.

use crate::device::Gpu;
use crate::scene_renderer::Buffers;
use scene::Scene;
use std::sync::{Arc, Mutex};

/// Uploads scenes in any thread.
#[derive(Debug, Clone)]
pub struct Uploader {
    pub(crate) gpu: Gpu,
    /// The layout of the bind groups of materials.
    pub(crate) layout: wgpu::BindGroupLayout,
}

/// The buffers of a scene, until a renderer takes them.
#[derive(Debug)]
struct Uploaded {
    device: wgpu::Device,
    buffers: Mutex<Option<Buffers>>,
}

impl Uploader {
    /// Uploads the meshes and images of a scene, which keeps them until a stage shows it.
    pub fn upload(&self, scene: &mut Scene) {
        let buffers = Buffers::new(&self.gpu, &self.layout, scene);
        // Nothing is submitted here, the next frame does so: a surface can be configured only while no other
        // thread submits.
        let buffers = Mutex::new(Some(buffers));
        scene.uploaded = Some(Arc::new(Uploaded { device: self.gpu.device.clone(), buffers }));
    }
}

/// Takes the buffers that were uploaded in advance, if they are of this device and were not taken yet.
pub(crate) fn take(scene: &Scene, device: &wgpu::Device) -> Option<Buffers> {
    let uploaded = scene.uploaded.as_deref()?.downcast_ref::<Uploaded>()?;
    let mut buffers = uploaded.buffers.lock().ok().filter(|_| uploaded.device == *device)?;
    buffers.take()
}
