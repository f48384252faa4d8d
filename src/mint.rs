//! Conversions from `mint` matrices.

use crate::math::IntoDMat4;
use glam::DMat4;

impl IntoDMat4 for mint::ColumnMatrix4<f64> {
    fn into_dmat4(self) -> DMat4 {
        <[[f64; 4]; 4]>::from(self).into_dmat4()
    }
}

impl IntoDMat4 for mint::ColumnMatrix4<f32> {
    fn into_dmat4(self) -> DMat4 {
        <[[f32; 4]; 4]>::from(self).into_dmat4()
    }
}
