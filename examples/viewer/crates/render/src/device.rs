//! The adapter and device, with or without a window.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{Backends, InstanceDescriptor};

/// A device with its adapter and queue. Clones share them.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// The queue of the device.
    pub queue: wgpu::Queue,
    _last_wait: Arc<LastWait>,
}

/// The error if no adapter or device is available.
#[derive(Debug, thiserror::Error)]
#[error("No graphics adapter was found ({0}). {advice}", advice = advice(std::env::consts::OS))]
pub struct NoAdapter(String);

/// Returns what to do without an adapter on an operating system.
fn advice(system: &str) -> &'static str {
    match system {
        "windows" => "Install the driver of the maker of the GPU.",
        "macos" | "ios" => "Metal is a part of macOS: update macOS. A virtual machine may lack it.",
        "linux" => {
            "Install a driver; without a GPU, install a software driver, on Debian and Ubuntu by: \
             apt-get install -y --no-install-recommends mesa-vulkan-drivers"
        }
        _ => "Install a driver.",
    }
}

/// Creates an instance for the given backends. Without any, `WGPU_BACKEND` chooses.
pub fn instance(descriptor: InstanceDescriptor, backends: Option<Backends>) -> wgpu::Instance {
    let mut descriptor = descriptor.with_env();
    descriptor.backends = backends.unwrap_or(descriptor.backends);
    wgpu::Instance::new(descriptor)
}

/// An error that a device reports outside of any call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The device is lost: a new one must be created.
    #[error("The GPU device was lost ({0})")]
    Lost(String),
    /// An error that no error scope has captured, such as a lack of memory.
    #[error("The GPU reported an error: {0}")]
    Uncaptured(String),
}

/// The first error that a device has reported.
#[derive(Debug, Clone, Default)]
pub struct DeviceWatch(Arc<Mutex<Option<DeviceError>>>);

impl DeviceWatch {
    /// Returns the error, if there is one. The loss of the device takes precedence.
    pub fn error(&self) -> Option<DeviceError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn report(&self, error: DeviceError) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A lost device causes further errors.
        if first.is_none()
            || (matches!(error, DeviceError::Lost(_)) && !matches!(*first, Some(DeviceError::Lost(_))))
        {
            *first = Some(error);
        }
    }
}

impl Gpu {
    /// Collects the errors of the device, which would end the program otherwise. `wake` is called after each.
    pub fn watch(&self, wake: impl Fn() + Send + Sync + 'static) -> DeviceWatch {
        let (watch, wake) = (DeviceWatch::default(), Arc::new(wake));
        let (on_error, on_loss) = (watch.clone(), watch.clone());
        let (wake_on_error, wake_on_loss) = (wake.clone(), wake);
        self.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.report(DeviceError::Uncaptured(one_line(&error)));
            wake_on_error();
        }));
        self.device.set_device_lost_callback(move |reason, message| {
            let why = if message.is_empty() { format!("{reason:?}") } else { message };
            on_loss.report(DeviceError::Lost(why));
            wake_on_loss();
        });
        watch
    }

    /// Creates a device as [`Gpu::open`] does, and waits for it.
    pub fn new(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Self, NoAdapter> {
        pollster::block_on(Self::open(instance, surface))
    }

    /// Creates a device with the downlevel default limits, which every adapter supports except for those of
    /// WebGL2.
    pub async fn open(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, NoAdapter> {
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: surface,
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let no_adapter = |error: &dyn std::error::Error| NoAdapter(one_line(error));
        let adapter = instance.request_adapter(&options).await.map_err(|error| no_adapter(&error))?;
        let limits = match adapter.get_info().backend {
            wgpu::Backend::Gl if cfg!(target_arch = "wasm32") => wgpu::Limits::downlevel_webgl2_defaults(),
            _ => wgpu::Limits::downlevel_defaults(),
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("wgpu-gizmo-viewer"),
            required_limits: limits.using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) =
            adapter.request_device(&descriptor).await.map_err(|error| no_adapter(&error))?;
        let _last_wait = Arc::new(LastWait(device.clone()));
        Ok(Self { adapter, device, queue, _last_wait })
    }

    /// Returns the name of the backend as replays print it, such as `vulkan` or `gl`.
    pub fn backend_name(&self) -> String {
        self.adapter.get_info().backend.to_string().to_lowercase()
    }

    /// Returns the driver's name for the adapter.
    pub fn adapter_name(&self) -> String {
        self.adapter.get_info().name
    }
}

/// Waits for the GPU when the last clone is dropped: a software driver runs its own threads, and a process that
/// ends before them can crash.
#[derive(Debug)]
struct LastWait(wgpu::Device);

impl Drop for LastWait {
    fn drop(&mut self) {
        // A lost device has no work in flight.
        let _ = self.0.poll(wgpu::PollType::wait_indefinitely());
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

/// Returns the device that all tests of the process share: creating many at once can crash a driver's
/// loader. Validation errors panic by default, so they fail the test.
pub fn shared() -> &'static Gpu {
    static GPU: std::sync::OnceLock<Gpu> = std::sync::OnceLock::new();
    GPU.get_or_init(|| {
        let instance = instance(InstanceDescriptor::new_without_display_handle_from_env(), None);
        Gpu::new(&instance, None).unwrap_or_else(|error| panic!("{error}"))
    })
}
