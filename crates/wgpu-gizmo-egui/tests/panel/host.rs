//! A host with panels, whose frames run on a real device.

use crate::objects::Objects;
use egui::epaint::{ImageDelta, TextureId};
use egui::{
    Event, Modifiers, PointerButton, Pos2, Rect, Response, Sense, TextureOptions, Ui, Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use std::sync::OnceLock;
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::{Event as GizmoEvent, Gizmo, IdSpace, Target, Transform, wgpu};
use wgpu_gizmo_egui::{EguiGizmo, PainterBackend, Shown};

pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(crate) const PANEL: Rect = Rect { min: pos2(90.0, 40.0), max: pos2(490.0, 340.0) };
pub(crate) const OTHER: Rect = Rect { min: pos2(500.0, 40.0), max: pos2(780.0, 340.0) };

/// A point of the x arrow of a gizmo in the center of a panel, where a world unit is 100 points.
pub(crate) fn arrow(panel: Rect) -> Pos2 {
    panel.center() + vec2(60.0, 0.0)
}

/// The input that the panel of the host has received.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Camera {
    pub(crate) clicks: u32,
    /// The distance that each button was dragged, in the order of [`BUTTONS`].
    pub(crate) drags: [Vec2; 5],
    pub(crate) zoom: f32,
    pub(crate) hovered: bool,
}

pub(crate) const BUTTONS: [PointerButton; 5] = [
    PointerButton::Primary,
    PointerButton::Middle,
    PointerButton::Secondary,
    PointerButton::Extra1,
    PointerButton::Extra2,
];

/// The back end of the gizmo under test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Backend {
    Wgpu,
    Painter,
}

pub(crate) const BACKENDS: [Backend; 2] = [Backend::Wgpu, Backend::Painter];

/// A gizmo on either back end.
pub(crate) enum AnyGizmo {
    Wgpu(Box<EguiGizmo>),
    Painter(Box<EguiGizmo<PainterBackend>>),
}

impl AnyGizmo {
    pub(crate) fn core(&mut self) -> &mut Gizmo {
        match self {
            Self::Wgpu(gizmo) => &mut gizmo.gizmo,
            Self::Painter(gizmo) => &mut gizmo.gizmo,
        }
    }

    pub(crate) fn ids(&mut self) -> &mut IdSpace {
        match self {
            Self::Wgpu(gizmo) => &mut gizmo.ids,
            Self::Painter(gizmo) => &mut gizmo.ids,
        }
    }

    pub(crate) fn kept_panels(&self) -> usize {
        match self {
            Self::Wgpu(gizmo) => gizmo.kept_panels(),
            Self::Painter(gizmo) => gizmo.kept_panels(),
        }
    }

    fn paint(&mut self, ui: &Ui, response: &Response) {
        match self {
            Self::Wgpu(gizmo) => gizmo.paint(ui, response),
            Self::Painter(gizmo) => gizmo.paint(ui, response),
        }
    }

    fn show(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        targets: &mut [Target],
        objects: Option<&mut Objects>,
    ) -> Shown {
        let (eye, lens) = camera(response.rect);
        match (self, objects) {
            (Self::Wgpu(gizmo), None) => gizmo.show(ui, response, eye, lens, targets),
            (Self::Painter(gizmo), None) => gizmo.show(ui, response, eye, lens, targets),
            (Self::Wgpu(gizmo), Some(objects)) => gizmo.show_with(ui, response, eye, lens, targets, objects),
            (Self::Painter(gizmo), Some(objects)) => {
                gizmo.show_with(ui, response, eye, lens, targets, objects)
            }
        }
    }
}

pub(crate) struct State {
    pub(crate) gizmo: AnyGizmo,
    pub(crate) objects: Option<Objects>,
    pub(crate) targets: [Target; 1],
    pub(crate) events: Vec<GizmoEvent>,
    pub(crate) press_modifiers: Modifiers,
    pub(crate) camera: Camera,
    pub(crate) panels: Vec<Rect>,
    /// Whether each panel is in a window of egui.
    pub(crate) are_windows: bool,
    pub(crate) has_window: bool,
    pub(crate) has_button: bool,
    pub(crate) discards: bool,
    pub(crate) button_clicks: u32,
}

fn camera(rect: Rect) -> (DMat4, DMat4) {
    let [x, y] = [rect.width(), rect.height()].map(|side| f64::from(side) / 200.0);
    let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
    (eye, rh::proj::directx::orthographic(-x, x, -y, y, 0.1, 100.0))
}

fn panel(ui: &mut Ui, index: usize, rect: Rect, state: &mut State) {
    let response: Response = ui.interact(rect, ui.scope_id().with(("panel", index)), Sense::click_and_drag());
    let shown = state.gizmo.show(ui, &response, &mut state.targets, state.objects.as_mut());
    assert_eq!(shown.error, None);
    // The scene of the host.
    ui.painter().rect_filled(rect, 0.0, egui::Color32::from_gray(64));
    state.gizmo.paint(ui, &response);
    state.events.extend(shown.events);
    state.press_modifiers = shown.press_modifiers;
    let seen = &mut state.camera;
    seen.clicks += u32::from(response.clicked());
    for (button, way) in BUTTONS.into_iter().zip(&mut seen.drags) {
        if response.dragged_by(button) {
            *way += response.drag_delta();
        }
    }
    seen.hovered = response.hovered();
    if response.hovered() {
        seen.zoom += ui.input(|input| input.smooth_scroll_delta.y);
    }
}

fn app(ui: &mut Ui, state: &mut State) {
    for (index, rect) in state.panels.clone().into_iter().enumerate() {
        if state.are_windows {
            let window = egui::Window::new(format!("window {index}")).fixed_pos(rect.min - vec2(10.0, 30.0));
            window.show(ui.ctx(), |ui| {
                ui.set_min_size(rect.size());
                panel(ui, index, rect, state);
            });
        } else {
            panel(ui, index, rect, state);
        }
    }
    if state.has_button {
        let over = Rect::from_center_size(arrow(PANEL), vec2(60.0, 40.0));
        state.button_clicks += u32::from(ui.put(over, egui::Button::new("over")).clicked());
    }
    if state.has_window {
        egui::Window::new("over").fixed_pos(arrow(PANEL) - vec2(20.0, 30.0)).show(ui.ctx(), |ui| {
            ui.set_min_size(vec2(80.0, 80.0));
        });
    }
    if state.discards {
        ui.ctx().request_discard("a test");
    }
}

pub(crate) struct Host {
    pub(crate) harness: Harness<'static, State>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
}

pub(crate) fn gpu() -> &'static (wgpu::Device, wgpu::Queue) {
    static GPU: OnceLock<(wgpu::Device, wgpu::Queue)> = OnceLock::new();
    GPU.get_or_init(|| {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
        let adapter = adapters.first().expect("a graphics driver is installed");
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults(),
            ..Default::default()
        };
        pollster::block_on(adapter.request_device(&descriptor)).expect("the adapter has a device")
    })
}

impl Host {
    /// Returns a host on each back end.
    pub(crate) fn each(pixels_per_point: f32) -> [Self; 2] {
        BACKENDS.map(|backend| Self::new(backend, pixels_per_point))
    }

    pub(crate) fn new(backend: Backend, pixels_per_point: f32) -> Self {
        let (device, queue) = gpu().clone();
        let renderer = Renderer::new(&device, FORMAT, RendererOptions::default());
        let state = State {
            gizmo: match backend {
                Backend::Wgpu => {
                    let gizmo = EguiGizmo::new(&device, &queue, FORMAT).expect("the format is supported");
                    AnyGizmo::Wgpu(Box::new(gizmo))
                }
                Backend::Painter => {
                    let gizmo = EguiGizmo::on_painter().expect("a new id space has free ids");
                    AnyGizmo::Painter(Box::new(gizmo))
                }
            },
            objects: None,
            targets: [Target::from_world(Transform::IDENTITY)],
            events: Vec::new(),
            press_modifiers: Modifiers::NONE,
            camera: Camera::default(),
            panels: vec![PANEL],
            are_windows: false,
            has_window: false,
            has_button: false,
            discards: false,
            button_clicks: 0,
        };
        let harness = Harness::builder()
            .with_size(vec2(800.0, 400.0))
            .with_pixels_per_point(pixels_per_point)
            .build_ui_state(app, state);
        let mut host = Self { harness, device, queue, renderer };
        host.paint();
        host.settle();
        host
    }

    pub(crate) fn state(&mut self) -> &mut State {
        self.harness.state_mut()
    }

    /// Runs the callbacks of the last frame, and renders it.
    pub(crate) fn paint(&mut self) -> wgpu::Texture {
        let pixels_per_point = self.harness.ctx.pixels_per_point();
        let [width, height] = [800.0, 400.0].map(|side: f32| (side * pixels_per_point) as u32);
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        self.submit(Some(&texture));
        texture
    }

    /// Runs the callbacks of the last frame, and renders it if there is a texture, which takes most of the time.
    fn submit(&mut self, texture: Option<&wgpu::Texture>) {
        let output = self.harness.output();
        let pixels_per_point = self.harness.ctx.pixels_per_point();
        let jobs = self.harness.ctx.tessellate(output.shapes.clone(), pixels_per_point);
        let size_in_pixels = [800.0, 400.0].map(|side: f32| (side * pixels_per_point) as u32);
        let screen = ScreenDescriptor { size_in_pixels, pixels_per_point };
        // The harness takes the changes of the font texture.
        let fonts = ImageDelta::full(self.harness.ctx.fonts(|fonts| fonts.image()), TextureOptions::LINEAR);
        self.renderer.update_texture(&self.device, &self.queue, TextureId::default(), &fonts);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let commands = self.renderer.update_buffers(&self.device, &self.queue, &mut encoder, &jobs, &screen);
        if let Some(texture) = texture {
            let view = texture.create_view(&Default::default());
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: None,
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations::default(),
                })],
                ..Default::default()
            });
            self.renderer.render(&mut pass.forget_lifetime(), &jobs, &screen);
        }
        self.queue.submit(commands.into_iter().chain([encoder.finish()]));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
    }

    /// Renders the last frame again, and returns its pixels.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let texture = self.paint();
        let row = 4 * texture.width();
        assert_eq!(row % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 0, "rows must be aligned");
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row * texture.height()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        buffer.get_mapped_range(..).expect("the buffer is mapped").to_vec()
    }

    pub(crate) fn frame(&mut self) {
        self.harness.step();
        self.submit(None);
    }

    pub(crate) fn settle(&mut self) {
        for _ in 0..5 {
            self.frame();
        }
        self.harness.step();
        self.paint();
    }

    pub(crate) fn move_to(&mut self, pos: Pos2) {
        self.harness.event(Event::PointerMoved(pos));
    }

    pub(crate) fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }

    /// Drags in several frames.
    pub(crate) fn drag(&mut self, button: PointerButton, from: Pos2, to: Pos2) {
        self.move_to(from);
        self.settle();
        self.button(from, button, true);
        self.settle();
        self.move_to(to);
        self.settle();
        self.button(to, button, false);
        self.settle();
    }

    pub(crate) fn x(&self) -> f64 {
        self.harness.state().targets[0].local.translation.x
    }

    pub(crate) fn has_dragged(&self) -> bool {
        self.harness.state().events.iter().any(|event| matches!(event, GizmoEvent::Started(_)))
    }
}
