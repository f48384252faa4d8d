//! Flying: the pointer looks about, keys move the eye, as in a game. What is held is known here;
//! the clock is the window's.

use crate::orbit::Orbit;
use std::time::Duration;
use wgpu_gizmo::glam::{DVec2, DVec3};

/// A way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
}

impl Way {
    /// To the right, up in the world, and forward.
    fn direction(self) -> DVec3 {
        match self {
            Self::Forward => DVec3::Z,
            Self::Back => DVec3::NEG_Z,
            Self::Left => DVec3::NEG_X,
            Self::Right => DVec3::X,
            Self::Up => DVec3::Y,
            Self::Down => DVec3::NEG_Y,
        }
    }
}

/// A flight, from when it begins.
#[derive(Debug, Clone)]
pub(crate) struct Fly {
    /// World units in a second.
    speed: f64,
    held: Vec<Way>,
    is_fast: bool,
}

/// Part of the distance to what was looked at that a second takes one at first.
const FIRST_SPEED: f64 = 0.6;
/// How much faster it goes with Shift held.
const FAST: f64 = 4.0;
/// A frame that took longer counts as long: nobody flies through a wall because a driver was
/// busy.
const LONGEST: Duration = Duration::from_millis(100);

impl Fly {
    /// As fast as suits what a camera looks at.
    pub(crate) fn new(orbit: &Orbit) -> Self {
        Self { speed: FIRST_SPEED * orbit.distance(), held: Vec::new(), is_fast: false }
    }

    /// A key went down or up.
    pub(crate) fn hold(&mut self, way: Way, is_held: bool) {
        self.held.retain(|other| *other != way);
        if is_held {
            self.held.push(way);
        }
    }

    /// The key for haste went down or up.
    pub(crate) fn hurry(&mut self, is_fast: bool) {
        self.is_fast = is_fast;
    }

    /// Faster by so many notches of a wheel.
    pub(crate) fn speed_up(&mut self, notches: f64) {
        self.speed = (self.speed * 1.2f64.powf(notches)).clamp(1e-6, 1e9);
    }

    /// World units in a second, without haste.
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether it moves at all.
    pub(crate) fn is_moving(&self) -> bool {
        self.way() != DVec3::ZERO
    }

    fn way(&self) -> DVec3 {
        self.held.iter().map(|way| way.direction()).sum()
    }

    /// The pointer moved.
    pub(crate) fn look(&self, orbit: &mut Orbit, by_lpx: DVec2) {
        orbit.look(by_lpx);
    }

    /// Time went by.
    pub(crate) fn step(&self, orbit: &mut Orbit, elapsed: Duration) {
        let pace = if self.is_fast { FAST * self.speed } else { self.speed };
        // Slantwise is no faster than straight on.
        let way = self.way().normalize_or_zero();
        if way != DVec3::ZERO {
            orbit.fly(way * pace * elapsed.min(LONGEST).as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orbit::Ball;
    use wgpu_gizmo::{View, Viewport};

    fn orbit() -> Orbit {
        Orbit::around(Ball::new(DVec3::new(1.0, 2.0, 3.0), 2.0))
    }

    fn eye(orbit: &Orbit) -> DVec3 {
        let viewport = Viewport::of_size(640, 480);
        let [view_from_world, clip_from_view] = orbit.matrices(viewport);
        let view = View::new(view_from_world, clip_from_view, viewport, 1.0).expect("usable");
        view.eye().expect("in perspective")
    }

    #[test]
    fn a_second_goes_as_far_in_many_steps_as_in_few() {
        let fly = || {
            let mut fly = Fly::new(&orbit());
            fly.hold(Way::Forward, true);
            fly.hold(Way::Left, true);
            fly
        };
        let gone = |steps: u32| {
            let (fly, mut orbit) = (fly(), orbit());
            let start = eye(&orbit);
            (0..steps).for_each(|_| fly.step(&mut orbit, Duration::from_secs(1) / steps));
            eye(&orbit) - start
        };
        assert!(gone(10).abs_diff_eq(gone(1000), 1e-9));
        let speed = FIRST_SPEED * orbit().distance();
        assert!((gone(10).length() / speed - 1.0).abs() < 1e-9, "slantwise is no faster");
    }

    #[test]
    fn haste_and_the_wheel_change_the_pace_and_a_long_frame_does_not_count() {
        let gone = |change: &dyn Fn(&mut Fly), elapsed: Duration| {
            let (mut fly, mut orbit) = (Fly::new(&orbit()), orbit());
            fly.hold(Way::Up, true);
            change(&mut fly);
            let start = eye(&orbit);
            fly.step(&mut orbit, elapsed);
            (eye(&orbit) - start).y
        };
        let usual = gone(&|_| {}, LONGEST);
        assert_eq!(gone(&|_| {}, Duration::from_secs(3600)), usual);
        assert!((gone(&|fly| fly.hurry(true), LONGEST) / usual - FAST).abs() < 1e-9);
        assert!((gone(&|fly| fly.speed_up(-2.0), LONGEST) / usual - 1.2f64.powi(-2)).abs() < 1e-9);
        assert_eq!(gone(&|fly| fly.hold(Way::Up, false), LONGEST), 0.0);
        assert_eq!(gone(&|fly| fly.hold(Way::Down, true), LONGEST), 0.0, "both ways is none");
    }
}
