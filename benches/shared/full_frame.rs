//! Attachments like those of a pick, of any size, for a pass that draws all or nothing.

#[path = "gpu.rs"]
pub(crate) mod gpu;

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
    pub(crate) fn new(device: &wgpu::Device, size: [u32; 2], copied: u32) -> Self {
        let texture = |format, usage| gpu::texture(device, size, format, usage);
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

    /// Clears the attachments, draws, copies the texels and reads them. If nothing is drawn, it is the minimum cost of
    /// a pick with such attachments.
    pub(crate) fn draw_and_read(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encode(&mut encoder, draw);
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., |_| {});
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        std::hint::black_box(self.buffer.get_mapped_range(..).expect("the buffer is mapped")[0]);
        self.buffer.unmap();
    }

    /// Encodes the pass and the copies.
    pub(crate) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &self.views.each_ref().map(gpu::cleared),
            depth_stencil_attachment: gpu::cleared_depth(&self.depth, 0.0, wgpu::StoreOp::Discard),
            ..Default::default()
        });
        draw(&mut pass);
        drop(pass);
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
