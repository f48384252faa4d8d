//! A frame with its pass, next to the crate `transform-gizmo`: the core, the pick, the upload and a pass
//! of 1920 x 1080 pixels that both are drawn into, waited for, less the cost of the same pass with
//! nothing in it. Ours picks on the GPU, through `WgpuGizmo`, and the peer by a ray. The peer leaves the
//! drawing to its host; here its triangles, which it feathers at their edges, are drawn as they are.
//! Both are drawn into an sRGB target, into which the peer's linear colors belong.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench raster`

use glam::DVec2;
use wgpu_gizmo::WgpuGizmo;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::gpu::{GizmoRenderer, Picker};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::{self, Table};
use wgpu_gizmo_bench_peers::peer::{Kind, Peer};
use wgpu_gizmo_bench_peers::scene::{HD, MODES, Stage, dragging, targets, view, wandering};
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, median, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
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
        let parts = [
            bytemuck::cast_slice(&drawn.vertices),
            bytemuck::cast_slice(&drawn.colors),
            bytemuck::cast_slice(&drawn.indices),
        ];
        for (buffer, bytes) in self.buffers.iter().zip(parts) {
            gpu.queue.write_buffer(buffer, 0, bytes);
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

/// Our gizmo as a host has it, with its picks on the GPU.
struct Ours {
    tools: WgpuGizmo,
    targets: Vec<wgpu_gizmo::Target>,
    frame: u32,
    is_dragged: bool,
}

impl Ours {
    /// Takes the gizmo of a stage, which may be in a drag.
    fn new(gpu: &Gpu, stage: Stage) -> Self {
        let mut tools = WgpuGizmo::new(&gpu.device, FORMAT).expect("the pass is supported");
        let is_dragged = stage.gizmo.is_active();
        tools.gizmo = stage.gizmo;
        Self { tools, targets: stage.targets, frame: stage.frame, is_dragged }
    }

    fn draw(&mut self, gpu: &Gpu, host: &Host, cursor_px: DVec2) {
        let Gpu { device, queue, .. } = gpu;
        let view = view(self.frame, HD);
        self.tools.gizmo.pointer_moved(cursor_px);
        self.tools.update(&view, &mut self.targets).expect("the device is alive");
        let mut encoder = gpu.encoder();
        self.tools.prepare(Frame::new(device, queue, &mut encoder), &view, |_, _, _| {}).expect("the device is alive");
        assert_eq!(self.tools.gpu.picker().is_pending(), !self.is_dragged, "each frame of a hover has a pick");
        self.tools.render(&mut host.pass(&mut encoder), &view);
        gpu.finish(encoder);
    }

    /// Returns the bytes that the last frame has uploaded, with its pick.
    fn uploaded_bytes(&self) -> f64 {
        self.tools.gpu.uploaded_bytes() as f64
    }
}

/// Draws nothing.
fn empty_frame(gpu: &Gpu, host: &Host) {
    let mut encoder = gpu.encoder();
    drop(host.pass(&mut encoder));
    gpu.finish(encoder);
}

/// Times of our frame, the peer's and an empty one, and the bytes that the first two upload.
struct Costs {
    rounds: Rounds,
    bytes: [f64; 2],
}

/// Measures one gizmo of each.
fn one(gpu: &Gpu, mode: usize, kind: Option<Kind>) -> Costs {
    let (name, mode) = MODES[mode];
    let host = Host::new(gpu);
    let mut stage = Stage::new(mode, targets(1), HD);
    let mut peer = Peer::new(name, 1, HD);
    let handle = |kind| match kind {
        Kind::TranslateX => "translate_x",
        Kind::RotateX => "rotate_x",
        Kind::ScaleX => "scale_x",
    };
    let press_px = match kind {
        Some(kind) => [stage.press(handle(kind)), peer.press(kind)],
        None => [stage.center_px(); 2],
    };
    let mut ours = Ours::new(gpu, stage);
    let mut peer_renderer = PeerRenderer::new(gpu, 4 << 20);
    let (mut our_bytes, mut peer_bytes) = (Vec::new(), Vec::new());
    let mut our_frame = || {
        let us = timed(|| {
            ours.frame += 1;
            ours.draw(gpu, &host, cursor_px(kind, ours.frame, press_px[0]));
        });
        our_bytes.push(ours.uploaded_bytes());
        us
    };
    let mut peer_frame = || {
        let us = timed(|| {
            peer.frame += 1;
            peer.frame_at(cursor_px(kind, peer.frame, press_px[1]));
            let mut encoder = gpu.encoder();
            peer_renderer.prepare(gpu, &peer);
            peer_renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        });
        peer_bytes.push(peer.upload_bytes() as f64);
        us
    };
    let mut empty = || timed(|| empty_frame(gpu, &host));
    let rounds = Rounds::of(EFFORT, &mut [&mut our_frame, &mut peer_frame, &mut empty]);
    Costs { rounds, bytes: [our_bytes, peer_bytes].map(median) }
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

/// A thousand gizmos in one list and pass, and one pick, next to a thousand of the peer's, each of which picks.
fn many(gpu: &Gpu) -> Costs {
    const COUNT: usize = 1000;
    const EFFORT: Effort = Effort { rounds: 21, seconds: 12.0 };
    /// Away from most gizmos.
    const CURSOR_PX: DVec2 = DVec2::new(40.5, 40.5);
    let Gpu { device, queue, .. } = gpu;
    let host = Host::new(gpu);
    let mut gizmos = gizmos_in_rows(COUNT);
    let mut peers: Vec<Peer> = (0..COUNT).map(|i| Peer::at("universal", place(i), HD)).collect();
    let mut renderer = GizmoRenderer::new(device, FORMAT).expect("the pass is supported");
    let mut picker = Picker::new(device).expect("the device is alive");
    let mut list = wgpu_gizmo::DrawList::new();
    let mut together = Peer::new("universal", 1, HD);
    let mut peer_renderer = PeerRenderer::new(gpu, MAX_BYTES);
    let (mut our_count, mut peer_count) = (0, 0);
    let mut our_frame = || {
        timed(|| {
            our_count += 1;
            let view = view(our_count, HD);
            while let Some(answer) = picker.poll(device).expect("the device is alive") {
                gizmos.iter_mut().for_each(|(gizmo, _)| gizmo.answer(&answer));
            }
            list.begin(&view);
            let mut query = None;
            for (gizmo, targets) in &mut gizmos {
                gizmo.pointer_moved(CURSOR_PX);
                gizmo.update(&view, targets);
                gizmo.draw(&mut list);
                // All of them ask about one pointer.
                query = gizmo.pick_query().or(query);
            }
            let mut encoder = gpu.encoder();
            let query = query.expect("the camera moves");
            picker.encode(device, queue, &mut encoder, &query, &list, |_, _| {}).expect("a slot is free");
            renderer.prepare(device, queue, &list).expect("the device is alive");
            renderer.render(&mut host.pass(&mut encoder));
            gpu.finish(encoder);
        })
    };
    let mut peer_frame = || {
        timed(|| {
            peer_count += 1;
            let all = &mut together.drawn;
            all.vertices.clear();
            all.colors.clear();
            all.indices.clear();
            for peer in &mut peers {
                peer.frame = peer_count;
                peer.frame_at(CURSOR_PX);
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
    let mut empty = || timed(|| empty_frame(gpu, &host));
    let rounds = Rounds::of(EFFORT, &mut [&mut our_frame, &mut peer_frame, &mut empty]);
    let our_bytes = renderer.uploaded_bytes() + picker.uploaded_bytes();
    Costs { rounds, bytes: [our_bytes as f64, together.upload_bytes() as f64] }
}

/// Adds a row, and returns our share of the peer's time, both less the empty pass.
fn report(table: &mut Table, name: &str, gpu: &Gpu, Costs { rounds, bytes }: &Costs) {
    let [ours, peer, empty] = [0, 1, 2].map(|way| rounds.median(way));
    let ratio = (ours - empty) / (peer - empty);
    let count = rounds.count().to_string();
    table.row(&[
        name,
        gpu.backend,
        &count,
        &short(ours),
        &short(peer),
        &short(empty),
        &format!("{ratio:.2}"),
        &format!("{:.0} : {:.0}", bytes[0], bytes[1]),
    ]);
    figure(&format!("frame_with_raster_over_peer_{name}{}", gpu.suffix), ratio, "ratio");
}

fn main() {
    page::run("raster", || {
        let times = ["ours, µs", "peer, µs", "empty pass, µs", "ours : peer, net"];
        let heads = [&["frame", "backend", "rounds"][..], &times, &["bytes uploaded, ours : peer"]].concat();
        println!(
            "1920 x 1080, {FORMAT:?}, one sample per pixel; both crates have soft edges, the peer by feathering"
        );
        let mut table = Table::new("raster", &heads);
        for gpu in Gpu::all() {
            for (mode, state, kind) in STATES {
                report(&mut table, &format!("{}_{state}", MODES[mode].0), &gpu, &one(&gpu, mode, kind));
            }
            report(&mut table, "1000_gizmos", &gpu, &many(&gpu));
        }
        table.save();
    });
}
