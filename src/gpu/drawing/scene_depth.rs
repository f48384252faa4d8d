use super::picture::{PATCH_LAYOUT, SHADER as HANDLE_SHADER};
use crate::draw::DepthStyle;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState, Shader};
use crate::gpu::device::resources::create_buffer;
use crate::gpu::device::target_state::TargetState;
use crate::gpu::id_target::tile_view::viewport_pixels;
use crate::math::{DepthDirection, View};
use glam::DVec3;
use std::mem::size_of;

/// The depth of the scene that the host has drawn, for [`DepthStyle`].
///
/// It has the size of the render target and one sample per pixel. Its texture has the usage
/// `TEXTURE_BINDING`, and the view of a texture with stencil selects the aspect `DepthOnly`. Its depths are
/// those that the projection of the view writes; it is cleared to the far end of their range.
///
/// The pass of the handles reads the texture, so it must not write it. It is a second pass, after the pass of
/// the scene, which must store the depth. It has either no depth attachment or this one as read-only (no
/// `depth_ops`); on OpenGL and WebGL it must have none. A host that cannot split its pass can provide a copy of
/// the depth.
///
/// ```no_run
/// use wgpu_gizmo::facade::Frame;
/// use wgpu_gizmo::gpu::{GpuError, SceneDepth};
/// use wgpu_gizmo::{View, WgpuGizmo, wgpu};
///
/// fn draw(
///     tools: &mut WgpuGizmo,
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     encoder: &mut wgpu::CommandEncoder,
///     (view, depth): (&View, &wgpu::TextureView),
/// ) -> Result<(), GpuError> {
///     let depths = [(view.key(), SceneDepth::new(depth, view.depth_direction()))];
///     let frame = Frame::new(device, queue, encoder).with_depths(&depths);
///     tools.prepare(frame, view, |_pass, _query, _clip_from_clip| {})
/// }
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SceneDepth<'a> {
    /// The depth texture.
    pub texture: &'a wgpu::TextureView,
    /// The direction of its depths. It must equal the view's ([`View::depth_direction`]).
    pub direction: DepthDirection,
}

impl<'a> SceneDepth<'a> {
    /// Creates the depth of a scene from its texture.
    pub fn new(texture: &'a wgpu::TextureView, direction: DepthDirection) -> Self {
        Self { texture, direction }
    }
}

/// Returns the handle shader, followed by the entry points that compare depths.
pub(crate) fn fade_shader() -> String {
    [HANDLE_SHADER, include_str!("../../../shaders/scene_depth.wgsl")].concat()
}

/// The distance by which a surface must be in front of a handle to hide it: a fraction of the handle's
/// distance from the eye, or of the height of a parallel view.
const BIAS: f64 = 1e-3;

/// The comparison of depths of one view: a surface hides a handle of a depth `d` if it is nearer than
/// `factor * d + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Threshold {
    pub(crate) factor: f32,
    pub(crate) offset: f32,
}

impl Threshold {
    /// Returns the comparison for a view, with depths that are wrong by at most `error`.
    pub(crate) fn new(view: &View, error: f64) -> Self {
        let m = view.clip_from_world();
        let (z, w) = (m.row(2), m.row(3));
        let toward_viewer = match view.depth_direction() {
            DepthDirection::Standard => -1.0,
            DepthDirection::Reversed => 1.0,
        };
        let (factor, offset) = if view.is_orthographic() {
            // Depth does not depend on the distance here, so the bias is relative to the height of the view.
            let height = view.pixel_size(DVec3::ZERO) * view.viewport().height;
            (1.0, toward_viewer * BIAS * height * z.truncate().length() / w.w.abs())
        } else {
            // The depth is a + b / w, so that at w / (1 + BIAS) it is d + BIAS * (d - a).
            let a = z.truncate().dot(w.truncate()) / w.truncate().length_squared();
            // The rounding of a float.
            let rounding = toward_viewer * 5e-7;
            (1.0 + BIAS + rounding, -BIAS * a)
        };
        Self { factor: factor as f32, offset: (offset + toward_viewer * error) as f32 }
    }
}

/// Returns the largest error of depths in a format.
fn error_of(format: wgpu::TextureFormat, direction: DepthDirection) -> f64 {
    use wgpu::TextureFormat::{Depth16Unorm, Depth24Plus, Depth24PlusStencil8};
    match (format, direction) {
        (Depth16Unorm, _) => 1.5 / f64::from(u16::MAX),
        (Depth24Plus | Depth24PlusStencil8, _) | (_, DepthDirection::Standard) => 2e-7,
        // Floats are as precise near 0 as elsewhere.
        (_, DepthDirection::Reversed) => 0.0,
    }
}

/// The error of the depth attachment of the ID image.
pub(crate) fn id_threshold(view: &View) -> Threshold {
    Threshold::new(view, error_of(crate::gpu::id_target::tile::DEPTH_FORMAT, view.depth_direction()))
}

/// The uniform of one style, in the layout of the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Uniform {
    pub(crate) factor: f32,
    pub(crate) offset: f32,
    pub(crate) nearer: f32,
    pub(crate) far: f32,
    pub(crate) error: f32,
    pub(crate) opacity: f32,
    pub(crate) stripes_per_px: f32,
    pub(crate) unused: f32,
}

/// The distance between two stripes in logical pixels, along a row.
const STRIPES_LPX: f64 = 6.0;

impl Uniform {
    fn new(view: &View, format: wgpu::TextureFormat, style: DepthStyle) -> Self {
        let direction = view.depth_direction();
        let error = error_of(format, direction);
        let Threshold { factor, offset } = Threshold::new(view, error);
        let (nearer, far) = match direction {
            DepthDirection::Standard => (-1.0, 1.0),
            DepthDirection::Reversed => (1.0, 0.0),
        };
        let opacity = match style {
            DepthStyle::Dimmed { opacity } if opacity.is_finite() => opacity.clamp(0.0, 1.0),
            DepthStyle::Hidden => 0.0,
            _ => 1.0,
        };
        let is_hatched = style == DepthStyle::Hatched;
        let stripes_per_px =
            if is_hatched { (STRIPES_LPX * view.scale_factor()).max(2.0).recip() as f32 } else { 0.0 };
        Self { factor, offset, nearer, far, error: error as f32, opacity, stripes_per_px, unused: 0.0 }
    }
}

/// The distance between two uniforms in their buffer, which is the largest alignment of a device.
const SLOT_BYTES: u64 = 256;

/// Draws handles that the host's scene may hide.
#[derive(Debug)]
pub(crate) struct DepthFade {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    /// One slot per style, and the number of slots.
    uniforms: Option<(wgpu::Buffer, usize)>,
    /// The group of the depth texture; `None` if no depth was prepared, so that the host can free its texture.
    group: Option<(wgpu::TextureView, wgpu::BindGroup)>,
    styles: Vec<DepthStyle>,
    staged: Vec<u8>,
    sent: Vec<u8>,
}

impl DepthFade {
    pub(crate) fn new(
        factory: &PipelineFactory<'_>,
        target: (TargetState, &Option<wgpu::DepthStencilState>),
    ) -> Self {
        let shader = factory.shader("wgpu-gizmo handles with depth", &fade_shader());
        let layout = factory.device.create_bind_group_layout(&LAYOUT);
        Self {
            pipeline: pipeline(&shader, &layout, target),
            layout,
            uniforms: None,
            group: None,
            styles: Vec::new(),
            staged: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// Uploads one uniform per style.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (view, depth): (&View, SceneDepth<'_>),
        styles: impl Iterator<Item = DepthStyle>,
    ) -> Result<(), GpuError> {
        self.styles.clear();
        for style in styles {
            if style != DepthStyle::OnTop && !self.styles.contains(&style) {
                self.styles.push(style);
            }
        }
        let count = self.styles.len().max(1);
        if self.uniforms.as_ref().is_none_or(|(_, slots)| *slots < count) {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            let buffer = create_buffer(device, "wgpu-gizmo depth styles", SLOT_BYTES * count as u64, usage)?;
            self.uniforms = Some((buffer, count));
            self.group = None;
        }
        let format = depth.texture.texture().format();
        self.staged.clear();
        self.staged.resize(SLOT_BYTES as usize * self.styles.len(), 0);
        for (slot, style) in self.staged.chunks_mut(SLOT_BYTES as usize).zip(&self.styles) {
            let uniform = Uniform::new(view, format, *style);
            slot[..size_of::<Uniform>()].copy_from_slice(bytemuck::bytes_of(&uniform));
        }
        let Some((buffer, _)) = &self.uniforms else { return Ok(()) };
        if !self.staged.is_empty() && self.staged != self.sent {
            queue.write_buffer(buffer, 0, &self.staged);
            self.sent.clone_from(&self.staged);
        }
        if self.group.as_ref().is_none_or(|(texture, _)| texture != depth.texture) {
            let group = crate::gpu::device::resources::catch_errors(device, || {
                group(device, &self.layout, buffer, depth)
            })
            .map_err(|_| {
                GpuError::SceneDepth(
                    "its texture needs the usage TEXTURE_BINDING, and its view the aspect DepthOnly",
                )
            })?;
            self.group = Some((depth.texture.clone(), group));
        }
        Ok(())
    }

    /// Returns true if a depth is prepared.
    pub(crate) fn has_depth(&self) -> bool {
        self.group.is_some()
    }

    /// Releases the depth texture.
    pub(crate) fn release_depth(&mut self) {
        self.group = None;
    }

    /// Sets the pipeline and the uniform of a style in a pass.
    pub(crate) fn begin(&self, pass: &mut wgpu::RenderPass<'_>, style: DepthStyle) {
        pass.set_pipeline(&self.pipeline);
        let slot = self.styles.iter().position(|known| *known == style);
        if let (Some(slot), Some((_, group))) = (slot, &self.group) {
            pass.set_bind_group(0, group, &[SLOT_BYTES as u32 * slot as u32]);
        }
    }
}

impl SceneDepth<'_> {
    /// Returns an error if this cannot be the depth of a view.
    pub(crate) fn check(&self, view: &View) -> Result<(), GpuError> {
        let texture = self.texture.texture();
        let refused = |reason| Err(GpuError::SceneDepth(reason));
        if !texture.format().has_depth_aspect() {
            return refused("its format has no depth");
        }
        if texture.sample_count() != 1 {
            return refused("it is multisampled: resolve it, or draw the depth with one sample per pixel");
        }
        if !texture.usage().contains(wgpu::TextureUsages::TEXTURE_BINDING) {
            return refused("its texture needs the usage TEXTURE_BINDING");
        }
        if texture.dimension() != wgpu::TextureDimension::D2 {
            return refused("it is not a 2D texture");
        }
        let [_, [right, bottom]] = viewport_pixels(view);
        if right > texture.width().into() || bottom > texture.height().into() {
            return refused("it is smaller than the viewport: it must have the size of the render target");
        }
        if self.direction != view.depth_direction() {
            return refused("the view has the other depth direction");
        }
        Ok(())
    }
}

const LAYOUT: wgpu::BindGroupLayoutDescriptor<'static> = wgpu::BindGroupLayoutDescriptor {
    label: Some("wgpu-gizmo scene depth"),
    entries: &[
        wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: std::num::NonZeroU64::new(size_of::<Uniform>() as u64),
            },
            count: None,
        },
        wgpu::BindGroupLayoutEntry {
            binding: 1,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        },
    ],
};

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    uniforms: &wgpu::Buffer,
    depth: SceneDepth<'_>,
) -> wgpu::BindGroup {
    let uniform = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: uniforms,
        offset: 0,
        size: std::num::NonZeroU64::new(size_of::<Uniform>() as u64),
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("wgpu-gizmo scene depth"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: uniform },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(depth.texture) },
        ],
    })
}

fn pipeline(
    shader: &Shader<'_>,
    layout: &wgpu::BindGroupLayout,
    (target, depth_stencil): (TargetState, &Option<wgpu::DepthStencilState>),
) -> wgpu::RenderPipeline {
    shader.pipeline(&PipelineState {
        entries: ["vs_faded", "fs_faded"],
        constants: &[target.encoding()],
        groups: &[Some(layout)],
        buffers: &[Some(PATCH_LAYOUT)],
        topology: wgpu::PrimitiveTopology::TriangleList,
        depth_stencil: depth_stencil.clone(),
        sample_count: target.sample_count,
        targets: &[Some(target.blended())],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat4;

    #[test]
    fn hatching_is_equally_wide_on_every_display() {
        let stripes_per_lpx = [1.0, 2.5].map(|scale_factor| {
            let viewport = crate::math::Viewport::from_size(800, 600);
            let view = View::from_clip_from_world(DMat4::IDENTITY, viewport, scale_factor);
            let view = view.expect("the view is valid");
            let uniform = Uniform::new(&view, wgpu::TextureFormat::Depth32Float, DepthStyle::Hatched);
            f64::from(uniform.stripes_per_px) * scale_factor
        });
        assert!((stripes_per_lpx[0] - stripes_per_lpx[1]).abs() < 1e-6, "{stripes_per_lpx:?}");
    }
}
