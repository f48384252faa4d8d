use super::drag::Drag;
use super::gizmo::{Event, Gizmo, Input, Phase, Press};
use super::placement::{Placed, Placement, refusals};
use super::settings::Snap;
use super::target::Target;
use crate::handle::{HandleId, PickOutcome};
use crate::math::View;
use glam::DVec2;
use std::num::NonZeroU32;

/// How far a press may wander and still be a click, in logical pixels.
const CLICK_LPX: f64 = 4.0;

impl Gizmo {
    /// Takes in what happened since the last call, and moves the targets.
    ///
    /// `view` is the one under the pointer (in a drag, the one the drag began in); it is what
    /// the user sees until the next call, and presses until then are judged in it. The last
    /// target is the active one. Their `local` is written during a drag, in place.
    pub fn update(&mut self, view: &View, targets: &mut [Target]) -> &[Event] {
        self.events.clear();
        self.place(view, targets);
        if matches!(&self.phase, Phase::Dragging(drag) if drag.starts().len() != targets.len()) {
            self.end_cancelled(&mut []);
        }
        let mut taken = 0;
        loop {
            self.settle_press(view, targets);
            if matches!(self.phase, Phase::Pressed(_)) {
                break;
            }
            let Some(input) = self.inputs.get(taken).copied() else { break };
            taken += 1;
            self.take(input, view, targets);
        }
        self.inputs.drain(..taken);
        self.follow(view);
        if let Phase::Dragging(drag) = &self.phase {
            drag.apply(targets);
        }
        self.shown_view = Some(*view);
        &self.events
    }

    /// Where the handles are, from the targets as they are; nothing where they are as before.
    fn place(&mut self, view: &View, targets: &[Target]) {
        if self.placed.theme != self.theme {
            self.placed.theme = self.theme;
            self.needs_redraw = true;
        }
        if self.is_active() {
            return;
        }
        if self.placed.settings != Some(self.settings) {
            self.changed();
        }
        if !self.placed.renew(&self.settings, view, targets) {
            return;
        }
        let before = (self.placement, self.refusals);
        self.placement = Placement::of(targets, &self.settings, view).ok();
        self.refusals = refusals(targets);
        if before != (self.placement, self.refusals) {
            self.changed();
        }
        if self.hovered.is_some_and(|handle| !self.can_hover(handle)) {
            self.hover(None, None);
        }
    }

    /// Whether the handle is shown and can be taken hold of.
    pub(super) fn can_hover(&self, handle: HandleId) -> bool {
        let shown = self.settings.mode.handles().contains(handle);
        shown && self.placement.is_some() && self.refusal(handle).is_none()
    }

    /// The view that a press is judged in: as it was shown, unless the pointer has gone over to
    /// another viewport since.
    fn pressed_view(&self, view: &View, cursor_px: DVec2) -> View {
        match self.shown_view {
            Some(shown) if shown.viewport().contains(cursor_px) => shown,
            Some(shown) if !view.viewport().contains(cursor_px) => shown,
            _ => *view,
        }
    }

    fn changed(&mut self) {
        self.needs_redraw = true;
        self.revision += 1;
    }

    fn snap(&self) -> Snap {
        if self.snap_held { self.settings.snap_while_held } else { self.settings.snap }
    }

    fn take(&mut self, input: Input, view: &View, targets: &mut [Target]) {
        match input {
            Input::Moved(cursor_px) => {
                self.cursor_px = Some(cursor_px);
                if let Phase::Elsewhere { on_nothing: on_nothing @ Some(_) } = &mut self.phase {
                    let still = CLICK_LPX * view.scale_factor();
                    *on_nothing = on_nothing.filter(|press_px| press_px.distance(cursor_px) < still);
                }
                self.follow(view);
            }
            Input::Left => {
                if matches!(self.phase, Phase::Idle) {
                    self.cursor_px = None;
                    self.forget_hover();
                }
            }
            Input::SnapHeld(held) => {
                self.snap_held = held;
                self.follow(view);
            }
            Input::Pressed => {
                // A second press while one is held is another button's, or a repeat.
                if let (Phase::Idle, Some(cursor_px)) = (&self.phase, self.cursor_px) {
                    let view = self.pressed_view(view, cursor_px);
                    let outside = !view.viewport().contains(cursor_px);
                    let outcome = outside.then_some(PickOutcome::Nothing);
                    self.phase = Phase::Pressed(Box::new(Press { cursor_px, view, asked: None, outcome }));
                }
            }
            Input::Released => self.release(view, targets),
            Input::Cancelled => match self.phase {
                Phase::Dragging(_) => self.end_cancelled(targets),
                Phase::Elsewhere { .. } => self.phase = Phase::Elsewhere { on_nothing: None },
                Phase::Idle | Phase::Pressed(_) => {}
            },
        }
    }

    /// Turns a press whose pick is known into what it was a press on.
    fn settle_press(&mut self, view: &View, targets: &[Target]) {
        let Phase::Pressed(press) = &self.phase else { return };
        let Press { cursor_px, view: press_view, outcome: Some(outcome), .. } = **press else { return };
        let hit = match outcome {
            PickOutcome::Hit(hit) => Some(hit.id),
            PickOutcome::Nothing | PickOutcome::Lost => None,
        };
        let handle = hit.and_then(|id| self.handle_of(id));
        self.phase = Phase::Elsewhere { on_nothing: hit.is_none().then_some(cursor_px) };
        match (handle, hit) {
            (Some(handle), _) => {
                match Drag::begin(handle, &press_view, cursor_px, targets, &self.settings, self.snap()) {
                    Ok(drag) => {
                        self.phase = Phase::Dragging(Box::new(drag));
                        self.hover(Some(handle), None);
                        self.events.push(Event::Started(handle));
                        self.changed();
                        self.follow(view);
                    }
                    Err(refusal) => self.events.push(Event::Refused(handle, refusal)),
                }
            }
            (None, Some(object)) => {
                self.hover(None, Some(object));
                self.events.push(Event::PressedObject(object));
            }
            (None, None) => self.hover(None, None),
        }
    }

    /// Solves the drag, if there is one, for the cursor where it is.
    fn follow(&mut self, view: &View) {
        let snap = self.snap();
        let (Phase::Dragging(drag), Some(cursor_px)) = (&mut self.phase, self.cursor_px) else { return };
        let before = drag.motion();
        let motion = drag.solve(view, cursor_px, snap);
        if motion != before {
            self.events.push(Event::Changed(motion));
            self.changed();
        }
    }

    fn release(&mut self, view: &View, targets: &mut [Target]) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Dragging(drag) => {
                drag.apply(targets);
                self.keep_starts(&drag);
                let changed = targets.iter().zip(drag.starts()).any(|(target, start)| target.local != start);
                self.events.push(Event::Ended { changed });
                self.changed();
                self.place(view, targets);
            }
            Phase::Elsewhere { on_nothing: Some(_) } => self.events.push(Event::ClickedNothing),
            Phase::Elsewhere { on_nothing: None } | Phase::Idle | Phase::Pressed(_) => {}
        }
    }

    fn end_cancelled(&mut self, targets: &mut [Target]) {
        if let Phase::Dragging(drag) =
            std::mem::replace(&mut self.phase, Phase::Elsewhere { on_nothing: None })
        {
            drag.restore(targets);
            self.keep_starts(&drag);
            self.events.push(Event::Cancelled);
            self.changed();
        }
    }

    fn keep_starts(&mut self, drag: &Drag) {
        self.last_starts.clear();
        self.last_starts.extend(drag.starts());
    }

    /// Ends a drag without a look at the targets; [`Gizmo::starts`] has what they were.
    pub(super) fn abandon(&mut self) {
        self.end_cancelled(&mut []);
        self.phase = Phase::Idle;
        self.inputs.clear();
        self.placement = None;
        self.placed = Placed::default();
        self.forget_hover();
    }

    /// Nothing is hovered, and no answer to what was asked so far counts any more.
    pub(super) fn forget_hover(&mut self) {
        self.asked = None;
        self.answered = self.sequence;
        self.hover(None, None);
    }

    pub(super) fn hover(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) {
        if (self.hovered, self.hovered_object) != (handle, object) {
            self.hovered = handle;
            self.hovered_object = object;
            self.needs_redraw = true;
        }
    }
}
