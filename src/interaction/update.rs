use super::drag::Drag;
use super::gesture::SnapHook;
use super::gizmo::MAX_COPIES;
use super::gizmo::{Event, Gizmo, Input, Phase, Press};
use super::key::Key;
use super::motion::Motion;
use super::placement::{Placement, PlacementCache, disabled_reasons, frame_of};
use super::settings::{Modifiers, Pivot, Settings};
use super::target::{Target, is_free};
use crate::handle::{Channel, HandleId, Mode};
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// How far a press may wander and still be a click, in logical pixels.
const CLICK_RADIUS_LPX: f64 = 4.0;

impl Gizmo {
    /// Takes in what happened since the last call, and moves the targets.
    ///
    /// Call it once in every frame, with no targets where nothing is selected: what comes in while
    /// it is not called waits, and would be acted on late. At most one drag ends in a call, so that
    /// [`Gizmo::starts`] belongs to it; what was typed after that waits for the next.
    ///
    /// `view` is the one under the pointer, and while something is held the one that
    /// [`Gizmo::held_view`] tells; it is what the user sees until the next call, and presses until
    /// then are judged in it. The last target is the active one. Their `local` is written during a
    /// drag, in place: hand in the same targets in the same order until it ends. A list of another
    /// length cancels it; before others of the same number take their places, call
    /// [`Gizmo::cancel`] and this once more with the old ones.
    pub fn update(&mut self, view: &View, targets: &mut [Target]) -> &[Event] {
        self.update_with(view, targets, &mut |_| None)
    }

    /// [`Gizmo::update`] with a snap hook, which is asked in drags that move: it gets where the
    /// pivot would be in world space, and answers with the point to snap to, or nothing. The
    /// answer is projected onto the handle's line or plane.
    pub fn update_with(&mut self, view: &View, targets: &mut [Target], hook: &mut SnapHook<'_>) -> &[Event] {
        self.events.clear();
        self.chase_question();
        if matches!(&self.phase, Phase::Dragging(drag) if drag.starts().len() != targets.len()) {
            self.end_cancelled(&mut []);
        }
        self.place(view, targets);
        let mut taken = 0;
        loop {
            self.settle_press(view, targets, hook);
            if matches!(self.phase, Phase::Pressed(_)) {
                break;
            }
            let Some(input) = self.inputs.get(taken).copied() else { break };
            // A drag that follows one by keys waits for the next call, or the starts of the first
            // could not be had.
            let has_ended = |event: &Event| matches!(event, Event::Ended { .. } | Event::Cancelled);
            let may_begin = matches!((&self.phase, input), (Phase::Idle, Input::Key(_)));
            if may_begin && self.events.iter().any(has_ended) {
                break;
            }
            taken += 1;
            let next = self.inputs.get(taken).copied();
            // Only turns are counted by every place on the way; a hook may be dear.
            if let (Phase::Dragging(drag), Input::Moved(cursor_px), Some(Input::Moved(_))) =
                (&mut self.phase, input, next)
            {
                if !drag.needs_every_move() {
                    drag.skip(cursor_px);
                    self.cursor_px = Some(cursor_px);
                    continue;
                }
            }
            self.take(input, view, targets);
            // What comes last is followed below.
            let leads = matches!(
                input,
                Input::Moved(_) | Input::SnapHeld(_) | Input::PrecisionHeld(_) | Input::Key(_)
            );
            if leads && next.is_some() {
                self.follow(view, hook);
            }
            if self.pointer_is_out && matches!(self.phase, Phase::Idle) {
                self.cursor_px = None;
                self.forget_hover();
            }
        }
        self.inputs.drain(..taken);
        self.follow(view, hook);
        if let Phase::Dragging(drag) = &self.phase {
            drag.apply(targets);
        }
        self.shown_view = Some(*view);
        self.has_reported = !self.events.is_empty();
        &self.events
    }

    /// Where the handles are, from the targets as they are; nothing where they are as before.
    fn place(&mut self, view: &View, targets: &[Target]) {
        if self.placement_cache.theme != self.theme {
            self.placement_cache.theme = self.theme;
            self.needs_redraw = true;
        }
        if self.is_active() {
            // Increments show in the guides at once, whether or not anything moves.
            self.needs_redraw |= self.placement_cache.shown != Some(self.settings);
            self.placement_cache.shown = Some(self.settings);
            return;
        }
        if self.placement_cache.settings != Some(self.settings) {
            self.changed();
        }
        if !self.placement_cache.renew(&self.settings, view, targets) {
            return;
        }
        let before = (self.placement, self.disabled_reasons);
        let placement = Placement::of(targets, &self.settings, view, None);
        self.disabled_reasons = match &placement {
            Ok(placement) => disabled_reasons(targets, &self.settings, placement, self.grips()),
            Err(disabled_reason) => [Some(*disabled_reason); HandleId::MAX],
        };
        self.placement = placement.ok();
        self.copies.clear();
        if self.settings.pivot == Pivot::EachTarget {
            for place in (0..targets.len().min(MAX_COPIES)).filter(|place| is_free(targets, *place)) {
                let placement = Placement::of_copy(targets, &self.settings, view, place);
                self.copies.extend(placement.map(|placement| (place, placement)));
            }
            self.changed();
        }
        if before != (self.placement, self.disabled_reasons) {
            self.changed();
        }
        let has_gizmo = |copy| self.copies.iter().any(|(place, _)| *place == copy);
        let is_gone = self.settings.pivot == Pivot::EachTarget && !has_gizmo(self.hovered_copy);
        if self.hovered.is_some_and(|handle| is_gone || !self.can_hover(handle)) {
            self.hover(None, None);
        }
    }

    /// Whether the handle is shown and can be taken hold of.
    pub(super) fn can_hover(&self, handle: HandleId) -> bool {
        let shown = self.settings.mode.handles().contains(handle);
        shown && self.placement.is_some() && self.disabled_reason(handle).is_none()
    }

    /// The view that a press is judged in: as it was shown, unless the pointer has gone over to
    /// another viewport since.
    fn pressed_view(&self, view: &View, cursor_px: DVec2) -> View {
        match self.shown_view {
            Some(shown) if shown.key() == view.key() && shown.viewport().contains(cursor_px) => shown,
            Some(shown) if !view.viewport().contains(cursor_px) => shown,
            _ => *view,
        }
    }

    fn changed(&mut self) {
        self.needs_redraw = true;
        self.revision += 1;
    }

    pub(super) fn held(&self) -> Modifiers {
        let Settings { snap, snap_while_held, snap_kind, .. } = self.settings;
        let snap = if self.snap_held { snap_while_held } else { snap };
        Modifiers { snap, snap_kind, precise: self.precision_held }
    }

    fn take(&mut self, input: Input, view: &View, targets: &mut [Target]) {
        match input {
            Input::Moved(cursor_px) => {
                self.cursor_px = Some(cursor_px);
                self.pointer_is_out = false;
                if let Phase::PressedElsewhere { on_nothing: on_nothing @ Some(_) } = &mut self.phase {
                    let still = CLICK_RADIUS_LPX * view.scale_factor();
                    *on_nothing = on_nothing.filter(|press_px| press_px.distance(cursor_px) < still);
                }
            }
            Input::Left => self.pointer_is_out = true,
            Input::SnapHeld(held) => {
                self.needs_redraw |= self.snap_held != held && self.is_active();
                self.snap_held = held;
            }
            Input::PrecisionHeld(held) => self.precision_held = held,
            Input::Key(key) => self.take_key(key, view, targets),
            Input::Pressed => {
                // In a drag it is another button's, or a repeat. Where nothing is dragged, the
                // release of the last one went to another window.
                let is_next = matches!(self.phase, Phase::Idle | Phase::PressedElsewhere { .. });
                if let (true, Some(cursor_px)) = (is_next, self.cursor_px) {
                    let view = self.pressed_view(view, cursor_px);
                    let outside = !view.viewport().contains(cursor_px);
                    let outcome = outside.then_some(PickOutcome::Nothing);
                    let since = PickQuery::last_sequence();
                    let press = Press { cursor_px, view, since, asked: None, idle: None, outcome };
                    self.phase = Phase::Pressed(Box::new(press));
                }
            }
            Input::Released => {
                // The pointer has nothing to say in a drag that it did not begin.
                if !matches!(&self.phase, Phase::Dragging(drag) if drag.press().0.is_none()) {
                    self.release(view, targets);
                }
            }
            Input::Cancelled => match self.phase {
                Phase::Dragging(_) => {
                    self.end_cancelled(targets);
                    self.place(view, targets);
                }
                Phase::PressedElsewhere { .. } => self.phase = Phase::PressedElsewhere { on_nothing: None },
                Phase::Idle | Phase::Pressed(_) => {}
            },
        }
    }

    /// Turns a press whose pick is known into what it was a press on.
    fn settle_press(&mut self, view: &View, targets: &[Target], hook: &mut SnapHook<'_>) {
        let Phase::Pressed(press) = &self.phase else { return };
        let Press { cursor_px, view: press_view, outcome: Some(outcome), .. } = **press else { return };
        let hit = match outcome {
            PickOutcome::Hit(hit) => Some(hit.id),
            PickOutcome::Nothing | PickOutcome::Lost => None,
        };
        let handle = hit.and_then(|id| self.handle_of(id));
        // A panel, or another view, is not nothing.
        let is_on_nothing = hit.is_none() && press_view.viewport().contains(cursor_px);
        // Of a handle that was removed since, nothing is left.
        let hit = hit.filter(|id| handle.is_some() || !self.owns(*id));
        self.phase = Phase::PressedElsewhere { on_nothing: is_on_nothing.then_some(cursor_px) };
        match (handle, hit) {
            (Some(handle), _) => {
                let copy = hit.map_or(0, |id| self.copy_of(id));
                let grip = self.grip(handle, copy);
                let (settings, held) = (&self.settings, self.held());
                match Drag::new(grip, &press_view, Some(cursor_px), targets, settings, held) {
                    Ok(drag) => {
                        self.hovered_copy = copy;
                        self.start(drag);
                        self.follow(view, hook);
                    }
                    Err(disabled_reason) => self.events.push(Event::Refused(handle, disabled_reason)),
                }
            }
            (None, Some(object)) => {
                self.hover(None, Some(object));
                self.events.push(Event::PressedObject(object));
            }
            (None, None) => self.hover(None, None),
        }
    }

    fn start(&mut self, drag: Drag) {
        let handle = drag.handle();
        self.phase = Phase::Dragging(Box::new(drag));
        self.placement_cache.shown = Some(self.settings);
        self.hover(Some(handle), None);
        self.events.push(Event::Started(handle));
        self.changed();
    }

    /// Solves the drag, if there is one, for the cursor where it is.
    fn follow(&mut self, view: &View, hook: &mut SnapHook<'_>) {
        let held = self.held();
        let (Phase::Dragging(drag), Some(cursor_px)) = (&mut self.phase, self.cursor_px) else { return };
        let (before, from_px) = (drag.motion(), drag.cursor_px());
        let motion = drag.solve_with(view, cursor_px, held, hook);
        // Some lines lead to the cursor, wherever a limit or a number holds the motion.
        self.needs_redraw |= drag.cursor_px() != from_px;
        self.report(before, motion);
    }

    fn report(&mut self, before: Motion, motion: Motion) {
        if motion != before {
            self.events.push(Event::Changed(motion));
            self.changed();
        }
    }

    fn take_key(&mut self, key: Key, view: &View, targets: &mut [Target]) {
        let held = self.held();
        match (&mut self.phase, key) {
            (Phase::Dragging(_), Key::Enter) => self.release(view, targets),
            (Phase::Dragging(_), Key::Escape) => {
                self.end_cancelled(targets);
                self.place(view, targets);
            }
            (Phase::Dragging(drag), _) => {
                let before = drag.motion();
                if !drag.key(key, held) {
                    return;
                }
                let (handle, motion) = (drag.handle(), drag.motion());
                self.hover(Some(handle), None);
                // What is typed shows even where it moves nothing yet.
                self.needs_redraw = true;
                self.report(before, motion);
            }
            (Phase::Idle, _) => {
                let Some(handle) = self.handle_for(key) else { return };
                let copy = frame_of(targets, &self.settings, None).unwrap_or_default();
                let grip = self.grip(handle, copy);
                match Drag::new(grip, view, None, targets, &self.settings, held) {
                    Ok(mut drag) => {
                        drag.key(key, held);
                        self.hovered_copy = copy;
                        self.start(drag);
                    }
                    Err(disabled_reason) => self.events.push(Event::Refused(handle, disabled_reason)),
                }
            }
            (Phase::Pressed(_) | Phase::PressedElsewhere { .. }, _) => {}
        }
    }

    /// The handle that a key begins a drag by: in a mode whatever the key asks for, moving first;
    /// of chosen handles, the first that the key fits.
    fn handle_for(&self, key: Key) -> Option<HandleId> {
        let channel = match self.settings.mode {
            Mode::None => return None,
            Mode::Translate | Mode::Universal => Channel::Translate,
            Mode::Rotate => Channel::Rotate,
            Mode::Scale => Channel::Scale,
            Mode::Handles(set) => {
                let fits = |handle: &HandleId| {
                    let constraint = handle.constraint();
                    set.contains(*handle) && key.constraint(constraint.channel()) == Some(constraint)
                };
                return self.handles().find(fits);
            }
        };
        key.constraint(channel).map(HandleId::from_constraint)
    }

    fn release(&mut self, view: &View, targets: &mut [Target]) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Dragging(drag) => {
                drag.apply(targets);
                let changed = targets.iter().zip(drag.starts()).any(|(target, start)| target.local != start);
                self.last = Some(drag);
                self.events.push(Event::Ended { changed });
                self.changed();
                self.place(view, targets);
            }
            Phase::PressedElsewhere { on_nothing: Some(_) } => self.events.push(Event::ClickedNothing),
            Phase::PressedElsewhere { on_nothing: None } | Phase::Idle | Phase::Pressed(_) => {}
        }
    }

    fn end_cancelled(&mut self, targets: &mut [Target]) {
        if let Phase::Dragging(drag) = std::mem::replace(&mut self.phase, Phase::Idle) {
            // Where keys led, no button is down whose release would have to be waited for.
            if drag.press().0.is_some() {
                self.phase = Phase::PressedElsewhere { on_nothing: None };
            }
            drag.restore(targets);
            self.last = Some(drag);
            self.events.push(Event::Cancelled);
            self.changed();
        }
    }

    /// Ends a drag without a look at the targets; [`Gizmo::starts`] has what they were.
    pub(super) fn abandon(&mut self) {
        self.end_cancelled(&mut []);
        self.phase = Phase::Idle;
        self.inputs.clear();
        self.placement = None;
        self.placement_cache = PlacementCache::default();
        self.forget_hover();
    }

    /// Nothing is hovered, and no answer to what was asked so far counts any more.
    pub(super) fn forget_hover(&mut self) {
        self.asked = None;
        self.answered = PickQuery::last_sequence();
        self.hover(None, None);
    }

    pub(super) fn hover_copy(&mut self, copy: usize) {
        self.needs_redraw |= self.hovered_copy != copy;
        self.hovered_copy = copy;
    }

    pub(super) fn hover(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) {
        if (self.hovered, self.hovered_object) != (handle, object) {
            self.hovered = handle;
            self.hovered_object = object;
            self.needs_redraw = true;
        }
    }
}
