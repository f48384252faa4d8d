use super::motion::{Change, Motion, Start};
use super::placement::{Placement, refusals};
use super::rotate::{Ring, RingGrab, Trackball, screen_angle, unwrap};
use super::scale::factor;
use super::settings::{Settings, Snap, Solver};
use super::target::{Parent, Refusal, Target};
use super::translate::{AxisLine, DragPlane, Reach};
use crate::handle::{Axis, BALL_RADIUS, Channel, Constraint, HandleId, Layout};
use crate::math::{Transform, View};
use glam::{DMat3, DQuat, DVec2, DVec3};

/// Heights of the view that a drag may go, where the settings name no distance.
const DEFAULT_REACH: f64 = 1000.0;
/// Least part of the pivot's w at press that a drag toward the viewer keeps.
const LEAST_W: f64 = 0.01;
/// Closest to the pivot, in sizes, that a scale handle counts as grabbed: what is divided by
/// must not be next to nothing.
const LEAST_GRAB: f64 = 0.05;

/// Cursors farther out than this count as there: no screen reaches it, and no product of it
/// overflows.
const FARTHEST_PX: f64 = 1e9;

/// One drag, from its press to now: a transaction.
///
/// [`Gizmo`](super::Gizmo) drives it from pointer events; it can be driven by hand as well.
/// The motion is a function of the press, the cursor, the view and the snapping alone, whole
/// turns apart, and never a sum of steps.
#[derive(Debug, Clone)]
pub struct Drag {
    handle: HandleId,
    press_px: DVec2,
    press_view: View,
    press_snap: Snap,
    starts: Vec<Start>,
    layout: Layout,
    reach: Reach,
    allow_mirror: bool,
    grab: Grab,
    /// Angle of the last motion before snapping, to count whole turns by.
    last_angle: f64,
    has_left: bool,
    motion: Motion,
}

/// What was taken hold of, in the terms of the handle's solver.
#[derive(Debug, Clone, Copy)]
enum Grab {
    Line { line: AxisLine, at: f64 },
    Plane { plane: DragPlane, at: DVec3 },
    Ring { ring: Ring, grab: RingGrab },
    ViewRing { axis: DVec3, angle: f64 },
    Trackball { ball: Trackball, point: DVec3 },
    ScaleLine { line: AxisLine, at: f64, length: f64, factors: [DVec3; 2] },
    ScalePlane { plane: DragPlane, at: f64, length: f64, factors: [DVec3; 2] },
    ScaleUniform,
}

impl Drag {
    /// Takes hold of `handle` at `press_px` in `view`. The targets' transforms are kept: they
    /// are what [`Drag::starts`] gives back.
    pub fn begin(
        handle: HandleId,
        view: &View,
        press_px: DVec2,
        targets: &[Target],
        settings: &Settings,
        snap: Snap,
    ) -> Result<Self, Refusal> {
        let placement = Placement::of(targets, settings, view)?;
        if let Some(refusal) = refusals(targets)[handle.index()] {
            return Err(refusal);
        }
        if !press_px.is_finite() {
            return Err(Refusal::NotFinite);
        }
        let layout = placement.layout(view, settings.size_lpx).ok_or(Refusal::PivotNotInFront)?;
        let visible_height = view.pixel_size(layout.pivot_world) * view.viewport().height;
        // Where a handle is taken hold of is limited by what can be seen, not by how far it may go.
        let visible = Reach {
            max_distance: DEFAULT_REACH * visible_height,
            min_w: LEAST_W * view.clip_w(layout.pivot_world),
        };
        let grab = Grab::new(handle.constraint(), view, press_px, &layout, visible, settings.solver)
            .ok_or(Refusal::SeenEndOn)?;
        let chosen = settings.max_distance.filter(|distance| distance.is_finite() && *distance >= 0.0);
        let reach = match (handle.constraint().channel(), chosen) {
            (Channel::Translate, Some(max_distance)) => Reach { max_distance, ..visible },
            _ => visible,
        };
        let starts = targets
            .iter()
            .map(|target| {
                Parent::new(target.world_from_parent).map(|parent| Start { target: *target, parent })
            })
            .collect::<Option<Vec<_>>>()
            .ok_or(Refusal::SingularParent)?;
        Ok(Self {
            handle,
            press_px,
            press_view: *view,
            press_snap: snap,
            starts,
            layout,
            reach,
            allow_mirror: settings.allow_mirror,
            motion: grab.identity(),
            grab,
            last_angle: 0.0,
            has_left: false,
        })
    }

    /// The handle that is dragged.
    pub fn handle(&self) -> HandleId {
        self.handle
    }

    /// The motion so far: the total since the press.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The pivot at press, in world space.
    pub fn pivot_world(&self) -> DVec3 {
        self.layout.pivot_world
    }

    /// Axes of the reference frame that the handle hangs on, as columns, in world space.
    pub fn axes(&self) -> DMat3 {
        self.layout.axes_of(self.handle.constraint())
    }

    /// The targets' local transforms as they were at press, bit for bit.
    pub fn starts(&self) -> impl ExactSizeIterator<Item = Transform> {
        self.starts.iter().map(|start| start.target.local)
    }

    /// Where the gizmo stands now: it goes along with what it moves, and keeps the axes it had.
    pub(crate) fn placement(&self) -> Placement {
        let Layout { pivot_world, axes, scale_axes, .. } = self.layout;
        let moved = match self.motion.change {
            Change::Translate(by) => by,
            _ => DVec3::ZERO,
        };
        Placement { pivot_world: pivot_world + moved, axes, scale_axes }
    }

    /// The motion for a cursor, which may be anywhere, in a view, which may have moved since the
    /// press. At the pressed position, with the view and snapping of the press, it is the
    /// identity. Where the cursor says nothing, or the pivot is behind the viewer, the last
    /// motion holds.
    pub fn solve(&mut self, view: &View, cursor_px: DVec2, snap: Snap) -> Motion {
        if !cursor_px.is_finite() || view.clip_w(self.layout.pivot_world) <= 0.0 {
            return self.motion;
        }
        let cursor_px = cursor_px.clamp(DVec2::splat(-FARTHEST_PX), DVec2::splat(FARTHEST_PX));
        let at_press = cursor_px == self.press_px;
        self.has_left |= !at_press;
        let identity = at_press && (!self.has_left || (*view == self.press_view && snap == self.press_snap));
        if identity && !matches!(self.grab, Grab::Ring { .. } | Grab::ViewRing { .. }) {
            self.motion = self.grab.identity();
            return self.motion;
        }
        let snap = if identity { Snap::OFF } else { snap };
        match self.solved(view, cursor_px, snap, identity) {
            Some(motion) if motion.change.is_finite() => self.motion = motion,
            _ => {}
        }
        self.motion
    }

    /// Writes where the motion leaves the targets: their starts, bit for bit, where it is the
    /// identity. Targets past the end of either list are left alone.
    pub fn apply(&self, targets: &mut [Target]) {
        let Layout { pivot_world, scale_axes, .. } = self.layout;
        for (target, start) in targets.iter_mut().zip(&self.starts) {
            target.local = start.moved(&self.motion.change, pivot_world, &scale_axes);
        }
    }

    /// Writes the starts back, bit for bit.
    pub fn restore(&self, targets: &mut [Target]) {
        for (target, start) in targets.iter_mut().zip(&self.starts) {
            target.local = start.target.local;
        }
    }

    fn solved(&mut self, view: &View, cursor_px: DVec2, snap: Snap, at_press: bool) -> Option<Motion> {
        let reach = self.reach;
        match self.grab {
            Grab::Line { line, at } => {
                let moved = line.motion(view, cursor_px, at, reach, snap.translate)?;
                Some(motion(Change::Translate(line.direction * moved.value), moved.clamped))
            }
            Grab::Plane { plane, at } => {
                let place = plane.point(view, cursor_px, at, reach.max_distance)?;
                let by = plane.snapped(place.value - at, snap.translate);
                Some(motion(Change::Translate(by), place.clamped))
            }
            Grab::Ring { ring, grab } => {
                let angle = if at_press { 0.0 } else { ring.angle(view, cursor_px, &grab)? };
                let total = match grab {
                    RingGrab::Facing(_) => unwrap(angle, self.last_angle),
                    RingGrab::EdgeOn { .. } => angle,
                };
                Some(self.turned(ring.axis, total, snap))
            }
            Grab::ViewRing { axis, angle: from } => {
                let angle = if at_press {
                    0.0
                } else {
                    screen_angle(view, self.layout.pivot_world, cursor_px)? - from
                };
                let total = unwrap(angle, self.last_angle);
                Some(self.turned(axis, total, snap))
            }
            Grab::Trackball { ball, point } => {
                let rotation = ball.rotation(view, cursor_px, point)?;
                Some(motion(Change::RotateFreely(rotation), false))
            }
            // now / at, written so that a grab next to the pivot, whose length is not `at`, does not
            // jump either.
            Grab::ScaleLine { line, at, length, factors } => {
                let place = line.within(view, line.along(view, cursor_px), at, reach)?;
                Some(self.scaled(1.0 + (place.value - at) / length, place.clamped, factors, snap))
            }
            Grab::ScalePlane { plane, at, length, factors } => {
                let place = plane.point(view, cursor_px, plane.pivot_world, reach.max_distance)?;
                let now = along_diagonal(&plane, place.value);
                Some(self.scaled(1.0 + (now - at) / length, place.clamped, factors, snap))
            }
            Grab::ScaleUniform => {
                let by = (cursor_px - self.press_px) / self.layout.size_px;
                Some(self.scaled((by.x - by.y).exp2(), false, [DVec3::ZERO, DVec3::ONE], snap))
            }
        }
    }

    fn turned(&mut self, axis: DVec3, total: f64, snap: Snap) -> Motion {
        self.last_angle = total;
        let snapped = snap.rotate.map_or(total, |increment| increment.snap(total));
        motion(Change::turn(axis, snapped), false)
    }

    fn scaled(&self, raw: f64, clamped: bool, [fixed, scaled]: [DVec3; 2], snap: Snap) -> Motion {
        let factor = factor(raw, snap.scale, self.allow_mirror);
        motion(Change::Scale(fixed + scaled * factor.value), clamped || factor.clamped)
    }
}

fn motion(change: Change, clamped: bool) -> Motion {
    Motion { change, clamped }
}

/// How far along the diagonal between the plane's axes a point is, from the pivot.
fn along_diagonal(plane: &DragPlane, point_world: DVec3) -> f64 {
    (point_world - plane.pivot_world).dot(plane.axes[0] + plane.axes[1])
}

impl Grab {
    /// `None` where the press says nothing in this view, which no press on a visible handle does.
    fn new(
        constraint: Constraint,
        view: &View,
        press_px: DVec2,
        layout: &Layout,
        reach: Reach,
        solver: Solver,
    ) -> Option<Self> {
        let Layout { pivot_world, size_world, size_px, .. } = *layout;
        let frame = layout.axes_of(constraint);
        let column = |axis: Axis| frame.col(axis.index());
        let line = |axis: Axis, solver| {
            let ray = view.pointer_ray(press_px);
            let facing = |normal: &DVec3| normal.dot(ray.direction).abs();
            let [b, c] = axis.others().map(column);
            let plane_normal = if facing(&b) >= facing(&c) { b } else { c };
            AxisLine { pivot_world, direction: column(axis), solver, plane_normal }
        };
        let plane = |normal: Axis| DragPlane {
            pivot_world,
            axes: normal.others().map(column),
            normal: column(normal),
        };
        let on_line = |line: &AxisLine| {
            line.within(view, line.along(view, press_px), 0.0, reach).map(|place| place.value)
        };
        let in_plane = |plane: &DragPlane| {
            plane.point(view, press_px, pivot_world, reach.max_distance).map(|place| place.value)
        };
        let length_of = |at: f64| {
            let least = LEAST_GRAB * size_world;
            if at.abs() < least { least } else { at }
        };
        Some(match constraint {
            Constraint::Axis(axis) => {
                let line = line(axis, solver);
                Self::Line { line, at: on_line(&line)? }
            }
            Constraint::Plane(normal) => {
                let plane = plane(normal);
                Self::Plane { plane, at: in_plane(&plane)? }
            }
            Constraint::ViewPlane => {
                let view_axes = view.frame();
                let axes = [view_axes.x_axis, view_axes.y_axis];
                let plane = DragPlane { pivot_world, axes, normal: view.forward() };
                Self::Plane { plane, at: in_plane(&plane)? }
            }
            Constraint::Ring(axis) => {
                let ring = Ring { pivot_world, axis: column(axis) };
                Self::Ring { ring, grab: ring.grab(view, press_px, size_world, size_px) }
            }
            Constraint::ViewRing => {
                let angle = screen_angle(view, pivot_world, press_px).unwrap_or_default();
                Self::ViewRing { axis: view.frame().z_axis, angle }
            }
            Constraint::Trackball => {
                let distance = view.px_from_world(pivot_world)?.distance(press_px);
                let ball = Trackball { pivot_world, radius_px: distance.max(BALL_RADIUS * size_px) };
                Self::Trackball { ball, point: ball.grab(view, press_px)? }
            }
            Constraint::ScaleAxis(axis) => {
                let line = line(axis, Solver::ScreenProjection);
                let factors = [DVec3::ONE - axis.unit(), axis.unit()];
                let at = on_line(&line)?;
                Self::ScaleLine { line, at, length: length_of(at), factors }
            }
            Constraint::ScalePlane(normal) => {
                let plane = plane(normal);
                let at = along_diagonal(&plane, in_plane(&plane)?);
                let factors = [normal.unit(), DVec3::ONE - normal.unit()];
                Self::ScalePlane { plane, at, length: length_of(at), factors }
            }
            Constraint::ScaleUniform => Self::ScaleUniform,
        })
    }

    fn identity(&self) -> Motion {
        let change = match self {
            Self::Line { .. } | Self::Plane { .. } => Change::Translate(DVec3::ZERO),
            Self::Ring { ring: Ring { axis, .. }, .. } | Self::ViewRing { axis, .. } => {
                Change::turn(*axis, 0.0)
            }
            Self::Trackball { .. } => Change::RotateFreely(DQuat::IDENTITY),
            Self::ScaleLine { .. } | Self::ScalePlane { .. } | Self::ScaleUniform => {
                Change::Scale(DVec3::ONE)
            }
        };
        motion(change, false)
    }
}
