//! Passes the window events of [winit](https://docs.rs/winit) to a gizmo of
//! [wgpu-gizmo](https://docs.rs/wgpu-gizmo). The [`guide`] adds modes, undo and several windows.
//!
//! ```no_run
//! use wgpu_gizmo_core::Gizmo;
//! use wgpu_gizmo_winit::WinitInput;
//! use winit::event::WindowEvent;
//! use winit::window::Window;
//!
//! /// Created as `WinitInput::new(window.scale_factor())`.
//! fn window_event(
//!     input: &mut WinitInput,
//!     gizmo: &mut Gizmo,
//!     window: &Window,
//!     event: &WindowEvent,
//! ) {
//!     let response = input.on_window_event(gizmo, event);
//!     if response.repaint {
//!         window.request_redraw();
//!     }
//!     if !response.consumed {
//!         // The event belongs to the camera, the selection or the user interface.
//!     }
//! }
//! ```
//!
//! | event | use |
//! |---|---|
//! | pointer, primary button | hover, press, drag, release |
//! | secondary button, lost focus, closing the window | cancel a drag |
//! | wheel | nudges, if [`InputSettings::wheel_nudge`](wgpu_gizmo_core::interaction::settings::InputSettings::wheel_nudge) is on |
//! | first finger | a pointer with a larger tolerance, [`WinitInput::finger_tolerance_lpx`]; a second finger cancels |
//! | Ctrl (macOS: Cmd), Shift, Alt | snap, precision, symmetric |
//! | x, y, z over a handle (see [`AxisKeys`](wgpu_gizmo_core::interaction::settings::AxisKeys)), and in a drag digits, arrows, Tab, Enter, Escape | see [`Gizmo::key`](https://docs.rs/wgpu-gizmo/latest/wgpu_gizmo/interaction/struct.Gizmo.html#method.key); other keyboard layouts fall back to the position of the key |
//!
//! Handles that the scene hides can be dimmed: set
//! [`DisplaySettings::depth_style`](wgpu_gizmo_core::interaction::settings::DisplaySettings::depth_style), and pass the depth of the scene with
//! `Frame::with_depths`.

mod fingers;
#[cfg(doc)]
#[doc = include_str!("guide.md")]
pub mod guide {}
mod keys;

use fingers::{Finger, Fingers};
pub use keys::gizmo_key;
use wgpu_gizmo_core::Gizmo;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::{CursorHint, HeldKeys, KeyModifiers};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, WindowEvent};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::CursorIcon;

/// The result of [`WinitInput::on_window_event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Response {
    /// The event belongs to the gizmo: the camera, the selection and the user interface should ignore it.
    ///
    /// A press is consumed while it is not known yet what is under the pointer. If it turns out to be no handle,
    /// the following moves are not consumed: an orbit begins at an unconsumed move with the button down.
    pub consumed: bool,
    /// The gizmo needs a frame.
    pub repaint: bool,
}

/// The state of the pointer, the fingers and the keyboard of one window.
#[derive(Debug)]
pub struct WinitInput {
    /// The tolerance of a finger in logical pixels, which replaces
    /// [`InputSettings::tolerance_lpx`](wgpu_gizmo_core::interaction::settings::InputSettings::tolerance_lpx) until the mouse moves. Default: 16.
    pub finger_tolerance_lpx: f64,
    /// The distance on a touchpad that counts as one notch of a wheel, in logical pixels. Default: 50.
    pub notch_lpx: f64,
    /// The modifiers of which one must be held to snap, or not to snap if snapping is on
    /// ([`HeldKeys::snap`]). Default: Ctrl, on macOS Cmd.
    pub snap_modifiers: ModifiersState,
    scale_factor: f64,
    modifiers: ModifiersState,
    press_modifiers: ModifiersState,
    fingers: Fingers,
    /// The tolerance of the mouse, while a finger has replaced it.
    mouse_tolerance_lpx: Option<f64>,
    /// Whether the primary press in progress may belong to the gizmo.
    is_own_press: bool,
    /// Whether the secondary button is down and has canceled a drag.
    has_canceled: bool,
}

impl WinitInput {
    /// Creates the state for a window with this scale factor, such as `window.scale_factor()`.
    pub fn new(scale_factor: f64) -> Self {
        Self {
            finger_tolerance_lpx: 16.0,
            notch_lpx: 50.0,
            snap_modifiers: if cfg!(target_os = "macos") {
                ModifiersState::SUPER
            } else {
                ModifiersState::CONTROL
            },
            scale_factor,
            modifiers: ModifiersState::empty(),
            press_modifiers: ModifiersState::empty(),
            fingers: Fingers::default(),
            mouse_tolerance_lpx: None,
            is_own_press: false,
            has_canceled: false,
        }
    }

    /// Returns the scale factor of the window, for [`View::new`](wgpu_gizmo_core::View::new).
    pub fn scale_factor(&self) -> f64 {
        self.scale_factor
    }

    /// Returns the modifiers that are held now.
    pub fn modifiers(&self) -> ModifiersState {
        self.modifiers
    }

    /// Returns the modifiers that were held at the last press of the primary button or of a finger, for
    /// Shift+click: [`Event::ClickedObject`](wgpu_gizmo_core::Event::ClickedObject) comes frames after the click,
    /// when the key may be up again.
    pub fn press_modifiers(&self) -> ModifiersState {
        self.press_modifiers
    }

    /// Passes an event to the gizmo. Events that the gizmo does not use change nothing.
    ///
    /// If a panel of the user interface is over the view, do not pass its events; pass
    /// [`WindowEvent::CursorLeft`] once when the pointer enters it.
    pub fn on_window_event(&mut self, gizmo: &mut Gizmo, event: &WindowEvent) -> Response {
        let consumed = match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.mouse_moved(gizmo, DVec2::new(position.x, position.y))
            }
            WindowEvent::CursorLeft { .. } => {
                gizmo.pointer_left();
                false
            }
            WindowEvent::MouseInput { state, button, .. } => self.button(gizmo, *button, *state),
            WindowEvent::MouseWheel { delta, .. } => self.wheel(gizmo, *delta),
            WindowEvent::Touch(touch) => self.touch(gizmo, touch),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.hold(gizmo, modifiers.state());
                false
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                event.state.is_pressed()
                    && self.pass_key(gizmo, &event.logical_key, event.physical_key, event.repeat)
            }
            WindowEvent::Focused(false) => self.interrupt(gizmo),
            WindowEvent::CloseRequested if gizmo.is_busy() => self.interrupt(gizmo),
            WindowEvent::Destroyed => {
                gizmo.pointer_left();
                self.interrupt(gizmo)
            }
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.scale_factor = *scale_factor;
                return Response { consumed: false, repaint: true };
            }
            WindowEvent::Resized(_) => return Response { consumed: false, repaint: true },
            _ => return Response::default(),
        };
        Response { consumed, repaint: gizmo.needs_update() || gizmo.is_hover_pending() }
    }

    /// Passes a pressed key to the gizmo; returns true if the gizmo consumed it. It is for hosts that do not
    /// get their keys from a window.
    pub fn key(&mut self, gizmo: &mut Gizmo, logical: &Key, physical: PhysicalKey) -> bool {
        self.pass_key(gizmo, logical, physical, false)
    }

    fn pass_key(&mut self, gizmo: &mut Gizmo, logical: &Key, physical: PhysicalKey, repeat: bool) -> bool {
        let Some(key) = gizmo_key(logical, physical, self.modifiers) else { return gizmo.claims().keys };
        let is_claimed = gizmo.claims().keys;
        gizmo.key(
            key,
            KeyModifiers {
                ctrl: self.modifiers.control_key(),
                alt: self.modifiers.alt_key(),
                meta: self.modifiers.super_key(),
                repeat,
            },
        );
        is_claimed || gizmo.claims().keys
    }

    fn mouse_moved(&mut self, gizmo: &mut Gizmo, px: DVec2) -> bool {
        if let Some(tolerance_lpx) = self.mouse_tolerance_lpx.take() {
            // The host may have set another tolerance since.
            let is_of_finger = gizmo.settings.input.tolerance_lpx == self.finger_tolerance_lpx;
            gizmo.settings.input.tolerance_lpx =
                if is_of_finger { tolerance_lpx } else { gizmo.settings.input.tolerance_lpx };
        }
        gizmo.pointer_moved(px);
        self.is_dragging(gizmo)
    }

    /// Returns true if moves belong to the gizmo: in a drag, and while it is not known whether the press hit
    /// a handle.
    fn is_dragging(&self, gizmo: &Gizmo) -> bool {
        gizmo.is_active() || (self.is_own_press && gizmo.claims().primary_drag)
    }

    fn button(&mut self, gizmo: &mut Gizmo, button: MouseButton, state: ElementState) -> bool {
        let claims = gizmo.claims();
        match (button, state) {
            (MouseButton::Left, ElementState::Pressed) => {
                self.press_modifiers = self.modifiers;
                self.is_own_press = claims.primary_press || gizmo.is_hover_pending();
                gizmo.pointer_pressed();
                self.is_own_press
            }
            (MouseButton::Left, ElementState::Released) => {
                let is_own = self.is_dragging(gizmo) || (self.is_own_press && claims.click);
                gizmo.pointer_released();
                self.is_own_press = false;
                is_own
            }
            (MouseButton::Right, ElementState::Pressed) => {
                self.has_canceled = claims.secondary;
                if self.has_canceled {
                    gizmo.cancel();
                }
                self.has_canceled
            }
            (MouseButton::Right, ElementState::Released) => std::mem::take(&mut self.has_canceled),
            (MouseButton::Middle, _) => claims.middle,
            _ => false,
        }
    }

    fn wheel(&mut self, gizmo: &mut Gizmo, delta: MouseScrollDelta) -> bool {
        let is_claimed = gizmo.claims().wheel;
        if is_claimed {
            gizmo.wheel(match delta {
                MouseScrollDelta::LineDelta(_, lines) => lines.into(),
                MouseScrollDelta::PixelDelta(px) => px.y / (self.notch_lpx * self.scale_factor),
            });
        }
        is_claimed
    }

    fn touch(&mut self, gizmo: &mut Gizmo, touch: &Touch) -> bool {
        let px = DVec2::new(touch.location.x, touch.location.y);
        match self.fingers.take(touch.id, touch.phase) {
            Finger::Down => {
                self.press_modifiers = self.modifiers;
                if self.mouse_tolerance_lpx.is_none() {
                    self.mouse_tolerance_lpx = Some(gizmo.settings.input.tolerance_lpx);
                }
                gizmo.settings.input.tolerance_lpx = self.finger_tolerance_lpx;
                gizmo.pointer_moved(px);
                gizmo.pointer_pressed();
                self.is_own_press = true;
            }
            Finger::Moved => gizmo.pointer_moved(px),
            Finger::Up => {
                gizmo.pointer_moved(px);
                let is_own = self.is_dragging(gizmo);
                gizmo.pointer_released();
                // A finger that is up hovers over nothing.
                gizmo.pointer_left();
                self.is_own_press = false;
                return is_own;
            }
            Finger::Canceled => {
                gizmo.interrupt();
                gizmo.pointer_left();
                self.is_own_press = false;
                return false;
            }
            Finger::Other => return false,
        }
        self.is_dragging(gizmo)
    }

    /// Cancels what is in progress, because its end may not be reported. Returns false: other parts need the
    /// event, too.
    fn interrupt(&mut self, gizmo: &mut Gizmo) -> bool {
        self.fingers = Fingers::default();
        self.is_own_press = false;
        gizmo.interrupt();
        self.hold(gizmo, ModifiersState::empty());
        false
    }

    fn hold(&mut self, gizmo: &mut Gizmo, modifiers: ModifiersState) {
        self.modifiers = modifiers;
        gizmo.set_held_keys(HeldKeys {
            snap: modifiers.intersects(self.snap_modifiers),
            precision: modifiers.shift_key(),
            symmetric: modifiers.alt_key(),
        });
    }
}

/// Returns the shape of the cursor over the gizmo, for `Window::set_cursor`.
pub fn cursor_icon(gizmo: &Gizmo) -> CursorIcon {
    match gizmo.cursor_hint() {
        CursorHint::Grab => CursorIcon::Grab,
        CursorHint::Grabbing => CursorIcon::Grabbing,
        _ => CursorIcon::Default,
    }
}
