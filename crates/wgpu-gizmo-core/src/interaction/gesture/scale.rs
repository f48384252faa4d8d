//! Scales: along one, two or three axes.

use crate::draw::HandleStretch;
use crate::draw::guides::{self, GuidePainter};
use crate::handle::{Axis, Constraint};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::guides::{GuideContext, Report, write_axes};
use crate::interaction::gesture::lines::{AxisLine, Clamped, DragPlane};
use crate::interaction::gesture::path::{Path, PathKind};
use crate::interaction::gesture::{Sample, SnapHook, Solved, Steps, snapped_unless_multiple};
use crate::interaction::settings::{Modifiers, SnapKind, Solver};
use crate::interaction::targets::motion::Change;
use crate::math::Increment;
use glam::{BVec3, DMat3, DVec3};
use std::fmt::{self, Write};

/// The minimum absolute factor. A factor of 0 could not be scaled back.
const MIN_FACTOR: f64 = 1e-4;
/// The maximum absolute factor, which only a cursor far outside of any screen reaches.
const MAX_FACTOR: f64 = 1e6;
/// The minimum distance of a grabbed point from the pivot, in sizes, because it is a divisor.
const MIN_GRAB: f64 = 0.05;
/// The distance from the pivot, in sizes, at which the stem or square of a scale handle begins.
const MIN_STEM: f64 = 0.15;
/// The distance of the mark of a scale axis from the pivot, in sizes, if no pointer grabs it.
const MARK: f64 = 1.0;
/// Half of the length of the tick at the start of a drag in logical pixels, longer than a stem is wide.
const START_TICK_LPX: f64 = 10.0;
/// The side of the marks of a plane and of the center, in sizes.
const SQUARE_MARK: f64 = 0.5;

/// A scale along one, two or three axes. The value of its path is the factor minus one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    constraint: Constraint,
    pub(super) path: Path,
    /// The distance of the grabbed point from the pivot along each scaled axis, in world units.
    grab_world: Option<f64>,
    scaled: BVec3,
    /// The first scaled axis.
    first: Axis,
}

impl Scale {
    pub(super) fn new(constraint: Constraint, press: &Press, axes: &DMat3, is_chosen_by_key: bool) -> Self {
        let pivot_world = press.placement.pivot_world;
        let reach = press.visible_reach(pivot_world);
        let (mut path, grabbed, axis_count, first) = match constraint {
            Constraint::ScaleAxis(axis) => {
                let line = AxisLine::along(press, pivot_world, axes, axis);
                let solver = press.solver(Solver::ScreenProjection);
                let path = Path::line(press, AxisLine { solver, reach, ..line });
                (path, path.grabbed.map(|grabbed| grabbed.x), 1.0, axis)
            }
            Constraint::ScalePlane(normal) => {
                let plane = DragPlane::across(press, pivot_world, axes, normal);
                let plane = DragPlane { max_distance: reach.max_distance, ..plane };
                let (grabbed, [a, b]) = (plane.grab(press), plane.axes);
                // A square that is flipped toward the viewer may be on the other diagonal.
                let is_flipped = press.settings.display.flip_toward_camera
                    && grabbed.is_some_and(|grabbed| a.dot(grabbed) * b.dot(grabbed) < 0.0);
                let diagonal = if is_flipped { a - b } else { a + b };
                let path = Path::new(PathKind::Diagonal(plane, diagonal), grabbed);
                let along = grabbed.map(|grabbed| grabbed.dot(diagonal));
                (path, along, 2.0, normal.others()[0])
            }
            _ => (Path::screen(press), None, 3.0, Axis::X),
        };
        if let (Some(grabbed), Some((_, layout))) = (grabbed, press.pointer()) {
            path.unit = unit(grabbed, layout.size_world, is_chosen_by_key);
        }
        let grab_world = grabbed.map(|grabbed| grabbed / axis_count);
        let [x, y, z] = Axis::ALL.map(|axis| constraint.involves(axis));
        Self { constraint, path, grab_world, scaled: BVec3::new(x, y, z), first }
    }

    /// Returns the increment of the factor. [`SnapKind::Value`] snaps the scale of the active target along
    /// the first scaled axis, so there the increment is divided by the start of that scale.
    fn increment(&self, press: &Press, modifiers: &Modifiers) -> Option<Increment> {
        let increment = modifiers.snap.scale?;
        if modifiers.snap_kind != SnapKind::Value {
            return Some(increment);
        }
        let start = press.starts.active().0.local.scale[self.first.index()].abs();
        Increment::new(increment.get() / start).or(Some(increment))
    }

    fn limited(&self, press: &Press, raw: f64, clamped: bool, increment: Option<Increment>) -> Solved {
        let wanted = factor(raw, increment, press.settings.motion.allow_mirror);
        let [low, high] = press.starts.factors_within_limits(self.scaled);
        let value = wanted.value.max(low).min(high);
        // A limit of 0 is not reached, because no factor leads back from 0.
        let value = if value.abs() < MIN_FACTOR { MIN_FACTOR } else { value };
        let by = DVec3::select(self.scaled, DVec3::splat(value), DVec3::ONE);
        let clamped = clamped || wanted.clamped || value != wanted.value;
        Solved::new(Change::Scale(by), clamped, [value, 0.0])
    }

    /// Returns how the handle follows the pointer.
    pub(crate) fn handle_stretch(&self, factor: f64) -> HandleStretch {
        match self.constraint {
            Constraint::ScaleUniform => HandleStretch::NONE,
            _ => HandleStretch { factor, grab_world: self.grab_world },
        }
    }
}

/// Returns the distance that changes the factor by one: that of the grabbed point, so that the factor is
/// `now / grabbed`.
fn unit(grabbed: f64, size_world: f64, is_chosen_by_key: bool) -> f64 {
    let min = MIN_GRAB * size_world;
    let length = if grabbed.abs() < min { min } else { grabbed };
    // If a key chose the handle and the press is too near the pivot to be on it, a movement by one size
    // along the axis adds 1 to the factor, on either side of the pivot.
    let is_beside = is_chosen_by_key && length.abs() < MIN_STEM * size_world;
    if is_beside { size_world } else { length }
}

/// Returns the factor that a drag applies: snapped, never 0, and negative only if allowed.
fn factor(raw: f64, increment: Option<Increment>, allow_mirror: bool) -> Clamped<f64> {
    let wanted = if allow_mirror { raw } else { raw.max(MIN_FACTOR) };
    let sign = if wanted < 0.0 { -1.0 } else { 1.0 };
    let size = match increment {
        // A factor that would round to 0 is one increment.
        Some(increment) => increment.snap(wanted.abs()).max(increment.get()),
        None => wanted.abs(),
    };
    let size = size.clamp(MIN_FACTOR, MAX_FACTOR);
    let of = if allow_mirror { raw.abs() } else { raw };
    let clamped = !(MIN_FACTOR..=MAX_FACTOR).contains(&of);
    Clamped { value: sign * size, clamped }
}

impl Steps for Scale {
    fn identity(&self) -> Solved {
        Solved::new(Change::Scale(DVec3::ONE), false, [1.0, 0.0])
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, ref modifiers, value, clamped, offset: [offset, _], .. } = *sample;
        let increment = self.increment(press, modifiers);
        let pointed = 1.0 + value.x;
        if offset == 0.0 {
            return Some(self.limited(press, pointed, clamped, increment));
        }
        let snapped = factor(pointed, increment, press.settings.motion.allow_mirror);
        Some(self.limited(press, snapped.value + offset, clamped || snapped.clamped, None))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, [factor, _]: [f64; 2]) -> Solved {
        let is_multiple =
            |increment: &Increment| snapped_unless_multiple(factor, |f| increment.snap(f)) == factor;
        let increment = self.increment(press, &modifiers).filter(|increment| !is_multiple(increment));
        self.limited(press, factor, false, increment)
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let (start, size) = (context.start, context.layout.size_world);
        let (before, after) = (context.neutral().faded(0.7), context.ink(context.theme.colors.active));
        let [factor, _] = context.numbers;
        match self.constraint {
            Constraint::ScaleAxis(axis) => {
                let direction = context.direction(axis);
                let [line_opacity, _] = context.theme.opacities.guide;
                let ink = context.axis_ink(axis).faded(0.6 * line_opacity);
                guides::axis_line(painter, context.axis_guide(direction), ink);
                // The cube itself shows the length now.
                let length = self.grab_world.unwrap_or(MARK * size);
                guides::tick(painter, start, start + direction * length, START_TICK_LPX, before);
            }
            Constraint::ScalePlane(normal) => {
                // The corners that move are where the square was grabbed, so they stay there.
                let length = self.grab_world.map_or(SQUARE_MARK * size, f64::abs);
                let sides = normal.others().map(|axis| context.outward(axis, normal, None) * length);
                guides::parallelogram(painter, start, sides, before);
                guides::parallelogram(painter, start, sides.map(|side| side * factor), after);
            }
            _ => {
                let Some(center_px) = context.view.px_from_world(start) else { return };
                let radius_px = SQUARE_MARK * context.layout.size_px;
                painter.circle(center_px, radius_px, before);
                let scaled_px = radius_px * factor.abs();
                // A larger circle is past every edge of the viewport.
                let v = context.view.viewport();
                if scaled_px < 2.0 * (v.width + v.height) {
                    painter.circle(center_px, scaled_px, after);
                }
            }
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        write_axes(self.constraint, text)?;
        match report.typed {
            Some(typed) => write!(text, "×{typed}"),
            None => write!(text, "×{:.2}", report.numbers[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factor_is_never_zero_and_mirrors_if_allowed() {
        assert_eq!(factor(2.5, None, false), Clamped { value: 2.5, clamped: false });
        assert_eq!(factor(-2.5, None, false), Clamped { value: 1e-4, clamped: true });
        assert_eq!(factor(-2.5, Increment::new(0.5), false), Clamped { value: 0.5, clamped: true });
        assert_eq!(factor(-2.5, None, true), Clamped { value: -2.5, clamped: false });
        assert_eq!(factor(0.0, None, true), Clamped { value: 1e-4, clamped: true });
        assert_eq!(factor(f64::INFINITY, None, false), Clamped { value: 1e6, clamped: true });
    }
}
