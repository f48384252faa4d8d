//! A window with the GPU device that draws it.

use render::device::{Gpu, instance};
use std::error::Error;
use std::sync::Arc;
use surface::{NextFrame, next_frame};
use wgpu::{Backends, CreateSurfaceError, InstanceDescriptor, SurfaceConfiguration, SurfaceTexture};
use wgpu::{TextureFormat, TextureView, TextureViewDescriptor};
use winit::dpi::PhysicalSize;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// A window, its surface, and the device that presents to it.
pub(super) struct WindowSurface {
    pub(super) window: Arc<Window>,
    pub(super) gpu: Gpu,
    instance: wgpu::Instance,
    /// `None` only while the device is being replaced.
    surface: Option<wgpu::Surface<'static>>,
    config: SurfaceConfiguration,
}

impl WindowSurface {
    /// Creates a device that can present to a window, and configures the surface of the window, in sRGB if
    /// possible.
    pub(super) async fn open(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        backends: Option<Backends>,
    ) -> Result<Self, Box<dyn Error>> {
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
        Ok(Self { window, gpu, instance, surface: Some(surface), config })
    }

    /// Returns the format in which the textures of the surface are drawn to.
    pub(super) fn format(&self) -> TextureFormat {
        self.config.view_formats.first().copied().unwrap_or(self.config.format)
    }

    /// Returns the size of the part of the window that is drawn: the part at the top left that the device can
    /// render to.
    pub(super) fn size_px(&self) -> [u32; 2] {
        drawable_px(self.window.inner_size(), &self.gpu.device)
    }

    /// Returns the size of the textures, which is that of the last time when the window had pixels.
    pub(super) fn configured_px(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Configures the surface for the current size of the window. Returns false if the window has no pixels, as a
    /// minimized one: configuring an empty surface is an error.
    pub(super) fn resize(&mut self) -> bool {
        let [width, height] = self.size_px();
        let has_pixels = width > 0 && height > 0;
        if has_pixels {
            (self.config.width, self.config.height) = (width, height);
            if let Some(surface) = &self.surface {
                surface.configure(&self.gpu.device, &self.config);
            }
        }
        has_pixels
    }

    /// Gives up the surface of a lost device, because a window has one at a time.
    pub(super) fn close(&mut self) {
        self.surface = None;
    }

    /// Returns false while the device is being replaced.
    pub(super) fn is_open(&self) -> bool {
        self.surface.is_some()
    }

    /// Returns the next texture to present.
    pub(super) fn next_frame(&mut self) -> Result<NextFrame<SurfaceTexture>, CreateSurfaceError> {
        let create = || self.instance.create_surface(self.window.clone());
        next_frame(&mut self.surface, (&self.gpu.device, &self.config), create)
    }

    /// Returns the view of a texture that is drawn to.
    pub(super) fn view_of(&self, texture: &SurfaceTexture) -> TextureView {
        let format = Some(self.format());
        texture.texture.create_view(&TextureViewDescriptor { format, ..Default::default() })
    }
}

/// Returns the part of a window that a device can render to.
fn drawable_px(size: PhysicalSize<u32>, device: &wgpu::Device) -> [u32; 2] {
    let limit = device.limits().max_texture_dimension_2d;
    [size.width.min(limit), size.height.min(limit)]
}
