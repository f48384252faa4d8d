//! Guides: anti-aliased strokes and fills in pixel space, drawn in addition to the handles.
//!
//! Guides cannot be picked and are not in the ID image. `clip` finds the visible part of a line, the painter
//! makes quads of it, and `lines` and `sector` are the figures that drags show.

mod clip;
mod lines;
mod painter;
mod sector;

pub(crate) use clip::clip_line;
pub(crate) use lines::{
    AxisGuide, AxisTicks, axis_line, axis_ticks, brought_together, foot_on_axis, nice_length, parallelogram,
    start_ghost, tick,
};
pub use painter::GuidePainter;
pub(crate) use sector::{Sector, sector, snap_ticks};

use crate::handle::Rgba;

/// A vertex of a guide. Every four consecutive vertices are one quad, with the triangles 0, 1, 2
/// and 0, 2, 3.
///
/// The quad is a piece of a stroke. Vertices 0 and 1 are at its start and have one color, and
/// vertices 2 and 3 are at its end. Vertices 0 and 3 are on one side of the stroke and have the same
/// `across_px`, and vertices 1 and 2 are on the other side; a stroke that ends in a point has equal vertices 2
/// and 3. A fragment is covered if the interpolated
/// `across_px[0]` is within half of the stroke width of 0. This edge is anti-aliased over half a
/// pixel on either side.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct GuideVertex {
    /// The position in physical pixels of the render target.
    pub position_px: [f32; 2],
    /// The signed distance from the center line of the stroke, half of the width of the stroke,
    /// and the width of the dark halo around it, in physical pixels.
    pub across_px: [f32; 3],
    /// The sRGB color, not premultiplied.
    pub color: Rgba,
}

/// The color and width of a stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrokeStyle {
    /// The sRGB color, not premultiplied.
    pub color: Rgba,
    /// The width in logical pixels.
    pub width_lpx: f32,
}

impl StrokeStyle {
    /// Returns the style with this factor on its opacity.
    #[must_use]
    pub fn faded(self, by: f32) -> Self {
        Self { color: faded(self.color, by), ..self }
    }
}

pub(crate) fn faded([r, g, b, a]: Rgba, by: f32) -> Rgba {
    [r, g, b, a * by]
}

/// Lines are clipped this far outside the viewport, in physical pixels, which is more than any width.
pub(crate) const MARGIN_PX: f64 = 16.0;
/// The opacity of the black halo of a stroke and of grid lines; the shader has the same. It is less than around
/// handles, which are thicker.
pub(crate) const HALO_OPACITY: f64 = 0.45;
/// The width of the halo of a stroke, in logical pixels.
pub(super) const HALO_LPX: f64 = 0.75;
