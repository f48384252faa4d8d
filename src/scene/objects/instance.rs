use crate::math::Ball;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use std::mem::size_of;

/// The transform and id of one object, as the shader reads it: `Object` in shaders/object.wgsl. 64
/// bytes.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct ObjectInstance {
    /// Rows of `scene_from_local`; the last number of each row is the translation, rounded to
    /// `f32`.
    pub(super) rows: [[f32; 4]; 3],
    /// The part of the translation that the rounding removed.
    pub(super) low: [f32; 3],
    pub(super) id: u32,
}

/// The vertex buffer layout of [`ObjectInstance`].
pub(super) const INSTANCE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<ObjectInstance>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x3, 5 => Uint32,
    ],
};

/// Splits a position into two floats that together hold 48 bits of it.
pub(super) fn two_floats(position: DVec3) -> [Vec3; 2] {
    let high = position.as_vec3();
    [high, (position - high.as_dvec3()).as_vec3()]
}

impl ObjectInstance {
    /// An instance whose triangles have no area, so that nothing is drawn.
    pub(super) const COLLAPSED: Self = Self { rows: [[0.0; 4]; 3], low: [0.0; 3], id: 0 };

    pub(super) fn new(scene_from_local: DAffine3, id: u32) -> Self {
        let [high, low] = two_floats(scene_from_local.translation);
        let linear = scene_from_local.matrix3.as_mat3();
        Self { rows: [0, 1, 2].map(|i| linear.row(i).extend(high[i]).to_array()), low: low.to_array(), id }
    }

    /// Returns false if a number is not finite or exceeds the range of `f32`.
    pub(super) fn is_finite(&self) -> bool {
        self.rows.as_flattened().iter().chain(&self.low).all(|number| number.is_finite())
    }

    /// Returns the linear part of `scene_from_local`.
    pub(super) fn linear(&self) -> DMat3 {
        let [x, y, z] = self.rows.map(|[x, y, z, _]| Vec3::new(x, y, z).as_dvec3());
        DMat3::from_cols(x, y, z).transpose()
    }

    /// Returns the position of the mesh's origin.
    pub(super) fn translation(&self) -> DVec3 {
        DVec3::from_array(self.rows.map(|row| row[3].into())) + Vec3::from(self.low).as_dvec3()
    }

    /// Returns a bounding ball of a transformed ball, from local to scene space.
    pub(super) fn ball(&self, local: Ball) -> Ball {
        let linear = self.linear();
        let center = linear * local.center + self.translation();
        // The largest scale factor squared is the largest eigenvalue of AᵀA. By Gershgorin's
        // theorem it is at most the largest row sum of absolute values, which is exact for
        // rotations and scales along the axes.
        let square = linear.transpose() * linear;
        let sums = square.x_axis.abs() + square.y_axis.abs() + square.z_axis.abs();
        Ball { center, radius: local.radius * sums.max_element().sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn bounding_ball_is_tight_without_shear() {
        let mut rng = Rng::with_seed(2);
        for case in 0..500 {
            let mut number = || rng.f64() * 2.0 - 1.0;
            let mut vector = || DVec3::new(number(), number(), number());
            let points: Vec<[f32; 3]> = (0..30).map(|_| vector().as_vec3().to_array()).collect();
            let local = Ball::around(points.iter().copied());
            let sheared = case % 2 == 0;
            let linear = if sheared {
                DMat3::from_cols(vector(), vector(), vector())
            } else {
                let turn = glam::DQuat::from_scaled_axis(vector() * 3.0);
                DMat3::from_quat(turn) * DMat3::from_diagonal(DVec3::splat(vector().x * 50.0))
            };
            let affine = DAffine3 { matrix3: linear, translation: vector() * 1e6 };
            let ball = ObjectInstance::new(affine, 1).ball(local);
            let points = points.iter().map(|point| affine.transform_point3(Vec3::from(*point).as_dvec3()));
            let farthest = points.map(|point| point.distance(ball.center)).fold(0.0, f64::max);
            assert!(farthest <= ball.radius * (1.0 + 1e-5), "{farthest} of {ball:?}");
            assert!(sheared || farthest > 0.999 * ball.radius, "{farthest} of {ball:?}");
        }
    }

    #[test]
    fn two_floats_keep_precision_at_ten_million() {
        let position = DVec3::new(1e7 + 1.0 / 3.0, -9.87654321e6, 0.1);
        let [high, low] = two_floats(position).map(Vec3::as_dvec3);
        assert!(((high + low) - position).length() < 1e-7);
    }

    #[test]
    fn instances_of_non_finite_transforms_are_not_finite() {
        let is_finite = |affine| ObjectInstance::new(affine, 1).is_finite();
        let at = |translation: DVec3| DAffine3 { matrix3: DMat3::IDENTITY, translation };
        assert!(is_finite(at(DVec3::ONE)));
        for bad in [DVec3::NAN, DVec3::INFINITY, DVec3::X * 1e300] {
            assert!(!is_finite(at(bad)));
        }
        let matrix3 = DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0));
        assert!(!is_finite(DAffine3 { matrix3, translation: DVec3::ZERO }));
    }
}
