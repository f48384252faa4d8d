//! Lines round what has certain ids.

mod layers;
mod passes;
mod table;

use super::error::{GpuError, check_alive};
use super::id_pass;
use super::target_state::TargetState;
use super::window::{TileMode, Window, set_viewport, viewport_on_device};
use crate::handle::Rgba;
use crate::math::View;
use glam::{DMat4, DVec2};
use layers::Layers;
use passes::Passes;
use std::mem::size_of;
use std::num::NonZeroU32;
use table::Table;
use wgpu::TextureFormat;

/// Lines round what can be seen of some objects: the selected, say, and the hovered one.
///
/// [`Outline::prepare`] draws the objects' ids, as large as the view, and finds out what is where,
/// all on the GPU; [`Outline::render`] lays the lines into the host's pass. They go round objects of
/// one style together, on the outside, as wide everywhere; what hides an object has the line on
/// it. Handles do not matter to them. [`Outline::prepare_whole`] has lines go on, dimmed, round
/// what is hidden.
///
/// One for each view that is shown in a frame: preparing again before the submit replaces what
/// was prepared. It takes 20 bytes a pixel of the view; 8 more with what is hidden.
#[derive(Debug)]
pub struct Outline {
    /// Opacity of lines round what is hidden, as a share of their style's: 0 to 1. Of
    /// [`Outline::prepare_whole`].
    pub hidden_opacity: f32,
    passes: Passes,
    uniform: wgpu::Buffer,
    table: Table,
    widths_lpx: [f32; Outline::STYLES],
    colors: [Rgba; Outline::STYLES],
    /// Made at the first prepare that has something to draw.
    layers: Option<Layers>,
    prepared: Option<Window>,
    /// Viewport of the prepared view, which [`Outline::render`] restores.
    viewport: Option<[f32; 4]>,
    /// Whether what was prepared has lines round what is hidden.
    has_whole: bool,
}

/// How some objects are outlined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlineStyle<'a> {
    /// Of the objects, in any order. One that several styles have gets the first of them.
    pub ids: &'a [NonZeroU32],
    /// Of the line, straight sRGB.
    pub color: Rgba,
    /// Of the line, in logical pixels; at most 16 physical ones. Half a line is not drawn.
    pub width_lpx: f32,
}

impl Default for OutlineStyle<'_> {
    /// Of nothing.
    fn default() -> Self {
        Self { ids: &[], color: [1.0, 0.6, 0.1, 1.0], width_lpx: 2.0 }
    }
}

/// `Outline` in shaders/outline.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Uniform {
    colors: [[f32; 4]; Outline::STYLES],
    widths_px: [f32; Outline::STYLES],
    origin_px: [i32; 2],
    id_count: u32,
    reach: i32,
    hidden_opacity: f32,
    /// Uniforms end at multiples of 16 bytes.
    unused: [f32; 3],
}

/// The rules of colour, and what finds and draws lines.
const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/outline.wgsl"));

/// A channel for each style.
const SHAPE_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
/// Texels along the side of a cell, as in the shader.
const CELL: u32 = 16;
/// Widest line, in physical pixels: the shader looks at all texels that far off.
const WIDEST_PX: f64 = 16.0;

impl Outline {
    /// How many styles there are.
    pub const STYLES: usize = 4;

    /// For passes with these attachments.
    ///
    /// # Errors
    /// [`GpuError::ColorFormat`], [`GpuError::SampleCount`] and [`GpuError::DepthFormat`] where
    /// the device has no such pass, or cannot blend into it; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        check_alive(device)?;
        let passes = Passes::new(device, target)?;
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wgpu-gizmo outline"),
            size: size_of::<Uniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self {
            hidden_opacity: 0.4,
            passes,
            uniform,
            table: Table::new(device, 1),
            widths_lpx: [0.0; Self::STYLES],
            colors: [[0.0; 4]; Self::STYLES],
            layers: None,
            prepared: None,
            viewport: None,
            has_whole: false,
        })
    }

    /// Says what is outlined from the next [`Outline::prepare`] on. Of two styles whose lines
    /// cross the first is on top. Only changes need it.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] where there are more ids than the device has room for: two
    /// million always fit; [`GpuError::DeviceLost`].
    pub fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        styles: [OutlineStyle<'_>; Self::STYLES],
    ) -> Result<(), GpuError> {
        // A line round nothing has no width.
        self.widths_lpx = styles.map(|style| if style.ids.is_empty() { 0.0 } else { style.width_lpx });
        self.colors = styles.map(|style| style.color);
        if self.table.set(device, queue, styles.map(|style| style.ids))? {
            // They look at the table that was.
            self.layers = None;
        }
        Ok(())
    }

    /// Finds the lines for a view. Call it outside of any pass, once a frame, on the encoder of
    /// the pass that they go into, or on one submitted before. `draw_objects` draws the host's
    /// objects as for [`Picker::encode`](super::Picker::encode), all that can hide or be
    /// outlined; it is not called where no id is outlined. On a lost device nothing is drawn.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) {
        self.find(device, queue, encoder, view, draw_objects, None::<fn(&mut wgpu::RenderPass<'_>, DMat4)>);
    }

    /// As [`Outline::prepare`], with lines round what is hidden too, as opaque as
    /// [`Outline::hidden_opacity`] says. `draw_outlined` draws the outlined objects and no others:
    /// what else it drew would hide them. It is called after `draw_objects`, in a pass of its own;
    /// each needs a [`PickBatch`](super::PickBatch) of its own, one of which
    /// [keeps](super::PickBatch::keep) the outlined. Of two outlined objects with different styles
    /// the one in front has the only line where it hides the other.
    pub fn prepare_whole(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        draw_outlined: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) {
        self.find(device, queue, encoder, view, draw_objects, Some(draw_outlined));
    }

    fn find(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        draw_outlined: Option<impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4)>,
    ) {
        self.prepared = None;
        let limit = device.limits().max_texture_dimension_2d;
        self.viewport = viewport_on_device(view, [0.0; 2], limit);
        let widths_px = self.widths_px(view.scale_factor());
        let widest_px = widths_px.iter().fold(-1.0f32, |widest, width| widest.max(*width));
        if self.table.is_empty() || widest_px <= 0.0 {
            return;
        }
        let v = view.viewport();
        // Before the target's first pixel nothing is seen.
        let all = [DVec2::new(v.x, v.y).max(DVec2::ZERO), DVec2::new(v.x + v.width, v.y + v.height)];
        let Some(window) = Window::holding(all, view, limit) else { return };
        let layers = match &mut self.layers {
            Some(layers) if layers.size == window.size => layers,
            other => {
                let made = Layers::new(device, &self.passes, &self.table, &self.uniform, window.size);
                let Ok(made) = made else { return };
                other.insert(made)
            }
        };
        let uniform = Uniform {
            colors: self.colors,
            widths_px,
            origin_px: window.origin.map(|o| o as i32),
            id_count: self.table.len(),
            reach: (widest_px + 1.0).ceil() as i32,
            hidden_opacity: self.hidden_opacity.clamp(0.0, 1.0),
            unused: [0.0; 3],
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let placement = window.place(view, TileMode::Shifted, limit);
        let depth = view.depth_direction();
        id_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_objects);
        layers.encode(encoder, &self.passes, &layers.seen);
        self.has_whole = draw_outlined.is_some();
        if let Some(draw_outlined) = draw_outlined {
            layers.add_whole(device, &self.passes, &self.uniform);
            id_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_outlined);
            if let Some(whole) = &layers.whole {
                layers.encode(encoder, &self.passes, whole);
            }
        }
        self.prepared = Some(window);
    }

    fn widths_px(&self, scale_factor: f64) -> [f32; Self::STYLES] {
        self.widths_lpx.map(|width_lpx| {
            let width_px = f64::from(width_lpx) * scale_factor;
            if width_px > 0.0 { width_px.min(WIDEST_PX) as f32 } else { -1.0 }
        })
    }

    /// Lays what was prepared into the host's pass, over what is there. Draws nothing where
    /// nothing was prepared. What was prepared stays: where nothing has changed, later frames can
    /// render it again.
    ///
    /// Of the pass' state it changes the pipeline and bind groups 0 and, where lines go on round
    /// what is hidden, 1. It leaves the viewport of the view that was prepared, as
    /// [`GizmoRenderer::render`](super::GizmoRenderer::render) does. It does not change the scissor
    /// rectangle, which cuts the lines as it cuts everything.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some(window), Some(layers)) = (&self.prepared, &self.layers) {
            window.set_viewport(pass);
            self.draw(pass, layers);
        }
        if let Some(viewport) = self.viewport {
            set_viewport(pass, viewport);
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layers: &Layers) {
        let whole = layers.whole.as_ref().filter(|_| self.has_whole);
        pass.set_pipeline(if whole.is_some() { &self.passes.whole_lines } else { &self.passes.lines });
        pass.set_bind_group(0, &layers.seen.to_lines, &[]);
        if let Some(whole) = whole {
            pass.set_bind_group(1, &whole.to_lines, &[]);
        }
        pass.draw(0..4, 0..1);
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::gpu::instances::tests::agree_on_uniform;
    use std::mem::offset_of;

    #[test]
    fn rust_and_wgsl_agree_on_outlines() {
        let rust = [
            ("colors", offset_of!(Uniform, colors)),
            ("widths_px", offset_of!(Uniform, widths_px)),
            ("origin_px", offset_of!(Uniform, origin_px)),
            ("id_count", offset_of!(Uniform, id_count)),
            ("reach", offset_of!(Uniform, reach)),
            ("hidden_opacity", offset_of!(Uniform, hidden_opacity)),
        ];
        agree_on_uniform((SHADER, "Outline"), &rust, size_of::<Uniform>());
        assert!(SHADER.contains(&format!("const CELL = {CELL};")));
    }
}
