use super::is_positive;
use glam::{DMat3, DMat4, DVec4, Mat4};

/// A 4×4 matrix type that converts from and to `DMat4`, such as the matrices that
/// [`View::new`](super::View::new) accepts.
///
/// It is implemented for `glam` matrices and for plain arrays, in `f32` and `f64`. Every matrix
/// library, and every version of `glam`, can produce such arrays. The Cargo feature `mint` adds
/// `mint::ColumnMatrix4`.
///
/// ```
/// use wgpu_gizmo_core::glam::DMat4;
/// use wgpu_gizmo_core::math::Matrix4;
///
/// let columns = <[[f32; 4]; 4]>::from_dmat4(DMat4::IDENTITY);
/// assert_eq!(columns[3], [0.0, 0.0, 0.0, 1.0]);
/// assert_eq!(columns.into_dmat4(), DMat4::IDENTITY);
/// ```
pub trait Matrix4 {
    /// Returns the same matrix in `f64`: column-major, acting on column vectors.
    fn into_dmat4(self) -> DMat4;

    /// Returns the same matrix in this type, rounded if it has less precision.
    fn from_dmat4(matrix: DMat4) -> Self;
}

/// Each row is a type, its matrix in `f64`, and itself from such a matrix.
macro_rules! matrices {
    ($($matrix:ty: $into:expr, $from:expr;)*) => {$(
        impl Matrix4 for $matrix {
            fn into_dmat4(self) -> DMat4 {
                $into(self)
            }

            fn from_dmat4(matrix: DMat4) -> Self {
                $from(matrix)
            }
        }
    )*};
}

matrices! {
    DMat4: |m| m, |m| m;
    Mat4: |m: Self| m.as_dmat4(), |m: DMat4| m.as_mat4();
    [[f64; 4]; 4]: |m| DMat4::from_cols_array_2d(&m), |m: DMat4| m.to_cols_array_2d();
    [[f32; 4]; 4]: |m| Mat4::from_cols_array_2d(&m).as_dmat4(), |m: DMat4| m.as_mat4().to_cols_array_2d();
    [f64; 16]: |m| DMat4::from_cols_array(&m), |m: DMat4| m.to_cols_array();
    [f32; 16]: |m| Mat4::from_cols_array(&m).as_dmat4(), |m: DMat4| m.as_mat4().to_cols_array();
}

/// Computes [`Transform::nearest_rotation`](super::Transform::nearest_rotation).
// Newton's iteration with determinant scaling: N. Higham, "Computing the Polar Decomposition with
// Applications", SIAM J. Sci. Stat. Comput. 7 (1986).
pub(crate) fn nearest_rotation(linear: DMat3) -> Option<DMat3> {
    // Scaling keeps the determinant of tiny and huge matrices in range.
    let largest = linear.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let mut x = linear * (1.0 / largest);
    if x.determinant() < 0.0 {
        x.x_axis = -x.x_axis;
    }
    // Convergence is quadratic; with the scaling, even a condition number of 1e15 takes at most 10.
    for _ in 0..20 {
        let determinant = x.determinant();
        if !is_positive(determinant) {
            return None;
        }
        // Near convergence the scale factor is 1, and computing it would only add rounding errors.
        let mu = if (determinant - 1.0).abs() < 1e-2 { 1.0 } else { determinant.cbrt().recip() };
        let scaled = x * mu;
        let next = (scaled + scaled.inverse().transpose()) * 0.5;
        let change = (next - x).to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        x = next;
        if change < 1e-15 {
            break;
        }
    }
    let error = x * x.transpose() - DMat3::IDENTITY;
    let orthogonal = error.to_cols_array().iter().all(|e| e.abs() < 1e-9);
    orthogonal.then_some(x)
}

/// Returns the rows 0 to 3 of a matrix.
pub(super) fn rows(m: DMat4) -> [DVec4; 4] {
    let t = m.transpose();
    [t.x_axis, t.y_axis, t.z_axis, t.w_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    #[test]
    fn matrix_types_convert_to_same_matrix() {
        let m = Mat4::from_cols_array(&std::array::from_fn(|i| i as f32 * 0.25));
        let expected = m.as_dmat4();
        assert_eq!(m.into_dmat4(), expected);
        assert_eq!(m.to_cols_array().into_dmat4(), expected);
        assert_eq!(m.to_cols_array_2d().into_dmat4(), expected);
        assert_eq!(expected.to_cols_array().into_dmat4(), expected);
        assert_eq!(expected.to_cols_array_2d().into_dmat4(), expected);
        assert_eq!(Mat4::from_dmat4(expected), m);
        assert_eq!(<[f32; 16]>::from_dmat4(expected).into_dmat4(), expected);
        assert_eq!(<[f64; 16]>::from_dmat4(expected).into_dmat4(), expected);
        assert_eq!(<[[f32; 4]; 4]>::from_dmat4(expected).into_dmat4(), expected);
        assert_eq!(<[[f64; 4]; 4]>::from_dmat4(expected).into_dmat4(), expected);
    }
}
