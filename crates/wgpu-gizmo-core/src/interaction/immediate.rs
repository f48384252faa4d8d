use super::key::HeldKeys;
use crate::math::View;
use glam::DVec2;

/// The state of the pointer and its keys in one frame, for [`Gizmo::interact`](super::Gizmo::interact).
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

/// The state that [`Gizmo::interact`](super::Gizmo::interact) keeps from frame to frame.
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
    pub(super) fn note_drawn(&mut self, view: Option<&View>) -> bool {
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
