//! Helpers for benchmarks that use a device.
#![allow(dead_code, reason = "no benchmark needs all of it")]

use wgpu::{StoreOp, TextureUsages};

/// Returns a device, of a software adapter if there is one.
pub(crate) fn device() -> (wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
    let adapter = adapters.first().expect("no adapter: install mesa-vulkan-drivers for a software one");
    let info = adapter.get_info();
    println!("adapter: {} ({:?})", info.name, info.backend);
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
        ..Default::default()
    };
    pollster::block_on(adapter.request_device(&descriptor)).expect("the adapter has a device")
}

/// Creates a render target.
pub(crate) fn texture(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    usage: TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | usage,
        view_formats: &[],
    })
}

/// Returns the attachment of a pass that clears a color or id target.
pub(crate) fn cleared(view: &wgpu::TextureView) -> Option<wgpu::RenderPassColorAttachment<'_>> {
    let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
    let ops = wgpu::Operations { load, store: StoreOp::Store };
    Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
}

/// Returns the attachment of a pass that begins with this depth.
pub(crate) fn cleared_depth(
    view: &wgpu::TextureView,
    depth: f32,
    store: StoreOp,
) -> Option<wgpu::RenderPassDepthStencilAttachment<'_>> {
    let depth_ops = Some(wgpu::Operations { load: wgpu::LoadOp::Clear(depth), store });
    Some(wgpu::RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None })
}

/// Returns the median of times.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
