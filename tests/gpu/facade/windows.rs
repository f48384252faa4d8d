//! Two windows of one size, which share pixel coordinates, with one gizmo in both.

use super::FRAMES;
use crate::common::device::{Gpu, gpu};
use crate::common::host::{BLACK, PLAIN, begin_pass, texture};
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::Views;
use wgpu_gizmo::{Event, HandleId, Target, Transform, View, Viewport, WgpuGizmo, wgpu};

const SIZE: [u32; 2] = [320, 240];

struct Host {
    tools: WgpuGizmo,
    targets: [Target; 1],
    views: [View; 2],
    colors: [wgpu::Texture; 2],
    /// The key of the window that the pointer entered last.
    pointer_in: u64,
    events: Vec<Event>,
}

impl Host {
    fn new() -> Self {
        let view = |(key, eye): (u64, DVec3)| {
            let lens = perspective(0.8, 320.0 / 240.0, 0.1, 100.0);
            let viewport = Viewport::from_size(SIZE[0], SIZE[1]);
            let view = View::new(look_at_mat4(eye, DVec3::ZERO, DVec3::Y), lens, viewport, 1.0);
            view.expect("the view is valid").with_key(key)
        };
        let mut host = Self {
            tools: WgpuGizmo::new(&gpu().device, PLAIN).expect("the render target is supported"),
            targets: [Target::from_world(Transform::IDENTITY)],
            views: [(1, DVec3::new(2.0, 1.5, 5.0)), (2, DVec3::new(-3.0, 2.5, 4.0))].map(view),
            colors: [(); 2].map(|()| texture(SIZE, PLAIN.format, 1)),
            pointer_in: 1,
            events: Vec::new(),
        };
        host.settle();
        host
    }

    /// Draws both windows in one submit, while a frame is needed.
    fn settle(&mut self) {
        let Gpu { device, queue } = gpu();
        for _ in 0..FRAMES {
            if self.views.iter().all(|view| !self.tools.needs_redraw(view.key())) {
                return;
            }
            let views = Views::from(&self.views).with_pointer_in(self.pointer_in);
            let events = self.tools.update(views, &mut self.targets).expect("the device is alive");
            self.events.extend(events);
            let mut encoder = gpu().encoder();
            let frame = Frame::new(device, queue, &mut encoder);
            let prepared = self.tools.prepare(frame, &self.views, |_, _, _| {});
            prepared.expect("the device is alive");
            for (view, color) in self.views.iter().zip(&self.colors) {
                self.tools.render(&mut begin_pass(&mut encoder, color, BLACK), view);
            }
            queue.submit([encoder.finish()]);
            gpu().wait();
        }
        panic!("it still needs frames after {FRAMES}");
    }

    fn move_to(&mut self, window: usize, px: DVec2) {
        self.pointer_in = self.views[window].key();
        self.tools.gizmo.pointer_moved(px);
        self.settle();
    }

    fn pictures(&self) -> [Vec<[u8; 4]>; 2] {
        self.colors.each_ref().map(|color| gpu().texels(color))
    }
}

#[test]
fn gizmo_in_two_windows_is_hovered_and_dragged_in_either() {
    let mut host = Host::new();
    let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
    for (dragged, hovered) in [(0, 1), (1, 0)] {
        host.move_to(hovered, DVec2::ONE);
        let plain = host.pictures();
        let [from, at] = [dragged, hovered].map(|window| {
            let px = host.tools.gizmo.handle_px(&host.views[window], arrow);
            px.expect("the arrow is visible")
        });
        host.move_to(hovered, at);
        assert_eq!(host.tools.gizmo.hovered(), Some(arrow));
        for (before, after) in plain.iter().zip(host.pictures()) {
            assert!(*before != after, "the hovered handle is highlighted in both windows");
        }
        let start = host.targets[0].local.translation;
        host.move_to(dragged, from);
        host.tools.gizmo.pointer_pressed();
        // The press is asked about again after a lost device.
        host.tools.rebuild(&gpu().device).expect("the device is alive");
        host.move_to(dragged, from + DVec2::new(30.0, 0.0));
        assert_eq!(host.tools.gizmo.dragging(), Some(arrow));
        // The pressed point stays under the pointer, along the axis as it is drawn in this window.
        let moved = host.targets[0].local.translation;
        let [a, b] = [start, moved].map(|point| {
            host.views[dragged].px_from_world(point).expect("the point is in front of the camera")
        });
        assert!((b - a).x > 10.0 && moved.with_x(0.0) == start.with_x(0.0), "{a} {b}");
        host.tools.gizmo.pointer_released();
        host.settle();
        assert!(!host.tools.gizmo.is_active());
    }
    assert_eq!(host.events.iter().filter(|event| **event == Event::Ended { changed: true }).count(), 2);
}
