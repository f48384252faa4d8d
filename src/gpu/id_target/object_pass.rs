//! The pass that draws the host's objects into the ID target.

use super::texel_layout::TexelLayout;
use super::tile::{DEPTH_FORMAT, Tile};
use super::tile_view::TileView;
use crate::math::DepthDirection;
use glam::DMat4;

/// Returns the color targets of a pipeline that draws objects into the ID image on this device: two of
/// `R32Uint`, or one of `Rgba32Uint` if the device has the limits of WebGL2. The shader in the docs of
/// [`Picker`](crate::gpu::Picker) writes both.
pub fn color_targets(device: &wgpu::Device) -> &'static [Option<wgpu::ColorTargetState>] {
    TexelLayout::of(device).color_targets()
}

/// Returns the depth state of a pipeline that draws objects into the ID image, for views with this
/// depth direction. The attachment is cleared to the far plane.
pub fn depth_stencil(depth: DepthDirection) -> wgpu::DepthStencilState {
    let compare = match depth {
        DepthDirection::Standard => wgpu::CompareFunction::Less,
        DepthDirection::Reversed => wgpu::CompareFunction::Greater,
    };
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Returns the depth state for drawing objects that must not occlude each other, over a depth that is
/// 1 inside of a region and 0 outside.
pub(crate) fn xray_depth_stencil() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(false),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Encodes a pass that draws only the host's objects.
pub(crate) fn encode_objects(
    encoder: &mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &TileView,
    host_depth: DepthDirection,
    draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
) {
    let mut pass = begin_objects(encoder, tile, placement, host_depth);
    draw_objects(&mut pass, placement.clip_from_clip);
}

pub(crate) fn begin_objects<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &TileView,
    host_depth: DepthDirection,
) -> wgpu::RenderPass<'a> {
    let far = match host_depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    };
    let mut pass = begin(encoder, "wgpu-gizmo object ids", tile, far, None);
    placement.apply(&mut pass);
    pass
}

/// Begins a pass with depths of `far`.
pub(crate) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    tile: &Tile,
    far: f32,
    queries: Option<&wgpu::QuerySet>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &tile.color_attachments(wgpu::StoreOp::Store)[..tile.color_count()],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &tile.depth_view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(far),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        occlusion_query_set: queries,
        ..Default::default()
    })
}
