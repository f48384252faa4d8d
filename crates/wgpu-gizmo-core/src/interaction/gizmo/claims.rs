use crate::interaction::drag::numbers::is_nudged_by_wheel;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::machine::Phase;

/// The uses of the pointer and the keyboard that belong to the gizmo at the moment. All others are left to
/// the camera, the selection and the user interface of the host.
///
/// [`Gizmo::claims`](crate::interaction::Gizmo::claims) returns them.
///
/// ```
/// use wgpu_gizmo_core::interaction::Claims;
///
/// /// Returns true if a press of the primary button begins an orbit of the camera.
/// fn may_orbit(claims: &Claims) -> bool {
///     !claims.primary_press && !claims.primary_drag
/// }
/// assert!(may_orbit(&Claims::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Claims {
    /// A press of the primary button would belong to the gizmo: a usable handle is hovered, or a press or
    /// drag is in progress.
    pub primary_press: bool,
    /// A press or drag of the gizmo is in progress, or its button is still down after a cancel.
    pub primary_drag: bool,
    /// The press in progress, or the release that the last update handled, belongs to the gizmo and must
    /// not select anything.
    pub click: bool,
    /// The secondary button cancels, because a drag is in progress.
    pub secondary: bool,
    /// The middle button must not move the camera, because a drag is in progress and
    /// [`InputSettings::orbit_in_drag`](crate::interaction::settings::InputSettings::orbit_in_drag) is off.
    pub middle: bool,
    /// The wheel nudges: [`InputSettings::wheel_nudge`](crate::interaction::settings::InputSettings::wheel_nudge) is on, and a drag is in
    /// progress, or a ring or an arrow is hovered.
    pub wheel: bool,
    /// Keys belong to a drag: one is in progress, or a key that begins one
    /// ([`InputSettings::axis_keys`](crate::interaction::settings::InputSettings::axis_keys)) waits for
    /// [`Gizmo::update`](crate::interaction::Gizmo::update).
    pub keys: bool,
}

/// Claims to the pointer and the keyboard.
impl Gizmo {
    /// Returns which uses of pointer and keys belong to the gizmo at the moment.
    ///
    /// Hosts ask before each use: a press of the primary button may orbit the camera unless
    /// [`Claims::primary_press`], a click may select unless [`Claims::click`], and so on. A handle that is
    /// only hovered claims no other button, and claims the wheel only with
    /// [`InputSettings::wheel_nudge`](crate::interaction::settings::InputSettings::wheel_nudge).
    ///
    /// ```
    /// use wgpu_gizmo_core::{Gizmo, IdSpace};
    ///
    /// let gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let claims = gizmo.claims();
    /// assert!(!claims.primary_press && !claims.wheel, "nothing is hovered");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn claims(&self) -> Claims {
        let is_busy = self.is_busy();
        let hovered = self.hover.handle().filter(|_| matches!(self.phase, Phase::Idle));
        let is_held_down = matches!(self.phase, Phase::PressedElsewhere { .. }) && self.owns_click;
        let is_nudgeable = hovered.is_some_and(|handle| is_nudged_by_wheel(handle.constraint()));
        Claims {
            primary_press: is_busy || hovered.is_some(),
            primary_drag: is_busy || is_held_down,
            click: is_busy || self.owns_click,
            secondary: is_busy,
            middle: is_busy && !self.settings.input.orbit_in_drag,
            wheel: self.settings.input.wheel_nudge && (self.is_active() || is_nudgeable),
            keys: self.is_active() || self.input.has_drag_key(),
        }
    }

    /// Returns true if the handle or object under the pointer is still unknown: a pick for its position is
    /// queued or in flight. [`Gizmo::hovered`] then returns the last known handle.
    ///
    /// It returns false in a drag of this gizmo, except in one by the wheel whose pointer has moved. While another
    /// gizmo that shares the pointer is dragged, it stays true as long as the queries of this one are not answered: a
    /// host that asks for none in a drag should not wait for them either.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DMat4, DVec2};
    /// use wgpu_gizmo_core::{Gizmo, IdSpace, View, Viewport};
    ///
    /// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(600, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// gizmo.pointer_moved(DVec2::new(10.0, 10.0));
    /// gizmo.update(&view, &mut []);
    /// assert!(gizmo.is_hover_pending());
    /// gizmo.answer_on_cpu();
    /// assert!(!gizmo.is_hover_pending() && gizmo.hovered().is_none(), "nothing is there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_hover_pending(&self) -> bool {
        match &self.phase {
            Phase::Dragging(..) if !self.asks_in_wheel_drag() => false,
            Phase::Pressed(_) => true,
            Phase::Dragging(..) | Phase::Idle | Phase::PressedElsewhere { .. } => {
                let is_unknown = |cursor_px| {
                    let view = self.views.shown_at(cursor_px);
                    let in_view = view.filter(|view| view.viewport().contains(cursor_px));
                    in_view.is_some_and(|view| !self.hover.is_known(cursor_px, &view))
                };
                self.input.cursor_px().is_some_and(is_unknown) || self.input.has_move()
            }
        }
    }
}
