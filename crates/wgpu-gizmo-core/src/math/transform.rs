use super::is_positive;
use super::matrix::{Matrix4, nearest_rotation};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

/// A translation, rotation and scale, applied to a point in the order scale, rotate, translate.
///
/// It is relative to a parent, or to the world if there is no parent. The default is the identity.
///
/// ```
/// use wgpu_gizmo_core::Transform;
/// use wgpu_gizmo_core::glam::{DQuat, DVec3};
///
/// let transform = Transform {
///     translation: DVec3::new(1.0, 2.0, 3.0),
///     rotation: DQuat::from_rotation_y(0.5),
///     scale: DVec3::splat(2.0),
/// };
/// let matrix = transform.to_matrix();
/// let back = Transform::from_matrix(matrix).expect("the matrix is not singular");
/// assert!(back.translation.abs_diff_eq(transform.translation, 1e-12));
/// assert!(back.error_against(matrix) < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Transform {
    /// The position in the space of the parent, in its units.
    pub translation: DVec3,
    /// The rotation, which does not have to be normalized. A quaternion that cannot be normalized
    /// (zero, NaN) counts as no rotation.
    pub rotation: DQuat,
    /// The factor per local axis. A negative factor mirrors, and zero flattens.
    pub scale: DVec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// Creates a transform that only moves.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Target, Transform, glam::DVec3};
    ///
    /// let target = Target::from_world(Transform::from_translation(DVec3::new(1.0, 2.0, 3.0)));
    /// # assert_eq!(target.local.scale, DVec3::ONE);
    /// ```
    pub const fn from_translation(translation: DVec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Creates a transform from the plain arrays that every math library can produce, in `f32` or `f64`. The
    /// rotation is a quaternion in the order x, y, z, w.
    ///
    /// ```
    /// use wgpu_gizmo_core::Transform;
    ///
    /// let transform = Transform::from_arrays([1.0f32, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
    /// assert_eq!(transform.translation.to_array(), [1.0, 2.0, 3.0]);
    /// let back = transform.translation.as_vec3().to_array();
    /// # assert_eq!(back, [1.0, 2.0, 3.0]);
    /// ```
    pub fn from_arrays<T: Into<f64>>(translation: [T; 3], rotation: [T; 4], scale: [T; 3]) -> Self {
        Self {
            translation: DVec3::from_array(translation.map(T::into)),
            rotation: DQuat::from_array(rotation.map(T::into)),
            scale: DVec3::from_array(scale.map(T::into)),
        }
    }

    /// Returns the rotation with unit length, or the identity if it cannot be normalized.
    pub fn unit_rotation(&self) -> DQuat {
        let length = self.rotation.length();
        if is_positive(length) { self.rotation * length.recip() } else { DQuat::IDENTITY }
    }

    /// Returns the linear part of `parent_from_local`: rotation and scale without the translation.
    pub fn linear(&self) -> DMat3 {
        DMat3::from_quat(self.unit_rotation()) * DMat3::from_diagonal(self.scale)
    }

    /// Returns the matrix `parent_from_local`.
    pub fn to_matrix(&self) -> DMat4 {
        let mut matrix = DMat4::from_mat3(self.linear());
        matrix.w_axis = self.translation.extend(1.0);
        matrix
    }

    /// Decomposes a matrix into its translation, the lengths of its columns as the scale, and the
    /// rotation nearest to the directions of its columns.
    ///
    /// A mirroring matrix gets a negative X scale. Shear and a projective row are dropped:
    /// [`Transform::error_against`] measures them. Returns `None` if the matrix is singular or not
    /// finite.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Transform, glam::DMat4};
    ///
    /// let mut sheared = DMat4::IDENTITY;
    /// sheared.y_axis.x = 0.5;
    /// let transform = Transform::from_matrix(sheared).expect("the matrix is not singular");
    /// assert!(transform.error_against(sheared) > 0.1);
    /// ```
    pub fn from_matrix(parent_from_local: DMat4) -> Option<Self> {
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
        Some(Self { translation, rotation, scale })
    }

    /// Returns the proper rotation that is nearest to `linear` in the Frobenius norm.
    ///
    /// It is the orthogonal factor of the polar decomposition, which removes scale and shear. If the
    /// determinant is negative, the X column is negated first. Returns `None` if the matrix is
    /// singular or not finite.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DMat3, DVec3};
    /// use wgpu_gizmo_core::Transform;
    ///
    /// let stretched = DMat3::from_rotation_z(0.5) * DMat3::from_diagonal(DVec3::new(2.0, 1.0, 3.0));
    /// let rotation = Transform::nearest_rotation(stretched).expect("the matrix is not singular");
    /// assert!(rotation.abs_diff_eq(DMat3::from_rotation_z(0.5), 1e-12));
    /// ```
    pub fn nearest_rotation(linear: DMat3) -> Option<DMat3> {
        nearest_rotation(linear)
    }

    /// Returns the relative difference between a matrix and the matrix of this transform.
    ///
    /// It is the Frobenius norm of the difference, divided by that of the linear part of
    /// `parent_from_local`.
    pub fn error_against(&self, parent_from_local: DMat4) -> f64 {
        let difference = parent_from_local - self.to_matrix();
        let linear = DMat3::from_mat4(parent_from_local);
        frobenius(&difference.to_cols_array()) / frobenius(&linear.to_cols_array())
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// Drops what a transform cannot express, such as shear; [`Transform::error_against`] measures it. A matrix
/// that is singular or not finite keeps its translation and the lengths of its columns, without a rotation.
///
/// ```
/// use wgpu_gizmo_core::Transform;
/// use wgpu_gizmo_core::glam::{DAffine3, DVec3};
///
/// let transform = Transform::from(DAffine3::from_translation(DVec3::X));
/// assert_eq!(transform.translation, DVec3::X);
/// assert_eq!(DAffine3::from(transform), DAffine3::from_translation(DVec3::X));
/// ```
impl From<DAffine3> for Transform {
    fn from(parent_from_local: DAffine3) -> Self {
        let length = |column| parent_from_local.matrix3.col(column).length();
        Self::from_matrix(parent_from_local.into()).unwrap_or_else(|| Self {
            translation: parent_from_local.translation,
            scale: DVec3::from_array([0, 1, 2].map(length)),
            ..Self::IDENTITY
        })
    }
}

impl From<Transform> for DAffine3 {
    fn from(transform: Transform) -> Self {
        Self { matrix3: transform.linear(), translation: transform.translation }
    }
}

impl From<Transform> for DMat4 {
    fn from(transform: Transform) -> Self {
        transform.to_matrix()
    }
}

/// The transform of an object as its host stores it: a [`Transform`], or any [`Matrix4`].
///
/// A matrix is decomposed as by `Transform::from` of a `DAffine3`. If only its translation is set, it keeps its other
/// columns; otherwise it loses shear and a projective row.
pub trait HostTransform {
    /// Returns the transform, relative to the same space.
    fn to_transform(&self) -> Transform;

    /// Stores a transform, rounded if this type has less precision.
    fn set_transform(&mut self, transform: Transform);
}

impl HostTransform for Transform {
    fn to_transform(&self) -> Transform {
        *self
    }

    fn set_transform(&mut self, transform: Transform) {
        *self = transform;
    }
}

impl<M: Matrix4 + Copy> HostTransform for M {
    fn to_transform(&self) -> Transform {
        DAffine3::from_mat4(self.into_dmat4()).into()
    }

    fn set_transform(&mut self, transform: Transform) {
        let start = self.to_transform();
        let mut matrix = self.into_dmat4();
        if (transform.rotation, transform.scale) == (start.rotation, start.scale) {
            matrix.w_axis = transform.translation.extend(matrix.w_axis.w);
        } else {
            matrix = transform.to_matrix();
        }
        *self = M::from_dmat4(matrix);
    }
}

fn frobenius(entries: &[f64]) -> f64 {
    entries.iter().map(|e| e * e).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affine_matrices_convert_both_ways() {
        let rotation = DQuat::from_rotation_z(0.3);
        let start = Transform { translation: DVec3::Y, rotation, scale: DVec3::new(2.0, 3.0, -0.5) };
        let matrix = DAffine3::from(start);
        assert!(DMat4::from(start).abs_diff_eq(matrix.into(), 0.0));
        assert!(DAffine3::from(Transform::from(matrix)).abs_diff_eq(matrix, 1e-14));
        let flat = DAffine3::from_scale(DVec3::new(2.0, 0.0, 1.0));
        assert_eq!(Transform::from(flat).scale, DVec3::new(2.0, 0.0, 1.0));
        assert_eq!(Transform::from_arrays([0.0f64; 3], [0.0, 0.0, 0.0, 1.0], [1.0; 3]), Transform::IDENTITY);
    }
}
