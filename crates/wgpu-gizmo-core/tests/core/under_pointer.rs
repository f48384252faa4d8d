//! Snapping to the geometry under the pointer, without a GPU.

use crate::snap_search::{cube, view_from};
use wgpu_gizmo_core::glam::{DAffine3, DMat3, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, HandleSet};
use wgpu_gizmo_core::interaction::HeldKeys;
use wgpu_gizmo_core::interaction::settings::SnapSource;
use wgpu_gizmo_core::pick::PickHit;
use wgpu_gizmo_core::pick::snap::{SnapMesh, SnapObject, SnapPoint, SnapTo};
use wgpu_gizmo_core::{
    Event, Gizmo, HandleId, IdSpace, Mode, PickAnswer, PickOutcome, PickQuery, Target, Transform, View,
};

const PIVOT_WORLD: DVec3 = DVec3::new(0.4, -0.3, 0.2);

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
        if handle == "translate_view" {
            let query = drag.move_by(DVec2::new(10.0, 20.0)).expect("the gizmo has a query");
            let ray = drag.view.pointer_ray(query.cursor_px);
            let point = ray.origin + ray.direction * ray.origin.distance(start);
            assert!((drag.answer(&query, vertex(point)) - point).length() < 1e-12);
        }
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

#[test]
fn snap_query_has_tolerance_in_logical_pixels() {
    let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::VERTEX);
    let view = drag.view;
    let hidpi =
        View::from_clip_from_world(view.clip_from_world(), view.viewport(), 2.5).expect("it is valid");
    for (view, scale_factor) in [(view, 1.0), (hidpi, 2.5)] {
        drag.view = view;
        let query = drag.move_by(DVec2::new(20.0 * scale_factor, 0.0)).expect("the gizmo has a query");
        assert_eq!(query.radius_px, drag.gizmo.settings.input.tolerance_lpx * scale_factor);
    }
}

#[test]
fn surface_is_hit_under_cursor_in_its_own_texel() {
    for is_own in [true, false] {
        let mut drag = Dragged::new("translate_view", |gizmo| gizmo.settings.snap.to = SnapTo::SURFACE);
        let query = drag.move_by(DVec2::new(20.3, 7.9)).expect("the gizmo has a query");
        let normal = (-drag.view.forward() + 0.3 * DVec3::Y).normalize();
        let center = query.cursor_px.floor() + 0.5;
        let ray = drag.view.pointer_ray(center);
        let point = ray.origin + ray.direction * 3.0;
        let texel = if is_own { center } else { center + 1.0 };
        let mut hit = PickHit::at(std::num::NonZeroU32::MIN, texel);
        (hit.position_world, hit.normal_world) = (Some(point), Some(normal));
        drag.gizmo.answer(&PickAnswer::new(query, PickOutcome::Hit(hit)));
        drag.gizmo.update(&drag.view, &mut drag.targets);
        let under_cursor = drag.view.pointer_ray(query.cursor_px).plane_hit(point, normal).expect("a hit");
        let expected = if is_own { under_cursor } else { point };
        assert!(point.distance(under_cursor) > 1e-6);
        assert!((drag.targets[0].local.translation - expected).length() < 1e-12, "own texel: {is_own}");
    }
}

#[test]
fn source_is_wanted_only_if_drag_snaps() {
    for (source, to, is_wanted) in [
        (SnapSource::Vertex, SnapTo::NONE, false),
        (SnapSource::Pivot, SnapTo::VERTEX, false),
        (SnapSource::Vertex, SnapTo::VERTEX, true),
    ] {
        let mut drag = Dragged::new("translate_view", |gizmo| {
            (gizmo.settings.snap.source, gizmo.settings.snap.to) = (source, to);
        });
        drag.move_by(DVec2::new(30.0, 10.0));
        assert_eq!(drag.gizmo.wants_snap_source(), is_wanted, "{source:?} {to:?}");
    }
}

#[test]
fn snapped_move_is_clamped_only_by_limit() {
    for (limit, is_clamped) in [(f64::INFINITY, false), (PIVOT_WORLD.x, true)] {
        let mut drag = Dragged::new("translate_view", |gizmo| {
            gizmo.settings.snap.to = SnapTo::VERTEX;
            gizmo.settings.motion.limits.translation[1] = DVec3::splat(limit);
        });
        let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
        let point = PIVOT_WORLD + DVec3::new(0.2, 0.1, 0.1);
        drag.answer(&query, vertex(point));
        assert_eq!(drag.gizmo.drag().map(|drag| drag.motion().clamped), Some(is_clamped));
    }
}

/// If several vertices are at one pixel, the one nearest to the viewer moves onto the snap point.
#[test]
fn source_vertex_is_nearest_of_those_at_one_pixel() {
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
        let mut drag = Dragged::new("translate_view", |gizmo| {
            gizmo.settings.snap.to = SnapTo::VERTEX;
            gizmo.settings.snap.source = SnapSource::Vertex;
        });
        let query = drag.move_by(DVec2::new(30.0, 10.0)).expect("the gizmo has a query");
        let ray = drag.view.pointer_ray(drag.start_px);
        let positions = order.map(|index| [[2.0, 3.0, 4.5][index], 0.0, 0.0]);
        let mesh = SnapMesh::new(&positions, &[0, 1, 2]).expect("the mesh is valid");
        let turn = DQuat::from_rotation_arc(DVec3::X, ray.direction);
        let along_ray = DAffine3::from_rotation_translation(turn, ray.origin);
        drag.gizmo.snap_from(&[SnapObject::new(&mesh, along_ray)]);
        let point = ray.origin + ray.direction * 3.0 + DVec3::new(0.2, 0.1, 0.3);
        let moved = drag.answer(&query, vertex(point)) - PIVOT_WORLD;
        let nearest = ray.origin + ray.direction * 2.0;
        assert!((moved - (point - nearest)).length() < 1e-9, "{order:?}: {moved}");
    }
}
