//! Sentences of docs/spec.md with numbers: turns, limits, reach and locks, without random input.

use crate::prelude::*;

/// Returns a rotation that no axis survives.
fn turned() -> DQuat {
    DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 1.1)
}

#[test]
fn snapped_whole_turns_are_identity() {
    let snap = Snap { rotate: Increment::new(15f64.to_radians()), ..Snap::OFF };
    let stage = Stage::of_mode(Mode::Rotate);
    let settings = Settings::default();
    let mut drag = Drag::begin_by_keys(handle("rotate_z"), &stage.shot.view, &stage.targets, &settings, snap)
        .expect("the handle is enabled");
    for turns in (1..2_000).flat_map(|turns| [turns, -turns]) {
        let angle = f64::from(turns) * std::f64::consts::TAU + 0.05;
        let change = drag.drive(angle, snap).expect("an angle").change;
        assert!(change.is_identity(), "{change:?}");
        assert!(matches!(change, Change::Rotate { turns: found, .. } if found == f64::from(turns)));
        assert!(!drag.drive(angle, Snap::OFF).expect("an angle").change.is_identity());
    }
}

#[test]
fn rotation_stops_where_first_coordinate_meets_limit() {
    // A point at (1, 0, 0) turns about the origin by θ to (cos θ, sin θ, 0).
    let at_start = |limits: [DVec3; 2], angle: f64| {
        let settings = Settings::default().with(|s| {
            s.pivot = Pivot::Custom(DVec3::ZERO);
            s.motion.limits = Limits { translation: limits, ..Limits::NONE };
        });
        let mut targets = [target_at(DVec3::X)];
        let driven =
            Stage::new(settings).gizmo.drive(handle("rotate_z"), angle, &mut targets).expect("it turns");
        (driven.motion.change.total_angle(), driven.motion.clamped)
    };
    let (low, high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    let half = [low.with_x(0.5), high];
    for (limits, angle, reached) in [
        (half, 3.0, 0.5f64.acos()),
        (half, -3.0, -(0.5f64.acos())),
        (half, 1.0, 1.0),
        ([low, high.with_y(0.5)], 3.0, 0.5f64.asin()),
        ([low, high.with_y(0.5)], -0.4, -0.4),
        // Down to −π − asin(0.5), where Y is 0.5 again.
        ([low, high.with_y(0.5)], -5.0, -std::f64::consts::PI - 0.5f64.asin()),
        ([low.with_y(-0.25), high], -3.0, -(0.25f64.asin())),
        // At the limit from the start: only the other way.
        ([low, high.with_y(0.0)], 1.0, 0.0),
        ([low, high.with_y(0.0)], -1.0, -1.0),
        ([low.with_y(0.0), high], -1.0, 0.0),
        ([low.with_y(0.0), high], 1.0, 1.0),
        ([low, high.with_x(1.0)], 9.0, 9.0),
        ([low.with_x(1.0), high], 1.0, 0.0),
        ([low.with_x(1.0), high], -1.0, 0.0),
        ([DVec3::NAN, DVec3::NAN], 9.0, 9.0),
        ([low.with_x(-1.0).with_y(-1.0), high.with_x(1.0).with_y(1.0)], -20.0, -20.0),
    ] {
        let (found, clamped) = at_start(limits, angle);
        assert!((found - reached).abs() < 1e-9, "{found} instead of {reached}: {limits:?}, {angle}");
        assert_eq!(clamped, reached != angle, "{limits:?}, {angle}");
    }
}

#[test]
fn unusable_max_distance_is_thousand_heights() {
    let stage = Stage::of_mode(Mode::Translate);
    let far = |max_distance: Option<f64>| {
        let settings = Settings::default().with(|s| s.motion.max_distance = max_distance);
        let press = stage.at(DVec3::ZERO);
        let mut drag = begin(handle("translate_view"), &stage.shot, press, stage.targets[0], &settings);
        let motion = drag.solve(&stage.shot.view, DVec2::new(3e6, 300.0), Snap::OFF);
        (displacement(motion).length(), motion.clamped)
    };
    let height = 600.0 * world_per_px(&stage.shot, DVec3::ZERO);
    for unusable in [None, Some(-1.0), Some(f64::INFINITY), Some(f64::NAN)] {
        let (length, clamped) = far(unusable);
        assert!(clamped && (length / height - 1000.0).abs() < 1e-3, "{unusable:?}: {length}");
    }
    assert_eq!(far(Some(0.0)), (0.0, true));
    assert!((far(Some(2.5)).0 - 2.5).abs() < 1e-12);
}

#[test]
fn identity_is_told_from_every_other_change() {
    let (turn, one) = (turned(), DVec3::ONE);
    for (change, is_identity) in [
        (Change::Translate(DVec3::ZERO), true),
        (Change::Translate(DVec3::X), false),
        (Change::RotateFreely(DQuat::IDENTITY), true),
        (Change::RotateFreely(turn), false),
        (Change::Scale(one), true),
        (Change::Scale(DVec3::new(1.0, 1.0, 2.0)), false),
        (Change::Place { by: DVec3::ZERO, turn: DQuat::IDENTITY }, true),
        (Change::Place { by: DVec3::ZERO, turn }, false),
        (Change::Place { by: one, turn: DQuat::IDENTITY }, false),
        (Change::Resize { by: [DVec3::ZERO; 2] }, true),
        (Change::Resize { by: [DVec3::ZERO, one] }, false),
        (Change::Resize { by: [one, DVec3::ZERO] }, false),
    ] {
        assert_eq!(change.is_identity(), is_identity, "{change:?}");
    }
}

#[test]
fn disabled_reasons_follow_targets_and_settings() {
    use DisabledReason::{Locked, Shear, ZeroScale};
    let even = DMat4::from_scale_rotation_translation(DVec3::splat(-2.0), turned(), DVec3::ONE);
    let uneven = DMat4::from_scale(DVec3::new(1.0, 2.0, 1.0));
    let tiny = DMat4::from_scale_rotation_translation(DVec3::splat(1e-6), turned(), DVec3::ZERO);
    let flat = Transform { scale: DVec3::new(0.0, 2.0, 3.0), ..Transform::IDENTITY };
    let line = Transform { scale: DVec3::new(0.0, 2.0, 0.0), ..Transform::IDENTITY };
    let none = Transform { scale: DVec3::ZERO, ..Transform::IDENTITY };
    let whole = Transform::IDENTITY;
    let plain = Settings::default();
    let rejecting = plain.with(|s| s.motion.shear = ShearPolicy::Reject);
    let x_locked = plain.with(|s| {
        s.orientation = Orientation::Parent;
        s.motion.locks = Locks { translation: BVec3::new(true, false, false), ..Locks::NONE };
    });
    for (settings, parent, local, name, reason) in [
        (&plain, uneven, whole, "rotate_x", None),
        (&rejecting, even, whole, "rotate_x", None),
        (&rejecting, uneven, whole, "rotate_x", Some(Shear)),
        (&rejecting, uneven, whole, "translate_x", None),
        (&rejecting, uneven, whole, "scale_x", None),
        (&plain, even, flat, "scale_x", Some(ZeroScale)),
        (&plain, even, flat, "scale_y", None),
        (&plain, even, flat, "scale_zx", None),
        (&plain, even, flat, "scale_uniform", None),
        (&plain, even, flat, "translate_x", None),
        (&plain, even, line, "scale_zx", Some(ZeroScale)),
        (&plain, even, line, "scale_uniform", None),
        (&plain, even, none, "scale_uniform", Some(ZeroScale)),
        (&plain, even, none, "rotate_x", None),
        (&x_locked, tiny, whole, "translate_x", Some(Locked)),
        (&x_locked, tiny, whole, "translate_y", None),
        (&x_locked, tiny, whole, "translate_xy", None),
        (&x_locked, even, whole, "translate_x", Some(Locked)),
        (&x_locked, even, whole, "translate_view", None),
        (&x_locked, even, whole, "rotate_x", None),
    ] {
        let mut stage = Stage::new(*settings);
        stage.targets = vec![Target::new(local, parent)];
        stage.update();
        assert_eq!(stage.gizmo.disabled_reason(handle(name)), reason, "{name}: {settings:?}");
    }
}

#[test]
fn unusable_places_fall_back() {
    let of = |settings: Settings| {
        let mut stage = Stage::new(settings);
        stage.targets = vec![target_at(DVec3::X), target_at(DVec3::Y)];
        stage.update();
        stage.gizmo.pivot_place().expect("there are targets")
    };
    let median = DVec3::new(0.5, 0.5, 0.0);
    for point in [DVec3::NAN, DVec3::INFINITY] {
        assert_eq!(of(Settings::default().with(|s| s.pivot = Pivot::Custom(point))).translation, median);
    }
    for (rotation, expected) in [
        (turned() * 3.0, turned()),
        (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::IDENTITY),
        (DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DQuat::IDENTITY),
        (DQuat::from_xyzw(f64::INFINITY, 0.0, 0.0, 1.0), DQuat::IDENTITY),
    ] {
        let found = of(Settings::default().with(|s| s.orientation = Orientation::Custom(rotation))).rotation;
        assert!(found.angle_between(expected) < 1e-7, "{rotation}: {found}");
    }
}

#[test]
fn view_handle_moves_all_alike_after_axis_keys() {
    let settings = Settings::default().with(|s| s.axes = Axes::Own);
    let moved = |keys: usize| {
        let mut stage = Stage::new(settings);
        let turned = Transform { rotation: turned(), translation: DVec3::X, ..Transform::IDENTITY };
        stage.targets = vec![Target::from_world(turned), target_at(-DVec3::X)];
        let (press_px, view) = (stage.at(DVec3::X), stage.shot.view);
        let mut drag =
            Drag::begin(handle("translate_view"), &view, press_px, &stage.targets, &settings, Snap::OFF)
                .expect("the handle can be grabbed");
        (0..keys).for_each(|_| assert!(drag.key(Key::Axis(Axis::Y), Snap::OFF)));
        drag.solve(&view, press_px + DVec2::new(40.0, -25.0), Snap::OFF);
        drag.apply(&mut stage.targets);
        [stage.targets[0].local.translation - DVec3::X, stage.targets[1].local.translation + DVec3::X]
    };
    let [first, second] = moved(0);
    assert!(first.distance(second) < 1e-12 && first.length() > 0.1);
    assert_eq!(moved(3), [first, second], "the third press restores the pressed handle");
}
