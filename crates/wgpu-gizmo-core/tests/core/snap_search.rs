//! The search for the point to snap to, compared with one that has no tree and tests every triangle.

use crate::prelude::*;
use std::collections::HashMap;

/// The corners of a cube, and its triangles.
pub(crate) fn cube() -> (Vec<[f32; 3]>, Vec<u32>) {
    let side = |bit: usize, corner: usize| if corner >> bit & 1 == 0 { -0.5 } else { 0.5 };
    let positions = (0..8).map(|corner| [side(0, corner), side(1, corner), side(2, corner)]).collect();
    let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = |[a, b, c, d]: [u32; 4]| [a, b, c, a, c, d];
    (positions, quads.into_iter().flat_map(triangles).collect())
}

fn view_from(eye: DVec3, is_orthographic: bool) -> View {
    let clip_from_view = if is_orthographic {
        rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0)
    } else {
        rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, 0.1)
    };
    let view_from_world = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0).expect("the view is valid")
}

/// Returns squares in rows, some of them in one plane. Half of the sheets share no vertices.
fn sheet(rng: &mut Rng) -> (Vec<[f32; 3]>, Vec<u32>) {
    let [columns, rows] = [rng.u32(1..9), rng.u32(1..9)];
    let shared: Vec<[f32; 3]> = (0..(columns + 1) * (rows + 1))
        .map(|i| [i % (columns + 1), i / (columns + 1)].map(|step| step as f32 * 0.5 - 1.0))
        .map(|[x, z]| [x, if rng.bool() { 0.0 } else { rng.f32() }, z])
        .collect();
    let squares = (0..columns * rows).map(|i| i / columns * (columns + 1) + i % columns);
    let indices: Vec<u32> = squares
        .flat_map(|i| {
            let below = i + columns + 1;
            // The first two have opposite windings, and the last one has no area.
            [i, below, i + 1, below, i + 1, below + 1, i, i, i + 1]
        })
        .collect();
    if rng.bool() {
        return (shared, indices);
    }
    // Zeros of either sign are one position.
    let mut zero = || if rng.bool() { 0.0f32 } else { -0.0 };
    let own = indices.iter().map(|i| shared[*i as usize].map(|x| if x == 0.0 { zero() } else { x }));
    (own.collect(), (0..indices.len() as u32).collect())
}

/// A mesh, and the world positions of the corners of its triangles.
struct Object {
    mesh: SnapMesh,
    world_from_local: DAffine3,
    triangles: Vec<[DVec3; 3]>,
}

impl Object {
    /// Returns a sheet with flat and steep parts, a cube, or triangles without an order.
    fn random(rng: &mut Rng) -> Self {
        let (positions, indices) = match rng.u8(..4) {
            0 => cube(),
            1 => {
                let count = 3 * rng.u32(1..40);
                let position = |_| (direction(rng) * between(rng, 0.1, 1.5)).as_vec3().to_array();
                ((0..count).map(position).collect(), (0..count).collect())
            }
            _ => sheet(rng),
        };
        let side = if rng.bool() { -1.0 } else { 1.0 };
        let scale = DVec3::new(side * between(rng, 0.5, 1.5), between(rng, 0.5, 1.5), 1.0);
        let at = direction(rng) * between(rng, 0.0, 2.0);
        let world_from_local = DAffine3::from_scale_rotation_translation(scale, rotation(rng), at);
        let world = |index: u32| {
            // Adding 0 makes −0 equal to 0.
            let local = Vec3::from(positions[index as usize]).as_dvec3() + 0.0;
            world_from_local.transform_point3(local)
        };
        let triangles = indices.chunks_exact(3).map(|of| [of[0], of[1], of[2]].map(world)).collect();
        let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
        Self { mesh, world_from_local, triangles }
    }

    /// Returns the edges that count: those at a rim, between planes (in the space of the mesh), or of triangles without
    /// an area.
    fn edges(&self) -> Vec<[DVec3; 2]> {
        let mut normals: HashMap<[[u64; 3]; 2], Vec<DVec3>> = HashMap::new();
        let local_from_world = self.world_from_local.inverse();
        for corners in &self.triangles {
            let local = corners.map(|corner| local_from_world.transform_point3(corner));
            for [a, b] in sides(corners) {
                let mut key = [a, b].map(|point| point.to_array().map(f64::to_bits));
                key.sort_unstable();
                normals.entry(key).or_default().extend(unit_normal(&local));
            }
        }
        let counts = |normals: &[DVec3]| {
            normals.len() < 2 || normals.iter().any(|normal| normal.dot(normals[0]).abs() < 1.0 - 1e-6)
        };
        let point = |bits: [u64; 3]| DVec3::from(bits.map(f64::from_bits));
        normals
            .into_iter()
            .filter(|([a, b], of)| a != b && counts(of))
            .map(|(key, _)| key.map(point))
            .collect()
    }
}

fn sides([a, b, c]: &[DVec3; 3]) -> [[DVec3; 2]; 3] {
    [[*a, *b], [*b, *c], [*c, *a]]
}

fn unit_normal([a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    (*b - *a).cross(*c - *a).try_normalize()
}

/// Returns the distance along a ray to a triangle that is larger than it by a part of its size: Cramer's rule.
fn hit(origin: DVec3, along: DVec3, [a, b, c]: &[DVec3; 3], larger: f64) -> Option<f64> {
    let (p, q, from) = (*b - *a, *c - *a, origin - *a);
    let normal = p.cross(q);
    let det = along.dot(normal);
    let (u, v) = (along.dot(from.cross(q)) / det, along.dot(p.cross(from)) / det);
    let is_inside = det != 0.0 && u >= -larger && v >= -larger && u + v <= 1.0 + larger;
    is_inside.then_some(-from.dot(normal) / det)
}

/// A point near the cursor.
#[derive(Debug, Clone, Copy)]
struct Near {
    px: f64,
    along: f64,
    point: DVec3,
    /// `None` if a rounding decides.
    is_hidden: Option<bool>,
}

/// The parts by which hits and depths may differ from those of the code.
const SLACK: f64 = 1e-5;

struct Scene<'a> {
    objects: &'a [Object],
    query: &'a PickQuery,
}

impl Scene<'_> {
    fn triangles(&self) -> impl Iterator<Item = &[DVec3; 3]> {
        self.objects.iter().flat_map(|object| &object.triangles)
    }

    /// Returns a point that is drawn, or `None` if it is well beyond the tolerance.
    fn near(&self, point: DVec3) -> Option<Near> {
        let view = &self.query.view;
        // Nothing is drawn before the near plane or behind the far plane.
        let is_drawn = |point: DVec3| {
            let clip = view.clip_from_world() * point.extend(1.0);
            (0.0..=1.0).contains(&(clip.z / clip.w))
        };
        let px = view.px_from_world(point).filter(|_| is_drawn(point))?;
        let from_cursor = px.distance(self.query.cursor_px);
        if from_cursor > self.query.radius_px + 1.0 {
            return None;
        }
        let ray = view.pointer_ray(px);
        let along = (point - ray.origin).dot(ray.direction);
        let is_before = |larger: f64, slack: f64| {
            let limit = along - slack * along.abs().max(10.0);
            let distance = |corners| hit(ray.origin, ray.direction, corners, larger);
            self.triangles().filter_map(distance).any(|t| ray.start < t && t < limit && is_drawn(ray.at(t)))
        };
        // The triangles at the point itself are as far as it, up to rounding.
        let is_hidden = match [is_before(-SLACK, SLACK), is_before(SLACK, 1e-8)] {
            [true, _] => Some(true),
            [false, true] => None,
            [false, false] => Some(false),
        };
        Some(Near { px: from_cursor, along, point, is_hidden })
    }

    /// Returns the point of an edge that is nearest to the cursor, by search along the part in front of the viewer.
    fn near_edge(&self, [a, b]: [DVec3; 2]) -> Option<Near> {
        let view = &self.query.view;
        // Between two points in front of the viewer, the edge is a line on screen.
        if let [Some(p), Some(q)] = [a, b].map(|end| view.px_from_world(end)) {
            let (line, from) = (q - p, self.query.cursor_px - p);
            let t = (from.dot(line) / line.length_squared()).clamp(0.0, 1.0);
            if from.distance(line * t) > self.query.radius_px + 1.0 {
                return None;
            }
        }
        let at = |t: f64| a + (b - a) * t;
        let distance =
            |t: f64| view.px_from_world(at(t)).map_or(f64::INFINITY, |px| px.distance(self.query.cursor_px));
        let is_in_front = |t: f64| view.px_from_world(at(t)).is_some();
        let [mut low, mut high] = [0.0, 1.0];
        if is_in_front(low) != is_in_front(high) {
            let [mut front, mut back] = if is_in_front(low) { [low, high] } else { [high, low] };
            for _ in 0..60 {
                let middle = 0.5 * (front + back);
                if is_in_front(middle) { front = middle } else { back = middle }
            }
            [low, high] = if is_in_front(0.0) { [0.0, front] } else { [front, 1.0] };
        }
        for _ in 0..80 {
            let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if distance(s) < distance(t) { high = t } else { low = s }
        }
        self.near(at(0.5 * (low + high)))
    }

    /// Returns the points of a kind within the tolerance, the nearest first; `None` if a rounding decides.
    fn all_near(&self, kind: SnapTo) -> Option<Vec<Near>> {
        let mut all: Vec<Near> = match kind {
            SnapTo::VERTEX => self.triangles().flatten().filter_map(|corner| self.near(*corner)).collect(),
            SnapTo::FACE => {
                let ray = self.query.view.pointer_ray(self.query.cursor_px);
                let mut all = Vec::new();
                for corners in self.triangles() {
                    let [inside, around] =
                        [-SLACK, SLACK].map(|larger| hit(ray.origin, ray.direction, corners, larger));
                    match inside.filter(|t| *t > ray.start) {
                        Some(t) => all.extend(self.near(ray.origin + ray.direction * t)),
                        None if around.is_some() => return None,
                        None => {
                            all.extend(sides(corners).into_iter().filter_map(|side| self.near_edge(side)))
                        }
                    }
                }
                all
            }
            _ => {
                let edges = self.objects.iter().flat_map(Object::edges);
                let near = |[a, b]: [DVec3; 2]| match kind {
                    SnapTo::MIDPOINT => self.near(0.5 * (a + b)),
                    _ => self.near_edge([a, b]),
                };
                edges.filter_map(near).collect()
            }
        };
        let radius_px = self.query.radius_px;
        if all.iter().any(|near| (near.px - radius_px).abs() < SLACK) {
            return None;
        }
        all.retain(|near| near.px < radius_px);
        all.sort_by(|a, b| a.px.total_cmp(&b.px));
        Some(all)
    }

    /// Returns the point to snap to; `None` if a rounding decides.
    fn expected(&self, kind: SnapTo) -> Option<Option<Near>> {
        let all = self.all_near(kind)?;
        let best_px =
            all.iter().find(|near| near.is_hidden == Some(false)).map_or(f64::INFINITY, |near| near.px);
        let front: Vec<&Near> = all.iter().filter(|near| near.px < best_px + SLACK).collect();
        if front.iter().any(|near| near.is_hidden.is_none()) {
            return None;
        }
        // Points at one pixel are ordered by depth.
        let visible = front.into_iter().filter(|near| near.is_hidden == Some(false));
        Some(visible.min_by(|a, b| a.along.total_cmp(&b.along)).copied())
    }

    /// Checks that the normal is that of a triangle at the point, toward the viewer.
    fn check_normal(&self, found: &SnapPoint) {
        let Some(normal) = found.normal_world else { return };
        let is_at = |corners: &&[DVec3; 3]| {
            unit_normal(corners).is_some_and(|own| {
                own.dot(found.point_world - corners[0]).abs() < 1e-6 && own.dot(normal).abs() > 1.0 - 1e-9
            })
        };
        assert!(self.triangles().any(|corners| is_at(&corners)), "no triangle has {found:?}");
        assert!(normal.dot(self.query.view.direction_to(found.point_world)) < 1e-6, "{found:?} points away");
    }
}

#[test]
fn found_points_equal_those_of_exhaustive_search() {
    let [mut found_count, mut none_count, mut hidden_count] = [[0; 4]; 3];
    cases(4_000, |rng| {
        let objects: Vec<Object> = (0..rng.usize(1..4)).map(|_| Object::random(rng)).collect();
        let projection = &views::ALL[rng.usize(..views::ALL.len())];
        // Some viewers are amid the objects, so that edges pass them and the near plane cuts surfaces.
        let nearest = [0.1, 4.0][rng.usize(..2)];
        let view = projection.view(&Camera::at(direction(rng) * between(rng, nearest, nearest + 3.0)));
        let triangles = &objects[0].triangles;
        let corners = triangles[rng.usize(..triangles.len())];
        let near = corners[0].lerp(corners[1], rng.f64() * f64::from(rng.u8(..2)));
        let Some(px) = view.px_from_world(near) else { return };
        let radius_px = between(rng, 0.5, 20.0);
        let off = DVec2::from_angle(between(rng, 0.0, 7.0)) * radius_px * between(rng, 0.0, 1.3);
        let query = PickQuery::new(&view, px + off, radius_px);
        let index = rng.usize(..4);
        let kind = SnapTo::EACH[index];
        let scene = Scene { objects: &objects, query: &query };
        let Some(expected) = scene.expected(kind) else { return };
        let given: Vec<SnapObject<'_>> =
            objects.iter().map(|object| SnapObject::new(&object.mesh, object.world_from_local)).collect();
        let found = kind.find(&query, &given);
        match (found, expected) {
            (Some(found), Some(expected)) => {
                let error = found.point_world.distance(expected.point) / expected.point.length().max(1.0);
                // An edge that is almost along the ray has no sharp nearest point.
                let tolerance = if index == 0 || index == 2 { 1e-12 } else { 1e-4 };
                assert!(error < tolerance, "{kind:?}: {found:?} instead of {expected:?}");
                assert_eq!(found.kind, kind);
                scene.check_normal(&found);
                found_count[index] += 1;
                let is_before = |near: &Near| near.px < expected.px - SLACK;
                if scene.all_near(kind).is_some_and(|all| all.first().is_some_and(is_before)) {
                    hidden_count[index] += 1;
                }
            }
            (None, None) => none_count[index] += 1,
            (found, expected) => panic!("{kind:?}: {found:?} instead of {expected:?}"),
        }
    });
    let counts = [found_count, none_count, hidden_count];
    assert!(counts[0].iter().all(|count| *count > 100), "{counts:?}");
    // The nearest face is the one at the cursor, so none is hidden.
    assert!(counts[1].iter().chain(&counts[2][..3]).all(|count| *count > 10), "{counts:?}");
}

#[test]
fn first_kind_within_tolerance_wins() {
    let (positions, indices) = cube();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let object = SnapObject::new(&mesh, DAffine3::IDENTITY);
    let view = view_from(DVec3::Z * 5.0, true);
    let all = SnapTo::FACE | SnapTo::MIDPOINT | SnapTo::EDGE | SnapTo::VERTEX;
    for (px, kinds, kind, point) in [
        ([448.0, 251.0], all, SnapTo::VERTEX, DVec3::splat(0.5)),
        ([452.0, 290.0], all, SnapTo::EDGE, DVec3::new(0.5, 0.1, 0.5)),
        ([452.0, 299.0], all, SnapTo::EDGE, DVec3::new(0.5, 0.01, 0.5)),
        ([452.0, 299.0], SnapTo::MIDPOINT | SnapTo::FACE, SnapTo::MIDPOINT, DVec3::new(0.5, 0.0, 0.5)),
        ([430.0, 280.0], all, SnapTo::FACE, DVec3::new(0.3, 0.2, 0.5)),
    ] {
        let query = PickQuery::new(&view, DVec2::from(px), 5.0);
        let found = kinds.find(&query, &[object]).expect("it is within the tolerance");
        assert!(found.kind == kind && found.point_world.distance(point) < 1e-12, "{found:?}, not {kind:?}");
    }
}

#[test]
fn cropped_mesh_has_points_on_sides_of_its_box() {
    let (positions, indices) = cube();
    let positions: Vec<_> = positions.iter().map(|point| point.map(|x| 4.0 * x)).collect();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let view = view_from(DVec3::Z * 5.0, true);
    let object = SnapObject::new(&mesh, DAffine3::from_scale(DVec3::new(-0.5, 0.25, 0.25)));
    // The half at the left in the mesh is at the right in the world.
    let half = object.with_crop([DVec3::splat(-2.0), DVec3::new(0.0, 2.0, 2.0)]);
    for (x, is_there) in [(500.0, true), (300.0, false)] {
        let query = PickQuery::new(&view, DVec2::new(x, 250.0), 5.0);
        assert!(SnapTo::VERTEX.find(&query, &[object]).is_some());
        assert_eq!(SnapTo::VERTEX.find(&query, &[half]).is_some(), is_there, "{x}");
    }
    // The upper edge ends at the side of the box, at x = 400, and so does a face beyond the upper edge.
    for (x, end) in [(399.0, Some(0.0)), (410.0, Some(0.1)), (390.0, None)] {
        for kind in [SnapTo::EDGE, SnapTo::FACE] {
            let query = PickQuery::new(&view, DVec2::new(x, 248.0), 5.0);
            let found = kind.find(&query, &[half]).map(|found| found.point_world);
            let expected = end.map(|x| DVec3::new(x, 0.5, 0.5));
            let is_found =
                found.zip(expected).is_some_and(|(found, expected)| found.distance(expected) < 1e-12);
            assert!(is_found || found == expected, "{kind:?} at {x}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn points_of_flat_triangles_have_normals_of_neighbors() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
    let mesh = SnapMesh::new(&positions, &[0, 1, 0, 2, 3, 2, 0, 1, 2]).expect("the mesh is valid");
    let objects = [SnapObject::new(&mesh, DAffine3::IDENTITY)];
    let view = view_from(DVec3::Z * 10.0, true);
    let find = |kind: SnapTo, point| {
        let cursor_px = view.px_from_world(point).expect("the point is in front");
        kind.find(&PickQuery::new(&view, cursor_px, 5.0), &objects)
    };
    for (kind, point) in
        [(SnapTo::VERTEX, DVec3::ZERO), (SnapTo::EDGE, DVec3::X * 0.25), (SnapTo::MIDPOINT, DVec3::X * 0.5)]
    {
        assert_eq!(find(kind, point).and_then(|found| found.normal_world), Some(DVec3::Z), "{}", kind.name());
    }
    let alone = find(SnapTo::VERTEX, DVec3::Y * 2.0).expect("no other triangle has this corner");
    assert_eq!((alone.point_world, alone.normal_world), (DVec3::Y * 2.0, None));
}

#[test]
fn kinds_have_names() {
    let names = ["vertex", "edge", "midpoint", "face", "surface"];
    assert_eq!(SnapTo::EACH.map(SnapTo::name), names);
    assert_eq!([SnapTo::NONE, SnapTo::VERTEX | SnapTo::FACE].map(SnapTo::name), ["none", "several"]);
    assert_eq!(SnapTo::FACE | SnapTo::FACE, SnapTo::FACE);
}

/// A vertex of a mesh with a cover in front of it, and a cursor at the vertex.
#[test]
fn cover_hides_vertex_unless_within_rounding() {
    let triangle = |x: f32| [[x, 0.0, 0.0], [x + 8.0, 0.0, 0.0], [x, 8.0, 0.0]];
    let mesh = |x: f32| SnapMesh::new(&triangle(x), &[0, 1, 2]).expect("the mesh is valid");
    // The vertex is inside of the cover.
    let (own, cover) = (mesh(0.0), mesh(-1.0));
    // A part in 10^6 is rounding: of the distance from the middle of the depth range, at 50.05, or of the visible
    // height of 6 if that is larger.
    for (distance, rounding) in [(10.05, 40e-6), (50.05, 6e-6)] {
        let view = view_from(DVec3::Z * distance, true);
        let query = PickQuery::new(&view, DVec2::new(400.0, 300.0), 3.0);
        for (by, is_hidden) in [(0.7 * rounding, false), (1.4 * rounding, true), (0.1 * distance, true)] {
            let above = DAffine3::from_translation(DVec3::new(0.0, -0.5, by));
            let objects = [SnapObject::new(&own, DAffine3::IDENTITY), SnapObject::new(&cover, above)];
            let found = SnapTo::VERTEX.find(&query, &objects);
            assert_eq!(found.is_none(), is_hidden, "{by} in front, seen from {distance}: {found:?}");
        }
    }
}

/// A hundred vertices 5 pixels from the cursor, and one of the next object at 4 pixels.
#[test]
fn nearer_point_after_many_others_wins() {
    let rim = |i: u32| (0.05 * DVec2::from_angle(f64::from(i) * 0.0628)).extend(0.0).as_vec3().to_array();
    let positions: Vec<[f32; 3]> = (0..100).map(rim).collect();
    let indices: Vec<u32> = (0..98).flat_map(|i| [i, i + 1, i + 2]).collect();
    let last = [[0.04, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let meshes = [SnapMesh::new(&positions, &indices), SnapMesh::new(&last, &[0, 1, 2])];
    let meshes = meshes.map(|mesh| mesh.expect("the mesh is valid"));
    let objects = meshes.each_ref().map(|mesh| SnapObject::new(mesh, DAffine3::IDENTITY));
    let query = PickQuery::new(&view_from(DVec3::Z * 5.0, true), DVec2::new(400.0, 300.0), 8.0);
    let found = SnapTo::VERTEX.find(&query, &objects).expect("all vertices are visible");
    assert!(found.point_world.distance(DVec3::X * 0.04) < 1e-6, "{found:?}");
}

/// The tip of a hidden fan of a hundred triangles at the cursor, and the border of its cover within the tolerance.
#[test]
fn points_beyond_many_hidden_ones_are_found() {
    let rim = |i: u32| (0.05 * DVec2::from_angle(f64::from(i) * 0.0628)).extend(-1.0).as_vec3().to_array();
    let positions: Vec<[f32; 3]> = [[0.0, 0.0, -0.7]].into_iter().chain((0..100).map(rim)).collect();
    let indices: Vec<u32> = (1..=100).flat_map(|i| [i, i % 100 + 1, 0]).collect();
    let fan = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let cover = [[-0.1, -0.1, 0.0], [0.1, -0.1, 0.0], [0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]];
    let cover = SnapMesh::new(&cover, &[0, 1, 2, 0, 2, 3]).expect("the mesh is valid");
    let objects = [&fan, &cover].map(|mesh| SnapObject::new(mesh, DAffine3::IDENTITY));
    let query = PickQuery::new(&view_from(DVec3::Z * 5.0, false), DVec2::new(400.0, 300.0), 20.0);
    for (kind, distance) in [(SnapTo::EDGE, 0.1), (SnapTo::VERTEX, 0.02f64.sqrt())] {
        let found = kind.find(&query, &objects).expect("the border of the cover is visible").point_world;
        assert!(found.z.abs() < 1e-6 && (found.length() - distance).abs() < 1e-6, "{kind:?}: {found}");
    }
}
