//! The bounding balls of a scene's objects, and boxes around groups of them.

use crate::math::{Ball, Frustum};
use glam::{DVec3, DVec4, Vec3, Vec4};

/// The balls of all slots, in a layout that the compiler vectorizes.
///
/// They are stored as `f32`, because memory bandwidth is most of the cost of culling. Rounding
/// errors are added to the radii, so that no ball that may intersect is missed.
#[derive(Debug, Default)]
pub(super) struct Balls {
    blocks: Vec<Block>,
    groups: Vec<Group>,
}

/// The x, y and z of the centers and the radii of neighboring slots.
type Block = [[f32; LANES]; 4];

/// The bounding box of the balls of neighboring slots.
///
/// They are close in space if the host inserted its objects in spatial order; if not, testing the boxes costs a
/// fiftieth of testing the balls. Nothing must be rebuilt when objects move: a box grows with each ball that is
/// set, and is computed again after as many changes as the group has slots.
#[derive(Debug, Clone, Copy)]
struct Group {
    low: Vec3,
    high: Vec3,
    changes: usize,
}

/// Balls per block: a few of the widest SIMD registers.
const LANES: usize = 16;
/// Blocks per group.
const BLOCKS: usize = 4;
/// Slots per group.
const SLOTS: usize = BLOCKS * LANES;
/// The ball of an empty slot, which reaches across no plane.
const EMPTY: [f32; 4] = [0.0, 0.0, 0.0, f32::NEG_INFINITY];
/// A coordinate beyond all balls, small enough not to overflow.
const FAR_AWAY: f32 = 1e30;
/// The coordinate beyond which sums of squares overflow in `f32`.
const MAX_COORDINATE: f64 = 1e18;
/// Relative rounding error of a distance: a sum of four products of rounded numbers has at most
/// twelve roundings, each of half a unit in the last place of the largest term or partial sum.
const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

impl Balls {
    /// Sets the ball of a slot, or empties the slot. A ball that is not finite intersects every frustum.
    pub(super) fn set(&mut self, slot: u32, ball: Option<Ball>) {
        let slot = slot as usize;
        if self.groups.len() <= slot / SLOTS {
            self.groups.resize(slot / SLOTS + 1, Group::EMPTY);
            self.blocks.resize(self.groups.len() * BLOCKS, EMPTY.map(|number| [number; LANES]));
        }
        let ball = ball.map_or(EMPTY, rounded);
        for (row, number) in self.blocks[slot / LANES].iter_mut().zip(ball) {
            row[slot % LANES] = number;
        }
        let group = &mut self.groups[slot / SLOTS];
        group.changes += 1;
        if group.changes < SLOTS {
            group.grow(ball);
            return;
        }
        *group = Group::EMPTY;
        for block in self.blocks.iter().skip(slot / SLOTS * BLOCKS).take(BLOCKS) {
            (0..LANES).for_each(|lane| group.grow(block.map(|row| row[lane])));
        }
    }

    /// Returns the ball of a slot, slightly larger than it was set, or `None` if the slot is empty.
    pub(super) fn get(&self, slot: u32) -> Option<Ball> {
        let block = self.blocks.get(slot as usize / LANES)?;
        let [x, y, z, radius] = block.map(|row| f64::from(row[slot as usize % LANES]));
        (radius >= 0.0).then_some(Ball { center: DVec3::new(x, y, z), radius })
    }

    /// Appends the slots of all balls that may intersect a frustum to `found`, in ascending order.
    /// The balls are relative to `origin_world`.
    pub(super) fn find(&self, frustum: &Frustum, origin_world: DVec3, found: &mut Vec<u32>) {
        let planes = sides(frustum, origin_world);
        for index in self.groups_in(&planes) {
            let first = index * BLOCKS;
            let blocks = self.blocks.iter().skip(first).take(BLOCKS);
            for (block, first) in blocks.zip((first as u32 * LANES as u32..).step_by(LANES)) {
                let reach = reach(block, &planes);
                if reach.iter().fold(false, |any, reach| any | (*reach >= 0.0)) {
                    let touched = (first..).zip(reach).filter(|(_, reach)| *reach >= 0.0);
                    found.extend(touched.map(|(slot, _)| slot));
                }
            }
        }
    }

    /// Returns the indices of the groups that may be on the inner side of all planes.
    fn groups_in(&self, planes: &[[f32; 4]; SIDES]) -> impl Iterator<Item = usize> {
        // A lane per plane.
        let [x, y, z, d] = [0, 1, 2, 3].map(|i| Vec4::from_array(planes.map(|plane| plane[i])));
        let [high, low] = [Vec4::max, Vec4::min].map(|end| [x, y, z].map(|n| end(n, Vec4::ZERO)));
        let is_touched = move |group: &Group| {
            // The distances of the corners that are farthest along the normals.
            let part = |[x, y, z]: [Vec4; 3], corner: Vec3| x * corner.x + y * corner.y + z * corner.z;
            (part(high, group.high) + part(low, group.low) + d).cmpge(Vec4::ZERO).all()
        };
        self.groups.iter().enumerate().filter(move |(_, group)| is_touched(group)).map(|(index, _)| index)
    }

    /// Returns all slots that have a ball, in ascending order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        let radii = self.blocks.iter().flat_map(|[.., radii]| radii);
        (0..).zip(radii).filter(|(_, radius)| **radius >= 0.0).map(|(slot, _)| slot)
    }
}

impl Group {
    const EMPTY: Self = Self { low: Vec3::splat(FAR_AWAY), high: Vec3::splat(-FAR_AWAY), changes: 0 };

    /// Extends the box by a ball.
    fn grow(&mut self, [x, y, z, radius]: [f32; 4]) {
        if radius >= 0.0 {
            // Upper bound of the rounding error of a corner's distance from a plane.
            let rounding = ROUNDING as f32 * (x.abs() + y.abs() + z.abs() + radius);
            let (center, reach) = (Vec3::new(x, y, z), (radius + rounding).min(FAR_AWAY));
            self.low = self.low.min(center - reach);
            self.high = self.high.max(center + reach);
        }
    }
}

/// Returns the center and the radius in `f32`, with the rounding error of distances added.
fn rounded(Ball { center, radius }: Ball) -> [f32; 4] {
    let is_finite = center.is_finite() && center.abs().max_element() < MAX_COORDINATE;
    let (center, radius) = if is_finite { (center, radius) } else { (DVec3::ZERO, f64::INFINITY) };
    let radius = (radius + ROUNDING * center.length()) * (1.0 + ROUNDING);
    let [x, y, z] = center.as_vec3().to_array();
    [x, y, z, if radius.is_nan() { f32::INFINITY } else { radius as f32 }]
}

/// The number of frustum planes that are tested: only the sides. The GPU clips at the near and far
/// planes, with its own rounding; nothing behind the viewer is between the sides.
const SIDES: usize = 4;

/// Returns the sides of a frustum relative to an origin, each moved outward by its own rounding error.
fn sides(frustum: &Frustum, origin_world: DVec3) -> [[f32; 4]; SIDES] {
    let [a, b, c, d, _, _] = *frustum.planes();
    [a, b, c, d].map(|plane: DVec4| {
        let distance = plane.dot(origin_world.extend(1.0));
        // The two terms may cancel in `f64`.
        let cancellation = f64::EPSILON * 8.0 * (plane.w.abs() + origin_world.length());
        let [x, y, z] = plane.truncate().as_vec3().to_array();
        let d = distance + ROUNDING * distance.abs() + cancellation;
        // A plane that cannot be represented culls nothing.
        if d.abs() < MAX_COORDINATE { [x, y, z, d as f32] } else { [0.0; 4] }
    })
}

/// Returns, per ball, its minimum reach across the planes; negative if it is outside of one.
fn reach([x, y, z, radius]: &Block, planes: &[[f32; 4]; SIDES]) -> [f32; LANES] {
    let mut min = [f32::INFINITY; LANES];
    for [nx, ny, nz, d] in planes {
        for (i, min) in min.iter_mut().enumerate() {
            let distance = (nx * x[i] + ny * y[i]) + (nz * z[i] + d);
            *min = if distance < *min { distance } else { *min };
        }
    }
    std::array::from_fn(|i| min[i] + radius[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rect;
    use crate::{View, Viewport};
    use fastrand::Rng;
    use glam::{DVec2, dcamera::rh};

    fn view(eye: DVec3, look_at: DVec3) -> View {
        View::new(
            rh::view::look_at_mat4(eye, look_at, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, 1.5, 0.1),
            Viewport::from_size(900, 600),
            1.0,
        )
        .expect("the view is valid")
    }

    fn ball(center: DVec3, radius: f64) -> Option<Ball> {
        Some(Ball { center, radius })
    }

    #[test]
    fn culling_finds_intersecting_balls_and_few_others() {
        let mut rng = Rng::with_seed(7);
        for distance in [0.0, 1e3, 1e7] {
            let origin = DVec3::new(1.0, -0.7, 0.4) * distance;
            let mut point =
                |size: f64| origin + DVec3::from_array(std::array::from_fn(|_| (rng.f64() - 0.5) * size));
            let balls: Vec<DVec3> = (0..5_000).map(|_| point(40.0)).collect();
            let radius = |i: usize| 0.01 + 0.05 * (i % 7) as f64;
            let mut stored = Balls::default();
            for (i, center) in balls.iter().enumerate() {
                stored.set(i as u32, ball(*center - origin, radius(i)));
            }
            let (mut found, mut wanted, mut kept) = (Vec::new(), 0, 0);
            for case in 0..100 {
                let view = view(point(60.0), point(5.0));
                let px = f64::from(case) * 5.0;
                let frustum = Frustum::new(
                    &view,
                    Rect::from_min_size(DVec2::new(px, 0.6 * px), DVec2::new(61.0, 61.0)),
                );
                found.clear();
                stored.find(&frustum, origin, &mut found);
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                kept += found.len();
                for (i, center) in balls.iter().enumerate() {
                    if frustum.may_intersect_sphere(*center, radius(i)) {
                        wanted += 1;
                        assert!(found.binary_search(&(i as u32)).is_ok(), "{i} at {distance}");
                    }
                }
            }
            println!("at {distance}: {kept} kept, {wanted} may intersect");
            assert!(wanted > 500 && kept < wanted + wanted / 10, "{kept} kept for {wanted}");
        }
    }

    #[test]
    fn culling_stays_correct_and_cheap_after_moves() {
        let mut rng = Rng::with_seed(8);
        let mut stored = Balls::default();
        // In spatial order, as hosts insert objects that they read from a file.
        let mut balls: Vec<Option<DVec3>> = (0..20_000)
            .map(|i| Some(DVec3::new(f64::from(i % 100), f64::from(i / 10_000), f64::from(i / 100 % 100))))
            .collect();
        for (slot, center) in (0..).zip(&balls) {
            stored.set(slot, ball(center.expect("all slots are set"), 0.3));
        }
        let groups_tested =
            |stored: &Balls, frustum: &Frustum| stored.groups_in(&sides(frustum, DVec3::ZERO)).count();
        let (mut found, mut touched) = (Vec::new(), 0);
        for round in 0..60 {
            // Some move far, some disappear and reappear; in two of the frames all move.
            for _ in 0..if round % 20 < 18 { 700 } else { 0 } {
                let slot = rng.usize(..balls.len());
                let leap = DVec3::new(rng.f64() * 100.0, rng.f64() * 2.0, rng.f64() * 100.0);
                balls[slot] = (rng.u32(..4) > 0).then_some(leap);
                stored.set(slot as u32, balls[slot].and_then(|center| ball(center, 0.3)));
            }
            if round % 20 >= 18 {
                for (i, place) in balls.iter_mut().enumerate() {
                    let center = DVec3::new((i % 100) as f64, (i / 10_000) as f64, (i / 100 % 100) as f64);
                    *place = Some(center + 0.01 * f64::from(round));
                    stored.set(i as u32, ball(center + 0.01 * f64::from(round), 0.3));
                }
            }
            let eye = DVec3::new(rng.f64() * 100.0, 30.0, rng.f64() * 100.0);
            // Along the rows: long, thin boxes cull worse at a slant.
            let view = view(eye, eye + DVec3::new(0.0, -2.0, -0.1 - rng.f64()));
            let frustum =
                Frustum::new(&view, Rect::from_min_size(DVec2::new(400.0, 300.0), DVec2::new(11.0, 11.0)));
            found.clear();
            stored.find(&frustum, DVec3::ZERO, &mut found);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            for (slot, center) in balls.iter().enumerate() {
                let may_touch = center.is_some_and(|center| frustum.may_intersect_sphere(center, 0.3));
                let is_found = found.binary_search(&(slot as u32)).is_ok();
                assert!(is_found || !may_touch, "{slot} in round {round}");
                assert!(center.is_some() || !is_found, "{slot} is empty");
                touched += usize::from(may_touch);
            }
            if round % 20 == 19 {
                let groups = groups_tested(&stored, &frustum);
                assert!(groups < 10, "{groups} of 79 groups are tested after all balls have moved");
            }
        }
        assert!(touched > 50, "only {touched}");
    }

    #[test]
    fn empty_slots_are_never_found_and_nan_always() {
        let mut stored = Balls::default();
        for slot in 0..40 {
            stored.set(slot, ball(DVec3::new(0.0, 0.0, -5.0), 100.0));
        }
        stored.set(3, None);
        stored.set(39, None);
        stored.set(5, ball(DVec3::NAN, 1.0));
        stored.set(6, ball(DVec3::splat(1e30), 1.0));
        stored.set(7, ball(DVec3::ZERO, f64::NAN));
        let away = view(DVec3::splat(1e5), DVec3::splat(2e5));
        let mut found = Vec::new();
        stored.find(
            &Frustum::new(&away, Rect::from_min_size(DVec2::new(0.0, 0.0), DVec2::new(1.0, 1.0))),
            DVec3::ZERO,
            &mut found,
        );
        assert_eq!(found, [5, 6, 7]);
        let all: Vec<u32> = stored.all().collect();
        assert_eq!(all, (0..39).filter(|slot| *slot != 3).collect::<Vec<_>>());
        let view = view(DVec3::ZERO, DVec3::NEG_Z);
        found.clear();
        stored.find(
            &Frustum::new(&view, Rect::from_min_size(DVec2::new(450.0, 300.0), DVec2::new(1.0, 1.0))),
            DVec3::ZERO,
            &mut found,
        );
        assert_eq!(found, all);
    }
}
