use crate::handle::HandleId;
use glam::{DMat3, DVec3};

/// A handle of one gizmo on screen: built in, custom, or of the box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedHandle {
    pub(crate) handle: HandleId,
    /// The rotation from the axes of the reference frame to those of the handle; the identity unless it is
    /// custom.
    pub(crate) rotation: DMat3,
    /// The offset of a custom handle from the pivot, in world units along the reference frame.
    pub(crate) offset: DVec3,
    /// The index of the target whose gizmo it belongs to, if each target has one.
    pub(crate) copy: Option<usize>,
}

impl From<HandleId> for PlacedHandle {
    fn from(handle: HandleId) -> Self {
        Self { handle, rotation: DMat3::IDENTITY, offset: DVec3::ZERO, copy: None }
    }
}
