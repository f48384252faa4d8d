//! The back end on wgpu: picks by the ID tile, handles drawn by a paint callback.

use crate::Shown;
use crate::backend::Methods;
use egui::{Id, PaintCallbackInfo, Painter, Response};
use egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, Picker, TargetState};
use wgpu_gizmo::interaction::Events;
use wgpu_gizmo::pick::snap::SnapPoint;
use wgpu_gizmo::{DrawList, Gizmo, PickQuery, Target, View, wgpu};

/// The number of shows after which a panel that was not shown counts as closed, times the number of panels.
const CLOSED_AFTER: u64 = 256;

/// The number of shows within which a callback submits a query. After that, the gizmo repeats it.
const PAINTED_WITHIN: u32 = 16;

/// The host's objects for a gizmo on wgpu. A closure with the arguments of [`DrawnObjects::draw`] is one, too.
pub trait DrawnObjects {
    /// Draws the objects into the ID image, so that they can be picked: see [`Picker`] for the pipeline. The matrix
    /// must be applied after that of the query's view. If [`PickQuery::is_snap`] is true, it leaves out the moved
    /// objects.
    fn draw(&mut self, pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip: DMat4);

    /// Returns the point that a drag snaps to, with [`SnapSettings::to`](wgpu_gizmo::interaction::settings::SnapSettings::to), among the
    /// objects with these ids: for example the result of
    /// [`SnapTo::find`](wgpu_gizmo::pick::snap::SnapTo::find). Without one, the drag snaps to the surface in the ID
    /// image, if that is set.
    fn find(&mut self, query: &PickQuery, ids: &[NonZeroU32]) -> Option<SnapPoint> {
        let _ = (query, ids);
        None
    }
}

impl<F: FnMut(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4)> DrawnObjects for F {
    fn draw(&mut self, pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip: DMat4) {
        self(pass, query, clip_from_clip);
    }
}

/// The back end on wgpu: picks by the ID image, handles drawn by a paint callback.
pub struct WgpuBackend {
    device: wgpu::Device,
    queue: wgpu::Queue,
    target: TargetState,
    picker: Picker,
    gpu: Arc<Mutex<Gpu>>,
}

impl std::fmt::Debug for WgpuBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WgpuBackend").field("target", &self.target).finish_non_exhaustive()
    }
}

impl WgpuBackend {
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: TargetState,
    ) -> Result<Self, GpuError> {
        // Fails now, not in the first callback, if the attachments are not supported.
        GizmoRenderer::new(device, target)?;
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            target,
            picker: Picker::new(device)?,
            gpu: Arc::new(Mutex::new(Gpu::new(target))),
        })
    }

    fn gpu(&self) -> MutexGuard<'_, Gpu> {
        self.gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates everything again, on a new device. On an error nothing changes.
    pub(crate) fn rebuild(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        *self = Self::new(device, queue, self.target)?;
        Ok(())
    }

    /// Encodes the next query of the gizmo, which the next callback submits. If egui discards the pass, that of
    /// the next pass does.
    fn ask(
        &mut self,
        gizmo: &mut Gizmo,
        objects: &mut Option<&mut dyn DrawnObjects>,
    ) -> Result<(), GpuError> {
        if self.gpu().commands.is_some() || !self.picker.has_capacity() {
            return Ok(());
        }
        let Some(query) = gizmo.pick_query().or_else(|| gizmo.snap_query()) else { return Ok(()) };
        let mut list = DrawList::new();
        gizmo.draw(list.begin(&query.view));
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.picker.encode(
            &self.device,
            &self.queue,
            &mut encoder,
            &query,
            &list,
            |pass, clip_from_clip| {
                if let Some(objects) = objects {
                    objects.draw(pass, &query, clip_from_clip);
                }
            },
        )?;
        let mut gpu = self.gpu();
        (gpu.commands, gpu.shows_with_commands) = (Some(encoder.finish()), 0);
        Ok(())
    }
}

impl Methods for WgpuBackend {
    type Objects<'a> = &'a mut dyn DrawnObjects;

    fn receive(&mut self, gizmo: &mut Gizmo, objects: &mut Option<&mut dyn DrawnObjects>, shown: &mut Shown) {
        shown.error = self.gpu().error.take();
        // The loop ends, because each error frees the slot of its query.
        loop {
            match self.picker.poll(&self.device) {
                Ok(Some(answer)) => {
                    let objects = objects.as_mut().filter(|_| answer.query.is_snap);
                    let found =
                        objects.and_then(|objects| objects.find(&answer.query, self.picker.neighbors()));
                    match found {
                        Some(found) => gizmo.answer_snap(&answer.query, Some(found)),
                        None => gizmo.answer(&answer),
                    }
                }
                Ok(None) => return self.picker.in_flight().for_each(|query| gizmo.await_answer(query)),
                Err(failure) => {
                    gizmo.picks_lost();
                    shown.error = Some(failure);
                }
            }
        }
    }

    fn update(
        &mut self,
        gizmo: &mut Gizmo,
        view: &View,
        targets: &mut [Target],
        objects: &mut Option<&mut dyn DrawnObjects>,
    ) -> Events {
        let events = gizmo.update(view, targets);
        if let Err(error) = self.ask(gizmo, objects) {
            gizmo.picks_lost();
            self.gpu().error = Some(error);
        }
        events
    }

    fn take_list(&mut self, response: &Response) -> DrawList {
        self.gpu().take_list(response.id)
    }

    fn paint(&mut self, painter: &Painter, response: &Response, list: DrawList) {
        self.gpu().panels.entry(response.id).or_default().list = list;
        let callback = Callback { gpu: Arc::clone(&self.gpu), panel: response.id };
        painter.add(egui_wgpu::Callback::new_paint_callback(response.rect, callback));
    }

    fn is_pending(&self) -> bool {
        self.picker.is_pending()
    }

    fn kept_panels(&self) -> usize {
        self.gpu().panels.len()
    }
}

/// The resources that the paint callbacks use.
struct Gpu {
    /// A query that the next callback submits, and the number of shows since it was encoded.
    commands: Option<wgpu::CommandBuffer>,
    shows_with_commands: u32,
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
    fn new(target: TargetState) -> Self {
        Self { commands: None, shows_with_commands: 0, error: None, target, panels: HashMap::new(), shows: 0 }
    }

    /// Returns the last list of a panel, to be filled again, and frees the renderers of closed panels.
    fn take_list(&mut self, panel: Id) -> DrawList {
        self.shows += 1;
        self.shows_with_commands += 1;
        if self.shows_with_commands > PAINTED_WITHIN {
            // egui paints no callback of a window that is not visible.
            self.commands = None;
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

    fn prepare(&mut self, panel: Id, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        let Panel { renderer, list, .. } = self.panels.entry(panel).or_default();
        let renderer = match renderer {
            Some(renderer) => renderer,
            none => none.insert(GizmoRenderer::new(device, self.target)?),
        };
        renderer.prepare(device, queue, list)
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
        _: &mut wgpu::CommandEncoder,
        _: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let mut gpu = self.gpu();
        if let Err(error) = gpu.prepare(self.panel, device, queue) {
            gpu.error = Some(error);
        }
        gpu.commands.take().into_iter().collect()
    }

    fn paint(&self, _: PaintCallbackInfo, pass: &mut wgpu::RenderPass<'static>, _: &CallbackResources) {
        let gpu = self.gpu();
        if let Some(renderer) = gpu.panels.get(&self.panel).and_then(|panel| panel.renderer.as_ref()) {
            renderer.render(pass);
        }
    }
}
