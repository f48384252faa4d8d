//! Handles the window system's events: pointers, keys, sizes.

use super::pointer_capture::Side;
use super::screen::Screen;
use super::waiting_input::{is_request, is_user_input};
use crate::files::Request;
use session::KeyUse;
use session::command::{Command, LASSO_KEY};
use session::replay_file::{Button, EventKind, Mods};
use wgpu_gizmo::HandleId;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::KeyModifiers;
use wgpu_gizmo_winit::composed_text;
use winit::event::{ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// Keys that the panel's widgets use for navigation while one of them has the focus. All other keys remain
/// shortcuts.
const NAVIGATION_KEYS: [NamedKey; 12] = {
    use NamedKey::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp};
    use NamedKey::{End, Enter, Escape, Home, PageDown, PageUp, Space, Tab};
    [Tab, ArrowLeft, ArrowRight, ArrowUp, ArrowDown, Home, End, PageUp, PageDown, Enter, Space, Escape]
};

impl Screen {
    /// Handles an event of the window, now or later: gives it to the flight, the panel and the viewport.
    pub(super) fn on_event(&mut self, event: &WindowEvent) {
        match event {
            // The press of a key that was already down when the window got the focus was meant for another window.
            WindowEvent::KeyboardInput { event, is_synthetic: true, .. }
                if event.state == ElementState::Pressed => {}
            event if self.defer(event) => self.wake(),
            event => self.handle_event(event),
        }
    }

    /// Handles an event that need not wait.
    pub(super) fn handle_event(&mut self, event: &WindowEvent) {
        if self.on_flight_event(event) {
            self.wake();
            return;
        }
        let side = self.side_of(event);
        let repaint = self.on_panel_event(event, side);
        // A replay has exclusive use of the pointer and the keys. Its controls are part of the panel.
        let is_motion = matches!(event, WindowEvent::CursorMoved { .. });
        let is_ignored = self.is_replaying() && is_user_input(event) && (side == Side::View || is_motion);
        if is_ignored || self.on_view_event(event, side) || repaint {
            self.wake();
        }
    }

    /// Returns true for what opens, saves or closes: a dropped file, the button of the title bar, or the press of a
    /// shortcut, which no text uses.
    pub(super) fn is_for_files(&mut self, event: &WindowEvent) -> bool {
        let WindowEvent::KeyboardInput { event, .. } = event else { return is_request(event) };
        let name = self.keyboard.name(&event.logical_key, event.physical_key).unwrap_or_default();
        let ctrl = self.keyboard.modifiers.control_key() || self.keyboard.modifiers.super_key();
        let mods = Mods { ctrl, ..self.keyboard.mods() };
        let command = self.panel.page.preferences.keymap.command(&name, mods);
        use Command::{Open, Quit, Reload, Save, SaveAs};
        event.state == ElementState::Pressed && matches!(command, Some(Open | Save | SaveAs | Reload | Quit))
    }

    /// Gives a dialog or a field that opens the keys from now on, and none from before, such as an Esc.
    pub(super) fn give_keys_to_new(&mut self) {
        self.panel.drop_keys();
        self.waiting_input.wait_for_focus();
    }

    /// Gives an event to the panel, unless the viewport has exclusive use of it. Returns true if the panel
    /// must be shown again.
    fn on_panel_event(&mut self, event: &WindowEvent, side: Side) -> bool {
        if !self.is_pointer_captured() {
            self.end_deferred_move();
        }
        match (event, side) {
            // The panel ignores drags in the viewport, but gets the last position when they end.
            (WindowEvent::CursorMoved { .. }, Side::View) if self.is_pointer_captured() => {
                self.deferred_move = Some(event.clone());
                false
            }
            (WindowEvent::MouseWheel { .. }, Side::View) => false,
            (WindowEvent::KeyboardInput { event: key, .. }, Side::View)
                if key.state == ElementState::Pressed && self.session.editor.claims().keys =>
            {
                false
            }
            _ => self.panel.on_event(&self.surface.window, event),
        }
    }

    /// Handles an event for the viewport and the window. Returns true if anything may have changed.
    fn on_view_event(&mut self, event: &WindowEvent, side: Side) -> bool {
        let is_view = side == Side::View;
        match event {
            WindowEvent::Resized(_) => self.resize(),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.keyboard.modifiers = modifiers.state();
                if !self.is_replaying() {
                    self.hold();
                }
            }
            // Some systems also report a finger as mouse motion.
            WindowEvent::CursorMoved { .. } if self.fingers.are_down() => {}
            WindowEvent::CursorMoved { position, .. } => {
                self.use_mouse_tolerance();
                self.cursor_moved(DVec2::new(position.x, position.y), !is_view);
            }
            WindowEvent::CursorLeft { .. } => self.session.editor.pointer_left(),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } if is_view => {
                self.panel.surrender_focus();
                self.pressed(*button);
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => {
                self.released_on(side, *button);
            }
            WindowEvent::Touch(touch) => self.touched(touch),
            _ if self.trackpad(event, is_view) => {}
            WindowEvent::KeyboardInput { event, .. } if is_view => self.key(event),
            WindowEvent::KeyboardInput { event, .. } if is_navigation_key(event) => {
                self.waiting_input.wait_for_focus()
            }
            WindowEvent::DroppedFile(path) => {
                self.session.editor.show_message("");
                self.request(Request::OpenFile(path.clone()));
            }
            WindowEvent::HoveredFileCancelled => self.session.editor.show_message(""),
            WindowEvent::HoveredFile(path) => {
                let message = self.files.drop_message(path);
                self.session.editor.show_message(message);
            }
            WindowEvent::Occluded(false) => self.surface.window.request_redraw(),
            WindowEvent::Focused(false) => self.focus_lost(),
            WindowEvent::CloseRequested => self.request(Request::Quit),
            _ => return false,
        }
        true
    }

    /// Handles the release of a button whose press belonged to this side.
    fn released_on(&mut self, side: Side, button: MouseButton) {
        match side {
            Side::View => self.released(button),
            Side::Panel => self.waiting_input.wait_for_focus(),
        }
        if self.pointer_capture.side.is_none() && self.end_deferred_move() {
            self.cursor_moved(self.cursor_px, self.is_over_panel());
        }
    }

    /// Gives the last motion of a drag to the panel, if there is one.
    fn end_deferred_move(&mut self) -> bool {
        let Some(deferred) = self.deferred_move.take() else { return false };
        self.panel.on_event(&self.surface.window, &deferred);
        true
    }

    /// Returns which side receives an event; the viewport by default.
    fn side_of(&mut self, event: &WindowEvent) -> Side {
        let over = |is_over| if is_over { Side::Panel } else { Side::View };
        match event {
            WindowEvent::CursorMoved { position, .. } => self.pointer_capture.side.unwrap_or_else(|| {
                let at_px = DVec2::new(position.x, position.y);
                let is_over = self.panel.is_over(at_px, self.surface.size_px());
                over(is_over && !self.is_pointer_captured())
            }),
            // A press ends a drag that a key began, also over the panel.
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } => {
                let is_over = self.is_over_panel() && !self.is_pointer_captured();
                self.pointer_capture.press(*button, is_over)
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => {
                self.pointer_capture.release(*button).unwrap_or(Side::View)
            }
            WindowEvent::MouseWheel { .. } => {
                self.pointer_capture.side.unwrap_or_else(|| over(self.is_over_panel()))
            }
            WindowEvent::KeyboardInput { event, .. } => over(self.is_panel_key(event)),
            _ => Side::View,
        }
    }

    /// Returns true if the panel receives the press of a key. Releases go to both sides; each ignores a
    /// release whose press it has not seen.
    fn is_panel_key(&self, event: &KeyEvent) -> bool {
        if event.state == ElementState::Released {
            return false;
        }
        // A dialog is modal. A drag by keys continues after it.
        if self.files.dialog.is_some() {
            return true;
        }
        if self.session.editor.claims().keys {
            return false;
        }
        let named = match &event.logical_key {
            Key::Named(named) => Some(named),
            _ => None,
        };
        // These shortcuts also work while text is edited.
        if named.is_some_and(|key| [NamedKey::F1, NamedKey::F6].contains(key)) {
            return false;
        }
        if self.panel.takes_text() || self.pointer_capture.side == Some(Side::Panel) {
            return true;
        }
        // Tab moves the focus into the panel.
        is_navigation_key(event) && (self.panel.has_focus() || named == Some(&NamedKey::Tab))
    }

    pub(super) fn is_over_panel(&self) -> bool {
        self.panel.is_over(self.cursor_px, self.surface.size_px())
    }

    /// Handles the loss of the focus. The releases of held keys and buttons go to another window, so
    /// everything held is released and a drag is canceled.
    fn focus_lost(&mut self) {
        self.navigation = None;
        self.pointer_capture.clear();
        self.forget_held();
        self.end_wheel();
        if self.session.editor.is_busy() || self.session.editor.cube.is_held() {
            self.act(EventKind::Cancel);
        }
        if self.session.editor.pointer().is_button_held {
            self.act(EventKind::Release(Button::Primary));
        }
    }

    /// Forgets keys and fingers that are down, because their releases go elsewhere.
    pub(super) fn forget_held(&mut self) {
        self.fingers.forget();
        self.keyboard.release();
        self.session.editor.hold(self.keyboard.mods());
    }

    /// Gives the held keys to the editor. What a drag snaps to changes with them at once, so a recording needs an
    /// event for it.
    fn hold(&mut self) {
        self.session.editor.hold(self.keyboard.mods());
        if self.session.editor.is_dragging() {
            self.repeat_motion();
        }
    }

    /// Moves the pointer to where it is, because something else is there now.
    pub(super) fn repeat_motion(&mut self) {
        if let Some(at_px) = self.session.editor.pointer().cursor_px {
            self.act(EventKind::Move(at_px));
        }
    }

    fn cursor_moved(&mut self, cursor_px: DVec2, over_panel: bool) {
        let by = cursor_px - self.cursor_px;
        self.cursor_px = cursor_px;
        if self.navigate(by) {
            return;
        }
        if over_panel && !self.session.editor.is_busy() {
            self.session.editor.pointer_left();
        } else {
            self.act(EventKind::Move(cursor_px));
        }
    }

    fn pressed(&mut self, button: MouseButton) {
        // With Alt a handle of the box moves the opposite side too.
        let is_of_box = |handle: HandleId| handle.box_index().is_some();
        let is_over_box = self.session.editor.gizmo().hovered().is_some_and(is_of_box);
        match button {
            MouseButton::Left if !self.keyboard.modifiers.alt_key() || is_over_box => {
                self.act(EventKind::Press(Button::Primary));
            }
            MouseButton::Right if self.session.editor.is_busy() => self.act(EventKind::Cancel),
            MouseButton::Left | MouseButton::Right | MouseButton::Middle => self.begin_navigation(button),
            _ => {}
        }
        // After the press, which refers to the picture that is shown. A recording has the same order.
        self.end_easing();
    }

    fn released(&mut self, button: MouseButton) {
        if !self.end_navigation(button) && button == MouseButton::Left {
            let was_dragging = self.session.editor.is_dragging();
            let orbit = self.session.cameras.orbit();
            self.act(EventKind::Release(Button::Primary));
            // A click on the view cube turns the camera.
            self.ease_from(orbit);
            if was_dragging {
                // The next button or key must be handled with the drag ended, without waiting for a frame.
                let _ = self.update_session();
            }
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_pressed = event.state == ElementState::Pressed;
        let composed = event.text.as_deref().filter(|_| is_pressed);
        match composed_text(&event.logical_key, composed) {
            Some(text) => text.chars().for_each(|character| self.named_key(&character.to_string(), event)),
            None => {
                let name = self.keyboard.name(&event.logical_key, event.physical_key);
                name.into_iter().for_each(|name| self.named_key(&name, event));
            }
        }
    }

    /// Handles a press or release of a key, by its name.
    fn named_key(&mut self, name: &str, event: &KeyEvent) {
        let is_pressed = event.state == ElementState::Pressed;
        // Shift decides, not the case, which Caps Lock changes.
        let name = &*name.to_lowercase();
        let before = self.keyboard.mods();
        self.keyboard.hold(name, is_pressed);
        let mods = self.keyboard.mods();
        if mods != before {
            self.hold();
        }
        // Dialogs handle their own keys.
        if !is_pressed || self.files.dialog.is_some() {
            return;
        }
        // Escape cancels a drag first.
        if name == "escape" && !self.session.editor.is_busy() && self.cancel_drawing() {
            return;
        }
        let ctrl = mods.ctrl || self.keyboard.modifiers.super_key();
        let mods = Mods { ctrl, ..mods };
        let (repeat, keymap) = (event.repeat, self.panel.page.preferences.keymap);
        match self.session.key_use(Some(keymap), name, mods) {
            Some(KeyUse::Gizmo(key)) if (KeyModifiers { repeat, ..KeyModifiers::NONE }).may_type(key) => {
                self.act_with(&EventKind::Key(name.to_owned()), mods);
            }
            Some(KeyUse::Grab(_)) if !repeat => self.grab_along(name, mods),
            // While a box is drawn, the lasso key does nothing else.
            Some(KeyUse::Command(command))
                if !repeat && (self.session.editor.pointer().drawn().is_none() || name != LASSO_KEY) =>
            {
                self.run(command);
            }
            _ => {}
        }
    }
}

/// Returns true for keys that move the focus or the selection among widgets.
fn is_navigation_key(event: &KeyEvent) -> bool {
    matches!(&event.logical_key, Key::Named(named) if NAVIGATION_KEYS.contains(named))
}
