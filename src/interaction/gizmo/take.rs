//! What one event of the queue does.

use super::super::event::Event;
use super::super::target::Target;
use super::Gizmo;
use super::click::{CLICK_RADIUS_LPX, Release};
use super::input::InputEvent;
use super::phase::{PendingPress, Phase};
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery};
use glam::DVec2;

impl Gizmo {
    /// Processes an event, except for the motion of a drag.
    pub(super) fn take(&mut self, input: InputEvent, view: &View, targets: &mut [Target]) {
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
            InputEvent::Pressed => self.take_press(view, targets),
            InputEvent::Released => self.take_release(view, targets),
            InputEvent::Canceled => self.take_cancel(view, targets),
        }
    }

    /// Processes a press of the button, which waits for its pick.
    fn take_press(&mut self, view: &View, targets: &mut [Target]) {
        if self.click.is_carried {
            self.release(view, targets);
            self.phase = Phase::PressedElsewhere { click: None };
            self.click.is_own = true;
            return;
        }
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

    fn take_cancel(&mut self, view: &View, targets: &mut [Target]) {
        match self.phase {
            Phase::Dragging(_) => {
                self.end_canceled(targets);
                self.renew_placements(view, targets);
            }
            Phase::PressedElsewhere { .. } => self.phase = Phase::PressedElsewhere { click: None },
            Phase::Idle | Phase::Pressed(_) => {}
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

    /// Returns the view that a press refers to: the one that was shown, unless the pointer has moved to
    /// another viewport since.
    fn pressed_view(&self, view: &View, cursor_px: DVec2) -> View {
        match self.views.shown() {
            Some(shown) if shown.key() == view.key() && shown.viewport().contains(cursor_px) => shown,
            Some(shown) if !view.viewport().contains(cursor_px) => shown,
            _ => *view,
        }
    }

    /// Ends the drag of the wheel, if there is one.
    fn end_burst(&mut self, view: &View, targets: &mut [Target]) {
        if self.is_in_wheel_burst() {
            self.release(view, targets);
        }
    }
}
