use crate::interaction::event::Event;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::key::HeldKeys;
use crate::interaction::targets::target::Target;
use crate::math::{Transform, View};
use glam::DVec2;

/// The state of the pointer and its keys in one frame, for [`Gizmo::interact`](crate::interaction::Gizmo::interact).
///
/// ```
/// use wgpu_gizmo_core::glam::dvec2;
/// use wgpu_gizmo_core::interaction::Pointer;
///
/// let pointer = Pointer { position_px: Some(dvec2(400.0, 300.0)), primary_down: true, ..Pointer::default() };
/// # assert!(!pointer.cancel_down);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pointer {
    /// The position in physical pixels of the render target; `None` if there is no pointer.
    pub position_px: Option<DVec2>,
    /// Whether the primary button is down.
    pub primary_down: bool,
    /// Whether Esc or the secondary button is down.
    pub cancel_down: bool,
    /// The keys that are held.
    pub held: HeldKeys,
}

/// The maximum number of cameras that are drawn in one viewport after one call. If there are more, a frame
/// has passed without a call.
const MAX_CAMERAS: usize = 16;
/// The same for the views in all viewports.
const MAX_VIEWS: usize = 256;

/// The state that [`Gizmo::interact`](crate::interaction::Gizmo::interact) keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct ImmediateState {
    /// Whether `interact` is called, rather than the event methods alone.
    is_used: bool,
    /// The views drawn since the last call.
    drawn: Vec<View>,
    /// The key of the view that the pointer is in, or was in last.
    pointer_key: u64,
    primary_down: bool,
    cancel_down: bool,
}

impl ImmediateState {
    /// Begins a frame.
    pub(super) fn begin(&mut self) {
        self.is_used = true;
        self.drawn.clear();
    }

    /// Returns true if the pointer, which has no position now, was in a view of this key last.
    pub(super) fn is_pointer_in(&self, key: u64) -> bool {
        self.pointer_key == key
    }

    /// Stores the pointer of a view with this key. Returns the earlier states of the primary button and the
    /// cancel button: true if down.
    pub(super) fn set_pointer(&mut self, key: u64, pointer: &Pointer) -> [bool; 2] {
        self.pointer_key = key;
        let was_down = std::mem::replace(&mut self.primary_down, pointer.primary_down);
        [was_down, std::mem::replace(&mut self.cancel_down, pointer.cancel_down)]
    }

    /// Records that a view is drawn. Returns false if a frame has passed without a call.
    ///
    /// If a view is drawn again with the same camera, another frame has begun. A view of the same size with
    /// another camera may belong to another window, so it does not cancel the drag.
    pub(super) fn record_drawn(&mut self, view: Option<&View>) -> bool {
        let Some(view) = view.filter(|_| self.is_used) else { return true };
        let is_same_place = |other: &&View| (other.key(), other.viewport()) == (view.key(), view.viewport());
        let cameras = self.drawn.iter().filter(is_same_place).count();
        if cameras >= MAX_CAMERAS || self.drawn.len() >= MAX_VIEWS || self.drawn.contains(view) {
            return false;
        }
        self.drawn.push(*view);
        true
    }
}

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
    /// Call it once per frame, then [`Gizmo::draw`] (or `WgpuGizmo::prepare`) once for each view. A frame in which it
    /// is not called draws nothing and cancels a drag, as the next call reports; [`Gizmo::starts`] returns the start of
    /// the transform. If views have the same size, as those of several windows can have, give each a key
    /// ([`View::with_key`]); otherwise two views that look the same count as two frames of one.
    ///
    /// With [`SnapSettings::to`](crate::interaction::settings::SnapSettings::to), first pass the answers of the picker to
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
