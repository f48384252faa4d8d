//! Touch screens.

/// The phase of a touch, as window systems report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TouchPhase {
    /// A finger came down.
    Started,
    /// A finger moved.
    Moved,
    /// A finger was lifted.
    Ended,
    /// The system canceled the touch.
    Canceled,
}

/// The meaning of a touch for a gizmo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finger {
    /// The first finger came down: the pointer moves there and is pressed.
    Down,
    /// The pointer moved.
    Moved,
    /// The pointer is released.
    Up,
    /// The touch was canceled, or its end was lost, or a second finger came down: the gesture belongs to the camera.
    Canceled,
}

/// The fingers that touch a screen, for adapters of window systems. Only a first finger that stays the only one is a
/// pointer.
///
/// ```
/// use wgpu_gizmo_core::interaction::{Finger, Fingers, TouchPhase};
///
/// let mut fingers = Fingers::default();
/// assert!(fingers.take(1, TouchPhase::Started).eq([Finger::Down]));
/// assert!(fingers.take(2, TouchPhase::Started).eq([Finger::Canceled]));
/// assert!(fingers.take(1, TouchPhase::Moved).eq([]));
/// assert!(fingers.are_down());
/// assert!(fingers.take(1, TouchPhase::Ended).eq([]));
/// assert!(fingers.take(2, TouchPhase::Ended).eq([]));
/// assert!(!fingers.are_down());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fingers {
    down: Vec<u64>,
    /// The finger that is the pointer.
    pointer: Option<u64>,
}

impl Fingers {
    /// The default tolerance of a finger in logical pixels: half of a target of 44 pixels, which WCAG 2.5.5 asks for.
    pub const TOLERANCE_LPX: f64 = 22.0;

    /// Returns true while a finger touches the screen.
    pub fn are_down(&self) -> bool {
        !self.down.is_empty()
    }

    /// Returns the meaning of a touch, in order: none if it does not belong to the gizmo, and two if a finger starts
    /// anew whose end was lost. `id` tells the fingers apart.
    pub fn take(&mut self, id: u64, phase: TouchPhase) -> impl Iterator<Item = Finger> + use<> {
        let [first, second] = match phase {
            TouchPhase::Started => {
                // If the end of an earlier touch with this id was lost, its press must not continue here.
                let lost = self.lift(id, Finger::Canceled);
                let is_first = self.down.is_empty();
                self.down.push(id);
                let before = std::mem::replace(&mut self.pointer, is_first.then_some(id));
                [lost.or(before.map(|_| Finger::Canceled)), is_first.then_some(Finger::Down)]
            }
            TouchPhase::Moved => [(self.pointer == Some(id)).then_some(Finger::Moved), None],
            TouchPhase::Ended => [self.lift(id, Finger::Up), None],
            TouchPhase::Canceled => [self.lift(id, Finger::Canceled), None],
        };
        first.into_iter().chain(second)
    }

    /// Forgets a finger. Returns `finger` if it was the pointer.
    fn lift(&mut self, id: u64, finger: Finger) -> Option<Finger> {
        self.down.retain(|other| *other != id);
        self.pointer.take_if(|pointer| *pointer == id).map(|_| finger)
    }
}

#[cfg(test)]
mod tests {
    use super::TouchPhase::{Canceled, Ended, Moved, Started};
    use super::{Finger, Fingers, TouchPhase};

    #[test]
    fn only_first_and_single_finger_is_pointer() {
        check([
            (1, Started, vec![Finger::Down]),
            (1, Moved, vec![Finger::Moved]),
            (2, Started, vec![Finger::Canceled]),
            (1, Moved, vec![]),
            (3, Started, vec![]),
            (1, Ended, vec![]),
            (2, Moved, vec![]),
            (2, Ended, vec![]),
            (3, Canceled, vec![]),
            (4, Started, vec![Finger::Down]),
            (4, Ended, vec![Finger::Up]),
            (4, Ended, vec![]),
        ]);
    }

    fn check(events: impl IntoIterator<Item = (u64, TouchPhase, Vec<Finger>)>) {
        let mut fingers = Fingers::default();
        for (index, (id, phase, expected)) in events.into_iter().enumerate() {
            assert_eq!(fingers.take(id, phase).collect::<Vec<_>>(), expected, "event {index}");
        }
        assert!(!fingers.are_down());
    }
}
