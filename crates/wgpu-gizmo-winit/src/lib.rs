//! Shows the gizmo of [wgpu-gizmo](https://docs.rs/wgpu-gizmo) in a window of [winit](https://docs.rs/winit). The
//! [`guide`] adds modes, undo and several windows. [`WinitEditor`] is an editor of many
//! objects, with selection, outlines and undo.
//!
#![cfg_attr(feature = "wgpu", doc = "```no_run")]
#![cfg_attr(not(feature = "wgpu"), doc = "```ignore")]
//! use wgpu_gizmo::glam::DMat4;
//! use wgpu_gizmo::gpu::GpuError;
//! use wgpu_gizmo::{Event, Transform, wgpu};
//! use wgpu_gizmo_winit::WinitGizmo;
//! use winit::event::WindowEvent;
//!
//! /// Created as `WinitGizmo::new(&window, &device, &queue, config.format)`, with an
//! /// `Arc<Window>`.
//! fn window_event(gizmo: &mut WinitGizmo, event: &WindowEvent) {
//!     if !gizmo.on_window_event(event) {
//!         // The event belongs to the camera, the selection or the user interface.
//!     }
//! }
//!
//! /// Called in each frame before the pass, which ends with `gizmo.render(&mut pass)`.
//! fn frame(
//!     gizmo: &mut WinitGizmo,
//!     encoder: &mut wgpu::CommandEncoder,
//!     [view_from_world, clip_from_view]: [DMat4; 2],
//!     object: &mut Transform,
//! ) -> Result<(), GpuError> {
//!     // Several objects, or those with parents, are `Target`s: see `show`.
//!     let events = gizmo.show_one(encoder, view_from_world, clip_from_view, object)?;
//!     if events.contains(&Event::Ended { changed: true }) {
//!         // An undo step: `gizmo.tools.gizmo.starts()` are the transforms before it.
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Without wgpu
//!
//! [`WinitInput`] passes the events of a window to any [`Gizmo`]: one that another renderer draws, or one that several
//! windows share. Without the Cargo feature `wgpu`, which is on by default, the crate does not depend on wgpu.
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
//! # Events
//!
//! | event | use |
//! |---|---|
//! | pointer, primary button | hover, press, drag, release |
//! | secondary button, lost focus, closing the window | cancel a drag |
//! | wheel | nudges, if [`InputSettings::wheel_nudge`](wgpu_gizmo_core::interaction::settings::InputSettings::wheel_nudge) is on |
//! | first finger | a pointer with a larger tolerance, [`WinitInput::finger_tolerance_lpx`]; a second finger cancels ([`TouchGestures`] is for cameras that follow several) |
//! | Ctrl (macOS: Cmd), Shift, Alt | snap, precision, symmetric |
//! | x, y, z over a handle (see [`AxisKeys`](wgpu_gizmo_core::interaction::settings::AxisKeys)), and in a drag digits, arrows, Tab, Enter, Escape | see [`Gizmo::key`](https://docs.rs/wgpu-gizmo/latest/wgpu_gizmo/interaction/struct.Gizmo.html#method.key); other keyboard layouts fall back to the position of the key |
//!
//! Handles that the scene hides can be dimmed: set
//! [`DisplaySettings::depth_style`](wgpu_gizmo_core::interaction::settings::DisplaySettings::depth_style), and pass the depth of the scene with
//! `Frame::with_depths`.

#[cfg(all(doc, feature = "wgpu"))]
#[doc = include_str!("guide.md")]
pub mod guide {}
mod gestures;
mod keys;
#[cfg(feature = "wgpu")]
mod winit_editor;
#[cfg(feature = "wgpu")]
mod winit_gizmo;

pub use gestures::{Gesture, TouchGestures};
pub use keys::{composed_text, gizmo_key};
use wgpu_gizmo_core::Gizmo;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::{CursorHint, Finger, Fingers, HeldKeys, Input, KeyModifiers, TouchPhase};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, WindowEvent};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::CursorIcon;
#[cfg(feature = "wgpu")]
pub use winit_editor::WinitEditor;
#[cfg(feature = "wgpu")]
pub use winit_gizmo::WinitGizmo;

/// The result of [`WinitInput::on_window_event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Response {
    /// The event belongs to the gizmo: the camera, the selection and the user interface should ignore it.
    ///
    /// A press is consumed while it is not known yet what is under the pointer. If it turns out to be no handle,
    /// the following moves are not consumed: an orbit begins at an unconsumed move with the button down.
    pub consumed: bool,
    /// The gizmo needs a frame, or the window was resized or is shown again.
    pub repaint: bool,
}

/// The state of the pointer, the fingers and the keyboard of one window.
#[derive(Debug)]
pub struct WinitInput {
    /// The tolerance of a finger in logical pixels, which replaces
    /// [`InputSettings::tolerance_lpx`](wgpu_gizmo_core::interaction::settings::InputSettings::tolerance_lpx) until the mouse moves. Default: 22.
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
    /// Whether the primary press in progress may belong to the gizmo.
    is_own_press: bool,
    /// Whether the secondary button is down and has canceled a drag.
    has_canceled: bool,
}

impl WinitInput {
    /// Creates the state for a window with this scale factor, such as `window.scale_factor()`.
    pub fn new(scale_factor: f64) -> Self {
        Self {
            finger_tolerance_lpx: Fingers::TOLERANCE_LPX,
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
        let claims = gizmo.claims();
        let mut consumed = match event {
            WindowEvent::MouseInput { button: MouseButton::Right, state, .. } => match state {
                ElementState::Pressed => {
                    self.has_canceled = claims.secondary;
                    self.has_canceled
                }
                ElementState::Released => std::mem::take(&mut self.has_canceled),
            },
            WindowEvent::MouseInput { button: MouseButton::Middle, .. } => claims.middle,
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                event.state.is_pressed() && claims.keys
            }
            _ => false,
        };
        let inputs = self.inputs(event);
        for input in &inputs {
            consumed |= self.pass(gizmo, *input);
        }
        let is_window_changed = matches!(
            event,
            WindowEvent::ScaleFactorChanged { .. } | WindowEvent::Resized(_) | WindowEvent::Occluded(false)
        );
        let is_changed = !inputs.is_empty() && (gizmo.needs_update() || gizmo.is_hover_pending());
        Response { consumed, repaint: is_window_changed || is_changed }
    }

    /// Returns what an event means to gizmos, for hosts that pass it on themselves: to several gizmos, as in the
    /// example of [`Input`], or to a recorder. Such a host asks [`Gizmo::claims`] which events belong to a gizmo.
    pub fn inputs(&mut self, event: &WindowEvent) -> Vec<Input> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                // Some systems also report a finger as a mouse.
                let tolerance_lpx = self.fingers.are_down().then_some(self.finger_tolerance_lpx);
                vec![Input::Moved { px: DVec2::new(position.x, position.y), tolerance_lpx }]
            }
            WindowEvent::CursorLeft { .. } => vec![Input::Left],
            WindowEvent::MouseInput { state, button, .. } => match (button, state) {
                (MouseButton::Left, ElementState::Pressed) => vec![self.press()],
                (MouseButton::Left, ElementState::Released) => vec![Input::Released],
                (MouseButton::Right, ElementState::Pressed) => vec![Input::Canceled],
                _ => vec![],
            },
            WindowEvent::MouseWheel { delta, .. } => {
                let (x, y, notch) = match delta {
                    MouseScrollDelta::LineDelta(x, y) => (f64::from(*x), f64::from(*y), 1.0),
                    MouseScrollDelta::PixelDelta(px) => (px.x, px.y, self.notch_lpx * self.scale_factor),
                };
                // macOS and browsers turn a wheel sideways while Shift is held.
                let turned = if y == 0.0 && self.modifiers.shift_key() { x } else { y };
                vec![Input::Wheel(turned / notch)]
            }
            WindowEvent::Touch(touch) => self.touch(touch),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                vec![self.held()]
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if event.state.is_pressed() => {
                let typed = |key: &Key| self.typed(key, event.physical_key, event.repeat);
                match composed_text(&event.logical_key, event.text.as_deref()) {
                    Some(text) => {
                        text.chars().filter_map(|c| typed(&Key::Character(c.to_string().into()))).collect()
                    }
                    None => typed(&event.logical_key).into_iter().collect(),
                }
            }
            // The ends of what is in progress may not be reported.
            WindowEvent::Focused(false) | WindowEvent::Destroyed => {
                let had_fingers = std::mem::take(&mut self.fingers).are_down();
                self.modifiers = ModifiersState::empty();
                let has_left = had_fingers || matches!(event, WindowEvent::Destroyed);
                has_left.then_some(Input::Left).into_iter().chain([Input::Interrupted]).collect()
            }
            WindowEvent::CloseRequested => vec![Input::Canceled],
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.scale_factor = *scale_factor;
                vec![]
            }
            _ => vec![],
        }
    }

    /// Passes a pressed key to the gizmo; returns true if the gizmo consumed it. It is for hosts that do not
    /// get their keys from a window.
    pub fn key(&mut self, gizmo: &mut Gizmo, logical: &Key, physical: PhysicalKey) -> bool {
        let is_claimed = gizmo.claims().keys;
        self.typed(logical, physical, false).is_some_and(|input| self.pass(gizmo, input)) || is_claimed
    }

    fn typed(&self, logical: &Key, physical: PhysicalKey, repeat: bool) -> Option<Input> {
        let key = gizmo_key(logical, physical, self.modifiers)?;
        let (ctrl, alt) = (self.modifiers.control_key(), self.modifiers.alt_key());
        Some(Input::Key(key, KeyModifiers { ctrl, alt, meta: self.modifiers.super_key(), repeat }))
    }

    fn held(&self) -> Input {
        Input::Held(HeldKeys {
            snap: self.modifiers.intersects(self.snap_modifiers),
            precision: self.modifiers.shift_key(),
            symmetric: self.modifiers.alt_key(),
        })
    }

    fn press(&mut self) -> Input {
        self.press_modifiers = self.modifiers;
        Input::Pressed
    }

    fn touch(&mut self, touch: &Touch) -> Vec<Input> {
        let px = DVec2::new(touch.location.x, touch.location.y);
        let moved = Input::Moved { px, tolerance_lpx: Some(self.finger_tolerance_lpx) };
        let phase = match touch.phase {
            winit::event::TouchPhase::Started => TouchPhase::Started,
            winit::event::TouchPhase::Moved => TouchPhase::Moved,
            winit::event::TouchPhase::Ended => TouchPhase::Ended,
            winit::event::TouchPhase::Cancelled => TouchPhase::Canceled,
        };
        let fingers = self.fingers.take(touch.id, phase);
        let inputs = fingers.flat_map(|finger| match finger {
            Finger::Down => vec![moved, self.press()],
            Finger::Moved => vec![moved],
            // A finger that is up hovers over nothing.
            Finger::Up => vec![moved, Input::Released, Input::Left],
            // Only the finger is taken away, not the keys.
            Finger::Canceled => vec![Input::Interrupted, self.held(), Input::Left],
            _ => vec![],
        });
        inputs.collect()
    }

    /// Passes an input to the gizmo. Returns true if it belongs to the gizmo.
    fn pass(&mut self, gizmo: &mut Gizmo, input: Input) -> bool {
        let claims = gizmo.claims();
        // In a drag, and while it is not known whether the press hit a handle.
        let is_dragging = gizmo.is_active() || (self.is_own_press && claims.primary_drag);
        let is_own = match input {
            Input::Moved { .. } => is_dragging,
            Input::Pressed => {
                self.is_own_press = claims.primary_press || gizmo.is_hover_pending();
                self.is_own_press
            }
            Input::Released => std::mem::take(&mut self.is_own_press) && claims.click || is_dragging,
            Input::Interrupted => {
                self.is_own_press = false;
                false
            }
            // They would do nothing and ask for a frame.
            Input::Wheel(notches) if !claims.wheel || notches == 0.0 => return false,
            Input::Canceled if !claims.secondary => return false,
            Input::Wheel(_) => true,
            _ => false,
        };
        gizmo.handle_input(input);
        is_own || (matches!(input, Input::Key(..)) && gizmo.claims().keys)
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
