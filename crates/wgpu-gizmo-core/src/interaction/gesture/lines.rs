//! Lines and planes that a cursor moves along: the solvers of translations, and of scales along an axis.

use crate::interaction::placement::end_on::{END_ON, is_line_end_on, is_plane_end_on};
use crate::interaction::settings::Solver;
use crate::math::View;
use glam::{DVec2, DVec3};

/// The position of the cursor along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AxisHit {
    /// At this distance from the pivot, in world units.
    At(f64),
    /// Past the vanishing point, toward the end with this sign.
    Beyond(f64),
    /// No position, because the axis, or the plane that the solver uses, is seen end-on.
    Nowhere,
}

/// A line through the pivot, and how the cursor selects a point of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AxisLine {
    pub(crate) pivot_world: DVec3,
    /// Unit length.
    pub(crate) direction: DVec3,
    pub(crate) solver: Solver,
    /// The unit normal of the plane of [`Solver::MovementPlane`].
    pub(crate) plane_normal: DVec3,
}

/// The bounds of a drag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    /// The maximum distance from the grabbed point, in world units.
    pub(crate) max_distance: f64,
    /// The minimum clip w, so that nothing is dragged through the viewer.
    pub(crate) min_w: f64,
}

/// A value, and whether a limit has clamped it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clamped<T> {
    pub(crate) value: T,
    pub(crate) clamped: bool,
}

impl AxisLine {
    /// Returns the position of the cursor along the line.
    pub(crate) fn along(&self, view: &View, cursor_px: DVec2) -> AxisHit {
        if is_line_end_on(view, self.pivot_world, self.direction) {
            return AxisHit::Nowhere;
        }
        match self.solver {
            Solver::ScreenProjection => self.screen_projection(view, cursor_px),
            Solver::ClosestPoint => self.closest_point(view, cursor_px),
            Solver::MovementPlane => self.movement_plane(view, cursor_px),
        }
    }

    /// Returns the point of the line that is drawn at the foot of the cursor, which is its perpendicular
    /// projection onto the drawn line.
    ///
    /// With A and B the homogeneous pixels of pivot and axis, the line is drawn along
    /// d = unit(B.xy A.w − A.xy B.w), and the point is s = −d·(A.xy − m A.w) / d·(B.xy − m B.w).
    fn screen_projection(&self, view: &View, cursor_px: DVec2) -> AxisHit {
        let a = view.px_homogeneous(self.pivot_world.extend(1.0));
        let b = view.px_homogeneous(self.direction.extend(0.0));
        let drawn = b.truncate() * a.z - a.truncate() * b.z;
        let Some(d) = drawn.try_normalize() else { return AxisHit::Nowhere };
        let s = -d.dot(a.truncate() - cursor_px * a.z) / d.dot(b.truncate() - cursor_px * b.z);
        if s.is_finite() && a.z + s * b.z > 0.0 { AxisHit::At(s) } else { AxisHit::Beyond(b.z.signum()) }
    }

    fn closest_point(&self, view: &View, cursor_px: DVec2) -> AxisHit {
        let ray = view.pointer_ray_from(self.pivot_world, cursor_px);
        let cosine = self.direction.dot(ray.direction);
        let sine_squared = 1.0 - cosine * cosine;
        if sine_squared < 1e-10 {
            return AxisHit::Nowhere;
        }
        let (along_axis, along_ray) = (self.direction.dot(ray.origin), ray.direction.dot(ray.origin));
        let s = (along_axis - cosine * along_ray) / sine_squared;
        let distance = (cosine * along_axis - along_ray) / sine_squared;
        // At the horizon the ray is parallel to the axis. Past it, the lines are closest behind the eye.
        if distance > ray.start { AxisHit::At(s) } else { AxisHit::Beyond(cosine.signum()) }
    }

    fn movement_plane(&self, view: &View, cursor_px: DVec2) -> AxisHit {
        let ray = view.pointer_ray_from(self.pivot_world, cursor_px);
        if is_plane_end_on(view, self.pivot_world, self.plane_normal)
            || ray.direction.dot(self.plane_normal).abs() < END_ON
        {
            return AxisHit::Nowhere;
        }
        match ray.plane_hit(DVec3::ZERO, self.plane_normal) {
            Some(hit) => AxisHit::At(hit.dot(self.direction)),
            None => AxisHit::Beyond(ray.direction.dot(self.direction).signum()),
        }
    }

    /// Clamps a position to the reach from `grab`. Returns `None` if there is no position, or nothing is
    /// within reach.
    pub(crate) fn within(
        &self,
        view: &View,
        along: AxisHit,
        grab: f64,
        reach: Reach,
    ) -> Option<Clamped<f64>> {
        let (low, high) = self.range(view, grab, reach)?;
        match along {
            AxisHit::Nowhere => None,
            AxisHit::Beyond(sign) => {
                Some(Clamped { value: if sign < 0.0 { low } else { high }, clamped: true })
            }
            AxisHit::At(s) => {
                let value = s.clamp(low, high);
                Some(Clamped { value, clamped: value != s })
            }
        }
    }

    /// Returns the minimum and maximum distance from the pivot that a drag from `grab` may reach in this
    /// view.
    pub(crate) fn range(&self, view: &View, grab: f64, reach: Reach) -> Option<(f64, f64)> {
        let (mut low, mut high) = (grab - reach.max_distance, grab + reach.max_distance);
        let a_w = view.clip_w(self.pivot_world);
        let b_w = view.clip_from_world().row(3).truncate().dot(self.direction);
        // w(s) = a_w + s b_w must not fall below min_w.
        if b_w != 0.0 {
            let bound = (reach.min_w - a_w) / b_w;
            if b_w > 0.0 {
                low = low.max(bound);
            } else {
                high = high.min(bound);
            }
        } else if a_w < reach.min_w {
            return None;
        }
        (low <= high).then_some((low, high))
    }
}

/// A plane through the pivot that a drag moves in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DragPlane {
    pub(crate) pivot_world: DVec3,
    /// Orthonormal.
    pub(crate) axes: [DVec3; 2],
    /// Unit length.
    pub(crate) normal: DVec3,
}

impl DragPlane {
    /// Returns the point of the plane under the cursor, relative to the pivot and at most `max_distance`
    /// from `from`. Past the plane's horizon, it is at that distance in the direction of the ray along the
    /// plane, which is the limit as the cursor approaches the horizon. Returns `None` if the plane is seen
    /// end-on.
    pub(crate) fn point(
        &self,
        view: &View,
        cursor_px: DVec2,
        from: DVec3,
        max_distance: f64,
    ) -> Option<Clamped<DVec3>> {
        let ray = view.pointer_ray_from(self.pivot_world, cursor_px);
        let facing = self.normal.dot(ray.direction);
        if facing.abs() < END_ON || is_plane_end_on(view, self.pivot_world, self.normal) {
            return None;
        }
        let away = match ray.plane_hit(DVec3::ZERO, self.normal) {
            Some(hit) if hit.distance(from) <= max_distance => {
                return Some(Clamped { value: hit, clamped: false });
            }
            Some(hit) => hit - from,
            None => ray.direction - self.normal * facing,
        };
        let value = from + away.try_normalize()? * max_distance;
        Some(Clamped { value, clamped: true })
    }
}
