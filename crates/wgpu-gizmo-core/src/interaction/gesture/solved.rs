//! Samples of a cursor, and what a gesture makes of them.

use crate::interaction::drag::press::Press;
use crate::interaction::settings::Modifiers;
use crate::interaction::targets::motion::{Change, Motion};
use crate::math::View;
use glam::{DQuat, DVec3};

/// A snap hook: receives the moved pivot and returns the point to snap to, both in world space.
pub(crate) type SnapHook<'a> = dyn FnMut(DVec3) -> Option<DVec3> + 'a;

/// The point that a translation snaps to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Snapped {
    pub(crate) point_world: DVec3,
    /// A rotation about that point.
    pub(crate) turn: Option<DQuat>,
}

impl Snapped {
    /// Returns the source that a displacement would bring nearest to the point, or `default` if there are none.
    pub(crate) fn nearest(&self, sources: &[DVec3], by: DVec3, default: DVec3) -> DVec3 {
        let distance = |source: &DVec3| (*source + by).distance_squared(self.point_world);
        let nearest = sources.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.copied().unwrap_or(default)
    }

    /// Adds the rotation about the source to a displacement, and returns the motion of a pivot.
    pub(crate) fn turned(&self, solved: Solved, source_world: DVec3, pivot_world: DVec3) -> Solved {
        let (Some(turn), Change::Translate(by)) = (self.turn, solved.motion.change) else { return solved };
        let arm = pivot_world - source_world;
        let change = Change::Place { by: by + (turn * arm - arm), turn };
        Solved { motion: Motion { change, ..solved.motion }, ..solved }
    }
}

/// A motion, and the numbers that the user controls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    pub(crate) motion: Motion,
    pub(crate) numbers: [f64; 2],
}

impl Solved {
    pub(crate) fn new(change: Change, clamped: bool, numbers: [f64; 2]) -> Self {
        Self { motion: Motion { change, clamped }, numbers }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.motion.change.is_finite() && self.numbers.iter().all(|number| number.is_finite())
    }
}

/// One cursor position after precision is applied, with its view and modifiers.
pub(crate) struct Sample<'a> {
    pub(crate) press: &'a Press,
    pub(crate) view: &'a View,
    pub(crate) modifiers: Modifiers,
    pub(crate) value: DVec3,
    /// Whether the reach has clamped the cursor.
    pub(crate) clamped: bool,
    /// The point that the pointer snaps to, which replaces hook and increments.
    pub(crate) snapped: Option<Snapped>,
    /// The points of the targets that may be moved to it, at their positions at the press: the nearest one is. If
    /// there are none, it is the pivot.
    pub(crate) sources_world: &'a [DVec3],
    /// The numbers that nudges add to those of the cursor, after snapping.
    pub(crate) offset: [f64; 2],
}

/// Snaps a number. A number that is already a multiple, up to rounding, keeps its bits.
pub(crate) fn snapped_unless_multiple(number: f64, snap: impl FnOnce(f64) -> f64) -> f64 {
    let snapped = snap(number);
    if (snapped - number).abs() <= 4.0 * f64::EPSILON * number.abs() { number } else { snapped }
}
