use crate::draw::DrawList;
use crate::math::{Ray, View};
use glam::{DAffine3, DMat3, DVec2, DVec3};

/// The cursor of a pick on the CPU, in its view.
pub(super) struct Cursor<'a> {
    pub(super) list: &'a DrawList,
    pub(super) view: &'a View,
    pub(super) ray: &'a Ray,
    pub(super) px: DVec2,
    pub(super) radius_px: f64,
    /// The matrix from a world point to its homogeneous pixel: x and y times w, and w.
    pub(super) px_from_world: DAffine3,
    /// The length in pixels, times w, of a world unit across the view.
    pub(super) px_per_w: f64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(list: &'a DrawList, view: &'a View, ray: &'a Ray, px: DVec2, radius_px: f64) -> Self {
        let [x, y, w] = view.px_rows();
        let px_from_world = DAffine3 {
            matrix3: DMat3::from_cols(x.truncate(), y.truncate(), w.truncate()).transpose(),
            translation: DVec3::new(x.w, y.w, w.w),
        };
        Self { list, view, ray, px, radius_px, px_from_world, px_per_w: view.px_per_w() }
    }
}
