use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// The motion of a drag: the total change since the press.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::interaction::{Change, Motion};
///
/// /// Returns true if the motion is as far as the limits allow, and not zero.
/// fn is_at_limit(motion: &Motion) -> bool {
///     motion.clamped && !motion.change.is_identity()
/// }
/// # assert!(!Change::Translate(DVec3::X).is_identity());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Motion {
    /// The change, in world space.
    pub change: Change,
    /// Whether a limit holds the motion back: one of [`Limits`](crate::interaction::settings::Limits), the horizon, the maximum
    /// distance, or the minimum factor.
    pub clamped: bool,
}

/// A change of the targets, in world space.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::interaction::Change;
///
/// let half_turn = std::f64::consts::PI;
/// let change = Change::Rotate { axis: DVec3::Z, principal: half_turn, turns: 1.0 };
/// assert_eq!(change.total_angle(), 3.0 * half_turn);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Translates by this vector.
    Translate(DVec3),
    /// Rotates about an axis through the pivot.
    Rotate {
        /// The unit axis; angles follow the right-hand rule.
        axis: DVec3,
        /// The angle that is applied, in radians in (−π, π].
        principal: f64,
        /// The number of whole turns in addition, which do not change the targets.
        turns: f64,
    },
    /// Rotates freely about the pivot.
    RotateFreely(DQuat),
    /// Scales by these factors along the active target's axes.
    Scale(DVec3),
    /// Translates by a vector and rotates about the pivot, which moves along: a translation that snaps to a
    /// surface and is aligned with its normal.
    Place {
        /// The displacement of the pivot.
        by: DVec3,
        /// The rotation.
        turn: DQuat,
    },
    /// Moves the faces of the active target's bounding box.
    Resize {
        /// The displacements of the min and max corners, in the space of the target at the press.
        by: [DVec3; 2],
    },
}

impl Change {
    /// Creates a rotation by `total` radians about a unit `axis`.
    pub(crate) fn turn(axis: DVec3, total: f64) -> Self {
        let turns = (total / TAU - 0.5).ceil();
        let principal = total - TAU * turns;
        // A whole turn that was snapped differs from a multiple of 2π by rounding.
        let principal = if principal.abs() <= 4.0 * f64::EPSILON * total.abs() { 0.0 } else { principal };
        Self::Rotate { axis, principal, turns }
    }

    /// Returns true if the change is the identity.
    pub fn is_identity(&self) -> bool {
        match *self {
            Self::Translate(by) => by == DVec3::ZERO,
            Self::Rotate { principal, .. } => principal == 0.0,
            Self::RotateFreely(by) => by == DQuat::IDENTITY,
            Self::Place { by, turn } => by == DVec3::ZERO && turn == DQuat::IDENTITY,
            Self::Scale(by) => by == DVec3::ONE,
            Self::Resize { by } => by == [DVec3::ZERO; 2],
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        match *self {
            Self::Translate(by) | Self::Scale(by) => by.is_finite(),
            Self::Rotate { axis, principal, turns } => {
                axis.is_finite() && [principal, turns].iter().all(|angle| angle.is_finite())
            }
            Self::RotateFreely(by) => by.is_finite(),
            Self::Place { by, turn } => by.is_finite() && turn.is_finite(),
            Self::Resize { by } => by.iter().all(|by| by.is_finite()),
        }
    }

    /// Returns the total angle in radians, including whole turns. For a change that is not a rotation about
    /// an axis it is 0.
    pub fn total_angle(&self) -> f64 {
        match *self {
            Self::Rotate { principal, turns, .. } => principal + TAU * turns,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_is_finite_only_if_every_number_is() {
        let (nan, good) = (DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DVec3::new(1.0, 2.0, 3.0));
        let rotate = |axis, principal, turns| Change::Rotate { axis, principal, turns };
        for (change, is_finite) in [
            (Change::Translate(good), true),
            (Change::Translate(DVec3::INFINITY), false),
            (Change::Scale(DVec3::NAN), false),
            (rotate(DVec3::X, 1.0, 2.0), true),
            (rotate(DVec3::NAN, 1.0, 2.0), false),
            (rotate(DVec3::X, f64::NAN, 2.0), false),
            (rotate(DVec3::X, 1.0, f64::INFINITY), false),
            (Change::RotateFreely(DQuat::IDENTITY), true),
            (Change::RotateFreely(nan), false),
            (Change::Place { by: good, turn: DQuat::IDENTITY }, true),
            (Change::Place { by: DVec3::NAN, turn: DQuat::IDENTITY }, false),
            (Change::Place { by: good, turn: nan }, false),
            (Change::Resize { by: [good, good] }, true),
            (Change::Resize { by: [good, DVec3::NAN] }, false),
        ] {
            assert_eq!(change.is_finite(), is_finite, "{change:?}");
        }
    }
}
