//! The grab: how a drag begins, and how a key changes its handle or its axes.

use crate::handle::{ChangeKind, HandleId};
use crate::interaction::drag::Drag;
use crate::interaction::drag::precision::Precision;
use crate::interaction::drag::press::{Press, PressPoint};
use crate::interaction::drag::typed::Typed;
use crate::interaction::expression::Quantity;
use crate::interaction::gesture::{Gesture, Unit};
use crate::interaction::placement::reference_frame::local_axes;
use crate::interaction::placement::{PlacedHandle, Placement, active, disabled_reasons};
use crate::interaction::settings::{Axes, Modifiers, Orientation, Pivot, Settings};
use crate::interaction::targets::motion::Change;
use crate::interaction::targets::starts::Starts;
use crate::interaction::targets::target::{DisabledReason, Target};
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};

impl Drag {
    /// Begins a drag of `handle` at `press_px` in `view`.
    ///
    /// Stores the targets' transforms, which [`Drag::starts`] returns. A custom handle follows the axes of
    /// the reference frame without its own rotation, which only its gizmo knows.
    ///
    /// # Errors
    /// Returns the reason if the handle cannot be used with these targets in this view.
    pub fn begin(
        handle: HandleId,
        view: &View,
        press_px: DVec2,
        targets: &[Target],
        settings: &Settings,
        modifiers: impl Into<Modifiers>,
    ) -> Result<Self, DisabledReason> {
        Self::new(handle.into(), view, Some(press_px.into()), targets, settings, modifiers.into())
    }

    /// Begins a drag without a pointer. [`Drag::key`] types its numbers.
    ///
    /// # Errors
    /// Returns the reason if the handle cannot be used with these targets.
    pub fn begin_by_keys(
        handle: HandleId,
        view: &View,
        targets: &[Target],
        settings: &Settings,
        modifiers: impl Into<Modifiers>,
    ) -> Result<Self, DisabledReason> {
        Self::new(handle.into(), view, None, targets, settings, modifiers.into())
    }

    pub(crate) fn new(
        placed: PlacedHandle,
        view: &View,
        pressed: Option<PressPoint>,
        targets: &[Target],
        settings: &Settings,
        modifiers: Modifiers,
    ) -> Result<Self, DisabledReason> {
        let (press_px, seen_in) = (pressed.map(|at| at.cursor_px), pressed.and_then(|at| at.seen_in));
        let placement = Placement::of(targets, settings, view, placed.copy)?;
        let active = active(targets, placed.copy).ok_or(DisabledReason::NoTarget)?;
        let disabled_reasons = disabled_reasons(targets, settings, &placement, view, std::iter::once(placed));
        if let Some(disabled_reason) = disabled_reasons[placed.handle.index()] {
            return Err(disabled_reason);
        }
        if press_px.is_some_and(|press_px| !press_px.is_finite()) {
            return Err(DisabledReason::NotFinite);
        }
        let layout = match placement.layout(view, settings.display.size_lpx) {
            Ok(layout) => Some(layout),
            Err(reason) if press_px.is_some() => return Err(reason.into()),
            Err(_) => None,
        };
        let box_result = placed.handle.box_index().and(Some(settings.box_handles.unwrap_or_default().result));
        let starts = Starts::new(targets, settings, &placement, active, box_result)
            .ok_or(DisabledReason::SingularParent)?;
        let handle_world = placement.pivot_world + placement.axes * placed.offset;
        let size_world = layout.map_or(0.0, |layout| layout.size_world);
        let mut press = Press {
            cursor_px: press_px,
            view: *view,
            modifiers,
            settings: *settings,
            starts,
            placement,
            layout,
            seen_in,
            handle_world,
            grip_world: handle_world + placement.axes * placed.offset_sizes * size_world,
        };
        let (axes, gesture) = grabbed(&mut press, &placed, placed.handle, settings.orientation);
        if !gesture.path().is_grabbed() && press_px.is_some() {
            return Err(DisabledReason::SeenEndOn);
        }
        let quantity = match Unit::of(placed.handle.constraint()) {
            Unit::Length => Quantity::Length { meters_per_unit: settings.input.meters_per_unit },
            Unit::Angle => Quantity::Angle,
            Unit::Factor => Quantity::Factor,
        };
        let solved = gesture.steps().identity();
        Ok(Self {
            placed,
            press,
            handle: placed.handle,
            axes,
            gesture,
            chosen_by: None,
            typed: Typed::new(quantity),
            increments: [settings.snap.increments, settings.snap.while_held],
            driven: None,
            precision: Precision::new(modifiers.precise),
            last_value: DVec3::ZERO,
            has_left: false,
            was_click: false,
            cursor_px: press_px,
            snapped: None,
            snap_sources: Vec::new(),
            solved,
            rest: solved,
        })
    }

    /// Returns why a handle along these axes cannot be used with the targets of the press, or `None` if it
    /// can.
    pub(super) fn disabled_reason(
        &self,
        handle: HandleId,
        orientation: Orientation,
    ) -> Option<DisabledReason> {
        let Press { starts, settings, placement, view, .. } = &self.press;
        let placement = Placement { axes: self.press.reference_frame(orientation), ..*placement };
        let placed = PlacedHandle { handle, rotation: own_rotation(&self.placed, handle), ..self.placed };
        let settings = Settings { orientation, ..*settings };
        let reasons =
            disabled_reasons(starts.targets(), &settings, &placement, view, std::iter::once(placed));
        reasons[handle.index()]
    }

    /// Replaces the grab: same pressed point, but another handle or other axes.
    pub(super) fn constrain(&mut self, handle: HandleId, orientation: Orientation) {
        let (last_precision, last_path) = (self.precision, self.gesture.path());
        // Nudges stay on top of what the pointer gives.
        let (last, nudges) =
            if last_path.is_grabbed() { (self.solved, self.typed.nudges()) } else { (self.rest, [0.0; 2]) };
        let [a, b] = last_path.axes();
        let nudged_world = a * nudges[0] + b * nudges[1];
        let offset = self.gesture.precision_offset_world(last_precision.precision_offset());
        self.handle = handle;
        (self.axes, self.gesture) = grabbed(&mut self.press, &self.placed, handle, orientation);
        self.precision = Precision::new(last_precision.is_precise);
        self.last_value = DVec3::ZERO;
        self.solved = self.gesture.steps().identity();
        let path = self.gesture.path();
        // A precise drag stays precise, and continues from where the precision changed.
        let changed_at = last_precision.changed_at.filter(|_| self.has_left);
        let at_change = changed_at.and_then(|(cursor_px, view)| path.value(&view, cursor_px));
        if let Some(hit) = at_change {
            self.precision =
                last_precision.carried(hit.value, self.gesture.precision_offset_from_world(offset));
            self.last_value = hit.value;
        }
        // If the new handle is seen end-on, the motion becomes the component of the last one that the new
        // constraint allows.
        if let (false, Some(_), Change::Translate(by)) =
            (path.is_grabbed(), self.press.cursor_px, last.motion.change)
        {
            let numbers = path.axes().map(|axis| axis.dot(by - nudged_world));
            let solved = self.gesture.steps().solve_numbers(&self.press, Modifiers::default(), numbers);
            self.take(solved);
        }
        self.rest = self.solved;
    }

    /// Continues without the pointer: the drag starts over, with keys alone.
    pub(crate) fn continue_by_keys(&mut self) {
        (self.press.cursor_px, self.cursor_px, self.has_left) = (None, None, false);
        self.precision = Precision::new(self.precision.is_precise);
        self.chosen_by = None;
        self.constrain(self.placed.handle, self.press.settings.orientation);
    }
}

/// Returns the rotation from the axes of the reference frame to those of a handle.
fn own_rotation(placed: &PlacedHandle, handle: HandleId) -> DMat3 {
    if handle == placed.handle { placed.rotation } else { DMat3::IDENTITY }
}

/// Returns the axes of a handle, as columns, and the gesture that grabs it at the pressed point.
fn grabbed(
    press: &mut Press,
    placed: &PlacedHandle,
    handle: HandleId,
    orientation: Orientation,
) -> (DMat3, Gesture) {
    let constraint = handle.constraint();
    let rotation = own_rotation(placed, handle);
    let axes = match (constraint.change_kind(), constraint.axis()) {
        (ChangeKind::Scale, _) => press.placement.scale_axes,
        (_, None) => press.view.axes(),
        (_, Some(_)) => press.reference_frame(orientation) * rotation,
    };
    let has_own = match constraint.change_kind() {
        ChangeKind::Translate | ChangeKind::Scale => press.settings.axes == Axes::Own,
        ChangeKind::Rotate => press.settings.pivot == Pivot::Individual,
    };
    let view = press.view;
    match (constraint.change_kind(), constraint.axis()) {
        (ChangeKind::Scale, _) if has_own => {
            press.starts.set_own_frames(&axes, |target, parent| local_axes(target, Some(parent)));
        }
        (_, Some(_)) if has_own => press
            .starts
            .set_own_frames(&axes, |target, parent| orientation.axes(&view, target, Some(parent)) * rotation),
        // Axes that the view defines are shared by all targets.
        _ => press.starts.share_frame(),
    }
    let gesture = Gesture::new(constraint, press, &axes, orientation, handle != placed.handle);
    (axes, gesture)
}
