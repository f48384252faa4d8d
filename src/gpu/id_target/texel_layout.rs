//! The layout of the texels of the ID image.

use crate::gpu::device::readback::ROW_ALIGNMENT;
use wgpu::{ColorTargetState, ColorWrites, TextureFormat};

/// The color textures that hold the ids and the bits of their depths.
///
/// The depths are in a color texture because a copy of a depth texture must cover all of it and is not supported
/// by every backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TexelLayout {
    /// Two textures of one component each.
    Separate,
    /// One texture with the components id, depth bits, 0, 0. WebGL and OpenGL ES 3.0 may refuse to read back one
    /// component of integers, but never four.
    Packed,
}

const SEPARATE: &[Option<ColorTargetState>] =
    &[target(TextureFormat::R32Uint), target(TextureFormat::R32Uint)];
const PACKED: &[Option<ColorTargetState>] = &[target(TextureFormat::Rgba32Uint)];

/// Returns a target without blending.
const fn target(format: TextureFormat) -> Option<ColorTargetState> {
    Some(ColorTargetState { format, blend: None, write_mask: ColorWrites::ALL })
}

/// The texels of a tile in the words that were read back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TexelWords<'a> {
    pub(crate) ids: &'a [u32],
    pub(crate) depth_bits: &'a [u32],
    /// The number of words from one texel to the next.
    pub(crate) step: usize,
    /// The number of words from one row to the next.
    pub(crate) stride: usize,
}

impl TexelLayout {
    /// Returns the layout for a device: packed if it has the limits of WebGL2 or OpenGL ES 3.0, which have no
    /// compute shaders.
    pub(crate) fn of(device: &wgpu::Device) -> Self {
        let has_compute = device.limits().max_compute_workgroups_per_dimension > 0;
        if has_compute { Self::Separate } else { Self::Packed }
    }

    /// Returns the color targets of pipelines that write ids.
    pub(crate) fn color_targets(self) -> &'static [Option<ColorTargetState>] {
        match self {
            Self::Separate => SEPARATE,
            Self::Packed => PACKED,
        }
    }

    /// Returns the format of the texture with the ids, and of that with the depth bits if there are two.
    pub(crate) fn format(self) -> TextureFormat {
        match self {
            Self::Separate => TextureFormat::R32Uint,
            Self::Packed => TextureFormat::Rgba32Uint,
        }
    }

    /// Returns the number of words per texel of each texture.
    fn step(self) -> usize {
        match self {
            Self::Separate => 1,
            Self::Packed => 4,
        }
    }

    /// Returns the number of bytes from one row to the next in a copy of a texture.
    pub(crate) fn row_bytes(self, width: u32) -> u64 {
        (4 * self.step() as u64 * u64::from(width)).next_multiple_of(ROW_ALIGNMENT)
    }

    /// Returns the number of bytes that a copy of all textures takes.
    pub(crate) fn copied_bytes(self, [width, height]: [u32; 2]) -> u64 {
        self.color_targets().len() as u64 * self.row_bytes(width) * u64::from(height)
    }

    /// Finds the texels in a copy of the textures, one after the other.
    pub(crate) fn texels(self, words: &[u32], width: u32) -> TexelWords<'_> {
        let (ids, depth_bits) = match self {
            Self::Separate => words.split_at(words.len() / 2),
            Self::Packed => (words, words.get(1..).unwrap_or_default()),
        };
        TexelWords { ids, depth_bits, step: self.step(), stride: (self.row_bytes(width) / 4) as usize }
    }
}

impl TexelWords<'_> {
    /// Returns the ids and the depth bits without gaps, of this many columns.
    pub(crate) fn rows(&self, width: u32) -> [Vec<u32>; 2] {
        [self.ids, self.depth_bits].map(|words| {
            let rows = words.chunks(self.stride);
            rows.flat_map(|row| row.iter().step_by(self.step).take(width as usize)).copied().collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_of_both_layouts_are_equal() {
        let (ids, depths) = (vec![1, 2, 3, 4, 5, 6], vec![10, 20, 30, 40, 50, 60]);
        for layout in [TexelLayout::Separate, TexelLayout::Packed] {
            let mut words = vec![9; layout.copied_bytes([3, 2]) as usize / 4];
            let stride = layout.row_bytes(3) as usize / 4;
            for (index, (id, depth)) in ids.iter().zip(&depths).enumerate() {
                let texel = index / 3 * stride;
                match layout {
                    TexelLayout::Separate => {
                        words[texel + index % 3] = *id;
                        words[2 * stride + texel + index % 3] = *depth;
                    }
                    TexelLayout::Packed => {
                        words[texel + 4 * (index % 3)] = *id;
                        words[texel + 4 * (index % 3) + 1] = *depth;
                    }
                }
            }
            assert_eq!(layout.texels(&words, 3).rows(3), [ids.clone(), depths.clone()], "{layout:?}");
        }
    }
}
