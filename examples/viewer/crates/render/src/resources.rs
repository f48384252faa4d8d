//! Textures, uniforms, bind groups and passes as all renderers of the viewer need them.

use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{Color, CommandEncoder, Device, LoadOp, RenderPass, TextureUsages, TextureView};

/// The usage of a texture that is rendered to and then read by a shader.
pub(crate) const RENDERED: TextureUsages =
    TextureUsages::RENDER_ATTACHMENT.union(TextureUsages::TEXTURE_BINDING);

/// A uniform buffer in a bind group layout.
pub(crate) const UNIFORM: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};

/// Returns the description of a texture with one level and one sample per texel.
pub(crate) fn texture(
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    usage: TextureUsages,
) -> wgpu::TextureDescriptor<'_> {
    wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    }
}

/// Creates a texture and returns a view of all of it.
pub(crate) fn texture_view(device: &Device, descriptor: &wgpu::TextureDescriptor<'_>) -> TextureView {
    device.create_texture(descriptor).create_view(&Default::default())
}

/// Returns the width and the height of a view of a whole texture.
pub(crate) fn size_px(view: &TextureView) -> [u32; 2] {
    [view.texture().width(), view.texture().height()]
}

/// Creates a buffer that the queue writes to.
pub(crate) fn buffer(device: &Device, label: &str, size: usize, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Creates a buffer with these contents.
pub(crate) fn filled_buffer(
    device: &Device,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
}

/// Creates the layout of a bind group whose bindings are numbered from 0.
pub(crate) fn bind_group_layout(
    device: &Device,
    label: &str,
    bindings: impl IntoIterator<Item = (wgpu::ShaderStages, wgpu::BindingType)>,
) -> wgpu::BindGroupLayout {
    let entry =
        |(binding, (visibility, ty))| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let entries: Vec<_> = (0..).zip(bindings).map(entry).collect();
    device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// Creates a bind group whose bindings are numbered from 0.
pub(crate) fn bind_group<'a>(
    device: &Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
    let entries: Vec<_> = (0..).zip(resources).map(entry).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// Begins a pass over all of a render target.
pub(crate) fn begin_color<'a>(
    encoder: &'a mut CommandEncoder,
    label: &str,
    view: &TextureView,
    load: LoadOp<Color>,
) -> RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// Begins a pass that writes nothing but depth.
pub(crate) fn begin_depth<'a>(
    encoder: &'a mut CommandEncoder,
    label: &str,
    view: &TextureView,
    load: LoadOp<f32>,
) -> RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}
