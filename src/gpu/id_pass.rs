use super::device_errors::DeviceErrors;
use super::error::GpuError;
use super::id_handles::{IdHandles, RECORD_LAYOUT};
use super::pipelines::{PipelineFactory, PipelineState};
use super::texel_layout::TexelLayout;
use super::tile::{DEPTH_FORMAT, Tile};
use super::tile_view::TileView;
use crate::draw::DepthStyle;
use crate::math::DepthDirection;
use glam::DMat4;

/// Draws ids: first the host's objects, with the host's pipelines and depth, then the handles over them,
/// from back to front.
#[derive(Debug)]
pub(super) struct IdPass {
    handles: wgpu::RenderPipeline,
    /// The pipelines of handles that objects may hide, by depth direction; created when they are needed.
    hidden: [Option<wgpu::RenderPipeline>; 2],
    pub(in crate::gpu) errors: DeviceErrors,
}

/// Returns the color targets of the ID pass on a device, without blending.
pub(super) fn color_targets(device: &wgpu::Device) -> &'static [Option<wgpu::ColorTargetState>] {
    TexelLayout::of(device).color_targets()
}

pub(super) fn depth_stencil(depth: DepthDirection) -> wgpu::DepthStencilState {
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
pub(super) fn xray_depth_stencil() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(false),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

pub(super) const SHADER: &str = include_str!("../../shaders/handle_ids.wgsl");

impl IdPass {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        // Objects do not occlude handles.
        let handles = errors
            .create_pipelines(device, |factory| pipeline(factory, "fs_id", wgpu::CompareFunction::Always))?;
        Ok(Self { handles, hidden: [None, None], errors })
    }

    /// Creates the resources that [`IdPass::encode`] needs for these handles.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        depth: DepthDirection,
        handles: &IdHandles,
    ) -> Result<(), GpuError> {
        self.errors.check()?;
        let pipeline_of = &mut self.hidden[depth as usize];
        if pipeline_of.is_none() && handles.may_be_hidden() {
            let compare = match depth {
                DepthDirection::Standard => wgpu::CompareFunction::LessEqual,
                DepthDirection::Reversed => wgpu::CompareFunction::GreaterEqual,
            };
            let created =
                self.errors.create_pipelines(device, |factory| pipeline(factory, "fs_id_hidden", compare));
            *pipeline_of = Some(created?);
        }
        Ok(())
    }

    pub(super) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tile: &Tile,
        placement: &TileView,
        host_depth: DepthDirection,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        handles: &IdHandles,
    ) {
        let mut pass = begin_objects(encoder, tile, placement, host_depth);
        draw_objects(&mut pass, placement.clip_from_clip);
        if handles.is_empty() {
            return;
        }
        placement.apply_to_handles(&mut pass);
        let hidden = self.hidden[host_depth as usize].as_ref();
        handles.draw(&mut pass, |style| match style {
            DepthStyle::Hidden => hidden.unwrap_or(&self.handles),
            _ => &self.handles,
        });
    }
}

fn pipeline(
    factory: &PipelineFactory<'_>,
    fragment: &str,
    compare: wgpu::CompareFunction,
) -> wgpu::RenderPipeline {
    factory.shader("wgpu-gizmo ids", SHADER).pipeline(&PipelineState {
        entries: ["vs_id", fragment],
        buffers: &[Some(RECORD_LAYOUT)],
        depth_stencil: Some(wgpu::DepthStencilState {
            depth_write_enabled: Some(false),
            depth_compare: Some(compare),
            ..depth_stencil(DepthDirection::Standard)
        }),
        targets: color_targets(factory.device),
        ..Default::default()
    })
}

/// Encodes a pass that draws only the host's objects.
pub(super) fn encode_objects(
    encoder: &mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &TileView,
    host_depth: DepthDirection,
    draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
) {
    let mut pass = begin_objects(encoder, tile, placement, host_depth);
    draw_objects(&mut pass, placement.clip_from_clip);
}

fn begin_objects<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &TileView,
    host_depth: DepthDirection,
) -> wgpu::RenderPass<'a> {
    let far = match host_depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    };
    let mut pass = begin(encoder, "wgpu-gizmo object ids", tile, far);
    placement.apply(&mut pass);
    pass
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    tile: &Tile,
    far: f32,
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
        ..Default::default()
    })
}
