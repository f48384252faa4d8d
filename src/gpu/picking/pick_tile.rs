use crate::handle::Priority;
use crate::math::{DepthDirection, View};
use crate::pick::Candidate;
use glam::{DVec2, DVec3};
use std::num::NonZeroU32;

/// A texel of the ID image that is not empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Texel {
    /// The id of the handle or object that is visible there.
    pub(crate) id: NonZeroU32,
    /// The depth, as the projection of the view writes it.
    pub(crate) depth: f32,
    /// The column of the render target.
    pub(crate) x: i64,
    /// The row of the render target, from the top.
    pub(crate) y: i64,
}

/// A square tile of the ID image around the texel under the cursor.
///
/// Its side must be odd, so that the cursor is in the center texel. Texels outside of the slices count as
/// empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PickTile<'a> {
    /// The ids in row-major order; 0 means nothing.
    pub(crate) ids: &'a [u32],
    /// The bits of the `f32` depths, in the same order.
    pub(crate) depth_bits: &'a [u32],
    /// The number of words from one texel of a row to the next.
    pub(crate) step: usize,
    /// The number of words from one row to the next, at least `side` times `step`.
    pub(crate) stride: usize,
    /// The number of texels along a side, which must be odd.
    pub(crate) side: usize,
    /// The column and row of the center texel in the render target.
    pub(crate) center: (i64, i64),
}

/// A neighboring texel, and the absolute second difference of the depths toward it.
struct Beside {
    texel: Texel,
    second_difference: f32,
}

impl PickTile<'_> {
    /// Returns the center texel, or `None` if it is empty.
    pub(crate) fn exact(&self) -> Option<Texel> {
        let center = (self.side / 2) as i64;
        self.texel(center, center)
    }

    /// Returns the texel that a pick with this tolerance selects (§14 of docs/spec.md).
    ///
    /// `radius_px` is the Euclidean distance from the center texel, in physical pixels.
    /// `priority_of` returns the priority of a handle, and `None` for an object. The first match wins:
    ///
    /// 1. the center texel, if it is a handle other than the trackball;
    /// 2. the best handle within the radius other than the trackball: within half of the radius first,
    ///    then by priority, distance, depth and id;
    /// 3. the trackball or the object at the center texel;
    /// 4. the nearest object within the radius, by distance, depth and id.
    ///
    /// The result does not depend on the order in which texels are visited.
    pub(crate) fn resolve(
        &self,
        radius_px: f64,
        depth: DepthDirection,
        priority_of: impl Fn(NonZeroU32) -> Option<Priority>,
    ) -> Option<Texel> {
        let exact = self.exact();
        let is_solid_handle = |texel: &Texel| priority_of(texel.id).is_some_and(|p| p != Priority::Trackball);
        if exact.as_ref().is_some_and(is_solid_handle) {
            return exact;
        }
        let center = (self.side / 2) as i64;
        // Clamped, so that the texels within the tolerance are a disc even in a small tile.
        let radius_px = radius_px.clamp(0.0, center as f64);
        let reach = radius_px.floor() as i64;
        let mut best_handle: Option<(Candidate, Texel)> = None;
        let mut best_object: Option<(Candidate, Texel)> = None;
        for y in -reach..=reach {
            for x in -reach..=reach {
                let distance_squared = (x * x + y * y) as f64;
                if distance_squared > radius_px * radius_px {
                    continue;
                }
                let Some(texel) = self.texel(center.saturating_add(x), center.saturating_add(y)) else {
                    continue;
                };
                let (priority, best) = match priority_of(texel.id) {
                    Some(Priority::Trackball) => continue,
                    Some(priority) => (priority, &mut best_handle),
                    // All objects have the same rank, so the nearest is the best.
                    None => (Priority::Axis, &mut best_object),
                };
                let key = Candidate {
                    is_beyond_half: distance_squared > 0.25 * radius_px * radius_px,
                    priority,
                    distance_squared,
                    depth: match depth {
                        DepthDirection::Standard => texel.depth.into(),
                        DepthDirection::Reversed => -f64::from(texel.depth),
                    },
                    id: texel.id,
                };
                if best.is_none_or(|(best_key, _)| key.order(&best_key).is_lt()) {
                    *best = Some((key, texel));
                }
            }
        }
        best_handle.map(|(_, texel)| texel).or(exact).or(best_object.map(|(_, texel)| texel))
    }

    /// Collects the ids within a radius of the center texel, in ascending order.
    pub(crate) fn ids_within(&self, radius_px: f64, ids: &mut Vec<NonZeroU32>) {
        let center = (self.side / 2) as i64;
        let radius_px = radius_px.clamp(0.0, center as f64);
        let reach = radius_px.floor() as i64;
        let inside = |x: i64, y: i64| ((x * x + y * y) as f64) <= radius_px * radius_px;
        for y in -reach..=reach {
            let row = (-reach..=reach).filter(|x| inside(*x, y));
            ids.extend(row.filter_map(|x| Some(self.texel(center + x, center + y)?.id)));
        }
        ids.sort_unstable();
        ids.dedup();
    }

    /// Returns the unit normal, toward the viewer, of the surface at a texel, from the depths of its object
    /// around it.
    pub(crate) fn normal_world(&self, view: &View, at: Texel) -> Option<DVec3> {
        let point = |texel: Texel| {
            let center_px = DVec2::new(texel.x as f64 + 0.5, texel.y as f64 + 0.5);
            view.unproject(center_px, texel.depth.into())
        };
        let origin = point(at)?;
        let [x, y] = [[1, 0], [0, 1]].map(|[x, y]| {
            let sides = [1, -1].map(|sign| self.beside(at, [sign * x, sign * y]));
            // The side where the depth is more linear has no edge.
            let nearest = sides
                .into_iter()
                .flatten()
                .min_by(|a, b| a.second_difference.total_cmp(&b.second_difference))?;
            let away = point(nearest.texel)? - origin;
            let is_forward = nearest.texel.x + nearest.texel.y > at.x + at.y;
            Some(if is_forward { away } else { -away })
        });
        let normal = x?.cross(y?).try_normalize()?;
        Some(if normal.dot(view.direction_to(origin)) > 0.0 { -normal } else { normal })
    }

    /// Returns a texel of the same object beside another one.
    fn beside(&self, at: Texel, [x, y]: [i64; 2]) -> Option<Beside> {
        let center = (self.side / 2) as i64;
        let (column, row) = (at.x - self.center.0 + center, at.y - self.center.1 + center);
        let step = |n: i64| self.texel(column + n * x, row + n * y).filter(|texel| texel.id == at.id);
        let first = step(1)?;
        match step(2) {
            Some(second) => {
                let second_difference = (second.depth - 2.0 * first.depth + at.depth).abs();
                Some(Beside { texel: second, second_difference })
            }
            None => Some(Beside { texel: first, second_difference: f32::MAX }),
        }
    }

    fn texel(&self, column: i64, row: i64) -> Option<Texel> {
        let side = 0..self.side as i64;
        if !side.contains(&column) || !side.contains(&row) {
            return None;
        }
        let before = (row as usize).checked_mul(self.stride)?;
        let index = (column as usize).checked_mul(self.step)?.checked_add(before)?;
        let id = NonZeroU32::new(*self.ids.get(index)?)?;
        let depth = f32::from_bits(*self.depth_bits.get(index)?);
        let center = (self.side / 2) as i64;
        let (x, y) = (self.center.0.wrapping_add(column - center), self.center.1.wrapping_add(row - center));
        Some(Texel { id, depth, x, y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::DMat4;

    const SIDE: usize = 33;

    fn tile(ids: &[u32]) -> PickTile<'_> {
        static DEPTHS: [u32; SIDE * SIDE] = [0; SIDE * SIDE];
        PickTile { ids, depth_bits: &DEPTHS, step: 1, stride: SIDE, side: SIDE, center: (100, 50) }
    }

    fn with(texels: &[(i64, i64, u32)]) -> Vec<u32> {
        let mut ids = vec![0; SIDE * SIDE];
        for (x, y, id) in texels {
            ids[(16 + y) as usize * SIDE + (16 + x) as usize] = *id;
        }
        ids
    }

    /// Ids 1 to 5 are handles in the order of their priorities, and ids from 10 are objects.
    fn resolve(texels: &[(i64, i64, u32)]) -> Option<u32> {
        let all =
            [Priority::Axis, Priority::Ring, Priority::Square, Priority::OuterRing, Priority::Trackball];
        let ids = with(texels);
        tile(&ids)
            .resolve(8.0, DepthDirection::Standard, |id| all.get(id.get() as usize - 1).copied())
            .map(|texel| texel.id.get())
    }

    #[test]
    fn ids_within_radius_are_those_of_disc() {
        let numbers: Vec<u32> = (1..).take(SIDE * SIDE).collect();
        for radius_px in [0.0, 0.9, 1.5, 4.0, 11.3, 16.0, 1e9] {
            let mut found = Vec::new();
            tile(&numbers).ids_within(radius_px, &mut found);
            let is_near = |id: &u32| {
                let [row, column] = [(id - 1) / SIDE as u32, (id - 1) % SIDE as u32];
                let offset = [row, column].map(|n| f64::from(n) - 16.0);
                offset[0].hypot(offset[1]) <= radius_px.min(16.0)
            };
            let expected: Vec<u32> = numbers.iter().copied().filter(is_near).collect();
            assert_eq!(found.iter().map(|id| id.get()).collect::<Vec<_>>(), expected, "{radius_px}");
        }
    }

    #[test]
    fn nothing_is_beside_texel_at_border_of_tile() {
        let ids = vec![7; SIDE * SIDE];
        for (column, row, beyond) in [(32, 5, [1, 0]), (0, 5, [-1, 0]), (5, 32, [0, 1]), (5, 0, [0, -1])] {
            let border = tile(&ids).texel(column, row).expect("the texel has an id");
            assert!(tile(&ids).beside(border, beyond).is_none(), "{beyond:?}");
            assert!(tile(&ids).beside(border, beyond.map(|n| -n)).is_some(), "{beyond:?}");
        }
    }

    #[test]
    fn exact_handle_precedes_near_ones_and_objects() {
        for (texels, expected) in [
            (&[(0, 0, 4), (1, 0, 1)][..], Some(4)),
            (&[(3, 0, 4), (6, 0, 1)], Some(4)),
            (&[(3, 0, 4), (0, 4, 2)], Some(2)),
            (&[(9, 0, 1)], None),
            // The trackball yields to handles, but not to objects.
            (&[(0, 0, 5), (7, 0, 4)], Some(4)),
            (&[(0, 0, 5), (1, 0, 10)], Some(5)),
            (&[(1, 0, 5)], None),
            (&[(0, 0, 10), (7, 0, 1)], Some(1)),
            (&[(0, 0, 10), (1, 0, 11)], Some(10)),
            (&[(3, 0, 10), (-2, 0, 12), (2, 0, 11)], Some(11)),
        ] {
            assert_eq!(resolve(texels), expected, "{texels:?}");
        }
    }

    /// A texel of a tile: its position, id and depth.
    type Candidate = ((i64, i64), u32, f32);

    /// Returns the id of the candidate that wins. Ids 20 to 29 are axes, 30 to 39 squares, 100 and up
    /// objects.
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
    fn each_sort_criterion_outranks_all_later_ones() {
        // The first candidate of each pair is better by one criterion, and worse by every later one.
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
                // Tries all orders in which texels may be visited.
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

    /// A column of texels is too narrow for a normal, and the wall behind it gives none.
    #[test]
    fn normal_of_narrow_object_ignores_wall_behind_it() {
        let viewport = Viewport::from_size(200, 100);
        let view = View::from_clip_from_world(DMat4::IDENTITY, viewport, 1.0).expect("the view is valid");
        let normal_of = |width: i64| {
            let (mut ids, mut depth_bits) = (vec![11; SIDE * SIDE], vec![0.8f32.to_bits(); SIDE * SIDE]);
            for (index, (id, depth)) in ids.iter_mut().zip(&mut depth_bits).enumerate() {
                let column = (index % SIDE) as i64 - 16;
                if (0..width).contains(&column) {
                    (*id, *depth) = (10, (0.2 + 0.01 * column as f32).to_bits());
                }
            }
            let tile = PickTile { depth_bits: &depth_bits, ..tile(&ids) };
            tile.normal_world(&view, tile.exact().expect("the object is there"))
        };
        assert_eq!(normal_of(1), None);
        // A column is 0.01 wide, and as much deeper than the one before.
        let expected = DVec3::new(1.0, 0.0, -1.0).normalize();
        for width in [2, 3, 9] {
            let normal = normal_of(width).expect("it has two columns");
            assert!(normal.distance(expected) < 1e-4, "{width}: {normal}");
        }
    }

    #[test]
    fn oversized_tolerance_stays_a_disc() {
        let ids = with(&[(15, 15, 1), (0, 16, 4)]);
        let found = tile(&ids).resolve(1e9, DepthDirection::Standard, |id| {
            Some(if id.get() == 1 { Priority::Axis } else { Priority::OuterRing })
        });
        assert_eq!(found.map(|texel| texel.id.get()), Some(4), "the corner is outside the disc");
    }

    #[test]
    fn malformed_tile_returns_nothing() {
        let far =
            PickTile { step: usize::MAX, stride: usize::MAX, center: (i64::MAX, i64::MIN), ..tile(&[]) };
        assert_eq!(far.resolve(8.0, DepthDirection::Standard, |_| None), None);
        let odd = PickTile { side: usize::MAX, ..tile(&[1]) };
        assert_eq!(odd.exact(), None);
    }
}
