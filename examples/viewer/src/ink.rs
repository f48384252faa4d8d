//! egui's half on the GPU: lays what a frame of egui came to over a picture.

use crate::device::Gpu;
use egui_wgpu::{RendererOptions, ScreenDescriptor};

/// Paints for one format of target.
pub(crate) struct Ink(egui_wgpu::Renderer);

impl std::fmt::Debug for Ink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ink").finish_non_exhaustive()
    }
}

impl Ink {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self(egui_wgpu::Renderer::new(device, format, RendererOptions::default()))
    }

    /// Draws over `target`.
    pub(crate) fn paint(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        context: &egui::Context,
        mut output: egui::FullOutput,
    ) {
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.0.update_texture(device, queue, id, &delta);
            }
        }
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let size = target.texture().size();
        let screen = ScreenDescriptor {
            size_in_pixels: [size.width, size.height],
            pixels_per_point: output.pixels_per_point,
        };
        // No paint callbacks, so no command buffers of theirs.
        let _ = self.0.update_buffers(device, queue, encoder, &primitives, &screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.0.render(&mut pass.forget_lifetime(), &primitives, &screen);
        for id in output.textures_delta.free.drain() {
            self.0.free_texture(&id);
        }
    }
}
