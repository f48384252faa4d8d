//! The lines that drags show: axes, the start, lengths, and the construction of solvers.

use super::clip::{line, segment};
use super::{GuidePainter, StrokeStyle};
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

/// Rounds `least` up to 1, 2 or 5 times a power of ten.
pub(crate) fn nice_length(least: f64) -> Option<f64> {
    let power = 10f64.powf(least.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|nice| *nice >= least * 0.999);
    nice.filter(|nice| nice.is_finite() && *nice > 0.0)
}

/// Paints a circle at the start of a drag, and a stroke from there to the current position.
pub(crate) fn start_ghost(painter: &mut GuidePainter<'_>, start: DVec3, now: DVec3, ink: StrokeStyle) {
    let view = *painter.view();
    let scale = view.scale_factor();
    let Some(start_px) = view.px_from_world(start) else { return };
    let distance = view.px_from_world(now).map_or(f64::INFINITY, |px| px.distance(start_px));
    // Fades in over a few pixels, so that nothing pops up at the first one.
    let opacity = ((distance / scale - 3.0) / 8.0).clamp(0.0, 1.0) as f32;
    if opacity <= 0.0 {
        return;
    }
    let Some(seen) = segment(&view, start, now) else { return };
    let [from, to] = seen.px;
    let ring_px = 4.0 * scale;
    let past_ring = if seen.t[0] > 0.0 { from } else { from + (to - from).normalize_or_zero() * ring_px };
    painter.stroke([past_ring, to], ink.faded(0.7 * opacity));
    painter.circle(start_px, ring_px, ink.faded(opacity));
}

/// Paints a length along an axis, with ticks at its start value and its current value.
pub(crate) fn scaled_length(
    painter: &mut GuidePainter<'_>,
    [pivot, start, now]: [DVec3; 3],
    before: StrokeStyle,
    after: StrokeStyle,
) {
    painter.world_stroke(pivot, now, after);
    tick(painter, pivot, start, before);
    tick(painter, pivot, now, after);
}

/// Paints a short stroke at `at`, perpendicular to the direction from `from` to `at`.
fn tick(painter: &mut GuidePainter<'_>, from: DVec3, at: DVec3, ink: StrokeStyle) {
    let view = *painter.view();
    let (Some(from), Some(at)) = (view.px_from_world(from), view.px_from_world(at)) else { return };
    let across = (at - from).perp().normalize_or(DVec2::Y) * (7.0 * view.scale_factor());
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
        for (least, nice) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.021, 0.05), (51.0, 100.0), (3e-7, 5e-7)]
        {
            let found = nice_length(least).expect("positive");
            assert!((found / nice - 1.0).abs() < 1e-9, "{least}: {found}");
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(nice_length(bad), None, "{bad}");
        }
    }
}
