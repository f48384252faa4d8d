//! The keys of a drag, which choose axes and type numbers.

use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode, Sign};
use crate::interaction::drag::Drag;
use crate::interaction::gesture::Solved;
use crate::interaction::key::Key;
use crate::interaction::settings::{Modifiers, Orientation, Snap};
use crate::math::Increment;

impl Drag {
    /// Handles a key, and returns true if the drag uses it. The caller handles Enter and Escape.
    pub fn key(&mut self, key: Key, modifiers: impl Into<Modifiers>) -> bool {
        let modifiers = modifiers.into();
        if let Some(constraint) = self.constraint_of(key) {
            self.choose(key, constraint);
        } else if let Some(steps) = steps(key, self.number_count()) {
            let size = self.increment(&modifiers.snap);
            let is_angle = self.handle.constraint().change_kind() == ChangeKind::Rotate;
            self.nudge(steps, if is_angle { size.to_degrees() } else { size });
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

    /// Returns the size of a nudge: the increment of the handle's channel that snaps now, or else one that the
    /// settings have at all, or else the default one.
    pub(super) fn increment(&self, snap: &Snap) -> f64 {
        let [set, while_held] = &self.increments;
        let channel: fn(&Snap) -> Option<Increment> = match self.handle.constraint().change_kind() {
            _ if self.handle.box_index().is_some() => |snap| snap.translate,
            ChangeKind::Translate => |snap| snap.translate,
            ChangeKind::Rotate => |snap| snap.rotate,
            ChangeKind::Scale => |snap| snap.scale,
        };
        let sources = [snap, set, while_held, &Snap::DEFAULT_INCREMENTS];
        sources.into_iter().find_map(channel).map_or(0.0, Increment::get)
    }

    /// Adds nudges of a size in typed units to the typed numbers, or to those of the pointer.
    pub(super) fn nudge(&mut self, counts: [f64; 2], size: f64) {
        let chain = self.gesture.chain();
        // A pointer that has not grabbed the handle cannot change the number, so it is held.
        let is_held = self.press.cursor_px.is_some() && !chain.is_grabbed();
        let is_angle = self.handle.constraint().change_kind() == ChangeKind::Rotate;
        let now = self.solved.numbers.map(|number| if is_angle { number.to_degrees() } else { number });
        self.typed.nudge(counts, size, chain.rest(), is_held.then_some(now));
    }

    /// Applies the typed numbers. If nothing is typed, the next position of the pointer is solved, and a
    /// drag without a pointer returns to its start.
    pub(super) fn follow_typed(&mut self, modifiers: Modifiers) {
        let chain = self.gesture.chain();
        let rest = chain.rest();
        let Some(numbers) = self.typed.numbers(rest, self.press.cursor_px.is_some()) else {
            if self.press.cursor_px.is_none() {
                self.solved = Solved::new(chain.identity(), false, rest);
            }
            return;
        };
        self.typed.show(numbers, chain.number_count());
        // Typed numbers are not snapped.
        let numbers = numbers.map(|typed| chain.number_from_typed(typed));
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
