//! The ID image under a host's conditions: changes while queries are in flight, lost encoders and devices,
//! views of any size, and the first and last ids.

mod device_loss;
mod sizes;
pub(crate) mod texels;

use crate::common::prelude::*;
use std::collections::VecDeque;
use std::time::Duration;

/// Encodes a pick of a host's triangles, and returns the encoder.
fn ask(picker: &mut Picker, query: &PickQuery, host: &Host) -> wgpu::CommandEncoder {
    let mut encoder = gpu().encoder();
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
    picker.encode(device(), queue(), &mut encoder, query, &DrawList::new(), draw).expect("a slot is free");
    encoder
}

fn pick(picker: &mut Picker, view: &View, px: DVec2, host: &Host) -> PickOutcome {
    host.pick(picker, &PickQuery::new(view, px, 0.0), &DrawList::new()).outcome
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
    let mut frame = 0;
    // Frames that only wait for a driver take a moment, so this is about a minute, even where answers are late.
    while answered <= 500 || lost <= 100 || full <= 100 {
        assert!(frame < 50_000_000, "{answered} answered, {lost} lost, the ring was full {full} times");
        frame += 1;
        while let Some(answer) = picker.poll(device()).expect("the device is alive") {
            let (sequence, expected, was_dropped) = pending.pop_front().expect("a query is pending");
            assert_eq!(answer.query.sequence, sequence, "in query order");
            assert_eq!(answer.outcome == PickOutcome::Lost, was_dropped);
            if was_dropped {
                lost += u32::from(expected != 0);
            } else {
                assert_eq!(id_of(answer.outcome), expected);
                answered += 1;
            }
        }
        let is_full = !picker.has_capacity();
        let is_refused = |query: &(u64, u32, bool)| query.1 == 0;
        if is_full && !pending.iter().any(is_refused) {
            // A refused query is answered after those before it.
            let query = PickQuery::new(&case.view, DVec2::splat(9.0), 0.0);
            let list = DrawList::new();
            let refused = picker.encode(device(), queue(), &mut gpu().encoder(), &query, &list, |_, _| {});
            assert_eq!(refused, Err(GpuError::RingFull));
            pending.push_back((query.sequence, 0, true));
        }
        if is_full || rng.u32(..3) == 0 {
            full += u32::from(is_full);
            queue().submit(held.drain(..).map(wgpu::CommandEncoder::finish));
            continue;
        }
        assert_eq!(picker.is_pending(), !pending.is_empty());
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
        let in_flight = pending.iter().filter(|query| !is_refused(query)).count();
        assert!(in_flight <= 3, "{in_flight} in flight");
    }
    queue().submit(held.drain(..).map(wgpu::CommandEncoder::finish));
    gpu().wait();
}

#[test]
fn blocking_pick_waits_for_itself_or_times_out() {
    let case = cases::named("orthographic");
    let host = wall(&case, 4);
    let mut picker = picker();
    let query = PickQuery::new(&case.view, DVec2::new(100.0, 90.0), 0.0);
    // Not submitted, so waiting for it would never end.
    let held = ask(&mut picker, &query, &host);
    assert_eq!(id_of(pick(&mut picker, &case.view, DVec2::new(100.0, 90.0), &host)), 4);
    let hasty = PickQuery::new(&case.view, DVec2::new(120.0, 90.0), 0.0);
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
        (0..400).for_each(|_| host.draw(pass, clip_from_clip));
    };
    let result = picker.pick_blocking(device(), queue(), &hasty, &DrawList::new(), draw, Duration::ZERO);
    queue().submit([held.finish()]);
    gpu().wait();
    let late: Vec<PickAnswer> =
        std::iter::from_fn(|| picker.poll(device()).expect("the device is alive")).collect();
    match result {
        Err(GpuError::Timeout(_)) => {
            // The answer still arrives, in order.
            assert_eq!(late.iter().map(|answer| answer.query).collect::<Vec<_>>(), [query, hasty]);
        }
        // The GPU is so fast that it was done at once.
        Ok(answer) => assert_eq!((answer.query, late.len()), (hasty, 1)),
        Err(other) => panic!("{other}"),
    }
    assert!(late.iter().all(|answer| id_of(answer.outcome) == 4) && !picker.is_pending());
}

#[test]
fn unencodable_query_is_repeated_without_host_action() {
    let case = cases::named("reversed depth, infinite far");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
    let of_other_view = list(&cases::named("orthographic"), Mode::Translate);
    let (mut picker, Gpu { device, queue }) = (picker(), gpu());
    gizmo.pointer_moved(case.px(PIVOT_WORLD));
    for is_press in [false, true] {
        if is_press {
            gizmo.pointer_pressed();
        }
        gizmo.update(&case.view, &mut targets);
        let query = gizmo.pick_query().expect("the hover or the press has a query");
        let mut encoder = gpu().encoder();
        let failed = picker.encode(device, queue, &mut encoder, &query, &of_other_view, |_, _| {});
        assert_eq!(failed, Err(GpuError::OtherView));
        assert!(picker.is_pending() && picker.has_capacity(), "the host must poll");
        let lost = picker.poll(device).expect("the device is alive").expect("the query has failed");
        assert!(lost == PickAnswer::new(query, PickOutcome::Lost) && !picker.is_pending());
        gizmo.answer(&lost);
        gizmo.update(&case.view, &mut targets);
        let again = gizmo.pick_query().expect("the query is repeated in the next frame");
        assert!(again.sequence > query.sequence);
        let list = drawn(&again.view, &mut gizmo);
        gizmo.answer(&gpu().pick(&mut picker, &again, &list, |_, _| {}));
    }
    gizmo.update(&case.view, &mut targets);
    assert_eq!(gizmo.dragging().map(HandleId::name), Some("translate_view"));
}

#[test]
fn gizmos_of_two_id_spaces_cannot_be_picked_together() {
    let (case, Gpu { device, queue }) = (cases::named("orthographic"), gpu());
    let mut list = list(&case, Mode::Translate);
    gizmo(&case, Mode::Rotate, &mut IdSpace::new()).0.draw(&mut list);
    let query = PickQuery::new(&case.view, DVec2::splat(100.0), 5.0);
    let mut encoder = gpu().encoder();
    let picked = picker().encode(device, queue, &mut encoder, &query, &list, |_, _| {});
    let mut image = IdImage::new(device, 64, 64).expect("the size is supported");
    let whole = image.encode(device, queue, &mut encoder, &case.view, &list, |_, _| {});
    assert_eq!([picked, whole], [Err(GpuError::MixedIds), Err(GpuError::MixedIds)]);
}
