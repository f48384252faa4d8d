//! Lines and planes that a cursor moves along: the solvers of translations and scales.

use crate::handle::Axis;
use crate::interaction::drag::press::{MIN_DRAG_W, Press, Reach};
use crate::interaction::placement::end_on::{END_ON, is_line_end_on, is_plane_end_on};
use crate::interaction::settings::Solver;
use crate::math::{Ray, View};
use glam::{DMat3, DVec2, DVec3};

/// The position of the cursor along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LineHit {
    /// At this distance from the origin, in world units.
    At(f64),
    /// Past the vanishing point, toward the end with this sign.
    Beyond(f64),
    /// No position, because the line, or the plane that the solver uses, is seen end-on.
    Nowhere,
}

/// A value, and whether a limit has clamped it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clamped<T> {
    pub(crate) value: T,
    pub(crate) clamped: bool,
}

/// A line that a drag moves along, and how the cursor selects a point of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AxisLine {
    /// The pivot, or the point of the handle that the line goes through.
    pub(crate) origin_world: DVec3,
    /// Unit length.
    pub(crate) direction: DVec3,
    pub(crate) solver: Solver,
    /// The unit normal of the plane of [`Solver::MovementPlane`].
    pub(crate) plane_normal: DVec3,
    pub(crate) reach: Reach,
}

impl AxisLine {
    /// Creates a line that a press drags along. Of the planes through it with these normals,
    /// [`Solver::MovementPlane`] uses the one that faces the pointer's ray more.
    pub(super) fn new(press: &Press, origin_world: DVec3, direction: DVec3, [b, c]: [DVec3; 2]) -> Self {
        let ray = press.cursor_px.map(|press_px| press.view.pointer_ray(press_px));
        let facing = |normal: DVec3| {
            // If a plane contains the eye, rays intersect it only at the eye, even if it faces this ray.
            let is_usable = !is_plane_end_on(&press.view, origin_world, normal);
            ray.as_ref().map(|ray| (is_usable, normal.dot(ray.direction).abs()))
        };
        let plane_normal = if facing(b) >= facing(c) { b } else { c };
        let (solver, reach) = (press.solver(press.settings.motion.solver), press.reach(origin_world));
        Self { origin_world, direction, solver, plane_normal, reach }
    }

    /// Creates the line along one of three axes.
    pub(super) fn along(press: &Press, origin_world: DVec3, axes: &DMat3, axis: Axis) -> Self {
        let normals = axis.others().map(|other| axes.col(other.index()));
        Self::new(press, origin_world, axes.col(axis.index()), normals)
    }

    /// Returns the distance from the origin to the point that the cursor selects, within reach of the grabbed
    /// distance. Returns `None` if there is no such point, or nothing is within reach.
    pub(super) fn hit(&self, view: &View, cursor_px: DVec2, grabbed: f64) -> Option<Clamped<f64>> {
        let [low, high] = self.range(view, grabbed)?;
        match self.solved(view, cursor_px) {
            LineHit::Nowhere => None,
            LineHit::Beyond(sign) => {
                Some(Clamped { value: if sign < 0.0 { low } else { high }, clamped: true })
            }
            LineHit::At(s) => {
                let value = s.clamp(low, high);
                Some(Clamped { value, clamped: value != s })
            }
        }
    }

    /// Returns the minimum and maximum distance from the origin that a drag of a grabbed distance may reach
    /// in this view.
    pub(super) fn range(&self, view: &View, grabbed: f64) -> Option<[f64; 2]> {
        let Reach { max_distance, min_w } = self.reach;
        let (mut low, mut high) = (grabbed - max_distance, grabbed + max_distance);
        let a_w = view.clip_w(self.origin_world);
        let b_w = view.clip_from_world().row(3).truncate().dot(self.direction);
        // A perspective and an orthographic view have no common measure of w.
        let min_w = min_w.filter(|_| !view.is_orthographic()).unwrap_or(MIN_DRAG_W * a_w.abs());
        // w(s) = a_w + s b_w must not fall below min_w.
        if b_w != 0.0 {
            let bound = (min_w - a_w) / b_w;
            if b_w > 0.0 {
                low = low.max(bound);
            } else {
                high = high.min(bound);
            }
        } else if a_w < min_w {
            return None;
        }
        (low <= high).then_some([low, high])
    }

    fn solved(&self, view: &View, cursor_px: DVec2) -> LineHit {
        if is_line_end_on(view, self.origin_world, self.direction) {
            return LineHit::Nowhere;
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
    /// With A and B the homogeneous pixels of origin and direction, the line is drawn along
    /// d = unit(B.xy A.w − A.xy B.w), and the point is s = −d·(A.xy − m A.w) / d·(B.xy − m B.w).
    fn screen_projection(&self, view: &View, cursor_px: DVec2) -> LineHit {
        let a = view.px_homogeneous(self.origin_world.extend(1.0));
        let b = view.px_homogeneous(self.direction.extend(0.0));
        let drawn = b.truncate() * a.z - a.truncate() * b.z;
        let Some(d) = drawn.try_normalize() else { return LineHit::Nowhere };
        let s = -d.dot(a.truncate() - cursor_px * a.z) / d.dot(b.truncate() - cursor_px * b.z);
        if s.is_finite() && a.z + s * b.z > 0.0 { LineHit::At(s) } else { LineHit::Beyond(b.z.signum()) }
    }

    fn closest_point(&self, view: &View, cursor_px: DVec2) -> LineHit {
        let ray = view.pointer_ray_from(self.origin_world, cursor_px);
        match self.closest_to(&ray) {
            None => LineHit::Nowhere,
            Some([s, distance]) if distance > ray.start => LineHit::At(s),
            // At the horizon the ray is parallel to the line. Past it, the two are closest behind the eye.
            Some(_) => LineHit::Beyond(self.direction.dot(ray.direction).signum()),
        }
    }

    /// Returns the distances along the line and along a ray, relative to the origin, at which they are closest.
    pub(super) fn closest_to(&self, ray: &Ray) -> Option<[f64; 2]> {
        let cosine = self.direction.dot(ray.direction);
        let sine_squared = 1.0 - cosine * cosine;
        let (along_line, along_ray) = (self.direction.dot(ray.origin), ray.direction.dot(ray.origin));
        let distances = [along_line - cosine * along_ray, cosine * along_line - along_ray];
        (sine_squared >= 1e-10).then(|| distances.map(|distance| distance / sine_squared))
    }

    fn movement_plane(&self, view: &View, cursor_px: DVec2) -> LineHit {
        let ray = view.pointer_ray_from(self.origin_world, cursor_px);
        if is_plane_end_on(view, self.origin_world, self.plane_normal)
            || ray.direction.dot(self.plane_normal).abs() < END_ON
        {
            return LineHit::Nowhere;
        }
        match ray.plane_hit(DVec3::ZERO, self.plane_normal) {
            Some(hit) => LineHit::At(hit.dot(self.direction)),
            None => LineHit::Beyond(ray.direction.dot(self.direction).signum()),
        }
    }
}

/// A plane that a drag moves in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DragPlane {
    /// The pivot, or the point of the handle that the plane goes through.
    pub(crate) origin_world: DVec3,
    /// Unit length. Those of a bounding box need not be orthogonal.
    pub(crate) axes: [DVec3; 2],
    /// Unit length.
    pub(crate) normal: DVec3,
    /// The point within whose maximum distance a drag stays, from the origin, and that distance in world units.
    pub(crate) center: DVec3,
    pub(crate) max_distance: f64,
}

impl DragPlane {
    pub(super) fn new(press: &Press, origin_world: DVec3, axes: [DVec3; 2], normal: DVec3) -> Self {
        let max_distance = press.reach(origin_world).max_distance;
        Self { origin_world, axes, normal, center: DVec3::ZERO, max_distance }
    }

    /// Creates the plane that has one of three axes as its normal.
    pub(super) fn across(press: &Press, origin_world: DVec3, axes: &DMat3, normal: Axis) -> Self {
        let in_plane = normal.others().map(|axis| axes.col(axis.index()));
        Self::new(press, origin_world, in_plane, axes.col(normal.index()))
    }

    /// Creates the plane that is parallel to the image plane.
    pub(super) fn of_view(press: &Press, origin_world: DVec3) -> Self {
        let axes = press.view.axes();
        Self::new(press, origin_world, [axes.x_axis, axes.y_axis], press.view.forward())
    }

    /// Returns the grabbed point, relative to the origin; `None` for a press past the horizon.
    pub(super) fn grab(&self, press: &Press) -> Option<DVec3> {
        let max_distance = press.visible_reach(self.origin_world).max_distance;
        let hit = Self { max_distance, ..*self }.hit(&press.view, press.cursor_px?)?;
        (!hit.clamped).then_some(hit.value)
    }

    /// Returns the coordinates of a displacement in the plane along its axes.
    pub(super) fn coordinates(&self, by: DVec3) -> [f64; 2] {
        let [u, v] = self.axes;
        let area = u.cross(v).dot(self.normal);
        [by.cross(v).dot(self.normal) / area, u.cross(by).dot(self.normal) / area]
    }

    /// Returns the point of the plane under the cursor, relative to the origin and within reach. Past the plane's horizon, it is at the maximum distance in the direction of the ray along the
    /// plane, which is the limit as the cursor approaches the horizon. Returns `None` if the plane is seen
    /// end-on.
    pub(super) fn hit(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        let ray = view.pointer_ray_from(self.origin_world, cursor_px);
        let facing = self.normal.dot(ray.direction);
        if facing.abs() < END_ON || is_plane_end_on(view, self.origin_world, self.normal) {
            return None;
        }
        let away = match ray.plane_hit(DVec3::ZERO, self.normal) {
            Some(hit) if hit.distance(self.center) <= self.max_distance => {
                return Some(Clamped { value: hit, clamped: false });
            }
            Some(hit) => hit - self.center,
            None => ray.direction - self.normal * facing,
        };
        let value = self.center + away.try_normalize()? * self.max_distance;
        Some(Clamped { value, clamped: true })
    }
}
