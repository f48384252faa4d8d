//! Attachments like those of a pick, of any size, for a pass that draws nothing.

/// Attachments for ids, depth bits and depth, and a buffer for some texels of the first two.
#[derive(Debug)]
pub(crate) struct Attachments {
    ids: [wgpu::Texture; 2],
    views: [wgpu::TextureView; 2],
    depth: wgpu::TextureView,
    buffer: wgpu::Buffer,
    /// Side length in texels of the copied square at the center.
    copied: u32,
}

impl Attachments {
    pub(crate) fn new(device: &wgpu::Device, [width, height]: [u32; 2], copied: u32) -> Self {
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let depth = texture(wgpu::TextureFormat::Depth32Float, wgpu::TextureUsages::empty());
        let ids = [(); 2].map(|()| texture(wgpu::TextureFormat::R32Uint, wgpu::TextureUsages::COPY_SRC));
        Self {
            views: ids.each_ref().map(|ids| ids.create_view(&wgpu::TextureViewDescriptor::default())),
            ids,
            depth: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 2 * u64::from(row_bytes(copied) * copied),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            copied,
        }
    }

    /// Clears the attachments, draws nothing, copies the texels and reads them: the minimum cost of
    /// a pick with such attachments.
    pub(crate) fn clear_and_read(&self, device: &wgpu::Device, queue: &wgpu::Queue) {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encode(&mut encoder);
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., |_| {});
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        std::hint::black_box(self.buffer.get_mapped_range(..).expect("the buffer is mapped")[0]);
        self.buffer.unmap();
    }

    /// Encodes the empty pass and the copies.
    pub(crate) fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        let attachments = self.views.each_ref().map(|view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })
        });
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &attachments,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        }));
        let (side, bytes) = (self.copied, row_bytes(self.copied));
        for (ids, index) in self.ids.iter().zip([0, 1]) {
            let at = |length: u32| (length - side) / 2;
            let origin = wgpu::Origin3d { x: at(ids.width()), y: at(ids.height()), z: 0 };
            let offset = index * u64::from(bytes * side);
            let layout =
                wgpu::TexelCopyBufferLayout { offset, bytes_per_row: Some(bytes), rows_per_image: None };
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo { origin, ..ids.as_image_copy() },
                wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout },
                wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            );
        }
    }
}

fn row_bytes(texels: u32) -> u32 {
    (4 * texels).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
