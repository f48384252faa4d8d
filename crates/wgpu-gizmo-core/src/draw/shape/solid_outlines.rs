//! Outlines of solids, and what is read of them: edges and patches.

use crate::draw::shape::outline::{Attached, Corner, Facet, Facets, Fan, MAX_MITER, Outline};
use crate::draw::shape::patch::{Ink, Patch, PatchCorner, Side};
use crate::draw::shape::polygon::Polygon;
use crate::draw::shape::{
    Cone, Cube, EDGE_PX, Edge, Geometry, Line, Shape, Square, Triangle, ball_light, brightness,
};
use crate::handle::Rgba;
use crate::math::Rect;
use glam::DVec2;
use std::f64::consts::TAU;

/// The distance from the edge of a fragment that is far inside.
const INSIDE: f64 = -1e3;
/// How far triangles of a mesh overlap in the ID image: more than the rounding of their edges.
const OVERLAP_PX: f64 = 1e-3;
/// The width of a face of a cube that is too thin to be seen.
const MIN_FACE_PX: f64 = 0.75;

/// Receives an outline, how it is filled, and its facets.
type Visit<'a> = dyn FnMut(&Outline, &Fan, &Facets<'_>) + 'a;

impl Shape {
    /// Passes the edges of a shape to `emit`: the one of a stroke, or the edges of an outline.
    pub(crate) fn edges(&self, emit: impl FnMut(&Edge)) {
        self.edges_with(true, emit);
    }

    /// Returns the distance from a pixel, relative to the anchor, to the shape, or to its part in a rectangle: 0 or less
    /// on it.
    pub(super) fn distance(&self, p: DVec2, clip: Option<&Rect>) -> f64 {
        let mut nearest = f64::INFINITY;
        let distance = |edge: &Edge| clip.map_or_else(|| edge.distance(p), |clip| edge.distance_in(p, clip));
        self.edges_with(false, |edge| nearest = nearest.min(distance(edge)));
        nearest
    }

    fn edges_with(&self, depth: bool, mut emit: impl FnMut(&Edge)) {
        match &self.geometry {
            Geometry::Stroke(stroke) => emit(&stroke.edge),
            Geometry::Triangle(triangle) => triangle.edges(emit),
            Geometry::Square(square) if !square.is_filled => square.border(emit),
            _ => self.outlines(0.0, 0.0, &mut |outline, fan, facets| {
                if !fan.is_cover {
                    outline.edges(fan, depth.then_some(facets), &mut emit);
                }
            }),
        }
    }

    /// Passes the patches of a shape that is not a stroke to `emit`.
    pub(super) fn sides(&self, ink: &Ink, mut emit: impl FnMut(&Patch)) {
        let reach_px = self.halo.width_px + EDGE_PX;
        if let Geometry::Triangle(triangle) = &self.geometry {
            return triangle.patches(self.colors[0], reach_px, ink, emit);
        }
        let rim_px = ink.rim.map_or(0.0, |rim| rim.width_px);
        self.outlines(reach_px, rim_px, &mut |outline, fan, facets| {
            outline.patches(fan, facets, ink, &mut emit);
        });
    }

    /// Passes the outlines of a solid to `visit`, in the order of painting.
    fn outlines(&self, reach_px: f64, rim_px: f64, visit: &mut Visit<'_>) {
        let fan = Fan { reach_px, light: 1.0, ..Fan::default() };
        match &self.geometry {
            Geometry::Stroke(_) | Geometry::Triangle(_) => {}
            Geometry::Cone(cone) => cone.outlines(self.colors[0], fan, visit),
            Geometry::Cube(cube) => cube.outlines(self.colors[0], fan, visit),
            Geometry::Square(square) => square.outlines(self.colors, fan, rim_px, visit),
            Geometry::Disc(disc) => {
                let mut outline = Outline::EMPTY;
                outline.add_arc(disc.center, &disc.px_from_unit, [0.0, TAU], ball_light);
                let light = ball_light(DVec2::ZERO);
                let fan = Fan { apex: Some(disc.center), light, front_depth: Some(disc.front_depth), ..fan };
                let facet = Facet { colors: [self.colors[0]; 2], lights: None, depths: [disc.depth; 3] };
                visit(&outline, &fan, &|_| facet);
            }
        }
    }
}

impl Triangle {
    fn edges(&self, mut emit: impl FnMut(&Edge)) {
        // Each outer edge with the same pixels, so that the CPU pick has the distances to all.
        let first = self.is_outer.iter().all(|is_outer| !is_outer);
        for i in (0..3).filter(|i| self.is_outer[*i] || first && *i == 0) {
            let [start, end, inside] = [0, 1, 2].map(|after| self.corners[(i + after) % 3]);
            // Neighbors overlap, so that there are no gaps between them.
            let lapped = |i: usize| if self.is_outer[i] { 0.0 } else { OVERLAP_PX };
            let ends = [start, end].map(|end| end + self.sides[i].normal * lapped(i));
            let bounds = [(i + 1) % 3, (i + 2) % 3].map(|i| self.sides[i].moved(lapped(i)));
            let edge = Edge::of_outline(ends, 0.0, bounds, &[inside, start, end]);
            emit(&Edge { depth: self.depth, ..edge });
        }
    }

    fn patches(&self, color: Rgba, reach_px: f64, ink: &Ink, mut emit: impl FnMut(&Patch)) {
        let Self { corners, sides, is_outer, .. } = self;
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        // Neighbors in the mesh meet on the line of their common edge, also outside of both.
        let moved = [0, 1, 2].map(|i| sides[i].moved(if is_outer[i] { reach_px } else { 0.0 }));
        let outward = |i: usize| {
            let out = moved[(i + 2) % 3].crossing(&moved[i]).unwrap_or(corners[i]) - corners[i];
            corners[i] + out.clamp_length_max(MAX_MITER * reach_px)
        };
        for (i, line) in sides.iter().enumerate() {
            let next = (i + 1) % 3;
            let side = Side {
                along: line.normal.perp(),
                sagitta: 0.0,
                length: 0.0,
                colors: [color; 2],
                inset_px: 0.0,
                has_halo: true,
            };
            let mut push = |corners: [[DVec2; 2]; 2]| {
                let corner = |px: DVec2| PatchCorner {
                    px: ink.anchor_px + px,
                    // Edges inside of the mesh are neither soft nor have a halo.
                    uv: [0.5, if is_outer[i] { line.distance(px) } else { INSIDE }],
                    light: brightness(self.lit.at(px)),
                    opacity: color[3].into(),
                    depth: [self.depth.at(px), 0.0],
                    inward: 0.0,
                };
                emit(&ink.patch(corners.map(|end| end.map(corner)), &side));
            };
            push([[center, corners[i]], [center, corners[next]]]);
            if is_outer[i] {
                push([[corners[i], outward(i)], [corners[next], outward(next)]]);
            }
        }
    }
}

impl Square {
    fn corners(&self, by: f64) -> Option<[DVec2; 4]> {
        let lines = self.sides.map(|side| side.moved(by));
        let [a, b, c, d] = [(3, 0), (0, 1), (1, 2), (2, 3)].map(|(i, j)| lines[i].crossing(&lines[j]));
        Some([a?, b?, c?, d?])
    }

    fn outlines(&self, [fill, border]: [Rgba; 2], fan: Fan, rim_px: f64, visit: &mut Visit<'_>) {
        let half = self.half_width;
        let mut ring = |by: f64, colors: [Rgba; 2], fan: Fan| {
            let Some(corners) = self.corners(by) else { return };
            let facets = |triangle: &[DVec2; 3]| Facet {
                colors,
                lights: None,
                depths: triangle.map(|at| self.depth.at(at)),
            };
            visit(&Outline::polygon(&corners), &fan, &facets);
        };
        ring(half, [border, fill], Fan { inset_px: 2.0 * half, ..fan });
        // A border has a rim on both sides: the rest of the border covers the middle of one that is all rim.
        if rim_px > 0.0 && rim_px < half {
            let [r, g, b, _] = border;
            let cover = Fan { reach_px: EDGE_PX, inset_px: 2.0 * (half - rim_px), is_cover: true, ..fan };
            ring(half - rim_px, [border, [r, g, b, 0.0]], cover);
        }
    }

    /// Passes the border to `emit`: strokes that meet at miters.
    fn border(&self, mut emit: impl FnMut(&Edge)) {
        let half = self.half_width;
        let rings = [0.0, half, -half].map(|by| self.corners(by));
        let [Some(middle), Some(outer), Some(inner)] = rings else { return };
        for i in 0..4 {
            let next = (i + 1) % 4;
            let bounds = [(i, next), (next, i)]
                .map(|(at, other)| Line::between([inner[at], outer[at]], middle[other]));
            let edge = Edge::new(
                [middle[i], middle[next]],
                0.0,
                bounds,
                &[outer[i], outer[next], inner[i], inner[next]],
            );
            emit(&Edge { half_widths: Some([half; 2]), depth: self.depth, ..edge });
        }
    }
}

impl Cube {
    fn outlines(&self, color: Rgba, fan: Fan, visit: &mut Visit<'_>) {
        let [x, y, z] = self.edges;
        let center = self.corner - x - y - z;
        // Every patch is on one face. If the nearest corner is on the outline, there are only the two faces beside an
        // edge, or a single one.
        let is_on_outline = self.beyond(self.corner) > -MIN_FACE_PX;
        let ridge = if is_on_outline { self.ridge() } else { None };
        let apex = match is_on_outline {
            true => ridge.map(|edge| self.corner - edge),
            false => Some(self.corner),
        };
        let along = (x * -self.stem_px.signum()).normalize_or_zero();
        let stem = Attached { origin: center, along, half_width: self.stem_px.abs() };
        let outline = Outline::polygon(self.outline().without_chamfers().corners());
        let outline = ridge.map_or(outline, |edge| outline.split_along(self.corner, edge));
        let outline = if stem.half_width > 0.0 { outline.attached_to(&stem) } else { outline };
        let fan = Fan { apex, ..fan };
        visit(&outline, &fan, &|triangle: &[DVec2; 3]| {
            let edge = triangle[1].midpoint(triangle[2]);
            let face = self.face_at(apex.map_or(center, |apex| apex.midpoint(edge)));
            Facet {
                colors: [color; 2],
                lights: Some([self.lights[face]; 3]),
                depths: triangle.map(|at| self.depth_on(face, at)),
            }
        });
    }

    /// Returns half of the edge between the two widest faces, unless one of these is too thin to be seen.
    fn ridge(&self) -> Option<DVec2> {
        let width = |face: usize| {
            let [e, f] = [self.edges[(face + 1) % 3], self.edges[(face + 2) % 3]];
            2.0 * e.perp_dot(f).abs() / e.length().max(f.length()).max(1e-6)
        };
        let mut faces = [0, 1, 2].map(|face| (width(face), face));
        faces.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let [(_, thinnest), (width, _), _] = faces;
        (width > MIN_FACE_PX).then(|| self.edges[thinnest])
    }

    /// Returns the distance of a point outside of the outermost edges.
    fn beyond(&self, p: DVec2) -> f64 {
        let across = self.edges.iter().zip(self.outline).map(|(edge, [low, high])| {
            let at = edge.perp().normalize_or_zero().dot(p);
            // Edges that point at the viewer bound nothing.
            if edge.length_squared() < 1e-6 { f64::NEG_INFINITY } else { (at - high).max(low - at) }
        });
        across.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns how far a point is inside of a face from its nearest corner on, along its two edges, in half edges:
    /// `None` if the face is seen edge-on.
    fn on_face(&self, face: usize, at: DVec2) -> Option<[f64; 2]> {
        let [e, f] = [self.edges[(face + 1) % 3], self.edges[(face + 2) % 3]];
        let r = self.corner - at;
        let area = e.perp_dot(f);
        // r = α e + β f
        (area.abs() >= 1e-3).then(|| [r.perp_dot(f) / area, e.perp_dot(r) / area])
    }

    /// Returns the face at a point of the outline.
    fn face_at(&self, at: DVec2) -> usize {
        let inside = |face: &usize| {
            let [alpha, beta] = self.on_face(*face, at).unwrap_or([-1e3; 2]);
            alpha.min(beta).min(2.0 - alpha).min(2.0 - beta)
        };
        (0..3).max_by(|i, j| inside(i).total_cmp(&inside(j))).unwrap_or(0)
    }

    /// Returns the depth of a face at a point.
    fn depth_on(&self, face: usize, at: DVec2) -> f64 {
        let [alpha, beta] = self.on_face(face, at).unwrap_or_default();
        self.corner_depth - alpha * self.depths[(face + 1) % 3] - beta * self.depths[(face + 2) % 3]
    }

    /// Returns the outline: the area between the outermost edges along each direction.
    fn outline(&self) -> Polygon {
        let size = 4.0 * self.edges.iter().map(|edge| edge.length()).sum::<f64>();
        let around = [DVec2::NEG_ONE, DVec2::new(1.0, -1.0), DVec2::ONE, DVec2::new(-1.0, 1.0)];
        let mut outline = Polygon::new(around.map(|corner| self.corner + size * corner));
        for (edge, [low, high]) in self.edges.into_iter().zip(self.outline) {
            // Edges that point at the viewer bound nothing.
            if edge.length_squared() > 1e-6 {
                let normal = edge.perp().normalize();
                outline = outline.clipped(normal, high).clipped(-normal, -low);
            }
        }
        outline
    }
}

impl Cone {
    fn outlines(&self, color: Rgba, fan: Fan, visit: &mut Visit<'_>) {
        let Self { center, px_from_unit: m, tip, .. } = *self;
        let colors = [color; 2];
        let base_light = self.base_lit.map(brightness);
        let along = m * DVec2::X;
        let stem = Attached { origin: center, along: -along.normalize_or_zero(), half_width: self.stem_px };
        let outline = self.outline();
        let outline = if stem.half_width > 0.0 { outline.attached_to(&stem) } else { outline };
        let apex = match (base_light, tip > 1.0) {
            // The base meets the side on the line between the tangents from the tip.
            (Some(_), true) => Some(center + along / tip),
            (Some(_), false) => Some(center),
            (None, true) => None,
            // Chords are farther inside than the base.
            (None, false) => Some(center + along * tip.min(0.9)),
        };
        let fan = Fan { apex, light: self.front_light(), ..fan };
        let free = self.free_angle();
        visit(&outline, &fan, &|triangle: &[DVec2; 3]| {
            let q = self.unit_from_px * (triangle[1].midpoint(triangle[2]) - center);
            let lights = if tip > 1.0 && q.x > tip.recip() {
                // From the base to the tip.
                let along = self.side_light(DVec2::from_angle(free * q.y.signum()));
                Some([self.front_light(), along, along])
            } else {
                base_light.map(|light| [light; 3])
            };
            Facet { colors, lights, depths: triangle.map(|at| self.depth(at)) }
        });
        // The rest of the base covers the side.
        if let (Some(light), true) = (base_light, tip > 1.0) {
            let mut rest = Outline::EMPTY;
            rest.add_arc(center, &m, [-free, 2.0 * free], |_| 1.0);
            rest.push(Corner {
                px: center + m * DVec2::from_angle(free),
                is_stem: true,
                ..Corner::default()
            });
            let apex = Some(center + along / tip);
            let fan = Fan { apex, reach_px: EDGE_PX, is_cover: true, ..fan };
            visit(&rest, &fan, &|triangle: &[DVec2; 3]| Facet {
                colors,
                lights: Some([light; 3]),
                depths: triangle.map(|at| self.depth(at)),
            });
        }
    }

    /// Returns the depth at a point, between the depths of the base and of the tip, by the position on the side that faces the
    /// viewer.
    fn depth(&self, at: DVec2) -> f64 {
        let q = self.unit_from_px * (at - self.center);
        let tip = self.tip;
        // |q - s tip| = 1 - s, so that s² a - 2 s b + c = 0.
        let (a, b, c) = (tip * tip - 1.0, q.x * tip - 1.0, q.length_squared() - 1.0);
        let root = (b * b - a * c).max(0.0).sqrt();
        let divisor = if a.abs() < 1e-4 { 1e-4f64.copysign(a) } else { a };
        // How far the point of the base from which the side runs faces the viewer.
        let toward = |s: f64| (q - DVec2::X * (s * tip)).dot(self.facing) / (1.0 - s);
        let [first, second] = [root, -root].map(|root| ((b + root) / divisor).clamp(0.0, 0.999));
        let s = if toward(first) > toward(second) { first } else { second };
        let [base, end] = self.depths;
        base + (end - base) * s
    }

    /// Returns the hull of the tip and the base, with the light on the side of the cone.
    fn outline(&self) -> Outline {
        let Self { center, px_from_unit: m, tip, .. } = *self;
        let mut outline = Outline::EMPTY;
        let free = self.free_angle();
        if tip > 1.0 {
            let px = center + m * (DVec2::X * tip);
            outline.push(Corner { px, is_sharp: true, light: self.front_light(), ..Corner::default() });
        }
        outline.add_arc(center, &m, [free, TAU - 2.0 * free], |at| self.side_light(at));
        if tip > 1.0 {
            let last = DVec2::from_angle(-free);
            outline.push(Corner { px: center + m * last, light: self.side_light(last), ..Corner::default() });
        }
        outline
    }

    /// Returns the angle on the unit circle between the tip and the tangents from there, or 0 if the tip is inside.
    fn free_angle(&self) -> f64 {
        self.tip.max(1.0).recip().acos()
    }

    /// Returns the brightness of the side that runs to a point of the unit circle.
    fn side_light(&self, around: DVec2) -> f64 {
        let (lit, change) = self.side_lit;
        brightness(lit + change.dot(around))
    }

    /// Returns the brightness of the side that faces the viewer.
    fn front_light(&self) -> f64 {
        self.side_light(self.facing.normalize_or_zero())
    }
}
