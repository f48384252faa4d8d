use crate::draw::grid::Grid;
use crate::draw::guides::{AxisGuide, GuidePainter, StrokeStyle};
use crate::draw::{HandleStretch, Layout};
use crate::handle::{Axis, Rgba, Theme};
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::lines::Clamped;
use crate::interaction::settings::Modifiers;
use crate::interaction::targets::motion::{Change, Motion};
use crate::math::View;
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::fmt;

/// A snap hook: receives the moved pivot and returns the point to snap to, both in world space.
pub(crate) type SnapHook<'a> = dyn FnMut(DVec3) -> Option<DVec3> + 'a;

/// The point that a translation snaps to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Snapped {
    pub(crate) point_world: DVec3,
    /// A rotation about that point.
    pub(crate) turn: Option<DQuat>,
}

impl Snapped {
    /// Returns the source that a displacement would bring nearest to the point, or `default` if there are none.
    pub(crate) fn nearest(&self, sources: &[DVec3], by: DVec3, default: DVec3) -> DVec3 {
        let distance = |source: &DVec3| (*source + by).distance_squared(self.point_world);
        let nearest = sources.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.copied().unwrap_or(default)
    }

    /// Adds the rotation about the source to a displacement, and returns the motion of a pivot.
    pub(crate) fn turned(&self, solved: Solved, source_world: DVec3, pivot_world: DVec3) -> Solved {
        let (Some(turn), Change::Translate(by)) = (self.turn, solved.motion.change) else { return solved };
        let arm = pivot_world - source_world;
        let change = Change::Place { by: by + (turn * arm - arm), turn };
        Solved { motion: Motion { change, ..solved.motion }, ..solved }
    }
}

/// A motion, and the numbers that the user controls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    pub(crate) motion: Motion,
    pub(crate) numbers: [f64; 2],
}

impl Solved {
    pub(crate) fn new(change: Change, clamped: bool, numbers: [f64; 2]) -> Self {
        Self { motion: Motion { change, clamped }, numbers }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.motion.change.is_finite() && self.numbers.iter().all(|number| number.is_finite())
    }
}

/// One cursor position after precision is applied, with its view and modifiers.
pub(crate) struct Sample<'a> {
    pub(crate) press: &'a Press,
    pub(crate) view: &'a View,
    pub(crate) modifiers: Modifiers,
    pub(crate) value: DVec3,
    /// Whether the reach has clamped the cursor.
    pub(crate) clamped: bool,
    /// The point that the pointer snaps to, which replaces hook and increments.
    pub(crate) snapped: Option<Snapped>,
    /// The points of the targets that may be moved to it, at their positions at the press: the nearest one is. If
    /// there are none, it is the pivot.
    pub(crate) sources_world: &'a [DVec3],
    /// The numbers that nudges add to those of the cursor, after snapping.
    pub(crate) offset: [f64; 2],
}

/// The state of a drag that its readout reports.
pub(crate) struct Report<'a> {
    pub(crate) typed: Option<&'a str>,
    pub(crate) motion: Motion,
    pub(crate) numbers: [f64; 2],
    /// The displacement of the pivot in world space.
    pub(crate) displacement: DVec3,
    pub(crate) axes: DMat3,
    /// The digits after the decimal point of a length.
    pub(crate) digits: usize,
}

/// A drag as one view shows it.
pub(crate) struct GuideContext<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) press: &'a Press,
    pub(crate) axes: DMat3,
    pub(crate) motion: Motion,
    pub(crate) cursor_px: Option<DVec2>,
    pub(crate) modifiers: Modifiers,
    pub(crate) view: &'a View,
    /// The layout of the gizmo at its current position.
    pub(crate) layout: &'a Layout,
    /// The pivot at the press.
    pub(crate) start: DVec3,
}

impl GuideContext<'_> {
    pub(crate) fn ink(&self, color: Rgba) -> StrokeStyle {
        StrokeStyle { color, width_lpx: self.theme.guide_lpx }
    }

    pub(crate) fn neutral(&self) -> StrokeStyle {
        self.ink(self.theme.guide)
    }

    pub(crate) fn axis_ink(&self, axis: Axis) -> StrokeStyle {
        self.ink(self.theme.axes[axis.index()])
    }

    /// Returns the axis line from the pivot at the press to the current one.
    pub(crate) fn axis_guide(&self, direction: DVec3) -> AxisGuide {
        let ends = [self.start, self.layout.pivot_world];
        AxisGuide { ends, direction, size_px: self.layout.size_px }
    }

    pub(crate) fn direction(&self, axis: Axis) -> DVec3 {
        self.axes.col(axis.index())
    }

    /// Returns the direction of an axis on the side of the pivot that was pressed: the negative one if
    /// the handle was flipped toward the viewer. `named` is the axis of the constraint, and
    /// `press_point` the grabbed point if it is known.
    pub(crate) fn outward(&self, axis: Axis, named: Axis, press_point: Option<DVec3>) -> DVec3 {
        let direction = self.direction(axis);
        let on_plane = || {
            let ray = self.press.view.pointer_ray(self.press.cursor_px?);
            ray.plane_hit(self.start, self.direction(named))
        };
        let pressed = press_point.or_else(on_plane);
        let is_behind = pressed.is_some_and(|point| (point - self.start).dot(direction) < 0.0);
        if is_behind { -direction } else { direction }
    }

    /// Returns the displacement from the pivot to the square of a plane handle, in sizes.
    pub(crate) fn square(&self, normal: Axis, press_point: Option<DVec3>) -> DVec3 {
        let [a, b] = normal.others().map(|axis| self.outward(axis, normal, press_point));
        0.4 * (a + b)
    }
}

/// The steps from the cursor to a motion, implemented by every gesture.
pub(crate) trait Chain {
    /// Returns true if the cursor grabs a point of the handle. If it does not, only keys change the motion.
    fn is_grabbed(&self) -> bool;

    /// Returns the value of the cursor before precision and snapping: the number of the handle in X, a
    /// displacement in world space for a plane, or the cursor for the trackball. `None` if the cursor
    /// has no solution.
    fn raw(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>>;

    /// Returns [`Chain::raw`] at the press.
    fn raw_at_press(&self) -> DVec3;

    /// Returns true if the value is an angle. A cursor determines an angle only up to whole turns, so those
    /// must be counted.
    fn counts_turns(&self) -> bool {
        false
    }

    /// Returns the numbers of the identity, which replace typed numbers that are missing.
    fn rest(&self) -> [f64; 2] {
        [0.0; 2]
    }

    /// Returns the identity: the change that moves nothing.
    fn identity(&self) -> Change;

    /// Returns how many numbers the user controls: 1 or 2.
    fn number_count(&self) -> usize {
        1
    }

    /// Returns the motion for a cursor position: snapping, then limits.
    fn solve(&self, sample: &Sample<'_>, hook: &mut SnapHook<'_>) -> Option<Solved>;

    /// Converts a typed number to the unit of the handle: degrees to radians.
    fn number_from_typed(&self, typed: f64) -> f64 {
        typed
    }

    /// Returns the motion for numbers in the unit of the handle, which are snapped: world units, radians or
    /// a factor.
    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, numbers: [f64; 2]) -> Solved;

    /// Adds an amount of a stream to the numbers so far. Factors are multiplied.
    fn accumulate(&self, [a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
        [a + c, b + d]
    }

    /// Projects a displacement in world space onto the line or plane, if there is one.
    fn project(&self, _press: &Press, _by_world: DVec3) -> Option<Solved> {
        None
    }

    /// Converts the lead of a precise drag (the part of the motion that is ahead of the cursor) for use by
    /// other constraints: to world space for translations.
    fn lead_world(&self, lead: DVec3) -> DVec3 {
        lead
    }

    /// Converts a lead of [`Chain::lead_world`] to this gesture.
    fn lead_from_world(&self, lead: DVec3) -> DVec3 {
        lead
    }

    /// Returns the named axis of the reference frame that targets rotate about, if there is one.
    fn rotation_axis(&self) -> Option<Axis> {
        None
    }

    /// Returns the grabbed point, if it is one point of a line or plane.
    fn press_point_world(&self) -> Option<DVec3> {
        None
    }

    /// Returns the grid of the plane that the drag moves in, if it moves in one.
    fn grid(&self, _context: &GuideContext<'_>) -> Option<Grid> {
        None
    }

    /// Paints the guides below the handles.
    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>);

    /// Paints the construction lines: how the solver gets from the cursor to its value. The cursor lies in
    /// the viewport.
    fn construct(&self, context: &GuideContext<'_>, cursor_px: DVec2, painter: &mut GuidePainter<'_>);

    /// Returns the displacement from the pivot to the dragged handle, in sizes.
    fn toward(&self, _context: &GuideContext<'_>) -> Option<DVec3> {
        None
    }

    /// Returns how a scale handle follows the pointer.
    fn handle_stretch(&self, _motion: &Motion) -> HandleStretch {
        HandleStretch::NONE
    }

    /// Returns the typical number of characters of the readout.
    fn readout_width(&self) -> usize {
        14
    }

    /// Writes the readout: the typed text, or the motion.
    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result;
}

/// Writes an angle in degrees.
pub(crate) fn write_degrees(text: &mut String, radians: f64) -> fmt::Result {
    fmt::Write::write_fmt(text, format_args!("{:.1}°", without_minus_zero(radians.to_degrees(), 1)))
}

/// Returns 0 instead of a number that rounds to −0.
pub(crate) fn without_minus_zero(number: f64, digits: usize) -> f64 {
    if number.abs() * 10f64.powi(digits as i32) < 0.5 { 0.0 } else { number }
}

/// Snaps a number. A number that is already a multiple, up to rounding, keeps its bits.
pub(crate) fn snapped_unless_multiple(number: f64, snap: impl FnOnce(f64) -> f64) -> f64 {
    let snapped = snap(number);
    if (snapped - number).abs() <= 4.0 * f64::EPSILON * number.abs() { number } else { snapped }
}
