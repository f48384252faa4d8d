//! The axes that handles follow.

use crate::interaction::settings::Orientation;
use crate::interaction::targets::parent::Parent;
use crate::interaction::targets::target::Target;
use crate::math::{View, is_positive, nearest_rotation};
use glam::DMat3;

impl Orientation {
    /// Returns the axes of the reference frame, as columns, in world space.
    pub(crate) fn axes(self, view: &View, active: &Target, parent: Option<&Parent>) -> DMat3 {
        match self {
            Self::World => DMat3::IDENTITY,
            Self::Parent => nearest_rotation(DMat3::from_mat4(active.world_from_parent)).unwrap_or_default(),
            Self::Local => local_axes(active, parent),
            Self::View => view.axes(),
            Self::Custom(rotation) => {
                let length = rotation.length();
                if is_positive(length) {
                    DMat3::from_quat(rotation * length.recip())
                } else {
                    DMat3::IDENTITY
                }
            }
        }
    }
}

/// Returns the target's own axes in world space: the rotation that remains after a polar decomposition
/// removes scale and shear. A scale of 0 counts as a scale of 1.
pub(crate) fn local_axes(target: &Target, parent: Option<&Parent>) -> DMat3 {
    if let Some(axes) = parent.and_then(|parent| parent.child_axes(&target.local)) {
        return axes;
    }
    let parent = DMat3::from_mat4(target.world_from_parent);
    let rotation = DMat3::from_quat(target.local.unit_rotation());
    nearest_rotation(parent * target.local.linear())
        .or_else(|| nearest_rotation(parent * rotation))
        .unwrap_or(rotation)
}
