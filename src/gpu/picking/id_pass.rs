use super::id_handles::{IdHandles, RECORD_LAYOUT};
use crate::draw::DepthStyle;
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::id_target::object_pass::{begin_objects, color_targets, depth_stencil};
use crate::gpu::id_target::tile::Tile;
use crate::gpu::id_target::tile_view::TileView;
use crate::math::DepthDirection;
use glam::DMat4;

/// Draws ids: first the host's objects, with the host's pipelines and depth, then the handles over them,
/// from back to front.
#[derive(Debug)]
pub(crate) struct IdPass {
    handles: wgpu::RenderPipeline,
    /// The pipelines of handles that objects may hide, by depth direction; created when they are needed.
    hidden: [Option<wgpu::RenderPipeline>; 2],
    pub(crate) errors: DeviceErrors,
}

/// How a pipeline writes ids, followed by the pipeline of the handles.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/id_texel.wgsl"), include_str!("../../../shaders/handle_ids.wgsl"));

impl IdPass {
    pub(crate) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        // Objects do not occlude handles.
        let handles = errors
            .create_pipelines(device, |factory| pipeline(factory, "fs_id", wgpu::CompareFunction::Always))?;
        Ok(Self { handles, hidden: [None, None], errors })
    }

    /// Creates the resources that [`IdPass::encode`] needs for these handles.
    pub(crate) fn prepare(
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

    pub(crate) fn encode(
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
