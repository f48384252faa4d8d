//! The bounding box of a target, and the effect of moving its faces.

use crate::draw::OrientedBox;
use crate::handle::{Axis, BoxGrip};
use crate::interaction::settings::BoxResult;
use crate::interaction::targets::target::{DisabledReason, Target};
use crate::math::{Transform, is_positive};
use glam::{DMat3, DVec3};

/// The bounding box of a target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounds {
    /// The min and max corners in the space of the target.
    local: [DVec3; 2],
    /// Per axis of the target: the displacement in world space for one local unit.
    along: [DVec3; 3],
    center_world: DVec3,
}

impl Bounds {
    /// Returns the box of a target, if it has a finite one.
    pub(crate) fn of(target: &Target) -> Option<Self> {
        let local @ [low, high] = target.bounds_local?;
        let Transform { translation, .. } = target.local;
        let linear = target.local.linear();
        let world_from_local = DMat3::from_mat4(target.world_from_parent) * linear;
        let along = [world_from_local.x_axis, world_from_local.y_axis, world_from_local.z_axis];
        let center = low * 0.5 + high * 0.5;
        let center_world = target.world_from_parent.transform_point3(linear * center + translation);
        let is_finite = [low, high, center_world].iter().all(|point| point.is_finite());
        (is_finite && world_from_local.is_finite()).then_some(Self { local, along, center_world })
    }

    /// Returns the reason why a grip cannot be used with a target, or `None` if it can.
    pub(crate) fn disabled_reason(target: &Target, grip: BoxGrip) -> Option<DisabledReason> {
        if target.bounds_local.is_none() {
            return Some(DisabledReason::NoBounds);
        }
        let Some(bounds) = Self::of(target) else { return Some(DisabledReason::NotFinite) };
        let [low, high] = bounds.local;
        let is_usable = |axis: Axis| {
            let sides = [bounds.length(axis), bounds.along(axis), (high - low)[axis.index()]];
            sides.into_iter().all(is_positive)
        };
        let is_upright = low.cmple(high).all();
        if is_upright && grip.axes().all(is_usable) { None } else { Some(DisabledReason::EmptyBox) }
    }

    /// Returns the length in world space of one local unit along an axis.
    pub(crate) fn along(&self, axis: Axis) -> f64 {
        self.along[axis.index()].length()
    }

    /// Returns the length in world space of the side along an axis.
    pub(crate) fn length(&self, axis: Axis) -> f64 {
        let [low, high] = self.local;
        self.along(axis) * (high - low)[axis.index()]
    }

    /// Returns the lengths in world space of the sides along X, Y and Z.
    pub(crate) fn lengths(&self) -> [f64; 3] {
        Axis::ALL.map(|axis| self.length(axis))
    }

    /// Returns the unit direction of an axis in world space.
    pub(crate) fn direction(&self, axis: Axis) -> DVec3 {
        self.along[axis.index()].normalize_or(axis.unit())
    }

    /// Returns the box in world space.
    pub(crate) fn oriented_box(&self) -> OrientedBox {
        let half = (self.local[1] - self.local[0]) * 0.5;
        let of = |axis: Axis| self.along[axis.index()] * half[axis.index()];
        OrientedBox { center: self.center_world, half: Axis::ALL.map(of) }
    }
}

/// Returns the target with the min and max corners of its box displaced by `by`.
pub(crate) fn resized(start: &Target, by: [DVec3; 2], result: BoxResult) -> Target {
    let Some([low, high]) = start.bounds_local else { return *start };
    if by == [DVec3::ZERO; 2] {
        return *start;
    }
    let [new_low, new_high] = [low + by[0], high + by[1]];
    if result == BoxResult::Extents {
        return start.with_bounds([new_low.min(new_high), new_low.max(new_high)]);
    }
    // Per axis: the factor, and the displacement that keeps the fixed point in place. That point is on the
    // side that does not move, or is the center if both sides move.
    let (mut factors, mut displacement) = (DVec3::ONE, DVec3::ZERO);
    for i in 0..3 {
        let (down, up) = (by[0][i], by[1][i]);
        if down == 0.0 && up == 0.0 {
            continue;
        }
        let size = high[i] - low[i];
        let factor = (size + up - down) / size;
        let fixed = if down == 0.0 {
            low[i]
        } else if up == 0.0 {
            high[i]
        } else {
            0.5 * low[i] + 0.5 * high[i]
        };
        factors[i] = factor;
        displacement[i] = fixed * (1.0 - factor);
    }
    let Transform { translation, rotation, scale } = start.local;
    let translation = translation + start.local.linear() * displacement;
    Target { local: Transform { translation, rotation, scale: scale * factors }, ..*start }
}
