//! §1 of docs/spec.md: arbitrary matrices.

use crate::holds::{Case, holds};
use crate::lens;
use proptest::collection::vec;
use proptest::num::u8;

#[test]
fn view_is_refused_or_gives_unit_vectors() {
    holds(&vec(u8::ANY, 0..400), 0.05, |bytes| if lens::run(bytes) { Case::Checked } else { Case::Skipped });
}
