use crate::interaction::settings::ShearPolicy;
use crate::math::{PrincipalAxes, Transform, nearest_rotation};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// The number of parents of [`Parent::local_turns`]. A processor computes the roots of eight polynomials in the time
/// that it waits for those of one: 50 ns a parent instead of 90.
pub(crate) const LANES: usize = 8;

/// The matrix of a parent, and its inverse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parent {
    pub(crate) world_from_parent: DMat3,
    pub(crate) parent_from_world: DMat3,
    /// Set if all directions have the same scale, mirrored or not: then world rotations are exact local
    /// rotations.
    uniform: Option<Uniform>,
    /// Set by [`Parent::decomposed`] if the scales differ.
    principal_axes: Option<PrincipalAxes>,
    mirrors: bool,
}

/// A linear map that is a factor times a rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Uniform {
    /// Negative if the map mirrors.
    factor: f64,
    rotation: DQuat,
}

impl Parent {
    /// The identity.
    pub(super) const NONE: Self = Self {
        world_from_parent: DMat3::IDENTITY,
        parent_from_world: DMat3::IDENTITY,
        uniform: Some(Uniform { factor: 1.0, rotation: DQuat::IDENTITY }),
        principal_axes: None,
        mirrors: false,
    };

    /// Inverts a matrix. Returns `None` if it is singular or not finite.
    pub(crate) fn new(world_from_parent: DMat4) -> Option<Self> {
        let linear = DMat3::from_mat4(world_from_parent);
        if linear == DMat3::IDENTITY {
            return Some(Self::NONE);
        }
        // Scaling by a power of two is exact, and keeps the determinant of tiny and huge parents in range.
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
        // Cofactors cancel if two directions are nearly parallel; Newton's iteration restores the digits.
        for _ in 0..6 {
            if largest(&residual) < 1e-14 {
                break;
            }
            inverse += inverse * residual;
            residual = DMat3::IDENTITY - scaled * inverse;
        }
        // Past a condition number of about 1e12 the inverse is meaningless. A singular matrix that was
        // rotated, and rounded, is such a case.
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
        Some(Self { world_from_parent: linear, parent_from_world, uniform, principal_axes: None, mirrors })
    }

    /// Prepares an uneven parent for many calls of [`Parent::local_turn`].
    pub(crate) fn decomposed(mut self) -> Self {
        if self.uniform.is_none() {
            self.principal_axes = PrincipalAxes::new(self.world_from_parent);
        }
        self
    }

    /// Returns true if all directions have the same scale, so that world rotations are local rotations.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uniform.is_some()
    }

    /// Converts a rotation in world space to one in the space of the parent, which multiplies the local
    /// rotation from the left. Under a uniform parent P⁻¹RP is a rotation, even if P mirrors; otherwise
    /// the policy decides.
    pub(crate) fn local_turn(&self, turn: DQuat, policy: ShearPolicy) -> DQuat {
        match (self.uniform, policy) {
            (Some(Uniform { factor, .. }), _) => {
                // A rotation axis is a pseudovector: a mirror negates it once more.
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
                let axes = self.principal_axes.as_ref();
                let closed_form = axes.and_then(|axes| PrincipalAxes::nearest_turns([axes], [turn])[0]);
                closed_form.unwrap_or_else(|| self.nearest_turn(turn))
            }
        }
    }

    /// Returns the results of [`Parent::local_turn`] for the first parents. Together they cost half as much. Past the
    /// last parent they are meaningless.
    pub(crate) fn local_turns(parents: &[Self], turn: DQuat, policy: ShearPolicy) -> [DQuat; LANES] {
        let closed_form = if parents.len() < LANES || policy == ShearPolicy::LocalOnly {
            [None; LANES]
        } else {
            let axes = |i: usize| parents[i].principal_axes.as_ref().unwrap_or(&PrincipalAxes::UNKNOWN);
            PrincipalAxes::nearest_turns(std::array::from_fn(axes), [turn; LANES])
        };
        let local_turn = |i: usize| parents.get(i).map_or(turn, |parent| parent.local_turn(turn, policy));
        std::array::from_fn(|i| closed_form[i].unwrap_or_else(|| local_turn(i)))
    }

    /// Returns the rotation nearest to P⁻¹RP, by iteration.
    fn nearest_turn(&self, turn: DQuat) -> DQuat {
        nearest_rotation(self.sheared(turn)).map_or(DQuat::IDENTITY, |nearest| DQuat::from_mat3(&nearest))
    }

    /// Returns P⁻¹RP.
    fn sheared(&self, turn: DQuat) -> DMat3 {
        self.parent_from_world * DMat3::from_quat(turn) * self.world_from_parent
    }

    /// Returns the error of [`Parent::local_turn`]: ‖P⁻¹RP·Q₀S − Q′S‖ / ‖S‖ in the Frobenius norm.
    pub(crate) fn residual(&self, start: &Transform, turn: DQuat, policy: ShearPolicy) -> f64 {
        let scale = DMat3::from_diagonal(start.scale);
        let wanted = self.sheared(turn) * DMat3::from_quat(start.unit_rotation()) * scale;
        let rotation = self.local_turn(turn, policy) * start.unit_rotation();
        let found = DMat3::from_quat(rotation.normalize()) * scale;
        let norm = |m: DMat3| m.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        let residual = norm(wanted - found) / norm(scale);
        // A scale of 0 has no shape to distort.
        if residual.is_finite() { residual } else { 0.0 }
    }

    /// Returns the axes of a child in world space, if no decomposition is needed to compute them.
    pub(crate) fn child_axes(&self, local: &Transform) -> Option<DMat3> {
        let parent = self.uniform.filter(|_| !self.mirrors)?.rotation;
        let upright = local.scale.cmpgt(DVec3::ZERO).all();
        upright.then(|| DMat3::from_quat(parent * local.unit_rotation()))
    }
}
