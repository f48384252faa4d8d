use super::texel_layout::TexelLayout;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{TextureShape, create_texture};

/// The format of the depth attachment, `Depth32Float`. All attachments have one sample.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The attachments of the ID pass.
#[derive(Debug)]
pub(crate) struct Tile {
    layout: TexelLayout,
    ids: Attachment,
    /// `None` if they are in the texture of the ids.
    depth_bits: Option<Attachment>,
    pub(crate) depth_view: wgpu::TextureView,
    size: [u32; 2],
}

#[derive(Debug)]
struct Attachment {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl Attachment {
    fn new(
        device: &wgpu::Device,
        label: &str,
        shape: TextureShape,
        usage: wgpu::TextureUsages,
    ) -> Result<Self, GpuError> {
        let texture = create_texture(device, label, shape, usage | wgpu::TextureUsages::RENDER_ATTACHMENT)?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { texture, view })
    }
}

impl Tile {
    pub(crate) fn new(device: &wgpu::Device, size: [u32; 2]) -> Result<Self, GpuError> {
        let layout = TexelLayout::of(device);
        let attachment = |label, format, usage| {
            Attachment::new(device, label, TextureShape { size, format, sample_count: 1 }, usage)
        };
        let copied = wgpu::TextureUsages::COPY_SRC;
        // The passes of an outline sample it.
        let sampled = copied | wgpu::TextureUsages::TEXTURE_BINDING;
        let ids = attachment("wgpu-gizmo ids", layout.format(), sampled)?;
        let depth_bits = match layout {
            TexelLayout::Separate => Some(attachment("wgpu-gizmo id depth bits", layout.format(), copied)?),
            TexelLayout::Packed => None,
        };
        let depth = attachment("wgpu-gizmo id depth", DEPTH_FORMAT, wgpu::TextureUsages::empty())?;
        Ok(Self { layout, ids, depth_bits, depth_view: depth.view, size })
    }

    /// Returns the view of the texture whose first component is the id.
    pub(crate) fn ids_view(&self) -> &wgpu::TextureView {
        &self.ids.view
    }

    /// Returns the color attachments of a pass that clears the texels to 0, with those that are not there as
    /// `None`.
    pub(crate) fn color_attachments(
        &self,
        store: wgpu::StoreOp,
    ) -> [Option<wgpu::RenderPassColorAttachment<'_>>; 2] {
        let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        [Some(&self.ids), self.depth_bits.as_ref()].map(|attachment| {
            attachment.map(|Attachment { view, .. }| wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store },
            })
        })
    }

    /// Returns the number of color attachments.
    pub(crate) fn color_count(&self) -> usize {
        self.layout.color_targets().len()
    }

    pub(crate) fn layout(&self) -> TexelLayout {
        self.layout
    }

    /// Copies the texels of one texture after the other.
    pub(crate) fn copy_to(&self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer) {
        let [width, height] = self.size;
        let row_bytes = self.layout.row_bytes(width);
        for (index, attachment) in (0..).zip([Some(&self.ids), self.depth_bits.as_ref()].iter().flatten()) {
            encoder.copy_texture_to_buffer(
                attachment.texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: index * row_bytes * u64::from(height),
                        bytes_per_row: Some(row_bytes as u32),
                        rows_per_image: None,
                    },
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
    }
}
