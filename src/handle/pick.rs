use super::draw_list::{DrawList, Item};
use super::mesh::MeshKind;
use crate::math::{DepthDirection, Ray, View};
use glam::{DVec2, DVec3, Vec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;

/// How handles rank when several lie within the pick tolerance: the first wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Axis and centre handles.
    Axis,
    /// Rings about an axis.
    Ring,
    /// Squares.
    Square,
    /// The ring about the view.
    OuterRing,
    /// The ball: only where nothing else is near.
    Trackball,
}

/// One texel of the ID image with something in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texel {
    /// What is seen there.
    pub id: NonZeroU32,
    /// Its depth, as the view's projection writes it.
    pub depth: f32,
    /// Column of the target.
    pub x: i64,
    /// Row of the target, from the top.
    pub y: i64,
}

/// A square cut-out of the ID image round the texel under the cursor, with an odd side.
#[derive(Debug, Clone, Copy)]
pub struct PickTile<'a> {
    /// Row-major ids, 0 where there is nothing.
    pub ids: &'a [u32],
    /// Bits of the depths, likewise.
    pub depth_bits: &'a [u32],
    /// Texels from one row to the next; at least `side`.
    pub stride: usize,
    /// Texels along a side.
    pub side: usize,
    /// Column and row of the target that the middle texel is.
    pub centre: (i64, i64),
}

/// How good a candidate within the tolerance is: the least wins.
#[derive(Debug, Clone, Copy)]
struct Key {
    beyond_half: bool,
    priority: Priority,
    distance_squared: f64,
    /// Smaller is nearer to the viewer.
    depth: f64,
    id: NonZeroU32,
}

impl Key {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.beyond_half, self.priority)
            .cmp(&(other.beyond_half, other.priority))
            .then(self.distance_squared.total_cmp(&other.distance_squared))
            .then(self.depth.total_cmp(&other.depth))
            .then(self.id.cmp(&other.id))
    }
}

impl PickTile<'_> {
    /// The texel in the middle.
    pub fn exact(&self) -> Option<Texel> {
        let middle = (self.side / 2) as i64;
        self.texel(middle, middle)
    }

    /// What the cursor means, with a tolerance of `radius_px` (Euclidean, from the middle
    /// texel): a total order, independent of the order in which texels are looked at.
    ///
    /// First the exact texel, if it is a handle other than a trackball; else the best handle
    /// within the radius; else the trackball, or object, at the exact texel; else the nearest
    /// object within the radius. `priority_of` tells handles (`Some`) from objects.
    pub fn resolve(
        &self,
        radius_px: f64,
        depth: DepthDirection,
        priority_of: impl Fn(NonZeroU32) -> Option<Priority>,
    ) -> Option<Texel> {
        let exact = self.exact();
        if let Some(texel) = exact
            && priority_of(texel.id).is_some_and(|p| p != Priority::Trackball)
        {
            return exact;
        }
        let middle = (self.side / 2) as i64;
        let reach = (radius_px.max(0.0).floor() as i64).min(middle);
        let mut best_handle: Option<(Key, Texel)> = None;
        let mut best_object: Option<(Key, Texel)> = None;
        for y in -reach..=reach {
            for x in -reach..=reach {
                let distance_squared = (x * x + y * y) as f64;
                if distance_squared > radius_px * radius_px {
                    continue;
                }
                let Some(texel) = self.texel(middle + x, middle + y) else { continue };
                let (priority, best) = match priority_of(texel.id) {
                    Some(Priority::Trackball) => continue,
                    Some(priority) => (priority, &mut best_handle),
                    None => (Priority::Axis, &mut best_object),
                };
                let is_handle = best_rank(priority_of(texel.id));
                let key = Key {
                    beyond_half: is_handle && distance_squared > 0.25 * radius_px * radius_px,
                    priority,
                    distance_squared,
                    depth: match depth {
                        DepthDirection::Standard => texel.depth.into(),
                        DepthDirection::Reversed => -f64::from(texel.depth),
                    },
                    id: texel.id,
                };
                if best.is_none_or(|(least, _)| key.cmp(&least).is_lt()) {
                    *best = Some((key, texel));
                }
            }
        }
        best_handle.map(|(_, texel)| texel).or(exact).or(best_object.map(|(_, texel)| texel))
    }

    fn texel(&self, column: i64, row: i64) -> Option<Texel> {
        let index = row as usize * self.stride + column as usize;
        let id = NonZeroU32::new(*self.ids.get(index)?)?;
        let depth = f32::from_bits(*self.depth_bits.get(index)?);
        let middle = (self.side / 2) as i64;
        Some(Texel { id, depth, x: self.centre.0 + column - middle, y: self.centre.1 + row - middle })
    }
}

/// Only handles are told apart by half the radius.
fn best_rank(priority: Option<Priority>) -> bool {
    priority.is_some()
}

/// What a ray or the cursor meets of one part.
#[derive(Debug, Clone, Copy)]
struct Near {
    distance_px: f64,
    /// World units from the viewer.
    depth: f64,
}

impl DrawList {
    /// The handle under the cursor, worked out on the CPU: same rule as the ID image's, with
    /// distances to the shapes instead of to their texels. Knows handles only, no scene.
    pub fn pick(&self, cursor_px: DVec2, radius_px: f64) -> Option<NonZeroU32> {
        let view = self.view()?;
        if !view.viewport().contains(cursor_px) {
            return None;
        }
        let centre_px = cursor_px.floor() + 0.5;
        let ray = view.pointer_ray(centre_px);
        let mut exact: Option<(f64, &Item, NonZeroU32)> = None;
        for item in self.items() {
            let Some(id) = item.id else { continue };
            let Some(depth) = exact_hit(item, view, &ray, centre_px) else { continue };
            if exact.is_none_or(|(nearest, ..)| depth < nearest) {
                exact = Some((depth, item, id));
            }
        }
        if let Some((_, item, id)) = exact
            && item.priority != Priority::Trackball
        {
            return Some(id);
        }
        let mut best: Option<Key> = None;
        for item in self.items().iter().filter(|item| item.priority != Priority::Trackball) {
            let Some(id) = item.id else { continue };
            let Some(near) = distance_to(item, view, &ray, centre_px) else { continue };
            if near.distance_px > radius_px {
                continue;
            }
            let key = Key {
                beyond_half: near.distance_px > 0.5 * radius_px,
                priority: item.priority,
                distance_squared: near.distance_px * near.distance_px,
                depth: near.depth,
                id,
            };
            if best.is_none_or(|least| key.cmp(&least).is_lt()) {
                best = Some(key);
            }
        }
        best.map(|key| key.id).or(exact.map(|(.., id)| id))
    }
}

/// Radial directions whose cosine to the eye is below this are on a ring's far half.
const FAR_HALF: f64 = -0.05;

fn is_far_half(item: &Item, on_ring_part: DVec3) -> bool {
    let [x, y, z, halved] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    halved > 0.5 && on_ring_part.normalize_or_zero().dot(to_eye) < FAR_HALF
}

/// Distance along the ray to the part, where the ray meets it.
fn exact_hit(item: &Item, view: &View, ray: &Ray, cursor_px: DVec2) -> Option<f64> {
    if item.mesh == MeshKind::Ring {
        // A tube a few pixels thick: on screen, the stroke of a circle.
        return distance_to(item, view, ray, cursor_px)
            .filter(|near| near.distance_px <= 0.0)
            .map(|near| near.depth);
    }
    let part_from_world = item.world_from_part.inverse();
    let in_part = Ray {
        origin: part_from_world.transform_point3(ray.origin),
        direction: part_from_world.transform_vector3(ray.direction),
        start: ray.start,
    };
    if item.mesh == MeshKind::Ball {
        return sphere_hit(&in_part);
    }
    let mesh = item.mesh.mesh();
    let corner = |index: &u16| {
        let v = mesh.vertices[usize::from(*index)];
        let out = Vec3::from(v.normal) * v.weight * item.instance.thickness;
        (Vec3::from(v.position) + out).as_dvec3()
    };
    mesh.indices
        .chunks_exact(3)
        .filter_map(|t| in_part.distance_to_triangle([corner(&t[0]), corner(&t[1]), corner(&t[2])]))
        .min_by(f64::total_cmp)
}

/// Nearest hit of the unit sphere at the origin.
fn sphere_hit(ray: &Ray) -> Option<f64> {
    let a = ray.direction.length_squared();
    let b = ray.origin.dot(ray.direction);
    let discriminant = b * b - a * (ray.origin.length_squared() - 1.0);
    let distance = (-b - discriminant.max(0.0).sqrt()) / a;
    (discriminant >= 0.0 && distance.is_finite() && distance > ray.start).then_some(distance)
}

/// Distance on screen from the cursor to the shape, 0 inside it.
fn distance_to(item: &Item, view: &View, ray: &Ray, cursor_px: DVec2) -> Option<Near> {
    let at = |p: DVec3| item.world_from_part.transform_point3(p);
    match item.mesh {
        MeshKind::Stem => stroke(item, view, cursor_px, [DVec3::ZERO, DVec3::X].into_iter(), false),
        MeshKind::Cone => {
            let tip = DVec3::X * f64::from(MeshKind::HEAD_LENGTH);
            let near = stroke(item, view, cursor_px, [DVec3::ZERO, tip].into_iter(), false)?;
            // A head is as wide as its base where the cursor is beside the base.
            let radius = f64::from(MeshKind::HEAD_RADIUS) * 0.5;
            Some(less(
                near,
                radius * item.world_from_part.matrix3.z_axis.length() / view.pixel_size(at(DVec3::ZERO)),
            ))
        }
        MeshKind::Cube | MeshKind::Ball => {
            let centre = at(DVec3::ZERO);
            let px = view.px_from_world(centre)?;
            let radius_px = item.world_from_part.matrix3.z_axis.length() / view.pixel_size(centre);
            let near = Near { distance_px: px.distance(cursor_px), depth: depth_of(view, ray, centre) };
            Some(less(near, radius_px))
        }
        MeshKind::Ring => {
            let steps = 96;
            let circle = (0..=steps).map(|step| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(step) / f64::from(steps)).sin_cos();
                DVec3::new(0.0, cos, sin)
            });
            stroke(item, view, cursor_px, circle, true)
        }
        MeshKind::Square | MeshKind::Frame => {
            let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(0.0, 1.0, 1.0), DVec3::Z, DVec3::ZERO];
            stroke(item, view, cursor_px, corners.into_iter(), false)
        }
    }
}

fn less(near: Near, px: f64) -> Near {
    Near { distance_px: (near.distance_px - px).max(0.0), ..near }
}

fn depth_of(view: &View, ray: &Ray, point_world: DVec3) -> f64 {
    match view.eye() {
        Some(eye) => eye.distance(point_world),
        None => (point_world - ray.origin).dot(view.forward()),
    }
}

/// Distance from the cursor to a polyline in the part's space, drawn with the part's thickness.
fn stroke(
    item: &Item,
    view: &View,
    cursor_px: DVec2,
    points: impl Iterator<Item = DVec3>,
    is_ring: bool,
) -> Option<Near> {
    let mut best: Option<Near> = None;
    let mut last: Option<(DVec2, DVec3)> = None;
    let across = item.world_from_part.matrix3.z_axis.length() * f64::from(item.instance.thickness);
    let eye = view.eye();
    for point in points {
        let world = item.world_from_part.transform_point3(point);
        let here = view.px_from_world(world).map(|px| (px, world));
        let previous = std::mem::replace(&mut last, here);
        let (Some((a, a_world)), Some((b, b_world))) = (previous, here) else { continue };
        let along = b - a;
        let t = ((cursor_px - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let t = if t.is_finite() { t } else { 0.0 };
        if is_ring && is_far_half(item, point) {
            continue;
        }
        let nearest = a_world.lerp(b_world, t);
        let half_width = across / view.pixel_size(nearest);
        let distance_px = ((a + along * t).distance(cursor_px) - half_width).max(0.0);
        let depth = eye.map_or_else(|| nearest.dot(view.forward()), |eye| eye.distance(nearest));
        let closer = best.is_none_or(|b| (distance_px, depth) < (b.distance_px, b.depth));
        if closer {
            best = Some(Near { distance_px, depth });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 33;

    fn tile(ids: &[u32]) -> PickTile<'_> {
        static DEPTHS: [u32; SIDE * SIDE] = [0; SIDE * SIDE];
        PickTile { ids, depth_bits: &DEPTHS, stride: SIDE, side: SIDE, centre: (100, 50) }
    }

    fn with(texels: &[(i64, i64, u32)]) -> Vec<u32> {
        let mut ids = vec![0; SIDE * SIDE];
        for (x, y, id) in texels {
            ids[(16 + y) as usize * SIDE + (16 + x) as usize] = *id;
        }
        ids
    }

    /// 1..=5 are handles in the order of the priorities, 10 and up are objects.
    fn resolve(texels: &[(i64, i64, u32)]) -> Option<u32> {
        let all =
            [Priority::Axis, Priority::Ring, Priority::Square, Priority::OuterRing, Priority::Trackball];
        let ids = with(texels);
        tile(&ids)
            .resolve(8.0, DepthDirection::Standard, |id| all.get(id.get() as usize - 1).copied())
            .map(|texel| texel.id.get())
    }

    #[test]
    fn the_exact_handle_wins_over_better_ones_nearby() {
        assert_eq!(resolve(&[(0, 0, 4), (1, 0, 1)]), Some(4));
    }

    #[test]
    fn near_handles_come_before_far_ones_and_then_by_priority() {
        assert_eq!(resolve(&[(3, 0, 4), (6, 0, 1)]), Some(4));
        assert_eq!(resolve(&[(3, 0, 4), (0, 4, 2)]), Some(2));
        assert_eq!(resolve(&[(3, 0, 1), (0, 2, 1), (2, 2, 1)]), Some(1));
        assert_eq!(resolve(&[(9, 0, 1)]), None);
    }

    #[test]
    fn the_trackball_yields_to_every_handle_within_reach_but_not_to_objects() {
        assert_eq!(resolve(&[(0, 0, 5), (7, 0, 4)]), Some(4));
        assert_eq!(resolve(&[(0, 0, 5), (1, 0, 10)]), Some(5));
        assert_eq!(resolve(&[(1, 0, 5)]), None);
    }

    #[test]
    fn objects_come_last_the_exact_one_before_the_nearest() {
        assert_eq!(resolve(&[(0, 0, 10), (7, 0, 1)]), Some(1));
        assert_eq!(resolve(&[(0, 0, 10), (1, 0, 11)]), Some(10));
        assert_eq!(resolve(&[(3, 0, 10), (-2, 0, 12), (2, 0, 11)]), Some(11));
    }

    #[test]
    fn a_texel_knows_where_in_the_target_it_is() {
        let ids = with(&[(3, -2, 10)]);
        let texel = tile(&ids).resolve(8.0, DepthDirection::Standard, |_| None).expect("within reach");
        assert_eq!((texel.x, texel.y), (103, 48));
    }
}
