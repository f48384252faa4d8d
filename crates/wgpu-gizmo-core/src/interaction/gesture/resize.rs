//! Moves of the faces of a bounding box.

use crate::draw::guides::{self, AxisGuide, GuidePainter};
use crate::handle::{Axis, BoxGrip};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::chain::{
    Chain, GuideContext, Report, Sample, SnapHook, Solved, snapped_unless_multiple, without_minus_zero,
};
use crate::interaction::gesture::construct::construct_line;
use crate::interaction::gesture::lines::{AxisLine, Clamped, DragPlane, Reach};
use crate::interaction::placement::end_on::{is_plane_end_on, visible_height};
use crate::interaction::settings::{BoxHandles, BoxResult, Limits, Modifiers, SnapKind};
use crate::interaction::targets::bounds::{Bounds, resized};
use crate::interaction::targets::motion::Change;
use crate::math::View;
use glam::{DVec2, DVec3};
use std::fmt::{self, Write};

/// A drag of faces of the active target's bounding box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resize {
    grip: BoxGrip,
    /// `None` if the target has no box, which only a drag by keys allows.
    bounds: Option<Bounds>,
    path: Path,
    reach: Reach,
    handles: BoxHandles,
    allow_mirror: bool,
}

#[derive(Debug, Clone, Copy)]
enum Path {
    /// A face moves along its axis.
    Line {
        axis: Axis,
        line: AxisLine,
        /// The distance of the grabbed point from the middle of the face.
        at: Option<f64>,
    },
    /// An edge or a corner moves in the plane of two axes.
    Plane {
        axes: [Axis; 2],
        plane: DragPlane,
        /// The grabbed point, from the grip.
        at: Option<DVec3>,
    },
    /// A corner moves along its diagonal, as drawn.
    Aspect {
        plane: DragPlane,
        at: Option<DVec3>,
        /// From the fixed corner to the dragged one, in the view plane.
        diagonal: DVec3,
    },
}

impl Resize {
    pub(super) fn new(grip: BoxGrip, press: &Press) -> Self {
        let handles = press.settings.box_handles.unwrap_or_default();
        let bounds = Bounds::of(press.starts.active().0);
        let point = bounds.map_or(press.placement.pivot_world, |bounds| bounds.oriented_box().point(grip));
        let reach = press.reach_at(point);
        let path = match (grip.axes().count(), bounds) {
            (3, Some(bounds)) if handles.keep_aspect => Path::aspect(&bounds, point, press),
            (1, bounds) => Path::line(grip, bounds.as_ref(), point, press, reach),
            (_, bounds) => Path::plane(grip, bounds.as_ref(), point, press, reach),
        };
        Self { grip, bounds, path, reach, handles, allow_mirror: press.settings.allow_mirror }
    }

    fn length(&self, axis: Axis) -> f64 {
        self.bounds.map_or(0.0, |bounds| bounds.length(axis))
    }

    /// Returns the axes of the sides whose lengths the user controls.
    fn named_axes(&self) -> impl Iterator<Item = Axis> {
        let named = match self.path {
            Path::Line { axis, .. } => [Some(axis), None],
            Path::Plane { axes, .. } => axes.map(Some),
            Path::Aspect { .. } => [Some(Axis::X), None],
        };
        named.into_iter().flatten()
    }

    /// Snaps the length of a side.
    fn snapped(&self, axis: Axis, length: f64, modifiers: Modifiers) -> f64 {
        let Some(increment) = modifiers.snap.translate else { return length };
        let start = self.length(axis);
        match modifiers.snap_kind {
            SnapKind::Relative => start + increment.snap(length - start),
            SnapKind::Grid { .. } | SnapKind::Value => {
                let size = increment.snap(length.abs()).max(increment.get());
                size.copysign(length)
            }
        }
    }

    /// Returns the motion after which the sides have these lengths, or the minimum length if that is
    /// longer.
    fn resized(&self, press: &Press, lengths: [Option<f64>; 3], symmetric: bool, clamped: bool) -> Solved {
        let (mut by, mut clamped) = ([DVec3::ZERO; 2], clamped);
        let mut reached = [0.0; 3];
        for axis in Axis::ALL {
            let i = axis.index();
            let start = self.length(axis);
            reached[i] = start;
            let (Some(wanted), Some(bounds)) = (lengths[i], self.bounds) else { continue };
            let min = self.handles.usable_min_size().min(start);
            let length = if self.allow_mirror && wanted < 0.0 { wanted.min(-min) } else { wanted.max(min) };
            clamped |= length != wanted;
            reached[i] = length;
            let by_local = bounds.local_length(axis, length - start);
            if symmetric {
                (by[0][i], by[1][i]) = (-0.5 * by_local, 0.5 * by_local);
            } else if self.grip.sign(axis) < 0.0 {
                by[0][i] = -by_local;
            } else {
                by[1][i] = by_local;
            }
        }
        let share = self.share_within_limits(press, by);
        let mut numbers = [0.0; 2];
        for (number, axis) in numbers.iter_mut().zip(self.named_axes()) {
            let (start, reached) = (self.length(axis), reached[axis.index()]);
            *number = if share < 1.0 { start + (reached - start) * share } else { reached };
        }
        let by = if share < 1.0 { by.map(|by| by * share) } else { by };
        Solved::new(Change::Resize { by }, clamped || share < 1.0, numbers)
    }

    /// Returns the share of a change that the limits of the transform allow, from 0 to 1. Extents have no
    /// limits.
    fn share_within_limits(&self, press: &Press, by: [DVec3; 2]) -> f64 {
        let (start, limits) = (press.starts.active().0, &press.settings.limits);
        if self.handles.result == BoxResult::Extents || *limits == Limits::NONE {
            return 1.0;
        }
        let end = resized(start, by, BoxResult::Transform);
        limits.share_of_change(&start.local, &end.local)
    }

    /// Returns the lengths of all sides if each has this factor, with the longest snapped.
    fn scaled(&self, factor: f64, modifiers: Modifiers) -> [Option<f64>; 3] {
        let longest = Axis::ALL.into_iter().max_by(|a, b| self.length(*a).total_cmp(&self.length(*b)));
        let axis = longest.unwrap_or(Axis::X);
        let start = self.length(axis);
        let min_size = self.handles.usable_min_size();
        // The shortest side determines the smallest factor, so that no side becomes shorter than the minimum.
        let shortest = Axis::ALL.map(|axis| self.length(axis)).into_iter().fold(start, f64::min);
        let min = min_size.min(shortest) / shortest;
        let snapped = self.snapped(axis, factor * start, modifiers) / start;
        let factor = if self.allow_mirror && snapped < 0.0 { snapped.min(-min) } else { snapped.max(min) };
        Axis::ALL.map(|axis| Some(factor * self.length(axis)))
    }
}

impl Path {
    fn line(grip: BoxGrip, bounds: Option<&Bounds>, point: DVec3, press: &Press, reach: Reach) -> Self {
        let axis = grip.axes().next().unwrap_or(Axis::X);
        let along = |axis: Axis| bounds.and_then(|bounds| bounds.direction(axis)).unwrap_or(axis.unit());
        let direction = along(axis) * grip.sign(axis);
        let normals = axis.others().map(|other| direction.cross(along(other)).normalize_or(along(other)));
        let plane_normal = facing_most(normals, point, press);
        let solver = press.solver(press.settings.solver);
        let line = AxisLine { pivot_world: point, direction, solver, plane_normal };
        let hit = press.cursor_px.map(|press_px| line.along(&press.view, press_px));
        let visible = Reach { max_distance: f64::MAX, ..reach };
        let at = hit.and_then(|hit| line.within(&press.view, hit, 0.0, visible)).map(|hit| hit.value);
        Self::Line { axis, line, at }
    }

    fn plane(grip: BoxGrip, bounds: Option<&Bounds>, point: DVec3, press: &Press, reach: Reach) -> Self {
        const PAIRS: [[Axis; 2]; 3] = [[Axis::X, Axis::Y], [Axis::Y, Axis::Z], [Axis::X, Axis::Z]];
        let moves = |axis: &Axis| grip.sign(*axis) != 0.0;
        // One pair for an edge, three for a corner.
        let pairs = PAIRS.into_iter().filter(|pair| pair.iter().all(moves));
        let along = |axis: Axis| bounds.and_then(|bounds| bounds.direction(axis)).unwrap_or(axis.unit());
        let plane_of = |[a, b]: [Axis; 2]| {
            let [u, v] = [along(a), along(b)];
            let normal = u.cross(v).normalize_or(u.any_orthonormal_vector());
            DragPlane { pivot_world: point, axes: [u, v], normal }
        };
        let ray = press.cursor_px.map(|press_px| press.view.pointer_ray(press_px));
        let facing = |axes: &[Axis; 2]| {
            ray.as_ref().map_or(0.0, |ray| plane_of(*axes).normal.dot(ray.direction).abs())
        };
        // `max_by` returns the last of several maxima, which `rev` makes the first pair.
        let chosen = pairs.rev().max_by(|a, b| facing(a).total_cmp(&facing(b)));
        let axes = chosen.unwrap_or([Axis::X, Axis::Y]);
        let plane = plane_of(axes);
        Self::Plane { axes, plane, at: grab(&plane, press, reach) }
    }

    fn aspect(bounds: &Bounds, point: DVec3, press: &Press) -> Self {
        let frame = press.view.axes();
        let plane = DragPlane {
            pivot_world: point,
            axes: [frame.x_axis, frame.y_axis],
            normal: press.view.forward(),
        };
        let from_center = point - bounds.oriented_box().center;
        let diagonal = (2.0 * from_center).reject_from_normalized(plane.normal);
        // A corner in line with the fixed one has no direction on screen.
        let is_visible = diagonal.length() > 1e-6 * from_center.length();
        let at = grab(&plane, press, press.reach_at(point)).filter(|_| is_visible);
        Self::Aspect { plane, at, diagonal }
    }
}

/// Returns the grabbed point of a plane, from the grip.
fn grab(plane: &DragPlane, press: &Press, reach: Reach) -> Option<DVec3> {
    let visible = visible_height(&press.view, plane.pivot_world) * 1000.0;
    let max_distance = reach.max_distance.max(visible);
    plane.point(&press.view, press.cursor_px?, DVec3::ZERO, max_distance).map(|hit| hit.value)
}

/// Returns the normal that faces the pointer's ray most.
fn facing_most([b, c]: [DVec3; 2], point: DVec3, press: &Press) -> DVec3 {
    let Some(press_px) = press.cursor_px else { return b };
    let ray = press.view.pointer_ray(press_px);
    let facing =
        |normal: DVec3| (!is_plane_end_on(&press.view, point, normal), normal.dot(ray.direction).abs());
    if facing(b) >= facing(c) { b } else { c }
}

/// Returns the coordinates of a displacement in a plane along its axes, which need not be orthogonal.
fn coordinates(plane: &DragPlane, by: DVec3) -> [f64; 2] {
    let [u, v] = plane.axes;
    let area = u.cross(v).dot(plane.normal);
    [by.cross(v).dot(plane.normal) / area, u.cross(by).dot(plane.normal) / area]
}

impl Chain for Resize {
    fn is_grabbed(&self) -> bool {
        self.bounds.is_some()
            && match self.path {
                Path::Line { at, .. } => at.is_some(),
                Path::Plane { at, .. } | Path::Aspect { at, .. } => at.is_some(),
            }
    }

    fn raw(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        match self.path {
            Path::Line { line, at, .. } => {
                let at = at?;
                let hit = line.within(view, line.along(view, cursor_px), at, self.reach)?;
                Some(Clamped { value: DVec3::X * (hit.value - at), clamped: hit.clamped })
            }
            Path::Plane { plane, at, .. } | Path::Aspect { plane, at, .. } => {
                let at = at?;
                let hit = plane.point(view, cursor_px, at, self.reach.max_distance)?;
                Some(Clamped { value: hit.value - at, clamped: hit.clamped })
            }
        }
    }

    fn raw_at_press(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn rest(&self) -> [f64; 2] {
        let mut lengths = [0.0; 2];
        for (length, axis) in lengths.iter_mut().zip(self.named_axes()) {
            *length = self.length(axis);
        }
        lengths
    }

    fn identity(&self) -> Change {
        Change::Resize { by: [DVec3::ZERO; 2] }
    }

    fn number_count(&self) -> usize {
        match self.path {
            Path::Line { .. } | Path::Aspect { .. } => 1,
            Path::Plane { .. } => 2,
        }
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { modifiers, value, clamped, offset, .. } = *sample;
        let sides = if modifiers.symmetric { 2.0 } else { 1.0 };
        let mut lengths = [None; 3];
        let mut grow = |axis: Axis, by: f64, nudged: f64| {
            let pointed = self.length(axis) + sides * by;
            lengths[axis.index()] = Some(self.snapped(axis, pointed, modifiers) + nudged);
        };
        match self.path {
            Path::Line { axis, .. } => grow(axis, value.x, offset[0]),
            Path::Plane { axes, plane, .. } => {
                for ((axis, by), nudged) in axes.into_iter().zip(coordinates(&plane, value)).zip(offset) {
                    grow(axis, by * self.grip.sign(axis), nudged);
                }
            }
            Path::Aspect { diagonal, .. } => {
                let factor = 1.0 + sides * value.dot(diagonal) / diagonal.length_squared();
                lengths = self.scaled(factor, modifiers);
                if offset[0] != 0.0 {
                    let along_x = lengths[0].unwrap_or_default() + offset[0];
                    lengths = self.scaled(along_x / self.length(Axis::X), Modifiers::default());
                }
            }
        }
        Some(self.resized(sample.press, lengths, modifiers.symmetric, clamped))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, numbers: [f64; 2]) -> Solved {
        let mut lengths = [None; 3];
        if let Path::Aspect { .. } = self.path {
            let start = self.length(Axis::X);
            lengths = self.scaled(if start > 0.0 { numbers[0] / start } else { 1.0 }, modifiers);
        } else {
            for (number, axis) in numbers.into_iter().zip(self.named_axes()) {
                let snap = |length| self.snapped(axis, length, modifiers);
                lengths[axis.index()] = Some(snapped_unless_multiple(number, snap));
            }
        }
        self.resized(press, lengths, modifiers.symmetric, false)
    }

    fn press_point_world(&self) -> Option<DVec3> {
        match self.path {
            Path::Line { line, at, .. } => Some(line.pivot_world + line.direction * at?),
            Path::Plane { plane, at, .. } | Path::Aspect { plane, at, .. } => Some(plane.pivot_world + at?),
        }
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let [line_opacity, _] = context.theme.guide_opacity;
        let ink = context.neutral().faded(line_opacity);
        let through =
            |point: DVec3, direction: DVec3| AxisGuide { ends: [point; 2], ..context.axis_guide(direction) };
        match self.path {
            Path::Line { line, .. } => {
                guides::axis_line(painter, through(line.pivot_world, line.direction), ink)
            }
            Path::Plane { plane, .. } => {
                for axis in plane.axes {
                    guides::axis_line(painter, through(plane.pivot_world, axis), ink.faded(0.6));
                }
            }
            Path::Aspect { plane, diagonal, .. } => {
                let direction = diagonal.normalize_or(plane.axes[0]);
                guides::axis_line(painter, through(plane.pivot_world, direction), ink);
            }
        }
    }

    fn construct(&self, context: &GuideContext<'_>, cursor_px: DVec2, painter: &mut GuidePainter<'_>) {
        match self.path {
            Path::Line { line, .. } => construct_line(&line, line.solver, context, cursor_px, painter),
            Path::Plane { plane, .. } | Path::Aspect { plane, .. } => {
                let ray = context.view.pointer_ray(cursor_px);
                if let Some(hit) = ray.plane_hit(plane.pivot_world, plane.normal) {
                    let grabbed = self.press_point_world().unwrap_or(plane.pivot_world);
                    let ink = context.ink(context.theme.construction);
                    guides::brought_together(painter, grabbed, hit, ink);
                }
            }
        }
    }

    fn readout_width(&self) -> usize {
        if self.number_count() == 2 { 20 } else { 14 }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        if let Some(typed) = report.typed {
            self.named_axes().try_for_each(|axis| write!(text, "{axis:?}"))?;
            return write!(text, " {typed}");
        }
        let digits = report.digits;
        for (index, (axis, length)) in self.named_axes().zip(report.numbers).enumerate() {
            let separator = if index > 0 { "  " } else { "" };
            write!(text, "{separator}{axis:?} {:.digits$}", without_minus_zero(length, digits))?;
        }
        Ok(())
    }
}
