use crate::math::DepthDirection;
use std::cmp::Ordering;
use std::num::NonZeroU32;

/// How handles rank when several lie within the pick tolerance: the first wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Axis and centre handles.
    Axis,
    /// Rings about an axis.
    Ring,
    /// Squares.
    Square,
    /// The ring about the view.
    OuterRing,
    /// The ball: only where nothing else is near.
    Trackball,
}

/// One texel of the ID image with something in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texel {
    /// What is seen there.
    pub id: NonZeroU32,
    /// Its depth, as the view's projection writes it.
    pub depth: f32,
    /// Column of the target.
    pub x: i64,
    /// Row of the target, from the top.
    pub y: i64,
}

/// A square cut-out of the ID image round the texel under the cursor, with an odd side.
#[derive(Debug, Clone, Copy)]
pub struct PickTile<'a> {
    /// Row-major ids, 0 where there is nothing.
    pub ids: &'a [u32],
    /// Bits of the depths, likewise.
    pub depth_bits: &'a [u32],
    /// Texels from one row to the next; at least `side`.
    pub stride: usize,
    /// Texels along a side.
    pub side: usize,
    /// Column and row of the target that the middle texel is.
    pub centre: (i64, i64),
}

/// How good a candidate within the tolerance is: the least wins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) beyond_half: bool,
    pub(super) priority: Priority,
    pub(super) distance_squared: f64,
    /// Smaller is nearer to the viewer.
    pub(super) depth: f64,
    pub(super) id: NonZeroU32,
}

impl Key {
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        (self.beyond_half, self.priority)
            .cmp(&(other.beyond_half, other.priority))
            .then(self.distance_squared.total_cmp(&other.distance_squared))
            .then(self.depth.total_cmp(&other.depth))
            .then(self.id.cmp(&other.id))
    }
}

impl PickTile<'_> {
    /// The texel in the middle.
    pub fn exact(&self) -> Option<Texel> {
        let middle = (self.side / 2) as i64;
        self.texel(middle, middle)
    }

    /// What the cursor means, with a tolerance of `radius_px` (Euclidean, from the middle
    /// texel): a total order, independent of the order in which texels are looked at.
    ///
    /// First the exact texel, if it is a handle other than a trackball; else the best handle
    /// within the radius; else the trackball, or object, at the exact texel; else the nearest
    /// object within the radius. `priority_of` tells handles (`Some`) from objects.
    pub fn resolve(
        &self,
        radius_px: f64,
        depth: DepthDirection,
        priority_of: impl Fn(NonZeroU32) -> Option<Priority>,
    ) -> Option<Texel> {
        let exact = self.exact();
        let is_firm = |texel: &Texel| priority_of(texel.id).is_some_and(|p| p != Priority::Trackball);
        if exact.as_ref().is_some_and(is_firm) {
            return exact;
        }
        let middle = (self.side / 2) as i64;
        // A disc, also where the tile is too small for it.
        let radius_px = radius_px.clamp(0.0, middle as f64);
        let reach = radius_px.floor() as i64;
        let mut best_handle: Option<(Key, Texel)> = None;
        let mut best_object: Option<(Key, Texel)> = None;
        for y in -reach..=reach {
            for x in -reach..=reach {
                let distance_squared = (x * x + y * y) as f64;
                if distance_squared > radius_px * radius_px {
                    continue;
                }
                let Some(texel) = self.texel(middle + x, middle + y) else { continue };
                let (priority, best) = match priority_of(texel.id) {
                    Some(Priority::Trackball) => continue,
                    Some(priority) => (priority, &mut best_handle),
                    // Objects all rank alike: the nearest is the best.
                    None => (Priority::Axis, &mut best_object),
                };
                let key = Key {
                    beyond_half: distance_squared > 0.25 * radius_px * radius_px,
                    priority,
                    distance_squared,
                    depth: match depth {
                        DepthDirection::Standard => texel.depth.into(),
                        DepthDirection::Reversed => -f64::from(texel.depth),
                    },
                    id: texel.id,
                };
                if best.is_none_or(|(least, _)| key.cmp(&least).is_lt()) {
                    *best = Some((key, texel));
                }
            }
        }
        best_handle.map(|(_, texel)| texel).or(exact).or(best_object.map(|(_, texel)| texel))
    }

    fn texel(&self, column: i64, row: i64) -> Option<Texel> {
        let index = (row as usize).checked_mul(self.stride)?.checked_add(column as usize)?;
        let id = NonZeroU32::new(*self.ids.get(index)?)?;
        let depth = f32::from_bits(*self.depth_bits.get(index)?);
        let middle = (self.side / 2) as i64;
        let (x, y) = (self.centre.0.wrapping_add(column - middle), self.centre.1.wrapping_add(row - middle));
        Some(Texel { id, depth, x, y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 33;

    fn tile(ids: &[u32]) -> PickTile<'_> {
        static DEPTHS: [u32; SIDE * SIDE] = [0; SIDE * SIDE];
        PickTile { ids, depth_bits: &DEPTHS, stride: SIDE, side: SIDE, centre: (100, 50) }
    }

    fn with(texels: &[(i64, i64, u32)]) -> Vec<u32> {
        let mut ids = vec![0; SIDE * SIDE];
        for (x, y, id) in texels {
            ids[(16 + y) as usize * SIDE + (16 + x) as usize] = *id;
        }
        ids
    }

    /// 1..=5 are handles in the order of the priorities, 10 and up are objects.
    fn resolve(texels: &[(i64, i64, u32)]) -> Option<u32> {
        let all =
            [Priority::Axis, Priority::Ring, Priority::Square, Priority::OuterRing, Priority::Trackball];
        let ids = with(texels);
        tile(&ids)
            .resolve(8.0, DepthDirection::Standard, |id| all.get(id.get() as usize - 1).copied())
            .map(|texel| texel.id.get())
    }

    #[test]
    fn the_exact_handle_wins_over_better_ones_nearby() {
        assert_eq!(resolve(&[(0, 0, 4), (1, 0, 1)]), Some(4));
    }

    #[test]
    fn near_handles_come_before_far_ones_and_then_by_priority() {
        assert_eq!(resolve(&[(3, 0, 4), (6, 0, 1)]), Some(4));
        assert_eq!(resolve(&[(3, 0, 4), (0, 4, 2)]), Some(2));
        assert_eq!(resolve(&[(3, 0, 1), (0, 2, 1), (2, 2, 1)]), Some(1));
        assert_eq!(resolve(&[(9, 0, 1)]), None);
    }

    #[test]
    fn the_trackball_yields_to_every_handle_within_reach_but_not_to_objects() {
        assert_eq!(resolve(&[(0, 0, 5), (7, 0, 4)]), Some(4));
        assert_eq!(resolve(&[(0, 0, 5), (1, 0, 10)]), Some(5));
        assert_eq!(resolve(&[(1, 0, 5)]), None);
    }

    /// A texel of a tile: where, which id, and how deep.
    type Candidate = ((i64, i64), u32, f32);

    /// The id that wins of two. 20 to 29 are axes, 30 to 39 squares, 100 and up objects.
    fn winner(candidates: [Candidate; 2], direction: DepthDirection) -> Option<u32> {
        let (mut ids, mut depth_bits) = (vec![0; SIDE * SIDE], vec![0; SIDE * SIDE]);
        for ((x, y), id, depth) in candidates {
            let index = (16 + y) as usize * SIDE + (16 + x) as usize;
            let depth = if direction == DepthDirection::Standard { depth } else { 1.0 - depth };
            (ids[index], depth_bits[index]) = (id, depth.to_bits());
        }
        let tile = PickTile { depth_bits: &depth_bits, ..tile(&ids) };
        let priority_of = |id: NonZeroU32| match id.get() {
            20..=29 => Some(Priority::Axis),
            30..=39 => Some(Priority::Square),
            _ => None,
        };
        tile.resolve(8.0, direction, priority_of).map(|texel| texel.id.get())
    }

    #[test]
    fn each_term_of_the_order_decides_before_all_that_follow() {
        // The first of each pair is better by one term, and worse by every later one.
        let pairs: [(&str, [Candidate; 2]); 9] = [
            ("half the radius", [((4, 0), 39, 0.9), ((0, 5), 20, 0.1)]),
            ("priority, within half", [((4, 0), 29, 0.9), ((0, 1), 30, 0.1)]),
            ("priority, beyond half", [((7, 0), 29, 0.9), ((0, 5), 30, 0.1)]),
            ("distance", [((2, 0), 29, 0.9), ((0, 3), 20, 0.1)]),
            ("depth", [((2, 0), 29, 0.1), ((0, 2), 20, 0.9)]),
            ("id", [((2, 0), 20, 0.5), ((0, 2), 29, 0.5)]),
            ("distance of objects", [((5, 0), 109, 0.9), ((0, 6), 100, 0.1)]),
            ("depth of objects", [((5, 0), 109, 0.1), ((0, 5), 100, 0.9)]),
            ("id of objects", [((5, 0), 100, 0.5), ((0, 5), 109, 0.5)]),
        ];
        let mut decided = 0;
        for (term, [best, other]) in pairs {
            for direction in [DepthDirection::Standard, DepthDirection::Reversed] {
                // In all orders in which texels may be looked at.
                for (x, y) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
                    let turned = |((a, b), id, depth): Candidate| ((x * a, y * b), id, depth);
                    let transposed = |((a, b), id, depth): Candidate| ((y * b, x * a), id, depth);
                    for pair in [[turned(best), turned(other)], [transposed(best), transposed(other)]] {
                        assert_eq!(winner(pair, direction), Some(best.1), "{term}, {direction:?}: {pair:?}");
                        decided += 1;
                    }
                }
            }
        }
        assert_eq!(decided, 9 * 2 * 8);
    }

    #[test]
    fn objects_come_last_the_exact_one_before_the_nearest() {
        assert_eq!(resolve(&[(0, 0, 10), (7, 0, 1)]), Some(1));
        assert_eq!(resolve(&[(0, 0, 10), (1, 0, 11)]), Some(10));
        assert_eq!(resolve(&[(3, 0, 10), (-2, 0, 12), (2, 0, 11)]), Some(11));
    }

    #[test]
    fn a_tolerance_larger_than_the_tile_is_still_a_disc() {
        let ids = with(&[(15, 15, 1), (0, 16, 4)]);
        let found = tile(&ids).resolve(1e9, DepthDirection::Standard, |id| {
            Some(if id.get() == 1 { Priority::Axis } else { Priority::OuterRing })
        });
        assert_eq!(found.map(|texel| texel.id.get()), Some(4), "the corner is out of reach");
    }

    #[test]
    fn a_tile_described_wrongly_holds_nothing() {
        let far = PickTile { stride: usize::MAX, centre: (i64::MAX, i64::MIN), ..tile(&[]) };
        assert_eq!(far.resolve(8.0, DepthDirection::Standard, |_| None), None);
        let odd = PickTile { side: usize::MAX, ..tile(&[1]) };
        assert_eq!(odd.exact(), None);
    }

    #[test]
    fn a_texel_knows_where_in_the_target_it_is() {
        let ids = with(&[(3, -2, 10)]);
        let texel = tile(&ids).resolve(8.0, DepthDirection::Standard, |_| None).expect("within reach");
        assert_eq!((texel.x, texel.y), (103, 48));
    }
}
