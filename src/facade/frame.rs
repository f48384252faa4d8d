//! The device, the encoder and the depths of one frame.

use crate::gpu::SceneDepth;
use crate::math::View;

/// The device and the command encoder of one frame, for [`WgpuGizmo::prepare`](crate::WgpuGizmo::prepare).
///
/// [`SceneDepth`] has an example with a depth.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) device: &'a wgpu::Device,
    pub(super) queue: &'a wgpu::Queue,
    pub(super) encoder: &'a mut wgpu::CommandEncoder,
    depths: &'a [(u64, SceneDepth<'a>)],
}

impl<'a> Frame<'a> {
    /// Creates a frame. The encoder is that of the passes that show the handles, or one that is submitted earlier, and
    /// it is outside of any pass.
    pub fn new(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> Self {
        Self { device, queue, encoder, depths: &[] }
    }

    /// Sets the depth textures of the scene, by the keys of the views. They may be written after `prepare`, in a pass
    /// before that of the handles. In a view without one, all handles are drawn on top.
    #[must_use]
    pub fn with_depths(self, depths: &'a [(u64, SceneDepth<'a>)]) -> Self {
        Self { depths, ..self }
    }

    /// Returns the depth of a view.
    pub(super) fn depth_of(&self, view: &View) -> Option<SceneDepth<'a>> {
        self.depths.iter().find(|(key, _)| *key == view.key()).map(|(_, depth)| *depth)
    }
}
