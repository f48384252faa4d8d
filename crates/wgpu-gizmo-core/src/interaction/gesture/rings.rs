//! Rings and the trackball: the angles that a cursor turns by.

use crate::draw::Layout;
use crate::draw::item::FAR_HALF;
use crate::interaction::placement::end_on::is_plane_end_on;
use crate::interaction::targets::starts::Starts;
use crate::math::{Ray, View, is_positive};
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::TAU;

/// The distance from the pivot's pixel, in logical pixels, within which a cursor has no angle.
const DEAD_ZONE_LPX: f64 = 2.0;
/// The angle between the pressed ray and the ring's plane, in degrees, below which a drag follows the
/// tangent.
const EDGE_ON_DEGREES: f64 = 10.0;

/// The distance on screen, in physical pixels, within which points of a ring hide each other.
const HIDDEN_PX: f64 = 0.25;

/// The grabbed point of a ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RingGrab {
    /// The ring around the view: angles are measured on screen, from this one. `None` until the cursor has one.
    OnScreen(Option<f64>),
    /// A ring seen from the front: angles are measured from this unit radial direction. `None` until the cursor has
    /// one.
    Facing(Option<DVec3>),
    /// A ring seen edge-on: the cursor moves along a unit screen direction, one radius per radian. The
    /// press is relative to the viewport, which may move during the drag. Press and radius are in logical
    /// pixels, because a window may move to a screen with another scale factor. `radial` is the unit
    /// direction of the grabbed point.
    EdgeOn { press_lpx: DVec2, tangent_px: DVec2, radius_lpx: f64, radial: DVec3 },
}

impl RingGrab {
    /// Returns the unit direction from the pivot to the grabbed point, if it is known.
    pub(crate) fn radial(&self) -> Option<DVec3> {
        match *self {
            Self::OnScreen(_) => None,
            Self::Facing(radial) => radial,
            Self::EdgeOn { radial, .. } => Some(radial),
        }
    }
}

/// A ring about an axis through the pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ring {
    pub(crate) pivot_world: DVec3,
    /// The unit axis. Angles about it follow the right-hand rule.
    pub(crate) axis: DVec3,
}

impl Ring {
    /// Grabs the ring of a layout. A handle at `beside`, relative to the pivot, is on a ring of its own size.
    pub(crate) fn grab(&self, view: &View, press_px: DVec2, layout: &Layout, beside: DVec3) -> RingGrab {
        let ray = view.pointer_ray(press_px);
        let is_facing = self.axis.dot(ray.direction).abs() >= EDGE_ON_DEGREES.to_radians().sin();
        if is_facing && !is_plane_end_on(view, self.pivot_world, self.axis) {
            return RingGrab::Facing(self.radial(view, press_px));
        }
        let toward_eye = -view.direction_to(self.pivot_world);
        let front =
            toward_eye.reject_from_normalized(self.axis).normalize_or(self.axis.any_orthonormal_vector());
        let from_axis = beside.reject_from_normalized(self.axis);
        let pixel_size = view.pixel_size(self.pivot_world + beside);
        let is_beside = from_axis.length() > 1e-6 * layout.size_world && is_positive(pixel_size);
        let (radial, radius_world, radius_px) = if is_beside {
            let radius_world = from_axis.length();
            (from_axis / radius_world, radius_world, radius_world / pixel_size)
        } else {
            let radial = self.edge_on_radial(view, press_px, &ray, layout.size_world, front);
            (radial, layout.size_world, layout.size_px)
        };
        let at = |radial: DVec3| self.screen_tangent(view, radial * radius_world, self.axis.cross(radial));
        // At the end of the line the tangent points at the viewer, so the tangent of the front is used. If the front
        // is behind the viewer, the line is drawn along the same direction through the pivot.
        let line = self.screen_tangent(view, DVec3::ZERO, self.axis.cross(front));
        let pixels_per_unit = view.pixel_size(self.pivot_world).recip();
        let tangent_px = [at(radial), at(front), line]
            .into_iter()
            .flatten()
            .find(|tangent| tangent.length() > 1e-3 * pixels_per_unit)
            .map_or(DVec2::X, DVec2::normalize);
        let scale = view.scale_factor();
        let press_lpx = (press_px - view.viewport().origin_px()) / scale;
        RingGrab::EdgeOn { press_lpx, tangent_px, radius_lpx: radius_px / scale, radial }
    }

    /// Returns the unit direction from the pivot to the point of an edge-on ring that a ray has pressed. `front` is
    /// that to the point nearest to the viewer.
    fn edge_on_radial(
        &self,
        view: &View,
        press_px: DVec2,
        ray: &Ray,
        radius_world: f64,
        front: DVec3,
    ) -> DVec3 {
        let toward_eye = -view.direction_to(self.pivot_world);
        // Ray and axis span a plane across the drawn line. It intersects the ring at the pressed point,
        // however far from the line the press was.
        let side = self.axis.cross(ray.direction).normalize_or(self.axis.cross(front));
        let across = (ray.origin - self.pivot_world).dot(side) / radius_world;
        let near = side.cross(self.axis);
        let near = if near.dot(toward_eye) < 0.0 { -near } else { near };
        let depth = (1.0 - across * across).max(0.0).sqrt();
        // In perspective both intersections may be on the near half. The nearer one hides the other, so it
        // is used, unless the farther one is clearly closer to the press on screen. A press past the end of
        // the line has no intersection and uses the front of the ring, whose tangent is the direction of
        // the line.
        let off_px = |radial: DVec3| {
            let seen = view.px_from_world(self.pivot_world + radial * radius_world);
            seen.filter(|_| across.abs() <= 1.0 && radial.dot(toward_eye) >= FAR_HALF)
                .map_or(f64::INFINITY, |px| px.distance(press_px))
        };
        let crossings = [1.0, -1.0].map(|sign| side * across + near * (sign * depth));
        let [nearer, farther] = crossings.map(off_px);
        match (nearer.is_finite(), farther + HIDDEN_PX < nearer) {
            (_, true) => crossings[1],
            (true, false) => crossings[0],
            (false, false) => front,
        }
    }

    /// Grabs the ring at this cursor, if no earlier one had an angle.
    pub(crate) fn grab_late(&self, grab: &mut RingGrab, view: &View, cursor_px: DVec2) {
        match grab {
            RingGrab::OnScreen(from @ None) => *from = self.screen_angle(view, cursor_px),
            RingGrab::Facing(from @ None) => *from = self.radial(view, cursor_px),
            _ => {}
        }
    }

    /// Returns the pixels that a point at `offset` from the pivot moves per world unit along `direction`.
    fn screen_tangent(&self, view: &View, offset: DVec3, direction: DVec3) -> Option<DVec2> {
        let a = view.px_homogeneous((self.pivot_world + offset).extend(1.0));
        let b = view.px_homogeneous(direction.extend(0.0));
        let tangent = (b.truncate() * a.z - a.truncate() * b.z) / (a.z * a.z);
        (a.z > 0.0 && tangent.is_finite()).then_some(tangent)
    }

    /// Returns the unit direction from the pivot to the cursor's hit in the ring's plane; past the plane's
    /// horizon, the direction of the ray along the plane. Returns `None` if the cursor is too close to the
    /// pivot's pixel, or the plane is seen end-on.
    fn radial(&self, view: &View, cursor_px: DVec2) -> Option<DVec3> {
        let is_near = |pivot_px: DVec2| pivot_px.distance(cursor_px) < DEAD_ZONE_LPX * view.scale_factor();
        let is_at_pivot = view.px_from_world(self.pivot_world).is_some_and(is_near);
        if is_at_pivot || is_plane_end_on(view, self.pivot_world, self.axis) {
            return None;
        }
        let ray = view.pointer_ray_from(self.pivot_world, cursor_px);
        let along = match ray.plane_hit(DVec3::ZERO, self.axis) {
            Some(hit) => hit,
            None => ray.direction,
        };
        along.reject_from_normalized(self.axis).try_normalize()
    }

    /// Returns the angle of the cursor about the pivot's pixel, from the view's X axis toward its Y axis. Returns
    /// `None` if the cursor is too close to the pivot's pixel.
    pub(crate) fn screen_angle(&self, view: &View, cursor_px: DVec2) -> Option<f64> {
        let from_pivot = cursor_px - view.px_from_world(self.pivot_world)?;
        if from_pivot.length() < DEAD_ZONE_LPX * view.scale_factor() {
            return None;
        }
        let in_view_axes = view.axes_from_px(from_pivot);
        Some(in_view_axes.y.atan2(in_view_axes.x))
    }

    /// Returns the angle since the grab in radians, up to whole turns; unbounded if the ring was grabbed edge-on. Returns `None` if the cursor has no angle.
    pub(crate) fn angle(&self, view: &View, cursor_px: DVec2, grab: &RingGrab) -> Option<f64> {
        match *grab {
            RingGrab::OnScreen(from) => Some(self.screen_angle(view, cursor_px)? - from?),
            RingGrab::Facing(from) => {
                let (from, to) = (from?, self.radial(view, cursor_px)?);
                Some(self.axis.dot(from.cross(to)).atan2(from.dot(to)))
            }
            RingGrab::EdgeOn { press_lpx, tangent_px, radius_lpx, .. } => {
                let cursor_lpx = (cursor_px - view.viewport().origin_px()) / view.scale_factor();
                Some((cursor_lpx - press_lpx).dot(tangent_px) / radius_lpx)
            }
        }
    }
}

/// Returns the angle nearest to `last` that has the same direction as `angle`.
pub(crate) fn unwrap(angle: f64, last: f64) -> f64 {
    angle + TAU * ((last - angle) / TAU).round()
}

/// A ball around the pivot that rotates with the cursor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trackball {
    pivot_world: DVec3,
    radius_lpx: f64,
    /// The grabbed point, as a vector in world axes.
    grabbed: DVec3,
}

impl Trackball {
    /// Grabs a ball of at least this radius. It is larger if the press would be outside.
    pub(crate) fn grab(view: &View, pivot_world: DVec3, press_px: DVec2, radius_px: f64) -> Option<Self> {
        let distance = view.px_from_world(pivot_world)?.distance(press_px);
        let radius_lpx = distance.max(radius_px) / view.scale_factor();
        let ball = Self { pivot_world, radius_lpx, grabbed: DVec3::ZERO };
        let (grabbed, ..) = ball.point(view, press_px)?;
        Some(Self { grabbed, ..ball })
    }

    /// Returns the point of the ball under the cursor, as a unit vector in world axes, the distance of the
    /// cursor past the rim in radii, and its direction on screen.
    fn point(&self, view: &View, cursor_px: DVec2) -> Option<(DVec3, f64, DVec3)> {
        let radius_px = self.radius_lpx * view.scale_factor();
        let from_pivot = (cursor_px - view.px_from_world(self.pivot_world)?) / radius_px;
        let frame = view.axes();
        let from_pivot = view.axes_from_px(from_pivot);
        let on_screen = frame.x_axis * from_pivot.x + frame.y_axis * from_pivot.y;
        let distance = from_pivot.length();
        if distance < 1.0 {
            let height = (1.0 - distance * distance).sqrt();
            return Some((on_screen - view.forward() * height, 0.0, on_screen));
        }
        let rim = on_screen / distance;
        Some((rim, distance - 1.0, rim))
    }

    /// Returns the shortest rotation from the grabbed point to that under the cursor. Past the rim, the ball
    /// continues to rotate in the same direction, a radian per radius. If a limit stops the targets on the way, the
    /// ball stops between there and a whole turn, past which the limit would be that of the opposite direction.
    pub(crate) fn rotation(&self, view: &View, cursor_px: DVec2, starts: &Starts) -> Option<DQuat> {
        let (point, past_rim, outward) = self.point(view, cursor_px)?;
        let to_point = DQuat::from_rotation_arc(self.grabbed.normalize(), point.normalize());
        let axis = outward.cross(view.forward()).normalize_or(view.forward());
        let limit = starts.angle_within_limits(TAU, axis);
        let most = if limit < TAU { 0.5 * (limit + TAU) } else { f64::INFINITY };
        let past_rim = past_rim.min(most - to_point.to_axis_angle().1);
        let rotation = DQuat::from_axis_angle(axis, past_rim) * to_point;
        rotation.is_finite().then(|| rotation.normalize())
    }
}
