//! What one event of the queue does.

use super::super::event::Event;
use super::super::key::HeldKeys;
use super::super::target::Target;
use super::Gizmo;
use super::click::Release;
use super::input::InputEvent;
use super::phase::{By, PendingPress, Phase};
use crate::math::View;
use crate::pick::PickOutcome;
use glam::DVec2;

impl Gizmo {
    /// Processes an event, except for the motion of a drag.
    pub(super) fn take(&mut self, input: InputEvent, view: &View, targets: &mut [Target]) {
        match input {
            InputEvent::Moved(cursor_px) => {
                self.input.move_to(cursor_px);
                self.note_move(view, cursor_px);
                if let Phase::PressedElsewhere { click: click @ Some(_) } = &mut self.phase {
                    let still = Gizmo::CLICK_RADIUS_LPX * view.scale_factor();
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
            InputEvent::Interrupted => {
                self.input.hold(HeldKeys::NONE);
                self.input.set_down(false);
                self.take_cancel(view, targets);
            }
            InputEvent::Ended => self.end_drag(view, targets),
        }
    }

    /// Processes a press of the button, which waits for its pick.
    fn take_press(&mut self, view: &View, targets: &mut [Target]) {
        self.input.set_down(true);
        match self.phase {
            Phase::Dragging(_, By::Carried) => {
                self.end_drag(view, targets);
                self.click.is_own = true;
                return;
            }
            Phase::Dragging(_, By::Wheel { .. }) => self.end_drag(view, targets),
            // Another button, a repeat, or a press that keys or the host do not let through.
            Phase::Dragging(..) => {
                self.click.is_own = true;
                return;
            }
            Phase::Pressed(_) => return,
            // After a press elsewhere, another window got the release.
            Phase::Idle | Phase::PressedElsewhere { .. } => {}
        }
        if let Some(cursor_px) = self.input.cursor_px() {
            let view = self.pressed_view(view, cursor_px);
            let outside = !view.viewport().contains(cursor_px);
            let outcome = outside.then_some(PickOutcome::Nothing);
            self.phase = Phase::Pressed(Box::new(PendingPress::new(cursor_px, view, outcome)));
        } else if let Some(pointer) = self.input.ray() {
            let view = self.views.shown().filter(|shown| shown.key() == view.key()).unwrap_or(*view);
            self.press_by_ray(&view, &pointer);
        }
    }

    fn take_cancel(&mut self, view: &View, targets: &mut [Target]) {
        match self.phase {
            Phase::Dragging(..) => {
                self.end_canceled(targets);
                self.renew_placements(view, targets);
            }
            Phase::PressedElsewhere { .. } => self.phase = self.rest(),
            Phase::Idle | Phase::Pressed(_) => {}
        }
    }

    /// Processes the release of the button.
    fn take_release(&mut self, view: &View, targets: &mut [Target]) {
        self.input.set_down(false);
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::PressedElsewhere { click: Some(click) } => {
                self.output.push(click.object.map_or(Event::ClickedNothing, Event::ClickedObject));
            }
            Phase::PressedElsewhere { click: None } => {}
            Phase::Dragging(drag, By::Button) => {
                let release = self.release_of(drag.handle());
                self.phase = Phase::Dragging(drag, By::Button);
                self.release(release, view, targets);
            }
            // The pointer does not end a drag that it did not begin.
            other => self.phase = other,
        }
    }

    /// Applies the effect of the release of a drag.
    fn release(&mut self, release: Release, view: &View, targets: &mut [Target]) {
        match (release, &mut self.phase) {
            (Release::Carries, Phase::Dragging(_, by)) => *by = By::Carried,
            (Release::Types, Phase::Dragging(drag, by)) => {
                drag.let_go();
                *by = By::Keys;
                // The pressed handle again, if a key had chosen another one.
                let handle = drag.handle();
                self.set_hover(Some(handle), None);
                self.changed();
            }
            (Release::PassesClick(handle), _) => {
                self.end_drag(view, targets);
                self.output.push(Event::ClickPassed(handle));
                self.click.is_own = false;
            }
            (Release::Ends | Release::Carries | Release::Types, _) => self.end_drag(view, targets),
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
            self.end_drag(view, targets);
        }
    }
}
