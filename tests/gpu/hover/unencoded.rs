//! Queries that no picker could encode, and late pickers.

use super::Frames;
use crate::common::cases::{self};
use crate::common::device::{Gpu, gpu};
use crate::common::gizmo;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GpuError, IdImage, Picker};
use wgpu_gizmo::{HandleId, IdSpace, Mode, PickOutcome, PickQuery};

/// Encodes the gizmo's query with a list of another view, which fails.
fn fail(frames: &mut Frames, query: &PickQuery) -> GpuError {
    let Gpu { device, queue } = gpu();
    let elsewhere = cases::named("orthographic").view;
    frames.gizmo.draw(frames.list.begin(&elsewhere));
    let mut encoder = gpu().encoder();
    let failed = frames.picker.encode(device, queue, &mut encoder, query, &frames.list, |_, _| {});
    failed.expect_err("the list is of another view")
}

#[test]
fn unencodable_query_is_repeated_without_host_action() {
    let mut frames = Frames::new("right-handed perspective", Mode::Translate);
    let at = frames
        .case
        .view
        .px_from_world(crate::common::cases::PIVOT_WORLD)
        .expect("the point is in front of the camera");
    frames.gizmo.pointer_moved(at);
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    for is_press in [false, true] {
        if is_press {
            frames.gizmo.pointer_pressed();
            frames.gizmo.update(&frames.case.view, &mut frames.targets);
        }
        let query = frames.gizmo.pick_query().expect("the hover or the press has a query");
        assert_eq!(fail(&mut frames, &query), GpuError::OtherView);
        assert!(frames.picker.is_pending() && frames.picker.has_capacity(), "the host must poll");
        frames.receive();
        assert!(!frames.picker.is_pending());
        let again = frames.ask(false).expect("the query is repeated in the next frame");
        assert!(again.sequence > query.sequence);
        frames.submit(1);
        gpu().wait();
        frames.receive();
    }
    assert_eq!(frames.lost, 2);
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    assert_eq!(frames.gizmo.dragging().map(HandleId::name), Some("translate_view"));
}

#[test]
fn press_that_never_encodes_is_abandoned() {
    let mut frames = Frames::new("right-handed perspective", Mode::Translate);
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    frames.gizmo.pointer_moved(DVec2::new(100.0, 100.0));
    frames.gizmo.pointer_pressed();
    let mut failed = 0;
    for _ in 0..100 {
        frames.receive();
        frames.gizmo.update(&frames.case.view, &mut frames.targets);
        if !frames.gizmo.is_busy() {
            break;
        }
        if let Some(query) = frames.gizmo.pick_query() {
            fail(&mut frames, &query);
            failed += 1;
        }
    }
    assert!(failed > 8 && !frames.gizmo.is_busy(), "failed {failed} times");
    assert_eq!((frames.gizmo.claims().primary_press, frames.gizmo.hovered()), (false, None));
}

#[test]
fn failed_queries_are_answered_in_order() {
    let mut frames = Frames::new("right-handed perspective", Mode::Translate);
    let Gpu { device, queue } = gpu();
    let queries: Vec<PickQuery> = (0..4)
        .map(|i| PickQuery::new(&frames.case.view, DVec2::new(50.0 + f64::from(i), 60.0), 0.0))
        .collect();
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    frames.gizmo.draw(frames.list.begin(&frames.case.view));
    for (query, expected) in queries.iter().zip([Ok(()), Ok(()), Ok(()), Err(GpuError::RingFull)]) {
        let mut encoder = gpu().encoder();
        let list = &frames.list;
        let encoded = frames.picker.encode(device, queue, &mut encoder, query, list, |_, _| {});
        assert_eq!(encoded, expected);
        queue.submit([encoder.finish()]);
    }
    gpu().wait();
    let answers: Vec<_> =
        std::iter::from_fn(|| frames.picker.poll(device).expect("the device is alive")).collect();
    assert_eq!(answers.iter().map(|answer| answer.query).collect::<Vec<_>>(), queries);
    let is_lost = |answer: &wgpu_gizmo::PickAnswer| answer.outcome == PickOutcome::Lost;
    assert_eq!(answers.iter().map(is_lost).collect::<Vec<_>>(), [false, false, false, true]);
}

#[test]
fn press_waits_for_late_but_not_dropped_picker() {
    let mut frames = Frames::new("right-handed perspective", Mode::Translate);
    let pivot_px = frames
        .case
        .view
        .px_from_world(crate::common::cases::PIVOT_WORLD)
        .expect("the point is in front of the camera");
    let at = pivot_px + DVec2::new(2.0, 1.0);
    let press = |frames: &mut Frames| {
        frames.gizmo.update(&frames.case.view, &mut frames.targets);
        frames.gizmo.pointer_moved(at);
        frames.gizmo.pointer_pressed();
        frames.ask(false).expect("the press sends a query")
    };
    press(&mut frames);
    for _ in 0..500 {
        frames.receive();
        assert_eq!(frames.ask(false), None, "the query is in flight");
        assert!(frames.gizmo.is_busy());
    }
    frames.submit(1);
    gpu().wait();
    frames.receive();
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    assert_eq!(frames.gizmo.dragging().map(HandleId::name), Some("translate_view"));
    frames.gizmo.cancel();
    frames.gizmo.pointer_released();
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    press(&mut frames);
    frames.picker = Picker::new(&gpu().device).expect("the backend is not WebGL");
    frames.held.clear();
    let again = (0..9).find_map(|_| frames.ask(false)).expect("the new picker gets the repeated query");
    assert_eq!(again.cursor_px, at);
    frames.submit(1);
    gpu().wait();
    frames.receive();
    frames.gizmo.update(&frames.case.view, &mut frames.targets);
    assert!(frames.gizmo.is_active());
}

#[test]
fn gizmos_of_two_id_spaces_cannot_be_picked_together() {
    let mut frames = Frames::new("right-handed perspective", Mode::Translate);
    let (mut other, _) = gizmo(&frames.case, Mode::Rotate, &mut IdSpace::new());
    let (view, Gpu { device, queue }) = (frames.case.view, gpu());
    frames.gizmo.update(&view, &mut frames.targets);
    frames.gizmo.draw(frames.list.begin(&view));
    other.draw(&mut frames.list);
    let query = PickQuery::new(&view, DVec2::new(100.0, 100.0), 5.0);
    let mut encoder = gpu().encoder();
    let picked = frames.picker.encode(device, queue, &mut encoder, &query, &frames.list, |_, _| {});
    assert_eq!(picked, Err(GpuError::MixedIds));
    let mut image = IdImage::new(device, 64, 64).expect("the size is supported");
    let whole = image.encode(device, queue, &mut encoder, &view, &frames.list, |_, _| {});
    assert_eq!(whole, Err(GpuError::MixedIds));
}
