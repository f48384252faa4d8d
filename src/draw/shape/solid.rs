//! Arrow heads, cubes, squares and balls.

use super::super::item::Item;
use super::conic::{circle_of, ellipse, nearest_orthogonal};
use super::{Cone, Cube, Disc, Purpose, Shape, ShapeKind, Square, brightness, upright};
use crate::handle::MeshKind;
use bytemuck::Pod;
use glam::{DMat2, DMat4, DVec2, DVec3};

/// How far the fill of a square is from the color of its border toward white.
const FILL_TINT: f32 = 0.35;

/// Returns a shape inside of the rectangle from `min` to `max`.
fn solid(item: &Item, purpose: Purpose, kind: ShapeKind, data: impl Pod, [min, max]: [DVec2; 2]) -> Shape {
    let reach = item.reach_px(purpose);
    Shape {
        kind,
        data: bytemuck::cast(data),
        anchor_px: item.anchor_px,
        bounds: upright(min - reach, max + reach),
        end: DVec2::ZERO,
        reach_px: [[0.0; 2]; 2],
        colors: [item.color; 2],
        depth: [0.0; 4],
        halo: item.halo(purpose),
    }
}

/// Returns an arrow head, whose base is at the origin.
pub(super) fn cone(item: &Item, purpose: Purpose) -> Option<Shape> {
    let [height, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
    let base = item.seen(DVec3::ZERO)?;
    let tip = item.seen(DVec3::X * height)?;
    let m = item.px_from_part;
    let base_item = DMat4::from_cols(m.x_axis, m.y_axis * radius, m.z_axis * radius, m.w_axis);
    let rim = ellipse(&[base_item.y_axis, base_item.z_axis], base_item.w_axis)?;
    // The radii of the base on screen, as columns. They are needed in addition to the ellipse, which does
    // not tell which of its points they are.
    let radii =
        DMat2::from_cols(item.change(&base, base_item.y_axis).0, item.change(&base, base_item.z_axis).0);
    let unit_from_px = rim.px_from_unit.inverse();
    let to_tip = unit_from_px * (tip.px - rim.center);
    let turn = DMat2::from_cols_array(&match to_tip.try_normalize() {
        Some(x) => [x.x, -x.y, x.y, x.x],
        None => [1.0, 0.0, 0.0, 1.0],
    });
    // Maps a direction (y, z) of the base, in part space, to the unit circle.
    let unit_from_base = turn * nearest_orthogonal(radii);
    let slope = height.hypot(radius);
    let side = |toward: DVec3| {
        let around = unit_from_base * DVec2::new(toward.y, toward.z) * (height / slope);
        (toward.x * radius / slope, around)
    };
    let (lit, lit_around) = side(item.to_light);
    let (_, facing) = side(item.to_eye);
    let is_base_visible = to_eye_of(item, &base_item).x < 0.0;
    let data = Cone {
        center: rim.center.as_vec2().to_array(),
        unit_from_px: (turn * unit_from_px).as_mat2().to_cols_array(),
        tip: to_tip.length() as f32,
        side_lit: [lit as f32, lit_around.x as f32, lit_around.y as f32],
        base_lit: if is_base_visible { -item.to_light.x as f32 } else { 2.0 },
        facing: facing.as_vec2().to_array(),
        depths: [base.depth, tip.depth].map(|depth| depth as f32),
        stem: stem_px(item, base.w, purpose),
    };
    // The halo of a base that is seen edge-on is a little wider.
    let half = rim.half_sides() + 0.6;
    let bounds = [(rim.center - half).min(tip.px), (rim.center + half).max(tip.px)];
    Some(solid(item, purpose, ShapeKind::Cone, data, bounds))
}

/// Returns half of the width of the gap in a head's halo, where the stem is attached.
fn stem_px(item: &Item, w: f64, purpose: Purpose) -> f32 {
    if item.is_head { (item.half_width_px(w, purpose) + 0.5) as f32 } else { 0.0 }
}

/// Returns the direction to the eye at the origin of a part, derived from the projection there.
fn to_eye_of(item: &Item, px_from_part: &DMat4) -> DVec3 {
    let Some(center) = item.projected(px_from_part.w_axis) else { return item.to_eye };
    let [x, y, z] = [px_from_part.x_axis, px_from_part.y_axis, px_from_part.z_axis]
        .map(|axis| item.change(&center, axis).0);
    // Moving along it does not change the pixel.
    let along = DVec3::new(y.perp_dot(z), z.perp_dot(x), x.perp_dot(y));
    if along.dot(item.to_eye) < 0.0 { -along } else { along }
}

/// Returns a cube with half extents of 1.
pub(super) fn cube(item: &Item, purpose: Purpose) -> Option<Shape> {
    let m = &item.px_from_part;
    let center = item.seen(DVec3::ZERO)?;
    let signs = DVec3::from_array(to_eye_of(item, m).to_array().map(f64::signum));
    let at = |x: f64, y: f64, z: f64| item.seen(DVec3::new(x, y, z) * signs);
    let corner = at(1.0, 1.0, 1.0)?;
    let ends = [at(-1.0, 1.0, 1.0)?, at(1.0, -1.0, 1.0)?, at(1.0, 1.0, -1.0)?];
    let edges = ends.map(|end| 0.5 * (corner.px - end.px));
    // The middles of the four edges along each axis.
    let middles = |y: f64, z: f64| Some([at(0.0, y, z)?.px, at(y, 0.0, z)?.px, at(y, z, 0.0)?.px]);
    let middles = [middles(1.0, 1.0)?, middles(1.0, -1.0)?, middles(-1.0, 1.0)?, middles(-1.0, -1.0)?];
    let outline: [_; 3] = std::array::from_fn(|i| {
        let normal = edges[i].perp().normalize_or_zero();
        let across = middles.map(|middles| normal.dot(middles[i]));
        [
            across.into_iter().fold(f64::INFINITY, f64::min),
            across.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ]
        .map(|end| end as f32)
    });
    let data = Cube {
        corner: corner.px.as_vec2().to_array(),
        edges: edges.map(|edge| edge.as_vec2().to_array()),
        outline,
        unused: 0.0,
        stem: stem_px(item, center.w, purpose) * signs.x as f32,
    };
    // In perspective, the other edges have slightly different directions and lengths.
    let slack = 1.05 * (center.w / corner.w).powi(2);
    let halves = edges.map(|edge| edge.abs() * slack);
    let each = || middles.iter().flat_map(|middles| middles.iter().zip(halves));
    let min = each().fold(corner.px, |min, (middle, half)| min.min(*middle - half));
    let max = each().fold(corner.px, |max, (middle, half)| max.max(*middle + half));
    let mut shape = solid(item, purpose, ShapeKind::Cube, data, [min, max]);
    let [x, y, z] = (item.to_light * signs).to_array().map(|lit| brightness(lit) as f32);
    shape.colors[1] = [x, y, z, 1.0];
    let along = ends.map(|end| (0.5 * (corner.depth - end.depth)) as f32);
    shape.depth = [corner.depth as f32, along[0], along[1], along[2]];
    Some(shape)
}

/// Returns a square in the YZ plane: from 0 to 1, filled and with a border, or from -1 to 1 with a border
/// alone.
pub(super) fn square(item: &Item, purpose: Purpose) -> Option<Shape> {
    let low = if item.mesh == MeshKind::SquareBorder { -1.0 } else { 0.0 };
    let corner = |y: f64, z: f64| item.seen(DVec3::new(0.0, y, z));
    let corners = [corner(low, low)?, corner(1.0, low)?, corner(1.0, 1.0)?, corner(low, 1.0)?];
    let px = corners.map(|corner| corner.px);
    let area: f64 = (0..4).map(|i| px[i].perp_dot(px[(i + 1) % 4])).sum();
    let winding = if area < 0.0 { -1.0 } else { 1.0 };
    let sides: [_; 4] = std::array::from_fn(|i| side(px[i], px[(i + 1) % 4], winding));
    let w = 0.25 * corners.iter().map(|corner| corner.w).sum::<f64>();
    let half_width = item.half_width_px(w, purpose);
    let [a, b, _, d] = corners;
    let data = Square {
        sides,
        half_width: half_width as f32,
        depth: plane([a.px, b.px, d.px], [a.depth, b.depth, d.depth]).map(|part| part as f32),
    };
    let outer_width = half_width + item.reach_px(purpose);
    let outer =
        std::array::from_fn::<_, 4, _>(|i| mitered(px[i], [sides[(i + 3) % 4], sides[i]], outer_width));
    let min = outer.into_iter().fold(DVec2::INFINITY, DVec2::min);
    let max = outer.into_iter().fold(DVec2::NEG_INFINITY, DVec2::max);
    let mut shape = solid(item, purpose, ShapeKind::Square, data, [min, max]);
    let fill = if item.mesh == MeshKind::SquareBorder { 0.0 } else { item.fill_opacity };
    // Lighter than the border, so that it stands out from a background of the same hue.
    let [r, g, b, a] = item.color;
    let [r, g, b] = [r, g, b].map(|part| part + FILL_TINT * (1.0 - part));
    shape.colors[0] = [r, g, b, a * fill];
    Some(shape)
}

/// Returns the corner of a polygon whose sides are moved outward.
fn mitered(corner: DVec2, sides: [[f32; 3]; 2], by: f64) -> DVec2 {
    let [a, b] = sides.map(|[x, y, _]| DVec2::new(x.into(), y.into()));
    // Bounded for a square seen edge-on.
    corner + (a + b) * (by / (1.0 + a.dot(b)).max(0.05))
}

/// Returns the line through two corners of a polygon, with a distance that is positive outside.
pub(super) fn side(a: DVec2, b: DVec2, winding: f64) -> [f32; 3] {
    let Some(along) = (b - a).try_normalize() else { return [0.0, 0.0, 1e3] };
    let out = -along.perp() * winding;
    [out.x as f32, out.y as f32, out.dot(a) as f32]
}

/// Returns the linear function with these values at these points: its value at the origin, and its change
/// per pixel.
pub(super) fn plane([a, b, c]: [DVec2; 3], [va, vb, vc]: [f64; 3]) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let area = ab.perp_dot(ac);
    let change = (DVec2::new(ac.y, -ac.x) * (vb - va) + DVec2::new(-ab.y, ab.x) * (vc - va)) / area;
    if !change.is_finite() || area.abs() < 1e-3 {
        return [(va + vb + vc) / 3.0, 0.0, 0.0];
    }
    [va - change.dot(a), change.x, change.y]
}

/// Returns the disc of a ball with a radius of 1.
pub(super) fn disc(item: &Item, purpose: Purpose) -> Option<Shape> {
    let m = &item.px_from_part;
    let center = item.seen(DVec3::ZERO)?;
    let outline = ellipse(&[m.x_axis, m.y_axis, m.z_axis], m.w_axis)?;
    let front = item.seen(item.to_eye);
    let data = Disc {
        center: outline.center.as_vec2().to_array(),
        unit_from_px: outline.px_from_unit.inverse().as_mat2().to_cols_array(),
        depths: [center.depth, front.map_or(0.0, |front| front.depth - center.depth)]
            .map(|depth| depth as f32),
        unused: [0.0; 8],
    };
    let half = outline.half_sides();
    Some(solid(item, purpose, ShapeKind::Disc, data, [outline.center - half, outline.center + half]))
}

/// Returns true only if every point of a ring is farther than `reach_px` from a pixel, given relative to
/// the anchor.
pub(super) fn is_far_from_ring(item: &Item, px: DVec2, reach_px: f64) -> bool {
    let Some(outline) = circle_of(item) else { return false };
    let from_circle = (outline.px_from_unit.inverse() * (px - outline.center)).length() - 1.0;
    from_circle.abs() * outline.min_axis() > reach_px
}
