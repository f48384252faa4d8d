use super::custom::{HandleMesh, Numbered};
use super::draw_list::{DrawList, Item};
use super::mesh::{LONG, Mesh, MeshKind, direction};
use super::pick::{Key, Priority};
use super::query::PickQuery;
use crate::math::{Ray, View};
use glam::{DMat3, DVec2, DVec3, Vec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::sync::OnceLock;

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
        let radius_px = radius_px.min(PickQuery::MAX_RADIUS_PX);
        let ray = view.pointer_ray(centre_px);
        let cursor = Cursor { list: self, view, ray: &ray, px: centre_px, radius_px };
        let all = || self.gizmos().enumerate().map(|(place, (span, items))| ((span.depth, place), items));
        let (exact, best) = cursor.nearest(all());
        let is_ball = |hit: &Hit<'_>| hit.item.priority == Priority::Trackball;
        let Some(hit) = exact else { return best.map(|(id, _)| id) };
        if !is_ball(&hit) {
            return Some(hit.id);
        }
        // The ball yields to what is near, but not to what a nearer gizmo's ball hides.
        let hidden = |gizmo: &GizmoPlace| before(hit.gizmo, *gizmo).is_lt();
        let best = match best {
            Some((_, gizmo)) if hidden(&gizmo) => cursor.nearest(all().filter(|(gizmo, _)| !hidden(gizmo))).1,
            best => best,
        };
        Some(best.map_or(hit.id, |(id, _)| id))
    }
}

/// Depth of a gizmo's pivot along the view, and its place in the list.
type GizmoPlace = (f64, usize);

/// What is looked for.
struct Cursor<'a> {
    list: &'a DrawList,
    view: &'a View,
    ray: &'a Ray,
    px: DVec2,
    radius_px: f64,
}

/// What the cursor's ray meets.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    gizmo: GizmoPlace,
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
    /// In one gizmo, the trackball is behind all that can be taken hold of.
    fn cmp(&self, other: &Self) -> Ordering {
        let is_ball = |hit: &Self| hit.item.priority == Priority::Trackball;
        before(self.gizmo, other.gizmo)
            .then(is_ball(self).cmp(&is_ball(other)))
            .then(self.depth.total_cmp(&other.depth))
    }
}

impl Cursor<'_> {
    /// What is met, and the best of what is within the radius with its gizmo.
    fn nearest<'a>(
        &self,
        gizmos: impl Iterator<Item = (GizmoPlace, &'a [Item])>,
    ) -> (Option<Hit<'a>>, Option<(NonZeroU32, GizmoPlace)>) {
        let mut exact: Option<Hit<'_>> = None;
        let mut best: Option<(Key, GizmoPlace)> = None;
        for (gizmo, items) in gizmos {
            for item in items {
                let Some(id) = item.id else { continue };
                let own = self.list.custom_mesh(item.mesh).map(HandleMesh::numbered);
                let (near, hit) = match own {
                    Some(own) => self.custom(item, own),
                    None => {
                        let near = distance_to(item, self.view, self.ray, self.px);
                        (near, exact_hit(item, self.ray, near))
                    }
                };
                if let Some(depth) = hit {
                    let hit = Hit { gizmo, depth, item, id };
                    if exact.as_ref().is_none_or(|nearest| hit.cmp(nearest).is_lt()) {
                        exact = Some(hit);
                    }
                }
                let Some(near) = near else { continue };
                if item.priority == Priority::Trackball || near.distance_px > self.radius_px {
                    continue;
                }
                let key = Key {
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
    fn custom(&self, item: &Item, own: &Numbered) -> (Option<Near>, Option<f64>) {
        let nothing = (None, None);
        let part = &item.world_from_part;
        let across = [part.matrix3.x_axis, part.matrix3.y_axis, part.matrix3.z_axis];
        let scale = across.into_iter().map(DVec3::length).fold(0.0, f64::max);
        let radius = (own.radius + f64::from(item.instance.thickness) * own.thick) * scale;
        let centre = part.transform_point3(own.centre);
        // The ball round it, seen from its nearest point, which is where a pixel is smallest.
        let nearest = centre - self.view.forward() * radius;
        let pixel = self.view.pixel_size(nearest);
        let passes = (centre - self.ray.origin).reject_from_normalized(self.ray.direction).length();
        // Beside the ray the tolerance is a cone; twice as much is room for its slant.
        let tolerance = 2.0 * self.radius_px * self.view.pixel_size(centre).max(pixel);
        if pixel > 0.0 && passes > radius + tolerance {
            return nothing;
        }
        let thickness = item.instance.thickness;
        let hit = mesh_hit(&own.mesh, thickness, &in_part(item, self.ray));
        if let Some(depth) = hit {
            return (Some(Near { distance_px: 0.0, depth }), hit);
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
    let to_edge = |(from, to): (DVec2, DVec2)| {
        let along = to - from;
        let t = (p - from).dot(along) / along.length_squared();
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        (from + along * t).distance(p)
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

/// The triangles of a mesh as they are drawn with this thickness.
fn corners(mesh: &Mesh, thickness: f32) -> impl Iterator<Item = [DVec3; 3]> {
    let corner = move |index: u16| {
        let v = mesh.vertices[usize::from(index)];
        let out = Vec3::from(v.normal) * v.weight * thickness;
        (Vec3::from(v.position) + out).as_dvec3()
    };
    mesh.indices.chunks_exact(3).map(move |t| [corner(t[0]), corner(t[1]), corner(t[2])])
}

/// Distance along a ray in the part's space to the nearest of the mesh's triangles.
fn mesh_hit(mesh: &Mesh, thickness: f32, in_part: &Ray) -> Option<f64> {
    let hits = corners(mesh, thickness).filter_map(|triangle| in_part.distance_to_triangle(triangle));
    hits.min_by(f64::total_cmp)
}

/// The ray in the part's space: distances along it stay what they are in the world.
fn in_part(item: &Item, ray: &Ray) -> Ray {
    let part_from_world = item.world_from_part.inverse();
    Ray {
        origin: part_from_world.transform_point3(ray.origin),
        direction: part_from_world.transform_vector3(ray.direction),
        start: ray.start,
    }
}

/// Radial directions whose cosine to the eye is below this are on a ring's far half.
pub(crate) const FAR_HALF: f64 = -0.05;

/// What of a piece of a ring, from 0 at `a` to 1 at `b`, is on the near half; all of what has no
/// halves.
fn near_half(item: &Item, a_part: DVec3, b_part: DVec3) -> Option<[f64; 2]> {
    let [x, y, z, halved] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    let [a, b] = [a_part, b_part].map(|point| point.dot(to_eye) - FAR_HALF);
    let cut = a / (a - b);
    match (a >= 0.0, b >= 0.0) {
        _ if halved < 0.5 => Some([0.0, 1.0]),
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, cut]),
        (false, true) => Some([cut, 1.0]),
        (false, false) => None,
    }
}

/// Distance along the ray to the part, where the ray meets it. `near` is what
/// [`distance_to`] says of it.
fn exact_hit(item: &Item, ray: &Ray, near: Option<Near>) -> Option<f64> {
    if item.mesh == MeshKind::Ring {
        // A tube a few pixels thick: on screen, the stroke of a circle.
        return near.filter(|near| near.distance_px <= 0.0).map(|near| near.depth);
    }
    let in_part = in_part(item, ray);
    let thickness = item.instance.thickness;
    // What is round about X is missed by a ray that passes the axis farther off than its radius.
    let radius = match item.mesh {
        MeshKind::Ball | MeshKind::Dot => return sphere_hit(&in_part),
        MeshKind::Stem => thickness,
        MeshKind::Cone => MeshKind::HEAD_RADIUS,
        MeshKind::Cube | MeshKind::Ring | MeshKind::Frame | MeshKind::Square | MeshKind::Custom(_) => {
            f32::INFINITY
        }
    };
    let across = DVec2::new(in_part.direction.y, in_part.direction.z);
    let passes = in_part.origin.y * across.y - in_part.origin.z * across.x;
    if passes.abs() > f64::from(radius) * across.length() {
        return None;
    }
    mesh_hit(item.mesh.mesh()?, thickness, &in_part)
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
        MeshKind::Stem => stroke(item, view, ray, cursor_px, [DVec3::ZERO, DVec3::X].into_iter()),
        MeshKind::Cone => {
            let tip = DVec3::X * f64::from(MeshKind::HEAD_LENGTH);
            let near = stroke(item, view, ray, cursor_px, [DVec3::ZERO, tip].into_iter())?;
            // A head is as wide as its base where the cursor is beside the base.
            let radius = f64::from(MeshKind::HEAD_RADIUS) * 0.5;
            Some(less(
                near,
                radius * item.world_from_part.matrix3.z_axis.length() / view.pixel_size(at(DVec3::ZERO)),
            ))
        }
        MeshKind::Cube | MeshKind::Ball | MeshKind::Dot => {
            let centre = at(DVec3::ZERO);
            let px = view.px_from_world(centre)?;
            let radius_px = item.world_from_part.matrix3.z_axis.length() / view.pixel_size(centre);
            let near = Near { distance_px: px.distance(cursor_px), depth: depth_of(view, ray, centre) };
            Some(less(near, radius_px))
        }
        MeshKind::Ring => stroke(item, view, ray, cursor_px, circle().iter().copied()),
        MeshKind::Square | MeshKind::Frame => {
            let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(0.0, 1.0, 1.0), DVec3::Z, DVec3::ZERO];
            stroke(item, view, ray, cursor_px, corners.into_iter())
        }
        // By its triangles, elsewhere.
        MeshKind::Custom(_) => None,
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

/// The circle of [`MeshKind::Ring`] as the mesh has it, closed.
fn circle() -> &'static [DVec3; LONG as usize + 1] {
    static CIRCLE: OnceLock<[DVec3; LONG as usize + 1]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, LONG);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}

/// Distance from the cursor to a polyline in the part's space, drawn with the part's thickness.
fn stroke(
    item: &Item,
    view: &View,
    ray: &Ray,
    cursor_px: DVec2,
    points: impl Iterator<Item = DVec3>,
) -> Option<Near> {
    let part = &item.world_from_part;
    // Linear: worked out for the part's axes once instead of for every point.
    let axes = DMat3::from_cols(
        view.px_homogeneous(part.matrix3.x_axis.extend(0.0)),
        view.px_homogeneous(part.matrix3.y_axis.extend(0.0)),
        view.px_homogeneous(part.matrix3.z_axis.extend(0.0)),
    );
    let origin = view.px_homogeneous(part.translation.extend(1.0));
    // A length at w is this over w pixels; pixel_size is in proportion to w.
    let across = part.matrix3.z_axis.length() * f64::from(item.instance.thickness);
    let half_width_w = across * origin.z / view.pixel_size(part.translation);
    let mut best: Option<Near> = None;
    let mut last: Option<(DVec3, DVec2, f64)> = None;
    for point in points {
        let projected = axes * point + origin;
        let here = (projected.z > 0.0)
            .then(|| (point, projected.truncate() / projected.z, projected.z))
            .filter(|(_, px, _)| px.is_finite());
        let previous = std::mem::replace(&mut last, here);
        let (Some((a_part, a, a_w)), Some((b_part, b, b_w))) = (previous, here) else { continue };
        let Some([from, to]) = near_half(item, a_part, b_part) else { continue };
        let along = b - a;
        let t = (cursor_px - a).dot(along) / along.length_squared();
        let t = if t.is_finite() { t.max(from).min(to) } else { from };
        let half_width = half_width_w / (a_w + (b_w - a_w) * t);
        let distance_px = ((a + along * t).distance(cursor_px) - half_width).max(0.0);
        if best.is_some_and(|best| distance_px > best.distance_px) {
            continue;
        }
        let depth = depth_of(view, ray, part.transform_point3(a_part.lerp(b_part, t)));
        if best.is_none_or(|best| (distance_px, depth) < (best.distance_px, best.depth)) {
            best = Some(Near { distance_px, depth });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::FAR_HALF;

    #[test]
    fn the_shader_cuts_rings_where_the_cpu_does() {
        let shader = include_str!("../../shaders/handle.wgsl");
        assert!(shader.contains(&format!("const FAR_HALF: f32 = {FAR_HALF};")));
    }
}
