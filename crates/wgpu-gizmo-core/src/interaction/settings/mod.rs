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
mod groups;
mod limits;
mod snapping;

pub use boxes::{BoxHandles, BoxResult};
pub use choices::{Axes, AxisKeys, GrabMode, Orientation, Pivot, ShearPolicy, Solver};
pub use groups::{DisplaySettings, InputSettings, MotionSettings, SnapSettings};
pub use limits::{Limits, Locks};
pub use snapping::{Modifiers, Snap, SnapKind, SnapSource};

use crate::handle::{HandleSet, Mode};
#[cfg(feature = "serde")]
use crate::{draw::DepthStyle, handle::Axis, pick::snap::SnapTo};

/// The settings of a gizmo: how it behaves.
///
/// They can be changed at any time. A drag follows changes of snapping and of appearance (size,
/// construction lines) at once, and other changes after its release.
///
/// Hosts assign the fields of the settings that a gizmo has. [`Settings::with`] makes a value in one expression.
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::Pivot;
/// use wgpu_gizmo_core::{Gizmo, IdSpace, Mode, Orientation, Settings};
///
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// gizmo.settings.mode = Mode::Rotate;
/// gizmo.settings.display.size_lpx = 120.0;
///
/// let local = Settings::default().with(|s| {
///     s.orientation = Orientation::Local;
///     s.pivot = Pivot::Active;
/// });
/// assert_eq!((local.display.size_lpx, local.input.tolerance_lpx), (96.0, 5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "FlatSettings", into = "FlatSettings"))]
#[non_exhaustive]
pub struct Settings {
    /// Selects the handles that are shown. Default: [`Mode::Translate`].
    pub mode: Mode,
    /// Selects the reference frame. Default: [`Orientation::World`].
    pub orientation: Orientation,
    /// Selects the point that targets rotate and scale about. Default: [`Pivot::Median`].
    pub pivot: Pivot,
    /// Selects the axes that each target moves and scales along. Default: [`Axes::Shared`].
    pub axes: Axes,
    /// Snapping: the increments, and the geometry under the pointer.
    pub snap: SnapSettings,
    /// How a drag moves the targets.
    pub motion: MotionSettings,
    /// The use of pointer, wheel and keys.
    pub input: InputSettings,
    /// How the gizmo is shown.
    pub display: DisplaySettings,
    /// Shows handles on the bounding box of the active target, in addition to those of the mode. Default:
    /// `None`.
    pub box_handles: Option<BoxHandles>,
}

#[cfg(feature = "serde")]
crate::flat_form::flat_form!(
    "Settings", Settings as FlatSettings:
    mode: Mode = mode,
    orientation: Orientation = orientation,
    pivot: Pivot = pivot,
    solver: Solver = motion.solver,
    shear: ShearPolicy = motion.shear,
    snap: Snap = snap.increments,
    snap_while_held: Snap = snap.while_held,
    snap_kind: SnapKind = snap.kind,
    limits: Limits = motion.limits,
    locks: Locks = motion.locks,
    flip_toward_camera: bool = display.flip_toward_camera,
    construction_lines: bool = display.construction_lines,
    size_lpx: f64 = display.size_lpx,
    tolerance_lpx: f64 = input.tolerance_lpx,
    max_distance: Option<f64> = motion.max_distance,
    allow_mirror: bool = motion.allow_mirror,
    meters_per_unit: f64 = input.meters_per_unit,
    grab: GrabMode = input.grab,
    click_to_type: bool = input.click_to_type,
    axes: Axes = axes,
    box_handles: Option<BoxHandles> = box_handles,
    orbit_in_drag: bool = input.orbit_in_drag,
    wheel_nudge: bool = input.wheel_nudge,
    depth_style: DepthStyle = display.depth_style,
    snap_to: SnapTo = snap.to,
    snap_source: SnapSource = snap.source,
    align_to_normal: Option<Axis> = snap.align_to_normal,
    axis_keys: AxisKeys = input.axis_keys,
);

impl Settings {
    /// Returns the settings after a change: a value in one expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns the handles that are shown: those of the mode, and of the box.
    pub(crate) fn handles(&self) -> HandleSet {
        match &self.box_handles {
            Some(shown) => self.mode.handles() | (shown.handles & HandleSet::all_of_box()),
            None => self.mode.handles(),
        }
    }
}
