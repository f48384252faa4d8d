//! Rays and triangles, against the same equations in numbers of twice the digits.

use crate::dd;
use crate::prelude::*;
use crate::seed;
use fastrand::Rng;
use std::f64::consts::TAU;

fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| 2.0 * rng.f64() - 1.0))
}

fn magnitude(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10f64.powf(low + (high - low) * rng.f64())
}

/// The intersection of the line of a ray and the plane of a triangle.
struct Meeting {
    distance: f64,
    /// Cosine between the ray and the normal.
    cosine: f64,
    /// Distance to the nearest edge's line in world units, less than 0 outside.
    depth_inside: f64,
}

/// The oracle; `None` for a triangle without an area.
fn meeting(ray: &Ray, corners: [DVec3; 3]) -> Option<Meeting> {
    let [a, b, c] = corners.map(dd::v3);
    let (origin, direction) = (dd::v3(ray.origin), dd::v3(ray.direction));
    let normal = dd::cross(dd::sub(b, a), dd::sub(c, a));
    let length = dd::length(normal);
    let facing = dd::dot(normal, direction);
    if length == Dd::ZERO || facing == Dd::ZERO {
        return None;
    }
    let distance = dd::dot(normal, dd::sub(a, origin)) / facing;
    let hit = dd::add(origin, dd::scale(direction, distance));
    let inside = [[a, b], [b, c], [c, a]].map(|[from, to]| {
        let edge = dd::sub(to, from);
        let inward = dd::cross(normal, edge);
        dd::dot(dd::sub(hit, from), inward) / dd::length(inward)
    });
    let cosine = (facing / length / dd::length(direction)).abs().to_f64();
    let depth_inside = inside[0].min(inside[1]).min(inside[2]).to_f64();
    Some(Meeting { distance: distance.to_f64(), cosine, depth_inside })
}

/// Distance from a point in a triangle's plane to the triangle.
fn distance_to(point: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let edges = [[a, b], [b, c], [c, a]];
    let is_inside = |[from, to]: &[DVec3; 2]| normal.cross(to - from).dot(point - from) >= 0.0;
    if edges.iter().all(is_inside) {
        return 0.0;
    }
    let to_edge = |[from, to]: [DVec3; 2]| {
        let t = (point - from).dot(to - from) / (to - from).length_squared();
        point.distance(from.lerp(to, t.clamp(0.0, 1.0)))
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

#[test]
fn ray_in_plane_of_triangle_hits_nothing_outside() {
    let mut rng = seed::rng(1);
    let (mut through, mut hits, mut off) = (0, 0, 0);
    for round in 0..1_000_000 {
        let size = magnitude(&mut rng, -3.0, 3.0);
        let at = vector(&mut rng) * if round % 2 == 0 { 0.0 } else { 10.0 * size };
        let corners: [DVec3; 3] = std::array::from_fn(|_| at + vector(&mut rng) * size);
        let [a, b, c] = corners;
        let mut in_plane = |reach: f64| {
            let [s, t] = [rng.f64(), rng.f64()].map(|x| reach * (2.0 * x - 1.0));
            a + (b - a) * s + (c - a) * t
        };
        let (origin, toward) = (in_plane(5.0), in_plane(2.0));
        let direction = (toward - origin).normalize();
        let start = if round % 3 == 0 { f64::NEG_INFINITY } else { 0.0 };
        let ray = Ray { origin, direction, start };
        through += usize::from(distance_to(toward, corners) == 0.0);
        if let Some(distance) = ray.distance_to_triangle(corners) {
            hits += 1;
            off += usize::from(distance_to(ray.at(distance), corners) > 1e-9 * size);
        }
    }
    assert_eq!(off, 0, "of {hits} hits");
    assert!(through > 20_000, "{through} rays led through their triangles");
}

#[test]
fn slivers_and_grazing_rays_match_oracle_distance() {
    let mut rng = seed::rng(2);
    let (mut hits, mut misses) = ([0; 3], 0);
    for round in 0..300_000 {
        // Stout, a needle with one short edge, and a cap with one corner next to the longest edge.
        let shape = round % 3;
        let size = magnitude(&mut rng, -2.0, 2.0);
        let at = vector(&mut rng) * size * magnitude(&mut rng, -2.0, 1.0);
        let [along, across] = [vector(&mut rng), vector(&mut rng)].map(|v| v.normalize() * size);
        let thin = if shape == 0 { 1.0 } else { magnitude(&mut rng, -7.0, -1.0) };
        let foot = if shape == 1 { 0.0 } else { 0.1 + 0.8 * rng.f64() };
        let mut corners = [at, at + along, at + along * foot + across * thin];
        rng.shuffle(&mut corners);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let cosine = magnitude(&mut rng, if shape == 0 { -7.0 } else { -2.0 }, 0.0);
        let in_plane = vector(&mut rng).reject_from_normalized(normal).normalize();
        let direction = (in_plane * (1.0 - cosine * cosine).sqrt() + normal * cosine).normalize();
        // Half of them go to a point inside, half next to the triangle.
        let [u, v] = [rng.f64(), rng.f64()];
        let [u, v] = if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] };
        let aside = if rng.bool() { in_plane * size * magnitude(&mut rng, -6.0, 0.0) } else { DVec3::ZERO };
        let toward = a + (b - a) * u + (c - a) * v + aside;
        let ray =
            Ray { origin: toward - direction * size * magnitude(&mut rng, -1.0, 2.0), direction, start: 0.0 };
        let Some(meeting) = meeting(&ray, corners) else { continue };
        // Allows for rounding of positions along an oblique ray, and for two digits that the faster method
        // may lose.
        let farthest = ray.origin.length() + at.length() + 3.0 * size;
        let rounding = 512.0 * f64::EPSILON * farthest / meeting.cosine;
        if meeting.depth_inside.abs() <= rounding {
            continue;
        }
        let hit = ray.distance_to_triangle(corners);
        let what = format!("round {round}, cosine {}, {thin} thin, {hit:?}", meeting.cosine);
        if meeting.depth_inside < 0.0 {
            assert!(hit.is_none(), "outside by {}: {what}", -meeting.depth_inside);
            misses += 1;
            continue;
        }
        let off = hit.map_or(f64::INFINITY, |distance| (distance - meeting.distance).abs());
        assert!(off <= rounding, "{off} off {}, {rounding} allowed: {what}", meeting.distance);
        hits[shape] += 1;
    }
    assert!(hits.iter().all(|count| *count > 30_000) && misses > 30_000, "{hits:?} hits, {misses} misses");
}

#[test]
fn degenerate_triangle_is_not_hit() {
    let ray = Ray { origin: DVec3::Z * 5.0, direction: DVec3::NEG_Z, start: f64::NEG_INFINITY };
    let (x, y) = (DVec3::X, DVec3::Y);
    let nan = DVec3::splat(f64::NAN);
    let huge = DVec3::splat(1e200);
    let far = DVec3::splat(f64::INFINITY);
    for corners in [
        [DVec3::ZERO; 3],
        [DVec3::ZERO, x, x],
        [-x, DVec3::ZERO, x],
        [nan, x, y],
        [-x, nan, y],
        [far, x, y],
        [-huge, huge, y],
    ] {
        assert_eq!(ray.distance_to_triangle(corners), None, "{corners:?}");
    }
}

/// A closed, convex mesh whose sides are slivers.
struct Slivers {
    corners: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
    /// Points well inside.
    inside: [DVec3; 2],
}

impl Slivers {
    /// A cone or, if it has two circles, a prism, whose circles have `count` corners.
    fn new(rng: &mut Rng, count: usize) -> Self {
        let (height, radius) = (magnitude(rng, -0.5, 2.0), magnitude(rng, -1.5, 0.5));
        let is_cone = rng.bool();
        let turned =
            if rng.u8(..4) == 0 { DQuat::IDENTITY } else { DQuat::from_scaled_axis(3.0 * vector(rng)) };
        let size = magnitude(rng, -3.0, 3.0);
        let at = vector(rng) * size * [0.0, 3.0, 1e4][rng.usize(..3)];
        let world = |[x, y, z]: [f64; 3]| at + turned * DVec3::new(x, y, z) * size;
        let circle = |z: f64, i: usize| {
            let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
            world([radius * cos, radius * sin, z])
        };
        let mut corners: Vec<DVec3> = (0..count).map(|i| circle(0.0, i)).collect();
        let mut triangles = Vec::new();
        let next = |i: usize| (i + 1) % count;
        if is_cone {
            corners.push(world([0.0, 0.0, height]));
            triangles.extend((0..count).map(|i| [i, next(i), count]));
        } else {
            corners.extend((0..count).map(|i| circle(height, i)));
            for i in 0..count {
                triangles.extend([[i, next(i), i + count], [next(i), next(i) + count, i + count]]);
            }
            triangles.extend((1..count - 1).map(|i| [count, count + i, count + i + 1]));
        }
        triangles.extend((1..count - 1).map(|i| [0, i + 1, i]));
        for triangle in &mut triangles {
            triangle.rotate_left(rng.usize(..3));
            if rng.bool() {
                triangle.swap(0, 1);
            }
        }
        Self { corners, triangles, inside: [0.2, 0.6].map(|share| world([0.0, 0.0, share * height])) }
    }

    /// Returns the numbers of triangles that a ray hits before and after a distance.
    fn hits(&self, ray: &Ray, middle: f64) -> [usize; 2] {
        let hits = self
            .triangles
            .iter()
            .filter_map(|corners| ray.distance_to_triangle(corners.map(|corner| self.corners[corner])));
        let (before, after): (Vec<f64>, Vec<f64>) = hits.partition(|distance| *distance < middle);
        [before.len(), after.len()]
    }
}

#[test]
fn rays_through_closed_slivers_hit_both_sides() {
    let mut rng = seed::rng(3);
    let mut rays = [0; 3];
    for round in 0..400 {
        let mesh = Slivers::new(&mut rng, [12, 200, 2_000][round % 3]);
        let [low, high] = mesh.inside;
        for _ in 0..60 {
            let inside = low.lerp(high, rng.f64());
            // At a point of the surface, on an edge, or through a corner.
            let [a, b, c] = mesh.triangles[rng.usize(..mesh.triangles.len())].map(|i| mesh.corners[i]);
            let kind = rng.usize(..3);
            let on = [a.lerp(b, rng.f64()).lerp(c, rng.f64()), a.lerp(b, rng.f64()), a][kind];
            let direction = (on - inside).normalize();
            let far = [0.5, 20.0, 1e3][rng.usize(..3)] * on.distance(inside);
            let ray = Ray { origin: inside - direction * far, direction, start: f64::NEG_INFINITY };
            let found = mesh.hits(&ray, far);
            assert!(found.iter().all(|hits| *hits > 0), "round {round}: {found:?} hits of {ray:?}");
            rays[kind] += 1;
        }
    }
    assert!(rays.iter().all(|count| *count > 5_000), "{rays:?}");
}
