//! Eased camera jumps in the window. Replays jump at once.

use super::screen::Screen;
use session::command::Command;
use session::orbit::Orbit;
use std::time::Duration;
use web_time::Instant;

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
    /// Returns the camera at a time, or `None` if the jump is over then.
    fn at(&self, now: Instant) -> Option<Orbit> {
        let part = (now - self.began).as_secs_f64() / DURATION.as_secs_f64();
        // Slow at both ends.
        let eased = part * part * (3.0 - 2.0 * part);
        (part < 1.0).then(|| self.from.toward(&self.to, eased))
    }
}

impl Screen {
    /// Runs a command of the cameras, with a short motion from the old camera to the new one unless motion is
    /// reduced.
    pub(super) fn jump(&mut self, command: Command) {
        let before = self.session.cameras.orbit_like_main(self.session.canvas);
        self.session.run_camera(command);
        self.ease_from(before);
    }

    /// Moves from this camera to the current one, if they differ. The projection changes at once.
    pub(super) fn ease_from(&mut self, before: Option<Orbit>) {
        let after = self.session.cameras.orbit_like_main(self.session.canvas);
        let Some((mut from, to)) = before.zip(after) else { return };
        from.is_orthographic = to.is_orthographic;
        if from != to && !self.panel.page.preferences.reduces_motion() {
            self.session.cameras.transit = Some(from);
            self.easing = Some(Easing { from, to, began: Instant::now() });
            self.wake();
        }
    }

    /// Jumps to the end of the motion at once, because the user moves the camera or presses something.
    pub(super) fn end_easing(&mut self) {
        if self.easing.take().is_some() {
            self.arrive();
            self.update_views();
        }
    }

    fn arrive(&mut self) {
        self.session.cameras.transit = None;
        if let Some(node) = self.session.cameras.looks_through() {
            // A recording must contain the camera to return to.
            self.session.cameras.leave_node();
            self.update_views();
            self.session.cameras.look_through(node, self.session.editor.scene());
        }
    }

    /// Moves the camera on. Returns true if the motion needs another step.
    pub(super) fn step_easing(&mut self) -> bool {
        let Some(easing) = self.easing else { return false };
        self.session.cameras.transit = easing.at(Instant::now());
        if self.session.cameras.transit.is_none() {
            self.easing = None;
            self.arrive();
        }
        self.easing.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::built_in;
    use session::cameras::Cameras;
    use wgpu_gizmo::glam::DVec2;

    #[test]
    fn easing_passes_between_its_ends() {
        let scene = built_in::scene();
        let from = Cameras::of_scene(&scene).orbit().expect("the orbit camera is the main camera");
        let mut to = from;
        to.turn(DVec2::new(90.0, 20.0));
        let began = Instant::now();
        let easing = Easing { from, to, began };
        let half_way = easing.at(began + DURATION / 2).expect("the jump is not over");
        assert!(half_way != from && half_way != to);
        assert_eq!(easing.at(began + DURATION), None);
    }
}
