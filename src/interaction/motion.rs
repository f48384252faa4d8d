use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// What a drag has done since its press: the total, never a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// The change itself.
    pub change: Change,
    /// Whether a limit holds the motion back: the horizon, the largest distance, the smallest
    /// factor.
    pub clamped: bool,
}

/// The change of a drag, in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Moved by this vector.
    Translate(DVec3),
    /// Turned about an axis through the pivot.
    Rotate {
        /// Unit axis, right-hand rule.
        axis: DVec3,
        /// Radians in (−π, π]: what is applied.
        principal: f64,
        /// Whole turns besides; they leave the targets where they are.
        turns: f64,
    },
    /// Turned freely about the pivot.
    RotateFreely(DQuat),
    /// Scaled along the active target's axes.
    Scale(DVec3),
}

impl Change {
    /// A turn by `total` radians about a unit `axis`, whole turns kept apart.
    pub(crate) fn turn(axis: DVec3, total: f64) -> Self {
        let turns = (total / TAU - 0.5).ceil();
        let principal = total - TAU * turns;
        // A snapped whole turn misses zero by the rounding of its own size.
        let principal = if principal.abs() <= 4.0 * f64::EPSILON * total.abs() { 0.0 } else { principal };
        Self::Rotate { axis, principal, turns }
    }

    /// Whether it leaves everything where it was.
    pub fn is_identity(&self) -> bool {
        match *self {
            Self::Translate(by) => by == DVec3::ZERO,
            Self::Rotate { principal, .. } => principal == 0.0,
            Self::RotateFreely(by) => by == DQuat::IDENTITY,
            Self::Scale(by) => by == DVec3::ONE,
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        match *self {
            Self::Translate(by) | Self::Scale(by) => by.is_finite(),
            Self::Rotate { axis, principal, turns } => {
                axis.is_finite() && principal.is_finite() && turns.is_finite()
            }
            Self::RotateFreely(by) => by.is_finite(),
        }
    }

    /// Radians turned since the press, whole turns included; 0 for what is no turn about an
    /// axis.
    pub fn total_angle(&self) -> f64 {
        match *self {
            Self::Rotate { principal, turns, .. } => principal + TAU * turns,
            _ => 0.0,
        }
    }
}
