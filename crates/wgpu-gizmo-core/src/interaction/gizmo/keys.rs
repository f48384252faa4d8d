use super::super::event::Event;
use super::super::key::Key;
use super::super::settings::Modifiers;
use super::super::target::{DisabledReason, Target};
use super::Gizmo;
use super::machine::{By, Phase};
use crate::draw::InvisibleReason;
use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode, Sign};
use crate::math::View;

impl Gizmo {
    /// Returns the snapping and the precision that apply with the held keys.
    pub(super) fn modifiers(&self) -> Modifiers {
        self.input.modifiers(&self.pivot_edit.acting(&self.settings))
    }

    /// Processes a key in a drag: a character of a number, an axis, or a nudge.
    pub(super) fn key_in_drag(&mut self, key: Key) {
        let modifiers = self.modifiers();
        let Phase::Dragging(drag, by) = &mut self.phase else { return };
        let before = drag.motion();
        drag.set_increments(&self.settings);
        if !drag.key(key, modifiers) {
            return;
        }
        // The pointer need not stay on the handle while a number is typed.
        *by = if let By::Wheel { .. } = by { By::Keys } else { *by };
        let (handle, motion) = (drag.handle(), drag.motion());
        self.set_hover(Some(handle), None);
        // The typed text is shown even if it moves nothing yet.
        self.output.redraw();
        self.report(before, motion);
    }

    /// Begins a drag by a key.
    pub(super) fn begin_by_key(&mut self, key: Key, view: &View, targets: &[Target]) {
        let modifiers = self.modifiers();
        let Some(handle) = self.handle_for(key) else { return };
        if let Some(reason) = self.invisible_reason(view) {
            return self.output.push(Event::Refused(handle, reason.into()));
        }
        let begun = self.new_drag(handle, None, view, None, targets).map(|mut drag| {
            drag.key(key, modifiers);
            (drag, By::Keys)
        });
        self.start(handle, begun);
    }

    /// Begins a drag of a handle at the pointer, or by keys alone if the pointer cannot drag it.
    pub(super) fn begin_grab(&mut self, handle: HandleId, view: &View, targets: &[Target]) {
        let begin = |pressed| self.new_drag(handle, None, view, pressed, targets);
        let at_pointer = self.input.cursor_px().map(|cursor_px| begin(Some(cursor_px.into())));
        let begun = match at_pointer {
            Some(Ok(drag)) => Ok((drag, By::Carried)),
            Some(Err(DisabledReason::SeenEndOn)) | None => match self.invisible_reason(view) {
                // The handle itself need not be shown.
                None | Some(InvisibleReason::NoHandle) => begin(None).map(|drag| (drag, By::Keys)),
                Some(reason) => Err(reason.into()),
            },
            Some(Err(disabled_reason)) => Err(disabled_reason),
        };
        self.start(handle, begun);
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
