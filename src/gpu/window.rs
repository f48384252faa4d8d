use crate::draw::{DrawList, GizmoSpan, Item, VisiblePieces};
use crate::math::{ProjectedBox, Rect, View};
use glam::{DMat4, DVec2, DVec3, DVec4, Mat4};

/// How a rectangle of a view is rendered into a tile.
///
/// ```no_run
/// use wgpu_gizmo::gpu::{GpuError, Picker, TileMode};
/// use wgpu_gizmo::wgpu;
///
/// fn picker(device: &wgpu::Device) -> Result<Picker, GpuError> {
///     Ok(Picker::new(device)?.with_tile_mode(TileMode::Cropped))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TileMode {
    /// Shifts the viewport of the view by the origin of the tile. Shader and matrices are those of the
    /// full frame, so the pixels are equal.
    #[default]
    Shifted,
    /// Multiplies the matrices by one that stretches the rectangle over the tile, for views that exceed
    /// the maximum viewport. Some edge pixels differ from those of the full frame.
    Cropped,
}

/// A rectangle of pixels of the host's render target that is rendered separately. It may extend beyond
/// the render target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// The column and row of the first pixel in the render target.
    pub(super) origin: [i64; 2],
    pub(super) size: [u32; 2],
}

/// The state that renders a view into a [`Window`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TileView {
    /// x, y, width and height, in texels of the window.
    viewport: [f32; 4],
    /// The part of the window inside the viewport of the view, in the same units.
    scissor: [u32; 4],
    /// The origin of the window.
    origin: [i64; 2],
    /// The matrix to apply after every matrix of the view.
    pub(super) clip_from_clip: DMat4,
}

/// The maximum coordinate of a pixel, so that sums cannot overflow.
const MAX_PX: f64 = (1i64 << 40) as f64;

/// Returns the first pixel whose center is in the viewport, and one past the last.
pub(super) fn viewport_pixels(view: &View) -> [[i64; 2]; 2] {
    let v = view.viewport();
    let pixel = |edge: f64| (edge - 0.5).ceil().clamp(-MAX_PX, MAX_PX) as i64;
    [[pixel(v.x), pixel(v.y)], [pixel(v.x + v.width), pixel(v.y + v.height)]]
}

/// Returns the viewport of the view relative to a pixel of the render target, as x, y, width and height,
/// or `None` if it exceeds the bounds of WebGPU. `limit` is the device's `max_texture_dimension_2d`.
pub(super) fn viewport_on_device(view: &View, [ox, oy]: [f64; 2], limit: u32) -> Option<[f32; 4]> {
    let v = view.viewport();
    let limit = f64::from(limit);
    let fits = |low: f64, side: f64| side <= limit && low >= -2.0 * limit && low + side <= 2.0 * limit - 1.0;
    let [x, y] = [v.x - ox, v.y - oy];
    (fits(x, v.width) && fits(y, v.height)).then_some([x, y, v.width, v.height].map(|n| n as f32))
}

/// Sets the viewport of a pass to x, y, width and height, with the whole depth range.
pub(super) fn set_viewport(pass: &mut wgpu::RenderPass<'_>, [x, y, width, height]: [f32; 4]) {
    pass.set_viewport(x, y, width, height, 0.0, 1.0);
}

/// Returns the pixel that contains a point, or `None` if the point is too far away.
pub(super) fn pixel_at(px: DVec2) -> Option<[i64; 2]> {
    let floor = px.floor();
    (floor.abs().max_element() < MAX_PX).then_some([floor.x as i64, floor.y as i64])
}

impl Window {
    /// Sets the viewport of a pass over the host's render target to the window.
    pub(super) fn set_viewport(&self, pass: &mut wgpu::RenderPass<'_>) {
        let ([x, y], [width, height]) = (self.origin, self.size);
        set_viewport(pass, [x as f32, y as f32, width as f32, height as f32]);
    }

    /// Returns the square around a pixel. `side` must be odd.
    pub(super) fn around([x, y]: [i64; 2], side: u32) -> Self {
        let half = i64::from(side / 2);
        Self { origin: [x - half, y - half], size: [side, side] }
    }

    /// Returns the pixels of a rectangle that are in the viewport of the view, with sides of at most
    /// `limit`, or `None` if there are none.
    pub(super) fn enclosing(rect_px: Rect, view: &View, limit: u32) -> Option<Self> {
        let [first, end] = viewport_pixels(view);
        let [Some(low), Some(high)] = [rect_px.min, rect_px.max.ceil()].map(pixel_at) else { return None };
        let origin = [low[0].max(first[0]), low[1].max(first[1])];
        let size = [0, 1].map(|i| (high[i].min(end[i]) - origin[i]).clamp(0, limit.into()) as u32);
        // No render target extends beyond the range of viewports.
        let range = 2 * i64::from(limit);
        let fits = |i: usize| size[i] > 0 && origin[i] >= -range && origin[i] + i64::from(size[i]) < range;
        (fits(0) && fits(1)).then_some(Self { origin, size })
    }

    /// Returns the state that renders the view into this window. If the shifted viewport exceeds `limit`
    /// (`max_texture_dimension_2d`), the tile is cropped.
    pub(super) fn place(&self, view: &View, mode: TileMode, limit: u32) -> TileView {
        let v = view.viewport();
        let origin = self.origin;
        let [ox, oy] = origin.map(|o| o as f64);
        let [width, height] = self.size.map(f64::from);
        let scissor = self.scissor(view);
        let shifted = viewport_on_device(view, [ox, oy], limit).filter(|_| mode == TileMode::Shifted);
        if let Some(viewport) = shifted {
            return TileView { viewport, scissor, origin, clip_from_clip: DMat4::IDENTITY };
        }
        // px = v.x + (x + 1) v.width / 2 must become 2 (px − ox) / width − 1; y is reversed.
        let stretch = DVec2::new(v.width / width, v.height / height);
        let shift = DVec2::new(
            (2.0 * (v.x - ox) + v.width) / width - 1.0,
            1.0 - (2.0 * (v.y - oy) + v.height) / height,
        );
        let clip_from_clip = DMat4::from_cols(
            DVec4::X * stretch.x,
            DVec4::Y * stretch.y,
            DVec4::Z,
            shift.extend(0.0).extend(1.0),
        );
        TileView { viewport: [0.0, 0.0, width as f32, height as f32], scissor, origin, clip_from_clip }
    }

    fn scissor(&self, view: &View) -> [u32; 4] {
        let [first, end] = viewport_pixels(view);
        let low = [0, 1].map(|i| (first[i] - self.origin[i]).clamp(0, self.size[i].into()) as u32);
        let high = [0, 1].map(|i| (end[i] - self.origin[i]).clamp(0, self.size[i].into()) as u32);
        [low[0], low[1], high[0].saturating_sub(low[0]), high[1].saturating_sub(low[1])]
    }
}

impl TileView {
    /// Returns false if no part of a gizmo can be in the rendered texels.
    pub(super) fn may_show(&self, gizmo: &GizmoSpan) -> bool {
        let [x, y, width, height] = self.scissor.map(f64::from);
        let origin = DVec2::new(self.origin[0] as f64, self.origin[1] as f64);
        // A margin of one texel.
        let low = origin + DVec2::new(x, y) - 1.0;
        let high = origin + DVec2::new(x + width, y + height) + 1.0;
        let Rect { min, max } = gizmo.bounds_px;
        !(max.cmplt(low).any() || min.cmpgt(high).any())
    }

    /// Returns the pieces of a part that can be in the rendered texels.
    pub(super) fn visible_pieces(&self, list: &DrawList, item: &Item) -> VisiblePieces {
        let mut clip_from_part = Mat4::from_cols_array_2d(&item.instance.clip_from_part).as_dmat4();
        if self.clip_from_clip != DMat4::IDENTITY {
            clip_from_part = self.clip_from_clip * clip_from_part;
        }
        list.visible_pieces(item, |bounds| self.may_intersect(clip_from_part, bounds))
    }

    /// Returns false if a box in the space of a part is certainly outside of the rendered texels.
    fn may_intersect(&self, clip_from_part: DMat4, [center, half]: [DVec3; 2]) -> bool {
        let rows = [0, 1, 3].map(|i| clip_from_part.row(i));
        let projected = ProjectedBox {
            center: DVec3::from_array(rows.map(|row| row.dot(center.extend(1.0)))),
            half: rows.map(|row| row.truncate() * half),
        };
        let min_w = projected.min_w();
        // Close to the eye, sizes in pixels mean little.
        if min_w.is_nan() || min_w < 0.05 * projected.center.z {
            return true;
        }
        // The NDC of the scissor rectangle, with a margin of one texel.
        let [x, y, width, height] = self.viewport.map(f64::from);
        let [left, top, columns, rows] = self.scissor.map(f64::from);
        let ndc_x = |texel: f64| 2.0 * (texel - x) / width - 1.0;
        let ndc_y = |texel: f64| 1.0 - 2.0 * (texel - y) / height;
        let low = DVec2::new(ndc_x(left - 1.0), ndc_y(top + rows + 1.0));
        let high = DVec2::new(ndc_x(left + columns + 1.0), ndc_y(top - 1.0));
        !projected.is_outside(Rect { min: low, max: high })
    }

    /// Restricts rendering to texels within `reach` of the center of a window with odd sides, because no
    /// other texel is read.
    pub(super) fn within(mut self, window: &Window, reach: u32) -> Self {
        for i in [0, 1] {
            let center = window.size[i] / 2;
            let low = self.scissor[i].max(center.saturating_sub(reach));
            let high = (self.scissor[i] + self.scissor[i + 2]).min(center.saturating_add(reach) + 1);
            (self.scissor[i], self.scissor[i + 2]) = (low, high.saturating_sub(low));
        }
        self
    }

    pub(super) fn apply(&self, pass: &mut wgpu::RenderPass<'_>) {
        set_viewport(pass, self.viewport);
        let [x, y, width, height] = self.scissor;
        pass.set_scissor_rect(x, y, width, height);
    }
}
