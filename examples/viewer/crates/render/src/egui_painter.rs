//! Paints the output of egui over a picture.
//!
//! egui's colors are meant to be blended as encoded sRGB values. An sRGB render target blends linear values
//! instead, which makes dark text thin and half-transparent areas dark. For such targets the shapes are
//! painted into an intermediate texture first, which is then composited over the picture.

use crate::device::Gpu;
use egui_wgpu::{RendererOptions, ScreenDescriptor};

/// Format of the intermediate texture: egui blends in it without conversion.
const INTERMEDIATE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Paints the output of egui into render targets of one format.
pub struct EguiPainter {
    renderer: egui_wgpu::Renderer,
    /// Present for sRGB render targets.
    compositor: Option<Compositor>,
    /// The shapes to paint, and the number of physical pixels per point.
    shapes: Vec<egui::epaint::ClippedShape>,
    pixels_per_point: f32,
    /// Textures to free after the next paint: the previous shapes may still use them.
    freed: Vec<egui::TextureId>,
    /// Whether the shapes or their textures have changed since they were painted.
    is_stale: bool,
    painted: Painted,
}

/// The shapes as they were last painted.
#[derive(Default)]
struct Painted {
    size: wgpu::Extent3d,
    primitives: Vec<egui::ClippedPrimitive>,
}

/// Composites the intermediate texture over render targets.
struct Compositor {
    pipeline: wgpu::RenderPipeline,
    intermediate: Option<Intermediate>,
}

/// The intermediate texture, which has the size of the render target.
struct Intermediate {
    size: wgpu::Extent3d,
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl std::fmt::Debug for EguiPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiPainter")
            .field("has_compositor", &self.compositor.is_some())
            .finish_non_exhaustive()
    }
}

impl EguiPainter {
    /// Creates a painter for color attachments of this format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let compositor = format.is_srgb().then(|| Compositor::new(device, format));
        let format = if compositor.is_some() { INTERMEDIATE_FORMAT } else { format };
        Self {
            renderer: egui_wgpu::Renderer::new(device, format, RendererOptions::default()),
            compositor,
            shapes: Vec::new(),
            pixels_per_point: 1.0,
            freed: Vec::new(),
            is_stale: true,
            painted: Painted::default(),
        }
    }

    /// Takes the output of a run of egui and uploads its textures.
    pub fn take(&mut self, Gpu { device, queue, .. }: &Gpu, mut output: egui::FullOutput) {
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

    /// Returns true if the last output differs from what was last painted.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Paints the last output over `target`.
    pub fn paint(
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
            // There are no paint callbacks, so there are no command buffers to submit.
            let _ = self.renderer.update_buffers(device, queue, encoder, &primitives, &screen);
            self.painted = Painted { size, primitives };
        }
        let primitives = &self.painted.primitives;
        match &mut self.compositor {
            Some(compositor) => {
                let view = &compositor.intermediate(device, size).view;
                if is_stale {
                    let pass = begin(encoder, view, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT));
                    self.renderer.render(&mut pass.forget_lifetime(), primitives, &screen);
                }
                if let Some(rect) = covered_rect(primitives, &screen) {
                    compositor.composite(&mut begin(encoder, target, wgpu::LoadOp::Load), rect);
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

/// Returns the rectangle of the render target that the primitives cover: x, y, width and height, in physical
/// pixels.
fn covered_rect(primitives: &[egui::ClippedPrimitive], screen: &ScreenDescriptor) -> Option<[u32; 4]> {
    let bounds = |one: &egui::ClippedPrimitive| match &one.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.calc_bounds().intersect(one.clip_rect),
        egui::epaint::Primitive::Callback(_) => one.clip_rect,
    };
    let all = primitives.iter().map(bounds).filter(egui::Rect::is_positive);
    let all = all.reduce(egui::Rect::union)? * screen.pixels_per_point;
    let [width, height] = screen.size_in_pixels;
    // The casts saturate.
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
        label: Some("egui"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

impl Compositor {
    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("egui_painter.wgsl"));
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("egui"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: Some("vs_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &shader,
                entry_point: Some("fs_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState { blend, ..format.into() })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline, intermediate: None }
    }

    /// Returns the intermediate texture, created anew if the size has changed.
    fn intermediate(&mut self, device: &wgpu::Device, size: wgpu::Extent3d) -> &Intermediate {
        let pipeline = &self.pipeline;
        let fitting = self.intermediate.take().filter(|texture| texture.size == size);
        self.intermediate.insert(fitting.unwrap_or_else(|| Intermediate::new(device, pipeline, size)))
    }

    /// Draws a rectangle of the intermediate texture.
    fn composite(&self, pass: &mut wgpu::RenderPass<'_>, [x, y, width, height]: [u32; 4]) {
        let Some(texture) = &self.intermediate else { return };
        pass.set_scissor_rect(x, y, width, height);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &texture.group, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Intermediate {
    fn new(device: &wgpu::Device, pipeline: &wgpu::RenderPipeline, size: wgpu::Extent3d) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("egui"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: INTERMEDIATE_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("egui"),
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
    fn half_transparent_black_halves_values_in_every_format() {
        let gpu = device::shared();
        for format in [picture::FORMAT, wgpu::TextureFormat::Rgba8Unorm] {
            let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("egui painter test"),
                size: wgpu::Extent3d { width: 16, height: 8, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let (context, mut egui_painter) =
                (egui::Context::default(), EguiPainter::new(&gpu.device, format));
            let rect = |x: f32, width: f32| Rect::from_min_size(Pos2::new(x, 0.0), egui::vec2(width, 8.0));
            let input = RawInput { screen_rect: Some(rect(0.0, 16.0)), ..RawInput::default() };
            let output = context.run_ui(input, |ui| {
                let painter = ui.ctx().layer_painter(LayerId::background());
                painter.rect_filled(rect(0.0, 12.0), 0.0, Color32::from_gray(240));
                painter.rect_filled(rect(0.0, 6.0), 0.0, Color32::from_black_alpha(128));
            });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            egui_painter.take(gpu, output);
            egui_painter.paint(gpu, &mut encoder, &target.create_view(&Default::default()), &context);
            let texels = picture::read_back(gpu, encoder, &target).expect("the texture can be read back");
            let at = |x: usize| texels[4 * (4 * 16 + x)];
            assert!(at(3).abs_diff(120) <= 1, "{format:?}: {}", at(3));
            assert_eq!((at(9), at(14)), (240, 0), "{format:?}: opaque, and empty");
        }
    }
}
