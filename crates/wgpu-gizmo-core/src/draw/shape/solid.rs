//! Arrow heads, cubes, squares and balls.

use crate::draw::item::Item;
use crate::draw::shape::conic::{circle_of, ellipse, nearest_orthogonal};
use crate::draw::shape::{Cone, Cube, Disc, Geometry, Line, Plane, Purpose, Shape, Square, brightness};
use crate::handle::MeshKind;
use glam::{DMat2, DMat4, DVec2, DVec3};

/// How far the fill of a square is from the color of its border toward white.
const FILL_TINT: f32 = 0.35;

fn solid(item: &Item, purpose: Purpose, geometry: Geometry) -> Shape {
    Shape { geometry, anchor_px: item.anchor_px, colors: [item.color; 2], halo: item.halo(purpose) }
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
    let radii = DMat2::from_cols(item.change(&base, base_item.y_axis), item.change(&base, base_item.z_axis));
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
    let unit_from_px = turn * unit_from_px;
    let cone = Cone {
        center: rim.center,
        px_from_unit: rim.px_from_unit * turn.transpose(),
        unit_from_px,
        tip: to_tip.length(),
        side_lit: (lit, lit_around),
        base_lit: is_base_visible.then_some(-item.to_light.x),
        facing,
        depths: [base.depth, tip.depth],
        stem_px: stem_px(item, base.w, purpose),
    };
    Some(solid(item, purpose, Geometry::Cone(cone)))
}

/// Returns half of the width of the gap in a head's halo, where the stem is attached.
fn stem_px(item: &Item, w: f64, purpose: Purpose) -> f64 {
    let has_gap = item.is_head && purpose == Purpose::Picture;
    if has_gap { item.half_width_px(w, purpose) + 0.5 } else { 0.0 }
}

/// Returns the direction to the eye at the origin of a part, derived from the projection there.
fn to_eye_of(item: &Item, px_from_part: &DMat4) -> DVec3 {
    let Some(center) = item.projected(px_from_part.w_axis) else { return item.to_eye };
    let [x, y, z] = [px_from_part.x_axis, px_from_part.y_axis, px_from_part.z_axis]
        .map(|axis| item.change(&center, axis));
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
    });
    let cube = Cube {
        corner: corner.px,
        edges,
        outline,
        lights: (item.to_light * signs).to_array().map(brightness),
        corner_depth: corner.depth,
        depths: ends.map(|end| 0.5 * (corner.depth - end.depth)),
        stem_px: stem_px(item, center.w, purpose) * signs.x,
    };
    Some(solid(item, purpose, Geometry::Cube(cube)))
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
    let fill = if item.mesh == MeshKind::SquareBorder { 0.0 } else { item.fill_opacity };
    // Lighter than the border, so that it stands out from a background of the same hue.
    let [r, g, b, a] = item.color;
    let [r, g, b] = [r, g, b].map(|part| part + FILL_TINT * (1.0 - part));
    let fill = [r, g, b, a * fill];
    let [first, second, _, fourth] = corners;
    let square = Square {
        sides,
        half_width: item.half_width_px(w, purpose),
        is_filled: fill[3] > 0.0,
        depth: Plane::through([first.px, second.px, fourth.px], [first.depth, second.depth, fourth.depth]),
    };
    let shape = solid(item, purpose, Geometry::Square(square));
    Some(Shape { colors: [fill, item.color], ..shape })
}

/// Returns the line through two corners of a polygon, whose normal points outside.
pub(super) fn side(a: DVec2, b: DVec2, winding: f64) -> Line {
    let Some(along) = (b - a).try_normalize() else { return Line::NOWHERE };
    Line::through(a, -along.perp() * winding)
}

/// Returns the disc of a ball with a radius of 1.
pub(super) fn disc(item: &Item, purpose: Purpose) -> Option<Shape> {
    let m = &item.px_from_part;
    let center = item.seen(DVec3::ZERO)?;
    let outline = ellipse(&[m.x_axis, m.y_axis, m.z_axis], m.w_axis)?;
    let front = item.seen(item.to_eye);
    let disc = Disc {
        center: outline.center,
        px_from_unit: outline.px_from_unit,
        depth: center.depth,
        front_depth: front.map_or(0.0, |front| front.depth - center.depth),
    };
    Some(solid(item, purpose, Geometry::Disc(disc)))
}

/// Returns true only if every point of a ring is farther than `reach_px` from a pixel, given relative to
/// the anchor.
pub(super) fn is_far_from_ring(item: &Item, px: DVec2, reach_px: f64) -> bool {
    let Some(outline) = circle_of(item) else { return false };
    let from_circle = (outline.px_from_unit.inverse() * (px - outline.center)).length() - 1.0;
    from_circle.abs() * outline.min_axis() > reach_px
}
