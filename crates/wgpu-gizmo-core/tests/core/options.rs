//! §22 of docs/spec.md: ways to grab, clicks, own axes and absolute snapping.

use crate::prelude::*;

/// Presses and releases on a handle, and returns the events of the release.
fn click(stage: &mut Stage, at: DVec3) -> Vec<Event> {
    let px = stage.at(at);
    stage.grab(px);
    stage.gizmo.pointer_released();
    stage.update()
}

#[test]
fn either_mode_continues_after_click_and_ends_after_hold() {
    let mut stage = Stage::new(Settings::default().with(|s| s.input.grab = GrabMode::Either));
    assert_eq!(click(&mut stage, ARROW_X), [], "the drag goes on without the button");
    assert!(matches!(stage.point_at(stage.at(DVec3::X * 1.7))[..], [Event::Changed(_)]));
    let moved = stage.local();
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    assert!(stage.gizmo.claims().click, "this press selects nothing");
    assert_eq!(stage.release(), []);
    assert_eq!(stage.local(), moved);
    // With motion, the release ends the drag.
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    stage.move_to(arrow + DVec2::X * 30.0);
    assert!(matches!(stage.release()[..], [.., Event::Ended { changed: true }]));
}

#[test]
fn toggle_drags_from_click_to_click() {
    let mut stage = Stage::new(Settings::default().with(|s| s.input.grab = GrabMode::Toggle));
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    stage.move_to(arrow + DVec2::X * 30.0);
    assert!(matches!(stage.release()[..], [Event::Changed(_)]), "even after motion");
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.release(), [Event::Ended { changed: true }]);
}

#[test]
fn click_to_type_begins_typed_drag_of_handle() {
    let mut stage = Stage::new(Settings::default().with(|s| s.input.click_to_type = true));
    assert_eq!(click(&mut stage, ARROW_X), [], "one transaction");
    assert_eq!(stage.point_at(DVec2::new(30.0, 30.0)), [], "the pointer is ignored");
    assert_eq!(stage.keys("2!").last(), Some(&Event::Ended { changed: true }));
    assert_eq!(stage.local().translation, DVec3::X * 2.0);
    // A key before the click counts no more, so that the same key does not choose local axes.
    stage.targets[0].local = Transform { rotation: DQuat::from_rotation_z(0.5), ..Transform::IDENTITY };
    stage.grab(stage.at(ARROW_X));
    stage.gizmo.key(Key::Axis(Axis::Y), KeyModifiers::NONE);
    stage.release();
    stage.keys("y2!");
    assert_eq!(stage.local().translation, DVec3::Y * 2.0);
}

#[test]
fn click_passed_by_trackball_or_center_is_reported() {
    for (mode, at, name) in [
        (Mode::Rotate, DVec3::new(0.3, 0.2, 0.1), "rotate_trackball"),
        (Mode::Translate, DVec3::ZERO, "translate_view"),
    ] {
        let mut stage = Stage::of_mode(mode);
        let events = click(&mut stage, at);
        assert_eq!(events, [Event::Ended { changed: false }, Event::ClickPassed(handle(name))]);
        assert!(!stage.gizmo.claims().click, "{name}: the host selects what is behind it");
        // With motion it is a drag.
        let px = stage.at(at);
        stage.grab(px);
        stage.move_to(px + DVec2::X * 20.0);
        assert!(matches!(stage.release()[..], [.., Event::Ended { changed: true }]), "{name}");
    }
    let mut stage = Stage::of_mode(Mode::Translate);
    assert_eq!(click(&mut stage, ARROW_X), [Event::Ended { changed: false }], "an arrow covers nothing");
    // A host can still tell the click from a drag that came back.
    let was_click = |stage: &Stage| stage.gizmo.last_drag().is_some_and(Drag::was_click);
    assert!(was_click(&stage));
    let px = stage.at(ARROW_X);
    stage.grab(px);
    stage.move_to(px + DVec2::X * 20.0);
    stage.move_to(px);
    assert!(matches!(stage.release()[..], [.., Event::Ended { changed: false }]) && !was_click(&stage));
    // One that wobbles is a click whether or not its moves come in one update.
    for is_merged in [true, false] {
        stage.grab(px);
        for by in [2.0, 0.0] {
            stage.move_to(px + DVec2::X * by);
            if !is_merged {
                stage.update();
            }
        }
        stage.release();
        assert!(was_click(&stage), "{is_merged}");
    }
    // A number that is typed after a click is no click.
    stage.gizmo.settings.input.click_to_type = true;
    click(&mut stage, ARROW_X);
    assert!(stage.keys("!") == [Event::Ended { changed: false }] && !was_click(&stage));
}

fn turned(degrees: f64, x: f64) -> Target {
    let rotation = DQuat::from_rotation_z(degrees.to_radians());
    Target::from_world(Transform { rotation, translation: DVec3::X * x, ..Transform::IDENTITY })
}

#[test]
fn own_axes_move_and_scale_targets_along_their_own_axes() {
    // Two targets, turned by 90° and 0°. The first one is left of the pivot, along its own Y axis.
    for (orientation, name, amount, positions) in [
        (Orientation::Local, "translate_x", 2.0, [DVec3::new(-1.0, 2.0, 0.0), DVec3::X * 3.0]),
        // The orientation gives the same axes to both.
        (Orientation::World, "translate_x", 2.0, [DVec3::X, DVec3::X * 3.0]),
        (Orientation::World, "scale_y", 3.0, [DVec3::X * -5.0, DVec3::X]),
        (Orientation::World, "scale_x", 3.0, [DVec3::NEG_X, DVec3::X]),
    ] {
        let mut stage = Stage::new(Settings::default().with(|s| {
            (s.axes, s.orientation, s.pivot) = (Axes::Own, orientation, Pivot::Active);
        }));
        stage.targets = vec![turned(90.0, -1.0), turned(0.0, 1.0)];
        stage.drive(name, amount);
        for (target, position) in stage.targets.iter().zip(positions) {
            assert!(target.local.translation.abs_diff_eq(position, 1e-12), "{name}: {target:?}");
        }
    }
    // The gizmo stays at its pivot if the active target is locked.
    for (pivot, expected) in [(Pivot::Median, DVec3::Y), (Pivot::Active, DVec3::X)] {
        let mut stage = Stage::new(Settings::default().with(|s| {
            (s.axes, s.orientation, s.pivot) = (Axes::Own, Orientation::Local, pivot);
            s.motion.locks.translation.x = true;
        }));
        stage.targets = vec![turned(90.0, -1.0), turned(0.0, 1.0)];
        stage.begin_drive("translate_x", 2.0);
        let place = stage.gizmo.pivot_place().expect("there are targets").translation;
        assert!(place.abs_diff_eq(expected, 1e-12), "{pivot:?}: {place}");
    }
}

#[test]
fn key_that_turns_only_axes_of_other_targets_reports_change() {
    let mut stage = Stage::new(Settings::default().with(|s| s.axes = Axes::Own));
    stage.targets = vec![turned(90.0, -1.0), turned(0.0, 1.0)];
    stage.keys("x2");
    let before = stage.targets[0].local;
    // From World to Local.
    assert!(matches!(stage.keys("x")[..], [Event::Changed(_)]));
    assert_ne!(stage.targets[0].local, before);
}

#[test]
fn value_snapping_rounds_resulting_angle_and_scale() {
    for (name, by, expected) in [
        // 27° is nearer to 30° than to 15°.
        ("rotate_z", 7f64.to_radians(), 30.0),
        ("scale_x", 1.1, 1.4),
        ("scale_z", 1.03, -2.1),
        // One increment instead of 0.
        ("scale_y", 0.01, 0.1),
        // Translations snap relative.
        ("translate_x", 0.6, 0.7),
    ] {
        let mut stage = Stage::new(Settings::default().with(|s| {
            s.snap.increments = Snap::DEFAULT_INCREMENTS;
            s.snap.kind = SnapKind::Value;
        }));
        stage.targets = vec![turned(20.0, 0.2)];
        stage.targets[0].local.scale = DVec3::new(1.25, 0.5, -2.0);
        stage.drive(name, by);
        let Transform { translation, rotation, scale } = stage.local();
        let value = match name {
            "rotate_z" => rotation.to_scaled_axis().z.to_degrees(),
            "scale_x" => scale.x,
            "scale_y" => scale.y,
            "scale_z" => scale.z,
            _ => translation.x,
        };
        assert!((value - expected).abs() < 1e-9, "{name}: {value}");
    }
}
