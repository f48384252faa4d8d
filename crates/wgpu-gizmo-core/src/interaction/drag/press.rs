use crate::draw::Layout;
use crate::interaction::placement::Placement;
use crate::interaction::placement::end_on::visible_height;
use crate::interaction::settings::{Modifiers, Orientation, Settings, Solver};
use crate::interaction::targets::starts::Starts;
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};

/// The distance that a drag may go without [`MotionSettings::max_distance`], in heights of the view at the
/// grabbed point.
const DEFAULT_REACH: f64 = 1000.0;
/// The minimum fraction of the pivot's clip w that remains when a drag moves toward the viewer.
pub(crate) const MIN_DRAG_W: f64 = 0.01;

/// The state at the press, which stays the same for the whole drag.
#[derive(Debug, Clone)]
pub(crate) struct Press {
    /// `None` for a drag by keys.
    pub(crate) cursor_px: Option<DVec2>,
    pub(crate) view: View,
    pub(crate) modifiers: Modifiers,
    pub(crate) settings: Settings,
    pub(crate) starts: Starts,
    pub(crate) placement: Placement,
    /// `None` if the pivot is not in front of the viewer, which only a drag by keys allows.
    pub(crate) layout: Option<Layout>,
    /// If the pointer is a ray, the view that the user sees. `view` is that from the origin of the ray.
    pub(crate) seen_in: Option<View>,
    /// The point that lines and planes of the pressed handle go through: the pivot, unless a custom handle is
    /// elsewhere.
    pub(crate) handle_world: DVec3,
    /// The origin of the mesh of a custom handle; for other handles the pivot.
    pub(crate) grip_world: DVec3,
}

/// The bounds of a drag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    /// The maximum distance from the grabbed point, in world units.
    pub(crate) max_distance: f64,
    /// The minimum clip w, so that nothing is dragged through the viewer; `None` if the view of the press is
    /// orthographic.
    pub(crate) min_w: Option<f64>,
}

/// The point of a view that is pressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PressPoint {
    pub(crate) cursor_px: DVec2,
    /// If the pointer is a ray, the view that the user sees.
    pub(crate) seen_in: Option<View>,
}

impl From<DVec2> for PressPoint {
    fn from(cursor_px: DVec2) -> Self {
        Self { cursor_px, seen_in: None }
    }
}

impl Press {
    /// Returns the cursor and the layout at the press; `None` for a drag by keys.
    pub(crate) fn pointer(&self) -> Option<(DVec2, &Layout)> {
        self.cursor_px.zip(self.layout.as_ref())
    }

    /// Returns the solver to use instead of a given one. A ray has no screen onto which an axis could be
    /// projected.
    pub(crate) fn solver(&self, given: Solver) -> Solver {
        match given {
            Solver::ScreenProjection if self.seen_in.is_some() => Solver::ClosestPoint,
            _ => given,
        }
    }

    /// Returns the axes of the reference frame, as columns, for an orientation.
    pub(crate) fn reference_frame(&self, orientation: Orientation) -> DMat3 {
        if orientation == self.settings.orientation {
            return self.placement.axes;
        }
        let (target, parent) = self.starts.active();
        orientation.axes(&self.view, target, Some(parent))
    }

    /// Returns the reach of a grab at a point, which depends on the view and not on the settings.
    pub(crate) fn visible_reach(&self, point_world: DVec3) -> Reach {
        Reach {
            max_distance: DEFAULT_REACH * visible_height(&self.view, point_world),
            min_w: (!self.view.is_orthographic()).then(|| MIN_DRAG_W * self.view.clip_w(point_world)),
        }
    }

    /// Returns the reach of a drag of a point: [`MotionSettings::max_distance`] if it is valid.
    pub(crate) fn reach(&self, point_world: DVec3) -> Reach {
        let visible = self.visible_reach(point_world);
        let chosen = self.settings.motion.max_distance.filter(|far| far.is_finite() && *far >= 0.0);
        Reach { max_distance: chosen.unwrap_or(visible.max_distance), ..visible }
    }
}
