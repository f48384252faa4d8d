//! §3: any sequence of events, with views, targets and settings that change at any moment.

use crate::holds::{Case, holds_in};
use crate::script::{self, Seen};
use proptest::collection::vec;
use proptest::num::u8;
use std::cell::Cell;

#[test]
fn whatever_the_host_does_a_drag_is_a_transaction_and_the_next_press_is_heard() {
    let all = Cell::new(Seen::default());
    holds_in(10_000, &vec(u8::ANY, 0..600), 0.9, |script| {
        let (seen, sum) = (script::run(script), all.get());
        all.set(Seen {
            started: sum.started + seen.started,
            changed: sum.changed + seen.changed,
            ended: sum.ended + seen.ended,
            cancelled: sum.cancelled + seen.cancelled,
        });
        Case::Checked
    });
    let Seen { started, changed, ended, cancelled } = all.get();
    println!("{started} drags, {changed} changes, {ended} ended, {cancelled} cancelled");
    assert!(started > 5_000 && changed > 5_000 && ended > 1_000 && cancelled > 1_000);
}
