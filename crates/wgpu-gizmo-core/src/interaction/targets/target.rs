use crate::draw::InvisibleReason;
use crate::math::{HostTransform, Transform};
use glam::{DMat4, DVec3};
use std::fmt;

/// An object that the gizmo moves: its local transform, and the matrix of its parent.
///
/// The gizmo never reads the host's scene. The host passes targets, and the gizmo writes their `local`.
///
/// During a drag, each update writes `local` again, computed from the start. So other changes of `local`, such
/// as those of an animation, are overwritten. The parent matrices are those of the press until the drag ends.
///
/// ```
/// use wgpu_gizmo_core::glam::{DMat4, DVec3};
/// use wgpu_gizmo_core::{Target, Transform};
///
/// let parent = DMat4::from_translation(DVec3::X);
/// let target = Target::new(Transform::IDENTITY, parent);
/// assert_eq!(target.position_world(), DVec3::X);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// The transform relative to the parent, which a drag writes.
    pub local: Transform,
    /// The affine matrix of the parent; the identity if there is no parent.
    pub world_from_parent: DMat4,
    /// The minimum and maximum corner of its bounding box in its own space, for
    /// [`Pivot::BoundsCenter`](crate::interaction::settings::Pivot::BoundsCenter) and for box handles
    /// ([`Settings::box_handles`](crate::interaction::Settings::box_handles)). Default: `None`, which counts as its
    /// position.
    pub bounds_local: Option<[DVec3; 2]>,
    /// The index of a target that is an ancestor of this one. This one moves with that target and keeps
    /// its own local transform. An index that is not in the list counts as `None`. Default: `None`.
    pub inside: Option<usize>,
    /// The identity of the object, which no other target of the list has. Default: `None`, which stands for
    /// its position in the list.
    ///
    /// A list whose keys change during a drag cancels it, so that a drag moves no other objects than those of
    /// the press. Targets with a key of the press get their starts back, bit for bit; the others stay as they
    /// are. If no target of the press has a key, only the length of the list is compared.
    pub key: Option<u64>,
}

impl Target {
    /// Creates a target without a parent.
    pub fn from_world(world: Transform) -> Self {
        Self::new(world, DMat4::IDENTITY)
    }

    /// Creates a target under a parent.
    pub fn new(local: Transform, world_from_parent: DMat4) -> Self {
        Self { local, world_from_parent, bounds_local: None, inside: None, key: None }
    }

    /// Calls a function with one target without a parent, and then stores where it is, if it has moved. Functions that
    /// take an object instead of targets are made with it.
    ///
    /// A matrix keeps its bits until it moves. What it loses then (see [`HostTransform`]) does not come back when a drag
    /// is canceled, and [`Gizmo::starts`](crate::interaction::Gizmo::starts) does not have it: for such matrices, keep a
    /// copy to undo a drag.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DVec3, Mat4, Vec3};
    /// use wgpu_gizmo_core::Target;
    ///
    /// let mut world_from_local = Mat4::from_translation(Vec3::X);
    /// Target::move_one(&mut world_from_local, |targets| targets[0].local.translation += DVec3::Y);
    /// assert_eq!(world_from_local, Mat4::from_translation(Vec3::new(1.0, 1.0, 0.0)));
    /// ```
    pub fn move_one<T>(world: &mut impl HostTransform, update: impl FnOnce(&mut [Self]) -> T) -> T {
        let start = world.to_transform();
        let mut targets = [Self::from_world(start)];
        let result = update(&mut targets);
        // A NaN differs from itself, and what has one is never moved.
        if targets[0].local != start && start.is_finite() {
            world.set_transform(targets[0].local);
        }
        result
    }

    /// Returns the target with a key: the identity of the object in the host's scene.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Target, Transform};
    ///
    /// let target = Target::from_world(Transform::IDENTITY).with_key(42);
    /// assert_eq!(target.key, Some(42));
    /// ```
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Returns the target with a bounding box: its minimum and maximum corner in its own space.
    #[must_use]
    pub fn with_bounds(self, bounds_local: [DVec3; 2]) -> Self {
        Self { bounds_local: Some(bounds_local), ..self }
    }

    /// Returns the target as one that moves along with an ancestor: the target at this index.
    #[must_use]
    pub fn with_ancestor(self, index: usize) -> Self {
        Self { inside: Some(index), ..self }
    }

    /// Returns the position of its origin in world space.
    pub fn position_world(&self) -> DVec3 {
        self.world_from_parent.transform_point3(self.local.translation)
    }

    /// Returns the corners of its bounds in world space, or its position if they are missing or not finite.
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

/// The reason why a handle is disabled, or why a press was refused.
///
/// Its `Display` text can be shown to users.
///
/// ```
/// use wgpu_gizmo_core::glam::DMat4;
/// use wgpu_gizmo_core::interaction::DisabledReason;
/// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Viewport, View};
///
/// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(800, 600), 1.0)?;
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// gizmo.update(&view, &mut []);
/// let handle = HandleId::from_name("translate_x").expect("the handle is built in");
/// assert_eq!(gizmo.disabled_reason(handle), Some(DisabledReason::NoTarget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DisabledReason {
    /// There is no target, or not that of the press.
    #[error("nothing is selected")]
    NoTarget,
    /// A transform or a parent matrix contains a NaN or an infinity.
    #[error("the transform has a number that is not finite")]
    NotFinite,
    /// The matrix of the parent is singular, so no local change gives the wanted world change.
    #[error("the parent's matrix is singular: it has a scale of 0, and nothing can be moved inside it")]
    SingularParent,
    /// The scale is 0 along all axes of the handle, and no factor changes that.
    #[error("the scale along this axis is 0, so no factor can change it")]
    ZeroScale,
    /// [`ShearPolicy::Reject`](crate::interaction::settings::ShearPolicy::Reject) is set, and a parent has a non-uniform scale.
    #[error("the parent scales non-uniformly: rotating inside it needs shear, which the settings reject")]
    Shear,
    /// All channels that the handle could change are locked.
    #[error("everything that this handle changes is locked")]
    Locked,
    /// The gizmo is not visible in this view, so no press or key can begin a drag.
    #[error(transparent)]
    Invisible(#[from] InvisibleReason),
    /// The active target has no bounding box ([`Target::bounds_local`]) for box handles.
    #[error("the object has no bounding box")]
    NoBounds,
    /// The bounding box has no length along an axis of the box handle, or a minimum above its maximum.
    #[error("the bounding box has no length along this side")]
    EmptyBox,
    /// The handle is seen end-on or edge-on, where a cursor does not determine a point of it. Visible
    /// handles never have this reason.
    #[error("the handle is seen end-on, so the cursor does not determine a point on it")]
    SeenEndOn,
}

/// Returns false if the target at this index only moves along with a target that it is inside of.
pub(crate) fn is_free(targets: &[Target], index: usize) -> bool {
    targets[index].inside.is_none_or(|ancestor| ancestor >= targets.len() || ancestor == index)
}

/// Returns the indices of the targets that move by themselves.
pub(crate) fn free(targets: &[Target]) -> impl DoubleEndedIterator<Item = usize> {
    (0..targets.len()).filter(|index| is_free(targets, *index))
}

/// Returns true if two values are equal, where a NaN equals a NaN. Otherwise a host with a NaN in a setting would never
/// rest.
#[allow(clippy::eq_op, reason = "only a value with a NaN differs from itself")]
pub(crate) fn is_same<T: PartialEq + fmt::Debug>(a: &T, b: &T) -> bool {
    a == b || (a != a && b != b && format!("{a:?}") == format!("{b:?}"))
}

/// Returns true if two lists are equal, where a NaN equals a NaN.
pub(crate) fn are_same(a: &[Target], b: &[Target]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}
