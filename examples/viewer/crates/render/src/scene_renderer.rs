//! Draws a scene in color and as ids.
//!
//! The scene stays on the GPU across frames; a frame only uploads the camera and the nodes that have moved.
//! Positions are two floats each, relative to the eye, so that a scene far from the origin does not jitter.
//! Nodes outside of the frustum are culled. Triangles are two-sided, regardless of their material, so
//! mirrored nodes and sheets show both sides.

mod attachments;
mod camera;
mod grid;
mod id_draws;
mod instances;
mod lighting;
mod meshes;
mod pipelines;
mod portion;
mod shadows;
mod surfaces;

#[cfg(test)]
mod tests;

/// Returns the names of the fields of `Self` with their offsets in bytes.
#[cfg(test)]
macro_rules! offsets {
    ($($field:ident)*) => { &[$((stringify!($field), std::mem::offset_of!(Self, $field))),*] };
}
#[cfg(test)]
use offsets;

pub(crate) use grid::Grid;
pub(crate) use id_draws::{IdDraws, NodeIds};
pub(crate) use portion::Progress;

use crate::device::Gpu;
use crate::resources;
use crate::uploaded::{self, Uploader};
use attachments::Attachments;
use camera::{Camera, CameraBuffer};
use instances::{Instances, Runs, Search};
use lighting::Frame;
use meshes::{Kind, Meshes};
use pipelines::Pipelines;
use portion::{Portion, Screen, Shading};
use scene::Scene;
use scene::bounds::Bounds;
use scene::style::SceneStyle;
use shadows::ShadowMap;
use std::num::NonZeroU32;
use surfaces::Surfaces;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::math::{DepthDirection, Frustum};

/// The meshes and materials of a scene on the GPU.
#[derive(Debug)]
pub(crate) struct Buffers {
    meshes: Meshes,
    surfaces: Surfaces,
}

impl Buffers {
    /// Uploads a scene.
    pub(crate) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout, scene: &Scene) -> Self {
        Self { meshes: Meshes::new(gpu, scene), surfaces: Surfaces::new(gpu, layout, &scene.look) }
    }
}

/// Everything that the pixels of a view depend on besides the scene itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SceneView {
    pub(crate) view: View,
    pub(crate) scene_style: SceneStyle,
    /// The node whose camera is looked through. The view hides that node.
    pub(crate) hidden_node: Option<usize>,
    pub(crate) grid: Option<Grid>,
}

/// The scene on the GPU and everything that draws it.
///
/// Holds one scene at a time, whose nodes may move. [`SceneRenderer::load`] replaces the scene and
/// keeps all pipelines. Call [`SceneRenderer::sync`] before anything else in a frame, a pick or an
/// image. For a picture, `prepare` the [`SceneView`] of each view into a [`ViewDraws`], `start` it, and `render`
/// until it is complete.
/// Ids are drawn by [`NodeIds`], with a separate [`IdDraws`] for each pass. Never submits.
#[derive(Debug)]
pub(crate) struct SceneRenderer {
    pub(crate) gpu: Gpu,
    pipelines: Pipelines,
    format: wgpu::TextureFormat,
    buffers: Buffers,
    instances: Instances,
    shadows: ShadowMap,
    attachments: Option<Attachments>,
    /// The bounds of the scene as it was loaded. Moving nodes changes neither the scale of the grid nor whether
    /// there are shadows on the ground.
    loaded_bounds: Option<Bounds>,
    /// The progress of the picture, without its shadows.
    pub(crate) progress: Progress,
}

/// The draws of one view. Each view of a picture needs its own.
#[derive(Debug)]
pub(crate) struct ViewDraws {
    camera: CameraBuffer,
    frame: wgpu::Buffer,
    group: wgpu::BindGroup,
    pub(crate) runs: Runs,
    /// Transparent parts, farthest first.
    blended: Vec<Blended>,
    prepared: Option<SceneView>,
}

/// A transparent part of a node.
#[derive(Debug)]
struct Blended {
    distance: f64,
    part: u32,
    slot: u32,
    work: f64,
}

/// Returns the clear value of the depth attachment: the far end.
pub(crate) fn far_depth(depth: DepthDirection) -> f32 {
    match depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    }
}

/// The format of the depth attachment of both passes.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Returns the frustum of a whole view.
pub(crate) fn frustum_of(view: &View) -> Frustum {
    Frustum::new(view, view.viewport().rect())
}

impl SceneRenderer {
    /// Creates a renderer for color attachments of this format. Needs no features and no more than
    /// `Limits::downlevel_defaults()`.
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Self {
        let pipelines = Pipelines::new(&gpu.device, format);
        Self {
            gpu: gpu.clone(),
            format,
            buffers: Buffers::new(gpu, &pipelines.material_layout, scene),
            instances: Instances::default(),
            shadows: ShadowMap::new(&gpu.device, &pipelines.camera_layout),
            attachments: None,
            loaded_bounds: scene.bounds(),
            progress: Progress::NONE,
            pipelines,
        }
    }

    /// Replaces the scene. Everything that was prepared is stale and must be prepared again.
    pub(crate) fn load(&mut self, scene: &Scene) {
        // Buffers that were uploaded in advance may be older than the last pose.
        self.buffers = uploaded::take(scene, &self.gpu.device)
            .unwrap_or_else(|| Buffers::new(&self.gpu, &self.pipelines.material_layout, scene));
        self.instances = Instances::after(&self.instances);
        self.loaded_bounds = scene.bounds();
        (self.progress, self.shadows.progress) = (Progress::NONE, Progress::NONE);
    }

    /// Returns what uploads scenes in other threads.
    pub(crate) fn uploader(&self) -> Uploader {
        Uploader { gpu: self.gpu.clone(), layout: self.pipelines.material_layout.clone() }
    }

    /// Creates the resources that a view draws with.
    pub(crate) fn new_view(&self) -> ViewDraws {
        let device = &self.gpu.device;
        let camera = CameraBuffer::new(device, &self.pipelines.camera_layout);
        let usage = wgpu::BufferUsages::UNIFORM;
        let frame = resources::buffer(device, "viewer frame", size_of::<Frame>(), usage);
        let resources = [
            camera.buffer.as_entire_binding(),
            frame.as_entire_binding(),
            wgpu::BindingResource::TextureView(&self.shadows.view),
            wgpu::BindingResource::Sampler(&self.shadows.sampler),
        ];
        let group = resources::bind_group(device, "viewer frame", &self.pipelines.frame_layout, resources);
        ViewDraws { camera, frame, group, runs: Runs::default(), blended: Vec::new(), prepared: None }
    }

    /// Uploads the nodes that have moved, appeared or disappeared since the last call. `id_of` returns the ids of
    /// nodes; those without one are neither shown nor picked.
    pub(crate) fn sync(&mut self, scene: &Scene, id_of: impl Fn(usize) -> Option<NonZeroU32>) {
        self.buffers.meshes.sync(&self.gpu, scene);
        self.instances.sync(&self.gpu, scene, id_of);
    }

    /// Returns a number that increases whenever [`SceneRenderer::sync`] finds a change.
    pub(crate) fn version(&self) -> u64 {
        self.instances.version
    }

    /// Returns the description of a view, based on the last sync.
    pub(crate) fn scene_view(
        &self,
        view: &View,
        scene_style: SceneStyle,
        hidden_node: Option<usize>,
    ) -> SceneView {
        let grid = if scene_style.without_grid { None } else { Grid::new(view, self.loaded_bounds) };
        SceneView { view: *view, scene_style, hidden_node, grid }
    }

    /// Prepares the shadow map, which all views of a frame share. Must come before `prepare`.
    pub(crate) fn prepare_shadows(&mut self) {
        self.shadows.prepare(&self.gpu.queue, &self.instances, &self.buffers.meshes);
    }

    /// Prepares what `render` draws in one view.
    pub(crate) fn prepare(&self, shown: &SceneView, draws: &mut ViewDraws) {
        let SceneView { view, scene_style, hidden_node, grid } = shown;
        // Shadows belong on the ground if nothing extends far below it.
        let stands = |bounds: Bounds| bounds.min.y > -0.02 * (bounds.max.y - bounds.min.y);
        let lamp = (self.shadows.lamp(), self.loaded_bounds.is_some_and(stands));
        let frame = lighting::frame(view, lamp, grid.as_ref(), *scene_style, self.format.is_srgb());
        let camera = Camera::of_view(view, DMat4::IDENTITY, self.instances.origin_world);
        draws.camera.write(&self.gpu.queue, &camera);
        self.gpu.queue.write_buffer(&draws.frame, 0, bytemuck::bytes_of(&frame));
        self.find((view, &frustum_of(view)), |node| *hidden_node != Some(node), &mut draws.runs);
        draws.blended.clear();
        for (part, run) in draws.runs.parts() {
            let batch = self.buffers.meshes.batch(part);
            if batch.kind != Kind::Blended {
                continue;
            }
            let work = Shading::Lit.work(run, batch);
            draws.blended.extend(run.slots.clone().map(|slot| {
                let from_anchor = self.instances.center(slot) - camera::anchor(view);
                Blended { distance: from_anchor.dot(view.forward()), part, slot, work }
            }));
        }
        draws.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        draws.prepared = Some(*shown);
    }

    /// Finds the shown nodes in a frustum of a view that `accepts` accepts.
    fn find(&self, (view, frustum): (&View, &Frustum), accepts: impl Fn(usize) -> bool, found: &mut Runs) {
        let (meshes, screen) = (&self.buffers.meshes, Screen::of_view(view));
        let search = Search { meshes, forward: view.forward(), frustum: Some(frustum), screen };
        self.instances.find(search, accepts, found);
    }

    /// Starts a picture of the prepared views.
    pub(crate) fn start<'a>(&mut self, views: impl Iterator<Item = &'a ViewDraws>) {
        let work = views.map(|draws| draws.runs.work(&self.buffers.meshes, Shading::Lit)).sum();
        self.progress = Progress::start(work);
    }

    /// Returns the work of drawing nodes without shading.
    pub(crate) fn flat_work(&self, runs: &Runs) -> f64 {
        runs.work(&self.buffers.meshes, Shading::Flat)
    }

    /// Returns the work of the picture and its shadows that is done, and all of it.
    pub(crate) fn done_of_total(&self) -> DVec2 {
        self.progress.done_of_total() + self.shadows.progress.done_of_total()
    }

    /// Renders as much of the started picture as the budget allows into all of `target`, shadows first. The depth
    /// directions of the views must be equal. Later passes may draw over the result.
    pub(crate) fn render<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        views: impl Iterator<Item = &'a ViewDraws> + Clone,
        budget: &mut f64,
    ) {
        if let Some(mut portion) = self.shadows.progress.next(budget) {
            let map = &self.shadows.view;
            let mut pass = resources::begin_depth(encoder, "viewer shadows", map, portion.load(1.0));
            let ShadowMap { camera, runs, .. } = &self.shadows;
            self.draw_flat(&self.pipelines.shadow, (camera, runs), &mut portion, &mut pass);
        }
        let Some(mut portion) = self.progress.next(budget) else { return };
        let size_px = resources::size_px(target);
        let fitting = self.attachments.take().filter(|it| resources::size_px(&it.color) == size_px);
        let attachments = fitting.unwrap_or_else(|| Attachments::new(&self.gpu.device, self.format, size_px));
        let attachments = &*self.attachments.insert(attachments);
        let mut prepared = views.filter_map(|view| Some((view, view.prepared.as_ref()?))).peekable();
        let Some((first, SceneView { view, .. })) = prepared.peek() else { return };
        let mut pass = attachments.begin(encoder, target, view.depth_direction(), &portion);
        if portion.is_first() {
            // The background also covers the parts of the render target outside of the views.
            pass.set_bind_group(0, &first.group, &[]);
            pass.set_bind_group(1, self.buffers.surfaces.group(0), &[]);
            pass.set_pipeline(&self.pipelines.background);
            pass.draw(0..3, 0..1);
        }
        for (view, prepared) in prepared {
            self.render_view((view, prepared), &mut portion, &mut pass);
        }
    }

    fn render_view(
        &self,
        (draws, prepared): (&ViewDraws, &SceneView),
        portion: &mut Portion,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let SceneView { view, grid, .. } = prepared;
        let per_depth = self.pipelines.of(view.depth_direction());
        let v = view.viewport();
        pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
        pass.set_bind_group(0, &draws.group, &[]);
        if portion.is_here() {
            pass.set_bind_group(1, self.buffers.surfaces.group(0), &[]);
            pass.set_pipeline(&self.pipelines.background);
            pass.draw(0..3, 0..1);
            if grid.is_some_and(|grid| grid.is_behind) {
                pass.set_pipeline(&self.pipelines.backdrop);
                pass.draw(0..4, 0..1);
            }
        }
        self.draw_runs(&per_depth.lit, &draws.runs, portion, pass);
        if portion.is_here() && grid.is_some_and(|grid| !grid.is_behind) {
            pass.set_pipeline(&per_depth.ground);
            pass.set_bind_group(1, self.buffers.surfaces.group(0), &[]);
            pass.draw(0..4, 0..1);
        }
        let Some(buffer) = &self.instances.buffer else { return };
        pass.set_pipeline(&per_depth.blend);
        let mut drawer = self.buffers.meshes.drawer(pass, buffer);
        for Blended { part, slot, work, .. } in &draws.blended {
            let slots = portion.take(*slot..*slot + 1, *work);
            if !slots.is_empty() {
                let batch = self.buffers.meshes.batch(*part);
                drawer.pass.set_bind_group(1, self.buffers.surfaces.group(batch.material), &[]);
                drawer.draw(batch, slots);
            }
        }
    }
}
