//! Problems reported to the trackers of other picking projects that no other file here tests.
//! docs/picking.md lists all of them.
#![expect(clippy::disallowed_types, reason = "measures how long a driver waits")]

use crate::common::cases::{self, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu, id, id_of, picker};
use crate::common::objects::{Host, facing};
use std::num::NonZeroU32;
use std::time::Instant;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::{IdImage, Picker};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::{DrawIds, RegionPicker, RegionQuery, ViewPart};
use wgpu_gizmo::{DrawList, PickOutcome, PickQuery, View, Viewport, wgpu};

fn pick(picker: &mut Picker, query: &PickQuery, list: &DrawList, host: Option<&Host>) -> u32 {
    let answer = gpu().pick(picker, query, list, |pass, clip_from_clip| {
        if let Some(host) = host {
            host.draw(pass, clip_from_clip);
        }
    });
    id_of(answer.outcome)
}

#[test]
fn frame_never_waits_for_busy_gpu() {
    // A poll that waits takes as long as the answer every time; one that does not may be interrupted.
    assert!((0..5).any(|_| poll_returns_before_answer()), "each poll took as long as the answer");
}

/// Polls while the GPU is busy, and returns true if the poll took much less time than the answer.
fn poll_returns_before_answer() -> bool {
    let case = cases::named("right-handed perspective");
    let Gpu { device, queue } = gpu();
    let wall = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 4_000.0), id(6))]);
    let large = View::from_clip_from_world(case.view.clip_from_world(), Viewport::from_size(2048, 2048), 1.0);
    let large = large.expect("the view is valid");
    let busy = Host::new(&large, wall.triangles.clone());
    let mut image = IdImage::new(device, 2048, 2048).expect("the size is supported");
    let mut encoder = gpu().encoder();
    image
        .encode(device, queue, &mut encoder, &large, &DrawList::new(), |pass, clip_from_clip| {
            (0..150).for_each(|_| busy.draw(pass, clip_from_clip));
        })
        .expect("the list is for this view");
    queue.submit([encoder.finish()]);
    let (mut picker, mut encoder) = (picker(), gpu().encoder());
    let query = PickQuery::new(&case.view, DVec2::new(100.0, 100.0), 0.0);
    picker
        .encode(device, queue, &mut encoder, &query, &DrawList::new(), |pass, clip_from_clip| {
            wall.draw(pass, clip_from_clip);
        })
        .expect("a slot is free");
    queue.submit([encoder.finish()]);
    let start = Instant::now();
    let mut answer = picker.poll(device).expect("the device is alive");
    let polled = start.elapsed();
    // Hosts should keep drawing while an answer is pending. Some browsers finish a map only when
    // something is submitted after it.
    let mut frames = 0;
    while picker.is_pending() {
        queue.submit([gpu().encoder().finish()]);
        answer = answer.or(picker.poll(device).expect("the device is alive"));
        frames += 1;
        assert!(frames < 50_000_000, "the answer never arrives");
    }
    let answered = start.elapsed();
    println!("a poll took {polled:?}; answered after {answered:?} and {frames} frames");
    let answer = answer.expect("the query was answered");
    assert_eq!(answer.query, query);
    assert!(matches!(answer.outcome, PickOutcome::Hit(hit) if hit.id == id(6)), "{answer:?}");
    gpu().wait();
    // A GPU may be so fast that the first poll has the answer.
    frames == 0 || polled < answered / 4
}

#[test]
fn every_pixel_is_picked_from_anywhere_inside() {
    // Odd and even heights, at the top of the render target and with an offset.
    let clip_from_world = cases::named("orthographic").view.clip_from_world();
    for (y, height) in [(0.0, 41.0), (7.0, 40.0)] {
        let viewport = Viewport { x: 5.0, y, width: 37.0, height };
        let view = View::from_clip_from_world(clip_from_world, viewport, 1.0).expect("the view is valid");
        let point = |px: DVec2| view.unproject(px, 0.5).expect("the point is in front of the camera");
        for along_x in [false, true] {
            // A stripe per row or per column, exactly from edge to edge.
            let (first, count) = if along_x { (5, 37) } else { (y as i64, height as i64) };
            let stripe = |n: i64| {
                let (low, high) = ((first + n) as f64, (first + n + 1) as f64);
                let corner = |across: f64, along: f64| {
                    point(if along_x { DVec2::new(across, along) } else { DVec2::new(along, across) })
                };
                let [a, b, c, d] =
                    [corner(low, -9.0), corner(high, -9.0), corner(low, 99.0), corner(high, 99.0)];
                [([a, b, c], id(100 + n as u32)), ([c, b, d], id(100 + n as u32))]
            };
            let host = Host::new(&view, (0..count).flat_map(stripe).collect());
            let mut picker = picker();
            for n in 0..count {
                for within in [0.0, 0.25, 0.5, 0.999] {
                    let across = (first + n) as f64 + within;
                    let px = if along_x { DVec2::new(across, y + 3.7) } else { DVec2::new(9.2, across) };
                    let query = PickQuery::new(&view, px, 0.0);
                    let found = pick(&mut picker, &query, &DrawList::new(), Some(&host));
                    assert_eq!(found, 100 + n as u32, "{px}, along x: {along_x}");
                }
            }
        }
    }
}

/// Counts the objects that are drawn.
struct Counting<'a> {
    host: &'a Host,
    drawn: usize,
}

impl DrawIds for Counting<'_> {
    fn draw_ids(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>) {
        self.drawn += self.host.triangles.len();
        self.host.draw_ids(pass, part);
    }

    fn prepare_singly(&mut self, part: &ViewPart<'_>) -> Vec<NonZeroU32> {
        self.host.prepare_singly(part)
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>, index: u32) {
        self.drawn += 1;
        self.host.draw_one(pass, part, index);
    }
}

#[test]
fn drill_pick_draws_each_layer_once() {
    let case = cases::named("reversed depth, finite far");
    let back = case.view.direction_to(PIVOT_WORLD);
    let triangles = (0..220u32).map(|layer| {
        let at: DVec3 = PIVOT_WORLD + back * (0.02 * f64::from(layer));
        (facing(&case.view, at, 50.0), id(layer + 1))
    });
    let host = Host::with_depth(&case.view, triangles.collect(), RegionPicker::depth_stencil());
    let Gpu { device, queue } = gpu();
    let mut regions = RegionPicker::new(device).expect("the device is alive");
    let center = case.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
    let region = &Region::Rectangle([center - 4.0, center + 4.0]);
    let query = RegionQuery { view: &case.view, target_px: case.target, region, with_occluded: true };
    let mut objects = Counting { host: &host, drawn: 0 };
    let mut encoder = gpu().encoder();
    regions.encode(device, queue, &mut encoder, query, &mut objects).expect("the region is supported");
    let found = regions.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
    assert_eq!(found, (1..=220).map(id).collect::<Vec<_>>());
    assert_eq!(objects.drawn, 220);
    gpu().wait();
}
