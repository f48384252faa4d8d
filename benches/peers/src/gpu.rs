//! Headless devices.

use crate::clock::Clock;
use crate::is_set;

/// A device and its queue.
#[derive(Debug)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// The name in tables.
    pub backend: &'static str,
    /// Suffix of figure names; empty for the default backend.
    pub suffix: String,
    /// The GPU's clock, if the device supports timestamps.
    pub clock: Option<Clock>,
}

impl Gpu {
    /// Returns the first of [`Gpu::all`].
    pub fn new() -> Self {
        Self::all().swap_remove(0)
    }

    /// Creates one per backend, Vulkan before GL, on software adapters unless `REAL_GPU=1`.
    /// `WGPU_BACKEND` restricts the backends.
    pub fn all() -> Vec<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let real = is_set("REAL_GPU");
        adapters.retain(|adapter| (adapter.get_info().device_type != wgpu::DeviceType::Cpu) == real);
        adapters.sort_by_key(|adapter| adapter.get_info().backend == wgpu::Backend::Gl);
        adapters.dedup_by_key(|adapter| adapter.get_info().backend);
        assert!(!adapters.is_empty(), "no adapter: install mesa-vulkan-drivers for a software one");
        adapters.iter().enumerate().map(|(index, adapter)| Self::of(adapter, index > 0)).collect()
    }

    fn of(adapter: &wgpu::Adapter, is_second: bool) -> Self {
        let info = adapter.get_info();
        println!("adapter: {} ({:?}), {}", info.name, info.backend, info.driver_info);
        let backend = match info.backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Gl => "GL",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "DX12",
            _ => "other",
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: adapter.features() & Clock::FEATURES,
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .expect("the adapter provides a device");
        let suffix = if is_second { format!("_{}", backend.to_lowercase()) } else { String::new() };
        let clock = Clock::new(&device, &queue);
        Self { device, queue, backend, suffix, clock }
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Submits and waits until the GPU is idle.
    pub fn finish(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
        self.wait();
    }

    pub fn wait(&self) {
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
    }

    /// Encodes, submits and waits. Returns microseconds by the GPU's clock, or NaN if it has none.
    pub fn time(&self, encode: impl FnOnce(&mut wgpu::CommandEncoder)) -> f64 {
        let mut encoder = self.encoder();
        let Some(clock) = &self.clock else {
            encode(&mut encoder);
            self.finish(encoder);
            return f64::NAN;
        };
        clock.start(&mut encoder);
        encode(&mut encoder);
        clock.stop(&mut encoder);
        self.finish(encoder);
        clock.read_us()
    }
}

impl Default for Gpu {
    fn default() -> Self {
        Self::new()
    }
}
