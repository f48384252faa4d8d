use super::grids::Grids;
use super::picture::{PATCH_LAYOUT, Picture, SHADER};
use super::scene_depth::{DepthFade, SceneDepth};
use crate::draw::{DepthStyle, DrawList};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineState, Shader};
use crate::gpu::device::resources::check_device;
use crate::gpu::device::target_state::TargetState;
use crate::gpu::id_target::tile_view::{PixelGrid, PixelRect, set_viewport, viewport_on_device};

/// Draws handles and guides into the host's pass.
///
/// Each handle is a few triangles, whose fragments know their distance from the outline of the handle. So the
/// edges are anti-aliased without samples, and nearer handles hide farther ones without depth: the picture
/// does not depend on the format or the depth of the pass, and hardly on its samples.
///
/// Use one renderer per view that is shown in a frame: preparing it again before the submit replaces the
/// first result.
///
/// ```no_run
/// use wgpu_gizmo::gpu::{GizmoRenderer, GpuError};
/// use wgpu_gizmo::{DrawList, wgpu};
///
/// fn upload(
///     device: &wgpu::Device,
///     queue: &wgpu::Queue,
///     renderer: &mut GizmoRenderer,
///     list: &DrawList,
/// ) -> Result<(), GpuError> {
///     renderer.prepare(device, queue, list)
///     // Then call `renderer.render(&mut pass)` last in the pass.
/// }
/// ```
#[derive(Debug)]
pub struct GizmoRenderer {
    device: wgpu::Device,
    pipeline: wgpu::RenderPipeline,
    picture: Picture,
    grids: Grids,
    target: TargetState,
    /// Created by the first depth of a scene.
    fade: Option<DepthFade>,
    /// The part of the host's render target that was prepared.
    prepared: Option<PixelRect>,
    /// The viewport of the prepared view, which [`GizmoRenderer::render`] restores.
    viewport: Option<[f32; 4]>,
    /// The errors of the pipelines.
    pub(crate) errors: DeviceErrors,
}

impl GizmoRenderer {
    /// Creates a renderer for passes with these attachments.
    ///
    /// # Errors
    /// [`GpuError::ColorFormat`], [`GpuError::SampleCount`] or [`GpuError::DepthFormat`] if the device
    /// does not support such a pass or cannot blend into it; [`GpuError::FormatFeature`] if a format needs
    /// a feature; [`GpuError::Rejected`] if only the device knows the reason; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        let target = target.into();
        let depth_stencil = target.check(device)?;
        let mut errors = DeviceErrors::default();
        let (pipeline, grids) = errors.create_pipelines(device, |factory| {
            let shader = factory.shader("wgpu-gizmo handles", SHADER);
            let pipeline = pipeline(&shader, target, &depth_stencil);
            (pipeline, Grids::new(factory, target, &depth_stencil))
        })?;
        Ok(Self { errors, ..Self::with(device, pipeline, grids, target) })
    }

    fn with(
        device: &wgpu::Device,
        pipeline: wgpu::RenderPipeline,
        grids: Grids,
        target: TargetState,
    ) -> Self {
        Self {
            device: device.clone(),
            pipeline,
            picture: Picture::new(),
            grids,
            target,
            fade: None,
            prepared: None,
            viewport: None,
            errors: DeviceErrors::default(),
        }
    }

    /// Returns a renderer of another view whose passes have the same attachments. It shares the pipelines of this one
    /// and has buffers of its own, so it costs almost nothing.
    #[must_use]
    pub fn for_another_view(&self) -> Self {
        Self::with(&self.device, self.pipeline.clone(), self.grids.for_another_view(), self.target)
    }

    /// Uploads the handles and guides of a list. Call it once per frame and before the pass that
    /// [`GizmoRenderer::render`] is called in is submitted.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] if a buffer must be created on a lost device, and [`GpuError::OtherDevice`] if
    /// the device is not that of [`GizmoRenderer::new`]. Then [`GizmoRenderer::render`] draws nothing.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.prepare_for(device, queue, list, None)
    }

    fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.prepared = None;
        check_device(&self.device, device)?;
        self.errors.check()?;
        let limit = device.limits().max_texture_dimension_2d;
        self.viewport = list.view().and_then(|view| viewport_on_device(view, limit));
        let Some(pixels) = list.view().and_then(|view| PixelRect::of_view(view, limit)) else {
            return Ok(());
        };
        self.grids.upload(device, queue, list, &pixels)?;
        self.picture.upload(device, queue, list, &PixelGrid::on_target(&pixels))?;
        self.prepared = Some(pixels);
        Ok(())
    }

    /// Does the same as [`GizmoRenderer::prepare`], and draws parts that the scene hides in the style of their
    /// gizmo ([`DisplaySettings::depth_style`](crate::interaction::settings::DisplaySettings::depth_style)). Nothing is read back.
    /// The depth texture is kept until the next call of this or of [`GizmoRenderer::prepare`].
    ///
    /// # Errors
    /// [`GpuError::SceneDepth`] if the depth cannot be that of the view or cannot be read; then all handles are
    /// drawn on top. The errors of [`GizmoRenderer::prepare`] and [`GizmoRenderer::new`].
    pub fn prepare_with_depth(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        depth: SceneDepth<'_>,
    ) -> Result<(), GpuError> {
        self.prepare_for(device, queue, list, Some(depth))
    }

    fn prepare_for(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        depth: Option<SceneDepth<'_>>,
    ) -> Result<(), GpuError> {
        let uploaded = self.upload(device, queue, list);
        let has_depth = uploaded.and_then(|()| match depth {
            Some(depth) => self.upload_depth(device, queue, list, depth),
            None => Ok(false),
        });
        if let (Some(fade), Ok(false) | Err(_)) = (&mut self.fade, &has_depth) {
            fade.release_depth();
        }
        has_depth.map(|_| ())
    }

    /// Returns false if no handle is compared with the depth.
    fn upload_depth(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        depth: SceneDepth<'_>,
    ) -> Result<bool, GpuError> {
        let Some(view) = list.view() else { return Ok(false) };
        depth.check(view)?;
        let styles = || list.depth_styles();
        if self.prepared.is_none() || styles().all(|style| style == DepthStyle::OnTop) {
            return Ok(false);
        }
        let fade = match &mut self.fade {
            Some(fade) => fade,
            empty => {
                let depth_stencil = self.target.check(device)?;
                let target = (self.target, &depth_stencil);
                empty.insert(self.errors.create_pipelines(device, |factory| DepthFade::new(factory, target))?)
            }
        };
        fade.upload(device, queue, (view, depth), styles())?;
        Ok(true)
    }

    /// Returns the number of bytes that the last [`GizmoRenderer::prepare`] uploaded.
    pub fn uploaded_bytes(&self) -> u64 {
        self.prepared.map_or(0, |_| self.picture.uploaded_bytes() + self.grids.uploaded_bytes())
    }

    /// Draws the prepared handles and guides over the contents of the host's pass. Draws nothing if
    /// nothing was prepared. If the list has not changed, later frames can render the same result again.
    ///
    /// Changes the pipeline, vertex buffer 0 and the index buffer of the pass, and bind group 0 if it was
    /// prepared with a depth. It leaves the viewport of the prepared view with a depth range of 0 to 1. A pass
    /// with another viewport, such as the whole render target, must set it again, and so must one whose view
    /// exceeds the maximum viewport of the device.
    ///
    /// Keeps the scissor rectangle, which clips the handles, the other bind groups, the other vertex buffers,
    /// the blend constant and the stencil reference.
    ///
    /// On WebGL2, a scissor rectangle that is still set at the end of a multisampled pass also clips what wgpu
    /// resolves: only that part of the resolve target changes. Set it to the whole attachment before the pass ends.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(pixels) = self.prepared {
            pixels.set_viewport(pass);
            self.grids.draw(pass);
            let fade = self.fade.as_ref().filter(|fade| fade.has_depth());
            self.picture.draw(pass, |pass, style| match fade {
                Some(fade) if style != DepthStyle::OnTop => fade.begin(pass, style),
                _ => pass.set_pipeline(&self.pipeline),
            });
        }
        if let Some(viewport) = self.viewport {
            set_viewport(pass, viewport);
        }
    }
}

fn pipeline(
    shader: &Shader<'_>,
    target: TargetState,
    depth_stencil: &Option<wgpu::DepthStencilState>,
) -> wgpu::RenderPipeline {
    shader.pipeline(&PipelineState {
        entries: ["vs_handle", "fs_handle"],
        constants: &[target.encoding()],
        buffers: &[Some(PATCH_LAYOUT)],
        topology: wgpu::PrimitiveTopology::TriangleList,
        depth_stencil: depth_stencil.clone(),
        sample_count: target.sample_count,
        targets: &[Some(target.blended())],
        ..Default::default()
    })
}
