//! Drags by keyboard, typed numbers, and keys during a mouse drag (§11 of docs/spec.md).

mod typed;

use crate::prelude::*;

fn turned() -> Transform {
    let rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    Transform { rotation, ..Transform::IDENTITY }
}

#[test]
fn repeated_axis_key_cycles_world_local_free() {
    let name = |stage: &Stage| stage.gizmo.dragging().expect("a drag is in progress").name();
    for (orientation, first, second) in
        [(Orientation::World, DVec3::X, DVec3::Y), (Orientation::Local, DVec3::Y, DVec3::X)]
    {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.orientation = orientation;
        stage.targets[0].local = turned();
        stage.update();
        stage.keys("x2");
        assert!(stage.local().translation.distance(2.0 * first) < 1e-14, "{orientation:?}");
        // The typed text is kept.
        stage.keys("x");
        assert!(stage.local().translation.distance(2.0 * second) < 1e-14, "{orientation:?}");
        assert_eq!(name(&stage), "translate_x");
        stage.keys("x");
        assert_eq!(name(&stage), "translate_view");
        let right = stage.shot.view.right();
        assert!(stage.local().translation.distance(2.0 * right) < 1e-14, "{orientation:?}");
        // The cycle starts over.
        stage.keys("x");
        assert!(stage.local().translation.distance(2.0 * first) < 1e-14, "{orientation:?}");
        stage.keys("Y");
        assert_eq!(name(&stage), "translate_zx");
    }
}

#[test]
fn axis_keys_in_mouse_drag_keep_grab() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let (grab, cursor) = (stage.at(DVec3::X * 0.6), stage.at(DVec3::new(1.4, 0.7, 0.0)));
    stage.grab(grab);
    stage.point_at(cursor);
    let along_x = stage.local().translation;
    stage.keys("y");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_y")));
    // The result is as if the y axis had been grabbed at that pixel.
    let target = target_at(DVec3::ZERO);
    let mut drag = begin(handle("translate_y"), &stage.shot, grab, target, &Settings::default());
    drag.solve(&stage.shot.view, cursor, Snap::OFF);
    assert!((stage.local().translation - DVec3::Y * drag.numbers()[0]).length() < 1e-12);
    stage.keys("yy");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")), "the pressed handle again");
    assert!((stage.local().translation - along_x).length() < 1e-12);
    assert_eq!(stage.release().last(), Some(&Event::Ended { changed: true }));
}

#[test]
fn axis_keys_follow_their_setting() {
    for (axis_keys, beside, over) in
        [(AxisKeys::Off, false, false), (AxisKeys::WhenHovered, false, true), (AxisKeys::Always, true, true)]
    {
        for (is_hovered, begins) in [(false, beside), (true, over)] {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.gizmo.settings.input.axis_keys = axis_keys;
            stage.hover(stage.at(DVec3::X * if is_hovered { 0.8 } else { 2.0 }));
            assert_eq!(stage.gizmo.uses_key(Key::Axis(Axis::Y)), begins, "{axis_keys:?} {is_hovered}");
            stage.keys("y4!");
            let moved = if begins { DVec3::Y * 4.0 } else { DVec3::ZERO };
            assert_eq!(stage.local().translation, moved, "{axis_keys:?} {is_hovered}");
        }
        // In a drag they act as always.
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.input.axis_keys = axis_keys;
        stage.grab(stage.at(DVec3::X * 0.8));
        stage.keys("y3");
        assert_eq!(stage.local().translation, DVec3::Y * 3.0, "{axis_keys:?}");
    }
}

#[test]
fn keys_reach_only_chosen_handles() {
    let mut stage = Stage::of_mode(Mode::Handles(handle("translate_x").into()));
    assert!(stage.keys("y2").is_empty());
    stage.keys("x2");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    stage.keys("y");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")), "translate_y is not shown");
    assert_eq!(stage.local().translation, DVec3::X * 2.0);
}

/// Keys with Ctrl, Alt or Super belong to the host: undo, a menu, another window. Keys that nudge or end a drag work with
/// them as well, because modifiers are also held to snap.
#[test]
fn host_modifiers_leave_only_nudges_and_ends_to_gizmo() {
    let nudges_and_ends = [Key::Left, Key::Right, Key::Up, Key::Down, Key::Enter, Key::Escape];
    let all: Vec<Key> = "xyzXYZ0123456789.-"
        .chars()
        .filter_map(Key::from_char)
        .chain([Key::Backspace, Key::Tab])
        .chain(nudges_and_ends)
        .collect();
    let held = |bits: u8| KeyModifiers {
        ctrl: bits & 1 != 0,
        alt: bits & 2 != 0,
        meta: bits & 4 != 0,
        repeat: false,
    };
    let mut ignored = 0;
    for modifiers in (1..8).map(held) {
        for key in &all {
            let is_alt_gr = modifiers == held(3);
            let types = is_alt_gr && matches!(key, Key::Digit(_) | Key::Point | Key::Minus);
            let acts = types || nudges_and_ends.contains(key);
            ignored += usize::from(!acts);
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.gizmo.key(*key, modifiers);
            assert!(!stage.gizmo.claims().keys);
            assert_eq!(stage.update(), [], "{modifiers:?} {key:?} does not begin a drag");
            // During a keyboard drag and during a mouse drag.
            for press_px in [None, Some(stage.at(DVec3::X * 0.7))] {
                let after = |modifiers: Option<KeyModifiers>| {
                    let mut stage = Stage::of_mode(Mode::Translate);
                    match press_px {
                        Some(press_px) => {
                            stage.grab(press_px);
                            stage.point_at(press_px + DVec2::new(40.0, 5.0));
                        }
                        None => drop(stage.keys("x2")),
                    }
                    modifiers.into_iter().for_each(|modifiers| stage.gizmo.key(*key, modifiers));
                    let events = stage.update();
                    let drag = stage.gizmo.drag().map(|drag| (drag.handle(), drag.numbers().to_vec()));
                    (events, drag, bits(&stage.local()))
                };
                let same = acts.then_some(KeyModifiers::NONE);
                assert_eq!(after(Some(modifiers)), after(same), "{modifiers:?} {key:?}");
            }
        }
    }
    assert_eq!(ignored, 7 * (all.len() - 6) - 12);
}

/// Shift is held for a key only, and released while the pointer moves nothing.
#[test]
fn released_precision_key_leaves_no_lag() {
    let drag = |first: Key, last: Key| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 5.0));
        let to = stage.at(DVec3::X);
        stage.grab(stage.at(DVec3::X * 0.6));
        for (precision, key) in [(true, first), (false, last)] {
            stage.gizmo.set_held_keys(HeldKeys { precision, ..HeldKeys::NONE });
            stage.gizmo.key(key, KeyModifiers::NONE);
            stage.gizmo.set_held_keys(HeldKeys::NONE);
            stage.point_at(to);
        }
        stage.local().translation.x / stage.size()
    };
    // The plane YZ is seen end-on; a typed number replaces that of the pointer.
    for (first, last) in [(Key::Plane(Axis::X), Key::Axis(Axis::X)), (Key::Digit(2), Key::Backspace)] {
        assert!((drag(first, last) - 0.4).abs() < 1e-9, "{first:?}: {}", drag(first, last));
    }
}

#[test]
fn drag_that_began_precise_stays_so_along_other_axis() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 5.0));
    let to = stage.at(DVec3::new(0.6, 0.4, 0.0));
    stage.gizmo.set_held_keys(HeldKeys { precision: true, ..HeldKeys::NONE });
    stage.grab(stage.at(DVec3::X * 0.6));
    stage.point_at(to);
    stage.keys("y");
    let moved = stage.local().translation.y / stage.size();
    assert!((moved - 0.04).abs() < 1e-9, "{moved}");
}

/// A precise drag lags behind the pointer. The lag stays when the axis changes.
#[test]
fn precise_ring_keeps_its_lag_about_other_axis() {
    let angle = |is_precise: bool, keys: &str, radius: f64| {
        let mut stage = Stage::of_mode(Mode::Rotate);
        let at = |degrees: f64| {
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            radius * DVec3::new(cos, sin, 0.0)
        };
        stage.grab(stage.at(at(20.0)));
        stage.gizmo.set_held_keys(HeldKeys { precision: is_precise, ..HeldKeys::NONE });
        stage.update();
        stage.point_at(stage.at(at(50.0)));
        stage.gizmo.set_held_keys(HeldKeys::NONE);
        stage.update();
        stage.point_at(stage.at(at(80.0)));
        stage.keys(keys);
        stage.gizmo.drag().expect("a drag is in progress").numbers()[0]
    };
    let lag = 27f64.to_radians();
    for keys in ["", "y", "yz"] {
        let behind = angle(false, keys, 1.0) - angle(true, keys, 1.0);
        assert!((behind - lag).abs() < 1e-6, "{keys:?}: {}", behind.to_degrees());
    }
    // The lag of the ball is about other axes.
    assert_eq!(angle(false, "z", 0.5), angle(true, "z", 0.5));
}
