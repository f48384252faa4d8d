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
    /// Maps a world point to homogeneous pixels relative to the cursor: x · w, y · w and w.
    pub(super) offset_from_world: DAffine3,
    /// Pixels per world unit across the view, times w.
    pub(super) px_per_w: f64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(list: &'a DrawList, view: &'a View, ray: &'a Ray, px: DVec2, radius_px: f64) -> Self {
        let [x, y, w] = view.px_rows();
        let (x, y) = (x - w * px.x, y - w * px.y);
        let offset_from_world = DAffine3 {
            matrix3: DMat3::from_cols(x.truncate(), y.truncate(), w.truncate()).transpose(),
            translation: DVec3::new(x.w, y.w, w.w),
        };
        Self { list, view, ray, px, radius_px, offset_from_world, px_per_w: view.px_per_w() }
    }
}
