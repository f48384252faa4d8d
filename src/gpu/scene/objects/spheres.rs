use super::groups::{BLOCKS, Groups};
use super::instance::Ball;
use crate::math::Frustum;
use glam::{DVec3, DVec4};

/// Balls round the objects of a scene, laid out so that the compiler tests several at a time.
///
/// In `f32`, half the memory of `f64`: reading it is most of what a cull costs. What rounding can
/// do is added to the radii, so that nothing is left out that may be touched.
#[derive(Debug, Default)]
pub(super) struct Spheres {
    blocks: Vec<Block>,
    groups: Groups,
}

/// Balls to a block: a few of the widest registers there are.
pub(super) const LANES: usize = 16;

#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    x: [f32; LANES],
    y: [f32; LANES],
    z: [f32; LANES],
    /// Negative infinity for what is not there, which then reaches no plane.
    radius: [f32; LANES],
}

impl Block {
    const EMPTY: Self =
        Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES], radius: [f32::NEG_INFINITY; LANES] };

    /// Centre and radius of one.
    pub(super) fn ball(&self, lane: usize) -> [f32; 4] {
        [self.x[lane], self.y[lane], self.z[lane], self.radius[lane]]
    }

    /// How far each ball reaches to the inner side of the plane that it reaches least over.
    fn reach(&self, planes: &[[f32; 4]; SIDES]) -> [f32; LANES] {
        let mut least = [f32::INFINITY; LANES];
        for [nx, ny, nz, d] in planes {
            for (i, least) in least.iter_mut().enumerate() {
                let distance = (nx * self.x[i] + ny * self.y[i]) + (nz * self.z[i] + d);
                *least = if distance < *least { distance } else { *least };
            }
        }
        std::array::from_fn(|i| least[i] + self.radius[i])
    }
}

/// The greatest of some numbers, of which none is a NaN.
pub(super) fn greatest(numbers: &[f32; LANES]) -> f32 {
    let mut halves = *numbers;
    let mut width = LANES;
    // In pairs, so that the compiler takes several at a time.
    while width > 1 {
        width /= 2;
        for i in 0..width {
            halves[i] = if halves[i] > halves[i + width] { halves[i] } else { halves[i + width] };
        }
    }
    halves[0]
}

/// Of a frustum's planes only those through its sides are looked at. What is before the near end
/// or behind the far one is clipped by the GPU, which rounds there; and between the sides there
/// is nothing behind the viewer.
pub(super) const SIDES: usize = 4;

/// A distance is a sum of four products of rounded numbers: twelve roundings at most, of half a
/// unit in the last place of the largest term or partial sum each.
pub(super) const SLACK: f64 = 16.0 * f32::EPSILON as f64;

impl Spheres {
    /// Puts a ball in a slot; one that is not finite is kept as reaching everywhere.
    pub(super) fn set(&mut self, slot: u32, centre: DVec3, radius: f64) {
        let finite = centre.is_finite() && centre.abs().max_element() < FARTHEST;
        let (centre, radius) = if finite { (centre, radius) } else { (DVec3::ZERO, f64::INFINITY) };
        let radius = (radius + SLACK * centre.length()) * (1.0 + SLACK);
        self.put(
            slot,
            centre.as_vec3().to_array(),
            if radius.is_nan() { f32::INFINITY } else { radius as f32 },
        );
    }

    /// The ball in a slot, a little larger than it was put there.
    pub(super) fn ball(&self, slot: u32) -> Option<Ball> {
        let block = self.blocks.get(slot as usize / LANES)?;
        let [x, y, z, radius] = block.ball(slot as usize % LANES).map(f64::from);
        Some(Ball { centre: DVec3::new(x, y, z), radius })
    }

    /// Nothing is in a slot.
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

    /// Adds to `found` the slots of all balls that may reach into a frustum, in ascending order.
    /// The balls are relative to `origin_world`.
    pub(super) fn find(&self, frustum: &Frustum, origin_world: DVec3, found: &mut Vec<u32>) {
        let [a, b, c, d, _, _] = *frustum.planes();
        let planes = [a, b, c, d].map(|plane| from_origin(plane, origin_world));
        self.groups.for_each_touched(&planes, |index| {
            let blocks = self.blocks.iter().skip(index).take(BLOCKS);
            for (block, first) in blocks.zip((index as u32 * LANES as u32..).step_by(LANES)) {
                let reach = block.reach(&planes);
                if greatest(&reach) >= 0.0 {
                    let touched = (first..).zip(reach).filter(|(_, reach)| *reach >= 0.0);
                    found.extend(touched.map(|(slot, _)| slot));
                }
            }
        });
    }

    /// Adds to `found` all slots that have a ball, in ascending order.
    pub(super) fn all(&self, found: &mut Vec<u32>) {
        let radii = self.blocks.iter().flat_map(|block| block.radius);
        found.extend((0..).zip(radii).filter(|(_, radius)| *radius >= 0.0).map(|(slot, _)| slot));
    }
}

/// Beyond this, sums of squares overflow in `f32`.
const FARTHEST: f64 = 1e18;

/// A plane relative to an origin, moved out by what rounding can do to its own numbers.
fn from_origin(plane: DVec4, origin_world: DVec3) -> [f32; 4] {
    let normal = plane.truncate();
    let distance = plane.dot(origin_world.extend(1.0));
    // The two may cancel, in `f64`.
    let lost = f64::EPSILON * 8.0 * (plane.w.abs() + origin_world.length());
    let [x, y, z] = normal.as_vec3().to_array();
    let d = distance + SLACK * distance.abs() + lost;
    // A plane of no use keeps nothing out.
    if d.abs() < FARTHEST { [x, y, z, d as f32] } else { [0.0; 4] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{View, Viewport};
    use fastrand::Rng;
    use glam::dcamera::rh;

    fn view(eye: DVec3, look_at: DVec3) -> View {
        View::new(
            rh::view::look_at_mat4(eye, look_at, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.9, 1.5, 0.1),
            Viewport::of_size(900, 600),
            1.0,
        )
        .expect("a usual view")
    }

    #[test]
    fn every_ball_that_may_reach_into_a_frustum_is_found_and_few_others() {
        let mut rng = Rng::with_seed(7);
        for place in [0.0, 1e3, 1e7] {
            let origin = DVec3::new(1.0, -0.7, 0.4) * place;
            let mut point =
                |size: f64| origin + DVec3::from_array(std::array::from_fn(|_| (rng.f64() - 0.5) * size));
            let balls: Vec<DVec3> = (0..5_000).map(|_| point(40.0)).collect();
            let radius = |i: usize| 0.01 + 0.05 * (i % 7) as f64;
            let mut spheres = Spheres::default();
            for (i, centre) in balls.iter().enumerate() {
                spheres.set(i as u32, *centre - origin, radius(i));
            }
            let (mut found, mut wanted, mut kept) = (Vec::new(), 0, 0);
            for case in 0..100 {
                let view = view(point(60.0), point(5.0));
                let px = f64::from(case) * 5.0;
                let frustum = Frustum::new(&view, [px, 0.6 * px, 61.0, 61.0]);
                found.clear();
                spheres.find(&frustum, origin, &mut found);
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                kept += found.len();
                for (i, centre) in balls.iter().enumerate() {
                    if frustum.may_hold_sphere(*centre, radius(i)) {
                        wanted += 1;
                        assert!(found.binary_search(&(i as u32)).is_ok(), "{i} at {place}");
                    }
                }
            }
            println!("at {place}: {kept} kept, {wanted} may be touched");
            assert!(wanted > 500 && kept < wanted + wanted / 10, "{kept} kept for {wanted}");
        }
    }

    #[test]
    fn however_things_have_moved_those_that_may_be_touched_are_found_and_few_groups_are_looked_at() {
        let mut rng = Rng::with_seed(8);
        let mut spheres = Spheres::default();
        // In order of place, as hosts add what they read from a file.
        let mut balls: Vec<Option<DVec3>> = (0..20_000)
            .map(|i| Some(DVec3::new(f64::from(i % 100), f64::from(i / 10_000), f64::from(i / 100 % 100))))
            .collect();
        for (slot, centre) in (0..).zip(&balls) {
            spheres.set(slot, centre.expect("all are there"), 0.3);
        }
        let looked_at = |spheres: &Spheres, frustum: &Frustum| {
            let [a, b, c, d, _, _] = *frustum.planes();
            let planes = [a, b, c, d].map(|plane| from_origin(plane, DVec3::ZERO));
            let mut groups = 0;
            spheres.groups.for_each_touched(&planes, |_| groups += 1);
            groups
        };
        let (mut found, mut touched) = (Vec::new(), 0);
        for round in 0..60 {
            // Some leap, some go away and come back; at times all are moved, in two frames.
            for _ in 0..if round % 20 < 18 { 700 } else { 0 } {
                let slot = rng.usize(..balls.len());
                let leap = DVec3::new(rng.f64() * 100.0, rng.f64() * 2.0, rng.f64() * 100.0);
                balls[slot] = (rng.u32(..4) > 0).then_some(leap);
                match balls[slot] {
                    Some(centre) => spheres.set(slot as u32, centre, 0.3),
                    None => spheres.clear(slot as u32),
                }
            }
            if round % 20 >= 18 {
                for (i, ball) in balls.iter_mut().enumerate() {
                    let centre = DVec3::new((i % 100) as f64, (i / 10_000) as f64, (i / 100 % 100) as f64);
                    *ball = Some(centre + 0.01 * f64::from(round));
                    spheres.set(i as u32, centre + 0.01 * f64::from(round), 0.3);
                }
            }
            let eye = DVec3::new(rng.f64() * 100.0, 30.0, rng.f64() * 100.0);
            // Across the rows, as they lie: boxes that are long and thin are told worse at a slant.
            let view = view(eye, eye + DVec3::new(0.0, -2.0, -0.1 - rng.f64()));
            let frustum = Frustum::new(&view, [400.0, 300.0, 11.0, 11.0]);
            found.clear();
            spheres.find(&frustum, DVec3::ZERO, &mut found);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            for (slot, centre) in balls.iter().enumerate() {
                let may_touch = centre.is_some_and(|centre| frustum.may_hold_sphere(centre, 0.3));
                let is_found = found.binary_search(&(slot as u32)).is_ok();
                assert!(is_found || !may_touch, "{slot} in round {round}");
                assert!(centre.is_some() || !is_found, "{slot} is not there");
                touched += usize::from(may_touch);
            }
            if round % 20 == 19 {
                let groups = looked_at(&spheres, &frustum);
                assert!(groups < 10, "{groups} of 79 groups are looked at after all have moved");
            }
        }
        assert!(touched > 50, "only {touched}");
    }

    #[test]
    fn what_is_not_there_is_never_found_and_what_is_nowhere_always_is() {
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
        spheres.find(&Frustum::new(&away, [0.0, 0.0, 1.0, 1.0]), DVec3::ZERO, &mut found);
        assert_eq!(found, [5, 6, 7]);
        spheres.all(&mut all);
        assert_eq!(all, (0..39).filter(|slot| *slot != 3).collect::<Vec<_>>());
        let view = view(DVec3::ZERO, DVec3::NEG_Z);
        found.clear();
        spheres.find(&Frustum::new(&view, [450.0, 300.0, 1.0, 1.0]), DVec3::ZERO, &mut found);
        assert_eq!(found, all);
    }
}
