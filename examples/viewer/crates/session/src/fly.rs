//! Fly mode: the pointer turns the camera and keys move it, as in a game. The window provides the time.

use crate::orbit::Orbit;
use std::time::Duration;
use wgpu_gizmo_core::glam::DVec3;

/// The state of fly mode.
#[derive(Debug, Clone)]
pub struct Fly {
    /// World units per second.
    speed: f64,
    /// The directions of the keys that are held.
    held: Vec<DVec3>,
    /// Whether the key is held that speeds up the flight.
    pub is_fast: bool,
}

/// The initial speed per second, as a fraction of the distance to the center of the orbit.
const INITIAL_SPEED: f64 = 0.6;
/// The speed factor while Shift is held.
const FAST_FACTOR: f64 = 4.0;
/// The maximum time step. A longer frame moves no farther, so a slow frame causes no jump.
const MAX_STEP: Duration = Duration::from_millis(100);

impl Fly {
    /// Returns the initial state, with a speed that suits the distance of the orbit.
    pub fn new(orbit: &Orbit) -> Self {
        Self { speed: INITIAL_SPEED * orbit.distance, held: Vec::new(), is_fast: false }
    }

    /// Handles a key of a direction: a unit vector of right, up in world space, forward.
    pub fn hold(&mut self, direction: DVec3, is_held: bool) {
        self.held.retain(|other| *other != direction);
        if is_held {
            self.held.push(direction);
        }
    }

    /// Changes the speed by a number of wheel notches.
    pub fn speed_up(&mut self, notches: f64) {
        self.speed = (self.speed * 1.2f64.powf(notches)).clamp(1e-6, 1e9);
    }

    /// Returns the speed in world units per second, without the factor of Shift.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Moves the camera by the elapsed time. Returns false if no key moves it.
    pub fn step(&self, orbit: &mut Orbit, elapsed: Duration) -> bool {
        let speed = if self.is_fast { FAST_FACTOR * self.speed } else { self.speed };
        // Normalized, so that a diagonal is not faster.
        let direction = self.held.iter().sum::<DVec3>().normalize_or_zero();
        let is_moving = direction != DVec3::ZERO;
        if is_moving {
            orbit.fly(direction * speed * elapsed.min(MAX_STEP).as_secs_f64());
        }
        is_moving
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn orbit() -> Orbit {
        Orbit::around(Ball::new(DVec3::new(1.0, 2.0, 3.0), 2.0))
    }

    fn eye(orbit: &Orbit) -> DVec3 {
        let viewport = Viewport::from_size(640, 480);
        let [view_from_world, clip_from_view] = orbit.matrices(viewport);
        let view = View::new(view_from_world, clip_from_view, viewport, 1.0).expect("the view is valid");
        view.eye().expect("the camera is in perspective")
    }

    #[test]
    fn distance_is_independent_of_frame_rate() {
        let fly = || {
            let mut fly = Fly::new(&orbit());
            fly.hold(DVec3::Z, true);
            fly.hold(DVec3::NEG_X, true);
            fly
        };
        let moved = |steps: u32| {
            let (fly, mut orbit) = (fly(), orbit());
            let start = eye(&orbit);
            (0..steps).for_each(|_| _ = fly.step(&mut orbit, Duration::from_secs(1) / steps));
            eye(&orbit) - start
        };
        assert!(moved(10).abs_diff_eq(moved(1000), 1e-9));
        let speed = INITIAL_SPEED * orbit().distance;
        assert!((moved(10).length() / speed - 1.0).abs() < 1e-9, "a diagonal is not faster");
    }

    #[test]
    fn shift_and_wheel_change_speed_and_step_is_clamped() {
        let moved = |change: &dyn Fn(&mut Fly), elapsed: Duration| {
            let (mut fly, mut orbit) = (Fly::new(&orbit()), orbit());
            fly.hold(DVec3::Y, true);
            change(&mut fly);
            let start = eye(&orbit);
            fly.step(&mut orbit, elapsed);
            (eye(&orbit) - start).y
        };
        let default = moved(&|_| {}, MAX_STEP);
        assert_eq!(moved(&|_| {}, Duration::from_secs(3600)), default);
        assert!((moved(&|fly| fly.is_fast = true, MAX_STEP) / default - FAST_FACTOR).abs() < 1e-9);
        assert!((moved(&|fly| fly.speed_up(-2.0), MAX_STEP) / default - 1.2f64.powi(-2)).abs() < 1e-9);
        assert_eq!(moved(&|fly| fly.hold(DVec3::Y, false), MAX_STEP), 0.0);
        assert_eq!(moved(&|fly| fly.hold(DVec3::NEG_Y, true), MAX_STEP), 0.0, "opposite keys cancel out");
    }
}
