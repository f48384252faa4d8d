//! Simple white solids for the objects of replays and for the built-in scene.

use crate::mesh::Mesh;
use std::f32::consts::{PI, TAU};
use wgpu_gizmo_core::glam::Vec3;

/// Returns a flat-shaded cube with half extent 0.5.
pub fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
        let normal = Vec3::AXES[axis] * sign;
        let (u, v) = (Vec3::AXES[(axis + 1) % 3] * sign, Vec3::AXES[(axis + 2) % 3]);
        let corners = [-u - v, u - v, u + v, v - u].map(|corner| (normal + corner) * 0.5);
        add_face(&mut mesh, &corners, normal);
    }
    mesh.colored([255; 3])
}

/// Returns a smooth sphere with radius 0.5.
pub fn sphere() -> Mesh {
    const RINGS: u32 = 24;
    const SEGMENTS: u32 = 48;
    let mut mesh = Mesh::default();
    for ring in 0..=RINGS {
        let (radius, y) = (PI * ring as f32 / RINGS as f32).sin_cos();
        for segment in 0..=SEGMENTS {
            let (x, z) = (TAU * segment as f32 / SEGMENTS as f32).sin_cos();
            let direction = Vec3::new(x * radius, y, z * radius);
            mesh.positions.push((direction * 0.5).to_array());
            mesh.normals.push(direction.to_array());
        }
    }
    for ring in 0..RINGS {
        for segment in 0..SEGMENTS {
            let a = ring * (SEGMENTS + 1) + segment;
            let b = a + SEGMENTS + 1;
            mesh.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    mesh.colored([255; 3])
}

/// Returns a cylinder along y with radius 0.5 and height 1. Its sides are smooth, and its edges have a
/// 45° bevel of the width `bevel`, which catches the light.
pub(crate) fn cylinder(bevel: f32) -> Mesh {
    const SEGMENTS: u32 = 48;
    let mut mesh = Mesh::default();
    let (outer, inner, high, low) = (0.5, 0.5 - bevel, 0.5, 0.5 - bevel);
    // From the top down: radius and height of the two edges of each band, and the y component of its
    // normal.
    let bands = [
        ((0.0, high), (inner, high), 1.0),
        ((inner, high), (outer, low), 0.707),
        ((outer, low), (outer, -low), 0.0),
        ((outer, -low), (inner, -high), -0.707),
        ((inner, -high), (0.0, -high), -1.0_f32),
    ];
    for (top, bottom, up) in bands {
        let out = (1.0 - up * up).max(0.0).sqrt();
        let first = mesh.positions.len() as u32;
        for segment in 0..=SEGMENTS {
            let (x, z) = (TAU * segment as f32 / SEGMENTS as f32).sin_cos();
            for (radius, y) in [top, bottom] {
                mesh.positions.push([x * radius, y, z * radius]);
                mesh.normals.push([x * out, up, z * out]);
            }
        }
        for segment in 0..SEGMENTS {
            let a = first + segment * 2;
            mesh.indices.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
        }
    }
    mesh.colored([255; 3])
}

/// Returns a box with these extents around the origin. Its edges have a 45° bevel of the width `bevel`.
pub(crate) fn beveled_box(extents: [f32; 3], bevel: f32) -> Mesh {
    let half = Vec3::from(extents) * 0.5;
    let bevel = bevel.min(half.min_element());
    let mut mesh = Mesh::default();
    // Returns the corner of the side `face` in the octant of `sign`.
    let corner = |sign: Vec3, face: usize| sign * (half - (Vec3::ONE - Vec3::AXES[face]) * bevel);
    let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for axis in 0..3 {
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let sign = |s: f32, t: f32, r: f32| s * Vec3::AXES[a] + t * Vec3::AXES[b] + r * Vec3::AXES[axis];
        for side in [1.0, -1.0] {
            // A side; the bevels of the four edges along `axis` follow below.
            let face = signs.map(|(s, t)| corner(sign(s * side, t, side), axis));
            add_face(&mut mesh, &face, Vec3::AXES[axis] * side);
        }
        for (s, t) in signs {
            let ends = [(a, -s * t), (a, s * t), (b, s * t), (b, -s * t)];
            let edge = ends.map(|(face, r)| corner(sign(s, t, r), face));
            add_face(&mut mesh, &edge, sign(s, t, 0.0).normalize());
        }
    }
    for side in [1.0, -1.0] {
        for (s, t) in signs {
            let sign = Vec3::new(s, t, side);
            let turn = [0, 1, 2].map(|face| corner(sign, face));
            add_face(&mut mesh, &turn, sign.normalize());
        }
    }
    mesh.colored([255; 3])
}

/// Adds a flat convex face as a triangle fan.
fn add_face(mesh: &mut Mesh, corners: &[Vec3], normal: Vec3) {
    let first = mesh.positions.len() as u32;
    mesh.positions.extend(corners.iter().map(|c| c.to_array()));
    mesh.normals.extend(corners.iter().map(|_| normal.to_array()));
    for i in 2..corners.len() as u32 {
        mesh.indices.extend([first, first + i - 1, first + i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solids_are_closed_and_normals_point_outward() {
        let solids = [cube(), sphere(), cylinder(0.05), beveled_box([1.0, 2.0, 0.5], 0.1)];
        for (mesh, volume) in solids.iter().zip([1.0, PI / 6.0, PI / 4.0, 1.0]) {
            let at = |i: u32| Vec3::from(mesh.positions[i as usize]);
            let mut found = 0.0;
            for corners in mesh.indices.chunks_exact(3) {
                let [a, b, c] = [at(corners[0]), at(corners[1]), at(corners[2])];
                let face = (b - a).cross(c - a);
                let normal = Vec3::from(mesh.normals[corners[0] as usize]);
                assert!(normal.is_normalized(), "{normal}");
                // Triangles at the poles are degenerate.
                assert!(face.length() < 1e-4 || normal.dot(face.abs() * normal.signum()) > 0.0);
                found += normal.dot(face).signum() * a.dot(b.cross(c)) / 6.0;
            }
            assert!((found.abs() / volume - 1.0).abs() < 0.1, "volume {found}, not {volume}");
        }
    }
}
