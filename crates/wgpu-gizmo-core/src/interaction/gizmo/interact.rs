use super::super::event::Event;
use super::super::immediate::Pointer;
use super::super::target::Target;
use super::Gizmo;
use crate::math::{Transform, View};

/// One call per frame.
impl Gizmo {
    /// Runs the whole gizmo in one call per frame, with picking on the CPU. It reads the pointer, moves
    /// `world`, and returns the last event of the frame.
    ///
    /// ```
    /// use wgpu_gizmo_core::interaction::Pointer;
    /// use wgpu_gizmo_core::{Event, Gizmo, Transform, View};
    ///
    /// fn frame(gizmo: &mut Gizmo, view: &View, pointer: Pointer, object: &mut Transform) {
    ///     if let Some(Event::Ended { changed: true }) = gizmo.interact(view, pointer, object) {
    ///         println!("add an undo step");
    ///     }
    ///     let orbits_camera = gizmo.hovered().is_none() && gizmo.dragging().is_none();
    ///     # let _ = orbits_camera;
    /// }
    /// ```
    ///
    /// Call it once per frame, then [`Gizmo::draw`] (or `WgpuGizmo::prepare`) once for each view. A frame in which it is not called
    /// draws nothing and cancels a drag; [`Gizmo::starts`] returns the start of the transform. If views have
    /// the same size, as those of several windows can have, give each a key ([`View::with_key`]); otherwise
    /// two views that look the same count as two frames of one.
    ///
    /// With [`Settings::snap_to`](crate::Settings::snap_to), first pass the answers of the picker to
    /// [`Gizmo::answer`].
    ///
    /// It can also be called once for each of several windows, with the pointer of that window. The
    /// pointer of one window does not affect a press or a drag of another, apart from `cancel_down`;
    /// views of different windows need different keys for this.
    pub fn interact(&mut self, view: &View, pointer: Pointer, world: &mut Transform) -> Option<Event> {
        self.immediate.begin();
        let held_elsewhere = self.held_view().is_some_and(|held| held.key() != view.key());
        let has_pointer = pointer.position_px.is_some() || self.immediate.is_pointer_in(view.key());
        if held_elsewhere && pointer.cancel_down {
            self.cancel();
        }
        let mut target = [Target::from_world(*world)];
        let event = match () {
            // Only a cancel gets through to a drag in another window.
            () if held_elsewhere && !self.input.has_cancel() => None,
            () if held_elsewhere || !has_pointer => self.update(view, &mut target).last().copied(),
            () => self.interact_here(view, pointer, &mut target),
        };
        self.output.set_reported_if(event.is_some());
        *world = target[0].local;
        event
    }

    /// Processes a pointer that is in this view or in none.
    fn interact_here(&mut self, view: &View, pointer: Pointer, target: &mut [Target; 1]) -> Option<Event> {
        let [was_down, was_canceling] = self.immediate.set_pointer(view.key(), &pointer);
        match pointer.position_px {
            Some(position_px) => self.pointer_moved(position_px),
            None => self.pointer_left(),
        }
        self.set_held_keys(pointer.held);
        if pointer.cancel_down && !was_canceling {
            self.cancel();
        }
        match (was_down, pointer.primary_down) {
            (false, true) => self.pointer_pressed(),
            (true, false) => self.pointer_released(),
            _ => {}
        }
        let mut event = self.update(view, target).last().copied();
        // A press, and a hover where no button is held, are answered in the same frame.
        self.answer_on_cpu();
        if !self.is_active() && self.needs_update() {
            event = self.update(view, target).last().copied().or(event);
        }
        event
    }
}
