//! egui's half on the GPU: lays what a frame of egui came to over a picture.
//!
//! Its colours are meant to be blended as the numbers that they are written as. Where a target
//! blends them as light instead, dark letters come out thin and what is half transparent dark; so
//! there they are painted on a sheet of their own first, and that is laid over the picture.

use crate::device::Gpu;
use egui_wgpu::{RendererOptions, ScreenDescriptor};

/// What a sheet is made of: as egui wants it.
const SHEET: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Paints for one format of target.
pub(crate) struct Ink {
    renderer: egui_wgpu::Renderer,
    /// For targets that blend as light is.
    layer: Option<Layer>,
}

/// Lays sheets over targets.
struct Layer {
    pipeline: wgpu::RenderPipeline,
    sheet: Option<Sheet>,
}

/// As large as the target.
struct Sheet {
    size: wgpu::Extent3d,
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl std::fmt::Debug for Ink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ink").field("has_layer", &self.layer.is_some()).finish_non_exhaustive()
    }
}

impl Ink {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layer = format.is_srgb().then(|| Layer::new(device, format));
        let format = if layer.is_some() { SHEET } else { format };
        Self { renderer: egui_wgpu::Renderer::new(device, format, RendererOptions::default()), layer }
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
                self.renderer.update_texture(device, queue, id, &delta);
            }
        }
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let size = target.texture().size();
        let screen = ScreenDescriptor {
            size_in_pixels: [size.width, size.height],
            pixels_per_point: output.pixels_per_point,
        };
        // No paint callbacks, so no command buffers of theirs.
        let _ = self.renderer.update_buffers(device, queue, encoder, &primitives, &screen);
        let sheet = self.layer.as_mut().map(|layer| layer.sheet_of(device, size));
        let (view, load) = match sheet {
            Some(sheet) => (&sheet.view, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT)),
            None => (target, wgpu::LoadOp::Load),
        };
        let pass = begin(encoder, view, load);
        self.renderer.render(&mut pass.forget_lifetime(), &primitives, &screen);
        if let Some(layer) = &self.layer {
            layer.lay(&mut begin(encoder, target, wgpu::LoadOp::Load));
        }
        for id in output.textures_delta.free.drain() {
            self.renderer.free_texture(&id);
        }
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("panels"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

impl Layer {
    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("ink.wgsl"));
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("panels"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: Some("vs_sheet"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &shader,
                entry_point: Some("fs_sheet"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState { blend, ..format.into() })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline, sheet: None }
    }

    fn sheet_of(&mut self, device: &wgpu::Device, size: wgpu::Extent3d) -> &Sheet {
        let pipeline = &self.pipeline;
        let fitting = self.sheet.take().filter(|sheet| sheet.size == size);
        self.sheet.insert(fitting.unwrap_or_else(|| Sheet::new(device, pipeline, size)))
    }

    fn lay(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(sheet) = &self.sheet else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &sheet.group, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Sheet {
    fn new(device: &wgpu::Device, pipeline: &wgpu::RenderPipeline, size: wgpu::Extent3d) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("panels"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SHEET,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("panels"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        Self { size, view, group }
    }
}
