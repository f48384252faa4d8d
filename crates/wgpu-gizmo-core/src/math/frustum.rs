use super::{Rect, View};
use glam::{DVec3, DVec4};

/// The part of world space that is visible through a rectangle of a view.
///
/// Hosts use it to cull the objects that a pick or a region cannot touch.
/// [`PickQuery::frustum`](crate::PickQuery::frustum) returns the frustum of a pick.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh, dvec2};
/// use wgpu_gizmo_core::math::{Frustum, Rect};
/// use wgpu_gizmo_core::{View, Viewport};
///
/// let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
/// let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
/// let view = View::new(eye, lens, Viewport::from_size(800, 600), 1.0)?;
/// // 100 pixels around the center of the image: half a world unit to each side.
/// let frustum = Frustum::new(&view, Rect::from_min_size(dvec2(350.0, 250.0), dvec2(100.0, 100.0)));
/// assert!(frustum.may_intersect_sphere(DVec3::X, 0.6));
/// assert!(!frustum.may_intersect_sphere(DVec3::X, 0.4));
/// # Ok::<(), wgpu_gizmo_core::math::ViewError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    /// A point is outside if `plane · (point, 1)` is negative. Normals have unit length; a plane
    /// without a normal, such as one at infinity, is all zeros.
    planes: [DVec4; 6],
    rect_px: Rect,
}

impl Frustum {
    /// Creates the frustum through a rectangle of the render target, from the near to the far
    /// plane of the view.
    ///
    /// The rectangle may extend beyond the viewport.
    pub fn new(view: &View, rect_px: Rect) -> Self {
        let Rect { min, max } = rect_px;
        // Linear forms of the point: pixel x times w, pixel y times w, and w.
        let [px, py, w] = view.px_rows();
        let z = view.clip_from_world().row(2);
        let planes = [
            px - w * min.x,
            w * max.x - px,
            py - w * min.y,
            w * max.y - py,
            // Depth runs from 0 to 1, whichever end is near. Together they imply w > 0.
            z,
            w - z,
        ];
        let unit = |plane: DVec4| {
            let normal = plane.truncate().length();
            // An infinite far plane has no normal, up to rounding.
            let size = w.truncate().length().max(z.truncate().length());
            if normal > 1e-12 * size { plane / normal } else { DVec4::ZERO }
        };
        Self { planes: planes.map(unit), rect_px }
    }

    /// Returns the six planes: left, right, top, bottom, and the ends of the depth range at 0
    /// and at 1.
    ///
    /// A world point is outside a plane if `plane · (point, 1)` is negative. Normals have unit
    /// length. The plane of an end at infinity is all zeros, so every point is inside it.
    pub fn planes(&self) -> &[DVec4; 6] {
        &self.planes
    }

    /// Returns the rectangle of the render target that the frustum was created with.
    pub fn rect_px(&self) -> Rect {
        self.rect_px
    }

    /// Returns false if a sphere, in world units, is certainly outside the frustum.
    ///
    /// The test is conservative: it may return true for a sphere near a corner of the frustum
    /// that does not intersect it.
    pub fn may_intersect_sphere(&self, center_world: DVec3, radius: f64) -> bool {
        self.planes.iter().all(|plane| plane.dot(center_world.extend(1.0)) >= -radius)
    }

    /// Returns false if a world-space, axis-aligned box is certainly outside the frustum.
    ///
    /// The box is given by its minimum and maximum corner. The test is conservative: it may return
    /// true for a box near a corner of the frustum that does not intersect it.
    pub fn may_intersect_box(&self, [low, high]: [DVec3; 2]) -> bool {
        self.planes.iter().all(|plane| {
            // The corner farthest along the normal.
            let farthest = DVec3::select(plane.truncate().cmpge(DVec3::ZERO), high, low);
            plane.dot(farthest.extend(1.0)) >= 0.0
        })
    }
}
