//! The cost of `WgpuGizmo` on top of its parts: `cargo bench --bench facade`. Nothing is drawn, so that only
//! the wiring is measured. Prints `figure: NAME = VALUE UNIT` lines, medians of interleaved batches.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/order.rs"]
mod order;

use order::order_of;
use std::hint::black_box;
use std::time::Instant;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{Mode, Target, Transform, View, Viewport, WgpuGizmo};

const BATCHES: usize = 401;
const FRAMES: u32 = 400;

/// A gizmo without handles, whose frames only pass through the calls.
struct Stage {
    device: wgpu::Device,
    queue: wgpu::Queue,
    encoder: wgpu::CommandEncoder,
    view: View,
    tools: WgpuGizmo,
    targets: [Target; 1],
}

impl Stage {
    fn new() -> Self {
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
        let mut tools = WgpuGizmo::new(&device, TextureFormat::Rgba8Unorm).expect("the format is supported");
        tools.gizmo.settings.mode = Mode::None;
        let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(640, 480), 1.0);
        Self {
            encoder: device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()),
            device,
            queue,
            view: view.expect("the view is valid"),
            tools,
            targets: [Target::from_world(Transform::IDENTITY)],
        }
    }

    fn through_facade(&mut self) -> bool {
        let Self { device, queue, encoder, view, tools, targets } = self;
        black_box(tools.update(device, view, targets).expect("the device is alive"));
        tools.prepare(device, queue, encoder, view, |_, _, _| {}).expect("the device is alive");
        tools.needs_frame(0)
    }

    fn by_hand(&mut self) -> bool {
        let Self { device, queue, encoder, view, tools, targets } = self;
        while let Some(answer) = tools.picker.poll(device).expect("the device is alive") {
            tools.gizmo.answer(&answer);
        }
        black_box(tools.gizmo.update(view, targets));
        if let Some(query) = tools.picker.has_capacity().then(|| tools.gizmo.pick_query()).flatten() {
            tools.gizmo.draw(tools.list.begin(&query.view));
            tools
                .picker
                .encode(device, queue, encoder, &query, &tools.list, |_, _| {})
                .expect("the device is alive");
        }
        tools.gizmo.draw(tools.list.begin(view));
        tools.renderer.prepare(device, queue, &tools.list).expect("the device is alive");
        tools.picker.is_pending() || tools.gizmo.needs_redraw(0)
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

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
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
}
