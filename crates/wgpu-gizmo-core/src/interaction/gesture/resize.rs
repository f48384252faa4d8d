//! Moves of the faces of a bounding box.

use crate::draw::guides::{self, AxisGuide, GuidePainter};
use crate::handle::{Axis, BoxGrip};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::guides::{GuideContext, Report};
use crate::interaction::gesture::lines::{AxisLine, DragPlane};
use crate::interaction::gesture::path::{Path, PathKind};
use crate::interaction::gesture::{Sample, SnapHook, Solved, Steps, snapped_unless_multiple};
use crate::interaction::settings::{BoxHandles, BoxResult, Limits, Modifiers, SnapKind};
use crate::interaction::targets::bounds::{Bounds, resized};
use crate::interaction::targets::motion::Change;
use glam::DVec3;
use std::fmt::{self, Write};

/// A drag of faces of the active target's bounding box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resize {
    grip: BoxGrip,
    bounds: Bounds,
    pub(super) path: Path,
    /// The axes of the sides whose lengths the user controls: of a face the one, of an edge or corner two in a
    /// plane. A corner that moves along its diagonal has the length along X.
    named: [Option<Axis>; 2],
    handles: BoxHandles,
    allow_mirror: bool,
}

impl Resize {
    pub(super) fn new(grip: BoxGrip, press: &Press) -> Self {
        let handles = press.settings.box_handles.unwrap_or_default();
        // Handles of a target without a box are disabled.
        let bounds = Bounds::of(press.starts.active().0).unwrap_or_default();
        let oriented_box = bounds.oriented_box();
        let corner = oriented_box.point(grip);
        let (path, named) = match grip.axes().count() {
            3 if handles.keep_aspect => {
                let along = diagonal(press, corner, corner - oriented_box.center);
                (along, [Some(Axis::X), None])
            }
            1 => face(grip, &bounds, corner, press),
            _ => edge_or_corner(grip, &bounds, corner, press),
        };
        Self { grip, bounds, path, named, handles, allow_mirror: press.settings.motion.allow_mirror }
    }

    /// Returns the axes of the sides whose lengths the user controls.
    fn named_axes(&self) -> impl Iterator<Item = Axis> {
        self.named.into_iter().flatten()
    }

    /// Returns true if a corner moves along its diagonal.
    fn keeps_aspect(&self) -> bool {
        matches!(self.path.kind, PathKind::Diagonal(..))
    }

    /// Snaps the length of a side.
    fn snap(&self, axis: Axis, length: f64, modifiers: &Modifiers) -> f64 {
        let Some(increment) = modifiers.snap.translate else { return length };
        let start = self.bounds.length(axis);
        match modifiers.snap_kind {
            SnapKind::Relative => start + increment.snap(length - start),
            SnapKind::Grid { .. } | SnapKind::Value => increment.snap(length),
        }
    }

    /// Returns the minimum length of a side with this start. A drag to the minimum leaves a side up to rounding there.
    fn min_length(&self, start: f64) -> f64 {
        let min = self.handles.usable_min_size();
        if start < min * (1.0 + 1e-9) { start } else { min }
    }

    /// Returns the motion after which the sides have these lengths, or the minimum length if that is
    /// longer.
    fn resized(&self, press: &Press, lengths: [Option<f64>; 3], symmetric: bool, clamped: bool) -> Solved {
        let (mut by, mut clamped) = ([DVec3::ZERO; 2], clamped);
        let starts = self.bounds.lengths();
        let mut reached = starts;
        for axis in Axis::ALL {
            let i = axis.index();
            let Some(wanted) = lengths[i] else { continue };
            let min = self.min_length(starts[i]);
            let length = if self.allow_mirror && wanted < 0.0 { wanted.min(-min) } else { wanted.max(min) };
            clamped |= length != wanted;
            reached[i] = length;
            let by_local = (length - starts[i]) / self.bounds.along(axis);
            if symmetric {
                (by[0][i], by[1][i]) = (-0.5 * by_local, 0.5 * by_local);
            } else if self.grip.sign(axis) < 0.0 {
                by[0][i] = -by_local;
            } else {
                by[1][i] = by_local;
            }
        }
        let mut fraction = self.fraction_within_limits(press, by);
        if fraction < 1.0 {
            for (start, wanted) in starts.into_iter().zip(reached) {
                let min = self.min_length(start);
                // A limit on the way to the mirrored side stops the others before a side is shorter than the minimum.
                if wanted < 0.0 && (start + (wanted - start) * fraction).abs() < min {
                    fraction = (start - min) / (start - wanted);
                }
            }
            by = by.map(|by| by * fraction);
            reached = [0, 1, 2].map(|i| starts[i] + (reached[i] - starts[i]) * fraction);
        }
        Solved::new(Change::Resize { by }, clamped || fraction < 1.0, self.numbers(reached))
    }

    /// Returns the lengths of the sides that the user controls.
    fn numbers(&self, lengths: [f64; 3]) -> [f64; 2] {
        self.named.map(|axis| axis.map_or(0.0, |axis| lengths[axis.index()]))
    }

    /// Returns the fraction of a change that the limits of the transform allow, from 0 to 1. Extents have no
    /// limits.
    fn fraction_within_limits(&self, press: &Press, by: [DVec3; 2]) -> f64 {
        if self.handles.result == BoxResult::Extents || press.settings.motion.limits == Limits::NONE {
            return 1.0;
        }
        let end = resized(press.starts.active().0, by, BoxResult::Transform);
        press.starts.fraction_of_change(&end.local)
    }

    /// Returns the lengths of all sides if each has this factor, with the longest snapped, and whether the minimum has
    /// clamped them.
    fn scaled(&self, factor: f64, modifiers: &Modifiers) -> ([Option<f64>; 3], bool) {
        let starts = self.bounds.lengths();
        let longest = Axis::ALL.into_iter().max_by(|a, b| starts[a.index()].total_cmp(&starts[b.index()]));
        let axis = longest.unwrap_or(Axis::X);
        let start = starts[axis.index()];
        // The shortest side determines the smallest factor, so that no side becomes shorter than the minimum.
        let shortest = starts.into_iter().fold(start, f64::min);
        let min = self.min_length(shortest) / shortest;
        let snapped = self.snap(axis, factor * start, modifiers) / start;
        let factor = if self.allow_mirror && snapped < 0.0 { snapped.min(-min) } else { snapped.max(min) };
        (starts.map(|start| Some(factor * start)), factor != snapped)
    }
}

/// Returns the path of a face: a line along its axis.
fn face(grip: BoxGrip, bounds: &Bounds, point: DVec3, press: &Press) -> (Path, [Option<Axis>; 2]) {
    let axis = grip.axes().next().unwrap_or(Axis::X);
    let direction = bounds.direction(axis) * grip.sign(axis);
    let normals = axis.others().map(|other| {
        let along = bounds.direction(other);
        direction.cross(along).normalize_or(along)
    });
    (Path::line(press, AxisLine::new(press, point, direction, normals)), [Some(axis), None])
}

/// Returns the path of an edge or corner: of the planes of two axes that it moves along, the one that faces the
/// pointer's ray most.
fn edge_or_corner(grip: BoxGrip, bounds: &Bounds, point: DVec3, press: &Press) -> (Path, [Option<Axis>; 2]) {
    const PAIRS: [[Axis; 2]; 3] = [[Axis::X, Axis::Y], [Axis::Y, Axis::Z], [Axis::X, Axis::Z]];
    let plane_of = |pair: [Axis; 2]| {
        let [u, v] = pair.map(|axis| bounds.direction(axis) * grip.sign(axis));
        DragPlane::new(press, point, [u, v], u.cross(v).normalize_or(u.any_orthonormal_vector()))
    };
    let ray = press.cursor_px.map(|press_px| press.view.pointer_ray(press_px));
    let facing =
        |pair: &[Axis; 2]| ray.as_ref().map_or(0.0, |ray| plane_of(*pair).normal.dot(ray.direction).abs());
    // One pair for an edge, three for a corner.
    let pairs = PAIRS.into_iter().filter(|pair| pair.iter().all(|axis| grip.sign(*axis) != 0.0));
    // `max_by` returns the last of several maxima, which `rev` makes the first pair.
    let chosen = pairs.rev().max_by(|a, b| facing(a).total_cmp(&facing(b)));
    let axes = chosen.unwrap_or(PAIRS[0]);
    (Path::plane(press, plane_of(axes)), axes.map(Some))
}

/// Returns the path of a corner along its diagonal, as drawn. A movement by the diagonal counts as one.
fn diagonal(press: &Press, corner: DVec3, from_center: DVec3) -> Path {
    let plane = DragPlane::of_view(press, corner);
    let diagonal = (2.0 * from_center).reject_from_normalized(plane.normal);
    // A corner in line with the fixed one has no direction on screen.
    let is_visible = diagonal.length() > 1e-6 * from_center.length();
    let grabbed = plane.grab(press).filter(|_| is_visible);
    let plane = DragPlane { center: grabbed.unwrap_or_default(), ..plane };
    Path { unit: diagonal.length_squared(), ..Path::new(PathKind::Diagonal(plane, diagonal), grabbed) }
}

impl Steps for Resize {
    fn identity(&self) -> Solved {
        let numbers = self.numbers(self.bounds.lengths());
        Solved::new(Change::Resize { by: [DVec3::ZERO; 2] }, false, numbers)
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, ref modifiers, value, mut clamped, offset, .. } = *sample;
        let sides = if modifiers.symmetric { 2.0 } else { 1.0 };
        let mut lengths = [None; 3];
        if self.keeps_aspect() {
            let mut is_held;
            (lengths, is_held) = self.scaled(1.0 + sides * value.x, modifiers);
            if offset[0] != 0.0 {
                let along_x = lengths[0].unwrap_or_default() + offset[0];
                (lengths, is_held) =
                    self.scaled(along_x / self.bounds.length(Axis::X), &Modifiers::default());
            }
            clamped |= is_held;
        } else {
            let by = match &self.path.kind {
                PathKind::Plane(plane) => plane.coordinates(value),
                _ => [value.x, 0.0],
            };
            for ((axis, by), nudged) in self.named_axes().zip(by).zip(offset) {
                let pointed = self.bounds.length(axis) + sides * by;
                lengths[axis.index()] = Some(self.snap(axis, pointed, modifiers) + nudged);
            }
        }
        Some(self.resized(press, lengths, modifiers.symmetric, clamped))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, numbers: [f64; 2]) -> Solved {
        let (mut lengths, mut clamped) = ([None; 3], false);
        if self.keeps_aspect() {
            let start = self.bounds.length(Axis::X);
            let factor = if start > 0.0 { numbers[0] / start } else { 1.0 };
            (lengths, clamped) = self.scaled(factor, &modifiers);
        } else {
            for (number, axis) in numbers.into_iter().zip(self.named_axes()) {
                let snap = |length| self.snap(axis, length, &modifiers);
                lengths[axis.index()] = Some(snapped_unless_multiple(number, snap));
            }
        }
        self.resized(press, lengths, modifiers.symmetric, clamped)
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let [line_opacity, _] = context.theme.opacities.guide;
        let ink = context.neutral().faded(line_opacity);
        let mut line = |point: DVec3, direction: DVec3, ink| {
            let line = AxisGuide { ends: [point; 2], ..context.axis_guide(direction) };
            guides::axis_line(painter, line, ink);
        };
        match &self.path.kind {
            PathKind::Line(path) => line(path.origin_world, path.direction, ink),
            PathKind::Plane(plane) => {
                for axis in plane.axes {
                    line(plane.origin_world, axis, ink.faded(0.6));
                }
            }
            PathKind::Diagonal(plane, diagonal) => {
                line(plane.origin_world, diagonal.normalize_or(plane.axes[0]), ink);
            }
            _ => {}
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        if let Some(typed) = report.typed {
            self.named_axes().try_for_each(|axis| write!(text, "{axis:?}"))?;
            return write!(text, " {typed}");
        }
        report.write_lengths(self.named_axes().zip(report.numbers), text)
    }
}
