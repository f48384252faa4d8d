//! Who owns the pointer and the keys.

use bevy::ecs::resource::Resource;
use bevy::prelude::Deref;
use wgpu_gizmo_core::interaction::Claims;

/// The uses of the pointer and the keys that belong to the gizmo in this frame. All others are free.
///
/// They are current from `PreUpdate` on. A claim lasts for the whole frame in which it ends: the release of a
/// drag selects nothing, and the secondary button that canceled a drag does not orbit until it is up.
///
/// ```
/// use bevy::prelude::*;
/// use wgpu_gizmo_bevy::{GizmoClaims, conditions};
///
/// fn orbit(claims: Res<GizmoClaims>, buttons: Res<ButtonInput<MouseButton>>) {
///     let is_orbiting = buttons.pressed(MouseButton::Left) && !claims.primary_press;
/// }
///
/// fn zoom() { /* the wheel */ }
///
/// let mut app = App::new();
/// app.add_systems(Update, (orbit, zoom.run_if(conditions::wheel_is_free)));
/// ```
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Default, Deref)]
pub struct GizmoClaims(pub(crate) Claims);

/// The claims during the input of one frame.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FrameClaims {
    during: Claims,
    /// Whether a click of this frame belongs to the gizmo; `None` if the button was not released in it.
    click: Option<bool>,
    /// Whether the secondary button is down and has canceled a drag.
    pub(crate) has_canceled: bool,
}

impl FrameClaims {
    /// Begins a frame. `now` are the claims at its beginning.
    pub(crate) fn begin(&mut self, now: Claims) {
        let mut during = Claims::default();
        // A hover ends with the first move, but keys and wheel do not wait for it.
        (during.keys, during.wheel) = (now.keys, now.wheel);
        (self.during, self.click) = (during, None);
    }

    /// Adds the claims after the primary button was released.
    pub(crate) fn add_release(&mut self, now: Claims) {
        self.click = Some(self.click.unwrap_or_default() || now.click);
    }

    /// Adds the claims after an event. `is_busy` says that a press or drag is in progress.
    pub(crate) fn add(&mut self, now: Claims, is_busy: bool) {
        let during = &mut self.during;
        during.primary_press |= is_busy;
        during.primary_drag |= is_busy;
        during.secondary |= now.secondary;
        during.middle |= now.middle;
        during.wheel |= now.wheel;
        during.keys |= now.keys;
    }

    /// Claims the secondary button until the end of the frame.
    pub(crate) fn claim_secondary(&mut self) {
        self.during.secondary = true;
    }

    /// Returns the claims of the frame. `now` are those at its end.
    pub(crate) fn of_frame(&self, now: Claims) -> Claims {
        let (during, mut claims) = (self.during, now);
        claims.primary_press |= during.primary_press;
        claims.primary_drag |= during.primary_drag;
        claims.click = self.click.unwrap_or(now.click);
        claims.secondary |= during.secondary || self.has_canceled;
        claims.middle |= during.middle;
        claims.wheel |= during.wheel;
        claims.keys |= during.keys;
        claims
    }
}

/// Run conditions for systems that share the pointer or the keys with the gizmo. Without the plugin,
/// everything is free.
///
/// ```
/// use bevy::prelude::*;
/// use wgpu_gizmo_bevy::conditions;
///
/// fn select() { /* a click */ }
/// fn shortcuts() { /* keys */ }
///
/// let mut app = App::new();
/// app.add_systems(
///     Update,
///     (select.run_if(conditions::click_is_free), shortcuts.run_if(conditions::keys_are_free)),
/// );
/// app.update();
/// ```
pub mod conditions {
    use super::GizmoClaims;
    use bevy::ecs::change_detection::Res;

    /// Returns true if the primary button may begin or continue an action of the host, such as an orbit.
    pub fn primary_is_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.primary_press && !claims.primary_drag)
    }

    /// Returns true if a click of the primary button may select: ask in the frame in which it is released.
    pub fn click_is_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.click)
    }

    /// Returns true if the secondary button does not cancel a drag.
    pub fn secondary_is_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.secondary)
    }

    /// Returns true if the middle button may move the camera.
    pub fn middle_is_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.middle)
    }

    /// Returns true if the wheel may move the camera.
    pub fn wheel_is_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.wheel)
    }

    /// Returns true if keys may be shortcuts of the host.
    pub fn keys_are_free(claims: Option<Res<GizmoClaims>>) -> bool {
        claims.is_none_or(|claims| !claims.keys)
    }
}
