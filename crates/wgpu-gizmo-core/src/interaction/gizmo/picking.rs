//! Queries of the press and of the hover, and their answers.

use crate::draw::DrawList;
use crate::handle::HandleId;
use crate::interaction::ask::Ask;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::gizmo::machine::{PendingPress, Phase};
use crate::math::View;
use crate::pick::{PickAnswer, PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// The number of updates after which a press whose query is not in flight is abandoned.
const ABANDON_AFTER: u32 = 64;

/// Picking.
impl Gizmo {
    /// Returns the next pick query: for the press that waits, or for the position of the cursor.
    ///
    /// Returns `None` in a drag, if nothing has changed since the last query, and if the cursor is outside
    /// of the view. Call it only if the query can be answered: each query is returned once, and repeated
    /// with a new sequence number if it is lost.
    ///
    /// A query is lost if its answer is [`PickOutcome::Lost`], after [`Gizmo::picks_lost`], and in the 8th
    /// update before which [`Gizmo::await_answer`] was not called. While it is called, a press waits for the answer
    /// however long that takes. Otherwise it is abandoned on a cancel, on a release followed by another press, or
    /// after 64 updates.
    pub fn pick_query(&mut self) -> Option<PickQuery> {
        let radius_lpx = self.tolerance_lpx();
        let asks_in_wheel_drag = self.asks_in_wheel_drag();
        let query = match &mut self.phase {
            Phase::Dragging(..) if !asks_in_wheel_drag => return None,
            Phase::Pressed(press) => {
                let PendingPress { view, cursor_px, ref mut ask, .. } = **press;
                let radius_px = radius_lpx * view.scale_factor();
                ask.query((), || PickQuery::new(&view, cursor_px, radius_px))?
            }
            Phase::Dragging(..) | Phase::Idle | Phase::PressedElsewhere { .. } => {
                let cursor_px = self.input.cursor_px()?;
                let view = self.views.shown_at(cursor_px)?;
                if !view.viewport().contains(cursor_px) {
                    if asks_in_wheel_drag {
                        self.input.push(InputEvent::WheelLeft);
                        return None;
                    }
                    self.forget_hover();
                    return None;
                }
                self.hover.query(cursor_px, &view, radius_lpx * view.scale_factor())?
            }
        };
        Some(query)
    }

    /// Reports that a query is still in flight, so that the gizmo waits for its answer instead of repeating it.
    /// Hosts with a picker of their own call it before each update until they pass on the answer, also for the query of
    /// another gizmo whose answer is for all of them. `WgpuGizmo` does so itself, once a frame.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Gizmo, PickAnswer, PickOutcome, PickQuery};
    ///
    /// /// A pick that another thread computes.
    /// struct Job(PickQuery);
    ///
    /// impl Job {
    ///     fn frame(&self, gizmo: &mut Gizmo, outcome: Option<PickOutcome>) {
    ///         match outcome {
    ///             Some(outcome) => gizmo.answer(&PickAnswer::new(self.0, outcome)),
    ///             None => gizmo.await_answer(&self.0),
    ///         }
    ///     }
    /// }
    /// ```
    pub fn await_answer(&mut self, query: &PickQuery) {
        self.hover.await_answer(query);
        if let Phase::Pressed(press) = &mut self.phase
            && (press.ask.key().is_none() || press.is_asked_by(query))
        {
            press.ask.await_answer(query);
        }
    }

    /// Counts an update in which the query of the press or of the hover was not in flight. After some of
    /// them the query is repeated. A press is abandoned after more of them, also if the host never asks for its query,
    /// or if later events withdraw it.
    pub(super) fn count_unanswered(&mut self) {
        let asks_in_wheel_drag = self.asks_in_wheel_drag();
        match &mut self.phase {
            Phase::Pressed(press) => {
                let is_asked = press.ask.key().is_some();
                let Some(idle) = press.ask.count_idle() else { return };
                if idle >= ABANDON_AFTER || (is_asked && self.input.withdraws_press()) {
                    self.phase = self.phase_without_drag();
                    // A late answer to the abandoned query is ignored.
                    self.forget_hover();
                    self.output.redraw();
                }
            }
            Phase::Dragging(..) if !asks_in_wheel_drag => {}
            Phase::Dragging(..) | Phase::Idle | Phase::PressedElsewhere { .. } => {
                self.hover.ask.count_idle();
            }
        }
    }

    /// Processes the answer to a query of [`Gizmo::pick_query`].
    ///
    /// The answer to a press that arrives after its release, even frames later, still counts: the moves and the release
    /// wait for it, and the next update carries out the whole drag or click. Stale answers change nothing: those to
    /// hovers from before a press, and to a press that was canceled, followed by another one, or abandoned.
    ///
    /// If several gizmos share a picker, ask each of them for a query, encode one of the queries (they are
    /// all about one pointer), and pass its answer to every gizmo. A gizmo whose own query was about another
    /// position, which can happen with several views, repeats it.
    pub fn answer(&mut self, answer: &PickAnswer) {
        if answer.query.is_snap {
            return self.answer_surface(answer);
        }
        let PickQuery { sequence, .. } = answer.query;
        if let Phase::Pressed(press) = &mut self.phase {
            if press.is_asked_by(&answer.query) {
                press.ask.set_answered(sequence);
                match answer.outcome {
                    PickOutcome::Lost => press.ask.repeat(),
                    outcome => press.outcome = Some(outcome),
                }
                // Queries from before a press are stale after it, and so is its own query if it was
                // repeated.
                let newest = sequence.max(press.ask.asked().unwrap_or_default());
                press.ask.set_answered(newest);
                self.hover.ask.set_answered(newest);
            } else {
                press.ask.repeat_if_overtaken(sequence);
            }
            return;
        }
        let is_by_ray = self.input.ray().is_some();
        if is_by_ray
            || self.hover.ask.is_stale(&answer.query)
            || (self.is_active() && !self.asks_in_wheel_drag())
        {
            return;
        }
        self.hover.compare(&answer.query);
        match answer.outcome {
            PickOutcome::Lost => self.hover.ask.repeat(),
            outcome => self.hover_found(outcome.id()),
        }
        self.hover.ask.set_answered(sequence);
    }

    /// Hovers what is under the pointer. In a drag by the wheel, it only matters whether that is its handle.
    pub(super) fn hover_found(&mut self, found: Option<NonZeroU32>) {
        if let Phase::Dragging(drag, _) = &self.phase {
            if found != Some(self.id_on(drag.handle(), drag.copy().unwrap_or_default())) {
                self.input.push(InputEvent::WheelLeft);
            }
            return;
        }
        let handle = found.and_then(|id| self.handle_of(id));
        // The id of a handle that was removed since counts as nothing.
        let object = found.filter(|id| handle.is_none() && !self.owns(*id));
        // So does that of the gizmo on a target that was removed.
        let is_there = |id| self.placements.of(self.target_of(id)).is_some();
        let is_usable = found.is_some_and(is_there);
        self.set_hover(handle.filter(|handle| is_usable && self.can_hover(*handle)), object);
        if let Some(id) = found.filter(|_| handle.is_some()) {
            let is_change = self.hover.set_copy(self.copy_of(id));
            self.output.redraw_if(is_change);
        }
    }

    /// Reports that the queries in flight will have no answer, because the device is lost or a query could
    /// not be encoded. They are repeated.
    pub fn picks_lost(&mut self) {
        self.hover.ask.repeat();
        self.snapping.ask.repeat();
        if let Phase::Pressed(press) = &mut self.phase {
            press.ask.set_answered(PickQuery::last_sequence());
            press.ask.repeat();
        }
    }

    /// Answers the query of this gizmo on the CPU, from the handles alone, for hosts without a picker.
    pub fn answer_on_cpu(&mut self) {
        self.answer_from(&DrawList::new());
    }

    /// Returns the id of the handle within a distance of a pixel, of the handles alone.
    pub(super) fn pick_on_cpu(
        &mut self,
        view: &View,
        cursor_px: DVec2,
        radius_px: f64,
    ) -> Option<NonZeroU32> {
        self.in_scratch_list(view, |gizmo, list| {
            gizmo.draw_for_pick(list);
            list.pick(cursor_px, radius_px)
        })
    }

    /// Calls a function with the list that the gizmo keeps for its own picks, begun for a view.
    pub(super) fn in_scratch_list<R>(
        &mut self,
        view: &View,
        call: impl FnOnce(&mut Self, &mut DrawList) -> R,
    ) -> R {
        let mut list = std::mem::take(&mut self.scratch);
        let result = call(self, list.begin(view));
        self.scratch = list;
        result
    }

    /// Returns a pixel of a view at which a press grabs this handle, well inside of it where possible; `None` if it is
    /// hidden or outside of the view. With a gizmo on each target, it is the first such handle that can be grabbed.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh};
    /// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Transform, View, Viewport};
    ///
    /// let eye = rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y);
    /// let lens = rh::proj::directx::perspective(1.0, 1.0, 0.1, 100.0);
    /// let view = View::new(eye, lens, Viewport::from_size(600, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut object = Transform::IDENTITY;
    /// gizmo.update_one(&view, &mut object);
    /// let named = |name| HandleId::from_name(name).expect("the handle is built in");
    /// let px = gizmo.handle_px(&view, named("translate_x")).expect("the arrow is visible");
    /// assert!(px.x > 310.0 && (px.y - 300.0).abs() < 2.0);
    /// assert_eq!(gizmo.handle_px(&view, named("translate_z")), None, "it points at the viewer");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle_px(&mut self, view: &View, handle: HandleId) -> Option<DVec2> {
        let radius_px = self.tolerance_lpx() * view.scale_factor();
        self.in_scratch_list(view, |gizmo, list| {
            gizmo.draw_for_pick(list);
            let copies = gizmo.placements.shown().iter().map(|(copy, _)| copy.unwrap_or_default());
            copies.map(|copy| gizmo.id_on(handle, copy)).find_map(|id| list.px_within(id, radius_px))
        })
    }

    /// Answers the query of this gizmo on the CPU, from a list that was drawn for the view that the user
    /// sees, such as that of the last frame. So the handles need not be drawn again for the pick. If the
    /// list contains other gizmos, their handles can be hit as well.
    pub fn answer_from(&mut self, list: &DrawList) {
        let Some(query) = self.pick_query() else { return };
        let found = if list.view() == Some(&query.view) && !list.has_mixed_ids() {
            list.pick(query.cursor_px, query.radius_px)
        } else {
            self.pick_on_cpu(&query.view, query.cursor_px, query.radius_px)
        };
        self.answer(&query.answered(found));
    }
}

/// The key of a hover query: an equal one needs no new answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HoverKey {
    texel: DVec2,
    view: View,
    revision: u64,
}

/// The handle or object under the pointer, and the query for it.
#[derive(Debug, Default)]
pub(super) struct Hover {
    handle: Option<HandleId>,
    /// The index of the target whose gizmo is hovered, if each target has one.
    copy: usize,
    object: Option<NonZeroU32>,
    pub(super) ask: Ask<HoverKey>,
    /// Increases with every change that may affect the hover.
    revision: u64,
}

impl Hover {
    #[inline]
    pub(super) fn handle(&self) -> Option<HandleId> {
        self.handle
    }

    #[inline]
    pub(super) fn copy(&self) -> usize {
        self.copy
    }

    pub(super) fn object(&self) -> Option<NonZeroU32> {
        self.object
    }

    /// Sets the hovered handle or object; returns true if it has changed.
    pub(super) fn set(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) -> bool {
        let is_change = (self.handle, self.object) != (handle, object);
        (self.handle, self.object) = (handle, object);
        is_change
    }

    /// Sets the target whose gizmo is hovered; returns true if it has changed.
    pub(super) fn set_copy(&mut self, copy: usize) -> bool {
        std::mem::replace(&mut self.copy, copy) != copy
    }

    /// Records that something else may be under the cursor now.
    pub(super) fn invalidate(&mut self) {
        self.revision += 1;
    }

    fn key(&self, cursor_px: DVec2, view: &View) -> HoverKey {
        HoverKey { texel: cursor_px.floor(), view: *view, revision: self.revision }
    }

    /// Returns the query for this cursor; `None` if it was returned before.
    fn query(&mut self, cursor_px: DVec2, view: &View, radius_px: f64) -> Option<PickQuery> {
        self.ask.query(self.key(cursor_px, view), || PickQuery::new(view, cursor_px, radius_px))
    }

    /// Records that a query is in flight, if its answer will be about the last query of this gizmo.
    fn await_answer(&mut self, query: &PickQuery) {
        let is_same = |key: HoverKey| (key.texel, key.view) == (query.cursor_px.floor(), query.view);
        if self.ask.key().is_some_and(is_same) {
            self.ask.await_answer(query);
        }
    }

    /// Returns true if the query for this cursor was answered, and nothing has changed since.
    pub(super) fn is_known(&self, cursor_px: DVec2, view: &View) -> bool {
        self.ask.key() == Some(self.key(cursor_px, view)) && self.ask.is_answered()
    }

    /// Repeats the query if a newer one was answered, about another texel or view.
    fn compare(&mut self, answered: &PickQuery) {
        let place = |texel, view: View| (texel, view.key(), view.viewport());
        let answered_place = place(answered.cursor_px.floor(), answered.view);
        if self.ask.key().is_some_and(|key| place(key.texel, key.view) != answered_place) {
            self.ask.repeat_if_overtaken(answered.sequence);
        }
    }
}

impl Gizmo {
    /// Ends the hover, and ignores the answers to all queries so far.
    pub(super) fn forget_hover(&mut self) {
        self.hover.ask = Ask::default();
        self.set_hover(None, None);
    }

    pub(super) fn set_hover(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) {
        let is_change = self.hover.set(handle, object);
        self.output.redraw_if(is_change);
    }
}
