//! How time and memory grow with gizmos, targets, custom handles and objects, each with the slope
//! of its line over logarithmic axes: 0 is constant, 1 proportional.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench growth`

use allocation_counter::measure;
use glam::{DAffine3, DQuat, DVec2, DVec3};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::Duration;
use wgpu_gizmo::gpu::{PickMesh, PickObject, PickScene, Picker};
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, PickQuery, Target, Transform};
use wgpu_gizmo_bench_peers::figure;
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::plot::{Plot, Series};
use wgpu_gizmo_bench_peers::scene::{HD, Stage, dragging, targets, view, wandering};
use wgpu_gizmo_bench_peers::stats::{Rounds, slope, timed};

const PATIENCE: Duration = Duration::from_secs(100);

/// Median of a frame that is run many times.
fn median_us(mut frame: impl FnMut()) -> f64 {
    let mut way = || timed(&mut frame);
    Rounds::of(201, &mut [&mut way]).median(0)
}

/// A line for each of the measures, and the slope in its name and as a figure.
fn save(name: &str, title: &str, across: &str, lines: Vec<(&str, Vec<(f64, f64)>)>) {
    let series = lines.into_iter().map(|(line, points)| {
        for (x, y) in &points {
            println!("| {name} | {line} | {x:.0} | {} |", wgpu_gizmo_bench_peers::short(*y));
        }
        // What is constant at first grows at last: the slope of the larger half.
        let end = &points[points.len() / 2..];
        let by_name = line.split(", ").next().unwrap_or(line).replace(' ', "_");
        figure(&format!("growth_{name}.{by_name}"), slope(end), "slope");
        Series::new(format!("{line} (slope {:.2})", slope(end)), points)
    });
    let series = series.collect();
    let axes = [across.to_owned(), "µs a frame, or KiB".to_owned()];
    Plot { title: title.to_owned(), axes, series, marks: true }.save(&format!("growth-{name}"));
}

fn kib(held: i64) -> f64 {
    held as f64 / 1024.0
}

fn by_targets() {
    let (mut idle, mut drag, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for count in [1, 10, 100, 1_000, 10_000, 100_000] {
        let mut made = None;
        let held = measure(|| made = Some(Stage::new(Mode::Universal, targets(count), HD))).bytes_current;
        let mut stage = made.expect("made");
        // What the crate keeps beside the host's own list.
        let own = size_of::<Target>() * count;
        idle.push((count as f64, median_us(|| stage.frame_at(Some(DVec2::new(40.5, 40.5))))));
        let mut press_px = DVec2::ZERO;
        let taken = measure(|| press_px = stage.press("translate_x")).bytes_current;
        drag.push((
            count as f64,
            median_us(|| {
                stage.frame += 1;
                stage.frame_at(Some(dragging(stage.frame, press_px)));
            }),
        ));
        memory.push((count as f64, kib(held + taken - own as i64)));
    }
    let lines = vec![("idle, µs", idle), ("drag along an axis, µs", drag), ("memory in a drag, KiB", memory)];
    save("targets", "One gizmo on many targets", "targets", lines);
}

fn by_handles() {
    let (mut hover, mut pick, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for count in [1usize, 3, 6, 11, 22, 45] {
        let mut made = None;
        let held = measure(|| {
            let mut stage = Stage::new(Mode::None, targets(1), HD);
            let mut set = HandleSet::EMPTY;
            for i in 0..count {
                let angle = i as f64 * 0.7;
                let placement = Transform {
                    translation: DVec3::new(angle.cos(), angle.sin(), 0.0) * (0.2 + 0.02 * i as f64),
                    rotation: DQuat::IDENTITY,
                    scale: DVec3::splat(0.05),
                };
                let own = CustomHandle {
                    constraint: Constraint::ViewPlane,
                    mesh: HandleMesh::ball(),
                    placement,
                    color: [1.0; 4],
                };
                set = set.with(stage.gizmo.add_handle(own).expect("there is room"));
            }
            stage.gizmo.settings.mode = Mode::Handles(set);
            stage.frame_at(None);
            made = Some(stage);
        })
        .bytes_current;
        let mut stage = made.expect("made");
        let middle_px = stage.middle_px();
        hover.push((
            count as f64,
            median_us(|| {
                stage.frame += 1;
                stage.frame_at(Some(wandering(stage.frame, middle_px)));
            }),
        ));
        pick.push((
            count as f64,
            median_us(|| {
                stage.frame += 1;
                black_box(stage.list.pick(wandering(stage.frame, middle_px), 5.0));
            }),
        ));
        memory.push((count as f64, kib(held)));
    }
    let lines = vec![("frame, µs", hover), ("pick on the CPU, µs", pick), ("memory, KiB", memory)];
    save("handles", "Handles of the host's own, all of one mesh", "custom handles", lines);
}

fn by_gizmos(gpu: &Gpu) {
    let (mut frame, mut cpu, mut tile, mut memory) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let view = view(0, HD);
    for count in [1usize, 3, 10, 30, 100, 300, 1_000] {
        let mut made = None;
        let held = measure(|| {
            let (mut ids, side) = (IdSpace::new(), (count as f64).sqrt().ceil());
            let gizmo = |i: usize| {
                let mut gizmo = Gizmo::new(&mut ids).expect("room");
                gizmo.settings.mode = Mode::Universal;
                let spread = DVec2::new(i as f64 % side + 0.5, (i as f64 / side).floor() + 0.5) / side - 0.5;
                let translation = DVec3::new(6.0 * spread.x, 3.0 * spread.y, 0.0);
                (gizmo, [Target::from_world(Transform { translation, ..Transform::IDENTITY })])
            };
            let mut gizmos: Vec<_> = (0..count).map(gizmo).collect();
            let mut list = DrawList::new();
            list.begin(&view);
            for (gizmo, targets) in &mut gizmos {
                gizmo.update(&view, targets);
                gizmo.draw(&mut list);
            }
            made = Some((gizmos, list));
        })
        .bytes_current;
        let (mut gizmos, mut list) = made.expect("made");
        frame.push((
            count as f64,
            median_us(|| {
                list.begin(&view);
                for (gizmo, targets) in &mut gizmos {
                    gizmo.update(&view, targets);
                    gizmo.draw(&mut list);
                }
            }),
        ));
        let mut round = 0;
        let mut cursor_px = || {
            round += 1;
            wandering(round, DVec2::new(960.0, 540.0))
        };
        cpu.push((
            count as f64,
            median_us(|| {
                black_box(list.pick(cursor_px(), 5.0));
            }),
        ));
        let mut picker = Picker::new(&gpu.device).expect("not WebGL");
        tile.push((
            count as f64,
            median_us(|| {
                let query = PickQuery::new(&view, cursor_px(), 5.0);
                let answer =
                    picker.pick_blocking(&gpu.device, &gpu.queue, &query, &list, |_, _| {}, PATIENCE);
                black_box(answer.expect("alive"));
            }),
        ));
        memory.push((count as f64, kib(held)));
    }
    let lines = vec![
        ("frame of the core, µs", frame),
        ("pick on the CPU, µs", cpu),
        ("pick through the tile, µs", tile),
        ("memory, KiB", memory),
    ];
    save("gizmos", "Many gizmos in one view, universal", "gizmos", lines);
}

fn by_objects(gpu: &Gpu) {
    let (mut pick, mut memory) = (Vec::new(), Vec::new());
    let view = view(0, HD);
    let cube: Vec<[f32; 3]> =
        (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 - 0.5)).collect();
    let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
    let indices: Vec<u32> = sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect();
    for count in [10u32, 100, 1_000, 10_000, 100_000] {
        let mut made = None;
        let held = measure(|| {
            let mut scene = PickScene::new(&gpu.device).expect("alive");
            let mesh = PickMesh::new(&cube, &indices).expect("whole");
            let mesh = scene.add_mesh(&gpu.device, &mesh).expect("alive");
            let side = f64::from(count).cbrt().ceil();
            for i in 0..count {
                let at = DVec3::new(
                    f64::from(i) % side,
                    (f64::from(i) / side).floor() % side,
                    (f64::from(i) / (side * side)).floor(),
                ) / side
                    - 0.5;
                let world_from_local = DAffine3::from_scale_rotation_translation(
                    DVec3::splat(1.5 / side),
                    DQuat::from_rotation_y(f64::from(i)),
                    4.0 * at,
                );
                let id = NonZeroU32::new(i + 1).expect("not nothing");
                scene.insert(&PickObject { mesh, world_from_local, id }).expect("its mesh is there");
            }
            made = Some(scene);
        })
        .bytes_current;
        let mut scene = made.expect("made");
        let mut batch = scene.batch(&gpu.device).expect("alive");
        let mut picker = Picker::new(&gpu.device).expect("not WebGL");
        let (list, mut round) = (DrawList::new(), 0);
        pick.push((
            f64::from(count),
            median_us(|| {
                round += 1;
                let query = PickQuery::new(&view, wandering(round, DVec2::new(960.0, 540.0)), 5.0);
                batch.select(&scene, &view, Some(&query.frustum()));
                let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
                    batch.draw(&mut scene, &gpu.device, &gpu.queue, pass, clip_from_clip);
                };
                let answer = picker.pick_blocking(&gpu.device, &gpu.queue, &query, &list, draw, PATIENCE);
                black_box(answer.expect("alive"));
            }),
        ));
        memory.push((f64::from(count), kib(held)));
    }
    let lines = vec![("pick through the tile, µs", pick), ("memory, KiB", memory)];
    save("objects", "Objects of the host's in the picture", "objects", lines);
}

fn main() {
    let gpu = Gpu::new();
    println!("| by | what | count | value |\n|---|---|---|---|");
    by_targets();
    by_handles();
    by_gizmos(&gpu);
    by_objects(&gpu);
}
