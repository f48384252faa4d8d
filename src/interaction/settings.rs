use crate::handle::{HandleSet, Mode};
use crate::math::Increment;
use glam::{BVec3, DQuat, DVec3};

/// The settings of a gizmo: how it behaves.
///
/// They can be changed at any time. A drag follows changes of snapping and of appearance (size,
/// construction lines) at once, and other changes after its release.
///
/// ```
/// use wgpu_gizmo::interaction::Pivot;
/// use wgpu_gizmo::{Mode, Orientation, Settings};
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
    /// The increments while the snap key is held (see [`HeldKeys::snap`](super::HeldKeys::snap)).
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
    /// Whether a drag shows how it is solved: the axis on screen, the foot of the cursor on it, the points
    /// that a solver brings together. Default: false.
    pub construction_lines: bool,
    /// The length of an arrow in logical pixels, at most 0.4 of the shorter side of the viewport. Default:
    /// 96.
    pub size_lpx: f64,
    /// The maximum distance from a handle at which a press still grabs it, in logical pixels. Default: 5, for
    /// a mouse; 22 suits a finger.
    pub tolerance_lpx: f64,
    /// The maximum distance that one drag moves, in world units. It bounds drags toward the horizon. Default:
    /// `None`, which is 1 000 times the height of the view at the pivot.
    pub max_distance: Option<f64>,
    /// Whether dragging a scale handle through the pivot mirrors the targets. Default: false.
    pub allow_mirror: bool,
    /// Selects how a press and a release hold a handle. Default: [`Grab::Hold`].
    pub grab: Grab,
    /// Whether a click on a handle (a press and a release without motion) begins a drag by keys of it: digits
    /// type its number. It takes effect with [`Grab::Hold`], and not on handles that are clicked through
    /// ([`Event::ClickedThrough`](super::Event::ClickedThrough)). Default: false.
    pub click_to_type: bool,
    /// Selects the axes that each target moves and scales along. Default: [`Axes::Shared`].
    pub axes: Axes,
    /// Shows handles on the bounding box of the active target, in addition to those of the mode. Default:
    /// `None`.
    pub box_handles: Option<BoxHandles>,
    /// Whether the middle button is left to the host during a drag, to orbit for example: it decides
    /// [`Claims::middle`](super::Claims::middle). Default: false.
    pub orbit_in_drag: bool,
    /// Whether the wheel nudges the hovered ring or arrow, see [`Gizmo::wheel`](super::Gizmo::wheel).
    /// Default: false.
    pub wheel_nudge: bool,
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
            grab: Grab::default(),
            click_to_type: false,
            axes: Axes::default(),
            box_handles: None,
            orbit_in_drag: false,
            wheel_nudge: false,
        }
    }
}

/// The setting that selects the reference frame, whose axes the handles follow.
///
/// Scale handles always follow the local axes, so that the result never needs shear.
///
/// ```
/// use wgpu_gizmo::{Orientation, Settings, glam::DQuat};
///
/// let orientation = Orientation::Custom(DQuat::from_rotation_z(0.5));
/// let settings = Settings { orientation, ..Settings::default() };
/// # assert_ne!(settings, Settings::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

impl Orientation {
    /// The orientations without a value: all but [`Orientation::Custom`].
    pub const PRESETS: [Self; 4] = [Self::World, Self::Parent, Self::Local, Self::View];

    /// Returns the name, such as `world`.
    pub fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Parent => "parent",
            Self::Local => "local",
            Self::View => "view",
            Self::Custom(_) => "custom",
        }
    }
}

/// The setting that selects how a press and a release hold a handle.
///
/// ```
/// use wgpu_gizmo::interaction::Grab;
/// use wgpu_gizmo::Settings;
///
/// // For hands that cannot hold a button and move at the same time.
/// let settings = Settings { grab: Grab::Either, ..Settings::default() };
/// # assert_ne!(settings.grab, Grab::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grab {
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

impl Grab {
    /// All ways to hold a handle.
    pub const ALL: [Self; 3] = [Self::Hold, Self::Toggle, Self::Either];

    /// Returns the name, such as `hold`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Toggle => "toggle",
            Self::Either => "either",
        }
    }
}

/// The setting that selects the axes that each target moves and scales along.
///
/// ```
/// use wgpu_gizmo::interaction::Axes;
/// use wgpu_gizmo::{Orientation, Settings};
///
/// // Each target moves along its own local axes.
/// let settings =
///     Settings { axes: Axes::Own, orientation: Orientation::Local, ..Settings::default() };
/// # assert_ne!(settings.axes, Axes::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Axes {
    /// Selects the axes of the active target for all.
    #[default]
    Shared,
    /// Selects, for each target, the axes that the orientation gives for it; local axes for scale.
    Own,
}

impl Axes {
    /// All choices of axes.
    pub const ALL: [Self; 2] = [Self::Shared, Self::Own];

    /// Returns the name, such as `shared`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Own => "own",
        }
    }
}

/// The setting of the box handles, which move the faces of the active target's bounding box
/// ([`Target::bounds_local`](super::Target::bounds_local)).
///
/// ```
/// use wgpu_gizmo::interaction::{BoxHandles, BoxResult};
/// use wgpu_gizmo::{Mode, Settings};
///
/// // The handles of a crop box alone.
/// let crop = BoxHandles { result: BoxResult::Extents, ..BoxHandles::default() };
/// let settings = Settings { mode: Mode::None, box_handles: Some(crop), ..Settings::default() };
/// # assert_ne!(settings, Settings::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxHandles {
    /// Selects what a drag changes. Default: [`BoxResult::Transform`].
    pub result: BoxResult,
    /// Whether corners scale all sides by one factor. Default: false.
    pub keep_aspect: bool,
    /// The length at which a side stops, in world units. Default: 0.001. A value that is not positive counts
    /// as the default.
    pub min_size: f64,
    /// The handles that may be shown. Of these, a view shows the faces toward the viewer, the edges on the
    /// silhouette, and all corners. Default: all.
    pub handles: HandleSet,
}

impl Default for BoxHandles {
    fn default() -> Self {
        Self {
            result: BoxResult::default(),
            keep_aspect: false,
            min_size: Self::DEFAULT_MIN_SIZE,
            handles: HandleSet::all_of_box(),
        }
    }
}

impl BoxHandles {
    const DEFAULT_MIN_SIZE: f64 = 1e-3;

    /// Returns the min length of a side: finite and positive.
    pub(crate) fn usable_min_size(&self) -> f64 {
        let is_usable = self.min_size.is_finite() && self.min_size > 0.0;
        if is_usable { self.min_size } else { Self::DEFAULT_MIN_SIZE }
    }
}

/// The setting that selects what a drag of a box handle changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BoxResult {
    /// Changes the local transform: a scale, and a translation that keeps the opposite side in place.
    #[default]
    Transform,
    /// Changes the bounding box, and keeps the transform: for crop boxes, section boxes, colliders and
    /// lights.
    Extents,
}

impl BoxResult {
    /// All results.
    pub const ALL: [Self; 2] = [Self::Transform, Self::Extents];

    /// Returns the name, such as `extents`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Extents => "extents",
        }
    }
}

/// The setting that selects the pivot: the point that the gizmo stands at, and that targets rotate and
/// scale about.
///
/// ```
/// use wgpu_gizmo::glam::DVec3;
/// use wgpu_gizmo::interaction::Pivot;
/// use wgpu_gizmo::Settings;
///
/// // Rotates about the world's origin, wherever the targets are.
/// let settings = Settings { pivot: Pivot::Custom(DVec3::ZERO), ..Settings::default() };
/// # assert_ne!(settings.pivot, Pivot::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

impl Pivot {
    /// The pivots without a value: all but [`Pivot::Custom`].
    pub const PRESETS: [Self; 5] =
        [Self::Median, Self::Active, Self::Individual, Self::BoundsCenter, Self::EachTarget];

    /// Returns the name, such as `median`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Active => "active",
            Self::Individual => "individual",
            Self::BoundsCenter => "bounds center",
            Self::Custom(_) => "custom",
            Self::EachTarget => "each target",
        }
    }
}

/// The setting that selects how a target rotates under a parent with a non-uniform scale.
///
/// There, a rotation in world space would need shear, which a transform does not have. Under a uniform
/// parent, even a mirrored one, rotations are exact with every policy.
///
/// ```
/// use wgpu_gizmo::interaction::ShearPolicy;
/// use wgpu_gizmo::Settings;
///
/// // Disables rotation handles rather than rotating inexactly.
/// let settings = Settings { shear: ShearPolicy::Reject, ..Settings::default() };
/// # assert_ne!(settings.shear, ShearPolicy::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShearPolicy {
    /// Uses the nearest rotation, and keeps the scale. [`Drag::residual`](super::Drag::residual) returns
    /// the error.
    #[default]
    BestFit,
    /// Uses the same angle about the axis in the space of the parent.
    LocalOnly,
    /// Disables the handles that rotate.
    Reject,
}

impl ShearPolicy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::BestFit, Self::LocalOnly, Self::Reject];

    /// Returns the name, such as `best fit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BestFit => "best fit",
            Self::LocalOnly => "local only",
            Self::Reject => "reject",
        }
    }
}

/// The setting that selects what is snapped: the change, or the resulting value.
///
/// ```
/// use wgpu_gizmo::glam::DVec3;
/// use wgpu_gizmo::interaction::SnapKind;
/// use wgpu_gizmo::{Settings, Snap};
///
/// // Snaps to a grid whose lines pass through the origin of the world.
/// let snap_kind = SnapKind::Grid { origin_world: DVec3::ZERO };
/// let settings = Settings { snap: Snap::DEFAULT_INCREMENTS, snap_kind, ..Settings::default() };
/// # assert_ne!(settings.snap_kind, SnapKind::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SnapKind {
    /// Snaps the displacement since the start, along the handle.
    #[default]
    Relative,
    /// Snaps the position of the pivot along the axes of the reference frame, in world units. In Parent
    /// orientation the grid has the parent's origin. Local and View have no grid and use
    /// [`SnapKind::Relative`].
    Grid {
        /// The origin of the grid in World and Custom orientation.
        origin_world: DVec3,
    },
    /// Snaps the angle or the factor that results, in the handle's own channel of the active target: a
    /// rotation to multiples of the angle of its local rotation about the handle's axis, a scale to multiples
    /// of its local scale, that of the first scaled axis. Translations use [`SnapKind::Relative`].
    Value,
}

impl SnapKind {
    /// Returns the name: `relative`, `grid` or `value`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Grid { .. } => "grid",
            Self::Value => "value",
        }
    }
}

/// The modifiers of one cursor position in a drag: snapping and precision, as the held keys select them.
///
/// ```
/// use wgpu_gizmo::Snap;
/// use wgpu_gizmo::interaction::Modifiers;
///
/// let modifiers = Modifiers { precise: true, ..Snap::DEFAULT_INCREMENTS.into() };
/// assert_eq!(modifiers.snap, Snap::DEFAULT_INCREMENTS);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Modifiers {
    /// The increments. Default: [`Snap::OFF`].
    pub snap: Snap,
    /// Whether the motion or the position is snapped. Default: [`SnapKind::Relative`].
    pub snap_kind: SnapKind,
    /// Whether the motion continues at a tenth of the pointer's speed. Default: false.
    pub precise: bool,
    /// Whether box handles move the opposite side by as much, so that the center stays. Default: false.
    pub symmetric: bool,
}

impl From<Snap> for Modifiers {
    /// Returns relative snapping at full speed.
    fn from(snap: Snap) -> Self {
        Self { snap, ..Self::default() }
    }
}

/// The minimum and maximum values at which a drag stops.
///
/// Motion along a handle is shortened and never leaves the handle's line. A start outside the limits may
/// only come nearer to them.
///
/// ```
/// use wgpu_gizmo::glam::DVec3;
/// use wgpu_gizmo::interaction::Limits;
///
/// let floor = DVec3::new(f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY);
/// let limits = Limits { translation: [floor, DVec3::INFINITY], ..Limits::NONE };
/// # assert_ne!(limits, Limits::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The limits of the components of the local translation. Default: none.
    pub translation: [DVec3; 2],
    /// The limits of the components of the local scale. Default: none.
    pub scale: [DVec3; 2],
    /// The limits of the angle of one drag, in radians. Default: none.
    pub angle: [f64; 2],
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        translation: [DVec3::NEG_INFINITY, DVec3::INFINITY],
        scale: [DVec3::NEG_INFINITY, DVec3::INFINITY],
        angle: [f64::NEG_INFINITY, f64::INFINITY],
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}

/// The channels of the local transforms that keep their start in every drag.
///
/// ```
/// use wgpu_gizmo::glam::BVec3;
/// use wgpu_gizmo::interaction::Locks;
///
/// let locks = Locks { translation: BVec3::new(false, true, false), ..Locks::NONE };
/// # assert_ne!(locks, Locks::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Locks {
    /// The locked components of the translation. Default: none.
    pub translation: BVec3,
    /// Whether the rotation is locked. Default: false.
    pub rotation: bool,
    /// The locked components of the scale. Default: none.
    pub scale: BVec3,
}

impl Locks {
    /// No locks.
    pub const NONE: Self = Self { translation: BVec3::FALSE, rotation: false, scale: BVec3::FALSE };
}

/// The setting that selects how the cursor becomes a distance along an axis.
///
/// ```
/// use wgpu_gizmo::{Settings, Solver};
///
/// let settings = Settings { solver: Solver::ClosestPoint, ..Settings::default() };
/// # assert_ne!(settings.solver, Solver::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// Projects the cursor onto the drawn axis, and uses the point that appears there.
    #[default]
    ScreenProjection,
    /// Uses the point of the axis that is closest to the pointer's ray.
    ClosestPoint,
    /// Intersects the pointer's ray with the plane through the axis that faces the viewer more.
    MovementPlane,
}

impl Solver {
    /// All solvers.
    pub const ALL: [Self; 3] = [Self::ScreenProjection, Self::ClosestPoint, Self::MovementPlane];

    /// Returns the name, such as `screen projection`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ScreenProjection => "screen projection",
            Self::ClosestPoint => "closest point",
            Self::MovementPlane => "movement plane",
        }
    }
}

/// The increments of snapping; `None` turns snapping off.
///
/// ```
/// use wgpu_gizmo::math::Increment;
/// use wgpu_gizmo::{Settings, Snap};
///
/// let quarter = Snap { translate: Increment::new(0.25), ..Snap::DEFAULT_INCREMENTS };
/// let settings = Settings { snap: quarter, snap_while_held: Snap::OFF, ..Settings::default() };
/// # assert!(settings.snap.translate.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Snap {
    /// The increment of translations in world units. Default: `None`.
    pub translate: Option<Increment>,
    /// The increment of the total angle in radians. Default: `None`.
    pub rotate: Option<Increment>,
    /// The increment of the scale factor, which is added: 1.0, 1.1, …. Default: `None`.
    pub scale: Option<Increment>,
}

impl Snap {
    /// No snapping.
    pub const OFF: Self = Self { translate: None, rotate: None, scale: None };

    /// The default increments: 0.5 world units, 15° and a factor of 0.1.
    pub const DEFAULT_INCREMENTS: Self = Self {
        translate: Increment::new(0.5),
        rotate: Increment::new(std::f64::consts::PI / 12.0),
        scale: Increment::new(0.1),
    };
}

impl Settings {
    /// Returns the handles that are shown: those of the mode, and of the box.
    pub(crate) fn handles(&self) -> HandleSet {
        match &self.box_handles {
            Some(shown) => self.mode.handles() | (shown.handles & HandleSet::all_of_box()),
            None => self.mode.handles(),
        }
    }

    /// Returns whether both behave the same: equal, where a NaN equals a NaN.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self == other || self.without_nan() == other.without_nan()
    }

    /// Returns the settings with a number in the place of each NaN, which no host sets.
    fn without_nan(&self) -> Self {
        let vector = |v: DVec3| DVec3::from_array(v.to_array().map(number));
        let ends = |ends: [DVec3; 2]| ends.map(vector);
        Self {
            orientation: match self.orientation {
                Orientation::Custom(q) => Orientation::Custom(DQuat::from_array(q.to_array().map(number))),
                other => other,
            },
            pivot: match self.pivot {
                Pivot::Custom(point) => Pivot::Custom(vector(point)),
                other => other,
            },
            snap_kind: match self.snap_kind {
                SnapKind::Grid { origin_world } => SnapKind::Grid { origin_world: vector(origin_world) },
                other => other,
            },
            limits: Limits {
                translation: ends(self.limits.translation),
                scale: ends(self.limits.scale),
                angle: self.limits.angle.map(number),
            },
            box_handles: self
                .box_handles
                .map(|box_handles| BoxHandles { min_size: number(box_handles.min_size), ..box_handles }),
            size_lpx: number(self.size_lpx),
            tolerance_lpx: number(self.tolerance_lpx),
            max_distance: self.max_distance.map(number),
            ..*self
        }
    }
}

/// Returns the number, or one that no host uses instead of a NaN.
pub(crate) fn number(number: f64) -> f64 {
    if number.is_nan() { -f64::MAX } else { number }
}
