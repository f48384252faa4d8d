//! Cost of one frame of the core: `cargo bench -p wgpu-gizmo-core --bench core`.
//! Prints `figure: NAME = VALUE UNIT` lines per mode and for the slowest mode. A figure is the
//! median of interleaved batches, so that other load on the machine affects all of them equally.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

use std::hint::black_box;
use std::time::Instant;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3, dcamera};
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View, Viewport};

const BATCHES: usize = 201;
/// Long enough that the clock's resolution of a microsecond does not matter.
const FRAMES: u32 = 400;
/// Number of targets in a large selection.
const MANY: u32 = 1000;

/// A frame of a host: a gizmo on a rotated target with a rotated parent, and a moving pointer.
struct Stage {
    gizmo: Gizmo,
    view: View,
    targets: Vec<Target>,
    list: DrawList,
    frame: u32,
}

impl Stage {
    fn new(mode: Mode) -> Self {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        gizmo.settings.mode = mode;
        let eye = DVec3::new(2.0, 2.5, 6.0);
        let view_from_world = dcamera::rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let clip_from_view = dcamera::rh::proj::directx::perspective(0.9, 16.0 / 9.0, 0.1, 100.0);
        let view = View::new(view_from_world, clip_from_view, Viewport::from_size(1280, 720), 1.0);
        let parent = Transform { rotation: DQuat::from_rotation_y(0.4), ..Transform::IDENTITY };
        let local = Transform { rotation: DQuat::from_rotation_x(0.3), ..Transform::IDENTITY };
        let targets = vec![Target::new(local, parent.to_matrix())];
        let view = view.expect("the view is valid");
        Self { gizmo, view, targets, list: DrawList::new(), frame: 0 }
    }

    /// Returns a different pixel each time, around the center of the gizmo.
    fn next_cursor(&mut self) -> DVec2 {
        self.frame += 1;
        let (sin, cos) = (f64::from(self.frame) * 0.37).sin_cos();
        DVec2::new(640.0, 360.0) + DVec2::new(cos, sin) * (20.0 + f64::from(self.frame % 83))
    }

    fn dragging(mode: Mode) -> Self {
        Self::new(mode).pressed()
    }

    /// A thousand targets, `siblings` of them per parent.
    fn dragging_many(mode: Mode, parent_scale: DVec3, siblings: u32) -> Self {
        let mut stage = Self::new(mode);
        stage.gizmo.settings.pivot = Pivot::Custom(DVec3::ZERO);
        let turned = |i: f64| {
            let axis = DVec3::new(i.sin(), (2.0 * i).cos(), 1.0).normalize();
            DQuat::from_axis_angle(axis, 0.1 * i)
        };
        let target = |i: u32| {
            let p = f64::from(i / siblings);
            let i = f64::from(i);
            let parent = Transform {
                translation: DVec3::new(p.cos(), p.sin(), 0.01 * p),
                rotation: turned(p),
                scale: parent_scale,
            };
            let scale = DVec3::new(1.0, 2.0, 0.5);
            let local =
                Transform { translation: DVec3::new(0.1 * i, 1.0, -2.0), rotation: turned(-i), scale };
            Target::new(local, parent.to_matrix())
        };
        stage.targets = (0..MANY).map(target).collect();
        stage.pressed()
    }

    fn pressed(self) -> Self {
        let mut stage = self;
        stage.gizmo.update(&stage.view, &mut stage.targets);
        stage.gizmo.pointer_moved(DVec2::new(640.5, 360.5));
        stage.gizmo.pointer_pressed();
        for _ in 0..2 {
            stage.gizmo.update(&stage.view, &mut stage.targets);
            stage.gizmo.answer_on_cpu();
        }
        stage.gizmo.update(&stage.view, &mut stage.targets);
        assert!(stage.gizmo.is_active(), "there is a handle at the center");
        stage
    }

    /// Answers the query of the previous frame with a miss, updates, and draws the handles.
    fn hover(&mut self) {
        let cursor = self.next_cursor();
        self.gizmo.pointer_moved(cursor);
        if let Some(query) = self.gizmo.pick_query() {
            let outcome = wgpu_gizmo_core::PickOutcome::Nothing;
            self.gizmo.answer(&wgpu_gizmo_core::PickAnswer::new(query, outcome));
        }
        black_box(self.gizmo.update(&self.view, &mut self.targets));
        self.list.begin(&self.view);
        self.gizmo.draw(&mut self.list);
        black_box(self.list.items());
    }

    fn drag(&mut self) {
        let cursor = self.next_cursor();
        self.gizmo.pointer_moved(cursor);
        black_box(self.gizmo.update(&self.view, &mut self.targets));
    }

    fn pick(&mut self) {
        let cursor = self.next_cursor();
        black_box(self.list.pick(cursor, 5.0));
    }
}

/// Measures a drag of many targets: nanoseconds per target and frame in total, and the slowest mode
/// for targets that each have their own uniformly scaled parent.
fn many(modes: &[(&str, Mode)]) {
    let uneven = DVec3::new(1.0, 2.0, 0.7);
    let parents = [
        ("even", DVec3::splat(1.5), 1),
        ("mirrored", DVec3::splat(-1.5), 1),
        ("uneven", uneven, 1),
        ("ten_to_an_uneven", uneven, 10),
    ];
    let mut runs: Vec<(String, Stage, Vec<f64>)> = Vec::new();
    for (name, mode) in modes {
        for (parent, scale, siblings) in parents {
            let name = format!("drag_1000_targets_ns_each.{name}.{parent}_parents");
            runs.push((name, Stage::dragging_many(*mode, scale, siblings), Vec::new()));
        }
    }
    for batch in 0..BATCHES + 20 {
        for (_, stage, times) in &mut runs {
            let start = Instant::now();
            (0..10).for_each(|_| stage.drag());
            if batch >= 20 {
                times.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(10 * MANY));
            }
        }
    }
    let mut slowest = 0.0;
    for (name, _, times) in &mut runs {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        println!("figure: {name} = {median:.1} ns");
        if name.ends_with(".even_parents") {
            slowest = f64::max(slowest, median);
        }
    }
    println!("figure: drag_1000_targets_ns_each = {slowest:.1} ns");
}

/// One figure: its name, its stage, one frame of it, and the times of the batches.
type Run = (String, Stage, fn(&mut Stage), Vec<f64>);

/// The triangles of a gizmo, which hosts without wgpu draw.
fn triangles(modes: &[(&str, Mode)]) {
    for (name, mode) in modes.iter().copied().chain([("universal", Mode::Universal)]) {
        let mut stage = Stage::new(mode);
        stage.hover();
        let mut triangles = Triangles::new();
        let mut times = Vec::new();
        for _ in 0..41 {
            let start = Instant::now();
            (0..50).for_each(|_| black_box(&stage.list).triangles_px(&mut triangles));
            times.push(start.elapsed().as_secs_f64() * 1e6 / 50.0);
        }
        times.sort_by(f64::total_cmp);
        println!("figure: triangles_px_us.{name} = {:.1} us", times[times.len() / 2]);
        let bytes = size_of_val(triangles.vertices()) + size_of_val(triangles.indices());
        println!("figure: triangles_px_kb.{name} = {:.1} kB", bytes as f64 / 1000.0);
    }
}

fn main() {
    let modes = [("translate", Mode::Translate), ("rotate", Mode::Rotate), ("scale", Mode::Scale)];
    many(&modes);
    triangles(&modes);
    let mut runs: Vec<Run> = Vec::new();
    for (name, mode) in modes {
        let mut drawn = Stage::new(mode);
        drawn.hover();
        runs.push((format!("cpu_hover_draw_list_us.{name}"), Stage::new(mode), Stage::hover, Vec::new()));
        runs.push((format!("cpu_drag_step_us.{name}"), Stage::dragging(mode), Stage::drag, Vec::new()));
        runs.push((format!("cpu_pick_us.{name}"), drawn, Stage::pick, Vec::new()));
    }
    for batch in 0..BATCHES + 20 {
        for (_, stage, frame, times) in &mut runs {
            let start = Instant::now();
            for _ in 0..FRAMES {
                frame(stage);
            }
            if batch >= 20 {
                times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES));
            }
        }
    }
    for (name, _, _, times) in &mut runs {
        times.sort_by(f64::total_cmp);
        println!("figure: {name} = {:.3} us", times[times.len() / 2]);
    }
    for kind in ["cpu_hover_draw_list_us", "cpu_drag_step_us", "cpu_pick_us"] {
        let of_kind = runs.iter().filter(|(name, ..)| name.starts_with(kind));
        let slowest = of_kind.map(|(.., times)| times[times.len() / 2]).fold(0.0, f64::max);
        println!("figure: {kind} = {slowest:.3} us");
    }
}
