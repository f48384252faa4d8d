//! The cost of a depth style: `cargo bench --bench depth`. Draws one gizmo into a pass of 1920 by 1080 pixels,
//! with and without the depth of a scene that hides half of it, in turns, and waits for each frame. Prints
//! `figure: NAME = VALUE` lines with the fastest frames and their ratio.
#![allow(missing_docs, reason = "a program")]
#![expect(clippy::disallowed_types, reason = "a benchmark has a clock")]

#[path = "shared/gpu.rs"]
mod gpu;
#[path = "shared/order.rs"]
mod order;

use gpu::{cleared, cleared_depth, device};
use order::order_of;
use std::time::Instant;
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::glam::{DVec3, dcamera::rh};
use wgpu_gizmo::gpu::{GizmoRenderer, SceneDepth};
use wgpu_gizmo::wgpu::{self, TextureFormat};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View, Viewport};

const FRAMES: usize = 300;
const SIZE: [u32; 2] = [1920, 1080];
const COLOR: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// A device and the textures that are drawn into or read.
struct Stage {
    device: wgpu::Device,
    queue: wgpu::Queue,
    view: View,
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Stage {
    fn new() -> Self {
        let (device, queue) = device();
        let texture =
            |format, usage| gpu::texture(&device, SIZE, format, usage).create_view(&Default::default());
        let view = View::new(
            rh::view::look_at_mat4(DVec3::new(2.0, 1.5, 3.0), DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, 16.0 / 9.0, 0.1),
            Viewport::from_size(SIZE[0], SIZE[1]),
            1.0,
        );
        let stage = Self {
            color: texture(COLOR, wgpu::TextureUsages::empty()),
            depth: texture(TextureFormat::Depth32Float, wgpu::TextureUsages::TEXTURE_BINDING),
            view: view.expect("the view is valid"),
            device,
            queue,
        };
        stage.clear_depth_at_pivot();
        stage
    }

    /// Fills the depth with that of the pivot, as a wall that faces the camera would.
    fn clear_depth_at_pivot(&self) {
        let clip = self.view.clip_from_world().w_axis;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: cleared_depth(
                &self.depth,
                (clip.z / clip.w) as f32,
                wgpu::StoreOp::Store,
            ),
            ..Default::default()
        }));
        self.queue.submit([encoder.finish()]);
    }

    /// Draws a frame, waits for it, and returns its time in microseconds.
    fn frame(&self, list: &DrawList, renderer: &mut GizmoRenderer) -> f64 {
        let Self { device, queue, view, color, depth } = self;
        let start = Instant::now();
        let mut encoder = device.create_command_encoder(&Default::default());
        let scene = SceneDepth::new(depth, view.depth_direction());
        renderer.prepare_with_depth(device, queue, list, scene).expect("the depth is usable");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[cleared(color)],
            ..Default::default()
        });
        renderer.render(&mut pass);
        drop(pass);
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        start.elapsed().as_secs_f64() * 1e6
    }
}

/// Returns the list of a gizmo at the origin.
fn list(view: &View, mode: Mode, style: DepthStyle) -> DrawList {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
    gizmo.settings.mode = mode;
    gizmo.settings.display.depth_style = style;
    gizmo.update(view, &mut [Target::from_world(Transform::IDENTITY)]);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(view));
    list
}

fn main() {
    let stage = Stage::new();
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        let lists = [DepthStyle::OnTop, DepthStyle::DIMMED].map(|style| list(&stage.view, mode, style));
        let mut renderers =
            [(); 2].map(|()| GizmoRenderer::new(&stage.device, COLOR).expect("the format is supported"));
        let mut fastest = [f64::MAX; 2];
        for frame in 0..FRAMES {
            for index in order_of(frame, 2) {
                fastest[index] = fastest[index].min(stage.frame(&lists[index], &mut renderers[index]));
            }
        }
        let [without, with] = fastest;
        let name = mode.name().to_lowercase();
        println!("figure: frame_without_depth_{name}_us = {without:.0}");
        println!("figure: frame_with_depth_{name}_us = {with:.0}");
        println!("figure: frame_with_depth_over_without_{name} = {:.2}", with / without);
    }
}
