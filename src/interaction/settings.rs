use super::reference_frame::Orientation;
use crate::handle::Mode;
use crate::math::Increment;

/// How a gizmo behaves. Change it at any time; a drag takes up snapping at once and the rest
/// after its release.
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
    /// Snapping while the snap key is not held. Off by default.
    pub snap: Snap,
    /// Snapping while the snap key is held (see [`Gizmo::snap_held`](super::Gizmo::snap_held)).
    /// With increments here and none in `snap` the key snaps; the other way round it lets go.
    pub snap_while_held: Snap,
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
            snap: Snap::OFF,
            snap_while_held: Snap::USUAL,
            size_lpx: 96.0,
            tolerance_lpx: 5.0,
            max_distance: None,
            allow_mirror: false,
        }
    }
}

/// Where the gizmo stands and what several targets turn and scale about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pivot {
    /// The mean of the targets' positions.
    #[default]
    Median,
    /// The position of the active (last) target.
    Active,
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

/// Increments of relative snapping; `None` is off.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Snap {
    /// World units, along the handle and from the start.
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
    pub const USUAL: Self = Self {
        translate: Increment::new(0.5),
        rotate: Increment::new(std::f64::consts::PI / 12.0),
        scale: Increment::new(0.1),
    };
}
