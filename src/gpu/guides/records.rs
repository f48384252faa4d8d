//! Guides in the layout of their shader.

use crate::draw::{GuideGrid, GuideVertex};
use glam::{DMat3, DVec2, DVec3};
use std::mem::size_of;

/// Four [`GuideVertex`]es in the layout of the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(in crate::gpu) struct Quad {
    /// The corners in NDC.
    pub(in crate::gpu) corners: [[f32; 2]; 4],
    /// Half floats, in pixels: the distance from the center line on the first and the second side of the
    /// stroke, half of its width, and the width of its halo.
    pub(in crate::gpu) across: [u16; 4],
    /// The colors at its start and its end.
    pub(in crate::gpu) colors: [[u8; 4]; 2],
}

/// The vertex buffer layout of [`Quad`].
pub(in crate::gpu) const GUIDE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Quad>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float16x4, 3 => Unorm8x4, 4 => Unorm8x4,
    ],
};

/// A [`GuideGrid`] in the layout of the shader, which expands it into strokes.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(in crate::gpu) struct GridRecord {
    /// The homogeneous NDC (x, y, w) of its center, and their changes along its axes.
    pub(in crate::gpu) middle: [f32; 3],
    pub(in crate::gpu) axes: [[f32; 3]; 2],
    /// The offset of the first line across each axis, and the distance between lines.
    pub(in crate::gpu) lines: [f32; 3],
    /// The number of lines across the first axis.
    pub(in crate::gpu) across_first: u32,
    /// The size of the viewport that it is drawn in.
    pub(in crate::gpu) size_px: [f32; 2],
    /// Half of the width of a line, and the width of its halo.
    pub(in crate::gpu) width: [f32; 2],
    pub(in crate::gpu) color: [f32; 4],
}

/// The vertex buffer layout of [`GridRecord`].
pub(in crate::gpu) const GRID_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<GridRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3,
        4 => Uint32, 5 => Float32x2, 6 => Float32x2, 7 => Float32x4,
    ],
};

/// Strokes per line of a grid.
pub(in crate::gpu) const GRID_PIECES: u32 = 6;

impl GridRecord {
    /// `ndc_from_px` is the scale and the offset of both coordinates.
    pub(super) fn new(grid: &GuideGrid, [scale, shift]: [DVec2; 2], size_px: DVec2) -> Self {
        let ndc_from_px = DMat3::from_cols(DVec3::X * scale.x, DVec3::Y * scale.y, shift.extend(1.0));
        let plane = ndc_from_px * grid.px_from_plane;
        // Scaled so that `f32` can represent it, whatever the unit of w in the view.
        let largest_w = plane.row(2).abs().max_element();
        let [a, b, middle] =
            [plane.x_axis, plane.y_axis, plane.z_axis].map(|v| (v / largest_w).as_vec3().to_array());
        let [first_a, first_b] = grid.first;
        Self {
            middle,
            axes: [a, b],
            lines: [first_a, first_b, grid.spacing].map(|length| length as f32),
            across_first: grid.lines[0],
            size_px: size_px.as_vec2().to_array(),
            width: [grid.half_width_px, grid.halo_px],
            color: grid.color,
        }
    }
}

impl Quad {
    /// `ndc_from_px` is the scale and the offset of both coordinates.
    pub(super) fn new(corners: &[GuideVertex; 4], [scale, shift]: [DVec2; 2]) -> Self {
        let [a, b, c, _] = corners;
        let ndc = |corner: &GuideVertex| {
            let [x, y] = corner.position_px;
            (DVec2::new(x.into(), y.into()) * scale + shift).as_vec2().to_array()
        };
        let [first, half, halo] = a.across_px;
        Self {
            corners: corners.each_ref().map(ndc),
            across: [first, b.across_px[0], half, halo].map(half_float),
            colors: [a.color, c.color].map(|color| color.map(|part| (255.0 * part).round() as u8)),
        }
    }
}

/// Returns the nearest half-precision number; numbers beyond the range are clamped.
fn half_float(number: f32) -> u16 {
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let bits = number.abs().min(65504.0).to_bits();
    // Below 2^-14 there are only multiples of 2^-24.
    if bits < 0x3880_0000 {
        return sign | (number.abs() * 16_777_216.0).round() as u16;
    }
    // Drops 13 bits, rounding to nearest, and lowers the bias of the exponent by 112.
    sign | ((bits + 0xfff + (bits >> 13 & 1) - (112 << 23)) >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::half_float;

    #[test]
    fn halves_are_the_nearest_there_are() {
        let float = |half: u16| {
            let (exponent, digits) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
            let size = match exponent {
                0 => digits * 2f64.powi(-24),
                _ => (1024.0 + digits) * 2f64.powi(exponent - 25),
            };
            if half & 0x8000 == 0 { size } else { -size }
        };
        for (number, half) in [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (1e9, 0x7bff)] {
            assert_eq!(half_float(number), half, "{number}");
        }
        for i in 1..20_000u16 {
            let number = f32::from(i) * 0.0031;
            let half = half_float(number);
            let off = |half: u16| (float(half) - f64::from(number)).abs();
            assert!(off(half) <= off(half - 1) && off(half) <= off(half + 1), "{number}: {}", float(half));
        }
    }
}
