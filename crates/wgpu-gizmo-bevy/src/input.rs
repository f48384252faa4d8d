//! Input of Bevy for the gizmo.

mod messages;

pub(crate) use messages::{InputMessages, add_messages};

use crate::claims::{FrameClaims, GizmoClaims};
use crate::components::GizmoInput;
use crate::keys::{composed_text, gizmo_key};
use crate::step::Step;
use crate::views::{CameraView, NOWHERE, is_shown_in, key_at};
use bevy::ecs::change_detection::{Res, ResMut};
use bevy::ecs::entity::Entity;
use bevy::ecs::resource::Resource;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::input::mouse::{MouseButton, MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::{TouchInput, TouchPhase as BevyPhase};
use bevy::window::{WindowCloseRequested, WindowDestroyed, WindowEvent};
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::{Finger, Fingers, HeldKeys, KeyModifiers, TouchPhase};

/// The position of the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pointer {
    window: Entity,
    px: DVec2,
}

/// The state of pointer and keys between frames.
#[derive(Resource, Debug, Default)]
pub(crate) struct InputState {
    pointer: Option<Pointer>,
    /// The window in which the primary button went down, if it went down in a view.
    pressed_in: Option<Entity>,
    /// Whether a drag by keys has followed the pointer out of all views.
    has_strayed: bool,
    fingers: Fingers,
    is_finger: bool,
    finger_tolerance_lpx: f64,
    held: Held,
    claims: FrameClaims,
}

/// The modifier keys that are held, left and right apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Held {
    shift: [bool; 2],
    ctrl: [bool; 2],
    alt: [bool; 2],
    meta: [bool; 2],
}

impl Held {
    fn is_held(key: [bool; 2]) -> bool {
        key[0] || key[1]
    }

    fn set(&mut self, code: KeyCode, is_down: bool) {
        let key = match code {
            KeyCode::ShiftLeft => &mut self.shift[0],
            KeyCode::ShiftRight => &mut self.shift[1],
            KeyCode::ControlLeft => &mut self.ctrl[0],
            KeyCode::ControlRight => &mut self.ctrl[1],
            KeyCode::AltLeft => &mut self.alt[0],
            KeyCode::AltRight => &mut self.alt[1],
            KeyCode::SuperLeft => &mut self.meta[0],
            KeyCode::SuperRight => &mut self.meta[1],
            _ => return,
        };
        *key = is_down;
    }

    fn keys(&self) -> HeldKeys {
        let snap = if cfg!(target_os = "macos") { self.meta } else { self.ctrl };
        HeldKeys {
            snap: Self::is_held(snap),
            precision: Self::is_held(self.shift),
            symmetric: Self::is_held(self.alt),
        }
    }
}

/// Handles the input since the last frame, in the views that it saw.
pub(crate) fn handle_input(
    mut step: Step,
    mut messages: InputMessages,
    settings: Res<GizmoInput>,
    mut state: ResMut<InputState>,
    mut claims: ResMut<GizmoClaims>,
) {
    state.finger_tolerance_lpx = settings.finger_tolerance_lpx;
    state.claims.begin(step.gizmo.claims());
    let mut frame = Frame { views: step.views(), step: &mut step, settings: &settings, state: &mut state };
    for event in messages.read() {
        frame.handle_event(&event);
    }
    if frame.settings.ignore_pointer {
        frame.leave();
    }
    frame.end_stray();
    frame.update();
    let now = GizmoClaims(state.claims.of_frame(step.gizmo.claims()));
    if *claims != now {
        *claims = now;
    }
}

impl InputState {
    /// Updates the gizmo with the pointer where it is.
    pub(crate) fn update(&self, step: &mut Step<'_, '_>, views: &[CameraView]) {
        let key = self.pointer.map_or(NOWHERE, |pointer| key_at(views, pointer.window, pointer.px));
        step.update(views, key, self.is_finger.then_some(self.finger_tolerance_lpx));
    }
}

/// The input of a frame.
struct Frame<'a, 'w, 's> {
    views: Vec<CameraView>,
    step: &'a mut Step<'w, 's>,
    settings: &'a GizmoInput,
    state: &'a mut InputState,
}

impl Frame<'_, '_, '_> {
    fn update(&mut self) {
        self.state.update(self.step, &self.views);
    }

    /// Updates the gizmo after an event that changes the claims.
    fn update_claims(&mut self) {
        self.update();
        self.state.claims.add(self.step.gizmo.claims(), self.step.gizmo.is_busy());
    }

    fn handle_event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::CursorMoved(moved) => {
                self.state.is_finger = false;
                self.move_to(moved.window, self.step.cameras.px(moved.window, moved.position));
            }
            WindowEvent::CursorLeft(left)
                if self.state.pointer.is_some_and(|pointer| pointer.window == left.window) =>
            {
                self.leave();
            }
            WindowEvent::MouseButtonInput(input) => self.button(input),
            WindowEvent::MouseWheel(wheel) => self.wheel(wheel),
            WindowEvent::TouchInput(touch) => self.touch(touch),
            WindowEvent::KeyboardInput(input) => self.key(input),
            WindowEvent::KeyboardFocusLost(_) => self.interrupt(),
            WindowEvent::WindowFocused(focus) if !focus.focused && self.is_in_use(focus.window) => {
                self.interrupt();
            }
            WindowEvent::WindowCloseRequested(WindowCloseRequested { window })
            | WindowEvent::WindowDestroyed(WindowDestroyed { window })
                if self.is_in_use(*window) =>
            {
                self.interrupt();
                self.leave();
            }
            _ => {}
        }
    }

    /// Returns true if a press was made in this window, or without a press, if the gizmo is shown there.
    fn is_in_use(&self, window: Entity) -> bool {
        let is_pressed_here = |pressed_in| pressed_in == window;
        self.state.pressed_in.map_or_else(|| is_shown_in(&self.views, window), is_pressed_here)
    }

    /// Moves the pointer. It leaves the gizmo where no view is, but a press keeps it.
    fn move_to(&mut self, window: Entity, px: DVec2) {
        let key = key_at(&self.views, window, px);
        match self.state.pressed_in {
            Some(pressed_in) if pressed_in == window => {}
            // The positions of another window mean something else.
            Some(_) => return,
            None if self.settings.ignore_pointer || key == NOWHERE => {
                self.leave();
                // A drag by keys follows the pointer wherever it goes.
                if self.step.gizmo.is_active() {
                    self.step.gizmo.pointer_moved(px);
                    self.state.has_strayed = true;
                }
                return;
            }
            None => {}
        }
        let before = self.state.pointer.map(|pointer| key_at(&self.views, pointer.window, pointer.px));
        if before.is_some_and(|before| before != key) && self.state.pressed_in.is_none() {
            // The queued events belong to the view that the pointer leaves.
            self.update();
        }
        self.state.pointer = Some(Pointer { window, px });
        self.step.gizmo.pointer_moved(px);
    }

    fn leave(&mut self) {
        if self.state.pressed_in.is_none() && self.state.pointer.take().is_some() {
            self.step.gizmo.pointer_left();
        }
    }

    /// Ends the hover of a pointer outside of all views, once the drag that followed it has ended.
    fn end_stray(&mut self) {
        if self.state.has_strayed && !self.step.gizmo.is_active() {
            self.state.has_strayed = false;
            if self.state.pointer.is_none() {
                self.step.gizmo.pointer_left();
            }
        }
    }

    fn press(&mut self) {
        let Some(pointer) = self.state.pointer else { return };
        self.state.pressed_in = Some(pointer.window);
        self.step.gizmo.pointer_pressed();
        self.update_claims();
    }

    fn release(&mut self) {
        if self.state.pressed_in.take().is_none() {
            return;
        }
        self.step.gizmo.pointer_released();
        self.update_claims();
        self.state.claims.add_release(self.step.gizmo.claims());
        // The pointer may have been released outside of all views.
        if let Some(Pointer { window, px }) = self.state.pointer
            && key_at(&self.views, window, px) == NOWHERE
        {
            self.leave();
        }
    }

    fn button(&mut self, input: &MouseButtonInput) {
        let is_down = input.state == ButtonState::Pressed;
        let is_here = self.state.pointer.is_some_and(|pointer| pointer.window == input.window);
        match (input.button, is_down) {
            (MouseButton::Left, true) if is_here => self.press(),
            (MouseButton::Left, false) => self.release(),
            (MouseButton::Right, true) => {
                let cancels = self.step.gizmo.claims().secondary;
                self.state.claims.has_canceled = cancels;
                if cancels {
                    self.step.gizmo.cancel();
                    self.update_claims();
                }
            }
            (MouseButton::Right, false) if self.state.claims.has_canceled => {
                self.state.claims.has_canceled = false;
                self.state.claims.claim_secondary();
            }
            _ => {}
        }
    }

    fn wheel(&mut self, wheel: &MouseWheel) {
        // The pointer may have moved onto a handle in this frame.
        self.update();
        if self.step.gizmo.claims().wheel {
            let notch_px = self.settings.notch_lpx * self.step.cameras.scale_factor(wheel.window);
            // macOS and browsers turn a wheel sideways while Shift is held.
            let is_sideways = wheel.y == 0.0 && Held::is_held(self.state.held.shift);
            let turned = f64::from(if is_sideways { wheel.x } else { wheel.y });
            self.step.gizmo.wheel(match wheel.unit {
                MouseScrollUnit::Line => turned,
                MouseScrollUnit::Pixel => turned / notch_px,
            });
            self.update_claims();
        }
    }

    fn touch(&mut self, touch: &TouchInput) {
        let px = self.step.cameras.px(touch.window, touch.position);
        let phase = match touch.phase {
            BevyPhase::Started => TouchPhase::Started,
            BevyPhase::Moved => TouchPhase::Moved,
            BevyPhase::Ended => TouchPhase::Ended,
            BevyPhase::Canceled => TouchPhase::Canceled,
        };
        for finger in self.state.fingers.take(touch.id, phase) {
            match finger {
                Finger::Down => {
                    self.state.is_finger = true;
                    self.move_to(touch.window, px);
                    self.press();
                }
                Finger::Moved => self.move_to(touch.window, px),
                Finger::Up => {
                    self.move_to(touch.window, px);
                    self.release();
                    // A finger that is up hovers over nothing.
                    self.leave();
                }
                Finger::Canceled => {
                    self.lose_pointer();
                    self.leave();
                }
                _ => {}
            }
        }
    }

    fn key(&mut self, input: &KeyboardInput) {
        let is_down = input.state == ButtonState::Pressed;
        let before = self.state.held;
        self.state.held.set(input.key_code, is_down);
        let held = self.state.held;
        if held != before {
            self.step.gizmo.set_held_keys(held.keys());
        }
        let is_busy = self.step.gizmo.is_busy();
        let is_here = is_shown_in(&self.views, input.window) && !self.settings.ignore_keys;
        if !is_down || !(is_here || is_busy) {
            return;
        }
        match composed_text(&input.logical_key, input.text.as_deref()) {
            Some(text) => {
                for character in text.chars() {
                    self.press_key(&Key::Character(character.to_string().into()), input);
                }
            }
            None => self.press_key(&input.logical_key, input),
        }
    }

    fn press_key(&mut self, logical: &Key, input: &KeyboardInput) {
        let held = self.state.held;
        if let Some(key) = gizmo_key(logical, input.key_code, Held::is_held(held.shift)) {
            // The pointer may have moved onto a handle in this frame.
            self.update();
            let modifiers = KeyModifiers {
                ctrl: Held::is_held(held.ctrl),
                alt: Held::is_held(held.alt),
                meta: Held::is_held(held.meta),
                repeat: input.repeat,
            };
            self.step.gizmo.key(key, modifiers);
            self.update_claims();
        }
    }

    /// Cancels what is in progress, because its end may not be reported.
    fn interrupt(&mut self) {
        self.state.fingers = Fingers::default();
        self.state.held = Held::default();
        self.lose_pointer();
    }

    /// Cancels what the pointer does. The keys stay held.
    fn lose_pointer(&mut self) {
        self.state.pressed_in = None;
        self.state.claims.has_canceled = false;
        self.step.gizmo.interrupt();
        self.step.gizmo.set_held_keys(self.state.held.keys());
        self.update_claims();
    }
}
