//! The cost of a frame with a gizmo on screen and the pointer elsewhere: `cargo bench --bench frame`. Measures
//! egui's pass with and without `EguiGizmo::show`, on the CPU, and prints `figure: NAME = VALUE us` lines,
//! medians of interleaved batches.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

use egui::{Context, Event, RawInput, Rect, Sense, Ui, pos2, vec2};
use std::time::Instant;
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{Mode, Target, Transform, wgpu};
use wgpu_gizmo_egui::EguiGizmo;

const BATCHES: usize = 101;
const FRAMES: u32 = 40;
const PANEL: Rect = Rect { min: pos2(100.0, 100.0), max: pos2(1100.0, 700.0) };

struct Stage {
    context: Context,
    gizmo: EguiGizmo,
    targets: [Target; 1],
}

/// Whether a frame shows the gizmo.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    WithGizmo,
    Without,
}

fn camera() -> (DMat4, DMat4) {
    let eye = rh::view::look_at_mat4(DVec3::new(3.0, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
    (eye, rh::proj::directx::perspective(0.8, 5.0 / 3.0, 0.1, 100.0))
}

impl Stage {
    fn new(gizmo: EguiGizmo) -> Self {
        let targets = [Target::from_world(Transform::IDENTITY)];
        let mut stage = Self { context: Context::default(), gizmo, targets };
        // The pointer is beside the panel.
        stage.frame(Frame::WithGizmo, vec![Event::PointerMoved(pos2(20.0, 20.0))]);
        stage
    }

    fn frame(&mut self, frame: Frame, events: Vec<Event>) {
        let Self { context, gizmo, targets } = self;
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0));
        let input = RawInput { screen_rect: Some(screen), events, ..RawInput::default() };
        let output = context.run_ui(input, |ui: &mut Ui| {
            let response = ui.interact(PANEL, ui.scope_id().with("panel"), Sense::click_and_drag());
            if frame == Frame::WithGizmo {
                let (eye, lens) = camera();
                let shown = gizmo.show(ui, &response, eye, lens, targets);
                assert!(shown.events.is_empty());
            }
        });
        std::hint::black_box(output);
    }

    /// Returns the time of a frame in microseconds.
    fn timed(&mut self, frame: Frame) -> f64 {
        let start = Instant::now();
        (0..FRAMES).for_each(|_| self.frame(frame, Vec::new()));
        start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES)
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn device() -> Option<wgpu::Device> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
    let descriptor =
        wgpu::DeviceDescriptor { required_limits: wgpu::Limits::downlevel_defaults(), ..Default::default() };
    pollster::block_on(adapters.first()?.request_device(&descriptor)).ok().map(|(device, _)| device)
}

fn main() {
    let device = device().expect("a graphics driver is installed");
    for mode in [Mode::Translate, Mode::Universal] {
        let wgpu = EguiGizmo::new(&device, TextureFormat::Rgba8Unorm).expect("the format is supported");
        let painter = EguiGizmo::on_painter().expect("a new id space has free ids");
        for (backend, mut gizmo) in [("wgpu", wgpu), ("painter", painter)] {
            gizmo.gizmo.settings.mode = mode;
            let mut stage = Stage::new(gizmo);
            let mut costs = Vec::new();
            for _ in 0..BATCHES {
                let with = stage.timed(Frame::WithGizmo);
                costs.push(with - stage.timed(Frame::Without));
            }
            println!("figure: egui_{backend}_{mode:?} = {:.1} us", median(costs));
        }
    }
}
