use super::error::GpuError;
use super::guides::Guides;
use super::instances::{INSTANCE_LAYOUT, Instances};
use super::meshes::{HandleMeshes, VERTEX_LAYOUT};
use super::overlay::Overlay;
use super::resources::{catch_errors, check_alive};
use super::target_state::TargetState;
use super::window::{TileMode, Window, set_viewport, viewport_on_device};
use crate::draw::{DrawList, Item, VisiblePieces};
use crate::math::View;
use wgpu::TextureFormat;

/// Draws handles and guides into the host's pass.
///
/// [`GizmoRenderer::prepare`] draws the handles, with four samples per pixel and their own depth, into a
/// small texture of the renderer. [`GizmoRenderer::render`] draws that texture into the host's pass. So
/// the picture does not depend on the format, the samples or the depth of the pass.
///
/// Use one renderer per view that is shown in a frame: preparing it again before the submit replaces the
/// first result.
#[derive(Debug)]
pub struct GizmoRenderer {
    opaque: wgpu::RenderPipeline,
    translucent: wgpu::RenderPipeline,
    meshes: HandleMeshes,
    instances: Instances,
    overlay: Overlay,
    guides: Guides,
    /// Created by the first prepare that has something to draw.
    target: Option<HandleTextures>,
    /// The part of the textures that was prepared, and its position in the host's render target.
    prepared: Option<Window>,
    /// The viewport of the prepared view, which [`GizmoRenderer::render`] restores.
    viewport: Option<[f32; 4]>,
}

/// The attachments that the handles are drawn into.
#[derive(Debug)]
struct HandleTextures {
    size: [u32; 2],
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    resolved: wgpu::TextureView,
    bind_group: wgpu::BindGroup,
}

/// Premultiplied sRGB, because toolkits blend encoded values.
const COLOR_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;
/// Every device supports this count.
const SAMPLE_COUNT: u32 = 4;
/// The sides of the textures are multiples of this, in pixels, so that a gizmo that moves on screen does
/// not need new textures in every frame.
const SIZE_STEP: u32 = 128;

impl GizmoRenderer {
    /// Creates a renderer for passes with these attachments.
    ///
    /// # Errors
    /// [`GpuError::ColorFormat`], [`GpuError::SampleCount`] or [`GpuError::DepthFormat`] if the device
    /// does not support such a pass or cannot blend into it; [`GpuError::FormatFeature`] if a format needs
    /// a feature; [`GpuError::Rejected`] if only the device knows the reason; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        check_alive(device)?;
        catch_errors(device, || Self::create(device, target))?
    }

    fn create(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        let overlay = Overlay::new(device, target)?;
        let module = device.create_shader_module(wgpu::include_wgsl!("../../shaders/handle.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo handles"),
            ..Default::default()
        });
        Ok(Self {
            opaque: pipeline(device, &layout, &module, false),
            translucent: pipeline(device, &layout, &module, true),
            meshes: HandleMeshes::new(device)?,
            instances: Instances::new(),
            guides: Guides::new(device, target, target.check(device)?),
            overlay,
            target: None,
            prepared: None,
            viewport: None,
        })
    }

    /// Draws the handles into a texture of the renderer. Call it once per frame and outside of any
    /// pass, with the encoder of the pass that [`GizmoRenderer::render`] is called in, or with one that
    /// is submitted earlier.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] if a buffer or a texture must be created on a lost device. Then
    /// [`GizmoRenderer::render`] draws nothing.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.prepared = None;
        let limit = device.limits().max_texture_dimension_2d;
        self.viewport = list.view().and_then(|view| viewport_on_device(view, [0.0; 2], limit));
        self.guides.upload(device, queue, list)?;
        let (Some(view), Some(bounds_px)) = (list.view(), list.bounds_px()) else { return Ok(()) };
        let Some(window) = Window::enclosing(bounds_px, view, limit) else { return Ok(()) };
        if !list.is_empty() {
            self.draw(device, queue, encoder, list, view, window)?;
            self.prepared = Some(window);
        }
        Ok(())
    }

    /// Encodes the pass that draws the handles into the texture.
    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        list: &DrawList,
        view: &View,
        window: Window,
    ) -> Result<(), GpuError> {
        let limit = device.limits().max_texture_dimension_2d;
        let size = self.target.as_ref().map_or([0, 0], |target| target.size);
        let needed = [0, 1].map(|i| window.size[i].next_multiple_of(SIZE_STEP).min(limit).max(size[i]));
        let target = match &mut self.target {
            Some(target) if target.size == needed => target,
            other => other.insert(HandleTextures::new(device, &self.overlay, needed)?),
        };
        let placement = window.place(view, TileMode::Shifted, limit);
        self.meshes.keep(device, list)?;
        let all = |_: &Item| VisiblePieces::Whole;
        self.instances.upload(device, queue, list, |_| true, all, placement.clip_from_clip)?;
        self.overlay.write(queue, &window, view.scale_factor());
        let mut pass = target.begin(encoder);
        placement.apply(&mut pass);
        self.instances.bind(&mut pass, &self.meshes);
        pass.set_pipeline(&self.opaque);
        self.instances.draw(&mut pass, &self.meshes, false);
        pass.set_pipeline(&self.translucent);
        self.instances.draw(&mut pass, &self.meshes, true);
        Ok(())
    }

    /// Returns the number of bytes that the last [`GizmoRenderer::prepare`] uploaded.
    pub fn uploaded_bytes(&self) -> u64 {
        let handles = self.prepared.map_or(0, |_| self.instances.uploaded_bytes() + Overlay::BYTES);
        handles + self.guides.uploaded_bytes()
    }

    /// Draws the prepared handles and guides over the contents of the host's pass. Draws nothing if
    /// nothing was prepared. If the list has not changed, later frames can render the same result again.
    ///
    /// Changes the pipeline, bind group 0 and vertex buffer 0 of the pass. Leaves the viewport of the
    /// prepared view with a depth range of 0 to 1. A pass with another viewport, such as the whole render
    /// target, must set it again, and so must one whose view exceeds the maximum viewport of the device.
    ///
    /// Keeps the scissor rectangle, which clips the handles, the other vertex buffers, the index buffer,
    /// the blend constant and the stencil reference.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.guides.draw_under(pass);
        if let (Some(window), Some(target)) = (&self.prepared, &self.target) {
            self.overlay.draw(pass, &target.bind_group, window);
        }
        self.guides.draw_over(pass);
        if let Some(viewport) = self.viewport {
            set_viewport(pass, viewport);
        }
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    translucent: bool,
) -> wgpu::RenderPipeline {
    // Opaque parts replace what they occlude even if they are dimmed. If they were blended, a dimmed
    // arrow would show its back and the stem inside its head.
    let blend = translucent.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
    // The fill of a square is in the plane of its border, so it is moved back slightly.
    let bias = if translucent {
        wgpu::DepthBiasState { constant: -8, slope_scale: -1.0, clamp: 0.0 }
    } else {
        wgpu::DepthBiasState::default()
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("wgpu-gizmo handles"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_handle"),
            compilation_options: Default::default(),
            buffers: &[Some(VERTEX_LAYOUT), Some(INSTANCE_LAYOUT)],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(!translucent),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: wgpu::StencilState::default(),
            bias,
        }),
        multisample: wgpu::MultisampleState { count: SAMPLE_COUNT, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(if translucent { "fs_color_translucent" } else { "fs_color" }),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR_FORMAT,
                blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

impl HandleTextures {
    fn new(device: &wgpu::Device, overlay: &Overlay, size: [u32; 2]) -> Result<Self, GpuError> {
        check_alive(device)?;
        let view = |label, format, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let none = wgpu::TextureUsages::empty();
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING;
        let resolved = view("wgpu-gizmo handles", COLOR_FORMAT, 1, sampled);
        Ok(Self {
            size,
            samples: view("wgpu-gizmo handle samples", COLOR_FORMAT, SAMPLE_COUNT, none),
            depth: view("wgpu-gizmo handle depth", DEPTH_FORMAT, SAMPLE_COUNT, none),
            bind_group: overlay.bind_group(device, &resolved),
            resolved,
        })
    }

    fn begin<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("wgpu-gizmo handles"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}
