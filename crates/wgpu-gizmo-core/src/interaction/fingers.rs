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
    /// The touch was canceled, or a second finger came down: the gesture belongs to the camera.
    Canceled,
    /// A finger of a gesture that does not belong to the gizmo.
    Other,
}

/// The fingers that touch a screen, for adapters of window systems. Only a first finger that stays the only one is a
/// pointer.
///
/// ```
/// use wgpu_gizmo_core::interaction::{Finger, Fingers, TouchPhase};
///
/// let mut fingers = Fingers::default();
/// assert_eq!(fingers.take(1, TouchPhase::Started), Finger::Down);
/// assert_eq!(fingers.take(2, TouchPhase::Started), Finger::Canceled);
/// assert_eq!(fingers.take(1, TouchPhase::Moved), Finger::Other);
/// assert!(fingers.are_down());
/// fingers.take(1, TouchPhase::Ended);
/// fingers.take(2, TouchPhase::Ended);
/// assert!(!fingers.are_down());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fingers {
    down: Vec<u64>,
    /// The finger that is the pointer.
    pointer: Option<u64>,
}

impl Fingers {
    /// Returns true while a finger touches the screen.
    pub fn are_down(&self) -> bool {
        !self.down.is_empty()
    }

    /// Returns the meaning of a touch. `id` tells the fingers apart.
    pub fn take(&mut self, id: u64, phase: TouchPhase) -> Finger {
        let is_pointer = self.pointer == Some(id);
        match phase {
            TouchPhase::Started => {
                // The end of an earlier touch with this id was lost.
                self.down.retain(|other| *other != id);
                self.down.push(id);
                match (self.down.len(), self.pointer.take()) {
                    (1, _) => {
                        self.pointer = Some(id);
                        Finger::Down
                    }
                    (_, Some(_)) => Finger::Canceled,
                    (_, None) => Finger::Other,
                }
            }
            TouchPhase::Moved if is_pointer => Finger::Moved,
            TouchPhase::Moved => Finger::Other,
            TouchPhase::Ended | TouchPhase::Canceled => {
                self.down.retain(|other| *other != id);
                if !is_pointer {
                    return Finger::Other;
                }
                self.pointer = None;
                if phase == TouchPhase::Ended { Finger::Up } else { Finger::Canceled }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TouchPhase::{Canceled, Ended, Moved, Started};
    use super::{Finger, Fingers};

    #[test]
    fn only_first_and_single_finger_is_pointer() {
        let mut fingers = Fingers::default();
        let events = [
            (1, Started, Finger::Down),
            (1, Moved, Finger::Moved),
            (2, Started, Finger::Canceled),
            (1, Moved, Finger::Other),
            (3, Started, Finger::Other),
            (1, Ended, Finger::Other),
            (2, Moved, Finger::Other),
            (2, Ended, Finger::Other),
            (3, Canceled, Finger::Other),
            (4, Started, Finger::Down),
            (4, Ended, Finger::Up),
            (4, Ended, Finger::Other),
            (5, Started, Finger::Down),
            (5, Started, Finger::Down),
            (5, Canceled, Finger::Canceled),
        ];
        for (index, (id, phase, expected)) in events.into_iter().enumerate() {
            assert_eq!(fingers.take(id, phase), expected, "event {index}");
        }
    }
}
