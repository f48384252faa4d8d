use super::super::drag::Drag;
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// The phase of a press or drag.
#[derive(Debug, Clone)]
pub(super) enum Phase {
    Idle,
    Pressed(Box<PendingPress>),
    Dragging(Box<Drag>, By),
    /// The button is down and drags nothing.
    PressedElsewhere {
        /// The click that a release would complete, or `None` once the pointer has moved away from the press.
        click: Option<PendingClick>,
    },
}

/// The input that began a drag, and so may end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The primary button, which is down.
    Button,
    /// A click or a grab. The drag follows the pointer until the next press.
    Carried,
    /// Keys alone, which ignore the pointer.
    Keys,
    /// The wheel over a handle. The drag ends when the pointer leaves the handle.
    Wheel {
        /// Whether the pointer has moved since the last notch, so that it may have left the handle.
        has_moved: bool,
    },
    /// The host, by [`Gizmo::drive_begin`](super::Gizmo::drive_begin).
    Drive,
}

/// A press that is not a drag, and becomes a click if it is released near the pressed point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingClick {
    pub(super) press_px: DVec2,
    /// The object that was pressed; `None` for nothing.
    pub(super) object: Option<NonZeroU32>,
}

/// A press that waits for its pick.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingPress {
    pub(super) cursor_px: DVec2,
    pub(super) view: View,
    /// The newest query at the press: only later ones are about this press.
    pub(super) since: u64,
    /// The sequence number of the last query that was returned, unless it was lost.
    pub(super) queried: Option<u64>,
    /// Whether the query was in flight since the last update.
    pub(super) is_awaited: bool,
    /// The number of updates in which the query was not in flight; `None` before the first query.
    pub(super) idle: Option<u32>,
    pub(super) outcome: Option<PickOutcome>,
    /// If the pointer is a ray, the view that the user sees. `view` is that from the origin of the ray.
    pub(super) seen_in: Option<View>,
}

impl PendingPress {
    /// Creates a press at a pixel of a view, whose query is yet to be asked unless `outcome` is known.
    pub(super) fn new(cursor_px: DVec2, view: View, outcome: Option<PickOutcome>) -> Self {
        Self {
            cursor_px,
            view,
            since: PickQuery::last_sequence(),
            queried: None,
            is_awaited: false,
            idle: None,
            outcome,
            seen_in: None,
        }
    }

    /// Records that a query is in flight, if its answer will be about this press.
    pub(super) fn await_answer(&mut self, asked: &PickQuery) {
        self.is_awaited |= self.is_asked_by(asked);
    }

    /// Returns true if the answer to a query is about this press.
    pub(super) fn is_asked_by(&self, query: &PickQuery) -> bool {
        query.sequence > self.since && (query.cursor_px, query.view) == (self.cursor_px, self.view)
    }

    /// Returns true if the query of the press was returned, has no answer, and was not in flight since the last
    /// call.
    pub(super) fn take_unanswered(&mut self) -> bool {
        let is_awaited = std::mem::take(&mut self.is_awaited);
        self.idle.is_some() && self.outcome.is_none() && !is_awaited
    }
}
