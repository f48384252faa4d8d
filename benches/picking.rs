//! Compares the cost of a pick with what it replaces: blocking, from the query to the answer, with
//! one gizmo. Runs on software Vulkan, then software GL, unless `WGPU_BACKEND` is set. Prints
//! `figure: NAME = VALUE UNIT` lines; names for the second backend have its name as a suffix.
//!
//! `cargo bench --bench picking`

#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/full_frame.rs"]
mod full_frame;
#[path = "shared/order.rs"]
mod order;

use full_frame::Attachments;
use full_frame::gpu::median;
use order::order_of;
use std::time::{Duration, Instant};
use wgpu_gizmo::glam::{DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::gpu::{IdImage, Picker};

use wgpu_gizmo::{DrawList, Gizmo, IdSpace, PickQuery, Target, Transform, View, Viewport};

const TIMEOUT: Duration = Duration::from_secs(60);
const PAIRS: usize = 300;

struct Bench {
    /// Suffix of figure names.
    suffix: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
    picker: Picker,
    /// The number of picks so far.
    picks: usize,
}

/// One gizmo in the center of a view, and a query at its center.
struct Scene {
    size: [u32; 2],
    list: DrawList,
    /// At neighboring pixels, asked in turns, because shapes that stay the same are not uploaded again.
    queries: [PickQuery; 2],
}

impl Scene {
    fn new(size: [u32; 2]) -> Self {
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let view = View::new(
            rh::view::look_at_mat4(DVec3::new(3.0, 2.5, 4.0), DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, aspect, 0.1),
            Viewport::from_size(size[0], size[1]),
            1.0,
        )
        .expect("the view is valid");
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        gizmo.update(&view, &mut [Target::from_world(Transform::IDENTITY)]);
        let mut list = DrawList::new();
        gizmo.draw(list.begin(&view));
        let cursor_px = view.px_from_world(DVec3::ZERO).expect("the point is in front of the camera");
        let queries = [cursor_px, cursor_px + DVec2::X].map(|px| PickQuery::new(&view, px, 5.0));
        Self { size, list, queries }
    }
}

impl Bench {
    /// Creates one per backend, Vulkan before GL; on software adapters if there are any.
    fn all() -> Vec<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let is_software = |adapter: &wgpu::Adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        if adapters.iter().any(is_software) {
            adapters.retain(is_software);
        }
        adapters.sort_by_key(|adapter| adapter.get_info().backend == wgpu::Backend::Gl);
        adapters.dedup_by_key(|adapter| adapter.get_info().backend);
        assert!(
            !adapters.is_empty(),
            "no adapter: install mesa-vulkan-drivers for a software one. Run at the workspace root, or add \
             --features native"
        );
        adapters.iter().enumerate().map(|(index, adapter)| Self::of(adapter, index > 0)).collect()
    }

    fn of(adapter: &wgpu::Adapter, is_second: bool) -> Self {
        let backend = adapter.get_info().backend;
        println!("adapter: {} ({backend:?})", adapter.get_info().name);
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .expect("the adapter provides a device");
        let picker = Picker::new(&device).expect("the backend is not WebGL");
        let suffix =
            if is_second { format!("_{}", format!("{backend:?}").to_lowercase()) } else { String::new() };
        Self { suffix, device, queue, picker, picks: 0 }
    }

    /// Picks through a tile. Returns milliseconds.
    fn tile(&mut self, scene: &Scene) -> f64 {
        self.picks += 1;
        let query = &scene.queries[self.picks % 2];
        let start = Instant::now();
        let answer = self
            .picker
            .pick_blocking(&self.device, &self.queue, query, &scene.list, |_, _| {}, TIMEOUT)
            .expect("the device is alive");
        std::hint::black_box(answer);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// Picks by reading the whole ID image. Returns milliseconds.
    fn full(&mut self, scene: &Scene, image: &mut IdImage) -> f64 {
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        image
            .encode(&self.device, &self.queue, &mut encoder, &scene.queries[0].view, &scene.list, |_, _| {})
            .expect("the list is for this view");
        let submission = self.queue.submit([encoder.finish()]);
        let texels = image.read(&self.device, submission, TIMEOUT).expect("the device is alive");
        std::hint::black_box(texels.ids[0]);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// Returns the minimum cost of a pick with such attachments, in milliseconds: clearing them,
    /// drawing nothing, and copying some texels of each.
    fn cleared(&mut self, attachments: &Attachments) -> f64 {
        let start = Instant::now();
        attachments.draw_and_read(&self.device, &self.queue, |_| {});
        start.elapsed().as_secs_f64() * 1e3
    }
}

/// Returns both medians, measured alternately after a warm-up, each as often first, and the median of the pairwise
/// ratios.
fn interleaved(mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> [f64; 3] {
    for _ in 0..20 {
        a();
        b();
    }
    let mut pair = |round| {
        let mut times = [0.0; 2];
        for way in order_of(round, 2) {
            times[way] = if way == 0 { a() } else { b() };
        }
        times
    };
    let pairs: Vec<[f64; 2]> = (0..PAIRS).map(&mut pair).collect();
    let column = |index: usize| median(pairs.iter().map(|pair| pair[index]).collect());
    [column(0), column(1), median(pairs.iter().map(|[a, b]| a / b).collect())]
}

fn main() {
    Bench::all().into_iter().for_each(measure);
}

fn measure(bench: Bench) {
    let suffix = bench.suffix.clone();
    println!("\n{:?}", bench.device.adapter_info().backend);
    let bench = std::cell::RefCell::new(bench);
    let hd = Scene::new([1920, 1080]);
    let mut image =
        IdImage::new(&bench.borrow().device, hd.size[0], hd.size[1]).expect("the size is supported");
    let tile = || bench.borrow_mut().tile(&hd);
    // Long work that touches much memory slows down whatever follows it, with a GPU or without. The
    // tile right after a full frame is not counted, but the next one is.
    let second_tile = || {
        tile();
        tile()
    };
    let [tile_ms, full_ms, ratio] = interleaved(second_tile, || bench.borrow_mut().full(&hd, &mut image));
    println!("1920 x 1080: tile {tile_ms:.3} ms, whole ID image read {full_ms:.3} ms");
    println!("figure: tile_over_full_1080p{suffix} = {ratio:.4} ratio");

    let full = Attachments::new(&bench.borrow().device, hd.size, 1);
    let [tile_ms, cleared_ms, ratio] = interleaved(second_tile, || bench.borrow_mut().cleared(&full));
    println!("1920 x 1080: tile {tile_ms:.3} ms, full frame cleared and one texel read {cleared_ms:.3} ms");
    println!("figure: tile_over_cleared_1080p{suffix} = {ratio:.4} ratio");

    // The minimum: one empty pass over the tile's attachments, and the same copies.
    let floor = Attachments::new(&bench.borrow().device, [33, 33], 33);
    let [tile_ms, floor_ms, ratio] = interleaved(tile, || bench.borrow_mut().cleared(&floor));
    println!("1920 x 1080: tile {tile_ms:.3} ms, an empty pass and the same copies {floor_ms:.3} ms");
    println!("figure: tile_over_floor{suffix} = {ratio:.4} ratio");

    let (small, large) = (Scene::new([1280, 720]), Scene::new([3840, 2160]));
    let [large_ms, small_ms, ratio] =
        interleaved(|| bench.borrow_mut().tile(&large), || bench.borrow_mut().tile(&small));
    println!("tile: {large_ms:.3} ms at 3840 x 2160, {small_ms:.3} ms at 1280 x 720");
    println!("figure: tile_4k_over_720p{suffix} = {ratio:.4} ratio");
}
