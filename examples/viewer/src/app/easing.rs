//! Eased camera jumps in the window. Replays jump at once.

use super::screen::Screen;
use scene::Scene;
use session::cameras::Cameras;
use session::orbit::Orbit;
use session::views::Canvas;
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

/// The camera before a jump to a node, and the one to return to from the node.
#[derive(Debug)]
struct Way {
    from: Orbit,
    home: Orbit,
}

/// Returns the place of the main camera, without roll.
fn place(cameras: &Cameras, canvas: Canvas) -> Option<Orbit> {
    cameras.orbit().or_else(|| cameras.orbit_like_main(canvas))
}

/// Puts the orbit camera at the place of a node. If there is no orbit camera to return to, the main camera is
/// that of the node instead.
fn set_out(cameras: &mut Cameras, node: usize, scene: &Scene, canvas: Canvas) -> Option<Way> {
    let from = place(cameras, canvas);
    // The camera to return to stays the same from node to node.
    cameras.leave_node();
    let home = cameras.orbit();
    cameras.look_through(node, scene);
    let (home, to) = home.zip(cameras.orbit_like_main(canvas))?;
    cameras.leave_node();
    cameras.set_orbit(to);
    Some(Way { from: from.unwrap_or(to), home })
}

impl Screen {
    /// Changes the camera, with a short motion from the old camera to the new one unless motion is reduced.
    pub(super) fn jump(&mut self, change: impl FnOnce(&mut Self)) {
        self.end_easing();
        let before = place(&self.session.cameras, self.session.canvas);
        change(self);
        self.ease_from(before);
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
        let (cameras, scene) = (&mut self.session.cameras, self.session.editor.scene());
        let Some(Way { from, home }) = set_out(cameras, node, scene, self.session.canvas) else { return };
        self.ease_from(Some(from));
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

#[cfg(test)]
mod tests {
    use super::*;
    use scene::built_in;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::DVec2;

    fn canvas() -> Canvas {
        Canvas { size_px: [640, 480], viewport: Viewport::from_size(640, 480), scale_factor: 1.0 }
    }

    #[test]
    fn jump_from_node_to_node_begins_there_and_keeps_home() {
        let scene = built_in::scene();
        let [first, second] = [2, scene.nodes().len() - 1];
        for is_orthographic in [false, true] {
            let mut cameras = Cameras::of_scene(&scene);
            let mut orbit = cameras.orbit().expect("the orbit camera is the main camera");
            orbit.set_orthographic(is_orthographic);
            cameras.set_orbit(orbit);
            let way = set_out(&mut cameras, first, &scene, canvas()).expect("there is a camera to return to");
            assert_eq!([way.from, way.home], [orbit; 2]);
            let at_first = cameras.orbit().expect("the orbit camera is at the node");
            assert_ne!(at_first, orbit);
            cameras.set_orbit(way.home);
            cameras.look_through(first, &scene);
            let way =
                set_out(&mut cameras, second, &scene, canvas()).expect("there is a camera to return to");
            assert_eq!([way.from, way.home], [at_first, orbit]);
            assert_ne!(cameras.orbit(), Some(at_first), "the camera is at the second node");
        }
    }

    #[test]
    fn easing_passes_between_its_ends() {
        let scene = built_in::scene();
        let from = Cameras::of_scene(&scene).orbit().expect("the orbit camera is the main camera");
        let mut to = from;
        to.turn(DVec2::new(90.0, 20.0));
        let began = Instant::now();
        let easing = Easing { from, to, began, arrival: None };
        let (half_way, is_over) = easing.at(began + DURATION / 2);
        assert!(half_way != from && half_way != to && !is_over);
        assert_eq!(easing.at(began + DURATION), (to, true));
    }
}
