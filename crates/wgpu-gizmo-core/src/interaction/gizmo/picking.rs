//! Queries of the press and of the hover, and their answers.

use crate::draw::DrawList;
use crate::handle::HandleId;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::gizmo::machine::Phase;
use crate::math::View;
use crate::pick::{PickAnswer, PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// The number of updates after which a query that is not in flight is repeated.
const REPEAT_AFTER: u32 = 8;

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
        let radius_lpx = self.settings.input.tolerance_lpx;
        let asks_in_burst = self.asks_in_burst();
        let query = match &mut self.phase {
            Phase::Dragging(..) if !asks_in_burst => return None,
            Phase::Pressed(press) => {
                if press.queried.is_some() {
                    return None;
                }
                let radius_px = radius_lpx * press.view.scale_factor();
                let query = PickQuery::new(&press.view, press.cursor_px, radius_px);
                press.queried = Some(query.sequence);
                press.idle.get_or_insert(0);
                query
            }
            Phase::Dragging(..) | Phase::Idle | Phase::PressedElsewhere { .. } => {
                let cursor_px = self.input.cursor_px()?;
                let view = self.views.shown_at(cursor_px)?;
                if !view.viewport().contains(cursor_px) {
                    if asks_in_burst {
                        self.input.push(InputEvent::WheelLeft);
                        return None;
                    }
                    self.forget_hover();
                    return None;
                }
                self.hover.query(cursor_px, view, radius_lpx * view.scale_factor())?
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
        if let Phase::Pressed(press) = &mut self.phase {
            press.await_answer(query);
        }
    }

    /// Counts an update in which the query of the press or of the hover was not in flight. After some of
    /// them the query is repeated. A press is abandoned after more of them, or if later events withdraw it.
    pub(super) fn count_unanswered(&mut self) {
        let asks_in_burst = self.asks_in_burst();
        match &mut self.phase {
            Phase::Pressed(press) => {
                if !press.take_unanswered() {
                    return;
                }
                let idle = press.idle.map_or(1, |idle| idle + 1);
                press.idle = Some(idle);
                if idle.is_multiple_of(REPEAT_AFTER) {
                    press.queried = None;
                }
                if idle >= ABANDON_AFTER || self.input.withdraws_press() {
                    self.phase = self.rest();
                    // A late answer to the abandoned query is ignored.
                    self.forget_hover();
                    self.output.redraw();
                }
            }
            Phase::Dragging(..) if !asks_in_burst => {}
            Phase::Dragging(..) | Phase::Idle | Phase::PressedElsewhere { .. } => {
                self.hover.count_idle(REPEAT_AFTER);
            }
        }
    }

    /// Processes the answer to a query of [`Gizmo::pick_query`]. Stale answers change nothing.
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
                match answer.outcome {
                    // An answer to a lost query is ignored, even if one comes.
                    PickOutcome::Lost => (press.queried, press.since) = (None, sequence),
                    outcome => press.outcome = Some(outcome),
                }
                // Queries from before a press are stale after it, and so is its own query if it was
                // repeated.
                self.hover.set_answered(sequence.max(press.queried.unwrap_or_default()));
            } else if press.queried.is_some_and(|queried| queried < sequence) {
                // Answers arrive in the order of the queries, so the query of another gizmo was encoded
                // instead.
                press.queried = None;
            }
            return;
        }
        let is_by_ray = self.input.ray().is_some();
        if is_by_ray || self.hover.is_stale(sequence) || (self.is_active() && !self.asks_in_burst()) {
            return;
        }
        if let Phase::Dragging(drag, _) = &self.phase {
            let hit = match answer.outcome {
                PickOutcome::Hit(hit) => self.handle_of(hit.id),
                PickOutcome::Nothing => None,
                PickOutcome::Lost => return self.hover.repeat_query(),
            };
            if hit != Some(drag.handle()) {
                self.input.push(InputEvent::WheelLeft);
            }
            return self.hover.set_answered(sequence);
        }
        self.hover.compare(&answer.query);
        match answer.outcome {
            PickOutcome::Lost => self.hover.repeat_query(),
            PickOutcome::Nothing => self.set_hover(None, None),
            PickOutcome::Hit(hit) => match self.handle_of(hit.id) {
                Some(handle) => {
                    self.set_hover(Some(handle).filter(|h| self.can_hover(*h)), None);
                    let is_change = self.hover.set_copy(self.copy_of(hit.id));
                    self.output.redraw_if(is_change);
                }
                // The id of a handle that was removed since counts as nothing.
                None => self.set_hover(None, Some(hit.id).filter(|id| !self.owns(*id))),
            },
        }
        self.hover.set_answered(sequence);
    }

    /// Reports that the queries in flight will have no answer, because the device is lost or a query could
    /// not be encoded. They are repeated.
    pub fn picks_lost(&mut self) {
        self.hover.repeat_query();
        self.snapping.repeat_query();
        if let Phase::Pressed(press) = &mut self.phase {
            (press.queried, press.since) = (None, PickQuery::last_sequence());
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
    /// hidden or outside of the view. With a gizmo on each target, it is the handle on the first target.
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
        self.in_scratch_list(view, |gizmo, list| {
            gizmo.draw_for_pick(list);
            list.px_of(gizmo.id_of(handle))
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
struct HoverQuery {
    texel: DVec2,
    view: View,
    revision: u64,
    sequence: u64,
}

/// The handle or object under the pointer, and the query for it.
#[derive(Debug)]
pub(super) struct Hover {
    handle: Option<HandleId>,
    /// The index of the target whose gizmo is hovered, if each target has one.
    copy: usize,
    object: Option<NonZeroU32>,
    query: Option<HoverQuery>,
    /// The number of updates in which the query was not in flight.
    idle: u32,
    /// Whether the query was in flight since the last update.
    is_awaited: bool,
    /// Increases with every change that may affect the hover.
    revision: u64,
    /// The sequence number of the newest answer. Older answers are stale.
    answered: u64,
}

impl Hover {
    pub(super) fn new() -> Self {
        Self {
            handle: None,
            copy: 0,
            object: None,
            query: None,
            idle: 0,
            is_awaited: false,
            revision: 0,
            // Earlier queries are not about the handles of this gizmo, even if other gizmos have freed the
            // same ids.
            answered: PickQuery::last_sequence(),
        }
    }

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

    /// Returns the query for this cursor; `None` if it was returned before.
    pub(super) fn query(&mut self, cursor_px: DVec2, view: View, radius_px: f64) -> Option<PickQuery> {
        let sequence = self.query.map_or(0, |query| query.sequence);
        let key = HoverQuery { texel: cursor_px.floor(), view, revision: self.revision, sequence };
        if self.query == Some(key) {
            return None;
        }
        let query = PickQuery::new(&view, cursor_px, radius_px);
        self.query = Some(HoverQuery { sequence: query.sequence, ..key });
        self.idle = 0;
        Some(query)
    }

    /// Records that a query is in flight, if its answer will be about the last query of this gizmo.
    pub(super) fn await_answer(&mut self, asked: &PickQuery) {
        let is_same = |query: HoverQuery| (query.texel, query.view) == (asked.cursor_px.floor(), asked.view);
        self.is_awaited |= asked.sequence > self.answered && self.query.is_some_and(is_same);
    }

    /// Returns true if the query for this cursor was answered, and nothing has changed since.
    pub(super) fn is_known(&self, cursor_px: DVec2, view: &View) -> bool {
        self.query.is_some_and(|query| {
            let is_same = (query.texel, query.view) == (cursor_px.floor(), *view);
            is_same && query.revision == self.revision && query.sequence <= self.answered
        })
    }

    /// Makes the next call of [`Hover::query`] return a query.
    pub(super) fn repeat_query(&mut self) {
        self.query = None;
    }

    /// Counts an update in which the query was not in flight. After `max` of them the query is repeated.
    pub(super) fn count_idle(&mut self, max: u32) {
        let is_unanswered = self.query.is_some_and(|query| query.sequence > self.answered);
        if std::mem::take(&mut self.is_awaited) || !is_unanswered {
            return;
        }
        self.idle += 1;
        if self.idle >= max {
            self.query = None;
        }
    }

    /// Repeats the query if a newer one was answered, about another texel or view.
    pub(super) fn compare(&mut self, answered: &PickQuery) {
        let key = |texel, view: View| (texel, view.key(), view.viewport());
        let answered_key = key(answered.cursor_px.floor(), answered.view);
        let is_elsewhere = |query: HoverQuery| key(query.texel, query.view) != answered_key;
        if self.query.is_some_and(|query| query.sequence < answered.sequence && is_elsewhere(query)) {
            self.query = None;
        }
    }

    pub(super) fn is_stale(&self, sequence: u64) -> bool {
        sequence <= self.answered
    }

    pub(super) fn set_answered(&mut self, sequence: u64) {
        self.answered = self.answered.max(sequence);
    }

    /// Ignores the answers to all queries so far.
    pub(super) fn ignore_answers(&mut self) {
        self.query = None;
        self.answered = PickQuery::last_sequence();
    }
}

impl Gizmo {
    /// Ends the hover, and ignores the answers to all queries so far.
    pub(super) fn forget_hover(&mut self) {
        self.hover.ignore_answers();
        self.set_hover(None, None);
    }

    pub(super) fn set_hover(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) {
        let is_change = self.hover.set(handle, object);
        self.output.redraw_if(is_change);
    }
}
