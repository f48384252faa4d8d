//! §17 of docs/spec.md: handles on the bounding box of a target.

use crate::oracle::{bits, cases, handle};
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, BoxGrip, Constraint, HandleSet};
use wgpu_gizmo_core::interaction::drive::{Amount, DriveError};
use wgpu_gizmo_core::interaction::settings::{BoxHandles, BoxResult, Limits, Locks, SnapKind};
use wgpu_gizmo_core::interaction::{DisabledReason, Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{HandleId, Increment, Mode, Settings, Snap, Target, Transform};

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
fn face_drag_moves_face_and_keeps_opposite() {
    for result in BoxResult::ALL {
        let mut stage = stage(result);
        let events = drag(&mut stage, DVec3::Z * 0.5, DVec3::Z * 1.5);
        assert!(matches!(events[..], [Event::Started(face), Event::Changed(_)] if face == handle("box_+z")));
        let [low, high] = corners(&stage.targets[0]);
        assert!(low.abs_diff_eq(CUBE[0], 1e-12), "{result:?}: {low}");
        assert!(high.abs_diff_eq(DVec3::new(0.5, 0.5, 1.5), 1e-9), "{result:?}: {high}");
        let is_transform = result == BoxResult::Transform;
        assert_eq!(stage.targets[0].bounds_local == Some(CUBE), is_transform);
        assert_eq!(stage.local() != Transform::IDENTITY, is_transform);
        assert_eq!(stage.gizmo.drag().map(|drag| drag.numbers().len()), Some(1));
        assert_eq!(stage.release(), [Event::Ended { changed: true }]);
    }
}

#[test]
fn limits_stop_transform_and_not_extents() {
    let limits = Limits { scale: [DVec3::ZERO, DVec3::new(9.0, 9.0, 1.5)], ..Limits::NONE };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    for result in BoxResult::ALL {
        let mut stage = stage(result);
        stage.gizmo.settings.motion.limits = limits;
        drag(&mut stage, DVec3::Z * 0.5, DVec3::Z * 2.5);
        let [low, high] = corners(&stage.targets[0]);
        assert!(low.abs_diff_eq(CUBE[0], 1e-12), "{result:?}: {low}");
        let drag = stage.gizmo.drag().expect("a drag is in progress");
        match result {
            BoxResult::Transform => {
                near(stage.local().scale.z, 1.5);
                near(drag.numbers()[0], 1.5);
                assert!(drag.motion().clamped);
            }
            BoxResult::Extents => assert!((high.z - 2.5).abs() < 1e-9, "{high}"),
            other => unreachable!("{other:?}"),
        }
    }
    // The translation that keeps the opposite side in place has limits, too.
    let mut stage = stage(BoxResult::Transform);
    let far = DVec3::splat(f64::INFINITY);
    let limits = Limits { translation: [-far, DVec3::new(9.0, 9.0, 0.25)], ..Limits::NONE };
    stage.gizmo.settings.motion.limits = limits;
    drag(&mut stage, DVec3::Z * 0.5, DVec3::Z * 2.5);
    near(stage.local().translation.z, 0.25);
    near(stage.local().scale.z, 1.5);
    // A start past a limit may come nearer, but not go on.
    stage.gizmo.cancel();
    stage.update();
    stage.gizmo.pointer_released();
    stage.gizmo.settings.motion.limits = Limits { scale: [DVec3::ZERO, DVec3::splat(0.5)], ..Limits::NONE };
    drag(&mut stage, DVec3::Z * 0.5, DVec3::Z * 1.5);
    assert_eq!(stage.local(), Transform::IDENTITY);
    stage.point_at(px(&stage, DVec3::ZERO));
    assert!(stage.local().scale.z < 1.0, "{}", stage.local().scale);
}

#[test]
fn symmetric_key_keeps_center() {
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.set_held_keys(HeldKeys { symmetric: true, ..HeldKeys::NONE });
    drag(&mut stage, DVec3::Z * 0.5, DVec3::Z * 1.0);
    let [low, high] = corners(&stage.targets[0]);
    assert!(low.abs_diff_eq(DVec3::new(-0.5, -0.5, -1.0), 1e-9), "{low}");
    assert!(high.abs_diff_eq(DVec3::new(0.5, 0.5, 1.0), 1e-9), "the face follows the cursor: {high}");
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    stage.update();
    let [low, high] = corners(&stage.targets[0]);
    assert!(low.abs_diff_eq(CUBE[0], 1e-12) && (high.z - 1.0).abs() < 1e-9, "at once: {low} {high}");
}

#[test]
fn edge_and_corner_move_their_faces() {
    let mut stage = stage(BoxResult::Extents);
    // An edge of the silhouette: between the front and the bottom.
    drag(&mut stage, DVec3::new(0.0, -0.5, 0.5), DVec3::new(0.0, -0.9, 0.8));
    assert_eq!(stage.gizmo.dragging(), Some(handle("box_-y+z")));
    let [low, high] = corners(&stage.targets[0]);
    assert!(low.abs_diff_eq(DVec3::new(-0.5, -0.9, -0.5), 1e-9), "{low}");
    assert!(high.abs_diff_eq(DVec3::new(0.5, 0.5, 0.8), 1e-9), "{high}");
    stage.gizmo.cancel();
    stage.release();
    // The plane of the corner that faces the view most is that of x and y.
    let corner = DVec3::splat(0.5);
    drag(&mut stage, corner, corner + DVec3::new(0.3, 0.2, 0.0));
    assert_eq!(stage.gizmo.dragging(), Some(handle("box_+x+y+z")));
    let [low, high] = corners(&stage.targets[0]);
    assert!(low == CUBE[0] && high.abs_diff_eq(DVec3::new(0.8, 0.7, 0.5), 1e-9), "{low} {high}");
}

#[test]
fn corner_keeps_aspect_with_one_factor() {
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.settings.box_handles.insert(BoxHandles::default()).keep_aspect = true;
    stage.targets[0].local.scale = DVec3::new(1.0, 2.0, 0.5);
    stage.update();
    let corner = DVec3::new(0.5, 1.0, 0.25);
    drag(&mut stage, corner, corner * 1.5);
    let scale = stage.local().scale;
    let factor = scale.x;
    assert!(factor > 1.1, "{scale}");
    assert!(scale.abs_diff_eq(DVec3::new(1.0, 2.0, 0.5) * factor, 1e-12), "{scale}");
    let [low, _] = corners(&stage.targets[0]);
    assert!(low.abs_diff_eq(-corner, 1e-12), "{low}");
}

#[test]
fn corner_keeps_aspect_where_shortest_side_stops() {
    let settings = settings(BoxResult::Transform).with(|s| {
        let shown = s.box_handles.get_or_insert_default();
        (shown.keep_aspect, shown.min_size) = (true, 0.2);
    });
    let scale = DVec3::new(1.0, 2.0, 0.5);
    let long = cube(Transform { scale, ..Transform::IDENTITY });
    let stopped = driven(settings, long, "box_+x+y+z", &[0.01]).expect("the handle takes one number");
    assert!(stopped.local.scale.abs_diff_eq(scale * 0.4, 1e-12), "{}", stopped.local.scale);
}

fn driven(settings: Settings, target: Target, name: &str, numbers: &[f64]) -> Result<Target, DriveError> {
    let mut stage = Stage::new(settings);
    stage.targets = vec![target];
    let amount: Amount = match *numbers {
        [a, b] => [a, b].into(),
        _ => numbers[0].into(),
    };
    stage.gizmo.drive(handle(name), amount, &mut stage.targets)?;
    Ok(stage.targets[0])
}

#[test]
fn typed_number_sets_length_of_side() {
    let mut stage = stage(BoxResult::Transform);
    stage.targets[0].local.scale = DVec3::new(3.0, 1.0, 1.0);
    stage.update();
    for key in [Key::Axis(Axis::X), Key::Digit(2), Key::Point, Key::Digit(5), Key::Enter] {
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    let events = stage.update();
    assert!(
        matches!(events[..], [Event::Started(face), .., Event::Ended { changed: true }] if face == handle("box_+x"))
    );
    let [low, high] = corners(&stage.targets[0]);
    assert!((high.x - low.x - 2.5).abs() < 1e-12 && (low.x + 1.5).abs() < 1e-12, "{low} {high}");
    // In a drag with the pointer, the key chooses the face on the side of the grip.
    let drag_at = DVec3::new(-0.2, 0.0, 0.5);
    drag(&mut stage, drag_at, drag_at);
    stage.gizmo.key(Key::Axis(Axis::Y), KeyModifiers::NONE);
    stage.gizmo.key(Key::Digit(4), KeyModifiers::NONE);
    stage.update();
    let [low, high] = corners(&stage.targets[0]);
    assert!((low.y + 0.5).abs() < 1e-12 && (high.y - 3.5).abs() < 1e-12, "{low} {high}");
}

#[test]
fn length_snaps_relative_or_to_multiples() {
    let quarter = Snap { translate: Increment::new(0.25), ..Snap::OFF };
    let start = cube(Transform::IDENTITY).with_bounds([DVec3::ZERO, DVec3::splat(1.1)]);
    let length = |snap_kind: SnapKind, by: f64| {
        let settings = settings(BoxResult::Extents).with(|s| {
            s.snap.increments = quarter;
            s.snap.kind = snap_kind;
        });
        let target = driven(settings, start, "box_+x", &[1.1 + by]).expect("the handle is usable");
        target.bounds_local.expect("the target has a bounding box")[1].x
    };
    assert!((length(SnapKind::Relative, 0.4) - 1.6).abs() < 1e-12);
    assert!((length(SnapKind::Value, 0.4) - 1.5).abs() < 1e-12);
    assert!((length(SnapKind::Value, -1.09) - 0.25).abs() < 1e-12, "one increment, not zero");
    assert_eq!(length(SnapKind::Relative, 0.0), 1.1);
}

#[test]
fn side_stops_at_min_size_unless_mirrored() {
    let min = |allow_mirror: bool, length: f64| {
        let settings = settings(BoxResult::Transform).with(|s| {
            s.box_handles.insert(BoxHandles::default()).min_size = 0.2;
            s.motion.allow_mirror = allow_mirror;
        });
        driven(settings, cube(Transform::IDENTITY), "box_+y", &[length])
            .expect("the handle is usable")
            .local
            .scale
            .y
    };
    assert!((min(false, -3.0) - 0.2).abs() < 1e-12);
    assert!((min(false, 0.1) - 0.2).abs() < 1e-12);
    assert!((min(true, -3.0) + 3.0).abs() < 1e-12);
    assert!((min(true, -0.1) + 0.2).abs() < 1e-12, "never through zero");
}

#[test]
fn unusable_boxes_are_refused_and_nothing_moves() {
    let counts = std::cell::RefCell::new(std::collections::BTreeMap::<String, u32>::new());
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
        *counts.borrow_mut().entry(format!("{reason:?}")).or_default() += 1;
    });
    let counts = counts.into_inner();
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
    let count = |axes: usize| {
        let has = |handle: &&HandleId| matches!(handle.constraint(), Constraint::Box(grip) if grip.axes().count() == axes);
        shown.iter().filter(has).count()
    };
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
fn box_is_shown_beside_mode_and_follows_target() {
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.settings.mode = Mode::Translate;
    stage.update();
    let both = stage.draw().items().len();
    assert!(both > 23, "{both}");
    stage.gizmo.drive(handle_of_mode(), 1.0, &mut stage.targets).expect("the handle is usable");
    stage.update();
    stage.gizmo.settings.mode = Mode::None;
    stage.update();
    let moved = px(&stage, DVec3::new(1.0, 0.0, 0.5));
    assert!(matches!(stage.grab(moved)[..], [Event::Started(face)] if face == handle("box_+z")));
}

fn handle_of_mode() -> HandleId {
    HandleId::from_name("translate_x").expect("the handle is built in")
}

#[test]
fn only_active_target_is_resized() {
    let mut stage = stage(BoxResult::Transform);
    let other = cube(Transform { translation: DVec3::X * 3.0, ..Transform::IDENTITY });
    stage.targets.insert(0, other);
    stage.update();
    stage.gizmo.drive(handle("box_+x"), 2.0, &mut stage.targets).expect("the handle is usable");
    assert_eq!(bits(&stage.targets[0].local), bits(&other.local));
    assert_eq!(stage.targets[1].local.scale.x, 2.0);
}

#[test]
fn readout_does_not_cover_box() {
    let mut cases = 0;
    for result in BoxResult::ALL {
        for (axis, sign) in Axis::ALL.into_iter().flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
            let mut stage = stage(result);
            let face = axis.unit() * sign * 0.5;
            drag(&mut stage, face, face * 1.6);
            if stage.gizmo.drag().is_none() {
                continue; // This face is turned away.
            }
            let list = stage.draw();
            let readout = list.readouts().next().expect("a drag has a readout");
            let [width, height] = [8.0 * readout.text.chars().count() as f64, 16.0];
            let low = readout.anchor_px - DVec2::Y * (0.5 * height);
            let high = low + DVec2::new(width, height);
            let [min, max] = corners(&stage.targets[0]);
            let corner = |i: usize| DVec3::from_array([0, 1, 2].map(|k| [min, max][i >> k & 1][k]));
            let pixels = (0..8).map(|i| px(&stage, corner(i)));
            let (first, last) = pixels
                .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), px| (low.min(px), high.max(px)));
            let is_beside = high.cmplt(first).any() || low.cmpgt(last).any();
            assert!(is_beside, "{result:?} {axis:?} {sign}: {low} to {high} in {first} to {last}");
            cases += 1;
        }
    }
    assert_eq!(cases, 6, "three faces are turned toward the viewer");
}

fn corner_stage(allow_mirror: bool) -> Stage {
    let mut stage = stage(BoxResult::Transform);
    stage.gizmo.settings.box_handles.insert(BoxHandles::default()).keep_aspect = true;
    stage.gizmo.settings.motion.allow_mirror = allow_mirror;
    stage.update();
    stage
}

#[test]
fn corner_that_keeps_aspect_says_where_it_stops() {
    let mut stage = corner_stage(false);
    for (length, clamped) in [(2.0, false), (-2.0, true)] {
        let driven = stage.gizmo.drive(handle("box_+x+y+z"), length, &mut stage.targets);
        assert_eq!(driven.map(|driven| driven.motion.clamped), Ok(clamped), "{length}");
    }
    let corner = DVec3::splat(0.5);
    let mut stage = corner_stage(false);
    let (from, to) = (px(&stage, corner), px(&stage, -1.5 * corner));
    stage.grab(from);
    let events = stage.point_at(to);
    let clamped = |event: &Event| matches!(event, Event::Changed(motion) if motion.clamped);
    assert!(events.iter().any(clamped), "{events:?}");
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
    // The corner's diagonal is drawn.
    assert!(!stage.draw().guides()[0].is_empty());
    stage.gizmo.settings.snap.while_held = Snap::OFF;
    stage.gizmo.key(Key::Right, KeyModifiers::NONE);
    stage.update();
    let nudged = stage.local().scale;
    assert!(
        (nudged.x - pointed - Snap::DEFAULT_INCREMENTS.translate.expect("it has one").get()).abs() < 1e-9
    );
    assert!((nudged - nudged.x).length() < 1e-9, "{nudged}");
}

/// Without mirroring a side stops at the minimum; with it, at the minimum on either side.
#[test]
fn corner_that_keeps_aspect_is_never_flat() {
    for (allow_mirror, typed, expected) in
        [(false, -2.0, 1e-3), (true, -2.0, -2.0), (true, -1e-5, -1e-3), (true, 1e-5, 1e-3), (true, 2.0, 2.0)]
    {
        let mut stage = corner_stage(allow_mirror);
        let corner = handle("box_+x+y+z");
        stage.gizmo.drive(corner, typed, &mut stage.targets).expect("the handle takes one number");
        let scale = stage.local().scale;
        assert!((scale - expected).length() < 1e-9, "{typed}: {scale}");
    }
}
