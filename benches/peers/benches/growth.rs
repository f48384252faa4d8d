//! Growth of time and memory with the number of gizmos, targets, custom handles and objects, each
//! with the slope of its line on logarithmic axes: 0 is constant, 1 is proportional.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench growth`

use allocation_counter::measure;
use glam::{DAffine3, DQuat, DVec2, DVec3};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::Duration;
use wgpu_gizmo::gpu::Picker;
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo::scene::{PickMesh, PickObject, PickScene};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, PickQuery, Target, Transform, View};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::{self, Table};
use wgpu_gizmo_bench_peers::plot::{Plot, Series};
use wgpu_gizmo_bench_peers::scene::{HD, Stage, dragging, targets, view, wandering};
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, median, slope, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const TIMEOUT: Duration = Duration::from_secs(100);

/// Repetitions per point of a line, so that the median ignores a moment of other load.
const TURNS: usize = 9;
const EFFORT: Effort = Effort { rounds: 201, seconds: 0.3 };

/// Returns the median time of each frame in microseconds.
fn medians<F: FnMut()>(frames: impl IntoIterator<Item = F>) -> Vec<f64> {
    let mut frames: Vec<_> = frames.into_iter().map(|frame| (frame, Vec::new())).collect();
    for _ in 0..TURNS {
        for (frame, turns) in &mut frames {
            turns.push(Rounds::of(EFFORT, &mut [&mut || timed(&mut *frame)]).median(0));
        }
    }
    frames.into_iter().map(|(_, turns)| median(turns)).collect()
}

/// Saves a line per measurement, with the slope in its name and as a figure.
fn save(table: &mut Table, [name, title, across]: [&str; 3], counts: &[usize], lines: Vec<(&str, Vec<f64>)>) {
    let series = lines.into_iter().map(|(line, values)| {
        let points: Vec<_> = counts.iter().map(|count| *count as f64).zip(values).collect();
        for (x, y) in &points {
            println!("{name} | {line} | {x:.0} | {}", short(*y));
        }
        // Costs that are constant at first may grow later, so the slope is that of the larger half.
        let end = slope(&points[points.len() / 2..]);
        let by_name = line.split(", ").next().unwrap_or(line).replace(' ', "_");
        figure(&format!("growth_{name}.{by_name}"), end, "slope");
        if let [(few, first), .., (many, last)] = &points[..] {
            let at = |value: f64, count: f64| format!("{} at {count:.0}", short(value));
            table.row(&[name, line, &at(*first, *few), &at(*last, *many), &format!("{end:.2}")]);
        }
        Series::new(format!("{line} (slope {end:.2})"), points)
    });
    let series = series.collect();
    let axes = [across.to_owned(), "µs per frame, or KiB".to_owned()];
    Plot { title: title.to_owned(), axes, series, marks: true }.save(&format!("growth-{name}"));
}

fn kib(held: i64) -> f64 {
    held as f64 / 1024.0
}

fn by_targets(table: &mut Table) {
    let counts = [1, 10, 100, 1_000, 10_000, 100_000];
    let (mut memory, mut stages) = (Vec::new(), Vec::with_capacity(counts.len()));
    for count in counts {
        let held = measure(|| stages.push(Stage::new(Mode::Universal, targets(count), HD))).bytes_current;
        // The memory of the crate, without the host's own list.
        memory.push(held - (size_of::<Target>() * count) as i64);
    }
    let idle = medians(stages.iter_mut().map(|stage| || stage.frame_at(Some(DVec2::new(40.5, 40.5)))));
    let mut pressed_px = Vec::with_capacity(counts.len());
    for (stage, memory) in stages.iter_mut().zip(&mut memory) {
        *memory += measure(|| pressed_px.push(stage.press("translate_x"))).bytes_current;
    }
    let drag = medians(stages.iter_mut().zip(pressed_px).map(|(stage, press_px)| {
        move || {
            stage.frame += 1;
            stage.frame_at(Some(dragging(stage.frame, press_px)));
        }
    }));
    let memory = memory.into_iter().map(kib).collect();
    let lines = vec![("idle, µs", idle), ("drag along an axis, µs", drag), ("memory in a drag, KiB", memory)];
    save(table, ["targets", "One gizmo on many targets", "targets"], &counts, lines);
}

/// Creates a gizmo with this many custom handles and no others.
fn with_custom_handles(count: usize) -> Stage {
    let mut stage = Stage::new(Mode::None, targets(1), HD);
    let mut set = HandleSet::EMPTY;
    for i in 0..count {
        let angle = i as f64 * 0.7;
        let placement = Transform {
            translation: DVec3::new(angle.cos(), angle.sin(), 0.0) * (0.2 + 0.02 * i as f64),
            rotation: DQuat::IDENTITY,
            scale: DVec3::splat(0.05),
        };
        let handle = CustomHandle::new(Constraint::ViewPlane, HandleMesh::ball(), placement, [1.0; 4]);
        set = set.with(stage.gizmo.add_handle(handle).expect("a handle slot is free"));
    }
    stage.gizmo.settings.mode = Mode::Handles(set);
    stage.frame_at(None);
    stage
}

fn by_handles(table: &mut Table) {
    let counts = [1, 3, 6, 11, 22, 45];
    let (mut memory, mut stages) = (Vec::new(), Vec::with_capacity(counts.len()));
    for count in counts {
        memory.push(kib(measure(|| stages.push(with_custom_handles(count))).bytes_current));
    }
    let next_px = |stage: &mut Stage| {
        stage.frame += 1;
        wandering(stage.frame, stage.center_px())
    };
    let hover = medians(stages.iter_mut().map(|stage| {
        || {
            let px = next_px(stage);
            stage.frame_at(Some(px));
        }
    }));
    let pick = medians(stages.iter_mut().map(|stage| {
        || {
            let px = next_px(stage);
            black_box(stage.list.pick(px, 5.0));
        }
    }));
    let lines = vec![("frame, µs", hover), ("pick on the CPU, µs", pick), ("memory, KiB", memory)];
    save(table, ["handles", "Custom handles, all with one mesh", "custom handles"], &counts, lines);
}

/// Gizmos in one view, and the list that they are drawn into.
struct Crowd {
    gizmos: Vec<(Gizmo, [Target; 1])>,
    list: DrawList,
    view: View,
    /// Position on the pointer's path.
    round: u32,
}

impl Crowd {
    fn new(count: usize) -> Self {
        let (mut ids, side) = (IdSpace::new(), (count as f64).sqrt().ceil());
        let gizmo = |i: usize| {
            let mut gizmo = Gizmo::new(&mut ids).expect("a slot is free");
            gizmo.settings.mode = Mode::Universal;
            let spread = DVec2::new(i as f64 % side + 0.5, (i as f64 / side).floor() + 0.5) / side - 0.5;
            let translation = DVec3::new(6.0 * spread.x, 3.0 * spread.y, 0.0);
            (gizmo, [Target::from_world(Transform { translation, ..Transform::IDENTITY })])
        };
        let gizmos = (0..count).map(gizmo).collect();
        let mut crowd = Self { gizmos, list: DrawList::new(), view: view(0, HD), round: 0 };
        crowd.frame();
        crowd
    }

    fn frame(&mut self) {
        self.list.begin(&self.view);
        for (gizmo, targets) in &mut self.gizmos {
            gizmo.update(&self.view, targets);
            gizmo.draw(&mut self.list);
        }
    }

    fn next_px(&mut self) -> DVec2 {
        self.round += 1;
        wandering(self.round, CENTER_PX)
    }
}

/// The center of a view of size [`HD`].
const CENTER_PX: DVec2 = DVec2::new(960.0, 540.0);

fn by_gizmos(table: &mut Table, gpu: &Gpu) {
    let counts = [1, 3, 10, 30, 100, 300, 1_000];
    let (mut memory, mut crowds) = (Vec::new(), Vec::with_capacity(counts.len()));
    for count in counts {
        memory.push(kib(measure(|| crowds.push(Crowd::new(count))).bytes_current));
    }
    let frame = medians(crowds.iter_mut().map(|crowd| || crowd.frame()));
    let cpu = medians(crowds.iter_mut().map(|crowd| {
        || {
            let px = crowd.next_px();
            black_box(crowd.list.pick(px, 5.0));
        }
    }));
    let tile = medians(crowds.iter_mut().map(|crowd| {
        let mut picker = Picker::new(&gpu.device).expect("the backend is not WebGL");
        move || {
            let px = crowd.next_px();
            let query = PickQuery::new(&crowd.view, px, 5.0);
            let answer =
                picker.pick_blocking(&gpu.device, &gpu.queue, &query, &crowd.list, |_, _| {}, TIMEOUT);
            black_box(answer.expect("the device is alive"));
        }
    }));
    let lines = vec![
        ("frame of the core, µs", frame),
        ("pick on the CPU, µs", cpu),
        ("pick through the tile, µs", tile),
        ("memory, KiB", memory),
    ];
    save(table, ["gizmos", "Many gizmos in one view, universal", "gizmos"], &counts, lines);
}

/// A cube of rotated cubes, all of them in the view.
fn objects(gpu: &Gpu, count: usize) -> PickScene {
    let cube: Vec<[f32; 3]> =
        (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 - 0.5)).collect();
    let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
    let indices: Vec<u32> = sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect();
    let mut scene = PickScene::new(&gpu.device).expect("the device is alive");
    let mesh = PickMesh::new(&cube, &indices).expect("the mesh is valid");
    let mesh = scene.add_mesh(&gpu.device, &mesh).expect("the device is alive");
    let side = (count as f64).cbrt().ceil();
    for i in 0..count {
        let index = i as f64;
        let at = DVec3::new(index % side, (index / side).floor() % side, (index / (side * side)).floor());
        let world_from_local = DAffine3::from_scale_rotation_translation(
            DVec3::splat(1.5 / side),
            DQuat::from_rotation_y(index),
            4.0 * (at / side - 0.5),
        );
        let id = NonZeroU32::new(i as u32 + 1).expect("ids start at 1");
        scene.insert(&PickObject::new(mesh, world_from_local, id)).expect("the mesh exists");
    }
    scene
}

fn by_objects(table: &mut Table, gpu: &Gpu) {
    let counts = [10, 100, 1_000, 10_000, 100_000];
    let (view, list) = (view(0, HD), DrawList::new());
    let (mut memory, mut scenes) = (Vec::new(), Vec::with_capacity(counts.len()));
    for count in counts {
        memory.push(kib(measure(|| scenes.push(objects(gpu, count))).bytes_current));
    }
    let pick = medians(scenes.iter_mut().map(|scene| {
        let mut batch = scene.batch(&gpu.device).expect("the device is alive");
        let mut picker = Picker::new(&gpu.device).expect("the backend is not WebGL");
        let (list, mut round) = (&list, 0);
        move || {
            round += 1;
            let query = PickQuery::new(&view, wandering(round, CENTER_PX), 5.0);
            batch.select(scene, &view, Some(&query.frustum()));
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
                batch.draw(scene, &gpu.device, &gpu.queue, pass, clip_from_clip);
            };
            let answer = picker.pick_blocking(&gpu.device, &gpu.queue, &query, list, draw, TIMEOUT);
            black_box(answer.expect("the device is alive"));
        }
    }));
    let lines = vec![("pick through the tile, µs", pick), ("memory, KiB", memory)];
    save(table, ["objects", "Objects of the host in the view", "objects"], &counts, lines);
}

fn main() {
    page::run("growth", || {
        let gpu = Gpu::new();
        let mut table = Table::new("growth", &["by", "what", "from", "to", "slope"]);
        by_targets(&mut table);
        by_handles(&mut table);
        by_gizmos(&mut table, &gpu);
        by_objects(&mut table, &gpu);
        table.save();
    });
}
