//! The same pick by a ray cast on the CPU: through a bounding volume hierarchy over the objects and
//! one over the triangles of each mesh, or through the bounding balls one by one.

use crate::scene::Triangles;
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::ray::Ray;
use glam::{DAffine3, DVec3, Vec3};
use nalgebra::{Point3, Vector3};
use wgpu_gizmo::math;

/// A bounding box in the hierarchy, with the index of its owner.
pub struct Boxed {
    bounds: Aabb<f32, 3>,
    pub owner: usize,
    node: usize,
}

impl Bounded<f32, 3> for Boxed {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Boxed {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn boxed(points: impl Iterator<Item = DVec3>, owner: usize) -> Boxed {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        low = low.min(point);
        high = high.max(point);
    }
    let point = |p: DVec3| Point3::new(p.x as f32, p.y as f32, p.z as f32);
    Boxed { bounds: Aabb::with_bounds(point(low), point(high)), owner, node: 0 }
}

fn ray_of(origin: DVec3, direction: DVec3) -> Ray<f32, 3> {
    let (o, d) = (origin.as_vec3(), direction.as_vec3());
    Ray::new(Point3::new(o.x, o.y, o.z), Vector3::new(d.x, d.y, d.z))
}

/// A mesh for ray casts.
pub struct RayMesh {
    triangles: Vec<[DVec3; 3]>,
    boxes: Vec<Boxed>,
    tree: Bvh<f32, 3>,
}

impl RayMesh {
    pub fn new(mesh: &Triangles) -> Self {
        let corner = |i: u32| Vec3::from(mesh.corners[i as usize]).as_dvec3();
        let triangles: Vec<[DVec3; 3]> =
            mesh.indices.chunks(3).map(|t| [corner(t[0]), corner(t[1]), corner(t[2])]).collect();
        let mut boxes: Vec<Boxed> =
            triangles.iter().enumerate().map(|(i, t)| boxed(t.iter().copied(), i)).collect();
        let tree = Bvh::build(&mut boxes);
        Self { triangles, boxes, tree }
    }

    /// Returns the nearest hit along a ray in local space, in lengths of its direction.
    fn nearest(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        let ray = ray_of(origin, direction);
        let hits = self.tree.traverse_iterator(&ray, &self.boxes);
        let hit = |shape: &Boxed| crossing(origin, direction, self.triangles[shape.owner]);
        hits.filter_map(hit).min_by(f64::total_cmp)
    }
}

/// Möller–Trumbore intersection, both sides.
fn crossing(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    let from_a = origin - a;
    let u = from_a.dot(across) / determinant;
    let along = from_a.cross(ab);
    let v = direction.dot(along) / determinant;
    let distance = ac.dot(along) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// The objects of a scene for ray casts.
pub struct RayScene<'a> {
    meshes: &'a [RayMesh],
    objects: &'a [(usize, DAffine3)],
    boxes: Vec<Boxed>,
    tree: Bvh<f32, 3>,
    /// Center and radius of each object's bounding ball.
    balls: Vec<[f32; 4]>,
}

impl<'a> RayScene<'a> {
    /// Builds the hierarchy, which must be repeated after objects have moved.
    pub fn new(meshes: &'a [RayMesh], objects: &'a [(usize, DAffine3)]) -> Self {
        let corners = [-1.0, 1.0].map(|x| [-1.0, 1.0].map(|y| [-1.0, 1.0].map(|z| DVec3::new(x, y, z))));
        // The meshes are balls of radius 1: a bounding box of each one's transformed bounding box.
        let around = |(i, (_, at)): (usize, &(usize, DAffine3))| {
            boxed(corners.as_flattened().as_flattened().iter().map(|c| at.transform_point3(*c)), i)
        };
        let mut boxes: Vec<Boxed> = objects.iter().enumerate().map(around).collect();
        let tree = Bvh::build(&mut boxes);
        let ball = |(_, at): &(usize, DAffine3)| {
            let m = at.matrix3;
            let radius = m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
            let c = at.translation;
            [c.x, c.y, c.z, radius].map(|n| n as f32)
        };
        let balls = objects.iter().map(ball).collect();
        Self { meshes, objects, boxes, tree, balls }
    }

    fn at(&self, object: usize, ray: &math::Ray) -> Option<f64> {
        let (mesh, world_from_local) = &self.objects[object];
        let local_from_world = world_from_local.inverse();
        let origin = local_from_world.transform_point3(ray.origin);
        self.meshes[*mesh].nearest(origin, local_from_world.transform_vector3(ray.direction))
    }

    /// Casts a ray through the hierarchy.
    pub fn by_tree(&self, ray: &math::Ray) -> Option<usize> {
        let query = ray_of(ray.origin, ray.direction);
        let mut best: Option<(f64, usize)> = None;
        for shape in self.tree.nearest_traverse_iterator(&query, &self.boxes) {
            let entry = query.intersection_slice_for_aabb(&shape.bounds).map(|(near, _)| f64::from(near));
            // Shapes are sorted by where the ray enters their boxes.
            if best.zip(entry).is_some_and(|((distance, _), entry)| entry > distance) {
                break;
            }
            best = nearer(best, self.at(shape.owner, ray), shape.owner);
        }
        best.map(|(_, object)| object)
    }

    /// Casts a ray by brute force over all balls.
    pub fn by_force(&self, ray: &math::Ray) -> Option<usize> {
        let (o, d) = (ray.origin.as_vec3(), ray.direction.as_vec3());
        let mut best = None;
        for (object, [x, y, z, radius]) in self.balls.iter().enumerate() {
            let to = Vec3::new(*x, *y, *z) - o;
            let along = to.dot(d);
            if to.length_squared() - along * along <= radius * radius && along > -radius {
                best = nearer(best, self.at(object, ray), object);
            }
        }
        best.map(|(_, object)| object)
    }
}

fn nearer(best: Option<(f64, usize)>, distance: Option<f64>, object: usize) -> Option<(f64, usize)> {
    match (best, distance) {
        (Some((min, _)), Some(distance)) if distance >= min => best,
        (_, Some(distance)) => Some((distance, object)),
        _ => best,
    }
}
