//! egui's half on the GPU: lays what a frame of egui came to over a picture.
//!
//! Its colors are meant to be blended as the numbers that they are written as. Where a target
//! blends them as light instead, dark letters come out thin and what is half transparent dark; so
//! there they are painted on a sheet of their own first, and that is laid over the picture.

use crate::device::Gpu;
use egui_wgpu::{RendererOptions, ScreenDescriptor};

/// What a sheet is made of: as egui wants it.
const SHEET: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Paints for one format of target.
pub(crate) struct EguiPainter {
    renderer: egui_wgpu::Renderer,
    /// For targets that blend as light is.
    layer: Option<Layer>,
    /// What egui wants to be seen, and how many physical pixels a point is.
    shapes: Vec<egui::epaint::ClippedShape>,
    pixels_per_point: f32,
    /// Textures that the shapes before these may have needed.
    freed: Vec<egui::TextureId>,
    /// Shapes, or the textures in them, have changed since they were painted.
    is_stale: bool,
    painted: Painted,
}

/// The shapes as they were painted last.
#[derive(Default)]
struct Painted {
    size: wgpu::Extent3d,
    primitives: Vec<egui::ClippedPrimitive>,
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

impl std::fmt::Debug for EguiPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiPainter").field("has_layer", &self.layer.is_some()).finish_non_exhaustive()
    }
}

impl EguiPainter {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layer = format.is_srgb().then(|| Layer::new(device, format));
        let format = if layer.is_some() { SHEET } else { format };
        Self {
            renderer: egui_wgpu::Renderer::new(device, format, RendererOptions::default()),
            layer,
            shapes: Vec::new(),
            pixels_per_point: 1.0,
            freed: Vec::new(),
            is_stale: true,
            painted: Painted::default(),
        }
    }

    /// Takes in what a run of egui came to.
    pub(crate) fn take(&mut self, Gpu { device, queue, .. }: &Gpu, mut output: egui::FullOutput) {
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(device, queue, id, &delta);
                self.is_stale = true;
            }
        }
        self.freed.extend(output.textures_delta.free.drain());
        if self.pixels_per_point != output.pixels_per_point || self.shapes != output.shapes {
            (self.pixels_per_point, self.shapes) = (output.pixels_per_point, output.shapes);
            self.is_stale = true;
        }
    }

    /// Whether what was taken in last looks other than what was painted last.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Draws what was taken in over `target`.
    pub(crate) fn paint(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        context: &egui::Context,
    ) {
        let size = target.texture().size();
        let screen = ScreenDescriptor {
            size_in_pixels: [size.width, size.height],
            pixels_per_point: self.pixels_per_point,
        };
        let is_stale = std::mem::take(&mut self.is_stale) || self.painted.size != size;
        if is_stale {
            let primitives = context.tessellate(self.shapes.clone(), self.pixels_per_point);
            // No paint callbacks, so no command buffers of theirs.
            let _ = self.renderer.update_buffers(device, queue, encoder, &primitives, &screen);
            self.painted = Painted { size, primitives };
        }
        let primitives = &self.painted.primitives;
        match &mut self.layer {
            Some(layer) => {
                let view = &layer.sheet_of(device, size).view;
                if is_stale {
                    let pass = begin(encoder, view, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT));
                    self.renderer.render(&mut pass.forget_lifetime(), primitives, &screen);
                }
                if let Some(part) = covered(primitives, &screen) {
                    layer.lay(&mut begin(encoder, target, wgpu::LoadOp::Load), part);
                }
            }
            None => {
                let pass = begin(encoder, target, wgpu::LoadOp::Load);
                self.renderer.render(&mut pass.forget_lifetime(), primitives, &screen);
            }
        }
        for id in self.freed.drain(..) {
            self.renderer.free_texture(&id);
        }
    }
}

/// The part of a target that anything is painted in: x, y, width and height, in physical pixels.
fn covered(primitives: &[egui::ClippedPrimitive], screen: &ScreenDescriptor) -> Option<[u32; 4]> {
    let bounds = |one: &egui::ClippedPrimitive| match &one.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.calc_bounds().intersect(one.clip_rect),
        egui::epaint::Primitive::Callback(_) => one.clip_rect,
    };
    let all = primitives.iter().map(bounds).filter(egui::Rect::is_positive);
    let all = all.reduce(egui::Rect::union)? * screen.pixels_per_point;
    let [width, height] = screen.size_in_pixels;
    // `as` saturates.
    let (left, top) = (all.min.x.floor() as u32, all.min.y.floor() as u32);
    let (right, bottom) = ((all.max.x.ceil() as u32).min(width), (all.max.y.ceil() as u32).min(height));
    (left < right && top < bottom).then(|| [left, top, right - left, bottom - top])
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
        let shader = device.create_shader_module(wgpu::include_wgsl!("egui_painter.wgsl"));
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

    fn lay(&self, pass: &mut wgpu::RenderPass<'_>, [x, y, width, height]: [u32; 4]) {
        let Some(sheet) = &self.sheet else { return };
        pass.set_scissor_rect(x, y, width, height);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{device, picture};
    use egui::{Color32, LayerId, Pos2, RawInput, Rect};

    #[test]
    fn half_of_a_color_over_another_is_half_way_between_whatever_the_target() {
        let gpu = device::shared();
        for format in [picture::FORMAT, wgpu::TextureFormat::Rgba8Unorm] {
            let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("ink test"),
                size: wgpu::Extent3d { width: 16, height: 8, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let (context, mut ink) = (egui::Context::default(), EguiPainter::new(&gpu.device, format));
            let rect = |x: f32, width: f32| Rect::from_min_size(Pos2::new(x, 0.0), egui::vec2(width, 8.0));
            let input = RawInput { screen_rect: Some(rect(0.0, 16.0)), ..RawInput::default() };
            let output = context.run_ui(input, |ui| {
                let painter = ui.ctx().layer_painter(LayerId::background());
                painter.rect_filled(rect(0.0, 12.0), 0.0, Color32::from_gray(240));
                painter.rect_filled(rect(0.0, 6.0), 0.0, Color32::from_black_alpha(128));
            });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            ink.take(gpu, output);
            ink.paint(gpu, &mut encoder, &target.create_view(&Default::default()), &context);
            let texels = picture::read_back(gpu, encoder, &target).expect("read");
            let at = |x: usize| texels[4 * (4 * 16 + x)];
            assert!(at(3).abs_diff(120) <= 1, "{format:?}: {}", at(3));
            assert_eq!((at(9), at(14)), (240, 0), "{format:?}: as it is, and nothing");
        }
    }
}
