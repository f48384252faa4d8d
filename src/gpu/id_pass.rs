use super::error::{GpuError, check_alive};
use super::instances::{INSTANCE_LAYOUT, Instances};
use super::meshes::{Meshes, VERTEX_LAYOUT};
use super::tile::{DEPTH_BITS_FORMAT, DEPTH_FORMAT, ID_FORMAT, Tile};
use super::window::Placement;
use crate::handle::DrawList;
use crate::math::DepthDirection;
use glam::DMat4;

/// Draws ids: first what the host has, with its own pipelines and depth, then the handles over
/// it, with a depth of their own.
#[derive(Debug)]
pub(super) struct IdPass {
    pipeline: wgpu::RenderPipeline,
    meshes: Meshes,
}

/// No blending: an id is an id.
pub(super) fn color_targets() -> [Option<wgpu::ColorTargetState>; 2] {
    [ID_FORMAT, DEPTH_BITS_FORMAT].map(|format| Some(format.into()))
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

impl IdPass {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        check_alive(device)?;
        let module = device.create_shader_module(wgpu::include_wgsl!("../../shaders/handle.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo ids"),
            ..Default::default()
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("wgpu-gizmo ids"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_handle"),
                compilation_options: Default::default(),
                buffers: &[Some(VERTEX_LAYOUT), Some(INSTANCE_LAYOUT)],
            },
            primitive: wgpu::PrimitiveState::default(),
            // The gizmo's own depth: 1 is near, in every view.
            depth_stencil: Some(depth_stencil(DepthDirection::Reversed)),
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_id"),
                compilation_options: Default::default(),
                targets: &color_targets(),
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self { pipeline, meshes: Meshes::new(device)? })
    }

    /// Uploads the meshes of the host's own that a list shows.
    pub(super) fn keep(&mut self, device: &wgpu::Device, list: &DrawList) -> Result<(), GpuError> {
        self.meshes.keep(device, list)
    }

    pub(super) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tile: &Tile,
        placement: &Placement,
        host_depth: DepthDirection,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        handles: &Instances,
    ) {
        encode_objects(encoder, tile, placement, host_depth, draw_objects);
        if handles.is_empty() {
            return;
        }
        // A pass of its own, because handles are not hidden by objects.
        let mut pass = begin(encoder, "wgpu-gizmo handle ids", tile, wgpu::LoadOp::Load, 0.0);
        placement.apply(&mut pass);
        pass.set_pipeline(&self.pipeline);
        handles.bind(&mut pass, &self.meshes);
        handles.draw(&mut pass, &self.meshes, false);
        handles.draw(&mut pass, &self.meshes, true);
    }
}

/// The ids of what the host has, and nothing else.
pub(super) fn encode_objects(
    encoder: &mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &Placement,
    host_depth: DepthDirection,
    draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
) {
    let nothing = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
    let far = match host_depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    };
    let mut pass = begin(encoder, "wgpu-gizmo object ids", tile, nothing, far);
    placement.apply(&mut pass);
    draw_objects(&mut pass, placement.clip_from_clip);
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    tile: &Tile,
    load: wgpu::LoadOp<wgpu::Color>,
    far: f32,
) -> wgpu::RenderPass<'a> {
    let attach = |view| {
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[attach(&tile.ids_view), attach(&tile.depth_bits_view)],
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
