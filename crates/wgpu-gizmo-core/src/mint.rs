//! Conversions from and to `mint` matrices.

use crate::math::Matrix4;
use glam::DMat4;

impl Matrix4 for mint::ColumnMatrix4<f64> {
    fn into_dmat4(self) -> DMat4 {
        <[[f64; 4]; 4]>::from(self).into_dmat4()
    }

    fn from_dmat4(matrix: DMat4) -> Self {
        <[[f64; 4]; 4]>::from_dmat4(matrix).into()
    }
}

impl Matrix4 for mint::ColumnMatrix4<f32> {
    fn into_dmat4(self) -> DMat4 {
        <[[f32; 4]; 4]>::from(self).into_dmat4()
    }

    fn from_dmat4(matrix: DMat4) -> Self {
        <[[f32; 4]; 4]>::from_dmat4(matrix).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transform;

    #[test]
    fn mint_types_convert_both_ways() {
        let matrix = DMat4::from_cols_array(&std::array::from_fn(|i| i as f64 * 0.5));
        assert_eq!(mint::ColumnMatrix4::<f32>::from_dmat4(matrix).into_dmat4(), matrix);
        assert_eq!(mint::ColumnMatrix4::<f64>::from_dmat4(matrix).into_dmat4(), matrix);
        let [position, scale] = [[1.0, 2.0, 3.0], [1.0; 3]].map(mint::Vector3::from);
        let rotation = mint::Quaternion::from([0.0, 0.0, 0.6, 0.8]);
        let transform = Transform::from_arrays(position.into(), rotation.into(), scale.into());
        assert_eq!(mint::Vector3::from(transform.translation.to_array()), position);
        assert_eq!(mint::Quaternion::from(transform.rotation.to_array()), rotation);
    }
}
