//! Predicates for lines and planes that are seen end-on, where a cursor does not determine a point.

use crate::math::View;
use glam::DVec3;

/// The threshold below which the cosine or sine of an angle to the ray counts as zero. It is also the
/// threshold of the distance from the eye, in units of the view's height at the point. Below it, a point
/// computed from a cursor would be mostly rounding error.
pub(crate) const END_ON: f64 = 1e-6;

/// Returns true if the plane through `point_world` with unit `normal` is a line on screen: it
/// contains the eye, or in a parallel view the direction of the rays.
pub(crate) fn is_plane_end_on(view: &View, point_world: DVec3, normal: DVec3) -> bool {
    match view.eye() {
        Some(eye) => (eye - point_world).dot(normal).abs() <= END_ON * visible_height(view, point_world),
        None => view.direction_to(point_world).dot(normal).abs() < END_ON,
    }
}

/// Returns true if the line through `point_world` along unit `direction` is a point on screen.
pub(crate) fn is_line_end_on(view: &View, point_world: DVec3, direction: DVec3) -> bool {
    match view.eye() {
        Some(eye) => {
            (eye - point_world).cross(direction).length() <= END_ON * visible_height(view, point_world)
        }
        None => view.direction_to(point_world).cross(direction).length() < END_ON,
    }
}

/// Returns the world length that the view shows from top to bottom at a point.
pub(crate) fn visible_height(view: &View, point_world: DVec3) -> f64 {
    view.pixel_size(point_world).abs() * view.viewport().height
}
