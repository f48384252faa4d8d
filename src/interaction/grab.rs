use super::end_on::is_plane_end_on;
use super::rotate::{Ring, RingGrab, Trackball, screen_angle};
use super::settings::{Settings, Solver};
use super::translate::{AxisLine, Clamped, DragPlane, Reach};
use crate::draw::{BALL_RADIUS, Layout};
use crate::handle::{Axis, Constraint};
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};

/// Closest to the pivot, in sizes, that a scale handle counts as grabbed: what is divided by
/// must not be next to nothing.
const MIN_GRAB: f64 = 0.05;
/// Closer than this, in sizes, there is no stem or square of a scale handle.
const MIN_STEM: f64 = 0.15;

/// What was taken hold of, and how the cursor becomes the numbers of the handle: world units
/// along its axes, radians, or a factor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Grab {
    Line {
        line: AxisLine,
        at: f64,
    },
    /// `at` is from the pivot.
    Plane {
        plane: DragPlane,
        at: DVec3,
    },
    Ring {
        ring: Ring,
        grab: RingGrab,
    },
    ViewRing {
        pivot_world: DVec3,
        from: f64,
    },
    Trackball {
        ball: Trackball,
        point: DVec3,
    },
    ScaleLine {
        line: AxisLine,
        at: f64,
        length: f64,
    },
    ScalePlane {
        plane: DragPlane,
        at: f64,
        length: f64,
    },
    ScaleUniform {
        /// In the viewport, which may be moved in the drag; in logical pixels, since a window that
        /// goes to another screen has others.
        press_lpx: DVec2,
        size_lpx: f64,
    },
}

/// How far along the diagonal between the plane's axes a point is, from the pivot.
fn along_diagonal(plane: &DragPlane, from_pivot: DVec3) -> f64 {
    from_pivot.dot(plane.axes[0] + plane.axes[1])
}

impl Grab {
    /// `frame` has the constraint's axes as columns. `None` where the press says nothing in this
    /// view, which no press on a visible handle does.
    pub(crate) fn new(
        constraint: Constraint,
        frame: &DMat3,
        view: &View,
        press_px: DVec2,
        layout: &Layout,
        reach: Reach,
        settings: &Settings,
    ) -> Option<Self> {
        let Layout { pivot_world, size_world, size_px, .. } = *layout;
        let column = |axis: Axis| frame.col(axis.index());
        let line = |axis: Axis, solver| {
            let ray = view.pointer_ray(press_px);
            // A plane that contains the eye is flat to no other ray, and yet useless.
            let facing = |normal: DVec3| {
                let is_usable = !is_plane_end_on(view, pivot_world, normal);
                (is_usable, normal.dot(ray.direction).abs())
            };
            let [b, c] = axis.others().map(column);
            let plane_normal = if facing(b) >= facing(c) { b } else { c };
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
            plane.point(view, press_px, DVec3::ZERO, reach.max_distance).map(|place| place.value)
        };
        let length_of = |at: f64| {
            let least = MIN_GRAB * size_world;
            if at.abs() < least { least } else { at }
        };
        Some(match constraint {
            Constraint::Axis(axis) => {
                let line = line(axis, settings.solver);
                Self::Line { line, at: on_line(&line)? }
            }
            Constraint::Plane(normal) => {
                let plane = plane(normal);
                Self::Plane { plane, at: in_plane(&plane)? }
            }
            Constraint::ViewPlane => {
                let axes = [frame.x_axis, frame.y_axis];
                let plane = DragPlane { pivot_world, axes, normal: view.forward() };
                Self::Plane { plane, at: in_plane(&plane)? }
            }
            Constraint::Ring(axis) => {
                let ring = Ring { pivot_world, axis: column(axis) };
                Self::Ring { ring, grab: ring.grab(view, press_px, size_world, size_px) }
            }
            Constraint::ViewRing => {
                let from = screen_angle(view, pivot_world, press_px).unwrap_or_default();
                Self::ViewRing { pivot_world, from }
            }
            Constraint::Trackball => {
                let distance = view.px_from_world(pivot_world)?.distance(press_px);
                let radius_lpx = distance.max(BALL_RADIUS * size_px) / view.scale_factor();
                let ball = Trackball { pivot_world, radius_lpx };
                Self::Trackball { ball, point: ball.grab(view, press_px)? }
            }
            Constraint::ScaleAxis(axis) => {
                let line = line(axis, Solver::ScreenProjection);
                let at = on_line(&line)?;
                Self::ScaleLine { line, at, length: length_of(at) }
            }
            Constraint::ScalePlane(normal) => {
                let mut plane = plane(normal);
                let pressed = in_plane(&plane)?;
                let [a, b] = plane.axes.map(|axis| axis.dot(pressed - pivot_world));
                // A square that stands toward the viewer may be on the other diagonal.
                if settings.flip_toward_camera && a * b < 0.0 {
                    plane.axes[1] = -plane.axes[1];
                }
                let at = along_diagonal(&plane, pressed);
                Self::ScalePlane { plane, at, length: length_of(at) }
            }
            Constraint::ScaleUniform => {
                let scale = view.scale_factor();
                let press_lpx = (press_px - view.viewport().origin_px()) / scale;
                Self::ScaleUniform { press_lpx, size_lpx: size_px / scale }
            }
        })
    }

    /// What the cursor says, before precision and snapping: in X the number of the handle; for a
    /// plane the motion in world space; for the trackball the cursor itself. `None` where the
    /// cursor says nothing.
    pub(crate) fn raw(&self, view: &View, cursor_px: DVec2, reach: Reach) -> Option<Clamped<DVec3>> {
        let free = |value: DVec3| Clamped { value, clamped: false };
        let one = |value: f64| DVec3::new(value, 0.0, 0.0);
        Some(match *self {
            Self::Line { line, at } => {
                let place = line.within(view, line.along(view, cursor_px), at, reach)?;
                Clamped { value: one(place.value - at), clamped: place.clamped }
            }
            Self::Plane { plane, at } => {
                let place = plane.point(view, cursor_px, at, reach.max_distance)?;
                Clamped { value: place.value - at, clamped: place.clamped }
            }
            Self::Ring { ring, grab } => free(one(ring.angle(view, cursor_px, &grab)?)),
            Self::ViewRing { pivot_world, from } => {
                free(one(screen_angle(view, pivot_world, cursor_px)? - from))
            }
            Self::Trackball { .. } => free(cursor_px.extend(0.0)),
            // now / at, written so that a grab next to the pivot, whose length is not `at`, does not
            // jump either.
            Self::ScaleLine { line, at, length } => {
                let place = line.within(view, line.along(view, cursor_px), at, reach)?;
                Clamped { value: one(1.0 + (place.value - at) / length), clamped: place.clamped }
            }
            Self::ScalePlane { plane, at, length } => {
                let place = plane.point(view, cursor_px, DVec3::ZERO, reach.max_distance)?;
                let now = along_diagonal(&plane, place.value);
                Clamped { value: one(1.0 + (now - at) / length), clamped: place.clamped }
            }
            Self::ScaleUniform { press_lpx, size_lpx } => {
                let cursor_lpx = (cursor_px - view.viewport().origin_px()) / view.scale_factor();
                let by = (cursor_lpx - press_lpx) / size_lpx;
                free(one((by.x - by.y).exp2()))
            }
        })
    }

    /// Whether the number is an angle of which only the direction can be seen, so that whole
    /// turns have to be counted.
    pub(crate) fn goes_round(&self) -> bool {
        matches!(self, Self::Ring { grab: RingGrab::Facing(_), .. } | Self::ViewRing { .. })
    }

    /// For a handle that a key has chosen after the press: where that was too near to the pivot to
    /// be on it, a factor of two is a size away.
    pub(crate) fn chosen_by_key(mut self, size_world: f64) -> Self {
        if let Self::ScaleLine { length, .. } | Self::ScalePlane { length, .. } = &mut self {
            if length.abs() < MIN_STEM * size_world {
                *length = size_world;
            }
        }
        self
    }

    /// The grabbed point of the handle, where it has one.
    pub(crate) fn point_world(&self) -> Option<DVec3> {
        match *self {
            Self::Line { line, at } | Self::ScaleLine { line, at, .. } => {
                Some(line.pivot_world + line.direction * at)
            }
            Self::Plane { plane, at } => Some(plane.pivot_world + at),
            _ => None,
        }
    }

    /// The line that it goes along, and how the cursor finds a place on it.
    pub(crate) fn line(&self) -> Option<&AxisLine> {
        match self {
            Self::Line { line, .. } | Self::ScaleLine { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Unit direction from the pivot that angles are counted from, where they are.
    pub(crate) fn radial_world(&self) -> Option<DVec3> {
        match *self {
            Self::Ring { grab: RingGrab::Facing(radial), .. } => Some(radial),
            Self::Ring { grab: RingGrab::EdgeOn { radial, .. }, .. } => Some(radial),
            _ => None,
        }
    }
}
