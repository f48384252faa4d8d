//! §22 of docs/spec.md: ways to grab, clicks, own axes and absolute snapping.

use crate::oracle::{bits, handle};
use crate::stage::{ARROW_X, Stage};
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::{Axes, GrabMode, Limits, Pivot, SnapKind};
use wgpu_gizmo_core::interaction::{Drag, Event, Key, KeyModifiers};
use wgpu_gizmo_core::{Increment, Mode, Orientation, Settings, Snap, Target, Transform};

/// Presses and releases on a handle, and returns the events of the release.
fn click(stage: &mut Stage, at: DVec3) -> Vec<Event> {
    let px = stage.at(at);
    stage.grab(px);
    stage.gizmo.pointer_released();
    stage.update()
}

fn with_grab(grab: GrabMode) -> Stage {
    Stage::new(Settings::default().with(|s| s.input.grab = grab))
}

#[test]
fn either_mode_continues_after_click_and_ends_after_hold() {
    let mut stage = with_grab(GrabMode::Either);
    assert_eq!(click(&mut stage, ARROW_X), [], "the drag goes on without the button");
    assert!(stage.gizmo.is_active() && stage.gizmo.claims().primary_drag);
    let away = stage.at(DVec3::X * 1.7);
    assert!(matches!(stage.point_at(away)[..], [Event::Changed(_)]));
    let moved = stage.local();
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    assert!(stage.gizmo.claims().click, "this press selects nothing");
    assert_eq!(stage.release(), []);
    assert_eq!(bits(&stage.local()), bits(&moved));
    assert!(!stage.gizmo.is_busy());
    // With motion, the release ends the drag.
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    stage.move_to(arrow + DVec2::X * 30.0);
    assert!(matches!(stage.release()[..], [.., Event::Ended { changed: true }]));
}

#[test]
fn toggle_drags_from_click_to_click() {
    let mut stage = with_grab(GrabMode::Toggle);
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    stage.move_to(arrow + DVec2::X * 30.0);
    assert!(matches!(stage.release()[..], [Event::Changed(_)]), "even after motion");
    stage.point_at(arrow + DVec2::X * 60.0);
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.release(), [Event::Ended { changed: true }]);
    assert!(!stage.gizmo.is_active());
}

#[test]
fn canceled_click_drag_leaves_nothing_pressed() {
    for by_key in [false, true] {
        let mut stage = with_grab(GrabMode::Either);
        click(&mut stage, ARROW_X);
        let away = stage.at(DVec3::X * 1.7);
        stage.point_at(away);
        match by_key {
            true => stage.gizmo.key(Key::Escape, KeyModifiers::NONE),
            false => stage.gizmo.cancel(),
        }
        assert_eq!(stage.update(), [Event::Canceled]);
        assert_eq!(stage.local(), Transform::IDENTITY);
        stage.update();
        assert!(!stage.gizmo.claims().primary_drag, "no button is down");
        let again = stage.at(ARROW_X);
        assert!(matches!(stage.grab(again)[..], [Event::Started(_)]));
    }
}

#[test]
fn click_to_type_begins_typed_drag_of_handle() {
    let mut stage = Stage::new(Settings::default().with(|s| s.input.click_to_type = true));
    assert_eq!(click(&mut stage, ARROW_X), [], "one transaction");
    assert_eq!(stage.point_at(DVec2::new(30.0, 30.0)), [], "the pointer is ignored");
    for key in [Key::Digit(2), Key::Point, Key::Digit(5)] {
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    stage.update();
    assert_eq!(stage.local().translation, DVec3::X * 2.5);
    stage.gizmo.key(Key::Enter, KeyModifiers::NONE);
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    // A drag with motion is one with the pointer.
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    stage.move_to(arrow + DVec2::X * 30.0);
    assert!(matches!(stage.release()[..], [.., Event::Ended { .. }]));
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
    // A number that is typed after a click is no click.
    stage.gizmo.settings.input.click_to_type = true;
    click(&mut stage, ARROW_X);
    stage.gizmo.key(Key::Enter, KeyModifiers::NONE);
    assert!(stage.update() == [Event::Ended { changed: false }] && !was_click(&stage));
}

fn turned(angle: f64, x: f64) -> Target {
    let rotation = DQuat::from_rotation_z(angle);
    let translation = DVec3::X * x;
    Target::from_world(Transform { rotation, translation, ..Transform::IDENTITY })
}

/// Drives a handle of two targets, turned by 90° and 0°, with their own axes.
fn own_axes(orientation: Orientation, name: &str, amount: f64) -> [Transform; 2] {
    let settings = Settings::default().with(|s| {
        s.axes = Axes::Own;
        s.orientation = orientation;
        s.pivot = Pivot::Active;
    });
    let mut stage = Stage::new(settings);
    stage.targets = vec![turned(std::f64::consts::FRAC_PI_2, -1.0), turned(0.0, 1.0)];
    stage.gizmo.drive(handle(name), amount, &mut stage.targets).expect("the handle is usable");
    [stage.targets[0].local, stage.targets[1].local]
}

#[test]
fn own_axes_move_targets_along_their_own_axes() {
    let [turned, active] = own_axes(Orientation::Local, "translate_x", 2.0);
    assert!(turned.translation.abs_diff_eq(DVec3::new(-1.0, 2.0, 0.0), 1e-12), "{turned:?}");
    assert!(active.translation.abs_diff_eq(DVec3::new(3.0, 0.0, 0.0), 1e-12), "{active:?}");
    // The orientation gives the same axes to both.
    let [turned, _] = own_axes(Orientation::World, "translate_x", 2.0);
    assert!(turned.translation.abs_diff_eq(DVec3::new(1.0, 0.0, 0.0), 1e-12), "{turned:?}");
}

#[test]
fn own_axes_scale_positions_along_each_targets_axes() {
    // Two units to the left of the pivot, which is along the turned target's own Y axis.
    let [turned, active] = own_axes(Orientation::World, "scale_y", 3.0);
    assert!(turned.translation.abs_diff_eq(DVec3::new(-5.0, 0.0, 0.0), 1e-12), "{turned:?}");
    assert_eq!((turned.scale, active.scale), (DVec3::new(1.0, 3.0, 1.0), DVec3::new(1.0, 3.0, 1.0)));
    assert_eq!(active.translation, DVec3::X);
    let [turned, _] = own_axes(Orientation::World, "scale_x", 3.0);
    assert!(turned.translation.abs_diff_eq(DVec3::new(-1.0, 0.0, 0.0), 1e-12), "across it nothing moves");
}

#[test]
fn own_axes_keep_limits_of_each_target() {
    let limits = Limits { translation: [DVec3::splat(-9.0), DVec3::new(9.0, 0.5, 9.0)], ..Limits::NONE };
    let settings = Settings::default().with(|s| {
        s.axes = Axes::Own;
        s.orientation = Orientation::Local;
        s.pivot = Pivot::Active;
        s.motion.limits = limits;
    });
    let mut stage = Stage::new(settings);
    stage.targets = vec![turned(std::f64::consts::FRAC_PI_2, -1.0), turned(0.0, 1.0)];
    let driven =
        stage.gizmo.drive(handle("translate_x"), 2.0, &mut stage.targets).expect("the handle is usable");
    assert!(driven.motion.clamped);
    assert!((stage.targets[0].local.translation.y - 0.5).abs() < 1e-12);
    assert!((stage.targets[1].local.translation.x - 1.5).abs() < 1e-12);
}

fn snapped_value(settings: Settings, target: Target, name: &str, amount: f64) -> Transform {
    let settings = settings.with(|s| {
        s.snap.increments = Snap::DEFAULT_INCREMENTS;
        s.snap.kind = SnapKind::Value;
    });
    let mut stage = Stage::new(settings);
    stage.targets = vec![target];
    stage.gizmo.drive(handle(name), amount, &mut stage.targets).expect("the handle is usable");
    stage.local()
}

#[test]
fn value_snapping_rounds_resulting_angle() {
    let angle = |rotation: DQuat| rotation.to_scaled_axis().z.to_degrees();
    let start = turned(20f64.to_radians(), 0.0);
    let parents = [
        DMat4::IDENTITY,
        DMat4::from_rotation_x(0.7) * DMat4::from_scale(DVec3::splat(2.0)),
        DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0)),
    ];
    for parent in parents {
        let target = Target::new(start.local, parent);
        for orientation in [Orientation::Local, Orientation::Parent] {
            let settings = Settings::default().with(|s| s.orientation = orientation);
            for (by, _) in [(7.0, 0), (-30.0, 1), (100.0, 2)] {
                let local = snapped_value(settings, target, "rotate_z", f64::to_radians(by));
                let steps = angle(local.rotation) / 15.0;
                assert!((steps - steps.round()).abs() < 1e-9, "{orientation:?}, {by}: {steps} increments");
                assert!((angle(local.rotation) - 20.0).abs() > 1e-3);
            }
        }
    }
    let local = snapped_value(Settings::default(), start, "rotate_z", 7f64.to_radians());
    assert!((angle(local.rotation) - 30.0).abs() < 1e-9, "27° is nearer to 30° than to 15°");
}

#[test]
fn value_snapping_rounds_resulting_scale() {
    let mut target = turned(0.0, 0.0);
    target.local.scale = DVec3::new(1.25, 0.5, -2.0);
    let local = snapped_value(Settings::default(), target, "scale_x", 1.1);
    assert!((local.scale.x - 1.4).abs() < 1e-12, "1.375 is nearest to 1.4: {}", local.scale.x);
    let local = snapped_value(Settings::default(), target, "scale_z", 1.03);
    assert!((local.scale.z + 2.1).abs() < 1e-12, "{}", local.scale.z);
    let local = snapped_value(Settings::default(), target, "scale_y", 0.01);
    assert!((local.scale.y - 0.1).abs() < 1e-12, "one increment instead of 0: {}", local.scale.y);
    let tenth = Snap { translate: Increment::new(0.5), ..Snap::OFF };
    let mut stage = Stage::new(Settings::default().with(|s| {
        s.snap.increments = tenth;
        s.snap.kind = SnapKind::Value;
    }));
    stage.targets = vec![turned(0.0, 0.2)];
    stage.gizmo.drive(handle("translate_x"), 0.6, &mut stage.targets).expect("the handle is usable");
    assert!((stage.local().translation.x - 0.7).abs() < 1e-12, "translations snap relative");
}

#[test]
fn kinds_of_snapping_have_names() {
    assert_eq!(SnapKind::ALL.map(SnapKind::name), ["relative", "grid", "value"]);
}
