use super::super::drag::Drag;
use super::super::event::Event;
use super::super::key::Key;
use super::super::placement::frame_of;
use super::super::settings::Modifiers;
use super::super::target::{DisabledReason, Target};
use super::Gizmo;
use super::phase::Phase;
use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode, Sign};
use crate::math::View;

impl Gizmo {
    /// Returns the snapping and the precision that apply with the held keys.
    pub(super) fn modifiers(&self) -> Modifiers {
        self.input.modifiers(&self.settings)
    }

    /// Processes a key: in a drag, or one that begins a drag.
    pub(super) fn take_key(&mut self, key: Key, view: &View, targets: &mut [Target]) {
        let modifiers = self.modifiers();
        match (&mut self.phase, key) {
            (Phase::Dragging(_), Key::Enter) => self.release(view, targets),
            (Phase::Dragging(_), Key::Escape) => {
                self.end_canceled(targets);
                self.renew_placements(view, targets);
            }
            (Phase::Dragging(drag), _) => {
                let before = drag.motion();
                if !drag.key(key, modifiers) {
                    return;
                }
                let (handle, motion) = (drag.handle(), drag.motion());
                self.set_hover(Some(handle), None);
                // The typed text is shown even if it moves nothing yet.
                self.output.redraw();
                self.report(before, motion);
            }
            (Phase::Idle, _) => {
                let Some(handle) = self.handle_for(key) else { return };
                let settings = self.acting_settings();
                let copy = frame_of(targets, &settings, None).unwrap_or_default();
                let placed = self.placed_handle(handle, copy);
                match Drag::new(placed, view, None, targets, &settings, modifiers) {
                    Ok(mut drag) => {
                        drag.key(key, modifiers);
                        self.hover.set_copy(copy);
                        self.start(drag);
                    }
                    Err(disabled_reason) => self.output.push(Event::Refused(handle, disabled_reason)),
                }
            }
            (Phase::Pressed(_) | Phase::PressedElsewhere { .. }, _) => {}
        }
    }

    /// Begins a drag of a handle at the pointer, or by keys alone if the pointer cannot drag it.
    pub(super) fn take_grab(&mut self, handle: HandleId, view: &View, targets: &[Target]) {
        if !matches!(self.phase, Phase::Idle) {
            return;
        }
        let settings = self.acting_settings();
        let copy = frame_of(targets, &settings, None).unwrap_or_default();
        let placed = self.placed_handle(handle, copy);
        let begin =
            |pressed| Drag::new(placed, view, pressed, targets, &settings, self.input.modifiers(&settings));
        let at_pointer = self.input.cursor_px().map(|cursor_px| begin(Some(cursor_px.into())));
        let is_carried = matches!(at_pointer, Some(Ok(_)));
        let drag = match at_pointer {
            Some(Ok(drag)) => Ok(drag),
            Some(Err(DisabledReason::SeenEndOn | DisabledReason::PivotNotInFront)) | None => begin(None),
            Some(Err(disabled_reason)) => Err(disabled_reason),
        };
        match drag {
            Ok(drag) => {
                self.hover.set_copy(copy);
                self.start(drag);
                self.click.is_carried = is_carried;
            }
            Err(disabled_reason) => self.output.push(Event::Refused(handle, disabled_reason)),
        }
    }

    /// Returns the handle that a key drags. In a mode it is the handle of the key's constraint (a
    /// translation in Universal); in a custom set it is the first handle with such a constraint. Without
    /// one, it is a face of the box.
    fn handle_for(&self, key: Key) -> Option<HandleId> {
        let of_channel = |channel| key.constraint(channel).map(HandleId::from_constraint);
        let of_mode = match self.settings.mode {
            Mode::None => None,
            Mode::Translate | Mode::Universal => of_channel(ChangeKind::Translate),
            Mode::Rotate => of_channel(ChangeKind::Rotate),
            Mode::Scale => of_channel(ChangeKind::Scale),
            Mode::Handles(set) => {
                let fits = |handle: &HandleId| {
                    let constraint = handle.constraint();
                    set.contains(*handle) && key.constraint(constraint.change_kind()) == Some(constraint)
                };
                self.custom.all().find(fits)
            }
        };
        let of_box = |key: Key| match (key, self.settings.box_handles) {
            (Key::Axis(axis), Some(_)) => {
                Some(HandleId::from_constraint(Constraint::Box(BoxGrip::face(axis, Sign::Max))))
            }
            _ => None,
        };
        of_mode.or_else(|| of_box(key))
    }
}
