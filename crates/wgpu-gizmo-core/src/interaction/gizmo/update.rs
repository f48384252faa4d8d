use crate::handle::{BoxGrip, HandleId};
use crate::interaction::event::{Event, Events};
use crate::interaction::gesture::SnapHook;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::gizmo::machine::{By, Phase};
use crate::interaction::placement::{PlacedHandle, active};
use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::Target;
use crate::interaction::views::Views;
use crate::math::{HostTransform, View};
use glam::{DVec2, DVec3};

/// Returns true if the motion of a drag can change with this event.
fn may_change_motion(input: &InputEvent) -> bool {
    use InputEvent::{Aimed, Held, Key, Moved, Wheel};
    matches!(input, Moved(_) | Aimed(_) | Held(_) | Key(_) | Wheel(_))
}

impl Gizmo {
    /// Processes the events since the last call, moves the targets, and returns what happened.
    ///
    /// Call it once in every frame, with no targets if nothing is selected; events wait until it is
    /// called. At most one drag ends in a call, so that [`Gizmo::starts`] belongs to it; keys and presses of a ray
    /// after that wait for the next call.
    ///
    /// `views` are all views that show the gizmo, or `&view` if there is one: what the user sees until the next call,
    /// so presses until then refer to them. A press or drag in progress stays in its view. While no view with its
    /// key is passed, the targets are written and the input waits; without any view all input waits.
    ///
    /// The last target is the active one. A drag writes `local` of the targets: pass the
    /// same targets in the same order until it ends. A list of another length, or with other
    /// [keys](Target::key), cancels it; a press whose pick is not known yet is refused. Targets without keys are known
    /// by their positions: before you pass others of the same number, call [`Gizmo::cancel`] and this once more with
    /// the old ones.
    pub fn update<'v>(&mut self, views: impl Into<Views<'v>>, targets: &mut [Target]) -> Events {
        self.update_with(views, targets, &mut |_| None)
    }

    /// Updates like [`Gizmo::update`], with a snap hook for translations. The hook receives the position
    /// of the pivot in world space, and returns the point to snap to, if any. That point is projected
    /// onto the handle's line or plane.
    pub fn update_with<'v>(
        &mut self,
        views: impl Into<Views<'v>>,
        targets: &mut [Target],
        hook: &mut dyn FnMut(DVec3) -> Option<DVec3>,
    ) -> Events {
        let views = views.into();
        let Some(view) = self.current_view(views) else {
            // The queued events belong to the view of the drag.
            if !self.pivot_edit.is_on() {
                self.apply(targets);
            }
            return self.output.take_events();
        };
        // After a release, the flag lasts for one update, so that the host can read `Claims::click`.
        self.owns_click &= !matches!(self.phase, Phase::Idle);
        self.count_unanswered();
        self.process_for_targets_or_pivot(view, targets, hook);
        self.hover_by_ray(view);
        self.views.set_shown(view, views);
        self.output.take_events()
    }

    /// Updates like [`Gizmo::update`], for one object without a parent: moves its transform in world space, which can
    /// be a matrix.
    pub fn update_one<'v>(&mut self, views: impl Into<Views<'v>>, world: &mut impl HostTransform) -> Events {
        Target::move_one(world, |targets| self.update(views, targets))
    }

    /// Drags a handle of one object by so many physical pixels, as a user does, and returns what happened: for tests of
    /// a host. Presses at [`Gizmo::handle_px`], answers on the CPU, moves, and ends the drag, with the settings of the
    /// gizmo and the keys that are held. Nothing happens if the handle cannot be grabbed in this view.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
    /// use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Transform, View, Viewport};
    ///
    /// // A world unit is 100 pixels.
    /// let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
    /// let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    /// let view = View::new(eye, lens, Viewport::from_size(800, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut object = Transform::IDENTITY;
    /// let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
    /// gizmo.drag_one(&view, arrow, DVec2::new(100.0, 40.0), &mut object);
    /// assert!((object.translation - DVec3::X).length() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drag_one(
        &mut self,
        view: &View,
        handle: HandleId,
        by_px: DVec2,
        world: &mut impl HostTransform,
    ) -> Events {
        let mut events = self.update_one(view, world);
        let Some(from_px) = self.handle_px(view, handle) else { return events };
        self.pointer_moved(from_px);
        self.pointer_pressed();
        events.extend(self.update_one(view, world));
        self.answer_on_cpu();
        self.pointer_moved(from_px + by_px);
        self.pointer_released();
        events.extend(self.update_one(view, world));
        if self.is_active() {
            // A second click ends it in some grab modes.
            self.pointer_pressed();
            self.pointer_released();
            events.extend(self.update_one(view, world));
        }
        events
    }

    /// Returns the view that an update is about: that of the press or drag, or else the one with the pointer. A press or
    /// drag whose view is missing waits for it, except for a drag by the host, on which the view has no effect.
    fn current_view<'v>(&self, views: Views<'v>) -> Option<&'v View> {
        let held = self.held_view().map(|held| views.like(held));
        let is_driven = matches!(self.phase, Phase::Dragging(_, By::Drive));
        if held == Some(None) && !is_driven && !self.input.has_cancel() {
            return None;
        }
        // The input that follows a press on no handle may be in other views.
        let held = held.flatten().filter(|_| !self.is_pressed_elsewhere());
        // A grab and moves that follow it can be queued together.
        let at_pointer = || self.input.positions_px().filter_map(|cursor_px| views.at(cursor_px)).last();
        let as_before = || views.like(&self.views.shown()?);
        // A pointer beside the views of its window is in no view of another window.
        let in_window = || as_before().filter(|view| views.of_pointer().any(|other| other == *view));
        let beside = || in_window().or_else(|| views.of_pointer().next());
        held.or_else(at_pointer).or_else(beside).or_else(as_before).or_else(|| views.all().first())
    }

    /// Processes the events since the last call.
    pub(super) fn process_queue(&mut self, view: &View, targets: &mut [Target], hook: &mut SnapHook<'_>) {
        if self.drag().is_some_and(|drag| !drag.is_of(targets)) {
            self.end_canceled(targets);
        }
        if let Phase::Pressed(press) = &mut self.phase {
            press.has_other_targets |= !self.placements.are_of(targets);
        }
        self.forget_pointer_if_out();
        self.update_placements(view, targets);
        let mut count = 0;
        loop {
            if matches!(self.phase, Phase::Pressed(_)) {
                self.resolve_press(targets);
                // A snap hook or a held key may move the targets before the first move of the pointer.
                self.solve_drag(view, hook);
            }
            // Until its pick is known, the input that follows a press waits: moves, and also the release.
            if matches!(self.phase, Phase::Pressed(_)) {
                break;
            }
            let Some(input) = self.input.get(count) else { break };
            if self.may_begin_at_once(&input) && self.output.has_ended() {
                break;
            }
            let ends_wheel_drag = match input {
                InputEvent::Wheel(_) => self.has_left_wheel_drag(view),
                InputEvent::Pressed => {
                    let is_by_wheel = matches!(self.phase, Phase::Dragging(_, By::Wheel { .. }));
                    is_by_wheel && self.input.ray().is_some()
                }
                _ => false,
            };
            if ends_wheel_drag {
                self.end_drag(view, targets);
                continue;
            }
            count += 1;
            let next = self.input.get(count);
            // Only whole turns need every position of the cursor, and a hook may be expensive.
            if let (Phase::Dragging(drag, _), InputEvent::Moved(cursor_px), Some(InputEvent::Moved(_))) =
                (&mut self.phase, input, next)
            {
                if !drag.needs_every_move() {
                    drag.skip(cursor_px);
                    self.input.record(&input);
                    self.record_move(view);
                    continue;
                }
            }
            self.apply_input(input, view, targets);
            // The last event is solved below.
            if may_change_motion(&input) && next.is_some() {
                self.solve_drag(view, hook);
            }
            self.forget_pointer_if_out();
            // A change of the place of the gizmo that waits for this comes before the next event.
            if input == InputEvent::Ended && self.pivot_edit.is_waiting() {
                break;
            }
        }
        self.input.discard(count);
        self.solve_drag(view, hook);
        self.apply(targets);
        let is_moved = self.placements.set_box(&self.settings, targets);
        if is_moved {
            self.changed();
        }
    }

    /// Returns true if the input may begin a drag, and end it, in one update. A drag that follows another one waits for
    /// the next update, which keeps the starts of the first available.
    fn may_begin_at_once(&self, input: &InputEvent) -> bool {
        match input {
            InputEvent::Key(_) | InputEvent::Grabbed(_) | InputEvent::Wheel(_) => {
                matches!(self.phase, Phase::Idle)
            }
            // The pick of a ray is not waited for.
            InputEvent::Pressed => !self.is_active() && self.input.ray().is_some(),
            _ => false,
        }
    }

    /// Forgets a pointer that has left, once no press or drag needs its position.
    fn forget_pointer_if_out(&mut self) {
        if self.input.is_out() && !matches!(self.phase, Phase::Dragging(..) | Phase::Pressed(_)) {
            self.input.forget_pointer();
            self.forget_hover();
        }
    }

    /// Updates the placements for the current targets, unless a drag is in progress.
    pub(super) fn update_placements(&mut self, view: &View, targets: &[Target]) {
        let is_themed = self.placements.set_theme(&self.theme);
        self.output.redraw_if(is_themed);
        let effective = self.pivot_edit.effective_settings(&self.settings);
        if self.is_active() {
            // The guides show increments at once, even if nothing moves.
            let is_set = self.placements.set_drag_settings(&effective);
            self.output.redraw_if(is_set);
            return;
        }
        let box_handles = HandleId::box_handles().take(if effective.box_handles.is_some() {
            BoxGrip::ALL.len()
        } else {
            0
        });
        let copy = self.has_copies().then(|| active(targets, None)).flatten();
        let box_handles_placed =
            box_handles.map(|handle| PlacedHandle { copy, ..PlacedHandle::from(handle) });
        let handles = self.custom.placed_handles().chain(box_handles_placed);
        let Some(is_changed) = self.placements.update(&effective, view, targets, handles) else {
            return;
        };
        if is_changed {
            self.changed();
        }
        let is_gone = self.has_copies() && self.placements.of(Some(self.hover.copy())).is_none();
        if self.hover.handle().is_some_and(|handle| is_gone || !self.can_hover(handle)) {
            self.set_hover(None, None);
        }
    }

    /// Returns true if the handle is shown and enabled.
    pub(super) fn can_hover(&self, handle: HandleId) -> bool {
        let is_shown = self.settings.handles().contains(handle);
        is_shown && self.placements.active().is_some() && self.disabled_reason(handle).is_none()
    }

    /// Records that the gizmo looks different and that its handles may have moved.
    pub(super) fn changed(&mut self) {
        self.output.redraw();
        self.hover.invalidate();
    }

    /// Solves the drag, if there is one, for the pointer where it is.
    fn solve_drag(&mut self, view: &View, hook: &mut SnapHook<'_>) {
        let modifiers = self.modifiers();
        let (cursor_px, ray) = (self.input.cursor_px(), self.input.ray());
        // Only a pixel has something under it; a ray snaps to nothing.
        let snapped = cursor_px.and_then(|cursor_px| self.snapped(view, cursor_px));
        let Phase::Dragging(drag, _) = &mut self.phase else { return };
        let at_pixel = cursor_px.map(|cursor_px| (*view, cursor_px));
        let Some((view, cursor_px)) = at_pixel.or_else(|| drag.point_of_ray(&ray?.ray)) else { return };
        drag.snapped = snapped;
        let (before, from_px) = (drag.motion(), drag.cursor_px());
        let motion = drag.solve_with(&view, cursor_px, modifiers, hook);
        // Some guides end at the cursor, even if a limit or a typed number holds the motion.
        self.output.redraw_if(drag.cursor_px() != from_px);
        self.report_motion(before, motion);
    }

    pub(super) fn report_motion(&mut self, before: Motion, motion: Motion) {
        if motion != before {
            self.output.push(Event::Changed(motion));
            self.changed();
        }
    }

    /// Writes the targets of the drag in progress.
    fn apply(&self, targets: &mut [Target]) {
        if let Some(drag) = self.drag() {
            drag.apply(targets);
        }
    }
}
