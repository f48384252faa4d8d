//! The GPU side: the scene, the gizmo over it, and what is under the cursor.

use crate::desk::MainLook;
use crate::device::Gpu;
use crate::editor::Editor;
use crate::marquee::RegionQuery;
use crate::notes::{Notes, Scribe};
use crate::outlines::Outlines;
use crate::picture;
use crate::regions::{Regions, Shown};
use crate::scene::Scene;
use crate::scene_renderer::{IdDraws, Marks, SceneRenderer, ViewDraws};
use crate::vertex;
use crate::view_cube::{CubeDraws, CubeIds, CubeRenderer};
use crate::views::Views;
use std::num::NonZeroU32;
use std::time::Duration;
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, IdTexels, Picker, TargetState};
use wgpu_gizmo::handle::{PickAnswer, PickQuery};
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

/// How long software needs for the largest picture, and then some.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that draws.
#[derive(Debug)]
pub(crate) struct Stage {
    format: wgpu::TextureFormat,
    scene: SceneRenderer,
    views: Vec<ViewStage>,
    picker: Picker,
    pick_list: DrawList,
    pick_draws: IdDraws,
    /// For vertices to snap to: its image has neither handles nor what is dragged.
    vertex_picker: Picker,
    vertex_draws: IdDraws,
    regions: Regions,
    cube: CubeRenderer,
    cube_draws: CubeDraws,
    /// As it was said last.
    main: Option<MainLook>,
    image: Option<([u32; 2], IdImage)>,
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
        let mut renderer = SceneRenderer::new(&gpu.device, format);
        renderer.set_meshes(&gpu.device, scene);
        Ok(Self {
            format,
            scene: renderer,
            views: Vec::new(),
            picker: Picker::new(&gpu.device)?,
            pick_list: DrawList::new(),
            pick_draws: IdDraws::default(),
            vertex_picker: Picker::new(&gpu.device)?,
            vertex_draws: IdDraws::default(),
            regions: Regions::default(),
            cube: CubeRenderer::new(&gpu.device, format),
            cube_draws: CubeDraws::default(),
            main: None,
            image: None,
            scribe: None,
        })
    }

    /// What is particular about the main view from now on.
    pub(crate) fn show_main(&mut self, main: MainLook) {
        self.main = Some(main);
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
        let marks = Marks {
            selected: editor.selection().nodes(),
            hovered: editor.hovered_node(),
            unseen: None,
            on_light: editor.gizmo.theme == Theme::light(),
        };
        for (stage, view) in stages.iter_mut().zip(views.all()) {
            let marks = Marks { unseen: self.main.and_then(|main| main.unseen(view)), ..marks };
            self.scene.prepare(device, queue, editor.scene(), view, marks, &mut stage.scene);
        }
        self.scene.render(device, encoder, target, stages.iter().map(|stage| &stage.scene));
        for (stage, view) in stages.iter_mut().zip(views.all()) {
            {
                let id_of = seen(self.main.as_ref(), view, |node| editor.id_of(node));
                stage.outlines.prepare(gpu, encoder, &self.scene, (&*editor, &id_of), view)?;
            }
            editor.gizmo.draw(stage.list.begin(view));
            stage.gizmo.prepare(device, queue, encoder, &stage.list);
        }
        let cube_paint = (editor.gizmo.theme, editor.hovered_side());
        self.cube.prepare(
            gpu,
            encoder,
            self.main.as_ref().and_then(MainLook::cube_view),
            cube_paint,
            &mut self.cube_draws,
        );
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("gizmo"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        stages.iter().for_each(|stage| stage.outlines.render(&mut pass));
        // Handles lie over the cube: so they do in the ID image.
        self.cube.render(&self.cube_draws, &mut pass);
        stages.iter().for_each(|stage| stage.gizmo.render(&mut pass));
        Ok(())
    }

    /// The texts of the drag in one view, and where their left ends go, half way up.
    pub(crate) fn readouts(&mut self, editor: &mut Editor, view: &View) -> Vec<(String, DVec2)> {
        editor.gizmo.draw(self.pick_list.begin(view));
        self.pick_list.readouts().map(|readout| (readout.text.to_owned(), readout.anchor_px)).collect()
    }

    /// Names of the views, readouts and the like, as they belong to what was drawn last.
    pub(crate) fn notes(&self, editor: &Editor, views: &Views) -> Notes {
        let mut notes = Notes::of_views(views);
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

    /// Encodes the next questions, where there is room: the gizmo's, that for a vertex to snap to,
    /// and what is in a region.
    pub(crate) fn ask(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        editor: &mut Editor,
        view: &View,
        size_px: [u32; 2],
    ) -> Result<(), StageError> {
        if let Some(query) = (!self.regions.is_waiting()).then(|| editor.region_query()).flatten() {
            self.ask_region(gpu, encoder, editor, query, size_px)?;
        }
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, picker, pick_list, pick_draws, vertex_picker, vertex_draws, cube, main, .. } = self;
        if let Some(query) = picker.has_room().then(|| editor.pick_query()).flatten() {
            editor.gizmo.draw(pick_list.begin(&query.view));
            let cube = cube_of(cube, main.as_ref(), &query.view, editor);
            let objects = Objects { gpu, renderer: scene, scene: editor.scene(), view: &query.view, cube };
            let id_of = seen(main.as_ref(), &query.view, |node| editor.id_for(&query, node));
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                objects.draw(pick_draws, id_of, clip_from_clip, pass);
            };
            picker.encode(device, queue, encoder, &query, pick_list, objects)?;
        }
        if let Some(query) = vertex_picker.has_room().then(|| editor.vertex_query(view)).flatten() {
            let objects =
                Objects { gpu, renderer: scene, scene: editor.scene(), view: &query.view, cube: None };
            let id_of = at_rest(editor);
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                objects.draw(vertex_draws, id_of, clip_from_clip, pass);
            };
            vertex_picker.encode(device, queue, encoder, &query, &DrawList::new(), objects)?;
        }
        Ok(())
    }

    fn ask_region(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        editor: &Editor,
        query: RegionQuery,
        target_px: [u32; 2],
    ) -> Result<(), StageError> {
        let shown = Shown { gpu, renderer: &self.scene, scene: editor.scene(), target_px };
        let view = query.view;
        let id_of = seen(self.main.as_ref(), &view, |node| editor.free_id_of(node));
        Ok(self.regions.ask(encoder, query, shown, id_of)?)
    }

    /// Asks what is in a region and waits: for replays.
    pub(crate) fn region(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: RegionQuery,
        size_px: [u32; 2],
    ) -> Result<(), StageError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.ask_region(gpu, &mut encoder, editor, query, size_px)?;
        let submission = gpu.queue.submit([encoder.finish()]);
        let answer = self.regions.read(&gpu.device, submission, PATIENCE, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        Ok(())
    }

    /// Hands the editor all answers that have come.
    pub(crate) fn poll(&mut self, gpu: &Gpu, editor: &mut Editor) -> Result<(), StageError> {
        let answer = self.regions.poll(&gpu.device, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        if self.regions.is_waiting() {
            // A click after it counts on what it has selected.
            return Ok(());
        }
        while let Some(answer) = self.picker.poll(&gpu.device)? {
            editor.answer(&answer);
        }
        while let Some(answer) = self.vertex_picker.poll(&gpu.device)? {
            editor.answer_vertex(&answer);
        }
        Ok(())
    }

    /// Whether an answer is to come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.picker.pending() || self.vertex_picker.pending() || self.regions.is_waiting()
    }

    /// Asks and waits: for replays.
    pub(crate) fn pick(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, picker, pick_list, pick_draws, cube, main, .. } = self;
        editor.gizmo.draw(pick_list.begin(&query.view));
        let cube = cube_of(cube, main.as_ref(), &query.view, editor);
        let objects = Objects { gpu, renderer: scene, scene: editor.scene(), view: &query.view, cube };
        let id_of = seen(main.as_ref(), &query.view, |node| editor.id_for(query, node));
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(pick_draws, id_of, clip_from_clip, pass);
        };
        Ok(picker.pick_blocking(device, queue, query, pick_list, objects, PATIENCE)?)
    }

    /// Asks for a vertex to snap to, and waits: for replays.
    pub(crate) fn pick_at_rest(
        &mut self,
        gpu: &Gpu,
        editor: &Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, vertex_picker, vertex_draws, .. } = self;
        let objects = Objects { gpu, renderer: scene, scene: editor.scene(), view: &query.view, cube: None };
        let id_of = at_rest(editor);
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(vertex_draws, id_of, clip_from_clip, pass);
        };
        Ok(vertex_picker.pick_blocking(device, queue, query, &DrawList::new(), objects, PATIENCE)?)
    }

    /// The ID image of the whole target as one view has it.
    pub(crate) fn id_image(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        view: &View,
        size_px: [u32; 2],
    ) -> Result<IdTexels, StageError> {
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, pick_list, pick_draws, image, cube, main, .. } = self;
        editor.gizmo.draw(pick_list.begin(view));
        let image = match image {
            Some((size, image)) if *size == size_px => image,
            other => &mut other.insert((size_px, IdImage::new(device, size_px[0], size_px[1])?)).1,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let cube = cube_of(cube, main.as_ref(), view, editor);
        let objects = Objects { gpu, renderer: scene, scene: editor.scene(), view, cube };
        let id_of = seen(main.as_ref(), view, |node| editor.free_id_of(node));
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(pick_draws, id_of, clip_from_clip, pass);
        };
        image.encode(device, queue, &mut encoder, view, pick_list, objects)?;
        let submission = queue.submit([encoder.finish()]);
        Ok(image.read(device, submission, PATIENCE)?)
    }

    /// The ID image of the whole target: each view's part of it.
    pub(crate) fn id_images(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        views: &Views,
        size_px: [u32; 2],
    ) -> Result<IdTexels, StageError> {
        let (first, others) = views.all().split_first().unwrap_or((views.current(), &[]));
        let mut whole = self.id_image(gpu, editor, first, size_px)?;
        for view in others {
            // No two views have a texel in common, and what is outside a view is 0 in its image.
            let part = self.id_image(gpu, editor, view, size_px)?;
            whole.ids.iter_mut().zip(part.ids).for_each(|(whole, part)| *whole |= part);
        }
        Ok(whole)
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

/// The ids of what is not being dragged.
fn at_rest(editor: &Editor) -> impl Fn(usize) -> Option<NonZeroU32> {
    let taken = vertex::taken_along(editor.scene(), editor.selection());
    move |node| if taken[node] { None } else { editor.id_of(node) }
}

/// The scene's nodes, as one view has them in its ID image.
struct Objects<'a> {
    gpu: &'a Gpu,
    renderer: &'a SceneRenderer,
    scene: &'a Scene,
    view: &'a View,
    /// Over them, where the view has one.
    cube: Option<CubeIds<'a>>,
}

impl Objects<'_> {
    /// Those that have an id.
    fn draw(
        &self,
        draws: &mut IdDraws,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
        clip_from_clip: DMat4,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Gpu { device, queue, .. } = self.gpu;
        let clip_from_world = clip_from_clip * self.view.clip_from_world();
        self.renderer.prepare_ids(device, queue, self.scene, clip_from_world, id_of, draws);
        self.renderer.render_ids(draws, self.view.depth_direction(), pass);
        if let Some(cube) = &self.cube {
            cube.draw(self.gpu, self.view, clip_from_clip, pass);
        }
    }
}

/// The ids of what a view shows.
fn seen<'a>(
    main: Option<&MainLook>,
    view: &View,
    id_of: impl Fn(usize) -> Option<NonZeroU32> + 'a,
) -> impl Fn(usize) -> Option<NonZeroU32> + 'a {
    let unseen = main.and_then(|main| main.unseen(view));
    move |node| id_of(node).filter(|_| unseen != Some(node))
}

/// The cube of a view, if it is the one that has it.
fn cube_of<'a>(
    renderer: &'a CubeRenderer,
    main: Option<&MainLook>,
    view: &View,
    editor: &Editor,
) -> Option<CubeIds<'a>> {
    main.is_some_and(|main| main.has_cube(view)).then(|| CubeIds { renderer, ids: editor.cube_ids() })
}
