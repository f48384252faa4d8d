//! The GPU half of gizmos: picks, and the pictures of any number of views.

use super::frame::Frame;
use super::view_resources::ViewResources;
use crate::draw::DrawList;
use crate::gpu::{GizmoRenderer, GpuError, Picker, TargetState};
use crate::interaction::{Gizmos, Views};
use crate::math::View;
use crate::pick::{PickAnswer, PickOutcome, PickQuery};
use glam::DMat4;
use std::num::NonZeroU32;
use std::time::Duration;

/// The number of encoders in a row that a host may drop. A host without a surface drops some; if it drops more,
/// it has probably forgotten the submit.
const MAX_DROPPED: u32 = 32;

/// The maximum number of queries that one call answers and waits for.
const MAX_SETTLED: usize = 64;

/// The maximum time that one call waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum number of views whose resources are kept: far more than an app has viewports and windows.
const MAX_VIEWS: usize = 64;

/// The GPU half of gizmos: answers their queries, and draws them into any number of views and windows.
///
/// [`WgpuGizmo`](crate::WgpuGizmo) is a gizmo, an id space and one of these. Use it alone if your gizmos live elsewhere,
/// such as in a part of the program without a GPU, or if several gizmos share an id space. It borrows them as
/// [`Gizmos`] in each call. Each view has its own buffers and attachments, so that all views of one submit are right.
///
/// ```no_run
/// use wgpu_gizmo::facade::{Frame, GizmoGpu};
/// use wgpu_gizmo::gpu::GpuError;
/// use wgpu_gizmo::{Gizmo, Target, View, wgpu};
///
/// /// A frame of two gizmos in two viewports.
/// fn frame(
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     encoder: &mut wgpu::CommandEncoder,
///     gpu: &mut GizmoGpu,
///     gizmos: &mut [Gizmo; 2],
///     targets: &mut [[Target; 1]; 2],
///     views: &[View; 2],
/// ) -> Result<(), GpuError> {
///     gpu.receive(gizmos.as_mut_slice())?;
///     for (gizmo, targets) in gizmos.iter_mut().zip(targets) {
///         gizmo.update(views, targets);
///     }
///     let frame = Frame::new(device, queue, encoder);
///     gpu.prepare(frame, gizmos.as_mut_slice(), views, |_gizmos, _pass, _query, _clip_from_clip| {})
///     // Then call `gpu.render(&mut pass, &views[0])` last in the pass of each view, and submit.
/// }
/// ```
#[derive(Debug)]
pub struct GizmoGpu {
    /// Whether the readouts of drags are drawn as strokes ([`DrawList::stroke_readouts`]). Default: true. A host that
    /// shows [`DrawList::readouts`] as text sets it to false.
    pub stroke_readouts: bool,
    picker: Picker,
    device: wgpu::Device,
    target: TargetState,
    /// Has the pipelines that the renderers of all views with this target share.
    renderer: GizmoRenderer,
    views: Vec<ViewResources>,
    /// The handles in the view of a query that no view of the frame shows.
    pick_list: DrawList,
    /// Answers to queries up to this sequence number are dropped.
    forgotten: u64,
}

impl GizmoGpu {
    /// Creates the GPU half for passes with these attachments.
    ///
    /// # Errors
    /// The errors of [`GizmoRenderer::new`] and [`Picker::new`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        let target = target.into();
        Ok(Self {
            stroke_readouts: true,
            picker: Picker::new(device)?,
            device: device.clone(),
            target,
            renderer: GizmoRenderer::new(device, target)?,
            views: Vec::new(),
            pick_list: DrawList::new(),
            forgotten: 0,
        })
    }

    /// Returns the attachments of the passes of views without their own.
    pub fn target(&self) -> TargetState {
        self.target
    }

    /// Sets the attachments of the passes that show the views with a key, however many there are. Other views have
    /// those of [`GizmoGpu::new`]. The views draw nothing until they are prepared again.
    ///
    /// # Errors
    /// The errors of [`GizmoRenderer::new`]. Then nothing changes.
    pub fn set_target(&mut self, view_key: u64, target: impl Into<TargetState>) -> Result<(), GpuError> {
        let target = target.into();
        let renderer = GizmoRenderer::new(&self.device, target)?;
        self.remove_view(view_key);
        self.push_view(ViewResources {
            key: view_key,
            list: DrawList::new(),
            renderer,
            target: Some(target),
        });
        Ok(())
    }

    /// Frees what belongs to the views with a key, such as those of a window that was closed.
    pub fn remove_view(&mut self, view_key: u64) {
        self.views.retain(|part| part.key != view_key);
    }

    /// Returns the handles, guides and readouts that the last [`GizmoGpu::prepare`] has drawn for a view.
    pub fn list(&self, view: &View) -> Option<&DrawList> {
        self.part(view).map(|part| &part.list)
    }

    /// Returns the picker, which has the queries in flight.
    pub fn picker(&self) -> &Picker {
        &self.picker
    }

    /// Returns the number of bytes that the last frame has uploaded: for all views, and for the query in flight.
    pub fn uploaded_bytes(&self) -> u64 {
        let picked = if self.picker.is_pending() { self.picker.uploaded_bytes() } else { 0 };
        self.views.iter().map(|part| part.renderer.uploaded_bytes()).sum::<u64>() + picked
    }

    /// Passes all available answers to the gizmos. Call it before they are updated.
    ///
    /// It polls the device without waiting, so callbacks of the host that are due, such as those of
    /// [`wgpu::Queue::on_submitted_work_done`] and of buffers that it maps, run in this call. They must not lock what
    /// the caller holds.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`], once per loss that a query notices; [`GpuError::NotSubmitted`] if the encoders of
    /// 32 queries in a row were dropped.
    pub fn receive<G: Gizmos + ?Sized>(&mut self, gizmos: &mut G) -> Result<(), GpuError> {
        self.receive_with(gizmos, G::answer)
    }

    /// Passes all available answers to a function, for the gizmos.
    pub(super) fn receive_with<G: Gizmos + ?Sized>(
        &mut self,
        gizmos: &mut G,
        mut answered: impl FnMut(&mut G, &PickAnswer, &[NonZeroU32]),
    ) -> Result<(), GpuError> {
        let mut received = Ok(());
        // The loop ends, because each error frees the slot of its query.
        loop {
            match self.picker.poll(&self.device) {
                Ok(Some(answer)) if answer.query.sequence <= self.forgotten => {}
                Ok(Some(mut answer)) => {
                    if self.picker.dropped_in_row >= MAX_DROPPED {
                        (self.picker.dropped_in_row, received) = (0, Err(GpuError::NotSubmitted));
                        // A press is repeated until it is abandoned, because an answer would make a click.
                        let is_press = gizmos.is_busy() && !gizmos.is_active();
                        answer.outcome = if is_press { answer.outcome } else { PickOutcome::Nothing };
                    }
                    answered(gizmos, &answer, self.picker.neighbors());
                }
                Ok(None) => {
                    let in_flight = self.picker.in_flight();
                    let counted = in_flight.filter(|query| query.sequence > self.forgotten);
                    counted.for_each(|query| gizmos.await_answer(query));
                    return received;
                }
                Err(error) => {
                    gizmos.picks_lost();
                    received = Err(error);
                }
            }
        }
    }

    /// Drops the answers to all queries in flight, which are about a scene that is gone. Gizmos that still wait for
    /// them ask again.
    pub fn forget<G: Gizmos + ?Sized>(&mut self, gizmos: &mut G) {
        self.forgotten = self.picker.in_flight().map(|query| query.sequence).max().unwrap_or(self.forgotten);
        gizmos.picks_lost();
    }

    /// Encodes a query if the gizmos have one, and uploads what [`GizmoGpu::render`] draws in these views. Other views
    /// keep what was prepared before. Views are distinguished by their keys ([`View::with_key`]), and views with equal
    /// keys by their order.
    ///
    /// `draw_objects` is called if there is a query. It draws the host's objects into the ID image (see
    /// [`Picker`]) and gets the gizmos, the pass, the query, and the matrix `clip_from_clip` to apply after that of
    /// the view of the query. If [`PickQuery::is_snap`] is true, it leaves out the moved objects and their
    /// descendants. A host without pickable objects passes `|_, _, _, _| {}`.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] or [`GpuError::OutOfMemory`] if something must be created that cannot be;
    /// [`GpuError::OtherDevice`] if the device is not that of [`GizmoGpu::new`] or [`GizmoGpu::rebuild`];
    /// [`GpuError::SceneDepth`] if a depth of the frame cannot be used, in which case all handles of its view are drawn
    /// on top. Then the other views and the query are prepared all the same.
    pub fn prepare<'v, G: Gizmos + ?Sized>(
        &mut self,
        mut frame: Frame<'_>,
        gizmos: &mut G,
        views: impl Into<Views<'v>>,
        draw_objects: impl FnOnce(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        let views = views.into();
        let Some(query) = self.next_query(gizmos) else {
            return self.prepare_views(&frame, gizmos, views);
        };
        // A query that fails does not keep the handles from being drawn: `and` gets both results.
        if !views.all().contains(&query.view) {
            // It comes first, so that the state that the gizmo keeps per view is that of the frame.
            let asked = self.ask_elsewhere(&mut frame, gizmos, &query, draw_objects);
            return asked.and(self.prepare_views(&frame, gizmos, views));
        }
        let prepared = self.prepare_views(&frame, gizmos, views);
        let part = self.views.iter().find(|part| part.list.view() == Some(&query.view));
        let list = part.map_or(&self.pick_list, |part| &part.list);
        encode(&mut self.picker, &mut frame, &*gizmos, &query, list, draw_objects).and(prepared)
    }

    /// Uploads a list that the host has drawn, for [`GizmoGpu::render`] in the view of the list. It is for hosts that
    /// compare it with [`GizmoGpu::list`], to draw a frame only if it differs. They call this instead of
    /// [`GizmoGpu::prepare`], and [`GizmoGpu::ask`] for the queries. Each view must have a key of its own.
    ///
    /// # Errors
    /// The errors of [`GizmoGpu::prepare`].
    pub fn prepare_list(&mut self, frame: Frame<'_>, list: &DrawList) -> Result<(), GpuError> {
        let Some(view) = list.view() else { return Ok(()) };
        let part = self.nth_part(view.key(), 0);
        part.list.clone_from(list);
        part.upload(&frame)
    }

    /// Encodes a query if the gizmos have one, as [`GizmoGpu::prepare`] does: for hosts that pick without drawing a
    /// frame. After the submit, [`GizmoGpu::receive`] has the answer.
    ///
    /// # Errors
    /// The same as [`GizmoGpu::prepare`].
    pub fn ask<G: Gizmos + ?Sized>(
        &mut self,
        mut frame: Frame<'_>,
        gizmos: &mut G,
        draw_objects: impl FnOnce(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        match self.next_query(gizmos) {
            Some(query) => self.ask_elsewhere(&mut frame, gizmos, &query, draw_objects),
            None => Ok(()),
        }
    }

    /// Answers the queries of the gizmos at once, also those of submitted frames, and waits for it: for tests and
    /// tools, not for frames. Input has its query from the next update on. It ends after 64 queries, because gizmos of
    /// different views that share a pointer ask again and again.
    ///
    /// # Errors
    /// The same as [`GizmoGpu::prepare`]; [`GpuError::Timeout`] after a minute; [`GpuError::BlockingOnWeb`] in a
    /// browser.
    pub fn settle<G: Gizmos + ?Sized>(
        &mut self,
        queue: &wgpu::Queue,
        gizmos: &mut G,
        mut draw_objects: impl FnMut(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        self.picker.wait_for_submitted(&self.device, TIMEOUT)?;
        self.receive(gizmos)?;
        for _ in 0..MAX_SETTLED {
            let Some(query) = self.next_query(gizmos) else { break };
            match self.pick(queue, gizmos, &query, &mut draw_objects) {
                Ok(answer) => gizmos.answer(&answer, self.picker.neighbors()),
                Err(error) => {
                    gizmos.picks_lost();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Returns the answer to a query of the host at once, and waits for it: for tests and tools, not for frames. The
    /// gizmos do not get it, and queries in flight are not affected.
    ///
    /// # Errors
    /// The same as [`GizmoGpu::settle`].
    pub fn pick<G: Gizmos + ?Sized>(
        &mut self,
        queue: &wgpu::Queue,
        gizmos: &mut G,
        query: &PickQuery,
        draw_objects: impl FnOnce(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<PickAnswer, GpuError> {
        gizmos.draw_for_pick(self.pick_list.begin(&query.view), query);
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            draw_objects(gizmos, pass, query, clip_from_clip);
        };
        self.picker.pick_blocking(&self.device, queue, query, &self.pick_list, draw, TIMEOUT)
    }

    /// Draws the prepared handles and guides of a view over the contents of the host's pass: call it last. It draws
    /// nothing if the view was not prepared. See [`GizmoRenderer::render`] for the state of the pass that it changes.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>, view: &View) {
        if let Some(part) = self.part(view) {
            part.renderer.render(pass);
        }
    }

    /// Returns true if another frame of the views with this key must be drawn although no event of the window arrives: an
    /// answer is pending, input waits, or the gizmos look different from their last frame. It stays true for one frame
    /// after events, to which the host may react.
    ///
    /// While a pick is in flight it returns true even if the next picture is equal, because answers arrive only when
    /// [`GizmoGpu::receive`] polls, above all in browsers. A host that does not want to draw then can call it alone.
    pub fn needs_redraw<G: Gizmos + ?Sized>(&self, gizmos: &G, view_key: u64) -> bool {
        self.picker.is_pending() || gizmos.needs_redraw(view_key) || gizmos.is_hover_pending()
    }

    /// Creates everything on the GPU again: on a new device after the old one was lost. The gizmos keep their state,
    /// and a drag in progress continues. On an error nothing changes.
    ///
    /// # Errors
    /// The errors of [`GizmoGpu::new`].
    pub fn rebuild<G: Gizmos + ?Sized>(
        &mut self,
        device: &wgpu::Device,
        gizmos: &mut G,
    ) -> Result<(), GpuError> {
        let mut new = Self { stroke_readouts: self.stroke_readouts, ..Self::new(device, self.target)? };
        for ViewResources { key, target, .. } in &self.views {
            // The other views of a key share the pipelines of its first one.
            match target.filter(|_| new.views.iter().all(|part| part.key != *key)) {
                Some(target) => new.set_target(*key, target)?,
                None => drop(new.add_view(*key)),
            }
        }
        *self = new;
        gizmos.picks_lost();
        Ok(())
    }

    fn part(&self, view: &View) -> Option<&ViewResources> {
        self.views.iter().find(|part| part.shows(view))
    }

    /// Returns a query only if it can be encoded at once.
    fn next_query<G: Gizmos + ?Sized>(&self, gizmos: &mut G) -> Option<PickQuery> {
        self.picker.has_capacity().then(|| gizmos.next_query()).flatten()
    }

    /// Encodes a query with the handles in its own view.
    fn ask_elsewhere<G: Gizmos + ?Sized>(
        &mut self,
        frame: &mut Frame<'_>,
        gizmos: &mut G,
        query: &PickQuery,
        draw_objects: impl FnOnce(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        gizmos.draw_for_pick(self.pick_list.begin(&query.view), query);
        encode(&mut self.picker, frame, &*gizmos, query, &self.pick_list, draw_objects)
    }

    fn prepare_views<G: Gizmos + ?Sized>(
        &mut self,
        frame: &Frame<'_>,
        gizmos: &mut G,
        views: Views<'_>,
    ) -> Result<(), GpuError> {
        let mut result = self.renderer.errors.check();
        for (index, view) in views.all().iter().enumerate() {
            let same = |other: &&View| other.key() == view.key();
            let nth = views.all()[..index].iter().filter(same).count();
            let stroke_readouts = self.stroke_readouts;
            let part = self.nth_part(view.key(), nth);
            gizmos.draw(part.list.begin(view));
            if stroke_readouts {
                part.list.stroke_readouts();
            }
            result = result.and(part.upload(frame));
        }
        result
    }

    /// Returns the resources of a view, by its index among those with the same key. They are created on first use.
    fn nth_part(&mut self, key: u64, nth: usize) -> &mut ViewResources {
        let of_key = |part: &(usize, &ViewResources)| part.1.key == key;
        let known = self.views.iter().enumerate().filter(of_key).nth(nth).map(|(known, _)| known);
        let known = known.unwrap_or_else(|| self.add_view(key));
        &mut self.views[known]
    }

    /// Adds a view, and returns its index.
    fn add_view(&mut self, key: u64) -> usize {
        // A second view of this key has the attachments of the first one.
        let same = self.views.iter().find(|part| part.key == key);
        let (renderer, target) = same.map_or((&self.renderer, None), |part| (&part.renderer, part.target));
        let renderer = renderer.for_another_view();
        self.push_view(ViewResources { key, list: DrawList::new(), renderer, target })
    }

    /// Adds a view, and returns its index. The oldest one of too many is dropped, of those whose attachments the host
    /// has not set if there are any: it would not set them again.
    fn push_view(&mut self, part: ViewResources) -> usize {
        if self.views.len() >= MAX_VIEWS {
            let oldest = self.views.iter().position(|part| part.target.is_none());
            self.views.remove(oldest.unwrap_or(0));
        }
        self.views.push(part);
        self.views.len() - 1
    }
}

fn encode<G: Gizmos + ?Sized>(
    picker: &mut Picker,
    frame: &mut Frame<'_>,
    gizmos: &G,
    query: &PickQuery,
    list: &DrawList,
    draw_objects: impl FnOnce(&G, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
) -> Result<(), GpuError> {
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
        draw_objects(gizmos, pass, query, clip_from_clip);
    };
    picker.encode(frame.device, frame.queue, frame.encoder, query, list, draw)
}
