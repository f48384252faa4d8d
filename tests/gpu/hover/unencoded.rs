//! Queries that no picker could encode, and late pickers.

use super::Frames;
use crate::common::cases::{self};
use crate::common::device::{Gpu, gpu};
use crate::common::gizmo;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GpuError, IdImage};
use wgpu_gizmo::{HandleId, IdSpace, Mode, PickQuery};

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
    let mut frames = Frames::new(Mode::Translate);
    let at = frames.case.px(crate::common::cases::PIVOT_WORLD);
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
fn gizmos_of_two_id_spaces_cannot_be_picked_together() {
    let mut frames = Frames::new(Mode::Translate);
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
