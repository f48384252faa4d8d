use crate::draw::item::{Halo, Item, RingHalves};
use crate::draw::list::DrawList;
use crate::draw::order::PaintLayer;
use crate::handle::{HandleMesh, Priority, Rgba};
use crate::math::{DepthDirection, Rect};
use crate::pick::IdRange;
use glam::{DAffine3, DMat4, DVec2, DVec3};
use std::num::NonZeroU32;

/// Where meshes are fixed on screen: a parallel projection around a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenPlacement {
    /// The pixel of the origin of the meshes, rounded to the corner of a pixel.
    pub center_px: DVec2,
    /// A point `p` of a mesh is `right · p` pixels to the right of the center.
    pub right: DVec3,
    /// A point `p` of a mesh is `down · p` pixels below the center.
    pub down: DVec3,
    /// A rectangle that contains all meshes, in physical pixels of the render target.
    pub bounds_px: Rect,
}

/// A mesh in one color, without shading.
#[derive(Debug, Clone, Copy)]
pub struct ScreenMesh<'a> {
    /// The mesh.
    pub mesh: &'a HandleMesh,
    /// The sRGB color, not premultiplied.
    pub color: Rgba,
    /// The id that picks find, or `None` if it cannot be picked.
    pub id: Option<NonZeroU32>,
}

impl DrawList {
    /// Adds meshes that are fixed on screen, such as a navigation cube, in the order of painting. They are behind all
    /// gizmos, and only what is exactly under the pointer is picked. `ids` is the range that their ids are from. A list
    /// without a view stays as it is, and so does every list if a number of the placement is not finite.
    ///
    /// ```
    /// use wgpu_gizmo_core::draw::parts::{ScreenMesh, ScreenPlacement};
    /// use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3, dvec2};
    /// use wgpu_gizmo_core::handle::HandleMesh;
    /// use wgpu_gizmo_core::math::Rect;
    /// use wgpu_gizmo_core::{DrawList, IdSpace, View, Viewport};
    ///
    /// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(200, 100), 1.0)?;
    /// let ids = IdSpace::new().allocate_for_handles(1)?;
    /// let ball = ScreenMesh { mesh: &HandleMesh::ball(), color: [1.0; 4], id: Some(ids.first()) };
    /// let placement = ScreenPlacement {
    ///     center_px: dvec2(100.0, 50.0),
    ///     right: DVec3::X * 10.0,
    ///     down: DVec3::NEG_Y * 10.0,
    ///     bounds_px: Rect { min: DVec2::new(90.0, 40.0), max: DVec2::new(110.0, 60.0) },
    /// };
    /// let mut list = DrawList::new();
    /// list.begin(&view).push_meshes(ids, &placement, [ball]);
    /// assert_eq!(list.pick(dvec2(105.0, 50.0), 0.0), Some(ids.first()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_meshes<'a>(
        &mut self,
        ids: IdRange,
        placement: &ScreenPlacement,
        meshes: impl IntoIterator<Item = ScreenMesh<'a>>,
    ) {
        let Some(view) = self.view().copied() else { return };
        let near = match view.depth_direction() {
            DepthDirection::Standard => 0.0,
            DepthDirection::Reversed => 1.0,
        };
        let ScreenPlacement { center_px, right, down, bounds_px } = *placement;
        let Rect { min, max } = bounds_px;
        let is_finite = right.is_finite() && down.is_finite();
        if !(is_finite && [center_px, min, max].iter().all(|px| px.is_finite())) {
            return;
        }
        let (z, w) = (DVec3::ZERO.extend(near), DVec3::ZERO.extend(1.0));
        let px_from_part = DMat4::from_cols(right.extend(0.0), down.extend(0.0), z, w).transpose();
        self.record_id_space(ids.space());
        self.begin_gizmo(f64::INFINITY);
        for (count, ScreenMesh { mesh, color, id }) in (0..).zip(meshes) {
            let mesh = self.keep(mesh);
            let item = Item {
                mesh,
                world_from_part: DAffine3::IDENTITY,
                anchor_px: center_px.round(),
                px_from_part,
                pivot_w: 1.0,
                to_eye: -view.forward(),
                to_light: -view.forward(),
                half_width_px: 0.0,
                grown_px: 0.0,
                radius_px: 0.0,
                halves: RingHalves::None,
                color,
                fill_opacity: 1.0,
                halo: Halo::NONE,
                rim: None,
                is_head: false,
                id,
                handle_id: id.unwrap_or(ids.first()),
                priority: Priority::Trackball,
            };
            self.push(item, PaintLayer::Inside, f64::from(count));
        }
        self.end_gizmo(bounds_px);
    }
}
