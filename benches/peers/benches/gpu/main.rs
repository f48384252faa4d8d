//! Cost of the color pass and the ID tile on the GPU, by gizmos, resolution and backend: from the
//! first command to the end of the wait, and by the GPU's own clock if it has one. Measured
//! alternately with the minimum cost of such a pass and with other ways to pick.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench gpu`

mod color;
#[path = "../../../shared/full_frame.rs"]
mod full_frame;
mod tiles;
mod uploads;

use glam::{DVec2, DVec3};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page;
use wgpu_gizmo_bench_peers::plot::{Plot, Series};
use wgpu_gizmo_bench_peers::scene::view;
use wgpu_gizmo_bench_peers::short;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const SIZES: [(&str, [u32; 2]); 4] =
    [("720p", [1280, 720]), ("1080p", [1920, 1080]), ("4K", [3840, 2160]), ("8K", [7680, 4320])];
const COUNTS: [usize; 3] = [1, 10, 1000];

/// Returns a list of universal gizmos, spread over the view; the first is at its center. The camera moves from
/// frame to frame.
fn list_of(count: usize, size: [u32; 2], frame: u32) -> (View, DrawList) {
    let (view, mut list, mut ids) = (view(frame, size), DrawList::new(), IdSpace::new());
    list.begin(&view);
    let side = (count as f64).sqrt().ceil();
    for i in 0..count {
        let mut gizmo = Gizmo::new(&mut ids).expect("a slot is free");
        gizmo.settings.mode = Mode::Universal;
        let spread = DVec2::new(i as f64 % side, (i as f64 / side).floor()) / side - 0.5;
        let offset = if i == 0 { DVec3::ZERO } else { DVec3::new(6.0 * spread.x, 3.0 * spread.y, 0.0) };
        let transform = Transform { translation: offset, ..Transform::IDENTITY };
        gizmo.update(&view, &mut [Target::from_world(transform)]);
        gizmo.draw(&mut list);
    }
    (view, list)
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

/// Returns the number of pixels of a view.
fn pixels([width, height]: [u32; 2]) -> f64 {
    f64::from(width) * f64::from(height)
}

/// Formats microseconds of the GPU's clock, if it has one.
fn clocked(us: f64) -> String {
    if us.is_nan() { "no clock".to_owned() } else { short(us) }
}

fn save_by_resolution(name: &str, title: &str, series: Vec<Series>) {
    let axes = ["pixels of the view (720p, 1080p, 4K, 8K)".to_owned(), "µs (median)".to_owned()];
    Plot { title: title.to_owned(), axes, series, marks: true }.save(name);
}

fn main() {
    page::run("gpu", || {
        let gpus = Gpu::all();
        uploads::measure(&gpus[0]);
        tiles::measure(&gpus);
        tiles::places(&gpus[0]);
        tiles::after_other_work(&gpus[0]);
        color::measure(&gpus);
    });
}
