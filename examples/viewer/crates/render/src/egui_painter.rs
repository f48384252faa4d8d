//! Paints the output of egui over a picture.
//!
//! egui's colors are meant to be blended as encoded sRGB values. An sRGB render target blends linear values
//! instead, which makes dark text thin and half-transparent areas dark. For such targets the shapes are
//! painted into an intermediate texture first, which is then composited over the picture.

use crate::device::Gpu;
use crate::layer::Layer;
use crate::resources::begin_color;
use egui_wgpu::{RendererOptions, ScreenDescriptor};

/// Paints the output of egui into render targets of one format.
pub struct EguiPainter {
    renderer: egui_wgpu::Renderer,
    /// Present for sRGB render targets.
    intermediate: Option<Layer>,
    /// The shapes to paint, and the number of physical pixels per point.
    shapes: Vec<egui::epaint::ClippedShape>,
    pixels_per_point: f32,
    /// Textures to free after the next paint: the previous shapes may still use them.
    freed: Vec<egui::TextureId>,
    /// Whether the shapes or their textures have changed since they were painted.
    pub is_stale: bool,
    painted: Painted,
}

/// The shapes as they were last painted.
#[derive(Default)]
struct Painted {
    size: wgpu::Extent3d,
    primitives: Vec<egui::ClippedPrimitive>,
}

impl std::fmt::Debug for EguiPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiPainter").field("intermediate", &self.intermediate).finish_non_exhaustive()
    }
}

impl EguiPainter {
    /// Creates a painter for color attachments of this format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let intermediate = format.is_srgb().then(|| Layer::of_egui(device, format));
        let format = intermediate.as_ref().map_or(format, |layer| layer.format);
        let renderer = egui_wgpu::Renderer::new(device, format, RendererOptions::default());
        let (shapes, freed, painted) = Default::default();
        Self { renderer, intermediate, shapes, pixels_per_point: 1.0, freed, is_stale: true, painted }
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
        match &mut self.intermediate {
            Some(layer) => {
                let view = layer.target(device, screen.size_in_pixels);
                if is_stale {
                    let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
                    let pass = begin_color(encoder, "egui", view, clear);
                    self.renderer.render(&mut pass.forget_lifetime(), primitives, &screen);
                }
                if let Some([x, y, width, height]) = covered_rect(primitives, &screen) {
                    let mut pass = begin_color(encoder, "egui", target, wgpu::LoadOp::Load);
                    pass.set_scissor_rect(x, y, width, height);
                    layer.render(&mut pass);
                }
            }
            None => {
                let pass = begin_color(encoder, "egui", target, wgpu::LoadOp::Load);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::texture;
    use crate::{device, picture};
    use egui::{Color32, LayerId, Pos2, RawInput, Rect};

    #[test]
    fn half_transparent_black_halves_values_in_every_format() {
        let gpu = device::shared();
        for format in [picture::FORMAT, wgpu::TextureFormat::Rgba8Unorm] {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
            let target = gpu.device.create_texture(&texture("egui painter test", [16, 8], format, usage));
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
