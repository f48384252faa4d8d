//! The gallery for the page: plain functions of numbers and texts.

use crate::gallery::Gallery;
use crate::input::PointerKind;
use crate::pointers::Pointer;
use crate::probes::MAGNIFIED;
use crate::scene::{Gpu, Window};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use surface::{NextFrame, next_frame};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;
use wgpu::{Backend, Backends, InstanceDescriptor, SurfaceTarget};
use wgpu_gizmo::glam::{DVec2, DVec3, dvec2};
use wgpu_gizmo::interaction::{HeldKeys, KeyModifiers};

/// The gallery with a canvas, into which one scene at a time is drawn.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Page {
    gallery: Gallery,
    canvas: HtmlCanvasElement,
    instance: wgpu::Instance,
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    backend: Backend,
    is_lost: Arc<AtomicBool>,
}

fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

fn pair(px: DVec2) -> Vec<f64> {
    px.to_array().to_vec()
}

/// The size of a picture in physical pixels, and physical pixels per CSS pixel.
fn window(width: u32, height: u32, scale_factor: f64) -> Window {
    Window { size: [width, height], scale_factor }
}

#[wasm_bindgen]
impl Page {
    /// Opens a canvas with the back end `webgpu` or `webgl`.
    pub async fn open(canvas: HtmlCanvasElement, backend: String) -> Result<Page, JsError> {
        let backends = if backend == "webgl" { Backends::GL } else { Backends::BROWSER_WEBGPU };
        let descriptor = InstanceDescriptor { backends, ..InstanceDescriptor::new_without_display_handle() };
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(SurfaceTarget::Canvas(canvas.clone())).map_err(error)?;
        let options =
            wgpu::RequestAdapterOptions { compatible_surface: Some(&surface), ..Default::default() };
        let adapter = instance.request_adapter(&options).await.map_err(error)?;
        let backend = adapter.get_info().backend;
        let limits = match backend {
            Backend::Gl => wgpu::Limits::downlevel_webgl2_defaults(),
            _ => wgpu::Limits::downlevel_defaults(),
        };
        let required_limits = limits.using_resolution(adapter.limits());
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(error)?;
        let mut config = surface
            .get_default_config(&adapter, 1, 1)
            .ok_or_else(|| error("The adapter cannot draw into a canvas."))?;
        // Colors are computed as they are stored.
        config.format = config.format.remove_srgb_suffix();
        let formats = surface.get_capabilities(&adapter).formats;
        if !formats.contains(&config.format) {
            config.format = formats.first().copied().unwrap_or(config.format);
        }
        surface.configure(&device, &config);
        let is_lost = Arc::new(AtomicBool::new(false));
        let told = is_lost.clone();
        device.set_device_lost_callback(move |_, _| told.store(true, Ordering::Release));
        let gpu = Gpu { device, queue, format: config.format };
        let (gallery, surface) = (Gallery::new(gpu.clone()), Some(surface));
        Ok(Self { gallery, canvas, instance, surface, config, gpu, backend, is_lost })
    }

    /// Returns the back end: `webgpu` or `webgl`.
    pub fn backend(&self) -> String {
        if self.backend == Backend::Gl { "webgl" } else { "webgpu" }.to_owned()
    }

    /// Returns true if the device was lost.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// Returns the number of scenes.
    pub fn count() -> usize {
        Gallery::count()
    }

    /// Returns the name, title and description of a scene.
    pub fn texts(index: usize) -> Vec<String> {
        Gallery::texts(index).map(str::to_owned).into()
    }

    /// Returns the code of a scene.
    pub fn code(index: usize) -> String {
        Gallery::code(index)
    }

    /// Builds a scene.
    pub fn build(&mut self, index: usize) -> Result<(), JsError> {
        self.gallery.build(index).map_err(error)
    }

    /// Builds a scene again, as it was at first.
    pub fn reset(&mut self, index: usize) -> Result<(), JsError> {
        self.gallery.reset(index).map_err(error)
    }

    /// Steps a scene, and draws it into the canvas if it looks different. Returns true if it was drawn.
    pub fn step(
        &mut self,
        index: usize,
        width: u32,
        height: u32,
        scale_factor: f64,
    ) -> Result<bool, JsError> {
        let Self { gallery, canvas, instance, surface, config, gpu, .. } = self;
        let mut shown = None;
        let mut acquire = || {
            if [config.width, config.height] != [width, height] {
                [config.width, config.height] = [width, height];
                if let Some(surface) = surface {
                    surface.configure(&gpu.device, config);
                }
            }
            let create = || instance.create_surface(SurfaceTarget::Canvas(canvas.clone()));
            // Without a texture the scene stays stale, and is stepped again.
            let Ok(NextFrame::Ready(texture)) = next_frame(surface, (&gpu.device, config), create) else {
                return None;
            };
            let view = texture.texture.create_view(&Default::default());
            shown = Some(texture);
            Some(view)
        };
        let stepped = gallery.step(index, window(width, height, scale_factor), &mut acquire);
        if let Some(texture) = shown {
            gpu.queue.present(texture);
        }
        stepped.map_err(error)
    }

    /// Returns true if a scene must be stepped although no input comes.
    pub fn needs_step(&self, index: usize) -> bool {
        self.gallery.needs_step(index)
    }

    /// Draws a scene again in the next step.
    pub fn redraw(&mut self, index: usize) {
        self.gallery.redraw(index);
    }

    /// Selects a dark or a light background.
    pub fn set_dark(&mut self, is_dark: bool) {
        self.gallery.set_dark(is_dark);
    }

    /// Shows or hides the magnifier.
    pub fn set_magnifying(&mut self, is_magnifying: bool) {
        self.gallery.set_magnifying(is_magnifying);
    }
}

/// Input.
#[wasm_bindgen]
impl Page {
    /// A pointer moved to a position in physical pixels, or its buttons changed, which are those of `PointerEvent`.
    pub fn pointer(&mut self, index: usize, id: i32, x: f64, y: f64, is_finger: bool, buttons: u16) {
        let kind = if is_finger { PointerKind::Finger } else { PointerKind::Exact };
        self.gallery.pointer(index, Pointer { id, px: dvec2(x, y), kind, buttons });
    }

    /// The system has taken a pointer away.
    pub fn pointer_lost(&mut self, index: usize, id: i32) {
        self.gallery.pointer_lost(index, id);
    }

    /// The pointer left the canvas.
    pub fn pointer_left(&mut self, index: usize) {
        self.gallery.pointer_left(index);
    }

    /// The press was canceled.
    pub fn pointer_canceled(&mut self, index: usize) {
        self.gallery.pointer_canceled(index);
    }

    /// Turns the wheel by notches over a handle. Returns true if it uses the wheel.
    pub fn nudge(&mut self, index: usize, notches: f64) -> bool {
        self.gallery.nudge(index, notches)
    }

    /// Zooms in by notches of the wheel. Returns true if the scene uses the wheel.
    pub fn zoom(&mut self, index: usize, notches: f64) -> bool {
        self.gallery.zoom(index, notches)
    }

    /// Sets the held keys.
    pub fn set_held(&mut self, index: usize, snap: bool, precision: bool, symmetric: bool) {
        self.gallery.set_held(index, HeldKeys { snap, precision, symmetric });
    }

    /// Passes a key. Returns true if the scene used it.
    pub fn key(&mut self, index: usize, name: &str, ctrl: bool, alt: bool, meta: bool, repeat: bool) -> bool {
        self.gallery.key(index, name, KeyModifiers { ctrl, alt, meta, repeat })
    }

    /// Undoes the last drag.
    pub fn undo(&mut self, index: usize) -> bool {
        self.gallery.undo(index)
    }

    /// Returns the state of a scene, to be restored on another device.
    pub fn save(&self, index: usize) -> Vec<f64> {
        self.gallery.save(index)
    }

    /// Restores the state of a scene.
    pub fn restore(&mut self, index: usize, state: &[f64]) {
        self.gallery.restore(index, state);
    }

    /// Loses the device, as a fault does.
    pub fn lose(&self) {
        self.gpu.device.destroy();
    }

    /// Moves the selected objects with a handle. Angles are in degrees.
    pub fn drive(&mut self, index: usize, handle: &str, amount: f64) -> Result<(), JsError> {
        self.gallery.drive(index, handle, amount).map_err(error)
    }

    /// Returns the names of the handles that can be driven.
    pub fn driven_handles(&mut self, index: usize) -> Vec<String> {
        self.gallery.driven_handles(index).into_iter().map(str::to_owned).collect()
    }

    /// Returns the labels of the controls.
    pub fn control_labels(&mut self, index: usize) -> Vec<String> {
        self.gallery.controls(index).into_iter().map(|control| control.label.to_owned()).collect()
    }

    /// Returns the values of a control.
    pub fn control_values(&mut self, index: usize, control: usize) -> Vec<String> {
        self.gallery.controls(index).get(control).map(|control| control.values.clone()).unwrap_or_default()
    }

    /// Returns the index of the current value of a control.
    pub fn control_current(&mut self, index: usize, control: usize) -> usize {
        self.gallery.controls(index).get(control).map_or(0, |control| control.current)
    }

    /// Selects a value of a control.
    pub fn set_control(&mut self, index: usize, control: usize, value: usize) {
        self.gallery.set_control(index, control, value);
    }
}

/// What the page shows, and what tests ask.
#[wasm_bindgen]
impl Page {
    /// Returns the name of the hovered handle or object.
    pub fn hovered(&mut self, index: usize) -> Option<String> {
        self.gallery.hovered(index)
    }

    /// Returns the name of the handle that is dragged.
    pub fn dragging(&mut self, index: usize) -> Option<String> {
        self.gallery.dragging(index)
    }

    /// Returns the shape of the pointer.
    pub fn cursor(&mut self, index: usize) -> String {
        self.gallery.cursor(index).to_owned()
    }

    /// Returns the text of the drag.
    pub fn readout(&self, index: usize) -> Option<String> {
        self.gallery.readout(index).map(|(text, _)| text)
    }

    /// Returns the left end of the text of the drag, in physical pixels.
    pub fn readout_px(&self, index: usize) -> Vec<f64> {
        self.gallery.readout(index).map(|(_, px)| pair(px)).unwrap_or_default()
    }

    /// Returns the lasso: x and y in turn, in physical pixels.
    pub fn lasso(&self, index: usize) -> Vec<f64> {
        self.gallery.lasso(index).iter().flat_map(DVec2::to_array).collect()
    }

    /// Returns the last position of the pointer, in physical pixels.
    pub fn pointer_px(&self, index: usize) -> Vec<f64> {
        self.gallery.pointer_px(index).map(pair).unwrap_or_default()
    }

    /// Returns the matrix of an object in the world: 16 numbers, column by column.
    pub fn matrix(&self, index: usize, object: usize) -> Vec<f64> {
        let transforms = self.gallery.transforms(index);
        transforms.get(object).map(|t| t.to_matrix().to_cols_array().to_vec()).unwrap_or_default()
    }

    /// Returns the indices of the selected objects.
    pub fn selected(&self, index: usize) -> Vec<usize> {
        self.gallery.selected(index).to_vec()
    }

    /// Returns the matrix from the world to clip space: 16 numbers, column by column.
    pub fn clip_from_world(&self, index: usize) -> Vec<f64> {
        self.gallery
            .view(index)
            .map(|view| view.clip_from_world().to_cols_array().to_vec())
            .unwrap_or_default()
    }

    /// Returns the viewport under the pointer: x, y, width and height in physical pixels.
    pub fn viewport(&self, index: usize) -> Vec<f64> {
        let viewport = self.gallery.view(index).map(|view| view.viewport());
        viewport.map(|v| vec![v.x, v.y, v.width, v.height]).unwrap_or_default()
    }

    /// Returns the pixel of a point in the world.
    pub fn px_of(&self, index: usize, x: f64, y: f64, z: f64) -> Vec<f64> {
        self.gallery.px_of(index, DVec3::new(x, y, z)).map(pair).unwrap_or_default()
    }

    /// Returns the side of the magnified square.
    pub fn magnified_side() -> u32 {
        MAGNIFIED
    }

    /// Returns the magnified ids.
    pub fn magnified(&mut self, index: usize) -> Vec<u32> {
        self.gallery.magnified(index).map(|texels| texels.ids.clone()).unwrap_or_default()
    }

    /// Returns the column and row of the first magnified id.
    pub fn magnified_origin(&mut self, index: usize) -> Vec<f64> {
        let origin = self.gallery.magnified(index).map(|texels| texels.origin_px);
        origin.map(|[x, y]| vec![x as f64, y as f64]).unwrap_or_default()
    }

    /// Asks for the ids of the whole view.
    pub fn request_ids(&mut self, index: usize) {
        self.gallery.request_ids(index);
    }

    /// Returns the ids of the whole view, once they are there.
    pub fn take_ids(&mut self, index: usize) -> Option<Vec<u32>> {
        self.gallery.take_ids(index).map(|texels| texels.ids)
    }

    /// Returns the id of the handle at a pixel, found without the GPU, or 0.
    pub fn handle_on_cpu(&self, index: usize, column: u32, row: u32) -> u32 {
        self.gallery.handle_on_cpu(index, dvec2(f64::from(column) + 0.5, f64::from(row) + 0.5))
    }

    /// Returns a name for an id.
    pub fn name_of(&self, index: usize, id: u32) -> Option<String> {
        self.gallery.name_of(index, id)
    }

    /// Returns the number of frames drawn.
    pub fn frames(&self, index: usize) -> f64 {
        self.gallery.counts(index)[0] as f64
    }

    /// Returns the number of picks.
    pub fn picks(&self, index: usize) -> f64 {
        self.gallery.counts(index)[1] as f64
    }
}
