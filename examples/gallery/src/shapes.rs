//! The triangles of the solids.

use wgpu_gizmo::glam::Vec3;

/// A solid that fits into a cube of side 1 around its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A cube.
    Cube,
    /// A ball.
    Ball,
    /// A cone that points up.
    Cone,
    /// A cylinder along Y.
    Cylinder,
    /// A ring around Y.
    Torus,
}

/// Triangles with normals.
#[derive(Debug, Default)]
pub(crate) struct Triangles {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) indices: Vec<u32>,
}

/// Segments around the axis of a round solid.
const AROUND: u32 = 40;
/// Segments from pole to pole of a ball, and around the tube of a torus.
const ALONG: u32 = 20;

impl Shape {
    /// All shapes, in the order of their index.
    pub(crate) const ALL: [Self; 5] = [Self::Cube, Self::Ball, Self::Cone, Self::Cylinder, Self::Torus];

    /// Returns the index in [`Shape::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Returns the triangles, counterclockwise as seen from outside.
    pub(crate) fn triangles(self) -> Triangles {
        let mut triangles = Triangles::default();
        match self {
            Self::Cube => triangles.cube(),
            Self::Ball => triangles.revolve(&ball_profile()),
            Self::Cone => {
                let slope = Vec3::new(1.0, 0.5, 0.0).normalize();
                let [apex, rim] = [[0.0, 0.5], [0.5, -0.5]];
                triangles.revolve(&[(apex, slope), (rim, slope)]);
                triangles.revolve(&[(rim, Vec3::NEG_Y), ([0.0, -0.5], Vec3::NEG_Y)]);
            }
            Self::Cylinder => {
                let [top, bottom] = [[0.5, 0.5], [0.5, -0.5]];
                triangles.revolve(&[([0.0, 0.5], Vec3::Y), (top, Vec3::Y)]);
                triangles.revolve(&[(top, Vec3::X), (bottom, Vec3::X)]);
                triangles.revolve(&[(bottom, Vec3::NEG_Y), ([0.0, -0.5], Vec3::NEG_Y)]);
            }
            Self::Torus => triangles.revolve(&torus_profile()),
        }
        triangles
    }
}

/// A point of a profile (distance from the axis, height) with its normal in the plane of the profile.
type ProfilePoint = ([f32; 2], Vec3);

fn ball_profile() -> Vec<ProfilePoint> {
    let point = |step: u32| {
        let (sin, cos) = (std::f32::consts::PI * step as f32 / ALONG as f32).sin_cos();
        ([0.5 * sin, 0.5 * cos], Vec3::new(sin, cos, 0.0))
    };
    (0..=ALONG).map(point).collect()
}

fn torus_profile() -> Vec<ProfilePoint> {
    let point = |step: u32| {
        let (sin, cos) = (std::f32::consts::TAU * step as f32 / ALONG as f32).sin_cos();
        ([0.36 + 0.14 * cos, -0.14 * sin], Vec3::new(cos, -sin, 0.0))
    };
    (0..=ALONG).map(point).collect()
}

impl Triangles {
    fn cube(&mut self) {
        for axis in 0..3 {
            for sign in [-1.0f32, 1.0] {
                let normal = Vec3::AXES[axis] * sign;
                let (u, v) = (Vec3::AXES[(axis + 1) % 3] * sign, Vec3::AXES[(axis + 2) % 3]);
                let first = self.positions.len() as u32;
                for (a, b) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                    self.positions.push((normal * 0.5 + u * a + v * b).to_array());
                    self.normals.push(normal.to_array());
                }
                self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            }
        }
    }

    /// Revolves a profile, which runs from the top to the bottom, around Y.
    fn revolve(&mut self, profile: &[ProfilePoint]) {
        let first = self.positions.len() as u32;
        for step in 0..=AROUND {
            let (sin, cos) = (std::f32::consts::TAU * step as f32 / AROUND as f32).sin_cos();
            for ([radius, height], normal) in profile {
                self.positions.push([radius * cos, *height, -radius * sin]);
                self.normals.push([normal.x * cos, normal.y, -normal.x * sin]);
            }
        }
        let rows = profile.len() as u32;
        for (step, row) in (0..AROUND).flat_map(|step| (0..rows - 1).map(move |row| (step, row))) {
            let corner = first + step * rows + row;
            let next = corner + rows;
            self.indices.extend([corner, corner + 1, next + 1, corner, next + 1, next]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_face_outward_and_fit_into_the_cube() {
        for shape in Shape::ALL {
            let Triangles { positions, normals, indices } = shape.triangles();
            assert_eq!(positions.len(), normals.len());
            assert!(positions.iter().flatten().all(|x| x.abs() <= 0.5 + 1e-6), "{shape:?}");
            let at = |index: u32| Vec3::from_array(positions[index as usize]);
            let mut checked = 0;
            for corners in indices.chunks(3) {
                let [a, b, c] = [at(corners[0]), at(corners[1]), at(corners[2])];
                let area = (b - a).cross(c - a);
                // Triangles at a pole have no area.
                if area.length() > 1e-6 {
                    let normal = Vec3::from_array(normals[corners[1] as usize]);
                    assert!(area.dot(normal) > 0.0, "{shape:?} {corners:?}");
                    checked += 1;
                }
            }
            assert!(checked >= 12, "{shape:?}");
        }
    }
}
