//! Drags by amounts instead of a pointer.

use crate::interaction::drag::Drag;
use crate::interaction::drive::{Amount, DriveError, Driven, WheelStep};
use crate::interaction::settings::Modifiers;
use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::Target;

impl Drag {
    /// Sets the total amount, and returns the motion, which equals that of the same typed numbers after
    /// snapping. The amount replaces earlier ones.
    ///
    /// # Errors
    /// Returns the reason if the handle takes a different count of numbers, or one is not finite.
    pub fn drive(
        &mut self,
        amount: impl Into<Amount>,
        modifiers: impl Into<Modifiers>,
    ) -> Result<Motion, DriveError> {
        let numbers = amount.into().for_count(self.number_count())?;
        self.solve_driven(numbers, modifiers.into());
        Ok(self.motion())
    }

    /// Adds an amount to the total so far, and returns the motion for the new total. Factors are
    /// multiplied.
    ///
    /// # Errors
    /// Returns the reason if the handle takes a different count of numbers, or the total is not finite.
    pub(crate) fn drive_by(&mut self, amount: Amount, modifiers: Modifiers) -> Result<Motion, DriveError> {
        let by = amount.for_count(self.number_count())?;
        let chain = self.gesture.chain();
        let total = chain.accumulate(self.driven.unwrap_or(chain.rest()), by);
        if !total.iter().all(|number| number.is_finite()) {
            return Err(DriveError::NotFinite);
        }
        self.solve_driven(total, modifiers);
        Ok(self.motion())
    }

    /// Returns the result of a drag that ends.
    pub(crate) fn driven(&self, targets: &[Target]) -> Driven {
        Driven { motion: self.motion(), changed: self.has_changed(targets) }
    }

    fn solve_driven(&mut self, numbers: [f64; 2], modifiers: Modifiers) {
        self.driven = Some(numbers);
        self.typed.clear();
        let solved = self.gesture.chain().solve_numbers(&self.press, modifiers, numbers);
        self.take(solved);
    }

    /// Applies wheel notches: nudges the number, in a drag of any kind.
    pub(crate) fn turn_wheel(&mut self, step: WheelStep, notches: f64, modifiers: Modifiers) -> Motion {
        let size = step.typed_size(self.increment(&modifiers.snap), modifiers.precise);
        self.nudge([notches, 0.0], size);
        self.follow_typed(modifiers);
        self.motion()
    }
}
