//! Drags that keys or menus begin: they follow the pointer until a press or Enter ends them.

use super::screen::Screen;
use session::free_handle;
use session::replay_file::{EventKind, Mods};
use wgpu_gizmo::Mode;

impl Screen {
    /// Begins a drag that follows the pointer, in this mode. It replaces a drag that a key began.
    pub(super) fn grab(&mut self, mode: Mode) {
        let is_held = self.pointer_capture.side.is_some() || self.navigation.is_some();
        let Some(handle) = free_handle(mode).filter(|_| !is_held) else { return };
        if self.session.editor.selection().nodes().is_empty() {
            return self.session.editor.explain_no_change();
        }
        self.end_easing();
        if self.session.editor.gizmo().is_active() {
            self.act(EventKind::Cancel);
            // The drag must have ended before the next one begins. A camera without a valid view leaves
            // the picture unchanged.
            let _ = self.update_session();
        }
        if self.is_over_panel() {
            // The pointer has left the view, but the drag follows it all the same.
            self.act(EventKind::Move(self.cursor_px));
        }
        self.act(EventKind::Grab(handle));
    }

    /// Begins a drag along an axis or in a plane, named by its key, in the mode of the gizmo.
    pub(super) fn grab_along(&mut self, key: &str, mods: Mods) {
        if !self.session.editor.selection().nodes().is_empty() {
            self.grab(self.session.editor.values().gizmo.mode);
        }
        self.act_with(&EventKind::Key(key.to_owned()), mods);
    }

    /// Ends the drag of the wheel, if one is in progress. It has no release, and must not be lost.
    pub(super) fn end_wheel(&mut self) {
        if self.session.editor.is_dragging() {
            // To select what is selected ends no other drag, and a recording can have it.
            self.act(EventKind::Select(self.session.editor.selection().nodes().to_vec()));
        }
    }

    /// Returns true while a drag owns the pointer, wherever it is: one in the view whose button is down, or
    /// one that a key began. Drags of a replay have a pointer of their own.
    pub(super) fn is_pointer_captured(&self) -> bool {
        let owns_pointer = self.session.editor.gizmo().is_active() && !self.is_replaying();
        self.pointer_capture.side.is_some() || owns_pointer
    }
}
