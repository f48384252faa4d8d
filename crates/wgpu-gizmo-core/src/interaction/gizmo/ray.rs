//! A ray as the pointer, such as that of a headset's controller or of a hand.

use crate::interaction::drag::Drag;
use crate::interaction::drag::press::PressPoint;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::input::{InputEvent, PointerRay};
use crate::interaction::gizmo::machine::{By, PendingPress, Phase};
use crate::interaction::placement::Placement;
use crate::math::{Ray, View};
use crate::pick::{PickHit, PickOutcome};
use glam::DVec3;
use std::num::NonZeroU32;

/// The maximum tolerance of a ray, in radians. With a larger one, a ray would hit handles that it does not
/// point at.
const MAX_TOLERANCE: f64 = 0.5;

impl PointerRay {
    /// Returns the view from the origin of the ray, and the point of a press there, for a gizmo in a view.
    pub(super) fn press_point(&self, view: &View, pivot_world: DVec3) -> Option<(View, PressPoint)> {
        let seen = view.seen_from(&self.ray, pivot_world)?;
        let cursor_px = seen.px_of_ray(&self.ray)?;
        Some((seen, PressPoint { cursor_px, seen_in: Some(*view) }))
    }

    /// Returns true if the ray has left the pressed point of a drag: its point at the distance of the pivot has moved by
    /// more than the distance of a click, or by more than the tolerance.
    pub(super) fn has_strayed(&self, drag: &Drag) -> bool {
        let (Some(press_px), view) = drag.press() else { return false };
        let pressed = view.pointer_ray(press_px);
        let distance = pressed.origin.distance(drag.pivot_world());
        let click = Gizmo::CLICK_RADIUS_LPX * view.scale_factor() * view.pixel_size(drag.pivot_world());
        let still = click.max(distance * self.tolerance.tan());
        self.ray.at(distance).distance(pressed.at(distance)) >= still
    }
}

impl Gizmo {
    /// Moves the pointer to a ray in world space, such as that of the controller of a headset.
    ///
    /// It replaces [`Gizmo::pointer_moved`], and [`Gizmo::pointer_pressed`], [`Gizmo::pointer_released`] and
    /// [`Gizmo::pointer_left`] work as for a pixel. A handle is hit if the angle between it and the ray, at
    /// the origin of the ray, is at most `tolerance_radians`, with the priorities of a pick. The handles have
    /// the size and the visibility that they have in the view of [`Gizmo::update`], except that rings are hit
    /// on the half toward the origin of the ray. The update itself picks handles, so there are no queries.
    /// The host must pick its own objects. Drags along an axis use
    /// [`Solver::ClosestPoint`](crate::interaction::Solver::ClosestPoint). Translations use
    /// [`Solver::MovementPlane`](crate::interaction::Solver::MovementPlane) instead, if it is set.
    ///
    /// The direction need not have unit length. A ray that is not finite or has no direction is ignored, and
    /// an angle that is not a number counts as 0.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh};
    /// use wgpu_gizmo_core::math::Ray;
    /// use wgpu_gizmo_core::{Gizmo, IdSpace, Target, Transform, View, Viewport};
    ///
    /// let eye = rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y);
    /// let lens = rh::proj::directx::perspective(1.0, 1.0, 0.1, 100.0);
    /// let view = View::new(eye, lens, Viewport::from_size(600, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut targets = [Target::from_world(Transform::IDENTITY)];
    /// // A hand below the eye points at the X arrow, then half a unit farther along it.
    /// let hand = DVec3::new(0.5, -1.0, 4.0);
    /// let at = |x: f64| Ray { origin: hand, direction: DVec3::X * x - hand, start: 0.0 };
    /// gizmo.pointer_ray(at(0.5), 0.02);
    /// gizmo.pointer_pressed();
    /// gizmo.pointer_ray(at(1.0), 0.02);
    /// gizmo.update(&view, &mut targets);
    /// assert!((targets[0].local.translation - DVec3::X * 0.5).length() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pointer_ray(&mut self, ray: Ray, tolerance_radians: f64) {
        let direction = ray.direction.try_normalize();
        let Some(direction) = direction.filter(|_| ray.origin.is_finite() && !ray.start.is_nan()) else {
            return;
        };
        let tolerance = if tolerance_radians > 0.0 { tolerance_radians.min(MAX_TOLERANCE) } else { 0.0 };
        self.input.push(InputEvent::Aimed(PointerRay { ray: Ray { direction, ..ray }, tolerance }));
    }

    /// Presses the handle that a ray hits. The press has its answer at once.
    pub(super) fn press_by_ray(&mut self, view: &View, pointer: &PointerRay) {
        let found = self.pick_by_ray(view, pointer);
        let pressed = found.and_then(|id| Some((id, pointer.press_point(view, self.pivot_of(id)?)?)));
        self.phase = match pressed {
            Some((id, (view, PressPoint { cursor_px, seen_in }))) => {
                let hit = PickHit::at(id, cursor_px);
                let press = PendingPress::new(cursor_px, view, Some(PickOutcome::Hit(hit)));
                Phase::Pressed(Box::new(PendingPress { seen_in, ..press }))
            }
            None => {
                self.owns_click = false;
                Phase::PressedElsewhere { click: None }
            }
        };
    }

    /// Hovers the handle that the ray hits, if the pointer is a ray and drags nothing.
    pub(super) fn hover_by_ray(&mut self, view: &View) {
        let Some(pointer) = self.input.ray() else { return };
        let is_free = matches!(self.phase, Phase::Idle | Phase::PressedElsewhere { .. });
        if !is_free && !matches!(self.phase, Phase::Dragging(_, By::Wheel { .. })) {
            return;
        }
        let found = self.pick_by_ray(view, &pointer);
        self.hover_found(found);
        // A pointer that returns to the pixel of the last query asks again.
        self.hover.invalidate();
    }

    /// Returns the pivot of the gizmo that an id belongs to.
    fn pivot_of(&self, id: NonZeroU32) -> Option<DVec3> {
        self.placements.of(self.target_of(id)).map(|placement| placement.pivot_world)
    }

    /// Returns the id of the handle that a ray hits: exactly, or else within the tolerance. A nearer gizmo
    /// hides those behind it.
    pub(super) fn pick_by_ray(&mut self, view: &View, pointer: &PointerRay) -> Option<NonZeroU32> {
        let exact = PointerRay { tolerance: 0.0, ..*pointer };
        let mut best: Option<(bool, f64, NonZeroU32)> = None;
        for index in 0..self.placements.shown().len() {
            let (copy, Placement { pivot_world, .. }) = self.placements.shown()[index];
            let Some(id) = self.pick_one_by_ray(view, pointer, pivot_world, copy) else { continue };
            let is_near = self.pick_one_by_ray(view, &exact, pivot_world, copy).is_none();
            let distance = pointer.ray.direction.dot(pivot_world - pointer.ray.origin);
            if best.is_none_or(|(best_is_near, nearest, _)| (is_near, distance) < (best_is_near, nearest)) {
                best = Some((is_near, distance, id));
            }
        }
        best.map(|(.., id)| id)
    }

    /// Returns the id of the handle that a ray hits in the gizmo at one pivot.
    fn pick_one_by_ray(
        &mut self,
        view: &View,
        pointer: &PointerRay,
        pivot_world: DVec3,
        copy: Option<usize>,
    ) -> Option<NonZeroU32> {
        let aimed = view.aimed_along(&pointer.ray, pivot_world)?;
        let cursor_px = aimed.px_of_ray(&pointer.ray)?;
        self.in_scratch_list(&aimed, |gizmo, list| {
            gizmo.append_for_ray(list, view, copy);
            list.pick(cursor_px, radius_px(&aimed, pointer))
        })
    }
}

/// Returns the tolerance in pixels of a view that looks along the ray. Parallel rays have no tolerance,
/// because an angle is not a distance between them.
fn radius_px(aimed: &View, pointer: &PointerRay) -> f64 {
    let ray = &pointer.ray;
    if aimed.is_orthographic() {
        return 0.0;
    }
    pointer.tolerance.tan() / aimed.pixel_size(ray.origin + ray.direction)
}
