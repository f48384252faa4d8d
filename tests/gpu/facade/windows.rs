//! Several windows: one gizmo in all of them, or one gizmo in each.

use super::FRAMES;
use crate::common::device::gpu;
use crate::common::host::{BLACK, PLAIN, begin_pass, texture};
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::Views;
use wgpu_gizmo::{DrawList, Event, Target, Transform, View, Viewport, WgpuGizmo, wgpu};

/// World units. The pivot is 5 units away, and pixels are `f64`.
const TOLERANCE: f64 = 1e-9;

struct Window {
    view: View,
    color: wgpu::Texture,
}

/// Returns two windows of one size, with a camera each.
fn windows() -> Vec<Window> {
    let size = [320, 240];
    let window = |(key, eye): (u64, DVec3)| {
        let lens = perspective(0.8, 320.0 / 240.0, 0.1, 100.0);
        let viewport = Viewport::from_size(size[0], size[1]);
        let view = View::new(look_at_mat4(eye, DVec3::ZERO, DVec3::Y), lens, viewport, 1.0);
        let view = view.expect("the view is valid").with_key(key);
        Window { view, color: texture(size, PLAIN.format, 1) }
    };
    [(1, DVec3::new(2.0, 1.5, 5.0)), (2, DVec3::new(-3.0, 2.5, 4.0))].map(window).into()
}

struct Host {
    tools: WgpuGizmo,
    targets: [Target; 1],
    windows: Vec<Window>,
    /// The key of the window that the pointer entered last.
    pointer_in: u64,
    events: Vec<Event>,
}

impl Host {
    fn new(windows: Vec<Window>) -> Self {
        let mut host = Self {
            tools: WgpuGizmo::new(&gpu().device, PLAIN).expect("the render target is supported"),
            targets: [Target::from_world(Transform::IDENTITY)],
            pointer_in: windows[0].view.key(),
            windows,
            events: Vec::new(),
        };
        host.settle();
        host
    }

    /// Draws all windows in one submit.
    fn frame(&mut self) {
        let (device, queue) = (&gpu().device, &gpu().queue);
        let all: Vec<View> = self.windows.iter().map(|window| window.view).collect();
        let views = Views::from(&all).with_pointer_in(self.pointer_in);
        let events = self.tools.update(views, &mut self.targets).expect("the device is alive");
        self.events.extend(events);
        let mut encoder = gpu().encoder();
        let prepared = self.tools.prepare(Frame::new(device, queue, &mut encoder), &all, |_, _, _| {});
        prepared.expect("the device is alive");
        for window in &self.windows {
            let mut pass = begin_pass(&mut encoder, &window.color, BLACK);
            self.tools.render(&mut pass, &window.view);
        }
        queue.submit([encoder.finish()]);
        gpu().wait();
    }

    fn settle(&mut self) {
        for _ in 0..FRAMES {
            if self.windows.iter().all(|window| !self.tools.needs_redraw(window.view.key())) {
                return;
            }
            self.frame();
        }
        panic!("it still needs frames after {FRAMES}");
    }

    fn move_to(&mut self, window: usize, px: DVec2) {
        self.pointer_in = self.windows[window].view.key();
        self.tools.gizmo.pointer_moved(px);
        self.settle();
    }

    fn px(&self, window: usize, along_x: f64) -> DVec2 {
        let point_world = self.targets[0].local.translation + DVec3::X * along_x;
        self.windows[window].view.px_from_world(point_world).expect("the point is in front of the camera")
    }

    /// Returns the distance of a point on the x arrow from the pivot.
    fn arrow(&mut self, window: usize) -> f64 {
        let mut list = DrawList::new();
        self.tools.gizmo.draw(list.begin(&self.windows[window].view));
        let is_on = |along_x: &f64| {
            let id = list.pick(self.px(window, *along_x), 0.0);
            let handle = id.and_then(|id| self.tools.gizmo.handle_of(id));
            handle.is_some_and(|handle| handle.name() == "translate_x")
        };
        (1..100).map(|i| 0.02 * f64::from(i)).find(is_on).expect("the arrow is visible")
    }

    fn pictures(&self) -> Vec<Vec<[u8; 4]>> {
        self.windows.iter().map(|window| gpu().texels(&window.color)).collect()
    }

    /// Drags the x arrow in a window by one unit, without the release. Returns the last position of the pointer.
    fn drag(&mut self, window: usize) -> DVec2 {
        let along_x = self.arrow(window);
        let (from, to) = (self.px(window, along_x), self.px(window, along_x + 1.0));
        self.move_to(window, from);
        self.tools.gizmo.pointer_pressed();
        self.settle();
        let start = self.x();
        self.move_to(window, to);
        assert_eq!(self.tools.gizmo.dragging().map(|handle| handle.name()), Some("translate_x"));
        assert!((self.x() - start - 1.0).abs() < TOLERANCE, "{}", self.x() - start);
        to
    }

    fn release(&mut self) {
        self.tools.gizmo.pointer_released();
        self.settle();
    }

    fn x(&self) -> f64 {
        self.targets[0].local.translation.x
    }
}

#[test]
fn gizmo_in_two_windows_is_hovered_and_dragged_in_either() {
    let mut host = Host::new(windows());
    for (dragged, hovered) in [(0, 1), (1, 0)] {
        host.move_to(hovered, DVec2::ONE);
        let plain = host.pictures();
        let arrow = host.arrow(hovered);
        host.move_to(hovered, host.px(hovered, arrow));
        assert_eq!(host.tools.gizmo.hovered().map(|handle| handle.name()), Some("translate_x"));
        for (before, after) in plain.iter().zip(host.pictures()) {
            assert!(*before != after, "the hovered handle is highlighted in both windows");
        }
        host.drag(dragged);
        host.release();
        assert!(!host.tools.gizmo.is_active());
    }
    assert_eq!(host.events.iter().filter(|event| **event == Event::Ended { changed: true }).count(), 2);
}

#[test]
fn gizmo_per_window_moves_only_its_own_target() {
    let [mut first, mut second] = [0, 1].map(|index| Host::new(vec![windows().remove(index)]));
    first.drag(0);
    let arrow = second.arrow(0);
    second.move_to(0, second.px(0, arrow));
    assert!(second.tools.gizmo.hovered().is_some() && !second.tools.gizmo.is_active());
    // One window closes in its drag.
    drop(first);
    second.drag(0);
    second.release();
    assert_eq!(second.events.last(), Some(&Event::Ended { changed: true }));
}
