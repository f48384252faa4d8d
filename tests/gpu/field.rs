//! Problems reported to the trackers of other picking projects that no other file here tests.
//! docs/picking.md lists all of them.
#![expect(clippy::disallowed_types, reason = "measures how long a driver waits")]

use crate::common::prelude::*;
use std::time::Instant;

#[test]
fn frame_never_waits_for_busy_gpu() {
    // A poll that waits takes as long as the answer every time; one that does not may be interrupted.
    assert!((0..5).any(|_| poll_returns_before_answer()), "each poll took as long as the answer");
}

/// Polls while the GPU is busy, and returns true if the poll took much less time than the answer.
fn poll_returns_before_answer() -> bool {
    let case = cases::named("right-handed perspective");
    let wall = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 4_000.0), id(6))]);
    let large = View::from_clip_from_world(case.view.clip_from_world(), Viewport::from_size(2048, 2048), 1.0);
    let large = large.expect("the view is valid");
    let busy = Host::new(&large, wall.triangles.clone());
    let mut image = IdImage::new(device(), 2048, 2048).expect("the size is supported");
    let mut encoder = gpu().encoder();
    image
        .encode(device(), queue(), &mut encoder, &large, &DrawList::new(), |pass, clip_from_clip| {
            (0..150).for_each(|_| busy.draw(pass, clip_from_clip));
        })
        .expect("the list is for this view");
    queue().submit([encoder.finish()]);
    let (mut picker, mut encoder) = (picker(), gpu().encoder());
    let query = PickQuery::new(&case.view, DVec2::new(100.0, 100.0), 0.0);
    picker
        .encode(device(), queue(), &mut encoder, &query, &DrawList::new(), |pass, clip_from_clip| {
            wall.draw(pass, clip_from_clip);
        })
        .expect("a slot is free");
    queue().submit([encoder.finish()]);
    let start = Instant::now();
    let mut answer = picker.poll(device()).expect("the device is alive");
    let polled = start.elapsed();
    // Hosts should keep drawing while an answer is pending. Some browsers finish a map only when
    // something is submitted after it.
    let mut frames = 0;
    while picker.is_pending() {
        queue().submit([gpu().encoder().finish()]);
        answer = answer.or(picker.poll(device()).expect("the device is alive"));
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
