//! Solves a drag: from a cursor position to the motion.

use crate::interaction::drag::Drag;
use crate::interaction::drag::precision::Precision;
use crate::interaction::gesture::lines::Clamped;
use crate::interaction::gesture::rings::unwrap;
use crate::interaction::gesture::{Sample, SnapHook, Solved, Unit};
use crate::interaction::settings::{Modifiers, Snap};
use crate::interaction::targets::motion::Motion;
use crate::math::View;
use glam::{DVec2, DVec3};

/// The limit of the cursor's coordinates, in pixels: beyond any screen, and far from overflow in products.
const MAX_CURSOR_PX: f64 = 1e9;

impl Drag {
    /// Returns the motion for a cursor in a view. The cursor may be anywhere, and the view may have moved
    /// since the press. For the cursor, view and modifiers of the press, the motion is the identity. If the
    /// cursor has no solution, the pivot is behind the viewer, or the viewport is less than 8 pixels wide or high, as
    /// that of a minimized window, the last good motion is returned.
    pub fn solve(&mut self, view: &View, cursor_px: DVec2, modifiers: impl Into<Modifiers>) -> Motion {
        self.solve_with(view, cursor_px, modifiers.into(), &mut |_| None)
    }

    /// Returns the motion like [`Drag::solve`], with a snap hook for translations. The hook receives
    /// the moved pivot before snapping. If it returns a point, the pivot moves to the projection of
    /// that point onto the handle's line or plane; otherwise increments snap.
    pub fn solve_with(
        &mut self,
        view: &View,
        cursor_px: DVec2,
        modifiers: impl Into<Modifiers>,
        hook: &mut dyn FnMut(DVec3) -> Option<DVec3>,
    ) -> Motion {
        let modifiers = modifiers.into();
        // The symmetric key applies to typed lengths at once, too.
        if self.typed.text().is_some() {
            self.follow_typed(modifiers);
        }
        let Some(press_px) = self.press.cursor_px else { return self.motion() };
        if !cursor_px.is_finite() {
            return self.motion();
        }
        self.cursor_px = Some(cursor_px);
        let is_usable = !view.viewport().is_degenerate()
            && (self.press.seen_in.is_some() || view.clip_w(self.pivot_world()) > 0.0);
        if !is_usable {
            return self.motion();
        }
        let cursor_px = cursor_px.clamp(DVec2::splat(-MAX_CURSOR_PX), DVec2::splat(MAX_CURSOR_PX));
        // If a ray moves parallel to itself, its pixel stays the same and its view moves.
        let is_same_eye = self.press.seen_in.is_none() || *view == self.press.view;
        let at_press = cursor_px == press_px && is_same_eye;
        self.has_left |= !at_press;
        let is_as_pressed = || *view == self.press.view && modifiers == self.press.modifiers;
        let is_start = self.precision.effective(DVec3::ZERO) == DVec3::ZERO;
        let is_identity = at_press && is_start && (!self.has_left || is_as_pressed());
        if let Some(solved) = self.solved(view, cursor_px, modifiers, is_identity, hook) {
            self.take(solved);
        }
        self.motion()
    }

    /// Returns true if every cursor position must be solved, because whole turns are counted.
    pub(crate) fn needs_every_move(&self) -> bool {
        self.gesture.path().counts_turns()
    }

    /// Records a cursor position that is not solved because a later one follows.
    pub(crate) fn skip(&mut self, cursor_px: DVec2) {
        self.has_left |= self.press.cursor_px.is_some_and(|press_px| press_px != cursor_px);
    }

    pub(super) fn take(&mut self, solved: Solved) {
        if solved.is_finite() {
            self.solved = solved;
        }
    }

    fn solved(
        &mut self,
        view: &View,
        cursor_px: DVec2,
        modifiers: Modifiers,
        is_identity: bool,
        hook: &mut SnapHook<'_>,
    ) -> Option<Solved> {
        self.gesture.grab_late(view, cursor_px);
        let (steps, path, press) = (self.gesture.steps(), self.gesture.path(), &self.press);
        if !path.is_grabbed() {
            self.precision.is_precise = modifiers.precise;
            return None;
        }
        // Turns and changes of precision count while a number is typed, too.
        let is_typed = self.is_by_keyboard();
        let offset = Unit::of(self.handle.constraint()).numbers(self.typed.nudges());
        if is_identity && !path.counts_turns() {
            self.precision = Precision::new(modifiers.precise);
            if offset == [0.0; 2] && !is_typed {
                return Some(steps.identity());
            }
        }
        let at_press = Clamped { value: DVec3::ZERO, clamped: false };
        // In the view of a ray, the pivot can be behind the eye. A hit that is clamped to a horizon is behind it, too.
        let is_ahead = |hit: &Clamped<DVec3>| !hit.clamped || view.clip_w(press.placement.pivot_world) > 0.0;
        let hit = if is_identity { Some(at_press) } else { path.value(view, cursor_px).filter(is_ahead) };
        if let Some(Clamped { value, .. }) = hit {
            let counted = || DVec3::X * unwrap(value.x, self.last_value.x);
            self.last_value = if path.counts_turns() { counted() } else { value };
        }
        if modifiers.precise != self.precision.is_precise {
            self.precision.change(self.last_value, modifiers.precise, cursor_px, view);
        }
        let clamped = hit.filter(|_| !is_typed)?.clamped;
        let value = self.precision.effective(self.last_value);
        let modifiers = if is_identity { Modifiers { snap: Snap::OFF, ..modifiers } } else { modifiers };
        // A ball that was only nudged has the grabbed point there in the view of the press.
        let view = if is_identity { &press.view } else { view };
        let snapped = self.snapped.filter(|_| !is_identity);
        let hook: &mut SnapHook<'_> = if is_identity { &mut |_| None } else { hook };
        let sources_world = &self.snap_sources;
        let mut sample = Sample { press, view, modifiers, value, clamped, snapped, sources_world, offset };
        if is_identity {
            // After whole turns, a limit or precision can leave a part of them.
            let turned = steps.solve(&Sample { offset: [0.0; 2], ..sample }, hook)?;
            if !turned.motion.change.is_identity() {
                sample.value = DVec3::ZERO;
                if offset == [0.0; 2] {
                    return Some(steps.identity());
                }
            }
        }
        steps.solve(&sample, hook)
    }
}
