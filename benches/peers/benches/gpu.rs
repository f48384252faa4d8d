//! What the colour pass and the id tile cost on the GPU, from the first command to the end of the
//! wait, by gizmos and by resolution, in turns with the least that such a pass can cost and with
//! other ways to pick. A software adapter unless `WGPU_BACKEND` or `REAL_GPU=1` says otherwise.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench gpu`

#[path = "../../shared/full_frame.rs"]
mod full_frame;

use full_frame::Attachments;
use glam::{DVec2, DVec3};
use std::hint::black_box;
use std::time::Duration;
use wgpu_gizmo::gpu::{GizmoRenderer, IdImage, Picker, TargetState, TileMode};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, PickQuery, Target, Transform, View};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::plot::{Plot, Series, bars};
use wgpu_gizmo_bench_peers::scene::{Stage, dragging, targets, view};
use wgpu_gizmo_bench_peers::stats::{Rounds, slope, timed};
use wgpu_gizmo_bench_peers::{figure, is_long, short};

const PATIENCE: Duration = Duration::from_secs(100);
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const SIZES: [(&str, [u32; 2]); 4] =
    [("720p", [1280, 720]), ("1080p", [1920, 1080]), ("4K", [3840, 2160]), ("8K", [7680, 4320])];
const COUNTS: [usize; 3] = [1, 10, 1000];

/// Some gizmos, universal, spread over the picture; the first in its middle.
fn list_of(count: usize, size: [u32; 2]) -> (View, DrawList) {
    let (view, mut list, mut ids) = (view(0, size), DrawList::new(), IdSpace::new());
    list.begin(&view);
    let side = (count as f64).sqrt().ceil();
    for i in 0..count {
        let mut gizmo = Gizmo::new(&mut ids).expect("room");
        gizmo.settings.mode = Mode::Universal;
        let spread = DVec2::new(i as f64 % side, (i as f64 / side).floor()) / side - 0.5;
        let offset = if i == 0 { DVec3::ZERO } else { DVec3::new(6.0 * spread.x, 3.0 * spread.y, 0.0) };
        let place = Transform { translation: offset, ..Transform::IDENTITY };
        gizmo.update(&view, &mut [Target::from_world(place)]);
        gizmo.draw(&mut list);
    }
    (view, list)
}

/// Resolutions for so many gizmos: of many, software takes seconds for each frame. `LONG=1` takes
/// all of them.
fn sizes_for(count: usize) -> impl Iterator<Item = (&'static str, [u32; 2])> {
    let most = match count {
        _ if is_long() => 4,
        1 => 4,
        10 => 2,
        _ => 1,
    };
    SIZES.into_iter().take(most)
}

/// The host's own target, and what is drawn over it.
struct Host {
    view: wgpu::TextureView,
}

impl Host {
    fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let texture = texture(gpu, size, FORMAT, 1);
        Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
    }

    /// The host's pass: it keeps what is there.
    fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.view,
                depth_slice: None,
                resolve_target: None,
                ops,
            })],
            ..Default::default()
        })
    }
}

fn texture(gpu: &Gpu, [width, height]: [u32; 2], format: wgpu::TextureFormat, samples: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// Attachments like those that a renderer draws handles into, of the same size, for a pass that is
/// empty.
struct EmptyPass {
    views: [wgpu::TextureView; 3],
}

impl EmptyPass {
    fn new(gpu: &Gpu, list: &DrawList) -> Self {
        let [low, high] = list.bounds_px().expect("in sight");
        let size = (high.ceil() - low.floor()).to_array().map(|side| (side as u32).next_multiple_of(128));
        let attachments = [(FORMAT, 4), (wgpu::TextureFormat::Depth32Float, 4), (FORMAT, 1)];
        let view = |(format, samples)| {
            texture(gpu, size, format, samples).create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self { views: attachments.map(view) }
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        let [samples, depth, resolved] = &self.views;
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: samples,
                depth_slice: None,
                resolve_target: Some(resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        }));
    }
}

fn colors(gpu: &Gpu) {
    println!("\n| colour pass | gizmos | µs | an empty pass, µs | ratio |\n|---|---|---|---|---|");
    let mut lines = Vec::new();
    for count in COUNTS {
        let mut line = Vec::new();
        for (name, size) in sizes_for(count) {
            let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
            let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("a usual pass");
            let (host, (_, list)) = (Host::new(gpu, size), list_of(count, size));
            let empty = EmptyPass::new(gpu, &list);
            let mut drawn = || {
                timed(|| {
                    let mut encoder = gpu.encoder();
                    renderer.prepare(&gpu.device, &gpu.queue, &mut encoder, &list);
                    renderer.render(&mut host.pass(&mut encoder));
                    gpu.finish(encoder);
                })
            };
            let mut floor = || {
                timed(|| {
                    let mut encoder = gpu.encoder();
                    empty.encode(&mut encoder);
                    drop(host.pass(&mut encoder));
                    gpu.finish(encoder);
                })
            };
            let rounds = Rounds::of(101, &mut [&mut drawn, &mut floor]);
            let (us, floor_us) = (rounds.median(0), rounds.median(1));
            println!(
                "| {name} | {count} | {} | {} | {:.2} |",
                short(us),
                short(floor_us),
                rounds.ratio(0, 1)
            );
            line.push((f64::from(size[0]) * f64::from(size[1]), us));
            if name == "1080p" || count == 1000 {
                figure(&format!("color_over_floor.{count}_gizmos"), rounds.ratio(0, 1), "ratio");
            }
        }
        lines.push(Series::new(format!("gizmos: {count} (slope {:.2})", slope(&line)), line));
    }
    save_by_resolution("gpu-colour", "Colour pass, prepared, drawn and waited for", lines);
}

/// Ways to find out what is under the cursor.
struct Ways {
    tile: Picker,
    cropped: Picker,
    floor: Attachments,
    /// The least that a pass through full-frame attachments can cost: they are cleared, nothing is
    /// drawn, one texel is read.
    one_texel: Attachments,
    full: IdImage,
}

fn tiles(gpu: &Gpu) {
    println!(
        "\n| pick | gizmos | tile, µs | floor, µs | tile : floor | cropped matrix : tile | full frame, one texel, \
         nothing drawn : tile | full frame read : tile |\n|---|---|---|---|---|---|---|---|"
    );
    let mut lines: Vec<Series> = Vec::new();
    let mut others: [Vec<(f64, f64)>; 2] = Default::default();
    for count in COUNTS {
        let mut line = Vec::new();
        for (name, size) in sizes_for(count) {
            let device = &gpu.device;
            let mut ways = Ways {
                tile: Picker::new(device).expect("not WebGL"),
                cropped: Picker::new(device).expect("not WebGL").with_tile_mode(TileMode::Cropped),
                floor: Attachments::new(device, [33, 33], 33),
                one_texel: Attachments::new(device, size, 1),
                full: IdImage::new(device, size[0], size[1]).expect("fits"),
            };
            let (view, list) = list_of(count, size);
            // On the first gizmo, as many pixels from its middle in every resolution.
            let [middle, along] = [0.0, 0.1].map(|x| view.px_from_world(DVec3::X * x).expect("in front"));
            let cursor_px = middle + (along - middle).normalize() * 60.0;
            let query = PickQuery { cursor_px, view, radius_px: 5.0, sequence: 1 };
            let mut full = || {
                timed(|| {
                    let mut encoder = gpu.encoder();
                    let image = &mut ways.full;
                    image.encode(device, &gpu.queue, &mut encoder, &view, &list, |_, _| {}).expect("alive");
                    let submission = gpu.queue.submit([encoder.finish()]);
                    black_box(image.read(device, submission, PATIENCE).expect("alive").ids[0]);
                })
            };
            let pick = |picker: &mut Picker| {
                timed(|| {
                    let answer = picker.pick_blocking(device, &gpu.queue, &query, &list, |_, _| {}, PATIENCE);
                    black_box(answer.expect("alive"));
                })
            };
            let pixels = f64::from(size[0]) * f64::from(size[1]);
            let rounds = Rounds::of(
                201,
                &mut [
                    &mut || pick(&mut ways.tile),
                    &mut || timed(|| ways.floor.clear_and_read(device, &gpu.queue)),
                    &mut || pick(&mut ways.cropped),
                ],
            );
            let slow = Rounds::of(
                51,
                &mut [
                    &mut || pick(&mut ways.tile),
                    &mut || timed(|| ways.one_texel.clear_and_read(device, &gpu.queue)),
                    &mut full,
                ],
            );
            println!(
                "| {name} | {count} | {} | {} | {:.2} | {:.2} | {:.1} | {:.1} |",
                short(rounds.median(0)),
                short(rounds.median(1)),
                rounds.ratio(0, 1),
                rounds.ratio(2, 0),
                slow.ratio(1, 0),
                slow.ratio(2, 0),
            );
            line.push((pixels, rounds.median(0)));
            if count == 1 {
                others[0].push((pixels, slow.median(1)));
                others[1].push((pixels, slow.median(2)));
            }
            if name == "1080p" || count == 1000 {
                figure(&format!("tile_over_floor.{count}_gizmos"), rounds.ratio(0, 1), "ratio");
                figure(&format!("tile_over_cropped.{count}_gizmos"), 1.0 / rounds.ratio(2, 0), "ratio");
            }
        }
        lines.push(Series::new(format!("tile, gizmos: {count} (slope {:.2})", slope(&line)), line));
    }
    let [one_texel, full] = others;
    let named =
        |name: &str, points: Vec<_>| Series::new(format!("{name} (slope {:.2})", slope(&points)), points);
    lines.push(named("full frame cleared, one texel read", one_texel));
    lines.push(named("full frame read, gizmos: 1", full));
    save_by_resolution("gpu-pick", "From the question to the answer, blocking", lines);
}

fn save_by_resolution(name: &str, title: &str, series: Vec<Series>) {
    let axes = ["pixels of the view (720p, 1080p, 4K, 8K)".to_owned(), "µs (median)".to_owned()];
    Plot { title: title.to_owned(), axes, series, marks: true }.save(name);
}

/// Bytes that one gizmo uploads in a frame: what is drawn and, where there is one, the question.
fn uploads(gpu: &Gpu) {
    println!("\n| upload of one gizmo, universal | drawing, bytes | question, bytes |\n|---|---|---|");
    let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
    let mut groups = Vec::new();
    let mut most = 0;
    for what in ["idle", "hover", "translate_x", "translate_zx", "rotate_y", "scale_x"] {
        let mut stage = Stage::new(Mode::Universal, targets(1), [1920, 1080]);
        let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("a usual pass");
        let mut picker = Picker::new(&gpu.device).expect("not WebGL");
        let middle_px = stage.middle_px();
        let press_px = if what.contains('_') { stage.press(what) } else { middle_px };
        let (mut drawing, mut asking) = (0, 0);
        for frame in 0..40 {
            stage.frame = if what == "idle" { 0 } else { frame };
            let px = match what {
                "idle" => DVec2::new(40.5, 40.5),
                "hover" => middle_px + DVec2::from_angle(f64::from(frame)) * f64::from(4 * frame),
                _ => dragging(frame, press_px),
            };
            stage.frame_at(Some(px));
            let mut encoder = gpu.encoder();
            renderer.prepare(&gpu.device, &gpu.queue, &mut encoder, &stage.list);
            let mut asked = 0;
            if let Some(query) = stage.gizmo.pick_query() {
                picker
                    .encode(&gpu.device, &gpu.queue, &mut encoder, &query, &stage.list, |_, _| {})
                    .expect("room");
                asked = picker.uploaded_bytes();
            }
            gpu.finish(encoder);
            while let Some(answer) = picker.poll(&gpu.device).expect("alive") {
                stage.gizmo.answer(&answer);
            }
            // What is made at the beginning is not of every frame.
            if frame > 4 && renderer.uploaded_bytes() + asked > drawing + asking {
                (drawing, asking) = (renderer.uploaded_bytes(), asked);
            }
        }
        println!("| {what} | {drawing} | {asking} |");
        figure(&format!("upload_bytes_per_frame.{what}"), (drawing + asking) as f64, "bytes");
        groups.push((what.replace('_', " "), vec![drawing as f64, asking as f64]));
        most = most.max(drawing + asking);
    }
    figure("upload_bytes_per_frame", most as f64, "bytes");
    bars(
        "upload",
        "Bytes that one gizmo uploads in a frame, at most",
        "bytes (logarithmic)",
        &["handles and guides", "question to the ID image"],
        &groups,
    );
}

fn main() {
    let gpu = Gpu::new();
    uploads(&gpu);
    tiles(&gpu);
    colors(&gpu);
}
