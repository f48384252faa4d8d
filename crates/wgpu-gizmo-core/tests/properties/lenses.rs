//! §1 of docs/spec.md: arbitrary matrices.

use crate::lens;
use crate::prelude::*;
use proptest::num::u8;

#[test]
fn view_is_refused_or_gives_unit_vectors() {
    holds(&vec(u8::ANY, 0..400), 0.05, |bytes| lens::run(bytes).then_some(()));
}
