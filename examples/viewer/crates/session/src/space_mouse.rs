//! 3D mice, such as a SpaceMouse: the deflection of the cap is a speed, at which the selection or the camera
//! moves until the cap is at rest again.
//!
//! The selection moves by one handle at a time (§20): the handle whose axis is nearest to the deflection at its
//! beginning. From then until rest it is one drag, so one undo step, with snapping, limits and locks as set. The
//! camera moves as if the cap were the scene, without roll.

mod reports;

pub use reports::{HidReader, MESSAGE_BYTES, Report, from_spacenavd};

use crate::session::Session;
use std::time::Duration;
use wgpu_gizmo_core::HandleId;
use wgpu_gizmo_core::glam::{DMat3, DVec2, DVec3};
use wgpu_gizmo_core::interaction::drive::Amount;

/// The part of the full deflection that counts as rest, because no cap returns to zero exactly.
const DEAD_ZONE: f64 = 0.04;
/// The part of the full deflection, after the dead zone, at which a drag begins. Below it, the direction of the
/// deflection is not known well enough to choose a handle.
const BEGIN: f64 = 0.05;
/// Speed of a translation at full deflection, in heights of the view per second.
const VIEW_HEIGHTS_PER_SECOND: f64 = 0.6;
/// Speed of a rotation at full deflection.
const RADIANS_PER_SECOND: f64 = 1.6;
/// Logarithm of the factor per second of a scale or a zoom, at full deflection.
const SCALES_PER_SECOND: f64 = 1.2;
/// The maximum time step. A longer frame moves no farther, so a slow frame causes no jump.
const MAX_STEP: Duration = Duration::from_millis(100);

/// The deflection of a cap as parts of the full deflection, along and about the axes of the view: right, up, and
/// toward the user.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Deflection {
    /// The deflection along the axes.
    pub translation: DVec3,
    /// The rotation about the axes, counterclockwise if the axis points at the observer.
    pub rotation: DVec3,
}

impl Deflection {
    /// The deflection of a cap that nobody touches.
    pub const REST: Self = Self { translation: DVec3::ZERO, rotation: DVec3::ZERO };

    /// Removes the dead zone. The response is quadratic, so that small motions are precise.
    fn shaped(self) -> Self {
        let shape = |part: f64| {
            let beyond = ((part.abs() - DEAD_ZONE) / (1.0 - DEAD_ZONE)).clamp(0.0, 1.0);
            part.signum() * beyond * beyond
        };
        let shape = |axes: DVec3| DVec3::new(shape(axes.x), shape(axes.y), shape(axes.z));
        Self { translation: shape(self.translation), rotation: shape(self.rotation) }
    }

    fn largest(self) -> f64 {
        self.translation.abs().max_element().max(self.rotation.abs().max_element())
    }
}

/// Whether a 3D mouse moves the selection or the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Moves {
    /// The selection; the camera if nothing can be moved.
    #[default]
    Selection,
    /// The camera.
    Camera,
}

/// A drag by a 3D mouse, as one amount of a handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// The handle.
    pub handle: HandleId,
    /// The total so far: world units, radians, or a factor.
    pub total: f64,
}

impl Drive {
    /// Returns the total as the amount of [`EventKind::Drive`](crate::replay_file::EventKind::Drive).
    pub fn amount(&self) -> Amount {
        self.total.into()
    }
}

/// The use of a stroke: all motion since the cap left its rest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Stroke {
    /// Nothing: the cap is at rest, or its direction is not known yet.
    #[default]
    None,
    /// The camera.
    Camera,
    /// The selection.
    Drive(Drive),
    /// Nothing until the cap is at rest: the drag was canceled, or could not begin.
    Over,
}

/// The state of a 3D mouse.
#[derive(Debug, Default)]
pub struct SpaceMouse {
    /// The deflection without the dead zone.
    deflection: Deflection,
    stroke: Stroke,
}

impl SpaceMouse {
    /// Sets the deflection of the cap.
    pub fn set(&mut self, deflection: Deflection) {
        self.deflection = deflection.shaped();
    }

    /// Returns true if the cap is deflected, or has a drag to end.
    pub fn is_active(&self) -> bool {
        self.deflection != Deflection::REST || self.stroke != Stroke::None
    }

    /// Returns true while the cap drags the selection.
    pub fn is_driving(&self) -> bool {
        matches!(self.stroke, Stroke::Drive(_))
    }
}

impl Session {
    /// Moves the selection or the camera by a 3D mouse for the elapsed time. Returns the drag that has ended, if
    /// one has.
    pub fn move_by_space_mouse(
        &mut self,
        mouse: &mut SpaceMouse,
        moves: Moves,
        elapsed: Duration,
    ) -> Option<Drive> {
        let seconds = elapsed.min(MAX_STEP).as_secs_f64();
        let deflection = mouse.deflection;
        if deflection == Deflection::REST {
            return self.end_space_mouse_drive(mouse);
        }
        if mouse.stroke == Stroke::None && deflection.largest() > BEGIN {
            mouse.stroke = self.begin_stroke(deflection, moves);
        }
        match &mut mouse.stroke {
            Stroke::Camera => self.move_camera(deflection, seconds),
            Stroke::Drive(drive) => {
                let by = self.amount_of(drive.handle, deflection, seconds);
                if !self.editor.drive_by(by) {
                    mouse.stroke = Stroke::Over;
                } else if is_scale(drive.handle) {
                    drive.total *= by;
                } else {
                    drive.total += by;
                }
            }
            Stroke::None | Stroke::Over => {}
        }
        None
    }

    /// Ends the drag of a 3D mouse and returns it. The cap moves nothing more until it was at rest, except if it
    /// is at rest now.
    pub fn end_space_mouse_drive(&mut self, mouse: &mut SpaceMouse) -> Option<Drive> {
        let is_at_rest = mouse.deflection == Deflection::REST;
        let after = if is_at_rest { Stroke::None } else { Stroke::Over };
        match std::mem::replace(&mut mouse.stroke, after) {
            Stroke::Drive(drive) => self.editor.end_drive().then_some(drive),
            _ => None,
        }
    }

    /// Cancels the drag of a 3D mouse.
    pub fn cancel_space_mouse_drive(&mut self, mouse: &mut SpaceMouse) {
        if mouse.is_driving() {
            self.editor.cancel();
            mouse.stroke = Stroke::Over;
        }
    }

    fn begin_stroke(&mut self, deflection: Deflection, moves: Moves) -> Stroke {
        let is_free = moves == Moves::Selection && !self.editor.is_busy() && !self.editor.moved().is_empty();
        let Some(handle) = is_free.then(|| self.handle_toward(deflection)).flatten() else {
            return Stroke::Camera;
        };
        match self.editor.begin_drive(handle, self.views.current()) {
            true => Stroke::Drive(Drive { handle, total: if is_scale(handle) { 1.0 } else { 0.0 } }),
            false => Stroke::Over,
        }
    }

    /// Returns the handle of the current mode whose motion is nearest to a deflection. It need not be visible.
    fn handle_toward(&self, deflection: Deflection) -> Option<HandleId> {
        let shown = self.editor.gizmo().settings.mode.handles();
        let driven = ["x", "y", "z"].into_iter().flat_map(|axis| {
            ["translate", "rotate"].map(|kind| HandleId::from_name(&format!("{kind}_{axis}")))
        });
        let driven = driven.chain([HandleId::from_name("scale_uniform")]).flatten();
        let speeds = driven
            .filter(|handle| shown.contains(*handle))
            .map(|handle| (handle, self.speed_of(handle, deflection).abs()))
            .filter(|(_, speed)| *speed > 0.0);
        speeds.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(handle, _)| handle)
    }

    /// Returns the part of a deflection along or about the axis of a handle.
    fn speed_of(&self, handle: HandleId, Deflection { translation, rotation }: Deflection) -> f64 {
        if is_scale(handle) {
            return (translation.y + translation.z).clamp(-1.0, 1.0);
        }
        let view = self.views.current();
        let world_from_view = DMat3::from_cols(view.right(), view.up(), -view.forward());
        let axes = self.editor.gizmo().pivot_place().map(|place| DMat3::from_quat(place.rotation));
        let axis = match (axes, handle.name().as_bytes().last()) {
            (Some(axes), Some(b'x')) => axes.x_axis,
            (Some(axes), Some(b'y')) => axes.y_axis,
            (Some(axes), Some(b'z')) => axes.z_axis,
            _ => return 0.0,
        };
        let deflected = if handle.constraint().rotates() { rotation } else { translation };
        axis.dot(world_from_view * deflected)
    }

    /// Returns the amount of a handle for a deflection that lasts some time.
    fn amount_of(&self, handle: HandleId, deflection: Deflection, seconds: f64) -> f64 {
        let speed = self.speed_of(handle, deflection) * seconds;
        if is_scale(handle) {
            return (speed * SCALES_PER_SECOND).exp();
        }
        if handle.constraint().rotates() {
            return speed * RADIANS_PER_SECOND;
        }
        let view = self.views.current();
        let at = self.editor.gizmo().pivot_place().map_or(DVec3::ZERO, |place| place.translation);
        let height = view.pixel_size(at) * view.viewport().height;
        let amount = speed * VIEW_HEIGHTS_PER_SECOND * height;
        if amount.is_finite() { amount } else { 0.0 }
    }

    /// Moves the camera so that the scene follows the cap. Roll is ignored: the horizon stays level.
    fn move_camera(&mut self, Deflection { translation, rotation }: Deflection, seconds: f64) {
        let (cameras, views) = (&mut self.cameras, &self.views);
        let by_px = DVec2::new(translation.x, -translation.y) * views.current().viewport().height;
        cameras.drag(views, by_px * VIEW_HEIGHTS_PER_SECOND * seconds, true);
        cameras.magnify(views, (translation.z * SCALES_PER_SECOND * seconds).exp());
        let turn = rotation * RADIANS_PER_SECOND * seconds;
        cameras.orbit_by(views, [-turn.y, turn.x]);
    }
}

fn is_scale(handle: HandleId) -> bool {
    handle.name().starts_with("scale")
}

#[cfg(test)]
mod tests;
