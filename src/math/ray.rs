use glam::DVec3;

/// A ray in world space, usually through one point of the viewport.
///
/// ```
/// use wgpu_gizmo::glam::DVec3;
/// use wgpu_gizmo::math::Ray;
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
    /// intersect it in front of the viewer. A triangle that is seen edge-on or has no area, up to rounding,
    /// is never hit.
    ///
    /// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997).
    pub fn distance_to_triangle(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let (ab, ac) = (b - a, c - a);
        let p = self.direction.cross(ac);
        let determinant = ab.dot(p);
        let largest_squared = self.direction.length_squared() * ab.length_squared() * ac.length_squared();
        // Written so that NaN is not reliable either.
        let is_reliable = determinant * determinant > RELIABLE * RELIABLE * largest_squared;
        if !is_reliable {
            // The tip of a cone has such triangles by the dozen.
            if ab == DVec3::ZERO || ac == DVec3::ZERO || ab == ac {
                return None;
            }
            return self.distance_to_thin_triangle([a, b, c]);
        }
        let to_origin = self.origin - a;
        let u = to_origin.dot(p) / determinant;
        if !(0.0..=1.0).contains(&u) {
            return None;
        }
        let q = to_origin.cross(ab);
        let v = self.direction.dot(q) / determinant;
        let distance = ac.dot(q) / determinant;
        (v >= 0.0 && u + v <= 1.0 && distance.is_finite() && distance > self.start).then_some(distance)
    }

    /// Computes [`Ray::distance_to_triangle`] for a sliver, or for a triangle at a grazing angle, for which
    /// the textbook determinant loses digits. It uses the two shortest edges, which lose none if only the
    /// third is nearly parallel, and the distance to the plane of the triangle.
    #[cold]
    fn distance_to_thin_triangle(&self, corners: [DVec3; 3]) -> Option<f64> {
        // Corner i with the edges to the two others. The longest edge is opposite to the chosen corner.
        let edges = |i: usize| {
            let corner = corners[i];
            [corner, corners[(i + 1) % 3] - corner, corners[(i + 2) % 3] - corner]
        };
        let opposite = |i: usize| (corners[(i + 1) % 3] - corners[(i + 2) % 3]).length_squared();
        let chosen = (0..3).max_by(|i, j| opposite(*i).total_cmp(&opposite(*j)))?;
        let [corner, ab, ac] = edges(chosen);
        let normal = accurate_cross(ab, ac);
        let determinant = normal.dot(self.direction);
        let largest = self.direction.length() * ab.length() * ac.length();
        let faces = determinant.abs() > EDGE_ON * largest;
        if !faces {
            return None;
        }
        let to_corner = corner - self.origin;
        let distance = normal.dot(to_corner) / determinant;
        let hit = self.direction * distance - to_corner;
        // Barycentric coordinates of the hit.
        let area_squared = normal.length_squared();
        let u = accurate_cross(hit, ac).dot(normal) / area_squared;
        let v = accurate_cross(ab, hit).dot(normal) / area_squared;
        let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        (is_inside && distance.is_finite() && distance > self.start).then_some(distance)
    }
}

/// The min |determinant| of a direction and two edges, relative to the product of their lengths, at
/// which the textbook formula loses at most two digits.
const RELIABLE: f64 = 1e-2;
/// The relative determinant below which its sign is rounding noise: a few thousand times the rounding
/// errors of edges, direction and product.
const EDGE_ON: f64 = 1e-12;

/// Returns the cross product with each component accurate to two units in the last place. The plain
/// formula cancels for nearly parallel vectors.
///
/// C.-P. Jeannerod, N. Louvet, J.-M. Muller, "Further analysis of Kahan's algorithm for the
/// accurate computation of 2 × 2 determinants", Math. Comp. 82 (2013).
fn accurate_cross(a: DVec3, b: DVec3) -> DVec3 {
    let minor = |a: f64, b: f64, c: f64, d: f64| {
        let cd = c * d;
        a.mul_add(b, -cd) + (-c).mul_add(d, cd)
    };
    DVec3::new(minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: Ray = Ray { origin: DVec3::new(0.2, 0.3, 5.0), direction: DVec3::NEG_Z, start: 0.0 };

    #[test]
    fn only_parallel_rays_hit_planes_behind_their_origin() {
        assert_eq!(DOWN.plane_hit(DVec3::ZERO, DVec3::Z), Some(DVec3::new(0.2, 0.3, 0.0)));
        let above = DVec3::new(0.0, 0.0, 9.0);
        assert_eq!(DOWN.plane_hit(above, DVec3::Z), None);
        let parallel = Ray { start: f64::NEG_INFINITY, ..DOWN };
        assert_eq!(parallel.plane_hit(above, DVec3::Z), Some(DVec3::new(0.2, 0.3, 9.0)));
        assert_eq!(DOWN.plane_hit(DVec3::ZERO, DVec3::X), None);
    }

    #[test]
    fn triangle_is_hit_inside_with_either_winding() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let back = [DVec3::ZERO, DVec3::Y, DVec3::X];
        assert_eq!(DOWN.distance_to_triangle(triangle), Some(5.0));
        assert_eq!(DOWN.distance_to_triangle(back), Some(5.0));
        let outside = Ray { origin: DVec3::new(0.8, 0.8, 5.0), ..DOWN };
        assert_eq!(outside.distance_to_triangle(triangle), None);
        let edge_on = [DVec3::ZERO, DVec3::Z, DVec3::Y];
        assert_eq!(DOWN.distance_to_triangle(edge_on), None);
    }
}
