//! The settings of a gizmo.

/// Lists the values of a choice without fields, and names all of them.
macro_rules! choices {
    ($choice:ident, $list:ident: $($value:ident = $name:literal),+ $(; $other:ident = $other_name:literal)*) => {
        impl $choice {
            /// All values without fields, in the order of menus.
            pub const $list: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Returns the name in files and user interfaces: words in lowercase.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                    $(Self::$other { .. } => $other_name,)*
                }
            }
        }
    };
}

mod boxes;
mod choices;
mod limits;
mod snapping;

pub use boxes::{BoxHandles, BoxResult};
pub use choices::{Axes, GrabMode, Orientation, Pivot, ShearPolicy, Solver};
pub use limits::{Limits, Locks};
pub use snapping::{Modifiers, Snap, SnapKind, SnapSource};

use crate::draw::DepthStyle;
use crate::handle::{Axis, HandleSet, Mode};
use crate::pick::snap::SnapTo;

/// The settings of a gizmo: how it behaves.
///
/// They can be changed at any time. A drag follows changes of snapping and of appearance (size,
/// construction lines) at once, and other changes after its release.
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::Pivot;
/// use wgpu_gizmo_core::{Mode, Orientation, Settings};
///
/// let settings = Settings {
///     mode: Mode::Rotate,
///     orientation: Orientation::Local,
///     pivot: Pivot::Active,
///     ..Settings::default()
/// };
/// assert_eq!((settings.size_lpx, settings.tolerance_lpx), (96.0, 5.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Settings {
    /// Selects the handles that are shown. Default: [`Mode::Translate`].
    pub mode: Mode,
    /// Selects the reference frame. Default: [`Orientation::World`].
    pub orientation: Orientation,
    /// Selects the point that targets rotate and scale about. Default: [`Pivot::Median`].
    pub pivot: Pivot,
    /// Selects how a drag along an axis follows the cursor. Default: [`Solver::ScreenProjection`].
    pub solver: Solver,
    /// Selects how a target rotates under a non-uniform parent. Default: [`ShearPolicy::BestFit`].
    pub shear: ShearPolicy,
    /// The increments while the snap key is not held. Default: [`Snap::OFF`].
    pub snap: Snap,
    /// The increments while the snap key is held (see [`HeldKeys::snap`](crate::interaction::HeldKeys::snap)).
    /// Default: [`Snap::DEFAULT_INCREMENTS`].
    ///
    /// With increments here and none in `snap`, the key turns snapping on. With increments in `snap` and
    /// none here, it turns snapping off.
    pub snap_while_held: Snap,
    /// Selects whether the motion or the position is snapped. Default: [`SnapKind::Relative`].
    pub snap_kind: SnapKind,
    /// The limits of the local transforms and of the angle of a drag. Default: [`Limits::NONE`].
    pub limits: Limits,
    /// The channels that keep their start. Default: [`Locks::NONE`].
    pub locks: Locks,
    /// Whether arrows, stems and squares stand on the side of the pivot that faces the viewer. Default:
    /// false.
    pub flip_toward_camera: bool,
    /// Whether a drag shows how it is solved: the axis on screen, the foot of the cursor on it, and the
    /// closest points that the solver finds. Default: false.
    pub construction_lines: bool,
    /// The length of an arrow in logical pixels, at most 0.4 of the shorter side of the viewport. Default:
    /// 96.
    pub size_lpx: f64,
    /// The maximum distance from a handle at which a press still grabs it, in logical pixels. Default: 5, for
    /// a mouse; 16 to 22 suits a finger.
    pub tolerance_lpx: f64,
    /// The maximum distance that one drag moves, in world units. It bounds drags toward the horizon. Default:
    /// `None`, which is 1 000 times the height of the view at the pivot.
    pub max_distance: Option<f64>,
    /// Whether dragging a scale handle through the pivot mirrors the targets. Default: false.
    pub allow_mirror: bool,
    /// The size of a world unit in meters, for typed lengths with a unit such as `25cm`. A number that is not
    /// finite and positive counts as 1. Default: 1.
    pub meters_per_unit: f64,
    /// Selects when a drag begins and ends. Default: [`GrabMode::Hold`].
    pub grab: GrabMode,
    /// Whether a click on a handle (a press and a release without motion) begins a drag by keys of it: digits
    /// type its number. It takes effect with [`GrabMode::Hold`], and not on handles that pass clicks on
    /// ([`Event::ClickPassed`](crate::interaction::Event::ClickPassed)). Default: false.
    pub click_to_type: bool,
    /// Selects the axes that each target moves and scales along. Default: [`Axes::Shared`].
    pub axes: Axes,
    /// Shows handles on the bounding box of the active target, in addition to those of the mode. Default:
    /// `None`.
    pub box_handles: Option<BoxHandles>,
    /// Whether the middle button is left to the host during a drag, to orbit for example: it decides
    /// [`Claims::middle`](crate::interaction::Claims::middle). Default: false.
    pub orbit_in_drag: bool,
    /// Whether the wheel nudges the hovered ring or arrow, see [`Gizmo::wheel`](crate::interaction::Gizmo::wheel).
    /// Default: false.
    pub wheel_nudge: bool,
    /// Selects how parts of handles that the scene hides are drawn, if the renderer gets the depth of the
    /// scene. Default: [`DepthStyle::OnTop`].
    pub depth_style: DepthStyle,
    /// Selects the geometry under the pointer that translations snap to, see
    /// [`Gizmo::snap_query`](crate::interaction::Gizmo::snap_query). It takes precedence over increments. Default:
    /// [`SnapTo::NONE`].
    pub snap_to: SnapTo,
    /// Selects the point of the targets that a translation moves onto the snap point. Default:
    /// [`SnapSource::Pivot`].
    pub snap_source: SnapSource,
    /// The local axis of the active target that is aligned with the normal at the snap point of a
    /// translation. All targets rotate with it. Default: `None`.
    pub align_to_normal: Option<Axis>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            orientation: Orientation::default(),
            pivot: Pivot::default(),
            solver: Solver::default(),
            shear: ShearPolicy::default(),
            snap: Snap::OFF,
            snap_while_held: Snap::DEFAULT_INCREMENTS,
            snap_kind: SnapKind::default(),
            limits: Limits::NONE,
            locks: Locks::NONE,
            flip_toward_camera: false,
            construction_lines: false,
            size_lpx: 96.0,
            tolerance_lpx: 5.0,
            max_distance: None,
            allow_mirror: false,
            meters_per_unit: 1.0,
            grab: GrabMode::default(),
            click_to_type: false,
            axes: Axes::default(),
            box_handles: None,
            orbit_in_drag: false,
            wheel_nudge: false,
            depth_style: DepthStyle::default(),
            snap_to: SnapTo::NONE,
            snap_source: SnapSource::default(),
            align_to_normal: None,
        }
    }
}

impl Settings {
    /// Returns the handles that are shown: those of the mode, and of the box.
    pub(crate) fn handles(&self) -> HandleSet {
        match &self.box_handles {
            Some(shown) => self.mode.handles() | (shown.handles & HandleSet::all_of_box()),
            None => self.mode.handles(),
        }
    }
}
