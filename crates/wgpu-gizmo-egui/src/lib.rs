//! Shows the gizmo of [wgpu-gizmo](https://docs.rs/wgpu-gizmo) in a panel of [egui](https://docs.rs/egui). The
//! [`guide`] starts with an eframe application.
//!
#![cfg_attr(feature = "wgpu", doc = "```no_run")]
#![cfg_attr(not(feature = "wgpu"), doc = "```ignore")]
//! use egui::{Sense, Ui};
//! use wgpu_gizmo_core::glam::DMat4;
//! use wgpu_gizmo_core::{Event, Target};
//! use wgpu_gizmo_egui::EguiGizmo;
//!
//! /// Created in eframe as `EguiGizmo::on_wgpu(context.wgpu_render_state.as_ref())`.
//! fn viewport(
//!     ui: &mut Ui,
//!     gizmo: &mut EguiGizmo,
//!     [view_from_world, clip_from_view]: [DMat4; 2],
//!     targets: &mut [Target],
//! ) {
//!     ui.horizontal(|ui| gizmo.mode_buttons(ui));
//!     let size = ui.available_size();
//!     let (_, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
//!     let shown = gizmo.show(ui, &response, view_from_world, clip_from_view, targets);
//!     // Paint the scene, with the targets where they are now.
//!     gizmo.paint(ui, &response);
//!     if shown.events.contains(&Event::Ended { changed: true }) {
//!         // An undo step: `gizmo.gizmo.starts()` are the transforms before it.
//!     }
//!     if response.dragged() && !shown.claims.primary_drag {
//!         // Orbit the camera.
//!     }
//! }
//! ```
//!
//! Over a handle and in a drag, the gizmo registers a widget above the panel, so the panel's own response is
//! neither hovered nor clicked nor dragged there. Everywhere else the panel keeps every event. A middle or
//! secondary press on a handle belongs to the panel as well. A window or a button over the gizmo blocks it. A second
//! finger cancels a drag.
//!
//! One gizmo can be shown in several panels and several windows, also native ones. Positions are exact for any
//! `pixels_per_point` and for a panel anywhere in the window.
//!
//! The handles lie over what the panel has painted before [`EguiGizmo::paint`]. To dim those that the scene hides
//! ([`DisplaySettings::depth_style`](wgpu_gizmo::interaction::settings::DisplaySettings::depth_style)), draw `EguiGizmo::gizmo` in a paint
//! callback of your own that has the depth of the scene, with `GizmoRenderer::prepare_with_depth`.
//!
//! # Without wgpu
//!
//! [`EguiGizmo::on_painter`] needs no device: egui's painter draws the handles as triangles, and picks are
//! made on the CPU. It works with eframe on `glow`, including in browsers, and with every other renderer of
//! egui. The handles look the same as on wgpu. Without the Cargo feature `wgpu`, which is on by default, the
//! crate depends on neither wgpu nor `egui-wgpu`.
//!
//! ```
//! use egui::{Context, RawInput, Sense, Shape, Ui};
//! use wgpu_gizmo_core::glam::{DVec3, dcamera::rh};
//! use wgpu_gizmo_core::{Target, Transform};
//! use wgpu_gizmo_egui::{EguiGizmo, PainterBackend};
//!
//! /// The same in `eframe::App::ui`, with `eframe::Renderer::Glow`. The depth range
//! /// of the matrix is 0 to 1, also if that of the renderer is -1 to 1.
//! fn viewport(ui: &mut Ui, gizmo: &mut EguiGizmo<PainterBackend>, targets: &mut [Target]) {
//!     let size = ui.available_size();
//!     let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
//!     let eye = DVec3::new(3.0, 2.0, 4.0);
//!     let view_from_world = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
//!     let aspect = f64::from(rect.aspect_ratio());
//!     let clip_from_view = rh::proj::directx::perspective(0.8, aspect, 0.1, 100.0);
//!     let shown = gizmo.show(ui, &response, view_from_world, clip_from_view, targets);
//!     for event in shown.events { /* selection, undo */ }
//!     gizmo.paint(ui, &response);
//! }
//!
//! let mut gizmo = EguiGizmo::on_painter()?;
//! let mut targets = [Target::from_world(Transform::IDENTITY)];
//! let frame = |ui: &mut Ui| viewport(ui, &mut gizmo, &mut targets);
//! let mut output = Context::default().run_ui(RawInput::default(), frame);
//! let is_mesh = |clipped: &egui::epaint::ClippedShape| matches!(clipped.shape, Shape::Mesh(_));
//! assert!(output.shapes.iter().any(is_mesh));
//! # output.textures_delta.clear();
//! # Ok::<(), wgpu_gizmo::pick::IdSpaceExhausted>(())
//! ```
//!
//! # Accessibility
//!
//! While AccessKit is active, each handle that takes one number is a slider with a value, such as "Move along
//! X". Increments and set values are drags, and [`Shown::events`] reports them as such. Handles in planes are
//! not sliders, because their axes have sliders already; of box handles, faces are, with the length of the side
//! as the value. [`sliders()`] does the same for a gizmo that is drawn in another way.

#[cfg(all(doc, feature = "wgpu"))]
#[doc = include_str!("guide.md")]
pub mod guide {}
mod backend;
mod input;
mod painter_backend;
mod sliders;
#[cfg(feature = "wgpu")]
mod wgpu_backend;

pub use backend::Backend;
use egui::{Align2, CursorIcon, Id, Rect, Response, Sense, Ui, ViewportId};
pub use painter_backend::{PainterBackend, PickedObjects};
pub use sliders::sliders;
use sliders::{paint_focus, unpainted_sliders};
#[cfg(feature = "wgpu")]
pub use wgpu_backend::{DrawnObjects, WgpuBackend};
use wgpu_gizmo_core::glam::{DMat4, DVec2};
use wgpu_gizmo_core::interaction::{Claims, CursorHint, Events, Fingers};
use wgpu_gizmo_core::math::{HostTransform, Matrix4};
use wgpu_gizmo_core::pick::IdSpaceExhausted;
use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Mode, Target, View, Viewport};
#[cfg(feature = "wgpu")]
use {
    wgpu_gizmo::gpu::{GpuError, TargetState},
    wgpu_gizmo::wgpu,
};

#[cfg(feature = "wgpu")]
type DefaultBackend = WgpuBackend;
#[cfg(not(feature = "wgpu"))]
type DefaultBackend = PainterBackend;

/// A gizmo in panels of egui. The crate's front page has an example.
pub struct EguiGizmo<B = DefaultBackend> {
    /// The gizmo: settings, theme, state.
    pub gizmo: Gizmo,
    /// Allocates all ids, also those of the host's objects that take part in picks.
    pub ids: IdSpace,
    /// The tolerance of a finger in logical pixels, which replaces
    /// [`InputSettings::tolerance_lpx`](wgpu_gizmo_core::interaction::settings::InputSettings::tolerance_lpx) while
    /// one touches. Default: 22.
    pub finger_tolerance_lpx: f64,
    backend: B,
    input: input::Input,
    /// The native windows that show the gizmo.
    windows: Vec<ViewportId>,
    /// The panels that were shown and are not painted yet.
    unpainted: Vec<Unpainted>,
}

struct Unpainted {
    panel: Id,
    list: DrawList,
    /// The bounds of the slider that has the focus of the keyboard.
    focused: Option<Rect>,
}

/// The number of panels that can be shown before the first of them is painted.
const MAX_UNPAINTED: usize = 64;

impl<B> std::fmt::Debug for EguiGizmo<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiGizmo").field("gizmo", &self.gizmo).finish_non_exhaustive()
    }
}

/// The result of [`EguiGizmo::show`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Shown {
    /// The events since the last call, of all panels.
    pub events: Events,
    /// The uses of pointer and keys that belong to the gizmo.
    pub claims: Claims,
    /// The modifiers that were held at the last press of the primary button, for Shift+click:
    /// [`Event::ClickedObject`](wgpu_gizmo_core::Event::ClickedObject) can come frames after the click, when the key
    /// may be up again.
    pub press_modifiers: egui::Modifiers,
    /// The error of the GPU since the last call, if there was one, which is logged as well. After
    /// [`GpuError::DeviceLost`], call [`EguiGizmo::rebuild`]; nothing is lost.
    #[cfg(feature = "wgpu")]
    pub error: Option<GpuError>,
}

/// The reason why [`EguiGizmo::on_wgpu`] has created nothing.
#[cfg(feature = "wgpu")]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OnWgpuError {
    /// There is no state of wgpu.
    #[error(
        "egui is not rendered by wgpu: choose eframe::Renderer::Wgpu, or create the gizmo with on_painter"
    )]
    NoState,
    /// The gizmo cannot be created on the device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// The back end on wgpu.
#[cfg(feature = "wgpu")]
impl EguiGizmo {
    /// Creates a gizmo for egui's render pass on wgpu, with the state of eframe:
    /// `CreationContext::wgpu_render_state.as_ref()`.
    ///
    /// # Errors
    /// [`OnWgpuError::NoState`] without a state, because eframe renders with `glow`; the errors of [`EguiGizmo::new`].
    pub fn on_wgpu(state: Option<&egui_wgpu::RenderState>) -> Result<Self, OnWgpuError> {
        let egui_wgpu::RenderState { device, queue, target_format, .. } =
            state.ok_or(OnWgpuError::NoState)?;
        Ok(Self::new(device, queue, *target_format)?)
    }

    /// Creates a gizmo for egui's render pass on wgpu. The target is `RenderState::target_format`, or a
    /// [`TargetState`] if egui's pass has depth or several samples.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`](wgpu_gizmo::WgpuGizmo::new).
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: impl Into<TargetState>,
    ) -> Result<Self, GpuError> {
        Self::with(WgpuBackend::new(device, queue, target.into())?).map_err(GpuError::Ids)
    }

    /// Creates everything on the GPU again, on a new device after the old one was lost. A drag in progress
    /// continues.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`](wgpu_gizmo::WgpuGizmo::new). Then nothing changes.
    pub fn rebuild(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        self.backend.rebuild(device, queue)?;
        self.gizmo.picks_lost();
        Ok(())
    }
}

/// The back end of egui's painter.
impl EguiGizmo<PainterBackend> {
    /// Creates a gizmo that egui's painter draws, and that is picked on the CPU: for `glow` and other renderers.
    ///
    /// # Errors
    /// Never fails, because the id space is new. The type of the error is that of [`Gizmo::new`].
    pub fn on_painter() -> Result<Self, IdSpaceExhausted> {
        Self::with(PainterBackend::default())
    }
}

impl<B: Backend> EguiGizmo<B> {
    fn with(backend: B) -> Result<Self, IdSpaceExhausted> {
        let mut ids = IdSpace::new();
        let gizmo = Gizmo::new(&mut ids)?;
        let (input, windows, unpainted) = Default::default();
        Ok(Self {
            gizmo,
            ids,
            finger_tolerance_lpx: Fingers::TOLERANCE_LPX,
            backend,
            input,
            windows,
            unpainted,
        })
    }

    /// Shows a button for each of the modes Translate, Rotate, Scale and Universal. The layout of `ui` decides
    /// whether they are side by side. They write `gizmo.settings.mode`, as a host with other buttons does.
    pub fn mode_buttons(&mut self, ui: &mut Ui) {
        for mode in Mode::PRESETS.into_iter().filter(|mode| *mode != Mode::None) {
            ui.selectable_value(&mut self.gizmo.settings.mode, mode, mode.to_string());
        }
    }

    /// Returns the number of panels whose resources on the GPU are kept. Those of a panel that is no longer
    /// shown are freed after a few hundred frames.
    pub fn kept_panels(&self) -> usize {
        self.backend.kept_panels()
    }

    /// Processes egui's input over the panel, and moves the targets. Call it once per panel and frame, before the scene
    /// is painted, so that the scene has moved as far as its handles. [`EguiGizmo::paint`] comes after the scene.
    ///
    /// `response` is that of the panel, of any `Sense`, whose rectangle the projection fills. If the projection or the
    /// rectangle shows nothing, as in a collapsed panel, no gizmo is shown.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        targets: &mut [Target],
    ) -> Shown {
        self.show_objects(
            ui,
            response,
            [view_from_world.into_dmat4(), clip_from_view.into_dmat4()],
            targets,
            None,
        )
    }

    /// Does the same as [`EguiGizmo::show`], for one object without a parent: moves its transform in world space, which
    /// can be a matrix.
    pub fn show_one(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        world: &mut impl HostTransform,
    ) -> Shown {
        Target::move_one(world, |targets| self.show(ui, response, view_from_world, clip_from_view, targets))
    }

    /// Does the same as [`EguiGizmo::show`], with objects of the host that can be picked and snapped to. They are
    /// borrowed for this call: as `&mut dyn PickedObjects` on egui's painter, and as `&mut dyn DrawnObjects` on
    /// wgpu.
    ///
    /// ```
    /// use egui::{Response, Ui};
    /// use wgpu_gizmo_core::glam::{DMat4, DVec3};
    /// use wgpu_gizmo_core::{Target, Transform};
    /// use wgpu_gizmo_egui::{EguiGizmo, PainterBackend};
    ///
    /// /// Balls of radius 1, of which the first one is moved. Their ids are those of `ids`.
    /// fn panel(
    ///     ui: &mut Ui,
    ///     response: &Response,
    ///     gizmo: &mut EguiGizmo<PainterBackend>,
    ///     [eye, lens]: [DMat4; 2],
    ///     centers: &mut [DVec3],
    ///     ids: wgpu_gizmo::pick::IdRange,
    /// ) {
    ///     let start = Transform { translation: centers[0], ..Transform::IDENTITY };
    ///     let mut targets = [Target::from_world(start)];
    ///     let mut pick = |query: &wgpu_gizmo::PickQuery| {
    ///         let ray = query.view.pointer_ray(query.cursor_px);
    ///         let is_hit = |center: &DVec3| (*center - ray.origin).reject_from(ray.direction).length() < 1.0;
    ///         centers.iter().position(is_hit).and_then(|index| ids.id(index as u32))
    ///     };
    ///     let shown = gizmo.show_with(ui, response, eye, lens, &mut targets, &mut pick);
    ///     centers[0] = targets[0].local.translation;
    ///     // Paint the balls here.
    ///     gizmo.paint(ui, response);
    ///     # let _ = shown;
    /// }
    /// ```
    pub fn show_with(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        targets: &mut [Target],
        objects: B::Objects<'_>,
    ) -> Shown {
        let matrices = [view_from_world.into_dmat4(), clip_from_view.into_dmat4()];
        self.show_objects(ui, response, matrices, targets, Some(objects))
    }

    fn show_objects(
        &mut self,
        ui: &Ui,
        response: &Response,
        [view_from_world, clip_from_view]: [DMat4; 2],
        targets: &mut [Target],
        mut objects: Option<B::Objects<'_>>,
    ) -> Shown {
        let mut shown = Shown::default();
        self.unpainted.retain(|shown| shown.panel != response.id);
        self.backend.receive(&mut self.gizmo, &mut objects, &mut shown);
        #[cfg(feature = "wgpu")]
        if let Some(error) = &shown.error {
            log::error!("the gizmo: {error}");
        }
        let scale = f64::from(ui.ctx().pixels_per_point());
        let rect = response.rect;
        let min = DVec2::new(rect.min.x.into(), rect.min.y.into()) * scale;
        let size = DVec2::new(rect.width().into(), rect.height().into()) * scale;
        let viewport = Viewport { x: min.x, y: min.y, width: size.x, height: size.y };
        let Ok(view) = View::new(view_from_world, clip_from_view, viewport, scale) else {
            return self.with_input(shown);
        };
        // Panels of several windows can have equal rectangles.
        let view = view.with_key(response.id.value());
        let own_id = response.id.with("wgpu-gizmo");
        if self.input.feed(ui, response, own_id, &view, &mut self.gizmo, self.finger_tolerance_lpx) {
            shown.events = self.backend.update(&mut self.gizmo, &view, targets, &mut objects);
            self.register(ui, response, own_id);
        }
        self.repaint_other_windows(ui.ctx(), view.key());
        let mut list = self.backend.take_list(response);
        self.gizmo.draw(list.begin(&view));
        let (events, focused) = unpainted_sliders(ui, response, &mut self.gizmo, &list, targets);
        shown.events.extend(events);
        self.unpainted.truncate(MAX_UNPAINTED - 1);
        self.unpainted.insert(0, Unpainted { panel: response.id, list, focused });
        if self.needs_frame(view.key()) {
            ui.ctx().request_repaint();
        }
        self.with_input(shown)
    }

    fn with_input(&self, shown: Shown) -> Shown {
        Shown { claims: self.gizmo.claims(), press_modifiers: self.input.press_modifiers(), ..shown }
    }

    fn needs_frame(&self, view_key: u64) -> bool {
        self.backend.is_pending() || self.gizmo.needs_redraw(view_key) || self.gizmo.is_hover_pending()
    }

    /// Requests a repaint of the other windows with the gizmo if it looks different from its last picture here.
    fn repaint_other_windows(&mut self, ctx: &egui::Context, view_key: u64) {
        let own = ctx.viewport_id();
        self.windows
            .retain(|window| *window != own && ctx.input(|input| input.raw.viewports.contains_key(window)));
        if self.gizmo.needs_redraw(view_key) {
            self.windows.iter().for_each(|window| ctx.request_repaint_of(*window));
        }
        self.windows.push(own);
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

    /// Paints the handles, and readouts as text of egui, above what the panel has painted so far. `response` is that of
    /// [`EguiGizmo::show`], which must come before it in each frame; otherwise nothing is painted. On wgpu, what is
    /// painted also submits the query for what is under the pointer.
    pub fn paint(&mut self, ui: &Ui, response: &Response) {
        let Some(shown) = self.unpainted.iter().position(|shown| shown.panel == response.id) else { return };
        let Unpainted { list, focused, .. } = self.unpainted.remove(shown);
        let painter = ui.painter_at(response.rect);
        let texts = readouts(&list, ui.ctx().pixels_per_point().into());
        self.backend.paint(&painter, response, list);
        paint_focus(ui, focused);
        for (at, text) in texts {
            let font = egui::TextStyle::Body.resolve(ui.style());
            let galley = painter.layout_no_wrap(text, font, ui.visuals().strong_text_color());
            let rect = Align2::LEFT_CENTER.anchor_size(at, galley.size());
            painter.rect_filled(rect.expand(2.0), 2.0, ui.visuals().extreme_bg_color.gamma_multiply(0.8));
            painter.galley(rect.min, galley, ui.visuals().strong_text_color());
        }
    }
}

/// Returns the texts of a drag, each with the point of its left end at half of its height.
fn readouts(list: &DrawList, scale: f64) -> Vec<(egui::Pos2, String)> {
    let point = |px: DVec2| {
        let [x, y] = (px / scale).as_vec2().to_array();
        egui::pos2(x, y)
    };
    list.readouts().map(|readout| (point(readout.anchor_px), readout.text.to_owned())).collect()
}
