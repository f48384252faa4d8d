use super::store::Store;
use crate::math::{Ball, DepthDirection, Frustum, View};
use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

/// Removes occluded objects from a pick, if many objects lie behind each other.
///
/// Objects are visited front to back. The inner balls of closed meshes (see `inner_ball_of`)
/// occlude pixels of the pick from a certain distance on; an object that begins beyond that
/// distance on all pixels that it may touch is not drawn. This changes no pixel: an inner ball lies
/// within its mesh, so a ray hits the mesh before the ball, by more than the rounding of depths.
///
/// [`Occlusion::visible`] is the only entry, and [`PickBatch::draw`](super::PickBatch::draw) the only caller:
/// without that call, the same pixels are drawn from more objects. It pays on a software rasterizer. With a
/// million objects in the view, 350 were drawn per pick in 2.4 ms, of which the nearest 24 take 0.25 ms; this
/// culling takes less than 0.08 ms (`docs/benchmarks.md`). On a graphics card it was not measured.
#[derive(Debug, Default)]
pub(super) struct Occlusion {
    // Kept between picks, so that nothing is allocated once they have grown.
    pixels: Vec<Pixel>,
    by_distance: Vec<(f64, u32)>,
    visible: Vec<u32>,
}

/// The extent of a mesh: its bounding ball, and its inner ball if it has one.
pub(super) type Extent = (Ball, Option<Ball>);

/// The ray through the center of a pixel, in scene space (world axes, relative to
/// `Store::origin_world`).
#[derive(Debug, Clone, Copy)]
struct Pixel {
    origin: DVec3,
    direction: DVec3,
    /// The distance of the ray's origin, as measured by [`DistanceFrom`].
    start: f64,
    /// The distance from which on the pixel is occluded.
    occluded_from: f64,
}

/// The minimum number of objects for which culling is cheaper than drawing.
const MIN_OBJECTS: usize = 12;
/// The maximum number of pixels for which culling is cheaper than drawing: a tolerance of 10.
const MAX_PIXELS: f64 = 21.0 * 21.0;
/// Fraction of an inner ball's radius that is used; far larger than rounding in its transform.
const SAFE_FRACTION: f64 = 0.95;

/// The way distances in a view are measured: from the eye, or along parallel rays.
#[derive(Debug, Clone, Copy)]
enum DistanceFrom {
    Eye(DVec3),
    Along(DVec3),
}

/// The parameters of a view that occlusion tests need.
struct CullView<'a> {
    view: &'a View,
    origin_world: DVec3,
    from: DistanceFrom,
    near: DVec4,
    z: DVec4,
    w: DVec4,
}

impl Occlusion {
    /// Returns the slots that may be visible on a pixel of the frustum, or `None` if drawing them
    /// all is cheaper. `extent_of` returns the extent of a mesh by its slot.
    pub(super) fn visible(
        &mut self,
        store: &Store,
        extent_of: impl Fn(u32) -> Option<Extent>,
        (view, frustum): (&View, &Frustum),
        slots: &[u32],
    ) -> Option<&[u32]> {
        let rect_px = frustum.rect_px();
        let (low, high) = (rect_px.min.floor(), rect_px.max.ceil());
        let pixels = (high - low).x * (high - low).y;
        if slots.len() < MIN_OBJECTS || !(pixels > 0.0 && pixels <= MAX_PIXELS) {
            return None;
        }
        let cull_view = CullView::new(view, frustum, store.origin_world);
        self.pixels.clear();
        let (columns, rows) = ((high - low).x as u32, (high - low).y as u32);
        let offsets = (0..rows).flat_map(|j| (0..columns).map(move |i| DVec2::new(i.into(), j.into())));
        self.pixels.extend(offsets.map(|offset| cull_view.pixel(low + offset + 0.5)));
        self.by_distance.clear();
        for slot in slots.iter().copied().filter(|slot| store.is_drawn(*slot)) {
            let ball = store.spheres.ball(slot)?;
            self.by_distance.push((cull_view.distance(ball.center) - ball.radius, slot));
        }
        self.by_distance.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.visible.clear();
        let mut farthest = f64::INFINITY;
        for (near_distance, slot) in &self.by_distance {
            if *near_distance > farthest {
                break;
            }
            let Some((ball, inner, linear)) = object(store, &extent_of, *slot) else { continue };
            let pixel_size = view.pixel_size(ball.center + store.origin_world).abs();
            let reach = 1.01 * ball.radius + 0.05 * pixel_size;
            let shows = |pixel: &Pixel| {
                let is_occluded = pixel.occluded_from < *near_distance;
                !is_occluded && pixel.is_within(reach, ball.center)
            };
            if !self.pixels.iter().any(shows) {
                continue;
            }
            self.visible.push(*slot);
            let Some(inner) = inner.filter(|_| cull_view.is_beyond_near(ball)) else { continue };
            let translation = store.instances[*slot as usize].translation();
            // A pixel that is already occluded in front of this object cannot become occluded earlier by it.
            let open = self.pixels.iter_mut().filter(|pixel| pixel.occluded_from > *near_distance);
            cull_view.occlude(open, inner, linear, translation, pixel_size);
            farthest = self.pixels.iter().map(|pixel| pixel.occluded_from).fold(f64::NEG_INFINITY, f64::max);
        }
        Some(&self.visible)
    }
}

/// Returns an object's bounding ball, its mesh's inner ball, and the linear part of its matrix.
fn object(
    store: &Store,
    extent_of: impl Fn(u32) -> Option<Extent>,
    slot: u32,
) -> Option<(Ball, Option<Ball>, DMat3)> {
    let instance = store.instances.get(slot as usize)?;
    let (bounds, inner) = extent_of(*store.meshes.get(slot as usize)?)?;
    Some((instance.ball(bounds), inner, instance.linear()))
}

impl Pixel {
    /// Returns true if a point is within `reach` of the ray's line.
    fn is_within(&self, reach: f64, point: DVec3) -> bool {
        (point - self.origin).reject_from_normalized(self.direction).length_squared() <= reach * reach
    }
}

impl<'a> CullView<'a> {
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
                Some(eye) => DistanceFrom::Eye(eye - origin_world),
                None => DistanceFrom::Along(view.pointer_ray(DVec2::ZERO).direction),
            },
            near: near.truncate().extend(near.dot(origin_world.extend(1.0))),
            z: clip_from_scene.row(2),
            w: clip_from_scene.row(3),
        }
    }

    fn distance(&self, point: DVec3) -> f64 {
        match self.from {
            DistanceFrom::Eye(eye) => point.distance(eye),
            DistanceFrom::Along(direction) => direction.dot(point),
        }
    }

    fn pixel(&self, center_px: DVec2) -> Pixel {
        let ray = self.view.pointer_ray_from(self.origin_world, center_px);
        let start = match self.from {
            DistanceFrom::Eye(_) => 0.0,
            DistanceFrom::Along(direction) => direction.dot(ray.origin),
        };
        Pixel { origin: ray.origin, direction: ray.direction, start, occluded_from: f64::INFINITY }
    }

    /// Returns true if a ball lies completely beyond the near plane. Then nothing in it is clipped
    /// and the viewer is outside of it.
    fn is_beyond_near(&self, ball: Ball) -> bool {
        self.near.truncate() != DVec3::ZERO && self.near.dot(ball.center.extend(1.0)) > 1.01 * ball.radius
    }

    /// Marks the pixels whose rays hit the inner ball of an object as occluded.
    fn occlude<'p>(
        &self,
        pixels: impl Iterator<Item = &'p mut Pixel>,
        inner: Ball,
        linear: DMat3,
        translation: DVec3,
        pixel_size: f64,
    ) {
        let local_from_scene = linear.inverse();
        // A lower bound for the semi-axes of the transformed ball. Rasterization snaps vertices to
        // fractions of a pixel, so the rest of the radius must exceed that.
        let columns = local_from_scene.to_cols_array().iter().map(|n| n * n).sum::<f64>();
        let shortest = inner.radius / columns.sqrt();
        let is_thick = shortest > 0.5 * pixel_size;
        for pixel in pixels.filter(|_| is_thick) {
            let direction = local_from_scene * pixel.direction;
            let to_core = inner.center - local_from_scene * (pixel.origin - translation);
            let nearest_t = to_core.dot(direction) / direction.length_squared();
            let off_squared = (to_core - direction * nearest_t).length_squared();
            let left = inner.radius * inner.radius - off_squared;
            let meets = left >= (1.0 - SAFE_FRACTION * SAFE_FRACTION) * inner.radius * inner.radius;
            if !meets {
                continue;
            }
            let half = left.sqrt() / direction.length();
            let [entry_depth, nearest_depth] =
                [nearest_t - half, nearest_t].map(|t| self.depth(pixel.origin + pixel.direction * t));
            // Depths are rounded to `f32` and are sums of `f32` products.
            if (entry_depth - nearest_depth).abs() > 2e-6 * entry_depth.abs().max(nearest_depth.abs()) {
                pixel.occluded_from = pixel.occluded_from.min(pixel.start + nearest_t);
            }
        }
    }

    fn depth(&self, point: DVec3) -> f64 {
        self.z.dot(point.extend(1.0)) / self.w.dot(point.extend(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::inner_ball::inner_ball_of;
    use super::super::store::{PickMeshKey, PickObject, SlotKey};
    use super::*;
    use crate::Viewport;
    use crate::math::Rect;
    use fastrand::Rng;
    use glam::{DAffine3, DQuat, Vec3, dcamera::rh};
    use std::num::NonZeroU32;

    type Triangles = (Vec<[f32; 3]>, Vec<u32>);

    fn cube() -> Triangles {
        let corners = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 * 2.0 - 1.0));
        let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
        (corners.collect(), sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect())
    }

    /// A cube, and a cube without its last two sides.
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
            // Outside of the heap, at its edge, and inside of it.
            let eye = far + direction * [45.0, 20.0, 4.0][i % 3];
            let view_from_world = rh::view::look_at_mat4(eye, far, DVec3::Y);
            View::new(view_from_world, projections[i % 4], Viewport::from_size(300, 200), 1.0)
                .expect("the view is valid")
        };
        (0..12).map(view).collect()
    }

    /// Returns the distance along the ray through a pixel to an instance, or infinity.
    fn nearest_hit(view: &View, store: &Store, meshes: &[Triangles; 2], slot: u32, px: DVec2) -> f64 {
        let instance = &store.instances[slot as usize];
        let (corners, indices) = &meshes[store.meshes[slot as usize] as usize];
        let (linear, translation) = (instance.linear(), instance.translation());
        let ray = view.pointer_ray_from(store.origin_world, px);
        let point = |i: u32| linear * Vec3::from(corners[i as usize]).as_dvec3() + translation;
        let hits = indices
            .chunks(3)
            .filter_map(|t| ray.distance_to_triangle([point(t[0]), point(t[1]), point(t[2])]));
        // Nothing is drawn in front of the near plane.
        let z = |t: f64| {
            let clip = view.clip_from_world() * (ray.at(t) + store.origin_world).extend(1.0);
            match view.depth_direction() {
                DepthDirection::Standard => clip.z >= 0.0,
                DepthDirection::Reversed => clip.z <= clip.w,
            }
        };
        hits.filter(|t| z(*t)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn culled_objects_are_occluded_on_every_pixel() {
        let mut rng = Rng::with_seed(21);
        let meshes = meshes();
        let extents = meshes.each_ref().map(|(corners, indices)| {
            let bounds = Ball::around(corners.iter().copied());
            (bounds, inner_ball_of(corners, indices, bounds))
        });
        assert!(extents[0].1.is_some() && extents[1].1.is_none());
        let (mut tested, mut culled) = (0, 0);
        for view in views(&mut rng) {
            let mut store = Store::default();
            let center = DVec3::new(3e5, -2e5, 1e5);
            let mut number = || rng.f64() * 2.0 - 1.0;
            for id in 1..900u32 {
                let mut vector = || DVec3::new(number(), number(), number());
                let world_from_local = DAffine3 {
                    matrix3: DMat3::from_quat(DQuat::from_scaled_axis(vector() * 3.0))
                        * DMat3::from_diagonal((DVec3::splat(1.2) + vector()) * 0.8),
                    translation: center + vector() * 14.0,
                };
                let slot = u32::from(id % 4 == 0);
                let mesh = PickMeshKey(SlotKey { slot, generation: 0 });
                let id = NonZeroU32::new(id).expect("ids start at 1");
                let object = PickObject { mesh, world_from_local, id };
                store.insert(&object, extents[slot as usize].0).expect("a slot is free");
            }
            for _ in 0..6 {
                let at = DVec2::new(rng.f64() * 280.0, rng.f64() * 180.0).floor();
                let side = *rng.choice(&[1.0, 7.0, 11.0]).expect("the list is not empty");
                let frustum = Frustum::new(&view, Rect::from_min_size(at, DVec2::splat(side)));
                let mut slots = Vec::new();
                store.spheres.find(&frustum, store.origin_world, &mut slots);
                let mut occlusion = Occlusion::default();
                let extent_of = |mesh: u32| extents.get(mesh as usize).copied();
                let Some(visible) = occlusion.visible(&store, extent_of, (&view, &frustum), &slots) else {
                    continue;
                };
                tested += slots.len();
                culled += slots.len() - visible.len();
                let nearest = |slot: u32, px: DVec2| nearest_hit(&view, &store, &meshes, slot, px);
                for (i, j) in (0..side as u32).flat_map(|j| (0..side as u32).map(move |i| (i, j))) {
                    let px = at + DVec2::new(i.into(), j.into()) + 0.5;
                    let of = |slots: &mut dyn Iterator<Item = u32>| {
                        slots.map(|slot| nearest(slot, px)).fold(f64::INFINITY, f64::min)
                    };
                    let first = of(&mut visible.iter().copied());
                    let hidden = of(&mut slots.iter().copied().filter(|slot| !visible.contains(slot)));
                    assert!(first < hidden || hidden == f64::INFINITY, "{px}: {hidden} before {first}");
                }
            }
        }
        println!("{culled} of {tested} culled");
        assert!(2 * culled > tested, "{culled} of {tested}");
    }
}
