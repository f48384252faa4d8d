//! The gestures. Each contains all steps from the cursor to the motion, and paints the guides and the
//! readout that show them.

mod chain;
mod construct;
pub(crate) mod factors;
mod grab;
pub(crate) mod lines;
mod resize;
pub(crate) mod rings;
mod slide;
mod stretch;
mod turn;

pub(crate) use chain::{Chain, GuideContext, Report, Sample, SnapHook, Snapped, Solved};

use crate::handle::Constraint;
use crate::interaction::drag::press::Press;
use crate::interaction::settings::Orientation;
use glam::DMat3;
use resize::Resize;
use slide::Slide;
use stretch::Stretch;
use turn::Turn;

/// A gesture: the steps from the cursor of a drag to its motion.
#[derive(Debug, Clone)]
pub(crate) enum Gesture {
    /// Translates along a line or in a plane.
    Slide(Slide),
    /// Rotates about an axis, or freely.
    Turn(Turn),
    /// Scales along one, two or three axes.
    Stretch(Stretch),
    /// Moves faces of a bounding box.
    Resize(Resize),
}

impl Gesture {
    /// Creates the gesture of a constraint, and grabs the handle if there is a pointer. `axes` are those
    /// of the constraint, as columns. `is_chosen_by_key` is true if the press was on another handle.
    pub(crate) fn new(
        constraint: Constraint,
        press: &Press,
        axes: &DMat3,
        orientation: Orientation,
        is_chosen_by_key: bool,
    ) -> Self {
        match constraint {
            Constraint::Axis(axis) => Self::Slide(Slide::along(axis, press, axes, orientation)),
            Constraint::Plane(normal) => Self::Slide(Slide::in_plane(normal, press, axes, orientation)),
            Constraint::ViewPlane => Self::Slide(Slide::in_view_plane(press, axes, orientation)),
            Constraint::Ring(axis) => Self::Turn(Turn::ring(axis, press, axes)),
            Constraint::ViewRing => Self::Turn(Turn::view_ring(press, axes)),
            Constraint::Trackball => Self::Turn(Turn::trackball(press, axes)),
            Constraint::ScaleAxis(axis) => Self::Stretch(Stretch::along(axis, press, axes, is_chosen_by_key)),
            Constraint::ScalePlane(normal) => {
                Self::Stretch(Stretch::in_plane(normal, press, axes, is_chosen_by_key))
            }
            Constraint::ScaleUniform => Self::Stretch(Stretch::uniform(press)),
            Constraint::Box(grip) => Self::Resize(Resize::new(grip, press)),
        }
    }

    /// Returns the steps of the gesture.
    pub(crate) fn chain(&self) -> &dyn Chain {
        match self {
            Self::Slide(slide) => slide,
            Self::Turn(turn) => turn,
            Self::Stretch(stretch) => stretch,
            Self::Resize(resize) => resize,
        }
    }
}
