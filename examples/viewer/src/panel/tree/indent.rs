//! How far to the right a row stands. A tree of a few levels has the usual steps; a deeper one
//! smaller ones, so that all of it has room; and where even those are too many, the list goes to
//! the right along with the levels that are seen.

use std::ops::RangeInclusive;

/// How far a child stands to the right of its parent where there is room, in points.
const USUAL: f32 = 13.0;
/// And where there is little: what is less cannot be told apart.
const LEAST: f32 = 6.0;
/// What is left of a row for its name, in points, before its children stand closer.
const NAME: f32 = 104.0;
/// For the triangle in front of a name, in points.
pub(super) const FOLD: f32 = 16.0;
/// For the number of a level, where levels are told by numbers too, in points.
pub(super) const LEVEL: f32 = 34.0;

/// Places of the levels in a list, in points from its left.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Indent {
    /// From a level to the next one.
    step: f32,
    /// How much of what stands on the left is not seen.
    shift: f32,
    /// No row begins to the right of this.
    room: f32,
    is_told: bool,
}

impl Indent {
    /// Of a list in which a row has this width without its eye and lock, whose deepest row is at
    /// `deepest`; roots are at 0. Such rows as are seen go as far to the right as they did in the
    /// frame before, if they can.
    pub(super) fn new(width: f32, deepest: usize, seen: &RangeInclusive<usize>, before: Self) -> Self {
        let room = (width - FOLD - NAME).max(0.0);
        let is_told = deepest as f32 * LEAST > room;
        let room = if is_told { (room - LEVEL).max(0.0) } else { room };
        let step = (room / deepest.max(1) as f32).clamp(LEAST, USUAL);
        let (first, last) = (*seen.start() as f32 * step, *seen.end() as f32 * step);
        // The deepest that is seen is in the list, and what is seen above it more so.
        let shift = before.shift.max(last - room).min(first).max(0.0);
        Self { step, shift, room, is_told }
    }

    /// Where a row of this level begins.
    pub(super) fn of(&self, depth: usize) -> f32 {
        (depth as f32 * self.step - self.shift).min(self.room)
    }

    /// Whether the place of a row does not tell its level, so that a number has to.
    pub(super) fn is_told(&self) -> bool {
        self.is_told
    }

    /// Where the lines stand that lead down from what is above a row of this level to all that
    /// hangs on it.
    pub(super) fn guides(&self, depth: usize) -> impl Iterator<Item = f32> {
        // One for each level that is seen, however deep the row is.
        let first = (self.shift / self.step.max(LEAST)).ceil() as usize;
        let most = first + (self.room / LEAST) as usize + 1;
        let columns = (first..depth.min(most)).map(|level| level as f32 * self.step - self.shift);
        columns.filter(|at| *at < self.room).map(|at| at + 0.5 * FOLD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: f32 = 270.0;

    fn indent(deepest: usize, seen: RangeInclusive<usize>) -> Indent {
        Indent::new(WIDTH, deepest, &seen, Indent::default())
    }

    #[test]
    fn a_tree_of_a_few_levels_has_the_usual_steps_and_a_deeper_one_fits_as_well() {
        assert_eq!((indent(0, 0..=0).of(0), indent(4, 0..=4).of(3)), (0.0, 39.0));
        for deepest in [5, 11, 14, 20, 25] {
            let indent = indent(deepest, 0..=deepest);
            let places: Vec<f32> = (0..=deepest).map(|depth| indent.of(depth)).collect();
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LEAST - 1e-3), "{deepest}: {places:?}");
            assert!(places[deepest] <= WIDTH - FOLD - NAME + 1e-3 && !indent.is_told(), "{deepest}");
        }
    }

    #[test]
    fn a_list_deeper_than_it_is_wide_goes_along_with_the_levels_that_are_seen_and_no_farther() {
        let room = WIDTH - FOLD - NAME - LEVEL;
        let mut now = indent(100, 0..=10);
        assert_eq!((now.of(0), now.is_told()), (0.0, true));
        // Down to where the deepest has just room.
        for top in 0..=90 {
            now = Indent::new(WIDTH, 100, &(top..=top + 10), now);
            assert!(now.of(top) >= 0.0 && now.of(top + 10) <= room + 1e-3, "{top}: {now:?}");
            assert_eq!(now.of(top + 10) - now.of(top), 10.0 * LEAST);
        }
        let deepest = now;
        assert!((deepest.of(100) - room).abs() < 1e-3, "{deepest:?}");
        // A little back up, and it stays as it is.
        now = Indent::new(WIDTH, 100, &(85..=95), now);
        assert_eq!(now, deepest);
        // Rows far apart: the first keeps its place, and the last is in the list.
        now = Indent::new(WIDTH, 100, &(0..=100), now);
        assert_eq!((now.of(0), now.of(100)), (0.0, room));
    }

    #[test]
    fn a_row_has_a_line_for_each_level_above_it_that_is_seen() {
        let few = indent(4, 0..=4);
        assert_eq!(few.guides(3).collect::<Vec<_>>(), [8.0, 21.0, 34.0]);
        assert_eq!(few.guides(0).count(), 0);
        let deep = indent(100_000, 99_990..=100_000);
        let lines: Vec<f32> = deep.guides(100_000).collect();
        assert!((9..40).contains(&lines.len()), "{lines:?}");
        assert!(lines.iter().all(|at| (0.0..WIDTH).contains(at)), "{lines:?}");
    }
}
