//! Scales: along one, two or three axes.

use crate::draw::HandleStretch;
use crate::draw::guides::{self, GuidePainter};
use crate::handle::Axis;
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::chain::{
    Chain, GuideContext, Report, Sample, SnapHook, Solved, snapped_unless_multiple,
};
use crate::interaction::gesture::factors::{MIN_FACTOR, factor};
use crate::interaction::gesture::grab::{axis_line, axis_plane, grab_in_plane, grab_on_line};
use crate::interaction::gesture::lines::{AxisLine, Clamped, DragPlane, Reach};
use crate::interaction::settings::{Modifiers, SnapKind, Solver};
use crate::interaction::targets::motion::{Change, Motion};
use crate::math::{Increment, View};
use glam::{BVec3, DMat3, DVec2, DVec3};
use std::fmt::{self, Write};

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

/// A scale along one, two or three axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    scaled: BVec3,
    reach: Reach,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Line {
        axis: Axis,
        line: AxisLine,
        grab: Option<LengthGrab>,
    },
    Plane {
        normal: Axis,
        plane: DragPlane,
        /// Along the diagonal of the plane.
        grab: Option<LengthGrab>,
    },
    Uniform {
        /// The press in the viewport, which may move during the drag, and the size of the gizmo. Both
        /// are in logical pixels, because a window may move to a screen with another scale factor.
        grab_lpx: Option<(DVec2, f64)>,
    },
}

/// A grabbed distance from the pivot, and the distance that changes the factor by one.
#[derive(Debug, Clone, Copy)]
struct LengthGrab {
    at: f64,
    length: f64,
}

impl LengthGrab {
    fn new(at: f64, press: &Press, is_chosen_by_key: bool) -> Option<Self> {
        let (_, layout) = press.pointer()?;
        let min = MIN_GRAB * layout.size_world;
        let length = if at.abs() < min { min } else { at };
        // If a key chose the handle and the press is too near the pivot to be on it, a movement by one size
        // away from the pivot adds 1 to the factor.
        let is_beside = is_chosen_by_key && length.abs() < MIN_STEM * layout.size_world;
        Some(Self { at, length: if is_beside { layout.size_world } else { length } })
    }

    /// Returns the factor: 1 at the grab, even if the grab is so close to the pivot that `length` is not
    /// `at`; otherwise `now / at`.
    fn factor(self, now: f64) -> f64 {
        1.0 + (now - self.at) / self.length
    }
}

/// Returns the distance of a point from the pivot along the diagonal between the axes of the plane.
fn along_diagonal(plane: &DragPlane, from_pivot: DVec3) -> f64 {
    from_pivot.dot(plane.axes[0] + plane.axes[1])
}

fn all_but(axis: Axis) -> BVec3 {
    let mut axes = BVec3::TRUE;
    axes.set(axis.index(), false);
    axes
}

impl Stretch {
    pub(super) fn along(axis: Axis, press: &Press, axes: &DMat3, is_chosen_by_key: bool) -> Self {
        let line = axis_line(press, axes, axis, Solver::ScreenProjection);
        let grab = grab_on_line(press, &line).and_then(|at| LengthGrab::new(at, press, is_chosen_by_key));
        let kind = Kind::Line { axis, line, grab };
        Self { scaled: !all_but(axis), reach: press.visible_reach(), kind }
    }

    pub(super) fn in_plane(normal: Axis, press: &Press, axes: &DMat3, is_chosen_by_key: bool) -> Self {
        let mut plane = axis_plane(press, axes, normal);
        let grab = grab_in_plane(press, &plane).and_then(|point| {
            let [a, b] = plane.axes.map(|axis| axis.dot(point));
            // A square that is flipped toward the viewer may be on the other diagonal.
            if press.settings.flip_toward_camera && a * b < 0.0 {
                plane.axes[1] = -plane.axes[1];
            }
            LengthGrab::new(along_diagonal(&plane, point), press, is_chosen_by_key)
        });
        let kind = Kind::Plane { normal, plane, grab };
        Self { scaled: all_but(normal), reach: press.visible_reach(), kind }
    }

    pub(super) fn uniform(press: &Press) -> Self {
        let grab_lpx = press.pointer().map(|(press_px, layout)| {
            let scale = press.view.scale_factor();
            ((press_px - press.view.viewport().origin_px()) / scale, layout.size_px / scale)
        });
        Self { scaled: BVec3::TRUE, reach: press.visible_reach(), kind: Kind::Uniform { grab_lpx } }
    }

    /// Returns the increment of the factor. [`SnapKind::Value`] snaps the scale of the active target along
    /// the first scaled axis, so there the increment is divided by the start of that scale.
    fn increment(&self, press: &Press, modifiers: Modifiers) -> Option<Increment> {
        let increment = modifiers.snap.scale?;
        if modifiers.snap_kind != SnapKind::Value {
            return Some(increment);
        }
        let axis = match self.kind {
            Kind::Line { axis, .. } => axis,
            Kind::Plane { normal, .. } => normal.others()[0],
            Kind::Uniform { .. } => Axis::X,
        };
        let start = press.starts.active().0.local.scale[axis.index()].abs();
        Increment::new(increment.get() / start).or(Some(increment))
    }

    fn limited(&self, press: &Press, raw: f64, clamped: bool, increment: Option<Increment>) -> Solved {
        let wanted = factor(raw, increment, press.settings.allow_mirror);
        let axes = &press.placement.scale_axes;
        let [low, high] = press.settings.limits.factors(self.scaled, axes, &press.starts);
        let value = wanted.value.max(low).min(high);
        // A limit of 0 is not reached, because no factor leads back from 0.
        let value = if value.abs() < MIN_FACTOR { MIN_FACTOR } else { value };
        let by = DVec3::select(self.scaled, DVec3::splat(value), DVec3::ONE);
        let clamped = clamped || wanted.clamped || value != wanted.value;
        Solved::new(Change::Scale(by), clamped, [value, 0.0])
    }
}

/// Returns the factor of an axis in a motion.
fn factor_of(motion: &Motion, axis: Axis) -> f64 {
    match motion.change {
        Change::Scale(by) => by[axis.index()],
        _ => 1.0,
    }
}

impl Chain for Stretch {
    fn is_grabbed(&self) -> bool {
        match self.kind {
            Kind::Line { grab, .. } | Kind::Plane { grab, .. } => grab.is_some(),
            Kind::Uniform { grab_lpx } => grab_lpx.is_some(),
        }
    }

    fn raw(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        let (factor, clamped) = match self.kind {
            Kind::Line { line, grab, .. } => {
                let grab = grab?;
                let hit = line.within(view, line.along(view, cursor_px), grab.at, self.reach)?;
                (grab.factor(hit.value), hit.clamped)
            }
            Kind::Plane { plane, grab, .. } => {
                let grab = grab?;
                let hit = plane.point(view, cursor_px, DVec3::ZERO, self.reach.max_distance)?;
                (grab.factor(along_diagonal(&plane, hit.value)), hit.clamped)
            }
            Kind::Uniform { grab_lpx } => {
                let (press_lpx, size_lpx) = grab_lpx?;
                let cursor_lpx = (cursor_px - view.viewport().origin_px()) / view.scale_factor();
                let by = (cursor_lpx - press_lpx) / size_lpx;
                ((by.x - by.y).exp2(), false)
            }
        };
        Some(Clamped { value: DVec3::new(factor, 0.0, 0.0), clamped })
    }

    fn raw_at_press(&self) -> DVec3 {
        DVec3::X
    }

    fn rest(&self) -> [f64; 2] {
        [1.0, 0.0]
    }

    fn identity(&self) -> Change {
        Change::Scale(DVec3::ONE)
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let increment = self.increment(sample.press, sample.modifiers);
        let [offset, _] = sample.offset;
        if offset == 0.0 {
            return Some(self.limited(sample.press, sample.value.x, sample.clamped, increment));
        }
        let pointed = factor(sample.value.x, increment, sample.press.settings.allow_mirror);
        let clamped = sample.clamped || pointed.clamped;
        Some(self.limited(sample.press, pointed.value + offset, clamped, None))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, [factor, _]: [f64; 2]) -> Solved {
        let is_multiple =
            |increment: &Increment| snapped_unless_multiple(factor, |f| increment.snap(f)) == factor;
        let increment = self.increment(press, modifiers).filter(|increment| !is_multiple(increment));
        self.limited(press, factor, false, increment)
    }

    fn accumulate(&self, [a, b]: [f64; 2], [c, _]: [f64; 2]) -> [f64; 2] {
        [a * c, b]
    }

    fn press_point_world(&self) -> Option<DVec3> {
        match self.kind {
            Kind::Line { line, grab, .. } => Some(line.pivot_world + line.direction * grab?.at),
            Kind::Plane { .. } | Kind::Uniform { .. } => None,
        }
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let (start, size) = (context.start, context.layout.size_world);
        let (before, after) = (context.neutral().faded(0.7), context.ink(context.theme.active));
        match self.kind {
            Kind::Line { axis, .. } => {
                let direction = context.direction(axis);
                let [line_opacity, _] = context.theme.guide_opacity;
                let ink = context.axis_ink(axis).faded(0.6 * line_opacity);
                guides::axis_line(painter, context.axis_guide(direction), ink);
                let pressed = self.press_point_world().map(|point| (point - start).dot(direction));
                // The cube itself shows the length now.
                let length = pressed.unwrap_or(MARK * size);
                guides::tick(painter, start, start + direction * length, START_TICK_LPX, before);
            }
            Kind::Plane { normal, grab, .. } => {
                // The corners that move are where the square was grabbed, so they stay there.
                let length = grab.map_or(SQUARE_MARK * size, |grab| 0.5 * grab.at.abs());
                let sides = normal
                    .others()
                    .map(|axis| context.outward(axis, normal, self.press_point_world()) * length);
                let factor = factor_of(&context.motion, normal.others()[0]);
                guides::parallelogram(painter, start, sides, before);
                guides::parallelogram(painter, start, sides.map(|side| side * factor), after);
            }
            Kind::Uniform { .. } => {
                let Some(center_px) = context.view.px_from_world(start) else { return };
                let radius_px = SQUARE_MARK * context.layout.size_px;
                painter.circle(center_px, radius_px, before);
                let scaled_px = radius_px * factor_of(&context.motion, Axis::X).abs();
                // A larger circle is past every edge of the viewport.
                let v = context.view.viewport();
                if scaled_px < 2.0 * (v.width + v.height) {
                    painter.circle(center_px, scaled_px, after);
                }
            }
        }
    }

    fn construct(&self, context: &GuideContext<'_>, cursor_px: DVec2, painter: &mut GuidePainter<'_>) {
        let ink = context.ink(context.theme.construction);
        match self.kind {
            Kind::Line { axis, .. } => {
                guides::foot_on_axis(painter, context.start, context.direction(axis), cursor_px, ink);
            }
            Kind::Plane { normal, .. } => {
                let ray = context.view.pointer_ray(cursor_px);
                if let Some(hit) = ray.plane_hit(context.start, context.direction(normal)) {
                    guides::brought_together(painter, context.start, hit, ink);
                }
            }
            Kind::Uniform { .. } => {
                if let Some(pivot_px) = context.view.px_from_world(context.start) {
                    painter.dashes([pivot_px, cursor_px], ink);
                }
            }
        }
    }

    fn toward(&self, context: &GuideContext<'_>) -> Option<DVec3> {
        let press_point = self.press_point_world();
        match self.kind {
            Kind::Line { axis, .. } => Some(context.outward(axis, axis, press_point)),
            Kind::Plane { normal, .. } => Some(context.square(normal, press_point)),
            Kind::Uniform { .. } => None,
        }
    }

    fn handle_stretch(&self, motion: &Motion) -> HandleStretch {
        match self.kind {
            Kind::Line { axis, grab, .. } => {
                HandleStretch { factor: factor_of(motion, axis), grab_world: grab.map(|grab| grab.at) }
            }
            // The grab is the sum of the distances along both axes.
            Kind::Plane { normal, grab, .. } => HandleStretch {
                factor: factor_of(motion, normal.others()[0]),
                grab_world: grab.map(|grab| 0.5 * grab.at),
            },
            Kind::Uniform { .. } => HandleStretch::NONE,
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        match self.kind {
            Kind::Line { axis, .. } => write!(text, "{axis:?} ")?,
            Kind::Plane { normal, .. } => {
                let [a, b] = normal.others();
                write!(text, "{a:?}{b:?} ")?;
            }
            Kind::Uniform { .. } => {}
        }
        match report.typed {
            Some(typed) => write!(text, "×{typed}"),
            None => write!(text, "×{:.2}", report.numbers[0]),
        }
    }
}
