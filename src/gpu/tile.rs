use super::error::GpuError;
use super::readback::ROW_ALIGNMENT;
use super::resources::{TextureShape, create_texture};

/// The format of ids; 0 means nothing.
pub(super) const ID_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// The format of the bits of `position.z` as `f32`. They are in a separate color texture because a copy
/// of a depth texture must cover all of it and is not supported by every backend.
pub(super) const DEPTH_BITS_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// The format of the depth attachment.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The attachments of the ID pass.
#[derive(Debug)]
pub(super) struct Tile {
    ids: wgpu::Texture,
    depth_bits: wgpu::Texture,
    pub(super) ids_view: wgpu::TextureView,
    pub(super) depth_bits_view: wgpu::TextureView,
    pub(super) depth_view: wgpu::TextureView,
    size: [u32; 2],
}

impl Tile {
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2]) -> Result<Self, GpuError> {
        let texture = |label, format, usage| {
            let shape = TextureShape { size, format, sample_count: 1 };
            create_texture(device, label, shape, usage | wgpu::TextureUsages::RENDER_ATTACHMENT)
        };
        let copied = wgpu::TextureUsages::COPY_SRC;
        // The passes of an outline sample it.
        let ids = texture("wgpu-gizmo ids", ID_FORMAT, copied | wgpu::TextureUsages::TEXTURE_BINDING)?;
        let depth_bits = texture("wgpu-gizmo id depth bits", DEPTH_BITS_FORMAT, copied)?;
        let depth = texture("wgpu-gizmo id depth", DEPTH_FORMAT, wgpu::TextureUsages::empty())?;
        Ok(Self {
            ids_view: ids.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_bits_view: depth_bits.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_view: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            ids,
            depth_bits,
            size,
        })
    }

    /// Returns the number of bytes that [`Tile::copy_to`] writes.
    pub(super) fn copied_bytes(size: [u32; 2]) -> u64 {
        2 * Self::row_bytes(size) * u64::from(size[1])
    }

    /// Returns the number of bytes from one row to the next in the copy.
    pub(super) fn row_bytes(size: [u32; 2]) -> u64 {
        (4 * u64::from(size[0])).next_multiple_of(ROW_ALIGNMENT)
    }

    /// Copies the ids, followed by the depth bits.
    pub(super) fn copy_to(&self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer) {
        let row_bytes = Self::row_bytes(self.size);
        for (texture, place) in [(&self.ids, 0), (&self.depth_bits, 1)] {
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: place * row_bytes * u64::from(self.size[1]),
                        bytes_per_row: Some(row_bytes as u32),
                        rows_per_image: None,
                    },
                },
                extent(self.size),
            );
        }
    }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
