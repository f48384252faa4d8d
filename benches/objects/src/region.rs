//! Everything that is visible in a region of the size of a 4K view.

use crate::full_frame::gpu::median;
use crate::scene::{Layout, Scene, Triangles};
use crate::{Gpu, TIMEOUT, ms};
use glam::DVec2;
use std::hint::black_box;
use std::time::Instant;
use wgpu_gizmo::gpu::IdImage;
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::{DrawList, View, Viewport};

const SIZE: [u32; 2] = [3840, 2160];
const OBJECTS: usize = 100_000;
const RUNS: usize = 11;

pub fn run(gpu: &Gpu, meshes: &[Triangles]) {
    let Gpu { device, queue } = gpu;
    let mut scene = Scene::new(device, meshes, Layout::Plain, OBJECTS);
    let viewport = Viewport::from_size(SIZE[0], SIZE[1]);
    let view =
        View::from_clip_from_world(scene.view.clip_from_world(), viewport, 1.0).expect("the view is valid");
    let mut batch = scene.gpu.batch(device).expect("the device is alive");
    let mut image = IdImage::new(device, SIZE[0], SIZE[1]).expect("4K is supported");
    let size = DVec2::from_array(SIZE.map(f64::from));
    let rectangle = Region::Rectangle([DVec2::ZERO, size]);
    // A lasso around nearly all of it, with as many corners as a freehand lasso has.
    let corner = |i: u32| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 500.0).sin_cos();
        0.5 * size * (DVec2::ONE + DVec2::new(cos, sin) * (0.9 + 0.1 * (f64::from(i) * 0.7).sin()))
    };
    let lasso = Region::Lasso((0..500).map(corner).collect());
    let (mut images, mut regions, mut lassos, mut seen) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        batch.select(&scene.gpu, &view, None);
        let mut encoder = device.create_command_encoder(&Default::default());
        image
            .encode(device, queue, &mut encoder, &view, &DrawList::new(), |pass, clip_from_clip| {
                batch.draw(&mut scene.gpu, device, queue, pass, clip_from_clip);
            })
            .expect("the list is for this view");
        let texels =
            image.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
        images.push(ms(start));
        let start = Instant::now();
        seen = black_box(texels.ids_in(&rectangle)).len();
        regions.push(ms(start));
        let start = Instant::now();
        black_box(texels.ids_in(&lasso));
        lassos.push(ms(start));
    }
    let [image, region, lasso] = [images, regions, lassos].map(median);
    println!("\na region of {} x {}, {OBJECTS} objects, {seen} of them visible", SIZE[0], SIZE[1]);
    println!("the image drawn and read: {image:.1} ms; then a lasso of 500 corners: {lasso:.2} ms");
    println!("figure: region_4k_image_ms = {image:.1} ms");
    println!("figure: region_4k_ms = {region:.2} ms");
}
