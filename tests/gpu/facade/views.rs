//! The GPU half with several views and several gizmos, also on a device that is lost.

use crate::common::prelude::*;
use wgpu_gizmo::glam::dcamera::rh::proj::directx::perspective;

const SIZE: [u32; 2] = [640, 240];

/// Returns the views of the left and the right half of a picture, with keys or without.
fn halves(keys: [u64; 2]) -> [View; 2] {
    let eyes = [DVec3::new(2.0, 1.5, 7.0), DVec3::new(-3.0, 2.5, 6.0)];
    std::array::from_fn(|index| {
        let viewport = Viewport { x: 320.0 * index as f64, y: 0.0, width: 320.0, height: 240.0 };
        let lens = perspective(0.8, 320.0 / 240.0, 0.1, 100.0);
        cases::view([eyes[index], DVec3::ZERO], lens, viewport, 1.0).with_key(keys[index])
    })
}

/// Two gizmos of one id space, each with an object, and a GPU half.
struct Host {
    gizmos: [Gizmo; 2],
    objects: [Transform; 2],
    views: [View; 2],
    gpu: GizmoGpu,
    events: [Vec<Event>; 2],
}

impl Host {
    fn new(keys: [u64; 2]) -> Self {
        let mut ids = IdSpace::new();
        let at = |x: f64| Transform::from_translation(DVec3::X * x);
        // Wgpu would panic if a view had other attachments than those of its key.
        let other = TargetState { format: wgpu::TextureFormat::Rgba16Float, ..PLAIN };
        let mut gizmo_gpu = GizmoGpu::new(device(), other).expect("the render target is supported");
        for key in keys {
            gizmo_gpu.set_target(key, PLAIN).expect("the render target is supported");
        }
        Self {
            gizmos: [(); 2].map(|()| Gizmo::new(&mut ids).expect("ids are free")),
            objects: [at(-1.5), at(1.5)],
            views: halves(keys),
            gpu: gizmo_gpu,
            events: [Vec::new(), Vec::new()],
        }
    }

    /// Draws these views in one submit, each in a pass of its own. Returns the picture.
    fn frame(&mut self, shown: &[View]) -> Vec<[u8; 4]> {
        let Self { gizmos, objects, views, gpu: half, events } = self;
        half.receive(gizmos.as_mut_slice()).expect("the device is alive");
        for ((gizmo, object), events) in gizmos.iter_mut().zip(objects).zip(events) {
            events.extend(gizmo.update_one(Views::from(&*views), object));
        }
        let mut encoder = gpu().encoder();
        let frame = Frame::new(device(), queue(), &mut encoder);
        let prepared = half.prepare(frame, gizmos.as_mut_slice(), shown, |_, _, _, _| {});
        prepared.expect("the device is alive");
        self.render(encoder, shown)
    }

    /// Draws what is prepared of these views, and submits it.
    fn render(&self, mut encoder: wgpu::CommandEncoder, shown: &[View]) -> Vec<[u8; 4]> {
        let picture = texture(SIZE, PLAIN.format, 1);
        for (index, view) in shown.iter().enumerate() {
            let load = if index == 0 { BLACK } else { wgpu::LoadOp::Load };
            self.gpu.render(&mut begin_pass(&mut encoder, &picture, load), view);
        }
        queue().submit([encoder.finish()]);
        gpu().texels(&picture)
    }

    fn settle(&mut self) {
        let views = self.views;
        for _ in 0..super::FRAMES {
            if !views.iter().any(|view| self.gpu.needs_redraw(self.gizmos.as_slice(), view.key())) {
                return;
            }
            self.frame(&views);
        }
        panic!("it still needs frames");
    }

    fn all(&mut self, input: impl FnMut(&mut Gizmo)) {
        self.gizmos.iter_mut().for_each(input);
    }

    /// Presses the arrow of the second gizmo in a view.
    fn press(&mut self, view: usize) -> DVec2 {
        self.settle();
        let at =
            self.gizmos[1].handle_px(&self.views[view], handle("translate_x")).expect("the arrow is visible");
        self.all(|gizmo| gizmo.pointer_moved(at));
        self.all(Gizmo::pointer_pressed);
        at
    }

    fn release(&mut self, at: DVec2) {
        self.settle();
        self.all(|gizmo| gizmo.pointer_moved(at + DVec2::new(20.0, 0.0)));
        self.all(Gizmo::pointer_released);
        self.settle();
    }
}

/// Each view of a submit has the pixels that it has alone, also if keys are equal.
#[test]
fn views_of_one_submit_do_not_disturb_each_other() {
    for keys in [[1, 2], [0, 0]] {
        let mut host = Host::new(keys);
        host.settle();
        let views = host.views;
        let both = host.frame(&views);
        for (index, view) in views.iter().enumerate() {
            let mut alone = Host::new(keys);
            alone.settle();
            let alone = alone.frame(&[*view]);
            let columns = 320 * index..320 * (index + 1);
            let half = |texels: &[[u8; 4]]| {
                texels
                    .chunks(SIZE[0] as usize)
                    .flat_map(|row| row[columns.clone()].to_vec())
                    .collect::<Vec<_>>()
            };
            assert!(half(&both) == half(&alone), "view {index}, keys {keys:?}");
            assert!(half(&both).iter().any(|texel| texel[0] > 100), "something is drawn");
        }
    }
}

/// The depth of one view hides its handles only, and a refused one keeps no view from being drawn.
#[test]
fn depth_of_view_changes_no_other_view() {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = texture_on(device(), SIZE, (wgpu::TextureFormat::Depth32Float, 1), usage);
    let texture = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder = gpu().encoder();
    // A surface at the near plane hides everything.
    let at_near_plane = wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store };
    drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &texture,
            depth_ops: Some(at_near_plane),
            stencil_ops: None,
        }),
        ..Default::default()
    }));
    queue().submit([encoder.finish()]);
    let hides = SceneDepth::new(&texture, DepthDirection::Standard);
    let refused = SceneDepth::new(&texture, DepthDirection::Reversed);
    let mut host = Host::new([1, 2]);
    host.gpu = GizmoGpu::new(device(), PLAIN).expect("the render target is supported");
    host.all(|gizmo| gizmo.settings.display.depth_style = DepthStyle::Hidden);
    host.settle();
    for (depths, are_shown, is_refused) in [
        (vec![(1, hides)], [false, true], false),
        (vec![(2, hides)], [true, false], false),
        (vec![(1, refused)], [true, true], true),
        (vec![(1, refused), (2, hides)], [true, false], true),
        (vec![], [true, true], false),
    ] {
        // Nothing is left of the frame before.
        host.gpu.remove_view(1);
        host.gpu.remove_view(2);
        let mut encoder = gpu().encoder();
        let frame = Frame::new(device(), queue(), &mut encoder).with_depths(&depths);
        let prepared = host.gpu.prepare(frame, host.gizmos.as_mut_slice(), &host.views, |_, _, _, _| {});
        assert_eq!(matches!(prepared, Err(GpuError::SceneDepth(_))), is_refused, "{prepared:?}");
        let picture = host.render(encoder, &host.views);
        let is_shown = |half: usize| {
            let mut rows = picture.chunks(SIZE[0] as usize);
            rows.any(|row| row[320 * half..320 * (half + 1)].iter().any(|texel| texel[0] > 100))
        };
        assert_eq!([0, 1].map(is_shown), are_shown, "{depths:?}");
    }
}

/// A host that compares lists draws them itself.
#[test]
fn list_that_host_has_drawn_gives_same_picture() {
    let mut host = Host::new([1, 2]);
    // As two windows of one size: only the key tells their lists apart.
    let [first, second] = host.views;
    let view = View::from_clip_from_world(second.clip_from_world(), first.viewport(), 1.0);
    host.views[1] = view.expect("the view is valid").with_key(2);
    host.settle();
    let views = host.views;
    let expected = host.frame(&views);
    host.gpu = GizmoGpu::new(device(), PLAIN).expect("the render target is supported");
    let mut encoder = gpu().encoder();
    for view in &views {
        let mut list = DrawList::new();
        host.gizmos.as_mut_slice().draw(list.begin(view));
        assert_eq!(host.gpu.list(view), None);
        let prepared = host.gpu.prepare_list(Frame::new(device(), queue(), &mut encoder), &list);
        prepared.expect("the device is alive");
        assert_eq!(host.gpu.list(view), Some(&list));
    }
    assert!(host.render(encoder, &views) == expected);
}

#[test]
fn query_of_host_is_answered_to_host_alone() {
    let mut host = Host::new([1, 2]);
    host.settle();
    let Host { gizmos, views, gpu: half, .. } = &mut host;
    let at = gizmos[1].handle_px(&views[0], handle("translate_x")).expect("the arrow is visible");
    let query = PickQuery::new(&views[0], at, 0.0);
    let mut drawn_with = 0;
    let answer = half.pick(queue(), gizmos.as_mut_slice(), &query, |gizmos, _, drawn, _| {
        assert_eq!(*drawn, query);
        drawn_with = gizmos.len();
    });
    let PickOutcome::Hit(hit) = answer.expect("the device is alive").outcome else {
        panic!("the arrow is there");
    };
    assert_eq!((gizmos[1].handle_of(hit.id), drawn_with), (Some(handle("translate_x")), 2));
    assert_eq!(gizmos[1].hovered(), None);
}

#[test]
fn second_of_two_gizmos_is_dragged_in_either_view() {
    let mut host = Host::new([1, 2]);
    for view in [0, 1] {
        let start = host.objects;
        let at = host.press(view);
        // The press is asked about again after a lost device.
        host.gpu.rebuild(device(), host.gizmos.as_mut_slice()).expect("the device is alive");
        host.release(at);
        assert!(!host.gizmos.as_slice().is_busy());
        assert_eq!(host.objects[0], start[0], "the other gizmo has only seen a press on something else");
        assert_ne!(host.objects[1], start[1]);
        assert_eq!(host.events[1].last(), Some(&Event::Ended { changed: true }));
    }
    assert!(!host.events[0].iter().any(|event| matches!(event, Event::Started(_))));
}

/// Gizmos that are updated with different views displace each other's queries. That must not take forever.
#[test]
fn settling_gizmos_of_different_views_ends() {
    let mut host = Host::new([1, 2]);
    let at = DVec2::new(400.0, 120.0);
    host.all(|gizmo| gizmo.pointer_moved(at));
    for ((gizmo, object), view) in host.gizmos.iter_mut().zip(&mut host.objects).zip(&host.views) {
        let whole = Viewport { x: 0.0, width: 640.0, ..view.viewport() };
        let matrix = view.clip_from_world();
        let view = View::from_clip_from_world(matrix, whole, 1.0).expect("the view is valid");
        gizmo.update_one(&view.with_key(gizmo.ids().first().get().into()), object);
    }
    let mut queries = 0;
    let settled = host.gpu.settle(queue(), host.gizmos.as_mut_slice(), |_, _, _, _| queries += 1);
    settled.expect("the device is alive");
    assert_eq!(queries, 64, "they would go on");
}

/// Wgpu would panic if the pipelines of a view had other attachments than its pass.
#[test]
fn attachments_outlast_rebuilds_and_views_of_many_other_keys() {
    for keys in [[3, 3], [1, 2]] {
        let mut host = Host::new(keys);
        host.gpu.stroke_readouts = false;
        let views = host.views;
        let draw = |host: &mut Host| {
            host.settle();
            host.frame(&views)
        };
        let before = draw(&mut host);
        for _ in 0..2 {
            host.gpu.rebuild(device(), host.gizmos.as_mut_slice()).expect("the device is alive");
            assert!(draw(&mut host) == before, "both views look as before");
        }
        assert!(!host.gpu.stroke_readouts);
        for key in 100..300 {
            let mut encoder = gpu().encoder();
            let frame = Frame::new(device(), queue(), &mut encoder);
            let other = views[0].with_key(key);
            let prepared = host.gpu.prepare(frame, host.gizmos.as_mut_slice(), &other, |_, _, _, _| {});
            prepared.expect("the device is alive");
            queue().submit([encoder.finish()]);
        }
        assert!(draw(&mut host) == before, "both views look as before");
    }
}
