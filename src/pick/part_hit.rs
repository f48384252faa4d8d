//! Intersects rays with the parts of handles.

use crate::draw::Item;
use crate::handle::Mesh;
use crate::math::{Ray, View};
use glam::{DVec3, Vec3};

/// Returns the triangles of a mesh as they are drawn with this thickness.
pub(super) fn triangles(mesh: &Mesh, thickness: f32) -> impl Iterator<Item = [DVec3; 3]> {
    triangles_of(mesh, &mesh.indices, thickness)
}

/// Returns the triangles of a range of the mesh's indices.
fn triangles_of<'a>(
    mesh: &'a Mesh,
    indices: &'a [u16],
    thickness: f32,
) -> impl Iterator<Item = [DVec3; 3]> + 'a {
    let corner = move |index: u16| {
        let v = mesh.vertices[usize::from(index)];
        let out = Vec3::from(v.normal) * v.weight * thickness;
        (Vec3::from(v.position) + out).as_dvec3()
    };
    indices.chunks_exact(3).map(move |t| [corner(t[0]), corner(t[1]), corner(t[2])])
}

/// Returns the distance along a ray in part space to the nearest triangle of the mesh.
pub(super) fn mesh_hit(mesh: &Mesh, thickness: f32, ray_in_part: &Ray) -> Option<f64> {
    indices_hit(mesh, &mesh.indices, thickness, ray_in_part)
}

/// Returns the distance along a ray in part space to the nearest triangle of a range of the mesh's indices.
pub(super) fn indices_hit(mesh: &Mesh, indices: &[u16], thickness: f32, ray_in_part: &Ray) -> Option<f64> {
    let triangles = triangles_of(mesh, indices, thickness);
    triangles.filter_map(|triangle| ray_in_part.distance_to_triangle(triangle)).min_by(f64::total_cmp)
}

/// Transforms a ray to part space. Its direction is not normalized, so distances along it stay in world
/// units.
pub(super) fn ray_in_part(item: &Item, ray: &Ray) -> Ray {
    let part_from_world = item.world_from_part.inverse();
    Ray {
        origin: part_from_world.transform_point3(ray.origin),
        direction: part_from_world.transform_vector3(ray.direction),
        start: ray.start,
    }
}

/// Returns the distance along the ray to the nearest intersection with the unit sphere at the origin.
pub(super) fn sphere_hit(ray: &Ray) -> Option<f64> {
    let a = ray.direction.length_squared();
    let b = ray.origin.dot(ray.direction);
    let discriminant = b * b - a * (ray.origin.length_squared() - 1.0);
    let distance = (-b - discriminant.max(0.0).sqrt()) / a;
    (discriminant >= 0.0 && distance.is_finite() && distance > ray.start).then_some(distance)
}

/// Returns the distance from the viewer to a point, in world units: from the eye, or along the ray in a
/// parallel projection.
pub(super) fn depth_of(view: &View, ray: &Ray, point_world: DVec3) -> f64 {
    match view.eye() {
        Some(eye) => eye.distance(point_world),
        None => (point_world - ray.origin).dot(ray.direction),
    }
}
