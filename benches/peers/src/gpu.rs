//! A device without a window.

/// A device and its queue.
#[derive(Debug)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// What it is, for the tables.
    pub name: String,
}

impl Gpu {
    /// A software adapter unless `WGPU_BACKEND` or `REAL_GPU=1` says otherwise.
    pub fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let real = std::env::var_os("REAL_GPU").is_some();
        adapters.sort_by_key(|adapter| (adapter.get_info().device_type != wgpu::DeviceType::Cpu) != real);
        let adapter =
            adapters.into_iter().next().expect("an adapter; a software one is in mesa-vulkan-drivers");
        let info = adapter.get_info();
        let name = format!("{} ({:?})", info.name, info.backend);
        println!("adapter: {name}");
        let timestamps = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: timestamps,
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .expect("a device");
        Self { device, queue, name }
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Submits and waits until the GPU has nothing left to do.
    pub fn finish(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
        self.wait();
    }

    pub fn wait(&self) {
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
    }
}

impl Default for Gpu {
    fn default() -> Self {
        Self::new()
    }
}
