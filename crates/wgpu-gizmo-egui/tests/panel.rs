//! A gizmo in panels of egui, with the callbacks run on a real device.
#![allow(missing_docs, reason = "test names describe themselves")]

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use std::time::Duration;
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::{Event as GizmoEvent, Target, Transform, wgpu};
use wgpu_gizmo_egui::EguiGizmo;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const PANEL: Rect = Rect { min: pos2(90.0, 40.0), max: pos2(490.0, 340.0) };
const OTHER: Rect = Rect { min: pos2(500.0, 40.0), max: pos2(780.0, 340.0) };

/// A point of the x arrow of a gizmo in the center of a panel, where a world unit is 100 points.
fn arrow(panel: Rect) -> Pos2 {
    panel.center() + vec2(60.0, 0.0)
}

/// The input that the panel of the host has received.
#[derive(Debug, Default, Clone, PartialEq)]
struct Camera {
    clicks: u32,
    orbit: Vec2,
    pan: Vec2,
    zoom: f32,
    hovered: bool,
}

struct State {
    gizmo: EguiGizmo,
    targets: [Target; 1],
    events: Vec<GizmoEvent>,
    camera: Camera,
    panels: Vec<Rect>,
    has_window: bool,
    has_button: bool,
    discards: bool,
    button_clicks: u32,
}

fn camera(rect: Rect) -> (DMat4, DMat4) {
    let [x, y] = [rect.width(), rect.height()].map(|side| f64::from(side) / 200.0);
    let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
    (eye, rh::proj::directx::orthographic(-x, x, -y, y, 0.1, 100.0))
}

fn app(ui: &mut Ui, state: &mut State) {
    for (index, rect) in state.panels.clone().into_iter().enumerate() {
        let response: Response =
            ui.interact(rect, ui.scope_id().with(("panel", index)), Sense::click_and_drag());
        let (eye, lens) = camera(rect);
        let shown = state.gizmo.show(ui, &response, eye, lens, &mut state.targets);
        assert_eq!(shown.error, None);
        state.events.extend(shown.events);
        let seen = &mut state.camera;
        seen.clicks += u32::from(response.clicked());
        if response.dragged_by(PointerButton::Primary) {
            seen.orbit += response.drag_delta();
        }
        if response.dragged_by(PointerButton::Middle) {
            seen.pan += response.drag_delta();
        }
        seen.hovered = response.hovered();
        if response.hovered() {
            seen.zoom += ui.input(|input| input.smooth_scroll_delta.y);
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

struct Host {
    harness: Harness<'static, State>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
}

impl Host {
    fn new(pixels_per_point: f32) -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
        let adapter = adapters.first().expect("a graphics driver is installed");
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults(),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).expect("the adapter has a device");
        let renderer = Renderer::new(&device, FORMAT, RendererOptions::default());
        let state = State {
            gizmo: EguiGizmo::new(&device, FORMAT).expect("the format is supported"),
            targets: [Target::from_world(Transform::IDENTITY)],
            events: Vec::new(),
            camera: Camera::default(),
            panels: vec![PANEL],
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

    fn state(&mut self) -> &mut State {
        self.harness.state_mut()
    }

    /// Runs the callbacks of the last frame, and renders it.
    fn paint(&mut self) {
        let output = self.harness.output();
        let pixels_per_point = self.harness.ctx.pixels_per_point();
        let jobs = self.harness.ctx.tessellate(output.shapes.clone(), pixels_per_point);
        let size_in_pixels = [800.0, 400.0].map(|side: f32| (side * pixels_per_point) as u32);
        let screen = ScreenDescriptor { size_in_pixels, pixels_per_point };
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.renderer.update_texture(&self.device, &self.queue, *id, delta);
            }
        }
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.renderer.update_buffers(&self.device, &self.queue, &mut encoder, &jobs, &screen);
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: size_in_pixels[0],
                height: size_in_pixels[1],
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
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
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
    }

    fn frame(&mut self) {
        self.harness.step();
        self.paint();
    }

    fn settle(&mut self) {
        for _ in 0..6 {
            self.frame();
        }
    }

    fn move_to(&mut self, pos: Pos2) {
        self.harness.event(Event::PointerMoved(pos));
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }

    /// Drags in several frames.
    fn drag(&mut self, button: PointerButton, from: Pos2, to: Pos2) {
        self.move_to(from);
        self.settle();
        self.button(from, button, true);
        self.settle();
        self.move_to(to);
        self.settle();
        self.button(to, button, false);
        self.settle();
    }

    fn x(&self) -> f64 {
        self.harness.state().targets[0].local.translation.x
    }

    fn has_dragged(&self) -> bool {
        self.harness.state().events.iter().any(|event| matches!(event, GizmoEvent::Started(_)))
    }
}

use PointerButton::{Middle, Primary};

#[test]
fn drag_moves_target_at_any_pixels_per_point() {
    for pixels_per_point in [1.0, 1.5, 2.0] {
        let mut host = Host::new(pixels_per_point);
        let from = arrow(PANEL);
        host.drag(Primary, from, from + vec2(50.0, 20.0));
        assert!((host.x() - 0.5).abs() < 1e-4, "{pixels_per_point}: {}", host.x());
        let seen = host.state().camera.clone();
        assert_eq!((seen.clicks, seen.orbit), (0, Vec2::ZERO), "{pixels_per_point}");
    }
}

#[test]
fn fast_drag_within_one_frame_counts_whole_way() {
    let mut host = Host::new(1.0);
    let from = arrow(PANEL);
    host.move_to(from);
    host.button(from, Primary, true);
    host.move_to(from + vec2(70.0, 0.0));
    host.button(from + vec2(70.0, 0.0), Primary, false);
    host.move_to(pos2(10.0, 10.0));
    host.frame();
    host.settle();
    assert!((host.x() - 0.7).abs() < 1e-4, "{}", host.x());
}

#[test]
fn panel_keeps_everything_beside_handles() {
    let mut host = Host::new(1.0);
    let beside = PANEL.min + vec2(30.0, 30.0);
    for button in [Primary, Middle] {
        host.drag(button, beside, beside + vec2(20.0, 10.0));
    }
    host.move_to(beside);
    host.settle();
    assert!(host.state().camera.hovered);
    host.button(beside, Primary, true);
    host.button(beside, Primary, false);
    host.harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 40.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    host.settle();
    let seen = host.state().camera.clone();
    assert_eq!((seen.orbit, seen.pan, seen.clicks), (vec2(20.0, 10.0), vec2(20.0, 10.0), 1));
    assert!(seen.zoom > 0.0);
    assert!(!host.has_dragged() && host.x() == 0.0);
    assert!(host.state().events.contains(&GizmoEvent::ClickedNothing));
}

#[test]
fn handle_takes_hover_and_click_but_not_middle_drag() {
    let mut host = Host::new(1.0);
    let from = arrow(PANEL);
    host.move_to(from);
    host.settle();
    assert!(!host.state().camera.hovered, "the handle is hovered instead");
    assert_eq!(host.state().gizmo.gizmo.hovered().map(|handle| handle.name()), Some("translate_x"));
    host.button(from, Middle, true);
    host.settle();
    host.move_to(from + vec2(0.0, 30.0));
    host.settle();
    host.button(from + vec2(0.0, 30.0), Middle, false);
    host.settle();
    assert_eq!(host.state().camera.pan, vec2(0.0, 30.0));
    assert!(!host.has_dragged());
    host.move_to(from);
    host.settle();
    host.button(from, Primary, true);
    host.button(from, Primary, false);
    host.settle();
    assert_eq!(host.state().camera.clicks, 0);
    assert!(host.has_dragged());
}

#[test]
fn window_and_button_over_handle_block_it() {
    let mut host = Host::new(1.0);
    let from = arrow(PANEL);
    host.state().has_window = true;
    host.settle();
    host.drag(Primary, from, from + vec2(50.0, 0.0));
    assert!(!host.has_dragged() && host.state().gizmo.gizmo.hovered().is_none());
    host.state().has_window = false;
    host.state().has_button = true;
    host.settle();
    host.move_to(from);
    host.settle();
    host.button(from, Primary, true);
    host.frame();
    host.button(from, Primary, false);
    host.settle();
    assert_eq!((host.has_dragged(), host.state().button_clicks), (false, 1));
    host.state().has_button = false;
    host.settle();
    host.drag(Primary, from, from + vec2(50.0, 0.0));
    assert!(host.has_dragged());
}

#[test]
fn discarded_passes_lose_nothing() {
    let mut host = Host::new(1.0);
    host.state().discards = true;
    let from = arrow(PANEL);
    host.drag(Primary, from, from + vec2(50.0, 0.0));
    assert!((host.x() - 0.5).abs() < 1e-4, "{}", host.x());
    let ends = host.state().events.iter().filter(|event| matches!(event, GizmoEvent::Ended { .. })).count();
    assert_eq!(ends, 1);
}

#[test]
fn readout_is_text_of_egui() {
    let mut host = Host::new(1.0);
    let from = arrow(PANEL);
    host.move_to(from);
    host.button(from, Primary, true);
    host.settle();
    host.move_to(from + vec2(50.0, 0.0));
    host.settle();
    let shapes = &host.harness.output().shapes;
    let texts = shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    assert!(texts.iter().any(|text| text.starts_with("X 0.5")), "{texts:?}");
}

#[test]
fn idle_gizmo_asks_for_no_repaint() {
    let mut host = Host::new(1.0);
    host.move_to(PANEL.min + vec2(30.0, 30.0));
    host.settle();
    for _ in 0..5 {
        host.frame();
        let output = &host.harness.output().viewport_output[&egui::ViewportId::ROOT];
        assert_eq!(output.repaint_delay, Duration::MAX);
    }
}

#[test]
fn gizmo_in_two_panels_is_dragged_in_either() {
    let mut host = Host::new(1.0);
    host.state().panels = vec![PANEL, OTHER];
    host.settle();
    for (panel, expected) in [(OTHER, 0.4), (PANEL, 0.8)] {
        let from = arrow(panel) + vec2(host.x() as f32 * 100.0, 0.0);
        host.drag(Primary, from, from + vec2(40.0, 0.0));
        assert!((host.x() - expected).abs() < 1e-4, "{panel:?}: {}", host.x());
    }
}

#[test]
fn panel_closed_in_drag_cancels_and_frees_gizmo() {
    let mut host = Host::new(1.0);
    host.state().panels = vec![PANEL, OTHER];
    host.settle();
    let from = arrow(OTHER);
    host.move_to(from);
    host.button(from, Primary, true);
    host.settle();
    host.move_to(from + vec2(30.0, 0.0));
    host.settle();
    assert!(host.state().gizmo.gizmo.is_active());
    host.state().panels = vec![PANEL];
    for _ in 0..4 {
        host.settle();
    }
    assert!(!host.state().gizmo.gizmo.is_active() && host.x() == 0.0);
    host.button(from, Primary, false);
    host.settle();
    host.drag(Primary, arrow(PANEL), arrow(PANEL) + vec2(30.0, 0.0));
    assert!((host.x() - 0.3).abs() < 1e-4, "{}", host.x());
}

#[test]
fn panel_without_size_shows_nothing() {
    let mut host = Host::new(1.0);
    host.state().panels = vec![Rect::from_min_size(PANEL.min, Vec2::ZERO), Rect::NOTHING];
    host.settle();
    assert!(host.state().events.is_empty());
}
