//! The settings that choose one of several behaviors.

use glam::{DQuat, DVec3};

/// The setting that selects the reference frame, whose axes the handles follow.
///
/// Scale handles always follow the local axes, so that the result never needs shear.
///
/// ```
/// use wgpu_gizmo_core::{Orientation, Settings, glam::DQuat};
///
/// let orientation = Orientation::Custom(DQuat::from_rotation_z(0.5));
/// let settings = Settings::default().with(|s| s.orientation = orientation);
/// # assert_ne!(settings, Settings::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Orientation {
    /// Selects the world's axes.
    #[default]
    World,
    /// Selects the axes of the active target's parent.
    Parent,
    /// Selects the active target's own axes.
    Local,
    /// Selects the axes of the view: X right and Y up on screen, Z = X × Y.
    View,
    /// Selects the world's axes after this rotation. An invalid rotation (zero, NaN) counts as World.
    Custom(DQuat),
}

choices!(
    Orientation,
    PRESETS: World = "world", Parent = "parent", Local = "local", View = "view"; Custom = "custom"
);

/// The setting that selects when a drag begins and ends.
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::GrabMode;
/// use wgpu_gizmo_core::Settings;
///
/// // For hands that cannot hold a button and move at the same time.
/// let settings = Settings::default().with(|s| s.input.grab = GrabMode::Either);
/// # assert_ne!(settings.input.grab, GrabMode::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum GrabMode {
    /// Drags while the button is held.
    #[default]
    Hold,
    /// Drags from one click to the next: the release after the press is ignored, and the next press ends
    /// the drag.
    Toggle,
    /// Drags while the button is held, or from a click without motion (less than 4 logical pixels) to the
    /// next press.
    Either,
}

choices!(GrabMode, ALL: Hold = "hold", Toggle = "toggle", Either = "either");

/// The setting that selects when the keys x, y and z begin a drag. In a drag they choose the axis, whatever the
/// setting.
///
/// ```
/// use wgpu_gizmo_core::Settings;
/// use wgpu_gizmo_core::interaction::settings::AxisKeys;
///
/// // As in modelers: X, 45, Enter turns the selection, wherever the pointer is.
/// let settings = Settings::default().with(|s| s.input.axis_keys = AxisKeys::Always);
/// # assert_ne!(settings.input.axis_keys, AxisKeys::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum AxisKeys {
    /// Begins no drag: the keys are the host's.
    Off,
    /// Begins a drag while a handle is hovered.
    #[default]
    WhenHovered,
    /// Begins a drag whenever the gizmo is visible.
    Always,
}

impl AxisKeys {
    /// Returns true if an axis key outside a drag begins one.
    pub(crate) fn begin_drag(self, is_hovered: bool) -> bool {
        match self {
            Self::Off => false,
            Self::WhenHovered => is_hovered,
            Self::Always => true,
        }
    }
}

choices!(AxisKeys, ALL: Off = "off", WhenHovered = "when hovered", Always = "always");

/// The setting that selects the axes that each target moves and scales along.
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::Axes;
/// use wgpu_gizmo_core::{Orientation, Settings};
///
/// // Each target moves along its own local axes.
/// let settings =
///     Settings::default().with(|s| {
///     s.axes = Axes::Own;
///     s.orientation = Orientation::Local;
/// });
/// # assert_ne!(settings.axes, Axes::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Axes {
    /// Selects the axes of the active target for all.
    #[default]
    Shared,
    /// Selects, for each target, the axes that the orientation gives for it; local axes for scale.
    Own,
}

choices!(Axes, ALL: Shared = "shared", Own = "own");

/// The setting that selects the pivot: the point that the gizmo stands at, and that targets rotate and
/// scale about.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::interaction::settings::Pivot;
/// use wgpu_gizmo_core::Settings;
///
/// // Rotates about the world's origin, wherever the targets are.
/// let settings = Settings::default().with(|s| s.pivot = Pivot::Custom(DVec3::ZERO));
/// # assert_ne!(settings.pivot, Pivot::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Pivot {
    /// Selects the mean of the targets' positions.
    #[default]
    Median,
    /// Selects the position of the active (last) target.
    Active,
    /// Selects the position of each target, along its own axes of the orientation. One gizmo stands at the
    /// active target.
    Individual,
    /// Selects the center of the bounding box of all targets, along the world's axes. A target without
    /// bounds counts with its position.
    BoundsCenter,
    /// Selects this point in world space.
    Custom(DVec3),
    /// Shows a gizmo on each of the first 1 024 targets. The grabbed one selects pivot and axes, and all
    /// targets move.
    EachTarget,
}

choices!(
    Pivot,
    PRESETS: Median = "median", Active = "active", Individual = "individual", BoundsCenter = "bounds",
    EachTarget = "each"; Custom = "custom"
);

/// The setting that selects how a target rotates under a parent with a non-uniform scale.
///
/// There, a rotation in world space would need shear, which a transform does not have. Under a uniform
/// parent, even a mirrored one, rotations are exact with every policy.
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::ShearPolicy;
/// use wgpu_gizmo_core::Settings;
///
/// // Disables rotation handles rather than rotating inexactly.
/// let settings = Settings::default().with(|s| s.motion.shear = ShearPolicy::Reject);
/// # assert_ne!(settings.motion.shear, ShearPolicy::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ShearPolicy {
    /// Uses the nearest rotation, and keeps the scale. [`Drag::residual`](crate::interaction::Drag::residual) returns
    /// the error.
    #[default]
    BestFit,
    /// Uses the same angle about the axis in the space of the parent.
    LocalOnly,
    /// Disables the handles that rotate.
    Reject,
}

choices!(ShearPolicy, ALL: BestFit = "best fit", LocalOnly = "local only", Reject = "reject");

/// The setting that selects how the cursor becomes a distance along an axis.
///
/// ```
/// use wgpu_gizmo_core::{Settings, Solver};
///
/// let settings = Settings::default().with(|s| s.motion.solver = Solver::ClosestPoint);
/// # assert_ne!(settings.motion.solver, Solver::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Solver {
    /// Projects the cursor onto the drawn axis, and uses the point that appears there.
    #[default]
    ScreenProjection,
    /// Uses the point of the axis that is closest to the pointer's ray.
    ClosestPoint,
    /// Intersects the pointer's ray with the plane through the axis that faces the viewer more.
    MovementPlane,
}

choices!(
    Solver,
    ALL: ScreenProjection = "screen projection", ClosestPoint = "closest point", MovementPlane = "movement plane"
);
