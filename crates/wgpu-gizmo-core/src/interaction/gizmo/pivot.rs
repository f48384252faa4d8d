use crate::handle::HandleId;
use crate::interaction::drive::{Amount, DriveError, Driven};
use crate::interaction::event::Event;
use crate::interaction::gesture::SnapHook;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::InputEvent;
use crate::interaction::gizmo::machine::Phase;
use crate::interaction::placement::edited_place::EditedPlace;
use crate::interaction::placement::{Placement, active};
use crate::interaction::settings::{Axes, Limits, Locks, Orientation, Pivot, Settings, SnapKind};
use crate::interaction::targets::target::{DisabledReason, Target};
use crate::math::{Transform, View, is_positive};
use glam::{BVec3, DQuat, DVec3};
use std::borrow::Cow;

/// The maximum number of selections whose edited places are remembered. The oldest are dropped.
const MAX_SELECTIONS: usize = 64;

/// The error of the length of a rotation that counts as a unit: far more than rounding, far less than that of `f32`.
const MAX_UNIT_ERROR: f64 = 1e-12;

/// The edited place of the gizmo, and whether drags edit it.
#[derive(Debug, Default)]
pub(super) struct PivotEdit {
    /// Whether drags should edit the place. It takes effect once no press or drag is in progress.
    is_wanted: bool,
    is_on: bool,
    /// The keys of the current targets.
    selection: Vec<Option<u64>>,
    /// The edited place of the current targets.
    edited: EditedPlace,
    /// The edited places of other selections, the oldest first.
    others: Vec<(Vec<Option<u64>>, EditedPlace)>,
    /// The edited place, moved along with the active target.
    resolved: EditedPlace,
    /// The current place of the gizmo, including the motion of a drag in progress.
    place: Option<Transform>,
    /// The origin of the parent of the active target, which grids of the orientation Parent have.
    parent_origin: DVec3,
    /// The place that the last event reported, if it was changed since.
    changed_from: Option<Option<Transform>>,
    /// The changes that wait for the next update, which knows the selection, and for the end of a drag.
    waiting: Vec<PlaceChange>,
}

/// A change of the edited place without a drag.
#[derive(Debug, Clone, Copy)]
enum PlaceChange {
    Reset,
    Point(DVec3),
    Rotation(DQuat),
}

impl PivotEdit {
    /// Returns true if drags edit the place.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    pub(super) fn has_point(&self) -> bool {
        self.is_on || self.resolved.point_world.is_some()
    }

    pub(super) fn has_rotation(&self) -> bool {
        self.resolved.rotation.is_some()
    }

    fn is_in_use(&self) -> bool {
        let has_edited = !self.edited.is_empty() || !self.others.is_empty();
        self.is_wanted || self.is_on || has_edited || self.is_waiting()
    }

    /// Returns true if changes of the place wait for an update.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns true if editing begins or ends once no press or drag is in progress.
    pub(super) fn is_switched(&self) -> bool {
        self.is_on != self.is_wanted
    }

    /// Returns the settings that act instead of those of the host: with the edited place.
    fn with_place<'a>(&self, settings: &'a Settings) -> Cow<'a, Settings> {
        let EditedPlace { point_world, rotation, .. } = self.resolved;
        let mut effective = Cow::Borrowed(settings);
        if let Some(point_world) = point_world {
            effective.to_mut().pivot = Pivot::Custom(point_world);
        }
        if let Some(rotation) = rotation {
            effective.to_mut().orientation = Orientation::Custom(rotation);
        }
        effective
    }

    /// Returns the settings that act: those of the host, with the edited place, or those of a drag that edits it.
    #[inline]
    pub(super) fn effective_settings<'a>(&self, settings: &'a Settings) -> Cow<'a, Settings> {
        if !self.is_on && self.resolved.is_empty() {
            return Cow::Borrowed(settings);
        }
        if self.is_on { Cow::Owned(self.editing(settings)) } else { self.with_place(settings) }
    }

    /// Returns the settings of a drag that edits the place.
    fn editing(&self, settings: &Settings) -> Settings {
        let mut effective = self.with_place(settings).into_owned();
        // The target that stands in for the gizmo has no parent, so axes and grid of the parent are given.
        if effective.orientation == Orientation::Parent {
            let rotation = self.place.map_or(DQuat::IDENTITY, |place| place.rotation);
            effective.orientation = Orientation::Custom(rotation);
            if let SnapKind::Grid { origin_world } = &mut effective.snap.kind {
                *origin_world = self.parent_origin;
            }
        }
        effective.pivot = Pivot::Active;
        effective.motion.limits = Limits::NONE;
        // A place has no scale.
        effective.motion.locks = Locks { scale: BVec3::TRUE, ..Locks::NONE };
        effective.axes = Axes::Shared;
        effective
    }

    /// Records the selection, and returns true if it is another one. A selection gets back the place that
    /// it had before.
    fn select(&mut self, targets: &[Target]) -> bool {
        if targets.iter().map(|target| target.key).eq(self.selection.iter().copied()) {
            return false;
        }
        let keys = targets.iter().map(|target| target.key).collect();
        let last = std::mem::replace(&mut self.selection, keys);
        let edited = std::mem::take(&mut self.edited);
        self.remember(last, edited);
        if let Some(index) = self.others.iter().position(|(keys, _)| *keys == self.selection) {
            self.edited = self.others.remove(index).1;
        }
        true
    }

    /// Stores the place of another selection.
    fn remember(&mut self, keys: Vec<Option<u64>>, edited: EditedPlace) {
        self.others.retain(|(others, _)| *others != keys);
        if !edited.is_empty() {
            if self.others.len() >= MAX_SELECTIONS {
                self.others.remove(0);
            }
            self.others.push((keys, edited));
        }
    }

    /// Sets the edited parts of the place, and records the change for an event.
    fn edit(&mut self, point_world: Option<DVec3>, rotation: Option<DQuat>) {
        self.changed_from.get_or_insert(self.place);
        // A part that is not set keeps its value.
        self.edited = EditedPlace {
            point_world: point_world.or(self.resolved.point_world),
            rotation: rotation.or(self.resolved.rotation),
            at: None,
        };
        self.resolved = self.edited;
    }
}

/// Editing the place of the gizmo itself.
impl Gizmo {
    /// Makes drags move and turn the gizmo itself: its pivot and its reference frame. The targets stay as
    /// they are, bit for bit. Snapping applies; handles that scale are disabled. During a press or a drag it
    /// takes effect after the release.
    ///
    /// A drag has its usual events. If it has changed the place, [`Event::PivotChanged`] precedes
    /// [`Event::Ended`], which reports that no target has changed. The edited place moves along with the
    /// active target and stays until [`Gizmo::reset_pivot`]. Each selection has its own place: targets with
    /// the same [keys](Target::key) in the same order get it back. Selections without keys are distinguished
    /// by their number of targets alone.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DMat4, DVec3};
    /// use wgpu_gizmo_core::{Gizmo, IdSpace, Target, Transform, View, Viewport};
    ///
    /// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(600, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut targets = [Target::from_world(Transform::IDENTITY)];
    /// gizmo.edit_pivot();
    /// gizmo.pivot_to(DVec3::X);
    /// gizmo.update(&view, &mut targets);
    /// assert_eq!(gizmo.pivot_place().map(|place| place.translation), Some(DVec3::X));
    /// assert_eq!(targets[0].local, Transform::IDENTITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit_pivot(&mut self) {
        self.pivot_edit.is_wanted = true;
        self.output.redraw();
    }

    /// Makes drags move the targets again. The edited place stays.
    pub fn end_pivot_edit(&mut self) {
        self.pivot_edit.is_wanted = false;
        self.output.redraw();
    }

    /// Returns true if drags edit the place of the gizmo, see [`Gizmo::edit_pivot`].
    pub fn is_editing_pivot(&self) -> bool {
        self.pivot_edit.is_wanted
    }

    /// Returns the pivot and the rotation of the reference frame in world space, with scale 1, as of the last
    /// [`Gizmo::update`]; `None` without targets. With
    /// [`Pivot::EachTarget`] it is the gizmo of the active target.
    pub fn pivot_place(&self) -> Option<Transform> {
        match self.drag() {
            Some(drag) if !self.pivot_edit.is_on => Some(place_of(&drag.placement())),
            _ if self.pivot_edit.is_in_use() => self.pivot_edit.place,
            _ => self.placements.active().map(|placement| place_of(&placement)),
        }
    }

    /// Returns true if the place of the gizmo was edited for the current targets.
    pub fn has_edited_pivot(&self) -> bool {
        match self.pivot_edit.waiting.last() {
            Some(change) => !matches!(change, PlaceChange::Reset),
            None => !self.pivot_edit.edited.is_empty(),
        }
    }

    /// Returns the point and the rotation in world space that were edited for the current targets, as of the last
    /// [`Gizmo::update`]. The settings give what was not. For undo, [`Gizmo::restore_pivot`] restores them.
    pub fn edited_pivot(&self) -> (Option<DVec3>, Option<DQuat>) {
        (self.pivot_edit.resolved.point_world, self.pivot_edit.resolved.rotation)
    }

    /// Returns the point and the rotation that were edited for these targets, moved along with them, whether or not
    /// they are the current ones. [`Gizmo::other_edited_selections`] tells which other ones there are.
    pub fn edited_pivot_of(&self, targets: &[Target]) -> (Option<DVec3>, Option<DQuat>) {
        let edit = &self.pivot_edit;
        let is_of_targets =
            |keys: &[Option<u64>]| targets.iter().map(|target| target.key).eq(keys.iter().copied());
        let edited = match is_of_targets(&edit.selection) {
            true => Some(&edit.edited),
            false => edit.others.iter().find(|(keys, _)| is_of_targets(keys)).map(|(_, edited)| edited),
        };
        let active = active(targets, None).map(|active| &targets[active]);
        let place = edited.zip(active).map(|(edited, active)| edited.moved_with(active)).unwrap_or_default();
        (place.point_world, place.rotation)
    }

    /// Restores the point and the rotation that [`Gizmo::edited_pivot_of`] returned for these targets, whether or not
    /// they are the current ones, without an event: for undo and redo. A drag in progress goes on as it began. Numbers
    /// that are not finite count as `None`.
    pub fn restore_pivot(&mut self, targets: &[Target], point_world: Option<DVec3>, rotation: Option<DQuat>) {
        let Some(active) = active(targets, None) else { return };
        let edited = EditedPlace {
            point_world: point_world.filter(|point| point.is_finite()),
            rotation: rotation.and_then(unit),
            at: Some(targets[active]),
        };
        let keys: Vec<_> = targets.iter().map(|target| target.key).collect();
        if keys == self.pivot_edit.selection {
            self.pivot_edit.edited = edited;
            self.pivot_edit.resolved = edited;
        } else {
            self.pivot_edit.remember(keys, edited);
        }
        self.changed();
    }

    /// Returns the other selections whose place was edited, as the keys of their targets, the oldest first. They get
    /// their places back. To keep these beyond the gizmo, ask [`Gizmo::edited_pivot_of`] for each.
    pub fn other_edited_selections(&self) -> impl Iterator<Item = &[Option<u64>]> {
        self.pivot_edit.others.iter().map(|(keys, _)| keys.as_slice())
    }

    /// Drops the edited place of the targets of the next [`Gizmo::update`]: the settings place the gizmo again.
    /// A press or drag in progress ends first, as by a release, so that there are two undo steps.
    pub fn reset_pivot(&mut self) {
        if self.has_edited_pivot() || self.is_busy() {
            self.change_place(PlaceChange::Reset);
        }
    }

    /// Moves the pivot of the targets of the next [`Gizmo::update`] to a point in world space, like a drag of
    /// [`Gizmo::edit_pivot`]. A press or drag in progress ends first. A point that is not finite is ignored.
    pub fn pivot_to(&mut self, point_world: DVec3) {
        if point_world.is_finite() {
            self.change_place(PlaceChange::Point(point_world));
        }
    }

    /// Sets the reference frame of the targets of the next [`Gizmo::update`] to a rotation in world space, like a
    /// drag of [`Gizmo::edit_pivot`]. A press or drag in progress ends first. A rotation of unit length keeps its
    /// bits, and one that cannot be normalized is ignored.
    pub fn align_frame_to(&mut self, rotation: DQuat) {
        unit(rotation).into_iter().for_each(|unit| self.change_place(PlaceChange::Rotation(unit)));
    }

    fn change_place(&mut self, change: PlaceChange) {
        self.pivot_edit.waiting.push(change);
        if self.is_busy() {
            self.input.push(InputEvent::Ended);
        }
    }

    /// Applies the changes that have waited for this update. The place must be resolved.
    fn apply_place_changes(&mut self, view: &View, targets: &[Target]) {
        if !self.pivot_edit.is_waiting() {
            return;
        }
        let place = self.pivot_edit.place;
        self.pivot_edit.changed_from.get_or_insert(place);
        for change in std::mem::take(&mut self.pivot_edit.waiting) {
            match change {
                PlaceChange::Reset => {
                    self.pivot_edit.edited = EditedPlace::default();
                    self.pivot_edit.resolved = EditedPlace::default();
                }
                PlaceChange::Point(point_world) => self.pivot_edit.edit(Some(point_world), None),
                PlaceChange::Rotation(rotation) => self.pivot_edit.edit(None, Some(rotation)),
            }
        }
        self.output.redraw();
        self.resolve_edited_place(view, targets);
    }

    /// Moves or turns the gizmo itself by an amount. The next update reports it.
    pub(super) fn drive_pivot(
        &mut self,
        handle: HandleId,
        amount: Amount,
        targets: &[Target],
    ) -> Result<Driven, DriveError> {
        // A drag in progress refuses this, and keeps its selection.
        let is_other = !self.is_busy() && self.pivot_edit.select(targets);
        if let Some(view) = self.views.shown().filter(|_| is_other) {
            self.resolve_edited_place(&view, targets);
        }
        let place = self.pivot_edit.place.ok_or(DisabledReason::NoTarget)?;
        let mut stand_in = [Target::from_world(place)];
        let mut drag = self.driven_drag(handle, &stand_in)?;
        let motion = drag.drive(amount, self.modifiers())?;
        drag.apply(&mut stand_in);
        let Transform { translation, rotation, .. } = stand_in[0].local;
        let moved = Some(translation).filter(|point| *point != place.translation);
        let turned = Some(rotation).filter(|rotation| *rotation != place.rotation);
        if moved.is_some() || turned.is_some() {
            self.pivot_edit.edit(moved, turned);
            self.pivot_edit.place = Some(stand_in[0].local);
        }
        self.output.set_last_drag(Box::new(drag));
        self.changed();
        Ok(Driven { motion, changed: false })
    }

    /// Processes the events since the last call for the targets, or for the gizmo itself.
    pub(super) fn process_for_targets_or_pivot(
        &mut self,
        view: &View,
        targets: &mut [Target],
        hook: &mut SnapHook<'_>,
    ) {
        if !self.pivot_edit.is_in_use() && self.pivot_edit.changed_from.is_none() {
            return self.process_queue(view, targets, hook);
        }
        let is_other = self.pivot_edit.select(targets);
        if is_other && self.pivot_edit.is_on {
            // The gizmo of another selection must not take over its drag.
            self.end_canceled(&mut []);
        }
        // The changes that end a press or drag come after it, and before the rest of the input.
        let mut are_due = !self.input.has_end();
        loop {
            self.take_pivot_edits(view, targets, are_due);
            match self.pivot_edit.place.filter(|_| self.pivot_edit.is_on) {
                Some(place) => {
                    let mut stand_in = [Target::from_world(place)];
                    self.process_queue(view, &mut stand_in, hook);
                    self.take_edited_place(stand_in[0].local);
                    // After a drag, the gizmo is shown and picked where it has moved to.
                    self.update_placements(view, &stand_in);
                }
                None if self.pivot_edit.is_on => self.process_queue(view, &mut [], hook),
                None => self.process_queue(view, targets, hook),
            }
            are_due = self.pivot_edit.is_waiting()
                && !matches!(self.phase, Phase::Pressed(_) | Phase::Dragging(..));
            if !are_due {
                return;
            }
        }
    }

    /// Applies the pivot edits of the host if they are due, and reports those of the last update.
    fn take_pivot_edits(&mut self, view: &View, targets: &[Target], are_due: bool) {
        if !self.is_active() {
            self.resolve_edited_place(view, targets);
            if are_due {
                self.apply_place_changes(view, targets);
            }
        }
        self.report_pivot();
    }

    /// Resolves the edited place for the targets as they are now.
    fn resolve_edited_place(&mut self, view: &View, targets: &[Target]) {
        let edit = &mut self.pivot_edit;
        if matches!(self.phase, Phase::Idle) {
            edit.is_on = edit.is_wanted;
        }
        edit.resolved = match active(targets, None) {
            Some(active) => {
                edit.parent_origin = targets[active].world_from_parent.w_axis.truncate();
                edit.edited = EditedPlace { at: edit.edited.at.or(Some(targets[active])), ..edit.edited };
                edit.edited.moved_with(&targets[active])
            }
            None => EditedPlace::default(),
        };
        let effective = edit.with_place(&self.settings);
        let placement = Placement::of(targets, &effective, view, None).ok();
        edit.place = placement.map(|placement| {
            let place = place_of(&placement);
            Transform { rotation: edit.resolved.rotation.unwrap_or(place.rotation), ..place }
        });
    }

    /// Takes over the place from the target that stood in for the gizmo in an update.
    fn take_edited_place(&mut self, local: Transform) {
        let Some(before) = self.pivot_edit.place else { return };
        let place = Transform { scale: DVec3::ONE, ..local };
        let Some(end) = self.output.find(Event::Ended { changed: true }) else {
            self.pivot_edit.place = Some(place);
            return;
        };
        let start = self.output.last_drag().and_then(|drag| drag.starts().next());
        let from = Transform { scale: DVec3::ONE, ..start.unwrap_or(before) };
        self.pivot_edit.place = Some(place);
        let point_world = Some(place.translation).filter(|point| *point != from.translation);
        let rotation = Some(place.rotation).filter(|rotation| *rotation != from.rotation);
        self.pivot_edit.edit(point_world, rotation);
        self.pivot_edit.changed_from = None;
        // The change of the place precedes the end of the drag, which has moved no target.
        let changed = Event::PivotChanged { from: Some(from), to: Some(place) };
        self.output.replace(end, [changed, Event::Ended { changed: false }]);
        self.changed();
    }

    /// Reports a change of the place since the last update.
    fn report_pivot(&mut self) {
        if let Some(from) = self.pivot_edit.changed_from.take() {
            let to = self.pivot_edit.place;
            if from != to {
                self.output.push(Event::PivotChanged { from, to });
                self.changed();
            }
        }
    }
}

/// Returns the rotation with unit length. One that has it keeps its bits.
fn unit(rotation: DQuat) -> Option<DQuat> {
    let length = rotation.length();
    let is_unit = (length - 1.0).abs() < MAX_UNIT_ERROR;
    is_positive(length).then(|| if is_unit { rotation } else { rotation * length.recip() })
}

/// Returns the pivot and the reference frame as a transform.
fn place_of(placement: &Placement) -> Transform {
    let rotation = DQuat::from_mat3(&placement.axes);
    Transform { translation: placement.pivot_world, rotation, scale: DVec3::ONE }
}
