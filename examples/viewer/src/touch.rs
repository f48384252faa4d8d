//! Fingers: one is a pointer, two turn the view and bring it nearer, three move it sideways.

use wgpu_gizmo::glam::DVec2;

/// What happens to a finger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Down,
    Moved,
    Up,
    /// The system took it away.
    Gone,
}

/// What fingers mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Gesture {
    /// The pointer is here, in physical pixels.
    Moved(DVec2),
    /// The pointer is pressed, where it was said to be last.
    Pressed,
    Released,
    /// What the pointer began ends as if it had never been.
    Cancelled,
    /// Two fingers went this far, in physical pixels.
    Turned(DVec2),
    /// They are so many times as far apart.
    Spread(f64),
    /// Three fingers went this far, in physical pixels.
    Slid(DVec2),
}

/// A finger that has moved less than this, in logical pixels, may still be the first of two.
const STILL_LPX: f64 = 8.0;
/// Fingers that are closer than this, in physical pixels, say nothing by how far apart they are.
const APART_PX: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No finger, or one that has done nothing yet.
    #[default]
    Still,
    /// One is a pointer that is pressed.
    Pressing,
    /// There were two or more: until all are up, none is a pointer.
    Several,
}

/// The fingers on the glass.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fingers {
    /// Who, where it came down, and where it is.
    down: Vec<(u64, DVec2, DVec2)>,
    state: State,
}

impl Fingers {
    /// Takes in what happened to a finger.
    pub(crate) fn take(&mut self, id: u64, phase: Phase, px: DVec2, scale_factor: f64) -> Vec<Gesture> {
        match phase {
            Phase::Down => self.came_down(id, px),
            Phase::Moved => self.moved(id, px, scale_factor),
            Phase::Up | Phase::Gone => self.went_up(id, px, phase == Phase::Gone),
        }
    }

    /// All fingers are gone: what becomes of them, another window is told.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether any finger is on the glass.
    pub(crate) fn are_down(&self) -> bool {
        !self.down.is_empty()
    }

    fn came_down(&mut self, id: u64, px: DVec2) -> Vec<Gesture> {
        self.down.retain(|(other, ..)| *other != id);
        self.down.push((id, px, px));
        match (self.down.len(), self.state) {
            // What is under it shows; it is pressed once it is known to be the only one.
            (1, State::Still) => vec![Gesture::Moved(px)],
            (1, _) => Vec::new(),
            _ => match std::mem::replace(&mut self.state, State::Several) {
                State::Pressing => vec![Gesture::Cancelled, Gesture::Released],
                State::Still | State::Several => Vec::new(),
            },
        }
    }

    fn moved(&mut self, id: u64, px: DVec2, scale_factor: f64) -> Vec<Gesture> {
        let before: Vec<DVec2> = self.places();
        let Some((_, start, at)) = self.down.iter_mut().find(|(other, ..)| *other == id) else {
            return Vec::new();
        };
        let start = *start;
        *at = px;
        match self.state {
            State::Pressing => vec![Gesture::Moved(px)],
            State::Still if start.distance(px) < STILL_LPX * scale_factor => Vec::new(),
            State::Still => {
                self.state = State::Pressing;
                // Where it came down is what it took hold of.
                vec![Gesture::Moved(start), Gesture::Pressed, Gesture::Moved(px)]
            }
            State::Several => several(&before, &self.places()),
        }
    }

    fn went_up(&mut self, id: u64, px: DVec2, is_gone: bool) -> Vec<Gesture> {
        let Some(place) = self.down.iter().position(|(other, ..)| *other == id) else { return Vec::new() };
        let (_, start, _) = self.down.remove(place);
        let gestures = match (self.state, is_gone) {
            (State::Still, false) => {
                vec![Gesture::Moved(start), Gesture::Pressed, Gesture::Released]
            }
            (State::Pressing, false) => vec![Gesture::Moved(px), Gesture::Released],
            (State::Pressing, true) => vec![Gesture::Cancelled, Gesture::Released],
            (State::Still, true) | (State::Several, _) => Vec::new(),
        };
        if self.down.is_empty() {
            self.state = State::Still;
        }
        gestures
    }

    fn places(&self) -> Vec<DVec2> {
        self.down.iter().map(|(.., at)| *at).collect()
    }
}

/// What several fingers mean that were there and are here.
fn several(before: &[DVec2], after: &[DVec2]) -> Vec<Gesture> {
    let middle = |places: &[DVec2]| places.iter().sum::<DVec2>() / places.len() as f64;
    let by = middle(after) - middle(before);
    match (before, after) {
        (&[a, b], &[c, d]) => {
            let mut gestures = vec![Gesture::Turned(by)];
            let (apart, now) = (a.distance(b), c.distance(d));
            if apart >= APART_PX && now >= APART_PX {
                gestures.push(Gesture::Spread(now / apart));
            }
            gestures
        }
        (before, _) if before.len() > 2 => vec![Gesture::Slid(by)],
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
    fn one_finger_takes_hold_where_it_came_down_and_a_tap_is_a_click() {
        let mut fingers = Fingers::default();
        let (start, near, far) = (px(10.0, 10.0), px(25.0, 10.0), px(27.0, 10.0));
        let drag = [(7, Phase::Down, start), (7, Phase::Moved, near), (7, Phase::Moved, far)];
        let wanted = [Gesture::Moved(start), Gesture::Moved(start), Gesture::Pressed, Gesture::Moved(far)];
        assert_eq!(all(&mut fingers, &drag), wanted);
        assert_eq!(all(&mut fingers, &[(7, Phase::Up, near)]), [Gesture::Moved(near), Gesture::Released]);
        let tap = [(8, Phase::Down, start), (8, Phase::Up, start)];
        let wanted = [Gesture::Moved(start), Gesture::Moved(start), Gesture::Pressed, Gesture::Released];
        assert_eq!(all(&mut fingers, &tap), wanted);
    }

    #[test]
    fn a_second_finger_ends_a_drag_as_if_it_had_never_been_and_presses_nothing_of_its_own() {
        let mut fingers = Fingers::default();
        all(&mut fingers, &[(1, Phase::Down, px(0.0, 0.0)), (1, Phase::Moved, px(50.0, 0.0))]);
        let second = [(2, Phase::Down, px(100.0, 0.0))];
        assert_eq!(all(&mut fingers, &second), [Gesture::Cancelled, Gesture::Released]);
        // One is lifted: the other is no pointer, and a new one makes two again.
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
    fn two_fingers_that_come_down_together_never_press() {
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
    fn two_turn_and_spread_and_three_slide() {
        let mut fingers = Fingers::default();
        let down = |id: u64, x: f64| (id, Phase::Down, px(x, 0.0));
        all(&mut fingers, &[down(1, 0.0), down(2, 100.0)]);
        let moved = all(&mut fingers, &[(2, Phase::Moved, px(200.0, 0.0))]);
        assert_eq!(moved, [Gesture::Turned(px(50.0, 0.0)), Gesture::Spread(2.0)]);
        // On top of each other they have no distance to speak of.
        let moved = all(&mut fingers, &[(2, Phase::Moved, px(1.0, 0.0))]);
        assert_eq!(moved, [Gesture::Turned(px(-99.5, 0.0))]);
        all(&mut fingers, &[down(3, 50.0)]);
        let moved = all(&mut fingers, &[(3, Phase::Moved, px(50.0, 30.0))]);
        assert_eq!(moved, [Gesture::Slid(px(0.0, 10.0))]);
    }

    #[test]
    fn a_finger_that_the_system_takes_away_cancels() {
        let mut fingers = Fingers::default();
        all(&mut fingers, &[(1, Phase::Down, px(0.0, 0.0)), (1, Phase::Moved, px(90.0, 0.0))]);
        let gone = all(&mut fingers, &[(1, Phase::Gone, px(90.0, 0.0))]);
        assert_eq!(gone, [Gesture::Cancelled, Gesture::Released]);
        assert_eq!(all(&mut fingers, &[(9, Phase::Moved, px(0.0, 0.0)), (9, Phase::Up, px(0.0, 0.0))]), []);
    }
}
