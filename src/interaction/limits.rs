//! How far a motion may go before the first channel of a target meets its limit.

use super::settings::Limits;
use super::starts::{Free, Starts};
use glam::{BVec3, DMat3, DVec3};
use std::f64::consts::TAU;

/// Part of a motion that is its rounding: what moves less along a channel does not move it.
const NOISE: f64 = 1e-12;

impl Limits {
    /// How much of a translation in world space every target can follow, from 0 to 1.
    pub(crate) fn share_of_translation(&self, by_world: DVec3, starts: &Starts) -> f64 {
        self.shares(starts, |_| by_world)[1].min(1.0)
    }

    /// Between which multiples of a motion, different for each target and in world space, no
    /// channel of a translation leaves its limits: the lowest and the highest, 0 between them.
    fn shares(&self, starts: &Starts, by_world: impl Fn(DVec3) -> DVec3) -> [f64; 2] {
        let mut shares = [f64::NEG_INFINITY, f64::INFINITY];
        self.each_channel(starts, |[low, high], free, i| {
            let by = *free.parent_from_world * by_world(free.from_pivot);
            if by[i].abs() > NOISE * by.abs().max_element() {
                let ends = [low / by[i], high / by[i]];
                let [back, on] = if by[i] > 0.0 { ends } else { [ends[1], ends[0]] };
                shares = [shares[0].max(back), shares[1].min(on)];
            }
        });
        shares
    }

    /// Calls for each unlocked channel of a translation that has a limit, with the way down and up
    /// that is left: none for a start that is past it, which may only come nearer.
    fn each_channel(&self, starts: &Starts, mut take: impl FnMut([f64; 2], Free<'_>, usize)) {
        let [low, high] = self.translation;
        if self.translation == Self::NONE.translation {
            return;
        }
        for free in starts.free() {
            for i in (0..3).filter(|i| !starts.locks().translation.test(*i)) {
                let at = free.local.translation[i];
                // A limit that is no number is none.
                let or = |room: f64, none: f64| if room.is_nan() { none } else { room };
                let down = or(low[i] - at, f64::NEG_INFINITY).min(0.0);
                let up = or(high[i] - at, f64::INFINITY).max(0.0);
                take([down, up], free, i);
            }
        }
    }

    /// Lowest and highest factor that every target can follow, in its scale and where it comes to.
    /// `axes` are those that the factor belongs to, in world space.
    pub(crate) fn factors(&self, scaled: BVec3, axes: &DMat3, starts: &Starts) -> [f64; 2] {
        let factors_of = DVec3::select(scaled, DVec3::ONE, DVec3::ZERO);
        let moved = |from_pivot| *axes * (factors_of * (axes.transpose() * from_pivot));
        let mut factors = self.shares(starts, moved).map(|share| 1.0 + share);
        if self.scale == Self::NONE.scale {
            return factors;
        }
        for Free { local, .. } in starts.free() {
            for i in 0..3 {
                let scale = local.scale[i];
                if scale == 0.0 || starts.locks().scale.test(i) || !scaled.test(i) {
                    continue;
                }
                let ends = self.scale.map(|limit| limit[i] / scale);
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

    /// The angle that is within the limits and nearest to this one, about a unit axis in world
    /// space: within those of the angle, and no farther than the first channel of a translation
    /// lets it.
    pub(crate) fn angle(&self, angle: f64, axis: DVec3, starts: &Starts) -> f64 {
        let [low, high] = self.angle;
        let mut low = if low.is_nan() { f64::NEG_INFINITY } else { low.min(0.0) };
        let mut high = if high.is_nan() { f64::INFINITY } else { high.max(0.0) };
        self.each_channel(starts, |[down, up], free, i| {
            // Turned by θ, what is at r from the pivot moves by a×r sin θ + a×(a×r) (1 − cos θ).
            let across = axis.cross(free.from_pivot);
            let sine = (*free.parent_from_world * across)[i];
            let cosine = (*free.parent_from_world * axis.cross(across))[i];
            high = high.min(first_angle(sine, cosine, up)).min(first_angle(-sine, -cosine, -down));
            low = low.max(-first_angle(-sine, cosine, up)).max(-first_angle(sine, -cosine, -down));
        });
        angle.max(low).min(high)
    }
}

/// The first angle from 0 on at which s sin θ + c (1 − cos θ) goes past `room`; infinite where it
/// never does.
fn first_angle(s: f64, c: f64, room: f64) -> f64 {
    // It is A sin(θ − φ) + c, and goes up where the cosine of that is positive.
    let (size, phase) = (s.hypot(c), c.atan2(s));
    if c + size <= room * (1.0 + NOISE) || size.is_nan() || size == 0.0 {
        return f64::INFINITY;
    }
    let angle = (phase + ((room - c) / size).max(-1.0).asin()).rem_euclid(TAU);
    // A whole turn but for rounding is none.
    if angle > TAU - 1e-9 { 0.0 } else { angle }
}
