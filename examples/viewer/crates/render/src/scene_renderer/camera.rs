//! The camera of a render pass.

use super::instances::two_floats;
use crate::resources::{bind_group, buffer};
use bytemuck::{Pod, Zeroable};
use wgpu_gizmo::View;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};

/// The uniforms of a camera, with the layout of `Camera` in the shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Camera {
    clip_from_anchor: [[f32; 4]; 4],
    anchor_high: [f32; 4],
    anchor_low: [f32; 4],
}

#[cfg(test)]
impl Camera {
    pub(super) const OFFSETS: &[(&str, usize)] = super::offsets!(clip_from_anchor anchor_high anchor_low);
}

impl Camera {
    /// Returns a camera for positions that are stored relative to `origin_world`. The shader makes them
    /// relative to `anchor_world` before it multiplies them.
    pub(super) fn new(clip_from_world: DMat4, anchor_world: DVec3, origin_world: DVec3) -> Self {
        let clip_from_anchor = clip_from_world * DMat4::from_translation(anchor_world);
        let [high, low] = two_floats(anchor_world - origin_world).map(|v| v.extend(0.0).to_array());
        Self {
            clip_from_anchor: clip_from_anchor.as_mat4().to_cols_array_2d(),
            anchor_high: high,
            anchor_low: low,
        }
    }

    /// Returns the camera of a view. `clip_from_clip` is a crop, for attachments that cover only a part of
    /// the view.
    pub(super) fn of_view(view: &View, clip_from_clip: DMat4, origin_world: DVec3) -> Self {
        Self::new(clip_from_clip * view.clip_from_world(), anchor(view), origin_world)
    }
}

/// Returns the point near which positions are most precise: the eye, or in an orthographic view a point
/// at the center of the viewport.
pub(super) fn anchor(view: &View) -> DVec3 {
    view.eye().unwrap_or_else(|| view.pointer_ray(middle_px(view)).origin)
}

/// Returns the center of the viewport in pixels.
pub(super) fn middle_px(view: &View) -> DVec2 {
    let viewport = view.viewport();
    DVec2::new(viewport.x + viewport.width * 0.5, viewport.y + viewport.height * 0.5)
}

/// A camera in a uniform buffer.
#[derive(Debug)]
pub(super) struct CameraBuffer {
    pub(super) buffer: wgpu::Buffer,
    /// The bind group of passes that need only the camera.
    pub(super) group: wgpu::BindGroup,
}

impl CameraBuffer {
    pub(super) fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> Self {
        let buffer = buffer(device, "viewer camera", size_of::<Camera>(), wgpu::BufferUsages::UNIFORM);
        let group = bind_group(device, "viewer camera", layout, [buffer.as_entire_binding()]);
        Self { buffer, group }
    }

    pub(super) fn write(&self, queue: &wgpu::Queue, camera: &Camera) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(camera));
    }
}
