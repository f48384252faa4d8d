//! Draws the scene as ids: selects the nodes of a pass and records their draw calls.

use super::camera::{Camera, CameraBuffer};
use super::instances::Runs;
use super::meshes::Kind;
use super::pipelines::Pair;
use super::portion::{Portion, Shading};
use super::{SceneRenderer, ViewDraws};
use crate::device::Gpu;
use std::num::NonZeroU32;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::math::{DepthDirection, Frustum};
use wgpu_gizmo::scene::{DrawIds, ViewPart};

/// The nodes and the camera of one ID pass. Each pass of a submission needs its own, because only the last of
/// several writes to a buffer before a submission takes effect.
#[derive(Debug, Default)]
pub(crate) struct IdDraws {
    camera: Option<CameraBuffer>,
    pub(crate) runs: Runs,
    /// The slots that are drawn one by one.
    slots: Vec<u32>,
}

/// The nodes that `accepts` accepts, drawn as ids.
#[derive(Debug)]
pub(crate) struct NodeIds<'a, F> {
    pub(crate) renderer: &'a SceneRenderer,
    pub(crate) draws: &'a mut IdDraws,
    pub(crate) accepts: F,
}

impl<F: Fn(usize) -> bool> NodeIds<'_, F> {
    /// Draws the nodes in a frustum of a view.
    pub(crate) fn draw(
        mut self,
        pass: &mut wgpu::RenderPass<'_>,
        (view, frustum): (&View, Frustum),
        clip_from_clip: DMat4,
    ) {
        let Gpu { device, queue, .. } = &self.renderer.gpu;
        self.draw_ids(pass, &ViewPart { device, queue, view, frustum, clip_from_clip });
    }
}

impl<F: Fn(usize) -> bool> DrawIds for NodeIds<'_, F> {
    fn draw_ids(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>) {
        self.renderer.prepare_ids(part, &self.accepts, self.draws);
        self.renderer.render_ids(self.draws, part.view.depth_direction(), pass);
    }

    fn prepare_singly(&mut self, part: &ViewPart<'_>) -> Vec<NonZeroU32> {
        self.renderer.write_camera(part, self.draws);
        self.renderer.instances.find_singly(&part.frustum, &self.accepts, &mut self.draws.slots)
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>, index: u32) {
        let SceneRenderer { instances, buffers, pipelines, .. } = self.renderer;
        let IdDraws { camera: Some(camera), runs, slots } = self.draws else { return };
        instances.take_slot(slots[index as usize], &buffers.meshes, runs);
        self.renderer.draw_flat(&pipelines.through, (camera, runs), &mut Portion::all(), pass);
    }
}

impl SceneRenderer {
    /// Prepares `draws` with the visible nodes for which `accepts` returns true.
    pub(crate) fn prepare_ids(
        &self,
        part: &ViewPart<'_>,
        accepts: impl Fn(usize) -> bool,
        draws: &mut IdDraws,
    ) {
        self.write_camera(part, draws);
        self.find((part.view, &part.frustum), accepts, &mut draws.runs);
    }

    fn write_camera(&self, part: &ViewPart<'_>, draws: &mut IdDraws) {
        let layout = &self.pipelines.camera_layout;
        let camera = draws.camera.get_or_insert_with(|| CameraBuffer::new(part.device, layout));
        let origin_world = self.instances.origin_world;
        camera.write(part.queue, &Camera::of_view(part.view, part.clip_from_clip, origin_world));
    }

    /// Draws ids into a pass with [`object_pass::color_targets`](wgpu_gizmo::gpu::object_pass::color_targets) and [`super::DEPTH_FORMAT`], without multisampling
    /// and with the depth cleared to [`super::far_depth`]. The viewport of the pass is not changed.
    pub(super) fn render_ids(&self, draws: &IdDraws, depth: DepthDirection, pass: &mut wgpu::RenderPass<'_>) {
        let Some(camera) = &draws.camera else { return };
        self.draw_flat(&self.pipelines.of(depth).ids, (camera, &draws.runs), &mut Portion::all(), pass);
    }

    /// Draws a portion of the depths of a prepared view into a pass without color, without multisampling and with the
    /// depth cleared to [`super::far_depth`]. The viewport of the pass is not changed.
    pub(crate) fn render_depth(
        &self,
        draws: &ViewDraws,
        depth: DepthDirection,
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        self.draw_flat(&self.pipelines.of(depth).depth, (&draws.camera, &draws.runs), portion, pass);
    }

    /// Draws a portion of these runs with pipelines that need only the camera.
    pub(super) fn draw_flat(
        &self,
        pair: &Pair,
        (camera, runs): (&CameraBuffer, &Runs),
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        pass.set_bind_group(0, &camera.group, &[]);
        self.draw_runs(pair, runs, portion, pass);
    }

    /// Draws a portion of these runs, except for alpha-blended parts if the pipelines cannot draw them.
    pub(super) fn draw_runs(
        &self,
        pair: &Pair,
        runs: &Runs,
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Some(instances) = &self.instances.buffer else { return };
        let mut drawer = self.buffers.meshes.drawer(pass, instances);
        let mut current = None;
        for (part, run) in runs.parts() {
            let batch = self.buffers.meshes.batch(part);
            if batch.kind == Kind::Blended && !pair.with_blended {
                continue;
            }
            let slots = portion.take(run.slots.clone(), pair.shading.work(run, batch));
            if slots.is_empty() {
                continue;
            }
            let is_cut = run.is_cropped || batch.kind != Kind::Solid;
            let material = (is_cut || pair.shading == Shading::Lit).then_some(batch.material);
            if current.replace((is_cut, material)) != Some((is_cut, material)) {
                drawer.pass.set_pipeline(if is_cut { &pair.cut } else { &pair.solid });
                if let Some(material) = material {
                    drawer.pass.set_bind_group(1, self.buffers.surfaces.group(material), &[]);
                }
            }
            drawer.draw(batch, slots);
        }
    }
}
