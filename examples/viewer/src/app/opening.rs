//! Opens a device for a window: at once natively, and in a later turn of the page in a browser.

use super::screen::drawable_px;
use crate::tasks;
use crate::user_event::UserEvent;
use render::device::{Gpu, instance};
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;
use wgpu::{Backends, InstanceDescriptor, SurfaceConfiguration, TextureFormat};
use winit::event_loop::{EventLoopProxy, OwnedDisplayHandle};
use winit::window::Window;

/// A device with the window that it presents to.
pub(super) struct Opened {
    pub(super) window: Arc<Window>,
    pub(super) instance: wgpu::Instance,
    pub(super) gpu: Gpu,
    pub(super) surface: wgpu::Surface<'static>,
    pub(super) config: SurfaceConfiguration,
}

type Answer = Result<Opened, Box<dyn Error>>;

/// The device that is being opened, if any.
#[derive(Default)]
pub(super) struct Opening(Option<Rc<RefCell<Option<Answer>>>>);

impl Opening {
    /// Begins to open a device. Where this takes more than this call, an event follows.
    pub(super) fn begin(
        &mut self,
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backends: Option<Backends>,
        window: Arc<Window>,
    ) {
        let answer = Rc::new(RefCell::new(None));
        self.0 = Some(answer.clone());
        tasks::start(async move {
            let opened = open(window, display, backends).await;
            *answer.borrow_mut() = Some(opened);
            if cfg!(target_arch = "wasm32") {
                // Sending fails only if the event loop is closed.
                let _ = proxy.send_event(UserEvent::Device);
            }
        });
    }

    /// Waits until a device can be opened again.
    pub(super) fn wait(&mut self) {
        self.0 = Some(Rc::default());
    }

    /// Returns true while a device is being opened.
    pub(super) fn is_pending(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the device once it is there.
    pub(super) fn take(&mut self) -> Option<Answer> {
        let answer = self.0.as_ref()?.borrow_mut().take()?;
        self.0 = None;
        Some(answer)
    }
}

/// Creates a device that can present to a window, and configures the surface of the window, in sRGB if
/// possible.
async fn open(window: Arc<Window>, display: OwnedDisplayHandle, backends: Option<Backends>) -> Answer {
    let instance = instance(InstanceDescriptor::new_with_display_handle(Box::new(display)), backends);
    let surface = instance.create_surface(window.clone())?;
    let gpu = Gpu::open(&instance, Some(&surface)).await?;
    let [width, height] = drawable_px(window.inner_size(), &gpu.device);
    let mut config = surface
        .get_default_config(&gpu.adapter, width.max(1), height.max(1))
        .ok_or("the adapter cannot present to this window")?;
    let formats = surface.get_capabilities(&gpu.adapter).formats;
    config.format = formats.into_iter().find(|format| format.is_srgb()).unwrap_or(config.format);
    if gpu.adapter.get_info().backend == wgpu::Backend::BrowserWebGpu {
        // A canvas has no sRGB formats, but its textures have such views.
        config.view_formats = vec![config.format.add_srgb_suffix()];
    }
    surface.configure(&gpu.device, &config);
    Ok(Opened { window, instance, gpu, surface, config })
}

/// Returns the format in which the textures of a surface are drawn to.
pub(super) fn target_format(config: &SurfaceConfiguration) -> TextureFormat {
    config.view_formats.first().copied().unwrap_or(config.format)
}
