//! The facade: whole drags, and everything that can go wrong in a frame.

mod immediate;
mod trouble;
mod views;
mod windows;

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, gpu};
use crate::common::host::PLAIN;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::{Event, Target, Transform, WgpuGizmo, wgpu};

/// More frames than any query takes.
const FRAMES: usize = 200;

/// A host with one gizmo on one target.
struct Host {
    case: Case,
    tools: WgpuGizmo,
    targets: Vec<Target>,
    events: Vec<Event>,
    /// The calls of the closure that draws the host's objects.
    queries: usize,
}

/// The action of a host on the encoder of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Submits,
    Drops,
}

impl Host {
    fn new(gpu: &Gpu) -> Self {
        let case = cases::named("reversed depth, infinite far");
        let tools = WgpuGizmo::new(&gpu.device, PLAIN).expect("the render target is supported");
        let start = Transform { translation: PIVOT_WORLD, ..Transform::IDENTITY };
        Self { case, tools, targets: vec![Target::from_world(start)], events: Vec::new(), queries: 0 }
    }

    fn frame(&mut self, gpu: &Gpu, end: End) -> Result<(), GpuError> {
        let Gpu { device, queue } = gpu;
        let view = &self.case.view;
        self.events.extend(self.tools.update(view, &mut self.targets)?);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let queries = &mut self.queries;
        self.tools.prepare(Frame::new(device, queue, &mut encoder), view, |_, _, _| *queries += 1)?;
        let color = self.color(device);
        self.render(&mut encoder, &color);
        if end == End::Submits {
            queue.submit([encoder.finish()]);
            // A lost device has nothing to wait for.
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
        }
        Ok(())
    }

    fn color(&self, device: &wgpu::Device) -> wgpu::TextureView {
        let [width, height] = self.case.target;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("host"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: PLAIN.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    fn render(&self, encoder: &mut wgpu::CommandEncoder, color: &wgpu::TextureView) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("host"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        self.tools.render(&mut pass, &self.case.view);
    }

    /// Draws frames while the facade needs them; returns how many.
    fn settle(&mut self, gpu: &Gpu) -> usize {
        for frames in 0..FRAMES {
            if !self.tools.needs_redraw(0) {
                return frames;
            }
            self.frame(gpu, End::Submits).expect("the device is alive");
        }
        panic!("it still needs frames after {FRAMES}");
    }

    /// Returns a pixel of the handle.
    fn px_of(&self, name: &str) -> DVec2 {
        let [width, height] = self.case.target;
        let pixels =
            (0..height).flat_map(|y| (0..width).map(move |x| DVec2::new(f64::from(x), f64::from(y))));
        let list = self.tools.gpu.list(&self.case.view).expect("it was drawn");
        let is_on = |px: &DVec2| {
            let id = list.pick(*px + 0.5, 0.0);
            id.and_then(|id| self.tools.gizmo.handle_of(id)).is_some_and(|handle| handle.name() == name)
        };
        // Half the pixels of the handle are on each side.
        let found: Vec<_> = pixels.filter(is_on).collect();
        found[found.len() / 2] + 0.5
    }

    fn position(&self) -> DVec3 {
        self.targets[0].local.translation
    }

    fn names(&self) -> Vec<&'static str> {
        let name = |event: &Event| match event {
            Event::Started(_) => "started",
            Event::Changed(_) => "changed",
            Event::Ended { .. } => "ended",
            Event::Canceled => "canceled",
            _ => "other",
        };
        let mut names: Vec<_> = self.events.iter().map(name).collect();
        names.dedup();
        names
    }

    /// Presses the x arrow.
    fn press(&mut self, gpu: &Gpu) -> DVec2 {
        self.settle(gpu);
        let px = self.px_of("translate_x");
        self.tools.gizmo.pointer_moved(px);
        self.tools.gizmo.pointer_pressed();
        px
    }

    /// Moves on from the press and releases.
    fn finish(&mut self, gpu: &Gpu, from: DVec2) {
        self.settle(gpu);
        self.tools.gizmo.pointer_moved(from + DVec2::new(30.0, 20.0));
        self.tools.gizmo.pointer_released();
        self.settle(gpu);
    }
}

/// Returns the position after a drag of the x arrow without trouble.
fn expected_position() -> DVec3 {
    let mut host = Host::new(gpu());
    let from = host.press(gpu());
    host.finish(gpu(), from);
    host.position()
}

#[test]
fn drag_through_facade_moves_target_and_settles() {
    let mut host = Host::new(gpu());
    assert!(host.tools.needs_redraw(0), "nothing was drawn yet");
    let from = host.press(gpu());
    assert!(host.tools.needs_redraw(0), "the press waits");
    host.settle(gpu());
    assert_eq!(host.tools.gizmo.dragging().map(|handle| handle.name()), Some("translate_x"));
    host.finish(gpu(), from);
    let moved = host.position() - PIVOT_WORLD;
    assert!(moved.x.abs() > 0.05 && moved.y == 0.0 && moved.z == 0.0, "{moved}");
    assert_eq!(host.names(), ["started", "changed", "ended"]);
    assert!(host.queries >= 2, "a press and a hover ask about the host's objects");
    assert_eq!(host.settle(gpu()), 0, "nothing is pending");
}

#[test]
fn facade_strokes_readouts_unless_host_shows_text() {
    let over = |stroke_readouts: bool| {
        let mut host = Host::new(gpu());
        assert!(host.tools.gpu.stroke_readouts);
        host.tools.gpu.stroke_readouts = stroke_readouts;
        let from = host.press(gpu());
        host.settle(gpu());
        host.tools.gizmo.pointer_moved(from + DVec2::new(30.0, 20.0));
        host.settle(gpu());
        let list = host.tools.gpu.list(&host.case.view).expect("it was drawn");
        assert_eq!(list.readouts().count(), 1);
        list.guides()[1].len()
    };
    let added = over(true) - over(false);
    // Four vertices for the plate, and for each stroke of a text such as `X 0.512`.
    assert!((40..400).contains(&added), "{added} vertices");
}

#[test]
fn two_drags_within_one_frame_both_count() {
    for leaves_a_query in [false, true] {
        let mut host = Host::new(gpu());
        host.settle(gpu());
        let from = host.px_of("translate_x");
        if leaves_a_query {
            // The hover of the frame before is still in flight.
            host.tools.gizmo.pointer_moved(from + 3.0);
            host.frame(gpu(), End::Submits).expect("the device is alive");
        }
        for _ in 0..2 {
            host.tools.gizmo.pointer_moved(from);
            host.tools.gizmo.pointer_pressed();
            // Back to the press, where the arrow is for the second drag.
            host.tools.gizmo.pointer_moved(from + DVec2::new(30.0, 20.0));
            host.tools.gizmo.pointer_moved(from);
            host.tools.gizmo.pointer_released();
        }
        host.settle(gpu());
        assert_eq!(host.names(), ["started", "ended", "started", "ended"]);
    }
}

#[test]
fn frames_without_events_ask_nothing() {
    let mut host = Host::new(gpu());
    host.tools.gizmo.pointer_moved(DVec2::new(40.0, 40.0));
    host.settle(gpu());
    let queries = host.queries;
    assert!(queries > 0);
    for _ in 0..20 {
        host.frame(gpu(), End::Submits).expect("the device is alive");
        assert!(!host.tools.needs_redraw(0));
    }
    assert_eq!(host.queries, queries);
}

#[test]
fn needs_frame_stays_true_for_one_frame_after_events() {
    let mut host = Host::new(gpu());
    host.press(gpu());
    let mut frames_with_events = 0;
    for _ in 0..FRAMES {
        let count = host.events.len();
        host.frame(gpu(), End::Submits).expect("the device is alive");
        if host.events.len() > count {
            frames_with_events += 1;
            assert!(host.tools.needs_redraw(0));
        }
    }
    assert!(frames_with_events > 0 && !host.tools.needs_redraw(0));
}

#[test]
fn events_without_frames_wait_and_settle() {
    let mut host = Host::new(gpu());
    let from = host.press(gpu());
    for i in 0..10_000 {
        host.tools.gizmo.pointer_moved(from + DVec2::new(f64::from(i % 50), 3.0));
    }
    host.tools.gizmo.pointer_released();
    let frames = host.settle(gpu());
    println!("{frames} frames");
    assert!(host.tools.gizmo.dragging().is_none() && !host.tools.gizmo.is_busy());
}

#[test]
fn two_facades_drag_only_their_own_target() {
    let mut hosts = [Host::new(gpu()), Host::new(gpu())];
    let side = Transform { translation: PIVOT_WORLD + DVec3::new(0.0, -0.6, 0.0), ..Transform::IDENTITY };
    hosts[1].targets = vec![Target::from_world(side)];
    hosts.iter_mut().for_each(|host| _ = host.settle(gpu()));
    let from = hosts[0].px_of("translate_x");
    let is_both =
        hosts[1].tools.gpu.list(&hosts[1].case.view).expect("it was drawn").pick(from, 5.0).is_some();
    assert!(!is_both, "the gizmos are apart");
    for step in 0..3 {
        for host in &mut hosts {
            let gizmo = &mut host.tools.gizmo;
            gizmo.pointer_moved(from + DVec2::splat(15.0) * f64::from(step));
            match step {
                0 => gizmo.pointer_pressed(),
                2 => gizmo.pointer_released(),
                _ => {}
            }
            host.settle(gpu());
        }
    }
    assert_ne!(hosts[0].position(), PIVOT_WORLD);
    assert_eq!(hosts[1].targets[0].local, side);
    assert_eq!(hosts[1].names(), [""; 0]);
}
