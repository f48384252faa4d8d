//! The cost of `WgpuGizmo` on top of its parts: `cargo bench --bench facade`. Nothing is drawn, so that only
//! the wiring is measured; then the cost of preparing a changed frame. Prints `figure: NAME = VALUE UNIT` lines, medians of interleaved batches.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/gpu.rs"]
mod gpu;
#[path = "shared/order.rs"]
mod order;

use gpu::{device, median};
use order::order_of;
use std::hint::black_box;
use std::time::Instant;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};
use wgpu_gizmo::glam::{DMat4, DVec3};
use wgpu_gizmo::gpu::{GizmoRenderer, Picker};
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{DrawList, Mode, Target, Transform, View, Viewport, WgpuGizmo};

const BATCHES: usize = 401;
const FRAMES: u32 = 400;

/// A gizmo without handles, whose frames only pass through the calls.
struct Stage {
    device: wgpu::Device,
    queue: wgpu::Queue,
    encoder: wgpu::CommandEncoder,
    view: View,
    tools: WgpuGizmo,
    // The parts that the facade wires together.
    picker: Picker,
    renderer: GizmoRenderer,
    list: DrawList,
    targets: [Target; 1],
}

impl Stage {
    fn new() -> Self {
        let (device, queue) = device();
        let mut tools = WgpuGizmo::new(&device, TextureFormat::Rgba8Unorm).expect("the format is supported");
        tools.gizmo.settings.mode = Mode::None;
        let picker = Picker::new(&device).expect("the backend is not WebGL");
        let renderer =
            GizmoRenderer::new(&device, TextureFormat::Rgba8Unorm).expect("the format is supported");
        let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(640, 480), 1.0);
        Self {
            encoder: device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()),
            device,
            queue,
            view: view.expect("the view is valid"),
            tools,
            picker,
            renderer,
            list: DrawList::new(),
            targets: [Target::from_world(Transform::IDENTITY)],
        }
    }

    fn through_facade(&mut self) -> bool {
        let Self { device, queue, encoder, view, tools, targets, .. } = self;
        black_box(tools.update(&*view, targets).expect("the device is alive"));
        tools.prepare(Frame::new(device, queue, encoder), view, |_, _, _| {}).expect("the device is alive");
        tools.needs_redraw(0)
    }

    fn by_hand(&mut self) -> bool {
        let Self { device, queue, encoder, view, tools, picker, renderer, list, targets } = self;
        while let Some(answer) = picker.poll(device).expect("the device is alive") {
            tools.gizmo.answer(&answer);
        }
        black_box(tools.gizmo.update(&*view, targets));
        if let Some(query) = picker.has_capacity().then(|| tools.gizmo.pick_query()).flatten() {
            tools.gizmo.draw(list.begin(&query.view));
            picker.encode(device, queue, encoder, &query, list, |_, _| {}).expect("the device is alive");
        }
        tools.gizmo.draw(list.begin(view));
        renderer.prepare(device, queue, list).expect("the device is alive");
        picker.is_pending() || tools.gizmo.needs_redraw(0)
    }
}

/// Returns the time of a call in microseconds.
fn timed(stage: &mut Stage, call: fn(&mut Stage) -> bool) -> f64 {
    let start = Instant::now();
    for _ in 0..FRAMES {
        black_box(call(stage));
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES)
}

fn main() {
    let mut stage = Stage::new();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for batch in 0..BATCHES {
        let calls: [fn(&mut Stage) -> bool; 2] = [Stage::through_facade, Stage::by_hand];
        let mut spent = [0.0; 2];
        for index in order_of(batch, 2) {
            spent[index] = timed(&mut stage, calls[index]);
        }
        let [facade, parts] = spent;
        [facade, parts, facade - parts].into_iter().zip(&mut times).for_each(|(time, all)| all.push(time));
    }
    let [facade, parts, difference] = times.map(median);
    println!("a frame without handles: {facade:.3} us through the facade, {parts:.3} us by hand");
    println!("figure: facade_overhead = {difference:.3} us");
    for (name, mode) in
        [("translate", Mode::Translate), ("rotate", Mode::Rotate), ("universal", Mode::Universal)]
    {
        println!("figure: prepare_changed_us.{name} = {:.1} us", prepare_us(&mut stage, mode));
    }
}

/// Returns the time of `GizmoRenderer::prepare` in a frame in which the camera has moved.
fn prepare_us(stage: &mut Stage, mode: Mode) -> f64 {
    let lists = [0.0, 0.01].map(|turn| {
        let eye = look_at_mat4(DVec3::new(2.5 + turn, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
        let lens = perspective(0.8, 16.0 / 9.0, 0.1, 100.0);
        let view = View::new(eye, lens, Viewport::from_size(1920, 1080), 1.0).expect("the view is valid");
        stage.tools.gizmo.settings.mode = mode;
        stage.tools.gizmo.update(&view, &mut stage.targets);
        let mut list = DrawList::new();
        stage.tools.gizmo.draw(list.begin(&view));
        list
    });
    let times = (0..BATCHES).map(|_| {
        let start = Instant::now();
        for list in &lists {
            stage.renderer.prepare(&stage.device, &stage.queue, list).expect("the device is alive");
        }
        let spent = start.elapsed().as_secs_f64() * 1e6 / lists.len() as f64;
        stage.queue.submit([]);
        spent
    });
    median(times.collect())
}
