//! Axis-aligned bounding boxes.

use wgpu_gizmo_core::glam::{DMat4, DVec3};

/// An axis-aligned bounding box of at least one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Minimum x, y and z.
    pub min: DVec3,
    /// Maximum x, y and z.
    pub max: DVec3,
}

impl Bounds {
    /// Returns the smallest box that contains all points, or `None` if there are no points.
    pub(crate) fn of_points(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let boxes = points.into_iter().map(|point| Self { min: point, max: point });
        boxes.reduce(Self::union)
    }

    /// Returns the smallest box that contains both boxes.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the center.
    pub fn center(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// Returns half the length of the diagonal, which is the radius of the bounding sphere.
    pub fn radius(&self) -> f64 {
        (self.max * 0.5 - self.min * 0.5).length()
    }

    /// Returns the bounding box of the transformed box.
    pub fn transformed(&self, to_from_here: &DMat4) -> Self {
        // The minimum and maximum of an output coordinate are at corners that can be chosen per input
        // axis: J. Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems (1990).
        let columns = [to_from_here.x_axis, to_from_here.y_axis, to_from_here.z_axis];
        let origin = to_from_here.w_axis.truncate();
        let mut moved = Self { min: origin, max: origin };
        for (axis, column) in columns.into_iter().enumerate() {
            let (a, b) = (column.truncate() * self.min[axis], column.truncate() * self.max[axis]);
            moved.min += a.min(b);
            moved.max += a.max(b);
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo_core::glam::DQuat;

    #[test]
    fn transformed_box_bounds_transformed_corners() {
        let bounds = Bounds { min: DVec3::new(-1.0, 0.0, 2.0), max: DVec3::new(1.0, 3.0, 2.5) };
        let rotation = DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 2.0) / 3.0, 0.7);
        let scale = DVec3::new(-2.0, 1.0, 0.5);
        let matrix = DMat4::from_scale_rotation_translation(scale, rotation, DVec3::new(5.0, 6.0, 7.0));
        let corner = |i: u32| {
            let pick = |bit: u32, axis: usize| if i & bit == 0 { bounds.min[axis] } else { bounds.max[axis] };
            matrix.transform_point3(DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2)))
        };
        let expected = Bounds::of_points((0..8).map(corner)).expect("there are eight points");
        let found = bounds.transformed(&matrix);
        assert!(found.min.abs_diff_eq(expected.min, 1e-12) && found.max.abs_diff_eq(expected.max, 1e-12));
    }
}
