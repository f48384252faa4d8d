//! Draws the scene as ids: selects the nodes of a pass and records their draw calls.

use super::SceneRenderer;
use super::camera::{Camera, CameraBuffer};
use super::instances::{Runs, Search};
use super::meshes::Kind;
use super::pipelines::Pair;
use super::portion::{Portion, Screen, Shading};
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::math::{DepthDirection, Frustum};

/// The nodes and the camera of one ID pass. Each pass of a submission needs its own, because only the last of
/// several writes to a buffer before a submission takes effect.
#[derive(Debug, Default)]
pub(crate) struct IdDraws {
    camera: Option<CameraBuffer>,
    runs: Runs,
}

impl IdDraws {
    /// Returns the number of nodes that are drawn.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }
}

/// The view of an ID pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdView<'a> {
    pub(crate) view: &'a View,
    /// A crop, for attachments that cover only a part of the view.
    pub(crate) clip_from_clip: DMat4,
    /// Nodes outside this frustum are culled.
    pub(crate) frustum: Option<&'a Frustum>,
}

impl SceneRenderer {
    /// Prepares `draws` with the visible nodes for which `accepts` returns true.
    pub(crate) fn prepare_ids(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        of: IdView<'_>,
        accepts: impl Fn(usize) -> bool,
        draws: &mut IdDraws,
    ) {
        self.write_camera(device, queue, of, draws);
        let search = Search {
            meshes: &self.buffers.meshes,
            forward: of.view.forward(),
            frustum: of.frustum,
            screen: Screen::of_view(of.view),
        };
        self.instances.find(search, accepts, &mut draws.runs);
    }

    fn write_camera(&self, device: &wgpu::Device, queue: &wgpu::Queue, of: IdView<'_>, draws: &mut IdDraws) {
        let layout = &self.pipelines.camera_layout;
        let camera = draws.camera.get_or_insert_with(|| CameraBuffer::new(device, layout));
        let origin_world = self.instances.origin_world();
        camera.write(queue, &Camera::of_view(of.view, of.clip_from_clip, origin_world));
    }

    /// Draws ids into a pass with [`Picker::color_targets`](wgpu_gizmo::gpu::Picker::color_targets) and [`super::DEPTH_FORMAT`], without multisampling
    /// and with the depth cleared to [`super::far_depth`]. The viewport of the pass is not changed.
    pub(crate) fn render_ids(&self, draws: &IdDraws, depth: DepthDirection, pass: &mut wgpu::RenderPass<'_>) {
        let Some(camera) = &draws.camera else { return };
        let pair = &self.pipelines.of(depth).ids;
        self.draw_flat(pair, (&camera.group, &draws.runs), &mut Portion::all(), pass);
    }

    /// Returns the work of [`SceneRenderer::render_depth`].
    pub(crate) fn depth_work(&self, draws: &IdDraws) -> f64 {
        draws.runs.work(&self.buffers.meshes, Shading::Flat)
    }

    /// Draws a portion of the depths into a pass without color, without multisampling and with the depth cleared to
    /// [`super::far_depth`]. The viewport of the pass is not changed.
    pub(crate) fn render_depth(
        &self,
        draws: &IdDraws,
        depth: DepthDirection,
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Some(camera) = &draws.camera else { return };
        let pair = &self.pipelines.of(depth).depth;
        self.draw_flat(pair, (&camera.group, &draws.runs), portion, pass);
    }

    /// Prepares `draws` for [`SceneRenderer::render_node`].
    pub(crate) fn prepare_nodes(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (view, clip_from_clip): (&View, DMat4),
        draws: &mut IdDraws,
    ) {
        self.write_camera(device, queue, IdView { view, clip_from_clip, frustum: None }, draws);
    }

    /// Draws one node, unless it is hidden, into a pass of [`wgpu_gizmo::scene::XrayRegion`].
    pub(crate) fn render_node(&self, draws: &mut IdDraws, node: usize, pass: &mut wgpu::RenderPass<'_>) {
        self.instances.find_node(node, &self.buffers.meshes, &mut draws.runs);
        let Some(camera) = &draws.camera else { return };
        let drawn = (&camera.group, &draws.runs);
        self.draw_flat(&self.pipelines.through, drawn, &mut Portion::all(), pass);
    }

    /// Draws a portion of these runs with pipelines that write no color.
    pub(super) fn draw_flat(
        &self,
        pair: &Pair,
        (camera, runs): (&wgpu::BindGroup, &Runs),
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Some(instances) = self.instances.buffer() else { return };
        pass.set_bind_group(0, camera, &[]);
        let mut drawer = self.buffers.meshes.drawer(pass, instances);
        let mut current = None;
        for run in runs.parts() {
            let batch = self.buffers.meshes.batch(run.part);
            let slots = portion.take(run.slots.clone(), Shading::Flat.work(&run, batch));
            if slots.is_empty() {
                continue;
            }
            let material = match batch.kind {
                Kind::Solid if run.is_cropped => Some(batch.material),
                Kind::Solid => None,
                Kind::Blended if !pair.with_blended => continue,
                Kind::Cut | Kind::Blended => Some(batch.material),
            };
            if current.replace(material) != Some(material) {
                drawer.pass.set_pipeline(if material.is_some() { &pair.cut } else { &pair.solid });
                if let Some(material) = material {
                    drawer.pass.set_bind_group(1, self.buffers.surfaces.group(material), &[]);
                }
            }
            drawer.draw(batch, slots);
        }
    }
}
