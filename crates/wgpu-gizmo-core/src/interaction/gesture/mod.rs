//! The gestures. Each contains all steps from the cursor to the motion, and paints the guides and the
//! readout that show them.

mod guides;
pub(crate) mod lines;
mod path;
mod resize;
pub(crate) mod rings;
mod rotate;
mod scale;
mod solved;
mod translate;
mod unit;

pub(crate) use guides::{GuideContext, Report};
pub(crate) use path::Path;
pub(crate) use solved::{Sample, SnapHook, Snapped, Solved};
pub(crate) use unit::Unit;

use crate::draw::guides::GuidePainter;
use crate::handle::{ChangeKind, Constraint};
use crate::interaction::drag::press::Press;
use crate::interaction::settings::{Modifiers, Orientation};
use glam::{DMat3, DVec3};
use resize::Resize;
use rotate::Rotate;
use scale::Scale;
use std::fmt;
use translate::Translate;

/// A gesture: the steps from the cursor of a drag to its motion.
#[derive(Debug, Clone)]
pub(crate) enum Gesture {
    /// Translates along a line or in a plane.
    Translate(Translate),
    /// Rotates about an axis, or freely.
    Rotate(Rotate),
    /// Scales along one, two or three axes.
    Scale(Scale),
    /// Moves faces of a bounding box.
    Resize(Resize),
}

/// The steps from the value of a path to a motion, and the guides that show them.
pub(crate) trait Steps {
    /// Returns the path of the cursor.
    fn path(&self) -> &Path;

    /// Returns the identity, with the numbers that replace typed numbers that are missing.
    fn at_rest(&self) -> Solved;

    /// Returns the motion for a cursor position: snapping, then limits.
    fn solve(&self, sample: &Sample<'_>, hook: &mut SnapHook<'_>) -> Option<Solved>;

    /// Returns the motion for numbers in the unit of the handle, which are snapped: world units, radians or
    /// a factor.
    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, numbers: [f64; 2]) -> Solved;

    /// Paints the guides below the handles.
    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>);

    /// Writes the readout: the typed text, or the motion.
    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result;
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
        match (constraint, constraint.change_kind()) {
            (Constraint::Box(grip), _) => Self::Resize(Resize::new(grip, press)),
            (_, ChangeKind::Translate) => {
                Self::Translate(Translate::new(constraint, press, axes, orientation))
            }
            (_, ChangeKind::Rotate) => Self::Rotate(Rotate::new(constraint, press, axes)),
            (_, ChangeKind::Scale) => Self::Scale(Scale::new(constraint, press, axes, is_chosen_by_key)),
        }
    }

    pub(crate) fn steps(&self) -> &dyn Steps {
        match self {
            Self::Translate(translate) => translate,
            Self::Rotate(rotate) => rotate,
            Self::Scale(scale) => scale,
            Self::Resize(resize) => resize,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.steps().path()
    }

    /// Converts the lead of a precise drag (the part of the motion that is ahead of the cursor) for use by
    /// other constraints: lengths to world space.
    pub(crate) fn lead_world(&self, lead: DVec3) -> DVec3 {
        match self {
            Self::Translate(_) | Self::Resize(_) => self.path().displacement(lead),
            Self::Rotate(rotate) if rotate.is_free() => DVec3::ZERO,
            Self::Rotate(_) | Self::Scale(_) => lead,
        }
    }

    /// Converts a lead of [`Gesture::lead_world`] to this gesture.
    pub(crate) fn lead_from_world(&self, lead: DVec3) -> DVec3 {
        match self {
            Self::Translate(_) | Self::Resize(_) => self.path().project(lead),
            Self::Rotate(_) | Self::Scale(_) => self.lead_world(lead),
        }
    }
}
