//! Drags that begin without a press: by calls, keys, a grab and the wheel.

use crate::draw::InvisibleReason;
use crate::handle::{BoxGrip, ChangeKind, Constraint, HandleId, Mode};
use crate::interaction::drag::Drag;
use crate::interaction::drag::numbers::is_nudged_by_wheel;
use crate::interaction::drive::{Amount, DriveError, Driven};
use crate::interaction::event::Event;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::gizmo::machine::{By, Phase};
use crate::interaction::key::Key;
use crate::interaction::settings::{Modifiers, Orientation};
use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::{DisabledReason, Target};
use crate::math::{View, Viewport};
use glam::DMat4;
use std::num::NonZeroU32;

/// Drags without a pointer.
impl Gizmo {
    /// Drags a handle by an amount in one call: world units along an axis (two numbers in a plane), radians,
    /// or a factor. The settings of snapping, limits and locks apply. Without snapping, the result equals that of
    /// the same typed number.
    ///
    /// It moves the targets at once and reports no events: the returned value says what happened, and
    /// [`Gizmo::starts`] returns what an undo step restores. A handle that the view defines
    /// (`translate_view`, `rotate_view`, `rotate_trackball`, [`Orientation::View`]) uses the view of the last
    /// [`Gizmo::update`]; others need no view. The handle need not be shown. While the pivot is edited
    /// ([`Gizmo::edit_pivot`]), the gizmo itself moves, and the next update reports it.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Target, Transform};
    ///
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut targets = [Target::from_world(Transform::IDENTITY)];
    /// let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
    /// let driven = gizmo.drive(arrow, 2.5, &mut targets)?;
    /// assert!(driven.changed);
    /// assert_eq!(targets[0].local.translation.x, 2.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the reason if the handle cannot be driven; nothing is moved then.
    pub fn drive(
        &mut self,
        handle: HandleId,
        amount: impl Into<Amount>,
        targets: &mut [Target],
    ) -> Result<Driven, DriveError> {
        if self.pivot_edit.is_on() {
            return self.drive_pivot(handle, amount.into(), targets);
        }
        let mut drag = self.driven_drag(handle, targets)?;
        drag.drive(amount, self.modifiers())?;
        drag.apply(targets);
        let driven = drag.driven(targets);
        self.output.set_last_drag(Box::new(drag));
        self.changed();
        Ok(driven)
    }

    /// Begins a drag of a handle by a stream of amounts, such as those of a 3D mouse: one undo step. See
    /// [`Gizmo::drive_by`].
    ///
    /// Guides and readout are shown as in any drag. Of all input, only [`Gizmo::cancel`] and the Escape key act on
    /// it: the next [`Gizmo::update`] restores the starts, and the calls of this drag fail from then on.
    ///
    /// # Errors
    /// Returns the reason if the handle cannot be driven.
    pub fn drive_begin(&mut self, handle: HandleId, targets: &[Target]) -> Result<(), DriveError> {
        if self.pivot_edit.is_on() {
            return Err(DriveError::EditsPivot);
        }
        let drag = self.driven_drag(handle, targets)?;
        // Earlier cancels are not about this drag.
        self.input.drop_cancels();
        self.begin_drag(drag, By::Drive);
        Ok(())
    }

    /// Adds an amount to the drag of [`Gizmo::drive_begin`], and moves the targets at once. Factors are
    /// multiplied. The total is snapped, not each amount.
    ///
    /// # Errors
    /// Returns the reason if nothing was moved.
    ///
    /// ```
    /// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Target, Transform};
    ///
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut targets = [Target::from_world(Transform::IDENTITY)];
    /// let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
    /// gizmo.drive_begin(arrow, &targets)?;
    /// for _ in 0..4 {
    ///     gizmo.drive_by(0.25, &mut targets)?;
    /// }
    /// assert!(gizmo.drive_end(&mut targets)?.changed);
    /// assert_eq!(targets[0].local.translation.x, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drive_by(
        &mut self,
        amount: impl Into<Amount>,
        targets: &mut [Target],
    ) -> Result<Motion, DriveError> {
        let modifiers = self.modifiers();
        let drag = match &mut self.phase {
            Phase::Dragging(drag, By::Drive) if !self.input.has_cancel() => drag,
            _ => return Err(DriveError::NotBegun),
        };
        if !drag.is_of(targets) {
            return Err(DriveError::OtherTargets);
        }
        let before = drag.motion();
        let motion = drag.drive_by(amount.into(), modifiers)?;
        drag.apply(targets);
        if motion != before {
            self.changed();
        }
        Ok(motion)
    }

    /// Ends the drag of [`Gizmo::drive_begin`], or of [`Gizmo::wheel`], and keeps its motion: one undo step
    /// if it has changed something. A drag of the wheel ends in the next update, which reports it.
    ///
    /// # Errors
    /// Returns the reason if no such drag is in progress, or these are not its targets.
    pub fn drive_end(&mut self, targets: &mut [Target]) -> Result<Driven, DriveError> {
        let Phase::Dragging(drag, by @ (By::Drive | By::Wheel { .. })) = &self.phase else {
            return Err(DriveError::NotBegun);
        };
        if self.input.has_cancel() {
            return Err(DriveError::NotBegun);
        }
        // The targets of a drag of the gizmo itself are not those of the host.
        if !self.pivot_edit.is_on() && !drag.is_of(targets) {
            return Err(DriveError::OtherTargets);
        }
        if *by != By::Drive {
            let changed = !self.pivot_edit.is_on() && drag.has_changed(targets);
            let driven = Driven { motion: drag.motion(), changed };
            // A press that is queued ends it as well, and begins another drag, which must go on.
            self.input.push(InputEvent::WheelLeft);
            return Ok(driven);
        }
        let Some((drag, by)) = self.take_drag() else { return Err(DriveError::NotBegun) };
        drag.apply(targets);
        let driven = drag.driven(targets);
        self.set_ended(drag, by);
        Ok(driven)
    }

    /// Turns the wheel by notches, positive away from the user. With
    /// [`InputSettings::wheel_nudge`](crate::interaction::settings::InputSettings::wheel_nudge) it nudges the hovered handle: a ring by
    /// 5° per notch (1° with the precision key), an arrow by one increment. In a drag it nudges the dragged
    /// handle in the same way. Otherwise, and over other handles, it does nothing; [`Claims::wheel`] is true
    /// if the gizmo uses the wheel.
    ///
    /// Consecutive notches over one handle are one drag with the usual events. The drag ends when the
    /// pointer leaves the handle, at a press, or at [`Gizmo::drive_end`].
    ///
    /// [`Claims::wheel`]: crate::interaction::Claims::wheel
    pub fn wheel(&mut self, notches: f64) {
        // Sideways scrolling has no notches.
        if notches.is_finite() && notches != 0.0 {
            self.input.push(InputEvent::Wheel(notches));
        }
    }

    /// Returns a drag without a pointer, if one can begin.
    pub(super) fn driven_drag(&self, handle: HandleId, targets: &[Target]) -> Result<Drag, DriveError> {
        if self.is_busy() {
            return Err(DriveError::Busy);
        }
        let settings = self.pivot_edit.effective_settings(&self.settings);
        let view = match self.views.shown() {
            Some(view) => view,
            None if is_defined_by_view(handle.constraint(), settings.orientation) => {
                return Err(DriveError::NoView);
            }
            // The result does not depend on the view, so any view will do.
            None => View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(1, 1), 1.0)
                .map_err(|_| DriveError::NoView)?,
        };
        Ok(self.new_drag(handle, None, &view, None, targets)?)
    }

    /// Begins a drag of the hovered handle by the wheel.
    pub(super) fn begin_by_wheel(&mut self, notches: f64, view: &View, targets: &[Target]) {
        if !self.settings.input.wheel_nudge {
            return;
        }
        let Some(handle) = self.hovered_now(view) else { return };
        if is_nudged_by_wheel(handle.constraint()) {
            let begun = self.new_drag(handle, Some(self.hover.copy()), view, None, targets);
            self.start(handle, begun.map(|drag| (drag, By::Wheel { has_moved: false })));
            self.turn_wheel(notches);
        }
    }

    /// Nudges the dragged handle by notches of the wheel.
    pub(super) fn turn_wheel(&mut self, notches: f64) {
        let modifiers = self.modifiers();
        let Phase::Dragging(drag, by) = &mut self.phase else { return };
        if !self.settings.input.wheel_nudge || !is_nudged_by_wheel(drag.handle().constraint()) {
            return;
        }
        if let By::Wheel { has_moved } = by {
            *has_moved = false;
        }
        let before = drag.motion();
        drag.increments = [self.settings.snap.increments, self.settings.snap.while_held];
        let motion = drag.turn_wheel(notches, modifiers);
        self.output.redraw();
        self.report_motion(before, motion);
    }

    /// Returns the hovered handle if the pointer is on it now. If the pick for its position has not been
    /// answered, the handles are picked on the CPU.
    fn hovered_now(&mut self, view: &View) -> Option<HandleId> {
        let handle = self.hover.handle()?;
        let id = self.id_on(handle, self.hover.copy());
        (self.at_pointer_now(view) == Some(id)).then_some(handle)
    }

    /// Returns the index of the target whose gizmo the pointer is on now, if each target has one.
    fn hovered_target_now(&mut self, view: &View) -> Option<usize> {
        let id = if self.has_copies() { self.at_pointer_now(view) } else { None };
        id.map(|id| self.copy_of(id))
    }

    /// Returns the id of the handle that the pointer is on now.
    fn at_pointer_now(&mut self, view: &View) -> Option<NonZeroU32> {
        if let Some(cursor_px) = self.input.cursor_px() {
            let view = self.pressed_view(view, cursor_px);
            if self.hover.is_known(cursor_px, &view) {
                return self.hover.handle().map(|handle| self.id_on(handle, self.hover.copy()));
            }
            return self.pick_on_cpu(&view, cursor_px, self.tolerance_lpx() * view.scale_factor());
        }
        let pointer = self.input.ray()?;
        self.pick_by_ray(&self.shown_like(view), &pointer)
    }

    /// Returns true if the pointer has left the handle that the wheel nudges, although no pick has said so yet.
    pub(super) fn has_left_wheel_drag(&mut self, view: &View) -> bool {
        self.asks_in_wheel_drag() && self.hovered_now(view).is_none()
    }

    /// Returns true if a pick is needed to find out whether the pointer is still on the handle that the
    /// wheel nudges.
    pub(super) fn asks_in_wheel_drag(&self) -> bool {
        matches!(self.phase, Phase::Dragging(_, By::Wheel { has_moved: true }))
    }
}

/// Returns true if the view determines the direction of the handle.
fn is_defined_by_view(constraint: Constraint, orientation: Orientation) -> bool {
    match constraint {
        Constraint::ViewPlane | Constraint::ViewRing | Constraint::Trackball => true,
        _ => orientation == Orientation::View && constraint.change_kind() != ChangeKind::Scale,
    }
}

impl Gizmo {
    /// Returns the snapping and the precision that apply with the held keys.
    pub(super) fn modifiers(&self) -> Modifiers {
        self.input.modifiers(&self.pivot_edit.effective_settings(&self.settings))
    }

    /// Processes a key in a drag: a character of a number, an axis, or a nudge.
    pub(super) fn key_in_drag(&mut self, key: Key) {
        let modifiers = self.modifiers();
        let Phase::Dragging(drag, by) = &mut self.phase else { return };
        let (before, changes_before) = (drag.motion(), drag.frame_changes());
        drag.increments = [self.settings.snap.increments, self.settings.snap.while_held];
        if !drag.key(key, modifiers) {
            return;
        }
        // The pointer need not stay on the handle while a number is typed.
        *by = if let By::Wheel { .. } = by { By::Keys } else { *by };
        let (handle, motion, changes) = (drag.handle(), drag.motion(), drag.frame_changes());
        self.set_hover(Some(handle), None);
        // The typed text is shown even if it moves nothing yet.
        self.output.redraw();
        self.report_motion(before, motion);
        // Targets with axes of their own can move although the active one, whose motion this is, does not.
        if changes != changes_before && motion == before && !motion.change.is_identity() {
            self.output.push(Event::Changed(motion));
            self.changed();
        }
    }

    /// Begins a drag by a key.
    pub(super) fn begin_by_key(&mut self, key: Key, view: &View, targets: &[Target]) {
        let modifiers = self.modifiers();
        let Some(handle) = self.handle_for(key) else { return };
        // The pointer may have moved since `Gizmo::key`.
        if !self.settings.input.axis_keys.begin_drag(self.hovered_now(view).is_some()) {
            return;
        }
        if let Some(reason) = self.invisible_reason(view) {
            return self.output.push(Event::Refused(handle, reason.into()));
        }
        let copy = self.hovered_target_now(view);
        let begun = self.new_drag(handle, copy, view, None, targets).map(|mut drag| {
            drag.key(key, modifiers);
            (drag, By::Keys)
        });
        self.start(handle, begun);
    }

    /// Begins a drag of a handle at the pointer, or by keys alone if the pointer cannot drag it.
    pub(super) fn begin_grab(&mut self, handle: HandleId, view: &View, targets: &[Target]) {
        let begin = |view: &View, pressed| self.new_drag(handle, None, view, pressed, targets);
        let aimed = || self.input.ray()?.press_point(view, self.placements.active()?.pivot_world);
        let pressed = self.input.cursor_px().map(|cursor_px| (*view, cursor_px.into())).or_else(aimed);
        let at_pointer = pressed.map(|(view, point)| begin(&view, Some(point)));
        let begun = match at_pointer {
            Some(Ok(drag)) => Ok((drag, By::Carried)),
            Some(Err(DisabledReason::SeenEndOn)) | None => match self.invisible_reason(view) {
                // The handle itself need not be shown.
                None | Some(InvisibleReason::NoHandle) => begin(view, None).map(|drag| (drag, By::Keys)),
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
                Some(HandleId::from_constraint(Constraint::Box(BoxGrip::face(axis, true))))
            }
            _ => None,
        };
        of_mode.or_else(|| of_box(key))
    }
}
