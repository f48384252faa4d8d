//! The numbers that keys, the wheel and calls enter in a drag, and the keys that choose axes.

use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode};
use crate::interaction::drag::Drag;
use crate::interaction::drive::{Amount, DriveError, Driven};
use crate::interaction::gesture::Unit;
use crate::interaction::key::Key;
use crate::interaction::settings::{Modifiers, Orientation, Snap};
use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::Target;
use crate::math::Increment;

/// The angle of a notch of the wheel, and that with the precision key.
const WHEEL_DEGREES: [f64; 2] = [5.0, 1.0];

impl Drag {
    /// Handles a key, and returns true if the drag uses it. The caller handles Enter and Escape.
    pub fn key(&mut self, key: Key, modifiers: impl Into<Modifiers>) -> bool {
        let modifiers = modifiers.into();
        if let Some(constraint) = self.constraint_of(key) {
            self.choose(key, constraint);
        } else if let Some(steps) = steps(key, self.number_count()) {
            let [size, _] = self.unit().typed([self.increment(&modifiers.snap), 0.0]);
            self.nudge(steps, size);
        } else if !self.typed.take(key, self.number_count()) {
            return false;
        }
        self.follow_typed(modifiers);
        true
    }

    /// Returns the constraint that a key selects.
    fn constraint_of(&self, key: Key) -> Option<Constraint> {
        match (self.handle.constraint(), key) {
            // The face on the side of the grip.
            (Constraint::Box(grip), Key::Axis(axis)) => {
                Some(Constraint::Box(BoxGrip::face(axis, grip.sign(axis) >= 0.0)))
            }
            (Constraint::Box(_), _) => None,
            (constraint, _) => key.constraint(constraint.change_kind()),
        }
    }

    /// Constrains the drag to the axis or plane of a key. The second press of the same key switches
    /// between World and Local, the third restores the pressed handle.
    fn choose(&mut self, key: Key, constraint: Constraint) {
        let times = match self.chosen_by {
            Some((last, times)) if last == key => times + 1,
            _ => 1,
        };
        let given = self.press.settings.orientation;
        let other = if given == Orientation::World { Orientation::Local } else { Orientation::World };
        let chosen = HandleId::from_constraint(constraint);
        let (handle, orientation) = match times {
            1 => (chosen, given),
            2 => (chosen, other),
            _ if self.press.cursor_px.is_some() || self.placed.handle.box_index().is_some() => {
                (self.placed.handle, given)
            }
            _ => (unconstrained(constraint.change_kind()), given),
        };
        // A key cannot choose a handle that is disabled, or that is not in a custom set.
        let is_shown = match self.press.settings.mode {
            _ if handle.box_index().is_some() => true,
            Mode::Handles(set) => set.contains(handle) || handle == self.placed.handle,
            _ => true,
        };
        if is_shown && self.disabled_reason(handle, orientation).is_none() {
            self.constrain(handle, orientation);
        }
        self.chosen_by = (times < 3).then_some((key, times));
    }

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
        let total = amount.into().for_count(self.number_count())?;
        Ok(self.solve_driven(total, modifiers.into()))
    }

    /// Adds an amount to the total so far, and returns the motion for the new total. Factors are
    /// multiplied.
    ///
    /// # Errors
    /// Returns the reason if the handle takes a different count of numbers, or the total is not finite.
    pub(crate) fn drive_by(&mut self, amount: Amount, modifiers: Modifiers) -> Result<Motion, DriveError> {
        let [a, b] = amount.for_count(self.number_count())?;
        let [first, second] = self.driven.unwrap_or(self.gesture.steps().identity().numbers);
        let total = if self.unit() == Unit::Factor { [first * a, second] } else { [first + a, second + b] };
        if !total.iter().all(|number| number.is_finite()) {
            return Err(DriveError::NotFinite);
        }
        Ok(self.solve_driven(total, modifiers))
    }

    fn solve_driven(&mut self, total: [f64; 2], modifiers: Modifiers) -> Motion {
        self.driven = Some(total);
        self.typed.clear();
        self.take(self.gesture.steps().solve_numbers(&self.press, modifiers, total));
        self.motion()
    }

    /// Returns the result of a drag that ends.
    pub(crate) fn driven(&self, targets: &[Target]) -> Driven {
        Driven { motion: self.motion(), changed: self.has_changed(targets) }
    }

    /// Applies wheel notches: nudges the number, in a drag of any kind.
    pub(crate) fn turn_wheel(&mut self, notches: f64, modifiers: Modifiers) -> Motion {
        let size = match self.unit() {
            Unit::Angle => WHEEL_DEGREES[usize::from(modifiers.precise)],
            Unit::Length | Unit::Factor => self.increment(&modifiers.snap),
        };
        self.nudge([notches, 0.0], size);
        self.follow_typed(modifiers);
        self.motion()
    }

    fn unit(&self) -> Unit {
        Unit::of(self.handle.constraint())
    }

    /// Returns the size of a nudge: the increment of the handle's unit that snaps now, or else one that the
    /// settings have at all, or else the default one.
    fn increment(&self, snap: &Snap) -> f64 {
        let [set, while_held] = &self.increments;
        let sources = [snap, set, while_held, &Snap::DEFAULT_INCREMENTS];
        sources.into_iter().find_map(|snap| self.unit().increment(snap)).map_or(0.0, Increment::get)
    }

    /// Adds nudges of a size in typed units to the typed numbers, or to those of the pointer.
    fn nudge(&mut self, counts: [f64; 2], size: f64) {
        self.typed.nudge(counts, size, self.gesture.steps().identity().numbers);
    }

    /// Applies the typed numbers. If nothing is typed, the next position of the pointer is solved, and a
    /// drag that the pointer cannot change returns to its rest.
    pub(super) fn follow_typed(&mut self, modifiers: Modifiers) {
        let steps = self.gesture.steps();
        let is_held = self.press.cursor_px.is_none() || !self.gesture.path().is_grabbed();
        let held = is_held.then(|| self.unit().typed(self.rest.numbers));
        let Some(numbers) = self.typed.numbers(steps.identity().numbers, held) else {
            self.typed.show([0.0; 2], 0);
            self.solved = if is_held { self.rest } else { self.solved };
            return;
        };
        self.typed.show(numbers, self.gesture.path().number_count());
        // Typed numbers are not snapped.
        let modifiers = Modifiers { snap: Snap::OFF, ..modifiers };
        self.take(steps.solve_numbers(&self.press, modifiers, self.unit().numbers(numbers)));
    }
}

/// Returns true if the wheel nudges the handle that the pointer is over.
pub(crate) fn is_nudged_by_wheel(constraint: Constraint) -> bool {
    matches!(constraint, Constraint::Axis(_) | Constraint::Ring(_) | Constraint::ViewRing)
}

/// Returns the handle that a drag by keys uses when no key constrains it.
fn unconstrained(channel: ChangeKind) -> HandleId {
    HandleId::from_constraint(match channel {
        ChangeKind::Translate => Constraint::ViewPlane,
        ChangeKind::Rotate => Constraint::ViewRing,
        ChangeKind::Scale => Constraint::ScaleUniform,
    })
}

/// Returns the number of increments that an arrow key adds to each number.
fn steps(key: Key, fields: usize) -> Option<[f64; 2]> {
    let vertical = |sign: f64| if fields == 2 { [0.0, sign] } else { [sign, 0.0] };
    match key {
        Key::Left => Some([-1.0, 0.0]),
        Key::Right => Some([1.0, 0.0]),
        Key::Up => Some(vertical(1.0)),
        Key::Down => Some(vertical(-1.0)),
        _ => None,
    }
}
