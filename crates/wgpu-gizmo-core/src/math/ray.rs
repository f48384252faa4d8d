use glam::{DMat3, DVec3};

/// A ray in world space, usually through one point of the viewport.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::math::Ray;
///
/// let ray = Ray { origin: DVec3::new(1.0, 2.0, 5.0), direction: -DVec3::Z, start: 0.0 };
/// assert_eq!(ray.plane_hit(DVec3::ZERO, DVec3::Z), Some(DVec3::new(1.0, 2.0, 0.0)));
/// assert_eq!(ray.distance_to_plane(DVec3::ZERO, DVec3::X), None, "parallel to the plane");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// The eye; for parallel projections, a point on the line at some finite depth.
    pub origin: DVec3,
    /// The unit direction, pointing away from the viewer.
    pub direction: DVec3,
    /// The smallest distance along `direction` that is in front of the viewer: 0 in perspective, and
    /// −∞ for parallel projections, in which nothing is behind the viewer.
    pub start: f64,
}

impl Ray {
    /// Returns the point at `distance` (world units) along the ray.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// Returns the distance along the ray to the plane through `point` with unit `normal`, or `None` if
    /// the ray does not intersect it in front of the viewer.
    pub fn distance_to_plane(&self, point: DVec3, normal: DVec3) -> Option<f64> {
        let distance = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (distance.is_finite() && distance > self.start).then_some(distance)
    }

    /// Returns the intersection with the plane through `point` with unit `normal`, or `None` if the ray
    /// does not intersect it in front of the viewer.
    pub fn plane_hit(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        self.distance_to_plane(point, normal).map(|distance| self.at(distance))
    }

    /// Returns the distance along the ray to a triangle of either winding, or `None` if the ray does not
    /// intersect it in front of the viewer. A triangle without an area, as seen along the ray, is never hit.
    ///
    /// A closed mesh has no gaps: a ray through an edge or a corner hits at least one of its triangles, no
    /// matter how thin they are, if they have the same bits there.
    ///
    /// S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", Journal of Computer Graphics
    /// Techniques 2 (2013).
    pub fn distance_to_triangle(&self, corners: [DVec3; 3]) -> Option<f64> {
        self.for_triangles().distance_to(corners)
    }

    /// Prepares the test of many triangles.
    pub(crate) fn for_triangles(&self) -> TriangleRay {
        let along = self.direction.abs();
        // A cyclic permutation that moves the largest component of the direction to the end.
        let axes @ [x, y, z] = match () {
            () if along.z >= along.x.max(along.y) => [DVec3::X, DVec3::Y, DVec3::Z],
            () if along.y >= along.x => [DVec3::Z, DVec3::X, DVec3::Y],
            () => [DVec3::Y, DVec3::Z, DVec3::X],
        };
        let [dx, dy, dz] = axes.map(|axis| axis.dot(self.direction));
        let rows = [x - z * (dx / dz), y - z * (dy / dz), z / dz];
        let ray_from_world = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
        TriangleRay { ray: *self, ray_from_world }
    }
}

/// A ray that is prepared for [`Ray::distance_to_triangle`].
pub(crate) struct TriangleRay {
    pub(crate) ray: Ray,
    /// Shears the direction to z, and divides by its length.
    ray_from_world: DMat3,
}

impl TriangleRay {
    /// See [`Ray::distance_to_triangle`].
    pub(crate) fn distance_to(&self, corners: [DVec3; 3]) -> Option<f64> {
        let [a, b, c] = corners.map(|corner| self.ray_from_world * (corner - self.ray.origin));
        let edges = [[b, c], [c, a], [a, b]];
        // The difference of two rounded products is 0 or has the sign of the exact one.
        let may_hit = is_on_one_side(edges.map(|[from, to]| from.x * to.y - from.y * to.x));
        if !may_hit {
            return None;
        }
        let weights @ [u, v, w] = edges.map(|[from, to]| determinant([from.x, from.y], [to.x, to.y]));
        if !is_on_one_side(weights) {
            return None;
        }
        let distance = a.z + (v * (b.z - a.z) + w * (c.z - a.z)) / (u + v + w);
        (distance.is_finite() && distance > self.ray.start).then_some(distance)
    }
}

/// Returns false if two of the numbers have different signs.
fn is_on_one_side([u, v, w]: [f64; 3]) -> bool {
    !((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0))
}

/// Returns `a · d - b · c` with the correct sign and accurate to two units in the last place. The plain
/// formula cancels for nearly parallel vectors.
///
/// C.-P. Jeannerod, N. Louvet, J.-M. Muller, "Further analysis of Kahan's algorithm for the accurate
/// computation of 2 × 2 determinants", Math. Comp. 82 (2013).
fn determinant([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    let bc = b * c;
    a.mul_add(d, -bc) + (-b).mul_add(c, bc)
}
