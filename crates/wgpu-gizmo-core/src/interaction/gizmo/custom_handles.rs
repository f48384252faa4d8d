use crate::handle::{CustomHandle, HandleId, HandleMesh, HandleSet, Mode};
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::machine::Phase;
use crate::interaction::placement::PlacedHandle;
use crate::math::Transform;
use glam::{DMat3, DVec3};

/// The custom handles of a gizmo, by slot.
#[derive(Debug, Default)]
pub(super) struct CustomHandles {
    slots: Vec<CustomHandle>,
    /// The handles whose slots are free.
    removed: HandleSet,
}

impl CustomHandles {
    #[inline]
    pub(super) fn slots(&self) -> &[CustomHandle] {
        &self.slots
    }

    /// Returns the handle in a slot, unless it was removed.
    #[inline]
    pub(super) fn id_at(&self, slot: usize) -> Option<HandleId> {
        let handle = HandleId::custom(slot, self.slots.get(slot)?.constraint)?;
        (!self.removed.contains(handle)).then_some(handle)
    }

    /// Returns the slot of a handle, unless it was removed or is built in.
    fn slot_of(&self, handle: HandleId) -> Option<usize> {
        handle.custom_index().filter(|slot| self.id_at(*slot) == Some(handle))
    }

    pub(super) fn get_mut(&mut self, handle: HandleId) -> Option<&mut CustomHandle> {
        self.slot_of(handle).map(|slot| &mut self.slots[slot])
    }

    /// Returns the set of all handles: built in, and custom ones that were not removed.
    #[inline]
    pub(super) fn set(&self) -> HandleSet {
        HandleSet::below(HandleId::BUILT_IN + self.slots.len()).minus(self.removed)
    }

    /// Returns all handles: built in, then custom.
    #[inline]
    pub(super) fn all(&self) -> impl Iterator<Item = HandleId> {
        HandleId::all().chain((0..self.slots.len()).filter_map(|slot| self.id_at(slot)))
    }

    /// Returns all handles.
    pub(super) fn placed_handles(&self) -> impl Iterator<Item = PlacedHandle> {
        self.all().map(|handle| self.placed(handle, None))
    }

    /// Returns a handle of the gizmo on one target, or of the only gizmo.
    pub(super) fn placed(&self, handle: HandleId, copy: Option<usize>) -> PlacedHandle {
        let custom = handle.custom_index().and_then(|slot| self.slots.get(slot));
        let rotation = custom.map_or(DMat3::IDENTITY, CustomHandle::rotation);
        let offset = custom.map_or(DVec3::ZERO, |custom| custom.offset_world);
        let offset_sizes = custom.map_or(DVec3::ZERO, |custom| custom.placement.translation);
        PlacedHandle { handle, rotation, offset, offset_sizes, copy }
    }

    /// Puts a handle into the first free slot, if there is one.
    pub(super) fn reuse_slot(&mut self, handle: &CustomHandle) -> Option<HandleId> {
        let slot = (0..self.slots.len()).find(|slot| self.id_at(*slot).is_none())?;
        let id = HandleId::custom(slot, handle.constraint)?;
        self.slots[slot] = handle.clone();
        self.removed = self.removed.without(id);
        Some(id)
    }

    /// Puts a handle into a new slot; `None` if there are [`HandleId::MAX_CUSTOM`] of them.
    pub(super) fn add(&mut self, handle: CustomHandle) -> Option<HandleId> {
        let id = HandleId::custom(self.slots.len(), handle.constraint)?;
        self.slots.push(handle);
        Some(id)
    }

    pub(super) fn remove(&mut self, handle: HandleId) -> Option<CustomHandle> {
        let slot = self.slot_of(handle)?;
        self.removed = self.removed.with(handle);
        // The cube, which is always resident, replaces the mesh of the handle, so that it can be freed.
        let placeholder = CustomHandle { mesh: HandleMesh::cube(), ..self.slots[slot].clone() };
        Some(std::mem::replace(&mut self.slots[slot], placeholder))
    }

    /// Returns the id that a handle has after it is replaced, if it can be.
    pub(super) fn id_after(&self, handle: HandleId, by: &CustomHandle) -> Option<HandleId> {
        HandleId::custom(self.slot_of(handle)?, by.constraint)
    }
}

/// Custom handles.
impl Gizmo {
    /// Adds a custom handle, which [`Mode::Handles`](crate::Mode::Handles) can show. Returns `None` if the
    /// gizmo has [`HandleId::MAX_CUSTOM`] of them. During a press or a drag, removed ones count as well.
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
}
