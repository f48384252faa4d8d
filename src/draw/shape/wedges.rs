//! Wedges: the parts of a shape along its edges.

use super::distance::outside;
use super::outline::{Attached, Corner, Facet, Fan, MAX_MITER, Outline, Polygon};
use super::{Cone, Cube, Disc, EDGE_PX, Shape, ShapeKind, Square, Triangle, ball_light, brightness};
use crate::handle::Rgba;
use glam::{DMat2, DVec2};
use std::f64::consts::TAU;

/// The distance from the edge of a fragment that is far inside.
const INSIDE: f64 = -1e3;
/// The width of a face of a cube that is too thin to be seen.
const MIN_FACE_PX: f64 = 0.75;

/// A part of a shape along one of its edges, in pixels relative to the anchor: the fragments there are colored by
/// their distance from that edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wedge {
    /// The inner and the outer corner at the start of the edge and at its end. In a triangle the inner ones are equal.
    pub(super) corners: [[WedgeCorner; 2]; 2],
    /// The distance of the edges before and after it in pixels, or 0 if only the edge itself bounds the wedge.
    pub(super) length: f64,
    /// The change of depth from the outline of a ball to its front, if the wedge is a part of one.
    pub(super) front_depth: Option<f64>,
    /// How far the edge bulges outward.
    pub(super) sagitta: f64,
    /// The color at the edge, and the color from this distance inside of it.
    pub(super) colors: [Rgba; 2],
    pub(super) inset_px: f64,
    /// The edge has a halo and a rim: not where a stem is attached, and not inside of a shape.
    pub(super) has_halo: bool,
}

/// A corner of a [`Wedge`].
#[derive(Debug, Clone, Copy)]
pub(super) struct WedgeCorner {
    pub(super) px: DVec2,
    /// The position along the edge, from 0 to 1, and the distance outside of it in pixels.
    pub(super) uv: [f64; 2],
    /// The factor on the brightness.
    pub(super) light: f64,
    /// The depth of the view.
    pub(super) depth: f64,
}

fn vec([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(x.into(), y.into())
}

/// Returns the matrix from the unit circle of an ellipse to pixels.
fn px_from_unit(unit_from_px: [f32; 4]) -> DMat2 {
    matrix(unit_from_px).inverse()
}

fn matrix([a, b, c, d]: [f32; 4]) -> DMat2 {
    DMat2::from_cols(vec([a, b]), vec([c, d]))
}

/// Returns the point at which two lines intersect.
fn crossing([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> Option<DVec2> {
    let [ax, ay, az, bx, by, bz] = [ax, ay, az, bx, by, bz].map(f64::from);
    let at = DVec2::new(az * by - ay * bz, ax * bz - az * bx) / (ax * by - ay * bx);
    at.is_finite().then_some(at)
}

/// Returns a linear function of pixels, given as its value at the origin and its change per pixel.
fn linear([base, x, y]: [f32; 3], at: DVec2) -> f64 {
    f64::from(base) + at.dot(vec([x, y]))
}

impl Shape {
    /// Passes the wedges of a shape that is not a stroke to `emit`, which reach this far beyond its outline. A rim has
    /// this width, or 0.
    pub(super) fn wedges(&self, reach_px: f64, rim_px: f64, mut emit: impl FnMut(Wedge)) {
        let [color, second] = self.colors;
        let fan = Fan { apex: None, reach_px, inset_px: 0.0, light: 1.0, front_depth: None };
        match self.kind {
            ShapeKind::Line | ShapeKind::Arc => {}
            ShapeKind::Cone => self.cone_wedges(fan, emit),
            ShapeKind::Cube => {
                let cube: Cube = bytemuck::cast(self.data);
                // Every wedge is on one face: the only one, if the nearest corner is on the outline.
                let is_face_on = cube.distance(vec(cube.corner)) > -MIN_FACE_PX;
                let fan = Fan { apex: (!is_face_on).then_some(vec(cube.corner)), ..fan };
                let outline = Outline::polygon(cube.outline().without_chamfers().corners());
                let [x, y, z] = cube.edges.map(vec);
                let along = (x * -f64::from(cube.stem.signum())).normalize_or_zero();
                let half_width = f64::from(cube.stem.abs());
                let stem = Attached { origin: vec(cube.corner) - x - y - z, along, half_width };
                let outline = if half_width > 0.0 { outline.attached_to(&stem) } else { outline };
                outline.wedges(fan, &mut emit, |edge| {
                    let inside = if is_face_on { stem.origin } else { vec(cube.corner).midpoint(edge) };
                    let face = cube.face_at(inside);
                    let depth = move |at| cube.depth_on(face, self.depth, at);
                    Facet { colors: [color; 2], lights: Some([second[face].into(); 3]), depth }
                });
            }
            ShapeKind::Square => self.square_wedges(fan, rim_px, emit),
            ShapeKind::Disc => {
                let disc: Disc = bytemuck::cast(self.data);
                let mut outline = Outline::EMPTY;
                let ellipse = px_from_unit(disc.unit_from_px);
                outline.add_arc(vec(disc.center), &ellipse, [0.0, TAU], ball_light);
                let [center, front_depth] = disc.depths.map(f64::from);
                let fan = Fan { light: ball_light(DVec2::ZERO), front_depth: Some(front_depth), ..fan };
                outline.wedges(fan, &mut emit, |_| Facet {
                    colors: [color; 2],
                    lights: None,
                    depth: |_| center,
                });
            }
            ShapeKind::Triangle => self.triangle_wedges(reach_px, emit),
        }
    }

    fn cone_wedges(&self, fan: Fan, mut emit: impl FnMut(Wedge)) {
        let cone: Cone = bytemuck::cast(self.data);
        let (m, center, tip) = (px_from_unit(cone.unit_from_px), vec(cone.center), f64::from(cone.tip));
        let colors = [self.colors[0]; 2];
        let depth = |at| cone.depth(at);
        let base_light = cone.is_base_visible().then(|| brightness(cone.base_lit.into()));
        let along = m * DVec2::X;
        let stem =
            Attached { origin: center, along: -along.normalize_or_zero(), half_width: cone.stem.into() };
        let outline = cone.outline();
        let outline = if cone.stem > 0.0 { outline.attached_to(&stem) } else { outline };
        let apex = match (base_light, tip > 1.0) {
            (Some(_), _) => Some(center),
            (None, true) => None,
            (None, false) => Some(center + along * tip),
        };
        let fan = Fan { apex, light: cone.front_light(), ..fan };
        let free = cone.free_angle();
        outline.wedges(fan, &mut emit, |edge| {
            let q = matrix(cone.unit_from_px) * (edge - center);
            let lights = if tip > 1.0 && q.x > tip.recip() {
                // From the base to the tip.
                let along = cone.side_light(DVec2::from_angle(free * q.y.signum()));
                Some([cone.front_light(), along, along])
            } else {
                base_light.map(|light| [light; 3])
            };
            Facet { colors, lights, depth }
        });
        // The rest of the base covers the side.
        if let (Some(light), true) = (base_light, tip > 1.0) {
            let mut rest = Outline::EMPTY;
            rest.add_arc(center, &m, [-free, 2.0 * free], |_| 1.0);
            let px = center + m * DVec2::from_angle(free);
            rest.push(Corner { px, is_stem: true, ..Corner::default() });
            let fan = Fan { apex: Some(center + along / tip), reach_px: EDGE_PX, ..fan };
            rest.wedges(
                fan,
                |wedge| emit(Wedge { has_halo: false, ..wedge }),
                |_| Facet { colors, lights: Some([light; 3]), depth },
            );
        }
    }

    fn triangle_wedges(&self, reach_px: f64, mut emit: impl FnMut(Wedge)) {
        let Triangle { sides, lit, depth, outer } = bytemuck::cast(self.data);
        let corners = [(2, 0), (0, 1), (1, 2)].map(|(i, j)| crossing(sides[i], sides[j]));
        let [Some(a), Some(b), Some(c)] = corners else { return };
        let corners = [a, b, c];
        let center = (a + b + c) / 3.0;
        let light = |at: DVec2| brightness(linear(lit, at));
        let is_outer = |i: usize| outer as u32 >> i & 1 == 1;
        // Neighbors in the mesh meet on the line of their common edge, also outside of both.
        let moved = [0, 1, 2].map(|i| {
            let [x, y, z] = sides[i];
            [x, y, z + if is_outer(i) { reach_px as f32 } else { 0.0 }]
        });
        let outward = |i: usize| {
            let out = crossing(moved[(i + 2) % 3], moved[i]).unwrap_or(corners[i]) - corners[i];
            corners[i] + out.clamp_length_max(MAX_MITER * reach_px)
        };
        for (i, side) in sides.into_iter().enumerate() {
            let next = (i + 1) % 3;
            let mut push = |corners: [[DVec2; 2]; 2]| {
                // Edges inside of the mesh are neither soft nor have a halo.
                let distance = |at: DVec2| if is_outer(i) { outside(side, at) } else { INSIDE };
                let corner = |px: DVec2| WedgeCorner {
                    px,
                    uv: [0.5, distance(px)],
                    light: light(px),
                    depth: linear(depth, px),
                };
                emit(Wedge {
                    corners: corners.map(|end| end.map(corner)),
                    length: 0.0,
                    front_depth: None,
                    sagitta: 0.0,
                    colors: [self.colors[0]; 2],
                    inset_px: 0.0,
                    has_halo: true,
                });
            };
            push([[center, corners[i]], [center, corners[next]]]);
            if is_outer(i) {
                push([[corners[i], outward(i)], [corners[next], outward(next)]]);
            }
        }
    }

    fn square_wedges(&self, fan: Fan, rim_px: f64, mut emit: impl FnMut(Wedge)) {
        let Square { sides, half_width, depth } = bytemuck::cast(self.data);
        let half = f64::from(half_width);
        let outline = |by: f64| {
            let lines = sides.map(|[x, y, z]| [x, y, z + by as f32]);
            let corners = [(3, 0), (0, 1), (1, 2), (2, 3)].map(|(i, j)| crossing(lines[i], lines[j]));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { return Outline::EMPTY };
            Outline::polygon(&[a, b, c, d])
        };
        let [fill, border] = self.colors;
        let facet = |colors| move |_| Facet { colors, lights: None, depth: move |at| linear(depth, at) };
        outline(half).wedges(Fan { inset_px: 2.0 * half, ..fan }, &mut emit, facet([border, fill]));
        // A border has a rim on both sides: the rest of the border covers the middle of one that is all rim.
        if rim_px > 0.0 && rim_px < half {
            let [r, g, b, _] = border;
            let fan = Fan { reach_px: EDGE_PX, inset_px: 2.0 * (half - rim_px), ..fan };
            let emit = |wedge| emit(Wedge { has_halo: false, ..wedge });
            outline(half - rim_px).wedges(fan, emit, facet([border, [r, g, b, 0.0]]));
        }
    }
}

impl Cube {
    /// Returns how far a point is inside of a face from its nearest corner on, along its two edges, in half edges:
    /// `None` if the face is seen edge-on.
    fn on_face(&self, face: usize, at: DVec2) -> Option<[f64; 2]> {
        let [e, f] = [self.edges[(face + 1) % 3], self.edges[(face + 2) % 3]].map(vec);
        let r = vec(self.corner) - at;
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

    /// Returns the depth of a face at a point. `depth` is that of the nearest corner and its changes along half of the
    /// edges.
    fn depth_on(&self, face: usize, depth: [f32; 4], at: DVec2) -> f64 {
        let [alpha, beta] = self.on_face(face, at).unwrap_or_default();
        let [corner, along @ ..] = depth.map(f64::from);
        corner - alpha * along[(face + 1) % 3] - beta * along[(face + 2) % 3]
    }

    /// Returns the outline: the area between the outermost edges along each direction.
    fn outline(&self) -> Polygon {
        let edges = self.edges.map(vec);
        let size = 4.0 * edges.iter().map(|edge| edge.length()).sum::<f64>();
        let around = [DVec2::NEG_ONE, DVec2::new(1.0, -1.0), DVec2::ONE, DVec2::new(-1.0, 1.0)];
        let mut outline = Polygon::new(around.map(|corner| vec(self.corner) + size * corner));
        for (edge, [low, high]) in edges.into_iter().zip(self.outline) {
            // Edges that point at the viewer bound nothing.
            if edge.length_squared() > 1e-6 {
                let normal = edge.perp().normalize();
                outline = outline.clipped(normal, high.into()).clipped(-normal, -f64::from(low));
            }
        }
        outline
    }
}

impl Cone {
    /// Returns the depth at a point: that of the base and the tip, mixed by the position on the side that faces the
    /// viewer. The shader of ids has the same.
    fn depth(&self, at: DVec2) -> f64 {
        let q = matrix(self.unit_from_px) * (at - vec(self.center));
        let tip = f64::from(self.tip);
        // |q - s tip| = 1 - s, so that s² a - 2 s b + c = 0.
        let (a, b, c) = (tip * tip - 1.0, q.x * tip - 1.0, q.length_squared() - 1.0);
        let root = (b * b - a * c).max(0.0).sqrt();
        let divisor = if a.abs() < 1e-4 { 1e-4f64.copysign(a) } else { a };
        let facing = vec(self.facing);
        // How far the point of the base from which the side runs faces the viewer.
        let toward = |s: f64| (q - DVec2::X * (s * tip)).dot(facing) / (1.0 - s);
        let [first, second] = [root, -root].map(|root| ((b + root) / divisor).clamp(0.0, 0.999));
        let s = if toward(first) > toward(second) { first } else { second };
        let [base, end] = self.depths.map(f64::from);
        base + (end - base) * s
    }

    /// Returns the hull of the tip and the base, with the light on the side of the cone.
    fn outline(&self) -> Outline {
        let (m, center, tip) = (px_from_unit(self.unit_from_px), vec(self.center), f64::from(self.tip));
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
        f64::from(self.tip.max(1.0)).recip().acos()
    }

    /// Returns the brightness of the side that runs to a point of the unit circle.
    fn side_light(&self, around: DVec2) -> f64 {
        brightness(linear(self.side_lit, around))
    }

    /// Returns the brightness of the side that faces the viewer.
    fn front_light(&self) -> f64 {
        self.side_light(vec(self.facing).normalize_or_zero())
    }

    fn is_base_visible(&self) -> bool {
        self.base_lit <= 1.5
    }
}
