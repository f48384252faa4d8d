//! How far a motion may go before the first channel of a target meets its limit.

use super::settings::Limits;
use super::start::Starts;
use crate::handle::{Axis, Constraint};
use glam::DVec3;

/// Part of a motion that is its rounding: what moves less along a channel does not move it.
const NOISE: f64 = 1e-12;

impl Limits {
    /// How much of a translation in world space every target can follow, from 0 to 1.
    pub(crate) fn share_of(&self, by_world: DVec3, starts: &Starts) -> f64 {
        let [low, high] = self.translation;
        if self.translation == Self::NONE.translation {
            return 1.0;
        }
        let mut share: f64 = 1.0;
        for (local, parent_from_world) in starts.free() {
            let by = *parent_from_world * by_world;
            let noise = NOISE * by.abs().max_element();
            for i in 0..3 {
                if by[i].abs() <= noise || starts.locks().translation.test(i) {
                    continue;
                }
                let limit = if by[i] > 0.0 { high[i] } else { low[i] };
                let room = (limit - local.translation[i]) / by[i];
                // A start that is past its limit has none; a limit that is no number is none.
                if !room.is_nan() {
                    share = share.min(room.max(0.0));
                }
            }
        }
        share
    }

    /// Lowest and highest factor that every target can follow.
    pub(crate) fn factors(&self, constraint: Constraint, starts: &Starts) -> [f64; 2] {
        let mut factors = [f64::NEG_INFINITY, f64::INFINITY];
        if self.scale == Self::NONE.scale {
            return factors;
        }
        for (local, _) in starts.free() {
            for axis in Axis::ALL {
                let i = axis.index();
                let scale = local.scale[i];
                if scale == 0.0 || starts.locks().scale.test(i) || !scales(constraint, axis) {
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

    /// The angle that is within the limits and nearest to this one.
    pub(crate) fn angle(&self, angle: f64) -> f64 {
        let [low, high] = self.angle;
        let angle = if low.is_nan() { angle } else { angle.max(low.min(0.0)) };
        if high.is_nan() { angle } else { angle.min(high.max(0.0)) }
    }
}

/// Whether a handle of this constraint scales along this axis.
pub(crate) fn scales(constraint: Constraint, axis: Axis) -> bool {
    match constraint {
        Constraint::ScaleAxis(along) => along == axis,
        Constraint::ScalePlane(normal) => normal != axis,
        Constraint::ScaleUniform => true,
        _ => false,
    }
}
