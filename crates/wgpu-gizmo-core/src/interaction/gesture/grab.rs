//! Lines and planes through the pivot, and the points of them that a press grabs.

use crate::handle::Axis;
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::lines::{AxisLine, DragPlane};
use crate::interaction::placement::end_on::is_plane_end_on;
use crate::interaction::settings::Solver;
use glam::{DMat3, DVec3};

/// Returns the line through the pivot along an axis.
pub(super) fn axis_line(press: &Press, axes: &DMat3, axis: Axis, solver: Solver) -> AxisLine {
    let [b, c] = axis.others().map(|other| axes.col(other.index()));
    let pivot_world = press.placement.pivot_world;
    let plane_normal = match press.cursor_px {
        None => b,
        Some(press_px) => {
            let ray = press.view.pointer_ray(press_px);
            // If a plane contains the eye, rays intersect it only at the eye, even if it faces this ray.
            let facing = |normal: DVec3| {
                let is_usable = !is_plane_end_on(&press.view, pivot_world, normal);
                (is_usable, normal.dot(ray.direction).abs())
            };
            if facing(b) >= facing(c) { b } else { c }
        }
    };
    AxisLine { pivot_world, direction: axes.col(axis.index()), solver: press.solver(solver), plane_normal }
}

/// Returns the plane through the pivot that has an axis as its normal.
pub(super) fn axis_plane(press: &Press, axes: &DMat3, normal: Axis) -> DragPlane {
    DragPlane {
        pivot_world: press.placement.pivot_world,
        axes: normal.others().map(|axis| axes.col(axis.index())),
        normal: axes.col(normal.index()),
    }
}

/// Returns the distance of the grabbed point along a line.
pub(super) fn grab_on_line(press: &Press, line: &AxisLine) -> Option<f64> {
    let along = line.along(&press.view, press.cursor_px?);
    line.within(&press.view, along, 0.0, press.visible_reach()).map(|hit| hit.value)
}

/// Returns the grabbed point of a plane, from the pivot.
pub(super) fn grab_in_plane(press: &Press, plane: &DragPlane) -> Option<DVec3> {
    let max_distance = press.visible_reach().max_distance;
    plane.point(&press.view, press.cursor_px?, DVec3::ZERO, max_distance).map(|hit| hit.value)
}
