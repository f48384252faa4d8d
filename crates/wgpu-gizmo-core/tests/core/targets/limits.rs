//! Limits and locks of several targets.

use super::{at, front, moved, typed};
use crate::oracle::{cases, direction, handle, odd_transform, rotation};
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{Axes, Locks, Pivot};
use wgpu_gizmo_core::interaction::{DisabledReason, Drag, Key, KeyModifiers};
use wgpu_gizmo_core::{Orientation, Settings, Snap, Target, Transform};

#[test]
fn press_on_fully_locked_handle_is_refused() {
    let one = [at(1.0, 1.0, 1.0)];
    let disabled_reason = |name: &str, locks: Locks, targets: &[Target]| {
        let settings = Settings::default().with(|s| s.motion.locks = locks);
        Drag::begin_by_keys(handle(name), &front().view, targets, &settings, Snap::OFF).err()
    };
    let x = Locks { translation: BVec3::new(true, false, false), ..Locks::NONE };
    assert_eq!(disabled_reason("translate_x", x, &one), Some(DisabledReason::Locked));
    assert_eq!(disabled_reason("translate_xy", x, &one), None);
    assert_eq!(disabled_reason("rotate_x", x, &one), None);
    let turn = Locks { rotation: true, ..Locks::NONE };
    assert_eq!(disabled_reason("rotate_view", turn, &one), Some(DisabledReason::Locked));
    // With two targets, the positions still rotate about the pivot.
    assert_eq!(disabled_reason("rotate_view", turn, &[one[0], at(0.0, 0.0, 0.0)]), None);
    let scale = Locks { scale: BVec3::new(true, true, false), ..Locks::NONE };
    assert_eq!(disabled_reason("scale_xy", scale, &one), Some(DisabledReason::Locked));
    assert_eq!(disabled_reason("scale_uniform", scale, &one), None);

    // A locked channel keeps its start.
    let settings = Settings::default().with(|s| s.motion.locks = x);
    let drag = typed("translate_xy", "", &one, &settings);
    let mut drag = drag;
    for key in [Key::Digit(3), Key::Tab, Key::Digit(4)] {
        drag.key(key, Snap::OFF);
    }
    assert_eq!(moved(&drag, &one)[0].local.translation, DVec3::new(1.0, 5.0, 1.0));
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
    use wgpu_gizmo_core::interaction::settings::Limits;
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
    use wgpu_gizmo_core::interaction::settings::Limits;
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
