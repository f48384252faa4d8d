//! What the window system says: pointers, keys, sizes.

use super::pointer_capture::Side;
use super::screen::Screen;
use crate::bounds::Bounds;
use crate::command::{Command, LASSO_KEY, SHORTCUTS, VERTEX_KEY, gizmo_key};
use crate::file_error::printable;
use crate::files::Ask;
use crate::replay_file::{Button, EventKind, Mods};
use egui_winit::accesskit_winit;
use wgpu_gizmo::glam::DVec2;
use winit::event::{ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// Keys that go about among the panel's widgets, while one of them has the keys: what else is
/// pressed there is a shortcut as ever.
const PANEL_KEYS: [NamedKey; 12] = [
    NamedKey::Tab,
    NamedKey::ArrowLeft,
    NamedKey::ArrowRight,
    NamedKey::ArrowUp,
    NamedKey::ArrowDown,
    NamedKey::Home,
    NamedKey::End,
    NamedKey::PageUp,
    NamedKey::PageDown,
    NamedKey::Enter,
    NamedKey::Space,
    NamedKey::Escape,
];

impl Screen {
    pub(super) fn on_event(&mut self, event: &WindowEvent) {
        if was_down_before(event) {
            return;
        }
        if self.keys.keep(event) {
            self.wake();
            return;
        }
        if self.flight.is_some() && self.flown(event) {
            self.wake();
            return;
        }
        let side = self.side_of(event);
        let repaint = match (event, side) {
            // Drags in the view are nothing to the panel; where they ended it hears at the end.
            (WindowEvent::CursorMoved { .. }, Side::View) if self.pointer_capture.side().is_some() => {
                self.kept_move = Some(event.clone());
                false
            }
            (WindowEvent::MouseWheel { .. }, Side::View) => false,
            (WindowEvent::KeyboardInput { event: key, .. }, Side::View)
                if key.state == ElementState::Pressed && self.editor.gizmo.wants_keys() =>
            {
                false
            }
            _ => self.panel.on_event(&self.window, event),
        };
        let is_view = side == Side::View;
        if self.is_watching() && is_view && is_of_person(event) {
            // A replay has the pointer and the keys to itself.
            self.wake();
            return;
        }
        match event {
            WindowEvent::Resized(size) => self.resize(size.width, size.height),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                if !self.is_watching() {
                    let mods = self.mods();
                    self.session().hold(mods);
                }
            }
            // Some systems move the mouse along with a finger.
            WindowEvent::CursorMoved { .. } if self.fingers.are_down() => {}
            WindowEvent::CursorMoved { position, .. } => {
                self.point_with_mouse();
                self.moved(DVec2::new(position.x, position.y), !is_view);
            }
            WindowEvent::CursorLeft { .. } => self.editor.pointer_left(),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } if is_view => {
                self.panel.surrender_focus();
                self.pressed(*button);
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => {
                match is_view {
                    true => self.released(*button),
                    false => self.keys.wait(),
                }
                if let Some(kept) = self.kept_move.take_if(|_| self.pointer_capture.side().is_none()) {
                    self.panel.on_event(&self.window, &kept);
                    self.moved(self.cursor_px, self.is_over_panel());
                }
            }
            WindowEvent::Touch(touch) => self.touched(touch),
            _ if self.trackpad(event, is_view) => {}
            WindowEvent::KeyboardInput { event, .. } if is_view => self.key(event),
            WindowEvent::KeyboardInput { event, .. } if goes_about(event) => self.keys.wait(),
            WindowEvent::DroppedFile(path) => {
                self.editor.say("");
                self.ask(Ask::OpenFile(path.clone()));
            }
            WindowEvent::HoveredFileCancelled => self.editor.say(""),
            WindowEvent::HoveredFile(path) => {
                self.editor.say(format!("Let go to open {}", printable(&path.to_string_lossy())));
            }
            WindowEvent::Focused(false) => self.lost(),
            _ if !repaint => return,
            _ => {}
        }
        self.wake();
    }

    /// Whose an event is. What is nobody's is the view's.
    fn side_of(&mut self, event: &WindowEvent) -> Side {
        let over = |is_over| if is_over { Side::Panel } else { Side::View };
        match event {
            WindowEvent::CursorMoved { position, .. } => self.pointer_capture.side().unwrap_or_else(|| {
                over(self.panel.is_over(DVec2::new(position.x, position.y), self.size_px()))
            }),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } => {
                self.pointer_capture.press(*button, self.is_over_panel())
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => {
                self.pointer_capture.release(*button).unwrap_or(Side::View)
            }
            WindowEvent::MouseWheel { .. } => {
                self.pointer_capture.side().unwrap_or_else(|| over(self.is_over_panel()))
            }
            WindowEvent::KeyboardInput { event, .. } => over(self.is_panel_key(event)),
            _ => Side::View,
        }
    }

    /// Whether a key is the panel's. What goes up is everybody's: who saw it go down knows.
    fn is_panel_key(&self, event: &KeyEvent) -> bool {
        if event.state == ElementState::Released {
            return false;
        }
        // Until it is answered, nothing else is to be done; a drag by keys goes on after it.
        if self.files.dialog.is_some() {
            return true;
        }
        if self.editor.gizmo.wants_keys() {
            return false;
        }
        let named = match &event.logical_key {
            Key::Named(named) => Some(named),
            _ => None,
        };
        // From a text one gets to the next part and to the page of keys as well.
        if named.is_some_and(|key| [NamedKey::F1, NamedKey::F6].contains(key)) {
            return false;
        }
        if self.panel.takes_text() || self.pointer_capture.side() == Some(Side::Panel) {
            return true;
        }
        // Tab is how the keys come to the panel.
        goes_about(event) && (self.panel.has_focus() || named == Some(&NamedKey::Tab))
    }

    pub(super) fn size_px(&self) -> [u32; 2] {
        let size = self.window.inner_size();
        [size.width, size.height]
    }

    pub(super) fn is_over_panel(&self) -> bool {
        self.panel.is_over(self.cursor_px, self.size_px())
    }

    /// A screen reader's question or act.
    pub(super) fn accessibility(&mut self, event: accesskit_winit::Event) {
        self.panel.accessibility(event);
        self.wake();
    }

    /// What is held now, as replays have it.
    pub(super) fn mods(&self) -> Mods {
        Mods {
            shift: self.modifiers.shift_key(),
            ctrl: self.modifiers.control_key(),
            alt: self.modifiers.alt_key(),
            vertex: self.vertex_held,
            lasso: self.lasso_held,
        }
    }

    /// The focus went to another window: what is held will not be let go of here.
    fn lost(&mut self) {
        self.navigating = None;
        self.pointer_capture.forget();
        self.fingers.forget();
        (self.vertex_held, self.lasso_held) = (false, false);
        let mods = self.mods();
        self.session().hold(mods);
        if self.editor.is_busy() {
            self.act(EventKind::Cancel);
        }
    }

    fn moved(&mut self, cursor_px: DVec2, over_panel: bool) {
        let by = cursor_px - self.cursor_px;
        self.cursor_px = cursor_px;
        if self.navigating.is_some() {
            self.cameras.drag(&self.views, by, self.modifiers.shift_key());
            self.views.follow(cursor_px, true);
        } else if over_panel && !self.editor.is_busy() {
            self.editor.pointer_left();
        } else {
            self.act(EventKind::Move(cursor_px));
        }
    }

    fn pressed(&mut self, button: MouseButton) {
        match button {
            MouseButton::Left if !self.modifiers.alt_key() => {
                self.act(EventKind::Press(Button::Primary));
            }
            MouseButton::Right if self.editor.is_busy() => self.act(EventKind::Cancel),
            MouseButton::Left | MouseButton::Right | MouseButton::Middle => {
                let busy = self.editor.is_busy();
                self.navigating = (!busy).then_some(button).or(self.navigating);
            }
            _ => {}
        }
    }

    fn released(&mut self, button: MouseButton) {
        if self.navigating == Some(button) {
            self.navigating = None;
        } else if button == MouseButton::Left {
            let was_dragging = self.editor.gizmo.is_active();
            self.act(EventKind::Release(Button::Primary));
            if was_dragging {
                // Whose the next button or key is must not wait for a frame.
                let _ = self.session().update();
            }
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_pressed = event.state == ElementState::Pressed;
        let Some(name) = self.keyboard.name(&event.logical_key, event.physical_key) else { return };
        let (ctrl, shift) =
            (self.modifiers.control_key() || self.modifiers.super_key(), self.modifiers.shift_key());
        if name.eq_ignore_ascii_case(VERTEX_KEY) && (!ctrl || !is_pressed) {
            self.vertex_held = is_pressed;
            self.editor.hold_vertex(is_pressed);
        }
        if name.eq_ignore_ascii_case(LASSO_KEY) {
            self.lasso_held = is_pressed;
            self.editor.hold_lasso(is_pressed);
        }
        // A dialog has its own keys.
        if !is_pressed || self.files.dialog.is_some() {
            return;
        }
        let mods = Mods { ctrl, ..self.mods() };
        if gizmo_key(name, shift).is_some_and(|key| mods.of_key().may_type(key) && self.editor.takes(key)) {
            self.act_with(&EventKind::Key(name.to_owned()), mods);
        } else if let Some(command) = Command::of(name, ctrl, shift)
            .filter(|command| self.editor.may_run(*command, mods.alt) && !event.repeat)
        {
            // While a box is drawn, the key that makes a lasso of it does no more than that.
            if self.editor.drawn().is_none() || !name.eq_ignore_ascii_case(LASSO_KEY) {
                self.run(command);
            }
        }
    }

    /// Does what a command says, wherever it comes from.
    pub(super) fn run(&mut self, command: Command) {
        if self.run_window_command(command) {
            return;
        }
        // What the editor is told is kept, by the key that would have told it.
        match SHORTCUTS.iter().find(|shortcut| shortcut.command == command) {
            Some(shortcut) => {
                let mods = Mods { ctrl: shortcut.ctrl, shift: shortcut.shift, ..Mods::default() };
                self.act_with(&EventKind::Key(shortcut.key.to_owned()), mods);
            }
            None => drop(self.editor.run(command, self.views.current())),
        }
    }

    /// Does what is the window's to do: cameras, files, pages, recordings. `false` for all else.
    fn run_window_command(&mut self, command: Command) -> bool {
        match command {
            Command::Frame => {
                let scene = self.editor.scene();
                let selected = self.editor.selection().nodes().iter();
                let selected = selected.filter_map(|node| scene.world_bounds(*node)).reduce(Bounds::union);
                if let Some(bounds) = selected.or_else(|| scene.bounds()) {
                    self.cameras.frame(bounds, &self.views);
                }
            }
            Command::Views => {
                self.cameras.switch();
                self.look();
                self.follow_in_other_views();
            }
            Command::LookThrough => self.look_through(),
            Command::Face(backward) => self.cameras.face(backward, &self.views),
            Command::Parallel => self.cameras.switch_parallel(&self.views),
            Command::Fly => self.take_off(),
            Command::WriteRecording => self.write_recording_now(),
            Command::CopyAsTest => self.copy_as_test(),
            Command::Open => self.ask(Ask::Open),
            Command::Save => self.ask(Ask::Save),
            Command::SaveAs => self.ask(Ask::SaveAs),
            Command::Reload => self.ask(Ask::Reload),
            Command::Quit => self.ask(Ask::Quit),
            Command::Cancel if self.panel.page.shows_help => self.panel.page.shows_help = false,
            Command::Help => self.panel.page.shows_help = !self.panel.page.shows_help,
            Command::Panel => self.panel.page.switch(),
            Command::FocusPanel => {
                self.panel.focus_next();
                self.keys.wait();
            }
            Command::Rename => {
                self.panel.page.rename(&self.editor);
                self.keys.wait();
            }
            _ => return false,
        }
        true
    }

    fn look_through(&mut self) {
        let active = self.editor.selection().active();
        match (active, self.cameras.looks_through()) {
            (Some(active), through) if through != Some(active) => {
                self.cameras.look_through(active, self.editor.scene());
            }
            (_, Some(_)) => self.cameras.leave_node(),
            (None, None) => self.editor.say("Select what to look through first"),
            (Some(_), None) => {}
        }
    }
}

/// Whether a key went down while another window had the keys: it was meant for that one.
fn was_down_before(event: &WindowEvent) -> bool {
    matches!(event, WindowEvent::KeyboardInput { event, is_synthetic: true, .. }
        if event.state == ElementState::Pressed)
}

/// Whether a key is one that moves the focus.
fn goes_about(event: &KeyEvent) -> bool {
    matches!(&event.logical_key, Key::Named(named) if PANEL_KEYS.contains(named))
}

/// Whether an event is a person's doing, to what the window shows.
fn is_of_person(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved { .. }
            | WindowEvent::CursorLeft { .. }
            | WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
            | WindowEvent::KeyboardInput { .. }
            | WindowEvent::Touch(_)
            | WindowEvent::PinchGesture { .. }
            | WindowEvent::PanGesture { .. }
            | WindowEvent::RotationGesture { .. }
            | WindowEvent::DoubleTapGesture { .. }
            | WindowEvent::Focused(false)
    )
}
