//! The GPU side: the scene, the gizmo over it, and what is under the cursor.

mod asking;

use crate::desk::MainLook;
use crate::device::Gpu;
use crate::editor::Editor;
use crate::notes::{Notes, Scribe};
use crate::outlines::Outlines;
use crate::picture;
use crate::scene::Scene;
use crate::scene_renderer::{SceneRenderer, ViewDraws};
use crate::view_cube::{CubeDraws, CubeRenderer};
use crate::views::Views;
use asking::Asking;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, TargetState};
use wgpu_gizmo::{DrawList, View};

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
    views: Vec<ViewStage>,
    asking: Asking,
    cube: CubeRenderer,
    cube_draws: CubeDraws,
    /// As it was said last.
    main: Option<MainLook>,
    scribe: Option<Scribe>,
}

/// What one view of a picture needs for itself.
#[derive(Debug)]
struct ViewStage {
    scene: ViewDraws,
    outlines: Outlines,
    gizmo: GizmoRenderer,
    list: DrawList,
}

impl Stage {
    /// For colour targets of this format.
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Result<Self, StageError> {
        Ok(Self {
            format,
            scene: SceneRenderer::new(&gpu.device, &gpu.queue, format, scene),
            views: Vec::new(),
            asking: Asking::new(gpu)?,
            cube: CubeRenderer::new(&gpu.device, format),
            cube_draws: CubeDraws::default(),
            main: None,
            scribe: None,
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

    /// Draws scene and gizmo into the whole of `target`.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        editor: &mut Editor,
        views: &Views,
    ) -> Result<(), StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        self.scene.prepare_shadows(queue, encoder);
        while self.views.len() < views.all().len() {
            let target = TargetState { format: self.format, sample_count: 1, depth_stencil: None };
            self.views.push(ViewStage {
                scene: self.scene.new_view(device),
                outlines: Outlines::new(device, target)?,
                gizmo: GizmoRenderer::new(device, target)?,
                list: DrawList::new(),
            });
        }
        let stages = &mut self.views[..views.all().len()];
        for (stage, view) in stages.iter_mut().zip(views.all()) {
            let unseen = self.main.and_then(|main| main.unseen(view));
            self.scene.prepare(queue, view, (editor.air(), unseen), &mut stage.scene);
        }
        self.scene.render(device, encoder, target, stages.iter().map(|stage| &stage.scene));
        for (stage, view) in stages.iter_mut().zip(views.all()) {
            let unseen = self.main.and_then(|main| main.unseen(view));
            stage.outlines.prepare(gpu, encoder, &self.scene, (editor, unseen), view)?;
        }
        let cube_paint = (editor.gizmo.theme, editor.hovered_side());
        let cube_view = self.main.as_ref().and_then(MainLook::cube_view);
        self.cube.prepare(gpu, encoder, cube_view, cube_paint, &mut self.cube_draws);
        let mut pass = over(encoder, target);
        stages.iter().for_each(|stage| stage.outlines.render(&mut pass));
        // Handles lie over the cube: so they do in the ID image.
        self.cube.render(&self.cube_draws, &mut pass);
        drop(pass);
        self.draw_gizmo(gpu, encoder, target, editor, views);
        Ok(())
    }

    /// The last part of [`Stage::draw`].
    pub(crate) fn draw_gizmo(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        editor: &mut Editor,
        views: &Views,
    ) {
        for (stage, view) in self.views.iter_mut().zip(views.all()) {
            editor.gizmo.draw(stage.list.begin(view));
            stage.gizmo.prepare(device, queue, encoder, &stage.list);
        }
        let mut pass = over(encoder, target);
        let stages = &self.views[..views.all().len().min(self.views.len())];
        stages.iter().for_each(|stage| stage.gizmo.render(&mut pass));
    }

    /// The ids of the handles that were drawn last, view by view.
    pub(crate) fn handles(&self, views: &Views) -> impl Iterator<Item = NonZeroU32> {
        let stages = self.views.iter().take(views.all().len());
        stages.flat_map(|stage| stage.list.items().iter().filter_map(|item| item.id))
    }

    /// The texts of the drag in one view, and where their left ends go, half way up.
    pub(crate) fn readouts(&self, editor: &mut Editor, view: &View) -> Vec<(String, DVec2)> {
        let mut list = DrawList::new();
        editor.gizmo.draw(list.begin(view));
        list.readouts().map(|readout| (readout.text.to_owned(), readout.anchor_px)).collect()
    }

    /// Names of the views, readouts and the like, as they belong to what was drawn last.
    pub(crate) fn notes(&self, editor: &Editor, views: &Views) -> Notes {
        let mut notes = Notes::of_views(views);
        for (stage, view) in self.views.iter().zip(views.all()) {
            notes.add_scale(view, stage.scene.grid().map(|grid| grid.label()));
        }
        // The drag is in the pointer's view, and so is what it has to say.
        if let Some(stage) = self.views.get(views.place()) {
            for readout in stage.list.readouts() {
                notes.add_readout(readout.text, readout.anchor_px);
            }
        }
        notes.draw(editor.drawn());
        notes.mark(editor.vertex().and_then(|vertex| views.current().px_from_world(vertex)));
        notes
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
        self.draw(gpu, &mut encoder, &target, editor, views)?;
        let notes = self.notes(editor, views);
        let scribe = self.scribe.get_or_insert_with(|| Scribe::new(&gpu.device, self.format));
        scribe.write(gpu, &mut encoder, &target, &notes, views.current().scale_factor());
        picture::read_back(gpu, encoder, &texture)
    }
}

/// A pass over what is there.
fn over<'a>(encoder: &'a mut wgpu::CommandEncoder, target: &wgpu::TextureView) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("gizmo"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

#[cfg(test)]
mod tests;
