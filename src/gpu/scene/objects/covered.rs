use super::instance::Ball;
use super::store::Store;
use crate::math::{DepthDirection, Frustum, View};
use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

/// Leaves out of a pick what lies wholly behind other objects, where many lie behind each other.
///
/// From front to back, the cores of closed meshes (see `core_of`) cover pixels of the pick, each
/// from some distance on; what begins farther off than that on all the pixels that it could reach
/// is not drawn. No pixel changes by it: a core lies within its mesh, so where a ray meets the core
/// the mesh is seen before it, by more than depths are rounded by.
#[derive(Debug, Default)]
pub(super) struct Covered {
    // Kept, so that nothing is allocated once they have grown.
    pixels: Vec<Pixel>,
    by_distance: Vec<(f64, u32)>,
    shown: Vec<u32>,
}

/// What a mesh is in: a ball round it, and its core if it has one.
pub(super) type Extent = (Ball, Option<Ball>);

/// The ray through the middle of a pixel. All in the scene's space, whose origin is not the world's.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    origin: DVec3,
    direction: DVec3,
    /// How far off the ray begins, as distances are counted.
    start: f64,
    /// From here on it is covered.
    cover: f64,
}

/// Fewer objects than this are drawn sooner than looked at.
const FEW: usize = 12;
/// More pixels than this take longer to look at than the objects to draw: a tolerance of 10.
const MOST_PIXELS: f64 = 21.0 * 21.0;
/// Of a core's radius: what rounding in its transform is far from.
const SAFE: f64 = 0.95;

/// How distances of a view are counted: from the eye, or along parallel rays.
#[derive(Debug, Clone, Copy)]
enum From {
    Eye(DVec3),
    Along(DVec3),
}

/// What of a view it takes to see whether a core covers.
struct Sight<'a> {
    view: &'a View,
    origin_world: DVec3,
    from: From,
    near: DVec4,
    z: DVec4,
    w: DVec4,
}

impl Covered {
    /// Those of `slots` that may be seen on a pixel of the frustum; `None` where they had better be
    /// drawn without asking. The mesh of an object has the extent that `extent_of` says.
    pub(super) fn seen(
        &mut self,
        store: &Store,
        extent_of: impl Fn(u32) -> Option<Extent>,
        (view, frustum): (&View, &Frustum),
        slots: &[u32],
    ) -> Option<&[u32]> {
        let [x, y, width, height] = frustum.rectangle_px();
        let (low, high) = (DVec2::new(x, y).floor(), DVec2::new(x + width, y + height).ceil());
        let pixels = (high - low).x * (high - low).y;
        if slots.len() < FEW || !(pixels > 0.0 && pixels <= MOST_PIXELS) {
            return None;
        }
        let sight = Sight::new(view, frustum, store.origin_world);
        self.pixels.clear();
        let (columns, rows) = ((high - low).x as u32, (high - low).y as u32);
        let places = (0..rows).flat_map(|j| (0..columns).map(move |i| DVec2::new(i.into(), j.into())));
        self.pixels.extend(places.map(|place| sight.pixel(low + place + 0.5)));
        self.by_distance.clear();
        for slot in slots.iter().copied().filter(|slot| store.is_drawn(*slot)) {
            let ball = store.spheres.ball(slot)?;
            self.by_distance.push((sight.distance(ball.centre) - ball.radius, slot));
        }
        self.by_distance.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.shown.clear();
        let mut farthest = f64::INFINITY;
        for (begins, slot) in &self.by_distance {
            if *begins > farthest {
                break;
            }
            let Some((ball, core, linear)) = object(store, &extent_of, *slot) else { continue };
            let pixel_size = view.pixel_size(ball.centre + store.origin_world).abs();
            let reach = 1.01 * ball.radius + 0.05 * pixel_size;
            let shows = |pixel: &Pixel| {
                let is_covered = pixel.cover < *begins;
                !is_covered && pixel.is_within(reach, ball.centre)
            };
            if !self.pixels.iter().any(shows) {
                continue;
            }
            self.shown.push(*slot);
            let Some(core) = core.filter(|_| sight.is_beyond_near(ball)) else { continue };
            let translation = store.instances[*slot as usize].translation();
            // What is covered from before this object begins it cannot cover better.
            let open = self.pixels.iter_mut().filter(|pixel| pixel.cover > *begins);
            sight.cover(open, core, linear, translation, pixel_size);
            farthest = self.pixels.iter().map(|pixel| pixel.cover).fold(f64::NEG_INFINITY, f64::max);
        }
        Some(&self.shown)
    }
}

/// The ball round an object, its mesh's core, and the linear part of its matrix.
fn object(
    store: &Store,
    extent_of: impl Fn(u32) -> Option<Extent>,
    slot: u32,
) -> Option<(Ball, Option<Ball>, DMat3)> {
    let instance = store.instances.get(slot as usize)?;
    let (bounds, core) = extent_of(*store.meshes.get(slot as usize)?)?;
    Some((instance.ball(bounds), core, instance.linear()))
}

impl Pixel {
    /// Whether a point is this near to the ray's line.
    fn is_within(&self, reach: f64, point: DVec3) -> bool {
        (point - self.origin).reject_from_normalized(self.direction).length_squared() <= reach * reach
    }
}

impl<'a> Sight<'a> {
    fn new(view: &'a View, frustum: &Frustum, origin_world: DVec3) -> Self {
        let clip_from_scene = view.clip_from_world() * DMat4::from_translation(origin_world);
        let [.., low, high] = *frustum.planes();
        let near = match view.depth_direction() {
            DepthDirection::Standard => low,
            DepthDirection::Reversed => high,
        };
        Self {
            view,
            origin_world,
            from: match view.eye() {
                Some(eye) => From::Eye(eye - origin_world),
                None => From::Along(view.pointer_ray(DVec2::ZERO).direction),
            },
            near: near.truncate().extend(near.dot(origin_world.extend(1.0))),
            z: clip_from_scene.row(2),
            w: clip_from_scene.row(3),
        }
    }

    fn distance(&self, point: DVec3) -> f64 {
        match self.from {
            From::Eye(eye) => point.distance(eye),
            From::Along(direction) => direction.dot(point),
        }
    }

    fn pixel(&self, centre_px: DVec2) -> Pixel {
        let ray = self.view.pointer_ray_from(self.origin_world, centre_px);
        let start = match self.from {
            From::Eye(_) => 0.0,
            From::Along(direction) => direction.dot(ray.origin),
        };
        Pixel { origin: ray.origin, direction: ray.direction, start, cover: f64::INFINITY }
    }

    /// Whether a ball is beyond the near end, which cuts nothing of what is in it then, and the
    /// viewer is outside.
    fn is_beyond_near(&self, ball: Ball) -> bool {
        self.near.truncate() != DVec3::ZERO && self.near.dot(ball.centre.extend(1.0)) > 1.01 * ball.radius
    }

    /// Covers the pixels whose rays meet the core of an object.
    fn cover<'p>(
        &self,
        pixels: impl Iterator<Item = &'p mut Pixel>,
        core: Ball,
        linear: DMat3,
        translation: DVec3,
        pixel_size: f64,
    ) {
        let local_from_scene = linear.inverse();
        // No axis of the core is shorter than this. Corners are snapped to parts of a pixel: the rest
        // of the radius is to be more.
        let columns = local_from_scene.to_cols_array().iter().map(|n| n * n).sum::<f64>();
        let shortest = core.radius / columns.sqrt();
        let is_thick = shortest > 0.5 * pixel_size;
        for pixel in pixels.filter(|_| is_thick) {
            let direction = local_from_scene * pixel.direction;
            let to_core = core.centre - local_from_scene * (pixel.origin - translation);
            let middle = to_core.dot(direction) / direction.length_squared();
            let off_squared = (to_core - direction * middle).length_squared();
            let left = core.radius * core.radius - off_squared;
            let meets = left >= (1.0 - SAFE * SAFE) * core.radius * core.radius;
            if !meets {
                continue;
            }
            let half = left.sqrt() / direction.length();
            let [enters, middles] =
                [middle - half, middle].map(|t| self.depth(pixel.origin + pixel.direction * t));
            // Depths are floats, made by sums of some.
            if (enters - middles).abs() > 2e-6 * enters.abs().max(middles.abs()) {
                pixel.cover = pixel.cover.min(pixel.start + middle);
            }
        }
    }

    fn depth(&self, point: DVec3) -> f64 {
        self.z.dot(point.extend(1.0)) / self.w.dot(point.extend(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cores::core_of;
    use super::super::store::{Key, PickMeshKey, PickObject};
    use super::*;
    use crate::Viewport;
    use fastrand::Rng;
    use glam::{DAffine3, DQuat, Vec3, dcamera::rh};
    use std::num::NonZeroU32;

    type Triangles = (Vec<[f32; 3]>, Vec<u32>);

    fn cube() -> Triangles {
        let corners = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 * 2.0 - 1.0));
        let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
        (corners.collect(), sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect())
    }

    /// A cube, and one without its last two sides.
    fn meshes() -> [Triangles; 2] {
        let (corners, indices) = cube();
        [(corners.clone(), indices.clone()), (corners, indices[..24].to_vec())]
    }

    fn views(rng: &mut Rng) -> Vec<View> {
        let projections = [
            rh::proj::directx::perspective(0.8, 1.5, 0.5, 400.0),
            rh::proj::directx::perspective_infinite(0.8, 1.5, 0.5),
            rh::proj::directx::perspective_infinite_reverse(0.8, 1.5, 0.5),
            rh::proj::directx::orthographic(-15.0, 15.0, -10.0, 10.0, 0.5, 400.0),
        ];
        let far = DVec3::new(3e5, -2e5, 1e5);
        let view = |i: usize| {
            let direction = DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5).normalize();
            // Outside of the heap, at its edge, and amid it.
            let eye = far + direction * [45.0, 20.0, 4.0][i % 3];
            let view_from_world = rh::view::look_at_mat4(eye, far, DVec3::Y);
            View::new(view_from_world, projections[i % 4], Viewport::of_size(300, 200), 1.0).expect("a view")
        };
        (0..12).map(view).collect()
    }

    #[test]
    fn what_is_left_out_is_behind_something_on_every_pixel() {
        let mut rng = Rng::with_seed(21);
        let meshes = meshes();
        let extents = meshes.each_ref().map(|(corners, indices)| {
            let bounds = Ball::round(corners);
            (bounds, core_of(corners, indices, bounds))
        });
        assert!(extents[0].1.is_some() && extents[1].1.is_none());
        let (mut asked, mut left_out) = (0, 0);
        for view in views(&mut rng) {
            let mut store = Store::default();
            let middle = DVec3::new(3e5, -2e5, 1e5);
            let mut number = || rng.f64() * 2.0 - 1.0;
            for id in 1..900u32 {
                let mut vector = || DVec3::new(number(), number(), number());
                let world_from_local = DAffine3 {
                    matrix3: DMat3::from_quat(DQuat::from_scaled_axis(vector() * 3.0))
                        * DMat3::from_diagonal((DVec3::splat(1.2) + vector()) * 0.8),
                    translation: middle + vector() * 14.0,
                };
                let slot = u32::from(id % 4 == 0);
                let mesh = PickMeshKey(Key { slot, generation: 0 });
                let id = NonZeroU32::new(id).expect("not nothing");
                let object = PickObject { mesh, world_from_local, id };
                store.insert(&object, extents[slot as usize].0).expect("room");
            }
            for _ in 0..6 {
                let at = DVec2::new(rng.f64() * 280.0, rng.f64() * 180.0).floor();
                let side = *rng.choice(&[1.0, 7.0, 11.0]).expect("three");
                let frustum = Frustum::new(&view, [at.x, at.y, side, side]);
                let mut slots = Vec::new();
                store.spheres.find(&frustum, store.origin_world, &mut slots);
                let mut covered = Covered::default();
                let extent_of = |mesh: u32| extents.get(mesh as usize).copied();
                let Some(shown) = covered.seen(&store, extent_of, (&view, &frustum), &slots) else {
                    continue;
                };
                asked += slots.len();
                left_out += slots.len() - shown.len();
                let nearest = |slot: u32, px: DVec2| {
                    let instance = &store.instances[slot as usize];
                    let (corners, indices) = &meshes[store.meshes[slot as usize] as usize];
                    let (linear, translation) = (instance.linear(), instance.translation());
                    let ray = view.pointer_ray_from(store.origin_world, px);
                    let point = |i: u32| linear * Vec3::from(corners[i as usize]).as_dvec3() + translation;
                    let hits = indices
                        .chunks(3)
                        .filter_map(|t| ray.distance_to_triangle([point(t[0]), point(t[1]), point(t[2])]));
                    // Before the near end nothing is drawn.
                    let z = |t: f64| {
                        let clip = view.clip_from_world() * (ray.at(t) + store.origin_world).extend(1.0);
                        match view.depth_direction() {
                            DepthDirection::Standard => clip.z >= 0.0,
                            DepthDirection::Reversed => clip.z <= clip.w,
                        }
                    };
                    hits.filter(|t| z(*t)).fold(f64::INFINITY, f64::min)
                };
                for (i, j) in (0..side as u32).flat_map(|j| (0..side as u32).map(move |i| (i, j))) {
                    let px = at + DVec2::new(i.into(), j.into()) + 0.5;
                    let of = |slots: &mut dyn Iterator<Item = u32>| {
                        slots.map(|slot| nearest(slot, px)).fold(f64::INFINITY, f64::min)
                    };
                    let first = of(&mut shown.iter().copied());
                    let hidden = of(&mut slots.iter().copied().filter(|slot| !shown.contains(slot)));
                    assert!(first < hidden || hidden == f64::INFINITY, "{px}: {hidden} before {first}");
                }
            }
        }
        println!("{left_out} of {asked} are left out");
        assert!(2 * left_out > asked, "{left_out} of {asked}");
    }
}
