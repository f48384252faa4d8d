//! Ids of texels are exact.

use super::{id, id_of, pick, picker};
use crate::common::prelude::*;
use std::collections::BTreeSet;

#[test]
pub(crate) fn ids_are_exact_from_one_to_max() {
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
        let full = host.image(case.target, &DrawList::new());
        let seen: BTreeSet<u32> = full.ids.iter().copied().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
        let px = case.px(PIVOT_WORLD);
        assert_eq!(id_of(pick(&mut picker, &case.view, px, &host)), number);
        let mut heap = Heap::new();
        heap.insert(0, placed(PIVOT_WORLD, 0.5), number);
        let seen: BTreeSet<u32> = heap.image(&case, None).ids.into_iter().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
    }
}
