//! What the window system says: pointers, keys, sizes.

use super::screen::Screen;
use crate::bounds::Bounds;
use crate::command::{Command, LASSO_KEY, VERTEX_KEY, gizmo_key};
use crate::replay_file::{Button, EventKind, Mods, SettingsPatch};
use crate::touch::{self, Gesture};
use egui_winit::accesskit_winit;
use wgpu_gizmo::glam::DVec2;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// Keys without a character, by the names of the table of commands.
const NAMED_KEYS: [(NamedKey, &str); 10] = [
    (NamedKey::Escape, "escape"),
    (NamedKey::Enter, "enter"),
    (NamedKey::Backspace, "backspace"),
    (NamedKey::Tab, "tab"),
    (NamedKey::ArrowLeft, "left"),
    (NamedKey::ArrowRight, "right"),
    (NamedKey::ArrowUp, "up"),
    (NamedKey::ArrowDown, "down"),
    (NamedKey::F1, "f1"),
    (NamedKey::F4, "f4"),
];

/// How far from a handle a finger still takes it, in logical pixels.
const FINGER_LPX: f64 = 22.0;

impl Screen {
    pub(super) fn on_event(&mut self, event: &WindowEvent) {
        let taken = self.panel.on_event(&self.window, event);
        if self.is_watching() && !matches!(event, WindowEvent::Resized(_)) {
            // A replay has the pointer and the keys to itself.
            self.window.request_redraw();
            return;
        }
        if self.flight.is_some() && self.flown(event) {
            self.window.request_redraw();
            return;
        }
        match event {
            WindowEvent::Resized(size) => self.resize(size.width, size.height),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                let mods = self.mods();
                self.desk().hold(mods);
            }
            // Some systems move the mouse along with a finger.
            WindowEvent::CursorMoved { position, .. } if !self.fingers.are_down() => {
                self.point_with_mouse();
                self.moved(DVec2::new(position.x, position.y), taken.consumed);
            }
            WindowEvent::CursorLeft { .. } => self.editor.pointer_left(),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } if !taken.consumed => {
                self.pressed(*button);
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => self.released(*button),
            WindowEvent::Touch(touch) => self.touched(touch, taken.consumed),
            _ if self.trackpad(event, taken.consumed) => {}
            // egui takes Tab to go about among its widgets; in a drag it is a number's.
            WindowEvent::KeyboardInput { event, .. } if !taken.consumed || self.editor.gizmo.wants_keys() => {
                self.key(event);
            }
            WindowEvent::Focused(false) => self.lost(),
            _ if !taken.repaint => return,
            _ => {}
        }
        self.window.request_redraw();
    }

    /// A screen reader's question or act.
    pub(super) fn accessibility(&mut self, event: accesskit_winit::Event) {
        self.panel.accessibility(event);
        self.window.request_redraw();
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
        self.fingers.forget();
        (self.vertex_held, self.lasso_held) = (false, false);
        let mods = self.mods();
        self.desk().hold(mods);
        if self.editor.is_busy() {
            self.act(EventKind::Cancel);
        }
    }

    fn point_with_finger(&mut self) {
        if self.mouse_lpx.is_none() {
            self.mouse_lpx = Some(self.editor.gizmo.settings.tolerance_lpx);
            self.tolerate(FINGER_LPX);
        }
    }

    fn point_with_mouse(&mut self) {
        if let Some(lpx) = self.mouse_lpx.take() {
            self.tolerate(lpx);
        }
    }

    /// So far from a handle the pointer still takes it.
    fn tolerate(&mut self, lpx: f64) {
        let patch = SettingsPatch { tolerance: Some(lpx), ..SettingsPatch::default() };
        self.act(EventKind::Set(Box::new(patch)));
    }

    fn moved(&mut self, cursor_px: DVec2, over_panel: bool) {
        let by = cursor_px - self.cursor_px;
        self.cursor_px = cursor_px;
        if self.navigating.is_some() {
            self.cameras.drag(&self.views, by, self.modifiers.shift_key());
            self.views.follow(cursor_px, true);
            return;
        }
        if over_panel && !self.editor.is_busy() {
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
                let _ = self.desk().update();
            }
        }
    }

    fn touched(&mut self, touch: &Touch, over_panel: bool) {
        let px = DVec2::new(touch.location.x, touch.location.y);
        let phase = match touch.phase {
            TouchPhase::Started if over_panel => return,
            TouchPhase::Started => touch::Phase::Down,
            TouchPhase::Moved => touch::Phase::Moved,
            TouchPhase::Ended => touch::Phase::Up,
            TouchPhase::Cancelled => touch::Phase::Gone,
        };
        for gesture in self.fingers.take(touch.id, phase, px, self.frame.scale_factor) {
            self.gesture(gesture);
        }
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Moved(px) => {
                self.point_with_finger();
                self.cursor_px = px;
                self.act(EventKind::Move(px));
            }
            Gesture::Pressed => self.act(EventKind::Press(Button::Primary)),
            Gesture::Released => self.act(EventKind::Release(Button::Primary)),
            Gesture::Cancelled => self.act(EventKind::Cancel),
            Gesture::Turned(by_px) => self.cameras.drag(&self.views, by_px, false),
            Gesture::Slid(by_px) => self.cameras.drag(&self.views, by_px, true),
            Gesture::Spread(times) => self.cameras.magnify(&self.views, times),
        }
    }

    /// Wheels, and what fingers do on a trackpad. `false` for what is neither.
    fn trackpad(&mut self, event: &WindowEvent, over_panel: bool) -> bool {
        let (shift, ctrl) = (self.modifiers.shift_key(), self.modifiers.control_key());
        let is_free = !over_panel && !self.editor.is_busy();
        match event {
            WindowEvent::MouseWheel { .. }
            | WindowEvent::PinchGesture { .. }
            | WindowEvent::PanGesture { .. }
            | WindowEvent::RotationGesture { .. }
            | WindowEvent::DoubleTapGesture { .. }
                if !is_free => {}
            WindowEvent::MouseWheel { delta: MouseScrollDelta::LineDelta(_, lines), .. } => {
                self.cameras.zoom(&self.views, f64::from(*lines));
            }
            WindowEvent::MouseWheel { delta: MouseScrollDelta::PixelDelta(by), .. } if ctrl => {
                self.cameras.zoom(&self.views, by.y / (40.0 * self.window.scale_factor()));
            }
            WindowEvent::MouseWheel { delta: MouseScrollDelta::PixelDelta(by), .. } => {
                self.cameras.drag(&self.views, DVec2::new(by.x, by.y), shift);
            }
            WindowEvent::PinchGesture { delta, .. } => self.cameras.magnify(&self.views, 1.0 + delta),
            WindowEvent::PanGesture { delta, .. } => {
                let by_px = DVec2::new(f64::from(delta.x), f64::from(delta.y));
                self.cameras.drag(&self.views, by_px, true);
            }
            WindowEvent::RotationGesture { delta, .. } => {
                self.cameras.spin(&self.views, f64::from(*delta).to_radians());
            }
            WindowEvent::DoubleTapGesture { .. } => self.run(Command::Frame),
            _ => return false,
        }
        true
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_pressed = event.state == ElementState::Pressed;
        let name = match &event.logical_key {
            Key::Character(text) => text.as_str(),
            Key::Named(key) => match NAMED_KEYS.iter().find(|(named, _)| named == key) {
                Some((_, name)) => name,
                None => return,
            },
            _ => return,
        };
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
        if !is_pressed {
            return;
        }
        let mods = Mods { ctrl, ..self.mods() };
        if gizmo_key(name, shift).is_some_and(|key| !ctrl && self.editor.takes(key)) {
            self.act_with(&EventKind::Key(name.to_owned()), mods);
        } else if let Some(command) = Command::of(name, ctrl, shift).filter(|_| !event.repeat) {
            if !self.look_about(command) {
                self.act_with(&EventKind::Key(name.to_owned()), mods);
            }
        }
    }

    /// Does what a command says, wherever it comes from.
    pub(super) fn run(&mut self, command: Command) {
        if !self.look_about(command) {
            self.editor.run(command, self.views.current());
        }
    }

    /// Does what is the window's to do: cameras, pages, recordings. `false` for all else.
    fn look_about(&mut self, command: Command) -> bool {
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
                self.views.follow(self.cursor_px, self.editor.is_busy());
            }
            Command::LookThrough => self.look_through(),
            Command::Face(backward) => self.cameras.face(backward, &self.views),
            Command::Parallel => self.cameras.switch_parallel(&self.views),
            Command::Fly => self.take_off(),
            Command::WriteRecording => self.write_recording_now(),
            Command::CopyAsTest => self.copy_as_test(),
            Command::Cancel if self.panel.shows_help => self.panel.shows_help = false,
            Command::Help => self.panel.shows_help = !self.panel.shows_help,
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
            (_, Some(_)) => drop(self.cameras.own(&self.views)),
            (None, None) => self.editor.say("Select what to look through first"),
            (Some(_), None) => {}
        }
    }
}
