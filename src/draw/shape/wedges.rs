//! Wedges: triangles whose fragments know their distance from one straight edge. Many gizmos are drawn with
//! them, so that all shapes are strokes and one draw call is enough. Single gizmos are not, although it would be
//! cheaper: the coverage at tips and corners would be off by up to 0.2, multisampled passes would have a different
//! picture, and depth styles no depth.

use super::outline::{Attached, Corner, Fan, Outline, Polygon};
use super::{Cone, Cube, Disc, Shape, ShapeKind, Square, Triangle, ball_light, brightness};
use crate::handle::Rgba;
use glam::{DMat2, DVec2};
use std::f64::consts::TAU;

/// The distance from the edge of a fragment that is far inside.
const INSIDE: f64 = -1e3;
/// A triangle along one edge of a shape, in pixels relative to the anchor of the shape. Its fragments receive their
/// position relative to that edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wedge {
    pub(crate) corners: [DVec2; 3],
    /// The position of each corner: along the edge, from 0 to 1, and the distance outside of the edge in pixels.
    pub(crate) places: [[f64; 2]; 3],
    /// The distance of the edges before and after it in pixels, or 0 if only the edge itself bounds the wedge.
    pub(crate) length: f64,
    /// The factors on the brightness.
    pub(crate) lights: [f64; 3],
    /// How far the edge bulges outward.
    pub(crate) sagitta: f64,
    /// Half of the width, if the edge is the center line of a stroke.
    pub(crate) half_width: Option<f64>,
    /// The color at the edge, and the color from this distance inside of it.
    pub(crate) colors: [Rgba; 2],
    pub(crate) inset_px: f64,
    /// False where a stem is attached.
    pub(crate) has_halo: bool,
}

fn vec([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(x.into(), y.into())
}

/// Returns the matrix from the unit circle of an ellipse to pixels.
fn px_from_unit([a, b, c, d]: [f32; 4]) -> DMat2 {
    DMat2::from_cols(vec([a, b]), vec([c, d])).inverse()
}

/// Returns the point at which two lines intersect.
fn crossing([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> Option<DVec2> {
    let [ax, ay, az, bx, by, bz] = [ax, ay, az, bx, by, bz].map(f64::from);
    let at = DVec2::new(az * by - ay * bz, ax * bz - az * bx) / (ax * by - ay * bx);
    at.is_finite().then_some(at)
}

fn lit([r, g, b, a]: Rgba, light: f32) -> Rgba {
    [r * light, g * light, b * light, a]
}

/// Returns the brightness of the face of a cube at a point of its outline.
fn face_light(cube: &Cube, lights: Rgba, p: DVec2) -> f32 {
    let [x, y, z] = cube.edges.map(vec);
    let r = vec(cube.corner) - p;
    // How far the point is inside of a face, in half edges: r = α e + β f.
    let inside = |e: DVec2, f: DVec2| {
        let area = e.perp_dot(f);
        if area.abs() < 1e-3 {
            return -1e3;
        }
        let (alpha, beta) = (r.perp_dot(f) / area, e.perp_dot(r) / area);
        alpha.min(beta).min(2.0 - alpha).min(2.0 - beta)
    };
    let faces = [inside(y, z), inside(z, x), inside(x, y)];
    let brightest = (0..3).max_by(|i, j| faces[*i].total_cmp(&faces[*j]));
    brightest.map_or(1.0, |face| lights[face])
}

impl Shape {
    /// Passes the wedges of a shape that is not a stroke to `emit`, which reach this far beyond its outline.
    pub(crate) fn wedges(&self, reach_px: f64, mut emit: impl FnMut(Wedge)) {
        let [color, second] = self.colors;
        let fan = Fan { apex: None, reach_px, inset_px: 0.0, light: 1.0 };
        match self.kind {
            ShapeKind::Line | ShapeKind::Arc => {}
            ShapeKind::Cone => {
                let cone: Cone = bytemuck::cast(self.data);
                let (outline, light) = cone.outline();
                let along = -(px_from_unit(cone.unit_from_px) * DVec2::X).normalize_or_zero();
                let stem = Attached { origin: vec(cone.center), along, half_width: cone.stem.into() };
                let outline = if cone.stem > 0.0 { outline.attached_to(&stem) } else { outline };
                outline.wedges(Fan { light, ..fan }, &mut emit, |_| [color; 2]);
            }
            ShapeKind::Cube => {
                let cube: Cube = bytemuck::cast(self.data);
                // Every wedge is on one face.
                let fan = Fan { apex: Some(vec(cube.corner)), ..fan };
                let outline = Outline::polygon(cube.outline().without_chamfers().corners());
                let [x, y, z] = cube.edges.map(vec);
                let along = (x * -f64::from(cube.stem.signum())).normalize_or_zero();
                let half_width = f64::from(cube.stem.abs());
                let stem = Attached { origin: vec(cube.corner) - x - y - z, along, half_width };
                let outline = if half_width > 0.0 { outline.attached_to(&stem) } else { outline };
                outline.wedges(fan, &mut emit, |middle| [lit(color, face_light(&cube, second, middle)); 2]);
            }
            ShapeKind::Square => self.square_wedges(fan, emit),
            ShapeKind::Disc => {
                let disc: Disc = bytemuck::cast(self.data);
                let mut outline = Outline::EMPTY;
                let ellipse = px_from_unit(disc.unit_from_px);
                outline.add_arc(vec(disc.center), &ellipse, [0.0, TAU], ball_light);
                let light = ball_light(DVec2::ZERO);
                outline.wedges(Fan { light, ..fan }, &mut emit, |_| [color; 2]);
            }
            ShapeKind::Triangle => self.triangle_wedges(reach_px, emit),
        }
    }

    fn triangle_wedges(&self, reach_px: f64, mut emit: impl FnMut(Wedge)) {
        let Triangle { sides, lit: [base, x, y], outer, .. } = bytemuck::cast(self.data);
        let corners = [(2, 0), (0, 1), (1, 2)].map(|(i, j)| crossing(sides[i], sides[j]));
        let [Some(a), Some(b), Some(c)] = corners else { return };
        let corners = [a, b, c];
        let center = (a + b + c) / 3.0;
        let light = |at: DVec2| brightness(f64::from(base) + at.dot(vec([x, y])));
        for (i, [nx, ny, _]) in sides.into_iter().enumerate() {
            let ends = [corners[i], corners[(i + 1) % 3]];
            // Edges inside of the mesh are neither soft nor have a halo.
            let (out, distances) = match outer as u32 >> i & 1 {
                1 => {
                    let normal = vec([nx, ny]);
                    (normal * reach_px, [normal.dot(center - ends[0]), reach_px, reach_px])
                }
                _ => (DVec2::ZERO, [INSIDE; 3]),
            };
            emit(Wedge {
                corners: [center, ends[0] + out, ends[1] + out],
                places: distances.map(|distance| [0.5, distance]),
                length: 0.0,
                lights: [light(center), light(ends[0]), light(ends[1])],
                sagitta: 0.0,
                half_width: None,
                colors: [self.colors[0]; 2],
                inset_px: 0.0,
                has_halo: true,
            });
        }
    }

    fn square_wedges(&self, fan: Fan, mut emit: impl FnMut(Wedge)) {
        let Square { sides, half_width, .. } = bytemuck::cast(self.data);
        let half = f64::from(half_width);
        let moved = |by: f64| {
            let lines = sides.map(|[x, y, z]| [x, y, z + by as f32]);
            let corners = [(3, 0), (0, 1), (1, 2), (2, 3)].map(|(i, j)| crossing(lines[i], lines[j]));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { return None };
            Some([a, b, c, d])
        };
        let [fill, border] = self.colors;
        if fill[3] > 0.0 {
            let Some(corners) = moved(half) else { return };
            let fan = Fan { inset_px: 2.0 * half, ..fan };
            return Outline::polygon(&corners).wedges(fan, &mut emit, |_| [border, fill]);
        }
        let reach = half + fan.reach_px;
        let (Some(inner), Some(outer)) = (moved(-reach), moved(reach)) else { return };
        for i in 0..4 {
            let next = (i + 1) % 4;
            let mut wedge = |corners, distances: [f64; 3]| {
                emit(Wedge {
                    corners,
                    places: distances.map(|distance| [0.5, distance]),
                    length: 0.0,
                    lights: [1.0; 3],
                    sagitta: 0.0,
                    half_width: Some(half),
                    colors: [border; 2],
                    inset_px: 0.0,
                    has_halo: true,
                });
            };
            wedge([outer[i], outer[next], inner[next]], [reach, reach, -reach]);
            wedge([outer[i], inner[next], inner[i]], [reach, -reach, -reach]);
        }
    }
}

impl Cube {
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
    /// Returns the hull of the tip and the base, and the factor on the brightness in its middle.
    fn outline(&self) -> (Outline, f64) {
        let (m, center) = (px_from_unit(self.unit_from_px), vec(self.center));
        let tip = f64::from(self.tip);
        let [base, x, y] = self.side_lit.map(f64::from);
        let side = |around: DVec2| brightness(base + DVec2::new(x, y).dot(around));
        let front = side(vec(self.facing).normalize_or_zero());
        let is_base_visible = self.base_lit <= 1.5;
        let base_light = brightness(self.base_lit.into());
        let around = |at: DVec2| if is_base_visible { base_light } else { side(at) };
        let mut outline = Outline::EMPTY;
        // The angle between the tip and the tangents from there.
        let free = if tip > 1.0 { tip.recip().acos() } else { 0.0 };
        if tip > 1.0 {
            outline.push(Corner {
                px: center + m * (DVec2::X * tip),
                is_sharp: true,
                light: front,
                ..Corner::default()
            });
        }
        outline.add_arc(center, &m, [free, TAU - 2.0 * free], around);
        if tip > 1.0 {
            let last = DVec2::from_angle(-free);
            outline.push(Corner { px: center + m * last, light: around(last), ..Corner::default() });
        }
        (outline, if is_base_visible { base_light } else { front })
    }
}
