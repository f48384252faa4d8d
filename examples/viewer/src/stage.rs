//! The GPU side: the scene, the gizmo over it, and what is under the cursor.

mod asking;

use crate::device::Gpu;
use crate::editor::Editor;
use crate::layer::Layer;
use crate::outlines::{Outlined, Outlines};
use crate::overlay::{Overlay, OverlayRenderer};
use crate::picture;
use crate::scene::{Scene, Version};
use crate::scene_renderer::{SceneRenderer, SceneView, ViewDraws};
use crate::session::MainLook;
use crate::view_cube::{CubeDraws, CubeRenderer, Side};
use crate::views::Views;
use asking::Asking;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, TargetState};
use wgpu_gizmo::{DrawList, Theme, View};

/// What the GPU refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StageError {
    /// Of the gizmo's parts.
    #[error(transparent)]
    Gizmo(#[from] GpuError),
    /// The picture could not be read back.
    #[error("the picture cannot be read back: {0}")]
    ReadBack(String),
    /// The picture does not fit the device.
    #[error("a picture of {0} x {1} pixels is larger than this device can make")]
    TooLarge(u32, u32),
}

/// Everything that draws.
#[derive(Debug)]
pub(crate) struct Stage {
    format: wgpu::TextureFormat,
    scene: SceneRenderer,
    /// The scene as it was rendered last, without all that lies over it.
    layer: Layer,
    views: Vec<ViewStage>,
    asking: Asking,
    cube: CubeRenderer,
    cube_draws: CubeDraws,
    /// As it was said last.
    main: Option<MainLook>,
    scribe: Option<OverlayRenderer>,
    /// What is to be seen.
    current: Option<PictureKey>,
    /// What was drawn last, and is still on the GPU.
    drawn: Option<PictureKey>,
}

/// Everything that a picture depends on, up to the panel: pictures with equal keys are equal.
/// A part of a picture is drawn anew only if its part of the key is another one.
#[derive(Debug, Clone, PartialEq)]
struct PictureKey {
    scene: SceneKey,
    outlined: Outlined,
    cube: CubeKey,
    /// The handles of each view.
    handles: Vec<DrawList>,
}

/// What the rendered scene depends on.
#[derive(Debug, Clone, PartialEq)]
struct SceneKey {
    size_px: [u32; 2],
    views: Vec<SceneView>,
    /// Which scene it is, and how often it was found changed.
    version: (Version, u64),
}

/// What the view cube depends on.
#[derive(Debug, Clone, PartialEq)]
struct CubeKey {
    view: Option<View>,
    theme: Theme,
    hovered: Option<Side>,
}

/// What one view of a picture needs for itself.
#[derive(Debug)]
struct ViewStage {
    scene: ViewDraws,
    outlines: Outlines,
    gizmo: GizmoRenderer,
}

impl Stage {
    /// For color targets of this format.
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Result<Self, StageError> {
        Ok(Self {
            format,
            scene: SceneRenderer::new(&gpu.device, &gpu.queue, format, scene),
            layer: Layer::new(&gpu.device, format),
            views: Vec::new(),
            asking: Asking::new(gpu)?,
            cube: CubeRenderer::new(&gpu.device, format),
            cube_draws: CubeDraws::default(),
            main: None,
            scribe: None,
            current: None,
            drawn: None,
        })
    }

    /// Shows another scene. All pipelines stay. Answers that are on their way are about ids of the old
    /// scene: they are dropped when they come.
    pub(crate) fn load(&mut self, gpu: &Gpu, scene: &Scene) {
        self.scene.load(&gpu.device, &gpu.queue, scene);
        self.asking.forget();
        self.main = None;
    }

    /// What is particular about the main view from now on.
    pub(crate) fn show_main(&mut self, main: MainLook) {
        self.main = Some(main);
    }

    /// Takes in what the editor has changed of the scene.
    fn sync(&mut self, Gpu { device, queue, .. }: &Gpu, editor: &Editor) {
        let id_of = |node| editor.id_of(node).filter(|_| editor.scene().is_shown(node));
        self.scene.sync(device, queue, editor.scene(), id_of);
    }

    /// Takes in what is to be seen from now on, in a target of this size. Returns whether that differs
    /// from what was drawn last.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        views: &Views,
        size_px: [u32; 2],
    ) -> bool {
        self.sync(gpu, editor);
        let scene_view = |view: &View| {
            let unseen = self.main.and_then(|main| main.unseen(view));
            self.scene.scene_view(view, editor.scene_style(), unseen)
        };
        let scene = SceneKey {
            size_px,
            views: views.all().iter().map(scene_view).collect(),
            version: (editor.scene().version(), self.scene.version()),
        };
        let cube = CubeKey {
            view: self.main.as_ref().and_then(MainLook::cube_view).copied(),
            theme: editor.gizmo.theme,
            hovered: editor.hovered_side(),
        };
        // The lists of before are kept for what they have allocated.
        let mut handles = self.current.take().map_or_else(Vec::new, |before| before.handles);
        handles.resize_with(views.all().len(), DrawList::new);
        handles.iter_mut().zip(views.all()).for_each(|(list, view)| editor.gizmo.draw(list.begin(view)));
        let current = PictureKey { scene, outlined: Outlined::of(editor), cube, handles };
        let differs = self.drawn.as_ref() != Some(&current);
        self.current = Some(current);
        differs
    }

    /// Draws what is to be seen into the whole of `target`, which has the size that
    /// [`Stage::update`] was told. The commands are to be submitted before the next call.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
    ) -> Result<(), StageError> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let result = self.prepare(gpu, encoder, &current);
        self.drawn = result.is_ok().then(|| current.clone());
        let stages = &self.views[..current.scene.views.len().min(self.views.len())];
        self.current = Some(current);
        let mut pass = begin(encoder, target, wgpu::LoadOp::Clear(wgpu::Color::BLACK));
        self.layer.render(&mut pass);
        stages.iter().for_each(|stage| stage.outlines.render(&mut pass));
        // Handles lie over the cube: so they do in the ID image.
        self.cube.render(&self.cube_draws, &mut pass);
        stages.iter().for_each(|stage| stage.gizmo.render(&mut pass));
        result
    }

    /// Draws the parts of a picture that are other than they were drawn last.
    fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        current: &PictureKey,
    ) -> Result<(), StageError> {
        let Gpu { device, queue, .. } = gpu;
        let PictureKey { scene, outlined, cube, handles } = current;
        let drawn = self.drawn.take();
        let is_same_scene = drawn.as_ref().is_some_and(|drawn| drawn.scene == *scene);
        self.make_room(gpu, scene.views.len())?;
        let stages = &mut self.views[..scene.views.len()];
        if !is_same_scene {
            self.scene.prepare_shadows(queue, encoder);
            for (stage, view) in stages.iter_mut().zip(&scene.views) {
                self.scene.prepare(queue, view, &mut stage.scene);
            }
            let target = self.layer.target(device, scene.size_px);
            self.scene.render(device, encoder, target, stages.iter().map(|stage| &stage.scene));
        }
        if !is_same_scene || drawn.as_ref().is_none_or(|drawn| drawn.outlined != *outlined) {
            for (stage, SceneView { view, unseen, .. }) in stages.iter_mut().zip(&scene.views) {
                stage.outlines.prepare(gpu, encoder, &self.scene, outlined, (view, *unseen))?;
            }
        }
        if drawn.as_ref().is_none_or(|drawn| drawn.cube != *cube) {
            let paint = (cube.theme, cube.hovered);
            self.cube.prepare(gpu, encoder, cube.view.as_ref(), paint, &mut self.cube_draws);
        }
        for (place, (stage, list)) in stages.iter_mut().zip(handles).enumerate() {
            if drawn.as_ref().is_none_or(|drawn| drawn.handles.get(place) != Some(list)) {
                stage.gizmo.prepare(device, queue, encoder, list)?;
            }
        }
        Ok(())
    }

    /// Makes what so many views need.
    fn make_room(&mut self, Gpu { device, .. }: &Gpu, views: usize) -> Result<(), StageError> {
        while self.views.len() < views {
            let target = TargetState { format: self.format, sample_count: 1, depth_stencil: None };
            self.views.push(ViewStage {
                scene: self.scene.new_view(device),
                outlines: Outlines::new(device, target)?,
                gizmo: GizmoRenderer::new(device, target)?,
            });
        }
        Ok(())
    }

    /// Draws the handles of one view alone over `target`, whether they have changed or not: for
    /// figures.
    pub(crate) fn draw_gizmo(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        editor: &mut Editor,
        view: &View,
    ) -> Result<(), StageError> {
        let mut list = DrawList::new();
        editor.gizmo.draw(list.begin(view));
        let Some(stage) = self.views.first_mut() else { return Ok(()) };
        stage.gizmo.prepare(device, queue, encoder, &list)?;
        self.drawn = None;
        stage.gizmo.render(&mut begin(encoder, target, wgpu::LoadOp::Load));
        Ok(())
    }

    /// The ids of the handles that were drawn last, view by view.
    pub(crate) fn handles(&self) -> impl Iterator<Item = NonZeroU32> {
        let lists = self.current.iter().flat_map(|current| &current.handles);
        lists.flat_map(|list| list.items().iter().filter_map(|item| item.id))
    }

    /// The texts of the drag in one view, and where their left ends go, half way up.
    pub(crate) fn readouts(&self, editor: &mut Editor, view: &View) -> Vec<(String, DVec2)> {
        let mut list = DrawList::new();
        editor.gizmo.draw(list.begin(view));
        list.readouts().map(|readout| (readout.text.to_owned(), readout.anchor_px)).collect()
    }

    /// Names of the views, readouts and the like, as they belong to what is to be seen.
    pub(crate) fn overlay(&self, editor: &Editor, views: &Views) -> Overlay {
        let mut overlay = Overlay::of_views(views);
        if let Some(current) = &self.current {
            for (scene_view, view) in current.scene.views.iter().zip(views.all()) {
                overlay.add_scale(view, scene_view.grid.map(|grid| grid.label()));
            }
            // The drag is in the pointer's view, and so is what it has to say.
            for readout in current.handles.get(views.place()).iter().flat_map(|list| list.readouts()) {
                overlay.add_readout(readout.text, readout.anchor_px);
            }
        }
        overlay.draw(editor.drawn());
        overlay.mark(editor.vertex().and_then(|vertex| views.current().px_from_world(vertex)));
        overlay
    }

    /// What the user sees, as RGBA rows from the top.
    pub(crate) fn picture(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        views: &Views,
        size_px: [u32; 2],
    ) -> Result<Vec<u8>, StageError> {
        let texture = picture::texture(gpu, size_px)?;
        let target = texture.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.update(gpu, editor, views, size_px);
        self.draw(gpu, &mut encoder, &target)?;
        let overlay = self.overlay(editor, views);
        let scribe = self.scribe.get_or_insert_with(|| OverlayRenderer::new(&gpu.device, self.format));
        scribe.write(gpu, &mut encoder, &target, &overlay, views.current().scale_factor());
        picture::read_back(gpu, encoder, &texture)
    }
}

/// A pass over the whole of a target.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("viewer picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

#[cfg(test)]
mod tests;
