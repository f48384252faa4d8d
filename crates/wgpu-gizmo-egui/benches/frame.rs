//! The cost of a frame with a gizmo on screen and the pointer elsewhere: `cargo bench --bench frame`. Measures
//! egui's pass, tessellation and buffers with and without `EguiGizmo::show`, on the CPU, and prints
//! `figure: NAME = VALUE us` lines, medians of interleaved batches: with the camera at rest, and turning.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

use egui::{Context, Event, RawInput, Rect, Sense, Ui, pos2, vec2};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use std::time::Instant;
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{Mode, Target, Transform, wgpu};
use wgpu_gizmo_egui::{Backend, EguiGizmo};

const BATCHES: usize = 101;
const FRAMES: u32 = 40;
const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
const PANEL: Rect = Rect { min: pos2(100.0, 100.0), max: pos2(1100.0, 700.0) };

struct Stage<B> {
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
    context: Context,
    camera: Camera,
    frames: u32,
    gizmo: EguiGizmo<B>,
    targets: [Target; 1],
}

/// Whether a frame shows the gizmo.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    WithGizmo,
    Without,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Camera {
    AtRest,
    Turning,
}

fn camera(angle: f64) -> (DMat4, DMat4) {
    let eye = rh::view::look_at_mat4(DVec3::new(3.0, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
    (eye * DMat4::from_rotation_y(angle), rh::proj::directx::perspective(0.8, 5.0 / 3.0, 0.1, 100.0))
}

impl<B: Backend> Stage<B> {
    fn new((device, queue): (&wgpu::Device, &wgpu::Queue), gizmo: EguiGizmo<B>, camera: Camera) -> Self {
        let mut stage = Self {
            renderer: Renderer::new(device, FORMAT, RendererOptions::default()),
            device: device.clone(),
            queue: queue.clone(),
            context: Context::default(),
            camera,
            frames: 0,
            gizmo,
            targets: [Target::from_world(Transform::IDENTITY)],
        };
        // The pointer is beside the panel.
        stage.frame(Frame::WithGizmo, vec![Event::PointerMoved(pos2(20.0, 20.0))]);
        stage
    }

    fn frame(&mut self, frame: Frame, events: Vec<Event>) {
        let Self { device, queue, renderer, context, gizmo, targets, .. } = self;
        self.frames += 1;
        let angle = if self.camera == Camera::Turning { 0.001 * f64::from(self.frames) } else { 0.0 };
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0));
        let input = RawInput { screen_rect: Some(screen), events, ..RawInput::default() };
        let output = context.run_ui(input, |ui: &mut Ui| {
            let response = ui.interact(PANEL, ui.scope_id().with("panel"), Sense::click_and_drag());
            if frame == Frame::WithGizmo {
                let (eye, lens) = camera(angle);
                let shown = gizmo.show(ui, &response, eye, lens, targets);
                assert!(shown.events.is_empty());
                gizmo.paint(ui, &response);
            }
        });
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let screen = ScreenDescriptor { size_in_pixels: [1280, 800], pixels_per_point: 1.0 };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let commands = renderer.update_buffers(device, queue, &mut encoder, &primitives, &screen);
        std::hint::black_box((encoder, commands));
    }

    /// Returns the time of a frame in microseconds.
    fn timed(&mut self, frame: Frame) -> f64 {
        let start = Instant::now();
        (0..FRAMES).for_each(|_| self.frame(frame, Vec::new()));
        let spent_us = start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES);
        // Submits the buffers that the frames have written.
        self.queue.submit([]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        spent_us
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn device() -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
    let descriptor =
        wgpu::DeviceDescriptor { required_limits: wgpu::Limits::downlevel_defaults(), ..Default::default() };
    pollster::block_on(adapters.first()?.request_device(&descriptor)).ok()
}

fn main() {
    let (device, queue) = device().expect("a graphics driver is installed");
    let modes = [Mode::Translate, Mode::Universal];
    for (mode, camera) in modes.into_iter().flat_map(|mode| [(mode, Camera::AtRest), (mode, Camera::Turning)])
    {
        let wgpu = EguiGizmo::new(&device, &queue, FORMAT).expect("the format is supported");
        let painter = EguiGizmo::on_painter().expect("a new id space has free ids");
        let devices = (&device, &queue);
        println!("figure: egui_wgpu_{mode:?}_{camera:?} = {:.1} us", cost(devices, wgpu, mode, camera));
        println!("figure: egui_painter_{mode:?}_{camera:?} = {:.1} us", cost(devices, painter, mode, camera));
    }
}

/// Returns the median cost of a gizmo in a frame, in microseconds.
fn cost<B: Backend>(
    devices: (&wgpu::Device, &wgpu::Queue),
    mut gizmo: EguiGizmo<B>,
    mode: Mode,
    camera: Camera,
) -> f64 {
    gizmo.gizmo.settings.mode = mode;
    let mut stage = Stage::new(devices, gizmo, camera);
    let mut costs = Vec::new();
    for _ in 0..BATCHES {
        let with = stage.timed(Frame::WithGizmo);
        costs.push(with - stage.timed(Frame::Without));
    }
    median(costs)
}
