//! Whose the pointer is: from the press of a button to the release of the last one it belongs to
//! the view or to the panel, wherever it goes. And keys that wait for the widget they are for.

use winit::event::{MouseButton, WindowEvent};

/// Who is meant by what the pointer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    View,
    Panel,
}

/// The buttons that are down, and whose they are.
#[derive(Debug, Default)]
pub(super) struct PointerCapture {
    held: Vec<MouseButton>,
    side: Option<Side>,
}

impl PointerCapture {
    /// A button goes down; whose it is.
    pub(super) fn press(&mut self, button: MouseButton, over_panel: bool) -> Side {
        if !self.held.contains(&button) {
            self.held.push(button);
        }
        *self.side.get_or_insert(if over_panel { Side::Panel } else { Side::View })
    }

    /// A button goes up; whose it was. Nobody's where its press was not seen.
    pub(super) fn release(&mut self, button: MouseButton) -> Option<Side> {
        let place = self.held.iter().position(|held| *held == button)?;
        self.held.remove(place);
        let side = self.side;
        if self.held.is_empty() {
            self.side = None;
        }
        side
    }

    /// Whose the pointer is now, while a button is down.
    pub(super) fn side(&self) -> Option<Side> {
        self.side
    }

    /// Releases may go to another window now.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Frames until a widget that was clicked or gone to takes the keys: in the first it gets the
/// focus, in the second it is a text.
const FRAMES: u8 = 2;

/// Keys that came before the widget that they are for could take them. They wait for it, so that
/// what is typed faster than frames are drawn is not lost, and not taken for shortcuts.
#[derive(Debug, Default)]
pub(super) struct Keys {
    frames: u8,
    kept: Vec<WindowEvent>,
}

impl Keys {
    /// The focus is about to go elsewhere.
    pub(super) fn wait(&mut self) {
        self.frames = FRAMES;
    }

    /// Whether an event waits; it is kept if so.
    pub(super) fn keep(&mut self, event: &WindowEvent) -> bool {
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. } | WindowEvent::ModifiersChanged(_));
        let waits = is_key && self.frames > 0;
        if waits {
            self.kept.push(event.clone());
        }
        waits
    }

    /// A frame was drawn; what need not wait any longer.
    pub(super) fn after_frame(&mut self) -> Vec<WindowEvent> {
        self.frames = self.frames.saturating_sub(1);
        if self.frames == 0 { std::mem::take(&mut self.kept) } else { Vec::new() }
    }

    /// Whether frames are needed.
    pub(super) fn is_waiting(&self) -> bool {
        self.frames > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_had_the_first_button_has_them_all_until_the_last_is_up() {
        let mut pointer_capture = PointerCapture::default();
        assert_eq!(pointer_capture.press(MouseButton::Left, false), Side::View);
        assert_eq!(pointer_capture.press(MouseButton::Right, true), Side::View, "over the panel by now");
        assert_eq!(pointer_capture.release(MouseButton::Left), Some(Side::View));
        assert_eq!(pointer_capture.side(), Some(Side::View));
        assert_eq!(pointer_capture.release(MouseButton::Right), Some(Side::View));
        assert_eq!(pointer_capture.side(), None);
        assert_eq!(pointer_capture.press(MouseButton::Left, true), Side::Panel);
        assert_eq!(pointer_capture.release(MouseButton::Middle), None, "was pressed elsewhere");
        assert_eq!(pointer_capture.release(MouseButton::Left), Some(Side::Panel));
        pointer_capture.press(MouseButton::Left, true);
        pointer_capture.forget();
        assert_eq!((pointer_capture.release(MouseButton::Left), pointer_capture.side()), (None, None));
    }

    #[test]
    fn keys_wait_for_the_widget_that_was_gone_to_and_for_nothing_else() {
        let key = WindowEvent::ModifiersChanged(winit::keyboard::ModifiersState::SHIFT.into());
        let mut keys = Keys::default();
        assert!(!keys.keep(&key), "nobody has gone anywhere");
        keys.wait();
        assert!(keys.keep(&key) && keys.keep(&key) && !keys.keep(&WindowEvent::CloseRequested));
        assert!(keys.after_frame().is_empty() && keys.is_waiting());
        assert!(keys.keep(&key));
        assert_eq!(keys.after_frame().len(), 3);
        assert!(!keys.is_waiting() && !keys.keep(&key) && keys.after_frame().is_empty());
    }
}
