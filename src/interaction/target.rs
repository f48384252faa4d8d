use super::settings::ShearPolicy;
use crate::math::{Transform, nearest_rotation, nearest_rotation_of_proper};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// One thing that the gizmo moves: its transform, and the parent that the transform is in.
///
/// The host's scene is never read: it hands in what it has, and finds the new local transform
/// in the same place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Relative to the parent. Written by the drag.
    pub local: Transform,
    /// The parent's matrix; affine. The identity where there is no parent.
    pub world_from_parent: DMat4,
    /// Lowest and highest corner of what it holds, in its own space; for
    /// [`Pivot::BoundsCenter`](super::Pivot::BoundsCenter).
    pub bounds_local: Option<[DVec3; 2]>,
    /// The place in the list of a target that this one hangs under, near or far: it goes along
    /// with that one and keeps its own local transform. A place that is not in the list counts
    /// as none.
    pub inside: Option<usize>,
}

impl Target {
    /// A target with no parent.
    pub fn from_world(world: Transform) -> Self {
        Self::new(world, DMat4::IDENTITY)
    }

    /// A target under a parent.
    pub fn new(local: Transform, world_from_parent: DMat4) -> Self {
        Self { local, world_from_parent, bounds_local: None, inside: None }
    }

    /// Where its origin is.
    pub fn position_world(&self) -> DVec3 {
        self.world_from_parent.transform_point3(self.local.translation)
    }

    /// Corners of its bounds in world space; its position where it has none that are finite.
    pub(crate) fn corners_world(&self) -> impl Iterator<Item = DVec3> {
        let bounds = self.bounds_local.filter(|[low, high]| low.is_finite() && high.is_finite());
        let count = if bounds.is_some() { 8 } else { 1 };
        let [low, high] = bounds.unwrap_or_default();
        let (world_from_parent, local) = (self.world_from_parent, self.local);
        let linear = local.linear();
        (0..count).map(move |corner| {
            let side = |i: usize| if corner >> i & 1 == 0 { low[i] } else { high[i] };
            let corner_local = DVec3::new(side(0), side(1), side(2));
            world_from_parent.transform_point3(linear * corner_local + local.translation)
        })
    }
}

/// Why a handle is disabled, or a press was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DisabledReason {
    /// There is nothing to move.
    #[error("nothing is selected")]
    NoTarget,
    /// A transform or a parent matrix has a NaN or an infinity in it.
    #[error("the transform has a number that is not finite")]
    NotFinite,
    /// The parent flattens space, so no local change gives the wanted world change.
    #[error("the parent's matrix is singular: it has a scale of 0, and nothing can be moved inside it")]
    SingularParent,
    /// A factor times zero stays zero.
    #[error("the scale along this axis is 0, which no factor changes")]
    ZeroScale,
    /// [`ShearPolicy::Reject`], and a parent whose scale is not the same in all directions.
    #[error("the parent scales unevenly: a rotation inside it would need shear, which was ruled out")]
    Shear,
    /// All that the handle could change is locked.
    #[error("what this handle changes is locked")]
    Locked,
    /// The pivot is behind the viewer, or on the eye.
    #[error("the pivot is not in front of the viewer")]
    PivotNotInFront,
    /// The handle is seen end-on or edge-on, where no cursor tells a place on it. One that is
    /// shown never is.
    #[error("the handle is seen end-on: the cursor tells no place on it")]
    SeenEndOn,
}

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
