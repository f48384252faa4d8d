//! One drag: a transaction from press to release.

mod keys;
mod numbers;
mod precision;

use super::end_on::visible_height;
use super::grab::Grab;
use super::grip::Grip;
use super::key::Key;
use super::motion::{Change, Motion};
use super::parent::Parent;
use super::placement::{Placement, disabled_reasons, frame_of};
use super::rotate::unwrap;
use super::settings::{Modifiers, Orientation, Pivot, Settings, Snap};
use super::starts::{Starts, Step};
use super::target::{DisabledReason, Target};
use super::translate::{Clamped, Reach};
use super::typed::Typed;
use crate::draw::Layout;
use crate::handle::{Channel, Constraint, HandleId, HandleSet};
use crate::math::{Transform, View};
use glam::{DMat3, DQuat, DVec2, DVec3};
use precision::Precision;

/// Heights of the view that a drag may go, where the settings name no distance.
const DEFAULT_REACH: f64 = 1000.0;
/// Least part of the pivot's w at press that a drag toward the viewer keeps.
const MIN_W: f64 = 0.01;

/// Cursors farther out than this count as there: no screen reaches it, and no product of it
/// overflows.
const MAX_PX: f64 = 1e9;

/// A snap hook: the moved pivot goes in, the point to snap to comes out, both in world space.
pub type SnapHook<'a> = dyn FnMut(DVec3) -> Option<DVec3> + 'a;

/// One drag, from its press to now: a transaction.
///
/// [`Gizmo`](super::Gizmo) drives it from pointer events and keys; it can be driven by hand as
/// well. The motion is a function of the press, the cursor, the view and what is held or typed,
/// and never a sum of steps. Two things are remembered: whole turns, and where the precision changed.
#[derive(Debug, Clone)]
pub struct Drag {
    grip: Grip,
    /// As constrained now.
    handle: HandleId,
    /// `None` where no pointer leads.
    press_px: Option<DVec2>,
    press_view: View,
    press_held: Modifiers,
    settings: Settings,
    starts: Starts,
    /// Place of the target whose axes count.
    frame_of: usize,
    placement: Placement,
    /// `None` where the pivot was not in front of the viewer.
    layout: Option<Layout>,
    reach: Reach,
    orientation: Orientation,
    /// Of the constraint, as columns.
    axes: DMat3,
    /// `None` where the cursor says nothing.
    grab: Option<Grab>,
    /// The key that chose the constraint, and how often it came in a row, from 1.
    chosen_by: Option<(Key, u8)>,
    typed: Typed,
    precision: Precision,
    /// What the cursor said last, before precision and snapping: whole turns are counted by it.
    last_raw: DVec3,
    has_left: bool,
    cursor_px: Option<DVec2>,
    numbers: [f64; 2],
    motion: Motion,
}

impl Drag {
    /// Takes hold of `handle` at `press_px` in `view`. The targets' transforms are kept: they
    /// are what [`Drag::starts`] gives back. A handle of the host's own goes along the axes of the
    /// reference frame as they are: what turns it, its gizmo alone knows.
    ///
    /// # Errors
    /// Why the handle cannot be used with these targets in this view.
    pub fn begin(
        handle: HandleId,
        view: &View,
        press_px: DVec2,
        targets: &[Target],
        settings: &Settings,
        held: impl Into<Modifiers>,
    ) -> Result<Self, DisabledReason> {
        Self::new(handle.into(), view, Some(press_px), targets, settings, held.into())
    }

    /// A drag that no pointer leads: [`Drag::key`] types its numbers.
    ///
    /// # Errors
    /// Why the handle cannot be used with these targets.
    pub fn begin_by_keys(
        handle: HandleId,
        view: &View,
        targets: &[Target],
        settings: &Settings,
        held: impl Into<Modifiers>,
    ) -> Result<Self, DisabledReason> {
        Self::new(handle.into(), view, None, targets, settings, held.into())
    }

    pub(crate) fn new(
        grip: Grip,
        view: &View,
        press_px: Option<DVec2>,
        targets: &[Target],
        settings: &Settings,
        held: Modifiers,
    ) -> Result<Self, DisabledReason> {
        let placement = Placement::of(targets, settings, view, grip.copy)?;
        let frame_of = frame_of(targets, settings, grip.copy).ok_or(DisabledReason::NoTarget)?;
        let disabled_reasons = disabled_reasons(targets, settings, &placement, std::iter::once(grip));
        if let Some(disabled_reason) = disabled_reasons[grip.handle.index()] {
            return Err(disabled_reason);
        }
        if press_px.is_some_and(|press_px| !press_px.is_finite()) {
            return Err(DisabledReason::NotFinite);
        }
        let layout = placement.layout(view, settings.size_lpx);
        if layout.is_none() && press_px.is_some() {
            return Err(DisabledReason::PivotNotInFront);
        }
        let starts =
            Starts::new(targets, settings, placement.pivot_world).ok_or(DisabledReason::SingularParent)?;
        let nothing = Reach { max_distance: f64::INFINITY, min_w: f64::NEG_INFINITY };
        let mut drag = Self {
            grip,
            handle: grip.handle,
            press_px,
            press_view: *view,
            press_held: held,
            settings: *settings,
            starts,
            frame_of,
            placement,
            layout,
            reach: nothing,
            orientation: settings.orientation,
            axes: DMat3::IDENTITY,
            grab: None,
            chosen_by: None,
            typed: Typed::new(),
            precision: Precision::new(DVec3::ZERO, held.precise),
            last_raw: DVec3::ZERO,
            has_left: false,
            cursor_px: press_px,
            numbers: [0.0; 2],
            motion: motion(Change::Translate(DVec3::ZERO), false),
        };
        drag.constrain(grip.handle, settings.orientation);
        if drag.grab.is_none() && press_px.is_some() {
            return Err(DisabledReason::SeenEndOn);
        }
        Ok(drag)
    }

    /// Axes of the reference frame at press, as another orientation has them.
    fn frame(&self, orientation: Orientation) -> DMat3 {
        if orientation == self.settings.orientation {
            return self.placement.axes;
        }
        let (target, parent) = self.starts.target(self.frame_of);
        orientation.axes(&self.press_view, target, Some(parent))
    }

    /// Turns the axes of the reference frame into those of a handle.
    fn own_rotation(&self, handle: HandleId) -> DMat3 {
        if handle == self.grip.handle { self.grip.rotation } else { DMat3::IDENTITY }
    }

    /// Why a handle along these axes cannot be used with what was pressed.
    fn disabled_reason(&self, handle: HandleId, orientation: Orientation) -> Option<DisabledReason> {
        let placement = Placement { axes: self.frame(orientation), ..self.placement };
        let grip = Grip { handle, rotation: self.own_rotation(handle), copy: self.grip.copy };
        let disabled_reasons =
            disabled_reasons(self.starts.targets(), &self.settings, &placement, std::iter::once(grip));
        disabled_reasons[handle.index()]
    }

    /// Takes hold again, at the same place, by another handle or along other axes.
    fn constrain(&mut self, handle: HandleId, orientation: Orientation) {
        let (last_pace, lead, last_change) = (self.precision, self.lead(), self.motion.change);
        self.handle = handle;
        self.orientation = orientation;
        let view = &self.press_view;
        let constraint = handle.constraint();
        let of = |target: &Target, parent: &Parent| orientation.axes(view, target, Some(parent));
        let (frame, rotation) = (self.frame(orientation), self.own_rotation(handle));
        self.axes = match (constraint, constraint.channel()) {
            (_, Channel::Scale) => self.placement.scale_axes,
            (Constraint::ViewPlane | Constraint::ViewRing | Constraint::Trackball, _) => view.frame(),
            _ => frame * rotation,
        };
        if self.settings.pivot == Pivot::Individual {
            self.starts.set_own_axes(|target, parent| of(target, parent) * rotation);
        }
        let identity = self.identity();
        self.precision = Precision::new(identity, self.precision.is_precise);
        self.last_raw = identity;
        self.motion = motion(self.nothing_done(), false);
        self.numbers = [self.rest(), 0.0];
        self.grab = None;
        let (Some(press_px), Some(layout)) = (self.press_px, self.layout) else { return };
        // Where a handle is taken hold of is limited by what can be seen, not by how far it may go.
        let visible = Reach {
            max_distance: DEFAULT_REACH * visible_height(view, layout.pivot_world),
            min_w: MIN_W * view.clip_w(layout.pivot_world),
        };
        let chosen = self.settings.max_distance.filter(|far| far.is_finite() && *far >= 0.0);
        self.reach = match (constraint.channel(), chosen) {
            (Channel::Translate, Some(max_distance)) => Reach { max_distance, ..visible },
            _ => visible,
        };
        let settings = &self.settings;
        let grab = Grab::new(constraint, &self.axes, view, press_px, &layout, visible, settings);
        let is_pressed = handle == self.grip.handle;
        self.grab = if is_pressed { grab } else { grab.map(|grab| grab.chosen_by_key(layout.size_world)) };
        // What was precise stays so, and goes on from where the precision changed.
        let said = last_pace
            .changed_at()
            .and_then(|(cursor_px, view)| self.grab.and_then(|grab| grab.raw(&view, cursor_px, self.reach)));
        if let Some(said) = said {
            self.precision = last_pace.carried(said.value, self.led_by(lead));
            self.last_raw = said.value;
        }
        if let (None, Change::Translate(by)) = (self.grab, last_change) {
            self.hold(by);
        }
    }

    /// Holds what the new constraint allows of the last motion, where it is seen end-on.
    fn hold(&mut self, by: DVec3) {
        let held = match self.handle.constraint() {
            Constraint::Axis(axis) => self.along(self.axes.col(axis.index()).dot(by), false),
            Constraint::Plane(normal) => {
                self.across(by.reject_from_normalized(self.axes.col(normal.index())), false)
            }
            _ => return,
        };
        self.take(held);
    }

    /// How far the motion was ahead of the cursor when the precision changed: in world space, for what
    /// moves; else the handle's number, in X.
    fn lead(&self) -> DVec3 {
        match self.handle.constraint() {
            Constraint::Axis(axis) => self.axes.col(axis.index()) * self.precision.lead().x,
            Constraint::Trackball => DVec3::ZERO,
            _ => self.precision.lead(),
        }
    }

    /// The same for the handle as it is constrained now.
    fn led_by(&self, lead: DVec3) -> DVec3 {
        match self.handle.constraint() {
            Constraint::Axis(axis) => DVec3::X * self.axes.col(axis.index()).dot(lead),
            Constraint::Plane(axis) => lead.reject_from_normalized(self.axes.col(axis.index())),
            Constraint::ViewPlane => lead.reject_from_normalized(self.axes.z_axis),
            Constraint::Trackball => DVec3::ZERO,
            _ => lead,
        }
    }

    /// The handle that is dragged: the pressed one, or the one that a key chose.
    pub fn handle(&self) -> HandleId {
        self.handle
    }

    /// The motion so far: the total since the press.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The numbers that the hand controls, after precision, snapping and limits: world units
    /// along the handle's axes (two in a plane, in the order of its name), radians since the
    /// press with whole turns, or a factor. A view plane's are right and up on screen.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers[..self.fields()]
    }

    /// What is typed, in world units, degrees or as a factor; two numbers with a comma between
    /// them.
    pub fn typed(&self) -> Option<&str> {
        self.typed.text()
    }

    /// Whether keys lead and the pointer is ignored: from the start, or since something is typed.
    pub fn is_by_keyboard(&self) -> bool {
        self.press_px.is_none() || self.typed.numbers(0.0).is_some()
    }

    /// The pivot at press, in world space.
    pub fn pivot_world(&self) -> DVec3 {
        self.placement.pivot_world
    }

    /// Axes of the reference frame that the handle hangs on, as columns, in world space.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// The targets' local transforms as they were at press, bit for bit.
    pub fn starts(&self) -> impl ExactSizeIterator<Item = Transform> {
        self.starts.locals()
    }

    /// The part of the wanted rotation that [`ShearPolicy`](super::ShearPolicy) leaves out:
    /// ‖P⁻¹RP·Q₀S − Q′S‖ / ‖S‖ in the Frobenius norm, the largest of all targets; 0 where
    /// nothing is.
    pub fn residual(&self) -> f64 {
        self.starts.residual(&self.step())
    }

    /// The cursor as it was solved last, in physical pixels; `None` where no pointer leads.
    pub fn cursor_px(&self) -> Option<DVec2> {
        self.cursor_px
    }

    /// Where the pointer took hold, and in which view.
    pub(crate) fn press(&self) -> (Option<DVec2>, &View) {
        (self.press_px, &self.press_view)
    }

    pub(crate) fn grab(&self) -> Option<&Grab> {
        self.grab.as_ref()
    }

    /// The point of the handle that was taken hold of, in world space, where it has one place:
    /// for what moves or scales along a line or in a plane.
    pub fn press_point_world(&self) -> Option<DVec3> {
        self.grab.as_ref().and_then(Grab::point_world)
    }

    /// The handles that were shown when it began.
    pub(crate) fn handles(&self) -> HandleSet {
        self.settings.mode.handles() | self.handle.into()
    }

    /// The target whose gizmo was taken hold of, where each has one.
    pub(crate) fn copy(&self) -> Option<usize> {
        self.grip.copy
    }

    /// Where the gizmo stood at press.
    pub(crate) fn start_placement(&self) -> Placement {
        match self.handle.constraint() {
            Constraint::Axis(_) | Constraint::Plane(_) | Constraint::Ring(_)
                if self.handle.custom_index().is_none() =>
            {
                Placement { axes: self.axes, ..self.placement }
            }
            _ => self.placement,
        }
    }

    /// Where the gizmo stands now: it goes along with what it moves, and keeps the axes it had.
    pub(crate) fn placement(&self) -> Placement {
        let start = self.start_placement();
        Placement { pivot_world: start.pivot_world + self.way(), ..start }
    }

    /// How far the pivot has come: as far as the motion, where no channel is locked.
    pub(crate) fn way(&self) -> DVec3 {
        match self.motion.change {
            Change::Translate(by) => self.starts.way(by),
            _ => DVec3::ZERO,
        }
    }

    /// The motion for a cursor, which may be anywhere, in a view, which may have moved since the
    /// press. At the pressed position, with the view and what was held at the press, it is the
    /// identity. Where the cursor says nothing, or the pivot is behind the viewer, the last
    /// motion holds.
    pub fn solve(&mut self, view: &View, cursor_px: DVec2, held: impl Into<Modifiers>) -> Motion {
        self.solve_with(view, cursor_px, held.into(), &mut |_| None)
    }

    /// The same with a snap hook: for what moves, it gets the moved pivot before snapping. The
    /// point that it answers with is projected onto the handle's line or plane and is what the
    /// pivot goes to; without an answer, increments snap.
    pub fn solve_with(
        &mut self,
        view: &View,
        cursor_px: DVec2,
        held: impl Into<Modifiers>,
        hook: &mut SnapHook<'_>,
    ) -> Motion {
        let held = held.into();
        let Some(press_px) = self.press_px else { return self.motion };
        if !cursor_px.is_finite() {
            return self.motion;
        }
        self.cursor_px = Some(cursor_px);
        if self.is_by_keyboard() || view.clip_w(self.placement.pivot_world) <= 0.0 {
            return self.motion;
        }
        let cursor_px = cursor_px.clamp(DVec2::splat(-MAX_PX), DVec2::splat(MAX_PX));
        let at_press = cursor_px == press_px;
        self.has_left |= !at_press;
        let as_pressed = || *view == self.press_view && held == self.press_held;
        let is_identity = at_press && self.precision.is_as_pressed() && (!self.has_left || as_pressed());
        if let Some(solved) = self.solved(view, cursor_px, held, is_identity, hook) {
            self.take(solved);
        }
        self.motion
    }

    /// Whether a place on the way of the cursor need not be solved, which it need not where nothing
    /// is counted along the way.
    pub(crate) fn passes(&mut self, cursor_px: DVec2) -> bool {
        let is_counted = self.grab.as_ref().is_some_and(Grab::goes_round);
        self.has_left |= !is_counted && self.press_px.is_some_and(|press_px| press_px != cursor_px);
        !is_counted
    }

    fn take(&mut self, (solved, numbers): (Motion, [f64; 2])) {
        if solved.change.is_finite() && numbers.iter().all(|number| number.is_finite()) {
            self.motion = solved;
            self.numbers = numbers;
        }
    }

    fn solved(
        &mut self,
        view: &View,
        cursor_px: DVec2,
        held: Modifiers,
        is_identity: bool,
        hook: &mut SnapHook<'_>,
    ) -> Option<(Motion, [f64; 2])> {
        let grab = self.grab?;
        if is_identity && !grab.goes_round() {
            self.precision.is_precise = held.precise;
            return Some((motion(self.nothing_done(), false), [self.rest(), 0.0]));
        }
        let said = if is_identity {
            Some(Clamped { value: DVec3::ZERO, clamped: false })
        } else {
            grab.raw(view, cursor_px, self.reach)
        };
        if let Some(raw) = said {
            let turned = DVec3::X * unwrap(raw.value.x, self.last_raw.x);
            self.last_raw = if grab.goes_round() { turned } else { raw.value };
        }
        if held.precise != self.precision.is_precise {
            self.precision.change(self.last_raw, held.precise, cursor_px, view);
        }
        let raw = Clamped { value: self.last_raw, clamped: said?.clamped };
        let effective = self.precision.effective(raw.value);
        let held = if is_identity { Modifiers { snap: Snap::OFF, ..held } } else { held };
        let hooked = |drag: &Self, by: DVec3, hook: &mut SnapHook<'_>| {
            let point = if is_identity { None } else { hook(drag.placement.pivot_world + by) };
            point.filter(|point| point.is_finite()).map(|point| point - drag.placement.pivot_world)
        };
        let solved = match grab {
            Grab::Line { line, at } => {
                let (low, high) = line.range(view, at, self.reach)?;
                let (low, high) = (low - at, high - at);
                if let Some(by) = hooked(self, line.direction * effective.x, hook) {
                    let wanted = by.dot(line.direction);
                    let value = wanted.max(low).min(high);
                    self.along(value, value != wanted)
                } else {
                    // Past the reach goes what was slow on the way there and fast on the way back.
                    let within = effective.x.max(low).min(high);
                    let value = self.snapped(within, line.direction, held, low, high);
                    self.along(value, raw.clamped || within != effective.x)
                }
            }
            Grab::Plane { plane, .. } => {
                let most = self.reach.max_distance;
                if let Some(by) = hooked(self, effective, hook) {
                    let by = by.reject_from_normalized(plane.normal);
                    let within = by.clamp_length_max(most);
                    self.across(within, within != by)
                } else {
                    let nearer =
                        |way: DVec3| if way.length() > most { way.clamp_length_max(most) } else { way };
                    let within = nearer(effective);
                    let snapped = self.snapped_in_plane(within, &plane.axes, held, most);
                    let by = nearer(snapped);
                    self.across(by, raw.clamped || within != effective || by != snapped)
                }
            }
            Grab::Ring { .. } | Grab::ViewRing { .. } => {
                let angle = held.snap.rotate.map_or(effective.x, |increment| increment.snap(effective.x));
                self.turned(angle)
            }
            Grab::Trackball { ball, point } => self.rolled(view, &ball, effective.truncate(), point)?,
            Grab::ScaleLine { .. } | Grab::ScalePlane { .. } | Grab::ScaleUniform { .. } => {
                self.scaled(effective.x, raw.clamped, held.snap.scale)
            }
        };
        Some(solved)
    }

    /// Writes where the motion leaves the targets: their starts, bit for bit, where it is the
    /// identity. Targets past the end of either list are left alone.
    pub fn apply(&self, targets: &mut [Target]) {
        self.starts.apply(&self.step(), targets);
    }

    fn step(&self) -> Step {
        let about = match self.handle.constraint() {
            Constraint::Ring(axis) => Some(axis),
            _ => None,
        };
        Step::new(&self.motion.change, about, &self.placement.scale_axes)
    }

    /// Writes the starts back, bit for bit.
    pub fn restore(&self, targets: &mut [Target]) {
        self.starts.restore(targets);
    }

    /// What the cursor says where nothing has moved; a trackball's is the pressed cursor.
    fn identity(&self) -> DVec3 {
        match self.handle.constraint() {
            Constraint::Trackball => self.press_px.unwrap_or_default().extend(0.0),
            constraint if constraint.channel() == Channel::Scale => DVec3::X,
            _ => DVec3::ZERO,
        }
    }

    /// The number of the handle where nothing has moved.
    fn rest(&self) -> f64 {
        if self.handle.constraint().channel() == Channel::Scale { 1.0 } else { 0.0 }
    }

    fn nothing_done(&self) -> Change {
        match self.handle.constraint() {
            Constraint::Axis(_) | Constraint::Plane(_) | Constraint::ViewPlane => {
                Change::Translate(DVec3::ZERO)
            }
            Constraint::Ring(_) | Constraint::ViewRing => Change::turn(self.turning_axis(), 0.0),
            Constraint::Trackball => Change::RotateFreely(DQuat::IDENTITY),
            Constraint::ScaleAxis(_) | Constraint::ScalePlane(_) | Constraint::ScaleUniform => {
                Change::Scale(DVec3::ONE)
            }
        }
    }

    fn turning_axis(&self) -> DVec3 {
        match self.handle.constraint() {
            Constraint::Ring(axis) => self.axes.col(axis.index()),
            _ => self.axes.z_axis,
        }
    }
}

fn motion(change: Change, clamped: bool) -> Motion {
    Motion { change, clamped }
}
