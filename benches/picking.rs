//! What a pick costs, side by side with what it replaces: blocking, from the question to the
//! answer, one gizmo. Software Vulkan unless `WGPU_BACKEND` says otherwise. Prints
//! `figure: NAME = VALUE UNIT` lines.
//!
//! `cargo bench --bench picking`

#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

use std::time::{Duration, Instant};
use wgpu_gizmo::glam::{DVec3, dcamera::rh};
use wgpu_gizmo::gpu::{IdImage, Picker};

use wgpu_gizmo::{DrawList, Gizmo, IdSpace, PickQuery, Target, Transform, View, Viewport};

const PATIENCE: Duration = Duration::from_secs(60);
const PAIRS: usize = 300;

struct Bench {
    device: wgpu::Device,
    queue: wgpu::Queue,
    picker: Picker,
}

/// One gizmo in the middle of a view, and a question at its centre.
struct Scene {
    size: [u32; 2],
    list: DrawList,
    query: PickQuery,
}

impl Scene {
    fn new(size: [u32; 2]) -> Self {
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let view = View::new(
            rh::view::look_at_mat4(DVec3::new(3.0, 2.5, 4.0), DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, aspect, 0.1),
            Viewport::of_size(size[0], size[1]),
            1.0,
        )
        .expect("a usual view");
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has room");
        gizmo.update(&view, &mut [Target::from_world(Transform::IDENTITY)]);
        let mut list = DrawList::new();
        gizmo.draw(list.begin(&view));
        let cursor_px = view.px_from_world(DVec3::ZERO).expect("in front");
        Self { size, list, query: PickQuery { cursor_px, view, radius_px: 5.0, sequence: 1 } }
    }
}

impl Bench {
    fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
        let adapter = adapters.into_iter().next().expect(
            "an adapter; a software one is in mesa-vulkan-drivers. Run at the workspace root, or add \
             --features native",
        );
        println!("adapter: {} ({:?})", adapter.get_info().name, adapter.get_info().backend);
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .expect("a device");
        let picker = Picker::new(&device).expect("not WebGL");
        Self { device, queue, picker }
    }

    /// Through the tile.
    fn tile(&mut self, scene: &Scene) -> f64 {
        let start = Instant::now();
        let answer = self
            .picker
            .pick_blocking(&self.device, &self.queue, &scene.query, &scene.list, |_, _| {}, PATIENCE)
            .expect("the device is alive");
        std::hint::black_box(answer);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// Through the whole ID image.
    fn full(&mut self, scene: &Scene, image: &mut IdImage) -> f64 {
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        image
            .encode(&self.device, &self.queue, &mut encoder, &scene.query.view, &scene.list, |_, _| {})
            .expect("the list is for this view");
        let submission = self.queue.submit([encoder.finish()]);
        let texels = image.read(&self.device, submission, PATIENCE).expect("the device is alive");
        std::hint::black_box(texels.ids[0]);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// The least that a pick through full-frame attachments costs: clearing them, drawing
    /// nothing, and copying the one texel under the cursor from each.
    fn cleared(&mut self, full: &FullFrame) -> f64 {
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        full.encode(&mut encoder);
        self.queue.submit([encoder.finish()]);
        full.buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        std::hint::black_box(full.buffer.get_mapped_range(..).expect("mapped")[0]);
        full.buffer.unmap();
        start.elapsed().as_secs_f64() * 1e3
    }
}

/// The attachments that a pick has, of a whole frame, and a buffer for one texel of each.
struct FullFrame {
    ids: [wgpu::Texture; 2],
    depth: wgpu::TextureView,
    buffer: wgpu::Buffer,
}

impl FullFrame {
    fn new(device: &wgpu::Device, [width, height]: [u32; 2]) -> Self {
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let depth = texture(wgpu::TextureFormat::Depth32Float, wgpu::TextureUsages::empty());
        Self {
            ids: [(); 2].map(|()| texture(wgpu::TextureFormat::R32Uint, wgpu::TextureUsages::COPY_SRC)),
            depth: depth.create_view(&Default::default()),
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 512,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
        }
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        let views = self.ids.each_ref().map(|ids| ids.create_view(&Default::default()));
        let attachments = views.each_ref().map(|view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })
        });
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &attachments,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        }));
        for (ids, offset) in self.ids.iter().zip([0, 256]) {
            let origin = wgpu::Origin3d { x: ids.width() / 2, y: ids.height() / 2, z: 0 };
            let layout = wgpu::TexelCopyBufferLayout { offset, ..Default::default() };
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo { origin, ..ids.as_image_copy() },
                wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout },
                wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
            );
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Medians of both, taken in turns after a warm-up, and the median of the pairs' ratios.
fn in_turns(mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> [f64; 3] {
    for _ in 0..20 {
        a();
        b();
    }
    let pairs: Vec<[f64; 2]> = (0..PAIRS).map(|_| [a(), b()]).collect();
    let column = |index: usize| median(pairs.iter().map(|pair| pair[index]).collect());
    [column(0), column(1), median(pairs.iter().map(|[a, b]| a / b).collect())]
}

fn main() {
    let bench = std::cell::RefCell::new(Bench::new());
    let hd = Scene::new([1920, 1080]);
    let mut image = IdImage::new(&bench.borrow().device, hd.size[0], hd.size[1]).expect("fits");
    let tile = || bench.borrow_mut().tile(&hd);
    let [tile_ms, full_ms, ratio] = in_turns(tile, || bench.borrow_mut().full(&hd, &mut image));
    println!("1920 x 1080: tile {tile_ms:.3} ms, whole ID image read {full_ms:.3} ms");
    println!("figure: tile_over_full_1080p = {ratio:.4} ratio");

    let full = FullFrame::new(&bench.borrow().device, hd.size);
    let [tile_ms, cleared_ms, ratio] = in_turns(tile, || bench.borrow_mut().cleared(&full));
    println!("1920 x 1080: tile {tile_ms:.3} ms, full frame cleared and one texel read {cleared_ms:.3} ms");
    println!("figure: tile_over_cleared_1080p = {ratio:.4} ratio");

    let empty = || {
        let bench = bench.borrow();
        let start = Instant::now();
        bench.queue.submit([bench.device.create_command_encoder(&Default::default()).finish()]);
        bench.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        start.elapsed().as_secs_f64() * 1e3
    };
    let floor = FullFrame::new(&bench.borrow().device, [33, 33]);
    let [empty_ms, floor_ms, _] = in_turns(empty, || bench.borrow_mut().cleared(&floor));
    println!("an empty submit {empty_ms:.3} ms, 33 x 33 cleared and one texel read {floor_ms:.3} ms");

    let (small, large) = (Scene::new([1280, 720]), Scene::new([3840, 2160]));
    let [large_ms, small_ms, ratio] =
        in_turns(|| bench.borrow_mut().tile(&large), || bench.borrow_mut().tile(&small));
    println!("tile: {large_ms:.3} ms at 3840 x 2160, {small_ms:.3} ms at 1280 x 720");
    println!("figure: tile_4k_over_720p = {ratio:.4} ratio");
}
