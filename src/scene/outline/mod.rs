//! Lines around objects that have certain ids.

mod layers;
mod passes;
mod table;

use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{check_device, create_buffer};
use crate::gpu::device::target_state::TargetState;
use crate::gpu::id_target::object_pass;
use crate::gpu::id_target::tile_view::{PixelRect, set_viewport, viewport_on_device};
use crate::gpu::id_target::tiling::Tiling;
use crate::handle::Rgba;
use crate::math::{Rect, View};
use glam::{DMat4, DVec2};
use layers::Layers;
use passes::Passes;
use std::mem::size_of;
use std::num::NonZeroU32;
use table::Table;
use wgpu::TextureFormat;

/// Draws lines around the visible parts of objects, such as the selected and the hovered ones.
///
/// [`Outline::prepare`] draws the ids of the objects at the size of the view and finds their silhouettes,
/// all on the GPU; [`Outline::render`] draws the lines into the host's pass. Objects of one style share a
/// line. The line runs outside of them at a constant width, and is on top of whatever occludes an object.
/// Handles do not affect it. [`Outline::prepare_with_occluded`] continues the lines, dimmed, around
/// occluded parts.
///
/// Use one `Outline` per view that is shown in a frame: preparing it again before the submit
/// replaces the first result. It takes 28 bytes per pixel of the view, and 8 more with occluded
/// parts.
///
/// ```no_run
/// use std::num::NonZeroU32;
/// use wgpu_gizmo::gpu::{GpuError, TargetState};
/// use wgpu_gizmo::scene::{Outline, OutlineStyle};
/// use wgpu_gizmo::{View, wgpu};
///
/// /// Creates outlines for the selected objects and for the hovered one.
/// fn outlines(
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     target: TargetState,
///     selected: &[NonZeroU32],
///     hovered: &[NonZeroU32],
/// ) -> Result<Outline, GpuError> {
///     let mut outline = Outline::new(device, target)?;
///     let none = OutlineStyle::default();
///     let selected = OutlineStyle { ids: selected, ..none };
///     let hovered = OutlineStyle { ids: hovered, width_lpx: 1.0, ..none };
///     outline.set(device, queue, [selected, hovered, none, none])?;
///     Ok(outline)
/// }
///
/// /// Call this once per frame, and `outline.render(&mut pass)` in the host's pass.
/// fn prepare(
///     outline: &mut Outline,
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     encoder: &mut wgpu::CommandEncoder,
///     view: &View,
///     // Created with `Picker::color_targets` and `Picker::depth_stencil`.
///     objects: &wgpu::RenderPipeline,
/// ) -> Result<(), GpuError> {
///     outline.prepare(device, queue, encoder, view, |pass, _clip_from_clip| {
///         pass.set_pipeline(objects);
///         pass.draw(0..36, 0..1);
///     })
/// }
/// ```
#[derive(Debug)]
pub struct Outline {
    /// Opacity of lines around occluded parts relative to their style's, from 0 to 1. Used by
    /// [`Outline::prepare_with_occluded`]. Default: 0.4.
    pub occluded_opacity: f32,
    device: wgpu::Device,
    passes: Passes,
    uniform: wgpu::Buffer,
    table: Table,
    widths_lpx: [f32; Outline::STYLES],
    colors: [Rgba; Outline::STYLES],
    /// Created by the first prepare that has something to draw.
    layers: Option<Layers>,
    prepared: Option<PixelRect>,
    /// The viewport of the prepared view, which [`Outline::render`] restores.
    viewport: Option<[f32; 4]>,
    /// True if the prepared lines include occluded parts.
    has_occluded_lines: bool,
    tiling: Tiling,
    /// The errors of the pipelines.
    pub(crate) errors: DeviceErrors,
}

/// A style of outline and the objects that have it. [`Outline`] has an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlineStyle<'a> {
    /// The ids of the objects, in any order. An id in several styles gets the first of them.
    /// Default: none.
    pub ids: &'a [NonZeroU32],
    /// The color of the line: sRGB values from 0 to 1, and the opacity, not premultiplied. Default: orange.
    pub color: [f32; 4],
    /// The width of the line in logical pixels; at most 16 physical pixels. Nothing is drawn unless
    /// it is positive. Default: 2.
    pub width_lpx: f32,
}

impl Default for OutlineStyle<'_> {
    /// The default color and width, with no ids.
    fn default() -> Self {
        Self { ids: &[], color: [1.0, 0.6, 0.1, 1.0], width_lpx: 2.0 }
    }
}

/// `Outline` in shaders/outline.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct OutlineUniform {
    colors: [[f32; 4]; Outline::STYLES],
    widths_px: [f32; Outline::STYLES],
    origin_px: [i32; 2],
    size_px: [u32; 2],
    id_count: u32,
    reach: i32,
    occluded_opacity: f32,
    /// Uniforms end at multiples of 16 bytes.
    unused: f32,
}

/// The color conversions, followed by the outline shader.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/outline.wgsl"));

/// One channel per style.
const SHAPE_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
/// One channel per style: a distance and a coverage.
const ROWS_FORMAT: TextureFormat = TextureFormat::Rgba16Uint;
const CELLS_FORMAT: TextureFormat = TextureFormat::R8Unorm;
/// Texels along the side of a cell. Equal to the constant in the shader.
pub(crate) const CELL: u32 = 16;
/// Maximum line width in physical pixels, so that distances fit into the bits of a row.
const MAX_WIDTH_PX: f64 = 16.0;

impl Outline {
    /// The number of styles.
    pub const STYLES: usize = 4;

    /// Creates an outline for passes with these attachments.
    ///
    /// # Errors
    /// [`GpuError::ColorFormat`], [`GpuError::SampleCount`] and [`GpuError::DepthFormat`] if the
    /// device does not support such a pass or blending into it; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        let target = target.into();
        let depth_stencil = target.check(device)?;
        let mut errors = DeviceErrors::default();
        let passes =
            errors.create_pipelines(device, |factory| Passes::new(factory, target, depth_stencil))?;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let bytes = size_of::<OutlineUniform>() as u64;
        let uniform = create_buffer(device, "wgpu-gizmo outline", bytes, usage)?;
        Ok(Self {
            occluded_opacity: 0.4,
            device: device.clone(),
            passes,
            uniform,
            table: Table::new(device, 1)?,
            widths_lpx: [0.0; Self::STYLES],
            colors: [[0.0; 4]; Self::STYLES],
            layers: None,
            prepared: None,
            viewport: None,
            has_occluded_lines: false,
            tiling: Tiling::new(device)?,
            errors,
        })
    }

    /// Sets what [`Outline::prepare`] outlines from now on. Where lines of two styles cross, the
    /// first style is on top. Call it only when something changes.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] if there are more ids than the device's textures can hold: two
    /// million always fit; [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        styles: [OutlineStyle<'_>; Self::STYLES],
    ) -> Result<(), GpuError> {
        check_device(&self.device, device)?;
        // A line without objects has no width.
        self.widths_lpx = styles.map(|style| if style.ids.is_empty() { 0.0 } else { style.width_lpx });
        self.colors = styles.map(|style| style.color);
        if self.table.set(device, queue, styles.map(|style| style.ids))? {
            // The layers refer to the old table.
            self.layers = None;
        }
        Ok(())
    }

    /// Finds the lines for a view. Call it once per frame, outside of any pass, on the encoder of
    /// the pass that shows the lines or on one that is submitted earlier. `draw_objects` draws the
    /// host's objects as in [`Picker::encode`](crate::gpu::Picker::encode): all objects that can occlude
    /// or be outlined. It is not called if no id is outlined.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] if a texture must be created on a lost device, and [`GpuError::OtherDevice`]
    /// if the device is not that of [`Outline::new`]. Then [`Outline::render`] draws nothing.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<(), GpuError> {
        self.find(device, queue, encoder, view, draw_objects, None::<fn(&mut wgpu::RenderPass<'_>, DMat4)>)
    }

    /// Finds the lines for a view, including lines around occluded parts, with the opacity of
    /// [`Outline::occluded_opacity`]. `draw_outlined` must draw only the outlined objects, because any
    /// other object would occlude them. It is called after `draw_objects`, in a separate pass. Each
    /// callback needs its own [`PickBatch`](super::PickBatch); the one of `draw_outlined`
    /// [keeps](super::PickBatch::keep) only the outlined objects. Where an outlined object occludes another
    /// of a different style, only the front one has a line.
    ///
    /// # Errors
    /// The same as [`Outline::prepare`].
    pub fn prepare_with_occluded(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        draw_outlined: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<(), GpuError> {
        self.find(device, queue, encoder, view, draw_objects, Some(draw_outlined))
    }

    fn find(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        draw_outlined: Option<impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4)>,
    ) -> Result<(), GpuError> {
        self.prepared = None;
        check_device(&self.device, device)?;
        self.errors.check()?;
        let limit = device.limits().max_texture_dimension_2d;
        self.viewport = viewport_on_device(view, limit);
        let widths_px = self.widths_px(view.scale_factor());
        let max_width_px = widths_px.iter().fold(-1.0f32, |max, width| max.max(*width));
        if self.table.is_empty() || max_width_px <= 0.0 {
            return Ok(());
        }
        // Pixels left of or above the render target cannot be visible.
        let Rect { min, max } = view.viewport().rect();
        let visible_px = Rect { min: min.max(DVec2::ZERO), max };
        let Some(pixels) = PixelRect::enclosing(visible_px, view, limit) else { return Ok(()) };
        let layers = match &mut self.layers {
            Some(layers) if layers.size == pixels.size => layers,
            other => {
                other.insert(Layers::new(device, &self.passes, &self.table, &self.uniform, pixels.size)?)
            }
        };
        if draw_outlined.is_some() {
            layers.add_whole(device, &self.passes, &self.table, &self.uniform)?;
        }
        let uniform = OutlineUniform {
            colors: self.colors,
            widths_px,
            origin_px: pixels.origin.map(|o| o as i32),
            size_px: pixels.size,
            id_count: self.table.len(),
            reach: (max_width_px + 1.0).ceil() as i32,
            occluded_opacity: self.occluded_opacity.clamp(0.0, 1.0),
            unused: 0.0,
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let placement = pixels.place(view, self.tiling.mode(), limit);
        let depth = view.depth_direction();
        object_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_objects);
        layers.encode(encoder, &self.passes, &layers.seen);
        self.has_occluded_lines = draw_outlined.is_some();
        if let Some(draw_outlined) = draw_outlined {
            object_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_outlined);
            if let Some(whole) = &layers.whole {
                layers.encode(encoder, &self.passes, whole);
            }
        }
        self.prepared = Some(pixels);
        Ok(())
    }

    fn widths_px(&self, scale_factor: f64) -> [f32; Self::STYLES] {
        self.widths_lpx.map(|width_lpx| {
            let width_px = f64::from(width_lpx) * scale_factor;
            if width_px > 0.0 { width_px.min(MAX_WIDTH_PX) as f32 } else { -1.0 }
        })
    }

    /// Draws the prepared lines over the contents of the host's pass. Draws nothing if nothing was
    /// prepared. Later frames can render the same lines again if nothing has changed.
    ///
    /// Changes the pipeline, bind group 0 and, with lines around occluded parts, bind group 1 of the
    /// pass. Leaves the viewport of the prepared view, as
    /// [`GizmoRenderer::render`](crate::gpu::GizmoRenderer::render) does. Keeps the scissor rectangle,
    /// which clips the lines.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some(pixels), Some(layers)) = (&self.prepared, &self.layers) {
            pixels.set_viewport(pass);
            self.draw(pass, layers);
        }
        if let Some(viewport) = self.viewport {
            set_viewport(pass, viewport);
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layers: &Layers) {
        let whole = layers.whole.as_ref().filter(|_| self.has_occluded_lines);
        pass.set_pipeline(if whole.is_some() { &self.passes.whole_lines } else { &self.passes.lines });
        pass.set_bind_group(0, &layers.seen.to_lines, &[]);
        if let Some(whole) = whole {
            pass.set_bind_group(1, &whole.to_lines, &[]);
        }
        pass.draw(0..4, 0..layers.cell_count());
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::shader_checks::agree_on_uniform;
    use std::mem::offset_of;

    #[test]
    fn rust_and_wgsl_agree_on_outlines() {
        let rust = [
            ("colors", offset_of!(OutlineUniform, colors)),
            ("widths_px", offset_of!(OutlineUniform, widths_px)),
            ("origin_px", offset_of!(OutlineUniform, origin_px)),
            ("size_px", offset_of!(OutlineUniform, size_px)),
            ("id_count", offset_of!(OutlineUniform, id_count)),
            ("reach", offset_of!(OutlineUniform, reach)),
            ("occluded_opacity", offset_of!(OutlineUniform, occluded_opacity)),
        ];
        agree_on_uniform((SHADER, "Outline"), &rust, size_of::<OutlineUniform>());
    }
}
