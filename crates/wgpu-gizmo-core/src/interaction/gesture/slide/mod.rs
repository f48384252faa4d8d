//! Translations: along a line or in a plane.

mod shown;

use crate::draw::grid::Grid;
use crate::draw::guides::{self, AxisGuide, GuidePainter};
use crate::handle::Axis;
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::chain::{
    Chain, GuideContext, Report, Sample, SnapHook, Solved, snapped_unless_multiple,
};
use crate::interaction::gesture::construct::construct_line;
use crate::interaction::gesture::grab::{axis_line, axis_plane, grab_in_plane, grab_on_line};
use crate::interaction::gesture::lines::{AxisLine, Clamped, DragPlane, Reach};
use crate::interaction::settings::{Modifiers, Orientation, Solver};
use crate::interaction::targets::motion::Change;
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};
use std::fmt;

/// A translation along a line or in a plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide {
    path: Path,
    orientation: Orientation,
    reach: Reach,
}

#[derive(Debug, Clone, Copy)]
enum Path {
    Line {
        axis: Axis,
        line: AxisLine,
        /// The distance of the grabbed point from the pivot.
        at: Option<f64>,
    },
    Plane {
        /// `None` for the view plane.
        normal: Option<Axis>,
        plane: DragPlane,
        /// The grabbed point, from the pivot.
        at: Option<DVec3>,
    },
}

impl Slide {
    pub(super) fn along(axis: Axis, press: &Press, axes: &DMat3, orientation: Orientation) -> Self {
        let line = axis_line(press, axes, axis, press.settings.solver);
        let line = AxisLine { pivot_world: press.handle_world, ..line };
        let path = Path::Line { axis, line, at: grab_on_line(press, &line) };
        Self { path, orientation, reach: press.translation_reach() }
    }

    pub(super) fn in_plane(normal: Axis, press: &Press, axes: &DMat3, orientation: Orientation) -> Self {
        let plane = DragPlane { pivot_world: press.handle_world, ..axis_plane(press, axes, normal) };
        Self::new_in_plane(Some(normal), plane, press, orientation)
    }

    pub(super) fn in_view_plane(press: &Press, axes: &DMat3, orientation: Orientation) -> Self {
        let plane = DragPlane {
            pivot_world: press.handle_world,
            axes: [axes.x_axis, axes.y_axis],
            normal: press.view.forward(),
        };
        Self::new_in_plane(None, plane, press, orientation)
    }

    fn new_in_plane(normal: Option<Axis>, plane: DragPlane, press: &Press, orientation: Orientation) -> Self {
        let path = Path::Plane { normal, plane, at: grab_in_plane(press, &plane) };
        Self { path, orientation, reach: press.translation_reach() }
    }

    /// Snaps a distance along a direction. If the result leaves the range, it is moved back by one
    /// increment; if no multiple is in range, as on a grid that is coarser than the reach, the result is 0.
    fn snapped(
        &self,
        press: &Press,
        modifiers: Modifiers,
        distance: f64,
        direction: DVec3,
        [low, high]: [f64; 2],
    ) -> f64 {
        let Some(increment) = modifiers.snap.translate else { return distance };
        let origin_of = |origin: DVec3| (press.placement.pivot_world - origin).dot(direction);
        let from = press.grid_origin(self.orientation, modifiers.snap_kind).map_or(0.0, origin_of);
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

    fn snapped_in_plane(
        &self,
        press: &Press,
        modifiers: Modifiers,
        by: DVec3,
        [a, b]: [DVec3; 2],
        is_view: bool,
    ) -> DVec3 {
        if modifiers.snap.translate.is_none() {
            return by;
        }
        let frame = &press.placement.axes;
        let on_grid = press.grid_origin(self.orientation, modifiers.snap_kind).is_some();
        // A view plane has no grid of its own: each axis of the reference frame snaps.
        let sum = |along: &dyn Fn(DVec3) -> DVec3| {
            if is_view && on_grid {
                along(frame.x_axis) + along(frame.y_axis) + along(frame.z_axis)
            } else {
                along(a) + along(b)
            }
        };
        let snap = |axis: DVec3, range| axis * self.snapped(press, modifiers, by.dot(axis), axis, range);
        let snapped = sum(&|axis| snap(axis, [f64::NEG_INFINITY, f64::INFINITY]));
        if snapped.length() <= self.reach.max_distance {
            return snapped;
        }
        // Rounding up has exceeded the reach, so no axis may be rounded beyond its distance.
        sum(&|axis| {
            let distance = by.dot(axis);
            snap(axis, [distance.min(0.0), distance.max(0.0)])
        })
    }

    /// Moves by a displacement: its part along the line or in the plane, and all of it for the view plane.
    fn put(&self, press: &Press, view: &View, by: DVec3) -> Option<Solved> {
        match self.path {
            Path::Line { line, at, .. } => {
                let at = at?;
                let (low, high) = line.range(view, at, self.reach)?;
                let wanted = by.dot(line.direction);
                let distance = wanted.max(low - at).min(high - at);
                Some(limited_along(press, line.direction, distance, distance != wanted))
            }
            Path::Plane { normal: Some(_), plane, .. } => {
                let by = by.reject_from_normalized(plane.normal);
                let within = self.within_reach(by);
                Some(limited_in_plane(press, plane.axes, within, within != by))
            }
            Path::Plane { normal: None, plane: DragPlane { axes: [a, b], .. }, .. } => {
                let within = self.within_reach(by);
                let share = press.settings.limits.share_of_translation(within, &press.starts);
                let moved = if share < 1.0 { within * share } else { within };
                let numbers = [moved.dot(a), moved.dot(b)];
                Some(Solved::new(Change::Translate(moved), moved != by, numbers))
            }
        }
    }

    /// Returns the displacement for numbers of the line or plane.
    fn offset_world(&self, [a, b]: [f64; 2]) -> DVec3 {
        match self.path {
            Path::Line { line, .. } => line.direction * a,
            Path::Plane { plane, .. } => plane.axes[0] * a + plane.axes[1] * b,
        }
    }

    fn within_reach(&self, by: DVec3) -> DVec3 {
        let max = self.reach.max_distance;
        if by.length() > max { by.clamp_length_max(max) } else { by }
    }
}

/// Moves by a distance along a direction, as far as the limits allow.
fn limited_along(press: &Press, direction: DVec3, distance: f64, clamped: bool) -> Solved {
    let share = press.settings.limits.share_of_translation(direction * distance, &press.starts);
    let within = if share < 1.0 { distance * share } else { distance };
    Solved::new(Change::Translate(direction * within), clamped || share < 1.0, [within, 0.0])
}

/// Moves in a plane with these axes, as far as the limits allow.
fn limited_in_plane(press: &Press, [a, b]: [DVec3; 2], by: DVec3, clamped: bool) -> Solved {
    let limits = &press.settings.limits;
    let mut within = by;
    if limits.share_of_translation(by, &press.starts) < 1.0 {
        // If a limit stops one of the axes, the motion continues along the other.
        let free = |axis: DVec3| {
            let part = axis * by.dot(axis);
            part * limits.share_of_translation(part, &press.starts)
        };
        within = free(a) + free(b);
        within *= limits.share_of_translation(within, &press.starts);
    }
    Solved::new(Change::Translate(within), clamped || within != by, [within.dot(a), within.dot(b)])
}

/// Returns the displacement that a snap hook asks for, if it returns a point.
fn hooked(press: &Press, by: DVec3, hook: &mut SnapHook<'_>) -> Option<DVec3> {
    let pivot_world = press.placement.pivot_world;
    hook(pivot_world + by).filter(|point| point.is_finite()).map(|point| point - pivot_world)
}

impl Chain for Slide {
    fn is_grabbed(&self) -> bool {
        match self.path {
            Path::Line { at, .. } => at.is_some(),
            Path::Plane { at, .. } => at.is_some(),
        }
    }

    fn raw(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        match self.path {
            Path::Line { line, at, .. } => {
                let at = at?;
                let hit = line.within(view, line.along(view, cursor_px), at, self.reach)?;
                Some(Clamped { value: DVec3::new(hit.value - at, 0.0, 0.0), clamped: hit.clamped })
            }
            Path::Plane { plane, at, .. } => {
                let at = at?;
                let hit = plane.point(view, cursor_px, at, self.reach.max_distance)?;
                Some(Clamped { value: hit.value - at, clamped: hit.clamped })
            }
        }
    }

    fn raw_at_press(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn identity(&self) -> Change {
        Change::Translate(DVec3::ZERO)
    }

    fn number_count(&self) -> usize {
        match self.path {
            Path::Line { .. } => 1,
            Path::Plane { .. } => 2,
        }
    }

    fn solve(&self, sample: &Sample<'_>, hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, view, modifiers, value, clamped, snapped, sources_world, offset } = *sample;
        let offset = self.offset_world(offset);
        if let Some(snapped) = snapped {
            let pivot_world = press.placement.pivot_world;
            let source_world = snapped.nearest(sources_world, self.lead_world(value), pivot_world);
            let solved = self.put(press, view, snapped.point_world - source_world + offset)?;
            return Some(snapped.turned(solved, source_world, pivot_world));
        }
        Some(match self.path {
            Path::Line { line, at, .. } => {
                let at = at?;
                let direction = line.direction;
                let (low, high) = line.range(view, at, self.reach)?;
                let (low, high) = (low - at, high - at);
                if let Some(by) = hooked(press, direction * value.x, hook) {
                    let wanted = (by + offset).dot(direction);
                    let distance = wanted.max(low).min(high);
                    limited_along(press, direction, distance, distance != wanted)
                } else {
                    // With precision, a drag that moves away slowly and returns fast can leave the range.
                    let within = value.x.max(low).min(high);
                    let snapped = self.snapped(press, modifiers, within, direction, [low, high]);
                    let wanted = snapped + offset.dot(direction);
                    let distance = wanted.max(low).min(high);
                    let clamped = clamped || within != value.x || distance != wanted;
                    limited_along(press, direction, distance, clamped)
                }
            }
            Path::Plane { normal, plane, .. } => {
                if let Some(by) = hooked(press, value, hook) {
                    let by = (by + offset).reject_from_normalized(plane.normal);
                    let within = by.clamp_length_max(self.reach.max_distance);
                    limited_in_plane(press, plane.axes, within, within != by)
                } else {
                    let within = self.within_reach(value);
                    let snapped =
                        self.snapped_in_plane(press, modifiers, within, plane.axes, normal.is_none());
                    let wanted = snapped + offset;
                    let by = self.within_reach(wanted);
                    let clamped = clamped || within != value || by != wanted;
                    limited_in_plane(press, plane.axes, by, clamped)
                }
            }
        })
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, [first, second]: [f64; 2]) -> Solved {
        let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
        let snap = |number: f64, axis: DVec3| {
            snapped_unless_multiple(number, |number| self.snapped(press, modifiers, number, axis, everywhere))
        };
        match self.path {
            Path::Line { line, .. } => {
                limited_along(press, line.direction, snap(first, line.direction), false)
            }
            Path::Plane { normal, plane, .. } => {
                let [a, b] = plane.axes;
                let on_grid = press.grid_origin(self.orientation, modifiers.snap_kind).is_some();
                let by = if normal.is_none() && on_grid {
                    self.snapped_in_plane(press, modifiers, a * first + b * second, plane.axes, true)
                } else {
                    a * snap(first, a) + b * snap(second, b)
                };
                limited_in_plane(press, plane.axes, by, false)
            }
        }
    }

    fn project(&self, press: &Press, by_world: DVec3) -> Option<Solved> {
        match self.path {
            Path::Line { line, .. } => {
                Some(limited_along(press, line.direction, line.direction.dot(by_world), false))
            }
            Path::Plane { normal, plane, .. } => {
                normal?;
                let by = by_world.reject_from_normalized(plane.normal);
                Some(limited_in_plane(press, plane.axes, by, false))
            }
        }
    }

    fn lead_world(&self, lead: DVec3) -> DVec3 {
        match self.path {
            Path::Line { line, .. } => line.direction * lead.x,
            Path::Plane { .. } => lead,
        }
    }

    fn lead_from_world(&self, lead: DVec3) -> DVec3 {
        match self.path {
            Path::Line { line, .. } => DVec3::X * line.direction.dot(lead),
            Path::Plane { plane, .. } => lead.reject_from_normalized(plane.normal),
        }
    }

    fn press_point_world(&self) -> Option<DVec3> {
        match self.path {
            Path::Line { line, at, .. } => Some(line.pivot_world + line.direction * at?),
            Path::Plane { plane, at, .. } => Some(plane.pivot_world + at?),
        }
    }

    fn grid(&self, context: &GuideContext<'_>) -> Option<Grid> {
        self.plane_grid(context)
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let [line_opacity, _] = context.theme.guide_opacity;
        let (start, now) = (context.start, context.layout.pivot_world);
        match self.path {
            Path::Line { axis, .. } => {
                let ink = context.axis_ink(axis).faded(line_opacity);
                guides::axis_line(painter, context.axis_guide(context.direction(axis)), ink);
                if let Some(ticks) = self.axis_ticks(axis, context) {
                    guides::axis_ticks(painter, ticks, context.neutral());
                }
            }
            Path::Plane { normal, .. } => {
                for axis in normal.into_iter().flat_map(Axis::others) {
                    let ink = context.axis_ink(axis).faded(0.6 * line_opacity);
                    let line = context.axis_guide(context.direction(axis));
                    guides::axis_line(painter, AxisGuide { ends: [start; 2], ..line }, ink);
                }
            }
        }
        guides::start_ghost(painter, start, now, context.neutral());
    }

    fn construct(&self, context: &GuideContext<'_>, cursor_px: DVec2, painter: &mut GuidePainter<'_>) {
        let ink = context.ink(context.theme.construction);
        match self.path {
            Path::Line { line, at, .. } => {
                // Without a grabbed point the solver was not used.
                let solver = at.map_or(Solver::ScreenProjection, |_| line.solver);
                construct_line(&line, solver, context, cursor_px, painter);
            }
            Path::Plane { normal, plane, .. } => {
                let normal = normal.map_or(context.axes.z_axis, |_| plane.normal);
                let ray = context.view.pointer_ray(cursor_px);
                if let Some(hit) = ray.plane_hit(context.start, normal) {
                    let grabbed = self.press_point_world().unwrap_or(context.start);
                    guides::brought_together(painter, grabbed, hit, ink);
                }
            }
        }
    }

    fn toward(&self, context: &GuideContext<'_>) -> Option<DVec3> {
        let press_point = self.press_point_world();
        match self.path {
            Path::Line { axis, .. } => Some(context.outward(axis, axis, press_point)),
            Path::Plane { normal, .. } => Some(context.square(normal?, press_point)),
        }
    }

    fn readout_width(&self) -> usize {
        match self.path {
            Path::Line { .. } => 14,
            Path::Plane { normal: Some(_), .. } => 20,
            Path::Plane { normal: None, .. } => 30,
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        self.write_readout(report, text)
    }
}
