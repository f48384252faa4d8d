/// The reason why a gizmo is not visible in a view: see
/// [`Gizmo::invisible_reason`](crate::Gizmo::invisible_reason).
///
/// Its `Display` text can be shown to users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvisibleReason {
    /// There is no target.
    #[error("nothing is selected")]
    NoTarget,
    /// A transform or a parent matrix contains a NaN or an infinity.
    #[error("the transform has a number that is not finite")]
    NotFinite,
    /// The mode shows no handle.
    #[error("the mode has no handles")]
    NoHandle,
    /// The pivot is behind the viewer, or on the eye.
    #[error("the pivot is not in front of the viewer")]
    PivotNotInFront,
    /// All handles are outside of the view.
    #[error("the gizmo is outside of the view")]
    OutsideView,
    /// The view sees every handle end-on or edge-on.
    #[error("every handle is seen end-on")]
    SeenEndOn,
    /// The viewport is too small for handles, or their size is not a positive number.
    #[error("the view is too small for handles")]
    DegenerateView,
}
