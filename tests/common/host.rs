//! The host's render pass, and images of it.

use super::cases::Case;
use super::device::{Gpu, gpu};
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
    texture_on(&gpu().device, size, (format, sample_count), usage)
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

/// Renders a frame of the host: clears it to `background` (the stored value, 0 to 1), then draws
/// the gizmo.
pub(crate) fn frame(
    case: &Case,
    state: TargetState,
    background: f64,
    renderer: &mut GizmoRenderer,
    list: &DrawList,
) -> Vec<[u8; 4]> {
    let Gpu { device, queue } = gpu();
    let resolved = texture(case.target, state.format, 1);
    let resolved_view = resolved.create_view(&wgpu::TextureViewDescriptor::default());
    let samples = (state.sample_count > 1).then(|| {
        let samples = texture(case.target, state.format, state.sample_count);
        samples.create_view(&wgpu::TextureViewDescriptor::default())
    });
    let depth = state
        .depth_stencil
        .map(|format| texture(case.target, format, state.sample_count).create_view(&Default::default()));
    let clear = clear_value(state.format, background);
    let mut encoder = gpu().encoder();
    renderer.prepare(device, queue, list).expect("the device is alive");
    let mut pass =
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
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
            depth_stencil_attachment: depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                // Depth 0 everywhere, whichever end is near: the handles must be drawn regardless.
                depth_ops: state.depth_stencil.is_some_and(|f| f.has_depth_aspect()).then_some(
                    wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store },
                ),
                stencil_ops: state.depth_stencil.is_some_and(|f| f.has_stencil_aspect()).then_some(
                    wgpu::Operations { load: wgpu::LoadOp::Clear(7), store: wgpu::StoreOp::Store },
                ),
            }),
            ..Default::default()
        });
    renderer.render(&mut pass);
    drop(pass);
    queue.submit([encoder.finish()]);
    gpu().texels(&resolved)
}

/// The same as [`frame`] with a renderer that tests share.
pub(crate) fn picture(case: &Case, state: TargetState, background: f64, list: &DrawList) -> Vec<[u8; 4]> {
    with_renderer(state, |renderer| frame(case, state, background, renderer, list))
}

/// Calls `work` with a renderer of the shared device.
pub(crate) fn with_renderer<R>(state: TargetState, work: impl FnOnce(&mut GizmoRenderer) -> R) -> R {
    static RENDERERS: Pool<TargetState, GizmoRenderer> = Pool::new();
    let create = || GizmoRenderer::new(&gpu().device, state).expect("the render target is supported");
    RENDERERS.with(state, create, work)
}

/// Returns the maximum and the mean difference of all channels.
pub(crate) fn difference(a: &[[u8; 4]], b: &[[u8; 4]]) -> (u8, f64) {
    let channels = || a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = channels().map(f64::from).sum();
    (channels().max().unwrap_or(0), sum / channels().count() as f64)
}
