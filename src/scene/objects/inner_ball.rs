//! Finds the largest ball inside a closed mesh, which serves as an occluder.

use crate::math::{Ball, Ray};
use glam::{DVec3, Vec3};
use std::collections::HashSet;

/// Returns the largest ball around the bounding center of a valid, closed mesh that no triangle enters.
/// Every ray from outside hits the mesh before this ball. Returns `None` if the mesh is not closed,
/// if its center is outside of it, or if it has too many triangles to check during an upload.
pub(super) fn inner_ball_of(positions: &[[f32; 3]], indices: &[u32], bounds: Ball) -> Option<Ball> {
    if indices.len() > 3 * MAX_TRIANGLES || bounds.radius <= 0.0 {
        return None;
    }
    // From the center.
    let at = |index: u32| Vec3::from(positions[index as usize]).as_dvec3() - bounds.center;
    let triangles: Vec<_> = indices.chunks_exact(3).map(|t| [at(t[0]), at(t[1]), at(t[2])]).collect();
    let weld = WELD_FRACTION * bounds.radius;
    if !is_closed(&triangles, weld) || !encloses_origin(&triangles) {
        return None;
    }
    let nearest = triangles.iter().map(distance_from_origin).fold(f64::INFINITY, f64::min);
    // The cracks that welding closes are too narrow for a ball of useful size.
    let radius = nearest - 2.0 * weld;
    (radius > 0.01 * bounds.radius).then_some(Ball { center: bounds.center, radius })
}

/// The maximum number of triangles of a mesh that is checked. Larger meshes are rarely instanced thousands
/// of times.
const MAX_TRIANGLES: usize = 1 << 15;

/// Vertices closer than this fraction of the mesh's radius are welded, for example along the seam
/// of a sphere, where a sine is not exactly 0.
const WELD_FRACTION: f64 = 1e-5;

/// Returns true if every edge has an even number of triangles. A path from inside must then cross
/// the surface.
fn is_closed(triangles: &[[DVec3; 3]], weld: f64) -> bool {
    let mut odd = HashSet::new();
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| (corner / weld).round().to_array().map(|n| n as i64));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = [from.min(to), from.max(to)];
            // Of a degenerate triangle, one edge is a point, and the other two are equal.
            if from != to && !odd.insert(edge) {
                odd.remove(&edge);
            }
        }
    }
    odd.is_empty()
}

/// Returns true if opposite rays from the origin both cross an odd number of triangles.
fn encloses_origin(triangles: &[[DVec3; 3]]) -> bool {
    // A direction that is unlikely to meet edges of common shapes.
    let direction = DVec3::new(0.354_196_7, 0.613_912_9, 0.705_443_1);
    [direction, -direction].into_iter().all(|direction| {
        let ray = Ray { origin: DVec3::ZERO, direction, start: 0.0 };
        triangles.iter().filter(|corners| ray.distance_to_triangle(**corners).is_some()).count() % 2 == 1
    })
}

/// Returns the distance from the origin to the nearest point of a triangle: perpendicular to its plane, or on
/// an edge.
fn distance_from_origin(&[a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let edges = [(a, b), (b, c), (c, a)];
    if normal != DVec3::ZERO && edges.iter().all(|(from, to)| from.cross(*to).dot(normal) >= 0.0) {
        return a.dot(normal).abs() / normal.length();
    }
    let to_edge = edges.map(|(from, to)| {
        let edge = to - from;
        // NaN if the edge is a point, and then `min` ignores it: the other two edges have it as an end.
        let part = (-from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        (from + edge * part).length()
    });
    to_edge.into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// A UV sphere of radius 1 around a point, with a seam and poles.
    fn ball(n: u32, center: [f32; 3]) -> (Vec<[f32; 3]>, Vec<u32>) {
        let corner = |i: u32, j: u32| {
            let (polar, azimuth) =
                (std::f32::consts::PI * i as f32 / n as f32, std::f32::consts::TAU * j as f32 / n as f32);
            let on = [polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin()];
            [0, 1, 2].map(|axis| on[axis] + center[axis])
        };
        let corners = (0..=n).flat_map(|i| (0..=n).map(move |j| corner(i, j))).collect();
        let at = |i: u32, j: u32| i * (n + 1) + j;
        let square =
            |(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
        (corners, (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(square).collect())
    }

    fn inner_ball((positions, indices): &(Vec<[f32; 3]>, Vec<u32>)) -> Option<Ball> {
        inner_ball_of(positions, indices, Ball::around(positions.iter().copied()))
    }

    #[test]
    fn inner_ball_fills_ball_and_touches_cube() {
        let found = inner_ball(&ball(24, [3.0, -7.0, 0.5])).expect("a ball is closed");
        assert!(found.center.distance(DVec3::new(3.0, -7.0, 0.5)) < 1e-5);
        assert!((0.97..1.0).contains(&found.radius), "{found:?}");
        let corners: Vec<[f32; 3]> =
            (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 * 2.0 - 1.0)).collect();
        let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
        let indices: Vec<u32> = sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect();
        let cube = inner_ball(&(corners.clone(), indices.clone())).expect("a cube is closed");
        assert!((0.999..1.0).contains(&cube.radius), "{cube:?}");
        // With separate vertices per side, as in files.
        let own: Vec<[f32; 3]> = indices.iter().map(|i| corners[*i as usize]).collect();
        assert_eq!(inner_ball(&(own, (0..36).collect())), Some(cube));
    }

    #[test]
    fn hollow_meshes_have_no_inner_ball() {
        let (corners, mut indices) = ball(12, [0.0; 3]);
        let whole = indices.clone();
        // A triangle away from the poles.
        indices.drain(6 * 30..6 * 30 + 3);
        assert_eq!(inner_ball(&(corners.clone(), indices)), None, "a hole");
        // A shell: its center is outside of the solid.
        let inner: Vec<[f32; 3]> = corners.iter().map(|corner| corner.map(|n| 0.5 * n)).collect();
        let first = corners.len() as u32;
        let shell: Vec<u32> = whole.iter().copied().chain(whole.iter().map(|i| first + i)).collect();
        assert_eq!(inner_ball(&([corners, inner].concat(), shell)), None, "a shell");
        assert_eq!(inner_ball(&(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![0, 1, 2])), None);
        assert_eq!(inner_ball(&(vec![[1.0; 3]], vec![0, 0, 0])), None, "a point");
    }

    #[test]
    fn inner_ball_contains_no_surface_point() {
        let mut rng = Rng::with_seed(4);
        let (mut corners, indices) = ball(9, [0.0; 3]);
        // Dents the sphere and keeps the seam closed: equal positions move equally.
        for corner in &mut corners {
            let seed = corner.map(|n| (n * 1e4).round() as i64 as u64);
            let mut own = Rng::with_seed(seed[0] ^ seed[1].rotate_left(20) ^ seed[2].rotate_left(40));
            let by = 0.6 + 0.8 * own.f32();
            *corner = corner.map(|n| n * by);
        }
        let found = inner_ball(&(corners.clone(), indices.clone())).expect("the mesh is closed");
        for _ in 0..20_000 {
            let triangle = rng.usize(..indices.len() / 3) * 3;
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(corners[indices[triangle + i] as usize]).as_dvec3());
            let (s, t) = (rng.f64(), rng.f64());
            let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
            let point = a + (b - a) * s + (c - a) * t;
            assert!(point.distance(found.center) >= found.radius);
        }
    }
}
