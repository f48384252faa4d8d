//! A frame with its raster, next to the crate `transform-gizmo`: the core, the upload and a pass
//! of 1920 x 1080 pixels that both are drawn into, waited for, less the cost of the same pass with
//! nothing in it. The peer leaves the drawing to its host; here its triangles are drawn plainly.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench raster`

use glam::DVec2;
use std::cell::{Cell, RefCell};
use wgpu_gizmo::gpu::{GizmoRenderer, TargetState};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::{self, Table};
use wgpu_gizmo_bench_peers::peer::{Kind, Peer};
use wgpu_gizmo_bench_peers::scene::{HD, MODES, Stage, dragging, targets, wandering};
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const EFFORT: Effort = Effort { rounds: 501, seconds: 2.0 };

/// The states that are measured: a hover in every mode, and the drags of each kind.
const STATES: [(usize, &str, Option<Kind>); 9] = [
    (0, "hover", None),
    (1, "hover", None),
    (2, "hover", None),
    (3, "hover", None),
    (0, "drag", Some(Kind::TranslateX)),
    (1, "drag", Some(Kind::RotateX)),
    (2, "drag", Some(Kind::ScaleX)),
    (3, "drag", Some(Kind::TranslateX)),
    (3, "drag_ring", Some(Kind::RotateX)),
];

/// The host's render target.
struct Host {
    view: wgpu::TextureView,
}

impl Host {
    fn new(gpu: &Gpu) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: HD[0], height: HD[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
    }

    /// Begins the host's pass, which loads the previous contents.
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

/// Draws the peer's triangles: positions in pixels, colors and indices.
struct PeerRenderer {
    pipeline: wgpu::RenderPipeline,
    buffers: [wgpu::Buffer; 3],
    indices: u32,
}

const PEER_SHADER: &str = "
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f }
@vertex fn vs(@location(0) px: vec2f, @location(1) color: vec4f) -> Out {
    return Out(vec4f(px.x / 960.0 - 1.0, 1.0 - px.y / 540.0, 0.0, 1.0), color);
}
@fragment fn fs(in: Out) -> @location(0) vec4f { return in.color; }
";
const MAX_BYTES: u64 = 64 << 20;

impl PeerRenderer {
    fn new(gpu: &Gpu, bytes: u64) -> Self {
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(PEER_SHADER.into()),
        });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor::default());
        let position = wgpu::vertex_attr_array![0 => Float32x2];
        let color = wgpu::vertex_attr_array![1 => Float32x4];
        let step_mode = wgpu::VertexStepMode::Vertex;
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs"),
                compilation_options: Default::default(),
                buffers: &[
                    Some(wgpu::VertexBufferLayout { array_stride: 8, step_mode, attributes: &position }),
                    Some(wgpu::VertexBufferLayout { array_stride: 16, step_mode, attributes: &color }),
                ],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs"),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: FORMAT,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        use wgpu::BufferUsages;
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let buffers = [BufferUsages::VERTEX, BufferUsages::VERTEX, BufferUsages::INDEX].map(buffer);
        Self { pipeline, buffers, indices: 0 }
    }

    fn prepare(&mut self, gpu: &Gpu, peer: &Peer) {
        let drawn = &peer.drawn;
        let positions: Vec<u8> = drawn.vertices.iter().flatten().flat_map(|n| n.to_ne_bytes()).collect();
        let colors: Vec<u8> = drawn.colors.iter().flatten().flat_map(|n| n.to_ne_bytes()).collect();
        let indices: Vec<u8> = drawn.indices.iter().flat_map(|n| n.to_ne_bytes()).collect();
        for (buffer, bytes) in self.buffers.iter().zip([positions, colors, indices]) {
            gpu.queue.write_buffer(buffer, 0, &bytes);
        }
        self.indices = drawn.indices.len() as u32;
    }

    fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        let [positions, colors, indices] = &self.buffers;
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, positions.slice(..));
        pass.set_vertex_buffer(1, colors.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.indices, 0, 0..1);
    }
}

fn cursor_px(kind: Option<Kind>, frame: u32, press_px: DVec2) -> DVec2 {
    match kind {
        None => wandering(frame, press_px),
        Some(_) => dragging(frame, press_px),
    }
}

/// Microseconds of our frame, the peer's and an empty one.
fn rounds(gpu: &Gpu, mode: usize, kind: Option<Kind>) -> Rounds {
    let (name, mode) = MODES[mode];
    let host = Host::new(gpu);
    let mut ours = Stage::new(mode, targets(1), HD);
    let mut peer = Peer::new(name, 1, HD);
    let handle = |kind| match kind {
        Kind::TranslateX => "translate_x",
        Kind::RotateX => "rotate_x",
        Kind::ScaleX => "scale_x",
    };
    let press_px = match kind {
        Some(kind) => [ours.press(handle(kind)), peer.press(kind)],
        None => [ours.center_px(); 2],
    };
    let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
    let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("the pass is supported");
    let mut peer_renderer = PeerRenderer::new(gpu, 4 << 20);
    let mut our_frame = || {
        timed(|| {
            ours.frame += 1;
            let px = cursor_px(kind, ours.frame, press_px[0]);
            ours.gizmo.answer_from(&ours.list);
            ours.frame_at(Some(px));
            let mut encoder = gpu.encoder();
            renderer
                .prepare(&gpu.device, &gpu.queue, &ours.list)
                .expect("the device is alive");
            renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    let mut peer_frame = || {
        timed(|| {
            peer.frame += 1;
            peer.frame_at(cursor_px(kind, peer.frame, press_px[1]));
            let mut encoder = gpu.encoder();
            peer_renderer.prepare(gpu, &peer);
            peer_renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    let mut empty = || {
        timed(|| {
            let mut encoder = gpu.encoder();
            drop(host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    Rounds::of(EFFORT, &mut [&mut our_frame, &mut peer_frame, &mut empty])
}

/// Returns the position of a gizmo in rows of 32.
fn place(i: usize) -> glam::DVec3 {
    let spread = DVec2::new((i % 32) as f64, (i / 32) as f64) / 32.0 - 0.5;
    glam::DVec3::new(6.0 * spread.x, 3.0 * spread.y, 0.0)
}

fn gizmos_in_rows(count: usize) -> Vec<(wgpu_gizmo::Gizmo, [wgpu_gizmo::Target; 1])> {
    let mut ids = wgpu_gizmo::IdSpace::new();
    (0..count)
        .map(|i| {
            let mut gizmo = wgpu_gizmo::Gizmo::new(&mut ids).expect("ids are free");
            gizmo.settings.mode = wgpu_gizmo::Mode::Universal;
            let transform = wgpu_gizmo::Transform { translation: place(i), ..Default::default() };
            (gizmo, [wgpu_gizmo::Target::from_world(transform)])
        })
        .collect()
}

/// A thousand gizmos in one list and pass, next to a thousand of the peer's.
fn many(gpu: &Gpu) -> Rounds {
    const COUNT: usize = 1000;
    const EFFORT: Effort = Effort { rounds: 21, seconds: 12.0 };
    let host = Host::new(gpu);
    let gizmos = RefCell::new(gizmos_in_rows(COUNT));
    let peers: Vec<Peer> = (0..COUNT).map(|i| Peer::at("universal", place(i), HD)).collect();
    let peers = RefCell::new(peers);
    let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
    let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("the pass is supported");
    let mut list = wgpu_gizmo::DrawList::new();
    let (frame, mut together) = (Cell::new(0), Peer::new("universal", 1, HD));
    let mut peer_renderer = PeerRenderer::new(gpu, MAX_BYTES);
    let mut our_frame = || {
        timed(|| {
            frame.set(frame.get() + 1);
            let view = wgpu_gizmo_bench_peers::scene::view(frame.get(), HD);
            list.begin(&view);
            for (gizmo, targets) in gizmos.borrow_mut().iter_mut() {
                gizmo.update(&view, targets);
                gizmo.draw(&mut list);
            }
            let mut encoder = gpu.encoder();
            renderer.prepare(&gpu.device, &gpu.queue, &list).expect("the device is alive");
            renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    let mut peer_frame = || {
        timed(|| {
            let all = &mut together.drawn;
            (all.vertices.clear(), all.colors.clear(), all.indices.clear());
            for peer in peers.borrow_mut().iter_mut() {
                peer.frame = frame.get();
                peer.frame_at(DVec2::new(40.5, 40.5));
                let first = all.vertices.len() as u32;
                all.vertices.extend_from_slice(&peer.drawn.vertices);
                all.colors.extend_from_slice(&peer.drawn.colors);
                all.indices.extend(peer.drawn.indices.iter().map(|index| index + first));
            }
            let mut encoder = gpu.encoder();
            peer_renderer.prepare(gpu, &together);
            peer_renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    let mut empty = || {
        timed(|| {
            let mut encoder = gpu.encoder();
            drop(host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    Rounds::of(EFFORT, &mut [&mut our_frame, &mut peer_frame, &mut empty])
}

/// Adds a row, and returns our share of the peer's time, both less the empty pass.
fn report(table: &mut Table, name: &str, gpu: &Gpu, rounds: &Rounds) {
    let [ours, peer, empty] = [0, 1, 2].map(|way| rounds.median(way));
    let ratio = (ours - empty) / (peer - empty);
    let count = rounds.count().to_string();
    table.row(&[name, gpu.backend, &count, &short(ours), &short(peer), &short(empty), &format!("{ratio:.2}")]);
    figure(&format!("frame_with_raster_over_peer_{name}{}", gpu.suffix), ratio, "ratio");
}

fn main() {
    page::run("raster", || {
        let heads = ["frame", "backend", "rounds", "ours, µs", "peer, µs", "empty pass, µs", "ours : peer, net"];
        let mut table = Table::new("raster", &heads);
        for gpu in Gpu::all() {
            for (mode, state, kind) in STATES {
                report(&mut table, &format!("{}_{state}", MODES[mode].0), &gpu, &rounds(&gpu, mode, kind));
            }
            report(&mut table, "1000_gizmos", &gpu, &many(&gpu));
        }
        table.save();
    });
}
