/// The uses of the pointer and the keyboard that belong to the gizmo at the moment. All others are left to
/// the camera, the selection and the user interface of the host.
///
/// [`Gizmo::claims`](super::Gizmo::claims) returns them.
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
    /// [`Settings::orbit_in_drag`](super::Settings::orbit_in_drag) is off.
    pub middle: bool,
    /// The wheel nudges: [`Settings::wheel_nudge`](super::Settings::wheel_nudge) is on, and a drag is in
    /// progress, or a ring or an arrow is hovered.
    pub wheel: bool,
    /// Keys belong to a drag: one is in progress, or a key that begins one waits for
    /// [`Gizmo::update`](super::Gizmo::update).
    pub keys: bool,
}
