//! The keys of a drag, which choose axes and type numbers.

use super::super::gesture::Solved;
use super::super::key::Key;
use super::super::settings::{Modifiers, Orientation, Snap};
use super::Drag;
use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode, Sign};
use crate::math::Increment;

impl Drag {
    /// Handles a key, and returns true if the drag uses it. The caller handles Enter and Escape.
    pub fn key(&mut self, key: Key, modifiers: impl Into<Modifiers>) -> bool {
        let modifiers = modifiers.into();
        if let Some(constraint) = self.constraint_of(key) {
            self.choose(key, constraint);
        } else if let Some(steps) = steps(key, self.number_count()) {
            self.nudge(steps, &modifiers.snap);
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
                let side = if grip.sign(axis) < 0.0 { Sign::Min } else { Sign::Max };
                Some(Constraint::Box(BoxGrip::face(axis, side)))
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

    fn nudge(&mut self, steps: [f64; 2], snap: &Snap) {
        let by = self.increment(snap);
        let size =
            if self.handle.constraint().change_kind() == ChangeKind::Rotate { by.to_degrees() } else { by };
        self.nudge_typed(steps.map(|steps| steps * size));
    }

    /// Returns the size of a nudge: the increment of the handle's channel, or the default one.
    pub(super) fn increment(&self, snap: &Snap) -> f64 {
        let usual = Snap::DEFAULT_INCREMENTS;
        let increment = match self.handle.constraint().change_kind() {
            _ if self.handle.box_index().is_some() => snap.translate.or(usual.translate),
            ChangeKind::Translate => snap.translate.or(usual.translate),
            ChangeKind::Rotate => snap.rotate.or(usual.rotate),
            ChangeKind::Scale => snap.scale.or(usual.scale),
        };
        increment.map_or(0.0, Increment::get)
    }

    /// Adds to the numbers of the motion, as if the result had been typed.
    pub(super) fn nudge_typed(&mut self, by: [f64; 2]) {
        let is_rotation = self.handle.constraint().change_kind() == ChangeKind::Rotate;
        let shown = |number: f64| if is_rotation { number.to_degrees() } else { number };
        let [a, b] = self.solved.numbers.map(shown);
        self.typed.set([a + by[0], b + by[1]], self.number_count());
    }

    /// Applies the typed numbers. If nothing is typed, the next position of the pointer is solved, and a
    /// drag without a pointer returns to its start.
    pub(super) fn follow_typed(&mut self, modifiers: Modifiers) {
        let chain = self.gesture.chain();
        let rest = chain.rest();
        let Some([first, second]) = self.typed.numbers(rest) else {
            if self.press.cursor_px.is_none() {
                self.solved = Solved::new(chain.identity(), false, rest);
            }
            return;
        };
        // Typed numbers are not snapped.
        let numbers = [first, second].map(|typed| chain.number_from_typed(typed));
        let modifiers = Modifiers { snap: Snap::OFF, ..modifiers };
        let solved = chain.solve_numbers(&self.press, modifiers, numbers);
        self.take(solved);
    }
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
