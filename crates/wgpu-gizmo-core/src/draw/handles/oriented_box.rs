use crate::handle::{Axis, BoxGrip};
use crate::math::View;
use glam::DVec3;

/// A box in world space: a parallelepiped, as a parent may shear it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OrientedBox {
    pub(crate) center: DVec3,
    /// Half of each side, from the center to the middle of the face at the maximum.
    pub(crate) half: [DVec3; 3],
}

impl OrientedBox {
    /// Returns the middle of a face or an edge, or a corner.
    pub(crate) fn point(&self, grip: BoxGrip) -> DVec3 {
        let offset: DVec3 = grip.axes().map(|axis| self.half[axis.index()] * grip.sign(axis)).sum();
        self.center + offset
    }

    /// Returns the ends of an edge; `None` for another grip.
    pub(crate) fn edge(&self, grip: BoxGrip) -> Option<[DVec3; 2]> {
        let mut along = Axis::ALL.into_iter().filter(|axis| grip.sign(*axis) == 0.0);
        let (axis, None) = (along.next()?, along.next()) else { return None };
        let (middle, half) = (self.point(grip), self.half[axis.index()]);
        Some([middle - half, middle + half])
    }

    /// Returns the eight corners.
    pub(crate) fn corners(&self) -> [DVec3; 8] {
        // The last grips.
        std::array::from_fn(|index| self.point(BoxGrip::ALL[18 + index]))
    }

    /// Returns the distance of the farthest corner from a point.
    pub(crate) fn reach_from(&self, point: DVec3) -> f64 {
        let [x, y, z] = self.half;
        self.center.distance(point) + x.length() + y.length() + z.length()
    }

    /// Returns true if a view shows the grip: faces toward the viewer, edges of the silhouette, all corners.
    pub(crate) fn shows(&self, grip: BoxGrip, view: &View) -> bool {
        let mut axes = grip.axes();
        match (axes.next(), axes.next(), axes.next()) {
            (Some(axis), None, _) => self.faces(axis, grip.sign(axis), view),
            (Some(a), Some(b), None) => {
                self.faces(a, grip.sign(a), view) != self.faces(b, grip.sign(b), view)
            }
            _ => true,
        }
    }

    /// Returns true if a face is on the side of the viewer.
    fn faces(&self, axis: Axis, sign: f64, view: &View) -> bool {
        let [b, c] = axis.others().map(|other| self.half[other.index()]);
        let out = self.half[axis.index()] * sign;
        let normal = b.cross(c);
        let outward = if normal.dot(out) < 0.0 { -normal } else { normal };
        view.direction_to(self.center + out).dot(outward) < 0.0
    }
}
