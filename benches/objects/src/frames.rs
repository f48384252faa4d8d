//! Runs ten thousand frames with a random pointer and moving objects, and reports stalls, stale
//! answers and allocations.

use crate::scene::{Layout, SIZE, Scene, Triangles};
use crate::{Gpu, median, ms};
use glam::DVec2;
use std::time::{Duration, Instant};
use wgpu_gizmo::gpu::Picker;
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Target, Transform};

const FRAMES: usize = 10_000;
const OBJECTS: usize = 10_000;
/// Time from one frame to the next.
const PERIOD: Duration = Duration::from_millis(4);
/// Length of a 60 Hz frame: the calls of this crate per frame must be far shorter.
const FRAME_MS: f64 = 1000.0 / 60.0;

pub fn run(gpu: &Gpu, meshes: &[Triangles]) {
    let Gpu { device, queue } = gpu;
    let mut scene = Scene::new(device, meshes, Layout::Plain, OBJECTS);
    let mut batch = scene.gpu.batch(device).expect("the device is alive");
    let mut picker = Picker::new(device).expect("the backend is not WebGL");
    let mut ids = IdSpace::new();
    ids.allocate(OBJECTS as u32 + 1).expect("ids are free");
    let mut gizmo = Gizmo::new(&mut ids).expect("a slot is free");
    let translation = scene.view.pointer_ray(DVec2::new(960.0, 540.0)).at(40.0);
    let mut targets = [Target::from_world(Transform { translation, ..Transform::IDENTITY })];
    let (mut list, mut rng) = (DrawList::new(), fastrand::Rng::with_seed(1));
    let mut px = DVec2::new(960.0, 540.0);
    let mut answers = Answers::default();
    let mut report = Report { calls: Vec::with_capacity(FRAMES), ..Report::default() };
    for frame in 0..FRAMES {
        let began = Instant::now();
        let mut crate_ms = answers.receive(device, &mut picker, &mut gizmo, frame);
        // The pointer moves a little and sometimes jumps; a hundred objects move.
        let step =
            DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * if rng.u32(..50) == 0 { 900.0 } else { 30.0 };
        px = (px + step).clamp(DVec2::ZERO, DVec2::new(SIZE[0].into(), SIZE[1].into()) - 1.0);
        let start = Instant::now();
        let mut query = None;
        let counted = allocation_counter::measure(|| {
            gizmo.pointer_moved(px);
            gizmo.update(&scene.view, &mut targets);
            query = gizmo.pick_query();
            move_some(&mut scene, &mut rng);
            if let Some(query) = &query {
                gizmo.draw(list.begin(&query.view));
                batch.select(&scene.gpu, &query.view, Some(&query.frustum()));
            }
        });
        // Buffers grow only in the first frames.
        if frame > 1_000 {
            report.allocations += counted.count_total;
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(query) = query {
            if picker.has_capacity() {
                picker
                    .encode(device, queue, &mut encoder, &query, &list, |pass, clip_from_clip| {
                        batch.draw(&mut scene.gpu, device, queue, pass, clip_from_clip);
                    })
                    .expect("a slot is free");
                answers.in_flight.push((query.sequence, frame));
            } else {
                report.full += 1;
            }
        }
        crate_ms += ms(start);
        queue.submit([encoder.finish()]);
        report.calls.push(crate_ms);
        if frame == 1_000 || frame == FRAMES - 1 {
            report.memory_kib[usize::from(frame > 1_000)] = resident_kib();
        }
        std::thread::sleep(PERIOD.saturating_sub(began.elapsed()));
    }
    report.print(&answers);
}

/// Moves a hundred objects.
fn move_some(scene: &mut Scene, rng: &mut fastrand::Rng) {
    for _ in 0..100 {
        let object = rng.usize(..OBJECTS);
        let (_, at) = &mut scene.objects[object];
        at.translation.y += 0.01 * (rng.f64() - 0.5);
        scene.gpu.move_to(scene.keys[object], *at);
    }
}

/// The queries in flight, and what has been counted of their answers.
#[derive(Default)]
struct Answers {
    /// The sequence number of each query in flight, and the frame that it was asked in.
    in_flight: Vec<(u64, usize)>,
    newest: u64,
    /// The number of answers per frames from query to answer.
    latencies: [usize; 8],
    stale_taken: usize,
}

impl Answers {
    /// Passes the answers that have arrived on to the gizmo. Returns the time in the picker's calls.
    fn receive(
        &mut self,
        device: &wgpu::Device,
        picker: &mut Picker,
        gizmo: &mut Gizmo,
        frame: usize,
    ) -> f64 {
        let mut crate_ms = 0.0;
        loop {
            let start = Instant::now();
            let answer = picker.poll(device).expect("the device is alive");
            crate_ms += ms(start);
            let Some(answer) = answer else { return crate_ms };
            let hovered = |gizmo: &Gizmo| (gizmo.hovered(), gizmo.hovered_object());
            let before = hovered(gizmo);
            gizmo.answer(&answer);
            let sequence = answer.query.sequence;
            if sequence < self.newest && hovered(gizmo) != before {
                self.stale_taken += 1;
            }
            self.newest = self.newest.max(sequence);
            if let Some(index) = self.in_flight.iter().position(|(asked, _)| *asked == sequence) {
                let (_, asked) = self.in_flight.swap_remove(index);
                self.latencies[(frame - asked).min(self.latencies.len() - 1)] += 1;
            }
        }
    }
}

/// What all frames have cost.
#[derive(Default)]
struct Report {
    /// The milliseconds of this crate's calls in each frame.
    calls: Vec<f64>,
    /// The number of frames whose query found the ring full.
    full: usize,
    allocations: u64,
    /// After 1 000 frames, and after all.
    memory_kib: [u64; 2],
}

impl Report {
    fn print(self, answers: &Answers) {
        let Self { calls, full, allocations, memory_kib: memory } = self;
        let Answers { latencies, stale_taken, .. } = answers;
        let stalls = calls.iter().filter(|ms| **ms > FRAME_MS).count();
        let answered: usize = latencies.iter().sum();
        let longest = calls.iter().copied().fold(0.0, f64::max);
        println!("\n{FRAMES} frames of {PERIOD:?}, {OBJECTS} objects, 100 of which move per frame");
        println!("{answered} answers; frames from query to answer, starting at 0: {latencies:?}");
        println!("calls of this crate take {:.3} ms per frame, at most {longest:.3}", median(calls));
        println!("resident: {} KiB after 1 000 frames, {} KiB after all", memory[0], memory[1]);
        println!("figure: stalls = {stalls} frames");
        println!("figure: ring_full = {full} frames");
        println!("figure: stale_taken = {stale_taken} answers");
        println!("figure: allocations_steady = {allocations} allocations");
        // Two textures with 33 rows each, padded to the copy alignment.
        let row = u64::from((33 * 4u32).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));
        println!("figure: readback_bytes = {} bytes", 2 * 33 * row);
        println!("figure: readback_bytes_without_padding = {} bytes", 2 * 33 * 33 * 4);
    }
}

/// Returns the memory of the process where the system reports it; 0 elsewhere.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
