use crate::math::Rect;
use glam::DVec2;
use std::num::NonZeroU32;

/// A rectangle or a lasso in physical pixels of the render target.
///
/// A pixel belongs to the region if its center does. A rectangle with a corner that is NaN or infinite
/// contains nothing.
///
/// ```
/// use wgpu_gizmo_core::{glam::dvec2, pick::Region};
///
/// let region = Region::Rectangle([dvec2(4.0, 3.0), dvec2(1.0, 1.0)]);
/// assert!(region.contains(dvec2(1.5, 1.5)));
/// assert_eq!(region.pixels(640, 480), Some([1, 1, 3, 2]));
/// // An ID image of 2 × 2 texels, whose first texel is the pixel (3, 2) of the render target.
/// assert_eq!(region.ids_in(&[7, 9, 0, 7], 2, [3, 2]).iter().map(|id| id.get()).collect::<Vec<_>>(), [7]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// The rectangle between two opposite corners, in any order.
    Rectangle([DVec2; 2]),
    /// The points that a closed polygon winds around at least once, in either direction.
    ///
    /// The last point is connected to the first one. Points that are not finite are ignored.
    Lasso(Vec<DVec2>),
}

/// Coordinates are clamped to this many pixels, so that their sums cannot overflow. No render target is
/// larger.
const MAX_REGION_PX: f64 = (1u32 << 24) as f64;

/// A run of columns in one row: the first column, and one past the last.
type PixelRun = [i64; 2];

impl Region {
    /// Returns true if the region contains the point.
    pub fn contains(&self, px: DVec2) -> bool {
        match self {
            Self::Rectangle(corners) => {
                let rect = finite_rect(*corners);
                rect.is_some_and(|Rect { min, max }| px.cmpge(min).all() && px.cmplt(max).all())
            }
            Self::Lasso(_) => {
                let mut crossings = Vec::new();
                self.crossings(px.y, &mut crossings);
                let turns: i32 = crossings.iter().filter(|(x, _)| *x <= px.x).map(|(_, turn)| turn).sum();
                turns != 0
            }
        }
    }

    /// Returns the bounding rectangle of the pixels of the region, as `[column, row, width, height]`.
    ///
    /// The rectangle is clamped to a render target of `width` × `height` pixels. Returns `None` if it
    /// is empty.
    pub fn pixels(&self, width: u32, height: u32) -> Option<[u32; 4]> {
        if let Self::Rectangle(corners) = self {
            finite_rect(*corners)?;
        }
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in self.points() {
            low = low.min(point);
            high = high.max(point);
        }
        let size = DVec2::new(width.into(), height.into());
        let low = (low - 0.5).ceil().max(DVec2::ZERO);
        let high = (high - 0.5).ceil().min(size);
        let [x, y] = [low.x as u32, low.y as u32];
        (low.cmplt(high).all()).then(|| [x, y, high.x as u32 - x, high.y as u32 - y])
    }

    fn points(&self) -> impl Iterator<Item = DVec2> {
        let points: &[DVec2] = match self {
            Self::Rectangle(corners) => corners,
            Self::Lasso(points) => points,
        };
        let limit = DVec2::splat(MAX_REGION_PX);
        points.iter().filter(|point| point.is_finite()).map(move |point| point.clamp(-limit, limit))
    }

    /// Collects the crossings of the polygon with a horizontal line, from left to right.
    ///
    /// Each has the x coordinate and the direction of the edge: 1 downward, -1 upward.
    fn crossings(&self, y: f64, crossings: &mut Vec<(f64, i32)>) {
        crossings.clear();
        let mut last = self.points().last();
        for point in self.points() {
            let Some(from) = last.replace(point) else { continue };
            // Half-open, so that a corner on the line counts once.
            if (from.y <= y) != (point.y <= y) {
                let is_downward = from.y <= y;
                // Ordered, so that the result has the same bits in both directions.
                let (a, b) = if is_downward { (from, point) } else { (point, from) };
                let x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
                crossings.push((x, if is_downward { 1 } else { -1 }));
            }
        }
        crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Collects the runs of columns whose pixel centers are in the region, in one row.
    fn runs(&self, row: i64, crossings: &mut Vec<(f64, i32)>, runs: &mut Vec<PixelRun>) {
        runs.clear();
        let column = |x: f64| (x - 0.5).ceil() as i64;
        let y = row as f64 + 0.5;
        if let Self::Rectangle(corners) = self {
            let limit = DVec2::splat(MAX_REGION_PX);
            if let Some(Rect { min, max }) = finite_rect(*corners) {
                let (low, high) = (min.max(-limit), max.min(limit));
                if low.y <= y && y < high.y {
                    runs.push([column(low.x), column(high.x)]);
                }
            }
            return;
        }
        self.crossings(y, crossings);
        let mut turns = 0;
        let mut from = 0.0;
        for (x, turn) in crossings.iter() {
            if turns == 0 {
                from = *x;
            }
            turns += turn;
            if turns == 0 {
                runs.push([column(from), column(*x)]);
            }
        }
    }

    /// Calls `take` with each row and each run of columns in it whose pixel centers are in the region: the first
    /// column, and one past the last. It visits `count` rows from `first` on.
    pub fn for_each_run(&self, first: i64, count: u32, mut take: impl FnMut(i64, [i64; 2])) {
        let (mut crossings, mut runs) = (Vec::new(), Vec::new());
        for row in (0..i64::from(count)).map(|row| first + row) {
            self.runs(row, &mut crossings, &mut runs);
            runs.iter().for_each(|run| take(row, *run));
        }
    }

    /// Returns the distinct ids that are visible in the region, in ascending order.
    ///
    /// `ids` are the texels of an ID image, row by row with `width` texels each. The first texel is
    /// the pixel `origin_px` of the render target. The cost is one pass over the texels.
    pub fn ids_in(&self, ids: &[u32], width: u32, origin_px: [i64; 2]) -> Vec<NonZeroU32> {
        let (mut found, mut crossings, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        let mut compact_at = COMPACT;
        for (row, texels) in ids.chunks(width.max(1) as usize).enumerate() {
            self.runs(origin_px[1].saturating_add(row as i64), &mut crossings, &mut runs);
            for [from, to] in &runs {
                let index =
                    |column: i64| column.saturating_sub(origin_px[0]).clamp(0, texels.len() as i64) as usize;
                // Neighboring texels are mostly equal, so only changes are collected.
                let mut last = 0;
                for id in &texels[index(*from)..index(*to).max(index(*from))] {
                    if *id != last {
                        found.extend(NonZeroU32::new(*id));
                        last = *id;
                    }
                }
            }
            if found.len() > compact_at {
                found.sort_unstable();
                found.dedup();
                compact_at = COMPACT.max(2 * found.len());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns the rectangle between two opposite corners, or `None` if a corner is not finite.
fn finite_rect([a, b]: [DVec2; 2]) -> Option<Rect> {
    (a.is_finite() && b.is_finite()).then(|| Rect { min: a.min(b), max: a.max(b) })
}

/// The number of collected ids at which duplicates are removed.
const COMPACT: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn lasso(points: &[[f64; 2]]) -> Region {
        Region::Lasso(points.iter().map(|p| DVec2::from_array(*p)).collect())
    }

    /// Finds the texels of the region in an image in which every texel has its own id: 1 + x + 100 y.
    fn found(region: &Region, origin: [i64; 2]) -> Vec<[i64; 2]> {
        let ids: Vec<u32> = (0..10_000).map(|i| i + 1).collect();
        let texel = |id: NonZeroU32| {
            let i = i64::from(id.get()) - 1;
            [i % 100 + origin[0], i / 100 + origin[1]]
        };
        region.ids_in(&ids, 100, origin).into_iter().map(texel).collect()
    }

    #[test]
    fn ids_in_returns_texels_with_centers_inside() {
        let mut rng = fastrand::Rng::with_seed(3);
        for case in 0..300 {
            // Some corners are at centers of texels.
            let mut at = || rng.f64() * 140.0 - 20.0;
            let mut at = || if case % 2 == 0 { at().floor() + 0.5 } else { at() };
            let mut point = || DVec2::new(at(), at());
            let region = if case % 3 == 0 {
                Region::Rectangle([point(), point()])
            } else {
                Region::Lasso((0..3 + case % 7).map(|_| point()).collect())
            };
            let origin = [case as i64 % 5 - 2, 3 - case as i64 % 4];
            let expected: Vec<[i64; 2]> = (0..100)
                .flat_map(|y| (0..100).map(move |x| [x + origin[0], y + origin[1]]))
                .filter(|[x, y]| region.contains(DVec2::new(*x as f64 + 0.5, *y as f64 + 0.5)))
                .collect();
            assert_eq!(found(&region, origin), expected, "{region:?}");
            let mut visited = Vec::new();
            region.for_each_run(origin[1], 100, |y, [from, to]| visited.extend((from..to).map(|x| [x, y])));
            visited.retain(|[x, _]| (0..100).contains(&(x - origin[0])));
            assert_eq!(visited, expected, "{region:?}");
        }
    }

    #[test]
    fn self_crossing_lasso_contains_all_enclosed_points() {
        // A five-pointed star, which winds around its center twice.
        let star = lasso(&[[50.0, 5.0], [78.0, 90.0], [5.0, 37.0], [95.0, 37.0], [22.0, 90.0]]);
        assert!(star.contains(DVec2::new(50.0, 50.0)) && star.contains(DVec2::new(50.0, 12.0)));
        assert!(!star.contains(DVec2::new(50.0, 85.0)));
    }

    #[test]
    fn degenerate_regions_are_empty() {
        for region in [
            Region::Lasso(Vec::new()),
            lasso(&[[3.0, 3.0]]),
            lasso(&[[3.0, 3.0], [90.0, 90.0]]),
            lasso(&[[f64::NAN, 3.0], [f64::INFINITY, 90.0], [1.0, 2.0]]),
            Region::Rectangle([DVec2::ONE; 2]),
            Region::Rectangle([DVec2::ONE, DVec2::NAN]),
            Region::Rectangle([DVec2::new(500.0, 0.0), DVec2::new(900.0, 90.0)]),
        ] {
            assert!(found(&region, [0, 0]).is_empty(), "{region:?}");
        }
        assert_eq!(Region::Rectangle([DVec2::ONE; 2]).pixels(100, 100), None);
        assert_eq!(Region::Lasso(Vec::new()).pixels(100, 100), None);
    }

    #[test]
    fn pixels_bounds_region_within_render_target() {
        let region = Region::Rectangle([DVec2::new(20.4, 90.6), DVec2::new(10.6, 5.5)]);
        assert_eq!(region.pixels(100, 50), Some([11, 5, 9, 45]));
        let all = Region::Rectangle([DVec2::splat(-1e300), DVec2::splat(1e300)]);
        assert_eq!(all.pixels(640, 480), Some([0, 0, 640, 480]));
        assert_eq!(all.pixels(0, 480), None);
    }
}
