//! Rotations and transforms for the tests. They follow the definitions and share no code with the library,
//! so they can serve as an oracle.

use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec3};

/// Returns the elements of an array of exactly `N` numbers.
pub(crate) fn numbers<const N: usize>(json: &Value) -> [f64; N] {
    let list = json.as_array().unwrap_or_else(|| panic!("{json} is not an array"));
    assert_eq!(list.len(), N, "{json}");
    std::array::from_fn(|i| list[i].as_f64().unwrap_or_else(|| panic!("{json} must contain only numbers")))
}

/// A transform as a replay prints it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trs {
    pub(crate) translation: DVec3,
    /// A quaternion x, y, z, w, which may not be normalized.
    pub(crate) rotation: [f64; 4],
    pub(crate) scale: DVec3,
}

impl Trs {
    pub(crate) fn read(json: &Value) -> Self {
        Self {
            translation: numbers::<3>(&json["translation"]).into(),
            rotation: numbers(&json["rotation"]),
            scale: numbers::<3>(&json["scale"]).into(),
        }
    }

    /// Returns the transform of an object in the scene of a replay.
    pub(crate) fn of_object(json: &Value) -> Self {
        let vector = |key: &str, default: [f64; 3]| DVec3::from(json.get(key).map_or(default, numbers));
        Self {
            translation: vector("translation", [0.0; 3]),
            rotation: json.get("rotation").map_or([0.0, 0.0, 0.0, 1.0], numbers),
            scale: vector("scale", [1.0; 3]),
        }
    }

    /// Returns the bits of all numbers, for comparisons that distinguish 0 from −0.
    pub(crate) fn bits(&self) -> [u64; 10] {
        let [x, y, z] = self.translation.to_array();
        let [a, b, c, d] = self.rotation;
        let [u, v, w] = self.scale.to_array();
        [x, y, z, a, b, c, d, u, v, w].map(f64::to_bits)
    }

    /// Returns the matrix of rotation and scale.
    pub(crate) fn linear(&self) -> DMat3 {
        rotation_of(self.rotation) * DMat3::from_diagonal(self.scale)
    }

    /// Returns the matrix from the local space to that of the parent.
    pub(crate) fn matrix(&self) -> DMat4 {
        let mut matrix = DMat4::from_mat3(self.linear());
        matrix.w_axis = self.translation.extend(1.0);
        matrix
    }
}

/// Returns the rotation matrix of a quaternion of any length: R = I + 2 (w K + K²) / |q|² with
/// K v = xyz × v.
pub(crate) fn rotation_of([x, y, z, w]: [f64; 4]) -> DMat3 {
    let k = cross_matrix(DVec3::new(x, y, z));
    DMat3::IDENTITY + (k * w + k * k) * (2.0 / (x * x + y * y + z * z + w * w))
}

/// Returns the rotation about a unit axis by Rodrigues' formula: R = I + sin a K + (1 − cos a) K².
pub(crate) fn rotation_about(axis: DVec3, angle: f64) -> DMat3 {
    let k = cross_matrix(axis);
    let half = (0.5 * angle).sin();
    DMat3::IDENTITY + k * angle.sin() + k * k * (2.0 * half * half)
}

fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Returns the angle between two similar rotations in radians, from |A − B| = 2√2 sin(angle / 2).
pub(crate) fn angle_between(a: DMat3, b: DMat3) -> f64 {
    let squares: f64 = (a - b).to_cols_array().iter().map(|e| e * e).sum();
    2.0 * ((squares / 8.0).sqrt()).min(1.0).asin()
}

/// Returns the proper rotation nearest to a matrix: R = M (MᵀM)^(−1/2). If M mirrors, its X column is
/// negated first.
pub(crate) fn nearest_rotation(mut m: DMat3) -> DMat3 {
    if m.determinant() < 0.0 {
        m.x_axis = -m.x_axis;
    }
    let (values, vectors) = eigen(m.transpose() * m);
    let inverse_root = vectors * DMat3::from_diagonal(values.map(|v| v.sqrt().recip())) * vectors.transpose();
    m * inverse_root
}

/// Returns the eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi rotations.
fn eigen(mut a: DMat3) -> (DVec3, DMat3) {
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off_diagonal = a.col(q)[p];
            if off_diagonal == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * off_diagonal).atan2(a.col(q)[q] - a.col(p)[p]);
            let (sin, cos) = angle.sin_cos();
            let mut j = DMat3::IDENTITY;
            j.col_mut(p)[p] = cos;
            j.col_mut(q)[q] = cos;
            j.col_mut(q)[p] = sin;
            j.col_mut(p)[q] = -sin;
            a = j.transpose() * a * j;
            vectors *= j;
        }
    }
    (DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), vectors)
}

#[test]
fn nearest_rotation_of_rotated_stretch_is_the_rotation() {
    let rotation = rotation_of([0.3, -0.2, 0.5, 1.4]);
    let tilt = rotation_of([0.1, 0.7, -0.2, 0.9]);
    let stretch = tilt * DMat3::from_diagonal(DVec3::new(0.4, 1.7, 2.5)) * tilt.transpose();
    assert!(angle_between(nearest_rotation(rotation * stretch), rotation) < 1e-14);
    let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
    let half = 0.6f64.sin();
    let same = rotation_of([axis.x * half, axis.y * half, axis.z * half, 0.6f64.cos()]);
    assert!(angle_between(rotation_about(axis, 1.2), same) < 1e-14);
}
