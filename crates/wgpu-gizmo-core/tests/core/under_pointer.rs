//! Snapping to the geometry under the pointer, without a GPU.

use crate::prelude::*;
use crate::snap_search::cube;

const PIVOT_WORLD: DVec3 = DVec3::new(0.4, -0.3, 0.2);

/// A drag of the center handle in the view plane.
struct Dragged {
    stage: Stage,
    start_px: DVec2,
}

impl Dragged {
    fn new(prepare: impl FnOnce(&mut Settings)) -> Self {
        Self::of(vec![target_at(PIVOT_WORLD)], prepare)
    }

    fn of(targets: Vec<Target>, prepare: impl FnOnce(&mut Settings)) -> Self {
        let mut stage = Stage::of_mode(Mode::Handles(handle("translate_view").into()));
        stage.targets = targets;
        prepare(&mut stage.gizmo.settings);
        let start_px = stage.at(DVec3::ZERO);
        stage.grab(start_px);
        assert!(stage.gizmo.is_active());
        Self { stage, start_px }
    }

    /// Moves the cursor and returns the query about what is there.
    fn query(&mut self, by: DVec2) -> PickQuery {
        self.stage.point_at(self.start_px + by);
        self.stage.gizmo.snap_query().expect("the gizmo has a query")
    }

    fn position(&self) -> DVec3 {
        self.stage.local().translation
    }

    fn answer(&mut self, query: &PickQuery, point: Option<SnapPoint>) -> DVec3 {
        self.stage.gizmo.answer_snap(query, point);
        assert!(self.stage.gizmo.needs_redraw(0));
        self.stage.update();
        self.position()
    }
}

fn vertex(point_world: DVec3) -> Option<SnapPoint> {
    Some(SnapPoint::new(point_world, SnapTo::VERTEX).with_normal(DVec3::X))
}

#[test]
fn late_answer_does_not_move_targets_back() {
    let mut drag = Dragged::new(|s| s.snap.to = SnapTo::VERTEX);
    let first = drag.query(DVec2::new(20.0, 0.0));
    let second = drag.query(DVec2::new(80.0, 0.0));
    let free = drag.position();
    let behind = vertex(drag.stage.shot.view.pointer_ray(first.cursor_px).at(3.0));
    assert_eq!(drag.answer(&first, behind), free, "its vertex is far from the cursor");
    let near = drag.stage.shot.view.pointer_ray(second.cursor_px).at(3.0);
    assert!((drag.answer(&second, vertex(near)) - near).length() < 1e-12);
    // An older answer is stale.
    drag.stage.gizmo.answer_snap(&first, behind);
    drag.stage.update();
    assert!((drag.position() - near).length() < 1e-12);
    drag.stage.gizmo.pointer_released();
    let events = drag.stage.update();
    assert!(events.contains(&Event::Ended { changed: true }));
    let mut newest = second;
    newest.sequence = u64::MAX;
    drag.stage.gizmo.answer_snap(&newest, behind);
    drag.stage.update();
    assert!((drag.position() - near).length() < 1e-12, "the drag is over");
}

#[test]
fn face_or_surface_continues_as_plane_until_next_answer() {
    for kind in [SnapTo::FACE, SnapTo::SURFACE] {
        let mut drag = Dragged::new(|s| s.snap.to = kind);
        let query = drag.query(DVec2::new(20.0, 0.0));
        let normal = (-drag.stage.shot.view.forward() + 0.3 * DVec3::Y).normalize();
        let point = drag.stage.shot.view.pointer_ray(query.cursor_px).at(3.0);
        if kind == SnapTo::FACE {
            drag.answer(&query, Some(SnapPoint::new(point, kind).with_normal(normal)));
        } else {
            let mut hit = PickHit::at(std::num::NonZeroU32::MIN, DVec2::ZERO);
            (hit.position_world, hit.normal_world) = (Some(point), Some(normal));
            drag.stage.gizmo.answer(&PickAnswer::new(query, PickOutcome::Hit(hit)));
            drag.stage.update();
        }
        assert!((drag.position() - point).length() < 1e-12, "{kind:?}");
        let next = drag.query(DVec2::new(40.0, 5.0));
        let ray = drag.stage.shot.view.pointer_ray(next.cursor_px);
        let expected = ray.plane_hit(point, normal).expect("a hit");
        assert!((drag.position() - expected).length() < 1e-12, "{kind:?}: under the cursor at once");
        drag.stage.gizmo.answer(&PickAnswer::new(next, PickOutcome::Lost));
        assert!(drag.stage.gizmo.snap_query().is_some(), "a lost query is repeated");
    }
}

/// A surface that is seen almost edge-on would carry the targets far away, and a kind that is off since then is not
/// snapped to.
#[test]
fn targets_move_freely_on_grazing_surface_or_without_kind() {
    let moved = |to: SnapTo, prepare: &dyn Fn(&mut Dragged)| {
        let mut drag = Dragged::new(|s| s.snap.to = to);
        drag.query(DVec2::new(20.0, 0.0));
        prepare(&mut drag);
        drag.stage.point_at(drag.start_px + DVec2::new(21.0, 2.0));
        drag.position()
    };
    let found = |drag: &mut Dragged, kind: SnapTo, facing: f64| {
        let query = drag.query(DVec2::new(20.5, 1.0));
        let ray = drag.stage.shot.view.pointer_ray(query.cursor_px);
        let normal = (ray.direction.any_orthonormal_vector() - facing * ray.direction).normalize();
        let point = SnapPoint::new(ray.at(3.0), kind).with_normal(normal);
        assert!((drag.answer(&query, Some(point)) - ray.at(3.0)).length() < 1e-12, "{kind:?}");
    };
    let free = moved(SnapTo::VERTEX | SnapTo::EDGE | SnapTo::FACE, &|_| {});
    for kind in [SnapTo::FACE, SnapTo::SURFACE] {
        assert_eq!(moved(kind, &|drag| found(drag, kind, 0.05)), free, "{kind:?}");
        assert_ne!(moved(kind, &|drag| found(drag, kind, 0.2)), free, "{kind:?}");
    }
    for kind in [SnapTo::VERTEX, SnapTo::EDGE, SnapTo::FACE] {
        let switched = |to: SnapTo| {
            moved(SnapTo::VERTEX | SnapTo::EDGE | SnapTo::FACE, &|drag| {
                found(drag, kind, 1.0);
                drag.stage.gizmo.settings.snap.to = to;
            })
        };
        assert_eq!(switched(SnapTo::MIDPOINT), free, "{kind:?}");
        assert_ne!(switched(kind), free, "{kind:?}");
    }
}

/// The source is the vertex nearest to the press, or the one nearest to the snap point.
#[test]
fn own_vertex_moves_onto_snap_point() {
    let (positions, indices) = cube();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let world_from_local = DAffine3 { matrix3: DMat3::IDENTITY * 0.3, translation: PIVOT_WORLD + 0.1 };
    let corners = positions.iter().map(|p| world_from_local.transform_point3(DVec3::from(p.map(f64::from))));
    let corners: Vec<DVec3> = corners.collect();
    for source in [SnapSource::Vertex, SnapSource::NearestVertex] {
        let mut drag = Dragged::new(|s| {
            (s.snap.to, s.snap.source) = (SnapTo::VERTEX, source);
        });
        for (by, beside) in [(30.0, DVec3::new(0.3, 0.2, 0.4)), (-40.0, DVec3::new(-0.4, 0.1, -0.3))] {
            let query = drag.query(DVec2::new(by, 10.0));
            if drag.stage.gizmo.wants_snap_source() {
                drag.stage.gizmo.snap_from(&[SnapObject::new(&mesh, world_from_local)]);
            }
            let free = drag.answer(&query, None) - PIVOT_WORLD;
            let query = drag.query(DVec2::new(by + 0.25, 10.0));
            let point = drag.stage.shot.view.pointer_ray(query.cursor_px).at(5.0) + beside;
            let distance = |corner: &DVec3| match source {
                SnapSource::Vertex => {
                    let px =
                        drag.stage.shot.view.px_from_world(*corner).expect("it is in front of the camera");
                    px.distance(drag.start_px)
                }
                _ => (*corner + free).distance(point),
            };
            let nearest = corners.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let expected = PIVOT_WORLD + point - *nearest.expect("the cube has corners");
            let moved = drag.answer(&query, vertex(point));
            assert!((moved - expected).length() < 1e-12, "{source:?}: {moved} instead of {expected}");
        }
    }
}

#[test]
fn aligned_axis_follows_normal() {
    let mut drag = Dragged::new(|s| {
        s.snap.to = SnapTo::FACE;
        s.snap.align_to_normal = Some(Axis::Z);
    });
    let up = DVec3::new(0.3, 0.8, -0.2).normalize();
    // A zero normal turns nothing.
    for (by, normal, axis) in [(30.0, up, up), (31.0, DVec3::ZERO, DVec3::Z), (32.0, DVec3::NAN, DVec3::Z)] {
        let query = drag.query(DVec2::new(by, 10.0));
        let point = drag.stage.shot.view.pointer_ray(query.cursor_px).at(3.0);
        let found = SnapPoint::new(point, SnapTo::FACE).with_normal(normal);
        assert!((drag.answer(&query, Some(found)) - point).length() < 1e-12);
        assert!((drag.stage.targets[0].local.rotation * DVec3::Z - axis).length() < 1e-12, "{normal}");
    }
    drag.stage.gizmo.cancel();
    drag.stage.update();
    assert_eq!(drag.stage.targets[0].local.rotation, DQuat::IDENTITY);
}

/// A locked rotation keeps its start, and the limits of a translation hold for targets that an alignment would move.
#[test]
fn locked_or_limited_target_snaps_without_alignment() {
    let (positions, indices) = cube();
    let mesh = SnapMesh::new(&positions, &indices).expect("the mesh is valid");
    let world_from_local = DAffine3 { matrix3: DMat3::IDENTITY * 0.3, translation: PIVOT_WORLD - 0.1 };
    for (is_locked, limit, is_aligned) in [(false, 1.0, true), (true, 1.0, false), (false, 0.9, false)] {
        let mut drag = Dragged::new(|s| {
            s.snap.to = SnapTo::VERTEX;
            s.snap.source = SnapSource::Vertex;
            s.snap.align_to_normal = Some(Axis::Z);
            s.motion.locks.rotation = is_locked;
            s.motion.limits.translation[1] = DVec3::splat(limit);
        });
        let query = drag.query(DVec2::new(30.0, 10.0));
        drag.stage.gizmo.snap_from(&[SnapObject::new(&mesh, world_from_local)]);
        let free = drag.answer(&query, None);
        let query = drag.query(DVec2::new(30.25, 10.0));
        let found = SnapPoint::new(DVec3::new(0.9, 0.2, 0.3), SnapTo::VERTEX).with_normal(DVec3::NEG_X);
        let moved = drag.answer(&query, Some(found));
        assert_eq!(
            drag.stage.targets[0].local.rotation != DQuat::IDENTITY,
            is_aligned,
            "{is_locked} {limit}"
        );
        // Without the alignment, the pivot is on the other side of the vertex.
        assert!((moved.x - if is_aligned { 0.95 } else { 0.85 }).abs() < 1e-12 && moved != free, "{moved}");
    }
}

/// An alignment turns all targets about the pivot: those beside it swing.
#[test]
fn limit_of_target_beside_pivot_prevents_alignment() {
    for (beside, is_aligned) in [(1.0, true), (3.0, false)] {
        let targets = [PIVOT_WORLD + DVec3::Z * beside, PIVOT_WORLD].map(target_at).to_vec();
        let mut drag = Dragged::of(targets, |s| {
            s.pivot = Pivot::Active;
            s.snap.to = SnapTo::FACE;
            s.snap.align_to_normal = Some(Axis::Z);
            s.motion.limits.translation[0].y = -2.0;
        });
        let query = drag.query(DVec2::new(30.0, 10.0));
        let point = DVec3::new(0.9, 0.2, 0.3);
        let found = SnapPoint::new(point, SnapTo::FACE).with_normal(DVec3::NEG_Y);
        drag.answer(&query, Some(found));
        let active = drag.stage.targets[1].local;
        assert!((active.translation - point).length() < 1e-12, "{beside}: {active:?}");
        assert_eq!(active.rotation != DQuat::IDENTITY, is_aligned, "{beside}");
    }
}

/// The answer arrives while a number is typed, which is deleted afterwards.
#[test]
fn answer_during_typed_number_snaps_after_it() {
    let mut drag = Dragged::new(|s| s.snap.to = SnapTo::VERTEX);
    let query = drag.query(DVec2::new(20.0, 0.0));
    drag.stage.keys("7");
    let point = drag.stage.shot.view.pointer_ray(query.cursor_px).at(3.0);
    assert!(drag.answer(&query, vertex(point)).distance(point) > 1.0, "the typed number counts");
    drag.stage.keys("<");
    assert!((drag.position() - point).length() < 1e-12, "{}", drag.position());
}

#[test]
fn snap_query_has_tolerance_in_logical_pixels() {
    let mut drag = Dragged::new(|s| s.snap.to = SnapTo::VERTEX);
    let view = drag.stage.shot.view;
    let hidpi =
        View::from_clip_from_world(view.clip_from_world(), view.viewport(), 2.5).expect("it is valid");
    for (view, scale_factor) in [(view, 1.0), (hidpi, 2.5)] {
        drag.stage.shot.view = view;
        let query = drag.query(DVec2::new(20.0 * scale_factor, 0.0));
        assert_eq!(query.radius_px, drag.stage.gizmo.settings.input.tolerance_lpx * scale_factor);
    }
}

#[test]
fn surface_is_hit_under_cursor_in_its_own_texel() {
    for is_own in [true, false] {
        let mut drag = Dragged::new(|s| s.snap.to = SnapTo::SURFACE);
        let query = drag.query(DVec2::new(20.3, 7.9));
        let normal = (-drag.stage.shot.view.forward() + 0.3 * DVec3::Y).normalize();
        let center = query.cursor_px.floor() + 0.5;
        let point = drag.stage.shot.view.pointer_ray(center).at(3.0);
        let texel = if is_own { center } else { center + 1.0 };
        let mut hit = PickHit::at(std::num::NonZeroU32::MIN, texel);
        (hit.position_world, hit.normal_world) = (Some(point), Some(normal));
        drag.stage.gizmo.answer(&PickAnswer::new(query, PickOutcome::Hit(hit)));
        drag.stage.update();
        let under_cursor =
            drag.stage.shot.view.pointer_ray(query.cursor_px).plane_hit(point, normal).expect("a hit");
        let expected = if is_own { under_cursor } else { point };
        assert!(point.distance(under_cursor) > 1e-6);
        assert!((drag.position() - expected).length() < 1e-12, "own texel: {is_own}");
    }
}

#[test]
fn source_is_wanted_only_if_drag_snaps() {
    for (source, to, is_wanted) in [
        (SnapSource::Vertex, SnapTo::NONE, false),
        (SnapSource::Pivot, SnapTo::VERTEX, false),
        (SnapSource::Vertex, SnapTo::VERTEX, true),
    ] {
        let mut drag = Dragged::new(|s| {
            (s.snap.source, s.snap.to) = (source, to);
        });
        drag.stage.point_at(drag.start_px + DVec2::new(30.0, 10.0));
        assert_eq!(drag.stage.gizmo.wants_snap_source(), is_wanted, "{source:?} {to:?}");
    }
}

#[test]
fn snapped_move_is_clamped_only_by_limit() {
    for (limit, is_clamped) in [(f64::INFINITY, false), (PIVOT_WORLD.x, true)] {
        let mut drag = Dragged::new(|s| {
            s.snap.to = SnapTo::VERTEX;
            s.motion.limits.translation[1] = DVec3::splat(limit);
        });
        let query = drag.query(DVec2::new(30.0, 10.0));
        let point = PIVOT_WORLD + DVec3::new(0.2, 0.1, 0.1);
        drag.answer(&query, vertex(point));
        assert_eq!(drag.stage.gizmo.drag().map(|drag| drag.motion().clamped), Some(is_clamped));
    }
}
