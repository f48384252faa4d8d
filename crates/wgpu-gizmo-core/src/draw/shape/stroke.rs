use crate::draw::item::Item;
use crate::draw::shape::{Edge, Geometry, Line, Projected, Purpose, Shape, Stroke, lit_color};
use glam::{DVec2, DVec3, DVec4};

/// The smallest w at which a stem ends, relative to that of the pivot. There it has left the view, but is not so far away
/// on screen that [`Item::projected`] drops it.
const MIN_STEM_W: f64 = 0.02;

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
    let along = (b.px - a.px).normalize_or(DVec2::X);
    let half_widths = [a, b].map(|end| item.half_width_px(end.w, purpose));
    let half_width = half_widths[0].max(half_widths[1]);
    let bounds = [Line::through(a.px, -along), Line::through(b.px, along)];
    let side = along.perp() * half_width;
    let mut edge = Edge::new([a.px, b.px], 0.0, bounds, &[a.px - side, a.px + side]);
    edge.half_widths = Some(half_widths);
    edge.depth.value = a.depth;
    edge.depth.change = along * ((b.depth - a.depth) / edge.length);
    let beyond_px = item.reach_px(purpose);
    let reach_px = [[half_width + beyond_px; 2]; 2];
    Shape {
        geometry: Geometry::Stroke(Stroke { edge, ends: [a.px, b.px], reach_px, beyond_px }),
        anchor_px: item.anchor_px,
        colors: [color; 2],
        halo: item.halo(purpose),
    }
}

/// Clips a segment between homogeneous points to those in front of the viewer.
fn clipped([a, b]: [DVec4; 2], pivot_w: f64) -> Option<[DVec4; 2]> {
    let min = MIN_STEM_W * pivot_w;
    let at = |from: DVec4, to: DVec4| from + (to - from) * ((min - from.w) / (to.w - from.w));
    match (a.w > min, b.w > min) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, at(a, b)]),
        (false, true) => Some([at(b, a), b]),
        (false, false) => None,
    }
}
