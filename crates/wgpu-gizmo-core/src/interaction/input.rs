use crate::interaction::key::{HeldKeys, Key, KeyModifiers};
use glam::DVec2;

/// An input of the pointer or the keyboard, as data: for hosts that pass it to several gizmos, or record it.
/// [`Gizmo::handle_input`](crate::interaction::Gizmo::handle_input) processes it, as does the method that each
/// variant names.
///
/// ```
/// use wgpu_gizmo_core::Gizmo;
/// use wgpu_gizmo_core::interaction::Input;
///
/// /// Gizmos that share a pointer. A press in a drag, or after a key that begins one, belongs to that drag.
/// fn on_input(gizmos: &mut [Gizmo], input: Input) {
///     let is_taken = input == Input::Pressed && gizmos.iter().any(|gizmo| gizmo.claims().keys);
///     for gizmo in gizmos.iter_mut().filter(|gizmo| !is_taken || gizmo.claims().keys) {
///         gizmo.handle_input(input);
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// The pointer moved: [`Gizmo::pointer_moved`](crate::interaction::Gizmo::pointer_moved).
    Moved {
        /// The position in physical pixels of the render target.
        px: DVec2,
        /// The tolerance of a pointer such as a finger, in logical pixels, which replaces
        /// [`InputSettings::tolerance_lpx`](crate::interaction::settings::InputSettings::tolerance_lpx) until the next
        /// move.
        tolerance_lpx: Option<f64>,
    },
    /// The pointer left: [`Gizmo::pointer_left`](crate::interaction::Gizmo::pointer_left).
    Left,
    /// The primary button went down: [`Gizmo::pointer_pressed`](crate::interaction::Gizmo::pointer_pressed).
    Pressed,
    /// The primary button went up: [`Gizmo::pointer_released`](crate::interaction::Gizmo::pointer_released).
    Released,
    /// The drag is canceled: [`Gizmo::cancel`](crate::interaction::Gizmo::cancel).
    Canceled,
    /// The pointer and the keys were taken away: [`Gizmo::interrupt`](crate::interaction::Gizmo::interrupt).
    Interrupted,
    /// The held keys: [`Gizmo::set_held_keys`](crate::interaction::Gizmo::set_held_keys).
    Held(HeldKeys),
    /// A key was pressed or repeats: [`Gizmo::key`](crate::interaction::Gizmo::key).
    Key(Key, KeyModifiers),
    /// Notches of the wheel: [`Gizmo::wheel`](crate::interaction::Gizmo::wheel).
    Wheel(f64),
}
