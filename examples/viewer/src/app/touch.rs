//! Touch gestures: one finger is a pointer, two orbit and zoom, three pan.

use wgpu_gizmo::glam::DVec2;

/// The phase of a touch event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Down,
    Moved,
    Up,
    /// The system canceled the touch.
    Gone,
}

/// The meaning of touch events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Gesture {
    /// The pointer moved to this position, in physical pixels.
    Moved(DVec2),
    /// The pointer was pressed at its last position.
    Pressed,
    Released,
    /// The drag of the pointer was canceled.
    Canceled,
    /// Two fingers moved by this vector, in physical pixels.
    Turned(DVec2),
    /// The distance of two fingers changed by this factor.
    Spread(f64),
    /// Three fingers moved by this vector, in physical pixels.
    Slid(DVec2),
}

/// The drag threshold of a finger, in logical pixels. Below it, a second finger can still begin a gesture
/// of two.
const DRAG_THRESHOLD_LPX: f64 = 8.0;
/// The minimum distance of two fingers for a change of their distance to count, in physical pixels.
const MIN_PINCH_DISTANCE_PX: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No finger is down, or one that has not passed the drag threshold.
    #[default]
    Idle,
    /// One finger drags as a pressed pointer.
    Pressing,
    /// Two or more fingers were down. Until all are up, none is a pointer.
    Several,
}

/// The state of all fingers that touch the screen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fingers {
    /// The id, the position of the press and the last position of each finger.
    down: Vec<(u64, DVec2, DVec2)>,
    state: State,
}

impl Fingers {
    /// Handles a touch event.
    pub(crate) fn take(&mut self, id: u64, phase: Phase, px: DVec2, scale_factor: f64) -> Vec<Gesture> {
        match phase {
            Phase::Down => self.came_down(id, px),
            Phase::Moved => self.moved(id, px, scale_factor),
            Phase::Up | Phase::Gone => self.went_up(id, px, phase == Phase::Gone),
        }
    }

    /// Forgets all fingers, because another window receives the rest of their events.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns true while a finger touches the screen.
    pub(crate) fn are_down(&self) -> bool {
        !self.down.is_empty()
    }

    fn came_down(&mut self, id: u64, px: DVec2) -> Vec<Gesture> {
        self.down.retain(|(other, ..)| *other != id);
        self.down.push((id, px, px));
        match (self.down.len(), self.state) {
            // This hovers. The press follows once the finger is known to be the only one.
            (1, State::Idle) => vec![Gesture::Moved(px)],
            (1, _) => Vec::new(),
            _ => match std::mem::replace(&mut self.state, State::Several) {
                State::Pressing => vec![Gesture::Canceled, Gesture::Released],
                State::Idle | State::Several => Vec::new(),
            },
        }
    }

    fn moved(&mut self, id: u64, px: DVec2, scale_factor: f64) -> Vec<Gesture> {
        let before: Vec<DVec2> = self.positions();
        let Some((_, start, at)) = self.down.iter_mut().find(|(other, ..)| *other == id) else {
            return Vec::new();
        };
        let start = *start;
        *at = px;
        match self.state {
            State::Pressing => vec![Gesture::Moved(px)],
            State::Idle if start.distance(px) < DRAG_THRESHOLD_LPX * scale_factor => Vec::new(),
            State::Idle => {
                self.state = State::Pressing;
                // The press is at the position where the finger came down.
                vec![Gesture::Moved(start), Gesture::Pressed, Gesture::Moved(px)]
            }
            State::Several => several(&before, &self.positions()),
        }
    }

    fn went_up(&mut self, id: u64, px: DVec2, is_gone: bool) -> Vec<Gesture> {
        let Some(index) = self.down.iter().position(|(other, ..)| *other == id) else { return Vec::new() };
        let (_, start, _) = self.down.remove(index);
        let gestures = match (self.state, is_gone) {
            (State::Idle, false) => {
                vec![Gesture::Moved(start), Gesture::Pressed, Gesture::Released]
            }
            (State::Pressing, false) => vec![Gesture::Moved(px), Gesture::Released],
            (State::Pressing, true) => vec![Gesture::Canceled, Gesture::Released],
            (State::Idle, true) | (State::Several, _) => Vec::new(),
        };
        if self.down.is_empty() {
            self.state = State::Idle;
        }
        gestures
    }

    fn positions(&self) -> Vec<DVec2> {
        self.down.iter().map(|(.., at)| *at).collect()
    }
}

/// Returns the gestures of several fingers, from their positions before and after an event.
fn several(before: &[DVec2], after: &[DVec2]) -> Vec<Gesture> {
    let center = |positions: &[DVec2]| positions.iter().sum::<DVec2>() / positions.len() as f64;
    let delta = center(after) - center(before);
    match (before, after) {
        (&[a, b], &[c, d]) => {
            let mut gestures = vec![Gesture::Turned(delta)];
            let (was, now) = (a.distance(b), c.distance(d));
            if was >= MIN_PINCH_DISTANCE_PX && now >= MIN_PINCH_DISTANCE_PX {
                gestures.push(Gesture::Spread(now / was));
            }
            gestures
        }
        (before, _) if before.len() > 2 => vec![Gesture::Slid(delta)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn px(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn all(fingers: &mut Fingers, steps: &[(u64, Phase, DVec2)]) -> Vec<Gesture> {
        steps.iter().flat_map(|(id, phase, px)| fingers.take(*id, *phase, *px, 2.0)).collect()
    }

    #[test]
    fn one_finger_presses_where_it_came_down() {
        let mut fingers = Fingers::default();
        let (start, near, far) = (px(10.0, 10.0), px(25.0, 10.0), px(27.0, 10.0));
        let drag = [(7, Phase::Down, start), (7, Phase::Moved, near), (7, Phase::Moved, far)];
        let expected = [Gesture::Moved(start), Gesture::Moved(start), Gesture::Pressed, Gesture::Moved(far)];
        assert_eq!(all(&mut fingers, &drag), expected);
        assert_eq!(all(&mut fingers, &[(7, Phase::Up, near)]), [Gesture::Moved(near), Gesture::Released]);
        let tap = [(8, Phase::Down, start), (8, Phase::Up, start)];
        let expected = [Gesture::Moved(start), Gesture::Moved(start), Gesture::Pressed, Gesture::Released];
        assert_eq!(all(&mut fingers, &tap), expected);
    }

    #[test]
    fn second_finger_cancels_drag_without_pressing() {
        let mut fingers = Fingers::default();
        all(&mut fingers, &[(1, Phase::Down, px(0.0, 0.0)), (1, Phase::Moved, px(50.0, 0.0))]);
        let second = [(2, Phase::Down, px(100.0, 0.0))];
        assert_eq!(all(&mut fingers, &second), [Gesture::Canceled, Gesture::Released]);
        // After one finger is lifted, the other is not a pointer, and neither is a third one.
        let rest = [
            (1, Phase::Up, px(50.0, 0.0)),
            (2, Phase::Moved, px(300.0, 0.0)),
            (3, Phase::Down, px(0.0, 0.0)),
            (3, Phase::Up, px(0.0, 0.0)),
            (2, Phase::Up, px(300.0, 0.0)),
        ];
        assert_eq!(all(&mut fingers, &rest), []);
        assert_eq!(all(&mut fingers, &[(4, Phase::Down, px(5.0, 5.0))]), [Gesture::Moved(px(5.0, 5.0))]);
    }

    #[test]
    fn two_fingers_never_press() {
        let mut fingers = Fingers::default();
        let steps = [
            (1, Phase::Down, px(0.0, 0.0)),
            (1, Phase::Moved, px(5.0, 0.0)),
            (2, Phase::Down, px(100.0, 0.0)),
            (1, Phase::Up, px(5.0, 0.0)),
            (2, Phase::Gone, px(100.0, 0.0)),
        ];
        assert_eq!(all(&mut fingers, &steps), [Gesture::Moved(px(0.0, 0.0))]);
    }

    #[test]
    fn two_fingers_orbit_and_zoom_and_three_pan() {
        let mut fingers = Fingers::default();
        let down = |id: u64, x: f64| (id, Phase::Down, px(x, 0.0));
        all(&mut fingers, &[down(1, 0.0), down(2, 100.0)]);
        let moved = all(&mut fingers, &[(2, Phase::Moved, px(200.0, 0.0))]);
        assert_eq!(moved, [Gesture::Turned(px(50.0, 0.0)), Gesture::Spread(2.0)]);
        // Fingers that are too close to each other do not zoom.
        let moved = all(&mut fingers, &[(2, Phase::Moved, px(1.0, 0.0))]);
        assert_eq!(moved, [Gesture::Turned(px(-99.5, 0.0))]);
        all(&mut fingers, &[down(3, 50.0)]);
        let moved = all(&mut fingers, &[(3, Phase::Moved, px(50.0, 30.0))]);
        assert_eq!(moved, [Gesture::Slid(px(0.0, 10.0))]);
    }

    #[test]
    fn canceled_touch_cancels_drag() {
        let mut fingers = Fingers::default();
        all(&mut fingers, &[(1, Phase::Down, px(0.0, 0.0)), (1, Phase::Moved, px(90.0, 0.0))]);
        let gone = all(&mut fingers, &[(1, Phase::Gone, px(90.0, 0.0))]);
        assert_eq!(gone, [Gesture::Canceled, Gesture::Released]);
        assert_eq!(all(&mut fingers, &[(9, Phase::Moved, px(0.0, 0.0)), (9, Phase::Up, px(0.0, 0.0))]), []);
    }
}
