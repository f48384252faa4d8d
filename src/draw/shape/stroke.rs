use super::super::item::Item;
use super::{Projected, Purpose, Shape, ShapeKind, Stroke, lit_color};
use glam::{DVec2, DVec3, DVec4};

/// The joint of a stroke with a flat end: every pixel is inside.
const FROM_ANYWHERE: [f32; 3] = [0.0, 0.0, -1.0];
const TO_ANYWHERE: [f32; 3] = [0.0, 0.0, 1.0];

/// Returns the stem of an arrow, along X from 0 to 1.
pub(super) fn line(item: &Item, purpose: Purpose) -> Option<Shape> {
    let m = &item.px_from_part;
    let ends = clipped([m.w_axis, m.w_axis + m.x_axis], item.pivot_w)?;
    let [a, b] = [item.projected(ends[0])?, item.projected(ends[1])?];
    // The whole stem is lit like the middle line of the side that faces the viewer.
    let across = item.to_eye.reject_from_normalized(DVec3::X).normalize_or_zero();
    let color = lit_color(item.color, across.dot(item.to_light));
    Some(stroke(item, purpose, [a, b], color))
}

/// Returns a straight stroke with flat ends.
fn stroke(item: &Item, purpose: Purpose, [a, b]: [Projected; 2], color: [f32; 4]) -> Shape {
    let chord = b.px - a.px;
    let along = chord.normalize_or(DVec2::X);
    let half_widths = [a, b].map(|end| item.half_width_px(end.w, purpose));
    let data = Stroke {
        start: a.px.as_vec2().to_array(),
        along: along.as_vec2().to_array(),
        length: chord.length() as f32,
        sagitta: 0.0,
        half_widths: half_widths.map(|half| half as f32),
        from: FROM_ANYWHERE,
        to: TO_ANYWHERE,
        depths: [a.depth, b.depth].map(|depth| depth as f32),
    };
    let reach = item.reach_px(purpose);
    let across = half_widths[0].max(half_widths[1]) + reach;
    let half = along * (0.5 * chord.length() + reach);
    Shape {
        kind: ShapeKind::Line,
        data: bytemuck::cast(data),
        anchor_px: item.anchor_px,
        bounds: [0.5 * (a.px + b.px), half, along.perp() * across],
        end: DVec2::ZERO,
        reach_px: [[0.0; 2]; 2],
        colors: [color; 2],
        depth: [0.0; 4],
        halo: item.halo(purpose),
    }
}

/// Clips a segment between homogeneous points to those in front of the viewer.
fn clipped([a, b]: [DVec4; 2], pivot_w: f64) -> Option<[DVec4; 2]> {
    // Twice the minimum of `Item::projected`.
    let min = 2.0 * super::MIN_W * pivot_w;
    let at = |from: DVec4, to: DVec4| from + (to - from) * ((min - from.w) / (to.w - from.w));
    match (a.w > min, b.w > min) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, at(a, b)]),
        (false, true) => Some([at(b, a), b]),
        (false, false) => None,
    }
}
