//! Eased camera jumps in the window. Replays jump at once.

use super::screen::Screen;
use session::orbit::Orbit;
use std::time::{Duration, Instant};

/// Duration of a jump.
const DURATION: Duration = Duration::from_millis(220);

/// A jump in progress.
#[derive(Debug, Clone, Copy)]
pub(super) struct Easing {
    from: Orbit,
    to: Orbit,
    began: Instant,
}

impl Easing {
    /// Returns the camera at a time, and whether the jump is over then.
    fn at(&self, now: Instant) -> (Orbit, bool) {
        let part = (now - self.began).as_secs_f64() / DURATION.as_secs_f64();
        if part >= 1.0 {
            return (self.to, true);
        }
        // Slow at both ends.
        let part = part * part * (3.0 - 2.0 * part);
        (self.from.toward(&self.to, part), false)
    }
}

impl Screen {
    /// Changes the camera, with a short motion from the old camera to the new one unless motion is reduced.
    pub(super) fn jump(&mut self, change: impl FnOnce(&mut Self)) {
        self.end_easing();
        let before = self.session.cameras.orbit();
        change(self);
        self.ease_from(before);
    }

    /// Moves from this camera to the current one, if both are orbit cameras that differ.
    pub(super) fn ease_from(&mut self, before: Option<Orbit>) {
        let Some((from, to)) = before.zip(self.session.cameras.orbit()) else { return };
        let is_jump = from != to && from.is_orthographic() == to.is_orthographic();
        if is_jump && !self.panel.page.preferences.reduces_motion() {
            self.session.cameras.set_orbit(from);
            self.easing = Some(Easing { from, to, began: Instant::now() });
            self.wake();
        }
    }

    /// Jumps to the end of the motion at once, because the user moves the camera or presses something.
    pub(super) fn end_easing(&mut self) {
        if let Some(easing) = self.easing.take() {
            self.session.cameras.set_orbit(easing.to);
            self.update_views();
        }
    }

    /// Moves the camera on. Returns true if the motion needs another step.
    pub(super) fn step_easing(&mut self) -> bool {
        let Some((orbit, is_over)) = self.easing.map(|easing| easing.at(Instant::now())) else {
            return false;
        };
        self.session.cameras.set_orbit(orbit);
        if is_over {
            self.easing = None;
        }
        !is_over
    }
}
