//! Lines around objects that have certain ids.

mod passes;
mod table;

use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::check_device;
use crate::gpu::device::target_state::TargetState;
use crate::gpu::id_target::object_pass;
use crate::gpu::id_target::tile_view::{PixelRect, set_viewport, viewport_on_device};
use crate::gpu::id_target::tiling::Tiling;
use crate::handle::Rgba;
use crate::math::View;
use glam::DMat4;
use passes::{Layers, Passes};
use std::num::NonZeroU32;
use table::Table;

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
///     let selected = OutlineStyle { ids: selected, ..OutlineStyle::default() };
///     let hovered = OutlineStyle { ids: hovered, width_lpx: 1.0, ..OutlineStyle::default() };
///     outline.set(device, queue, &[selected, hovered])?;
///     Ok(outline)
/// }
///
/// /// Call this once per frame, and `outline.render(&mut pass)` in the host's pass.
/// fn prepare(
///     outline: &mut Outline,
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     encoder: &mut wgpu::CommandEncoder,
///     view: &View,
///     // Created with `object_pass::color_targets` and `object_pass::depth_stencil`.
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
    table: Table,
    styles: Vec<Line>,
    /// Created by the first prepare that has something to draw.
    layers: Option<Layers>,
    /// The pixels of the prepared view, and whether the lines include occluded parts.
    prepared: Option<(PixelRect, bool)>,
    /// The viewport of the prepared view, which [`Outline::render`] restores.
    viewport: Option<[f32; 4]>,
    tiling: Tiling,
    /// The errors of the pipelines.
    pub(crate) errors: DeviceErrors,
}

/// The look of a style.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// 0 if the style has no objects.
    width_lpx: f32,
    color: Rgba,
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
    first_style: u32,
}

/// The color conversions, followed by the outline shader.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/color.wgsl"), include_str!("../../../shaders/outline.wgsl"));

/// Texels along the side of a cell. Equal to the constant in the shader.
pub(crate) const CELL: u32 = 16;
/// Maximum line width in physical pixels, so that distances fit into the bits of a row.
const MAX_WIDTH_PX: f64 = 16.0;

impl Outline {
    /// The number of styles that are found together. Each further group of as many takes passes of its own.
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
        Ok(Self {
            occluded_opacity: 0.4,
            device: device.clone(),
            passes,
            table: Table::new(device, 1)?,
            styles: Vec::new(),
            layers: None,
            prepared: None,
            viewport: None,
            tiling: Tiling::new(device)?,
            errors,
        })
    }

    /// Sets what [`Outline::prepare`] outlines from now on, in any number of styles. Where lines of two styles
    /// cross, the first style is on top. Calling it in each frame costs a comparison.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] if there are more ids than the device's textures can hold: two
    /// million always fit; [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`]. Then nothing is outlined.
    pub fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        styles: &[OutlineStyle<'_>],
    ) -> Result<(), GpuError> {
        self.styles.clear();
        let checked = check_device(&self.device, device);
        let is_larger = checked.and_then(|()| self.table.set(device, queue, styles));
        if is_larger.inspect_err(|_| self.prepared = None)? {
            // The layers refer to the old table.
            self.layers = None;
        }
        self.styles.extend(styles.iter().map(|style| Line {
            width_lpx: if style.ids.is_empty() { 0.0 } else { style.width_lpx },
            color: style.color,
        }));
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
        self.find((device, queue), encoder, view, draw_objects, None::<fn(&mut wgpu::RenderPass<'_>, DMat4)>)
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
        self.find((device, queue), encoder, view, draw_objects, Some(draw_outlined))
    }

    fn find(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
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
        if !self.styles.iter().any(|line| line.width_lpx > 0.0) {
            return Ok(());
        }
        let Some(pixels) = PixelRect::of_view(view, limit) else { return Ok(()) };
        let has_occluded = draw_outlined.is_some();
        let groups = self.styles.len().div_ceil(Self::STYLES);
        let is_enough = |layers: &Layers| {
            layers.size == pixels.size && layers.groups.len() == groups && (layers.has_whole || !has_occluded)
        };
        if !self.layers.as_ref().is_some_and(is_enough) {
            let (passes, table) = (&self.passes, &self.table);
            self.layers = Some(Layers::new(device, passes, table, pixels.size, groups, has_occluded)?);
        }
        let Some(layers) = &self.layers else { return Ok(()) };
        for (index, group) in layers.groups.iter().enumerate() {
            let uniform = self.uniform(index * Self::STYLES, &pixels, view.scale_factor());
            queue.write_buffer(&group.uniform, 0, bytemuck::bytes_of(&uniform));
        }
        let placement = pixels.place(view, self.tiling.mode(), limit);
        let depth = view.depth_direction();
        object_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_objects);
        layers.encode(encoder, &self.passes, false);
        if let Some(draw_outlined) = draw_outlined {
            object_pass::encode_objects(encoder, &layers.ids, &placement, depth, draw_outlined);
            layers.encode(encoder, &self.passes, true);
        }
        self.prepared = Some((pixels, has_occluded));
        Ok(())
    }

    /// Returns the uniform of the styles from `first` on.
    fn uniform(&self, first: usize, pixels: &PixelRect, scale_factor: f64) -> OutlineUniform {
        let (mut widths_px, mut colors) = ([-1.0; Self::STYLES], [[0.0; 4]; Self::STYLES]);
        for (i, Line { width_lpx, color }) in self.styles[first..].iter().enumerate().take(Self::STYLES) {
            let width_px = f64::from(*width_lpx) * scale_factor;
            if width_px > 0.0 {
                widths_px[i] = width_px.min(MAX_WIDTH_PX) as f32;
            }
            colors[i] = *color;
        }
        let max_width_px = widths_px.into_iter().fold(0.0, f32::max);
        OutlineUniform {
            colors,
            widths_px,
            origin_px: pixels.origin.map(|o| o as i32),
            size_px: pixels.size,
            id_count: self.table.entries.len() as u32,
            reach: (max_width_px + 1.0).ceil() as i32,
            occluded_opacity: self.occluded_opacity.clamp(0.0, 1.0),
            first_style: first as u32,
        }
    }

    /// Draws the prepared lines over the contents of the host's pass. Draws nothing if nothing was
    /// prepared. Later frames can render the same lines again if nothing has changed.
    ///
    /// Changes the pipeline and bind group 0 of the pass. Leaves the viewport of the prepared view, as
    /// [`GizmoRenderer::render`](crate::gpu::GizmoRenderer::render) does. Keeps the scissor rectangle,
    /// which clips the lines.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some((pixels, has_occluded)), Some(layers)) = (&self.prepared, &self.layers) {
            pixels.set_viewport(pass);
            layers.draw(pass, &self.passes, *has_occluded);
        }
        if let Some(viewport) = self.viewport {
            set_viewport(pass, viewport);
        }
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::shader_tests::{agree_on_uniform, offsets};
    use std::mem::size_of;

    #[test]
    fn rust_and_wgsl_agree_on_outlines() {
        let rust = offsets![
            OutlineUniform: colors widths_px origin_px size_px id_count reach occluded_opacity first_style
        ];
        agree_on_uniform((SHADER, "Outline"), &rust, size_of::<OutlineUniform>());
    }
}
