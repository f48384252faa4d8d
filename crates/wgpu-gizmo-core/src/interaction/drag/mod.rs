//! One drag: a transaction from press to release.

mod begin;
pub(crate) mod guides;
pub(crate) mod numbers;
mod precision;
pub(crate) mod press;
mod readout;
mod solve;
mod typed;

use crate::draw::HandleStretch;
use crate::handle::{Axis, ChangeKind, HandleId, HandleSet};
use crate::interaction::drag::press::Press;
use crate::interaction::drag::typed::Typed;
use crate::interaction::gesture::{Gesture, Report, Snapped, Solved};
use crate::interaction::key::Key;
use crate::interaction::placement::{PlacedHandle, Placement};
use crate::interaction::settings::Snap;
use crate::interaction::targets::motion::{Change, Motion};
use crate::interaction::targets::target::Target;
use crate::math::{Ray, Transform, View};
use glam::{DMat3, DVec2, DVec3};
use precision::Precision;
use std::fmt::{self, Write};

/// One drag, from its press to the current cursor: a transaction.
///
/// [`Gizmo`](crate::interaction::Gizmo) drives it from pointer events and keys; it can be driven directly as well.
/// The motion is a function of the press, the cursor, the view, the modifiers and the typed numbers, and
/// never a sum of steps. A drag remembers only the number of whole turns, the point at which the precision
/// changed, and the last motion, which stays while a cursor has no solution.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
/// use wgpu_gizmo_core::handle::HandleId;
/// use wgpu_gizmo_core::interaction::Drag;
/// use wgpu_gizmo_core::{Settings, Snap, Target, Transform, View, Viewport};
///
/// let eye = rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y);
/// let lens = rh::proj::directx::perspective(1.0, 1.0, 0.1, 100.0);
/// let view = View::new(eye, lens, Viewport::from_size(600, 600), 1.0)?;
/// let mut targets = [Target::from_world(Transform::IDENTITY)];
/// let handle = HandleId::from_name("translate_x").expect("the handle is built in");
/// let press_px = DVec2::new(350.0, 300.0);
/// let settings = Settings::default();
/// let mut drag = Drag::begin(handle, &view, press_px, &targets, &settings, Snap::OFF)?;
/// drag.solve(&view, DVec2::new(400.0, 300.0), Snap::OFF);
/// drag.apply(&mut targets);
/// assert!(targets[0].local.translation.x > 0.0);
/// drag.restore(&mut targets);
/// assert_eq!(targets[0].local, Transform::IDENTITY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Drag {
    placed: PlacedHandle,
    press: Press,
    /// The pressed handle, or the one that a key chose.
    handle: HandleId,
    /// The axes of the constraint, as columns.
    axes: DMat3,
    gesture: Gesture,
    /// The key that chose the constraint, and how many times in a row it was pressed, from 1.
    chosen_by: Option<(Key, u8)>,
    typed: Typed,
    /// The increments of nudges while nothing snaps, which may have changed since the press.
    pub(crate) increments: [Snap; 2],
    /// The total amount, if the drag is driven by amounts.
    driven: Option<[f64; 2]>,
    precision: Precision,
    /// The last value of the cursor before precision, from which whole turns are counted.
    last_value: DVec3,
    /// Whether the cursor has left the pressed point.
    has_left: bool,
    /// Whether the button was released where it was pressed.
    was_click: bool,
    cursor_px: Option<DVec2>,
    /// The point that the pointer snaps to.
    pub(crate) snapped: Option<Snapped>,
    /// The points of the targets that may be moved to it, at their positions at the press; the pivot if there are
    /// none.
    pub(crate) snap_sources: Vec<DVec3>,
    solved: Solved,
    /// The result without nudges and typed numbers, to which a drag returns if the pointer cannot change it.
    rest: Solved,
}

impl Drag {
    /// Returns the handle that is dragged: the pressed one, or the one that a key chose.
    pub fn handle(&self) -> HandleId {
        self.handle
    }

    /// Returns the motion so far: the total since the press.
    pub fn motion(&self) -> Motion {
        self.solved.motion
    }

    /// Returns the numbers that the user controls, after precision, snapping and limits: world units
    /// along the handle's axes (two in a plane, in the order of its name), radians since the press
    /// including whole turns, or a factor. In the view plane they are right and up on screen.
    pub fn numbers(&self) -> &[f64] {
        &self.solved.numbers[..self.number_count()]
    }

    fn number_count(&self) -> usize {
        self.gesture.path().number_count()
    }

    /// Returns the typed text, or what nudges without a pointer have led to: world units, degrees or a factor;
    /// two numbers are separated by a semicolon.
    pub fn typed(&self) -> Option<&str> {
        self.typed.text()
    }

    /// Returns true if a drag that has ended was a click: with [`GrabMode::Hold`], the button was released where it was
    /// pressed, and nothing was typed meanwhile. A host may select what is behind the handle then, as after
    /// [`Event::ClickPassed`](crate::interaction::Event::ClickPassed).
    ///
    /// [`GrabMode::Hold`]: crate::interaction::settings::GrabMode::Hold
    pub fn was_click(&self) -> bool {
        self.was_click
    }

    pub(crate) fn set_click(&mut self, was_click: bool) {
        self.was_click = was_click;
    }

    /// Returns true while a number is typed, to which letters belong.
    pub(crate) fn is_typing(&self) -> bool {
        self.typed.is_begun()
    }

    /// Returns true if the typed text is not a number, so that it changes nothing.
    pub fn is_typed_refused(&self) -> bool {
        self.typed.is_refused()
    }

    /// Returns true if keys control the drag and the pointer is ignored: from the start, or while a number is
    /// typed.
    pub fn is_by_keyboard(&self) -> bool {
        self.press.cursor_px.is_none() || self.typed.numbers([0.0; 2], None).is_some()
    }

    /// Returns the pivot at the press, in world space.
    pub fn pivot_world(&self) -> DVec3 {
        self.press.placement.pivot_world
    }

    /// Returns the axes of the reference frame that the handle follows, as columns, in world space.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Returns the targets' local transforms at the press, bit for bit.
    pub fn starts(&self) -> impl ExactSizeIterator<Item = Transform> {
        self.press.starts.targets().iter().map(|start| start.local)
    }

    /// Returns the fraction of the wanted rotation that [`ShearPolicy`](crate::interaction::settings::ShearPolicy) leaves
    /// out: ‖P⁻¹RP·Q₀S − Q′S‖ / ‖S‖ in the Frobenius norm, the largest of all targets; 0 if the
    /// rotation is exact.
    pub fn residual(&self) -> f64 {
        self.press.starts.residual(&self.motion().change)
    }

    /// Returns the cursor that was solved last, in physical pixels; `None` without a pointer.
    pub fn cursor_px(&self) -> Option<DVec2> {
        self.cursor_px
    }

    /// Returns the direction of an axis of the active target at the press, in world space; `None` if it is locked.
    pub(crate) fn axis_of_active(&self, axis: Axis) -> Option<DVec3> {
        if self.press.settings.motion.locks.rotation {
            return None;
        }
        let (target, _) = self.press.starts.active();
        let local = target.local.unit_rotation() * DMat3::IDENTITY.col(axis.index());
        target.world_from_parent.transform_vector3(local).try_normalize()
    }

    /// Returns how many times the axes that targets follow instead of the shared ones have changed.
    pub(crate) fn frame_changes(&self) -> usize {
        self.press.starts.frame_changes()
    }

    /// Returns the cursor at the press, if there is one, and the view.
    pub(crate) fn press(&self) -> (Option<DVec2>, &View) {
        (self.press.cursor_px, &self.press.view)
    }

    /// Returns the view at the press, as the user saw it.
    pub(crate) fn seen_view(&self) -> &View {
        self.press.seen_in.as_ref().unwrap_or(&self.press.view)
    }

    /// Returns the view and the pixel at which a ray continues the drag of a ray; `None` if it points away
    /// from the handle.
    pub(crate) fn point_of_ray(&self, ray: &Ray) -> Option<(View, DVec2)> {
        let size = self.press.seen_in?.pixel_size(self.pivot_world());
        let (pressed, is_on_screen) = (self.press.view, self.gesture.path().is_on_screen());
        let (view, ahead) = (pressed.with_eye(ray.origin), pressed.px_of_ray(ray));
        // The pressed ray keeps its view, so that it restores the starts bit for bit.
        if view == pressed && (is_on_screen || ahead == self.press.cursor_px) {
            return ahead.map(|cursor_px| (view, cursor_px));
        }
        if !is_on_screen {
            // The handle, and the user, may have moved to where the pressed view does not look.
            let turned = view.turned_to(ray.direction);
            let view = turned.with_pixel_size(self.pivot_world(), size).unwrap_or(turned);
            return view.px_of_ray(ray).map(|cursor_px| (view, cursor_px));
        }
        // A hand that moves without turning keeps its pixel, but not the point that it points at.
        let hit = ray.plane_hit(self.pivot_world(), pressed.forward())?;
        pressed.px_from_world(hit).map(|cursor_px| (pressed, cursor_px))
    }

    /// Returns the grabbed point of the handle in world space, if it is one point: for handles that
    /// translate or scale along a line, or translate in a plane.
    pub fn press_point_world(&self) -> Option<DVec3> {
        self.gesture.path().press_point_world()
    }

    /// Returns the handles that were shown at the press.
    pub(crate) fn handles(&self) -> HandleSet {
        self.press.settings.handles() | self.handle.into()
    }

    /// Returns the index of the target whose gizmo was grabbed, if each target has one.
    pub(crate) fn copy(&self) -> Option<usize> {
        self.placed.copy
    }

    /// Returns the current placement of the gizmo: its pivot follows the targets, and its axes stay.
    pub(crate) fn placement(&self) -> Placement {
        let start = self.press.placement;
        let constraint = self.handle.constraint();
        // A key may have chosen other axes.
        let is_along_axis = constraint.axis().is_some() && constraint.change_kind() != ChangeKind::Scale;
        let axes = match self.handle.custom_index() {
            None if is_along_axis => self.axes,
            _ => start.axes,
        };
        Placement { pivot_world: start.pivot_world + self.displacement(), axes, ..start }
    }

    /// Returns the displacement of the pivot, which equals that of the motion unless a channel is locked.
    fn displacement(&self) -> DVec3 {
        match self.solved.motion.change {
            Change::Translate(by) | Change::Place { by, .. } => self.press.starts.displacement(by),
            _ => DVec3::ZERO,
        }
    }

    /// Returns how the dragged handle follows the pointer.
    pub(crate) fn handle_stretch(&self) -> HandleStretch {
        match &self.gesture {
            Gesture::Scale(scale) => scale.handle_stretch(self.solved.numbers[0]),
            _ => HandleStretch::NONE,
        }
    }

    /// Writes the readout: the typed text, or the motion with lengths rounded to this many digits.
    pub(crate) fn write_readout(&self, digits: usize, text: &mut String) -> fmt::Result {
        let Solved { motion, numbers } = self.solved;
        let (axes, displacement) = (self.axes, self.displacement());
        let report = Report { typed: self.typed(), numbers, displacement, axes, digits };
        let start = text.len();
        self.gesture.steps().write(&report, text)?;
        debug_assert!(text.len() > start, "every drag has a readout");
        if self.is_typed_refused() {
            write!(text, " (not a number)")?;
        } else if motion.clamped {
            write!(text, " (limit)")?;
        }
        Ok(())
    }

    /// Writes the moved targets: their starts, bit for bit, if the motion is the identity. Writes nothing
    /// if the list differs from that of the press, in length or in [keys](Target::key).
    pub fn apply(&self, targets: &mut [Target]) {
        self.press.starts.apply(&self.solved.motion.change, targets);
    }

    /// Returns true if a target differs from its start.
    pub(crate) fn has_changed(&self, targets: &[Target]) -> bool {
        self.press.starts.have_changed(targets)
    }

    /// Returns true if these are the targets of the press: the same number, with the same keys.
    pub(crate) fn is_of(&self, targets: &[Target]) -> bool {
        self.press.starts.are_of(targets)
    }

    /// Writes the starts back, bit for bit. If the list differs from that of the press, only the targets
    /// with the [key](Target::key) of a target of the press get their starts.
    pub fn restore(&self, targets: &mut [Target]) {
        self.press.starts.restore(targets);
    }
}
