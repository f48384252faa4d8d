use super::cursor::Cursor;
use super::hull::closest_of_segment;
use super::part_hit::{depth_of, mesh_hit, ray_in_part, triangles};
use super::part_outline::{Nearest, PartOutline};
use super::query::PickQuery;
use super::rule::CandidateKey;
use crate::draw::{DrawList, GizmoSpan, Item};
use crate::handle::{HandleMesh, MeshData, MeshKind, Priority};
use glam::{DVec2, DVec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;

impl DrawList {
    /// Returns the id of the handle under the cursor, computed on the CPU.
    ///
    /// The rule is that of §14 of `docs/spec.md`, with distances to the drawn
    /// outlines instead of to texels. Only handles are picked, no objects.
    pub fn pick(&self, cursor_px: DVec2, radius_px: f64) -> Option<NonZeroU32> {
        let view = self.view().filter(|_| !self.has_mixed_ids())?;
        if !view.viewport().contains(cursor_px) {
            return None;
        }
        // NaN becomes 0.
        let radius_px = radius_px.max(0.0);
        let center_px = cursor_px.floor() + 0.5;
        let radius_px = radius_px.min(PickQuery::MAX_RADIUS_PX);
        let ray = view.pointer_ray(center_px);
        let cursor = Cursor::new(self, view, &ray, center_px, radius_px);
        let all =
            || self.gizmos().enumerate().map(|(index, (span, items))| ((span.depth, index), span, items));
        let (exact, best) = cursor.nearest(all());
        let is_ball = |hit: &Hit<'_>| hit.item.priority == Priority::Trackball;
        let Some(hit) = exact else { return best.map(|(id, _)| id) };
        // A tolerance below one pixel reaches no other texel, so what the trackball covers is not picked.
        if !is_ball(&hit) || radius_px < 1.0 {
            return Some(hit.id);
        }
        // The trackball yields to handles within the tolerance, unless its gizmo is nearer and hides them.
        let hidden = |gizmo: &GizmoOrder| front_to_back(hit.gizmo, *gizmo).is_lt();
        let best = match best {
            Some((_, gizmo)) if hidden(&gizmo) => {
                cursor.nearest(all().filter(|(gizmo, ..)| !hidden(gizmo))).1
            }
            best => best,
        };
        Some(best.map_or(hit.id, |(id, _)| id))
    }
}

/// The depth of a gizmo's pivot along the view, and the index of the gizmo in the list.
type GizmoOrder = (f64, usize);

/// An intersection of the cursor's ray with a handle.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    gizmo: GizmoOrder,
    /// The part is drawn behind all other parts of its gizmo.
    is_behind: bool,
    /// World units along the ray.
    depth: f64,
    item: &'a Item,
    id: NonZeroU32,
}

/// Orders gizmos front to back. A nearer gizmo hides a farther one completely; ties are resolved by index.
fn front_to_back(a: GizmoOrder, b: GizmoOrder) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

impl Hit<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        front_to_back(self.gizmo, other.gizmo)
            .then(self.is_behind.cmp(&other.is_behind))
            .then(self.depth.total_cmp(&other.depth))
    }
}

impl Cursor<'_> {
    /// Returns the nearest hit of the ray, and the best handle within the radius with its gizmo.
    fn nearest<'a>(
        &self,
        gizmos: impl Iterator<Item = (GizmoOrder, &'a GizmoSpan, &'a [Item])>,
    ) -> (Option<Hit<'a>>, Option<(NonZeroU32, GizmoOrder)>) {
        let mut exact: Option<Hit<'_>> = None;
        let mut best: Option<(CandidateKey, GizmoOrder)> = None;
        for (gizmo, span, items) in gizmos {
            for item in items {
                let Some(id) = item.id else { continue };
                let outline = PartOutline::new(self, item);
                if !outline.may_reach() {
                    continue;
                }
                let mesh = self.list.custom_mesh(item.mesh).map(HandleMesh::data);
                let (near, hit) = match mesh {
                    Some(mesh) => self.custom(item, mesh),
                    None => outline.measure(),
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
                if best.as_ref().is_none_or(|(best, _)| key.cmp(best).is_lt()) {
                    best = Some((key, gizmo));
                }
            }
        }
        (exact, best.map(|(key, gizmo)| (key.id, gizmo)))
    }

    /// Returns the distance from the cursor to a custom handle, and the depth at which the ray hits it.
    fn custom(&self, item: &Item, own: &MeshData) -> (Option<Nearest>, Option<f64>) {
        let nothing = (None, None);
        let part = &item.world_from_part;
        let across = [part.matrix3.x_axis, part.matrix3.y_axis, part.matrix3.z_axis];
        let scale = across.into_iter().map(DVec3::length).fold(0.0, f64::max);
        let radius = (own.bounds.radius + f64::from(item.instance.thickness) * own.thick) * scale;
        let center = part.transform_point3(own.bounds.center);
        // The bounding ball. A pixel is smallest at the point of the ball nearest to the viewer.
        let nearest = center - self.view.forward() * radius;
        let pixel = self.view.pixel_size(nearest);
        let miss_distance = (center - self.ray.origin).reject_from_normalized(self.ray.direction).length();
        // Around the ray the tolerance is a cone; the factor 2 allows for its slant.
        let tolerance = 2.0 * self.radius_px * self.view.pixel_size(center).max(pixel);
        if pixel > 0.0 && miss_distance > radius + tolerance {
            return nothing;
        }
        let thickness = item.instance.thickness;
        let hit = mesh_hit(&own.mesh, thickness, &ray_in_part(item, self.ray));
        if let Some(depth) = hit {
            return (Some(Nearest { distance_px: 0.0, depth, is_cut: false }), hit);
        }
        let mut best: Option<(f64, DVec3)> = None;
        for triangle in triangles(&own.mesh, thickness) {
            let world = triangle.map(|corner| part.transform_point3(corner));
            let [Some(a), Some(b), Some(c)] = world.map(|corner| self.view.px_from_world(corner)) else {
                continue;
            };
            let distance = distance_to_triangle(self.px, [a, b, c]);
            if best.is_none_or(|(closest, _)| distance < closest) {
                best = Some((distance, (world[0] + world[1] + world[2]) / 3.0));
            }
        }
        let near = |(distance_px, point): (f64, DVec3)| Nearest {
            distance_px,
            depth: depth_of(self.view, self.ray, point),
            is_cut: false,
        };
        (best.map(near), None)
    }
}

/// Returns the distance from a point to a triangle, 0 inside.
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
    use super::super::ring::circle;
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
        // The last camera stands among the parts.
        [of(at, wide), of(at, off_axis), of(at, parallel), of(0.3 * at, wide)]
    }

    /// Creates a part with a random transform near the origin and a random thickness.
    fn random_part(mesh: MeshKind, rng: &mut fastrand::Rng) -> Item {
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
    fn skipped_parts_are_out_of_reach_and_arcs_equal_ring() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut skipped, mut near_rings) = (0, 0);
        for view in views() {
            let list = DrawList::new();
            for round in 0..20_000 {
                let item = random_part(MeshKind::ALL[round % MeshKind::ALL.len()], &mut rng);
                // Two thirds of the cursors are near the part, if it is visible.
                let v = view.viewport();
                let about = view.px_from_world(item.world_from_part.translation);
                let about = about.filter(|px| round % 3 > 0 && v.contains(*px));
                let [across, down] = [rng.f64(), rng.f64()];
                let anywhere = DVec2::new(v.x + v.width * across, v.y + v.height * down);
                let px = about.map_or(anywhere, |px| px + DVec2::new(across - 0.5, down - 0.5) * 90.0);
                let ray = view.pointer_ray(px);
                let radius_px = [0.0, 5.0, 33.0][rng.usize(..3)];
                let cursor = Cursor::new(&list, &view, &ray, px, radius_px);
                let outline = PartOutline::new(&cursor, &item);
                let whole = match item.mesh {
                    MeshKind::Ring => outline.nearest_on_circle(circle().iter().copied(), None),
                    _ => outline.measure().0,
                };
                let reached = whole.filter(|near| near.distance_px <= radius_px);
                if !outline.may_reach() {
                    skipped += 1;
                    assert!(reached.is_none(), "{item:?} {px} {whole:?}");
                    assert!(outline.measure().1.is_none(), "{item:?} {px}");
                } else if let (MeshKind::Ring, Some(near)) = (item.mesh, reached) {
                    near_rings += 1;
                    let pieces = outline.ring(outline.arcs_within_reach()).expect("the ring is within reach");
                    assert_eq!((pieces.distance_px, pieces.depth), (near.distance_px, near.depth));
                }
            }
        }
        assert!(skipped > 10_000 && near_rings > 500, "{skipped} {near_rings}");
    }
}
