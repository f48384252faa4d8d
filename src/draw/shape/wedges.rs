//! Wedges: triangles whose fragments know their distance from one straight edge. Many gizmos are drawn with
//! them, so that all shapes are strokes and one draw call is enough.

use super::{Cone, Cube, Disc, Shape, ShapeKind, Square, Triangle, ball_light, brightness};
use crate::handle::Rgba;
use glam::{DMat2, DVec2};
use std::f64::consts::TAU;

/// Corners of the polygon that replaces an ellipse.
const SIDES: usize = 12;
/// The distance from the edge of a fragment that is far inside.
const INSIDE: f64 = -1e3;
/// How far a sharp corner is moved outward, relative to its sides.
const MAX_MITER: f64 = 3.0;

/// A triangle in pixels from the anchor of its shape, with the distances of its corners beyond the edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wedge {
    pub(crate) corners: [DVec2; 3],
    pub(crate) distances: [f64; 3],
    /// Half of the width, if the edge is the center line of a stroke.
    pub(crate) half_width: Option<f64>,
    pub(crate) color: Rgba,
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

impl Shape {
    /// Passes the wedges of a shape that is not a stroke to `emit`, which reach this far beyond its outline.
    pub(crate) fn wedges(&self, reach_px: f64, mut emit: impl FnMut(Wedge)) {
        let [color, second] = self.colors;
        match self.kind {
            ShapeKind::Line | ShapeKind::Arc => {}
            ShapeKind::Cone => {
                let cone: Cone = bytemuck::cast(self.data);
                let inverse = DMat2::from_cols_array(&cone.unit_from_px.map(f64::from));
                let center = vec(cone.center);
                polygon(&cone.outline(), reach_px, &mut emit, |middle| {
                    let around = (inverse * (middle - center)).normalize_or_zero();
                    let [base, x, y] = cone.side_lit.map(f64::from);
                    let side = base + DVec2::new(x, y).dot(around);
                    let light = if cone.base_lit > 1.5 { side } else { f64::from(cone.base_lit) };
                    lit(color, brightness(light) as f32)
                });
            }
            ShapeKind::Cube => {
                let cube: Cube = bytemuck::cast(self.data);
                let [x, y, z] = cube.edges.map(|edge| 2.0 * vec(edge));
                let near = vec(cube.corner);
                let outline = [near - x, near - x - y, near - y, near - y - z, near - z, near - z - x];
                let faces = [second[2], second[2], second[0], second[0], second[1], second[1]];
                let mut face = 0;
                polygon(&outline, reach_px, &mut emit, |_| {
                    face += 1;
                    lit(color, faces[face - 1])
                });
            }
            ShapeKind::Square => self.square_wedges(reach_px, emit),
            ShapeKind::Disc => {
                let disc: Disc = bytemuck::cast(self.data);
                let (m, center) = (px_from_unit(disc.unit_from_px), vec(disc.center));
                let at = |i: usize| center + m * DVec2::from_angle(TAU * i as f64 / SIDES as f64);
                polygon(&std::array::from_fn::<_, SIDES, _>(at), reach_px, &mut emit, |middle| {
                    let q = m.inverse() * (middle - center);
                    lit(color, ball_light(0.5 * q) as f32)
                });
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
        for (i, [nx, ny, _]) in sides.into_iter().enumerate() {
            let ends = [corners[i], corners[(i + 1) % 3]];
            let middle = (center + ends[0] + ends[1]) / 3.0;
            let light = f64::from(base) + middle.dot(vec([x, y]));
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
                distances,
                half_width: None,
                color: lit(self.colors[0], brightness(light) as f32),
            });
        }
    }

    fn square_wedges(&self, reach_px: f64, mut emit: impl FnMut(Wedge)) {
        let Square { sides, half_width, .. } = bytemuck::cast(self.data);
        let half = f64::from(half_width);
        let moved = |by: f64| {
            let lines = sides.map(|[x, y, z]| [x, y, z + by as f32]);
            let corners = [(3, 0), (0, 1), (1, 2), (2, 3)].map(|(i, j)| crossing(lines[i], lines[j]));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { return None };
            Some([a, b, c, d])
        };
        let [fill, border] = self.colors;
        let reach = half + reach_px;
        let (Some([a, b, c, d]), Some(inner), Some(outer)) = (moved(0.0), moved(-reach), moved(reach)) else {
            return;
        };
        let inside =
            |corners: [DVec2; 3]| Wedge { corners, distances: [INSIDE; 3], half_width: None, color: fill };
        if fill[3] > 0.0 {
            emit(inside([a, b, c]));
            emit(inside([a, c, d]));
        }
        for i in 0..4 {
            let next = (i + 1) % 4;
            let wedge =
                |corners, distances| Wedge { corners, distances, half_width: Some(half), color: border };
            emit(wedge([outer[i], outer[next], inner[next]], [reach, reach, -reach]));
            emit(wedge([outer[i], inner[next], inner[i]], [reach, -reach, -reach]));
        }
    }
}

/// Passes a wedge per side of a convex polygon to `emit`. `color` returns its color for the middle of a side.
fn polygon(
    corners: &[DVec2],
    reach_px: f64,
    emit: &mut impl FnMut(Wedge),
    mut color: impl FnMut(DVec2) -> Rgba,
) {
    let count = corners.len();
    let center = corners.iter().copied().sum::<DVec2>() / count as f64;
    let area: f64 = (0..count).map(|i| corners[i].perp_dot(corners[(i + 1) % count])).sum();
    let winding = if area < 0.0 { 1.0 } else { -1.0 };
    let out = |i: usize| (corners[(i + 1) % count] - corners[i]).normalize_or_zero().perp() * winding;
    // A corner moves along the bisector of its sides.
    let moved = |i: usize| {
        let [a, b] = [out((i + count - 1) % count), out(i)];
        let by = reach_px / (1.0 + a.dot(b)).max(2.0 / (MAX_MITER * MAX_MITER));
        corners[i] + (a + b) * by
    };
    for i in 0..count {
        let next = (i + 1) % count;
        let color = color(corners[i].midpoint(corners[next]));
        let (normal, wedge) = (out(i), [center, moved(i), moved(next)]);
        if normal != DVec2::ZERO {
            let distances = wedge.map(|corner| normal.dot(corner - corners[i]));
            emit(Wedge { corners: wedge, distances, half_width: None, color });
        }
    }
}

impl Cone {
    /// Returns the hull of the tip and the base.
    fn outline(&self) -> [DVec2; SIDES] {
        let (m, center) = (px_from_unit(self.unit_from_px), vec(self.center));
        let tip = f64::from(self.tip);
        // The angle between the tip and the tangents from there.
        let free = if tip > 1.0 { tip.recip().acos() } else { 0.0 };
        std::array::from_fn(|i| match i.checked_sub(1) {
            _ if tip <= 1.0 => center + m * DVec2::from_angle(TAU * i as f64 / SIDES as f64),
            None => center + m * DVec2::X * tip,
            Some(i) => {
                let around = i as f64 / (SIDES - 2) as f64;
                center + m * DVec2::from_angle(free + (TAU - 2.0 * free) * around)
            }
        })
    }
}
