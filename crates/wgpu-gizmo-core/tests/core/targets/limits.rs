//! Limits and locks of several targets.

use super::{at, typed};
use crate::prelude::*;
use crate::walks;
use std::f64::consts::FRAC_PI_2;

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
    let mut counts = [0; 2];
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
        counts[usize::from(is_locked)] += 1;
    });
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

#[test]
fn first_limit_stops_all_targets_on_line() {
    let targets = [at(0.0, 0.0, 0.0), at(3.0, 1.0, 0.0)];
    let limits = Limits {
        translation: [DVec3::splat(-9.0), DVec3::new(5.0, 4.0, 9.0)],
        angle: [-0.5, 1.0],
        scale: [DVec3::splat(0.5), DVec3::splat(3.0)],
    };
    let settings = Settings::default().with(|s| {
        s.motion.limits = limits;
        s.pivot = Pivot::Individual;
    });
    for (name, number, targets, stopped) in [
        ("translate_x", "10", &targets[..], 2.0),
        ("rotate_z", "90", &targets, 1.0),
        ("rotate_z", "-90", &targets, -0.5),
        ("scale_uniform", "9", &targets, 3.0),
        ("scale_x", ".1", &targets, 0.5),
        // A target that starts beyond a limit may move back but not farther out.
        ("translate_x", "1", &[at(7.0, 0.0, 0.0)], 0.0),
        ("translate_x", "-4", &[at(7.0, 0.0, 0.0)], -4.0),
    ] {
        assert_eq!(typed(name, number, targets, &settings).numbers(), [stopped], "{name} {number}");
    }
    // The start is always within the limits of the angle.
    for (angle, number) in [([0.5, 1.0], "-90"), ([-1.0, -0.5], "90")] {
        let settings = settings.with(|s| s.motion.limits.angle = angle);
        assert_eq!(typed("rotate_z", number, &targets, &settings).numbers(), [0.0], "{angle:?}");
    }
    // In a plane, the other axis moves on when one is at its limit.
    let mut drag = typed("translate_xy", "10", &targets, &settings);
    for key in [Key::Tab, Key::Digit(1)] {
        drag.key(key, Snap::OFF);
    }
    assert_eq!(drag.numbers(), [2.0, 1.0]);
    let settings = settings.with(|s| {
        s.motion.locks.scale.x = true;
        s.motion.limits.scale[1].x = 1.5;
    });
    let drag = typed("scale_uniform", "9", &targets, &settings);
    assert_eq!(drag.numbers(), [3.0], "a locked channel stays, and stops no other");
}

/// A target is at its limit from the start, or up to rounding because a drag has led there.
#[test]
fn drag_farther_into_limit_changes_nothing() {
    let names = ["translate_x", "rotate_x", "rotate_trackball", "scale_x", "scale_uniform", "box_+x"];
    let mut held = 0;
    cases(6_000, |rng| {
        let targets: Vec<Target> = (0..rng.usize(1..4)).map(|index| walks::target(rng, index)).collect();
        let (start, by) = (targets[0].local, [0.0, 0.1][rng.usize(..2)]);
        let mut stage = Stage::new(walks::settings(rng).with(|s| {
            s.motion.limits = Limits::NONE;
            s.motion.limits.translation[1].x = start.translation.x + by;
            s.motion.limits.scale[1].x = start.scale.x + by;
            s.box_handles.insert(BoxHandles::default()).min_size = 2.0;
        }));
        stage.targets = targets;
        stage.update();
        let name = handle(names[rng.usize(..names.len())]);
        for _ in 0..3 {
            let before = stage.targets.clone();
            let Ok(driven) = stage.gizmo.drive(name, 1.5, &mut stage.targets) else { return };
            let is_still = |(before, after)| {
                let (moved, turned, scaled) = changes(before, after);
                moved.iter().chain(&scaled).all(|change| *change < 1e-9) && turned < 1e-7
            };
            if driven.motion.clamped && before.iter().zip(&stage.targets).all(is_still) {
                held += 1;
                assert!(!driven.changed, "{driven:?}");
            }
        }
    });
    assert!(held > 1_000, "{}", held);
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
        ("scale_y", &row[..], Pivot::Median),
        ("box_+y", &lying[..], Pivot::Median),
    ] {
        for number in ["3", "0.3", "-60"] {
            let drag = typed(name, number, targets, &settings.with(|s| s.pivot = pivot));
            let is_too_small = number == "-60" && !name.starts_with("rotate");
            assert_eq!(drag.motion().clamped, is_too_small, "{name} {number}");
        }
    }
}

#[test]
fn mirrored_target_is_scaled_up_to_its_limits() {
    for (factor, scale) in [(1.5, -1.5), (9.0, -2.0), (0.1, -0.5)] {
        let mut stage = Stage::of_mode(Mode::Scale);
        stage.gizmo.settings.motion.limits.scale = [DVec3::splat(-2.0), DVec3::splat(-0.5)];
        stage.targets[0].local.scale = DVec3::NEG_ONE;
        stage.update();
        stage.drive("scale_x", factor);
        assert_eq!(stage.local().scale, DVec3::new(scale, -1.0, -1.0), "{factor}");
    }
}

/// The local X axis of the target is at an angle to both axes of the square.
#[test]
fn plane_drag_slides_along_slanted_limit_without_jumps() {
    let tilted = DMat4::from_rotation_z(-0.6);
    let along_x = |by: DVec3| tilted.inverse().transform_vector3(by).x;
    let settings = Settings::default().with(|s| s.motion.limits.translation[1].x = 1.0);
    let targets = [Target::new(Transform::IDENTITY, tilted)];
    let view = Stage::new(settings).shot.view;
    let mut drag =
        Drag::begin_by_keys(handle("translate_xy"), &view, &targets, &settings, Snap::OFF).expect("usable");
    let mut moved = |wanted: DVec3| match drag.drive([wanted.x, wanted.y], Snap::OFF) {
        Ok(Motion { change: Change::Translate(by), clamped, .. }) => (by, clamped),
        other => panic!("{other:?}"),
    };
    let mut last = moved(DVec3::new(3.0, -4.0, 0.0)).0;
    let mut held = 0;
    for step in 1..=800 {
        let wanted = DVec3::new(3.0, -4.0 + 0.01 * f64::from(step), 0.0);
        let (by, clamped) = moved(wanted);
        assert!(by.distance(last) < 0.0101, "{wanted} moves from {last} to {by}");
        let allowed = wanted - tilted.transform_vector3(DVec3::X) * (along_x(wanted) - 1.0).max(0.0);
        assert!(by.distance(allowed) < 1e-12, "{wanted} moves to {by}, not {allowed}");
        held += usize::from(clamped);
        last = by;
    }
    assert!((100..700).contains(&held), "{held}");
}

/// The axes of the view are at angles to three limits of two targets, which meet at corners.
#[test]
fn plane_drag_past_corner_of_limits_stays_continuous() {
    let mut held = 0;
    cases(400, |rng| {
        let targets: Vec<Target> = (0..2).map(|index| walks::target(rng, index)).collect();
        let settings = Settings::default().with(|s| {
            s.motion.limits.translation = [-3.0, 3.0].map(DVec3::splat);
        });
        let view = Stage::new(settings).shot.view;
        let Ok(mut drag) =
            Drag::begin_by_keys(handle("translate_view"), &view, &targets, &settings, Snap::OFF)
        else {
            return;
        };
        let mut last = None;
        for step in 0..600 {
            let angle = f64::from(step) * 0.01;
            let motion = drag.drive([9.0 * angle.cos(), 7.0 * angle.sin()], Snap::OFF).expect("finite");
            let by = DVec2::from_slice(drag.numbers());
            assert!(last.is_none_or(|last| by.distance(last) < 0.1), "from {last:?} to {by}: {targets:?}");
            held += usize::from(motion.clamped);
            last = Some(by);
        }
    });
    assert!(held > 10_000, "{held}");
}

#[test]
fn ball_stays_at_limit_of_angle_past_whole_turn() {
    let settings = Settings::default().with(|s| {
        s.mode = Mode::Rotate;
        s.motion.limits.angle = [-0.8, 0.8];
    });
    let view = Stage::new(settings).shot.view;
    for press in [DVec2::ZERO, DVec2::new(10.0, 20.0)] {
        let mut targets = [at(0.0, 0.0, 0.0)];
        let center = view.px_from_world(DVec3::ZERO).expect("the pivot is in view");
        let ball = handle("rotate_trackball");
        let mut drag =
            Drag::begin(ball, &view, center + press, &targets, &settings, Snap::OFF).expect("usable");
        let mut last: Option<DQuat> = None;
        for px in 100..1_500 {
            let motion = drag.solve(&view, center + press + DVec2::X * f64::from(px), Snap::OFF);
            drag.apply(&mut targets);
            let rotation = targets[0].local.rotation;
            assert!(motion.clamped && (rotation.to_axis_angle().1 - 0.8).abs() < 1e-9, "{px}: {rotation}");
            assert!(last.is_none_or(|last| rotation.angle_between(last) < 0.05), "jumps at {px}");
            last = Some(rotation);
        }
    }
}

#[test]
fn typed_angle_of_ball_keeps_its_sign_at_limits() {
    let settings = Settings::default().with(|s| s.motion.limits.angle = [-30f64, 10.0].map(f64::to_radians));
    for (number, stopped) in [("-20", -20f64), ("-40", -30.0), ("20", 10.0), ("400", 10.0)] {
        for name in ["rotate_trackball", "rotate_view"] {
            let drag = typed(name, number, &[at(0.0, 0.0, 0.0)], &settings);
            assert!((drag.numbers()[0].to_degrees() - stopped).abs() < 1e-12, "{name} {number}");
        }
    }
}
