//! The cost that a tile replaces: drawing the ids of the whole frame and reading one texel.

use crate::scene::SIZE;
use crate::{Gpu, ms};
use glam::DMat4;
use std::time::Instant;
use wgpu_gizmo::gpu::object_pass;

/// The attachments of a pick at full-frame size, and a buffer for one texel of each.
pub struct FullFrame {
    ids: [wgpu::Texture; 2],
    depth: wgpu::TextureView,
    buffer: wgpu::Buffer,
}

impl FullFrame {
    pub fn new(device: &wgpu::Device) -> Self {
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let depth = texture(object_pass::DEPTH_FORMAT, wgpu::TextureUsages::empty());
        Self {
            ids: [wgpu::TextureFormat::R32Uint; 2]
                .map(|format| texture(format, wgpu::TextureUsages::COPY_SRC)),
            depth: depth.create_view(&Default::default()),
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 512,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
        }
    }

    /// Draws with `draw` and reads a texel. Returns milliseconds. Depth is reversed.
    pub fn pick(&self, gpu: &Gpu, draw: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4)) -> f64 {
        let start = Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let views = self.ids.each_ref().map(|ids| ids.create_view(&Default::default()));
        let attachments = views.each_ref().map(|view| {
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
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
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
        });
        draw(&mut pass, DMat4::IDENTITY);
        drop(pass);
        for (ids, offset) in self.ids.iter().zip([0, 256]) {
            let origin = wgpu::Origin3d { x: SIZE[0] / 2, y: SIZE[1] / 2, z: 0 };
            let layout = wgpu::TexelCopyBufferLayout { offset, ..Default::default() };
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo { origin, ..ids.as_image_copy() },
                wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout },
                wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
            );
        }
        gpu.queue.submit([encoder.finish()]);
        self.buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        std::hint::black_box(self.buffer.get_mapped_range(..).expect("the buffer is mapped")[0]);
        self.buffer.unmap();
        ms(start)
    }
}
