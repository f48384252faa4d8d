use super::gizmo::{Gizmo, Phase};
use super::grip::Grip;
use super::placement::PlacementCache;
use super::settings::Pivot;
use crate::handle::{CustomHandle, HandleId, HandleMesh, Mode};
use crate::math::Transform;
use glam::DMat3;

/// The host's own handles.
impl Gizmo {
    /// Adds a handle of the host's own, to be shown by [`Mode::Handles`](crate::Mode::Handles):
    /// `gizmo.settings.mode = Mode::Handles(Mode::Translate.handles().with(handle))`. `None` where
    /// the gizmo has [`HandleId::MAX`] already.
    pub fn add_handle(&mut self, handle: CustomHandle) -> Option<HandleId> {
        self.handles_changed();
        // While something is held, a place that was left may still be meant.
        let free = (0..self.custom.len()).find(|place| self.custom_at(*place).is_none());
        if let Some(place) = free.filter(|_| matches!(self.phase, Phase::Idle)) {
            let id = HandleId::custom(place, handle.constraint)?;
            self.custom[place] = handle;
            self.removed = self.removed.without(id);
            self.forget_hover();
            return Some(id);
        }
        let id = HandleId::custom(self.custom.len(), handle.constraint)?;
        self.custom.push(handle);
        Some(id)
    }

    /// Takes a handle of the host's own away, also out of [`Settings::mode`](super::Settings::mode), and gives it back.
    /// A drag of it goes on. `None` for a built-in handle and for one that was removed before;
    /// its place, and so its id, may go to the next that is added.
    pub fn remove_handle(&mut self, handle: HandleId) -> Option<CustomHandle> {
        let place = self.own_place(handle)?;
        self.handles_changed();
        self.removed = self.removed.with(handle);
        if let Mode::Handles(shown) = &mut self.settings.mode {
            *shown = shown.without(handle);
        }
        if self.hovered == Some(handle) && !self.is_active() {
            self.forget_hover();
        }
        // The mesh that stays in its place is one that is there anyway.
        let nothing = CustomHandle { mesh: HandleMesh::cube(), ..self.custom[place].clone() };
        Some(std::mem::replace(&mut self.custom[place], nothing))
    }

    /// Puts another handle of the host's own in the place of one: another mesh, color, placement
    /// or constraint. The id that it has from then on is the same unless the constraint is
    /// another. `None`, and nothing is done, where `handle` is none of the host's own, was removed,
    /// or is being dragged and has another constraint.
    pub fn replace_handle(&mut self, handle: HandleId, by: CustomHandle) -> Option<HandleId> {
        let place = self.own_place(handle)?;
        let id = HandleId::custom(place, by.constraint)?;
        if id != handle && matches!(self.phase, Phase::Dragging(_)) {
            return None;
        }
        self.custom[place] = by;
        self.handles_changed();
        if id != handle && self.hovered == Some(handle) {
            self.forget_hover();
        }
        Some(id)
    }

    /// The handles that [`Gizmo::add_handle`] has added, by [`HandleId::custom_index`]; what stands
    /// in the place of one that was removed means nothing.
    pub fn custom_handles(&self) -> &[CustomHandle] {
        &self.custom
    }

    /// Moves a handle of the host's own, relative to pivot and reference frame, in units of the
    /// gizmo's size. A drag of it goes on along the axes that it began with.
    pub fn place_handle(&mut self, handle: HandleId, placement: Transform) {
        let own = self.own_place(handle).map(|place| &mut self.custom[place]);
        if let Some(own) = own.filter(|own| own.placement != placement) {
            own.placement = placement;
            self.handles_changed();
        }
    }

    /// All handles, built in and the host's own.
    pub(super) fn handles(&self) -> impl Iterator<Item = HandleId> {
        let custom = (0..self.custom.len()).filter_map(|place| self.custom_at(place));
        HandleId::all().chain(custom)
    }

    /// All its handles, shown or not.
    pub(super) fn grips(&self) -> impl Iterator<Item = Grip> {
        self.handles().map(|handle| Grip { rotation: self.own_rotation(handle), ..Grip::from(handle) })
    }

    /// The host's own handle at this place, if it was not removed.
    pub(super) fn custom_at(&self, place: usize) -> Option<HandleId> {
        let handle = HandleId::custom(place, self.custom.get(place)?.constraint)?;
        (!self.removed.contains(handle)).then_some(handle)
    }

    /// Its place among the host's own, if it is one of them and was not removed.
    fn own_place(&self, handle: HandleId) -> Option<usize> {
        handle.custom_index().filter(|place| self.custom_at(*place) == Some(handle))
    }

    /// They are placement_cache anew at the next update.
    fn handles_changed(&mut self) {
        self.placement_cache = PlacementCache::default();
        self.needs_redraw = true;
    }

    /// Turns the axes of the reference frame into those of a handle of the host's own.
    fn own_rotation(&self, handle: HandleId) -> DMat3 {
        let own = handle.custom_index().and_then(|place| self.custom.get(place));
        own.map_or(DMat3::IDENTITY, CustomHandle::rotation)
    }

    /// What to take hold of for a handle of the gizmo on this target.
    pub(super) fn grip(&self, handle: HandleId, copy: usize) -> Grip {
        let copy = (self.settings.pivot == Pivot::EachTarget).then_some(copy);
        Grip { handle, rotation: self.own_rotation(handle), copy }
    }
}
