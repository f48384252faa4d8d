//! The host on a canvas, for JavaScript.

use crate::host::{Host, HostError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use surface::{NextFrame, next_frame};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;
use wgpu::{Backends, InstanceDescriptor, SurfaceTarget};
use wgpu_gizmo::glam::{dvec2, dvec3};
use wgpu_gizmo::pick::Region;

/// A canvas with a host.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Page {
    canvas: HtmlCanvasElement,
    backends: Backends,
    screen: Screen,
    /// `None` only while it is built again.
    host: Option<Host>,
    scale_factor: f64,
    frames: u32,
}

#[derive(Debug)]
struct Screen {
    instance: wgpu::Instance,
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    backend: wgpu::Backend,
    is_lost: Arc<AtomicBool>,
}

fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

impl Screen {
    async fn new(
        canvas: &HtmlCanvasElement,
        backends: Backends,
    ) -> Result<(Self, wgpu::Device, wgpu::Queue), HostError> {
        let descriptor = InstanceDescriptor { backends, ..InstanceDescriptor::new_without_display_handle() };
        let instance = wgpu::util::new_instance_with_webgpu_detection(descriptor).await;
        let surface = instance.create_surface(SurfaceTarget::Canvas(canvas.clone()))?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                compatible_surface: Some(&surface),
                ..Default::default()
            })
            .await?;
        let backend = adapter.get_info().backend;
        let limits = match backend {
            wgpu::Backend::Gl => wgpu::Limits::downlevel_webgl2_defaults(),
            _ => wgpu::Limits::downlevel_defaults(),
        };
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: limits.using_resolution(adapter.limits()),
                ..Default::default()
            })
            .await?;
        let (width, height) = (canvas.width().max(1), canvas.height().max(1));
        let mut config = surface
            .get_default_config(&adapter, width, height)
            .ok_or("the adapter cannot present to this canvas")?;
        // The same picture on both backends.
        let encoded = config.format.remove_srgb_suffix();
        if surface.get_capabilities(&adapter).formats.contains(&encoded) {
            config.format = encoded;
        }
        surface.configure(&device, &config);
        let is_lost = Arc::new(AtomicBool::new(false));
        let told = is_lost.clone();
        device.set_device_lost_callback(move |_, _| told.store(true, Ordering::Release));
        Ok((Self { instance, surface: Some(surface), config, backend, is_lost }, device, queue))
    }
}

#[wasm_bindgen]
impl Page {
    /// Creates a page on a canvas, with the backend `webgpu`, `webgl` or any.
    pub async fn create(canvas: HtmlCanvasElement, backend: String) -> Result<Page, JsError> {
        let backends = match backend.as_str() {
            "webgpu" => Backends::BROWSER_WEBGPU,
            "webgl" => Backends::GL,
            _ => Backends::BROWSER_WEBGPU | Backends::GL,
        };
        let (screen, device, queue) = Screen::new(&canvas, backends).await.map_err(error)?;
        let host = Host::new(device, queue, screen.config.format).map_err(error)?;
        Ok(Self { canvas, backends, screen, host: Some(host), scale_factor: 1.0, frames: 0 })
    }

    /// Returns the name of the backend.
    pub fn backend(&self) -> String {
        format!("{:?}", self.screen.backend)
    }

    fn host(&mut self) -> Result<&mut Host, JsError> {
        self.host.as_mut().ok_or_else(|| error("the page is being built again"))
    }

    /// Takes the size of the canvas, with this many pixels per CSS pixel.
    pub fn resize(&mut self, scale_factor: f64) -> Result<(), JsError> {
        let size = [self.canvas.width().max(1), self.canvas.height().max(1)];
        self.scale_factor = scale_factor;
        [self.screen.config.width, self.screen.config.height] = size;
        let host = self.host.as_mut().ok_or_else(|| error("the page is being built again"))?;
        host.resize(size, scale_factor);
        if let Some(surface) = &self.screen.surface {
            surface.configure(host.device(), &self.screen.config);
        }
        Ok(())
    }

    /// Moves the pointer to a position in CSS pixels of the canvas.
    pub fn pointer_moved(&mut self, x: f64, y: f64) -> Result<(), JsError> {
        let cursor_px = dvec2(x, y) * self.scale_factor;
        self.host()?.tools().gizmo.pointer_moved(cursor_px);
        Ok(())
    }

    /// Reports a button of the mouse or a finger.
    pub fn pointer(&mut self, event: &str) -> Result<(), JsError> {
        let gizmo = &mut self.host()?.tools().gizmo;
        match event {
            "down" => gizmo.pointer_pressed(),
            "up" => gizmo.pointer_released(),
            "left" => gizmo.pointer_left(),
            _ => gizmo.cancel(),
        }
        Ok(())
    }

    /// Sets the distance at which a handle is still hit: larger for fingers.
    pub fn set_tolerance(&mut self, tolerance_lpx: f64) -> Result<(), JsError> {
        self.host()?.tools().gizmo.settings.input.tolerance_lpx = tolerance_lpx;
        Ok(())
    }

    /// Returns true if a frame must be drawn.
    pub fn needs_frame(&self) -> bool {
        self.host.as_ref().is_some_and(Host::needs_frame)
    }

    /// Polls picks and handles input. Returns true if a frame must be drawn then.
    pub fn update(&mut self) -> Result<bool, JsError> {
        self.host.as_mut().map_or(Ok(false), |host| host.update().map_err(error))
    }

    /// Draws a frame. Returns false if the canvas has no texture for it.
    pub fn frame(&mut self) -> Result<bool, JsError> {
        let Some(host) = &mut self.host else { return Ok(false) };
        let Screen { instance, surface, config, .. } = &mut self.screen;
        let create = || instance.create_surface(SurfaceTarget::Canvas(self.canvas.clone()));
        let NextFrame::Ready(texture) =
            next_frame(surface, (host.device(), config), create).map_err(error)?
        else {
            return Ok(false);
        };
        let target = texture.texture.create_view(&Default::default());
        host.frame(&target).map_err(error)?;
        host.present(texture);
        self.frames += 1;
        Ok(true)
    }

    /// Returns the number of frames drawn so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Returns the name of the hovered handle.
    pub fn hovered(&mut self) -> Result<Option<String>, JsError> {
        Ok(self.host()?.tools().gizmo.hovered().map(|handle| handle.name().to_owned()))
    }

    /// Returns true if a drag is in progress.
    pub fn is_dragging(&mut self) -> Result<bool, JsError> {
        Ok(self.host()?.tools().gizmo.dragging().is_some())
    }

    /// Returns the translation of the target.
    pub fn translation(&mut self) -> Result<Vec<f64>, JsError> {
        Ok(self.host()?.target().translation.to_array().to_vec())
    }

    /// Returns the position of a point of the world in CSS pixels.
    pub fn pixel_of(&mut self, x: f64, y: f64, z: f64) -> Result<Vec<f64>, JsError> {
        let view = self.host()?.view().map_err(error)?;
        let px = view.px_from_world(dvec3(x, y, z)).ok_or_else(|| error("the point is behind the camera"))?;
        Ok((px / self.scale_factor).to_array().to_vec())
    }

    /// Returns the distance along the x axis of the point that is nearest to the ray through a position in CSS
    /// pixels.
    pub fn along_x(&mut self, x: f64, y: f64) -> Result<f64, JsError> {
        let scale_factor = self.scale_factor;
        let view = self.host()?.view().map_err(error)?;
        let ray = view.pointer_ray(dvec2(x, y) * scale_factor);
        let (o, d) = (ray.origin, ray.direction.normalize());
        // Minimizes |o + t d - s x| over s and t.
        Ok((o.x - o.dot(d) * d.x) / (1.0 - d.x * d.x))
    }

    /// Returns the names of the events since the last call.
    pub fn take_events(&mut self) -> Result<String, JsError> {
        Ok(self.host()?.take_events().join(" "))
    }

    /// Asks what is at a pixel. Returns false if the picker has no capacity.
    pub fn ask(&mut self, x: u32, y: u32) -> Result<bool, JsError> {
        self.host()?.ask(x, y).map_err(error)
    }

    /// Returns x, y and id of the next answer, or nothing.
    pub fn answer(&mut self) -> Result<Vec<u32>, JsError> {
        let found = self.host()?.answer().map_err(error)?;
        Ok(found.map_or(Vec::new(), |found| vec![found.x, found.y, found.id]))
    }

    /// Returns the id at a pixel, found without the GPU.
    pub fn id_on_cpu(&mut self, x: u32, y: u32) -> Result<u32, JsError> {
        Ok(self.host()?.found_on_cpu(x, y).map_err(error)?.id)
    }

    /// Returns the position of a handle in CSS pixels.
    pub fn spot_of(&mut self, handle: &str) -> Result<Option<Vec<f64>>, JsError> {
        let scale_factor = self.scale_factor;
        let spot = self.host()?.spot_of(handle).map_err(error)?;
        Ok(spot.map(|spot| spot.map(|px| (f64::from(px) + 0.5) / scale_factor).to_vec()))
    }

    /// Asks for the ids that are visible.
    pub fn ask_visible(&mut self) -> Result<(), JsError> {
        self.host()?.ask_visible().map_err(error)
    }

    /// Returns the visible ids in a rectangle of pixels, once they are there.
    pub fn visible(&mut self, rectangle: &[f64]) -> Result<Option<Vec<u32>>, JsError> {
        let region = region(rectangle)?;
        self.host()?.visible(&region).map_err(error)
    }

    /// Asks for all ids in a rectangle of pixels, occluded or not.
    pub fn ask_all(&mut self, rectangle: &[f64]) -> Result<(), JsError> {
        let region = region(rectangle)?;
        self.host()?.ask_all(&region).map_err(error)
    }

    /// Returns the answer to `ask_all`, once it is there.
    pub fn all(&mut self) -> Result<Option<Vec<u32>>, JsError> {
        self.host()?.all().map_err(error)
    }

    /// Destroys the device, as a browser does on a fault.
    pub fn destroy(&mut self) -> Result<(), JsError> {
        self.host()?.device().destroy();
        Ok(())
    }

    /// Returns true if the device is lost. WebGL tells only the canvas, by the event `webglcontextlost`.
    pub fn is_lost(&self) -> bool {
        self.screen.is_lost.load(Ordering::Acquire)
    }

    /// Continues on a new device.
    pub async fn rebuild(&mut self) -> Result<(), JsError> {
        let Some(host) = self.host.take() else { return Err(error("the page is being built again")) };
        let (screen, device, queue) = Screen::new(&self.canvas, self.backends).await.map_err(error)?;
        self.host = Some(host.rebuild(device, queue, screen.config.format).map_err(error)?);
        self.screen = screen;
        self.resize(self.scale_factor)
    }

    /// Returns the bytes of the module's memory.
    pub fn memory_bytes(&self) -> usize {
        core::arch::wasm32::memory_size(0) * 65536
    }
}

fn region(rectangle: &[f64]) -> Result<Region, JsError> {
    let [x0, y0, x1, y1] = rectangle else { return Err(error("a rectangle has four numbers")) };
    Ok(Region::Rectangle([dvec2(*x0, *y0), dvec2(*x1, *y1)]))
}
