//! The buttons and fingers that are down in one scene.

use crate::input::PointerKind;
use wgpu_gizmo::glam::DVec2;

/// A pointer after an event.
#[derive(Debug, Clone, Copy)]
pub struct Pointer {
    /// The number by which the browser tells pointers apart.
    pub id: i32,
    /// The position in physical pixels.
    pub px: DVec2,
    /// The kind.
    pub kind: PointerKind,
    /// The buttons that are down, one bit each: 1 is the primary button or a finger, 2 is the secondary button.
    pub buttons: u16,
}

const PRIMARY: u16 = 1;
const SECONDARY: u16 = 2;

/// The effect of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Act {
    /// The pointer moves, with or without a press in progress.
    Move,
    /// The press begins at the last position.
    Press,
    Release,
    /// Whatever is in progress is canceled.
    Cancel,
    /// The camera orbits by physical pixels, and multiplies its distance.
    Orbit {
        by_px: DVec2,
        zoom: f64,
    },
}

/// The pointers that are down.
///
/// Browsers send `pointerdown` for the first button of a mouse and `pointerup` for the last one, and a move for each
/// one between. So every event tells all buttons, and a press or a release is a difference to the event before.
#[derive(Debug, Default)]
pub(crate) struct Pointers {
    down: Vec<Pointer>,
    gesture: Gesture,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Gesture {
    #[default]
    None,
    /// One pointer presses.
    Press,
    /// All pointers that are down move the camera.
    Orbit,
}

impl Pointers {
    /// Handles an event of a pointer.
    pub(crate) fn take(&mut self, pointer: Pointer) -> Vec<Act> {
        let last = self.forget(pointer.id);
        let others = self.down.clone();
        if pointer.buttons != 0 {
            self.down.push(pointer);
        }
        let held = last.map_or(0, |last| last.buttons);
        let pressed = pointer.buttons & !held;
        let is_other = last.is_none() && !others.is_empty();
        match self.gesture {
            Gesture::Orbit => {
                if self.down.is_empty() {
                    self.gesture = Gesture::None;
                }
                last.map(|last| orbit(&last, &pointer, &others)).into_iter().collect()
            }
            // A mouse that hovers beside a finger.
            Gesture::Press if is_other && pressed == 0 => Vec::new(),
            Gesture::Press if is_other || pressed & SECONDARY != 0 => self.orbit(),
            Gesture::Press if pointer.buttons & PRIMARY == 0 => {
                self.gesture = Gesture::None;
                vec![Act::Move, Act::Release]
            }
            Gesture::None if pressed == PRIMARY && held == 0 && others.is_empty() => {
                self.gesture = Gesture::Press;
                vec![Act::Move, Act::Press]
            }
            Gesture::None if pressed != 0 => self.orbit(),
            Gesture::Press | Gesture::None => vec![Act::Move],
        }
    }

    /// The secondary button or a second finger cancels a drag, and then moves the camera.
    fn orbit(&mut self) -> Vec<Act> {
        self.gesture = Gesture::Orbit;
        vec![Act::Cancel]
    }

    /// Forgets a pointer whose events go elsewhere. Returns true if its press must be canceled.
    pub(crate) fn lose(&mut self, id: i32) -> bool {
        let is_lost = self.forget(id).is_some();
        let is_press = is_lost && self.gesture == Gesture::Press;
        if self.down.is_empty() {
            self.gesture = Gesture::None;
        }
        is_press
    }

    /// Ends the press in progress; its button may still be down.
    pub(crate) fn cancel(&mut self) {
        if self.gesture == Gesture::Press {
            self.gesture = Gesture::None;
        }
    }

    fn forget(&mut self, id: i32) -> Option<Pointer> {
        let index = self.down.iter().position(|pointer| pointer.id == id)?;
        Some(self.down.remove(index))
    }
}

/// Returns the motion of the camera if one of the pointers that are down moves.
fn orbit(last: &Pointer, now: &Pointer, others: &[Pointer]) -> Act {
    let zoom = others.first().map_or(1.0, |other| {
        let spread = |pointer: &Pointer| pointer.px.distance(other.px).max(1.0);
        spread(last) / spread(now)
    });
    Act::Orbit { by_px: (now.px - last.px) / (1 + others.len()) as f64, zoom }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::glam::dvec2;

    fn acts(pointers: &mut Pointers, id: i32, x: f64, buttons: u16) -> Vec<Act> {
        pointers.take(Pointer { id, px: dvec2(x, 0.0), kind: PointerKind::Exact, buttons })
    }

    fn orbited(x: f64, zoom: f64) -> Vec<Act> {
        vec![Act::Orbit { by_px: dvec2(x, 0.0), zoom }]
    }

    #[test]
    fn primary_button_presses_and_releases() {
        let mut pointers = Pointers::default();
        assert_eq!(acts(&mut pointers, 1, 0.0, 0), [Act::Move]);
        assert_eq!(acts(&mut pointers, 1, 1.0, 1), [Act::Move, Act::Press]);
        assert_eq!(acts(&mut pointers, 1, 2.0, 1), [Act::Move]);
        assert_eq!(acts(&mut pointers, 1, 3.0, 0), [Act::Move, Act::Release]);
        assert_eq!(acts(&mut pointers, 1, 4.0, 0), [Act::Move]);
    }

    #[test]
    fn secondary_button_cancels_press_until_both_are_up() {
        for buttons in [[3, 2, 0], [3, 1, 0]] {
            let mut pointers = Pointers::default();
            acts(&mut pointers, 1, 0.0, 1);
            assert_eq!(acts(&mut pointers, 1, 1.0, buttons[0]), [Act::Cancel]);
            assert_eq!(acts(&mut pointers, 1, 3.0, buttons[1]), orbited(2.0, 1.0));
            assert_eq!(acts(&mut pointers, 1, 3.0, buttons[2]), orbited(0.0, 1.0));
            assert_eq!(acts(&mut pointers, 1, 9.0, 0), [Act::Move], "{buttons:?}");
            assert_eq!(acts(&mut pointers, 1, 9.0, 1), [Act::Move, Act::Press]);
        }
    }

    #[test]
    fn other_buttons_leave_press_alone() {
        let mut pointers = Pointers::default();
        acts(&mut pointers, 1, 0.0, 1);
        assert_eq!(acts(&mut pointers, 1, 1.0, 5), [Act::Move]);
        assert_eq!(acts(&mut pointers, 1, 2.0, 4), [Act::Move, Act::Release]);
        assert_eq!(acts(&mut pointers, 1, 3.0, 0), [Act::Move]);
    }

    #[test]
    fn release_that_was_not_reported_ends_press() {
        let mut pointers = Pointers::default();
        acts(&mut pointers, 1, 0.0, 1);
        assert_eq!(acts(&mut pointers, 1, 5.0, 0), [Act::Move, Act::Release]);
        acts(&mut pointers, 1, 0.0, 2);
        acts(&mut pointers, 1, 5.0, 0);
        assert_eq!(acts(&mut pointers, 1, 9.0, 0), [Act::Move]);
    }

    #[test]
    fn second_finger_cancels_press_and_spreads() {
        let mut pointers = Pointers::default();
        acts(&mut pointers, 1, 0.0, 1);
        assert_eq!(acts(&mut pointers, 2, 10.0, 1), [Act::Cancel]);
        assert_eq!(acts(&mut pointers, 2, 20.0, 1), orbited(5.0, 0.5));
        assert_eq!(acts(&mut pointers, 1, 0.0, 0), orbited(0.0, 1.0));
        assert_eq!(acts(&mut pointers, 2, 26.0, 1), orbited(6.0, 1.0), "one finger is left");
        assert_eq!(acts(&mut pointers, 2, 26.0, 0), orbited(0.0, 1.0));
        assert_eq!(acts(&mut pointers, 3, 0.0, 1), [Act::Move, Act::Press]);
    }

    #[test]
    fn lost_or_canceled_press_is_not_released() {
        let mut pointers = Pointers::default();
        acts(&mut pointers, 1, 0.0, 1);
        assert!(pointers.lose(1) && !pointers.lose(1));
        acts(&mut pointers, 1, 0.0, 1);
        pointers.cancel();
        assert_eq!(acts(&mut pointers, 1, 1.0, 1), [Act::Move]);
        assert_eq!(acts(&mut pointers, 1, 1.0, 0), [Act::Move]);
    }
}
