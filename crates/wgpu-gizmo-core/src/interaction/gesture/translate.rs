//! Translations: along a line or in a plane.

use crate::draw::grid::Grid;
use crate::draw::guides::{self, AxisGuide, AxisTicks, GuidePainter};
use crate::handle::{Axis, Constraint};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::guides::{GuideContext, Report, write_axes};
use crate::interaction::gesture::lines::{AxisLine, DragPlane};
use crate::interaction::gesture::path::{Path, PathKind};
use crate::interaction::gesture::{Sample, SnapHook, Solved, Steps, snapped_unless_multiple};
use crate::interaction::settings::{Modifiers, Orientation, SnapKind};
use crate::interaction::targets::motion::Change;
use crate::math::View;
use glam::{DMat3, DVec3};
use std::fmt::{self, Write};

/// The radius at which a grid has faded out, in sizes.
const GRID_RADIUS: f64 = 2.4;
/// The minimum distance between the lines of a grid without snapping, in sizes.
const GRID_SPACING: f64 = 0.28;
/// The minimum distance between the lines of a grid with snapping, in sizes.
const SNAP_SPACING: f64 = 0.1;
/// The range of a number without bounds.
const EVERYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A translation along a line or in a plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Translate {
    constraint: Constraint,
    pub(super) path: Path,
    orientation: Orientation,
}

impl Translate {
    pub(super) fn new(constraint: Constraint, press: &Press, axes: &DMat3, orientation: Orientation) -> Self {
        let origin_world = press.handle_world;
        let path = match constraint {
            Constraint::Axis(axis) => Path::line(press, AxisLine::along(press, origin_world, axes, axis)),
            Constraint::Plane(normal) => {
                Path::plane(press, DragPlane::across(press, origin_world, axes, normal))
            }
            _ => Path::plane(press, DragPlane::of_view(press, origin_world)),
        };
        Self { constraint, path, orientation }
    }

    /// Returns the origin of the grid that the drag snaps to, if there is one for its orientation.
    fn grid_origin(&self, press: &Press, modifiers: &Modifiers) -> Option<DVec3> {
        let SnapKind::Grid { origin_world } = modifiers.snap_kind else { return None };
        match self.orientation {
            Orientation::World | Orientation::Custom(_) => Some(origin_world),
            Orientation::Parent => Some(press.starts.active().0.world_from_parent.w_axis.truncate()),
            Orientation::Local | Orientation::View => None,
        }
        .filter(|origin| origin.is_finite())
    }

    /// Snaps a distance along a direction. If the result leaves the range, it is moved back by one
    /// increment; if no multiple is in range, as on a grid that is coarser than the reach, the result is 0.
    fn snap_along(
        &self,
        press: &Press,
        modifiers: &Modifiers,
        direction: DVec3,
        distance: f64,
        [low, high]: [f64; 2],
    ) -> f64 {
        let Some(increment) = modifiers.snap.translate else { return distance };
        let pivot_world = press.placement.pivot_world;
        let origin_world = self.grid_origin(press, modifiers).unwrap_or(pivot_world);
        let from = (pivot_world - origin_world).dot(direction);
        let snapped = increment.snap(from + distance) - from;
        let within = if snapped > high {
            snapped - increment.get()
        } else if snapped < low {
            snapped + increment.get()
        } else {
            snapped
        };
        if within >= low && within <= high { within } else { 0f64.max(low).min(high) }
    }

    /// Snaps a value of the path: the distance along the line, within this range, or each axis of the plane.
    fn snap(&self, press: &Press, modifiers: &Modifiers, value: DVec3, range: [f64; 2]) -> DVec3 {
        let plane = match &self.path.kind {
            _ if modifiers.snap.translate.is_none() => return value,
            PathKind::Plane(plane) => plane,
            PathKind::Line(line) => {
                return DVec3::X * self.snap_along(press, modifiers, line.direction, value.x, range);
            }
            _ => return value,
        };
        let sum = |range: &dyn Fn(f64) -> [f64; 2]| {
            let along = |axis: DVec3| {
                let distance = value.dot(axis);
                axis * self.snap_along(press, modifiers, axis, distance, range(distance))
            };
            if self.snaps_reference_frame(press, modifiers) {
                let frame = &press.placement.axes;
                along(frame.x_axis) + along(frame.y_axis) + along(frame.z_axis)
            } else {
                along(plane.axes[0]) + along(plane.axes[1])
            }
        };
        let snapped = sum(&|_| EVERYWHERE);
        if snapped.length() <= plane.max_distance {
            return snapped;
        }
        // Rounding up has exceeded the reach, so no axis may be rounded beyond its distance.
        sum(&|distance| [distance.min(0.0), distance.max(0.0)])
    }

    /// Returns true if each axis of the reference frame snaps, because a view plane has no grid of its own.
    fn snaps_reference_frame(&self, press: &Press, modifiers: &Modifiers) -> bool {
        self.constraint == Constraint::ViewPlane && self.grid_origin(press, modifiers).is_some()
    }

    /// Returns the range of a distance along the line.
    fn range(&self, view: &View) -> Option<[f64; 2]> {
        let at = self.path.grabbed?.x;
        match &self.path.kind {
            PathKind::Line(line) => line.range(view, at).map(|ends| ends.map(|end| end - at)),
            _ => Some(EVERYWHERE),
        }
    }

    /// Clamps a value of the path to the range of the line, or to the reach of the plane.
    fn within(&self, value: DVec3, [low, high]: [f64; 2]) -> DVec3 {
        match &self.path.kind {
            PathKind::Plane(plane) => value.clamp_length_max(plane.max_distance),
            PathKind::Line(_) => DVec3::X * value.x.max(low).min(high),
            _ => value,
        }
    }

    /// Moves by a value of the path, as far as the limits allow.
    fn limited(&self, press: &Press, value: DVec3, clamped: bool) -> Solved {
        match &self.path.kind {
            PathKind::Line(line) => {
                let fraction = press.starts.fraction_of_translation(line.direction * value.x);
                let distance = value.x * fraction;
                let change = Change::Translate(line.direction * distance);
                Solved::new(change, clamped || fraction < 1.0, [distance, 0.0])
            }
            _ => {
                let [a, b] = self.path.axes();
                let within = press.starts.nearest_translation(value, [a, b]);
                let numbers = [within.dot(a), within.dot(b)];
                Solved::new(Change::Translate(within), clamped || within != value, numbers)
            }
        }
    }

    /// Moves by a displacement to a snap point. A view plane moves in depth as well.
    fn moved_to_snap_point(&self, press: &Press, view: &View, by: DVec3) -> Option<Solved> {
        if self.constraint != Constraint::ViewPlane {
            return self.moved(press, view, by);
        }
        let within = self.within(by, EVERYWHERE);
        let moved = within * press.starts.fraction_of_translation(within);
        let numbers = self.path.axes().map(|axis| moved.dot(axis));
        Some(Solved::new(Change::Translate(moved), moved != by, numbers))
    }

    /// Moves by the part of a displacement that is along the line or in the plane.
    fn moved(&self, press: &Press, view: &View, by: DVec3) -> Option<Solved> {
        let wanted = self.path.project(by);
        let reached = self.within(wanted, self.range(view)?);
        Some(self.limited(press, reached, reached != wanted))
    }

    /// Returns the grid of the plane of the drag.
    pub(crate) fn grid(&self, context: &GuideContext<'_>) -> Option<Grid> {
        let PathKind::Plane(plane) = &self.path.kind else { return None };
        let size = context.layout.size_world;
        let increment = context.modifiers.snap.translate.map(|increment| increment.get());
        let spacing = match increment {
            // If the lines are too close together, only every 2nd, 5th, 10th, 20th, … is shown.
            Some(increment) if increment < SNAP_SPACING * size => {
                increment * guides::nice_length(SNAP_SPACING * size / increment)?
            }
            Some(increment) => increment,
            None => guides::nice_length(GRID_SPACING * size)?,
        };
        let origin_world = self.grid_origin(context.press, &context.modifiers).unwrap_or(context.start);
        let in_plane = |point: DVec3| {
            let from_start = point - context.start;
            context.start
                + plane.axes[0] * from_start.dot(plane.axes[0])
                + plane.axes[1] * from_start.dot(plane.axes[1])
        };
        let anchor = in_plane(increment.map_or(context.start, |_| origin_world));
        let center = in_plane(context.layout.pivot_world);
        Some(Grid { center, anchor, axes: plane.axes, spacing, radius: GRID_RADIUS * size })
    }

    /// Returns the ticks along the axis of the drag, if it snaps to an increment.
    fn axis_ticks(&self, axis: Axis, context: &GuideContext<'_>) -> Option<AxisTicks> {
        let increment = context.modifiers.snap.translate?.get();
        let direction = context.direction(axis);
        let origin_world = self.grid_origin(context.press, &context.modifiers).unwrap_or(context.start);
        Some(AxisTicks {
            origin: context.start + direction * (origin_world - context.start).dot(direction),
            direction,
            increment,
            now: context.layout.pivot_world,
            size_world: context.layout.size_world,
            outward: context.outward(axis, axis, self.path.press_point_world()),
        })
    }
}

impl Steps for Translate {
    fn identity(&self) -> Solved {
        Solved::new(Change::Translate(DVec3::ZERO), false, [0.0; 2])
    }

    fn solve(&self, sample: &Sample<'_>, hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, view, ref modifiers, value, clamped, snapped, sources_world, offset } = *sample;
        let pivot_world = press.placement.pivot_world;
        let by = self.path.displacement(value);
        let offset = self.path.value_of(offset);
        let offset_world = self.path.displacement(offset);
        if let Some(snapped) = snapped {
            let source_world = snapped.nearest(sources_world, by, pivot_world);
            let to_point = snapped.point_world - source_world + offset_world;
            let solved = self.moved_to_snap_point(press, view, to_point)?;
            return Some(snapped.turned(press, solved, source_world));
        }
        if let Some(point) = hook(pivot_world + by).filter(|point| point.is_finite()) {
            return self.moved(press, view, point - pivot_world + offset_world);
        }
        let range = self.range(view)?;
        // With precision, a drag that moves away slowly and returns fast can leave the range.
        let within = self.within(value, range);
        let wanted = self.snap(press, modifiers, within, range) + offset;
        let reached = self.within(wanted, range);
        Some(self.limited(press, reached, clamped || within != value || reached != wanted))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, numbers: [f64; 2]) -> Solved {
        let [a, b] = self.path.axes();
        let snap = |number: f64, axis: DVec3| {
            let snap = |number| self.snap_along(press, &modifiers, axis, number, EVERYWHERE);
            snapped_unless_multiple(number, snap)
        };
        let value = if self.snaps_reference_frame(press, &modifiers) {
            self.snap(press, &modifiers, self.path.value_of(numbers), EVERYWHERE)
        } else {
            self.path.value_of([snap(numbers[0], a), snap(numbers[1], b)])
        };
        self.limited(press, value, false)
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let [line_opacity, _] = context.theme.opacities.guide;
        let (start, now) = (context.start, context.layout.pivot_world);
        let line = |axis: Axis| context.axis_guide(context.direction(axis));
        match self.constraint {
            Constraint::Axis(axis) => {
                guides::axis_line(painter, line(axis), context.axis_ink(axis).faded(line_opacity));
                if let Some(ticks) = self.axis_ticks(axis, context) {
                    guides::axis_ticks(painter, ticks, context.neutral());
                }
            }
            Constraint::Plane(normal) => {
                for axis in normal.others() {
                    let ink = context.axis_ink(axis).faded(0.6 * line_opacity);
                    guides::axis_line(painter, AxisGuide { ends: [start; 2], ..line(axis) }, ink);
                }
            }
            _ => {}
        }
        guides::start_ghost(painter, start, now, context.neutral());
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        if let Some(typed) = report.typed {
            write_axes(self.constraint, text)?;
            return write!(text, "{typed}");
        }
        // The displacement in a view plane is reported along the axes of the world.
        let is_named = self.constraint.axis().is_some();
        let along = |axis: Axis| match is_named {
            true => report.displacement.dot(report.axes.col(axis.index())),
            false => report.displacement[axis.index()],
        };
        let axes = Axis::ALL.into_iter().filter(|axis| self.constraint.involves(*axis));
        report.write_lengths(axes.map(|axis| (axis, along(axis))), text)
    }
}
