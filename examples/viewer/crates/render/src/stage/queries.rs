//! Queries of the ID images: the object under the cursor and the objects in a region.

use super::{Stage, draw_handles};
use crate::device::Gpu;
use crate::error::StageError;
use crate::regions::Regions;
use crate::scene_renderer::{IdDraws, NodeIds, frustum_of};
use session::MainLook;
use session::editor::Editor;
use session::marquee::MarqueeQuery;
use session::views::Views;
use std::time::Duration;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels, Picker};
use wgpu_gizmo::pick::{PickAnswer, PickQuery};
use wgpu_gizmo::{DrawList, View};

/// A timeout that is long enough for the largest picture on a software renderer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The resources for queries.
#[derive(Debug)]
pub(super) struct Queries {
    picker: Picker,
    pick_list: DrawList,
    pick_draws: IdDraws,
    /// The picker for vertices to snap to. Its image contains neither handles nor dragged nodes.
    snap_picker: Picker,
    snap_draws: IdDraws,
    regions: Regions,
    image: Option<([u32; 2], IdImage)>,
    /// The sequence number of the last query.
    asked: u64,
    /// Queries up to this sequence number refer to an earlier scene.
    forgotten: u64,
}

impl Queries {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            picker: Picker::new(&gpu.device)?,
            pick_list: DrawList::new(),
            pick_draws: IdDraws::default(),
            snap_picker: Picker::new(&gpu.device)?,
            snap_draws: IdDraws::default(),
            regions: Regions::new(&gpu.device)?,
            image: None,
            asked: 0,
            forgotten: 0,
        })
    }

    /// Returns the query for a region in flight, if there is one.
    pub(super) fn region_query(&self) -> Option<MarqueeQuery> {
        self.regions.query().cloned()
    }

    /// Drops the answers to all earlier queries when they arrive.
    pub(super) fn forget(&mut self) {
        self.forgotten = self.asked;
        self.regions.forget();
    }
}

impl Stage {
    /// Encodes and submits the pending queries for which there is capacity: the gizmo's, the one for
    /// what a drag snaps to, and the one for a region.
    pub fn ask(&mut self, gpu: &Gpu, editor: &mut Editor, size_px: [u32; 2]) -> Result<(), StageError> {
        self.sync(gpu, editor);
        let Gpu { device, queue, .. } = gpu;
        let mut encoder = None;
        let new_encoder = || device.create_command_encoder(&Default::default());
        if let Some(query) = (!self.queries.regions.is_waiting()).then(|| editor.region_query()).flatten() {
            self.ask_region(gpu, encoder.get_or_insert_with(new_encoder), editor, query, size_px)?;
        }
        let Self { scene, queries, main, .. } = self;
        let Queries { picker, pick_list, pick_draws, snap_picker, snap_draws, asked, .. } = queries;
        if let Some(query) = picker.has_capacity().then(|| editor.pick_query()).flatten() {
            *asked = query.sequence;
            draw_handles_for(pick_list, &query, editor, *main);
            let accepts = seen(*main, &query.view, |node| editor.id_for(&query, node).is_some());
            let nodes = NodeIds { renderer: scene, draws: pick_draws, accepts };
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                nodes.draw(gpu, pass, (&query.view, query.frustum()), clip_from_clip);
            };
            let encoder = encoder.get_or_insert_with(new_encoder);
            picker.encode(device, queue, encoder, &query, pick_list, objects)?;
        }
        if let Some(query) = snap_picker.has_capacity().then(|| editor.snap_query()).flatten() {
            *asked = query.sequence;
            let nodes = NodeIds { renderer: scene, draws: snap_draws, accepts: editor.may_snap_to() };
            let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                nodes.draw(gpu, pass, (&query.view, query.frustum()), clip_from_clip);
            };
            let encoder = encoder.get_or_insert_with(new_encoder);
            snap_picker.encode(device, queue, encoder, &query, &DrawList::new(), objects)?;
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
        let view = query.view;
        let accepts = seen(self.main, &view, |node| editor.pickable_id_of(node).is_some());
        Ok(self.queries.regions.ask(gpu, encoder, query, (&self.scene, target_px), accepts)?)
    }

    /// Queries a region and waits for the answer. For replays.
    pub fn region(
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
        let answer = self.queries.regions.read(&gpu.device, submission, TIMEOUT, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        Ok(())
    }

    /// Passes all available answers to the editor.
    pub fn poll(&mut self, gpu: &Gpu, editor: &mut Editor) -> Result<(), StageError> {
        self.pacing.poll(&gpu.device);
        let answer = self.queries.regions.poll(&gpu.device, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        if self.queries.regions.is_waiting() {
            // A later click depends on what the region selects.
            return Ok(());
        }
        let Queries { picker, snap_picker, forgotten, .. } = &mut self.queries;
        let counts = |answer: &PickAnswer| answer.query.sequence > *forgotten;
        while let Some(answer) = picker.poll(&gpu.device)? {
            if counts(&answer) {
                editor.answer(&answer);
            }
        }
        while let Some(answer) = snap_picker.poll(&gpu.device)? {
            if counts(&answer) {
                editor.answer_snap(&answer, snap_picker.neighbors());
            }
        }
        Ok(())
    }

    /// Tells the editor which queries are in flight. Comes before every update: the editor counts those before
    /// which it is not told, and then repeats the query, or abandons the press.
    pub fn await_answers(&self, editor: &mut Editor) {
        self.queries.picker.in_flight().for_each(|query| editor.await_answer(query));
    }

    /// Returns true while an answer is pending.
    pub fn is_waiting(&self) -> bool {
        self.queries.picker.is_pending()
            || self.queries.snap_picker.is_pending()
            || self.queries.regions.is_waiting()
    }

    /// Picks and waits for the answer. For replays.
    pub fn pick(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        let Self { scene, queries: Queries { picker, pick_list, pick_draws, .. }, main, .. } = self;
        draw_handles_for(pick_list, query, editor, *main);
        let accepts = seen(*main, &query.view, |node| editor.id_for(query, node).is_some());
        let nodes = NodeIds { renderer: scene, draws: pick_draws, accepts };
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            nodes.draw(gpu, pass, (&query.view, query.frustum()), clip_from_clip);
        };
        Ok(picker.pick_blocking(device, queue, query, pick_list, objects, TIMEOUT)?)
    }

    /// Returns the number of nodes that were drawn for the last pick.
    pub fn drawn_for_pick(&self) -> usize {
        self.queries.pick_draws.len()
    }

    /// Picks what a drag snaps to, waits for the answer and passes it to the editor. For replays.
    pub fn pick_snap(&mut self, gpu: &Gpu, editor: &mut Editor, query: &PickQuery) -> Result<(), StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        let Self { scene, queries: Queries { snap_picker, snap_draws, .. }, .. } = self;
        let nodes = NodeIds { renderer: scene, draws: snap_draws, accepts: editor.may_snap_to() };
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            nodes.draw(gpu, pass, (&query.view, query.frustum()), clip_from_clip);
        };
        let answer = snap_picker.pick_blocking(device, queue, query, &DrawList::new(), objects, TIMEOUT)?;
        editor.answer_snap(&answer, snap_picker.neighbors());
        Ok(())
    }

    /// Returns the ID image of one view, with the size of the whole render target.
    pub fn id_image(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        view: &View,
        size_px: [u32; 2],
    ) -> Result<IdTexels, StageError> {
        let Gpu { device, queue, .. } = gpu;
        self.sync(gpu, editor);
        let Self { scene, queries: Queries { pick_list, pick_draws, image, .. }, main, .. } = self;
        draw_handles(pick_list, view, editor, *main);
        let image = match image {
            Some((size, image)) if *size == size_px => image,
            other => &mut other.insert((size_px, IdImage::new(device, size_px[0], size_px[1])?)).1,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let accepts = seen(*main, view, |node| editor.pickable_id_of(node).is_some());
        let nodes = NodeIds { renderer: scene, draws: pick_draws, accepts };
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            nodes.draw(gpu, pass, (view, frustum_of(view)), clip_from_clip);
        };
        image.encode(device, queue, &mut encoder, view, pick_list, objects)?;
        let submission = queue.submit([encoder.finish()]);
        Ok(image.read(device, submission, TIMEOUT)?)
    }

    /// Returns the ID image of the whole render target, combined from all views.
    pub fn id_images(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        views: &Views,
        size_px: [u32; 2],
    ) -> Result<IdTexels, StageError> {
        let (first, others) = views.all().split_first().unwrap_or((views.current(), &[]));
        let mut whole = self.id_image(gpu, editor, first, size_px)?;
        for view in others {
            // Views share no texel, and texels outside of a view are 0 in its image.
            let part = self.id_image(gpu, editor, view, size_px)?;
            whole.ids.iter_mut().zip(part.ids).for_each(|(whole, part)| *whole |= part);
        }
        Ok(whole)
    }
}

/// Makes a list of the handles that a query is about.
fn draw_handles_for(list: &mut DrawList, query: &PickQuery, editor: &mut Editor, main: Option<MainLook>) {
    if editor.is_behind_handles(query) {
        list.begin(&query.view);
    } else {
        draw_handles(list, &query.view, editor, main);
    }
}

/// Returns `accepts` without the node that the view hides.
fn seen(main: Option<MainLook>, view: &View, accepts: impl Fn(usize) -> bool) -> impl Fn(usize) -> bool {
    let hidden_node = main.and_then(|main| main.hidden_node(view));
    move |node| accepts(node) && hidden_node != Some(node)
}
