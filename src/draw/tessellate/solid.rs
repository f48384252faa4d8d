//! Arrow heads, cubes, squares, balls, and triangles of custom meshes.

use super::edges::{Edge, Edges, Inset, Stem};
use super::{ShapeRim, Triangles, crossing, shade, vec};
use crate::draw::shape::{Cone, Cube, Disc, Shape, Triangle, ball_light, brightness};
use crate::handle::Rgba;
use glam::{DMat2, DVec2};
use std::f64::consts::TAU;

/// The distance of a polygon from the curve that it follows, in pixels.
const TOLERANCE_PX: f64 = 0.1;

/// Returns the number of pieces that an arc of this angle and radius is divided into.
fn pieces(angle: f64, radius_px: f64) -> u32 {
    let step = 2.0 * (1.0 - TOLERANCE_PX / radius_px.max(1.0)).acos();
    (angle / step).ceil().clamp(1.0, 96.0) as u32
}

fn lit([r, g, b, a]: Rgba, light: f64) -> Rgba {
    let light = light as f32;
    [r * light, g * light, b * light, a]
}

impl Shape {
    pub(super) fn halo_px(&self) -> f64 {
        if self.halo.opacity > 0.0 { self.halo.width_px } else { 0.0 }
    }
}

/// A cone on screen.
struct ConeAt {
    center: DVec2,
    px_from_unit: DMat2,
    /// The tip, in the space in which the base is the unit circle.
    tip: f64,
    /// Half of the angle, seen from the center of the base, between the points where the sides touch it.
    touch: f64,
    color: Rgba,
    /// The cosine to the light: a constant, and its change around the base.
    side_lit: [f64; 3],
    /// -1 if the side that faces the viewer is that beyond the base, as rounding can have it for a base that is
    /// seen edge-on.
    mirror: f64,
    /// The color of the base, if it is seen.
    base: Option<Rgba>,
}

impl ConeAt {
    fn new(shape: &Shape) -> Option<Self> {
        let data: Cone = bytemuck::cast(shape.data);
        let [a, b, c, d] = data.unit_from_px;
        let tip = f64::from(data.tip);
        let base_lit = f64::from(data.base_lit);
        let facing = f64::from(data.facing[0]) * if base_lit < 1.5 { 1.0 } else { -1.0 };
        let cone = Self {
            center: shape.anchor_px + vec(data.center),
            px_from_unit: DMat2::from_cols(vec([a, b]), vec([c, d])).inverse(),
            tip,
            touch: if tip > 1.0 { tip.recip().acos() } else { 0.0 },
            color: shape.colors[0],
            side_lit: data.side_lit.map(f64::from),
            mirror: if tip > 1.0 && facing < 0.0 { -1.0 } else { 1.0 },
            base: (base_lit < 1.5).then(|| lit(shape.colors[0], brightness(base_lit))),
        };
        cone.px_from_unit.is_finite().then_some(cone)
    }

    /// Returns a point of the edge of the base.
    fn base_edge(&self, angle: f64) -> DVec2 {
        self.center + self.px_from_unit * DVec2::from_angle(angle)
    }

    fn tip_px(&self) -> DVec2 {
        self.center + self.px_from_unit * (DVec2::X * self.tip)
    }

    /// Returns the color of the side that runs from this angle to the tip.
    fn side_color(&self, angle: f64) -> Rgba {
        let [constant, x, y] = self.side_lit;
        let toward = DVec2::from_angle(angle);
        lit(self.color, brightness(constant + x * toward.x * self.mirror + y * toward.y))
    }

    /// Returns a radius of the base in pixels that is at least as large as all of them.
    fn radius_px(&self) -> f64 {
        self.px_from_unit.x_axis.length().hypot(self.px_from_unit.y_axis.length())
    }

    /// Fills a triangle of the side, between two angles.
    fn fill_side(&self, triangles: &mut Triangles, coverage: f32, tip: DVec2, edge: [(f64, DVec2); 2]) {
        let [(from, _), (to, _)] = edge;
        for (angle, at) in edge.into_iter().chain([(0.5 * (from + to), tip)]) {
            let index = triangles.vertex(at, shade(self.side_color(angle), coverage, 0.0));
            triangles.indices.push(index);
        }
    }
}

/// Adds an arrow head.
pub(super) fn cone(triangles: &mut Triangles, edges: &mut Edges, shape: &Shape, rim: Option<ShapeRim>) {
    let Some(cone) = ConeAt::new(shape) else { return };
    // The outline: the far side of the base, then the tip.
    let span = TAU - 2.0 * cone.touch;
    let count = pieces(span, cone.radius_px());
    let angle = |i: u32| cone.touch + span * f64::from(i) / f64::from(count);
    let halo = shape.halo.opacity;
    edges.clear();
    for i in 0..count {
        let colors =
            [angle(i), angle(i + 1)].map(|angle| cone.base.unwrap_or_else(|| cone.side_color(angle)));
        edges.push(Edge { from: cone.base_edge(angle(i)), colors, halo, has_rim: true });
    }
    if cone.touch > 0.0 {
        let corners = [(cone.base_edge(-cone.touch), -cone.touch), (cone.tip_px(), cone.touch)];
        for (from, angle) in corners {
            edges.push(Edge { from, colors: [cone.side_color(angle); 2], halo, has_rim: true });
        }
    }
    let Some(inset) = edges.inset() else { return };
    let inner = |i: u32| inset.inner(edges.corner(i as usize));
    let tip = if cone.touch > 0.0 { inner(count + 1) } else { cone.tip_px() };
    if let Some(base) = cone.base {
        // The near side of the base, from its end to its start.
        let near_count = if cone.touch > 0.0 { pieces(2.0 * cone.touch, cone.radius_px()) } else { 1 };
        let near = |i: u32| {
            let angle = cone.touch * (2.0 * f64::from(i) / f64::from(near_count) - 1.0);
            let px = match i {
                0 => inner(count),
                i if i == near_count => inner(0),
                _ => cone.base_edge(angle),
            };
            (angle, px)
        };
        triangles.fan(
            (0..=count).map(inner).chain((1..near_count).map(|i| near(i).1)),
            shade(base, inset.coverage, 0.0),
        );
        if cone.touch > 0.0 {
            for i in 0..near_count {
                cone.fill_side(triangles, inset.coverage, tip, [near(i), near(i + 1)]);
            }
        }
    } else {
        for i in 0..count {
            cone.fill_side(triangles, inset.coverage, tip, [i, i + 1].map(|i| (angle(i), inner(i))));
        }
    }
    let stem = f64::from(bytemuck::cast::<_, Cone>(shape.data).stem);
    if stem > 0.0 {
        let along = -(cone.px_from_unit * DVec2::X).normalize_or_zero();
        edges.leave_free(&Stem { origin: cone.center, along, half_width: stem }, rim);
    }
    edges.add(triangles, &inset, shape.halo_px(), rim);
}

/// Adds a cube.
pub(super) fn cube(triangles: &mut Triangles, edges: &mut Edges, shape: &Shape, rim: Option<ShapeRim>) {
    let data: Cube = bytemuck::cast(shape.data);
    let corner = vec(data.corner);
    let [x, y, z] = data.edges.map(|edge| 2.0 * vec(edge));
    let light = |i: usize| lit(shape.colors[0], shape.colors[1][i].into());
    // The outline, and which pair of edges meets at each of its corners. A face lies on either side of the
    // corners with an edge to the nearest one.
    let outline = [
        (corner - x, [1, 2], light(2)),
        (corner - x - y, [0, 1], light(2)),
        (corner - y, [2, 0], light(0)),
        (corner - y - z, [1, 2], light(0)),
        (corner - z, [0, 1], light(1)),
        (corner - z - x, [2, 0], light(1)),
    ]
    .map(|(at, meeting, color)| (shape.anchor_px + data.on_outline(at, meeting), color));
    edges.clear();
    for (from, color) in outline {
        edges.push(Edge { from, colors: [color; 2], halo: shape.halo.opacity, has_rim: true });
    }
    let nearest = shape.anchor_px + corner;
    edges.remove_short();
    let Some(inset) = edges.inset() else { return };
    for (face, color) in [(0, light(2)), (2, light(0)), (4, light(1))] {
        let at = [face, face + 1, (face + 2) % 6].map(|i| edges.inner_near(&inset, outline[i].0));
        triangles.fan([nearest, at[0], at[1], at[2]], shade(color, inset.coverage, 0.0));
    }
    let stem = f64::from(data.stem);
    let along = (vec(data.edges[0]) * -stem.signum()).normalize_or_zero();
    if along != DVec2::ZERO {
        let origin = nearest - 0.5 * (x + y + z);
        edges.leave_free(&Stem { origin, along, half_width: stem.abs() }, rim);
    }
    edges.add(triangles, &inset, shape.halo_px(), rim);
}

impl Cube {
    /// Returns the corner of the outline that is near a point, where edges of these directions meet.
    fn on_outline(&self, at: DVec2, meeting: [usize; 2]) -> DVec2 {
        let lines = meeting.map(|i| {
            let normal = vec(self.edges[i]).normalize_or_zero().perp();
            let [low, high] = self.outline[i].map(f64::from);
            let across = normal.dot(at);
            let end = if (across - low).abs() < (across - high).abs() { low } else { high };
            [normal.x, normal.y, end]
        });
        // Almost parallel edges cross far away.
        let [a, b] = lines.map(|[x, y, _]| DVec2::new(x, y));
        let crossing = if a.perp_dot(b).abs() > 0.1 { crossing(lines[0], lines[1]) } else { None };
        crossing.unwrap_or(at)
    }
}

/// Adds the disc of a ball.
pub(super) fn disc(triangles: &mut Triangles, shape: &Shape, rim: Option<ShapeRim>) {
    let data: Disc = bytemuck::cast(shape.data);
    let [a, b, c, d] = data.unit_from_px;
    let unit_from_px = DMat2::from_cols(vec([a, b]), vec([c, d]));
    let px_from_unit = unit_from_px.inverse();
    let radii = [px_from_unit.x_axis.length(), px_from_unit.y_axis.length()];
    let radius = radii[0].min(radii[1]);
    if !(px_from_unit.is_finite() && radius > 0.0) {
        return;
    }
    let center = shape.anchor_px + vec(data.center);
    let light = |q: DVec2| lit(shape.colors[0], ball_light(q));
    let inner = radius.min(0.5);
    let coverage = (2.0 * inner) as f32;
    let halo_px = shape.halo_px();
    let halo = if halo_px > 0.0 { shape.halo.opacity } else { 0.0 };
    let count = pieces(TAU, radii[0].max(radii[1])).max(12);
    // From the center outward: rings of the shaded ball, its soft edge, and the halo.
    let rings = [0.3, 0.55, 0.75, 0.9, 1.0];
    let outside = [(0.5, halo), ((halo_px - 0.5).max(0.5), halo), (halo_px + 0.5, 0.0)];
    let outside = if halo_px > 0.0 { &outside[..] } else { &outside[..1] };
    let spoke = |triangles: &mut Triangles, angle: f64| {
        let toward = DVec2::from_angle(angle);
        let edge = center + px_from_unit * toward;
        let out = (unit_from_px.transpose() * toward).normalize_or_zero();
        let first = triangles.vertices.len() as u32;
        let full = radius - inner;
        // With a rim, the rings end inside of it.
        let lit = rim.map_or(full, |rim| (full - rim.width_px()).max(0.0)) / radius;
        for ring in rings {
            let at = center.lerp(edge, ring * lit);
            triangles.vertex(at, shade(light(toward * ring), coverage, halo));
        }
        let edge_color = match rim {
            Some(rim) => {
                let color = rim.lit(light(toward)).color;
                for from in [(full - rim.width_px() + 1.0).clamp(0.0, full), full] {
                    triangles.vertex(center.lerp(edge, from / radius), shade(color, coverage, halo));
                }
                color
            }
            None => light(toward),
        };
        for (distance, halo) in outside {
            triangles.vertex(edge + out * *distance, shade(edge_color, 0.0, *halo));
        }
        first
    };
    let middle = triangles.vertex(center, shade(light(DVec2::ZERO), coverage, halo));
    let mut last = spoke(triangles, 0.0);
    for i in 1..=count {
        let next = spoke(triangles, TAU * f64::from(i) / f64::from(count));
        triangles.indices.extend([middle, last, next]);
        for k in 0..next - last - 1 {
            triangles.quad([last + k, last + k + 1], [next + k, next + k + 1]);
        }
        last = next;
    }
}

/// Adds a triangle of a custom mesh, with a rim along its outer edges.
pub(super) fn triangle(triangles: &mut Triangles, shape: &Shape) {
    let data: Triangle = bytemuck::cast(shape.data);
    let sides = data.sides.map(|side| side.map(f64::from));
    let is_outer = |i: usize| data.outer as u32 >> i & 1 == 1;
    let mut corners = [DVec2::ZERO; 3];
    // The way outward at each corner for each pixel of distance from its outer edges.
    let mut outward = [DVec2::ZERO; 3];
    for i in 0..3 {
        let [before, after] = [sides[(i + 2) % 3], sides[i]];
        let Some(at) = crossing(before, after) else { return };
        corners[i] = at;
        let by = [(i + 2) % 3, i].map(|side| f64::from(u8::from(is_outer(side))));
        let way = crossing([before[0], before[1], by[0]], [after[0], after[1], by[1]]);
        outward[i] = way.unwrap_or(DVec2::ZERO).clamp_length_max(3.0);
    }
    let Some(radius) = Inset::radius(corners.into_iter()) else { return };
    let inner = radius.min(0.5);
    let [constant, x, y] = data.lit.map(f64::from);
    let color = |at: DVec2| lit(shape.colors[0], brightness(constant + x * at.x + y * at.y));
    let at = |i: usize, distance: f64| corners[i] + outward[i] * distance;
    fill(triangles, [0, 1, 2].map(|i| at(i, -inner)), shape.anchor_px, &color);
    let halo_px = shape.halo_px();
    let halo = if halo_px > 0.0 { shape.halo.opacity } else { 0.0 };
    let stops = [(0.5, halo), ((halo_px - 0.5).max(0.5), halo), (halo_px + 0.5, 0.0)];
    let stops = if halo_px > 0.0 { &stops[..] } else { &stops[..1] };
    for i in (0..3).filter(|i| is_outer(*i)) {
        let ends = [i, (i + 1) % 3];
        let pair = |triangles: &mut Triangles, distance: f64, core: f32, halo: f32| {
            ends.map(|end| {
                let color = shade(color(corners[end]), core, halo);
                triangles.vertex(shape.anchor_px + at(end, distance), color)
            })
        };
        let mut last = pair(triangles, -inner, 1.0, 0.0);
        for (distance, halo) in stops {
            let next = pair(triangles, *distance, 0.0, *halo);
            triangles.quad(last, next);
            last = next;
        }
    }
}

/// Fills a triangle, divided if the light changes much over it.
fn fill(triangles: &mut Triangles, [a, b, c]: [DVec2; 3], anchor_px: DVec2, color: &impl Fn(DVec2) -> Rgba) {
    let luma = |at: DVec2| color(at)[..3].iter().sum::<f32>();
    let mean = (luma(a) + luma(b) + luma(c)) / 3.0;
    let parts = if (luma((a + b + c) / 3.0) - mean).abs() > 0.02 { 4 } else { 1 };
    let first = triangles.vertices.len() as u32;
    // Row by row from a corner.
    for row in 0..=parts {
        for column in 0..=row {
            let [down, right] = [row, column].map(|part| f64::from(part) / f64::from(parts));
            let at = a + (b - a) * (down - right) + (c - a) * right;
            triangles.vertex(anchor_px + at, shade(color(at), 1.0, 0.0));
        }
    }
    let index = |row: u32, column: u32| first + row * (row + 1) / 2 + column;
    for row in 0..parts {
        for column in 0..=row {
            triangles.indices.extend([
                index(row, column),
                index(row + 1, column),
                index(row + 1, column + 1),
            ]);
            if column < row {
                triangles.indices.extend([
                    index(row, column),
                    index(row + 1, column + 1),
                    index(row, column + 1),
                ]);
            }
        }
    }
}
