//! One struct that wires the gizmo, the picker and the renderer together.

use crate::draw::DrawList;
use crate::gpu::{GizmoRenderer, GpuError, Picker, SceneDepth, TargetState};
use crate::interaction::{Event, Gizmo, Target};
use crate::math::View;
use crate::pick::snap::SnapPoint;
use crate::pick::{IdSpace, PickOutcome, PickQuery};
use glam::{DMat4, DVec3};
use std::num::NonZeroU32;

/// A gizmo with everything that it needs on wgpu: two calls per frame, and one in the host's pass.
///
/// Input goes to [`WgpuGizmo::gizmo`] between frames. In each frame, call [`WgpuGizmo::update`], which moves
/// the targets and returns events, then [`WgpuGizmo::prepare`], and [`WgpuGizmo::render`] last in the pass.
/// Draw another frame while [`WgpuGizmo::needs_frame`] returns true, and after each event of the window. The
/// [front page](crate#a-frame-on-the-gpu) of the crate has an example.
///
/// All parts are public fields, so everything that they can do is available: settings and custom handles
/// (`gizmo`), ids for the host's objects (`ids`), readouts to show as text (`list`).
///
/// It shows one view per frame. For each further view, create a [`GizmoRenderer`] and a [`DrawList`], and
/// draw `gizmo` into that list.
///
/// # If nothing is drawn
///
/// - No targets were passed, or the list has a NaN or an infinity. [`Gizmo::disabled_reason`] reports it.
/// - The pivot is behind the camera, or outside of the viewport.
/// - The mode is [`Mode::None`](crate::Mode::None), or [`Mode::Handles`](crate::Mode::Handles) with an empty set.
/// - [`WgpuGizmo::update`] or [`WgpuGizmo::prepare`] was not called in this frame, or something is drawn over
///   the result of [`WgpuGizmo::render`].
/// - The scissor rectangle of the pass excludes the gizmo. On WebGL2, the one at the end of a multisampled pass
///   also clips what is resolved.
/// - The scene is in front of the gizmo, and [`Settings::depth_style`](crate::Settings::depth_style) is
///   [`DepthStyle::Hidden`](crate::draw::DepthStyle::Hidden).
///
/// # Memory
///
/// Textures and buffers are created on first use, and buffers grow with what is drawn. Dropping the
/// `WgpuGizmo` frees all of them; [`WgpuGizmo::rebuild`] frees them and starts again with small ones. The
/// host's objects are freed with [`PickScene::remove`](crate::scene::PickScene::remove) and
/// [`PickScene::remove_mesh`](crate::scene::PickScene::remove_mesh). If you drop a [`Gizmo`] but keep its
/// [`IdSpace`], free the ids too: `ids.free(gizmo.ids())`.
///
/// # If something goes wrong
///
/// - After an error, the gizmo keeps its drag, its queue of events and the pending press. Queries that were
///   in flight, could not be encoded, or were encoded on an encoder that is dropped are repeated. If 32 encoders
///   in a row are dropped, that is an error, and nothing is hovered until the pointer moves.
/// - After [`GpuError::DeviceLost`], create a new device and call [`WgpuGizmo::rebuild`]. A drag in progress
///   continues. [`GpuError::OtherDevice`] means that this call is missing.
/// - A skipped or repeated call, or another order of the calls, does no harm: the picture or an answer is a
///   frame late.
#[derive(Debug)]
pub struct WgpuGizmo {
    /// The gizmo: input, settings, theme, state.
    pub gizmo: Gizmo,
    /// Allocates all ids of the ID image. Objects of the host that take part in picks get theirs from it, too.
    pub ids: IdSpace,
    /// Answers what is under the cursor.
    pub picker: Picker,
    /// Draws the handles.
    pub renderer: GizmoRenderer,
    /// The handles, guides and readouts that the last [`WgpuGizmo::prepare`] has drawn.
    pub list: DrawList,
    /// The attachments of the pass. If they change, set this and call [`WgpuGizmo::rebuild`].
    pub target: TargetState,
}

/// The number of encoders in a row that a host may drop. A host without a surface drops some; if it drops more,
/// it has probably forgotten the submit.
const MAX_DROPPED: u32 = 32;

impl WgpuGizmo {
    /// Creates a gizmo for passes with these attachments: the format of a pass without depth and with one sample,
    /// or a [`TargetState`].
    ///
    /// # Errors
    /// The errors of [`GizmoRenderer::new`] and [`Picker::new`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        Self::with_ids(device, target, IdSpace::new())
    }

    /// Creates a gizmo that allocates its ids from the host's space, which it then owns.
    ///
    /// # Errors
    /// [`GpuError::Ids`] if the space has too few ids left; the errors of [`GizmoRenderer::new`] and
    /// [`Picker::new`].
    pub fn with_ids(
        device: &wgpu::Device,
        target: impl Into<TargetState>,
        mut ids: IdSpace,
    ) -> Result<Self, GpuError> {
        let target = target.into();
        Ok(Self {
            gizmo: Gizmo::new(&mut ids).map_err(GpuError::Ids)?,
            ids,
            picker: Picker::new(device)?,
            renderer: GizmoRenderer::new(device, target)?,
            list: DrawList::new(),
            target,
        })
    }

    /// Passes answers of the picker and the events since the last call to the gizmo, moves the targets, and
    /// returns what happened. See [`Gizmo::update`].
    ///
    /// It polls the device without waiting, so callbacks of the host that are due, such as those of
    /// [`wgpu::Queue::on_submitted_work_done`] and of buffers that it maps, run in this call. They must not lock what
    /// the caller holds.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`], once per loss that a query notices; [`GpuError::NotSubmitted`] if the encoders of
    /// 32 queries in a row were dropped. Then nothing was processed, and the events wait for the next call.
    pub fn update(
        &mut self,
        device: &wgpu::Device,
        view: &View,
        targets: &mut [Target],
    ) -> Result<&[Event], GpuError> {
        self.update_with(device, view, targets, &mut |_| None)
    }

    /// Updates like [`WgpuGizmo::update`], with the snap hook of [`Gizmo::update_with`].
    ///
    /// # Errors
    /// The same as [`WgpuGizmo::update`].
    pub fn update_with(
        &mut self,
        device: &wgpu::Device,
        view: &View,
        targets: &mut [Target],
        hook: &mut dyn FnMut(DVec3) -> Option<DVec3>,
    ) -> Result<&[Event], GpuError> {
        self.receive(device, &mut |_, _| None)?;
        Ok(self.gizmo.update_with(view, targets, hook))
    }

    /// Updates like [`WgpuGizmo::update`], for drags that snap to what is under the pointer
    /// ([`Settings::snap_to`](crate::Settings::snap_to)): `find` receives a query of
    /// [`Gizmo::snap_query`] with the ids within its tolerance, and returns the point to snap to: see
    /// [`PickScene::snap_objects`](crate::scene::PickScene::snap_objects). Without one, the drag snaps to the surface, if
    /// that is set.
    ///
    /// # Errors
    /// The same as [`WgpuGizmo::update`].
    pub fn update_snapping(
        &mut self,
        device: &wgpu::Device,
        view: &View,
        targets: &mut [Target],
        find: &mut dyn FnMut(&PickQuery, &[NonZeroU32]) -> Option<SnapPoint>,
    ) -> Result<&[Event], GpuError> {
        self.receive(device, find)?;
        Ok(self.gizmo.update(view, targets))
    }

    /// Passes all available answers to the gizmo.
    fn receive(
        &mut self,
        device: &wgpu::Device,
        find: &mut dyn FnMut(&PickQuery, &[NonZeroU32]) -> Option<SnapPoint>,
    ) -> Result<(), GpuError> {
        let mut received = Ok(());
        // The loop ends, because each error frees the slot of its query.
        loop {
            match self.picker.poll(device) {
                Ok(Some(mut answer)) => {
                    if self.picker.dropped_in_row >= MAX_DROPPED {
                        (self.picker.dropped_in_row, received) = (0, Err(GpuError::NotSubmitted));
                        // A press is repeated until the gizmo abandons it, because an answer would make a click.
                        let is_press = self.gizmo.is_busy() && !self.gizmo.is_active();
                        answer.outcome = if is_press { answer.outcome } else { PickOutcome::Nothing };
                    }
                    let found = answer.query.is_snap.then(|| find(&answer.query, self.picker.neighbors()));
                    match found.flatten() {
                        Some(found) => self.gizmo.answer_snap(&answer.query, Some(found)),
                        None => self.gizmo.answer(&answer),
                    }
                }
                Ok(None) => {
                    self.picker.in_flight().for_each(|query| self.gizmo.await_answer(query));
                    return received;
                }
                Err(error) => {
                    self.gizmo.picks_lost();
                    received = Err(error);
                }
            }
        }
    }

    /// Encodes a query if the gizmo has one, and uploads what [`WgpuGizmo::render`] draws. Call it outside of
    /// any pass, with the encoder of the pass that shows the handles or one that is submitted earlier.
    ///
    /// `draw_objects` is called if there is a query. It draws the host's objects into the ID image (see
    /// [`Picker`]) and gets the pass, the query, and the matrix `clip_from_clip` to apply after that of the
    /// view of the query. If [`PickQuery::is_snap`] is true, it leaves out the moved objects and their
    /// descendants. A host without pickable objects passes `|_, _, _| {}`.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] or [`GpuError::OutOfMemory`] if something must be created that cannot be;
    /// [`GpuError::OtherDevice`] if the device is not that of [`WgpuGizmo::new`] or [`WgpuGizmo::rebuild`].
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        let encoded = self.ask_and_draw(device, queue, encoder, view, draw_objects);
        // A query that fails does not keep the handles from being drawn.
        let prepared = self.renderer.prepare(device, queue, &self.list);
        encoded.and(prepared)
    }

    /// Does the same as [`WgpuGizmo::prepare`], and draws parts that the scene hides in the style of
    /// [`Settings::depth_style`](crate::Settings::depth_style). `depth` is the depth texture of this frame's
    /// scene. It may be written after this call, in a pass before that of [`WgpuGizmo::render`].
    ///
    /// # Errors
    /// The same as [`WgpuGizmo::prepare`]; [`GpuError::SceneDepth`] if the depth cannot be used, in which case
    /// all handles are drawn on top.
    pub fn prepare_with_depth(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        depth: SceneDepth<'_>,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        let encoded = self.ask_and_draw(device, queue, encoder, view, draw_objects);
        let prepared = self.renderer.prepare_with_depth(device, queue, &self.list, depth);
        encoded.and(prepared)
    }

    /// Encodes a query if the gizmo has one, and fills the list of a view. It is filled once, unless the query is about
    /// another view.
    fn ask_and_draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        // A query is taken only if it can be encoded at once.
        let next = |gizmo: &mut Gizmo| gizmo.pick_query().or_else(|| gizmo.snap_query());
        let query = self.picker.has_capacity().then(|| next(&mut self.gizmo)).flatten();
        let Self { gizmo, list, picker, .. } = self;
        let encode = |query: &PickQuery, list: &DrawList| {
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                draw_objects(pass, query, clip_from_clip);
            };
            picker.encode(device, queue, encoder, query, list, draw)
        };
        match query {
            Some(query) if query.view == *view => {
                gizmo.draw(list.begin(view));
                encode(&query, list)
            }
            Some(query) => {
                gizmo.draw_for_pick(list.begin(&query.view));
                let encoded = encode(&query, list);
                gizmo.draw(list.begin(view));
                encoded
            }
            None => {
                gizmo.draw(list.begin(view));
                Ok(())
            }
        }
    }

    /// Draws the prepared handles and guides over the contents of the host's pass: call it last. See
    /// [`GizmoRenderer::render`] for the state of the pass that it changes.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.renderer.render(pass);
    }

    /// Returns true if another frame of the views with this key must be drawn although no event of the window arrives: an answer
    /// is pending, input waits, or the gizmo looks different from their last frame. It stays true for one frame
    /// after events, to which the host may react.
    ///
    /// While a pick is in flight it returns true even if the next picture is equal, because answers arrive only when
    /// [`WgpuGizmo::update`] polls, above all in browsers. A host that does not want to draw then can call `update`
    /// alone.
    pub fn needs_frame(&self, view_key: u64) -> bool {
        self.picker.is_pending() || self.gizmo.needs_redraw(view_key) || self.gizmo.is_hover_pending()
    }

    /// Creates the renderer and the picker again: on a new device after the old one was lost, or on the same
    /// one after [`WgpuGizmo::target`] has changed. The gizmo keeps its state, and a drag in progress
    /// continues. On an error nothing changes.
    ///
    /// # Errors
    /// The errors of [`GizmoRenderer::new`] and [`Picker::new`].
    pub fn rebuild(&mut self, device: &wgpu::Device) -> Result<(), GpuError> {
        let (picker, renderer) = (Picker::new(device)?, GizmoRenderer::new(device, self.target)?);
        (self.picker, self.renderer) = (picker, renderer);
        self.gizmo.picks_lost();
        Ok(())
    }
}
