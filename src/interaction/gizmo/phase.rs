use super::super::drag::Drag;
use crate::math::View;
use crate::pick::{PickOutcome, is_in_flight};
use glam::DVec2;
use std::num::NonZeroU32;

/// The phase of a press or drag.
#[derive(Debug, Clone)]
pub(super) enum Phase {
    Idle,
    Pressed(Box<PendingPress>),
    Dragging(Box<Drag>),
    /// The button is down and drags nothing.
    PressedElsewhere {
        /// The click that a release would complete, or `None` once the pointer has moved away from the press.
        click: Option<PendingClick>,
    },
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
    /// The last query that was returned, unless it was lost.
    pub(super) queried: Option<u64>,
    /// The number of updates in which the query was not in flight; `None` before the first query.
    pub(super) idle: Option<u32>,
    pub(super) outcome: Option<PickOutcome>,
    /// If the pointer is a ray, the view that the user sees. `view` is that from the origin of the ray.
    pub(super) seen_in: Option<View>,
}

impl PendingPress {
    /// Returns true if the query of the press was returned, has no answer, and is not in flight.
    pub(super) fn is_unanswered(&self) -> bool {
        let is_waiting = self.idle.is_some() && self.outcome.is_none();
        is_waiting && !is_in_flight(self.cursor_px, &self.view, self.since)
    }
}
