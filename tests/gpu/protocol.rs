//! The ID image under a host's conditions: changes while queries are in flight, lost encoders and devices,
//! views of any size, and the first and last ids.

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu};
use crate::common::heaps::{Heap, ball, is_inside};
use crate::common::host::texture;
use crate::common::objects::{Host, facing};
use crate::common::{gizmo, list};
use fastrand::Rng;
use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroU32;
use std::time::Duration;
use wgpu_gizmo::glam::{DAffine3, DMat4, DVec2, DVec3, DVec4};
use wgpu_gizmo::gpu::scene::{Outline, OutlineStyle, PickMesh, PickObject, PickScene};
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, IdTexels, Picker, TargetState, TileMode};
use wgpu_gizmo::{DrawList, IdSpace, Mode, PickAnswer, PickOutcome, PickQuery, View, Viewport, wgpu};

fn id(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("ids start at 1")
}

fn id_of(outcome: PickOutcome) -> u32 {
    match outcome {
        PickOutcome::Hit(hit) => hit.id.get(),
        PickOutcome::Nothing => 0,
        other => panic!("{other:?}"),
    }
}

fn picker() -> Picker {
    Picker::new(&gpu().device).expect("the backend is not WebGL")
}

/// Encodes a pick of a host's triangles, and returns the encoder.
fn ask(picker: &mut Picker, query: &PickQuery, host: &Host) -> wgpu::CommandEncoder {
    let Gpu { device, queue } = gpu();
    let mut encoder = gpu().encoder();
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
    picker.encode(device, queue, &mut encoder, query, &DrawList::new(), draw).expect("a slot is free");
    encoder
}

/// Waits for the only answer in flight.
fn answer(picker: &mut Picker) -> PickAnswer {
    gpu().wait();
    picker.poll(&gpu().device).expect("the device is alive").expect("a query is in flight")
}

fn pick(picker: &mut Picker, view: &View, px: DVec2, host: &Host) -> PickOutcome {
    let Gpu { device, queue } = gpu();
    let query = PickQuery::new(view, px, 0.0);
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
    picker
        .pick_blocking(device, queue, &query, &DrawList::new(), draw, TIMEOUT)
        .expect("the device is alive")
        .outcome
}

fn image(view: &View, [width, height]: [u32; 2], host: &Host) -> IdTexels {
    let Gpu { device, queue } = gpu();
    let mut image = IdImage::new(device, width, height).expect("the size is supported");
    let mut encoder = gpu().encoder();
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
    image.encode(device, queue, &mut encoder, view, &DrawList::new(), draw).expect("the device is alive");
    image.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive")
}

/// Creates a triangle that covers the whole view.
fn wall(case: &Case, number: u32) -> Host {
    Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 4_000.0), id(number))])
}

#[test]
fn at_most_three_picks_are_in_flight() {
    let case = cases::named("reversed depth, infinite far");
    let mut picker = picker();
    let mut rng = Rng::with_seed(1);
    // The queries in order: sequence number, expected id, and whether the encoder was dropped.
    let mut pending: VecDeque<(u64, u32, bool)> = VecDeque::new();
    let mut held = Vec::new();
    let (mut answered, mut lost, mut full) = (0, 0, 0);
    for frame in 1..3_000 {
        while let Some(answer) = picker.poll(&gpu().device).expect("the device is alive") {
            let (sequence, expected, was_dropped) = pending.pop_front().expect("a query is pending");
            assert_eq!(answer.query.sequence, sequence, "in query order");
            assert_eq!(answer.outcome == PickOutcome::Lost, was_dropped);
            if was_dropped {
                lost += 1;
            } else {
                assert_eq!(id_of(answer.outcome), expected);
                answered += 1;
            }
        }
        if !picker.has_capacity() || rng.u32(..3) == 0 {
            full += u32::from(!picker.has_capacity());
            gpu().queue.submit(held.drain(..).map(wgpu::CommandEncoder::finish));
            continue;
        }
        assert_eq!(picker.pending(), !pending.is_empty());
        let px = DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0);
        let query = PickQuery::new(&case.view, px, 0.0);
        let encoder = ask(&mut picker, &query, &wall(&case, frame));
        let is_dropped = rng.u32(..5) == 0;
        if is_dropped {
            drop(encoder);
        } else {
            // As in a host that submits only every few frames.
            held.push(encoder);
        }
        pending.push_back((query.sequence, frame, is_dropped));
        assert!(pending.len() <= 3, "{} in flight", pending.len());
    }
    println!("{answered} answered, {lost} lost, the ring was full {full} times");
    assert!(answered > 500 && lost > 100 && full > 100);
    gpu().wait();
}

#[test]
fn answers_come_in_query_order() {
    let case = cases::named("orthographic");
    let host = wall(&case, 4);
    let mut picker = picker();
    let at = |px: DVec2| PickQuery::new(&case.view, px, 0.0);
    let [inside, outside] = [DVec2::new(100.0, 90.0), DVec2::new(-3.0, 90.0)].map(at);
    let dropped = at(DVec2::new(110.0, 90.0));
    // The first encoder is not submitted yet, the second is dropped, and the third query needs no GPU.
    let held = ask(&mut picker, &inside, &host);
    drop(ask(&mut picker, &dropped, &host));
    drop(ask(&mut picker, &outside, &host));
    for _ in 0..20 {
        assert_eq!(picker.poll(&gpu().device), Ok(None), "the first answer is not known");
        assert!(picker.pending() && !picker.has_capacity());
    }
    gpu().queue.submit([held.finish()]);
    gpu().wait();
    let answers: Vec<PickAnswer> =
        std::iter::from_fn(|| picker.poll(&gpu().device).expect("the device is alive")).collect();
    assert_eq!(answers.iter().map(|answer| answer.query).collect::<Vec<_>>(), [inside, dropped, outside]);
    assert_eq!(id_of(answers[0].outcome), 4);
    assert_eq!([answers[1].outcome, answers[2].outcome], [PickOutcome::Lost, PickOutcome::Nothing]);
    assert!(!picker.pending());
}

#[test]
fn blocking_pick_waits_for_itself_or_times_out() {
    let case = cases::named("orthographic");
    let host = wall(&case, 4);
    let mut picker = picker();
    let Gpu { device, queue } = gpu();
    let query = PickQuery::new(&case.view, DVec2::new(100.0, 90.0), 0.0);
    // Not submitted, so waiting for it would never end.
    let held = ask(&mut picker, &query, &host);
    assert_eq!(id_of(pick(&mut picker, &case.view, DVec2::new(100.0, 90.0), &host)), 4);
    let hasty = PickQuery::new(&case.view, DVec2::new(120.0, 90.0), 0.0);
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
        (0..400).for_each(|_| host.draw(pass, clip_from_clip));
    };
    let result = picker.pick_blocking(device, queue, &hasty, &DrawList::new(), draw, Duration::ZERO);
    gpu().queue.submit([held.finish()]);
    gpu().wait();
    let late: Vec<PickAnswer> =
        std::iter::from_fn(|| picker.poll(device).expect("the device is alive")).collect();
    match result {
        Err(GpuError::Timeout(_)) => {
            // The answer still arrives, in order.
            assert_eq!(late.iter().map(|answer| answer.query).collect::<Vec<_>>(), [query, hasty]);
        }
        // The GPU is so fast that it was done at once.
        Ok(answer) => assert_eq!((answer.query, late.len()), (hasty, 1)),
        Err(other) => panic!("{other}"),
    }
    assert!(late.iter().all(|answer| id_of(answer.outcome) == 4) && !picker.pending());
}

#[test]
fn equal_queries_have_equal_answers() {
    let case = cases::named("off-axis perspective");
    let mut heap = Heap::new();
    let mut rng = Rng::with_seed(2);
    for number in 1..100 {
        heap.scene.insert(&heap.object(&case, 50.0, number, &mut rng)).expect("the mesh exists");
    }
    let list = list(&case, Mode::Rotate);
    let Gpu { device, queue } = gpu();
    let (mut picker, mut batch) = (picker(), heap.batch());
    for _ in 0..12 {
        let px = DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0);
        let mut outcomes = Vec::new();
        for _ in 0..25 {
            let query = PickQuery::new(&case.view, px, 5.0);
            batch.select(&heap.scene, &case.view, Some(&query.frustum()));
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            };
            let answer = picker.pick_blocking(device, queue, &query, &list, draw, TIMEOUT);
            outcomes.push(answer.expect("the device is alive").outcome);
        }
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{px}: {outcomes:?}");
    }
}

#[test]
fn answer_belongs_to_view_of_query() {
    let before = cases::named("right-handed perspective");
    let after = cases::named("viewport at an offset");
    let mut picker = picker();
    let at =
        before.view.unproject(DVec2::new(300.5, 200.5), 0.99).expect("the point is in front of the camera");
    let host = Host::new(&before.view, vec![(facing(&before.view, at, 12.0), id(7))]);
    let query = PickQuery::new(&before.view, DVec2::new(300.5, 200.5), 3.0);
    let encoder = ask(&mut picker, &query, &host);
    gpu().queue.submit([encoder.finish()]);
    // The window is resized, the camera moves, and the next query is in flight.
    let small = Viewport::from_size(50, 40);
    let view =
        View::from_clip_from_world(after.view.clip_from_world(), small, 1.0).expect("the view is valid");
    let next = PickQuery::new(&view, DVec2::new(300.5, 200.5), 3.0);
    let encoder = ask(&mut picker, &next, &Host::new(&view, host.triangles.clone()));
    gpu().queue.submit([encoder.finish()]);
    gpu().wait();
    // The second answer needs no GPU and is known first, but it is returned in order.
    let answers: Vec<PickAnswer> =
        std::iter::from_fn(|| picker.poll(&gpu().device).expect("the device is alive")).collect();
    let [first, second] = answers[..] else { panic!("{answers:?}") };
    assert_eq!([first.query, second.query], [query, next]);
    let PickOutcome::Hit(hit) = first.outcome else { panic!("{first:?}") };
    assert_eq!((hit.id, hit.pixel), (id(7), (300, 200)));
    let point = hit.position_world.expect("a finite depth");
    assert!(point.distance(at) < 12.0 * before.view.pixel_size(at), "{point} is not near {at}");
    assert_eq!(second.outcome, PickOutcome::Nothing, "the cursor is outside the new window");
}

#[test]
fn reassigned_id_resolves_to_nothing() {
    let case = cases::named("orthographic");
    let mut picker = picker();
    let mut ids = IdSpace::new();
    let px = DVec2::new(160.0, 120.0);
    let mut ask_for = |number: NonZeroU32, meanwhile: &mut dyn FnMut()| {
        let encoder = ask(&mut picker, &PickQuery::new(&case.view, px, 0.0), &wall(&case, number.get()));
        gpu().queue.submit([encoder.finish()]);
        meanwhile();
        answer(&mut picker)
    };
    let range = ids.allocate(10).expect("a free range");
    let third = range.id(3).expect("the offset is in range");
    let kept = ask_for(third, &mut || {});
    assert_eq!(ids.resolve(&kept), Some((range, 3)));
    let freed = ask_for(third, &mut || ids.free(range));
    assert_eq!((id_of(freed.outcome), ids.resolve(&freed)), (third.get(), None));
    let again = ids.allocate(u32::MAX - 10).and_then(|_| ids.allocate(10)).expect("the freed range");
    assert_eq!(again, range);
    assert_eq!(ids.resolve(&freed), None, "the id was free");
    let reassigned = ask_for(third, &mut || {
        ids.free(range);
        assert_eq!(ids.allocate(10), Ok(range), "the only free range");
    });
    assert_eq!(ids.resolve(&reassigned), None, "the id had another owner");
    let now = ask_for(third, &mut || {});
    assert_eq!(ids.resolve(&now), Some((range, 3)));
}

#[test]
fn lost_device_is_rebuilt_with_same_answers() {
    let case = cases::named("left-handed, reversed depth, infinite far");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
    let (corners, indices) = ball(6);
    let px = case.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera")
        + DVec2::new(-110.0, 70.0);
    let at = case.view.pointer_ray(px).at(4.0);
    let scale = DVec3::splat(20.0 * case.view.pixel_size(at));
    let world_from_local = DAffine3::from_translation(at) * DAffine3::from_scale(scale);
    let mut before = None;
    for life in 0..3 {
        let lost = Gpu::new();
        let Gpu { device, queue } = &lost;
        let mut picker = Picker::new(device).expect("the backend is not WebGL");
        let mut scene = PickScene::new(device).expect("the device is alive");
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
        let mesh = scene.add_mesh(device, &mesh).expect("the device is alive");
        // Different from all ids of the gizmo.
        scene.insert(&PickObject { mesh, world_from_local, id: id(1 << 31) }).expect("the mesh exists");
        let mut batch = scene.batch(device).expect("the device is alive");
        let state =
            TargetState { format: wgpu::TextureFormat::Rgba8Unorm, sample_count: 1, depth_stencil: None };
        let mut renderer = GizmoRenderer::new(device, state).expect("the render target is supported");
        let mut outline = Outline::new(device, state).expect("the render target is supported");
        let chosen = [id(1 << 31)];
        let style = OutlineStyle { ids: &chosen, ..OutlineStyle::default() };
        let none = OutlineStyle::default();
        outline.set(device, queue, [style, none, none, none]).expect("the ids fit");
        let mut list = DrawList::new();
        list.begin(&case.view);
        gizmo.draw(&mut list);
        let outcomes =
            [px, case.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera")].map(
                |px| {
                    let query = PickQuery::new(&case.view, px, 5.0);
                    batch.select(&scene, &case.view, Some(&query.frustum()));
                    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                        batch.draw(&mut scene, device, queue, pass, clip_from_clip);
                    };
                    picker
                        .pick_blocking(device, queue, &query, &list, draw, TIMEOUT)
                        .expect("the device is alive")
                        .outcome
                },
            );
        assert_eq!(id_of(outcomes[0]), 1 << 31);
        assert!(gizmo.handle_of(id(id_of(outcomes[1]))).is_some());
        assert_eq!(*before.get_or_insert(outcomes), outcomes, "device {life}");

        // The device is lost while a query of the gizmo is in flight. The query is repeated.
        gizmo.pointer_moved(px + DVec2::new(f64::from(life), 0.0));
        gizmo.update(&case.view, &mut targets);
        let query = gizmo.pick_query().expect("the pointer has moved");
        let mut encoder = device.create_command_encoder(&Default::default());
        picker.encode(device, queue, &mut encoder, &query, &list, |_, _| {}).expect("a slot is free");
        queue.submit([encoder.finish()]);
        device.destroy();
        let mut errors = 0;
        while picker.pending() {
            match picker.poll(device) {
                Err(GpuError::DeviceLost(_)) => errors += 1,
                // It had finished before.
                Ok(Some(_)) => break,
                Ok(None) => {}
                Err(other) => panic!("{other}"),
            }
        }
        println!("{errors} lost");
        gizmo.picks_lost();
        gizmo.update(&case.view, &mut targets);
        assert!(gizmo.pick_query().is_some_and(|again| again.sequence > query.sequence));
        // On the lost device nothing panics, and nothing can be created.
        batch.select(&scene, &case.view, None);
        let mut encoder = device.create_command_encoder(&Default::default());
        let prepared = outline.prepare(device, queue, &mut encoder, &case.view, |_, _| {});
        assert!(matches!(prepared, Err(GpuError::DeviceLost(_))), "{prepared:?}");
        let prepared = renderer.prepare(device, queue, &mut encoder, &list);
        assert!(matches!(prepared, Err(GpuError::DeviceLost(_))), "{prepared:?}");
        let late = PickQuery::new(&case.view, px, 5.0);
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            batch.draw(&mut scene, device, queue, pass, clip_from_clip);
        };
        let late = picker.pick_blocking(device, queue, &late, &list, draw, TIMEOUT);
        assert!(matches!(late, Err(GpuError::DeviceLost(_))), "{late:?}");
        assert!(matches!(PickScene::new(device).err(), Some(GpuError::DeviceLost(_))));
        assert!(matches!(scene.batch(device).err(), Some(GpuError::DeviceLost(_))));
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
        assert!(matches!(scene.add_mesh(device, &mesh).err(), Some(GpuError::DeviceLost(_))));
    }
}

/// Returns a view of a rectangle of another view, with the same pixels.
fn part(view: &View, [x, y]: [f64; 2], [width, height]: [u32; 2]) -> View {
    let v = view.viewport();
    let [w, h] = [width, height].map(f64::from);
    let stretch = DVec2::new(v.width / w, v.height / h);
    let shift = DVec2::new((2.0 * (v.x - x) + v.width) / w - 1.0, 1.0 - (2.0 * (v.y - y) + v.height) / h);
    let crop =
        DMat4::from_cols(DVec4::X * stretch.x, DVec4::Y * stretch.y, DVec4::Z, shift.extend(0.0).extend(1.0));
    let part =
        View::from_clip_from_world(crop * view.clip_from_world(), Viewport::from_size(width, height), 1.0);
    part.expect("the view is valid").with_depth_direction(view.depth_direction())
}

#[test]
fn oversized_views_pick_like_their_parts() {
    let limit = f64::from(gpu().device.limits().max_texture_dimension_2d);
    let (mut compared, mut different) = (0, 0);
    for (seed, small) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let viewport = Viewport { x: -77.0, y: 31.0, width: 4.0 * limit, height: 3.0 * limit };
        let view = View::from_clip_from_world(small.view.clip_from_world(), viewport, 1.0)
            .expect("the view is valid");
        let view = view.with_depth_direction(small.view.depth_direction());
        let center = view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        let origin = (center - 100.0).floor();
        let size = [200, 180];
        let own = part(&view, origin.to_array(), size);
        // Triangles about as large as that part.
        let triangles: Vec<_> = (1..40)
            .map(|number| {
                let mut spread = |size: f64| (rng.f64() - 0.5) * size * view.pixel_size(PIVOT_WORLD);
                let at = PIVOT_WORLD + view.frame() * DVec3::new(spread(220.0), spread(200.0), spread(300.0));
                (facing(&view, at, 8.0 + f64::from(number)), id(number))
            })
            .collect();
        let full = image(&own, size, &Host::new(&own, triangles.clone()));
        let host = Host::new(&view, triangles);
        let mut picker = picker();
        for _ in 0..25 {
            let [x, y] = size.map(|side| rng.u32(..side));
            let px = origin + DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let outcome = pick(&mut picker, &view, px, &host);
            let expected = full.ids[(y * size[0] + x) as usize];
            compared += 1;
            if id_of(outcome) != expected {
                different += 1;
                let is_edge = !is_inside(&full, x.into(), y.into(), 1);
                assert!(is_edge, "{}: {outcome:?} for {expected} at {px}", small.name);
            }
            if let PickOutcome::Hit(hit) = outcome {
                let seen_at = view
                    .px_from_world(hit.position_world.expect("finite"))
                    .expect("the point is in front of the camera");
                assert!(seen_at.distance(px) < 0.05, "{}: {seen_at} for {px}", small.name);
            }
        }
        // Tiles of other sizes, each with its own matrix.
        for side in [1, 17, 33, 64] {
            let [x, y] = size.map(|whole| rng.u32(..whole - side));
            let Gpu { device, queue } = gpu();
            let mut window = IdImage::new(device, side, side).expect("the size is supported");
            window.origin_px = [origin.x as i64 + i64::from(x), origin.y as i64 + i64::from(y)];
            window.mode = TileMode::Shifted;
            let mut encoder = gpu().encoder();
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
            window
                .encode(device, queue, &mut encoder, &view, &DrawList::new(), draw)
                .expect("the device is alive");
            let window =
                window.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
            for (i, found) in (0..).zip(&window.ids) {
                let [x, y] = [x + i % side, y + i / side];
                compared += 1;
                if *found != full.ids[(y * size[0] + x) as usize] {
                    different += 1;
                    let is_edge = !is_inside(&full, x.into(), y.into(), 1);
                    assert!(is_edge, "{}: {found} at {x}, {y} of the part", small.name);
                }
            }
        }
    }
    println!("{different} of {compared} differ");
    assert!(different * 10_000 < compared, "{different} of {compared} differ");
}

#[test]
fn view_corners_pick_and_outside_misses() {
    let mut picker = picker();
    for case in cases::all() {
        let host = wall(&case, 5);
        let v = case.view.viewport();
        let (low, high) = (DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height) - 1.0);
        let xs = [low.x, high.x];
        for (x, y) in xs.into_iter().flat_map(|x| [low.y, high.y].map(|y| (x, y))) {
            for within in [DVec2::ZERO, DVec2::splat(0.5), DVec2::splat(0.999)] {
                let px = DVec2::new(x, y) + within;
                assert_eq!(id_of(pick(&mut picker, &case.view, px, &host)), 5, "{}: {px}", case.name);
            }
        }
        let outside = [
            low - DVec2::new(1.0, 0.0),
            low - DVec2::new(0.0, 1.0),
            low - 0.01,
            high + DVec2::new(1.0, 0.0),
            high + DVec2::new(0.0, 1.0),
            DVec2::NAN,
            DVec2::new(low.x, f64::NAN),
            DVec2::NEG_INFINITY,
        ];
        for px in outside {
            assert_eq!(pick(&mut picker, &case.view, px, &host), PickOutcome::Nothing, "{}: {px}", case.name);
        }
    }
}

#[test]
fn even_and_odd_sizes_pick_to_last_pixel() {
    let mut rng = Rng::with_seed(4);
    let mut picker = picker();
    let clip_from_world = cases::named("reversed depth, finite far").view.clip_from_world();
    for size in [[1, 1], [2, 3], [33, 32], [32, 33], [127, 128], [321, 241], [322, 242], [801, 5]] {
        let view = View::from_clip_from_world(clip_from_world, Viewport::from_size(size[0], size[1]), 1.0);
        let view = view.expect("the view is valid");
        // Triangles of random sizes all over the view.
        let triangles: Vec<_> = (1..90)
            .map(|number| {
                let px = DVec2::new(rng.f64() * f64::from(size[0]), rng.f64() * f64::from(size[1]));
                let at = view.pointer_ray(px).at(5.0 + rng.f64());
                (facing(&view, at, 0.3 + 0.05 * f64::from(size[0] * (number % 4))), id(number))
            })
            .collect();
        let host = Host::new(&view, triangles);
        let full = image(&view, size, &host);
        let last = size.map(|side| side - 1);
        let mut pixels = vec![[0, 0], last, [0, last[1]], [last[0], 0], size.map(|side| side / 2)];
        pixels.extend((0..30).map(|_| size.map(|side| rng.u32(..side))));
        for [x, y] in pixels {
            let px = DVec2::new(f64::from(x) + rng.f64() * 0.99, f64::from(y) + rng.f64() * 0.99);
            let found = id_of(pick(&mut picker, &view, px, &host));
            assert_eq!(found, full.ids[(y * size[0] + x) as usize], "{size:?}: {px}");
        }
    }
}

#[test]
fn ids_are_exact_from_one_to_max() {
    let case = cases::named("right-handed perspective");
    let mut picker = picker();
    // Floats would round ids from 2^24 on, and half of all ids are negative as signed numbers.
    let numbers =
        [1, 2, (1 << 24) + 1, (1 << 24) + 3, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX];
    for number in numbers {
        // The triangle is slanted, so that interpolated values would vary.
        let mut corners = facing(&case.view, PIVOT_WORLD, 300.0);
        corners[2] -= case.view.direction_to(PIVOT_WORLD);
        let host = Host::new(&case.view, vec![(corners, id(number))]);
        let full = image(&case.view, case.target, &host);
        let seen: BTreeSet<u32> = full.ids.iter().copied().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
        let px = case.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        assert_eq!(id_of(pick(&mut picker, &case.view, px, &host)), number);
        let mut heap = Heap::new();
        let at = DAffine3::from_translation(PIVOT_WORLD) * DAffine3::from_scale(DVec3::splat(0.5));
        heap.scene.insert(&PickObject { mesh: heap.meshes[0], world_from_local: at, id: id(number) });
        let seen: BTreeSet<u32> = heap.image(&case, None).ids.into_iter().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
    }
}

#[test]
fn id_edges_never_blend() {
    let case = cases::named("infinite far");
    let Gpu { device, queue } = gpu();
    let state = TargetState {
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        sample_count: 4,
        depth_stencil: Some(wgpu::TextureFormat::Depth32Float),
    };
    let view_of = |texture: &wgpu::Texture| texture.create_view(&Default::default());
    let samples = view_of(&texture(case.target, state.format, 4));
    let resolved = view_of(&texture(case.target, state.format, 1));
    let depth = view_of(&texture(case.target, wgpu::TextureFormat::Depth32Float, 4));
    let list = list(&case, Mode::Universal);
    let mut heap = Heap::new();
    let mut rng = Rng::with_seed(5);
    // The ids are so far apart that a blend of two of them is not valid.
    let numbers: Vec<u32> = (1..30).map(|i| i << 27 | 0x2000_0000).collect();
    for number in &numbers {
        heap.scene.insert(&heap.object(&case, 80.0, *number, &mut rng)).expect("the mesh exists");
    }
    let drawn: BTreeSet<u32> = list
        .items()
        .iter()
        .filter_map(|item| item.id)
        .map(NonZeroU32::get)
        .chain(numbers.iter().copied())
        .chain([0])
        .collect();
    let (mut picker, mut batch) = (picker(), heap.batch());
    let mut renderer = GizmoRenderer::new(device, state).expect("the render target is supported");
    let mut outline = Outline::new(device, state).expect("the render target is supported");
    let chosen: Vec<NonZeroU32> = numbers.iter().step_by(3).map(|number| id(*number)).collect();
    let (style, none) = (OutlineStyle { ids: &chosen, ..Default::default() }, OutlineStyle::default());
    outline.set(device, queue, [style, none, none, none]).expect("the ids fit");
    let mut whole = IdImage::new(device, case.target[0], case.target[1]).expect("the size is supported");
    let [mut for_whole, mut for_outline] = [heap.batch(), heap.batch()];
    for _ in 0..20 {
        let query = PickQuery::new(&case.view, DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0), 0.0);
        // All passes are in one encoder, interleaved.
        let mut encoder = gpu().encoder();
        renderer.prepare(device, queue, &mut encoder, &list).expect("the device is alive");
        for_outline.select(&heap.scene, &case.view, None);
        outline
            .prepare(device, queue, &mut encoder, &case.view, |pass, clip_from_clip| {
                for_outline.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("the device is alive");
        batch.select(&heap.scene, &case.view, Some(&query.frustum()));
        picker
            .encode(device, queue, &mut encoder, &query, &list, |pass, clip_from_clip| {
                batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("a slot is free");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("host"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &samples,
                depth_slice: None,
                resolve_target: Some(&resolved),
                ops: wgpu::Operations::default(),
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations::default()),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        outline.render(&mut pass);
        renderer.render(&mut pass);
        drop(pass);
        for_whole.select(&heap.scene, &case.view, None);
        whole
            .encode(device, queue, &mut encoder, &case.view, &list, |pass, clip_from_clip| {
                for_whole.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("the list is for this view");
        let texels =
            whole.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
        let seen: BTreeSet<u32> = texels.ids.iter().copied().collect();
        assert!(seen.is_subset(&drawn), "{:?} were never drawn", seen.difference(&drawn));
        let [x, y] = query.cursor_px.floor().to_array();
        let found = id_of(answer(&mut picker).outcome);
        assert_eq!(found, texels.ids[y as usize * 320 + x as usize]);
    }
}

#[test]
fn tile_depths_are_read_anywhere_in_view() {
    // On some drivers, a partial copy of a depth texture silently copies nothing.
    for name in ["right-handed perspective", "reversed depth, infinite far", "orthographic, reversed depth"] {
        let case = cases::named(name);
        let mut picker = picker();
        let mut rng = Rng::with_seed(6);
        let mut corners = facing(&case.view, PIVOT_WORLD, 2_000.0);
        // The triangle is slanted, so every pixel has a different depth.
        corners[0] += case.view.forward() * 2.0;
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        let host = Host::new(&case.view, vec![(corners, id(3))]);
        for _ in 0..60 {
            let px = DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0);
            let PickOutcome::Hit(hit) = pick(&mut picker, &case.view, px, &host) else { continue };
            let point = hit.position_world.expect("a finite depth");
            let off = (point - corners[0]).dot(normal).abs();
            assert!(off < 0.05 * case.view.pixel_size(point), "{name}: {off} off the triangle at {px}");
        }
    }
}
