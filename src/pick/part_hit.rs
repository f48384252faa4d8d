//! Where rays meet the parts of handles.

use crate::draw::Item;
use crate::handle::Mesh;
use crate::math::{Ray, View};
use glam::{DVec3, Vec3};

/// The triangles of a mesh as they are drawn with this thickness.
pub(super) fn corners(mesh: &Mesh, thickness: f32) -> impl Iterator<Item = [DVec3; 3]> {
    corners_of(mesh, &mesh.indices, thickness)
}

/// The same of some of its indices.
fn corners_of<'a>(
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

/// Distance along a ray in the part's space to the nearest of the mesh's triangles.
pub(super) fn mesh_hit(mesh: &Mesh, thickness: f32, in_part: &Ray) -> Option<f64> {
    hit_of(mesh, &mesh.indices, thickness, in_part)
}

/// The same to the triangles of some of its indices.
pub(super) fn hit_of(mesh: &Mesh, indices: &[u16], thickness: f32, in_part: &Ray) -> Option<f64> {
    let triangles = corners_of(mesh, indices, thickness);
    triangles.filter_map(|triangle| in_part.distance_to_triangle(triangle)).min_by(f64::total_cmp)
}

/// The ray in the part's space: distances along it stay what they are in the world.
pub(super) fn in_part(item: &Item, ray: &Ray) -> Ray {
    let part_from_world = item.world_from_part.inverse();
    Ray {
        origin: part_from_world.transform_point3(ray.origin),
        direction: part_from_world.transform_vector3(ray.direction),
        start: ray.start,
    }
}

/// Nearest hit of the unit sphere at the origin.
pub(super) fn sphere_hit(ray: &Ray) -> Option<f64> {
    let a = ray.direction.length_squared();
    let b = ray.origin.dot(ray.direction);
    let discriminant = b * b - a * (ray.origin.length_squared() - 1.0);
    let distance = (-b - discriminant.max(0.0).sqrt()) / a;
    (discriminant >= 0.0 && distance.is_finite() && distance > ray.start).then_some(distance)
}

pub(super) fn depth_of(view: &View, ray: &Ray, point_world: DVec3) -> f64 {
    match view.eye() {
        Some(eye) => eye.distance(point_world),
        None => (point_world - ray.origin).dot(ray.direction),
    }
}
