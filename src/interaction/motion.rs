use super::target::{Parent, Target};
use crate::math::Transform;
use glam::{DMat3, DQuat, DVec3};
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

/// A target as it was at press.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Start {
    pub(crate) target: Target,
    pub(crate) parent: Parent,
}

impl Start {
    /// The local transform after `change` about `pivot`. An identity gives the start, bit for
    /// bit. `axes` are those that scale factors belong to.
    pub(crate) fn moved(&self, change: &Change, pivot_world: DVec3, axes: &DMat3) -> Transform {
        let start = self.target.local;
        if change.is_identity() {
            return start;
        }
        let from_pivot = self.target.position_world() - pivot_world;
        let (displacement, rotation, scale) = match *change {
            Change::Translate(by) => (by, start.rotation, start.scale),
            Change::Rotate { axis, principal, .. } => {
                self.turned(DQuat::from_axis_angle(axis, principal), from_pivot)
            }
            Change::RotateFreely(turn) => self.turned(turn, from_pivot),
            Change::Scale(by) => {
                let stretched = *axes * (by * (axes.transpose() * from_pivot));
                (stretched - from_pivot, start.rotation, start.scale * by)
            }
        };
        let displacement = if from_pivot == DVec3::ZERO && !matches!(change, Change::Translate(_)) {
            DVec3::ZERO
        } else {
            displacement
        };
        let translation = if displacement == DVec3::ZERO {
            start.translation
        } else {
            start.translation + self.parent.parent_from_world * displacement
        };
        let moved = Transform { translation, rotation, scale };
        // Numbers past the end of f64 move nothing rather than destroy the object.
        if moved.is_finite() { moved } else { start }
    }

    fn turned(&self, turn: DQuat, from_pivot: DVec3) -> (DVec3, DQuat, DVec3) {
        let local = self.target.local;
        let rotation = self.parent.turned(local.unit_rotation(), turn);
        (turn * from_pivot - from_pivot, rotation, local.scale)
    }
}
