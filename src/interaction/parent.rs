use super::settings::ShearPolicy;
use crate::math::{Transform, nearest_rotation, nearest_rotation_of_proper};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// A parent with what a drag needs of it worked out once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parent {
    pub(crate) world_from_parent: DMat3,
    pub(crate) parent_from_world: DMat3,
    /// Where all directions are scaled alike (mirrored or not): there world rotations are exact
    /// in local terms.
    uniform: Option<Uniform>,
    mirrors: bool,
}

/// A linear map that is a factor times a rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Uniform {
    /// Negative where the map mirrors.
    factor: f64,
    rotation: DQuat,
}

impl Parent {
    /// The world itself.
    const NONE: Self = Self {
        world_from_parent: DMat3::IDENTITY,
        parent_from_world: DMat3::IDENTITY,
        uniform: Some(Uniform { factor: 1.0, rotation: DQuat::IDENTITY }),
        mirrors: false,
    };

    /// Stands for one that [`Parent::new`] refuses.
    pub(crate) const SINGULAR: Self = Self {
        world_from_parent: DMat3::ZERO,
        parent_from_world: DMat3::ZERO,
        uniform: None,
        mirrors: false,
    };

    /// `None` where the matrix is singular or not finite.
    pub(crate) fn new(world_from_parent: DMat4) -> Option<Self> {
        let linear = DMat3::from_mat4(world_from_parent);
        if linear == DMat3::IDENTITY {
            return Some(Self::NONE);
        }
        // A power of two costs no bits and keeps the determinant of tiny and huge parents in range.
        let largest = |m: &DMat3| m.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let unit = largest(&linear).log2().floor().exp2();
        if !(linear.is_finite() && unit.is_normal()) {
            return None;
        }
        let scaled = linear * unit.recip();
        if scaled.determinant() == 0.0 {
            return None;
        }
        let mut inverse = scaled.inverse();
        let mut residual = DMat3::IDENTITY - scaled * inverse;
        // Cofactors cancel where two directions are nearly flat; Newton's steps mend it.
        for _ in 0..6 {
            if largest(&residual) < 1e-14 {
                break;
            }
            inverse += inverse * residual;
            residual = DMat3::IDENTITY - scaled * inverse;
        }
        // Past a condition of about 1e12 the inverse says nothing any more: what a flat matrix
        // that was turned comes to by its rounding is such a one.
        let invertible = largest(&residual) < 1e-4 && largest(&inverse) < 1e14;
        let parent_from_world = inverse * unit.recip();
        if !(parent_from_world.is_finite() && invertible) {
            return None;
        }
        let gram = scaled.transpose() * scaled;
        let factor = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
        let stretch = gram * factor.recip() - DMat3::IDENTITY;
        let uniform = stretch.to_cols_array().iter().all(|e| e.abs() < 1e-12);
        let mirrors = scaled.determinant() < 0.0;
        let upright = if mirrors { -scaled } else { scaled };
        let rotation = if uniform { nearest_rotation(upright) } else { None };
        let sign = if mirrors { -1.0 } else { 1.0 };
        let uniform = rotation.map(|rotation| Uniform {
            factor: sign * factor.sqrt() * unit,
            rotation: DQuat::from_mat3(&rotation),
        });
        Some(Self { world_from_parent: linear, parent_from_world, uniform, mirrors })
    }

    /// Whether every direction is scaled alike, so that world rotations are local rotations.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uniform.is_some()
    }

    /// What a turn of the world is inside: the rotation that comes before the local one. Under a
    /// uniform parent P⁻¹RP is a rotation, also where P mirrors; else the policy decides.
    pub(crate) fn local_turn(&self, turn: DQuat, policy: ShearPolicy) -> DQuat {
        match (self.uniform, policy) {
            (Some(Uniform { factor, .. }), _) => {
                // An axis of turning is a pseudovector: a mirror turns it round once more.
                let axis = self.parent_from_world * (turn.xyz() * factor);
                DQuat::from_vec4(axis.extend(turn.w))
            }
            (None, ShearPolicy::LocalOnly) => {
                let axis = self.parent_from_world * turn.xyz().normalize_or_zero();
                let sine = turn.xyz().length() * if self.mirrors { -1.0 } else { 1.0 };
                DQuat::from_vec4((axis.normalize_or_zero() * sine).extend(turn.w))
            }
            (None, ShearPolicy::BestFit | ShearPolicy::Reject) => {
                // The nearest rotation to P⁻¹RP·Q₀ is the one nearest to P⁻¹RP, times Q₀.
                let nearest = nearest_rotation_of_proper(self.sheared(turn));
                nearest.map_or(DQuat::IDENTITY, |r| DQuat::from_mat3(&r))
            }
        }
    }

    /// P⁻¹RP.
    fn sheared(&self, turn: DQuat) -> DMat3 {
        self.parent_from_world * DMat3::from_quat(turn) * self.world_from_parent
    }

    /// ‖P⁻¹RP·Q₀S − Q′S‖ / ‖S‖, in the Frobenius norm: what [`Parent::local_turn`] leaves out.
    pub(crate) fn residual(&self, start: &Transform, turn: DQuat, policy: ShearPolicy) -> f64 {
        let scale = DMat3::from_diagonal(start.scale);
        let wanted = self.sheared(turn) * DMat3::from_quat(start.unit_rotation()) * scale;
        let rotation = self.local_turn(turn, policy) * start.unit_rotation();
        let found = DMat3::from_quat(rotation.normalize()) * scale;
        let norm = |m: DMat3| m.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        let residual = norm(wanted - found) / norm(scale);
        // A scale of nothing has no shape to lose.
        if residual.is_finite() { residual } else { 0.0 }
    }

    /// Rotation of a child's axes in the world, where it follows without any decomposition.
    pub(crate) fn child_axes(&self, local: &Transform) -> Option<DMat3> {
        let parent = self.uniform.filter(|_| !self.mirrors)?.rotation;
        let upright = local.scale.cmpgt(DVec3::ZERO).all();
        upright.then(|| DMat3::from_quat(parent * local.unit_rotation()))
    }
}
