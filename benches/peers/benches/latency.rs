//! Latency from the query to the answer, in time and in frames, and its distribution. Blocking, and
//! polled as a host does: 100 000 queries each through the tile, and 1 000 for the ids of the whole
//! frame, at 1920 x 1080.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench latency`

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};
use wgpu_gizmo::gpu::{IdImage, Picker};
use wgpu_gizmo::{Mode, PickQuery};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::{self, Table};
use wgpu_gizmo_bench_peers::plot::{Plot, Series};
use wgpu_gizmo_bench_peers::scene::{HD, Stage, targets, wandering};
use wgpu_gizmo_bench_peers::stats::{percentile, timed};
use wgpu_gizmo_bench_peers::{figure, is_quick, short};

const TIMEOUT: Duration = Duration::from_secs(100);
/// The frame time of a host with a thousand frames per second, shorter than that of any display.
const PERIOD: Duration = Duration::from_millis(1);

fn query(stage: &mut Stage, round: u32) -> PickQuery {
    let px = wandering(round, stage.center_px());
    let view = stage.view();
    stage.gizmo.draw(stage.list.begin(&view));
    PickQuery::new(&view, px, 5.0)
}

fn blocking(gpu: &Gpu, count: usize) -> Vec<f64> {
    let mut stage = Stage::new(Mode::Universal, targets(1), HD);
    let mut picker = Picker::new(&gpu.device).expect("the backend is not WebGL");
    let one = |round: usize| {
        let query = query(&mut stage, round as u32);
        timed(|| {
            let list = &stage.list;
            let answer = picker.pick_blocking(&gpu.device, &gpu.queue, &query, list, |_, _| {}, TIMEOUT);
            black_box(answer.expect("the device is alive"));
        })
    };
    (0..count + 50).map(one).skip(50).collect()
}

fn full(gpu: &Gpu, count: usize) -> Vec<f64> {
    let mut stage = Stage::new(Mode::Universal, targets(1), HD);
    let mut image = IdImage::new(&gpu.device, HD[0], HD[1]).expect("the size is supported");
    let one = |round: usize| {
        let query = query(&mut stage, round as u32);
        timed(|| {
            let mut encoder = gpu.encoder();
            let (device, list) = (&gpu.device, &stage.list);
            image
                .encode(device, &gpu.queue, &mut encoder, &query.view, list, |_, _| {})
                .expect("the device is alive");
            let submission = gpu.queue.submit([encoder.finish()]);
            black_box(image.read(device, submission, TIMEOUT).expect("the device is alive").ids[0]);
        })
    };
    (0..count + 5).map(one).skip(5).collect()
}

/// Returns microseconds, frames, and the time of a frame's own calls.
fn polled(gpu: &Gpu, count: usize) -> [Vec<f64>; 3] {
    let mut stage = Stage::new(Mode::Universal, targets(1), HD);
    let mut picker = Picker::new(&gpu.device).expect("the backend is not WebGL");
    let mut in_flight: VecDeque<(u64, Instant, u32)> = VecDeque::with_capacity(8);
    let (mut times, mut frames, mut calls) =
        (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
    let mut frame = 0;
    while times.len() < count {
        let began = Instant::now();
        while let Some(answer) = picker.poll(&gpu.device).expect("the device is alive") {
            while let Some((sequence, at, in_frame)) = in_flight.pop_front() {
                if sequence == answer.query.sequence {
                    times.push(at.elapsed().as_secs_f64() * 1e6);
                    frames.push(f64::from(frame - in_frame));
                    break;
                }
            }
        }
        if picker.has_capacity() {
            let query = query(&mut stage, frame);
            let mut encoder = gpu.encoder();
            in_flight.push_back((query.sequence, Instant::now(), frame));
            picker
                .encode(&gpu.device, &gpu.queue, &mut encoder, &query, &stage.list, |_, _| {})
                .expect("a slot is free");
            gpu.queue.submit([encoder.finish()]);
        }
        calls.push(began.elapsed().as_secs_f64() * 1e6);
        frame += 1;
        std::thread::sleep(PERIOD.saturating_sub(began.elapsed()));
    }
    [times, frames, calls]
}

fn report(table: &mut Table, name: &str, unit: &str, values: &mut [f64]) {
    let parts = [("p50", 0.5), ("p99", 0.99), ("worst", 1.0)];
    let found = parts.map(|(part, share)| (part, percentile(values, share)));
    for (part, value) in found {
        figure(&format!("latency_{name}_{part}"), value, unit);
    }
    let [p50, p99, worst] = found.map(|(_, value)| short(value));
    let count = values.len().to_string();
    table.row(&[name, &count, &p50, &p99, &worst, unit]);
}

/// Returns, for each of the shares 1, 1/2, 1/4 …, the time that this share of the answers exceeds.
fn tail(name: &str, values: &mut [f64]) -> Series {
    let min = 1.0 / values.len() as f64;
    let shares = (0..60).map(|i| 0.75f64.powi(i)).take_while(|share| *share >= min);
    let points: Vec<_> = shares.map(|share| (percentile(values, 1.0 - share), share)).collect();
    Series::new(name, points)
}

fn main() {
    page::run("latency", measure);
}

fn measure() {
    let gpu = Gpu::new();
    let (tiles, fulls) = if is_quick() { (1_000, 10) } else { (100_000, 1_000) };
    let mut table = Table::new("latency", &["way", "answers", "p50", "p99", "worst", "unit"]);
    let mut tile = blocking(&gpu, tiles);
    report(&mut table, "tile_blocking", "us", &mut tile);
    let mut whole = full(&gpu, fulls);
    report(&mut table, "full_frame_blocking", "us", &mut whole);
    let [mut times, mut frames, mut calls] = polled(&gpu, tiles);
    report(&mut table, "tile_polled", "us", &mut times);
    report(&mut table, "tile_polled_in_frames", "frames", &mut frames);
    report(&mut table, "calls_of_a_frame", "us", &mut calls);
    table.save();
    Plot {
        title: "From the query to the answer, 1920 × 1080".to_owned(),
        axes: ["µs".to_owned(), "share of the answers that took longer".to_owned()],
        series: vec![
            tail("tile, blocking", &mut tile),
            tail("tile, polled every 1 ms", &mut times),
            tail("full frame, blocking", &mut whole),
        ],
        marks: false,
    }
    .save("latency");
}
