//! Sentences of docs/spec.md with numbers: limits, reach, locks and redraws, without random input.

use crate::oracle::{handle, px, target_at, w};
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo_core::interaction::settings::{Axes, BoxHandles, Limits, Locks, Pivot, ShearPolicy};
use wgpu_gizmo_core::interaction::{Change, DisabledReason, Drag, Key};
use wgpu_gizmo_core::{
    Gizmo, HandleId, IdSpace, Increment, Mode, Orientation, Settings, Snap, Target, Transform,
};

fn gizmo(settings: Settings) -> Gizmo {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    gizmo.settings = settings;
    gizmo
}

/// Returns a rotation that no axis survives.
fn turned() -> DQuat {
    DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 1.1)
}

/// Returns a drag of a handle with the pointer, seen from the front.
fn pressed(name: &str, at: DVec3, settings: &Settings) -> (Drag, Stage) {
    let stage = Stage::new(*settings);
    let press_px = stage.at(at);
    let drag = Drag::begin(handle(name), &stage.shot.view, press_px, &stage.targets, settings, Snap::OFF)
        .expect("the handle can be grabbed");
    (drag, stage)
}

#[test]
fn snapped_whole_turns_are_identity() {
    let fifteen_degrees = Increment::new(15f64.to_radians());
    let snap = Snap { rotate: fifteen_degrees, ..Snap::OFF };
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
fn rounding_across_axis_meets_no_limit() {
    for far in [1e-3, 1.0, 1e6] {
        let start = DVec3::new(3.0, -2.0, 0.5);
        let settings = Settings::default().with(|s| {
            s.orientation = Orientation::Parent;
            // Y and Z are at their limits from the start.
            s.motion.limits.translation = [
                DVec3::new(f64::NEG_INFINITY, start.y, start.z),
                DVec3::new(f64::INFINITY, start.y, start.z),
            ];
        });
        for turn in 0..20 {
            let rotation = DQuat::from_axis_angle(turned() * DVec3::Z, 0.3 * f64::from(turn)) * turned();
            let parent = DMat4::from_quat(rotation);
            let mut targets = [Target::new(Transform { translation: start, ..Transform::IDENTITY }, parent)];
            let driven = gizmo(settings).drive(handle("translate_x"), far, &mut targets).expect("it moves");
            assert!(!driven.motion.clamped, "{far}: {driven:?}");
            assert!((targets[0].local.translation.x - start.x - far).abs() < 1e-9 * far.max(1.0));
        }
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
        let driven = gizmo(settings).drive(handle("rotate_z"), angle, &mut targets).expect("it turns");
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
fn mirrored_scale_stops_at_its_own_limits() {
    for sign in [1.0, -1.0] {
        let limits = [DVec3::splat(sign * 0.5), DVec3::splat(sign * 2.0)];
        let limits = [limits[0].min(limits[1]), limits[0].max(limits[1])];
        let settings =
            Settings::default().with(|s| s.motion.limits = Limits { scale: limits, ..Limits::NONE });
        for (factor, reached) in [(3.0, 2.0), (1.5, 1.5), (0.1, 0.5)] {
            let mut targets = [target_at(DVec3::ZERO)];
            targets[0].local.scale.x = sign;
            let driven = gizmo(settings).drive(handle("scale_x"), factor, &mut targets).expect("it scales");
            assert_eq!(driven.motion.clamped, factor != reached, "{sign}: {factor}");
            assert!((targets[0].local.scale.x - sign * reached).abs() < 1e-12, "{sign}: {factor}");
        }
    }
}

#[test]
fn streams_add_both_numbers() {
    let mut gizmo = gizmo(Settings::default());
    let mut targets = [target_at(DVec3::ZERO)];
    gizmo.drive_begin(handle("translate_xy"), &targets).expect("it is enabled");
    gizmo.drive_by([0.3, -0.4], &mut targets).expect("two numbers");
    gizmo.drive_by([0.1, 0.7], &mut targets).expect("two numbers");
    assert!(targets[0].local.translation.distance(DVec3::new(0.4, 0.3, 0.0)) < 1e-15);
}

#[test]
fn unusable_max_distance_is_thousand_heights() {
    let far = |max_distance: Option<f64>| {
        let settings = Settings::default().with(|s| s.motion.max_distance = max_distance);
        let (mut drag, stage) = pressed("translate_view", DVec3::ZERO, &settings);
        let motion = drag.solve(&stage.shot.view, DVec2::new(3e6, 300.0), Snap::OFF);
        let Change::Translate(by) = motion.change else { panic!("{motion:?}") };
        (by.length(), motion.clamped)
    };
    let height = 600.0
        * crate::oracle::world_per_px(
            &pressed("translate_view", DVec3::ZERO, &Settings::default()).1.shot,
            DVec3::ZERO,
        );
    for unusable in [None, Some(-1.0), Some(f64::INFINITY), Some(f64::NAN)] {
        let (length, clamped) = far(unusable);
        assert!(clamped && (length / height - 1000.0).abs() < 1e-3, "{unusable:?}: {length}");
    }
    assert_eq!(far(Some(0.0)), (0.0, true));
    assert!((far(Some(2.5)).0 - 2.5).abs() < 1e-12);
}

#[test]
fn axis_toward_viewer_stops_at_hundredth_of_depth() {
    let settings = Settings::default().with(|s| s.motion.max_distance = Some(1e6));
    let (mut drag, stage) = pressed("translate_z", DVec3::Z * 0.7, &settings);
    let pivot = stage.pivot();
    let (here, there) = (px(&stage.shot, pivot), px(&stage.shot, pivot + DVec3::Z));
    let motion = drag.solve(&stage.shot.view, here + (there - here) * 1e6, Snap::OFF);
    let Change::Translate(by) = motion.change else { panic!("{motion:?}") };
    let grabbed = drag.press_point_world().expect("it is on the axis");
    let depth = w(&stage.shot, grabbed + by) / w(&stage.shot, pivot);
    assert!(motion.clamped && (depth - 0.01).abs() < 1e-9, "{depth}");
}

#[test]
fn amounts_past_all_numbers_move_nothing() {
    let settings = Settings::default().with(|s| s.orientation = Orientation::Custom(turned()));
    let stage = Stage::of_mode(Mode::Translate);
    let mut drag =
        Drag::begin_by_keys(handle("translate_xy"), &stage.shot.view, &stage.targets, &settings, Snap::OFF)
            .expect("it is enabled");
    let small = drag.drive([0.5, 0.25], Snap::OFF).expect("two numbers");
    let huge = drag.drive([f64::MAX, f64::MAX], Snap::OFF).expect("two numbers");
    assert_eq!(huge, small, "the last good motion holds");
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
fn custom_axis_is_locked_along_its_own_direction() {
    let quarter = DQuat::from_axis_angle(DVec3::Z, std::f64::consts::FRAC_PI_2);
    let placement = Transform { rotation: quarter, ..Transform::IDENTITY };
    for (locked, is_disabled) in [([true, false], false), ([false, true], true)] {
        let mut stage = Stage::new(Settings::default());
        let custom = CustomHandle::new(Constraint::Axis(Axis::X), HandleMesh::ball(), placement, [1.0; 4]);
        let id: HandleId = stage.gizmo.add_handle(custom).expect("a slot is free");
        stage.gizmo.settings.mode = Mode::Handles(id.into());
        stage.gizmo.settings.motion.locks.translation = BVec3::new(locked[0], locked[1], false);
        stage.update();
        let reason = is_disabled.then_some(DisabledReason::Locked);
        assert_eq!(stage.gizmo.disabled_reason(id), reason, "X, Y locked: {locked:?}");
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
fn every_change_requests_one_redraw() {
    let each = Settings::default().with(|s| s.pivot = Pivot::EachTarget);
    let boxed = Settings::default().with(|s| s.box_handles = Some(BoxHandles::default()));
    type Adjust = fn(&mut Stage);
    let theme: Adjust = |stage| stage.gizmo.theme.sizes.line_lpx += 1.0;
    let size: Adjust = |stage| stage.gizmo.settings.display.size_lpx += 10.0;
    let mode: Adjust = |stage| stage.gizmo.settings.mode = Mode::Rotate;
    let first: Adjust = |stage| stage.targets[0].local.translation.x += 0.1;
    let last: Adjust = |stage| stage.targets[1].local.translation.x += 0.1;
    let bounds: Adjust = |stage| stage.targets[1].bounds_local = Some([DVec3::ZERO, DVec3::splat(2.0)]);
    let parent: Adjust = |stage| stage.targets[1].world_from_parent = DMat4::ZERO;
    for (number, (settings, adjust)) in [
        (Settings::default(), theme),
        (Settings::default(), size),
        (Settings::default(), mode),
        (Settings::default(), first),
        (Settings::default(), last),
        (Settings::default(), parent),
        (each, first),
        (each, last),
        (each, size),
        (boxed, bounds),
        (boxed, last),
        (boxed, theme),
    ]
    .into_iter()
    .enumerate()
    {
        for is_dragged in [false, true] {
            let mut stage = Stage::new(settings);
            let bounds = [DVec3::splat(-0.5), DVec3::splat(0.5)];
            stage.targets = [0.2, 0.4].map(|x| target_at(DVec3::X * x).with_bounds(bounds)).to_vec();
            if is_dragged {
                stage.gizmo.grab(handle("translate_view"));
            }
            for _ in 0..3 {
                stage.update();
                stage.draw();
            }
            assert!(!stage.gizmo.needs_redraw(0), "{number}, dragged: {is_dragged}");
            adjust(&mut stage);
            stage.update();
            // A drag overwrites the targets, and keeps its mode.
            let is_shown = !is_dragged || number < 2;
            assert!(stage.gizmo.needs_redraw(0) || !is_shown, "{number}, dragged: {is_dragged}");
            stage.draw();
            stage.update();
            stage.draw();
            stage.update();
            assert!(!stage.gizmo.needs_redraw(0), "{number}, dragged: {is_dragged}: one frame is enough");
        }
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

#[test]
fn drag_writes_only_targets_of_press() {
    let (settings, by_keys) = (Settings::default(), [Some(1), Some(2)]);
    for (pressed, given, is_written) in [
        ([None, None], [None, None], true),
        // Without keys, only the length of the list counts.
        ([None, None], by_keys, true),
        (by_keys, by_keys, true),
        (by_keys, [Some(1), Some(3)], false),
        (by_keys, [None, None], false),
        ([None, Some(2)], [Some(1), Some(2)], false),
    ] {
        let list = |keys: [Option<u64>; 2]| {
            keys.map(|key| {
                let target = target_at(DVec3::Y).with_bounds([DVec3::ZERO, DVec3::ONE]);
                key.map_or(target, |key| target.with_key(key))
            })
        };
        let view = Stage::new(settings).shot.view;
        let (starts, mut targets) = (list(pressed), list(given));
        let mut drag = Drag::begin_by_keys(handle("translate_x"), &view, &starts, &settings, Snap::OFF)
            .expect("the handle is enabled");
        drag.drive(2.0, Snap::OFF).expect("one number");
        drag.apply(&mut targets);
        assert_eq!(targets.map(|target| target.local.translation.x == 2.0), [is_written; 2], "{given:?}");
        // A box that the host changes stays as it is: the drag does not change it.
        let mut targets = starts;
        targets.iter_mut().for_each(|target| target.bounds_local = None);
        drag.restore(&mut targets);
        assert!(targets.iter().all(|target| target.bounds_local.is_none()));
    }
}
