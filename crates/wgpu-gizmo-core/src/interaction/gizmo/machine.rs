//! The state machine: what each phase does with each input.
//!
//! While a press waits for its pick ([`Phase::Pressed`]), the queue is not processed: its input comes after the answer.

use crate::handle::{Constraint, HandleId};
use crate::interaction::ask::Ask;
use crate::interaction::drag::Drag;
use crate::interaction::drag::press::PressPoint;
use crate::interaction::event::Event;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::key::Key;
use crate::interaction::placement::active;
use crate::interaction::settings::GrabMode;
use crate::interaction::targets::target::{DisabledReason, Target};
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// The phase of a press or drag.
#[derive(Debug, Clone)]
pub(super) enum Phase {
    Idle,
    /// The button is down, and its pick is not known. The input waits.
    Pressed(Box<PendingPress>),
    Dragging(Box<Drag>, By),
    /// The button is down and drags nothing.
    PressedElsewhere {
        /// The click that a release would complete, or `None` once the pointer has moved away from the press.
        click: Option<PendingClick>,
    },
}

/// The input that began a drag, and so may end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The primary button, which is down.
    Button {
        /// Whether the pointer has moved too far from the press for a click.
        has_strayed: bool,
    },
    /// A click or a grab. The drag follows the pointer until the next press.
    Carried,
    /// Keys alone, which ignore the pointer.
    Keys,
    /// The wheel over a handle. The drag ends when the pointer leaves the handle.
    Wheel {
        /// Whether the pointer has moved since the last notch, so that it may have left the handle.
        has_moved: bool,
    },
    /// The host, by [`Gizmo::drive_begin`].
    Drive,
}

impl By {
    pub(super) const BUTTON: Self = Self::Button { has_strayed: false };
}

/// A press that is not a drag, and becomes a click if it is released near the pressed point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingClick {
    pub(super) press_px: DVec2,
    /// The object that was pressed; `None` for nothing.
    pub(super) object: Option<NonZeroU32>,
}

/// A press that waits for its pick.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingPress {
    pub(super) cursor_px: DVec2,
    pub(super) view: View,
    /// The query of the press. Only queries after the press are about it.
    pub(super) ask: Ask<()>,
    pub(super) outcome: Option<PickOutcome>,
    /// If the pointer is a ray, the view that the user sees. `view` is that from the origin of the ray.
    pub(super) seen_in: Option<View>,
    /// Whether the targets have been replaced since the press, whose handle moved others.
    pub(super) has_other_targets: bool,
}

impl PendingPress {
    /// Creates a press at a pixel of a view, whose query is yet to be asked unless `outcome` is known.
    pub(super) fn new(cursor_px: DVec2, view: View, outcome: Option<PickOutcome>) -> Self {
        Self { cursor_px, view, ask: Ask::default(), outcome, seen_in: None, has_other_targets: false }
    }

    /// Returns true if the answer to a query is about this press.
    pub(super) fn is_asked_by(&self, query: &PickQuery) -> bool {
        !self.ask.is_stale(query) && (query.cursor_px, query.view) == (self.cursor_px, self.view)
    }
}

impl Gizmo {
    /// The maximum distance that the pointer moves during a click, in logical pixels.
    pub const CLICK_RADIUS_LPX: f64 = 4.0;

    /// Processes an input, except for the motion of a drag.
    pub(super) fn apply_input(&mut self, input: InputEvent, view: &View, targets: &mut [Target]) {
        let is_snap_changed = self.input.record(&input);
        match (&mut self.phase, input) {
            // The pointer.
            (Phase::Dragging(..), InputEvent::Moved(_) | InputEvent::Aimed(_)) => self.record_move(view),
            (Phase::PressedElsewhere { click }, InputEvent::Moved(cursor_px)) => {
                let still = Self::CLICK_RADIUS_LPX * view.scale_factor();
                *click = click.filter(|click| click.press_px.distance(cursor_px) < still);
            }
            (_, InputEvent::Moved(_) | InputEvent::Aimed(_)) => {}
            (Phase::Dragging(_, By::Wheel { .. }), InputEvent::Left | InputEvent::WheelLeft) => {
                self.end_drag(view, targets);
            }
            (_, InputEvent::Left | InputEvent::WheelLeft) => {}

            // The primary button.
            (Phase::Dragging(_, By::Carried), InputEvent::Pressed) => {
                self.end_drag(view, targets);
                self.owns_click = true;
            }
            (Phase::Dragging(_, By::Wheel { .. }), InputEvent::Pressed) => {
                self.end_drag(view, targets);
                self.press(view);
            }
            // Another button, a repeat, or a press that keys or the host do not let through.
            (Phase::Dragging(..), InputEvent::Pressed) => self.owns_click = true,
            (Phase::Pressed(_), InputEvent::Pressed) => {}
            // After a press elsewhere, another window got the release.
            (Phase::Idle | Phase::PressedElsewhere { .. }, InputEvent::Pressed) => self.press(view),
            (Phase::Dragging(_, By::Button { .. }), InputEvent::Released) => self.release(view, targets),
            (Phase::PressedElsewhere { click }, InputEvent::Released) => {
                let clicked =
                    click.map(|click| click.object.map_or(Event::ClickedNothing, Event::ClickedObject));
                clicked.into_iter().for_each(|event| self.output.push(event));
                self.phase = Phase::Idle;
            }
            // The pointer does not end a drag that it did not begin.
            (Phase::Dragging(..), InputEvent::Released) => {}
            (Phase::Idle | Phase::Pressed(_), InputEvent::Released) => {}

            // Cancels.
            (
                Phase::Dragging(..),
                InputEvent::Canceled | InputEvent::Interrupted | InputEvent::Key(Key::Escape),
            ) => {
                self.end_canceled(targets);
                self.update_placements(view, targets);
            }
            (Phase::PressedElsewhere { .. }, InputEvent::Canceled | InputEvent::Interrupted) => {
                self.phase = self.phase_without_drag();
            }
            (Phase::Idle | Phase::Pressed(_), InputEvent::Canceled | InputEvent::Interrupted) => {}
            (_, InputEvent::Ended) => self.end_drag(view, targets),

            // Keys, and drags without a press.
            (phase, InputEvent::Held(_)) => {
                let is_drag = matches!(phase, Phase::Dragging(..));
                self.output.redraw_if(is_snap_changed && is_drag);
            }
            // Only the host continues and ends its drag.
            (Phase::Dragging(_, By::Drive), InputEvent::Key(_) | InputEvent::Wheel(_)) => {}
            (Phase::Dragging(..), InputEvent::Key(Key::Enter)) => self.end_drag(view, targets),
            (Phase::Dragging(..), InputEvent::Key(key)) => self.key_in_drag(key),
            (Phase::Dragging(..), InputEvent::Wheel(notches)) => self.turn_wheel(notches),
            (Phase::Idle, InputEvent::Key(key)) => self.begin_by_key(key, view, targets),
            (Phase::Idle, InputEvent::Grabbed(handle)) => self.begin_grab(handle, view, targets),
            (Phase::Idle, InputEvent::Wheel(notches)) => self.begin_by_wheel(notches, view, targets),
            (_, InputEvent::Key(_) | InputEvent::Grabbed(_) | InputEvent::Wheel(_)) => {}
        }
    }

    /// Records a move of the pointer in a drag.
    pub(super) fn record_move(&mut self, view: &View) {
        let Phase::Dragging(drag, by) = &mut self.phase else { return };
        match by {
            By::Button { has_strayed } => {
                *has_strayed |= match (self.input.cursor_px(), self.input.ray()) {
                    (Some(cursor_px), _) => {
                        let still_px = Self::CLICK_RADIUS_LPX * view.scale_factor();
                        drag.press().0.is_some_and(|press_px| press_px.distance(cursor_px) >= still_px)
                    }
                    (None, Some(pointer)) => pointer.has_strayed(drag),
                    (None, None) => false,
                };
            }
            By::Wheel { has_moved } => *has_moved = true,
            By::Carried | By::Keys | By::Drive => {}
        }
    }

    /// Begins a press, which waits for its pick.
    fn press(&mut self, view: &View) {
        if let Some(cursor_px) = self.input.cursor_px() {
            let view = self.pressed_view(view, cursor_px);
            let outside = !view.viewport().contains(cursor_px);
            let outcome = outside.then_some(PickOutcome::Nothing);
            self.phase = Phase::Pressed(Box::new(PendingPress::new(cursor_px, view, outcome)));
        } else if let Some(pointer) = self.input.ray() {
            self.press_by_ray(&self.shown_like(view), &pointer);
        }
    }

    /// Returns the view with the key of this one that was shown last, or else this one.
    pub(super) fn shown_like(&self, view: &View) -> View {
        self.views.shown().filter(|shown| shown.key() == view.key()).unwrap_or(*view)
    }

    /// Returns the view that a press refers to: the one that was shown there. The view of the update is preferred to
    /// one of another window.
    pub(super) fn pressed_view(&self, view: &View, cursor_px: DVec2) -> View {
        let shown = self.views.shown_at(cursor_px).unwrap_or(*view);
        let contains = |view: &View| view.viewport().contains(cursor_px);
        if contains(view) && (shown.key() != view.key() || !contains(&shown)) { *view } else { shown }
    }

    /// Returns true if the press in progress is known to be on no handle.
    pub(super) fn is_pressed_elsewhere(&self) -> bool {
        let Phase::Pressed(press) = &self.phase else { return false };
        press.outcome.is_some_and(|outcome| outcome.id().and_then(|id| self.handle_of(id)).is_none())
    }

    /// Processes a press whose pick is known: it begins a drag, or may become a click.
    pub(super) fn resolve_press(&mut self, targets: &[Target]) {
        let Phase::Pressed(press) = &self.phase else { return };
        let PendingPress { cursor_px, view: press_view, outcome: Some(outcome), seen_in, .. } = **press
        else {
            return;
        };
        let has_other_targets = press.has_other_targets;
        // The pointer may return to the pixel of the last hover query, whose answer is out of date or ignored now.
        self.hover.invalidate();
        let hit = outcome.id();
        let handle = hit.and_then(|id| self.handle_of(id));
        // A press outside the view, on a panel for example, is not a press on nothing.
        self.owns_click = handle.is_some();
        let is_on_nothing = hit.is_none() && press_view.viewport().contains(cursor_px);
        // The id of a handle that was removed since counts as nothing.
        let object = hit.filter(|id| handle.is_none() && !self.owns(*id));
        let is_click = is_on_nothing || object.is_some();
        let click = is_click.then_some(PendingClick { press_px: cursor_px, object });
        self.phase = Phase::PressedElsewhere { click };
        let Some(handle) = handle else {
            self.set_hover(None, object);
            return object.into_iter().for_each(|object| self.output.push(Event::PressedObject(object)));
        };
        if has_other_targets {
            return self.output.push(Event::Refused(handle, DisabledReason::NoTarget));
        }
        let pressed = PressPoint { cursor_px, seen_in };
        let copy = hit.map(|id| self.copy_of(id));
        let begun = self.new_drag(handle, copy, &press_view, Some(pressed), targets);
        self.start(handle, begun.map(|drag| (drag, By::BUTTON)));
    }

    /// Releases the button that began a drag: the drag ends, goes on without the button, or was a click.
    fn release(&mut self, view: &View, targets: &mut [Target]) {
        let Phase::Dragging(drag, by) = &mut self.phase else { return };
        let By::Button { has_strayed } = *by else { return };
        let handle = drag.handle();
        let is_click = !has_strayed && drag.motion().change.is_identity() && drag.typed().is_none();
        match self.settings.input.grab {
            GrabMode::Toggle => *by = By::Carried,
            GrabMode::Either if !has_strayed => *by = By::Carried,
            GrabMode::Hold if is_click && passes_clicks(handle) => {
                drag.set_click(is_click);
                self.end_drag(view, targets);
                self.output.push(Event::ClickPassed(handle));
                self.owns_click = false;
            }
            GrabMode::Hold if is_click && self.settings.input.click_to_type => {
                drag.continue_by_keys();
                *by = By::Keys;
                // The pressed handle again, if a key had chosen another one.
                let handle = drag.handle();
                self.set_hover(Some(handle), None);
                self.changed();
            }
            GrabMode::Hold | GrabMode::Either => {
                drag.set_click(is_click);
                self.end_drag(view, targets);
            }
        }
    }

    /// Creates a drag of a handle of the gizmo on one target, or else on the active one.
    pub(super) fn new_drag(
        &self,
        handle: HandleId,
        copy: Option<usize>,
        view: &View,
        pressed: Option<PressPoint>,
        targets: &[Target],
    ) -> Result<Drag, DisabledReason> {
        let settings = self.pivot_edit.effective_settings(&self.settings);
        let copy = copy.or_else(|| active(targets, None)).unwrap_or_default();
        let placed = self.custom.placed(handle, self.has_copies().then_some(copy));
        Drag::new(placed, view, pressed, targets, &settings, self.input.modifiers(&settings))
    }

    /// Begins a drag, or reports why it is refused.
    pub(super) fn start(&mut self, handle: HandleId, begun: Result<(Drag, By), DisabledReason>) {
        match begun {
            Ok((drag, by)) => {
                self.output.push(Event::Started(drag.handle()));
                self.begin_drag(drag, by);
            }
            Err(reason) => self.output.push(Event::Refused(handle, reason)),
        }
    }

    /// Begins a drag without an event.
    pub(super) fn begin_drag(&mut self, drag: Drag, by: By) {
        let handle = drag.handle();
        self.hover.set_copy(drag.copy().unwrap_or_default());
        self.snapping = Default::default();
        self.phase = Phase::Dragging(Box::new(drag), by);
        self.placements.set_drag_settings(&self.pivot_edit.effective_settings(&self.settings));
        self.set_hover(Some(handle), None);
        self.changed();
    }

    /// Ends the drag in progress and keeps its motion.
    pub(super) fn end_drag(&mut self, view: &View, targets: &mut [Target]) {
        let Some((drag, by)) = self.take_drag() else { return };
        drag.apply(targets);
        self.output.push(Event::Ended { changed: drag.has_changed(targets) });
        self.set_ended(drag, by);
        self.update_placements(view, targets);
    }

    /// Takes the drag in progress out of the phase.
    pub(super) fn take_drag(&mut self) -> Option<(Box<Drag>, By)> {
        if !self.is_active() {
            return None;
        }
        let rest = self.phase_without_drag();
        match std::mem::replace(&mut self.phase, rest) {
            Phase::Dragging(drag, by) => Some((drag, by)),
            _ => None,
        }
    }

    /// Records that a drag has ended.
    pub(super) fn set_ended(&mut self, drag: Box<Drag>, by: By) {
        self.snapping = Default::default();
        self.output.set_last_drag(drag);
        // A drag that followed the pointer leaves it on its handle. Otherwise the next pick finds what is there.
        let has_followed = matches!(by, By::Button { .. } | By::Carried | By::Wheel { .. });
        let is_in_view =
            |cursor_px| self.views.shown().is_some_and(|view| view.viewport().contains(cursor_px));
        if !has_followed || self.input.cursor_px().is_some_and(|cursor_px| !is_in_view(cursor_px)) {
            self.set_hover(None, None);
        }
        self.changed();
    }

    /// Ends a press or drag; the targets of a drag get their starts.
    pub(super) fn end_canceled(&mut self, targets: &mut [Target]) {
        match self.take_drag() {
            Some((drag, by)) => {
                drag.restore(targets);
                self.output.push(Event::Canceled);
                self.set_ended(drag, by);
            }
            None => self.phase = self.phase_without_drag(),
        }
    }

    /// Cancels a drag without access to the targets; [`Gizmo::starts`] returns their starts.
    pub(super) fn abandon(&mut self) {
        self.input.clear();
        self.end_canceled(&mut []);
        self.placements.clear();
        self.forget_hover();
    }

    /// Returns the phase in which no drag is in progress: if the button is still down, the rest of its press
    /// drags nothing.
    pub(super) fn phase_without_drag(&self) -> Phase {
        if self.input.is_down() { Phase::PressedElsewhere { click: None } } else { Phase::Idle }
    }
}

/// Returns true if a click on the handle is meant for the object behind it.
fn passes_clicks(handle: HandleId) -> bool {
    let is_cover = matches!(handle.constraint(), Constraint::Trackball | Constraint::ViewPlane);
    is_cover && handle.custom_index().is_none()
}
