//! The picker: exact answers that belong to their queries, whatever happens to the frames.

use crate::common::prelude::*;

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

/// Returns the list of gizmos of all sizes around the pivot.
fn crowd(view: &View, random: &mut Rng) -> DrawList {
    let (mut ids, mut list) = (IdSpace::new(), DrawList::new());
    list.begin(view);
    for _ in 0..60 {
        let by = view.axes() * DVec3::from([1.0, 0.7, 1.0].map(|size| (random.f64() - 0.5) * size));
        let at = PIVOT_WORLD + by * 500.0 * view.pixel_size(PIVOT_WORLD);
        let mut gizmo = gizmo_at(view, &mut ids, MODES[random.usize(..4)], at);
        gizmo.settings.display.size_lpx = 20.0 + 80.0 * random.f64();
        gizmo.settings.display.flip_toward_camera = random.bool();
        gizmo.draw(&mut list);
    }
    list
}

#[test]
pub(crate) fn exact_and_tolerant_picks_are_those_of_whole_image() {
    let mut hits = [0; 2];
    let mut random = Rng::with_seed(5);
    for (tile_mode, case) in [TileMode::Shifted, TileMode::Cropped]
        .into_iter()
        .flat_map(|tile_mode| cases::all().into_iter().map(move |case| (tile_mode, case)))
    {
        let mut picker = tile_mode.picker(device());
        let mode = MODES[random.usize(..4)];
        let list = if random.bool() { list(&case, mode) } else { crowd(&case.view, &mut random) };
        let image = gpu().id_image(case.target, &case.view, &list);
        let size = case.target.map(|n| n as usize);
        let is_edge = |i: &usize| !is_inside(&image, (i % size[0]) as i64, (i / size[0]) as i64, 1);
        let edges: Vec<usize> = (0..image.ids.len()).filter(|i| image.ids[*i] != 0 && is_edge(i)).collect();
        for sequence in 0..40 {
            let radius_px =
                *random.choice(&[0.0, 5.0, 16.0, 22.0, 88.0, 1e9]).expect("the list is not empty");
            let half = if radius_px > 16.0 { 88 } else { 16 };
            // Half of them on edges of handles. The tile must be inside the image.
            let any = |n: usize, random: &mut Rng| random.usize(half..n - half);
            let (x, y) = match random.bool() {
                true => (any(size[0], &mut random), any(size[1], &mut random)),
                false => {
                    let on = *random.choice(&edges).expect("handles are visible");
                    (on % size[0], on / size[0])
                }
            };
            let inside = [x, y].into_iter().zip(size).all(|(at, side)| (half..side - half).contains(&at));
            if !inside {
                continue;
            }
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
            assert_eq!(pixel(found), pixel(expected), "{}: {px}, {radius_px}, {tile_mode:?}", case.name);
            if let PickOutcome::Hit(hit) = found {
                let center = DVec2::new(hit.pixel.0 as f64, hit.pixel.1 as f64) + 0.5;
                let point = hit.position_world.expect("the depth is finite");
                let back = case.px(point);
                assert!(back.distance(center) < 0.01, "{}: {point} is seen at {back}", case.name);
                hits[usize::from(radius_px > 0.0)] += 1;
            }
        }
    }
    assert!(hits[0] > 20 && hits[1] > 150, "{hits:?}");
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
            let mut encoder = gpu().encoder();
            let query = query_at(&case, px, 5.0, sequence as u64);
            let result = picker.encode(device(), queue(), &mut encoder, &query, &list, |_, _| {
                panic!("no objects are drawn for a cursor outside")
            });
            result.expect("a slot is free");
            // The answer is available at once, with nothing submitted.
            let answer =
                picker.poll(device()).expect("the device is alive").expect("the answer is available at once");
            assert_eq!(answer.outcome, PickOutcome::Nothing);
            assert_eq!(answer.query.sequence, sequence as u64);
        }
    }
}

#[test]
fn one_pixel_viewport_is_drawn_and_picked() {
    let small = cases::named("right-handed perspective");
    let viewport = Viewport { x: 7.0, y: 9.0, width: 1.0, height: 1.0 };
    let case = small.in_viewport(viewport, 1.0);
    let list = list(&case, Mode::Translate);
    let outcome = ask(&mut picker(), &query_at(&case, DVec2::new(7.9, 9.0), 5.0, 0), &list);
    let image = gpu().id_image(case.target, &case.view, &list);
    assert_eq!(id_of(outcome), image.ids[9 * case.target[0] as usize + 7]);
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    renderer.prepare(device(), queue(), &list).expect("the device is alive");
    queue().submit([]);
    gpu().wait();
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
}

#[test]
fn gpu_types_are_send_and_sync() {
    fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<(Picker, GizmoRenderer, IdImage, GpuError, Outline, PickScene, PickBatch)>();
}
