//! From the numbers that the hand controls to a motion: snapping and limits.

use super::super::motion::{Change, Motion};
use super::super::rotate::Trackball;
use super::super::scale::{MIN_FACTOR, factor};
use super::super::settings::{Modifiers, Orientation, SnapKind};
use super::{Drag, motion};
use crate::handle::{Axis, Constraint};
use crate::math::{Increment, View};
use glam::{DQuat, DVec2, DVec3};

impl Drag {
    /// The origin of the grid that counts with these axes, if one does.
    pub(crate) fn grid(&self, kind: SnapKind) -> Option<DVec3> {
        let SnapKind::Grid { origin_world } = kind else { return None };
        match self.orientation {
            Orientation::World | Orientation::Custom(_) => Some(origin_world),
            Orientation::Parent => {
                Some(self.starts.target(self.frame_of).0.world_from_parent.w_axis.truncate())
            }
            Orientation::Local | Orientation::View => None,
        }
        .filter(|origin| origin.is_finite())
    }

    /// A way along a direction, snapped; where that leaves the reach, an increment shorter. On a
    /// grid that is coarser than the reach there may be no place to go to: then it stays.
    pub(super) fn snapped(&self, way: f64, direction: DVec3, held: Modifiers, low: f64, high: f64) -> f64 {
        let Some(increment) = held.snap.translate else { return way };
        let origin_of = |origin: DVec3| (self.placement.pivot_world - origin).dot(direction);
        let from = self.grid(held.snap_kind).map_or(0.0, origin_of);
        let snapped = increment.snap(from + way) - from;
        let within = if snapped > high {
            snapped - increment.get()
        } else if snapped < low {
            snapped + increment.get()
        } else {
            snapped
        };
        if within >= low && within <= high { within } else { 0f64.max(low).min(high) }
    }

    pub(super) fn snapped_in_plane(&self, by: DVec3, axes: &[DVec3; 2], held: Modifiers, most: f64) -> DVec3 {
        if held.snap.translate.is_none() {
            return by;
        }
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let along = |axis: DVec3| axis * self.snapped(by.dot(axis), axis, held, all.0, all.1);
        let on_grid = self.grid(held.snap_kind).is_some();
        let frame = &self.placement.axes;
        let is_view = self.handle.constraint() == Constraint::ViewPlane;
        let snapped = if is_view && on_grid {
            along(frame.x_axis) + along(frame.y_axis) + along(frame.z_axis)
        } else {
            along(axes[0]) + along(axes[1])
        };
        if snapped.length() <= most {
            return snapped;
        }
        // Rounded up past the end of the reach, it comes back along the way that it went.
        let shorter = |axis: DVec3| {
            let way = by.dot(axis);
            axis * self.snapped(way, axis, held, way.min(0.0), way.max(0.0))
        };
        if is_view && on_grid {
            shorter(frame.x_axis) + shorter(frame.y_axis) + shorter(frame.z_axis)
        } else {
            shorter(axes[0]) + shorter(axes[1])
        }
    }

    pub(super) fn along(&self, way: f64, clamped: bool) -> (Motion, [f64; 2]) {
        let direction = match self.handle.constraint() {
            Constraint::Axis(axis) => self.axes.col(axis.index()),
            _ => DVec3::ZERO,
        };
        let share = self.settings.limits.share_of_translation(direction * way, &self.starts);
        let within = if share < 1.0 { way * share } else { way };
        (motion(Change::Translate(direction * within), clamped || share < 1.0), [within, 0.0])
    }

    pub(super) fn across(&self, by: DVec3, clamped: bool) -> (Motion, [f64; 2]) {
        let limits = &self.settings.limits;
        let [a, b] = match self.handle.constraint() {
            Constraint::Plane(normal) => normal.others().map(|axis| self.axes.col(axis.index())),
            _ => [self.axes.x_axis, self.axes.y_axis],
        };
        let mut within = by;
        if limits.share_of_translation(by, &self.starts) < 1.0 {
            // AxisHit a wall that one of the axes meets, the other goes on.
            let free = |axis: DVec3| {
                let part = axis * by.dot(axis);
                part * limits.share_of_translation(part, &self.starts)
            };
            within = free(a) + free(b);
            within *= limits.share_of_translation(within, &self.starts);
        }
        (motion(Change::Translate(within), clamped || within != by), [within.dot(a), within.dot(b)])
    }

    pub(super) fn turned(&self, angle: f64) -> (Motion, [f64; 2]) {
        let axis = self.turning_axis();
        let within = self.settings.limits.angle(angle, axis, &self.starts);
        (motion(Change::turn(axis, within), within != angle), [within, 0.0])
    }

    pub(super) fn rolled(
        &self,
        view: &View,
        ball: &Trackball,
        cursor_px: DVec2,
        from: DVec3,
    ) -> Option<(Motion, [f64; 2])> {
        Some(self.turned_freely(ball.rotation(view, cursor_px, from)?))
    }

    pub(super) fn turned_freely(&self, rotation: DQuat) -> (Motion, [f64; 2]) {
        let (axis, angle) = rotation.to_axis_angle();
        let within = self.settings.limits.angle(angle, axis, &self.starts);
        let clamped = within != angle;
        let rotation = if clamped { DQuat::from_axis_angle(axis, within) } else { rotation };
        (motion(Change::RotateFreely(rotation), clamped), [within, 0.0])
    }

    pub(super) fn scaled(&self, raw: f64, clamped: bool, increment: Option<Increment>) -> (Motion, [f64; 2]) {
        let constraint = self.handle.constraint();
        let wanted = factor(raw, increment, self.settings.allow_mirror);
        let [low, high] = self.settings.limits.factors(constraint, &self.placement.scale_axes, &self.starts);
        let value = wanted.value.max(low).min(high);
        // A limit of 0 stops before it: from there no factor leads back.
        let value = if value.abs() < MIN_FACTOR { MIN_FACTOR } else { value };
        let by = Axis::ALL.map(|axis| if constraint.involves(axis) { value } else { 1.0 });
        let by = DVec3::from_array(by);
        (motion(Change::Scale(by), clamped || wanted.clamped || value != wanted.value), [value, 0.0])
    }
}
