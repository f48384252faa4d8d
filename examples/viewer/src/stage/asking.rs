//! Questions to ID images: what is under the cursor, what is in a region.

use super::{Stage, StageError};
use crate::device::Gpu;
use crate::editor::Editor;
use crate::marquee::MarqueeQuery;
use crate::regions::{Regions, Shown};
use crate::scene_renderer::{IdDraws, IdView, SceneRenderer, frustum_of};
use crate::session::MainLook;
use crate::vertex;
use crate::view_cube::{CubeIds, CubeRenderer};
use crate::views::Views;
use std::time::Duration;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels, Picker};
use wgpu_gizmo::math::Frustum;
use wgpu_gizmo::pick::{PickAnswer, PickQuery};
use wgpu_gizmo::{DrawList, View};

/// How long software needs for the largest picture, and then some.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is needed to ask.
#[derive(Debug)]
pub(super) struct Asking {
    picker: Picker,
    pick_list: DrawList,
    pick_draws: IdDraws,
    /// For vertices to snap to: its image has neither handles nor what is dragged.
    vertex_picker: Picker,
    vertex_draws: IdDraws,
    regions: Regions,
    image: Option<([u32; 2], IdImage)>,
    /// Number of the last question.
    asked: u64,
    /// Questions up to this number are about a scene that is gone.
    forgotten: u64,
}

impl Asking {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            picker: Picker::new(&gpu.device)?,
            pick_list: DrawList::new(),
            pick_draws: IdDraws::default(),
            vertex_picker: Picker::new(&gpu.device)?,
            vertex_draws: IdDraws::default(),
            regions: Regions::default(),
            image: None,
            asked: 0,
            forgotten: 0,
        })
    }

    /// Drops the answers to all questions so far, when they come.
    pub(super) fn forget(&mut self) {
        self.forgotten = self.asked;
        self.regions.forget();
    }
}

impl Stage {
    /// Asks the next questions, where there is room: the gizmo's, that for a vertex to snap to, and
    /// what is in a region.
    pub(crate) fn ask(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        view: &View,
        size_px: [u32; 2],
    ) -> Result<(), StageError> {
        self.sync(gpu, editor);
        let Gpu { device, queue, .. } = gpu;
        let mut encoder = None;
        let new_encoder = || device.create_command_encoder(&Default::default());
        if let Some(query) = (!self.asking.regions.is_waiting()).then(|| editor.region_query()).flatten() {
            self.ask_region(gpu, encoder.get_or_insert_with(new_encoder), editor, query, size_px)?;
        }
        let Self { scene, asking, cube, main, .. } = self;
        let Asking { picker, pick_list, pick_draws, vertex_picker, vertex_draws, asked, .. } = asking;
        if let Some(query) = picker.has_room().then(|| editor.pick_query()).flatten() {
            *asked = query.sequence;
            editor.gizmo.draw(pick_list.begin(&query.view));
            let frustum = query.frustum();
            let cube = cube_of(cube, *main, &query.view, editor);
            let objects = Objects { gpu, renderer: scene, view: &query.view, frustum: Some(&frustum), cube };
            let takes = seen(*main, &query.view, |node| editor.id_for(&query, node).is_some());
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                objects.draw(pick_draws, takes, clip_from_clip, pass);
            };
            let encoder = encoder.get_or_insert_with(new_encoder);
            picker.encode(device, queue, encoder, &query, pick_list, objects)?;
        }
        if let Some(query) = vertex_picker.has_room().then(|| editor.vertex_query(view)).flatten() {
            *asked = query.sequence;
            let frustum = query.frustum();
            let objects =
                Objects { gpu, renderer: scene, view: &query.view, frustum: Some(&frustum), cube: None };
            let takes = at_rest(editor);
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                objects.draw(vertex_draws, takes, clip_from_clip, pass);
            };
            let encoder = encoder.get_or_insert_with(new_encoder);
            vertex_picker.encode(device, queue, encoder, &query, &DrawList::new(), objects)?;
        }
        if let Some(encoder) = encoder {
            queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    fn ask_region(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        editor: &Editor,
        query: MarqueeQuery,
        target_px: [u32; 2],
    ) -> Result<(), StageError> {
        let shown = Shown { gpu, renderer: &self.scene, scene: editor.scene(), target_px };
        let view = query.view;
        let takes = seen(self.main, &view, |node| editor.free_id_of(node).is_some());
        Ok(self.asking.regions.ask(encoder, query, shown, takes)?)
    }

    /// Asks what is in a region and waits: for replays.
    pub(crate) fn region(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: MarqueeQuery,
        size_px: [u32; 2],
    ) -> Result<(), StageError> {
        self.sync(gpu, editor);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.ask_region(gpu, &mut encoder, editor, query, size_px)?;
        let submission = gpu.queue.submit([encoder.finish()]);
        let answer = self.asking.regions.read(&gpu.device, submission, PATIENCE, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        Ok(())
    }

    /// Hands the editor all answers that have come.
    pub(crate) fn poll(&mut self, gpu: &Gpu, editor: &mut Editor) -> Result<(), StageError> {
        let answer = self.asking.regions.poll(&gpu.device, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        if self.asking.regions.is_waiting() {
            // A click after it counts on what it has selected.
            return Ok(());
        }
        let Asking { picker, vertex_picker, forgotten, .. } = &mut self.asking;
        let counts = |answer: &PickAnswer| answer.query.sequence > *forgotten;
        while let Some(answer) = picker.poll(&gpu.device)? {
            if counts(&answer) {
                editor.answer(&answer);
            }
        }
        while let Some(answer) = vertex_picker.poll(&gpu.device)? {
            if counts(&answer) {
                editor.answer_vertex(&answer);
            }
        }
        Ok(())
    }

    /// Whether an answer is to come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.asking.picker.pending()
            || self.asking.vertex_picker.pending()
            || self.asking.regions.is_waiting()
    }

    /// Asks and waits: for replays.
    pub(crate) fn pick(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        let Self { scene, asking: Asking { picker, pick_list, pick_draws, .. }, cube, main, .. } = self;
        editor.gizmo.draw(pick_list.begin(&query.view));
        let frustum = query.frustum();
        let cube = cube_of(cube, *main, &query.view, editor);
        let objects = Objects { gpu, renderer: scene, view: &query.view, frustum: Some(&frustum), cube };
        let takes = seen(*main, &query.view, |node| editor.id_for(query, node).is_some());
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(pick_draws, takes, clip_from_clip, pass);
        };
        Ok(picker.pick_blocking(device, queue, query, pick_list, objects, PATIENCE)?)
    }

    /// How many nodes were drawn for the last question about the pointer.
    pub(crate) fn drawn_for_a_pick(&self) -> usize {
        self.asking.pick_draws.len()
    }

    /// Asks for a vertex to snap to, and waits: for replays.
    pub(crate) fn pick_at_rest(
        &mut self,
        gpu: &Gpu,
        editor: &Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        let Self { scene, asking: Asking { vertex_picker, vertex_draws, .. }, .. } = self;
        let frustum = query.frustum();
        let objects =
            Objects { gpu, renderer: scene, view: &query.view, frustum: Some(&frustum), cube: None };
        let takes = at_rest(editor);
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(vertex_draws, takes, clip_from_clip, pass);
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
        self.sync(gpu, editor);
        let Self { scene, asking: Asking { pick_list, pick_draws, image, .. }, cube, main, .. } = self;
        editor.gizmo.draw(pick_list.begin(view));
        let image = match image {
            Some((size, image)) if *size == size_px => image,
            other => &mut other.insert((size_px, IdImage::new(device, size_px[0], size_px[1])?)).1,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let frustum = frustum_of(view);
        let cube = cube_of(cube, *main, view, editor);
        let objects = Objects { gpu, renderer: scene, view, frustum: Some(&frustum), cube };
        let takes = seen(*main, view, |node| editor.free_id_of(node).is_some());
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            objects.draw(pick_draws, takes, clip_from_clip, pass);
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
}

/// What is not being dragged.
fn at_rest(editor: &Editor) -> impl Fn(usize) -> bool {
    let taken = vertex::moved_nodes(editor.scene(), editor.selection());
    move |node| !taken[node]
}

/// The scene's nodes, as one view has them in its ID image.
struct Objects<'a> {
    gpu: &'a Gpu,
    renderer: &'a SceneRenderer,
    view: &'a View,
    frustum: Option<&'a Frustum>,
    /// Over them, where the view has one.
    cube: Option<CubeIds<'a>>,
}

impl Objects<'_> {
    /// Those that `takes` takes.
    fn draw(
        &self,
        draws: &mut IdDraws,
        takes: impl Fn(usize) -> bool,
        clip_from_clip: DMat4,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Gpu { device, queue, .. } = self.gpu;
        let of = IdView { view: self.view, clip_from_clip, frustum: self.frustum };
        self.renderer.prepare_ids(device, queue, of, takes, draws);
        self.renderer.render_ids(draws, self.view.depth_direction(), pass);
        if let Some(cube) = &self.cube {
            cube.draw(self.gpu, self.view, clip_from_clip, pass);
        }
    }
}

/// What a view shows of what is taken.
fn seen(main: Option<MainLook>, view: &View, takes: impl Fn(usize) -> bool) -> impl Fn(usize) -> bool {
    let unseen = main.and_then(|main| main.unseen(view));
    move |node| takes(node) && unseen != Some(node)
}

/// The cube of a view, if it is the one that has it.
fn cube_of<'a>(
    renderer: &'a CubeRenderer,
    main: Option<MainLook>,
    view: &View,
    editor: &Editor,
) -> Option<CubeIds<'a>> {
    main.is_some_and(|main| main.has_cube(view)).then(|| CubeIds { renderer, ids: editor.cube_ids() })
}
