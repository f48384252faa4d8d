//! Snapping to the geometry under the pointer, without a GPU.

use crate::seed;
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DAffine3, DMat3, DQuat, DVec2, DVec3, Vec3, dcamera::rh};
use wgpu_gizmo_core::handle::{Axis, HandleSet};
use wgpu_gizmo_core::interaction::HeldKeys;
use wgpu_gizmo_core::interaction::settings::SnapSource;
use wgpu_gizmo_core::pick::PickHit;
use wgpu_gizmo_core::pick::snap::{SnapMesh, SnapObject, SnapPoint, SnapTo};
use wgpu_gizmo_core::{
    Event, Gizmo, HandleId, IdSpace, Mode, PickAnswer, PickOutcome, PickQuery, Target, Transform, View,
    Viewport,
};

const PIVOT_WORLD: DVec3 = DVec3::new(0.4, -0.3, 0.2);

/// The corners of a cube, and its triangles.
fn cube() -> (Vec<[f32; 3]>, Vec<u32>) {
    let side = |bit: usize, corner: usize| if corner >> bit & 1 == 0 { -0.5 } else { 0.5 };
    let positions = (0..8).map(|corner| [side(0, corner), side(1, corner), side(2, corner)]).collect();
    let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = |[a, b, c, d]: [u32; 4]| [a, b, c, a, c, d];
    (positions, quads.into_iter().flat_map(triangles).collect())
}

/// The edges of the cube, as pairs of corners.
fn cube_edges() -> impl Iterator<Item = [usize; 2]> {
    (0..8usize).flat_map(|a| (0..3).map(move |bit| [a, a | 1 << bit])).filter(|[a, b]| a != b)
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

/// A scene of cubes for the oracle: world positions of the corners of each.
struct Cubes {
    mesh: SnapMesh,
    transforms: Vec<DAffine3>,
}

impl Cubes {
    fn random(rng: &mut Rng) -> Self {
        let (positions, indices) = cube();
        let mut number = |size: f64| (rng.f64() * 2.0 - 1.0) * size;
        let transforms = (0..4)
            .map(|_| {
                let at = DVec3::new(number(2.0), number(1.5), number(2.0));
                let turn = DQuat::from_scaled_axis(DVec3::new(number(3.0), number(3.0), number(3.0)));
                let scale = DVec3::new(number(0.5) + 0.7, number(0.5) + 0.7, number(0.5) + 0.7);
                DAffine3::from_scale_rotation_translation(scale, turn, at)
            })
            .collect();
        Self { mesh: SnapMesh::new(&positions, &indices).expect("the mesh is valid"), transforms }
    }

    fn objects(&self) -> Vec<SnapObject<'_>> {
        let object = |transform: &DAffine3| SnapObject::new(&self.mesh, *transform);
        self.transforms.iter().map(object).collect()
    }

    fn corners(&self) -> impl Iterator<Item = [DVec3; 8]> {
        let (positions, _) = cube();
        let corner = move |transform: &DAffine3, i: usize| {
            transform.transform_point3(DVec3::from(positions[i].map(f64::from)))
        };
        self.transforms.iter().map(move |transform| std::array::from_fn(|i| corner(transform, i)))
    }

    /// Returns true if a cube is in front of a point by more than a part of its distance. It tests slabs, not
    /// triangles.
    fn hides(&self, view: &View, point: DVec3, slack: f64) -> bool {
        let px = view.px_from_world(point).expect("the point is in front of the camera");
        let ray = view.pointer_ray(px);
        let to = (point - ray.origin).dot(ray.direction);
        self.transforms.iter().any(|transform| {
            let local = transform.inverse();
            let (from, along) = (local.transform_point3(ray.origin), local.transform_vector3(ray.direction));
            let (a, b) = ((-0.5 - from) / along, (0.5 - from) / along);
            let (enter, exit) = (a.min(b).max_element(), a.max(b).min_element());
            enter < exit && enter < to - slack * to.abs().max(1.0) && exit - enter > 1e-9
        })
    }

    /// Returns the nearest visible point of a kind, and its distance in pixels.
    fn oracle(&self, query: &PickQuery, kind: SnapTo, slack: f64) -> Option<(f64, DVec3)> {
        let view = &query.view;
        let distance = |point: DVec3| view.px_from_world(point).map(|px| px.distance(query.cursor_px));
        let mut points: Vec<DVec3> = Vec::new();
        for corners in self.corners() {
            match kind {
                SnapTo::VERTEX => points.extend(corners),
                SnapTo::MIDPOINT => points.extend(cube_edges().map(|[a, b]| 0.5 * (corners[a] + corners[b]))),
                // By search along the edge.
                _ => points.extend(cube_edges().filter_map(|[a, b]| {
                    let at = |t: f64| corners[a] + (corners[b] - corners[a]) * t;
                    let [mut low, mut high] = [0.0, 1.0];
                    for _ in 0..200 {
                        let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                        if distance(at(s))? < distance(at(t))? { high = t } else { low = s }
                    }
                    Some(at(0.5 * (low + high)))
                })),
            }
        }
        let near = points.into_iter().filter_map(|point| Some((distance(point)?, point)));
        let visible = near.filter(|(d, point)| *d <= query.radius_px && !self.hides(view, *point, slack));
        visible.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

#[test]
fn found_points_equal_oracle_points() {
    let mut rng = seed::rng(7);
    let (mut found_count, mut ambiguous) = ([0; 3], 0);
    for round in 0..10_000 {
        let cubes = Cubes::random(&mut rng);
        let mut number = || rng.f64() * 2.0 - 1.0;
        let eye = DVec3::new(number(), number(), number()).normalize_or(DVec3::Z) * 6.0;
        let view = view_from(eye, round % 4 == 0);
        let index = round % 3;
        let kind = [SnapTo::VERTEX, SnapTo::EDGE, SnapTo::MIDPOINT][index];
        // Near a corner of a cube.
        let corner = cubes.corners().next().expect("there is a cube")[round % 8];
        let Some(px) = view.px_from_world(corner) else { continue };
        let query = PickQuery::new(&view, px + DVec2::new(number(), number()) * 12.0, 20.0);
        // Whether a point counts as hidden by a surface that almost touches it is a matter of tolerance.
        let [expected, lenient] = [1e-6, 1e-4].map(|slack| cubes.oracle(&query, kind, slack));
        if expected != lenient {
            ambiguous += 1;
            continue;
        }
        let found = kind.find(&query, &cubes.objects());
        match (found, expected) {
            (Some(found), Some((distance, point))) => {
                let own = view
                    .px_from_world(found.point_world)
                    .expect("the point is in front of the camera")
                    .distance(query.cursor_px);
                assert!((own - distance).abs() < 1e-4, "round {round}: {own} instead of {distance}");
                if kind != SnapTo::EDGE {
                    let error = (found.point_world - point).length() / point.length().max(1.0);
                    assert!(error < 1e-12, "round {round}: {error:e}");
                }
                found_count[index] += 1;
            }
            (None, None) => {}
            // A point that is hidden by less than rounding.
            (found, expected) => panic!("round {round}: {found:?} instead of {expected:?}"),
        }
    }
    assert!(found_count.iter().all(|count| *count > 1000) && ambiguous < 50, "{found_count:?} {ambiguous}");
}

#[test]
fn faces_are_hit_exactly_and_first_kind_wins() {
    let (positions, indices) = cube();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let object = SnapObject::new(&mesh, DAffine3::IDENTITY);
    let view = view_from(DVec3::Z * 5.0, true);
    let query = PickQuery::new(&view, DVec2::new(430.0, 280.0), 5.0);
    let found = SnapTo::FACE.find(&query, &[object]).expect("a face is within the tolerance");
    assert!((found.point_world - DVec3::new(0.3, 0.2, 0.5)).length() < 1e-12, "{found:?}");
    assert!((found.normal_world.expect("the face has a normal") - DVec3::Z).length() < 1e-12);
    // The diagonal of a face is not an edge.
    let center = PickQuery::new(&view, DVec2::new(400.0, 300.0), 5.0);
    assert_eq!(SnapTo::EDGE.find(&center, &[object]), None);
    assert_eq!(SnapTo::MIDPOINT.find(&center, &[object]), None);
    let corner = PickQuery::new(&view, DVec2::new(448.0, 251.0), 5.0);
    let all = SnapTo::FACE | SnapTo::MIDPOINT | SnapTo::EDGE | SnapTo::VERTEX;
    let found = all.find(&corner, &[object]).expect("a vertex is within the tolerance");
    assert_eq!((found.kind, found.point_world), (SnapTo::VERTEX, DVec3::splat(0.5)));
    let edge = PickQuery::new(&view, DVec2::new(452.0, 290.0), 5.0);
    let found = all.find(&edge, &[object]).expect("an edge is within the tolerance");
    assert_eq!(found.kind, SnapTo::EDGE);
    assert!((found.point_world - DVec3::new(0.5, 0.1, 0.5)).length() < 1e-12);
    assert_eq!(
        (SnapTo::FACE | SnapTo::MIDPOINT)
            .find(&edge, &[object])
            .expect("a midpoint or a face is within the tolerance")
            .kind,
        SnapTo::FACE
    );
}

/// A cone whose side consists of thin triangles. The last but one position is its tip.
fn cone(count: u32) -> (Vec<[f32; 3]>, Vec<u32>) {
    let corner = |i: u32| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / count as f32).sin_cos();
        [cos, 0.0, sin]
    };
    let next = |i: u32| (i + 1) % count;
    let indices = (0..count).flat_map(|i| [i, next(i), count, next(i), i, count + 1]).collect();
    ((0..count).map(corner).chain([[0.0, 2.0, 0.0], [0.0; 3]]).collect(), indices)
}

#[test]
fn front_of_cone_is_found_on_its_edges() {
    let (positions, indices) = cone(1_000);
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let mut rng = seed::rng(8);
    let mut tested = 0;
    for round in 0..4_000 {
        let view = view_from(DVec3::new(3.0, 2.0 + rng.f64(), 4.0), round % 2 == 0);
        let turn = DQuat::from_rotation_y(rng.f64());
        let object = SnapObject::new(&mesh, DAffine3::from_quat(turn));
        let ends = [rng.usize(..1_000), 1_000].map(|i| turn * Vec3::from(positions[i]).as_dvec3());
        let point = ends[0].lerp(ends[1], 0.95 * rng.f64());
        // Not at the silhouette.
        let is_inside = point.dot(view.axes().x_axis).abs() < 0.4 * (2.0 - point.y);
        if !is_inside {
            continue;
        }
        let cursor_px = view.px_from_world(point).expect("the point is in front of the viewer");
        let query = PickQuery::new(&view, cursor_px, 0.0);
        let found = SnapTo::FACE.find(&query, &[object]).expect("the pixel is inside of the cone");
        let found_px = view.px_from_world(found.point_world).expect("the point is visible");
        assert!(found_px.distance(cursor_px) < 1e-9, "{found_px} for {cursor_px}");
        let outward = found.point_world.with_y(0.0).normalize().with_y(0.5);
        assert!(outward.dot(view.direction_to(point)) < 0.0, "{} is hidden", found.point_world);
        tested += 1;
    }
    assert!(tested > 2_000, "{tested}");
}

/// A drag of the center handle in the view plane.
struct Dragged {
    gizmo: Gizmo,
    targets: [Target; 1],
    view: View,
    start_px: DVec2,
}

impl Dragged {
    fn new(handle: &str, prepare: impl FnOnce(&mut Gizmo)) -> Self {
        let view = view_from(DVec3::new(3.1, 2.2, 4.3), false);
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let mut targets = [Target::from_world(Transform { translation: PIVOT_WORLD, ..Transform::IDENTITY })];
        let handle = HandleId::from_name(handle).expect("the handle has this name");
        gizmo.settings.mode = Mode::Handles(HandleSet::EMPTY.with(handle));
        prepare(&mut gizmo);
        gizmo.update(&view, &mut targets);
        let mut list = wgpu_gizmo_core::DrawList::new();
        gizmo.draw(list.begin(&view));
        let item = list.items().last().expect("the handle is visible");
        let start_px = item.px_from_part(DVec3::ZERO).expect("the point is on screen");
        gizmo.pointer_moved(start_px);
        gizmo.pointer_pressed();
        gizmo.update(&view, &mut targets);
        gizmo.answer_on_cpu();
        gizmo.update(&view, &mut targets);
        assert_eq!(gizmo.dragging(), Some(handle));
        Self { gizmo, targets, view, start_px }
    }

    fn move_by(&mut self, by: DVec2) -> Option<PickQuery> {
        self.gizmo.pointer_moved(self.start_px + by);
        self.gizmo.update(&self.view, &mut self.targets);
        self.gizmo.snap_query()
    }

    fn answer(&mut self, query: &PickQuery, point: Option<SnapPoint>) -> DVec3 {
        self.gizmo.answer_snap(query, point);
        assert!(self.gizmo.needs_redraw(0));
        self.gizmo.update(&self.view, &mut self.targets);
        self.targets[0].local.translation
    }
}

fn vertex(point_world: DVec3) -> Option<SnapPoint> {
    Some(SnapPoint::new(point_world, SnapTo::VERTEX).with_normal(DVec3::X))
}

#[test]
fn view_plane_drag_leaves_plane_for_vertex() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::VERTEX);
    let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
    assert!(query.is_snap);
    assert_eq!(drag.gizmo.snap_query(), None, "asked once");
    let ray = drag.view.pointer_ray(query.cursor_px);
    let point = ray.origin + ray.direction * 2.5;
    assert!((drag.answer(&query, vertex(point)) - point).length() < 1e-12);
    assert_eq!(drag.gizmo.snapped_to(), vertex(point));
    // The next cursor is beyond the tolerance: the drag continues in its plane.
    let query = drag.move_by(DVec2::new(60.0, 10.0)).expect("the gizmo has a query");
    assert_eq!(drag.gizmo.snapped_to(), None);
    let free = drag.answer(&query, None);
    assert!((free - PIVOT_WORLD).dot(drag.view.forward()).abs() < 1e-9);
    drag.gizmo.cancel();
    drag.gizmo.update(&drag.view, &mut drag.targets);
    assert_eq!(drag.targets[0].local.translation, PIVOT_WORLD);
}

#[test]
fn axis_drag_snaps_to_projected_point() {
    let mut drag = Dragged::new("translate_x", |gizmo| gizmo.settings.snap.to = SnapTo::VERTEX);
    let query = drag.move_by(DVec2::new(20.0, 0.0)).expect("the gizmo has a query");
    let ray = drag.view.pointer_ray(query.cursor_px);
    let point = ray.origin + ray.direction * 4.0;
    let moved = drag.answer(&query, vertex(point));
    assert!((moved - DVec3::new(point.x, PIVOT_WORLD.y, PIVOT_WORLD.z)).length() < 1e-12, "{moved}");
}

#[test]
fn late_answer_does_not_move_targets_back() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::VERTEX);
    let first = drag.move_by(DVec2::new(20.0, 0.0)).expect("the gizmo has a query");
    let second = drag.move_by(DVec2::new(80.0, 0.0)).expect("the gizmo has a query");
    let free = drag.targets[0].local.translation;
    let ray = drag.view.pointer_ray(first.cursor_px);
    let behind = vertex(ray.origin + ray.direction * 3.0);
    assert_eq!(drag.answer(&first, behind), free, "its vertex is far from the cursor");
    let ray = drag.view.pointer_ray(second.cursor_px);
    let near = ray.origin + ray.direction * 3.0;
    assert!((drag.answer(&second, vertex(near)) - near).length() < 1e-12);
    // An older answer is stale.
    drag.gizmo.answer_snap(&first, behind);
    drag.gizmo.update(&drag.view, &mut drag.targets);
    assert!((drag.targets[0].local.translation - near).length() < 1e-12);
    drag.gizmo.pointer_released();
    let events = drag.gizmo.update(&drag.view, &mut drag.targets);
    assert!(events.contains(&Event::Ended { changed: true }));
    let mut newest = second;
    newest.sequence = u64::MAX;
    drag.gizmo.answer_snap(&newest, behind);
    drag.gizmo.update(&drag.view, &mut drag.targets);
    assert!((drag.targets[0].local.translation - near).length() < 1e-12, "the drag is over");
}

#[test]
fn surface_continues_as_plane_until_next_answer() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::SURFACE);
    let query = drag.move_by(DVec2::new(20.0, 0.0)).expect("the gizmo has a query");
    let normal = (-drag.view.forward() + 0.3 * DVec3::Y).normalize();
    let ray = drag.view.pointer_ray(query.cursor_px);
    let point = ray.origin + ray.direction * 3.0;
    let mut hit = PickHit::at(std::num::NonZeroU32::MIN, DVec2::ZERO);
    (hit.position_world, hit.normal_world) = (Some(point), Some(normal));
    drag.gizmo.answer(&PickAnswer::new(query, PickOutcome::Hit(hit)));
    drag.gizmo.update(&drag.view, &mut drag.targets);
    assert!((drag.targets[0].local.translation - point).length() < 1e-12);
    let next = drag.move_by(DVec2::new(40.0, 5.0)).expect("the gizmo has a query");
    let expected = drag.view.pointer_ray(next.cursor_px).plane_hit(point, normal).expect("a hit");
    assert!((drag.targets[0].local.translation - expected).length() < 1e-12, "under the cursor at once");
    drag.gizmo.answer(&PickAnswer::new(next, PickOutcome::Lost));
    assert!(drag.gizmo.snap_query().is_some(), "a lost query is repeated");
}

#[test]
fn own_vertex_moves_onto_snap_point() {
    let mut drag = Dragged::new("translate_view", |gizmo| {
        gizmo.settings.snap.to = SnapTo::VERTEX;
        gizmo.settings.snap.source = SnapSource::Vertex;
    });
    let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
    assert!(drag.gizmo.wants_snap_source());
    let (positions, indices) = cube();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let start = drag.gizmo.starts().next().expect("there is a target").translation;
    let world_from_local = DAffine3 { matrix3: DMat3::IDENTITY * 0.01, translation: start + 0.1 };
    drag.gizmo.snap_from(&[SnapObject::new(&mesh, world_from_local)]);
    assert!(!drag.gizmo.wants_snap_source());
    let px = |point: DVec3| {
        drag.view.px_from_world(point).expect("the point is in front of the camera").distance(drag.start_px)
    };
    let corners = positions.iter().map(|p| 0.1 + 0.01 * DVec3::from(p.map(f64::from)));
    let nearest = corners.min_by(|a, b| px(PIVOT_WORLD + *a).total_cmp(&px(PIVOT_WORLD + *b)));
    let ray = drag.view.pointer_ray(query.cursor_px);
    let point = ray.origin + ray.direction * 3.0;
    let now = drag.answer(&query, vertex(point));
    assert!((now + nearest.expect("the cube has corners") - point).length() < 1e-12);
}

#[test]
fn source_vertex_is_nearest_to_snap_point() {
    for handle in ["translate_view", "translate_x", "translate_yz"] {
        let mut drag = Dragged::new(handle, |gizmo| {
            gizmo.settings.snap.to = SnapTo::VERTEX;
            gizmo.settings.snap.source = SnapSource::NearestVertex;
        });
        let (positions, indices) = cube();
        let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
        let start = drag.gizmo.starts().next().expect("there is a target").translation;
        let world_from_local = DAffine3 { matrix3: DMat3::IDENTITY * 0.3, translation: start };
        assert!(drag.gizmo.wants_snap_source());
        drag.gizmo.snap_from(&[SnapObject::new(&mesh, world_from_local)]);
        assert!(!drag.gizmo.wants_snap_source());
        let corners: Vec<DVec3> =
            positions.iter().map(|p| start + 0.3 * DVec3::from(p.map(f64::from))).collect();
        let mut chosen = Vec::new();
        let beside = [DVec3::new(0.3, 0.2, 0.4), DVec3::new(-0.4, 0.1, -0.3), DVec3::new(0.2, -0.5, 0.1)];
        for (by_px, beside) in
            [DVec2::new(30.0, 10.0), DVec2::new(-40.0, 25.0), DVec2::new(20.0, -60.0)].into_iter().zip(beside)
        {
            let query = drag.move_by(by_px).expect("the gizmo has a query");
            let free = drag.answer(&query, None) - start;
            let query = drag.move_by(by_px + 0.25).expect("the gizmo has a query");
            let ray = drag.view.pointer_ray(query.cursor_px);
            // Outside of the view plane, so that only the handle that may leave it gets there.
            let point = ray.origin + ray.direction * (ray.origin.distance(start) - 0.7) + beside;
            let distance = |corner: &DVec3| (*corner + free).distance(point);
            let nearest =
                corners.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a corner");
            let wanted = point - *nearest;
            let expected = match handle {
                "translate_x" => DVec3::X * wanted.x,
                "translate_yz" => DVec3::new(0.0, wanted.y, wanted.z),
                _ => wanted,
            };
            let moved = drag.answer(&query, vertex(point)) - start;
            assert!((moved - expected).length() < 1e-12, "{handle}: {moved} instead of {expected}");
            chosen.push(*nearest);
        }
        assert!(handle == "translate_x" || chosen.iter().any(|corner| *corner != chosen[0]), "{handle}");
        // Another source is asked for anew, and until then it is the pivot.
        drag.gizmo.settings.snap.source = SnapSource::Vertex;
        assert!(drag.gizmo.wants_snap_source());
    }
}

#[test]
fn changed_kinds_are_asked_for_at_once() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::FACE);
    let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
    assert!(drag.gizmo.snap_query().is_none(), "each query is returned once");
    drag.gizmo.settings.snap.to = SnapTo::VERTEX;
    let again = drag.gizmo.snap_query().expect("the kinds have changed");
    assert_eq!((again.cursor_px, again.view), (query.cursor_px, query.view));
}

#[test]
fn radius_of_host_holds_snap_point_until_next_answer() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::VERTEX);
    let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
    let ray = drag.view.pointer_ray(query.cursor_px + 40.0);
    let point = ray.origin + ray.direction * 3.0;
    for (radius_px, holds) in [(query.radius_px, false), (200.0, true)] {
        let mut query = drag.move_by(DVec2::new(radius_px, 10.0)).expect("the gizmo has a query");
        query.radius_px = radius_px;
        drag.answer(&query, vertex(point));
        drag.move_by(DVec2::new(radius_px, 11.0));
        let is_held = (drag.targets[0].local.translation - point).length() < 1e-12;
        assert_eq!(is_held, holds, "{radius_px}");
    }
}

#[test]
fn aligned_axis_follows_normal() {
    let mut drag = Dragged::new("translate_view", |gizmo| {
        gizmo.settings.snap.to = SnapTo::FACE;
        gizmo.settings.snap.align_to_normal = Some(Axis::Z);
    });
    let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
    let ray = drag.view.pointer_ray(query.cursor_px);
    let point_world = ray.origin + ray.direction * 3.0;
    let normal = DVec3::new(0.3, 0.8, -0.2).normalize();
    let found = SnapPoint::new(point_world, SnapTo::FACE).with_normal(normal);
    assert!((drag.answer(&query, Some(found)) - point_world).length() < 1e-12);
    assert!((drag.targets[0].local.rotation * DVec3::Z - normal).length() < 1e-12);
    // A zero normal turns nothing, and a point that is not finite moves nothing.
    for (by, bad) in [(31.0, DVec3::ZERO), (32.0, DVec3::NAN)] {
        let query = drag.move_by(DVec2::new(by, 10.0)).expect("the gizmo has a query");
        let bad = SnapPoint::new(point_world, SnapTo::FACE).with_normal(bad);
        drag.answer(&query, Some(bad));
        assert_eq!(drag.targets[0].local.rotation, DQuat::IDENTITY);
    }
    let query = drag.move_by(DVec2::new(33.0, 10.0)).expect("the gizmo has a query");
    let bad = SnapPoint::new(DVec3::NAN, SnapTo::FACE);
    assert!(drag.answer(&query, Some(bad)).is_finite());
    drag.gizmo.set_held_keys(HeldKeys::default());
    drag.gizmo.cancel();
    drag.gizmo.update(&drag.view, &mut drag.targets);
    let expected = Transform { translation: PIVOT_WORLD, ..Transform::IDENTITY };
    assert_eq!(drag.targets[0].local, expected);
}
