use super::draw_list::{DrawList, Item};
use super::mesh::MeshKind;
use super::pick::{Key, Priority};
use crate::math::{Ray, View};
use glam::{DVec2, DVec3, Vec3};
use std::num::NonZeroU32;

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
        // One that is no number reaches nothing.
        let radius_px = radius_px.max(0.0);
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
        MeshKind::Stem => stroke(item, view, ray, cursor_px, [DVec3::ZERO, DVec3::X].into_iter(), false),
        MeshKind::Cone => {
            let tip = DVec3::X * f64::from(MeshKind::HEAD_LENGTH);
            let near = stroke(item, view, ray, cursor_px, [DVec3::ZERO, tip].into_iter(), false)?;
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
            stroke(item, view, ray, cursor_px, circle, true)
        }
        MeshKind::Square | MeshKind::Frame => {
            let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(0.0, 1.0, 1.0), DVec3::Z, DVec3::ZERO];
            stroke(item, view, ray, cursor_px, corners.into_iter(), false)
        }
    }
}

fn less(near: Near, px: f64) -> Near {
    Near { distance_px: (near.distance_px - px).max(0.0), ..near }
}

fn depth_of(view: &View, ray: &Ray, point_world: DVec3) -> f64 {
    match view.eye() {
        Some(eye) => eye.distance(point_world),
        None => (point_world - ray.origin).dot(ray.direction),
    }
}

/// Distance from the cursor to a polyline in the part's space, drawn with the part's thickness.
fn stroke(
    item: &Item,
    view: &View,
    ray: &Ray,
    cursor_px: DVec2,
    points: impl Iterator<Item = DVec3>,
    is_ring: bool,
) -> Option<Near> {
    let mut best: Option<Near> = None;
    let mut last: Option<(DVec2, DVec3)> = None;
    let across = item.world_from_part.matrix3.z_axis.length() * f64::from(item.instance.thickness);
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
        let depth = depth_of(view, ray, nearest);
        let closer = best.is_none_or(|b| (distance_px, depth) < (b.distance_px, b.depth));
        if closer {
            best = Some(Near { distance_px, depth });
        }
    }
    best
}
