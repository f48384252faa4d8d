//! The cost of outlines: `cargo bench --bench outline`. Selects 40 of 400 balls in a view of 1920 by 1080 pixels and
//! compares, in turns, a frame that draws the selected balls once into an ID pass, a frame that outlines them, and
//! an empty frame. Waits for each frame. Prints `figure: NAME = VALUE` lines with the fastest frames net of the
//! empty one, and their ratio.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/gpu.rs"]
mod gpu;
#[path = "shared/order.rs"]
mod order;

use gpu::{cleared, cleared_depth, device};
use order::order_of;
use std::num::NonZeroU32;
use std::time::Instant;
use wgpu_gizmo::glam::{DAffine3, DQuat, DVec3, dcamera::rh};
use wgpu_gizmo::gpu::object_pass;
use wgpu_gizmo::scene::{Outline, OutlineStyle, PickBatch, PickMesh, PickObject, PickScene};
use wgpu_gizmo::wgpu::{self, TextureFormat};
use wgpu_gizmo::{View, Viewport};

const FRAMES: usize = 200;
const SIZE: [u32; 2] = [1920, 1080];
const COLOR: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// A device, the textures that are drawn into, and the balls.
struct Stage {
    device: wgpu::Device,
    queue: wgpu::Queue,
    view: View,
    color: wgpu::TextureView,
    ids: Vec<wgpu::TextureView>,
    depth: wgpu::TextureView,
    scene: PickScene,
    selected: Vec<NonZeroU32>,
}

/// Returns the positions and indices of a ball of radius 1 with 1152 triangles.
fn ball() -> (Vec<[f32; 3]>, Vec<u32>) {
    let n = 24u32;
    let position = |i: u32, j: u32| {
        let [polar, azimuth] = [i, 2 * j].map(|k| std::f32::consts::PI * k as f32 / n as f32);
        [polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin()]
    };
    let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| position(i, j))).collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let square =
        |(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
    (positions, (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(square).collect())
}

impl Stage {
    fn new() -> Self {
        let (device, queue) = device();
        let texture = |format| {
            let texture = gpu::texture(&device, SIZE, format, wgpu::TextureUsages::empty());
            texture.create_view(&Default::default())
        };
        let view = View::new(
            rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 30.0), DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, 16.0 / 9.0, 0.1),
            Viewport::from_size(SIZE[0], SIZE[1]),
            1.0,
        );
        let mut scene = PickScene::new(&device).expect("the device is alive");
        let (positions, indices) = ball();
        let mesh = PickMesh::new(&positions, &indices).expect("the mesh is valid");
        let mesh = scene.add_mesh(&device, &mesh).expect("the device is alive");
        let mut rng = fastrand::Rng::with_seed(1);
        for id in (1..=400).filter_map(NonZeroU32::new) {
            let [x, y, z] = [22.0, 12.0, 10.0].map(|side| side * (2.0 * rng.f64() - 1.0));
            let world_from_local = DAffine3::from_scale_rotation_translation(
                DVec3::splat(0.3 + rng.f64()),
                DQuat::IDENTITY,
                DVec3::new(x, y, z),
            );
            scene.insert(&PickObject::new(mesh, world_from_local, id)).expect("the mesh exists");
        }
        let ids = object_pass::color_targets(&device).iter().flatten().map(|target| texture(target.format));
        Self {
            ids: ids.collect(),
            color: texture(COLOR),
            depth: texture(object_pass::depth_stencil(wgpu_gizmo::math::DepthDirection::Reversed).format),
            view: view.expect("the view is valid"),
            scene,
            selected: (1..=400).step_by(10).filter_map(NonZeroU32::new).collect(),
            device,
            queue,
        }
    }

    /// Encodes a frame, waits for it, and returns its time in microseconds.
    fn frame(&mut self, encode: impl FnOnce(&mut Self, &mut wgpu::CommandEncoder)) -> f64 {
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encode(self, &mut encoder);
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        start.elapsed().as_secs_f64() * 1e6
    }

    /// Encodes a cleared pass over the color target, with the lines of an outline.
    fn host_pass(&self, encoder: &mut wgpu::CommandEncoder, outline: Option<&Outline>) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[cleared(&self.color)],
            ..Default::default()
        });
        if let Some(outline) = outline {
            outline.render(&mut pass);
        }
    }

    /// Encodes an ID pass that draws the objects of a batch.
    fn id_pass(&mut self, encoder: &mut wgpu::CommandEncoder, batch: &mut PickBatch) {
        let attachments: Vec<_> = self.ids.iter().map(cleared).collect();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &attachments,
            depth_stencil_attachment: cleared_depth(&self.depth, 0.0, wgpu::StoreOp::Store),
            ..Default::default()
        });
        batch.select(&self.scene, &self.view, None);
        batch.keep(&self.scene, &self.selected);
        let clip_from_clip = wgpu_gizmo::glam::DMat4::IDENTITY;
        batch.draw(&mut self.scene, &self.device, &self.queue, &mut pass, clip_from_clip);
    }

    /// Encodes a frame with outlines of the selected balls, among those alone.
    fn outlined(&mut self, encoder: &mut wgpu::CommandEncoder, outline: &mut Outline, batch: &mut PickBatch) {
        batch.select(&self.scene, &self.view, None);
        batch.keep(&self.scene, &self.selected);
        let Self { device, queue, scene, view, .. } = &mut *self;
        outline
            .prepare(device, queue, encoder, view, |pass, clip_from_clip| {
                batch.draw(scene, device, queue, pass, clip_from_clip);
            })
            .expect("the device is alive");
        self.host_pass(encoder, Some(outline));
    }
}

fn main() {
    let mut stage = Stage::new();
    let mut batch = stage.scene.batch(&stage.device).expect("the device is alive");
    for width_px in [2.0, 4.0, 8.0, 16.0] {
        let mut outline = Outline::new(&stage.device, COLOR).expect("the format is supported");
        let style = OutlineStyle { ids: &stage.selected, width_lpx: width_px, ..Default::default() };
        let none = OutlineStyle::default();
        outline.set(&stage.device, &stage.queue, &[style, none, none, none]).expect("the ids fit");
        let mut fastest = [f64::MAX; 3];
        for way in (0..FRAMES).flat_map(|round| order_of(round, 3)) {
            let time = stage.frame(|stage, encoder| match way {
                0 => stage.host_pass(encoder, None),
                1 => {
                    stage.id_pass(encoder, &mut batch);
                    stage.host_pass(encoder, None);
                }
                _ => stage.outlined(encoder, &mut outline, &mut batch),
            });
            fastest[way] = fastest[way].min(time);
        }
        let [empty, drawn, outlined] = fastest;
        let [drawn, outlined] = [drawn - empty, outlined - empty];
        println!("figure: selected_drawn_once_us = {drawn:.0}");
        println!("figure: outlined_{width_px:.0}px_us = {outlined:.0}");
        println!("figure: outlined_{width_px:.0}px_over_drawn_once = {:.2}", outlined / drawn);
    }
}
