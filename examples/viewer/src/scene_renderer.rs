//! Draws a scene as it is seen, and as ids.
//!
//! Matrices are multiplied in f64 and rounded once, so a scene far from the origin does not
//! tremble. Nothing is culled: mirrored nodes and sheets show both sides.

mod instances;
mod lighting;
mod meshes;
mod pipelines;

#[cfg(test)]
mod tests;

pub(crate) use instances::{IdDraws, NodeDraws};

use crate::scene::Scene;
use instances::{ColorDraws, Draws};
use lighting::{Extras, Frame};
use meshes::GpuMesh;
use pipelines::{PerDepth, Pipelines};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::math::{DepthDirection, View};

/// Samples in a pixel of the colour pass.
const SAMPLES: u32 = 4;

/// What is drawn differently.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks<'a> {
    /// Tinted; the last of them, the active one, more than the others.
    pub(crate) selected: &'a [usize],
    /// Brightened.
    pub(crate) hovered: Option<usize>,
    /// Not drawn: the view is seen by it.
    pub(crate) unseen: Option<usize>,
    /// The background is light.
    pub(crate) on_light: bool,
}

/// The scene's meshes on the GPU and everything to draw them with.
///
/// In a frame: `prepare` into a [`ViewDraws`] for each view, then `render`. For ids:
/// `prepare_ids` into an [`IdDraws`] of one's own for each pass, then `render_ids`. Never submits.
#[derive(Debug)]
pub(crate) struct SceneRenderer {
    pipelines: Pipelines,
    format: wgpu::TextureFormat,
    meshes: Vec<GpuMesh>,
    attachments: Option<Attachments>,
}

/// What one view of a picture draws. Views of one picture need one each.
#[derive(Debug)]
pub(crate) struct ViewDraws {
    frame_buffer: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    draws: ColorDraws,
    prepared: Option<Prepared>,
}

/// The multisampled colour and depth that the picture is resolved from.
#[derive(Debug)]
struct Attachments {
    size_px: [u32; 2],
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

/// What `render` needs to know of `prepare`.
#[derive(Debug)]
struct Prepared {
    depth: DepthDirection,
    viewport: [f32; 4],
    extras: Extras,
}

/// What the depth attachment is cleared to: the far end.
pub(crate) fn far_depth(depth: DepthDirection) -> f32 {
    match depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    }
}

/// Formats of the id pass, in the order of its locations: the id, and the bits of the depth.
pub(crate) const ID_FORMATS: [wgpu::TextureFormat; 2] =
    [wgpu::TextureFormat::R32Uint, wgpu::TextureFormat::R32Uint];

/// Format of the depth attachment of both passes.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

impl SceneRenderer {
    /// For colour targets of this format. Needs no features and no more than
    /// `Limits::downlevel_defaults()`.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self { pipelines: Pipelines::new(device, format), format, meshes: Vec::new(), attachments: None }
    }

    /// Room for what a view draws.
    pub(crate) fn new_view(&self, device: &wgpu::Device) -> ViewDraws {
        let frame_buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("viewer frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewer frame"),
            layout: &self.pipelines.frame_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame_buffer.as_entire_binding() }],
        });
        ViewDraws { frame_buffer, frame_group, draws: ColorDraws::default(), prepared: None }
    }

    /// Uploads the meshes of a scene; to be called once for each scene, not when nodes move.
    pub(crate) fn set_meshes(&mut self, device: &wgpu::Device, scene: &Scene) {
        self.meshes = scene.meshes().iter().map(|mesh| GpuMesh::new(device, mesh)).collect();
    }

    /// Writes what `render` will draw in one view.
    pub(crate) fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        view: &View,
        marks: Marks<'_>,
        draws: &mut ViewDraws,
    ) {
        let (frame, extras) = lighting::frame(view, scene.bounds(), self.format.is_srgb(), marks);
        queue.write_buffer(&draws.frame_buffer, 0, bytemuck::bytes_of(&frame));
        draws.draws.write(device, queue, instances::lit(scene, view, marks));
        let viewport = view.viewport();
        let viewport = [viewport.x, viewport.y, viewport.width, viewport.height].map(|v| v as f32);
        draws.prepared = Some(Prepared { depth: view.depth_direction(), viewport, extras });
    }

    /// One pass over the whole of `target`, for views that were prepared and whose depths all run
    /// one way. Afterwards other passes may draw over it.
    pub(crate) fn render<'a>(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        views: impl Iterator<Item = &'a ViewDraws> + Clone,
    ) {
        let size = target.texture().size();
        let size_px = [size.width, size.height];
        let attachments = match self.attachments.take() {
            Some(attachments) if attachments.size_px == size_px => attachments,
            _ => self.new_attachments(device, size_px),
        };
        let attachments = &*self.attachments.insert(attachments);
        let mut prepared = views.filter_map(|view| Some((view, view.prepared.as_ref()?))).peekable();
        let Some((first, Prepared { depth, .. })) = prepared.peek() else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &attachments.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &attachments.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(far_depth(*depth)),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_bind_group(0, &first.frame_group, &[]);
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..3, 0..1);
        for (view, prepared) in prepared {
            self.render_view(view, prepared, &mut pass);
        }
    }

    fn render_view(&self, view: &ViewDraws, prepared: &Prepared, pass: &mut wgpu::RenderPass<'_>) {
        let PerDepth { lit, ground, .. } = self.pipelines.of(prepared.depth);
        let [x, y, width, height] = prepared.viewport;
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        pass.set_bind_group(0, &view.frame_group, &[]);
        if prepared.extras.shadows {
            pass.set_pipeline(&self.pipelines.shadow);
            self.draw_meshes(&view.draws.0, pass, true);
        }
        pass.set_pipeline(lit);
        self.draw_meshes(&view.draws.0, pass, true);
        if prepared.extras.ground {
            pass.set_pipeline(ground);
            pass.draw(0..4, 0..1);
        }
    }

    /// Writes the nodes that have an id into `draws`.
    ///
    /// `clip_from_world` is the view's, times a crop from the left (`clip_from_clip`) where the
    /// attachments cover only a part of the picture.
    pub(crate) fn prepare_ids(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        clip_from_world: DMat4,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
        draws: &mut IdDraws,
    ) {
        draws.write(device, queue, instances::ids(scene, clip_from_world, id_of));
    }

    /// Draws ids into a pass with [`ID_FORMATS`] and [`DEPTH_FORMAT`], one sample, the depth
    /// cleared to [`far_depth`]. The viewport is the pass' own.
    pub(crate) fn render_ids(&self, draws: &IdDraws, depth: DepthDirection, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipelines.of(depth).ids);
        self.draw_meshes(&draws.0, pass, false);
    }

    /// As [`SceneRenderer::prepare_ids`], for [`SceneRenderer::render_node`].
    pub(crate) fn prepare_nodes(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        clip_from_world: DMat4,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
        draws: &mut NodeDraws,
    ) {
        draws.write(device, queue, instances::ids(scene, clip_from_world, id_of));
    }

    /// Draws one node, if it has an id, into a pass of [`wgpu_gizmo::gpu::RegionThrough`].
    pub(crate) fn render_node(&self, draws: &NodeDraws, node: usize, pass: &mut wgpu::RenderPass<'_>) {
        let (Some((mesh, place)), Some(instances)) = (draws.place_of(node), draws.draws.buffer()) else {
            return;
        };
        let Some(mesh) = self.meshes.get(mesh).filter(|mesh| mesh.index_count > 0) else { return };
        // Beyond what a buffer holds there are none.
        if u64::from(place) * size_of::<instances::IdInstance>() as u64 >= instances.size() {
            return;
        }
        pass.set_pipeline(&self.pipelines.through);
        pass.set_vertex_buffer(0, mesh.positions.slice(..));
        pass.set_vertex_buffer(1, instances.slice(..));
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..mesh.index_count, 0, place..place + 1);
    }

    fn draw_meshes(&self, draws: &Draws, pass: &mut wgpu::RenderPass<'_>, shaded: bool) {
        let Some(instances) = draws.buffer() else {
            return;
        };
        let instance_slot = if shaded { 2 } else { 1 };
        pass.set_vertex_buffer(instance_slot, instances.slice(..));
        for (mesh, range) in draws.groups() {
            let Some(mesh) = self.meshes.get(*mesh).filter(|mesh| mesh.index_count > 0) else {
                continue;
            };
            pass.set_vertex_buffer(0, mesh.positions.slice(..));
            if shaded {
                pass.set_vertex_buffer(1, mesh.surface.slice(..));
            }
            pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..mesh.index_count, 0, range.clone());
        }
    }

    fn new_attachments(&self, device: &wgpu::Device, size_px: [u32; 2]) -> Attachments {
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
        Attachments {
            size_px,
            color: view("viewer color 4x", self.format),
            depth: view("viewer depth 4x", DEPTH_FORMAT),
        }
    }
}
