use super::super::placed_handle::PlacedHandle;
use super::Gizmo;
use super::machine::Phase;
use crate::handle::{CustomHandle, HandleId, Mode};
use crate::math::Transform;

/// Custom handles.
impl Gizmo {
    /// Adds a custom handle, which [`Mode::Handles`](crate::Mode::Handles) can show. Returns `None` if the
    /// gizmo has [`HandleId::MAX_CUSTOM`] of them.
    /// See [`CustomHandle`] for an example.
    pub fn add_handle(&mut self, handle: CustomHandle) -> Option<HandleId> {
        self.invalidate_handles();
        // During a press or a drag, the id of a removed handle may still be in use.
        if let Some(id) = matches!(self.phase, Phase::Idle).then(|| self.custom.reuse_slot(&handle)).flatten()
        {
            self.forget_hover();
            return Some(id);
        }
        self.custom.add(handle)
    }

    /// Removes a custom handle, also from [`Settings::mode`](crate::Settings::mode), and returns it. A drag
    /// of it continues.
    ///
    /// Returns `None` for a built-in handle and for one that was removed before. The next handle that is
    /// added may get the same id.
    pub fn remove_handle(&mut self, handle: HandleId) -> Option<CustomHandle> {
        let removed = self.custom.remove(handle)?;
        self.invalidate_handles();
        if let Mode::Handles(shown) = &mut self.settings.mode {
            *shown = shown.without(handle);
        }
        if self.hover.handle() == Some(handle) && !self.is_active() {
            self.forget_hover();
        }
        Some(removed)
    }

    /// Replaces a custom handle by another, with another mesh, color, placement or constraint. Returns its
    /// id, which stays the same unless the constraint changes.
    ///
    /// Returns `None`, and changes nothing, if `handle` is not a custom handle, was removed, or is dragged
    /// and would change its constraint.
    pub fn replace_handle(&mut self, handle: HandleId, by: CustomHandle) -> Option<HandleId> {
        let id = self.custom.id_after(handle, &by)?;
        if id != handle && self.is_active() {
            return None;
        }
        *self.custom.get_mut(handle)? = by;
        self.invalidate_handles();
        if id != handle && self.hover.handle() == Some(handle) {
            self.forget_hover();
        }
        Some(id)
    }

    /// Returns the handles that [`Gizmo::add_handle`] has added, by [`HandleId::custom_index`]. The slot of
    /// a removed handle has no meaning.
    pub fn custom_handles(&self) -> &[CustomHandle] {
        self.custom.slots()
    }

    /// Moves a custom handle, relative to pivot and reference frame, in sizes. A drag of it continues along
    /// its axes at the press.
    pub fn place_handle(&mut self, handle: HandleId, placement: Transform) {
        let custom = self.custom.get_mut(handle).filter(|custom| custom.placement != placement);
        if let Some(custom) = custom {
            custom.placement = placement;
            self.invalidate_handles();
        }
    }

    /// Makes the next update compute the placements and the disabled handles.
    fn invalidate_handles(&mut self) {
        self.placements.invalidate();
        self.output.redraw();
    }

    /// Returns a handle of the gizmo on one target.
    pub(super) fn placed_handle(&self, handle: HandleId, copy: usize) -> PlacedHandle {
        let copy = self.has_copies().then_some(copy);
        PlacedHandle {
            handle,
            rotation: self.custom.rotation(handle),
            offset: self.custom.offset(handle),
            copy,
        }
    }
}
