//! The multisampled attachments of the color pass.

use super::portion::Portion;
use super::{DEPTH_FORMAT, far_depth};
use wgpu_gizmo::math::DepthDirection;

/// The number of samples per pixel in the color pass.
pub(super) const SAMPLES: u32 = 4;

/// The multisampled color and depth attachments that the picture is resolved from.
#[derive(Debug)]
pub(super) struct Attachments {
    pub(super) size_px: [u32; 2],
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Attachments {
    pub(super) fn new(device: &wgpu::Device, color_format: wgpu::TextureFormat, size_px: [u32; 2]) -> Self {
        let view = |label, format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size_px[0], height: size_px[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: SAMPLES,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            size_px,
            color: view("viewer color 4x", color_format),
            depth: view("viewer depth 4x", DEPTH_FORMAT),
        }
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
        let (color, far) = match portion.is_first() {
            true => (wgpu::LoadOp::Clear(wgpu::Color::BLACK), wgpu::LoadOp::Clear(far_depth(depth))),
            false => (wgpu::LoadOp::Load, wgpu::LoadOp::Load),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations { load: color, store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: far, store }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        })
    }
}
