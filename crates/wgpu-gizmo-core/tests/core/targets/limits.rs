//! Limits and locks of several targets.

use super::{at, moved, typed};
use crate::oracle::{cases, direction, handle, odd_transform, rotation};
use crate::stage::Stage;
use crate::walks;
use std::cell::Cell;
use std::f64::consts::FRAC_PI_2;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{Axes, BoxHandles, Limits, Locks, Pivot};
use wgpu_gizmo_core::interaction::{DisabledReason, Key, KeyModifiers};
use wgpu_gizmo_core::{HandleId, Orientation, Settings, Snap, Target, Transform};

/// Returns the largest change of each channel: translation, rotation and scale.
fn changes(before: &Target, after: &Target) -> ([f64; 3], f64, [f64; 3]) {
    let (from, to) = (before.local, after.local);
    let turned = from.rotation.normalize().angle_between(to.rotation.normalize());
    ((to.translation - from.translation).abs().to_array(), turned, (to.scale - from.scale).abs().to_array())
}

#[test]
fn handle_is_locked_if_it_can_change_nothing() {
    /// Larger than rounding and smaller than every other change of these drags.
    const MOVED: f64 = 1e-6;
    let counts = [Cell::new(0), Cell::new(0)];
    cases(4_000, |rng| {
        let settings = walks::settings(rng).with(|s| {
            s.motion.limits = Limits::NONE;
            s.motion.locks = Locks::NONE;
            s.motion.max_distance = None;
            s.box_handles = None;
            s.snap.increments = Snap::OFF;
        });
        let is_aligned = rng.bool();
        let mut targets: Vec<Target> = (0..rng.usize(1..4)).map(|index| walks::target(rng, index)).collect();
        for target in targets.iter_mut().filter(|_| is_aligned) {
            target.world_from_parent = DMat4::IDENTITY;
            target.local.rotation = DQuat::from_rotation_z(f64::from(rng.u8(..4)) * FRAC_PI_2);
        }
        let handles: Vec<_> = HandleId::all().collect();
        let handle = handles[rng.usize(..handles.len())];
        let driven = |stage: &mut Stage| {
            let driven = stage.gizmo.drive(handle, 0.7, &mut stage.targets);
            driven.or_else(|_| stage.gizmo.drive(handle, [0.7, 0.4], &mut stage.targets))
        };
        let mut stage = Stage::new(settings);
        stage.targets = targets.clone();
        stage.update();
        if driven(&mut stage).is_err() {
            return;
        }
        let Locks { translation, rotation, scale } = walks::locks(rng);
        let is_free = |(before, after): (&Target, &Target)| {
            let (translated, turned, scaled) = changes(before, after);
            let moves = |by: [f64; 3], locked: BVec3| (0..3).any(|i| by[i] > MOVED && !locked.test(i));
            moves(translated, translation) || moves(scaled, scale) || (turned > MOVED && !rotation)
        };
        let is_locked = !targets.iter().zip(&stage.targets).any(is_free);
        stage.targets = targets;
        stage.gizmo.settings.motion.locks = Locks { translation, rotation, scale };
        stage.update();
        let reason = is_locked.then_some(DisabledReason::Locked);
        assert_eq!(stage.gizmo.disabled_reason(handle), reason, "{}, {:?}", handle.name(), stage.targets);
        assert_eq!(driven(&mut stage).is_err(), is_locked, "{}", handle.name());
        counts[usize::from(is_locked)].set(counts[usize::from(is_locked)].get() + 1);
    });
    let counts = counts.map(Cell::into_inner);
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

#[test]
fn gizmo_and_readout_follow_locked_target() {
    let locks = Locks { translation: BVec3::new(true, false, false), ..Locks::NONE };
    let mut stage = Stage::new(Settings::default().with(|s| s.motion.locks = locks));
    let grab = DVec3::new(0.4, 0.4, 0.0);
    stage.grab(stage.at(grab));
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_xy")));
    let to = stage.at(grab + DVec3::new(1.0, 1.0, 0.0));
    stage.point_at(to);
    let position = stage.targets[0].position_world();
    assert!(position.x == 0.0 && position.y > 0.5, "{position}");
    let list = stage.draw();
    assert!(list.readouts().any(|readout| readout.text.starts_with("X 0.000  Y 1.")));
    let squares =
        list.items().iter().filter(|item| item.id == Some(stage.gizmo.id_of(handle("translate_xy"))));
    for square in squares {
        let corner = square.world_from_part.translation - position;
        assert!(corner.x > 0.0 && corner.length() < stage.size(), "the gizmo is at {corner} from its target");
    }
}

#[test]
fn gizmo_follows_locked_targets_along_their_own_axes() {
    let mut stage = Stage::new(Settings::default().with(|s| {
        (s.axes, s.orientation) = (Axes::Own, Orientation::Local);
        s.motion.locks = Locks { translation: BVec3::new(true, false, false), ..Locks::NONE };
    }));
    stage.targets = vec![at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)];
    stage.targets[1].local.rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    stage.gizmo.drive_begin(handle("translate_x"), &stage.targets).expect("the handle is usable");
    stage.gizmo.drive_by(1.0, &mut stage.targets).expect("the drag is in progress");
    // The axis of the first target is locked. The second one moves along Y.
    let [first, second] = [0, 1].map(|index| stage.targets[index].local.translation);
    assert!(first == DVec3::ZERO && second.abs_diff_eq(DVec3::Y, 1e-12), "{first} and {second}");
    let place = stage.gizmo.pivot_place().expect("there are targets");
    assert!(place.translation.abs_diff_eq(0.5 * DVec3::Y, 1e-12), "{place:?} is not the center");
}

#[test]
fn axis_key_skips_locked_axes() {
    let locks = Locks { translation: BVec3::new(true, false, false), ..Locks::NONE };
    let mut stage = Stage::new(Settings::default().with(|s| s.motion.locks = locks));
    stage.targets[0].local.rotation = DQuat::from_rotation_z(0.5);
    stage.grab(stage.at(DVec3::Y * 0.6));
    stage.gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
    stage.gizmo.key(Key::Digit(3), KeyModifiers::NONE);
    stage.update();
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_y")));
    assert_eq!(stage.local().translation, DVec3::Y * 3.0);
    // The target's local X axis is not locked completely.
    stage.gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
    stage.update();
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    assert!((stage.local().translation.y - 3.0 * 0.5f64.sin()).abs() < 1e-12);
}

#[test]
fn first_limit_stops_all_targets_on_line() {
    let targets = [at(0.0, 0.0, 0.0), at(3.0, 1.0, 0.0)];
    let limits = Limits { translation: [DVec3::splat(-9.0), DVec3::new(5.0, 4.0, 9.0)], ..Limits::NONE };
    let settings = Settings::default().with(|s| s.motion.limits = limits);
    let drag = typed("translate_x", "10", &targets, &settings);
    let after = moved(&drag, &targets);
    assert!(drag.motion().clamped);
    assert_eq!(drag.numbers(), [2.0]);
    assert_eq!(after[0].local.translation, DVec3::new(2.0, 0.0, 0.0));
    assert_eq!(after[1].local.translation, DVec3::new(5.0, 1.0, 0.0));
    // In a plane, the other axis moves on when one is at its limit.
    let mut drag = typed("translate_xy", "10", &targets, &settings);
    for key in [Key::Tab, Key::Digit(1)] {
        drag.key(key, Snap::OFF);
    }
    assert_eq!(drag.numbers(), [2.0, 1.0]);

    // Under a rotated parent, the motion stays on the line.
    let parent = DMat4::from_quat(DQuat::from_rotation_z(0.5));
    let target = [Target::new(Transform::IDENTITY, parent)];
    let after = moved(&typed("translate_x", "99", &target, &settings), &target);
    let local = after[0].local.translation;
    let along = parent.inverse().transform_vector3(DVec3::X);
    assert!((local.x - 5.0).abs() < 1e-12 && local.cross(along).length() < 1e-12, "{local}");

    // A target that starts beyond a limit may move back but not farther out.
    let outside = [at(7.0, 0.0, 0.0)];
    assert_eq!(typed("translate_x", "1", &outside, &settings).numbers(), [0.0]);
    assert_eq!(typed("translate_x", "-4", &outside, &settings).numbers(), [-4.0]);

    let limits = Limits { scale: [DVec3::splat(0.5), DVec3::splat(3.0)], ..Limits::NONE };
    let settings = Settings::default().with(|s| s.motion.limits = limits);
    let mut pair = [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0)];
    pair[1].local.scale = DVec3::new(2.0, 1.0, 1.0);
    assert_eq!(typed("scale_uniform", "9", &pair, &settings).numbers(), [1.5]);
    assert_eq!(typed("scale_yz", "9", &pair, &settings).numbers(), [3.0]);
    assert_eq!(typed("scale_x", ".1", &pair, &settings).numbers(), [0.5]);

    let limits = Limits { angle: [-0.5, 1.0], ..Limits::NONE };
    let settings = Settings::default().with(|s| s.motion.limits = limits);
    assert_eq!(typed("rotate_z", "90", &pair, &settings).numbers(), [1.0]);
    assert_eq!(typed("rotate_z", "-90", &pair, &settings).numbers(), [-0.5]);
}

#[test]
fn common_pivot_drag_stops_at_first_limit() {
    let targets = [at(1.0, 0.0, 0.0), at(-1.0, 0.0, 0.0)];
    let limits = Limits { translation: [DVec3::splat(-1.5), DVec3::splat(1.5)], ..Limits::NONE };
    let settings = Settings::default().with(|s| s.motion.limits = limits);
    let drag = typed("scale_uniform", "4", &targets, &settings);
    assert!(drag.motion().clamped && (drag.numbers()[0] - 1.5).abs() < 1e-12, "{:?}", drag.numbers());
    assert_eq!(typed("scale_yz", "4", &targets, &settings).numbers(), [4.0], "no position moves along x");
    // With individual pivots, no position changes.
    let individual = settings.with(|s| s.pivot = Pivot::Individual);
    assert_eq!(typed("scale_uniform", "4", &targets, &individual).numbers(), [4.0]);

    let limits = Limits { translation: [DVec3::NEG_INFINITY, DVec3::new(9.0, 0.5, 9.0)], ..Limits::NONE };
    let settings = Settings::default().with(|s| s.motion.limits = limits);
    for degrees in ["90", "-90", "725"] {
        let drag = typed("rotate_z", degrees, &targets, &settings);
        let sign = if degrees.starts_with('-') { -1.0 } else { 1.0 };
        // The sine of 30° is a half.
        assert!((drag.numbers()[0] - sign * std::f64::consts::FRAC_PI_6).abs() < 1e-9, "{degrees}");
        assert!(moved(&drag, &targets).iter().all(|t| t.local.translation.y <= 0.5 + 1e-9));
    }
    assert_eq!(typed("rotate_z", "20", &targets, &settings).numbers(), [20f64.to_radians()]);
    assert_eq!(typed("rotate_x", "725", &targets, &settings).numbers(), [725f64.to_radians()]);

    // Trials in small steps: no channel exceeds its limit on the way, and the next step would.
    let limited = std::cell::Cell::new(0u32);
    cases(300, |rng| {
        let targets: Vec<Target> = (0..3)
            .map(|_| Target::new(odd_transform(direction(rng)), DMat4::from_quat(rotation(rng))))
            .collect();
        let limits = Limits { translation: [DVec3::splat(-1.1), DVec3::splat(1.1)], ..Limits::NONE };
        let pivot = Pivot::Custom(direction(rng));
        let settings = Settings::default().with(|s| {
            s.motion.limits = limits;
            s.pivot = pivot;
        });
        let free = settings.with(|s| s.motion.limits = Limits::NONE);
        let stopped = typed("rotate_y", "300", &targets, &settings).numbers()[0].to_degrees();
        let inside = |degrees: f64| {
            let drag = typed("rotate_y", &format!("{degrees:.6}"), &targets, &free);
            moved(&drag, &targets).iter().all(|t| t.local.translation.abs().max_element() <= 1.1 + 1e-7)
        };
        for step in 0..=20 {
            assert!(inside(stopped * f64::from(step) / 20.0), "{stopped}");
        }
        let is_limited = stopped <= 299.9;
        assert!(!is_limited || !inside(stopped + 0.01), "{stopped}");
        limited.set(limited.get() + u32::from(is_limited));
    });
    assert!(limited.get() > 250, "{}", limited.get());
}

/// What should not move at all moves by rounding error, which is no reason to stop at a limit.
#[test]
fn rounding_error_at_limit_stops_nothing() {
    let tilted = DQuat::from_xyzw(0.3, 0.2, 0.5, 1.0).normalize();
    let parent = DMat4::from_rotation_translation(tilted, DVec3::new(0.1, 0.2, 0.3));
    let child = |x: f64, z: f64, rotation: DQuat| {
        let local = Transform { rotation, ..at(x, 0.407, z).local };
        Target::new(local, parent).with_bounds([DVec3::splat(-0.5), DVec3::splat(0.5)])
    };
    let one = [child(0.1, 0.254, tilted)];
    let lying = [child(0.1, 0.254, DQuat::from_rotation_x(FRAC_PI_2))];
    let row = [1.0, 0.2, -0.6].map(|x| child(x, x * 0.5, DQuat::IDENTITY));
    let settings = Settings::default().with(|s| {
        s.motion.limits.translation = [DVec3::new(-9.0, 0.407, -9.0), DVec3::new(9.0, 0.407, 9.0)];
        s.box_handles = Some(BoxHandles::default());
        s.orientation = Orientation::Parent;
    });
    for (name, targets, pivot) in [
        ("scale_uniform", &one[..], Pivot::BoundsCenter),
        ("rotate_x", &one[..], Pivot::BoundsCenter),
        ("rotate_y", &row[..], Pivot::Median),
        ("scale_zx", &row[..], Pivot::Median),
        ("box_+y", &lying[..], Pivot::Median),
    ] {
        for number in ["3", "0.3", "-60"] {
            let drag = typed(name, number, targets, &settings.with(|s| s.pivot = pivot));
            let is_too_small = number == "-60" && !name.starts_with("rotate");
            assert_eq!(drag.motion().clamped, is_too_small, "{name} {number}");
        }
    }
}
