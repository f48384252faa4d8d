//! The multisampled attachments of the color pass.

use super::portion::Portion;
use super::{DEPTH_FORMAT, far_depth};
use crate::resources::{texture, texture_view};
use wgpu_gizmo::math::DepthDirection;

/// The number of samples per pixel in the color pass.
pub(super) const SAMPLES: u32 = 4;

/// The multisampled color and depth attachments that the picture is resolved from.
#[derive(Debug)]
pub(super) struct Attachments {
    pub(super) color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Attachments {
    pub(super) fn new(device: &wgpu::Device, color_format: wgpu::TextureFormat, size_px: [u32; 2]) -> Self {
        let view = |label, format| {
            let texture = texture(label, size_px, format, wgpu::TextureUsages::RENDER_ATTACHMENT);
            texture_view(device, &wgpu::TextureDescriptor { sample_count: SAMPLES, ..texture })
        };
        Self { color: view("viewer color 4x", color_format), depth: view("viewer depth 4x", DEPTH_FORMAT) }
    }

    /// Begins the pass of a portion of the picture, which is resolved to `target`. The samples are kept for the
    /// next portion.
    pub(super) fn begin<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        depth: DepthDirection,
        portion: &Portion,
    ) -> wgpu::RenderPass<'a> {
        let store = if portion.is_last() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations { load: portion.load(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: portion.load(far_depth(depth)), store }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}
