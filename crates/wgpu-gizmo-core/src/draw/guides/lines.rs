//! The lines that drags show: axes, the start, lengths, and the construction of solvers.

use crate::draw::guides::clip::{line, segment};
use crate::draw::guides::{GuidePainter, StrokeStyle};
use crate::math::is_positive;
use glam::{DVec2, DVec3};

/// How far the axis line of a drag reaches beyond the pivot and its start, in sizes.
const AXIS_REACH: f64 = 2.5;

/// The axis line of a drag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisGuide {
    /// The pivot at the start, and now.
    pub(crate) ends: [DVec3; 2],
    pub(crate) direction: DVec3,
    /// The size of the gizmo.
    pub(crate) size_px: f64,
}

/// Paints the axis line of a drag, from the start to the current pivot. It reaches beyond both and fades out
/// there: a line across the whole view would cost more than the handle.
pub(crate) fn axis_line(
    painter: &mut GuidePainter<'_>,
    AxisGuide { ends: [start, now], direction, size_px }: AxisGuide,
    ink: StrokeStyle,
) {
    let Some([a, b]) = line(painter.view(), start, direction) else { return };
    let (length, along) = (a.distance(b), (b - a).normalize_or_zero());
    let at = |point: DVec3| {
        let px = painter.view().px_from_world(point)?;
        Some((px - a).dot(along).clamp(0.0, length))
    };
    let (Some(start), Some(now)) = (at(start), at(now)) else { return };
    let reach = AXIS_REACH * size_px;
    let (low, high) = (start.min(now), start.max(now));
    let px = |at: f64| a + along * at;
    painter.needle([px(low), px((low - reach).max(0.0))], ink);
    painter.stroke([px(low), px(high)], ink);
    painter.needle([px(high), px((high + reach).min(length))], ink);
}

/// The ticks along the axis line of a drag that snaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisTicks {
    /// A point that is snapped to.
    pub(crate) origin: DVec3,
    /// Unit length.
    pub(crate) direction: DVec3,
    /// The distance between the points that are snapped to, in world units.
    pub(crate) increment: f64,
    /// The current pivot, and the size of the gizmo in world units.
    pub(crate) now: DVec3,
    pub(crate) size_world: f64,
    /// The direction from the pivot to the handle: the direction of the axis or its opposite.
    pub(crate) outward: DVec3,
}

/// The distance from the pivot in sizes beyond which the handle would cover ticks.
const TICKS_BEFORE_HANDLE: f64 = 0.1;

/// How far the ticks reach from the current pivot, in sizes.
const TICKS_REACH: f64 = 1.5;
/// Half of the length of a tick, in logical pixels.
const TICK_LPX: f64 = 5.0;
/// The minimum distance between ticks, in logical pixels.
const TICKS_SPACING_LPX: f64 = 10.0;

/// Paints ticks at the points that a drag along an axis snaps to, which fade out with the distance from the
/// current pivot. If they are too close together, only every 2nd, 5th, 10th, 20th, … is painted.
pub(crate) fn axis_ticks(painter: &mut GuidePainter<'_>, ticks: AxisTicks, ink: StrokeStyle) {
    let AxisTicks { origin, direction, increment, now, size_world, outward } = ticks;
    let view = painter.view();
    let reach = TICKS_REACH * size_world;
    let around = [-0.05, 0.05].map(|at| view.px_from_world(now + direction * (at * size_world)));
    let [Some(before), Some(after)] = around else { return };
    let min_spacing =
        TICKS_SPACING_LPX * view.scale_factor() * 0.1 * size_world / before.distance(after).max(1e-6);
    let spacing = match increment < min_spacing {
        true => nice_length(min_spacing / increment).map(|nice| increment * nice),
        false => Some(increment),
    };
    let Some(spacing) = spacing.filter(|spacing| is_positive(*spacing)) else { return };
    let at = (now - origin).dot(direction);
    let (first, last) = (((at - reach) / spacing).ceil(), ((at + reach) / spacing).floor());
    // An axis that points at the viewer has no room for ticks.
    if !(0.0..200.0).contains(&(last - first)) {
        return;
    }
    // Counted in integers: so far from the origin that adding 1 changes nothing, a sum would never end.
    for i in 0..=(last - first) as u32 {
        let step = first + f64::from(i);
        let faintness = ((step * spacing - at) / reach).powi(2);
        let point = origin + direction * (step * spacing);
        if (point - now).dot(outward) < TICKS_BEFORE_HANDLE * size_world {
            tick(painter, now, point, TICK_LPX, ink.faded(1.0 - faintness as f32));
        }
    }
}

/// Rounds `min` up to 1, 2 or 5 times a power of ten.
pub(crate) fn nice_length(min: f64) -> Option<f64> {
    let power = 10f64.powf(min.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|nice| *nice >= min * 0.999);
    nice.filter(|nice| is_positive(*nice))
}

/// Paints a circle at the start of a drag, and a stroke from there to the current position.
pub(crate) fn start_ghost(painter: &mut GuidePainter<'_>, start: DVec3, now: DVec3, ink: StrokeStyle) {
    let view = painter.view();
    let scale = view.scale_factor();
    let Some(start_px) = view.px_from_world(start) else { return };
    let distance = view.px_from_world(now).map_or(f64::INFINITY, |px| px.distance(start_px));
    // Fades in over a few pixels, so that nothing pops up at the first one.
    let opacity = ((distance / scale - 3.0) / 8.0).clamp(0.0, 1.0) as f32;
    if opacity <= 0.0 {
        return;
    }
    let Some(seen) = segment(view, start, now) else { return };
    let [from, to] = seen.px;
    let ring_px = 4.0 * scale;
    let past_ring = if seen.t[0] > 0.0 { from } else { from + (to - from).normalize_or_zero() * ring_px };
    painter.stroke([past_ring, to], ink.faded(0.7 * opacity));
    painter.circle(start_px, ring_px, ink.faded(opacity));
}

/// Paints a short stroke at `at`, perpendicular to the direction from `from` to `at`. `half_lpx` is half of its
/// length in logical pixels.
pub(crate) fn tick(painter: &mut GuidePainter<'_>, from: DVec3, at: DVec3, half_lpx: f64, ink: StrokeStyle) {
    let view = painter.view();
    let (Some(from), Some(at)) = (view.px_from_world(from), view.px_from_world(at)) else { return };
    let across = (at - from).perp().normalize_or(DVec2::Y) * (half_lpx * view.scale_factor());
    if painter.is_in_sight(at, 0.0) {
        painter.stroke([at - across, at + across], ink);
    }
}

/// Paints the outline of a parallelogram with one corner at the pivot.
pub(crate) fn parallelogram(
    painter: &mut GuidePainter<'_>,
    pivot: DVec3,
    sides: [DVec3; 2],
    ink: StrokeStyle,
) {
    let [a, b] = sides;
    let corners = [pivot, pivot + a, pivot + a + b, pivot + b];
    for i in 0..4 {
        painter.world_stroke(corners[i], corners[(i + 1) % 4], ink);
    }
}

/// Paints the screen projection of the cursor onto an axis: the drawn axis and the foot of the cursor.
pub(crate) fn foot_on_axis(
    painter: &mut GuidePainter<'_>,
    origin: DVec3,
    direction: DVec3,
    cursor: DVec2,
    ink: StrokeStyle,
) {
    let Some([a, b]) = line(painter.view(), origin, direction) else { return };
    painter.stroke([a, b], ink.faded(0.8));
    let along = (b - a).normalize_or_zero();
    let foot = a + along * (cursor - a).dot(along);
    painter.dashes([cursor, foot], ink);
    mark(painter, foot, ink);
}

/// Paints two points that a solver brings together, and a dashed line between them.
pub(crate) fn brought_together(
    painter: &mut GuidePainter<'_>,
    on_axis: DVec3,
    other: DVec3,
    ink: StrokeStyle,
) {
    if let Some(seen) = segment(painter.view(), on_axis, other) {
        painter.dashes(seen.px, ink);
    }
    for point in [on_axis, other] {
        if let Some(px) = painter.view().px_from_world(point) {
            mark(painter, px, ink);
        }
    }
}

/// Paints a small cross.
fn mark(painter: &mut GuidePainter<'_>, at: DVec2, ink: StrokeStyle) {
    let arm = 4.0 * painter.view().scale_factor();
    if !painter.is_in_sight(at, 0.0) {
        return;
    }
    for across in [DVec2::new(arm, arm), DVec2::new(arm, -arm)] {
        painter.stroke([at - across, at + across], ink);
    }
}

#[cfg(test)]
mod tests {
    use super::nice_length;

    #[test]
    fn nice_length_rounds_up_to_one_two_or_five() {
        for (min, nice) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.021, 0.05), (51.0, 100.0), (3e-7, 5e-7)] {
            let found = nice_length(min).expect("the length is positive");
            assert!((found / nice - 1.0).abs() < 1e-9, "{min}: {found}");
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(nice_length(bad), None, "{bad}");
        }
    }
}
