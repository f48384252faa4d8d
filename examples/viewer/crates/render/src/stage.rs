//! Everything that draws and picks on the GPU: the scene, the gizmo over it, and the ID images.

mod depth;
mod pacing;
mod queries;

use crate::device::Gpu;
use crate::error::{Result, StageError};
use crate::layer::Layer;
use crate::outlines::{Outlined, Outlines};
use crate::overlay::{Overlay, OverlayRenderer};
use crate::picture;
use crate::resources::begin_color;
use crate::scene_renderer::{Progress, SceneRenderer, SceneView, ViewDraws};
use crate::uploaded::Uploader;
use depth::DepthLayer;
use pacing::Pacing;
use queries::Queries;
use scene::{Scene, Version};
use session::Session;
use session::editor::Editor;
use session::views::Views;
use std::num::NonZeroU32;
use wgpu::{Color, CommandEncoder, LoadOp, PollType, TextureFormat, TextureView};
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::facade::{Frame, GizmoGpu};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{SceneDepth, TargetState};
use wgpu_gizmo::interaction::Gizmos;
use wgpu_gizmo::{DrawList, View};

/// The GPU resources of the viewer.
#[derive(Debug)]
pub struct Stage {
    gpu: Gpu,
    format: TextureFormat,
    scene: SceneRenderer,
    /// The rendered scene without anything that is drawn over it.
    layer: Layer,
    /// The depth of the scene, for handles that it hides.
    depth: DepthLayer,
    views: Vec<ViewStage>,
    gizmos: GizmoGpu,
    queries: Queries,
    overlay_renderer: Option<OverlayRenderer>,
    pacing: Pacing,
    /// The handles and the view cube to show, one list per view.
    handles: Vec<DrawList>,
    /// The key of the rest of the picture to show.
    current: Option<PictureKey>,
    /// The key of the picture that was drawn last and is still on the GPU, at least the first chunk of it.
    drawn: Option<PictureKey>,
}

/// Everything that a picture depends on, except the handles and the panel: pictures with equal keys are equal. A
/// part of the picture is redrawn only if its part of the key has changed.
#[derive(Debug, Clone, PartialEq)]
struct PictureKey {
    scene: SceneKey,
    outlined: Outlined,
}

/// Everything that the rendered scene depends on.
#[derive(Debug, Clone, PartialEq)]
struct SceneKey {
    size_px: [u32; 2],
    views: Vec<SceneView>,
    /// The version of the scene and the number of changes that were synchronized.
    version: (Version, u64),
}

/// How much of a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// All of it, but the scene in chunks if that would take longer than a second. [`Stage::update`] returns true
    /// when the next one is due, and [`Stage::is_drawing`] until all are drawn. After a change of the scene or of
    /// a view, the drawing starts over.
    Chunk,
    /// The same, without outlines if they would take longer than a second.
    Frame,
}

/// The resources of one view.
#[derive(Debug)]
struct ViewStage {
    scene: ViewDraws,
    outlines: Outlines,
}

impl Stage {
    /// Creates the stage for color attachments of this format.
    pub fn new(gpu: &Gpu, format: TextureFormat, scene: &Scene) -> Result<Self> {
        let mut gizmos = GizmoGpu::new(&gpu.device, format)?;
        // The overlay has them as text.
        gizmos.stroke_readouts = false;
        Ok(Self {
            gpu: gpu.clone(),
            format,
            scene: SceneRenderer::new(gpu, format, scene),
            layer: Layer::new(&gpu.device, format),
            depth: DepthLayer::default(),
            views: Vec::new(),
            gizmos,
            queries: Queries::new(gpu)?,
            overlay_renderer: None,
            pacing: Pacing::new(),
            handles: Vec::new(),
            current: None,
            drawn: None,
        })
    }

    /// Replaces a stage whose device is lost by one on a new device. The session repeats the queries that were
    /// in flight.
    pub fn renew(&mut self, gpu: &Gpu, format: TextureFormat, session: &mut Session) -> Result<()> {
        let stage = Self::new(gpu, format, session.editor.scene())?;
        session.picks_lost();
        session.editor.answer_region(self.queries.regions.query().map(|query| (query.clone(), None)));
        *self = stage;
        Ok(())
    }

    /// Replaces the scene by that of a new session. All pipelines are kept. Answers in flight refer to ids of the
    /// old scene and are dropped when they arrive.
    pub fn load(&mut self, session: &mut Session) {
        self.scene.load(session.editor.scene());
        self.queries.regions.forget();
        self.gizmos.forget(session);
    }

    /// Returns what uploads scenes in other threads, for [`Stage::load`].
    pub fn uploader(&self) -> Uploader {
        self.scene.uploader()
    }

    /// Uploads the changes of the scene.
    fn sync(&mut self, editor: &Editor) {
        self.scene.sync(editor.scene(), |node| editor.id_of(node));
    }

    /// Updates the picture to show in a render target of this size. Returns true if it differs from the last one
    /// drawn, or its next chunk can be drawn.
    pub fn update(&mut self, session: &mut Session, size_px: [u32; 2]) -> bool {
        self.sync(&session.editor);
        let editor = &session.editor;
        self.depth.is_shown = editor.gizmo().settings.display.depth_style != DepthStyle::OnTop;
        let scene_view =
            |view: &View| self.scene.scene_view(view, editor.scene_style(), session.hidden_node(view));
        let scene = SceneKey {
            size_px,
            views: session.views.all().iter().map(scene_view).collect(),
            version: (editor.scene().version(), self.scene.version()),
        };
        let current = PictureKey { scene, outlined: Outlined::of(editor) };
        self.handles.resize_with(current.scene.views.len(), DrawList::new);
        for (list, shown) in self.handles.iter_mut().zip(&current.scene.views) {
            session.draw(list.begin(&shown.view));
        }
        let differs = self.drawn.as_ref() != Some(&current)
            || self.handles.iter().any(|list| !is_prepared(&self.gizmos, list));
        self.current = Some(current);
        differs || (self.is_drawing() && !self.pacing.is_drawing())
    }

    /// Returns true while a part of the picture is not drawn yet.
    pub fn is_drawing(&self) -> bool {
        self.scene.progress.is_pending() || self.depth.progress.is_pending()
    }

    /// Returns the number of nodes that are drawn and the number of all nodes in the views, while a picture is
    /// drawn in chunks.
    pub fn progress(&self) -> Option<[usize; 2]> {
        let views = self.drawn.as_ref().filter(|_| self.is_drawing())?.scene.views.len();
        let nodes: usize = self.views.iter().take(views).map(|stage| stage.scene.runs.len()).sum();
        let [done, total] = self.done_of_total().to_array();
        Some([(nodes as f64 * done / total) as usize, nodes])
    }

    /// Leaves the picture as it is, until the scene or a view changes.
    pub fn cancel_drawing(&mut self) {
        (self.scene.progress, self.depth.progress) = (Progress::NONE, Progress::NONE);
    }

    /// Returns the work that is done, and all of it.
    fn done_of_total(&self) -> DVec2 {
        self.scene.done_of_total() + self.depth.progress.done_of_total()
    }

    /// Draws the picture into all of `target`, which has the size given to [`Stage::update`]. The
    /// commands must be submitted before the next call.
    pub fn draw(&mut self, encoder: &mut CommandEncoder, target: &TextureView, extent: Extent) -> Result<()> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let result = self.prepare(encoder, &current, extent);
        self.drawn = result.is_ok().then(|| current.clone());
        let stages = &self.views[..current.scene.views.len().min(self.views.len())];
        let mut pass = begin_color(encoder, "viewer picture", target, LoadOp::Clear(Color::BLACK));
        self.layer.render(&mut pass);
        stages.iter().for_each(|stage| stage.outlines.render(&mut pass));
        current.scene.views.iter().for_each(|shown| self.gizmos.render(&mut pass, &shown.view));
        drop(pass);
        self.current = Some(current);
        result
    }

    /// Prepares the parts of the picture that have changed.
    fn prepare(&mut self, encoder: &mut CommandEncoder, current: &PictureKey, extent: Extent) -> Result<()> {
        let PictureKey { scene, outlined } = current;
        let drawn = self.drawn.take();
        let is_same_scene = drawn.as_ref().is_some_and(|drawn| drawn.scene == *scene);
        self.grow_to(scene.views.len())?;
        let Gpu { device, queue, .. } = &self.gpu;
        let stages = &mut self.views[..scene.views.len()];
        if !is_same_scene {
            self.scene.prepare_shadows();
            for (stage, view) in stages.iter_mut().zip(&scene.views) {
                self.scene.prepare(view, &mut stage.scene);
            }
            self.scene.start(stages.iter().map(|stage| &stage.scene));
        }
        let draws = || stages.iter().map(|stage| &stage.scene);
        self.depth.update(&self.scene, (scene, is_same_scene), draws());
        let [done, total] = (self.scene.done_of_total() + self.depth.progress.done_of_total()).to_array();
        let mut budget = match extent {
            Extent::Whole => f64::INFINITY,
            Extent::Chunk | Extent::Frame if is_same_scene && self.pacing.is_drawing() => 0.0,
            Extent::Chunk | Extent::Frame => self.pacing.budget(total - done),
        };
        if budget > 0.0 && total > done && extent != Extent::Whole {
            self.pacing.measure(encoder, budget.min(total - done));
        }
        let target = self.layer.target(device, scene.size_px);
        self.scene.render(encoder, target, draws(), &mut budget);
        let depth = self.depth.draw(encoder, &self.scene, (scene, draws()), &mut budget);
        if !is_same_scene || drawn.as_ref().is_none_or(|drawn| drawn.outlined != *outlined) {
            let work: f64 = stages.iter().map(|stage| self.scene.flat_work(&stage.scene.runs)).sum();
            let is_slow = extent == Extent::Frame && self.pacing.budget(work).is_finite();
            let outlined = if is_slow { &Outlined::default() } else { outlined };
            for (stage, SceneView { view, hidden_node, .. }) in stages.iter_mut().zip(&scene.views) {
                stage.outlines.prepare(encoder, &self.scene, outlined, (view, *hidden_node))?;
            }
        }
        for list in &self.handles {
            if is_same_scene && is_prepared(&self.gizmos, list) {
                continue;
            }
            let with_direction = |view: &View| {
                depth.map(|texture| (view.key(), SceneDepth::new(texture, view.depth_direction())))
            };
            let depth = list.view().and_then(with_direction);
            let frame = Frame::new(device, queue, encoder).with_depths(depth.as_slice());
            self.gizmos.prepare_list(frame, list)?;
        }
        Ok(())
    }

    /// Creates the resources for this number of views.
    fn grow_to(&mut self, views: usize) -> Result<()> {
        while self.views.len() < views {
            let target = TargetState { format: self.format, sample_count: 1, depth_stencil: None };
            let outlines = Outlines::new(&self.gpu.device, target)?;
            self.views.push(ViewStage { scene: self.scene.new_view(), outlines });
        }
        Ok(())
    }

    /// Returns the distance of the finest lines of the grid that can be distinguished in the current view, in
    /// world units; `None` without a grid.
    pub fn grid_spacing(&self, views: &Views) -> Option<f64> {
        let view = self.current.as_ref()?.scene.views.get(views.current_index())?;
        view.grid.map(|grid| grid.visible_spacing())
    }

    /// Returns the ids of the handles and of the view cube in the current picture, view by view.
    pub fn handles(&self) -> impl Iterator<Item = NonZeroU32> {
        self.handles.iter().flat_map(|list| list.items().iter().filter_map(|item| item.id))
    }

    /// Returns the readouts of the drag in one view, each with the center of its left edge.
    pub fn readouts(&self, editor: &mut Editor, view: &View) -> Vec<(String, DVec2)> {
        let mut list = DrawList::new();
        editor.draw_gizmo(list.begin(view));
        readouts_of(&list, editor)
    }

    /// Returns the labels of views, readouts and similar texts of the current picture.
    pub fn overlay(&self, editor: &Editor, views: &Views) -> Overlay {
        let mut overlay = Overlay::of_views(views);
        if let Some(current) = &self.current {
            for (scene_view, view) in current.scene.views.iter().zip(views.all()) {
                overlay.add_scale(view, scene_view.grid.map(|grid| grid.label()));
            }
        }
        // Readouts belong to the view under the pointer, where the drag is.
        let current = self.handles.get(views.current_index());
        overlay.readouts = current.map_or(Vec::new(), |list| readouts_of(list, editor));
        overlay.marquee = editor.pointer().drawn();
        overlay.marker = editor.snapped_to().and_then(|vertex| views.current().px_from_world(vertex));
        overlay
    }

    /// Draws the picture and reads it back, as RGBA rows from the top.
    pub fn picture(&mut self, session: &mut Session, size_px: [u32; 2]) -> Result<Vec<u8>> {
        let gpu = &self.gpu.clone();
        picture::check_size(gpu, size_px)?;
        picture::checked(gpu, || self.render_picture(gpu, session, size_px))
    }

    fn render_picture(&mut self, gpu: &Gpu, session: &mut Session, size_px: [u32; 2]) -> Result<Vec<u8>> {
        let texture = picture::texture(gpu, size_px)?;
        let target = texture.create_view(&Default::default());
        let new_encoder = || gpu.device.create_command_encoder(&Default::default());
        let mut encoder = new_encoder();
        self.update(session, size_px);
        self.draw(&mut encoder, &target, Extent::Chunk)?;
        while self.is_drawing() {
            gpu.queue.submit([std::mem::replace(&mut encoder, new_encoder()).finish()]);
            let waited = gpu.device.poll(PollType::wait_indefinitely());
            waited.map_err(|error| StageError::ReadBack(error.to_string()))?;
            self.pacing.poll(&gpu.device);
            self.draw(&mut encoder, &target, Extent::Chunk)?;
        }
        let Session { editor, views, .. } = session;
        let overlay = self.overlay(editor, views);
        let overlay_renderer =
            self.overlay_renderer.get_or_insert_with(|| OverlayRenderer::new(&gpu.device, self.format));
        overlay_renderer.draw(gpu, &mut encoder, &target, &overlay, views.current().scale_factor());
        picture::read_back(gpu, encoder, &texture)
    }
}

/// Returns the readouts of a list, each with the center of its left edge.
fn readouts_of(list: &DrawList, editor: &Editor) -> Vec<(String, DVec2)> {
    list.readouts().map(|readout| (editor.readout(readout.text), readout.anchor_px)).collect()
}

/// Returns true if this list is what was drawn last in its view.
fn is_prepared(gizmos: &GizmoGpu, list: &DrawList) -> bool {
    list.view().and_then(|view| gizmos.list(view)) == Some(list)
}

#[cfg(test)]
mod tests;
