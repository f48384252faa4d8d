use super::balls::Balls;
use crate::math::{Ball, DepthDirection, Frustum, Ray, View};
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

/// An object that may occlude others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid {
    /// The inner ball of the mesh in its local space.
    pub(super) inner: Ball,
    /// The transform from local to scene space: world axes, relative to `PickScene::origin_world`.
    pub(super) linear: DMat3,
    pub(super) translation: DVec3,
}

/// A pixel of the pick.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    /// The ray through its center, in scene space.
    ray: Ray,
    /// The distance from the viewer from which on it is occluded.
    occluded_from: f64,
}

/// The minimum number of objects for which culling is cheaper than drawing.
const MIN_OBJECTS: usize = 12;
/// The maximum number of pixels for which culling is cheaper than drawing: a tolerance of 10.
const MAX_PIXELS: f64 = 21.0 * 21.0;
/// Fraction of an inner ball's radius that is used; far larger than rounding in its transform.
const SAFE_FRACTION: f64 = 0.95;

/// The parameters of a view that occlusion tests need, in scene space.
struct CullView {
    /// `None` for parallel rays.
    eye: Option<DVec3>,
    /// The direction of parallel rays.
    direction: DVec3,
    near: DVec4,
    clip_from_scene: DMat4,
}

impl Occlusion {
    /// Returns the slots of objects that may be visible on a pixel of the frustum, or `None` if drawing them
    /// all is cheaper. `solid_of` returns the object in a slot, if its mesh is closed.
    pub(super) fn visible(
        &mut self,
        (view, frustum): (&View, &Frustum),
        origin_world: DVec3,
        balls: &Balls,
        solid_of: impl Fn(u32) -> Option<Solid>,
        slots: &[u32],
    ) -> Option<&[u32]> {
        let rect_px = frustum.rect_px();
        let (low, high) = (rect_px.min.floor(), rect_px.max.ceil());
        let pixels = (high - low).x * (high - low).y;
        if slots.len() < MIN_OBJECTS || !(pixels > 0.0 && pixels <= MAX_PIXELS) {
            return None;
        }
        let cull_view = CullView::new(view, frustum, origin_world);
        self.pixels.clear();
        let (columns, rows) = ((high - low).x as u32, (high - low).y as u32);
        let offsets = (0..rows).flat_map(|j| (0..columns).map(move |i| DVec2::new(i.into(), j.into())));
        self.pixels.extend(offsets.map(|offset| Pixel {
            ray: view.pointer_ray_from(origin_world, low + offset + 0.5),
            occluded_from: f64::INFINITY,
        }));
        self.by_distance.clear();
        let with_ball = slots.iter().filter_map(|slot| Some((balls.get(*slot)?, *slot)));
        let near_distance = |ball: Ball| cull_view.distance(ball.center) - ball.radius;
        self.by_distance.extend(with_ball.map(|(ball, slot)| (near_distance(ball), slot)));
        self.by_distance.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.visible.clear();
        let mut farthest = f64::INFINITY;
        for (near_distance, slot) in &self.by_distance {
            if *near_distance > farthest {
                break;
            }
            let Some(ball) = balls.get(*slot) else { continue };
            let pixel_size = view.pixel_size(ball.center + origin_world).abs();
            let reach = 1.01 * ball.radius + 0.05 * pixel_size;
            // Where nothing occludes all of it.
            let open = self.pixels.iter_mut().filter(|pixel| pixel.occluded_from >= *near_distance);
            let mut touched = open
                .filter(|Pixel { ray, .. }| {
                    let to_center = ball.center - ray.origin;
                    to_center.reject_from_normalized(ray.direction).length_squared() <= reach * reach
                })
                .peekable();
            if touched.peek().is_none() {
                continue;
            }
            self.visible.push(*slot);
            if let Some(solid) = solid_of(*slot).filter(|_| cull_view.is_beyond_near(ball)) {
                cull_view.occlude(touched, &solid, pixel_size);
                let ends = self.pixels.iter().map(|pixel| pixel.occluded_from);
                farthest = ends.fold(f64::NEG_INFINITY, f64::max);
            }
        }
        Some(&self.visible)
    }
}

impl CullView {
    fn new(view: &View, frustum: &Frustum, origin_world: DVec3) -> Self {
        let [.., low, high] = *frustum.planes();
        let near = if view.depth_direction() == DepthDirection::Standard { low } else { high };
        Self {
            eye: view.eye().map(|eye| eye - origin_world),
            direction: view.pointer_ray(DVec2::ZERO).direction,
            near: near.truncate().extend(near.dot(origin_world.extend(1.0))),
            clip_from_scene: view.clip_from_world() * DMat4::from_translation(origin_world),
        }
    }

    fn distance(&self, point: DVec3) -> f64 {
        self.eye.map_or(self.direction.dot(point), |eye| point.distance(eye))
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
        &Solid { inner, linear, translation }: &Solid,
        pixel_size: f64,
    ) {
        let local_from_scene = linear.inverse();
        // A lower bound for the semi-axes of the transformed ball. Rasterization snaps vertices to
        // fractions of a pixel, so the rest of the radius must exceed that.
        let columns = local_from_scene.to_cols_array().iter().map(|n| n * n).sum::<f64>();
        let is_thick = inner.radius / columns.sqrt() > 0.5 * pixel_size;
        for pixel in pixels.filter(|_| is_thick) {
            let direction = local_from_scene * pixel.ray.direction;
            let to_core = inner.center - local_from_scene * (pixel.ray.origin - translation);
            let nearest_t = to_core.dot(direction) / direction.length_squared();
            let off_squared = (to_core - direction * nearest_t).length_squared();
            let left = inner.radius * inner.radius - off_squared;
            let meets = left >= (1.0 - SAFE_FRACTION * SAFE_FRACTION) * inner.radius * inner.radius;
            if !meets {
                continue;
            }
            let half = left.sqrt() / direction.length();
            let [entry, nearest] = [nearest_t - half, nearest_t].map(|t| pixel.ray.at(t));
            let [entry_depth, nearest_depth] = [entry, nearest].map(|point| self.depth(point));
            // Depths are rounded to `f32` and are sums of `f32` products.
            if (entry_depth - nearest_depth).abs() > 2e-6 * entry_depth.abs().max(nearest_depth.abs()) {
                pixel.occluded_from = pixel.occluded_from.min(self.distance(nearest));
            }
        }
    }

    fn depth(&self, point: DVec3) -> f64 {
        let clip = self.clip_from_scene * point.extend(1.0);
        clip.z / clip.w
    }
}
