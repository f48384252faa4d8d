//! Pointer capture, and keys that are deferred until their widget has the focus. From the press of a button
//! to the release of the last one, the pointer belongs to the viewport or to the panel, wherever it goes.

use super::input::is_user_input;
use winit::event::{MouseButton, WindowEvent};

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
    side: Option<Side>,
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

    /// Returns the side that has captured the pointer, if a button is down.
    pub(super) fn side(&self) -> Option<Side> {
        self.side
    }

    /// Releases the capture. The releases of held buttons may go to another window now.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Number of frames until a widget that was clicked or focused accepts keys: it gets the focus in the first
/// and edits text from the second.
const FRAMES: u8 = 2;

/// Keys that arrive before their widget has the focus, and the input after them. They are deferred, so fast typing is
/// neither lost nor interpreted as shortcuts.
#[derive(Debug, Default)]
pub(super) struct DeferredKeys {
    frames_left: u8,
    events: Vec<WindowEvent>,
}

impl DeferredKeys {
    /// Defers keys for the next frames, because the focus is about to change.
    pub(super) fn wait(&mut self) {
        self.frames_left = FRAMES;
    }

    /// Defers an event if it must wait. Returns true if it was deferred.
    pub(super) fn defer(&mut self, event: &WindowEvent) -> bool {
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. } | WindowEvent::ModifiersChanged(_));
        // Input after a deferred key waits, too: a click must not overtake the key that was pressed before it.
        let is_deferred =
            (is_key && self.frames_left > 0) || (!self.events.is_empty() && is_user_input(event));
        if is_deferred {
            self.events.push(event.clone());
        }
        is_deferred
    }

    /// Counts a frame. Returns the events that need not wait any longer.
    pub(super) fn after_frame(&mut self) -> Vec<WindowEvent> {
        self.frames_left = self.frames_left.saturating_sub(1);
        if self.frames_left == 0 { std::mem::take(&mut self.events) } else { Vec::new() }
    }

    /// Returns true if more frames are needed.
    pub(super) fn is_waiting(&self) -> bool {
        self.frames_left > 0
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
        assert_eq!(pointer_capture.side(), Some(Side::View));
        assert_eq!(pointer_capture.release(MouseButton::Right), Some(Side::View));
        assert_eq!(pointer_capture.side(), None);
        assert_eq!(pointer_capture.press(MouseButton::Left, true), Side::Panel);
        assert_eq!(pointer_capture.release(MouseButton::Middle), None, "its press was not seen");
        assert_eq!(pointer_capture.release(MouseButton::Left), Some(Side::Panel));
        pointer_capture.press(MouseButton::Left, true);
        pointer_capture.clear();
        assert_eq!((pointer_capture.release(MouseButton::Left), pointer_capture.side()), (None, None));
    }

    #[test]
    fn keys_wait_only_for_next_focused_widget() {
        let key = WindowEvent::ModifiersChanged(winit::keyboard::ModifiersState::SHIFT.into());
        let mut keys = DeferredKeys::default();
        assert!(!keys.defer(&key), "no focus change is pending");
        keys.wait();
        let other = WindowEvent::Focused(false);
        assert!(!keys.defer(&other), "no key is before it");
        assert!(keys.defer(&key) && keys.defer(&key) && !keys.defer(&WindowEvent::CloseRequested));
        assert!(keys.after_frame().is_empty() && keys.is_waiting());
        assert!(keys.defer(&key) && keys.defer(&other), "input after a key waits with it");
        assert_eq!(keys.after_frame().len(), 4);
        assert!(
            !keys.is_waiting() && !keys.defer(&key) && !keys.defer(&other) && keys.after_frame().is_empty()
        );
    }
}
