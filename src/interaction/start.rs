use super::motion::Change;
use super::settings::{Locks, ShearPolicy};
use super::target::{Parent, Target};
use crate::handle::Axis;
use crate::math::Transform;
use glam::{DMat3, DQuat, DVec3};

/// A target as it was at press.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Start {
    pub(crate) target: Target,
    pub(crate) parent: Parent,
    pub(crate) locks: Locks,
    /// Whether it moves by itself, not with a target that it is inside of.
    pub(crate) is_free: bool,
    /// From the point that it turns and scales about.
    pub(crate) from_pivot: DVec3,
    /// The axes that the orientation gives for it, where each turns about its own.
    pub(crate) own_axes: Option<DMat3>,
}

/// A change with what is the same for all targets worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Nothing,
    Translate(DVec3),
    /// `own` is for targets with axes of their own: which one, and the sine of half the angle.
    Turn {
        turn: DQuat,
        own: Option<(Axis, f64)>,
    },
    Scale {
        by: DVec3,
        axes: DMat3,
    },
}

impl Step {
    /// `about` is the axis of the frame that is turned about, where it is one; `axes` those that
    /// scale factors belong to.
    pub(crate) fn new(change: &Change, about: Option<Axis>, axes: &DMat3) -> Self {
        match *change {
            _ if change.is_identity() => Self::Nothing,
            Change::Translate(by) => Self::Translate(by),
            Change::Rotate { axis, principal, .. } => Self::Turn {
                turn: DQuat::from_axis_angle(axis, principal),
                own: about.map(|axis| (axis, (0.5 * principal).sin())),
            },
            Change::RotateFreely(turn) => Self::Turn { turn, own: None },
            Change::Scale(by) => Self::Scale { by, axes: *axes },
        }
    }
}

impl Start {
    /// The local transform after the step. One that changes nothing gives the start, bit for bit.
    pub(crate) fn moved(&self, step: &Step, policy: ShearPolicy) -> Transform {
        let start = self.target.local;
        if !self.is_free {
            return start;
        }
        let (displacement, rotation, scale) = match *step {
            Step::Nothing => return start,
            Step::Translate(by) => (by, start.rotation, start.scale),
            Step::Turn { turn, own } => {
                let turn = self.own_turn(turn, own);
                let rotation = self.parent.turned(&start, turn, policy);
                (self.about_pivot(|offset| turn * offset), rotation, start.scale)
            }
            Step::Scale { by, axes } => {
                let stretched = |offset| axes * (by * (axes.transpose() * offset));
                (self.about_pivot(stretched), start.rotation, start.scale * by)
            }
        };
        let translation = if displacement == DVec3::ZERO {
            start.translation
        } else {
            start.translation + self.parent.parent_from_world * displacement
        };
        let moved = self.unlocked(Transform { translation, rotation, scale });
        // Numbers past the end of f64 move nothing rather than destroy the object.
        if moved.is_finite() { moved } else { start }
    }

    /// How far from the wanted rotation the step leaves the target, as a part of its scale: what
    /// only a shear could express.
    pub(crate) fn residual(&self, step: &Step, policy: ShearPolicy) -> f64 {
        match *step {
            Step::Turn { turn, own } if self.is_free => {
                self.parent.residual(&self.target.local, self.own_turn(turn, own), policy)
            }
            _ => 0.0,
        }
    }

    fn about_pivot(&self, map: impl Fn(DVec3) -> DVec3) -> DVec3 {
        if self.from_pivot == DVec3::ZERO { DVec3::ZERO } else { map(self.from_pivot) - self.from_pivot }
    }

    /// The same turn about the axis of that name of its own, where it has its own.
    fn own_turn(&self, turn: DQuat, own: Option<(Axis, f64)>) -> DQuat {
        match (self.own_axes, own) {
            (Some(axes), Some((axis, sine))) => {
                DQuat::from_vec4((axes.col(axis.index()) * sine).extend(turn.w))
            }
            _ => turn,
        }
    }

    fn unlocked(&self, moved: Transform) -> Transform {
        if self.locks == Locks::NONE {
            return moved;
        }
        let start = self.target.local;
        Transform {
            translation: DVec3::select(self.locks.translation, start.translation, moved.translation),
            rotation: if self.locks.rotation { start.rotation } else { moved.rotation },
            scale: DVec3::select(self.locks.scale, start.scale, moved.scale),
        }
    }
}
