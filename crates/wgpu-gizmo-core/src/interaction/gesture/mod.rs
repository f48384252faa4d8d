//! The gestures. Each contains all steps from the cursor to the motion, and paints the guides and the
//! readout that show them.

mod guides;
pub(crate) mod lines;
mod path;
mod resize;
pub(crate) mod rings;
mod rotate;
mod scale;
mod translate;

pub(crate) use guides::{GuideContext, Report};
pub(crate) use path::Path;

use crate::draw::guides::GuidePainter;
use crate::handle::{ChangeKind, Constraint};
use crate::interaction::drag::press::Press;
use crate::interaction::settings::{Modifiers, Orientation, Snap};
use crate::interaction::targets::motion::{Change, Motion};
use crate::math::{Increment, View};
use glam::{DMat3, DQuat, DVec2, DVec3};
use path::PathKind;
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
    /// Returns the identity, with the numbers that replace typed numbers that are missing.
    fn identity(&self) -> Solved;

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
        match constraint {
            Constraint::Axis(_) | Constraint::Plane(_) | Constraint::ViewPlane => {
                Self::Translate(Translate::new(constraint, press, axes, orientation))
            }
            Constraint::Ring(_) | Constraint::ViewRing | Constraint::Trackball => {
                Self::Rotate(Rotate::new(constraint, press, axes))
            }
            Constraint::ScaleAxis(_) | Constraint::ScalePlane(_) | Constraint::ScaleUniform => {
                Self::Scale(Scale::new(constraint, press, axes, is_chosen_by_key))
            }
            Constraint::Box(grip) => Self::Resize(Resize::new(grip, press)),
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
        match self {
            Self::Translate(translate) => &translate.path,
            Self::Rotate(rotate) => &rotate.path,
            Self::Scale(scale) => &scale.path,
            Self::Resize(resize) => &resize.path,
        }
    }

    /// Grabs a ring at this cursor, if no earlier one had an angle.
    pub(crate) fn grab_late(&mut self, view: &View, cursor_px: DVec2) {
        if let Self::Rotate(rotate) = self
            && let PathKind::Ring(ring, Some(grab)) = &mut rotate.path.kind
        {
            ring.grab_late(grab, view, cursor_px);
        }
    }

    /// Converts the offset of a precise drag (the part of the motion that is ahead of the cursor) for use by
    /// other constraints: lengths to world space.
    pub(crate) fn precision_offset_world(&self, offset: DVec3) -> DVec3 {
        match self {
            Self::Translate(_) | Self::Resize(_) => self.path().displacement(offset),
            Self::Rotate(rotate) if rotate.is_free() => DVec3::ZERO,
            Self::Rotate(_) | Self::Scale(_) => offset,
        }
    }

    /// Converts an offset of [`Gesture::precision_offset_world`] to this gesture.
    pub(crate) fn precision_offset_from_world(&self, offset: DVec3) -> DVec3 {
        match self {
            Self::Translate(_) | Self::Resize(_) => self.path().project(offset),
            Self::Rotate(_) | Self::Scale(_) => self.precision_offset_world(offset),
        }
    }
}

/// The unit of the numbers that the user controls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    /// World units.
    Length,
    /// Radians; typed and shown in degrees.
    Angle,
    /// A factor of the scale.
    Factor,
}

impl Unit {
    pub(crate) fn of(constraint: Constraint) -> Self {
        match (constraint, constraint.change_kind()) {
            (Constraint::Box(_), _) | (_, ChangeKind::Translate) => Self::Length,
            (_, ChangeKind::Rotate) => Self::Angle,
            (_, ChangeKind::Scale) => Self::Factor,
        }
    }

    pub(crate) fn increment(self, snap: &Snap) -> Option<Increment> {
        match self {
            Self::Length => snap.translate,
            Self::Angle => snap.rotate,
            Self::Factor => snap.scale,
        }
    }

    /// Converts numbers to those that the user types.
    pub(crate) fn typed(self, numbers: [f64; 2]) -> [f64; 2] {
        if self == Self::Angle { numbers.map(f64::to_degrees) } else { numbers }
    }

    /// Converts typed numbers.
    pub(crate) fn numbers(self, typed: [f64; 2]) -> [f64; 2] {
        if self == Self::Angle { typed.map(f64::to_radians) } else { typed }
    }
}

/// A snap hook: receives the moved pivot and returns the point to snap to, both in world space.
pub(crate) type SnapHook<'a> = dyn FnMut(DVec3) -> Option<DVec3> + 'a;

/// The point that a translation snaps to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Snapped {
    pub(crate) point_world: DVec3,
    /// A rotation about that point.
    pub(crate) turn: Option<DQuat>,
}

impl Snapped {
    /// Returns the source that a displacement would bring nearest to the point, or `default` if there are none.
    pub(crate) fn nearest(&self, sources: &[DVec3], by: DVec3, default: DVec3) -> DVec3 {
        let distance = |source: &DVec3| (*source + by).distance_squared(self.point_world);
        let nearest = sources.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.copied().unwrap_or(default)
    }

    /// Adds the rotation about the source to a displacement, and returns the motion of the pivot. A rotation that
    /// would move a target past a limit is left out.
    pub(crate) fn turned(&self, press: &Press, solved: Solved, source_world: DVec3) -> Solved {
        let (Some(turn), Change::Translate(by)) = (self.turn, solved.motion.change) else { return solved };
        let arm = press.placement.pivot_world - source_world;
        let by = by + (turn * arm - arm);
        let motion = match press.starts.allow_place(by, turn) {
            true => Motion { change: Change::Place { by, turn }, ..solved.motion },
            false => Motion { clamped: true, ..solved.motion },
        };
        Solved { motion, ..solved }
    }
}

/// A motion, and the numbers that the user controls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    pub(crate) motion: Motion,
    pub(crate) numbers: [f64; 2],
}

impl Solved {
    pub(crate) fn new(change: Change, clamped: bool, numbers: [f64; 2]) -> Self {
        Self { motion: Motion { change, clamped }, numbers }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.motion.change.is_finite() && self.numbers.iter().all(|number| number.is_finite())
    }
}

/// One cursor position after precision is applied, with its view and modifiers.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub(crate) press: &'a Press,
    pub(crate) view: &'a View,
    pub(crate) modifiers: Modifiers,
    pub(crate) value: DVec3,
    /// Whether the reach has clamped the cursor.
    pub(crate) clamped: bool,
    /// The point that the pointer snaps to, which replaces hook and increments.
    pub(crate) snapped: Option<Snapped>,
    /// The points of the targets that may be moved to it, at their positions at the press: the nearest one is. If
    /// there are none, it is the pivot.
    pub(crate) sources_world: &'a [DVec3],
    /// The numbers that nudges add to those of the cursor, after snapping.
    pub(crate) offset: [f64; 2],
}

/// Snaps a number. A number that is already a multiple, up to rounding, keeps its bits.
pub(crate) fn snapped_unless_multiple(number: f64, snap: impl FnOnce(f64) -> f64) -> f64 {
    let snapped = snap(number);
    if (snapped - number).abs() <= 4.0 * f64::EPSILON * number.abs() { number } else { snapped }
}
