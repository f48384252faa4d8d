use crate::handle::Axis;
use crate::interaction::targets::motion::Change;
use glam::{DMat3, DQuat, DVec3};

/// A change, prepared for all targets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Nothing,
    Translate(DVec3),
    /// `about_pivot` maps a displacement from the pivot to the translation. `own` is for targets with axes
    /// of their own: the axis, and the sine of half the angle.
    Turn {
        turn: DQuat,
        about_pivot: DMat3,
        own: Option<(Axis, f64)>,
    },
    Scale {
        by: DVec3,
        about_pivot: DMat3,
    },
    /// A rotation about the pivot, which moves by `by`.
    Place {
        by: DVec3,
        turn: DQuat,
        about_pivot: DMat3,
    },
}

impl Step {
    /// Prepares a change. `about` is the named rotation axis, if there is one; `axes` are those of the
    /// scale factors.
    pub(crate) fn new(change: &Change, about: Option<Axis>, axes: &DMat3) -> Self {
        let turn = |turn: DQuat, own| {
            let about_pivot = DMat3::from_quat(turn) - DMat3::IDENTITY;
            Self::Turn { turn, about_pivot, own }
        };
        match *change {
            _ if change.is_identity() => Self::Nothing,
            Change::Translate(by) => Self::Translate(by),
            Change::Place { by, turn } => {
                Self::Place { by, turn, about_pivot: DMat3::from_quat(turn) - DMat3::IDENTITY }
            }
            // Only the active target changes, see `Starts::apply_resize`.
            Change::Resize { .. } => Self::Nothing,
            Change::Rotate { axis, principal, .. } => {
                let own = about.map(|axis| (axis, (0.5 * principal).sin()));
                turn(DQuat::from_axis_angle(axis, principal), own)
            }
            Change::RotateFreely(by) => turn(by, None),
            Change::Scale(by) => {
                let stretch = DMat3::from_diagonal(by - DVec3::ONE);
                Self::Scale { by, about_pivot: *axes * stretch * axes.transpose() }
            }
        }
    }

    /// Returns the step along the axes of one target. `frame` is the rotation from the shared axes to them.
    pub(crate) fn along(&self, frame: &DMat3) -> Self {
        match *self {
            Self::Translate(by) => Self::Translate(*frame * by),
            Self::Scale { by, about_pivot } => {
                Self::Scale { by, about_pivot: *frame * about_pivot * frame.transpose() }
            }
            other => other,
        }
    }
}
