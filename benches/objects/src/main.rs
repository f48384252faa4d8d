//! Compares the cost of a pick among 10³ to 10⁶ instanced objects, blocking, from the query to the
//! answer, with what it replaces; and runs ten thousand frames that never wait. Uses software
//! Vulkan unless `WGPU_BACKEND` is set. Prints `figure: NAME = VALUE UNIT` lines.
//!
//! `cargo run --release --manifest-path benches/objects/Cargo.toml [-- LARGEST [PART...]]`
//! The parts are `plain`, `cube`, `ratios`, `region` and `frames`; all of them by default.

mod frames;
#[path = "../../shared/full_frame.rs"]
mod full_frame;
mod rays;
mod region;
mod scene;

use full_frame::Attachments;
use full_frame::gpu::{device, median};
use glam::{DMat4, DVec2};
use rays::{RayMesh, RayScene};
use scene::{Layout, SIZE, Scene, Triangles, meshes};
use std::hint::black_box;
use std::time::{Duration, Instant};
use wgpu_gizmo::gpu::Picker;
use wgpu_gizmo::math::Frustum;
use wgpu_gizmo::scene::PickBatch;
use wgpu_gizmo::{DrawList, PickOutcome, PickQuery};

const TIMEOUT: Duration = Duration::from_secs(900);
/// Number of cursor positions per scene.
const CURSORS: usize = 101;

pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    fn new() -> Self {
        let (device, queue) = device();
        Self { device, queue }
    }
}

pub fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Medians in milliseconds.
struct Costs {
    pick: f64,
    cull: f64,
    /// Culling of objects that were inserted in random order.
    shuffled: f64,
    full: f64,
    tree: f64,
    /// The update and the pick after all objects have moved, for this crate and for the ray cast.
    moved: [f64; 2],
}

struct Bench {
    gpu: Gpu,
    meshes: Vec<Triangles>,
    ray_meshes: Vec<RayMesh>,
}

impl Bench {
    /// Picks through a tile. Returns the total and the culling time.
    fn pick(&self, picker: &mut Picker, scene: &mut Scene, batch: &mut PickBatch, px: DVec2) -> [f64; 2] {
        let Gpu { device, queue } = &self.gpu;
        let start = Instant::now();
        let query = PickQuery::new(&scene.view, px, 5.0);
        batch.select(&scene.gpu, &scene.view, Some(&query.frustum()));
        let cull = ms(start);
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
            batch.draw(&mut scene.gpu, device, queue, pass, clip_from_clip);
        };
        let answer = picker.pick_blocking(device, queue, &query, &DrawList::new(), draw, TIMEOUT);
        black_box(answer.expect("the device is alive"));
        [ms(start), cull]
    }

    fn exact(
        &self,
        picker: &mut Picker,
        scene: &mut Scene,
        batch: &mut PickBatch,
        px: DVec2,
    ) -> Option<usize> {
        let Gpu { device, queue } = &self.gpu;
        let query = PickQuery::new(&scene.view, px, 0.0);
        batch.select(&scene.gpu, &scene.view, Some(&query.frustum()));
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
            batch.draw(&mut scene.gpu, device, queue, pass, clip_from_clip);
        };
        let answer = picker.pick_blocking(device, queue, &query, &DrawList::new(), draw, TIMEOUT);
        match answer.expect("the device is alive").outcome {
            PickOutcome::Hit(hit) => Some(hit.id.get() as usize - 1),
            _ => None,
        }
    }

    /// Picks through the full frame.
    fn full(&self, frame: &Attachments, scene: &mut Scene, batch: &mut PickBatch, culled: bool) -> f64 {
        let Gpu { device, queue } = &self.gpu;
        let start = Instant::now();
        let frustum = Frustum::new(&scene.view, scene.view.viewport().rect());
        batch.select(&scene.gpu, &scene.view, Some(&frustum).filter(|_| culled));
        frame.draw_and_read(device, queue, |pass| {
            batch.draw(&mut scene.gpu, device, queue, pass, DMat4::IDENTITY);
        });
        ms(start)
    }

    /// Returns the ratios of a pick among `most` objects over one among a thousand, without culling
    /// time and with it. Measured alternately, at cursors that have objects in both scenes.
    fn large_over_small(&self, layout: Layout, most: usize) -> [f64; 2] {
        let device = &self.gpu.device;
        let mut scenes = [most, 1_000].map(|count| Scene::new(device, &self.meshes, layout, count));
        let mut batches =
            scenes.each_ref().map(|scene| scene.gpu.batch(device).expect("the device is alive"));
        let mut picker = Picker::new(device).expect("the backend is not WebGL");
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        for px in scenes[0].cursors(10 * CURSORS) {
            let mut both = [[0.0; 2]; 2];
            for i in [0, 1] {
                both[i] = self.pick(&mut picker, &mut scenes[i], &mut batches[i], px);
            }
            if batches.iter().all(|batch| batch.selected() > Some(0)) {
                let [[most, cull], [few, _]] = both;
                for (times, time) in times.iter_mut().zip([most - cull, most, few]) {
                    times.push(time);
                }
            }
        }
        let count = times[0].len();
        let [less, most, few] = times.map(median);
        println!(
            "interleaved at {count} cursors: {most:.3} ms, {less:.3} without culling, {few:.3} among a thousand"
        );
        [less / few, most / few]
    }

    /// Returns the time to cull a scene whose objects are in random order.
    fn shuffled(&self, scene: &mut Scene, batch: &mut PickBatch, cursors: &[DVec2]) -> f64 {
        let any_order = scene.shuffled(&self.gpu.device, &self.meshes);
        let cull_of = |px: &DVec2| {
            let query = PickQuery::new(&scene.view, *px, 5.0);
            let start = Instant::now();
            batch.select(&any_order, &scene.view, Some(&query.frustum()));
            ms(start)
        };
        median(cursors.iter().map(cull_of).collect())
    }

    /// Returns the time of a closest-hit query, as the median over all cursors.
    fn timed(cursors: &[DVec2], how: &dyn Fn(DVec2) -> Option<usize>) -> f64 {
        let one = |px: &DVec2| {
            let start = Instant::now();
            black_box(how(*px));
            ms(start)
        };
        median(cursors.iter().map(one).collect())
    }

    fn run(&self, layout: Layout, count: usize) -> Costs {
        let device = &self.gpu.device;
        let mut scene = Scene::new(device, &self.meshes, layout, count);
        let mut batch = scene.gpu.batch(device).expect("the device is alive");
        let mut picker = Picker::new(device).expect("the backend is not WebGL");
        let cursors = scene.cursors(CURSORS);
        for px in &cursors[..20] {
            self.pick(&mut picker, &mut scene, &mut batch, *px);
        }
        let (mut picks, mut culls, mut kept, mut drawn) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for px in &cursors {
            let [pick, cull] = self.pick(&mut picker, &mut scene, &mut batch, *px);
            picks.push(pick);
            culls.push(cull);
            kept.push(batch.selected().unwrap_or(0) as f64);
            drawn.push(batch.drawn() as f64);
        }
        let worst = picks.iter().copied().fold(0.0, f64::max);
        let [pick, cull, kept, drawn] = [picks, culls, kept, drawn].map(median);
        let shuffled = self.shuffled(&mut scene, &mut batch, &cursors);

        // Once to upload, then as often as is practical.
        let frame = Attachments::new(device, SIZE, 1);
        let times = if count > 100_000 { 1 } else { 5 };
        let [all, seen] = [false, true].map(|culled| {
            self.full(&frame, &mut scene, &mut batch, culled);
            median((0..times).map(|_| self.full(&frame, &mut scene, &mut batch, culled)).collect())
        });

        let start = Instant::now();
        for (key, (_, at)) in scene.keys.iter().zip(&scene.objects) {
            scene.gpu.move_to(*key, *at);
        }
        let moved = ms(start);

        let start = Instant::now();
        let rays = RayScene::new(&self.ray_meshes, &scene.objects);
        let built = ms(start);
        let ray = |px: DVec2| scene.view.pointer_ray(px.floor() + 0.5);
        let tree = Self::timed(&cursors, &|px| rays.by_tree(&ray(px)));
        let force = Self::timed(&cursors, &|px| rays.by_force(&ray(px)));
        let wanted: Vec<_> = cursors.iter().map(|px| rays.by_tree(&ray(*px))).collect();
        let agree = cursors
            .iter()
            .zip(wanted)
            .filter(|(px, wanted)| self.exact(&mut picker, &mut scene, &mut batch, **px) == *wanted)
            .count();
        println!(
            "{count:>8} objects, {:.1e} triangles: pick {pick:.3} ms (at most {worst:.3}), culling \
             {cull:.4} ({shuffled:.4} in random order), {kept:.0} selected, {drawn:.0} drawn | full frame {all:.1} ms, culled to the view {seen:.1} | ray {tree:.4} \
             ms after {built:.0} to build, brute force {force:.2} | all moved {moved:.1} | {agree} of {} agree",
            scene.triangles as f64,
            cursors.len(),
        );
        Costs { pick, cull, shuffled, full: all.min(seen), tree, moved: [moved + pick, built + tree] }
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let largest: usize = words.next().map_or(1_000_000, |n| n.parse().expect("the argument is a number"));
    let parts: Vec<String> = words.collect();
    let is_asked = |part: &str| parts.is_empty() || parts.iter().any(|asked| asked == part);
    let meshes = meshes();
    let ray_meshes = meshes.iter().map(RayMesh::new).collect();
    let bench = Bench { gpu: Gpu::new(), meshes, ray_meshes };
    for (layout, part, name, suffix) in [
        (Layout::Plain, "plain", "a plain with the camera in it", ""),
        (Layout::Cube, "cube", "a cube, all of it in the view", "_all_in_view"),
    ] {
        println!("\n{name}, {} x {}", SIZE[0], SIZE[1]);
        let counts = [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|n| *n <= largest);
        let counts = counts.filter(|_| is_asked(part));
        let costs: Vec<Costs> = counts.map(|count| bench.run(layout, count)).collect();
        if is_asked("ratios") {
            let [less, whole] = bench.large_over_small(layout, largest);
            println!("figure: pick_1e6_over_1e3{suffix} = {less:.3} ratio");
            println!("figure: pick_and_cull_1e6_over_1e3{suffix} = {whole:.3} ratio");
        }
        let Some(most) = costs.last() else { continue };
        println!("figure: pick_1e6_ms{suffix} = {:.3} ms", most.pick);
        println!("figure: cull_1e6_ms{suffix} = {:.3} ms", most.cull);
        println!("figure: cull_1e6_in_no_order_ms{suffix} = {:.3} ms", most.shuffled);
        println!("figure: tile_over_full_1e6{suffix} = {:.6} ratio", most.pick / most.full);
        println!("figure: tile_over_bvh_1e6{suffix} = {:.2} ratio", most.pick / most.tree);
        let [ours, theirs] = most.moved;
        println!("figure: tile_over_bvh_1e6_all_moved{suffix} = {:.4} ratio", ours / theirs);
    }
    if is_asked("region") {
        region::run(&bench.gpu, &bench.meshes);
    }
    if is_asked("frames") {
        frames::run(&bench.gpu, &bench.meshes);
    }
}
