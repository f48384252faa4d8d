//! The facade: whole drags, and everything that can go wrong in a frame.

mod immediate;
mod sessions;
mod trouble;
mod views;

use crate::common::prelude::*;

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
        let start = Transform::from_translation(PIVOT_WORLD);
        Self { case, tools, targets: vec![Target::from_world(start)], events: Vec::new(), queries: 0 }
    }

    fn frame(&mut self, gpu: &Gpu, end: End) -> Result<(), GpuError> {
        let Gpu { device, queue } = gpu;
        let view = &self.case.view;
        self.events.extend(self.tools.update(view, &mut self.targets)?);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let queries = &mut self.queries;
        self.tools.prepare(Frame::new(device, queue, &mut encoder), view, |_, _, _| *queries += 1)?;
        self.render(&mut encoder, &self.color(device));
        if end == End::Submits {
            queue.submit([encoder.finish()]);
            // A lost device has nothing to wait for.
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
        }
        Ok(())
    }

    fn color(&self, device: &wgpu::Device) -> wgpu::Texture {
        texture_on(device, self.case.target, (PLAIN.format, 1), wgpu::TextureUsages::RENDER_ATTACHMENT)
    }

    fn render(&self, encoder: &mut wgpu::CommandEncoder, color: &wgpu::Texture) {
        self.tools.render(&mut begin_pass(encoder, color, BLACK), &self.case.view);
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
    fn px_of(&mut self, name: &str) -> DVec2 {
        self.tools.gizmo.handle_px(&self.case.view, handle(name)).expect("it can be grabbed")
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
    let mut snaps = |pivot: DVec3| Some(DVec3 { x: 7.0, ..pivot });
    host.tools.gizmo.pointer_moved(from + DVec2::X * 20.0);
    let options = UpdateOptions::default().with_snap_hook(&mut snaps);
    host.tools.update_with(&host.case.view, &mut host.targets, options).expect("the device is alive");
    assert!((host.position().x - 7.0).abs() < 1e-9, "{}", host.position());
    host.finish(gpu(), from);
    let moved = host.position() - PIVOT_WORLD;
    assert!(moved.x.abs() > 0.05 && moved.y == 0.0 && moved.z == 0.0, "{moved}");
    assert_eq!(host.names(), ["started", "changed", "ended"]);
    assert!(host.queries >= 2, "a press and a hover ask about the host's objects");
    assert_eq!(host.settle(gpu()), 0, "nothing is pending");
    host.tools.gizmo.scene_changed();
    assert!(host.tools.needs_redraw(0), "something else may be under the pointer");
}

#[test]
fn settle_waits_for_query_of_submitted_frame() {
    let mut host = Host::new(gpu());
    host.settle(gpu());
    let (px, Gpu { device, queue }) = (host.px_of("translate_x"), gpu());
    for round in 0..20 {
        host.tools.gizmo.pointer_moved(px + DVec2::splat(f64::from(round % 2)));
        host.tools.update(&host.case.view, &mut host.targets).expect("the device is alive");
        let mut encoder = gpu().encoder();
        let frame = Frame::new(device, queue, &mut encoder);
        host.tools.prepare(frame, &host.case.view, |_, _, _| {}).expect("the device is alive");
        queue.submit([encoder.finish()]);
        host.tools.settle(queue, |_, _, _| {}).expect("the device is alive");
        assert!(!host.tools.gpu.picker().is_pending(), "round {round}");
        assert_eq!(host.tools.gizmo.hovered().map(|handle| handle.name()), Some("translate_x"));
    }
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
