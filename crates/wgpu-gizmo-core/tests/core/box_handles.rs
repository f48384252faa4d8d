//! §17 of docs/spec.md: handles on the bounding box of a target.

use crate::prelude::*;

const CUBE: [DVec3; 2] = [DVec3::splat(-0.5), DVec3::splat(0.5)];

fn settings(result: BoxResult) -> Settings {
    Settings::default().with(|s| {
        s.mode = Mode::None;
        s.box_handles.insert(BoxHandles::default()).result = result;
    })
}

fn cube(local: Transform) -> Target {
    Target::from_world(local).with_bounds(CUBE)
}

fn stage(result: BoxResult) -> Stage {
    let mut stage = Stage::new(settings(result));
    stage.targets = vec![cube(Transform::IDENTITY)];
    stage.update();
    stage
}

/// Returns the corners of a target's box in world space, min and max of its local box.
fn corners(target: &Target) -> [DVec3; 2] {
    let world = target.world_from_parent * target.local.to_matrix();
    target.bounds_local.expect("the target has a bounding box").map(|corner| world.transform_point3(corner))
}

fn px(stage: &Stage, point: DVec3) -> DVec2 {
    crate::oracle::px(&stage.shot, point)
}

/// Drags from one point of the world to another, without the release.
fn drag(stage: &mut Stage, from: DVec3, to: DVec3) -> Vec<Event> {
    let (from, to) = (px(stage, from), px(stage, to));
    let mut events = stage.grab(from);
    stage.move_to(to);
    events.extend(stage.update());
    events
}

#[test]
fn typed_number_sets_length_of_side() {
    let mut stage = stage(BoxResult::Transform);
    stage.targets[0].local.scale = DVec3::new(3.0, 1.0, 1.0);
    stage.update();
    // The third press of an axis key restores the face.
    let events = stage.keys("xxx2.5!");
    assert_eq!(events.first(), Some(&Event::Started(handle("box_+x"))));
    assert_eq!(events.last(), Some(&Event::Ended { changed: true }));
    let [low, high] = corners(&stage.targets[0]);
    assert!((high.x - low.x - 2.5).abs() < 1e-12 && (low.x + 1.5).abs() < 1e-12, "{low} {high}");
    // In a drag with the pointer, the key chooses the face on the side of the grip.
    let drag_at = DVec3::new(-0.2, 0.0, 0.5);
    drag(&mut stage, drag_at, drag_at);
    stage.keys("y4");
    let [low, high] = corners(&stage.targets[0]);
    assert!((low.y + 0.5).abs() < 1e-12 && (high.y - 3.5).abs() < 1e-12, "{low} {high}");
}

#[test]
fn side_stops_at_min_size_unless_mirrored() {
    let free = [(false, -3.0, 0.2), (false, 0.1, 0.2), (true, -3.0, -3.0), (true, -0.1, -0.2)]
        .map(|case| (0.0, case));
    // A length that snaps to 0 is at the minimum too, on either side of 0.
    let snapped = [(false, -0.3, 0.2), (false, 0.1, 0.2), (true, -0.3, -0.5)].map(|case| (0.5, case));
    for (increment, (allow_mirror, length, expected)) in free.into_iter().chain(snapped) {
        let mut stage = stage(BoxResult::Transform);
        stage.gizmo.settings.snap.increments.translate = Increment::new(increment);
        stage.gizmo.settings.snap.kind = SnapKind::Value;
        stage.gizmo.settings.box_handles.get_or_insert_default().min_size = 0.2;
        stage.gizmo.settings.motion.allow_mirror = allow_mirror;
        stage.drive("box_+y", length);
        let side = stage.local().scale.y;
        assert!((side - expected).abs() < 1e-12, "{length}: {side}");
    }
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.settings.motion.limits.scale[1].y = 1.5;
    stage.drive("box_+y", 3.0);
    let shown = stage.gizmo.last_drag().expect("it has ended").numbers();
    assert_eq!((stage.local().scale.y, shown), (1.5, &[1.5][..]), "a limit stops it too");
}

/// On the way to the mirrored side, a limit holds the scale at 0 or next to it.
#[test]
fn limit_leaves_mirrored_side_at_min_size() {
    for (low, length) in [(0.0, 1e-3), (-0.0005, 1e-3), (0.4, 0.4), (-0.4, -0.4)] {
        let mut stage = stage(BoxResult::Transform);
        stage.gizmo.settings.motion.allow_mirror = true;
        stage.gizmo.settings.motion.limits.scale[0].x = low;
        let driven = stage.drive("box_+x", -2.0);
        assert!((stage.local().scale.x - length).abs() < 1e-12, "{low}: {}", stage.local().scale);
        assert!(driven.motion.clamped);
    }
}

#[test]
fn unusable_boxes_are_refused_and_nothing_moves() {
    let mut counts = std::collections::BTreeMap::<String, u32>::new();
    cases(1_500, |rng| {
        let mut number = || match rng.u8(..40) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2..8 => -1.0,
            8..20 => 0.0,
            _ => 1.0,
        };
        let [low, high] = [0; 2].map(|_| DVec3::new(number(), number(), number()));
        // A scale of 0 leaves no length either.
        let scale = DVec3::new(1.0, if number() == 0.0 { 0.0 } else { 2.0 }, -1.0);
        let mut start = Target::from_world(Transform { scale, ..Transform::IDENTITY });
        start.bounds_local = (number() >= 0.0).then_some([low, high]);
        let mut stage = Stage::new(settings(BoxResult::ALL[rng.usize(..2)]));
        stage.targets = vec![start];
        stage.update();
        let grip = BoxGrip::ALL[rng.usize(..BoxGrip::ALL.len())];
        let has_length = |axis: Axis| (high - low)[axis.index()] > 0.0 && scale[axis.index()] != 0.0;
        let is_inverted = low.cmpgt(high).any();
        let reason = match start.bounds_local {
            None => Some(DisabledReason::NoBounds),
            Some(_) if !(low.is_finite() && high.is_finite()) => Some(DisabledReason::NotFinite),
            Some(_) if is_inverted || !grip.axes().all(has_length) => Some(DisabledReason::EmptyBox),
            Some(_) => None,
        };
        let handle = HandleId::from_constraint(Constraint::Box(grip));
        assert_eq!(stage.gizmo.disabled_reason(handle), reason, "{} of {start:?}", handle.name());
        let amount = if grip.axes().count() > 1 { [2.0, 2.0].into() } else { Amount::from(2.0) };
        let outcome = stage.gizmo.drive(handle, amount, &mut stage.targets);
        assert_eq!(outcome.err(), reason.map(DriveError::Disabled), "{} of {start:?}", handle.name());
        assert!(reason.is_none() || bits(&stage.local()) == bits(&start.local));
        let is_drawn = !matches!(reason, Some(DisabledReason::NoBounds | DisabledReason::NotFinite));
        assert_eq!(stage.draw().items().is_empty(), !is_drawn, "{start:?}");
        *counts.entry(format!("{reason:?}")).or_default() += 1;
    });
    assert!(counts.len() == 4 && counts.values().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn locked_scale_disables_transform_but_not_extents() {
    let locks = Locks { scale: wgpu_gizmo_core::glam::BVec3::new(true, false, false), ..Locks::NONE };
    for result in BoxResult::ALL {
        let mut stage = stage(result);
        stage.gizmo.settings.motion.locks = locks;
        stage.update();
        let locked = (result == BoxResult::Transform).then_some(DisabledReason::Locked);
        assert_eq!(stage.gizmo.disabled_reason(handle("box_-x+z")), locked);
        assert_eq!(stage.gizmo.disabled_reason(handle("box_+z")), None);
    }
}

#[test]
fn view_shows_front_faces_silhouette_and_corners() {
    let mut stage = stage(BoxResult::Transform);
    let list = stage.draw();
    let ids: Vec<_> = list.items().iter().filter_map(|item| item.id).collect();
    let shown: Vec<_> =
        HandleId::box_handles().filter(|grip| ids.contains(&stage.gizmo.id_of(*grip))).collect();
    let axes = |handle: &HandleId| match handle.constraint() {
        Constraint::Box(grip) => grip.axes().count(),
        _ => 0,
    };
    let count = |wanted: usize| shown.iter().filter(|handle| axes(handle) == wanted).count();
    assert_eq!([count(1), count(2), count(3)], [3, 6, 8], "{shown:?}");
    assert!(shown.contains(&handle("box_+z")) && !shown.contains(&handle("box_-z")));
    // All twelve edges are drawn, and faces and corners that are shown.
    assert_eq!(list.items().len(), 3 + 12 + 8);
    // The host can filter them.
    let only_faces = HandleId::box_handles().take(6).collect();
    stage.gizmo.settings.box_handles.insert(BoxHandles::default()).handles = only_faces;
    stage.update();
    assert_eq!(stage.draw().items().len(), 3);
    stage.gizmo.settings.box_handles.insert(BoxHandles::default()).handles = HandleSet::EMPTY;
    stage.update();
    assert!(stage.draw().items().is_empty());
}

#[test]
fn only_active_target_is_resized() {
    let mut stage = stage(BoxResult::Transform);
    let other = cube(Transform::from_translation(DVec3::X * 3.0));
    stage.targets.insert(0, other);
    stage.update();
    stage.drive("box_+x", 2.0);
    assert_eq!(bits(&stage.targets[0].local), bits(&other.local));
    assert_eq!(stage.targets[1].local.scale.x, 2.0);
}

/// The box of a turned target under an uneven parent is no cuboid.
#[test]
fn edge_of_sheared_box_follows_pointer() {
    let mut stage = stage(BoxResult::Transform);
    let local = Transform { rotation: DQuat::from_rotation_x(-0.4), ..Transform::IDENTITY };
    let world_from_parent = DMat4::from_scale(DVec3::new(1.0, 1.6, 1.0));
    stage.targets = vec![Target::new(local, world_from_parent).with_bounds(CUBE)];
    stage.update();
    let edge = |stage: &Stage| {
        let world = stage.targets[0].world_from_parent * stage.local().to_matrix();
        world.transform_point3(DVec3::new(0.0, 0.5, 0.5))
    };
    let from = edge(&stage);
    let to = from + DVec3::new(0.0, 0.3, 0.2);
    let events = drag(&mut stage, from, to);
    assert_eq!(events.first(), Some(&Event::Started(handle("box_+y+z"))));
    assert!(edge(&stage).distance(to) < 1e-9, "{} instead of {to}", edge(&stage));
}

fn corner_stage(allow_mirror: bool) -> Stage {
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.settings.box_handles.insert(BoxHandles::default()).keep_aspect = true;
    stage.gizmo.settings.motion.allow_mirror = allow_mirror;
    stage.update();
    stage
}

#[test]
fn nudge_adds_to_corner_that_keeps_aspect() {
    let mut stage = corner_stage(false);
    stage.gizmo.settings.snap.increments.translate = Increment::new(0.25);
    let half = DVec3::splat(0.5);
    let (from, to) = (px(&stage, half), px(&stage, half * 1.5));
    stage.grab(from);
    stage.gizmo.settings.snap.increments = Snap::OFF;
    stage.point_at(to);
    let pointed = stage.local().scale.x;
    assert!(pointed > 1.1, "{pointed}");
    stage.gizmo.set_held_keys(HeldKeys { symmetric: true, ..HeldKeys::NONE });
    stage.update();
    assert!((stage.local().scale.x - (2.0 * pointed - 1.0)).abs() < 1e-9, "the corner stays at the pointer");
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    // The corner's diagonal is drawn.
    assert!(!stage.draw().guides()[0].is_empty());
    stage.gizmo.settings.snap.while_held = Snap::OFF;
    stage.keys("r");
    let nudged = stage.local().scale;
    assert!(
        (nudged.x - pointed - Snap::DEFAULT_INCREMENTS.translate.expect("it has one").get()).abs() < 1e-9
    );
    assert!((nudged - nudged.x).length() < 1e-9, "{nudged}");
}

/// Without mirroring the shortest side stops at the minimum; with it, at the minimum on either side.
#[test]
fn corner_that_keeps_aspect_is_never_flat() {
    for (start, allow_mirror, typed, factor) in [
        (DVec3::ONE, false, -2.0, 1e-3),
        (DVec3::new(1.0, 2.0, 0.5), false, -2.0, 2e-3),
        (DVec3::ONE, true, -2.0, -2.0),
        (DVec3::ONE, true, -1e-5, -1e-3),
        (DVec3::ONE, true, 1e-5, 1e-3),
        (DVec3::ONE, true, 2.0, 2.0),
    ] {
        let mut stage = corner_stage(allow_mirror);
        stage.targets[0].local.scale = start;
        stage.drive("box_+x+y+z", typed);
        let scale = stage.local().scale;
        assert!((scale - start * factor).length() < 1e-9, "{typed}: {scale}");
    }
}

#[test]
fn symmetric_key_applies_to_typed_length_at_once() {
    let mut stage = stage(BoxResult::Transform);
    drag(&mut stage, DVec3::Z * 0.5, DVec3::Z);
    stage.keys("3");
    for (symmetric, z) in [(false, [-0.5, 2.5]), (true, [-1.5, 1.5]), (false, [-0.5, 2.5])] {
        stage.gizmo.set_held_keys(HeldKeys { symmetric, ..HeldKeys::NONE });
        stage.update();
        assert_eq!(corners(&stage.targets[0]).map(|corner| corner.z), z);
    }
}
