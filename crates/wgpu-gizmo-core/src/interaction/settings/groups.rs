//! The groups of settings.

use crate::draw::DepthStyle;
use crate::handle::Axis;
use crate::interaction::settings::{
    AxisKeys, GrabMode, Limits, Locks, ShearPolicy, Snap, SnapKind, SnapSource, Solver,
};
use crate::pick::snap::SnapTo;

/// Snapping: the increments, and the geometry under the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SnapSettings {
    /// The increments while the snap key is not held. Default: [`Snap::OFF`].
    pub increments: Snap,
    /// The increments while the snap key is held (see [`HeldKeys::snap`](crate::interaction::HeldKeys::snap)).
    /// Default: [`Snap::DEFAULT_INCREMENTS`].
    ///
    /// With increments here and none in `increments`, the key turns snapping on. With increments there and
    /// none here, it turns snapping off.
    pub while_held: Snap,
    /// Selects whether the motion or the position is snapped. Default: [`SnapKind::Relative`].
    pub kind: SnapKind,
    /// Selects the geometry under the pointer that translations snap to, see
    /// [`Gizmo::snap_query`](crate::interaction::Gizmo::snap_query). It takes precedence over increments. Default:
    /// [`SnapTo::NONE`].
    pub to: SnapTo,
    /// Selects the point of the targets that a translation moves onto the snap point. Default:
    /// [`SnapSource::Pivot`].
    pub source: SnapSource,
    /// The local axis of the active target that is aligned with the normal at the snap point of a
    /// translation. All targets rotate with it. Default: `None`.
    pub align_to_normal: Option<Axis>,
}

impl Default for SnapSettings {
    fn default() -> Self {
        Self {
            increments: Snap::OFF,
            while_held: Snap::DEFAULT_INCREMENTS,
            kind: SnapKind::default(),
            to: SnapTo::NONE,
            source: SnapSource::default(),
            align_to_normal: None,
        }
    }
}

/// How a drag moves the targets, and what holds it back.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct MotionSettings {
    /// Selects how a drag along an axis follows the cursor. Default: [`Solver::ScreenProjection`].
    pub solver: Solver,
    /// Selects how a target rotates under a non-uniform parent. Default: [`ShearPolicy::BestFit`].
    pub shear: ShearPolicy,
    /// The maximum distance that one drag moves, in world units. It bounds drags toward the horizon. Default:
    /// `None`, which is 1 000 times the height of the view at the pivot.
    pub max_distance: Option<f64>,
    /// Whether dragging a scale handle through the pivot mirrors the targets. Default: false.
    pub allow_mirror: bool,
    /// The limits of the local transforms and of the angle of a drag. Default: [`Limits::NONE`].
    pub limits: Limits,
    /// The channels that keep their start. Default: [`Locks::NONE`].
    pub locks: Locks,
}

/// The use of pointer, wheel and keys.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct InputSettings {
    /// The maximum distance from a handle at which a press still grabs it, in logical pixels. Default: 5, for
    /// a mouse; 16 to 22 suits a finger.
    pub tolerance_lpx: f64,
    /// Selects when a drag begins and ends. Default: [`GrabMode::Hold`].
    pub grab: GrabMode,
    /// Whether a click on a handle (a press and a release without motion) begins a drag by keys of it: digits
    /// type its number. It takes effect with [`GrabMode::Hold`], and not on handles that pass clicks on
    /// ([`Event::ClickPassed`](crate::interaction::Event::ClickPassed)). Default: false.
    pub click_to_type: bool,
    /// Whether the middle button is left to the host during a drag, to orbit for example: it decides
    /// [`Claims::middle`](crate::interaction::Claims::middle). Default: false.
    pub orbit_in_drag: bool,
    /// Whether the wheel nudges the hovered ring or arrow, see [`Gizmo::wheel`](crate::interaction::Gizmo::wheel).
    /// Default: false.
    pub wheel_nudge: bool,
    /// Selects when x, y and z begin a drag. Default: [`AxisKeys::WhenHovered`].
    pub axis_keys: AxisKeys,
    /// The size of a world unit in meters, for typed lengths with a unit such as `25cm`. A number that is not
    /// finite and positive counts as 1. Default: 1.
    pub meters_per_unit: f64,
}

impl Default for InputSettings {
    fn default() -> Self {
        Self {
            tolerance_lpx: 5.0,
            grab: GrabMode::default(),
            click_to_type: false,
            orbit_in_drag: false,
            wheel_nudge: false,
            axis_keys: AxisKeys::default(),
            meters_per_unit: 1.0,
        }
    }
}

/// How the gizmo is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DisplaySettings {
    /// The length of an arrow in logical pixels, at most 0.4 of the shorter side of the viewport. Default:
    /// 96.
    pub size_lpx: f64,
    /// Whether arrows, stems and squares stand on the side of the pivot that faces the viewer. Default:
    /// false.
    pub flip_toward_camera: bool,
    /// Whether a drag shows how it is solved: the axis on screen, the foot of the cursor on it, and the
    /// closest points that the solver finds. Default: false.
    pub construction_lines: bool,
    /// Selects how parts of handles that the scene hides are drawn, if the renderer gets the depth of the
    /// scene. Default: [`DepthStyle::OnTop`].
    pub depth_style: DepthStyle,
}

impl Default for DisplaySettings {
    fn default() -> Self {
        Self {
            size_lpx: 96.0,
            flip_toward_camera: false,
            construction_lines: false,
            depth_style: DepthStyle::default(),
        }
    }
}
