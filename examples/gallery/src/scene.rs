//! What all scenes have in common.

use crate::attachments::Attachments;
use crate::camera::Camera;
use crate::probes::Probes;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::{DrawList, Gizmo, Transform, View};

/// The device, and the format of the pictures.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// The format of the pictures.
    pub format: wgpu::TextureFormat,
}

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The width and height in physical pixels.
    pub size: [u32; 2],
    /// Physical pixels per logical pixel.
    pub scale_factor: f64,
}

/// How a selection changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// The new objects replace the selected ones.
    #[default]
    Replace,
    /// The new objects are added.
    Add,
}

/// A scene of the page.
pub(crate) trait Scene {
    /// Takes input and answers, moves what is dragged, asks what is under the pointer, and draws if the picture
    /// would differ from the last one. `acquire` returns the texture to draw into; it is only called for
    /// that. Returns true if a picture was drawn.
    fn step(
        &mut self,
        gpu: &Gpu,
        window: Window,
        attachments: &mut Attachments,
        acquire: &mut dyn FnMut() -> Option<wgpu::TextureView>,
    ) -> Result<bool, GpuError>;

    /// Returns true if the scene waits for answers or has something to draw.
    fn needs_step(&self) -> bool;

    /// Calls the closure with each gizmo: all of them get the pointer.
    fn gizmos(&mut self, each: &mut dyn FnMut(&mut Gizmo));

    /// Returns the gizmo that gets the keys.
    fn keyed_gizmo(&mut self) -> &mut Gizmo;

    /// Returns what the current view shows.
    fn list(&self) -> Option<&DrawList>;

    /// Returns the view under the pointer.
    fn current_view(&self) -> Option<View>;

    /// Tells where the pointer is, or that it has left.
    fn pointer_at(&mut self, px: Option<DVec2>);

    /// Returns the transforms of the objects in the world.
    fn transforms(&self) -> Vec<Transform>;

    /// Returns the indices of the selected objects, the active one last.
    fn selected(&self) -> &[usize];

    /// Returns the name of an object.
    fn object_name(&self, index: usize) -> &'static str;

    /// Selects one object.
    fn choose(&mut self, index: usize);

    /// Undoes the last drag. Returns false if there is none.
    fn undo(&mut self) -> bool;

    /// Returns the state as numbers, for [`Scene::restore`]: the objects, then the camera.
    fn save(&self) -> Vec<f64>;

    /// Restores a state of the same scene on another device. Other numbers change nothing.
    fn restore(&mut self, state: &[f64]);

    /// Returns the camera, unless the scene has a fixed one.
    fn camera(&mut self) -> Option<&mut Camera>;

    /// Returns true if a drag over empty space draws a lasso instead of orbiting.
    fn has_lasso(&self) -> bool;

    /// Sets whether clicks and lassos add to the selection.
    fn set_combine(&mut self, combine: Combine);

    /// Returns a name for an id of the ID image.
    fn name_of(&self, id: NonZeroU32) -> Option<String>;

    /// Moves the selected objects with a handle, without a pointer. Returns the reason if it cannot.
    fn drive(&mut self, handle: &str, amount: f64) -> Result<(), String>;

    /// The reads of the ID image.
    fn probes(&mut self) -> &mut Probes;

    /// Sets the background.
    fn set_dark(&mut self, is_dark: bool);

    /// Draws another picture in the next step.
    fn redraw(&mut self);

    /// Returns the number of queries that were encoded.
    fn picks(&self) -> u64;
}

/// Returns the color of the background for a format: sRGB-encoded or linear.
pub(crate) fn background(is_dark: bool, format: wgpu::TextureFormat) -> wgpu::Color {
    let [r, g, b] = if is_dark { [0.075, 0.083, 0.102] } else { [0.955, 0.961, 0.972] };
    let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let stored = |c: f64| if format.is_srgb() { linear(c) } else { c };
    wgpu::Color { r: stored(r), g: stored(g), b: stored(b), a: 1.0 }
}

/// Returns the color of the lines on the ground.
pub(crate) fn ground(is_dark: bool) -> [f32; 4] {
    if is_dark { [0.62, 0.68, 0.78, 0.24] } else { [0.25, 0.30, 0.38, 0.26] }
}

/// Returns the pixel of the render target whose center is nearest.
pub(crate) fn pixel_of(px: DVec2) -> [i64; 2] {
    [px.x.floor() as i64, px.y.floor() as i64]
}
