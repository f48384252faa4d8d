//! The host's render pass, and images of it.

use super::cases::Case;
use super::device::{device, gpu, queue};
use super::pool::Pool;
use wgpu_gizmo::DrawList;
use wgpu_gizmo::gpu::{GizmoRenderer, TargetState};
use wgpu_gizmo::wgpu::{self, TextureFormat};

/// A render target without multisampling or depth.
pub(crate) const PLAIN: TargetState =
    TargetState { format: TextureFormat::Rgba8Unorm, sample_count: 1, depth_stencil: None };

/// Creates a texture of one mip level.
pub(crate) fn texture_on(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    (format, sample_count): (TextureFormat, u32),
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("host"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// Creates an attachment of the host, which can be read if it has one sample per pixel.
pub(crate) fn texture(size: [u32; 2], format: TextureFormat, sample_count: u32) -> wgpu::Texture {
    let is_read = sample_count == 1 && !format.is_depth_stencil_format();
    let read = if is_read { wgpu::TextureUsages::COPY_SRC } else { wgpu::TextureUsages::empty() };
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | read;
    texture_on(device(), size, (format, sample_count), usage)
}

/// Begins a pass of the host over one color attachment.
pub(crate) fn begin_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    color: &wgpu::Texture,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("host"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &color.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// A pass clears to this unless a test says otherwise.
pub(crate) const BLACK: wgpu::LoadOp<wgpu::Color> = wgpu::LoadOp::Clear(wgpu::Color::BLACK);

/// Returns the clear value that is stored as `c`. Clear colors of sRGB formats are linear.
fn clear_value(format: wgpu::TextureFormat, c: f64) -> f64 {
    let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    if format.is_srgb() { linear } else { c }
}

/// Renders a frame of the host: clears it to `background` (the stored value, 0 to 1), then calls `render`. The depth is
/// a texture of this view, which is only read, or else one that the state has.
pub(crate) fn rendered(
    case: &Case,
    state: TargetState,
    background: f64,
    mut encoder: wgpu::CommandEncoder,
    depth: Option<&wgpu::TextureView>,
    render: impl FnOnce(&mut wgpu::RenderPass<'_>),
) -> Vec<[u8; 4]> {
    let resolved = texture(case.target, state.format, 1);
    let resolved_view = resolved.create_view(&Default::default());
    let samples = (state.sample_count > 1)
        .then(|| texture(case.target, state.format, state.sample_count).create_view(&Default::default()));
    let own_depth = state
        .depth_stencil
        .map(|format| texture(case.target, format, state.sample_count).create_view(&Default::default()));
    let clear = clear_value(state.format, background);
    let is_written = |has_aspect: fn(&TextureFormat) -> bool| {
        depth.is_none() && state.depth_stencil.as_ref().is_some_and(has_aspect)
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("host"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: samples.as_ref().unwrap_or(&resolved_view),
            depth_slice: None,
            resolve_target: samples.is_some().then_some(&resolved_view),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r: clear, g: clear, b: clear, a: 1.0 }),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: own_depth.as_ref().map(|own| wgpu::RenderPassDepthStencilAttachment {
            view: depth.unwrap_or(own),
            // Depth 0 everywhere, whichever end is near: the handles must be drawn regardless.
            depth_ops: is_written(TextureFormat::has_depth_aspect)
                .then_some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
            stencil_ops: is_written(TextureFormat::has_stencil_aspect)
                .then_some(wgpu::Operations { load: wgpu::LoadOp::Clear(7), store: wgpu::StoreOp::Store }),
        }),
        ..Default::default()
    });
    render(&mut pass);
    drop(pass);
    queue().submit([encoder.finish()]);
    gpu().texels(&resolved)
}

/// Renders a frame of the host with a gizmo.
pub(crate) fn frame(
    case: &Case,
    state: TargetState,
    background: f64,
    renderer: &mut GizmoRenderer,
    list: &DrawList,
) -> Vec<[u8; 4]> {
    renderer.prepare(device(), queue(), list).expect("the device is alive");
    rendered(case, state, background, gpu().encoder(), None, |pass| renderer.render(pass))
}

/// The stages of a pipeline of the host, without bindings or with those of the shader.
pub(crate) struct Stages<'a> {
    pub(crate) shader: &'a str,
    pub(crate) fragment: &'a str,
    pub(crate) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
}

/// Creates a pipeline with the vertex stage `vs`.
pub(crate) fn pipeline(
    stages: Stages<'_>,
    targets: &[Option<wgpu::ColorTargetState>],
    depth_stencil: Option<wgpu::DepthStencilState>,
) -> wgpu::RenderPipeline {
    let source = wgpu::ShaderSource::Wgsl(stages.shader.into());
    let module = device().create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("host"), source });
    device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("host"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: stages.buffers,
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(stages.fragment),
            compilation_options: Default::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The same as [`frame`] with a renderer that tests share.
pub(crate) fn picture(case: &Case, state: TargetState, background: f64, list: &DrawList) -> Vec<[u8; 4]> {
    with_renderer(state, |renderer| frame(case, state, background, renderer, list))
}

/// Calls `work` with a renderer of the shared device.
pub(crate) fn with_renderer<R>(state: TargetState, work: impl FnOnce(&mut GizmoRenderer) -> R) -> R {
    static RENDERERS: Pool<TargetState, GizmoRenderer> = Pool::new();
    let create = || GizmoRenderer::new(device(), state).expect("the render target is supported");
    RENDERERS.with(state, create, work)
}

/// Returns the maximum and the mean difference of all channels.
pub(crate) fn difference(a: &[[u8; 4]], b: &[[u8; 4]]) -> (u8, f64) {
    let channels = || a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = channels().map(f64::from).sum();
    (channels().max().unwrap_or(0), sum / channels().count() as f64)
}
