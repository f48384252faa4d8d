use crate::interaction::placement::reference_frame::local_axes;
use crate::interaction::targets::parent::Parent;
use crate::interaction::targets::target::Target;
use glam::{DMat4, DQuat, DVec3};

/// A place that was edited, attached to the target that was active at the time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EditedPlace {
    pub(crate) point_world: Option<DVec3>,
    pub(crate) rotation: Option<DQuat>,
    /// The active target at the time; `None` until the next update.
    pub(crate) at: Option<Target>,
}

impl EditedPlace {
    pub(crate) fn is_empty(&self) -> bool {
        self.point_world.is_none() && self.rotation.is_none()
    }

    /// Returns the place for the current active target: the edited numbers themselves if the target has not
    /// moved, and otherwise the place moved along with it.
    pub(crate) fn moved_with(&self, active: &Target) -> Self {
        let Some(at) = &self.at else { return Self { at: Some(*active), ..*self } };
        if (at.local, at.world_from_parent) == (active.local, active.world_from_parent) {
            return *self;
        }
        let world_from_then = at.world_from_parent * at.local.to_matrix();
        let world_from_now = active.world_from_parent * active.local.to_matrix();
        let now_from_then = world_from_now * inverse_or_zero(&world_from_then);
        let moved = |point: DVec3| {
            let point_world = now_from_then.transform_point3(point);
            // A flat target has no inverse, so the point moves along with the position of the target.
            let beside = point + (active.position_world() - at.position_world());
            if now_from_then != DMat4::ZERO && point_world.is_finite() { point_world } else { beside }
        };
        let axes = |target: &Target| {
            DQuat::from_mat3(&local_axes(target, Parent::new(target.world_from_parent).as_ref()))
        };
        let turned = |rotation: DQuat| (axes(active) * axes(at).inverse() * rotation).normalize();
        Self {
            point_world: self.point_world.map(moved),
            rotation: self.rotation.map(turned).filter(|rotation| rotation.is_finite()),
            at: self.at,
        }
    }
}

fn inverse_or_zero(matrix: &DMat4) -> DMat4 {
    let inverse = matrix.inverse();
    if matrix.determinant() != 0.0 && inverse.is_finite() { inverse } else { DMat4::ZERO }
}
