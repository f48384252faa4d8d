//! Shows the gizmo of [wgpu_gizmo] in an [egui] panel that is rendered by [egui_wgpu].
//!
//! ```no_run
//! use egui::{Sense, Ui};
//! use wgpu_gizmo::glam::DMat4;
//! use wgpu_gizmo::{Event, Mode, Target};
//! use wgpu_gizmo_egui::EguiGizmo;
//!
//! /// The gizmo is created as `EguiGizmo::new(&state.device, state.target_format)`, with the
//! /// `egui_wgpu::RenderState`.
//! fn viewport(ui: &mut Ui, gizmo: &mut EguiGizmo, camera: (DMat4, DMat4), targets: &mut [Target]) {
//!     ui.selectable_value(&mut gizmo.gizmo.settings.mode, Mode::Translate, "Move");
//!     let (_, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
//!     // Paint the scene, then show the gizmo over it.
//!     let shown = gizmo.show(ui, &response, camera.0, camera.1, targets);
//!     for event in shown.events {
//!         if let Event::Ended { changed: true } = event { /* an undo step: gizmo.gizmo.starts() */ }
//!     }
//!     if response.dragged() && !shown.claims.primary_drag { /* orbit */ }
//! }
//! ```
//!
//! Over a handle and in a drag, the gizmo registers a widget above the panel, so that the panel's own
//! response neither hovers nor clicks nor drags there. Everywhere else the panel keeps every event. A middle
//! or secondary press on a handle belongs to the panel as well. A window or a button over the gizmo blocks
//! it.
//!
//! One gizmo can be shown in several panels and several windows. Positions are exact for any
//! `pixels_per_point` and for a panel anywhere in the window.

mod callback;
mod input;

use callback::{Callback, Gpu, Query};
use egui::{CursorIcon, Id, Rect, Response, Sense, Ui};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::interaction::{Claims, CursorHint};
use wgpu_gizmo::{DrawList, Event, Gizmo, IdSpace, PickQuery, Target, View, Viewport, wgpu};

/// A gizmo in panels of egui. The crate's front page has an example.
pub struct EguiGizmo {
    /// The gizmo: settings, theme, state.
    pub gizmo: Gizmo,
    /// Allocates all ids. Objects that [`EguiGizmo::set_objects`] draws need ids from it as well.
    pub ids: IdSpace,
    device: wgpu::Device,
    target: TargetState,
    /// Shared with the callbacks that egui paints.
    gpu: Arc<Mutex<Gpu>>,
    input: input::Input,
}

impl std::fmt::Debug for EguiGizmo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiGizmo").field("gizmo", &self.gizmo).finish_non_exhaustive()
    }
}

/// The result of [`EguiGizmo::show`].
#[derive(Debug, Clone, Default)]
#[must_use = "the events say what to select and where an undo step ends"]
pub struct Shown {
    /// The events since the last call, of all panels.
    pub events: Vec<Event>,
    /// The uses of pointer and keys that belong to the gizmo.
    pub claims: Claims,
    /// The error of the GPU since the last call, if there was one. After [`GpuError::DeviceLost`], call
    /// [`EguiGizmo::rebuild`]; nothing is lost.
    pub error: Option<GpuError>,
}

impl EguiGizmo {
    /// Creates a gizmo for egui's render pass. The target is `RenderState::target_format`, or a
    /// [`TargetState`] if egui's pass has depth or several samples.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`](wgpu_gizmo::WgpuGizmo::new).
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        let (mut ids, target) = (IdSpace::new(), target.into());
        Ok(Self {
            gizmo: Gizmo::new(&mut ids).map_err(GpuError::Ids)?,
            ids,
            device: device.clone(),
            target,
            gpu: Arc::new(Mutex::new(Gpu::new(device, target)?)),
            input: input::Input::default(),
        })
    }

    /// Sets the closure that draws the host's objects into the ID image, so that they can be picked. See
    /// [`Picker`](wgpu_gizmo::gpu::Picker) for the pipeline. The matrix must be applied after that of the
    /// query's view.
    pub fn set_objects(
        &mut self,
        draw: impl FnMut(&wgpu::Device, &wgpu::Queue, &mut wgpu::RenderPass<'_>, &PickQuery, DMat4)
        + Send
        + 'static,
    ) {
        self.gpu().draw_objects = Some(Box::new(draw));
    }

    /// Creates everything on the GPU again, on a new device after the old one was lost. A drag in progress
    /// continues.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`](wgpu_gizmo::WgpuGizmo::new). Then nothing changes.
    pub fn rebuild(&mut self, device: &wgpu::Device) -> Result<(), GpuError> {
        let new = Gpu::new(device, self.target)?;
        let old = std::mem::replace(&mut *self.gpu(), new);
        self.gpu().draw_objects = old.draw_objects;
        self.device = device.clone();
        self.gizmo.picks_lost();
        Ok(())
    }

    /// Processes egui's input over the panel, moves the targets, and paints the handles above what the panel
    /// has painted. Call it once per panel and frame.
    ///
    /// `response` is that of the panel, whose rectangle the projection fills. If the projection or the
    /// rectangle shows nothing, as in a collapsed panel, no gizmo is shown.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        view_from_world: DMat4,
        clip_from_view: DMat4,
        targets: &mut [Target],
    ) -> Shown {
        let error = self.receive();
        let scale = f64::from(ui.ctx().pixels_per_point());
        let rect = response.rect;
        let min = DVec2::new(rect.min.x.into(), rect.min.y.into()) * scale;
        let size = DVec2::new(rect.width().into(), rect.height().into()) * scale;
        let viewport = Viewport { x: min.x, y: min.y, width: size.x, height: size.y };
        let Ok(view) = View::new(view_from_world, clip_from_view, viewport, scale) else {
            return Shown { events: Vec::new(), claims: self.gizmo.claims(), error };
        };
        // Panels of several windows can have equal rectangles.
        let view = view.with_key(response.id.value());
        let own_id = response.id.with("wgpu-gizmo");
        let is_own_view = self.input.feed(ui, response, own_id, &view, &mut self.gizmo);
        let mut events = Vec::new();
        if is_own_view {
            events.extend_from_slice(self.gizmo.update(&view, targets));
            self.ask();
            self.register(ui, response, own_id);
        }
        self.paint(ui, response, &view);
        let is_pending = { self.gpu().is_pending() };
        if is_pending || self.gizmo.needs_redraw() || self.gizmo.is_hover_pending() {
            ui.ctx().request_repaint();
        }
        Shown { events, claims: self.gizmo.claims(), error }
    }

    fn gpu(&self) -> MutexGuard<'_, Gpu> {
        // A panic in the host's closure leaves no invalid state, so a poisoned lock can still be used.
        self.gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes answers to the gizmo; returns the error, if there was one.
    fn receive(&mut self) -> Option<GpuError> {
        let gpu = Arc::clone(&self.gpu);
        let mut gpu = gpu.lock().unwrap_or_else(PoisonError::into_inner);
        let mut error = gpu.error.take();
        loop {
            match gpu.picker.poll(&self.device) {
                Ok(Some(answer)) => self.gizmo.answer(&answer),
                Ok(None) => return error,
                Err(lost) => {
                    self.gizmo.picks_lost();
                    error = Some(lost);
                }
            }
        }
    }

    /// Hands the next query to the callbacks. If egui discards the pass, the next one encodes it.
    fn ask(&mut self) {
        if !self.gpu().picker.has_capacity() {
            return;
        }
        if let Some(query) = self.gizmo.pick_query() {
            let mut list = DrawList::new();
            self.gizmo.draw(list.begin(&query.view));
            self.gpu().query = Some(Query { query, list });
        }
    }

    /// Registers a widget over the panel while the pointer belongs to the gizmo.
    fn register(&self, ui: &Ui, response: &Response, own_id: Id) {
        let (claims, is_active) = (self.gizmo.claims(), self.gizmo.is_active());
        if !is_active && !claims.primary_press && !claims.primary_drag {
            return;
        }
        let own = ui.interact(response.rect, own_id, Sense::click_and_drag());
        let is_primary_down = ui.input(|input| input.pointer.primary_down());
        if is_active && is_primary_down && !own.dragged() {
            // The press belonged to the panel until the gizmo knew that it had hit a handle.
            ui.ctx().set_dragged_id(own_id);
        } else if !is_active && own.is_pointer_button_down_on() && !is_primary_down {
            // Another button orbits or pans, from a handle too.
            ui.ctx().set_dragged_id(response.id);
        }
        ui.ctx().set_cursor_icon(match self.gizmo.cursor_hint() {
            CursorHint::Grab => CursorIcon::Grab,
            CursorHint::Grabbing => CursorIcon::Grabbing,
            _ => return,
        });
    }

    /// Paints the handles, and readouts as text of egui.
    fn paint(&mut self, ui: &Ui, response: &Response, view: &View) {
        let panel = response.id;
        let mut list = self.gpu().take_list(panel);
        self.gizmo.draw(list.begin(view));
        let scale = view.scale_factor();
        let painter = ui.painter_at(response.rect);
        let texts: Vec<_> = list
            .readouts()
            .map(|readout| {
                let [x, y] = (readout.anchor_px / scale).as_vec2().to_array();
                (egui::pos2(x, y), readout.text.to_owned())
            })
            .collect();
        self.gpu().set_list(panel, list);
        let rect: Rect = response.rect;
        painter.add(egui_wgpu::Callback::new_paint_callback(rect, Callback::new(&self.gpu, panel)));
        for (at, text) in texts {
            let font = egui::TextStyle::Body.resolve(ui.style());
            let galley = painter.layout_no_wrap(text, font, ui.visuals().strong_text_color());
            let min = at - egui::vec2(0.0, galley.size().y / 2.0);
            let back = Rect::from_min_size(min, galley.size()).expand(2.0);
            painter.rect_filled(back, 2.0, ui.visuals().extreme_bg_color.gamma_multiply(0.8));
            painter.galley(min, galley, ui.visuals().strong_text_color());
        }
    }
}
