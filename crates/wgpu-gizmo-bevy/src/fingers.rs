//! Which finger is the pointer.

use bevy::input::touch::TouchPhase;

/// The meaning of a touch event for the gizmo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finger {
    /// The first finger came down.
    Down,
    Moved,
    Up,
    /// The touch was canceled, or a second finger came down: the gesture belongs to the camera.
    Canceled,
    /// A finger of a gesture that does not belong to the gizmo.
    Other,
}

/// The fingers that touch the screen. Only a first finger that stays the only one is a pointer.
#[derive(Debug, Default)]
pub(crate) struct Fingers {
    down: Vec<u64>,
    /// The finger that is the pointer.
    pointer: Option<u64>,
}

impl Fingers {
    pub(crate) fn handle_touch(&mut self, id: u64, phase: TouchPhase) -> Finger {
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
    use super::{Finger, Fingers};
    use bevy::input::touch::TouchPhase::{Canceled, Ended, Moved, Started};

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
            assert_eq!(fingers.handle_touch(id, phase), expected, "event {index}");
        }
    }
}
