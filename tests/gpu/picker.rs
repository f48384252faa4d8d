//! The picker: exact answers that belong to their queries, whatever happens to the frames.

use crate::common::cases::{self, Case};
use crate::common::device::{Gpu, TIMEOUT, TileMode, gpu, id_of, picker};
use crate::common::host::PLAIN;
use crate::common::{MODES, list};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, IdTexels, Picker};
use wgpu_gizmo::scene::{Outline, PickBatch, PickScene};
use wgpu_gizmo::{DrawList, Mode, PickAnswer, PickOutcome, PickQuery, View, Viewport, wgpu};

fn query_at(case: &Case, cursor_px: DVec2, radius_px: f64, sequence: u64) -> PickQuery {
    let mut query = PickQuery::new(&case.view, cursor_px, radius_px);
    query.sequence = sequence;
    query
}

fn ask(picker: &mut Picker, query: &PickQuery, list: &DrawList) -> PickOutcome {
    let answer = gpu().pick(picker, query, list, |_, _| {});
    assert_eq!(answer.query, *query);
    answer.outcome
}

/// Returns one inner pixel per id, which is roughly the middle one of its pixels.
fn one_pixel_per_id(image: &IdTexels) -> Vec<(u32, DVec2)> {
    let mut ids: Vec<u32> = image.ids.iter().copied().filter(|id| *id != 0).collect();
    ids.sort_unstable();
    ids.dedup();
    let pixel = |id: u32| {
        let indices: Vec<usize> = (0..image.ids.len()).filter(|i| image.ids[*i] == id).collect();
        let index = indices[indices.len() / 2];
        let (x, y) = (index % image.width as usize, index / image.width as usize);
        (id, DVec2::new(x as f64 + 0.5, y as f64 + 0.5))
    };
    ids.into_iter().map(pixel).collect()
}

fn submit(encoder: wgpu::CommandEncoder) {
    gpu().queue.submit([encoder.finish()]);
}

/// Polls as a frame loop does, until `count` answers have arrived.
fn answers(picker: &mut Picker, count: usize) -> Vec<PickAnswer> {
    let mut found = Vec::new();
    for _ in 0..1_000_000 {
        while let Some(answer) = picker.poll(&gpu().device).expect("the device is alive") {
            found.push(answer);
        }
        if found.len() >= count {
            break;
        }
    }
    assert_eq!(found.len(), count);
    found
}

#[test]
fn exact_pick_equals_full_frame_in_every_view() {
    for tile_mode in [TileMode::Shifted, TileMode::Cropped] {
        let mut picker = tile_mode.picker(&gpu().device);
        for case in cases::all() {
            for mode in MODES {
                let list = list(&case, mode);
                let image = gpu().id_image(case.target, &case.view, &list);
                for (sequence, (id, px)) in one_pixel_per_id(&image).into_iter().enumerate() {
                    let outcome = ask(&mut picker, &query_at(&case, px, 0.0, sequence as u64), &list);
                    assert_eq!(id_of(outcome), id, "{}, {mode:?} at {px}, {tile_mode:?}", case.name);
                    let PickOutcome::Hit(hit) = outcome else { panic!("{px} is on {id}") };
                    assert_eq!(hit.pixel, (px.x.floor() as i64, px.y.floor() as i64));
                    let point = hit.position_world.expect("the depth is finite");
                    let back = case.view.px_from_world(point).expect("the point is in front of the camera");
                    assert!(back.distance(px) < 0.01, "{}: {point} is seen at {back}, not {px}", case.name);
                }
            }
        }
    }
}

#[test]
fn tolerant_pick_follows_rule() {
    let mut picker = picker();
    let mut random = fastrand::Rng::with_seed(5);
    for case in cases::all() {
        let list = list(&case, *random.choice(&MODES).expect("the list is not empty"));
        let image = gpu().id_image(case.target, &case.view, &list);
        let size = case.target.map(|n| n as usize);
        for sequence in 0..12 {
            let radius_px = *random.choice(&[5.0, 16.0, 22.0, 63.0, 1e9]).expect("the list is not empty");
            let half = if radius_px > 16.0 { 63 } else { 16 };
            // The tile must be inside the image.
            let inside = |n: usize, random: &mut fastrand::Rng| random.usize(half..n - half);
            let (x, y) = (inside(size[0], &mut random), inside(size[1], &mut random));
            let px = DVec2::new(x as f64 + 0.25, y as f64 + 0.75);
            if !case.view.viewport().contains(px) {
                continue;
            }
            let query = query_at(&case, px, radius_px, sequence);
            let expected = image.pick(&query, &list);
            let pixel = |outcome: PickOutcome| match outcome {
                PickOutcome::Hit(hit) => Some((hit.id, hit.pixel)),
                _ => None,
            };
            let found = ask(&mut picker, &query, &list);
            assert_eq!(pixel(found), pixel(expected), "{}: {px}, {radius_px}", case.name);
        }
    }
}

#[test]
fn cursor_outside_viewport_misses_without_gpu() {
    let mut picker = picker();
    for case in cases::all() {
        let list = list(&case, Mode::Translate);
        let v = case.view.viewport();
        let last = DVec2::new(v.x + v.width - 0.01, v.y + v.height - 0.01);
        for inside in [DVec2::new(v.x, v.y), last] {
            assert_eq!(id_of(ask(&mut picker, &query_at(&case, inside, 60.0, 0), &DrawList::new())), 0);
        }
        let outside = [
            DVec2::new(v.x - 0.01, v.y + 5.0),
            DVec2::new(v.x + v.width, v.y + 5.0),
            DVec2::NAN,
            DVec2::new(f64::INFINITY, 5.0),
            DVec2::splat(-1e300),
        ];
        for (sequence, px) in outside.into_iter().enumerate() {
            let Gpu { device, queue } = gpu();
            let mut encoder = gpu().encoder();
            let query = query_at(&case, px, 5.0, sequence as u64);
            let result = picker.encode(device, queue, &mut encoder, &query, &list, |_, _| {
                panic!("no objects are drawn for a cursor outside")
            });
            result.expect("a slot is free");
            // The answer is available at once, with nothing submitted.
            let answer =
                picker.poll(device).expect("the device is alive").expect("the answer is available at once");
            assert_eq!(answer.outcome, PickOutcome::Nothing);
            assert_eq!(answer.query.sequence, sequence as u64);
        }
    }
}

#[test]
fn full_ring_is_reported_and_answers_carry_queries() {
    let case = cases::named("right-handed perspective");
    let lists = [Mode::Translate, Mode::Rotate, Mode::Scale].map(|mode| list(&case, mode));
    let (mut picker, Gpu { device, queue }) = (picker(), gpu());
    let mut encoder = gpu().encoder();
    let mut expected = Vec::new();
    for (sequence, list) in lists.iter().enumerate() {
        let image = gpu().id_image(case.target, &case.view, list);
        let (id, px) = one_pixel_per_id(&image)[1];
        assert!(picker.has_capacity());
        // Three queries about three lists in one command buffer.
        let query = query_at(&case, px, 0.0, sequence as u64);
        picker.encode(device, queue, &mut encoder, &query, list, |_, _| {}).expect("a slot is free");
        expected.push((query, id));
    }
    assert!(!picker.has_capacity() && picker.is_pending());
    let one_more = picker.encode(device, queue, &mut encoder, &expected[0].0, &lists[0], |_, _| {});
    assert_eq!(one_more, Err(GpuError::RingFull));
    submit(encoder);
    // The refused query is answered as well, after those before it.
    let mut found = answers(&mut picker, 4);
    let refused = found.pop().expect("four answers");
    assert_eq!((refused.query, refused.outcome), (expected[0].0, PickOutcome::Lost));
    let found: Vec<_> = found.iter().map(|answer| (answer.query, id_of(answer.outcome))).collect();
    assert_eq!(found, expected);
    assert!(picker.has_capacity() && !picker.is_pending());
}

#[test]
fn list_of_other_view_is_refused() {
    let [a, b] = ["right-handed perspective", "off-axis perspective"].map(cases::named);
    let (mut picker, Gpu { device, queue }) = (picker(), gpu());
    let query = query_at(&a, DVec2::splat(50.0), 5.0, 0);
    let result =
        picker.encode(device, queue, &mut gpu().encoder(), &query, &list(&b, Mode::Scale), |_, _| {});
    assert_eq!(result, Err(GpuError::OtherView));
    // The gizmo gets an answer and repeats its query.
    assert_eq!(answers(&mut picker, 1)[0].outcome, PickOutcome::Lost);
    assert!(!picker.is_pending());
}

#[test]
fn view_larger_than_max_viewport_is_picked() {
    let limit = f64::from(gpu().device.limits().max_texture_dimension_2d);
    let small = cases::named("two pixels to the pixel");
    let viewport = Viewport { x: 0.0, y: 0.0, width: 4.0 * limit, height: 3.0 * limit };
    let view =
        View::from_clip_from_world(small.view.clip_from_world(), viewport, 8.0).expect("the view is valid");
    let case = Case { view, ..small };
    let list = list(&case, Mode::Translate);
    let mut picker = picker();
    let mut found = 0;
    for item in list.items() {
        let center = item.world_from_part.transform_point3(wgpu_gizmo::glam::DVec3::splat(0.05));
        let px = view.px_from_world(center).expect("the point is in front of the camera");
        let on_cpu = list.pick(px, 0.0).map_or(0, |id| id.get());
        let outcome = ask(&mut picker, &query_at(&case, px, 0.0, 0), &list);
        found += usize::from(on_cpu != 0 && id_of(outcome) == on_cpu);
    }
    assert!(found >= 4, "only {found} parts were found");
    prepare(&list);
}

/// Prepares a list as a host does, so that wgpu validates it.
fn prepare(list: &DrawList) {
    let Gpu { device, queue } = gpu();
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    let encoder = gpu().encoder();
    renderer.prepare(device, queue, list).expect("the device is alive");
    submit(encoder);
    gpu().wait();
}

#[test]
fn one_pixel_viewport_is_drawn_and_picked() {
    let small = cases::named("right-handed perspective");
    let viewport = Viewport { x: 7.0, y: 9.0, width: 1.0, height: 1.0 };
    let view =
        View::from_clip_from_world(small.view.clip_from_world(), viewport, 1.0).expect("the view is valid");
    let case = Case { view, ..small };
    let list = list(&case, Mode::Translate);
    let outcome = ask(&mut picker(), &query_at(&case, DVec2::new(7.9, 9.0), 5.0, 0), &list);
    let image = gpu().id_image(case.target, &case.view, &list);
    assert_eq!(id_of(outcome), image.ids[9 * case.target[0] as usize + 7]);
    prepare(&list);
}

#[test]
fn unsubmitted_id_image_is_an_error() {
    let case = cases::named("orthographic");
    let (list, Gpu { device, queue }) = (list(&case, Mode::Scale), gpu());
    let mut image = IdImage::new(device, 16, 16).expect("the size is supported");
    let other = queue.submit([gpu().encoder().finish()]);
    assert_eq!(image.read(device, other.clone(), TIMEOUT), Err(GpuError::NotSubmitted));
    image
        .encode(device, queue, &mut gpu().encoder(), &case.view, &list, |_, _| {})
        .expect("the list is for this view");
    assert_eq!(image.read(device, other, TIMEOUT), Err(GpuError::NotSubmitted));
    assert!(matches!(IdImage::new(device, 0, 16).err(), Some(GpuError::TargetSize { .. })));
    assert!(matches!(IdImage::new(device, 16, 1 << 20).err(), Some(GpuError::TargetSize { .. })));
}

#[test]
fn gpu_types_are_send_and_sync() {
    fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Picker>();
    assert_send_sync::<GizmoRenderer>();
    assert_send_sync::<IdImage>();
    assert_send_sync::<GpuError>();
    assert_send_sync::<Outline>();
    assert_send_sync::<PickScene>();
    assert_send_sync::<PickBatch>();
}
