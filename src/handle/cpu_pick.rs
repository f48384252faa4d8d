use super::custom::{HandleMesh, Numbered};
use super::draw_list::{DrawList, Item};
use super::mesh::{LONG, Mesh, MeshKind, direction};
use super::pick::{Key, Priority};
use super::query::PickQuery;
use crate::math::{Ray, View};
use glam::{DAffine3, DMat3, DVec2, DVec3, Vec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::sync::OnceLock;

/// What a ray or the cursor meets of one part.
#[derive(Debug, Clone, Copy)]
struct Near {
    distance_px: f64,
    /// World units from the viewer.
    depth: f64,
}

impl DrawList {
    /// The handle under the cursor, worked out on the CPU: same rule as the ID image's, with
    /// distances to the shapes instead of to their texels. Knows handles only, no scene.
    pub fn pick(&self, cursor_px: DVec2, radius_px: f64) -> Option<NonZeroU32> {
        let view = self.view().filter(|_| !self.has_mixed_ids())?;
        if !view.viewport().contains(cursor_px) {
            return None;
        }
        // One that is no number reaches nothing.
        let radius_px = radius_px.max(0.0);
        let centre_px = cursor_px.floor() + 0.5;
        let radius_px = radius_px.min(PickQuery::MAX_RADIUS_PX);
        let ray = view.pointer_ray(centre_px);
        let cursor = Cursor::new(self, view, &ray, centre_px, radius_px);
        let all = || self.gizmos().enumerate().map(|(place, (span, items))| ((span.depth, place), items));
        let (exact, best) = cursor.nearest(all());
        let is_ball = |hit: &Hit<'_>| hit.item.priority == Priority::Trackball;
        let Some(hit) = exact else { return best.map(|(id, _)| id) };
        if !is_ball(&hit) {
            return Some(hit.id);
        }
        // The ball yields to what is near, but not to what a nearer gizmo's ball hides.
        let hidden = |gizmo: &GizmoPlace| before(hit.gizmo, *gizmo).is_lt();
        let best = match best {
            Some((_, gizmo)) if hidden(&gizmo) => cursor.nearest(all().filter(|(gizmo, _)| !hidden(gizmo))).1,
            best => best,
        };
        Some(best.map_or(hit.id, |(id, _)| id))
    }
}

/// Depth of a gizmo's pivot along the view, and its place in the list.
type GizmoPlace = (f64, usize);

/// What is looked for.
struct Cursor<'a> {
    list: &'a DrawList,
    view: &'a View,
    ray: &'a Ray,
    px: DVec2,
    radius_px: f64,
    /// Makes homogeneous pixels of a point of the world: x and y times w, and w.
    px_from_world: DAffine3,
    /// How many pixels a world length across the view is, times w.
    px_per_w: f64,
}

/// What the cursor's ray meets.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    gizmo: GizmoPlace,
    /// Along the ray.
    depth: f64,
    item: &'a Item,
    id: NonZeroU32,
}

/// A nearer gizmo is in front of a farther one, wholly, and the first of two that are as far.
fn before(a: GizmoPlace, b: GizmoPlace) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

impl Hit<'_> {
    /// In one gizmo, the trackball is behind all that can be taken hold of.
    fn cmp(&self, other: &Self) -> Ordering {
        let is_ball = |hit: &Self| hit.item.priority == Priority::Trackball;
        before(self.gizmo, other.gizmo)
            .then(is_ball(self).cmp(&is_ball(other)))
            .then(self.depth.total_cmp(&other.depth))
    }
}

impl<'c> Cursor<'c> {
    fn new(list: &'c DrawList, view: &'c View, ray: &'c Ray, px: DVec2, radius_px: f64) -> Self {
        let [x, y, w] = view.px_rows();
        let px_from_world = DAffine3 {
            matrix3: DMat3::from_cols(x.truncate(), y.truncate(), w.truncate()).transpose(),
            translation: DVec3::new(x.w, y.w, w.w),
        };
        Self { list, view, ray, px, radius_px, px_from_world, px_per_w: view.px_per_w() }
    }

    /// What is met, and the best of what is within the radius with its gizmo.
    fn nearest<'a>(
        &self,
        gizmos: impl Iterator<Item = (GizmoPlace, &'a [Item])>,
    ) -> (Option<Hit<'a>>, Option<(NonZeroU32, GizmoPlace)>) {
        let mut exact: Option<Hit<'_>> = None;
        let mut best: Option<(Key, GizmoPlace)> = None;
        for (gizmo, items) in gizmos {
            for item in items {
                let Some(id) = item.id else { continue };
                let lens = Lens::new(self, item);
                if !lens.may_reach() {
                    continue;
                }
                let own = self.list.custom_mesh(item.mesh).map(HandleMesh::numbered);
                let (near, hit) = match own {
                    Some(own) => self.custom(item, own),
                    None => {
                        let near = lens.distance();
                        (near, exact_hit(item, self.ray, near))
                    }
                };
                if let Some(depth) = hit {
                    let hit = Hit { gizmo, depth, item, id };
                    if exact.as_ref().is_none_or(|nearest| hit.cmp(nearest).is_lt()) {
                        exact = Some(hit);
                    }
                }
                let Some(near) = near else { continue };
                if item.priority == Priority::Trackball || near.distance_px > self.radius_px {
                    continue;
                }
                let key = Key {
                    beyond_half: near.distance_px > 0.5 * self.radius_px,
                    priority: item.priority,
                    distance_squared: near.distance_px * near.distance_px,
                    depth: near.depth,
                    id,
                };
                if best.as_ref().is_none_or(|(least, _)| key.cmp(least).is_lt()) {
                    best = Some((key, gizmo));
                }
            }
        }
        (exact, best.map(|(key, gizmo)| (key.id, gizmo)))
    }

    /// How near the cursor is to a handle of the host's own, and where the ray meets it.
    fn custom(&self, item: &Item, own: &Numbered) -> (Option<Near>, Option<f64>) {
        let nothing = (None, None);
        let part = &item.world_from_part;
        let across = [part.matrix3.x_axis, part.matrix3.y_axis, part.matrix3.z_axis];
        let scale = across.into_iter().map(DVec3::length).fold(0.0, f64::max);
        let radius = (own.radius + f64::from(item.instance.thickness) * own.thick) * scale;
        let centre = part.transform_point3(own.centre);
        // The ball round it, seen from its nearest point, which is where a pixel is smallest.
        let nearest = centre - self.view.forward() * radius;
        let pixel = self.view.pixel_size(nearest);
        let passes = (centre - self.ray.origin).reject_from_normalized(self.ray.direction).length();
        // Beside the ray the tolerance is a cone; twice as much is room for its slant.
        let tolerance = 2.0 * self.radius_px * self.view.pixel_size(centre).max(pixel);
        if pixel > 0.0 && passes > radius + tolerance {
            return nothing;
        }
        let thickness = item.instance.thickness;
        let hit = mesh_hit(&own.mesh, thickness, &in_part(item, self.ray));
        if let Some(depth) = hit {
            return (Some(Near { distance_px: 0.0, depth }), hit);
        }
        let mut best: Option<(f64, DVec3)> = None;
        for triangle in corners(&own.mesh, thickness) {
            let world = triangle.map(|corner| part.transform_point3(corner));
            let [Some(a), Some(b), Some(c)] = world.map(|corner| self.view.px_from_world(corner)) else {
                continue;
            };
            let distance = distance_to_triangle(self.px, [a, b, c]);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, (world[0] + world[1] + world[2]) / 3.0));
            }
        }
        let near = |(distance_px, point): (f64, DVec3)| Near {
            distance_px,
            depth: depth_of(self.view, self.ray, point),
        };
        (best.map(near), None)
    }
}

/// Pieces of a ring that are looked at together.
const ARC: usize = 8;
const ARCS: usize = LONG as usize / ARC;
/// Half the width that a head counts as on the screen: between its base and its tip.
const CONE_HALF_WIDTH: f64 = MeshKind::HEAD_RADIUS as f64 * 0.5;

/// A point on the screen.
#[derive(Debug, Clone, Copy)]
struct Corner {
    from_cursor: DVec2,
    w: f64,
}

/// How a part's own space is seen round the cursor.
struct Lens<'a> {
    cursor: &'a Cursor<'a>,
    item: &'a Item,
    /// Makes homogeneous pixels of a point of the part's space.
    px_from_part: DAffine3,
    /// World length of the part's unit across.
    across: f64,
    /// Half the width of its strokes, in pixels times w.
    half_width_w: f64,
}

impl<'a> Lens<'a> {
    fn new(cursor: &'a Cursor<'a>, item: &'a Item) -> Self {
        let across = item.world_from_part.matrix3.z_axis.length();
        Self {
            cursor,
            item,
            // Linear: worked out for the part's axes once instead of for every point.
            px_from_part: cursor.px_from_world * item.world_from_part,
            across,
            half_width_w: across * f64::from(item.instance.thickness) * cursor.px_per_w,
        }
    }

    /// Distance on screen from the cursor to the shape, 0 inside it; `None` too where it is out of
    /// reach.
    fn distance(&self) -> Option<Near> {
        let Self { cursor: Cursor { view, ray, px: cursor_px, .. }, item, .. } = self;
        let at = |p: DVec3| item.world_from_part.transform_point3(p);
        match item.mesh {
            MeshKind::Stem => self.nearest([DVec3::ZERO, DVec3::X].into_iter(), None),
            MeshKind::Cone => {
                let tip = DVec3::X * f64::from(MeshKind::HEAD_LENGTH);
                let near = self.nearest([DVec3::ZERO, tip].into_iter(), None)?;
                // A head is as wide as its base where the cursor is beside the base.
                let width = CONE_HALF_WIDTH * self.across;
                Some(less(near, width / view.pixel_size(at(DVec3::ZERO))))
            }
            MeshKind::Cube | MeshKind::Ball | MeshKind::Dot => {
                let centre = at(DVec3::ZERO);
                let px = view.px_from_world(centre)?;
                let near = Near { distance_px: px.distance(*cursor_px), depth: depth_of(view, ray, centre) };
                Some(less(near, self.across / view.pixel_size(centre)))
            }
            MeshKind::Ring => self.ring(),
            MeshKind::Square | MeshKind::Frame => {
                let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(0.0, 1.0, 1.0), DVec3::Z, DVec3::ZERO];
                self.nearest(corners.into_iter(), None)
            }
            // By its triangles, elsewhere.
            MeshKind::Custom(_) => None,
        }
    }

    /// Whether the part may be met, or be within the radius; `false` only where it cannot. A box
    /// that holds its mesh is held against the square round the cursor.
    fn may_reach(&self) -> bool {
        let thickness = f64::from(self.item.instance.thickness);
        // The host's own have a test of their own.
        let Some([middle, half]) = self.item.mesh.bounds(thickness) else { return true };
        // Half the width that it counts as on the screen besides.
        let width = match self.item.mesh {
            MeshKind::Cone => thickness + CONE_HALF_WIDTH,
            MeshKind::Cube | MeshKind::Ball | MeshKind::Dot => 1.0,
            _ => thickness,
        };
        let middle = self.px_from_part.transform_point3(middle);
        // How x, y and w change from the middle to each side.
        let sides = self.px_from_part.matrix3.transpose();
        let [x, y, w] = [sides.x_axis * half, sides.y_axis * half, sides.z_axis * half];
        let nearest_w = middle.z - w.abs().element_sum();
        // So near to the viewer that sizes on the screen mean little.
        if nearest_w.is_nan() || nearest_w < 0.1 * middle.z {
            return true;
        }
        let Cursor { px, radius_px, px_per_w, .. } = self.cursor;
        let reach_px = radius_px + width * self.across * px_per_w / nearest_w + 1.0;
        // All of the box is past a line on the screen where its middle is by more than its sides
        // go back: multiplied by w, which is positive, that is linear.
        let is_left = |at: f64, middle_at: f64, sides: DVec3| {
            at * middle.z - middle_at > (sides - w * at).abs().element_sum()
        };
        let is_right = |at: f64, middle_at: f64, sides: DVec3| {
            middle_at - at * middle.z > (sides - w * at).abs().element_sum()
        };
        !(is_left(px.x - reach_px, middle.x, x)
            || is_right(px.x + reach_px, middle.x, x)
            || is_left(px.y - reach_px, middle.y, y)
            || is_right(px.y + reach_px, middle.y, y))
    }

    /// Distance to a ring: an arc of it at a time, where the triangle round the arc reaches the
    /// cursor.
    fn ring(&self) -> Option<Near> {
        let seen = |point: DVec3| {
            let px = self.px_from_part.transform_point3(point);
            Corner { from_cursor: px.truncate() / px.z - self.cursor.px, w: px.z }
        };
        let mut best: Option<Near> = None;
        let mut from = seen(circle()[0]);
        for (arc, outside) in arcs().iter().enumerate() {
            let first = arc * ARC;
            let to = seen(circle()[first + ARC]);
            if !self.is_beyond_reach([from, seen(*outside), to]) {
                best = self.nearest(circle()[first..=first + ARC].iter().copied(), best);
            }
            from = to;
        }
        best
    }

    /// Whether what is inside of a triangle is farther from the cursor than the radius, half a
    /// stroke's width included; `true` only where it is.
    fn is_beyond_reach(&self, [a, b, c]: [Corner; 3]) -> bool {
        let nearest_w = a.w.min(b.w).min(c.w);
        if nearest_w.is_nan() || nearest_w <= 0.0 {
            return false;
        }
        let reach = self.cursor.radius_px + self.half_width_w / nearest_w + 1.0;
        let least = a.from_cursor.min(b.from_cursor).min(c.from_cursor);
        let most = a.from_cursor.max(b.from_cursor).max(c.from_cursor);
        least.max_element() > reach || most.min_element() < -reach
    }

    /// The nearest place of a polyline in the part's space, or what was nearer before.
    fn nearest(&self, points: impl Iterator<Item = DVec3>, before: Option<Near>) -> Option<Near> {
        let Self { item, px_from_part, half_width_w, cursor, .. } = *self;
        let Cursor { view, ray, px: cursor_px, .. } = cursor;
        let part = &item.world_from_part;
        let mut best = before;
        let mut last: Option<(DVec3, DVec2, f64)> = None;
        for point in points {
            let projected = px_from_part.transform_point3(point);
            let here = (projected.z > 0.0)
                .then(|| (point, projected.truncate() / projected.z, projected.z))
                .filter(|(_, px, _)| px.is_finite());
            let previous = std::mem::replace(&mut last, here);
            let (Some((a_part, a, a_w)), Some((b_part, b, b_w))) = (previous, here) else { continue };
            let Some([from, to]) = near_half(item, a_part, b_part) else { continue };
            let along = b - a;
            let t = (cursor_px - a).dot(along) / along.length_squared();
            let t = if t.is_finite() { t.max(from).min(to) } else { from };
            let half_width = half_width_w / (a_w + (b_w - a_w) * t);
            let distance_px = ((a + along * t).distance(*cursor_px) - half_width).max(0.0);
            if best.is_some_and(|best| distance_px > best.distance_px) {
                continue;
            }
            let depth = depth_of(view, ray, part.transform_point3(a_part.lerp(b_part, t)));
            if best.is_none_or(|best| (distance_px, depth) < (best.distance_px, best.depth)) {
                best = Some(Near { distance_px, depth });
            }
        }
        best
    }
}

/// Distance from a point to a triangle, 0 inside.
fn distance_to_triangle(p: DVec2, [a, b, c]: [DVec2; 3]) -> f64 {
    let edges = [(a, b), (b, c), (c, a)];
    let side = |(from, to): (DVec2, DVec2)| (to - from).perp_dot(p - from);
    let sides = edges.map(side);
    if sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0) {
        return 0.0;
    }
    let to_edge = |(from, to): (DVec2, DVec2)| {
        let along = to - from;
        let t = (p - from).dot(along) / along.length_squared();
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        (from + along * t).distance(p)
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

/// The triangles of a mesh as they are drawn with this thickness.
fn corners(mesh: &Mesh, thickness: f32) -> impl Iterator<Item = [DVec3; 3]> {
    let corner = move |index: u16| {
        let v = mesh.vertices[usize::from(index)];
        let out = Vec3::from(v.normal) * v.weight * thickness;
        (Vec3::from(v.position) + out).as_dvec3()
    };
    mesh.indices.chunks_exact(3).map(move |t| [corner(t[0]), corner(t[1]), corner(t[2])])
}

/// Distance along a ray in the part's space to the nearest of the mesh's triangles.
fn mesh_hit(mesh: &Mesh, thickness: f32, in_part: &Ray) -> Option<f64> {
    let hits = corners(mesh, thickness).filter_map(|triangle| in_part.distance_to_triangle(triangle));
    hits.min_by(f64::total_cmp)
}

/// The ray in the part's space: distances along it stay what they are in the world.
fn in_part(item: &Item, ray: &Ray) -> Ray {
    let part_from_world = item.world_from_part.inverse();
    Ray {
        origin: part_from_world.transform_point3(ray.origin),
        direction: part_from_world.transform_vector3(ray.direction),
        start: ray.start,
    }
}

/// Radial directions whose cosine to the eye is below this are on a ring's far half.
pub(crate) const FAR_HALF: f64 = -0.05;

/// What of a piece of a ring, from 0 at `a` to 1 at `b`, is on the near half; all of what has no
/// halves.
fn near_half(item: &Item, a_part: DVec3, b_part: DVec3) -> Option<[f64; 2]> {
    let [x, y, z, halved] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    let [a, b] = [a_part, b_part].map(|point| point.dot(to_eye) - FAR_HALF);
    let cut = a / (a - b);
    match (a >= 0.0, b >= 0.0) {
        _ if halved < 0.5 => Some([0.0, 1.0]),
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, cut]),
        (false, true) => Some([cut, 1.0]),
        (false, false) => None,
    }
}

/// Distance along the ray to the part, where the ray meets it. `near` is what
/// [`distance_to`] says of it.
fn exact_hit(item: &Item, ray: &Ray, near: Option<Near>) -> Option<f64> {
    if item.mesh == MeshKind::Ring {
        // A tube a few pixels thick: on screen, the stroke of a circle.
        return near.filter(|near| near.distance_px <= 0.0).map(|near| near.depth);
    }
    let in_part = in_part(item, ray);
    let thickness = item.instance.thickness;
    // What is round about X is missed by a ray that passes the axis farther off than its radius.
    let radius = match item.mesh {
        MeshKind::Ball | MeshKind::Dot => return sphere_hit(&in_part),
        MeshKind::Stem => thickness,
        MeshKind::Cone => MeshKind::HEAD_RADIUS,
        MeshKind::Cube | MeshKind::Ring | MeshKind::Frame | MeshKind::Square | MeshKind::Custom(_) => {
            f32::INFINITY
        }
    };
    let across = DVec2::new(in_part.direction.y, in_part.direction.z);
    let passes = in_part.origin.y * across.y - in_part.origin.z * across.x;
    if passes.abs() > f64::from(radius) * across.length() {
        return None;
    }
    mesh_hit(item.mesh.mesh()?, thickness, &in_part)
}

/// Nearest hit of the unit sphere at the origin.
fn sphere_hit(ray: &Ray) -> Option<f64> {
    let a = ray.direction.length_squared();
    let b = ray.origin.dot(ray.direction);
    let discriminant = b * b - a * (ray.origin.length_squared() - 1.0);
    let distance = (-b - discriminant.max(0.0).sqrt()) / a;
    (discriminant >= 0.0 && distance.is_finite() && distance > ray.start).then_some(distance)
}

fn less(near: Near, px: f64) -> Near {
    Near { distance_px: (near.distance_px - px).max(0.0), ..near }
}

fn depth_of(view: &View, ray: &Ray, point_world: DVec3) -> f64 {
    match view.eye() {
        Some(eye) => eye.distance(point_world),
        None => (point_world - ray.origin).dot(ray.direction),
    }
}

/// For each arc of the circle, where the lines that touch it at its ends cross: those three points
/// are a triangle round it.
fn arcs() -> &'static [DVec3; ARCS] {
    static OUTSIDE: OnceLock<[DVec3; ARCS]> = OnceLock::new();
    OUTSIDE.get_or_init(|| {
        std::array::from_fn(|arc| {
            let middle = circle()[arc * ARC + ARC / 2];
            // Half an arc to either side.
            middle / (std::f64::consts::PI / ARCS as f64).cos()
        })
    })
}

/// The circle of [`MeshKind::Ring`] as the mesh has it, closed.
fn circle() -> &'static [DVec3; LONG as usize + 1] {
    static CIRCLE: OnceLock<[DVec3; LONG as usize + 1]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, LONG);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Instance;
    use crate::math::Viewport;
    use glam::{DQuat, dcamera::rh};

    #[test]
    fn the_shader_cuts_rings_where_the_cpu_does() {
        let shader = include_str!("../../shaders/handle.wgsl");
        assert!(shader.contains(&format!("const FAR_HALF: f32 = {FAR_HALF};")));
    }

    fn views() -> [View; 4] {
        let viewport = Viewport { x: 20.0, y: -30.0, width: 800.0, height: 600.0 };
        let look = |eye: DVec3| rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let wide = rh::proj::directx::perspective(2.0, 4.0 / 3.0, 0.01, 100.0);
        let off_axis = rh::proj::directx::frustum(-0.02, 0.1, -0.01, 0.06, 0.1, 50.0);
        let parallel = rh::proj::directx::orthographic(-4.0, 4.0, -2.0, 2.0, 0.1, 100.0);
        let of = |eye, projection| View::new(look(eye), projection, viewport, 1.5).expect("usable");
        let at = DVec3::new(1.0, 1.5, 4.0);
        // The last is in among the parts.
        [of(at, wide), of(at, off_axis), of(at, parallel), of(0.3 * at, wide)]
    }

    /// A mesh somewhere about the origin, of any size and thickness.
    fn part(mesh: MeshKind, rng: &mut fastrand::Rng) -> Item {
        let mut number = |low: f64, high: f64| low + (high - low) * rng.f64();
        let mut vector = || DVec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
        let (axis, at, turn, sizes) = (vector(), vector(), vector(), vector());
        let rotation = DQuat::from_axis_angle(axis.normalize_or(DVec3::X), 3.0 * turn.x);
        let size = 0.02 + 0.6 * sizes.x.abs();
        let scale = if mesh == MeshKind::Stem { DVec3::new(size, 0.5, 0.5) } else { DVec3::splat(size) };
        let instance = Instance {
            clip_from_part: [[0.0; 4]; 4],
            view_depth_from_part: [0.0; 4],
            to_eye_part: [0.0, 0.6, 0.8, if turn.y > 0.0 { 1.0 } else { 0.0 }],
            color: [1.0; 4],
            thickness: 0.1 * sizes.y.abs() as f32,
            far_thickness: 0.0,
            far_opacity: 1.0,
            id: 1,
        };
        Item {
            instance,
            mesh,
            world_from_part: DAffine3::from_scale_rotation_translation(scale, rotation, at),
            id: NonZeroU32::new(1),
            priority: Priority::Axis,
            translucent: false,
        }
    }

    #[test]
    fn what_is_left_out_before_it_is_looked_at_is_out_of_reach_and_a_ring_in_pieces_is_the_ring() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut out, mut within) = (0, 0);
        for view in views() {
            let list = DrawList::new();
            for round in 0..20_000 {
                let item = part(MeshKind::ALL[round % MeshKind::ALL.len()], &mut rng);
                // Some near the part, some anywhere.
                let v = view.viewport();
                let about = view.px_from_world(item.world_from_part.translation);
                let about = about.filter(|px| round % 3 > 0 && v.contains(*px));
                let [across, down] = [rng.f64(), rng.f64()];
                let anywhere = DVec2::new(v.x + v.width * across, v.y + v.height * down);
                let px = about.map_or(anywhere, |px| px + DVec2::new(across - 0.5, down - 0.5) * 90.0);
                let ray = view.pointer_ray(px);
                let radius_px = [0.0, 5.0, 33.0][rng.usize(..3)];
                let cursor = Cursor::new(&list, &view, &ray, px, radius_px);
                let lens = Lens::new(&cursor, &item);
                let whole = match item.mesh {
                    MeshKind::Ring => lens.nearest(circle().iter().copied(), None),
                    _ => lens.distance(),
                };
                let reached = whole.filter(|near| near.distance_px <= radius_px);
                if !lens.may_reach() {
                    out += 1;
                    assert!(reached.is_none(), "{item:?} {px} {whole:?}");
                    assert!(exact_hit(&item, &ray, whole).is_none(), "{item:?} {px}");
                } else if let (MeshKind::Ring, Some(near)) = (item.mesh, reached) {
                    within += 1;
                    let pieces = lens.ring().expect("as near");
                    assert_eq!((pieces.distance_px, pieces.depth), (near.distance_px, near.depth));
                }
            }
        }
        assert!(out > 10_000 && within > 500, "{out} {within}");
    }
}
