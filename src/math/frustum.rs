use super::View;
use glam::{DVec3, DVec4};

/// What is seen in a rectangle of a view: for leaving out what a pick, or a region, cannot touch
/// before it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    /// Where `plane · (point, 1)` is negative, a point is outside. Unit normals; a plane that has
    /// no normal, such as one at infinity, is all zeros.
    planes: [DVec4; 6],
    rectangle_px: [f64; 4],
}

impl Frustum {
    /// Through a rectangle of the target, in physical pixels: column, row, width and height. What
    /// touches any point of it from the near to the far end of the view is inside.
    pub fn new(view: &View, rectangle_px: [f64; 4]) -> Self {
        let [x, y, width, height] = rectangle_px;
        // Each row of this matrix is linear in the point: pixel x and y times w, and w.
        let [px, py, w] = view.px_rows();
        let z = view.clip_from_world().row(2);
        let planes = [
            px - w * x,
            w * (x + width) - px,
            py - w * y,
            w * (y + height) - py,
            // Depth runs from 0 to 1, whichever end is near; w > 0 follows from both.
            z,
            w - z,
        ];
        let unit = |plane: DVec4| {
            let normal = plane.truncate().length();
            // An infinite far plane, up to rounding.
            let size = w.truncate().length().max(z.truncate().length());
            if normal > 1e-12 * size { plane / normal } else { DVec4::ZERO }
        };
        Self { planes: planes.map(unit), rectangle_px }
    }

    /// The six planes: where `plane · (point, 1)` is negative, a point is outside. Normals have
    /// unit length, or none for an end at infinity.
    pub fn planes(&self) -> &[DVec4; 6] {
        &self.planes
    }

    /// The rectangle of the target that it was made for: column, row, width and height.
    pub fn rectangle_px(&self) -> [f64; 4] {
        self.rectangle_px
    }

    /// Whether a ball may reach into it; `false` only where it cannot. In world units.
    pub fn may_hold_sphere(&self, centre_world: DVec3, radius: f64) -> bool {
        self.planes.iter().all(|plane| plane.dot(centre_world.extend(1.0)) >= -radius)
    }

    /// Whether a box along the world's axes may reach into it; `false` only where it cannot. From
    /// its lowest to its highest corner.
    pub fn may_hold_box(&self, [low, high]: [DVec3; 2]) -> bool {
        self.planes.iter().all(|plane| {
            // The corner farthest along the normal.
            let farthest = DVec3::select(plane.truncate().cmpge(DVec3::ZERO), high, low);
            plane.dot(farthest.extend(1.0)) >= 0.0
        })
    }
}
