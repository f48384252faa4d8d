//! The 3D mouse in the window: steps its motion by the clock, and records its drags as their amounts.

use super::screen::Screen;
use session::command::Command;
use session::replay_file::{EventKind, Mods};
use session::space_mouse::{Deflection, Drive, Moves, Report, SpaceMouse};
use std::time::Duration;
use web_time::Instant;

/// A cap that has not moved for this long is taken to be at rest: its device may be unplugged, which its daemon
/// does not report. A hand is never so steady.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The 3D mouse, and when it moved.
#[derive(Debug, Default)]
pub(super) struct SpaceMouseInput {
    mouse: SpaceMouse,
    /// Time of the last step, while the cap is deflected.
    last_step: Option<Instant>,
    last_report: Option<Instant>,
    /// The modifiers at the last step.
    mods: Mods,
    /// Whether another window has the focus. It gets the reports too.
    pub(super) is_unfocused: bool,
}

impl Screen {
    /// Handles a report.
    pub(super) fn on_space_mouse(&mut self, report: Report) {
        if self.space_mouse.is_unfocused || self.is_replaying() {
            return;
        }
        match report {
            Report::Moved(deflection) => {
                self.space_mouse.mouse.set(deflection);
                self.space_mouse.last_report = Some(Instant::now());
            }
            Report::Pressed(0) => self.toggle_space_mouse(),
            Report::Pressed(1) => self.run(Command::FrameSelection),
            Report::Pressed(_) => return,
        }
        self.wake();
    }

    fn toggle_space_mouse(&mut self) {
        let moves = &mut self.panel.page.preferences.space_mouse;
        let (now, message) = match *moves {
            Moves::Selection => (Moves::Camera, "The SpaceMouse moves the camera"),
            Moves::Camera => (Moves::Selection, "The SpaceMouse moves the selection"),
        };
        *moves = now;
        self.end_space_mouse();
        self.session.editor.show_message(message);
    }

    /// Moves by the deflection until now. Returns true if it needs another step.
    pub(super) fn step_space_mouse(&mut self) -> bool {
        let input = &mut self.space_mouse;
        if !input.mouse.is_active() {
            input.last_step = None;
            return false;
        }
        let now = Instant::now();
        if self.flight.is_some() || input.last_report.is_some_and(|at| now - at > TIMEOUT) {
            input.mouse.set(Deflection::REST);
        }
        // The first step only begins the motion, because its start is unknown.
        let elapsed = now - input.last_step.replace(now).unwrap_or(now);
        self.end_easing();
        let mods = self.mods();
        let moves = self.panel.page.preferences.space_mouse;
        let input = &mut self.space_mouse;
        let ended = self.session.move_by_space_mouse(&mut input.mouse, moves, elapsed);
        match ended {
            Some(drive) => self.record_drive(drive),
            None => self.space_mouse.mods = mods,
        }
        self.space_mouse.mouse.is_active()
    }

    /// Ends the drag of the cap.
    fn end_space_mouse(&mut self) {
        if let Some(drive) = self.session.end_space_mouse_drive(&mut self.space_mouse.mouse) {
            self.record_drive(drive);
        }
    }

    fn record_drive(&mut self, drive: Drive) {
        let kind = EventKind::Drive(drive.handle, drive.amount());
        self.recorder.event(&kind, self.space_mouse.mods, &self.session);
        self.recorder.after(&self.session.editor);
        self.record_views();
    }

    /// Ends the drag of the cap before another event, because only one drag can be in progress. Returns true if the
    /// event was to cancel that drag.
    pub(super) fn ends_space_mouse(&mut self, kind: &EventKind) -> bool {
        if !self.space_mouse.mouse.is_driving() || matches!(kind, EventKind::Move(_)) {
            return false;
        }
        let is_cancel = match kind {
            EventKind::Cancel | EventKind::Command(Command::Cancel) => true,
            EventKind::Key(key) => key == "escape",
            _ => false,
        };
        match is_cancel {
            true => self.session.cancel_space_mouse_drive(&mut self.space_mouse.mouse),
            false => self.end_space_mouse(),
        }
        is_cancel
    }

    /// Ends all motion, because another window gets the reports from now on.
    pub(super) fn lose_space_mouse(&mut self) {
        self.space_mouse.is_unfocused = true;
        self.space_mouse.mouse.set(Deflection::REST);
        self.end_space_mouse();
    }
}
