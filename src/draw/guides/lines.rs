//! The lines that drags show: axes, the start, lengths, and the construction of solvers.

use super::clip::{line, segment};
use super::{GuidePainter, StrokeStyle, faded};
use glam::{DVec2, DVec3};

/// The length over which an infinite line fades out at either end, in logical pixels.
const FADE_LPX: f64 = 140.0;

/// Paints the infinite axis line of a drag, which fades out at the edges of the viewport.
pub(crate) fn axis_line(painter: &mut GuidePainter<'_>, origin: DVec3, direction: DVec3, ink: StrokeStyle) {
    let Some([a, b]) = line(painter.view(), origin, direction) else { return };
    let length = a.distance(b);
    let fade = (FADE_LPX * painter.view().scale_factor()).min(0.3 * length) / length;
    let [c, d] = [fade, 1.0 - fade].map(|t| a.lerp(b, t));
    let (transparent, color) = (faded(ink.color, 0.0), ink.color);
    painter.stroke_between([a, c], [transparent, color], ink.width_lpx);
    painter.stroke_between([c, d], [color; 2], ink.width_lpx);
    painter.stroke_between([d, b], [color, transparent], ink.width_lpx);
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
