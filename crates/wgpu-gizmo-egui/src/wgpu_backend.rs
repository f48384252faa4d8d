//! The back end on wgpu: picks by the ID tile, handles drawn by a paint callback.

use egui::{Id, PaintCallbackInfo};
use egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, Picker, TargetState};
use wgpu_gizmo::pick::InFlight;
use wgpu_gizmo::{DrawList, Gizmo, PickQuery, wgpu};

/// The number of shows after which a panel that was not shown counts as closed, times the number of panels.
const CLOSED_AFTER: u64 = 256;

/// The number of shows within which a callback takes a query. After that, the gizmo may repeat it or give it up.
const PAINTED_WITHIN: u32 = 16;

/// The device, and the resources that the paint callbacks share.
pub(crate) struct WgpuBackend {
    pub(crate) device: wgpu::Device,
    pub(crate) target: TargetState,
    gpu: Arc<Mutex<Gpu>>,
}

impl WgpuBackend {
    pub(crate) fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        let gpu = Arc::new(Mutex::new(Gpu::new(device, target)?));
        Ok(Self { device: device.clone(), target, gpu })
    }

    pub(crate) fn gpu(&self) -> MutexGuard<'_, Gpu> {
        // A panic in the host's closure leaves no invalid state, so a poisoned lock can still be used.
        self.gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates everything again, on a new device. On an error nothing changes.
    pub(crate) fn rebuild(&mut self, device: &wgpu::Device) -> Result<(), GpuError> {
        let new = Gpu::new(device, self.target)?;
        let old = std::mem::replace(&mut *self.gpu(), new);
        self.gpu().draw_objects = old.draw_objects;
        self.device = device.clone();
        Ok(())
    }

    /// Passes answers to the gizmo; returns the error, if there was one.
    pub(crate) fn receive(&mut self, gizmo: &mut Gizmo) -> Option<GpuError> {
        let mut gpu = self.gpu();
        let mut error = gpu.error.take();
        loop {
            match gpu.picker.poll(&self.device) {
                Ok(Some(answer)) => gizmo.answer(&answer),
                Ok(None) => return error,
                Err(failure) => {
                    gizmo.picks_lost();
                    error = Some(failure);
                }
            }
        }
    }

    /// Hands the next query to the callbacks. If egui discards the pass, the next one encodes it.
    pub(crate) fn ask(&self, gizmo: &mut Gizmo) {
        if !self.gpu().picker.has_capacity() {
            return;
        }
        if let Some(query) = gizmo.pick_query() {
            let mut list = DrawList::new();
            gizmo.draw(list.begin(&query.view));
            let in_flight = Some(query.in_flight());
            self.gpu().query = Some(Query { query, list, in_flight, shows: 0 });
        }
    }

    /// Returns the callback that draws the list of a panel.
    pub(crate) fn callback(&self, panel: Id) -> Callback {
        Callback { gpu: Arc::clone(&self.gpu), panel }
    }
}

/// A query that waits for the next callback, with the handles that it can hit.
struct Query {
    query: PickQuery,
    list: DrawList,
    /// Keeps the gizmo from giving up the query, because egui can run several passes before a callback.
    in_flight: Option<InFlight>,
    /// The number of shows since.
    shows: u32,
}

type DrawObjects =
    dyn FnMut(&wgpu::Device, &wgpu::Queue, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4) + Send;

/// The resources that the paint callbacks use.
pub(crate) struct Gpu {
    picker: Picker,
    query: Option<Query>,
    pub(crate) draw_objects: Option<Box<DrawObjects>>,
    error: Option<GpuError>,
    target: TargetState,
    /// A renderer holds one view.
    panels: HashMap<Id, Panel>,
    /// Counts how often panels were shown.
    shows: u64,
}

#[derive(Default)]
struct Panel {
    renderer: Option<GizmoRenderer>,
    list: DrawList,
    last_show: u64,
}

impl Gpu {
    pub(crate) fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        // Fails now, not in the first callback, if the attachments are not supported.
        GizmoRenderer::new(device, target)?;
        Ok(Self {
            picker: Picker::new(device)?,
            query: None,
            draw_objects: None,
            error: None,
            target,
            panels: HashMap::new(),
            shows: 0,
        })
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.query.is_some() || self.picker.is_pending()
    }

    /// Returns the number of panels that are not closed.
    pub(crate) fn panels(&self) -> usize {
        self.panels.len()
    }

    /// Returns the last list of a panel, to be filled again, and frees the renderers of closed panels.
    pub(crate) fn take_list(&mut self, panel: Id) -> DrawList {
        self.shows += 1;
        if let Some(query) = &mut self.query {
            query.shows += 1;
            // egui paints no callback of a window that is not visible.
            query.in_flight = query.in_flight.take().filter(|_| query.shows < PAINTED_WITHIN);
        }
        let shown = self.panels.entry(panel).or_default();
        shown.last_show = self.shows;
        let list = std::mem::take(&mut shown.list);
        if self.panels.len() > 1 {
            let oldest = self.shows.saturating_sub(CLOSED_AFTER * self.panels.len() as u64);
            self.panels.retain(|_, panel| panel.last_show >= oldest);
        }
        list
    }

    /// Sets the list that the next callback of a panel draws.
    pub(crate) fn set_list(&mut self, panel: Id, list: DrawList) {
        self.panels.entry(panel).or_default().list = list;
    }

    fn ask(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), GpuError> {
        if !self.picker.has_capacity() {
            return Ok(());
        }
        let Some(Query { query, list, in_flight, .. }) = self.query.take() else { return Ok(()) };
        // The picker has a guard of its own.
        drop(in_flight);
        let draw_objects = self.draw_objects.as_mut();
        self.picker.encode(device, queue, encoder, &query, &list, |pass, clip_from_clip| {
            if let Some(draw) = draw_objects {
                draw(device, queue, pass, &query, clip_from_clip);
            }
        })
    }

    fn prepare(
        &mut self,
        panel: Id,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), GpuError> {
        let asked = self.ask(device, queue, encoder);
        let Panel { renderer, list, .. } = self.panels.entry(panel).or_default();
        let renderer = match renderer {
            Some(renderer) => renderer,
            none => none.insert(GizmoRenderer::new(device, self.target)?),
        };
        renderer.prepare(device, queue, list)?;
        asked
    }
}

/// Draws the gizmo of one panel in egui's pass.
pub(crate) struct Callback {
    gpu: Arc<Mutex<Gpu>>,
    panel: Id,
}

impl Callback {
    fn gpu(&self) -> MutexGuard<'_, Gpu> {
        self.gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallbackTrait for Callback {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        _: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let mut gpu = self.gpu();
        if let Err(error) = gpu.prepare(self.panel, device, queue, encoder) {
            gpu.error = Some(error);
        }
        Vec::new()
    }

    fn paint(&self, _: PaintCallbackInfo, pass: &mut wgpu::RenderPass<'static>, _: &CallbackResources) {
        let gpu = self.gpu();
        if let Some(renderer) = gpu.panels.get(&self.panel).and_then(|panel| panel.renderer.as_ref()) {
            renderer.render(pass);
        }
    }
}
