use glam::DVec3;

/// A ray in world space: what lies under one point of the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// The eye; for parallel projections, a point on the line at some finite depth.
    pub origin: DVec3,
    /// Unit length, away from the viewer.
    pub direction: DVec3,
    /// Smallest distance along `direction` that is in front of the viewer: 0 from an eye, −∞
    /// for parallel projections, where nothing is behind.
    pub start: f64,
}

impl Ray {
    /// The point at `distance` (world units) along the ray.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// Distance along the ray to the plane through `point` with unit `normal`, if the ray meets
    /// it in front of the viewer.
    pub fn distance_to_plane(&self, point: DVec3, normal: DVec3) -> Option<f64> {
        let distance = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (distance.is_finite() && distance > self.start).then_some(distance)
    }

    /// Where the ray meets the plane through `point` with unit `normal`, in front of the viewer.
    pub fn plane_hit(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        self.distance_to_plane(point, normal).map(|distance| self.at(distance))
    }

    /// Distance along the ray to a triangle, in front of the viewer, whichever way it winds.
    ///
    /// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997).
    pub fn distance_to_triangle(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let (ab, ac) = (b - a, c - a);
        let p = self.direction.cross(ac);
        let determinant = ab.dot(p);
        let to_origin = self.origin - a;
        let u = to_origin.dot(p) / determinant;
        let q = to_origin.cross(ab);
        let v = self.direction.dot(q) / determinant;
        let distance = ac.dot(q) / determinant;
        // NaN, from a triangle seen edge-on, fails every comparison.
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance.is_finite() && distance > self.start)
            .then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: Ray = Ray { origin: DVec3::new(0.2, 0.3, 5.0), direction: DVec3::NEG_Z, start: 0.0 };

    #[test]
    fn a_plane_behind_an_eye_is_not_hit_and_one_behind_a_parallel_ray_origin_is() {
        assert_eq!(DOWN.plane_hit(DVec3::ZERO, DVec3::Z), Some(DVec3::new(0.2, 0.3, 0.0)));
        let above = DVec3::new(0.0, 0.0, 9.0);
        assert_eq!(DOWN.plane_hit(above, DVec3::Z), None);
        let parallel = Ray { start: f64::NEG_INFINITY, ..DOWN };
        assert_eq!(parallel.plane_hit(above, DVec3::Z), Some(DVec3::new(0.2, 0.3, 9.0)));
        assert_eq!(DOWN.plane_hit(DVec3::ZERO, DVec3::X), None);
    }

    #[test]
    fn a_triangle_is_hit_inside_and_missed_outside_whichever_way_it_winds() {
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
