use super::super::drag::Drag;
use super::super::event::Event;
use super::super::gesture::SnapHook;
use super::super::motion::Motion;
use super::super::placed_handle::PlacedHandle;
use super::super::placement::frame_of;
use super::super::press::PressPoint;
use super::super::target::Target;
use super::Gizmo;
use super::click::{CLICK_RADIUS_LPX, Release};
use super::driving::WheelBurst;
use super::input::InputEvent;
use super::phase::{PendingClick, PendingPress, Phase};
use crate::handle::{BoxGrip, HandleId};
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery};
use glam::{DVec2, DVec3};

/// Returns true if the motion of a drag can change with this event.
fn may_change_motion(input: &InputEvent) -> bool {
    matches!(input, InputEvent::Moved(_) | InputEvent::Aimed(_) | InputEvent::Held(_) | InputEvent::Key(_))
}

impl Gizmo {
    /// Processes the events since the last call, moves the targets, and returns what happened.
    ///
    /// Call it once in every frame, with no targets if nothing is selected; events wait until it is
    /// called. At most one drag ends in a call, so that [`Gizmo::starts`] belongs to it; keys after that
    /// wait for the next call.
    ///
    /// `view` is the view under the pointer, and during a press or a drag the one that
    /// [`Gizmo::held_view`] returns. It is what the user sees until the next call, so presses until then
    /// refer to it. The last target is the active one. A drag writes `local` of the targets: pass the
    /// same targets in the same order until it ends. A list of another length, or with other
    /// [keys](Target::key), cancels it. Targets without keys are known by their positions: before you pass
    /// others of the same number, call [`Gizmo::cancel`] and this once more with the old ones.
    pub fn update(&mut self, view: &View, targets: &mut [Target]) -> &[Event] {
        self.update_with(view, targets, &mut |_| None)
    }

    /// Updates like [`Gizmo::update`], with a snap hook for translations. The hook receives the position
    /// of the pivot in world space, and returns the point to snap to, if any. That point is projected
    /// onto the handle's line or plane.
    pub fn update_with(
        &mut self,
        view: &View,
        targets: &mut [Target],
        hook: &mut dyn FnMut(DVec3) -> Option<DVec3>,
    ) -> &[Event] {
        self.output.clear_events();
        // After a release, the flag lasts for one update, so that the host can read `Claims::click`.
        self.click.is_own &= !matches!(self.phase, Phase::Idle);
        self.count_unanswered();
        self.process_or_edit(view, targets, hook);
        self.hover_by_ray(view);
        self.views.set_shown(view);
        self.output.set_reported();
        self.output.events()
    }

    /// Processes the events since the last call.
    pub(super) fn process(&mut self, view: &View, targets: &mut [Target], hook: &mut SnapHook<'_>) {
        if matches!(&self.phase, Phase::Dragging(drag) if !drag.is_of(targets)) {
            self.end_canceled(targets);
        }
        self.renew_placements(view, targets);
        let mut count = 0;
        loop {
            self.settle_press(view, targets, hook);
            if matches!(self.phase, Phase::Pressed(_)) {
                break;
            }
            let Some(input) = self.input.get(count) else { break };
            // A drag by keys that follows another waits for the next call, which keeps the starts of the
            // first available.
            let is_without_press =
                matches!(input, InputEvent::Key(_) | InputEvent::Grabbed(_) | InputEvent::Wheel(_));
            let may_begin = is_without_press && matches!(self.phase, Phase::Idle);
            if may_begin && self.output.has_ended() {
                break;
            }
            count += 1;
            let next = self.input.get(count);
            // Only whole turns need every position of the cursor, and a hook may be expensive.
            if let (Phase::Dragging(drag), InputEvent::Moved(cursor_px), Some(InputEvent::Moved(_))) =
                (&mut self.phase, input, next)
            {
                if !drag.needs_every_move() {
                    drag.skip(cursor_px);
                    self.input.skip_to(cursor_px);
                    self.note_move(view, cursor_px);
                    continue;
                }
            }
            self.take(input, view, targets);
            // The last event is solved below.
            if may_change_motion(&input) && next.is_some() {
                self.follow(view, hook);
            }
            if matches!(self.phase, Phase::Idle) && self.input.forget_if_out() {
                self.forget_hover();
            }
        }
        self.input.discard(count);
        self.follow(view, hook);
        if let Phase::Dragging(drag) = &self.phase {
            drag.apply(targets);
        }
        let is_moved = self.placements.set_box(&self.settings, targets);
        if is_moved {
            self.changed();
        }
    }

    /// Updates the placements for the current targets, unless a drag is in progress.
    pub(super) fn renew_placements(&mut self, view: &View, targets: &[Target]) {
        let is_themed = self.placements.set_theme(&self.theme);
        self.output.redraw_if(is_themed);
        if self.is_active() {
            // The guides show increments at once, even if nothing moves.
            let instead = self.pivot_edit.instead_of(&self.settings);
            let is_set = self.placements.set_drag_settings(instead.as_ref().unwrap_or(&self.settings));
            self.output.redraw_if(is_set);
            return;
        }
        let instead = self.pivot_edit.instead_of(&self.settings);
        let acting = instead.as_ref().unwrap_or(&self.settings);
        let box_handles =
            HandleId::box_handles().take(if acting.box_handles.is_some() { BoxGrip::ALL.len() } else { 0 });
        let copy = self.has_copies().then(|| frame_of(targets, acting, None)).flatten();
        let box_handles_placed =
            box_handles.map(|handle| PlacedHandle { copy, ..PlacedHandle::from(handle) });
        let renewal = self.placements.renew(
            acting,
            view,
            targets,
            self.custom.placed_handles().chain(box_handles_placed),
        );
        if renewal.is_changed {
            self.changed();
        }
        if !renewal.is_computed {
            return;
        }
        let is_gone = self.has_copies() && !self.placements.has_copy(self.hover.copy());
        if self.hover.handle().is_some_and(|handle| is_gone || !self.can_hover(handle)) {
            self.set_hover(None, None);
        }
    }

    /// Returns true if the handle is shown and enabled.
    pub(super) fn can_hover(&self, handle: HandleId) -> bool {
        let is_shown = self.settings.handles().contains(handle);
        is_shown && self.placements.active().is_some() && self.disabled_reason(handle).is_none()
    }

    /// Returns the view that a press refers to: the one that was shown, unless the pointer has moved to
    /// another viewport since.
    fn pressed_view(&self, view: &View, cursor_px: DVec2) -> View {
        match self.views.shown() {
            Some(shown) if shown.key() == view.key() && shown.viewport().contains(cursor_px) => shown,
            Some(shown) if !view.viewport().contains(cursor_px) => shown,
            _ => *view,
        }
    }

    /// Records that the gizmo looks different and that its handles may have moved.
    pub(super) fn changed(&mut self) {
        self.output.redraw();
        self.hover.invalidate();
    }

    fn take(&mut self, input: InputEvent, view: &View, targets: &mut [Target]) {
        match input {
            InputEvent::Moved(cursor_px) => {
                self.input.move_to(cursor_px);
                self.note_move(view, cursor_px);
                if let Phase::PressedElsewhere { click: click @ Some(_) } = &mut self.phase {
                    let still = CLICK_RADIUS_LPX * view.scale_factor();
                    *click = click.filter(|click| click.press_px.distance(cursor_px) < still);
                }
            }
            InputEvent::Aimed(pointer) => {
                self.input.aim(pointer);
                self.note_ray(&pointer);
            }
            InputEvent::Left => {
                self.input.leave();
                self.end_burst(view, targets);
            }
            InputEvent::Held(held) => {
                let is_change = self.input.hold(held);
                self.output.redraw_if(is_change && self.is_active());
            }
            InputEvent::Key(key) => self.take_key(key, view, targets),
            InputEvent::Grabbed(handle) => self.take_grab(handle, view, targets),
            InputEvent::Wheel(notches) => self.take_wheel(notches, view, targets),
            InputEvent::WheelLeft => self.end_burst(view, targets),
            InputEvent::Pressed if self.click.is_carried => {
                self.release(view, targets);
                self.phase = Phase::PressedElsewhere { click: None };
                self.click.is_own = true;
            }
            InputEvent::Pressed => self.take_press(view, targets),
            InputEvent::Released => self.take_release(view, targets),
            InputEvent::Canceled => match self.phase {
                Phase::Dragging(_) => {
                    self.end_canceled(targets);
                    self.renew_placements(view, targets);
                }
                Phase::PressedElsewhere { .. } => self.phase = Phase::PressedElsewhere { click: None },
                Phase::Idle | Phase::Pressed(_) => {}
            },
        }
    }

    /// Processes the press of the button.
    fn take_press(&mut self, view: &View, targets: &mut [Target]) {
        self.end_burst(view, targets);
        // In a drag, this is another button or a repeat. After a press elsewhere, another window
        // got the release.
        let is_next = matches!(self.phase, Phase::Idle | Phase::PressedElsewhere { .. });
        if let (true, Some(cursor_px)) = (is_next, self.input.cursor_px()) {
            let view = self.pressed_view(view, cursor_px);
            let outside = !view.viewport().contains(cursor_px);
            let outcome = outside.then_some(PickOutcome::Nothing);
            let since = PickQuery::last_sequence();
            let press =
                PendingPress { cursor_px, view, since, queried: None, idle: None, outcome, seen_in: None };
            self.phase = Phase::Pressed(Box::new(press));
        } else if let (true, Some(pointer)) = (is_next, self.input.ray()) {
            let view = self.views.shown().filter(|shown| shown.key() == view.key()).unwrap_or(*view);
            self.press_by_ray(&view, &pointer);
        }
    }

    /// Processes the release of the button.
    fn take_release(&mut self, view: &View, targets: &mut [Target]) {
        let Phase::Dragging(drag) = &mut self.phase else { return self.release(view, targets) };
        // The pointer does not end a drag that it did not begin.
        if drag.press().0.is_none() || self.click.is_carried {
            return;
        }
        let handle = drag.handle();
        match self.release_of(handle) {
            Release::Ends => self.release(view, targets),
            Release::PassesClick(handle) => {
                self.release(view, targets);
                self.output.push(Event::ClickPassed(handle));
                self.click.is_own = false;
            }
            Release::Carries => self.click.is_carried = true,
            Release::Types => {
                if let Phase::Dragging(drag) = &mut self.phase {
                    drag.let_go();
                    self.changed();
                }
            }
        }
    }

    /// Processes a press whose pick is known.
    fn settle_press(&mut self, view: &View, targets: &[Target], hook: &mut SnapHook<'_>) {
        let Phase::Pressed(press) = &self.phase else { return };
        let PendingPress { cursor_px, view: press_view, outcome: Some(outcome), seen_in, .. } = **press
        else {
            return;
        };
        let pressed = PressPoint { cursor_px, seen_in };
        let hit = match outcome {
            PickOutcome::Hit(hit) => Some(hit.id),
            PickOutcome::Nothing | PickOutcome::Lost => None,
        };
        let handle = hit.and_then(|id| self.handle_of(id));
        // A press outside the view, on a panel for example, is not a press on nothing.
        self.click.is_own = handle.is_some();
        let is_on_nothing = hit.is_none() && press_view.viewport().contains(cursor_px);
        // The id of a handle that was removed since counts as nothing.
        let hit = hit.filter(|id| handle.is_some() || !self.owns(*id));
        let object = hit.filter(|_| handle.is_none());
        let is_click = is_on_nothing || object.is_some();
        let click = is_click.then_some(PendingClick { press_px: cursor_px, object });
        self.phase = Phase::PressedElsewhere { click };
        match (handle, hit) {
            (Some(handle), _) => {
                let copy = hit.map_or(0, |id| self.copy_of(id));
                let placed = self.placed_handle(handle, copy);
                let (settings, modifiers) = (&self.acting_settings(), self.modifiers());
                match Drag::new(placed, &press_view, Some(pressed), targets, settings, modifiers) {
                    Ok(drag) => {
                        self.hover.set_copy(copy);
                        self.start(drag);
                        self.follow(view, hook);
                    }
                    Err(disabled_reason) => self.output.push(Event::Refused(handle, disabled_reason)),
                }
            }
            (None, Some(object)) => {
                self.set_hover(None, Some(object));
                self.output.push(Event::PressedObject(object));
            }
            (None, None) => self.set_hover(None, None),
        }
    }

    pub(super) fn start(&mut self, drag: Drag) {
        let handle = drag.handle();
        self.click = self.click.began();
        self.snapping.restart();
        self.phase = Phase::Dragging(Box::new(drag));
        let acting = self.acting_settings();
        self.placements.set_drag_settings(&acting);
        self.set_hover(Some(handle), None);
        self.output.push(Event::Started(handle));
        self.changed();
    }

    /// Solves the drag, if there is one, for the cursor where it is.
    fn follow(&mut self, view: &View, hook: &mut SnapHook<'_>) {
        if let Some(pointer) = self.input.ray() {
            return self.follow_ray(&pointer.ray, hook);
        }
        let modifiers = self.modifiers();
        let snapped = self.input.cursor_px().and_then(|cursor_px| self.snapped(view, cursor_px));
        let (Phase::Dragging(drag), Some(cursor_px)) = (&mut self.phase, self.input.cursor_px()) else {
            return;
        };
        drag.set_snapped(snapped);
        let (before, from_px) = (drag.motion(), drag.cursor_px());
        let motion = drag.solve_with(view, cursor_px, modifiers, hook);
        // Some guides end at the cursor, even if a limit or a typed number holds the motion.
        self.output.redraw_if(drag.cursor_px() != from_px);
        self.report(before, motion);
    }

    pub(super) fn report(&mut self, before: Motion, motion: Motion) {
        if motion != before {
            self.click.note_change();
            self.output.push(Event::Changed(motion));
            self.changed();
        }
    }

    /// Ends the drag of the wheel, if there is one.
    fn end_burst(&mut self, view: &View, targets: &mut [Target]) {
        if self.is_in_wheel_burst() {
            self.release(view, targets);
        }
    }

    pub(super) fn release(&mut self, view: &View, targets: &mut [Target]) {
        self.wheel = WheelBurst::default();
        self.click.is_carried = false;
        self.snapping.restart();
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Dragging(drag) => {
                drag.apply(targets);
                let changed = drag.has_changed(targets);
                self.output.set_last_drag(drag);
                self.output.push(Event::Ended { changed });
                self.changed();
                self.renew_placements(view, targets);
            }
            Phase::PressedElsewhere { click: Some(click) } => {
                self.output.push(click.object.map_or(Event::ClickedNothing, Event::ClickedObject));
            }
            Phase::PressedElsewhere { click: None } | Phase::Idle | Phase::Pressed(_) => {}
        }
    }

    pub(super) fn end_canceled(&mut self, targets: &mut [Target]) {
        self.wheel = WheelBurst::default();
        self.snapping.restart();
        let is_carried = std::mem::take(&mut self.click.is_carried);
        if let Phase::Dragging(drag) = std::mem::replace(&mut self.phase, Phase::Idle) {
            // Without a button down there is no release to wait for.
            if drag.press().0.is_some() && !is_carried {
                self.phase = Phase::PressedElsewhere { click: None };
            }
            drag.restore(targets);
            self.output.set_last_drag(drag);
            self.output.push(Event::Canceled);
            self.changed();
        }
    }

    /// Cancels a drag without access to the targets; [`Gizmo::starts`] returns their starts.
    pub(super) fn abandon(&mut self) {
        self.end_canceled(&mut []);
        self.phase = Phase::Idle;
        self.input.clear();
        self.placements.clear();
        self.forget_hover();
    }
}
