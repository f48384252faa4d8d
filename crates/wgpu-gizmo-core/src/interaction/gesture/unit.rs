use crate::handle::{ChangeKind, Constraint};
use crate::interaction::settings::Snap;
use crate::math::Increment;

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
