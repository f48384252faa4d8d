use super::gizmo::{Event, Gizmo};
use super::motion::Motion;
use super::target::Target;
use crate::handle::HandleId;
use crate::math::{Transform, View};
use glam::DVec2;

/// The pointer as it is in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pointer {
    /// Physical pixels of the target; `None` where there is no pointer.
    pub position_px: Option<DVec2>,
    /// Whether the primary button is down.
    pub primary_down: bool,
    /// Whether Esc or the secondary button is down.
    pub cancel_down: bool,
    /// Whether the snap key is down.
    pub snap_held: bool,
    /// Whether the precision key is down.
    pub precision_held: bool,
}

/// What came of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interaction {
    /// The handle under the pointer, or being dragged.
    pub hovered: Option<HandleId>,
    /// The handle being dragged.
    pub dragging: Option<HandleId>,
    /// The total since the press, in a drag.
    pub motion: Option<Motion>,
    /// The last thing that happened in this frame.
    pub event: Option<Event>,
}

/// Different cameras drawn in one rectangle after one call, and different views in all. More are
/// frames without a call.
const MAX_CAMERAS: usize = 16;
const MAX_VIEWS: usize = 256;

/// What the immediate call keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Whether the immediate call is used, rather than the event calls alone.
    is_used: bool,
    /// The views drawn since the last call.
    drawn: Vec<View>,
    /// Key of the view that the pointer is in, or was in last.
    pointer_key: u64,
    primary_down: bool,
    cancel_down: bool,
}

impl Frame {
    /// Notes that a view is drawn; returns false if a frame has gone by without a call.
    ///
    /// A view that is drawn once more, camera and all, begins another frame. One of the same size
    /// with another camera may be another window's, which must not cost the drag.
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

impl Gizmo {
    /// The whole gizmo in one call a frame, with picking on the CPU: view, pointer and transform
    /// in, what happened out. `world` is relative to the world.
    ///
    /// Call it once a frame, then [`Gizmo::draw`] once for each view. A frame in which it is not
    /// called draws nothing and cancels a drag; what the transform was is in
    /// [`Gizmo::starts`]. Where views have the same size, as those of several windows can have, give
    /// each a key ([`View::with_key`]), or two that look the same are taken for two frames of one.
    ///
    /// It can also be called once for each of several windows, with the pointer as that window has
    /// it. The pointer of one window says nothing about a press or a drag that another holds, apart
    /// from `cancel_down`; views of different windows need different keys for this.
    pub fn interact(&mut self, view: &View, pointer: Pointer, world: &mut Transform) -> Interaction {
        self.immediate.is_used = true;
        self.immediate.drawn.clear();
        let held_elsewhere = self.held_view().is_some_and(|held| held.key() != view.key());
        let has_pointer = pointer.position_px.is_some() || self.immediate.pointer_key == view.key();
        if held_elsewhere && pointer.cancel_down {
            self.cancel();
        }
        let mut target = [Target::from_world(*world)];
        let event = match () {
            // Only a cancel gets through to a drag in another window.
            () if held_elsewhere && !self.is_cancelled() => None,
            () if held_elsewhere || !has_pointer => self.update(view, &mut target).last().copied(),
            () => self.interact_here(view, pointer, &mut target),
        };
        self.has_reported |= event.is_some();
        *world = target[0].local;
        Interaction {
            hovered: self.hovered(),
            dragging: self.dragging(),
            motion: self.drag().map(|drag| drag.motion()),
            event,
        }
    }

    /// Takes the pointer in, which is in this view or in none.
    fn interact_here(&mut self, view: &View, pointer: Pointer, target: &mut [Target; 1]) -> Option<Event> {
        self.immediate.pointer_key = view.key();
        let was_down = std::mem::replace(&mut self.immediate.primary_down, pointer.primary_down);
        let was_cancelling = std::mem::replace(&mut self.immediate.cancel_down, pointer.cancel_down);
        match pointer.position_px {
            Some(position_px) => self.pointer_moved(position_px),
            None => self.pointer_left(),
        }
        self.snap_held(pointer.snap_held);
        self.precision_held(pointer.precision_held);
        if pointer.cancel_down && !was_cancelling {
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
        if !self.is_active() && self.needs_redraw() {
            event = self.update(view, target).last().copied().or(event);
        }
        event
    }
}
