//! Queries of the ID images: the object under the cursor and the objects in a region.

use super::Stage;
use crate::device::Gpu;
use crate::error::Result;
use crate::regions::Regions;
use crate::scene_renderer::{IdDraws, NodeIds, SceneRenderer, frustum_of};
use session::Session;
use std::time::Duration;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels};
use wgpu_gizmo::interaction::Gizmos;
use wgpu_gizmo::pick::{PickAnswer, PickQuery};
use wgpu_gizmo::{DrawList, View};

/// A timeout that is long enough for the largest picture on a software renderer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The resources for queries.
#[derive(Debug)]
pub(super) struct Queries {
    draws: IdDraws,
    pub(super) regions: Regions,
    image: Option<([u32; 2], IdImage)>,
}

impl Queries {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self { draws: IdDraws::default(), regions: Regions::new(&gpu.device)?, image: None })
    }
}

impl Stage {
    /// Encodes and submits the pending queries for which there is capacity: that of the gizmos and the one for a
    /// region.
    pub fn ask(&mut self, session: &mut Session, size_px: [u32; 2]) -> Result<()> {
        self.sync(&session.editor);
        let Self { gpu, scene, gizmos, queries: Queries { draws, regions, .. }, .. } = self;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if let Some(query) = (!regions.is_waiting()).then(|| session.editor.region_query()).flatten() {
            let is_pickable = session.pickable_in(&query.view);
            regions.ask(&mut encoder, query, (scene, size_px), is_pickable)?;
        }
        let frame = Frame::new(&gpu.device, &gpu.queue, &mut encoder);
        gizmos.ask(frame, session, draw_nodes(scene, draws))?;
        if self.is_waiting() {
            self.gpu.queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    /// Passes all available answers to the session.
    pub fn poll(&mut self, session: &mut Session) -> Result<()> {
        self.pacing.poll(&self.gpu.device);
        let editor = &mut session.editor;
        let answer = self.queries.regions.poll(&self.gpu.device, |id| editor.node_of(id))?;
        editor.answer_region(answer);
        if !self.queries.regions.is_waiting() {
            // A later click depends on what the region selects.
            self.gizmos.receive(session)?;
        }
        Ok(())
    }

    /// Waits for the answers to all queries in flight, and passes them to the session. For replays.
    pub fn wait(&mut self, session: &mut Session) -> Result<()> {
        while self.is_waiting() {
            let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(TIMEOUT) };
            self.gpu.device.poll(wait).map_err(|_| GpuError::Timeout(TIMEOUT))?;
            self.poll(session)?;
        }
        Ok(())
    }

    /// Tells the session which queries are in flight. Comes before every update: the editor counts those before
    /// which it is not told, and then repeats the query, or abandons the press.
    pub fn await_answers(&self, session: &mut Session) {
        self.gizmos.picker().in_flight().for_each(|query| session.await_answer(query));
    }

    /// Returns true while an answer is pending.
    pub fn is_waiting(&self) -> bool {
        self.gizmos.picker().is_pending() || self.queries.regions.is_waiting()
    }

    /// Returns true while the nodes in a box or lasso are being found.
    pub fn is_finding_region(&self) -> bool {
        self.queries.regions.query().is_some()
    }

    /// Returns true if another step is needed although no event arrives: an answer is pending, or a gizmo has
    /// something to do or to show.
    pub fn needs_step(&self, session: &Session) -> bool {
        let view_key = session.views.current().key();
        self.queries.regions.is_waiting() || self.gizmos.needs_redraw(session, view_key)
    }

    /// Picks and waits for the answer. For replays.
    pub fn pick(&mut self, session: &mut Session, query: &PickQuery) -> Result<PickAnswer> {
        self.sync(&session.editor);
        let Self { gpu, scene, gizmos, queries: Queries { draws, .. }, .. } = self;
        Ok(gizmos.pick(&gpu.queue, session, query, draw_nodes(scene, draws))?)
    }

    /// Returns the number of nodes that were drawn for the last pick.
    pub fn drawn_for_pick(&self) -> usize {
        self.queries.draws.runs.len()
    }

    /// Returns the ID image of one view, with the size of the whole render target.
    pub fn id_image(&mut self, session: &mut Session, view: &View, size_px: [u32; 2]) -> Result<IdTexels> {
        self.sync(&session.editor);
        let Self {
            gpu: Gpu { device, queue, .. },
            scene: renderer,
            queries: Queries { draws, image, .. },
            ..
        } = self;
        let mut list = DrawList::new();
        session.draw(list.begin(view));
        let image = match image {
            Some((size, image)) if *size == size_px => image,
            other => &mut other.insert((size_px, IdImage::new(device, size_px[0], size_px[1])?)).1,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let nodes = NodeIds { renderer, draws, accepts: session.pickable_in(view) };
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            nodes.draw(pass, (view, frustum_of(view)), clip_from_clip);
        };
        image.encode(device, queue, &mut encoder, view, &list, objects)?;
        let submission = queue.submit([encoder.finish()]);
        Ok(image.read(device, submission, TIMEOUT)?)
    }

    /// Returns the ID image of the whole render target, combined from all views.
    pub fn id_images(&mut self, session: &mut Session, size_px: [u32; 2]) -> Result<IdTexels> {
        let (main, views) = (*session.views.main(), session.views.all().to_vec());
        let mut whole = self.id_image(session, &main, size_px)?;
        for view in views.iter().filter(|view| **view != main) {
            // Views share no texel, and texels outside of a view are 0 in its image.
            let part = self.id_image(session, view, size_px)?;
            whole.ids.iter_mut().zip(part.ids).for_each(|(whole, part)| *whole |= part);
        }
        Ok(whole)
    }
}

/// Returns what draws the nodes into the ID image of a query.
fn draw_nodes(
    renderer: &SceneRenderer,
    draws: &mut IdDraws,
) -> impl FnOnce(&Session, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4) {
    move |session, pass, query, clip_from_clip| {
        let nodes = NodeIds { renderer, draws, accepts: session.pickable_for(query) };
        nodes.draw(pass, (&query.view, query.frustum()), clip_from_clip);
    }
}
