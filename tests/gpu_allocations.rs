//! A pick allocates no more than the same wgpu calls without this crate, and a frame of the facade no more
//! than its parts.

mod common;

use common::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const SIDE: u32 = 33;
const ROW_BYTES: u32 = 256;
const SHADER: &str = "
    struct Texel { @location(0) id: u32, @location(1) depth_bits: u32 }
    @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return a; }
    @fragment fn fs() -> Texel { return Texel(1u, 2u); }
";

/// The wgpu calls of a pick, without this crate.
struct Bare {
    pipeline: wgpu::RenderPipeline,
    vertices: wgpu::Buffer,
    colors: [wgpu::Texture; 2],
    color_views: [wgpu::TextureView; 2],
    depth: wgpu::TextureView,
    readback: wgpu::Buffer,
    is_mapped: Arc<AtomicBool>,
    upload: Vec<u8>,
}

/// Creates a pipeline that writes to the attachments of a picker.
fn id_pipeline() -> wgpu::RenderPipeline {
    let layout = wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![0 => Float32x4],
    };
    let stages = Stages { shader: SHADER, fragment: "fs", buffers: &[Some(layout)] };
    let depth = object_pass::depth_stencil(wgpu_gizmo::math::DepthDirection::Reversed);
    pipeline(stages, object_pass::color_targets(device()), Some(depth))
}

fn create_buffer(device: &wgpu::Device, size: usize, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = size as u64;
    device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

impl Bare {
    fn new(upload_bytes: usize) -> Self {
        let texture = |format, usage| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | usage;
            texture_on(device(), [SIDE; 2], (format, 1), usage)
        };
        let buffer = |size, usage| create_buffer(device(), size, usage | wgpu::BufferUsages::COPY_DST);
        let colors = [TextureFormat::R32Uint; 2].map(|f| texture(f, wgpu::TextureUsages::COPY_SRC));
        let depth = texture(object_pass::DEPTH_FORMAT, wgpu::TextureUsages::empty());
        Self {
            pipeline: id_pipeline(),
            vertices: buffer(1 << 16, wgpu::BufferUsages::VERTEX),
            color_views: colors.each_ref().map(|t| t.create_view(&wgpu::TextureViewDescriptor::default())),
            colors,
            depth: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            readback: buffer((2 * ROW_BYTES * SIDE) as usize, wgpu::BufferUsages::MAP_READ),
            is_mapped: Arc::default(),
            upload: vec![0; upload_bytes],
        }
    }

    fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        let attach = |view| {
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("a label"),
            color_attachments: &[attach(&self.color_views[0]), attach(&self.color_views[1])],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_viewport(-10.0, -10.0, 320.0, 240.0, 0.0, 1.0);
        pass.set_scissor_rect(0, 0, SIDE, SIDE);
        pass
    }

    fn encode(&self, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder) {
        queue.write_buffer(&self.vertices, 0, &self.upload);
        let mut pass = self.pass(encoder);
        pass.set_viewport(0.0, 0.0, SIDE as f32, SIDE as f32, 0.0, 1.0);
        pass.set_scissor_rect(0, 0, SIDE, SIDE);
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.draw(0..4, 0..3);
        drop(pass);
        for (index, texture) in self.colors.iter().enumerate() {
            let layout = wgpu::TexelCopyBufferLayout {
                offset: index as u64 * u64::from(ROW_BYTES * SIDE),
                bytes_per_row: Some(ROW_BYTES),
                rows_per_image: None,
            };
            let target = wgpu::TexelCopyBufferInfo { buffer: &self.readback, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        }
        let is_mapped = self.is_mapped.clone();
        encoder.map_buffer_on_submit(&self.readback, wgpu::MapMode::Read, .., move |result| {
            is_mapped.store(result.is_ok(), Ordering::Release);
        });
    }

    fn poll(&self, device: &wgpu::Device) -> bool {
        device.poll(wgpu::PollType::Poll).expect("the device is alive");
        let is_mapped = self.is_mapped.swap(false, Ordering::AcqRel);
        if is_mapped {
            let view = self.readback.get_mapped_range(..).expect("the buffer is mapped");
            assert_eq!(view.len(), (2 * ROW_BYTES * SIDE) as usize);
            drop(view);
            self.readback.unmap();
        }
        is_mapped
    }
}

/// Returns the min number of allocations over many frames, because the rest of the process only adds to it.
fn min_allocations(mut frame: impl FnMut() -> u64) -> u64 {
    (0..60).map(|_| frame()).skip(20).min().expect("there are frames after the warm-up")
}

fn counted(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn pick_allocates_like_bare_wgpu_calls() {
    let case = cases::named("reversed depth, infinite far");
    let list = list(&case, Mode::Translate);
    let bare = Bare::new(list.items().len() * 152);
    let mut picker = Picker::new(device()).expect("the backend is not WebGL");
    let cursor_px = case.px(PIVOT_WORLD);
    let query = PickQuery::new(&case.view, cursor_px, 5.0);

    let bare_count = min_allocations(|| {
        let mut encoder = gpu().encoder();
        let encoding = counted(|| bare.encode(queue(), &mut encoder));
        queue().submit([encoder.finish()]);
        gpu().wait();
        encoding + counted(|| assert!(bare.poll(device())))
    });
    let picked = min_allocations(|| {
        let mut encoder = gpu().encoder();
        let encoding = counted(|| {
            picker.encode(device(), queue(), &mut encoder, &query, &list, |_, _| {}).expect("a slot is free");
        });
        queue().submit([encoder.finish()]);
        gpu().wait();
        encoding + counted(|| assert!(picker.poll(device()).expect("the device is alive").is_some()))
    });
    assert!(picked <= bare_count, "{picked} allocations per pick, {bare_count} by bare calls");
}

#[test]
fn whole_scenes_allocate_no_buffers_for_moves() {
    let case = cases::named("right-handed perspective");
    let (Gpu { device, queue }, mut rng) = (gpu(), Rng::with_seed(1));
    let (mut heap, keys) = Heap::filled(&case, 1..100, 50.0, &mut rng);
    let mut batches = [heap.batch(), heap.batch()];
    let [width, height] = case.target;
    let mut image = IdImage::new(device, width, height).expect("the size is supported");
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
    let bare = create_buffer(device, 1 << 16, usage);
    // Two images of the scene per frame. Either it has changed before each, or a buffer of its size is written.
    let mut allocations = |moves: bool| {
        min_allocations(|| {
            let mut count = 0;
            for batch in &mut batches {
                let key = *rng.choice(&keys).expect("there are objects");
                if moves {
                    assert!(heap.scene.move_to(key, random_transform(&case, 50.0, &mut rng)));
                }
                batch.select(&heap.scene, &case.view, None);
                let mut encoder = gpu().encoder();
                let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                    count += counted(|| {
                        batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
                        if !moves {
                            queue.write_buffer(&bare, 0, &[0; 64 * 64]);
                        }
                    });
                };
                let encoded = image.encode(device, queue, &mut encoder, &case.view, &DrawList::new(), draw);
                encoded.expect("the device is alive");
                image.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
            }
            count
        })
    };
    let (moved, still) = (allocations(true), allocations(false));
    assert!(moved <= still, "{moved} allocations with moves, {still} with bare writes");
}

/// The frames of a gizmo with a moving pointer: through the facade, or with the same parts wired by hand.
struct Frames {
    tools: WgpuGizmo,
    parts: Parts,
    targets: [Target; 1],
    count: u32,
}

/// The parts that the facade wires together.
struct Parts {
    picker: Picker,
    renderer: GizmoRenderer,
    list: DrawList,
}

impl Frames {
    fn new() -> Self {
        let parts = Parts {
            picker: Picker::new(device()).expect("the backend is not WebGL"),
            renderer: GizmoRenderer::new(device(), TextureFormat::Rgba8Unorm)
                .expect("the format is supported"),
            list: DrawList::new(),
        };
        let tools = WgpuGizmo::new(device(), TextureFormat::Rgba8Unorm);
        let targets = [Target::from_world(Transform::from_translation(PIVOT_WORLD))];
        Self { tools: tools.expect("the render target is supported"), parts, targets, count: 0 }
    }

    /// Returns the result of counting or timing the calls of a frame.
    fn draw<T>(
        &mut self,
        view: &View,
        measure: impl FnOnce(&mut dyn FnMut()) -> T,
        calls: fn(&mut Self, &mut wgpu::CommandEncoder, &View) -> bool,
    ) -> T {
        let (sin, cos) = (f64::from(self.count) * 0.37).sin_cos();
        self.count += 1;
        let center = view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        self.tools.gizmo.pointer_moved(center + 50.0 * DVec2::new(cos, sin));
        let mut encoder = gpu().encoder();
        let mut needs_frame = false;
        let measured = measure(&mut || {
            needs_frame = calls(self, &mut encoder, view);
        });
        assert!(needs_frame, "the pointer moves in every frame");
        queue().submit([encoder.finish()]);
        gpu().wait();
        measured
    }
}

fn through_facade(
    Frames { tools, targets, .. }: &mut Frames,
    encoder: &mut wgpu::CommandEncoder,
    view: &View,
) -> bool {
    tools.update(view, targets).expect("the device is alive");
    tools.prepare(Frame::new(device(), queue(), encoder), view, |_, _, _| {}).expect("the device is alive");
    tools.needs_redraw(0)
}

fn by_hand(
    Frames { tools, parts, targets, .. }: &mut Frames,
    encoder: &mut wgpu::CommandEncoder,
    view: &View,
) -> bool {
    let Parts { picker, renderer, list } = parts;
    while let Some(answer) = picker.poll(device()).expect("the device is alive") {
        tools.gizmo.answer(&answer);
    }
    tools.gizmo.update(view, targets);
    if let Some(query) = picker.has_capacity().then(|| tools.gizmo.pick_query()).flatten() {
        tools.gizmo.draw(list.begin(&query.view));
        picker.encode(device(), queue(), encoder, &query, list, |_, _| {}).expect("the device is alive");
    }
    tools.gizmo.draw(list.begin(view));
    renderer.prepare(device(), queue(), list).expect("the device is alive");
    picker.is_pending() || tools.gizmo.needs_redraw(0)
}

#[test]
fn facade_allocates_like_its_parts() {
    let view = cases::named("reversed depth, infinite far").view;
    let [mut facade, mut parts] = [Frames::new(), Frames::new()];
    let with_facade = min_allocations(|| facade.draw(&view, |work| counted(work), through_facade));
    let with_parts = min_allocations(|| parts.draw(&view, |work| counted(work), by_hand));
    assert!(with_facade <= with_parts, "{with_facade} allocations per frame, {with_parts} by the parts");
}
