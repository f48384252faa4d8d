use crate::math::{Rect, View};
use glam::{DMat4, DVec2, DVec4};

/// The way in which a rectangle of a view is rendered into a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TileMode {
    /// Shifts the viewport of the view by the origin of the tile. The matrices are the same as for the full frame.
    Shifted,
    /// The same if the viewport is inside of the tile, and otherwise cropped.
    ShiftedInside,
    /// Multiplies the matrices by one that stretches the rectangle over the tile. Some edge pixels differ from those
    /// of the full frame.
    Cropped,
}

impl TileMode {
    /// Returns true if a tile has this viewport, and false if it is cropped. `limit` is the device's
    /// `max_texture_dimension_2d`.
    pub(crate) fn shifts(self, viewport: Rect, tile: Rect, limit: u32) -> bool {
        let is_inside = viewport.min.cmpge(tile.min).all() && viewport.max.cmple(tile.max).all();
        match self {
            Self::Shifted => is_on_device(viewport, limit),
            Self::ShiftedInside => is_inside,
            Self::Cropped => false,
        }
    }
}

/// A rectangle of pixels of the host's render target that is rendered by itself. It may extend beyond the
/// render target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PixelRect {
    /// The column and row of the first pixel in the render target.
    pub(crate) origin: [i64; 2],
    pub(crate) size: [u32; 2],
}

/// The state that renders a view into a [`PixelRect`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TileView {
    /// x, y, width and height, in texels of the rectangle.
    viewport: [f32; 4],
    /// The part of the rectangle inside the viewport of the view, in the same units.
    scissor: [u32; 4],
    pub(crate) pixels: PixelRect,
    /// The matrix to apply after every matrix of the view.
    pub(crate) clip_from_clip: DMat4,
}

/// The maximum coordinate of a pixel, so that sums cannot overflow.
pub(crate) const MAX_PX: i64 = 1 << 40;

/// Returns the first pixel whose center is in the viewport, and one past the last.
pub(crate) fn viewport_pixels(view: &View) -> [[i64; 2]; 2] {
    let v = view.viewport();
    let pixel = |edge: f64| ((edge - 0.5).ceil() as i64).clamp(-MAX_PX, MAX_PX);
    [[pixel(v.x), pixel(v.y)], [pixel(v.x + v.width), pixel(v.y + v.height)]]
}

/// Returns true if a viewport is within the bounds of WebGPU. `limit` is the device's `max_texture_dimension_2d`.
pub(crate) fn is_on_device(viewport: Rect, limit: u32) -> bool {
    let limit = DVec2::splat(limit.into());
    viewport.size().cmple(limit).all()
        && viewport.min.cmpge(-2.0 * limit).all()
        && viewport.max.cmple(2.0 * limit - 1.0).all()
}

/// Returns the viewport of the view as x, y, width and height, or `None` if it exceeds the bounds of WebGPU.
pub(crate) fn viewport_on_device(view: &View, limit: u32) -> Option<[f32; 4]> {
    let v = view.viewport();
    is_on_device(v.rect(), limit).then_some([v.x, v.y, v.width, v.height].map(|n| n as f32))
}

/// Sets the viewport of a pass to x, y, width and height, with the whole depth range.
pub(crate) fn set_viewport(pass: &mut wgpu::RenderPass<'_>, [x, y, width, height]: [f32; 4]) {
    pass.set_viewport(x, y, width, height, 0.0, 1.0);
}

/// Returns the pixel that contains a point, or `None` if the point is too far away.
pub(crate) fn pixel_at(px: DVec2) -> Option<[i64; 2]> {
    let floor = px.floor();
    (floor.abs().max_element() < MAX_PX as f64).then_some([floor.x as i64, floor.y as i64])
}

impl PixelRect {
    /// Sets the viewport of a pass over the host's render target to the rectangle.
    pub(crate) fn set_viewport(&self, pass: &mut wgpu::RenderPass<'_>) {
        let ([x, y], [width, height]) = (self.origin, self.size);
        set_viewport(pass, [x as f32, y as f32, width as f32, height as f32]);
    }

    /// Returns the square around a pixel. `side` must be odd.
    pub(crate) fn around([x, y]: [i64; 2], side: u32) -> Self {
        let half = i64::from(side / 2);
        Self { origin: [x - half, y - half], size: [side, side] }
    }

    /// Returns the pixels of a view on the host's render target, or `None` if there are none.
    pub(crate) fn of_view(view: &View, limit: u32) -> Option<Self> {
        // Pixels left of or above the render target cannot be visible.
        let Rect { min, max } = view.viewport().rect();
        Self::enclosing(Rect { min: min.max(DVec2::ZERO), max }, view, limit)
    }

    /// Returns the corner of the first pixel.
    pub(crate) fn origin_px(&self) -> DVec2 {
        DVec2::new(self.origin[0] as f64, self.origin[1] as f64)
    }

    pub(crate) fn size_px(&self) -> DVec2 {
        DVec2::new(self.size[0].into(), self.size[1].into())
    }

    /// Returns the pixels of a rectangle that are in the viewport of the view, with sides of at most
    /// `limit`, or `None` if there are none.
    pub(crate) fn enclosing(rect_px: Rect, view: &View, limit: u32) -> Option<Self> {
        let [first, end] = viewport_pixels(view);
        let [Some(low), Some(high)] = [rect_px.min, rect_px.max.ceil()].map(pixel_at) else { return None };
        let origin = [low[0].max(first[0]), low[1].max(first[1])];
        let size = [0, 1].map(|i| (high[i].min(end[i]) - origin[i]).clamp(0, limit.into()) as u32);
        // No render target extends beyond the range of viewports.
        let range = 2 * i64::from(limit);
        let fits = |i: usize| size[i] > 0 && origin[i] >= -range && origin[i] + i64::from(size[i]) < range;
        (fits(0) && fits(1)).then_some(Self { origin, size })
    }

    /// Returns the state that renders the view into this rectangle. `limit` is the device's
    /// `max_texture_dimension_2d`.
    pub(crate) fn place(&self, view: &View, mode: TileMode, limit: u32) -> TileView {
        let Rect { min, max } = view.viewport().rect();
        let origin = self.origin_px();
        // OpenGL drops the fractions of a viewport. So the viewport has whole pixels, and the matrix the rest, which is
        // the same for all tiles.
        let whole = Rect { min: min.floor() - origin, max: max.ceil() - origin };
        let tile = Rect { min: DVec2::ZERO, max: self.size_px() };
        let viewport = if mode.shifts(whole, tile, limit) { whole } else { tile };
        // px = min + (x + 1) size / 2 must become 2 (px − viewport.min) / viewport.size − 1; y is reversed.
        let stretch = (max - min) / viewport.size();
        let center = 2.0 * (min - (viewport.min + origin)) / viewport.size() + stretch - 1.0;
        let clip_from_clip = DMat4::from_cols(
            DVec4::X * stretch.x,
            DVec4::Y * stretch.y,
            DVec4::Z,
            DVec4::new(center.x, -center.y, 0.0, 1.0),
        );
        let [x, y] = viewport.min.as_vec2().to_array();
        let [width, height] = viewport.size().as_vec2().to_array();
        TileView {
            viewport: [x, y, width, height],
            scissor: self.scissor(view),
            pixels: *self,
            clip_from_clip,
        }
    }

    fn scissor(&self, view: &View) -> [u32; 4] {
        let [first, end] = viewport_pixels(view);
        let low = [0, 1].map(|i| (first[i] - self.origin[i]).clamp(0, self.size[i].into()) as u32);
        let high = [0, 1].map(|i| (end[i] - self.origin[i]).clamp(0, self.size[i].into()) as u32);
        [low[0], low[1], high[0].saturating_sub(low[0]), high[1].saturating_sub(low[1])]
    }
}

impl TileView {
    /// Returns the pixels that handles are drawn into.
    pub(crate) fn grid(&self) -> PixelGrid {
        let [x, y, width, height] = self.scissor.map(f64::from);
        let origin = self.pixels.origin_px();
        let min = origin + DVec2::new(x, y);
        PixelGrid {
            attachment_px: origin,
            viewport_px: origin,
            ndc_per_px: NDC_SIZE / self.pixels.size_px(),
            visible_px: Rect { min, max: min + DVec2::new(width, height) },
        }
    }

    /// Restricts rendering to texels within `reach` of the center of a rectangle with odd sides, because no
    /// other texel is read.
    pub(crate) fn within(mut self, pixels: &PixelRect, reach: u32) -> Self {
        for i in [0, 1] {
            let center = pixels.size[i] / 2;
            let low = self.scissor[i].max(center.saturating_sub(reach));
            let high = (self.scissor[i] + self.scissor[i + 2]).min(center.saturating_add(reach) + 1);
            (self.scissor[i], self.scissor[i + 2]) = (low, high.saturating_sub(low));
        }
        self
    }

    pub(crate) fn apply(&self, pass: &mut wgpu::RenderPass<'_>) {
        set_viewport(pass, self.viewport);
        let [x, y, width, height] = self.scissor;
        pass.set_scissor_rect(x, y, width, height);
    }

    /// Sets the viewport and the scissor for handles, whose positions are in pixels of the tile.
    pub(crate) fn apply_to_handles(&self, pass: &mut wgpu::RenderPass<'_>) {
        let [width, height] = self.pixels.size.map(|side| side as f32);
        set_viewport(pass, [0.0, 0.0, width, height]);
        let [x, y, width, height] = self.scissor;
        pass.set_scissor_rect(x, y, width, height);
    }
}

/// The size of a viewport in NDC, where up is positive.
const NDC_SIZE: DVec2 = DVec2::new(2.0, -2.0);

/// The pixels that handles are drawn into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PixelGrid {
    /// The pixel of the host's render target at which the attachment begins.
    attachment_px: DVec2,
    /// The origin of the viewport of the pass, and the change of NDC per pixel. Pixels run down and NDC runs up.
    viewport_px: DVec2,
    ndc_per_px: DVec2,
    /// The pixels that are visible.
    visible_px: Rect,
}

impl PixelGrid {
    /// Returns the pixels of a rectangle of the host's render target itself.
    pub(crate) fn on_target(pixels: &PixelRect) -> Self {
        let [origin, size] = [pixels.origin_px(), pixels.size_px()];
        let visible_px = Rect::from_min_size(origin, size);
        Self { attachment_px: DVec2::ZERO, viewport_px: origin, ndc_per_px: NDC_SIZE / size, visible_px }
    }

    /// Returns the pixel of the attachment.
    pub(crate) fn attachment_px(&self, px: DVec2) -> DVec2 {
        px - self.attachment_px
    }

    /// Returns the change of NDC per pixel.
    pub(crate) fn ndc_per_px(&self) -> DVec2 {
        self.ndc_per_px
    }

    pub(crate) fn ndc(&self, px: DVec2) -> DVec2 {
        (px - self.viewport_px) * self.ndc_per_px + DVec2::new(-1.0, 1.0)
    }

    pub(crate) fn visible_px(&self) -> &Rect {
        &self.visible_px
    }

    /// Returns false if nothing in a rectangle is visible.
    pub(crate) fn may_show(&self, rect_px: &Rect) -> bool {
        self.visible_px.touches(rect_px, 1.0)
    }

    /// Returns false if nothing in a rectangle is visible, given as its center, from the anchor, and its half axes.
    pub(crate) fn may_show_around(&self, anchor_px: DVec2, [center, u, v]: [DVec2; 3]) -> bool {
        let (center, half) = (anchor_px + center, u.abs() + v.abs());
        self.may_show(&Rect { min: center - half, max: center + half })
    }
}
