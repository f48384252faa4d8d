use super::Gizmo;
use crate::handle::HandleId;
use crate::math::View;
use crate::pick::PickQuery;
use glam::DVec2;
use std::num::NonZeroU32;

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
