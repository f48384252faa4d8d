use crate::math::Transform;
use glam::{DMat4, DVec3};

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
    /// [`ShearPolicy::Reject`](super::ShearPolicy::Reject), and a parent whose scale is not the same in all directions.
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

/// Returns whether the target at this index moves by itself, not with a target that it is inside of.
pub(crate) fn is_free(targets: &[Target], index: usize) -> bool {
    targets[index].inside.is_none_or(|ancestor| ancestor >= targets.len() || ancestor == index)
}

/// Returns the indices of the targets that move by themselves.
pub(crate) fn free(targets: &[Target]) -> impl DoubleEndedIterator<Item = usize> {
    (0..targets.len()).filter(|index| is_free(targets, *index))
}
