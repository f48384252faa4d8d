//! Indentation of the rows of the tree. Deeper trees use smaller steps, so that all levels fit. If even the
//! minimum step is too large, the list scrolls horizontally with the visible levels.

use std::ops::RangeInclusive;

/// Indentation per level if there is enough space, in points.
const MAX_STEP: f32 = 13.0;
/// Minimum indentation per level, in points. Smaller steps are hard to distinguish.
const MIN_STEP: f32 = 6.0;
/// Minimum width of a row that is reserved for its name, in points.
const NAME_WIDTH: f32 = 104.0;
/// Width of the triangle in front of a name, in points.
pub(super) const FOLD: f32 = 16.0;
/// Width of the number of a level, if it is shown, in points.
pub(super) const LEVEL: f32 = 34.0;

/// The indentation of the levels of a list, in points from its left edge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Indent {
    /// Indentation per level.
    step: f32,
    /// Horizontal scroll offset.
    shift: f32,
    /// Maximum indentation of a row.
    max_offset: f32,
    /// Whether the level must be shown as a number, because the indentation does not show it.
    pub(super) shows_level: bool,
}

impl Indent {
    /// Computes the indentation for rows of this width (without the eye and the lock). The deepest row is
    /// at the level `deepest`; roots are at 0. Keeps the scroll offset of the frame `before` as far as the
    /// visible levels `seen` allow.
    pub(super) fn new(width: f32, deepest: usize, seen: &RangeInclusive<usize>, before: Self) -> Self {
        let available = (width - FOLD - NAME_WIDTH).max(0.0);
        let shows_level = deepest as f32 * MIN_STEP > available;
        let max_offset = if shows_level { (available - LEVEL).max(0.0) } else { available };
        let step = (max_offset / deepest.max(1) as f32).clamp(MIN_STEP, MAX_STEP);
        let (first, last) = (*seen.start() as f32 * step, *seen.end() as f32 * step);
        // The deepest visible row must be inside the list.
        let shift = before.shift.max(last - max_offset).min(first).max(0.0);
        Self { step, shift, max_offset, shows_level }
    }

    /// Returns the indentation of a row of this level.
    pub(super) fn offset(&self, depth: usize) -> f32 {
        (depth as f32 * self.step - self.shift).min(self.max_offset)
    }

    /// Returns the positions of the vertical lines in a row of this level, one per visible ancestor level.
    pub(super) fn guides(&self, depth: usize) -> impl Iterator<Item = f32> {
        // The number of lines is limited by the width, however deep the row is.
        let first = (self.shift / self.step.max(MIN_STEP)).ceil() as usize;
        let end = first + (self.max_offset / MIN_STEP) as usize + 1;
        let columns = (first..depth.min(end)).map(|level| level as f32 * self.step - self.shift);
        columns.filter(|at| *at < self.max_offset).map(|at| at + 0.5 * FOLD)
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
    fn shallow_trees_use_full_step_and_deeper_ones_fit() {
        assert_eq!((indent(0, 0..=0).offset(0), indent(4, 0..=4).offset(3)), (0.0, 39.0));
        for deepest in [5, 11, 14, 20, 25] {
            let indent = indent(deepest, 0..=deepest);
            let offsets: Vec<f32> = (0..=deepest).map(|depth| indent.offset(depth)).collect();
            assert!(
                offsets.windows(2).all(|pair| pair[1] - pair[0] >= MIN_STEP - 1e-3),
                "{deepest}: {offsets:?}"
            );
            assert!(offsets[deepest] <= WIDTH - FOLD - NAME_WIDTH + 1e-3 && !indent.shows_level, "{deepest}");
        }
    }

    #[test]
    fn deep_list_scrolls_with_visible_levels() {
        let max_offset = WIDTH - FOLD - NAME_WIDTH - LEVEL;
        let mut now = indent(100, 0..=10);
        assert_eq!((now.offset(0), now.shows_level), (0.0, true));
        // Scroll down until the deepest row just fits.
        for top in 0..=90 {
            now = Indent::new(WIDTH, 100, &(top..=top + 10), now);
            assert!(now.offset(top) >= 0.0 && now.offset(top + 10) <= max_offset + 1e-3, "{top}: {now:?}");
            assert_eq!(now.offset(top + 10) - now.offset(top), 10.0 * MIN_STEP);
        }
        let deepest = now;
        assert!((deepest.offset(100) - max_offset).abs() < 1e-3, "{deepest:?}");
        // A little way back up, the offset stays.
        now = Indent::new(WIDTH, 100, &(85..=95), now);
        assert_eq!(now, deepest);
        // If the visible levels are far apart, the first stays at the left and the last is still inside
        // the list.
        now = Indent::new(WIDTH, 100, &(0..=100), now);
        assert_eq!((now.offset(0), now.offset(100)), (0.0, max_offset));
    }

    #[test]
    fn row_has_line_per_visible_ancestor_level() {
        let few = indent(4, 0..=4);
        assert_eq!(few.guides(3).collect::<Vec<_>>(), [8.0, 21.0, 34.0]);
        assert_eq!(few.guides(0).count(), 0);
        let deep = indent(100_000, 99_990..=100_000);
        let lines: Vec<f32> = deep.guides(100_000).collect();
        assert!((9..40).contains(&lines.len()), "{lines:?}");
        assert!(lines.iter().all(|at| (0.0..WIDTH).contains(at)), "{lines:?}");
    }
}
