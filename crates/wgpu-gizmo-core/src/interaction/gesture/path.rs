//! The paths of handles: how a cursor becomes a value, from the grabbed point on.

use crate::draw::BALL_RADIUS;
use crate::draw::guides::{self, GuidePainter, StrokeStyle};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::guides::GuideContext;
use crate::interaction::gesture::lines::{AxisLine, Clamped, DragPlane};
use crate::interaction::gesture::rings::{Ring, RingGrab, Trackball};
use crate::interaction::settings::Solver;
use crate::math::View;
use glam::{DVec2, DVec3};

/// A path, and the point of it that the press has grabbed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(super) kind: PathKind,
    /// The position on the path: a distance in X, a displacement from the origin of a plane, an angle in X, or
    /// a cursor. `None` if there is no pointer, or it determines no point.
    pub(super) grabbed: Option<DVec3>,
    /// The distance that counts as one.
    pub(super) unit: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PathKind {
    Line(AxisLine),
    Plane(DragPlane),
    /// The component of a motion in a plane along a vector.
    Diagonal(DragPlane, DVec3),
    Ring(Ring, Option<RingGrab>),
    Trackball(Option<Trackball>),
    /// Right and up on screen. The press is relative to the viewport, which may move during the drag. It is in
    /// logical pixels, as is the size of the gizmo, because a window may move to a screen with another scale
    /// factor.
    Screen {
        press_lpx: DVec2,
        size_lpx: f64,
    },
}

impl Path {
    pub(super) fn new(kind: PathKind, grabbed: Option<DVec3>) -> Self {
        Self { kind, grabbed, unit: 1.0 }
    }

    pub(super) fn line(press: &Press, line: AxisLine) -> Self {
        let reach = press.visible_reach(line.origin_world);
        let grab = |press_px| AxisLine { reach, ..line }.hit(&press.view, press_px, 0.0);
        // A press past the vanishing point has no point on the line, which a key or a call may have chosen.
        let hit = press.cursor_px.and_then(grab).filter(|hit| !hit.clamped);
        Self::new(PathKind::Line(line), hit.map(|hit| DVec3::X * hit.value))
    }

    pub(super) fn plane(press: &Press, plane: DragPlane) -> Self {
        let grabbed = plane.grab(press);
        let center = grabbed.unwrap_or_default();
        Self::new(PathKind::Plane(DragPlane { center, ..plane }), grabbed)
    }

    pub(super) fn ring(press: &Press, axis: DVec3, is_around_view: bool) -> Self {
        let ring = Ring { pivot_world: press.placement.pivot_world, axis };
        let grab = press.pointer().map(|(press_px, layout)| match is_around_view {
            true => RingGrab::OnScreen(ring.screen_angle(&press.view, press_px)),
            false => ring.grab(&press.view, press_px, layout, press.grip_world - ring.pivot_world),
        });
        Self::new(PathKind::Ring(ring, grab), grab.map(|_| DVec3::ZERO))
    }

    pub(super) fn trackball(press: &Press) -> Self {
        let ball = press.pointer().and_then(|(press_px, layout)| {
            let radius_px = BALL_RADIUS * layout.size_px;
            Trackball::grab(&press.view, press.placement.pivot_world, press_px, radius_px)
        });
        let grabbed = ball.and(press.cursor_px).map(|press_px| press_px.extend(0.0));
        Self::new(PathKind::Trackball(ball), grabbed)
    }

    pub(super) fn screen(press: &Press) -> Self {
        let (press_px, size_px) =
            press.pointer().map_or((DVec2::ZERO, 1.0), |(press_px, layout)| (press_px, layout.size_px));
        let (press_lpx, size_lpx) =
            (lpx_in_viewport(&press.view, press_px), size_px / press.view.scale_factor());
        let grabbed = press.pointer().map(|_| DVec3::ZERO);
        Self::new(PathKind::Screen { press_lpx, size_lpx }, grabbed)
    }

    /// Returns true if the cursor grabs a point of the handle. If it does not, only keys change the motion.
    pub(crate) fn is_grabbed(&self) -> bool {
        self.grabbed.is_some()
    }

    /// Returns the value of a cursor before precision and snapping, which is zero at the press: a number in X, a
    /// displacement in world space for a plane, or one of the cursor for the trackball. `None` if the cursor has
    /// no solution.
    pub(crate) fn value(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        let grabbed = self.grabbed?;
        let (by, clamped) = match &self.kind {
            PathKind::Line(line) => {
                let hit = line.hit(view, cursor_px, grabbed.x)?;
                (DVec3::X * (hit.value - grabbed.x), hit.clamped)
            }
            PathKind::Plane(plane) => {
                let hit = plane.hit(view, cursor_px)?;
                (hit.value - grabbed, hit.clamped)
            }
            PathKind::Diagonal(plane, along) => {
                let hit = plane.hit(view, cursor_px)?;
                (DVec3::X * (hit.value.dot(*along) - grabbed.dot(*along)), hit.clamped)
            }
            PathKind::Ring(ring, grab) => (DVec3::X * ring.angle(view, cursor_px, grab.as_ref()?)?, false),
            PathKind::Trackball(_) => (cursor_px.extend(0.0) - grabbed, false),
            PathKind::Screen { press_lpx, size_lpx } => {
                let by = (lpx_in_viewport(view, cursor_px) - press_lpx) / *size_lpx;
                // Finite, because precision takes differences, and more than the maximum factor.
                (DVec3::X * ((by.x - by.y).min(64.0).exp2() - 1.0), false)
            }
        };
        Some(Clamped { value: by / self.unit, clamped })
    }

    /// Returns true if the value is an angle that a cursor determines only up to whole turns, so that those must
    /// be counted.
    pub(crate) fn counts_turns(&self) -> bool {
        matches!(self.kind, PathKind::Ring(_, Some(RingGrab::OnScreen(_) | RingGrab::Facing(_))))
    }

    /// Returns true if the value is measured on screen, and not along a line or in a plane of the world.
    pub(crate) fn is_on_screen(&self) -> bool {
        use PathKind::{Ring, Screen, Trackball};
        use RingGrab::{EdgeOn, OnScreen};
        matches!(self.kind, Screen { .. } | Trackball(_) | Ring(_, Some(OnScreen(_) | EdgeOn { .. })))
    }

    /// Returns how many numbers the user controls: 1 or 2.
    pub(crate) fn number_count(&self) -> usize {
        if let PathKind::Plane(_) = self.kind { 2 } else { 1 }
    }

    /// Returns the grabbed point, if it is one point of a line or plane.
    pub(crate) fn press_point_world(&self) -> Option<DVec3> {
        match &self.kind {
            PathKind::Line(line) => Some(line.origin_world + line.direction * self.grabbed?.x),
            PathKind::Plane(plane) => Some(plane.origin_world + self.grabbed?),
            _ => None,
        }
    }

    /// Returns the directions of the line or plane that its numbers are distances along.
    pub(crate) fn axes(&self) -> [DVec3; 2] {
        match &self.kind {
            PathKind::Line(line) => [line.direction, DVec3::ZERO],
            PathKind::Plane(plane) => plane.axes,
            _ => [DVec3::ZERO; 2],
        }
    }

    /// Returns the value for numbers of a line or plane.
    pub(super) fn value_of(&self, [a, b]: [f64; 2]) -> DVec3 {
        match &self.kind {
            PathKind::Plane(plane) => plane.axes[0] * a + plane.axes[1] * b,
            _ => DVec3::X * a,
        }
    }

    /// Converts a value that is a length to a displacement in world space.
    pub(crate) fn displacement(&self, value: DVec3) -> DVec3 {
        match &self.kind {
            PathKind::Line(line) => line.direction * value.x,
            _ => value,
        }
    }

    /// Projects a displacement in world space onto the line or plane, and returns its value.
    pub(crate) fn project(&self, by_world: DVec3) -> DVec3 {
        match &self.kind {
            PathKind::Line(line) => DVec3::X * line.direction.dot(by_world),
            PathKind::Plane(plane) => by_world.reject_from_normalized(plane.normal),
            _ => by_world,
        }
    }

    /// Paints the construction lines: how the solver gets from the cursor to its value. The cursor lies in the
    /// viewport.
    pub(crate) fn construct(
        &self,
        context: &GuideContext<'_>,
        cursor_px: DVec2,
        painter: &mut GuidePainter<'_>,
    ) {
        let ink = context.ink(context.theme.colors.construction);
        let (origin_world, normal, from) = match &self.kind {
            PathKind::Line(line) => {
                // Without a grabbed point the solver was not used.
                let solver = self.grabbed.map_or(Solver::ScreenProjection, |_| line.solver);
                return construct_line(&AxisLine { solver, ..*line }, cursor_px, ink, painter);
            }
            PathKind::Trackball(_) | PathKind::Screen { .. } => {
                if let Some(pivot_px) = context.view.px_from_world(context.start) {
                    painter.dashes([pivot_px, cursor_px], ink);
                }
                return;
            }
            PathKind::Plane(plane) => (plane.origin_world, plane.normal, self.press_point_world()),
            PathKind::Diagonal(plane, _) => (plane.origin_world, plane.normal, None),
            PathKind::Ring(ring, _) => (ring.pivot_world, ring.axis, None),
        };
        if let Some(hit) = context.view.pointer_ray(cursor_px).plane_hit(origin_world, normal) {
            guides::brought_together(painter, from.unwrap_or(origin_world), hit, ink);
        }
    }
}

/// Returns the position of a pixel in the viewport, in logical pixels.
fn lpx_in_viewport(view: &View, px: DVec2) -> DVec2 {
    (px - view.viewport().origin_px()) / view.scale_factor()
}

/// Paints the construction lines of a solver: from the cursor to a point of the line.
fn construct_line(line: &AxisLine, cursor_px: DVec2, ink: StrokeStyle, painter: &mut GuidePainter<'_>) {
    let (start, direction) = (line.origin_world, line.direction);
    match line.solver {
        Solver::ClosestPoint => {
            let ray = painter.view().pointer_ray_from(start, cursor_px);
            if let Some([along, reach]) = line.closest_to(&ray).filter(|[_, reach]| *reach > ray.start) {
                guides::brought_together(painter, start + direction * along, start + ray.at(reach), ink);
            }
        }
        Solver::MovementPlane => {
            let ray = painter.view().pointer_ray(cursor_px);
            if let Some(hit) = ray.plane_hit(start, line.plane_normal) {
                let along = direction * (hit - start).dot(direction);
                guides::parallelogram(painter, start, [along, hit - start - along], ink.faded(0.6));
                guides::brought_together(painter, start + along, hit, ink);
            }
        }
        Solver::ScreenProjection => guides::foot_on_axis(painter, start, direction, cursor_px, ink),
    }
}
