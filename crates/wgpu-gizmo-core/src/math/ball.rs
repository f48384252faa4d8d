use glam::{DVec3, Vec3};

/// A ball, such as the bounding ball of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// The center.
    pub center: DVec3,
    /// The radius.
    pub radius: f64,
}

impl Ball {
    /// Returns a bounding ball of the points, around the center of their bounding box.
    pub fn around(points: impl Iterator<Item = [f32; 3]> + Clone) -> Self {
        let points = points.map(|point| Vec3::from(point).as_dvec3());
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in points.clone() {
            low = low.min(point);
            high = high.max(point);
        }
        let center = 0.5 * (low + high);
        Self { center, radius: points.map(|point| point.distance(center)).fold(0.0, f64::max) }
    }
}
