//! The adapter and device, with or without a window.

use std::fmt::Write as _;
use wgpu::{Backends, InstanceDescriptor};

/// Which driver to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Backend {
    /// Vulkan.
    Vulkan,
    /// OpenGL.
    Gl,
}

/// A device and what it came from.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

/// No device to draw with.
#[derive(Debug, thiserror::Error)]
#[error(
    "no graphics adapter was found ({0}). Install a driver; without a GPU, a software one: \
     apt-get install -y --no-install-recommends mesa-vulkan-drivers"
)]
pub(crate) struct NoAdapter(String);

/// An instance for the given backend; `WGPU_BACKEND` chooses where none is given.
pub(crate) fn instance(descriptor: InstanceDescriptor, backend: Option<Backend>) -> wgpu::Instance {
    let mut descriptor = descriptor.with_env();
    match backend {
        Some(Backend::Vulkan) => descriptor.backends = Backends::VULKAN,
        Some(Backend::Gl) => descriptor.backends = Backends::GL,
        None => {}
    }
    wgpu::Instance::new(descriptor)
}

impl Gpu {
    /// A device that needs no more than every adapter can do.
    pub(crate) fn new(
        instance: &wgpu::Instance,
        compatible_surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, NoAdapter> {
        let options = wgpu::RequestAdapterOptions {
            compatible_surface,
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter =
            pollster::block_on(instance.request_adapter(&options)).map_err(|e| NoAdapter(one_line(&e)))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("wgpu-gizmo-viewer"),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .map_err(|e| NoAdapter(one_line(&e)))?;
        Ok(Self { adapter, device, queue })
    }

    /// `vulkan`, `gl`, …, as replays name it.
    pub(crate) fn backend_name(&self) -> String {
        self.adapter.get_info().backend.to_string().to_lowercase()
    }

    /// What the driver calls itself.
    pub(crate) fn adapter_name(&self) -> String {
        self.adapter.get_info().name
    }
}

/// A software driver works in threads of its own; a process that ends under them can crash.
impl Drop for Gpu {
    fn drop(&mut self) {
        // A device that is gone has nothing under way.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }
}

fn one_line(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let _ = write!(text, ": {error}");
        source = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The one device of a process of tests: many that are made at once can crash a driver's loader.
/// Validation errors panic by default, and so fail the test.
#[cfg(test)]
pub(crate) fn shared() -> &'static Gpu {
    static GPU: std::sync::OnceLock<Gpu> = std::sync::OnceLock::new();
    GPU.get_or_init(|| {
        let instance = instance(InstanceDescriptor::new_without_display_handle_from_env(), None);
        Gpu::new(&instance, None).unwrap_or_else(|error| panic!("{error}"))
    })
}
