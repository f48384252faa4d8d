//! Motion in another view, presses, keys and commands that arrive before the pick of a press is answered. The gizmo
//! queues what follows a press, but within one view only, so motion in other views is deferred here. A press, a key or
//! a command acts on what was clicked before it, or on what is in a box, which is not known earlier.

use super::screen::Screen;
use session::command::Command;
use session::replay_file::{EventKind, Mods};
use std::collections::VecDeque;

/// The events that wait for the answer to a press.
#[derive(Debug, Default)]
pub(super) struct DeferredInput {
    /// The events in order of arrival.
    events: VecDeque<(EventKind, Mods)>,
}

impl DeferredInput {
    /// Discards all events.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Screen {
    /// Defers an event if it must wait for a pending press. Returns true if it was deferred.
    pub(super) fn defer_if_pending(&mut self, kind: &EventKind, mods: Mods) -> bool {
        // Events stay in order, so everything after a deferred event is deferred too.
        let is_deferred = !self.deferred_input.events.is_empty() || self.must_wait(kind);
        if is_deferred {
            self.deferred_input.events.push_back((kind.clone(), mods));
        }
        is_deferred
    }

    /// Handles the deferred events that need not wait any longer. Called after answers. Returns true if
    /// events are still waiting.
    pub(super) fn run_deferred(&mut self) -> bool {
        // If an event causes others to be deferred, these come before the remaining ones.
        let mut events = std::mem::take(&mut self.deferred_input.events);
        while let Some((kind, mods)) = events.pop_front() {
            match kind {
                kind if self.defer_if_pending(&kind, mods) => break,
                EventKind::Command(command) => self.run_now(command),
                // It was meant for the name or the path that a key before it has opened, and is no shortcut.
                EventKind::Key(_) if self.panel.page.is_renaming() || self.files.dialog.is_some() => {}
                EventKind::Key(name) => self.use_key(&name, mods, false),
                kind @ EventKind::Press(_) => {
                    // A click on the view cube before it may have turned the camera.
                    self.end_easing();
                    self.record_views();
                    let _ = self.update_session();
                    self.act_now(&kind, mods);
                }
                kind => self.act_now(&kind, mods),
            }
        }
        self.deferred_input.events.append(&mut events);
        !self.deferred_input.events.is_empty()
    }

    /// Returns true if the pointer moves in another view than that of a pending press, or if a press, a key or a
    /// command arrives before the selection is known.
    fn must_wait(&self, kind: &EventKind) -> bool {
        let is_selecting = || self.session.editor.waits() || self.stage.is_finding_region();
        let views = &self.session.views;
        match kind {
            EventKind::Move(at_px) => {
                self.session.editor.awaits_press()
                    && views.at(*at_px).viewport() != views.current().viewport()
            }
            EventKind::Press(_) => is_selecting(),
            EventKind::Command(command) => *command != Command::Cancel && is_selecting(),
            EventKind::Key(name) => {
                let is_typed = self.session.editor.gizmo().claims().keys;
                name != "escape" && !is_typed && is_selecting()
            }
            _ => false,
        }
    }
}
