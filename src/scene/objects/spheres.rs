use super::blocks::{Block, LANES, ROUNDING, max_of};
use super::groups::{BLOCKS, Groups};
use crate::math::{Ball, Frustum};
use glam::{DVec3, DVec4};

/// The bounding balls of a scene's objects, in a layout that the compiler vectorizes.
///
/// They are stored as `f32`, because memory bandwidth is most of the cost of culling. Rounding
/// errors are added to the radii, so that no ball that may intersect is missed.
#[derive(Debug, Default)]
pub(super) struct Spheres {
    blocks: Vec<Block>,
    groups: Groups,
}

impl Spheres {
    /// Sets the ball of a slot. A ball that is not finite intersects every frustum.
    pub(super) fn set(&mut self, slot: u32, center: DVec3, radius: f64) {
        let finite = center.is_finite() && center.abs().max_element() < MAX_COORDINATE;
        let (center, radius) = if finite { (center, radius) } else { (DVec3::ZERO, f64::INFINITY) };
        let radius = (radius + ROUNDING * center.length()) * (1.0 + ROUNDING);
        self.put(
            slot,
            center.as_vec3().to_array(),
            if radius.is_nan() { f32::INFINITY } else { radius as f32 },
        );
    }

    /// Returns the ball of a slot, slightly larger than it was set.
    pub(super) fn ball(&self, slot: u32) -> Option<Ball> {
        let block = self.blocks.get(slot as usize / LANES)?;
        let [x, y, z, radius] = block.ball(slot as usize % LANES).map(f64::from);
        Some(Ball { center: DVec3::new(x, y, z), radius })
    }

    /// Empties a slot.
    pub(super) fn clear(&mut self, slot: u32) {
        self.put(slot, [0.0; 3], f32::NEG_INFINITY);
    }

    fn put(&mut self, slot: u32, [x, y, z]: [f32; 3], radius: f32) {
        let (index, lane) = (slot as usize / LANES, slot as usize % LANES);
        if self.blocks.len() <= index {
            self.blocks.resize(index + 1, Block::EMPTY);
        }
        let block = &mut self.blocks[index];
        (block.x[lane], block.y[lane], block.z[lane], block.radius[lane]) = (x, y, z, radius);
        self.groups.put(slot as usize, &self.blocks);
    }

    /// Appends the slots of all balls that may intersect a frustum to `found`, in ascending order.
    /// The balls are relative to `origin_world`.
    pub(super) fn find(&self, frustum: &Frustum, origin_world: DVec3, found: &mut Vec<u32>) {
        let [a, b, c, d, _, _] = *frustum.planes();
        let planes = [a, b, c, d].map(|plane| from_origin(plane, origin_world));
        self.groups.for_each_intersecting(&planes, |index| {
            let blocks = self.blocks.iter().skip(index).take(BLOCKS);
            for (block, first) in blocks.zip((index as u32 * LANES as u32..).step_by(LANES)) {
                let reach = block.reach(&planes);
                if max_of(&reach) >= 0.0 {
                    let touched = (first..).zip(reach).filter(|(_, reach)| *reach >= 0.0);
                    found.extend(touched.map(|(slot, _)| slot));
                }
            }
        });
    }

    /// Appends all slots that have a ball to `found`, in ascending order.
    pub(super) fn all(&self, found: &mut Vec<u32>) {
        let radii = self.blocks.iter().flat_map(|block| block.radius);
        found.extend((0..).zip(radii).filter(|(_, radius)| *radius >= 0.0).map(|(slot, _)| slot));
    }
}

/// The coordinate beyond which sums of squares overflow in `f32`.
const MAX_COORDINATE: f64 = 1e18;

/// Returns a plane relative to an origin, moved outward by its own rounding error.
fn from_origin(plane: DVec4, origin_world: DVec3) -> [f32; 4] {
    let normal = plane.truncate();
    let distance = plane.dot(origin_world.extend(1.0));
    // The two terms may cancel in `f64`.
    let cancellation = f64::EPSILON * 8.0 * (plane.w.abs() + origin_world.length());
    let [x, y, z] = normal.as_vec3().to_array();
    let d = distance + ROUNDING * distance.abs() + cancellation;
    // A plane that cannot be represented culls nothing.
    if d.abs() < MAX_COORDINATE { [x, y, z, d as f32] } else { [0.0; 4] }
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

    #[test]
    fn culling_finds_intersecting_balls_and_few_others() {
        let mut rng = Rng::with_seed(7);
        for distance in [0.0, 1e3, 1e7] {
            let origin = DVec3::new(1.0, -0.7, 0.4) * distance;
            let mut point =
                |size: f64| origin + DVec3::from_array(std::array::from_fn(|_| (rng.f64() - 0.5) * size));
            let balls: Vec<DVec3> = (0..5_000).map(|_| point(40.0)).collect();
            let radius = |i: usize| 0.01 + 0.05 * (i % 7) as f64;
            let mut spheres = Spheres::default();
            for (i, center) in balls.iter().enumerate() {
                spheres.set(i as u32, *center - origin, radius(i));
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
                spheres.find(&frustum, origin, &mut found);
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
        let mut spheres = Spheres::default();
        // In spatial order, as hosts insert objects that they read from a file.
        let mut balls: Vec<Option<DVec3>> = (0..20_000)
            .map(|i| Some(DVec3::new(f64::from(i % 100), f64::from(i / 10_000), f64::from(i / 100 % 100))))
            .collect();
        for (slot, center) in (0..).zip(&balls) {
            spheres.set(slot, center.expect("all slots are set"), 0.3);
        }
        let groups_tested = |spheres: &Spheres, frustum: &Frustum| {
            let [a, b, c, d, _, _] = *frustum.planes();
            let planes = [a, b, c, d].map(|plane| from_origin(plane, DVec3::ZERO));
            let mut groups = 0;
            spheres.groups.for_each_intersecting(&planes, |_| groups += 1);
            groups
        };
        let (mut found, mut touched) = (Vec::new(), 0);
        for round in 0..60 {
            // Some move far, some disappear and reappear; in two of the frames all move.
            for _ in 0..if round % 20 < 18 { 700 } else { 0 } {
                let slot = rng.usize(..balls.len());
                let leap = DVec3::new(rng.f64() * 100.0, rng.f64() * 2.0, rng.f64() * 100.0);
                balls[slot] = (rng.u32(..4) > 0).then_some(leap);
                match balls[slot] {
                    Some(center) => spheres.set(slot as u32, center, 0.3),
                    None => spheres.clear(slot as u32),
                }
            }
            if round % 20 >= 18 {
                for (i, ball) in balls.iter_mut().enumerate() {
                    let center = DVec3::new((i % 100) as f64, (i / 10_000) as f64, (i / 100 % 100) as f64);
                    *ball = Some(center + 0.01 * f64::from(round));
                    spheres.set(i as u32, center + 0.01 * f64::from(round), 0.3);
                }
            }
            let eye = DVec3::new(rng.f64() * 100.0, 30.0, rng.f64() * 100.0);
            // Along the rows: long, thin boxes cull worse at a slant.
            let view = view(eye, eye + DVec3::new(0.0, -2.0, -0.1 - rng.f64()));
            let frustum =
                Frustum::new(&view, Rect::from_min_size(DVec2::new(400.0, 300.0), DVec2::new(11.0, 11.0)));
            found.clear();
            spheres.find(&frustum, DVec3::ZERO, &mut found);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            for (slot, center) in balls.iter().enumerate() {
                let may_touch = center.is_some_and(|center| frustum.may_intersect_sphere(center, 0.3));
                let is_found = found.binary_search(&(slot as u32)).is_ok();
                assert!(is_found || !may_touch, "{slot} in round {round}");
                assert!(center.is_some() || !is_found, "{slot} is empty");
                touched += usize::from(may_touch);
            }
            if round % 20 == 19 {
                let groups = groups_tested(&spheres, &frustum);
                assert!(groups < 10, "{groups} of 79 groups are tested after all balls have moved");
            }
        }
        assert!(touched > 50, "only {touched}");
    }

    #[test]
    fn empty_slots_are_never_found_and_nan_always() {
        let mut spheres = Spheres::default();
        for slot in 0..40 {
            spheres.set(slot, DVec3::new(0.0, 0.0, -5.0), 100.0);
        }
        spheres.clear(3);
        spheres.clear(39);
        spheres.set(5, DVec3::NAN, 1.0);
        spheres.set(6, DVec3::splat(1e30), 1.0);
        spheres.set(7, DVec3::ZERO, f64::NAN);
        let away = view(DVec3::splat(1e5), DVec3::splat(2e5));
        let (mut found, mut all) = (Vec::new(), Vec::new());
        spheres.find(
            &Frustum::new(&away, Rect::from_min_size(DVec2::new(0.0, 0.0), DVec2::new(1.0, 1.0))),
            DVec3::ZERO,
            &mut found,
        );
        assert_eq!(found, [5, 6, 7]);
        spheres.all(&mut all);
        assert_eq!(all, (0..39).filter(|slot| *slot != 3).collect::<Vec<_>>());
        let view = view(DVec3::ZERO, DVec3::NEG_Z);
        found.clear();
        spheres.find(
            &Frustum::new(&view, Rect::from_min_size(DVec2::new(450.0, 300.0), DVec2::new(1.0, 1.0))),
            DVec3::ZERO,
            &mut found,
        );
        assert_eq!(found, all);
    }
}
