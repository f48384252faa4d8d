use egui::{Id, PaintCallbackInfo};
use egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, Picker, TargetState};
use wgpu_gizmo::{DrawList, PickQuery, wgpu};

/// A query that waits for the next callback, with what it can hit.
pub(crate) struct Query {
    pub(crate) query: PickQuery,
    pub(crate) list: DrawList,
}

type DrawObjects =
    dyn FnMut(&wgpu::Device, &wgpu::Queue, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4) + Send;

/// The resources that the paint callbacks use.
pub(crate) struct Gpu {
    pub(crate) picker: Picker,
    pub(crate) query: Option<Query>,
    pub(crate) draw_objects: Option<Box<DrawObjects>>,
    pub(crate) error: Option<GpuError>,
    target: TargetState,
    /// A renderer holds one view.
    panels: HashMap<Id, Panel>,
}

#[derive(Default)]
struct Panel {
    renderer: Option<GizmoRenderer>,
    list: DrawList,
}

impl Gpu {
    pub(crate) fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        // Finds out now whether the attachments are supported.
        GizmoRenderer::new(device, target)?;
        Ok(Self {
            picker: Picker::new(device)?,
            query: None,
            draw_objects: None,
            error: None,
            target,
            panels: HashMap::new(),
        })
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.query.is_some() || self.picker.is_pending()
    }

    /// Returns the last list of a panel, to be filled again.
    pub(crate) fn take_list(&mut self, panel: Id) -> DrawList {
        std::mem::take(&mut self.panels.entry(panel).or_default().list)
    }

    /// Sets what the next callback of a panel draws.
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
        let Some(Query { query, list }) = self.query.take() else { return Ok(()) };
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
        let Panel { renderer, list } = self.panels.entry(panel).or_default();
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
    pub(crate) fn new(gpu: &Arc<Mutex<Gpu>>, panel: Id) -> Self {
        Self { gpu: Arc::clone(gpu), panel }
    }

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
