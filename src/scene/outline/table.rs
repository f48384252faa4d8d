use super::OutlineStyle;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{TextureShape, create_texture};
use std::mem::size_of;
use wgpu::TextureFormat;

/// Ids per row of the table: every device supports textures of this width.
const TABLE_WIDTH: u32 = 1024;

/// The outlined ids and their styles, sorted by id, in a texture.
#[derive(Debug)]
pub(super) struct Table {
    texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    /// Pairs of id and style, in the order of the styles.
    pairs: Vec<[u32; 2]>,
    /// The same, sorted by id and without duplicates.
    pub(super) entries: Vec<[u32; 2]>,
}

impl Table {
    pub(super) fn new(device: &wgpu::Device, rows: u32) -> Result<Self, GpuError> {
        let shape =
            TextureShape { size: [TABLE_WIDTH, rows], format: TextureFormat::Rg32Uint, sample_count: 1 };
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let texture = create_texture(device, "wgpu-gizmo outlined ids", shape, usage)?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { texture, view, pairs: Vec::new(), entries: Vec::new() })
    }

    /// Replaces the entries if they differ. Returns true if the texture was replaced by a larger one.
    pub(super) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        styles: &[OutlineStyle<'_>],
    ) -> Result<bool, GpuError> {
        let ids = (0..).zip(styles.iter().map(|style| style.ids));
        let pairs = ids.flat_map(|(style, ids)| ids.iter().map(move |id| [id.get(), style]));
        if pairs.clone().eq(self.pairs.iter().copied()) {
            return Ok(false);
        }
        self.pairs.clear();
        self.pairs.extend(pairs);
        self.entries.clone_from(&self.pairs);
        // Sorted by id, then by style, so that the first style of an id is kept.
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|[id, _]| *id);
        if self.entries.is_empty() {
            return Ok(false);
        }
        let count = self.entries.len();
        let rows = count.div_ceil(TABLE_WIDTH as usize);
        let limit = device.limits().max_texture_dimension_2d;
        if rows > limit as usize {
            self.clear();
            let row_bytes = u64::from(TABLE_WIDTH) * size_of::<[u32; 2]>() as u64;
            let (bytes, limit) = (row_bytes * rows as u64, row_bytes * u64::from(limit));
            return Err(GpuError::BufferSize { bytes, limit });
        }
        let is_larger = rows > self.texture.height() as usize;
        if is_larger {
            let larger = Self::new(device, (rows as u32).next_power_of_two().min(limit));
            let larger = larger.inspect_err(|_| self.clear())?;
            (self.texture, self.view) = (larger.texture, larger.view);
        }
        // Only whole rows can be uploaded.
        self.entries.resize(rows * TABLE_WIDTH as usize, [u32::MAX, 0]);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(TABLE_WIDTH * size_of::<[u32; 2]>() as u32),
            rows_per_image: None,
        };
        let extent = wgpu::Extent3d { width: TABLE_WIDTH, height: rows as u32, depth_or_array_layers: 1 };
        let bytes = bytemuck::cast_slice(&self.entries);
        queue.write_texture(self.texture.as_image_copy(), bytes, layout, extent);
        self.entries.truncate(count);
        Ok(is_larger)
    }

    /// Forgets all entries, so that the next ones are not taken for those of the texture.
    fn clear(&mut self) {
        (self.pairs, self.entries) = (Vec::new(), Vec::new());
    }
}
