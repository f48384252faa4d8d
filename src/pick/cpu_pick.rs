use super::cursor::Cursor;
use super::hull::closest_of_segment;
use super::part_hit::{corners, depth_of, in_part, mesh_hit};
use super::query::PickQuery;
use super::rule::CandidateKey;
use super::silhouette::{Lens, Near};
use crate::draw::{DrawList, GizmoSpan, Item};
use crate::handle::{HandleMesh, MeshData, MeshKind, Priority};
use glam::{DVec2, DVec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;

impl DrawList {
    /// The handle under the cursor, worked out on the CPU: same rule as the ID image's, with
    /// distances to the shapes instead of to their texels. Knows handles only, no scene.
    pub fn pick(&self, cursor_px: DVec2, radius_px: f64) -> Option<NonZeroU32> {
        let view = self.view().filter(|_| !self.has_mixed_ids())?;
        if !view.viewport().contains(cursor_px) {
            return None;
        }
        // One that is no number reaches nothing.
        let radius_px = radius_px.max(0.0);
        let center_px = cursor_px.floor() + 0.5;
        let radius_px = radius_px.min(PickQuery::MAX_RADIUS_PX);
        let ray = view.pointer_ray(center_px);
        let cursor = Cursor::new(self, view, &ray, center_px, radius_px);
        let all =
            || self.gizmos().enumerate().map(|(place, (span, items))| ((span.depth, place), span, items));
        let (exact, best) = cursor.nearest(all());
        let is_ball = |hit: &Hit<'_>| hit.item.priority == Priority::Trackball;
        let Some(hit) = exact else { return best.map(|(id, _)| id) };
        // A tolerance of less than a pixel reaches no other: what the ball hides there is not seen.
        if !is_ball(&hit) || radius_px < 1.0 {
            return Some(hit.id);
        }
        // The ball yields to what is near, but not to what a nearer gizmo's ball hides.
        let hidden = |gizmo: &GizmoPlace| before(hit.gizmo, *gizmo).is_lt();
        let best = match best {
            Some((_, gizmo)) if hidden(&gizmo) => {
                cursor.nearest(all().filter(|(gizmo, ..)| !hidden(gizmo))).1
            }
            best => best,
        };
        Some(best.map_or(hit.id, |(id, _)| id))
    }
}

/// Depth of a gizmo's pivot along the view, and its place in the list.
type GizmoPlace = (f64, usize);

/// What the cursor's ray meets.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    gizmo: GizmoPlace,
    /// Behind all else of its gizmo.
    is_behind: bool,
    /// Along the ray.
    depth: f64,
    item: &'a Item,
    id: NonZeroU32,
}

/// A nearer gizmo is in front of a farther one, wholly, and the first of two that are as far.
fn before(a: GizmoPlace, b: GizmoPlace) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

impl Hit<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        before(self.gizmo, other.gizmo)
            .then(self.is_behind.cmp(&other.is_behind))
            .then(self.depth.total_cmp(&other.depth))
    }
}

impl Cursor<'_> {
    /// What is met, and the best of what is within the radius with its gizmo.
    fn nearest<'a>(
        &self,
        gizmos: impl Iterator<Item = (GizmoPlace, &'a GizmoSpan, &'a [Item])>,
    ) -> (Option<Hit<'a>>, Option<(NonZeroU32, GizmoPlace)>) {
        let mut exact: Option<Hit<'_>> = None;
        let mut best: Option<(CandidateKey, GizmoPlace)> = None;
        for (gizmo, span, items) in gizmos {
            for item in items {
                let Some(id) = item.id else { continue };
                let lens = Lens::new(self, item);
                if !lens.may_reach() {
                    continue;
                }
                let own = self.list.custom_mesh(item.mesh).map(HandleMesh::data);
                let (near, hit) = match own {
                    Some(own) => self.custom(item, own),
                    None => lens.look(),
                };
                if let Some(depth) = hit {
                    let is_behind = span.is_ball_behind && item.mesh == MeshKind::Ball;
                    let hit = Hit { gizmo, is_behind, depth, item, id };
                    if exact.as_ref().is_none_or(|nearest| hit.cmp(nearest).is_lt()) {
                        exact = Some(hit);
                    }
                }
                let Some(near) = near else { continue };
                if item.priority == Priority::Trackball || near.distance_px > self.radius_px {
                    continue;
                }
                let key = CandidateKey {
                    beyond_half: near.distance_px > 0.5 * self.radius_px,
                    priority: item.priority,
                    distance_squared: near.distance_px * near.distance_px,
                    depth: near.depth,
                    id,
                };
                if best.as_ref().is_none_or(|(least, _)| key.cmp(least).is_lt()) {
                    best = Some((key, gizmo));
                }
            }
        }
        (exact, best.map(|(key, gizmo)| (key.id, gizmo)))
    }

    /// How near the cursor is to a handle of the host's own, and where the ray meets it.
    fn custom(&self, item: &Item, own: &MeshData) -> (Option<Near>, Option<f64>) {
        let nothing = (None, None);
        let part = &item.world_from_part;
        let across = [part.matrix3.x_axis, part.matrix3.y_axis, part.matrix3.z_axis];
        let scale = across.into_iter().map(DVec3::length).fold(0.0, f64::max);
        let radius = (own.bounds.radius + f64::from(item.instance.thickness) * own.thick) * scale;
        let center = part.transform_point3(own.bounds.center);
        // The ball round it, seen from its nearest point, which is where a pixel is smallest.
        let nearest = center - self.view.forward() * radius;
        let pixel = self.view.pixel_size(nearest);
        let passes = (center - self.ray.origin).reject_from_normalized(self.ray.direction).length();
        // Beside the ray the tolerance is a cone; twice as much is room for its slant.
        let tolerance = 2.0 * self.radius_px * self.view.pixel_size(center).max(pixel);
        if pixel > 0.0 && passes > radius + tolerance {
            return nothing;
        }
        let thickness = item.instance.thickness;
        let hit = mesh_hit(&own.mesh, thickness, &in_part(item, self.ray));
        if let Some(depth) = hit {
            return (Some(Near { distance_px: 0.0, depth, is_cut: false }), hit);
        }
        let mut best: Option<(f64, DVec3)> = None;
        for triangle in corners(&own.mesh, thickness) {
            let world = triangle.map(|corner| part.transform_point3(corner));
            let [Some(a), Some(b), Some(c)] = world.map(|corner| self.view.px_from_world(corner)) else {
                continue;
            };
            let distance = distance_to_triangle(self.px, [a, b, c]);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, (world[0] + world[1] + world[2]) / 3.0));
            }
        }
        let near = |(distance_px, point): (f64, DVec3)| Near {
            distance_px,
            depth: depth_of(self.view, self.ray, point),
            is_cut: false,
        };
        (best.map(near), None)
    }
}

/// Distance from a point to a triangle, 0 inside.
fn distance_to_triangle(p: DVec2, [a, b, c]: [DVec2; 3]) -> f64 {
    let edges = [(a, b), (b, c), (c, a)];
    let side = |(from, to): (DVec2, DVec2)| (to - from).perp_dot(p - from);
    let sides = edges.map(side);
    if sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0) {
        return 0.0;
    }
    let to_edge = |(from, to): (DVec2, DVec2)| closest_of_segment(from - p, to - p).1.length();
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::silhouette::circle;
    use super::*;
    use crate::draw::PartInstance;
    use crate::math::{View, Viewport};
    use glam::{DAffine3, DQuat, dcamera::rh};

    fn views() -> [View; 4] {
        let viewport = Viewport { x: 20.0, y: -30.0, width: 800.0, height: 600.0 };
        let look = |eye: DVec3| rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let wide = rh::proj::directx::perspective(2.0, 4.0 / 3.0, 0.01, 100.0);
        let off_axis = rh::proj::directx::frustum(-0.02, 0.1, -0.01, 0.06, 0.1, 50.0);
        let parallel = rh::proj::directx::orthographic(-4.0, 4.0, -2.0, 2.0, 0.1, 100.0);
        let of = |eye, projection| View::new(look(eye), projection, viewport, 1.5).expect("usable");
        let at = DVec3::new(1.0, 1.5, 4.0);
        // The last is in among the parts.
        [of(at, wide), of(at, off_axis), of(at, parallel), of(0.3 * at, wide)]
    }

    /// A mesh somewhere about the origin, of any size and thickness.
    fn part(mesh: MeshKind, rng: &mut fastrand::Rng) -> Item {
        let mut number = |low: f64, high: f64| low + (high - low) * rng.f64();
        let mut vector = || DVec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
        let (axis, at, turn, sizes) = (vector(), vector(), vector(), vector());
        let rotation = DQuat::from_axis_angle(axis.normalize_or(DVec3::X), 3.0 * turn.x);
        let size = 0.02 + 0.6 * sizes.x.abs();
        let scale = if mesh == MeshKind::Stem { DVec3::new(size, 0.5, 0.5) } else { DVec3::splat(size) };
        let instance = PartInstance {
            clip_from_part: [[0.0; 4]; 4],
            view_depth_from_part: [0.0; 4],
            to_eye_part: [0.0, 0.6, 0.8, if turn.y > 0.0 { 1.0 } else { 0.0 }],
            color: [1.0; 4],
            thickness: 0.1 * sizes.y.abs() as f32,
            far_thickness: 0.0,
            far_opacity: 1.0,
            id: 1,
        };
        Item {
            instance,
            mesh,
            world_from_part: DAffine3::from_scale_rotation_translation(scale, rotation, at),
            id: NonZeroU32::new(1),
            priority: Priority::Axis,
            translucent: false,
        }
    }

    #[test]
    fn what_is_left_out_before_it_is_looked_at_is_out_of_reach_and_a_ring_in_pieces_is_the_ring() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut out, mut within) = (0, 0);
        for view in views() {
            let list = DrawList::new();
            for round in 0..20_000 {
                let item = part(MeshKind::ALL[round % MeshKind::ALL.len()], &mut rng);
                // Some near the part, some anywhere.
                let v = view.viewport();
                let about = view.px_from_world(item.world_from_part.translation);
                let about = about.filter(|px| round % 3 > 0 && v.contains(*px));
                let [across, down] = [rng.f64(), rng.f64()];
                let anywhere = DVec2::new(v.x + v.width * across, v.y + v.height * down);
                let px = about.map_or(anywhere, |px| px + DVec2::new(across - 0.5, down - 0.5) * 90.0);
                let ray = view.pointer_ray(px);
                let radius_px = [0.0, 5.0, 33.0][rng.usize(..3)];
                let cursor = Cursor::new(&list, &view, &ray, px, radius_px);
                let lens = Lens::new(&cursor, &item);
                let whole = match item.mesh {
                    MeshKind::Ring => lens.nearest_of_circle(circle().iter().copied(), None),
                    _ => lens.look().0,
                };
                let reached = whole.filter(|near| near.distance_px <= radius_px);
                if !lens.may_reach() {
                    out += 1;
                    assert!(reached.is_none(), "{item:?} {px} {whole:?}");
                    assert!(lens.look().1.is_none(), "{item:?} {px}");
                } else if let (MeshKind::Ring, Some(near)) = (item.mesh, reached) {
                    within += 1;
                    let pieces = lens.ring().expect("as near");
                    assert_eq!((pieces.distance_px, pieces.depth), (near.distance_px, near.depth));
                }
            }
        }
        assert!(out > 10_000 && within > 500, "{out} {within}");
    }
}
