//! Changes during a drag (§3 of docs/spec.md): they apply at once, wait for the release, or cancel.

use crate::prelude::*;

/// One drag per channel, on two targets that every setting affects: mode, handle, pressed point in sizes,
/// and movement in pixels.
const DRAGS: [(Mode, &str, DVec3, DVec2); 3] = [
    (Mode::Translate, "translate_x", DVec3::new(0.7, 0.0, 0.0), DVec2::new(90.0, 40.0)),
    (Mode::Rotate, "rotate_y", DVec3::new(0.8, 0.0, 0.6), DVec2::new(-60.0, 25.0)),
    (Mode::Scale, "scale_x", DVec3::new(0.7, 0.0, 0.0), DVec2::new(70.0, 10.0)),
];

fn stage(mode: Mode) -> Stage {
    let mut stage = Stage::of_mode(mode);
    let turned = |angle: f64| DQuat::from_rotation_y(angle);
    let other =
        Transform { translation: DVec3::new(0.5, 0.3, -0.4), rotation: turned(0.7), ..Transform::IDENTITY };
    stage.targets = vec![Target::from_world(other), Target::from_world(Transform::IDENTITY)];
    stage.gizmo.settings.pivot = Pivot::Active;
    stage
}

/// Runs each drag twice, without and with `change` halfway, and returns both stages at the end.
fn with_and_without(change: impl Fn(&mut Stage)) -> Vec<[Stage; 2]> {
    let drag = |(mode, name, at, movement): (Mode, &str, DVec3, DVec2), changes: bool| {
        let mut stage = stage(mode);
        let press = stage.at(at);
        stage.grab(press);
        assert_eq!(stage.gizmo.dragging(), Some(handle(name)));
        stage.point_at(press + movement * 0.5);
        if changes {
            change(&mut stage);
            stage.update();
        }
        stage.point_at(press + movement);
        assert!(stage.gizmo.is_active());
        stage
    };
    DRAGS.map(|of| [false, true].map(|changes| drag(of, changes))).into()
}

#[test]
fn changed_settings_wait_for_release() {
    const NARROW: [DVec3; 2] = [DVec3::splat(-0.01), DVec3::splat(0.01)];
    const LOCKS: Locks = Locks { translation: BVec3::TRUE, rotation: true, scale: BVec3::TRUE };
    let changes: [fn(&mut Settings); 15] = [
        |s| s.mode = Mode::None,
        |s| s.mode = Mode::Universal,
        |s| s.orientation = Orientation::View,
        |s| s.orientation = Orientation::Custom(DQuat::from_rotation_z(0.4)),
        |s| s.pivot = Pivot::EachTarget,
        |s| s.pivot = Pivot::Custom(DVec3::ONE),
        |s| s.motion.solver = Solver::ClosestPoint,
        |s| s.motion.limits = Limits { angle: [-0.01, 0.01], ..Limits::NONE },
        |s| s.motion.limits = Limits { translation: NARROW, scale: NARROW, ..Limits::NONE },
        |s| s.motion.locks = LOCKS,
        |s| s.motion.max_distance = Some(0.01),
        |s| s.motion.allow_mirror = true,
        |s| s.motion.shear = ShearPolicy::Reject,
        |s| s.display.flip_toward_camera = true,
        |s| s.display.size_lpx = 30.0,
    ];
    for change in changes {
        for [without, mut with] in with_and_without(|stage| change(&mut stage.gizmo.settings)) {
            assert_eq!(all_bits(&with.targets), all_bits(&without.targets));
            assert_eq!(with.release(), [Event::Ended { changed: true }]);
            assert_eq!(all_bits(&with.targets), all_bits(&without.targets), "the release moves nothing");
        }
    }
}

#[test]
fn increment_changes_apply_at_once_without_trace() {
    let translate = Increment::new(0.25);
    let snap = Snap { translate, rotate: Increment::new(0.2), scale: Increment::new(0.25) };
    for [without, mut with] in with_and_without(|stage| stage.gizmo.settings.snap.increments = snap) {
        let numbers = |stage: &Stage| stage.gizmo.drag().expect("a drag is in progress").numbers().to_vec();
        let (free, snapped) = (numbers(&without)[0], numbers(&with)[0]);
        let step = if with.gizmo.dragging() == Some(handle("rotate_y")) { 0.2 } else { 0.25 };
        assert!((snapped - step * (free / step).round()).abs() < 1e-12, "{free} snapped to {snapped}");
        with.gizmo.settings.snap.kind = SnapKind::Grid { origin_world: DVec3::splat(0.1) };
        with.update();
        with.gizmo.settings.snap.increments = Snap::OFF;
        with.update();
        assert_eq!(all_bits(&with.targets), all_bits(&without.targets));
    }
}

/// Returns the motion of an arrow whose pointer comes back to the pressed pixel while the camera moves.
fn returned(path: &[DVec2], is_one_frame: bool) -> f64 {
    let mut stage = stage(Mode::Translate);
    let press = stage.at(DVec3::X * 0.7);
    stage.grab(press);
    for by in path {
        stage.move_to(press + *by);
        if !is_one_frame {
            stage.update();
        }
    }
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(3.0, 2.5, 5.0)));
    stage.point_at(press);
    stage.targets[1].local.translation.x
}

#[test]
fn pressed_pixel_is_start_only_until_pointer_leaves() {
    assert_eq!(returned(&[], true), 0.0, "the camera alone moves nothing");
    let away = [DVec2::new(60.0, 10.0)];
    let by = returned(&away, false);
    assert!(by.abs() > 0.01, "{by}: the pointer is elsewhere in the new view");
    assert_eq!(returned(&away, true), by, "in one frame or in two");
}

#[test]
fn keys_keep_start_until_pointer_leaves_pressed_pixel() {
    let mut stage = stage(Mode::Rotate);
    stage.grab(stage.at(DVec3::new(0.8, 0.0, 0.6)));
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(3.0, 2.5, 5.0)));
    let before = all_bits(&stage.targets);
    for precision in [true, false] {
        stage.gizmo.set_held_keys(HeldKeys { precision, ..HeldKeys::NONE });
        stage.keys("y");
        assert_eq!(all_bits(&stage.targets), before);
    }
}

#[test]
fn camera_does_not_turn_ball_that_is_only_nudged() {
    let mut stage = stage(Mode::Rotate);
    stage.grab(stage.at(DVec3::new(0.2, 0.15, 0.3)));
    assert_eq!(stage.gizmo.dragging(), Some(handle("rotate_trackball")));
    stage.keys("r");
    let nudged = all_bits(&stage.targets);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(3.0, 2.5, 5.0)));
    stage.update();
    assert_eq!(all_bits(&stage.targets), nudged);
}

#[test]
fn motion_holds_in_views_without_room_or_pivot() {
    for solver in Solver::ALL {
        let mut stage = stage(Mode::Translate);
        stage.gizmo.settings.motion.solver = solver;
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 6.0));
        let press = stage.at(DVec3::X * 0.7);
        stage.grab(press);
        stage.point_at(press + DVec2::new(60.0, 10.0));
        let before = stage.targets[1].local.translation;
        assert!(before.x > 0.1);
        let tiny = Viewport { x: 3.0, y: 3.0, width: 400.0, height: 7.0 };
        for camera in [
            Camera { viewport: tiny, ..Camera::at(DVec3::Z * 6.0) },
            Camera::at(DVec3::Z * -6.0 + before),
            // Nearer than a hundredth of the distance at the press.
            Camera { look_at: DVec3::Z * -9.0, ..Camera::at(DVec3::Z * 0.05) },
        ] {
            let is_behind = camera.eye.z < 0.0;
            let look_at = if is_behind { DVec3::Z * -9.0 } else { camera.look_at };
            stage.shot = views::ALL[0].shot(&Camera { look_at, ..camera });
            stage.point_at(press + DVec2::new(-90.0, -20.0));
            assert_eq!(stage.targets[1].local.translation, before, "{solver:?} {camera:?}");
        }
    }
}

#[test]
fn drag_goes_on_in_other_kind_of_projection() {
    let [perspective, orthographic] = [0, 7].map(|index| views::ALL[index]);
    for (from, to, distance) in [(perspective, orthographic, 600.0), (orthographic, perspective, 0.006)] {
        for solver in Solver::ALL {
            let mut stage = stage(Mode::Translate);
            stage.gizmo.settings.motion.solver = solver;
            let camera = Camera::at(DVec3::new(0.3, 0.2, 1.0) * distance);
            stage.shot = from.shot(&camera);
            let press = stage.at(DVec3::X * 0.7);
            stage.grab(press);
            stage.shot = to.shot(&camera);
            let [x, far] = [30.0, 90.0].map(|right| {
                stage.point_at(press + DVec2::X * right);
                stage.targets[1].local.translation.x
            });
            assert!(far - x > 0.01 * distance, "{solver:?}, {}: from {x} to {far}", to.name);
        }
    }
}

/// A turn at a tenth of the speed is 36°, which is not what the pointer gives at the pressed pixel.
#[test]
fn nudge_at_pressed_pixel_adds_to_start_after_precise_turn() {
    let mut stage = stage(Mode::Rotate);
    stage.gizmo.set_held_keys(HeldKeys { precision: true, ..HeldKeys::NONE });
    let at = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians()) * DVec3::new(0.8, 0.0, 0.6);
    stage.grab(stage.at(at(0.0)));
    (1..12).for_each(|step| drop(stage.point_at(stage.at(at(30.0 * f64::from(step))))));
    stage.point_at(stage.at(at(0.0)));
    let before = stage.targets[1].local.rotation;
    stage.keys("u");
    let turned = stage.targets[1].local.rotation.angle_between(before).to_degrees();
    assert!((turned - 15.0).abs() < 1e-6, "{turned}");
}
