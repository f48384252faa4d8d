use crate::handle::Mode;
use crate::math::Increment;
use glam::{BVec3, DQuat, DVec3};

/// How a gizmo behaves. Change it at any time; a drag takes up snapping and what is only looked
/// at (size, construction lines) at once, and the rest after its release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Which handles are shown.
    pub mode: Mode,
    /// How the handles are turned.
    pub orientation: Orientation,
    /// What several targets turn and scale about.
    pub pivot: Pivot,
    /// How a drag along an axis follows the cursor.
    pub solver: Solver,
    /// What a rotation does under a parent that scales unevenly.
    pub shear: ShearPolicy,
    /// Snapping while the snap key is not held. Off by default.
    pub snap: Snap,
    /// Snapping while the snap key is held (see [`Gizmo::snap_held`](super::Gizmo::snap_held)).
    /// With increments here and none in `snap` the key snaps; the other way round it lets go.
    pub snap_while_held: Snap,
    /// What a snapped translation is a multiple of: the motion, or the place.
    pub snap_kind: SnapKind,
    /// How far the local transforms and the drag may go.
    pub limits: Limits,
    /// Channels that keep their start.
    pub locks: Locks,
    /// Whether arrows, stems and squares stand on the side of the pivot that faces the viewer.
    pub flip_toward_camera: bool,
    /// Whether a drag shows how it is solved: the axis on screen, the cursor's foot on it, the
    /// points that a solver brings together.
    pub construction_lines: bool,
    /// Length of an arrow in logical pixels; cut to 0.4 of the viewport's shorter side.
    pub size_lpx: f64,
    /// How far from a handle a press still takes it, in logical pixels. 5 suits a mouse, 22 a
    /// finger.
    pub tolerance_lpx: f64,
    /// Farthest that one drag moves, in world units; `None` is 1 000 times the height that the
    /// view shows at the pivot. It bounds drags toward the horizon.
    pub max_distance: Option<f64>,
    /// Whether dragging a scale handle through the pivot mirrors.
    pub allow_mirror: bool,
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
        }
    }
}

/// The setting: which axes the handles follow. Scale handles always follow the local ones, so
/// that a translation, rotation and scale never needs shear.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Orientation {
    /// The world's axes.
    #[default]
    World,
    /// The axes of the active target's parent.
    Parent,
    /// The active target's own axes.
    Local,
    /// X right, Y up on screen, Z = X × Y.
    View,
    /// Axes of the host's choice. One that is no rotation (zero, NaN) counts as World.
    Custom(DQuat),
}

/// Where the gizmo stands and what several targets turn and scale about.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Pivot {
    /// The mean of the targets' positions.
    #[default]
    Median,
    /// The position of the active (last) target.
    Active,
    /// One gizmo, at the active target; each turns and scales about itself, along the axes that
    /// the orientation gives for it.
    Individual,
    /// The middle of the box, along the world's axes, that holds the bounds of all. A target
    /// without bounds counts with its position.
    BoundsCenter,
    /// This point of the world.
    Custom(DVec3),
    /// A gizmo on every target, the first 1 024 of them; the one that is taken hold of decides
    /// pivot and axes, and all move.
    EachTarget,
}

/// What a rotation of the world does to a target under a parent whose scale is not the same in
/// all directions: no rotation and scale in there look like it. Under a uniform parent, also a
/// mirrored one, all three are exact and the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShearPolicy {
    /// The rotation nearest to the wanted one; the scale stays.
    /// [`Drag::residual`](super::Drag::residual) says what is missing.
    #[default]
    BestFit,
    /// The same angle about the axis as the parent sees it.
    LocalOnly,
    /// Handles that turn are disabled.
    Reject,
}

/// What a snapped translation is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SnapKind {
    /// The way since the start, along the handle.
    #[default]
    Relative,
    /// The pivot's place along the axes of the reference frame, in world units, from an origin.
    /// In Parent orientation the parent's origin counts; in Local and View, where there is no
    /// grid to speak of, it is [`SnapKind::Relative`].
    Grid {
        /// The grid's origin.
        origin_world: DVec3,
    },
}

/// What is in force at one moment of a drag, by the keys that are held.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Modifiers {
    /// Increments.
    pub snap: Snap,
    /// What a snapped translation is a multiple of.
    pub snap_kind: SnapKind,
    /// Whether the motion goes on at a tenth of the pointer's precision.
    pub precise: bool,
}

impl From<Snap> for Modifiers {
    /// Relative, at full precision.
    fn from(snap: Snap) -> Self {
        Self { snap, ..Self::default() }
    }
}

/// The lowest and the highest value of each, which the scalar of a drag stops at: what is
/// dragged never leaves its line. Where a start lies outside, it may only come nearer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Of the local translation's components.
    pub translation: [DVec3; 2],
    /// Of the local scale's components.
    pub scale: [DVec3; 2],
    /// Of the angle that one drag turns, in radians.
    pub angle: [f64; 2],
}

impl Limits {
    /// None.
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

/// Channels of the local transforms that get their start back whatever the drag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Locks {
    /// Components of the translation.
    pub translation: BVec3,
    /// The rotation as a whole.
    pub rotation: bool,
    /// Components of the scale.
    pub scale: BVec3,
}

impl Locks {
    /// None.
    pub const NONE: Self = Self { translation: BVec3::FALSE, rotation: false, scale: BVec3::FALSE };
}

/// How the cursor's position becomes a distance along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// The cursor is projected onto the axis as drawn; the answer is what appears there.
    #[default]
    ScreenProjection,
    /// The point of the axis that is closest to the pointer's ray.
    ClosestPoint,
    /// The ray meets the plane through the axis that faces the viewer more.
    MovementPlane,
}

/// Increments of snapping; `None` is off.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Snap {
    /// World units, by the [`SnapKind`].
    pub translate: Option<Increment>,
    /// Radians, of the total angle.
    pub rotate: Option<Increment>,
    /// Additive steps of the factor: 1.0, 1.1, ….
    pub scale: Option<Increment>,
}

impl Snap {
    /// No snapping.
    pub const OFF: Self = Self { translate: None, rotate: None, scale: None };

    /// Half a unit, 15° and 0.1.
    pub const DEFAULT_INCREMENTS: Self = Self {
        translate: Increment::new(0.5),
        rotate: Increment::new(std::f64::consts::PI / 12.0),
        scale: Increment::new(0.1),
    };
}
