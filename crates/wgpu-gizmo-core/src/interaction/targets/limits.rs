//! The distance that a motion may go before the first channel of a target reaches its limit.

use crate::interaction::settings::Limits;
use crate::interaction::targets::starts::{Free, Starts};
use crate::math::Transform;
use glam::{BVec3, DQuat, DVec3};
use std::f64::consts::TAU;

/// A component of a motion below this fraction of its largest component is rounding error and moves
/// nothing.
const NOISE: f64 = 1e-12;

impl Starts {
    /// Returns the fraction of a translation in world space that every target can follow, from 0 to 1.
    pub(crate) fn fraction_of_translation(&self, by_world: DVec3) -> f64 {
        self.fractions(DVec3::ZERO, |free| free.frame * by_world)[1].min(1.0)
    }

    /// Returns the translation in the plane of two axes, nearest to the wanted one, that every target can follow.
    pub(crate) fn nearest_translation(&self, wanted: DVec3, [a, b]: [DVec3; 2]) -> DVec3 {
        let mut nearest = wanted;
        // The nearest point is on the line of the limit that is exceeded most, except at some corners.
        for _ in 0..3 {
            let (mut excess, mut foot, mut along) = (0.0, nearest, DVec3::ZERO);
            self.each_channel(|[down, up], free, i| {
                let by = free.frame.transpose() * free.parent.parent_from_world.row(i);
                let normal = a * a.dot(by) + b * b.dot(by);
                let (at, length) = (normal.dot(nearest), normal.length());
                let limit = at.max(down).min(up);
                if (at - limit).abs() > excess * length && length > NOISE * by.length() {
                    excess = (at - limit).abs() / length;
                    foot = wanted - normal * ((normal.dot(wanted) - limit) / (length * length));
                    along = normal.cross(a.cross(b));
                }
            });
            let [back, on] = self.fractions(foot, |free| free.frame * along);
            nearest = foot + along * 0f64.max(back).min(on);
        }
        nearest * self.fraction_of_translation(nearest)
    }

    /// Returns true if every target stays within the limits of its translation when the pivot moves and all rotate
    /// about it.
    pub(crate) fn allow_place(&self, by_world: DVec3, turn: DQuat) -> bool {
        let moved = |free: &Free<'_>| {
            let from_pivot = free.frame.transpose() * free.from_pivot;
            free.frame * (by_world + (turn * from_pivot - from_pivot))
        };
        self.fractions(DVec3::ZERO, moved)[1] >= 1.0 - NOISE
    }

    /// Returns the minimum and maximum multiples of a motion for which no channel of a translation leaves
    /// its limits. The motion is in world space and may differ for each target. It begins at a displacement from the
    /// starts; if that is 0, the range contains 0.
    fn fractions(&self, from_world: DVec3, by_world: impl Fn(&Free<'_>) -> DVec3) -> [f64; 2] {
        let mut fractions = [f64::NEG_INFINITY, f64::INFINITY];
        self.each_channel(|[low, high], free, i| {
            let by = free.parent.parent_from_world * by_world(free);
            if by[i].abs() > NOISE * by.abs().max_element() {
                let at = (free.parent.parent_from_world * (free.frame * from_world))[i];
                let ends = [(low - at) / by[i], (high - at) / by[i]];
                let [back, on] = if by[i] > 0.0 { ends } else { [ends[1], ends[0]] };
                fractions = [fractions[0].max(back), fractions[1].min(on)];
            }
        });
        fractions
    }

    /// Calls `take` for each unlocked channel of a translation that has a limit, with the distances down
    /// and up to the limits. For a start that is past a limit the distance is 0, so it can only come
    /// nearer.
    fn each_channel(&self, mut take: impl FnMut([f64; 2], &Free<'_>, usize)) {
        let [low, high] = self.settings.motion.limits.translation;
        if self.settings.motion.limits.translation == Limits::NONE.translation {
            return;
        }
        for free in self.free() {
            let rounding = NOISE * free.local.translation.abs().max_element();
            for i in (0..3).filter(|i| !self.settings.motion.locks.translation.test(*i)) {
                let at = free.local.translation[i];
                // A NaN counts as no limit. A drag to a limit leaves the target up to rounding there.
                let or = |distance: f64, none: f64| match distance {
                    _ if distance.is_nan() => none,
                    _ if distance.abs() <= rounding => 0.0,
                    _ => distance,
                };
                let down = or(low[i] - at, f64::NEG_INFINITY).min(0.0);
                let up = or(high[i] - at, f64::INFINITY).max(0.0);
                take([down, up], &free, i);
            }
        }
    }

    /// Returns the minimum and maximum factor that every target can follow, in its scale and its
    /// translation. `scaled` are the axes that the factor applies to.
    pub(crate) fn factors_within_limits(&self, scaled: BVec3) -> [f64; 2] {
        let factors_of = DVec3::select(scaled, DVec3::ONE, DVec3::ZERO);
        let moved = |free: &Free<'_>| {
            let axes = free.frame * self.scale_axes;
            let along = axes.transpose() * free.from_pivot;
            // A target on the plane through the pivot is next to it only by rounding error.
            let is_moved = along.abs().cmpgt(DVec3::splat(NOISE * free.from_pivot.length()));
            axes * (factors_of * DVec3::select(is_moved, along, DVec3::ZERO))
        };
        let mut factors = self.fractions(DVec3::ZERO, moved).map(|fraction| 1.0 + fraction);
        if self.settings.motion.limits.scale == Limits::NONE.scale {
            return factors;
        }
        for Free { local, .. } in self.free() {
            for i in 0..3 {
                let scale = local.scale[i];
                if scale == 0.0 || self.settings.motion.locks.scale.test(i) || !scaled.test(i) {
                    continue;
                }
                let ends = self.settings.motion.limits.scale.map(|limit| limit[i] / scale);
                let ends = ends.map(|end| if (end - 1.0).abs() <= NOISE { 1.0 } else { end });
                let [low, high] = if scale > 0.0 { ends } else { [ends[1], ends[0]] };
                if !low.is_nan() {
                    factors[0] = factors[0].max(low.min(1.0));
                }
                if !high.is_nan() {
                    factors[1] = factors[1].min(high.max(1.0));
                }
            }
        }
        factors
    }

    /// Clamps an angle about a unit axis in world space: to the limits of the angle, and to those of the
    /// first channel of a translation that it reaches.
    pub(crate) fn angle_within_limits(&self, angle: f64, axis: DVec3) -> f64 {
        let [low, high] = self.settings.motion.limits.angle;
        let mut low = if low.is_nan() { f64::NEG_INFINITY } else { low.min(0.0) };
        let mut high = if high.is_nan() { f64::INFINITY } else { high.max(0.0) };
        self.each_channel(|[down, up], free, i| {
            // A rotation by θ moves a point at r from the pivot by a×r sin θ + a×(a×r) (1 − cos θ).
            let across = axis.cross(free.from_pivot);
            let to_channel = free.parent.parent_from_world.row(i);
            let (sine, cosine) = (to_channel.dot(across), to_channel.dot(axis.cross(across)));
            if sine.hypot(cosine) <= NOISE * to_channel.length() * free.from_pivot.length() {
                return;
            }
            high = high.min(first_angle(sine, cosine, up)).min(first_angle(-sine, -cosine, -down));
            low = low.max(-first_angle(-sine, cosine, up)).max(-first_angle(sine, -cosine, -down));
        });
        angle.max(low).min(high)
    }

    /// Returns the fraction of a change of the active target's transform that stays within the limits, from 0 to 1. The
    /// change is linear in each channel, and a start that is past a limit may only come nearer.
    pub(crate) fn fraction_of_change(&self, end: &Transform) -> f64 {
        let (start, limits) = (&self.active().0.local, &self.settings.motion.limits);
        let channels = [
            (limits.translation, start.translation, end.translation),
            (limits.scale, start.scale, end.scale),
        ];
        let mut fraction: f64 = 1.0;
        for ([low, high], from, to) in channels {
            let by = to - from;
            for i in (0..3).filter(|i| by[*i].abs() > NOISE * by.abs().max_element()) {
                let limit = if by[i] < 0.0 { low[i].min(from[i]) } else { high[i].max(from[i]) };
                let distance = limit - from[i];
                let is_there = distance.abs() <= NOISE * from.abs().max_element();
                // The minimum with a NaN, which is no limit, is the other number.
                fraction = fraction.min(if is_there { 0.0 } else { distance / by[i] });
            }
        }
        fraction.max(0.0)
    }
}

/// Returns the first angle θ ≥ 0 at which s sin θ + c (1 − cos θ) exceeds `max`; infinite if it never
/// does.
fn first_angle(s: f64, c: f64, max: f64) -> f64 {
    // The sum is A sin(θ − φ) + c, which increases if cos(θ − φ) is positive.
    let (size, phase) = (s.hypot(c), c.atan2(s));
    if c + size <= max * (1.0 + NOISE) || size.is_nan() || size == 0.0 {
        return f64::INFINITY;
    }
    // At the limit, rounding would leave an angle next to 0.
    if s > 0.0 && max <= NOISE * size {
        return 0.0;
    }
    let angle = (phase + ((max - c) / size).max(-1.0).asin()).rem_euclid(TAU);
    // A whole turn, up to rounding, is 0.
    if angle > TAU - 1e-9 { 0.0 } else { angle }
}
