use crate::draw::guides::{self, GuidePainter};
use crate::interaction::gesture::chain::GuideContext;
use crate::interaction::gesture::lines::AxisLine;
use crate::interaction::settings::Solver;
use glam::DVec2;

/// Paints the construction lines of a solver: from the cursor to a point of the axis.
pub(super) fn construct_line(
    line: &AxisLine,
    solver: Solver,
    context: &GuideContext<'_>,
    cursor_px: DVec2,
    painter: &mut GuidePainter<'_>,
) {
    let ink = context.ink(context.theme.construction);
    let (start, direction) = (context.start, line.direction);
    let ray = context.view.pointer_ray(cursor_px);
    match solver {
        Solver::ClosestPoint => {
            // The points at which axis and ray are closest.
            let cosine = direction.dot(ray.direction);
            let to_origin = ray.origin - start;
            let (on_axis, on_ray) = (to_origin.dot(direction), to_origin.dot(ray.direction));
            let along = (on_axis - cosine * on_ray) / (1.0 - cosine * cosine);
            let reach = (cosine * on_axis - on_ray) / (1.0 - cosine * cosine);
            if along.is_finite() && reach > ray.start {
                guides::brought_together(painter, start + direction * along, ray.at(reach), ink);
            }
        }
        Solver::MovementPlane => {
            if let Some(hit) = ray.plane_hit(start, line.plane_normal) {
                let along = direction * (hit - start).dot(direction);
                guides::parallelogram(painter, start, [along, hit - start - along], ink.faded(0.6));
                guides::brought_together(painter, start + along, hit, ink);
            }
        }
        Solver::ScreenProjection => guides::foot_on_axis(painter, start, direction, cursor_px, ink),
    }
}
