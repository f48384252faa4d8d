//! Pointer capture: from the press of a button to the release of the last one, the pointer belongs to the viewport
//! or to the panel, wherever it goes.

use winit::event::MouseButton;

/// The side that receives an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    View,
    Panel,
}

/// The buttons that are down, and the side that has captured the pointer.
#[derive(Debug, Default)]
pub(super) struct PointerCapture {
    held: Vec<MouseButton>,
    pub(super) side: Option<Side>,
}

impl PointerCapture {
    /// Handles the press of a button. Returns the side that receives it.
    pub(super) fn press(&mut self, button: MouseButton, over_panel: bool) -> Side {
        if !self.held.contains(&button) {
            self.held.push(button);
        }
        *self.side.get_or_insert(if over_panel { Side::Panel } else { Side::View })
    }

    /// Handles the release of a button. Returns the side that receives it, or `None` if the press was not
    /// seen.
    pub(super) fn release(&mut self, button: MouseButton) -> Option<Side> {
        let index = self.held.iter().position(|held| *held == button)?;
        self.held.remove(index);
        let side = self.side;
        if self.held.is_empty() {
            self.side = None;
        }
        side
    }

    /// Releases the capture. The releases of held buttons may go to another window now.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_press_captures_pointer_until_last_release() {
        let mut pointer_capture = PointerCapture::default();
        assert_eq!(pointer_capture.press(MouseButton::Left, false), Side::View);
        assert_eq!(
            pointer_capture.press(MouseButton::Right, true),
            Side::View,
            "over the panel, but captured by the viewport"
        );
        assert_eq!(pointer_capture.release(MouseButton::Left), Some(Side::View));
        assert_eq!(pointer_capture.side, Some(Side::View));
        assert_eq!(pointer_capture.release(MouseButton::Right), Some(Side::View));
        assert_eq!(pointer_capture.side, None);
        assert_eq!(pointer_capture.press(MouseButton::Left, true), Side::Panel);
        assert_eq!(pointer_capture.release(MouseButton::Middle), None, "its press was not seen");
        assert_eq!(pointer_capture.release(MouseButton::Left), Some(Side::Panel));
        pointer_capture.press(MouseButton::Left, true);
        pointer_capture.clear();
        assert_eq!((pointer_capture.release(MouseButton::Left), pointer_capture.side), (None, None));
    }
}
