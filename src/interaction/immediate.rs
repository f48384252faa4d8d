use super::gizmo::{Event, Gizmo};
use super::motion::Motion;
use super::target::Target;
use crate::handle::HandleId;
use crate::math::{Transform, View, Viewport};
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

/// Whether the immediate call is used, and which of its frames each viewport has shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Counts the calls; 0 where only the event calls are used.
    calls: u64,
    shown: Vec<(Viewport, u64)>,
    primary_down: bool,
    cancel_down: bool,
}

impl Frame {
    /// Whether there was a call since this viewport was last drawn.
    pub(super) fn may_draw(&mut self, view: Option<&View>) -> bool {
        let Some(viewport) = view.map(View::viewport) else { return true };
        if self.calls == 0 {
            return true;
        }
        if let Some((_, shown)) = self.shown.iter_mut().find(|(v, _)| *v == viewport) {
            return std::mem::replace(shown, self.calls) != self.calls;
        }
        self.shown.retain(|(_, shown)| *shown == self.calls);
        self.shown.push((viewport, self.calls));
        true
    }
}

impl Gizmo {
    /// The whole gizmo in one call a frame, with picking on the CPU: view, pointer and transform
    /// in, what happened out. `world` is relative to the world.
    ///
    /// Call it once a frame, then [`Gizmo::draw`] once for each view. A frame in which it is not
    /// called draws nothing and cancels a drag; what the transform was is in
    /// [`Gizmo::starts`].
    pub fn interact(&mut self, view: &View, pointer: Pointer, world: &mut Transform) -> Interaction {
        self.immediate.calls += 1;
        let was = (self.immediate.primary_down, self.immediate.cancel_down);
        self.immediate.primary_down = pointer.primary_down;
        self.immediate.cancel_down = pointer.cancel_down;
        match pointer.position_px {
            Some(position_px) => self.pointer_moved(position_px),
            None => self.pointer_left(),
        }
        self.snap_held(pointer.snap_held);
        self.precision_held(pointer.precision_held);
        if pointer.cancel_down && !was.1 {
            self.cancel();
        }
        match (was.0, pointer.primary_down) {
            (false, true) => self.pointer_pressed(),
            (true, false) => self.pointer_released(),
            _ => {}
        }
        let mut target = [Target::from_world(*world)];
        let mut event = self.update(view, &mut target).last().copied();
        // A press, and a hover where no button is held, are answered in the same frame.
        self.answer_on_cpu();
        if !self.is_active() && self.needs_redraw() {
            event = self.update(view, &mut target).last().copied().or(event);
        }
        *world = target[0].local;
        Interaction {
            hovered: self.hovered(),
            dragging: self.dragging(),
            motion: self.drag().map(|drag| drag.motion()),
            event: event.or(self.events().last().copied()),
        }
    }
}
