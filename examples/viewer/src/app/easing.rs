//! Eased camera jumps in the window. Replays jump at once.

use super::screen::Screen;
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
    arrival: Option<Arrival>,
}

/// A node to look through at the end of a jump, and the camera to return to.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    node: usize,
    home: Orbit,
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
        let before = self.place();
        change(self);
        self.ease_from(before);
    }

    /// Returns the place of the main camera, without roll.
    fn place(&self) -> Option<Orbit> {
        let cameras = &self.session.cameras;
        cameras.orbit().or_else(|| cameras.orbit_like_main(self.session.canvas))
    }

    /// Moves from this camera to the current one, if both are orbit cameras that differ. The projection changes
    /// at once.
    pub(super) fn ease_from(&mut self, before: Option<Orbit>) {
        let Some((mut from, to)) = before.zip(self.session.cameras.orbit()) else { return };
        from.set_orthographic(to.is_orthographic());
        if from != to && !self.panel.page.preferences.reduces_motion() {
            self.session.cameras.set_orbit(from);
            self.easing = Some(Easing { from, to, began: Instant::now(), arrival: None });
            self.wake();
        }
    }

    /// Jumps to the end of the motion at once, because the user moves the camera or presses something.
    pub(super) fn end_easing(&mut self) {
        if let Some(easing) = self.easing.take() {
            self.session.cameras.set_orbit(easing.to);
            self.arrive(easing.arrival);
            self.update_views();
        }
    }

    /// Looks through a node after a jump to its place.
    fn arrive(&mut self, arrival: Option<Arrival>) {
        let Some(Arrival { node, home }) = arrival else { return };
        self.session.cameras.set_orbit(home);
        // A recording must contain the camera to return to.
        self.update_views();
        self.session.cameras.look_through(node, self.session.editor.scene());
    }

    /// Looks through a node, after a jump to its place from the current camera or from another node.
    pub(super) fn ease_through(&mut self, node: usize) {
        let from = self.place();
        let cameras = &mut self.session.cameras;
        // The camera to return to stays the same from node to node.
        cameras.leave_node();
        let home = cameras.orbit();
        cameras.look_through(node, self.session.editor.scene());
        let place = cameras.orbit_like_main(self.session.canvas);
        let Some((home, place)) = home.zip(place) else { return };
        cameras.leave_node();
        cameras.set_orbit(place);
        self.ease_from(from);
        let arrival = Some(Arrival { node, home });
        match &mut self.easing {
            Some(easing) => easing.arrival = arrival,
            None => self.arrive(arrival),
        }
    }

    /// Returns from a node to the camera before it.
    pub(super) fn ease_from_node(&mut self) {
        let place = self.session.cameras.orbit_like_main(self.session.canvas);
        self.session.cameras.leave_node();
        self.ease_from(place);
    }

    /// Moves the camera on. Returns true if the motion needs another step.
    pub(super) fn step_easing(&mut self) -> bool {
        let Some((orbit, is_over)) = self.easing.map(|easing| easing.at(Instant::now())) else {
            return false;
        };
        self.session.cameras.set_orbit(orbit);
        if is_over && let Some(easing) = self.easing.take() {
            self.arrive(easing.arrival);
        }
        !is_over
    }
}
