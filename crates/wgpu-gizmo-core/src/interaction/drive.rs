//! Drags without a pointer: amounts, results and errors.

use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::DisabledReason;

/// The amount of a drag without a pointer, in the unit of the handle: world units, radians, or a factor.
///
/// Handles in a plane take two numbers, in the order of their names; in the view plane they are right and
/// up on screen. All others take one. For the trackball it is an angle about the Z axis of the view.
///
/// ```
/// use wgpu_gizmo_core::interaction::drive::Amount;
///
/// let along_axis: Amount = 2.5.into();
/// let in_plane: Amount = [2.5, -1.0].into();
/// assert_eq!((along_axis.numbers(), in_plane.numbers()), ([2.5].as_slice(), [2.5, -1.0].as_slice()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    numbers: [f64; 2],
    count: usize,
}

impl Amount {
    /// Returns the numbers: one or two.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers[..self.count]
    }

    /// Returns both numbers if they are finite and as many as the handle takes. A second number that the
    /// handle does not take is 0.
    pub(crate) fn for_count(self, expected: usize) -> Result<[f64; 2], DriveError> {
        if self.count != expected {
            return Err(DriveError::WrongCount { expected, given: self.count });
        }
        if self.numbers.iter().all(|number| number.is_finite()) {
            Ok(self.numbers)
        } else {
            Err(DriveError::NotFinite)
        }
    }
}

impl From<f64> for Amount {
    fn from(number: f64) -> Self {
        Self { numbers: [number, 0.0], count: 1 }
    }
}

impl From<[f64; 2]> for Amount {
    fn from(numbers: [f64; 2]) -> Self {
        Self { numbers, count: 2 }
    }
}

/// The result of a drag without a pointer.
///
/// ```
/// use wgpu_gizmo_core::interaction::drive::{DriveError, Driven};
/// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Target, Transform};
///
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// let mut targets = [Target::from_world(Transform::IDENTITY)];
/// let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
/// let Driven { motion, changed, .. } = gizmo.drive(arrow, 2.5, &mut targets)?;
/// assert!(changed && !motion.clamped);
/// assert_eq!(gizmo.drive(arrow, f64::NAN, &mut targets), Err(DriveError::NotFinite));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Driven {
    /// The motion after snapping and limits.
    pub motion: Motion,
    /// Whether a target differs from its start: if so, it is one undo step.
    pub changed: bool,
}

/// The reason why a handle was not driven. In that case nothing was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The handle cannot be used with these targets.
    #[error("the handle cannot be driven: {0}")]
    Disabled(#[from] DisabledReason),
    /// The amount, or the sum of a stream of amounts, contains a NaN or an infinity.
    #[error("the amount is not a finite number")]
    NotFinite,
    /// The handle takes a different count of numbers: two in a plane, one otherwise.
    #[error("the handle takes {expected} numbers, not {given}")]
    WrongCount {
        /// The count of numbers that the handle takes.
        expected: usize,
        /// The count of numbers in the amount.
        given: usize,
    },
    /// A press or a drag is in progress: end or cancel it first.
    #[error("a drag is in progress: end or cancel it first")]
    Busy,
    /// A stream of amounts cannot move the gizmo itself ([`Gizmo::edit_pivot`](crate::interaction::Gizmo::edit_pivot)).
    /// [`Gizmo::drive`](crate::interaction::Gizmo::drive) and [`Gizmo::pivot_to`](crate::interaction::Gizmo::pivot_to) can.
    #[error("the pivot is being edited: move it with drive or pivot_to, or end its editing")]
    EditsPivot,
    /// The view defines the handle, and no view was passed to [`Gizmo::update`](crate::interaction::Gizmo::update) yet.
    #[error("the handle is defined by a view: update the gizmo with one first")]
    NoView,
    /// [`Gizmo::drive_begin`](crate::interaction::Gizmo::drive_begin) was not called, or its drag has ended since.
    #[error("no drag was begun: call drive_begin first")]
    NotBegun,
    /// The targets are not those of [`Gizmo::drive_begin`](crate::interaction::Gizmo::drive_begin): their count or their
    /// keys differ.
    #[error("the targets are not those that the drag began with")]
    OtherTargets,
}
