//! What a hand does in another view before it is known what it pressed in this one. The gizmo keeps
//! what follows a press, but takes all of it as of one view: so this waits for the answer.

use super::screen::Screen;
use crate::replay_file::{EventKind, Mods};
use std::collections::VecDeque;

/// What has run ahead of the answer to a press.
#[derive(Debug, Default)]
pub(super) struct DeferredInput {
    /// In order.
    events: VecDeque<(EventKind, Mods)>,
    /// Views came or went under the pointer.
    has_other_views: bool,
}

impl DeferredInput {
    /// Nothing comes of it.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Screen {
    /// There are other views from now on: one of them is the pointer's.
    pub(super) fn follow_in_other_views(&mut self) {
        self.deferred_input.has_other_views = self.waits_for_press();
        self.views.follow(self.cursor_px, self.editor.is_busy());
    }

    /// Whether an event has to wait; it is kept if so.
    pub(super) fn runs_ahead(&mut self, kind: &EventKind, mods: Mods) -> bool {
        // What comes after one that waits waits as well.
        let waits = !self.deferred_input.events.is_empty() || self.is_too_early(kind);
        if waits {
            self.deferred_input.events.push_back((kind.clone(), mods));
        }
        waits
    }

    /// After answers: does what need not wait any longer. Says whether something still waits.
    pub(super) fn catch_up(&mut self) -> bool {
        if self.deferred_input.has_other_views && !self.waits_for_press() {
            self.deferred_input.has_other_views = false;
            self.views.follow(self.cursor_px, self.editor.is_busy());
        }
        while let Some((kind, mods)) = self.deferred_input.events.pop_front() {
            if self.is_too_early(&kind) {
                self.deferred_input.events.push_front((kind, mods));
                return true;
            }
            self.act_now(&kind, mods);
        }
        false
    }

    /// Whether the pointer is said to be, or to be pressed, in another view than that of a press of
    /// which it is not known what it hit.
    fn is_too_early(&self, kind: &EventKind) -> bool {
        let at_px = match kind {
            EventKind::Move(at_px) => Some(*at_px),
            EventKind::Press(_) => self.editor.cursor_px(),
            _ => None,
        };
        let is_elsewhere = |at_px| self.views.at(at_px).viewport() != self.views.current().viewport();
        self.waits_for_press() && at_px.is_some_and(is_elsewhere)
    }

    fn waits_for_press(&self) -> bool {
        self.editor.gizmo.is_busy() && !self.editor.gizmo.is_active()
    }
}
