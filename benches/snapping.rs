//! The cost of a frame in a drag that snaps to vertices: `cargo bench --bench snapping`. The scene has 10^4 objects
//! with 100 vertices each. Prints `figure: NAME = VALUE us` lines, medians of the time on the CPU of a whole frame of
//! `WgpuGizmo` and of its parts, without the host's submit.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/gpu.rs"]
mod gpu;

use fastrand::Rng;
use gpu::{device, median};
use std::num::NonZeroU32;
use std::time::Instant;
use wgpu_gizmo::facade::{Frame, UpdateOptions};
use wgpu_gizmo::glam::{DAffine3, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::pick::snap::SnapTo;
use wgpu_gizmo::scene::{PickBatch, PickMesh, PickObject, PickScene};
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{PickQuery, Target, Transform, View, Viewport, WgpuGizmo, wgpu};

const OBJECTS: u32 = 10_000;
const FRAMES: usize = 1_000;
const PARTS: [&str; 5] = ["search", "cull", "draw_objects", "frame_with_query", "frame_with_answer"];

/// A ball of ten rings with ten vertices each.
fn ball() -> (Vec<[f32; 3]>, Vec<u32>) {
    let at = |ring: u32, step: u32| {
        let (up, turn) = (0.3 * ring as f32 + 0.2, 0.628 * step as f32);
        [0.05 * up.sin() * turn.cos(), 0.05 * up.cos(), 0.05 * up.sin() * turn.sin()]
    };
    let positions = (0..100).map(|i| at(i / 10, i % 10)).collect();
    let quad = |i: u32| {
        let (ring, step) = (i / 10, i % 10);
        let [a, b] = [10 * ring + step, 10 * ring + (step + 1) % 10];
        [a, b, a + 10, b, b + 10, a + 10]
    };
    (positions, (0..90).flat_map(quad).collect())
}

struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    tools: WgpuGizmo,
    scene: PickScene,
    batch: PickBatch,
    view: View,
    targets: [Target; 1],
    moved: NonZeroU32,
    /// Microseconds, in the order of [`PARTS`].
    spent: [Vec<f64>; PARTS.len()],
}

impl Host {
    fn new() -> Self {
        let (device, queue) = device();
        let mut tools =
            WgpuGizmo::new(&device, TextureFormat::Rgba8UnormSrgb).expect("the format is supported");
        tools.gizmo.settings.snap.to = SnapTo::VERTEX;
        let mut scene = PickScene::new(&device).expect("the device is alive");
        let (positions, indices) = ball();
        let mesh = PickMesh::new(&positions, &indices).expect("the mesh is valid").with_snapping();
        let mesh = scene.add_mesh(&device, &mesh).expect("the device is alive");
        let ids = tools.ids.allocate(OBJECTS + 1).expect("ids are free");
        let mut rng = Rng::with_seed(3);
        for i in 0..=OBJECTS {
            let mut number = |size: f64| (rng.f64() * 2.0 - 1.0) * size;
            let translation = match i {
                OBJECTS => DVec3::ZERO,
                _ => DVec3::new(number(3.0), number(2.0), number(2.0)),
            };
            let world_from_local = DAffine3::from_translation(translation);
            let id = ids.id(i).expect("the offset is in the range");
            scene.insert(&PickObject::new(mesh, world_from_local, id));
        }
        let view = View::new(
            rh::view::look_at_mat4(DVec3::new(1.0, 1.0, 7.0), DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, 0.1),
            Viewport::from_size(800, 600),
            1.0,
        );
        Self {
            batch: scene.batch(&device).expect("the device is alive"),
            device,
            queue,
            tools,
            scene,
            view: view.expect("the view is valid"),
            targets: [Target::from_world(Transform::IDENTITY)],
            moved: ids.id(OBJECTS).expect("the offset is in the range"),
            spent: Default::default(),
        }
    }

    /// Records a frame, submits it and waits for it.
    fn frame(&mut self) {
        let Self { device, queue, tools, scene, batch, view, targets, moved, spent } = self;
        let [search_us, cull_us, draw_us, query_us, answer_us] = spent;
        let since = |start: Instant| start.elapsed().as_secs_f64() * 1e6;
        let searches = search_us.len();
        let start = Instant::now();
        let snap_to = tools.gizmo.settings.snap.to;
        let mut search = |query: &PickQuery, neighbors: &[NonZeroU32]| {
            let start = Instant::now();
            let found = snap_to.find(query, &scene.snap_objects(neighbors));
            search_us.push(since(start));
            found
        };
        let options = UpdateOptions::default().with_snap_search(&mut search);
        tools.update_with(&*view, targets, options).expect("the device is alive");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let draw = |pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip| {
            let start = Instant::now();
            batch.select(scene, &query.view, Some(&query.frustum()));
            if query.is_snap {
                batch.exclude(scene, &[*moved]);
            }
            cull_us.push(since(start));
            let start = Instant::now();
            batch.draw(scene, device, queue, pass, clip_from_clip);
            draw_us.push(since(start));
        };
        tools.prepare(Frame::new(device, queue, &mut encoder), view, draw).expect("the device is alive");
        let frame_us = since(start);
        if search_us.len() > searches {
            answer_us.push(frame_us)
        } else {
            query_us.push(frame_us)
        }
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
    }
}

fn main() {
    let mut host = Host::new();
    host.frame();
    let start_px = host.view.px_from_world(DVec3::ZERO).expect("the pivot is in front of the camera");
    host.tools.gizmo.pointer_moved(start_px);
    host.tools.gizmo.pointer_pressed();
    (0..8).for_each(|_| host.frame());
    assert_eq!(host.tools.gizmo.dragging().map(|handle| handle.name()), Some("translate_view"));
    host.spent = Default::default();
    let (mut rng, mut snapped) = (Rng::with_seed(5), 0);
    for _ in 0..FRAMES / 2 {
        let cursor_px = DVec2::new(200.5 + rng.f64() * 400.0, 150.5 + rng.f64() * 300.0);
        host.tools.gizmo.pointer_moved(cursor_px);
        // The query and the frame with its answer.
        host.frame();
        host.frame();
        snapped += usize::from(host.tools.gizmo.snapped_to().is_some());
    }
    println!("{snapped} of {} cursor positions snapped, {} searches", FRAMES / 2, host.spent[0].len());
    for (name, spent) in PARTS.iter().zip(host.spent) {
        println!("figure: snapping_{name}_us = {:.1} us", median(spent));
    }
}
