use super::matrix::nearest_rotation;
use glam::{DMat3, DMat4, DQuat, DVec3};

/// Translation, rotation and scale, applied to a point in the order scale, rotate, translate.
/// Relative to a parent, or to the world where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// In the parent's units.
    pub translation: DVec3,
    /// Need not be normalised; one that cannot be (zero, NaN) counts as no rotation.
    pub rotation: DQuat,
    /// Per local axis; negative mirrors, zero flattens.
    pub scale: DVec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A matrix taken apart by [`Transform::from_matrix`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decomposed {
    /// Its translation, the length of each column as scale, and the rotation nearest to their
    /// directions.
    pub transform: Transform,
    /// What they cannot express (shear, a projective row), as the Frobenius norm of
    /// `matrix − transform` divided by that of the matrix' linear part: 0 when nothing is lost.
    pub lost: f64,
}

impl Transform {
    /// Nothing moved, turned or scaled.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The rotation with unit length; no rotation where it has none to give.
    pub fn unit_rotation(&self) -> DQuat {
        let length = self.rotation.length();
        if length.is_finite() && length > 0.0 { self.rotation * length.recip() } else { DQuat::IDENTITY }
    }

    /// `parent_from_local`: rotation and scale without the translation.
    pub fn linear(&self) -> DMat3 {
        DMat3::from_quat(self.unit_rotation()) * DMat3::from_diagonal(self.scale)
    }

    /// `parent_from_local`.
    pub fn to_matrix(&self) -> DMat4 {
        let mut matrix = DMat4::from_mat3(self.linear());
        matrix.w_axis = self.translation.extend(1.0);
        matrix
    }

    /// Takes a matrix apart and says how much does not fit. A mirrored matrix gets its
    /// reflection as a negative X scale. `None` where it is singular or not finite.
    pub fn from_matrix(parent_from_local: DMat4) -> Option<Decomposed> {
        if !parent_from_local.is_finite() {
            return None;
        }
        let linear = DMat3::from_mat4(parent_from_local);
        let mut scale = DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
        let directions = linear * DMat3::from_diagonal(scale.recip());
        if directions.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let rotation = DQuat::from_mat3(&nearest_rotation(directions)?);
        let translation = parent_from_local.w_axis.truncate();
        let transform = Self { translation, rotation, scale };
        let missing = parent_from_local - transform.to_matrix();
        let lost = frobenius(&missing.to_cols_array()) / frobenius(&linear.to_cols_array());
        Some(Decomposed { transform, lost })
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

fn frobenius(entries: &[f64]) -> f64 {
    entries.iter().map(|e| e * e).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_comes_back_from_its_matrix_mirrored_or_not() {
        for scale in [DVec3::new(2.0, 0.5, 3.0), DVec3::new(-2.0, 0.5, 3.0)] {
            let rotation = DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 2.0) / 3.0, 1.2);
            let start = Transform { translation: DVec3::new(1.0, -2.0, 3.0), rotation, scale };
            let back = Transform::from_matrix(start.to_matrix()).expect("invertible");
            assert!(back.lost < 1e-14, "lost {}", back.lost);
            assert!(back.transform.to_matrix().abs_diff_eq(start.to_matrix(), 1e-14));
            assert!(back.transform.scale.abs_diff_eq(scale, 1e-14));
        }
    }

    #[test]
    fn what_a_sheared_matrix_loses_is_reported() {
        let mut sheared = DMat4::IDENTITY;
        sheared.y_axis.x = 0.5;
        let taken = Transform::from_matrix(sheared).expect("invertible");
        assert!(taken.lost > 0.1, "lost {}", taken.lost);
        assert_eq!(Transform::from_matrix(DMat4::ZERO), None);
        assert_eq!(Transform::from_matrix(DMat4::NAN), None);
    }

    #[test]
    fn a_rotation_that_is_none_counts_as_no_rotation() {
        let broken = Transform { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Transform::IDENTITY };
        assert_eq!(broken.to_matrix(), DMat4::IDENTITY);
        let long = Transform { rotation: DQuat::IDENTITY * 3.0, ..Transform::IDENTITY };
        assert_eq!(long.to_matrix(), DMat4::IDENTITY);
    }
}
