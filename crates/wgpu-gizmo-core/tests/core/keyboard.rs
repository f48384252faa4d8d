//! Drags by keyboard, typed numbers, and keys during a mouse drag (§11 of docs/spec.md).

mod typed;

use crate::oracle::{bits, handle, odd_transform};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::AxisKeys;
use wgpu_gizmo_core::interaction::{Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, Orientation, Settings, Snap, Target, Transform};

fn press(stage: &mut Stage, keys: &str) -> Vec<Event> {
    for character in keys.chars() {
        let key = match character {
            '>' => Key::Tab,
            '<' => Key::Backspace,
            '!' => Key::Enter,
            '~' => Key::Escape,
            'l' => Key::Left,
            'r' => Key::Right,
            'u' => Key::Up,
            'd' => Key::Down,
            other => Key::from_char(other).expect("the character is a key"),
        };
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    stage.update()
}

fn idle(mode: Mode) -> Stage {
    let mut stage = Stage::of_mode(mode);
    stage.update();
    stage
}

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
        let mut stage = idle(Mode::Translate);
        stage.gizmo.settings.orientation = orientation;
        stage.targets[0].local = turned();
        stage.update();
        press(&mut stage, "x2");
        assert!(stage.local().translation.distance(2.0 * first) < 1e-14, "{orientation:?}");
        // The typed text is kept.
        press(&mut stage, "x");
        assert!(stage.local().translation.distance(2.0 * second) < 1e-14, "{orientation:?}");
        assert_eq!(name(&stage), "translate_x");
        press(&mut stage, "x");
        assert_eq!(name(&stage), "translate_view");
        let right = stage.shot.view.right();
        assert!(stage.local().translation.distance(2.0 * right) < 1e-14, "{orientation:?}");
        // The cycle starts over.
        press(&mut stage, "x");
        assert!(stage.local().translation.distance(2.0 * first) < 1e-14, "{orientation:?}");
        press(&mut stage, "Y");
        assert_eq!(name(&stage), "translate_zx");
    }
}

#[test]
fn axis_keys_in_mouse_drag_keep_grab() {
    let mut stage = idle(Mode::Translate);
    let (grab, cursor) = (stage.at(DVec3::X * 0.6), stage.at(DVec3::new(1.4, 0.7, 0.0)));
    stage.grab(grab);
    stage.point_at(cursor);
    let along_x = stage.local().translation;
    press(&mut stage, "y");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_y")));
    // The result is as if the y axis had been grabbed at that pixel.
    let by_hand = {
        let targets = [Target::from_world(Transform::IDENTITY)];
        let view = stage.shot.view;
        let settings = Settings::default();
        let name = handle("translate_y");
        let mut drag =
            wgpu_gizmo_core::interaction::Drag::begin(name, &view, grab, &targets, &settings, Snap::OFF)
                .expect("the y axis is visible");
        drag.solve(&view, cursor, Snap::OFF);
        drag.numbers()[0]
    };
    assert!((stage.local().translation - DVec3::Y * by_hand).length() < 1e-12);
    press(&mut stage, "yy");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")), "the pressed handle again");
    assert!((stage.local().translation - along_x).length() < 1e-12);
    assert_eq!(stage.release().last(), Some(&Event::Ended { changed: true }));
}

#[test]
fn meaningless_keys_change_nothing() {
    let mut stage = idle(Mode::Translate);
    assert!(press(&mut stage, "12.-<>!~lrud").is_empty(), "outside a drag");
    assert!(!stage.gizmo.is_active());
    let mut stage = idle(Mode::None);
    assert!(press(&mut stage, "x1").is_empty(), "without handles");
    let mut stage = idle(Mode::Translate);
    stage.targets.clear();
    let events = press(&mut stage, "x1");
    assert!(matches!(events[..], [Event::Refused(..)]), "{events:?}");
    // Factors of zero and whole turns.
    let mut stage = idle(Mode::Scale);
    press(&mut stage, "x0");
    assert_eq!(stage.local().scale, DVec3::new(1e-4, 1.0, 1.0));
    assert!(stage.gizmo.drag().is_some_and(|drag| drag.motion().clamped));
    let mut stage = idle(Mode::Rotate);
    stage.targets[0].local = odd_transform(DVec3::ONE);
    let start = stage.local();
    stage.update();
    let events = press(&mut stage, "x360!");
    assert_eq!(bits(&stage.local()), bits(&start), "a whole turn restores the start");
    assert_eq!(events.last(), Some(&Event::Ended { changed: false }));
}

#[test]
fn axis_keys_follow_their_setting() {
    let idle = |axis_keys, is_hovered| {
        let mut stage = idle(Mode::Translate);
        stage.gizmo.settings.input.axis_keys = axis_keys;
        let pointer = stage.at(DVec3::X * if is_hovered { 0.8 } else { 2.0 });
        stage.hover(pointer);
        stage
    };
    for (axis_keys, beside, over) in
        [(AxisKeys::Off, false, false), (AxisKeys::WhenHovered, false, true), (AxisKeys::Always, true, true)]
    {
        for (is_hovered, begins) in [(false, beside), (true, over)] {
            let mut stage = idle(axis_keys, is_hovered);
            assert_eq!(stage.gizmo.hovered().is_some(), is_hovered);
            assert_eq!(stage.gizmo.uses_key(Key::Axis(Axis::Y)), begins, "{axis_keys:?} {is_hovered}");
            let keys = [Key::Axis(Axis::Y), Key::Digit(4), Key::Enter];
            for key in keys {
                stage.gizmo.key(key, KeyModifiers::NONE);
                assert_eq!(stage.gizmo.claims().keys, begins, "{axis_keys:?} {is_hovered} {key:?}");
            }
            stage.update();
            let moved = if begins { DVec3::Y * 4.0 } else { DVec3::ZERO };
            assert_eq!(stage.local().translation, moved, "{axis_keys:?} {is_hovered}");
        }
        // In a press and in a drag they act as always.
        let mut stage = idle(axis_keys, true);
        stage.gizmo.pointer_pressed();
        assert!(stage.gizmo.uses_key(Key::Axis(Axis::Y)));
        press(&mut stage, "y");
        stage.answer();
        press(&mut stage, "3");
        assert_eq!(stage.gizmo.dragging(), Some(handle("translate_y")), "{axis_keys:?}");
        assert_eq!(stage.local().translation, DVec3::Y * 3.0, "{axis_keys:?}");
        // Letters belong to a typed number, and not to a nudged one.
        for (key, is_typing) in [(Key::Digit(0), true), (Key::Right, false), (Key::Digit(4), true)] {
            stage.gizmo.key(key, KeyModifiers::NONE);
            stage.update();
            assert_eq!(stage.gizmo.uses_key(Key::Char('m')), is_typing, "{key:?}");
        }
    }
}

/// The host has used the key as a shortcut already.
#[test]
fn axis_key_before_hover_is_left_to_host() {
    let mut stage = idle(Mode::Translate);
    stage.gizmo.settings.input.axis_keys = AxisKeys::WhenHovered;
    let tip = stage.at(DVec3::X * 0.8);
    stage.point_at(tip);
    assert!(!stage.gizmo.uses_key(Key::Axis(Axis::X)), "the pick is in flight");
    stage.gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
    stage.answer();
    assert!(stage.update().is_empty() && stage.gizmo.hovered().is_some());
    // A pointer that has left the handle begins nothing, although no pick has said so yet.
    stage.move_to(DVec2::ZERO);
    assert!(press(&mut stage, "x").is_empty());
}

#[test]
fn keys_reach_only_chosen_handles() {
    let mut stage = idle(Mode::Handles(handle("translate_x").into()));
    assert!(press(&mut stage, "y2").is_empty());
    press(&mut stage, "x2");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    press(&mut stage, "y");
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")), "translate_y is not shown");
    assert_eq!(stage.local().translation, DVec3::X * 2.0);
}

#[test]
fn axis_key_in_uniform_scale_drag_doubles_per_size() {
    let mut stage = idle(Mode::Scale);
    let center = stage.at(DVec3::ZERO);
    stage.grab(center);
    assert_eq!(stage.gizmo.dragging(), Some(handle("scale_uniform")));
    press(&mut stage, "x");
    stage.point_at(stage.at(DVec3::X));
    assert!((stage.local().scale.x - 2.0).abs() < 1e-9, "{}", stage.local().scale);
}

#[test]
fn snap_hook_runs_once_per_batch_of_moves() {
    let mut stage = idle(Mode::Translate);
    let tip = stage.at(DVec3::X * 0.7);
    stage.grab(tip);
    for i in 0..100 {
        stage.move_to(tip + DVec2::new(f64::from(i), 0.0));
    }
    let mut calls = 0;
    let view = stage.shot.view;
    stage.gizmo.update_with(&view, &mut stage.targets, &mut |_| {
        calls += 1;
        None
    });
    assert_eq!(calls, 1);
}

/// Drags at full speed, then at a tenth, then at full speed again, and presses a key at one of the steps.
/// Returns the transforms after the first and the last step.
fn drag_with_key(mode: Mode, name: &str, key: Key, key_at: usize) -> [Transform; 2] {
    let mut stage = idle(mode);
    stage.targets[0].local = turned();
    let center = stage.at(DVec3::ZERO);
    let press = if name == "rotate_y" { stage.at(DVec3::new(0.6, 0.0, 0.8)) } else { center };
    stage.grab(press);
    assert!(stage.gizmo.is_active(), "{name}");
    let press_key = |stage: &mut Stage, at: usize| {
        if at == key_at {
            stage.gizmo.key(key, KeyModifiers::NONE);
        }
        stage.update();
        stage.local()
    };
    press_key(&mut stage, 0);
    stage.point_at(press + DVec2::new(60.0, 35.0));
    stage.gizmo.set_held_keys(HeldKeys { precision: true, ..HeldKeys::NONE });
    press_key(&mut stage, 1);
    let before = stage.local();
    stage.move_to(press + DVec2::new(80.0, 20.0));
    press_key(&mut stage, 2);
    stage.gizmo.set_held_keys(HeldKeys::NONE);
    stage.point_at(press + DVec2::new(110.0, 50.0));
    [before, press_key(&mut stage, 3)]
}

#[test]
fn axis_key_keeps_precision_point() {
    for (mode, name, keys) in [
        (Mode::Translate, "translate_view", [Key::Axis(Axis::X), Key::Plane(Axis::Y)]),
        (Mode::Scale, "scale_uniform", [Key::Axis(Axis::X), Key::Plane(Axis::Y)]),
        (Mode::Rotate, "rotate_y", [Key::Axis(Axis::X), Key::Axis(Axis::Z)]),
    ] {
        for key in keys {
            let [early_first, early] = drag_with_key(mode, name, key, 0);
            let [late_first, late] = drag_with_key(mode, name, key, 1);
            let difference = |a: &Transform, b: &Transform| {
                (a.to_matrix() - b.to_matrix()).to_cols_array().iter().fold(0.0, |m: f64, e| m.max(e.abs()))
            };
            // With one change of speed, the time of the key does not matter.
            assert!(difference(&early_first, &late_first) < 1e-9, "{name} {key:?}");
            assert!(difference(&early, &late) < 1e-9, "{name} {key:?}");
            let [_, later] = drag_with_key(mode, name, key, 2);
            assert!(difference(&early, &later) < 1e-9, "{name} {key:?}: {}", difference(&early, &later));
        }
    }
}

/// Keys with Ctrl, Alt or Super belong to the host: undo, a menu, another window.
#[test]
fn keys_with_host_modifiers_are_ignored() {
    let all: Vec<Key> = "xyzXYZ0123456789.-"
        .chars()
        .filter_map(Key::from_char)
        .chain([Key::Backspace, Key::Tab, Key::Left, Key::Right, Key::Up, Key::Down, Key::Enter, Key::Escape])
        .collect();
    let held = |bits: u8| KeyModifiers {
        ctrl: bits & 1 != 0,
        alt: bits & 2 != 0,
        meta: bits & 4 != 0,
        repeat: false,
    };
    let (mut ignored, mut typed) = (0, 0);
    for modifiers in (1..8).map(held) {
        for key in &all {
            let is_alt_gr = modifiers == held(3);
            let types = is_alt_gr && matches!(key, Key::Digit(_) | Key::Point | Key::Minus);
            let mut stage = idle(Mode::Translate);
            stage.gizmo.key(*key, modifiers);
            assert!(!stage.gizmo.claims().keys);
            assert_eq!(stage.update(), [], "{modifiers:?} {key:?} does not begin a drag");
            // During a keyboard drag and during a mouse drag.
            for press_px in [None, Some(stage.at(DVec3::X * 0.7))] {
                let mut stage = idle(Mode::Translate);
                match press_px {
                    Some(press_px) => {
                        stage.grab(press_px);
                        stage.point_at(press_px + DVec2::new(40.0, 5.0));
                    }
                    None => drop(press(&mut stage, "x2")),
                }
                let drag = |stage: &Stage| {
                    let drag = stage.gizmo.drag().expect("the drag continues");
                    (drag.handle(), drag.numbers().to_vec(), bits(&stage.local()))
                };
                let before = drag(&stage);
                stage.gizmo.key(*key, modifiers);
                let events = stage.update();
                if types {
                    // A second point or a leading zero may have no effect.
                    typed += usize::from(drag(&stage) != before);
                } else {
                    assert_eq!((events, drag(&stage)), (Vec::new(), before), "{modifiers:?} {key:?}");
                    ignored += 1;
                }
            }
        }
    }
    assert_eq!(ignored, 2 * (7 * all.len() - 12));
    assert!(typed >= 18, "{typed}: AltGr types digits");
}

/// Shift is held for a key only, and released while the pointer moves nothing.
#[test]
fn released_precision_key_leaves_no_lag() {
    let drag = |first: Key, last: Key| {
        let mut stage = idle(Mode::Translate);
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 5.0));
        let to = stage.at(DVec3::X);
        stage.grab(stage.at(DVec3::X * 0.6));
        for (precision, key) in [(true, first), (false, last)] {
            stage.gizmo.set_held_keys(HeldKeys { precision, ..HeldKeys::NONE });
            stage.gizmo.key(key, KeyModifiers::NONE);
            stage.gizmo.set_held_keys(HeldKeys::NONE);
            stage.move_to(to);
            stage.update();
        }
        stage.local().translation.x / stage.size()
    };
    // The plane YZ is seen end-on; a typed number replaces that of the pointer.
    for (first, last) in [(Key::Plane(Axis::X), Key::Axis(Axis::X)), (Key::Digit(2), Key::Backspace)] {
        assert!((drag(first, last) - 0.4).abs() < 1e-9, "{first:?}: {}", drag(first, last));
    }
}

/// A precise drag lags behind the pointer. The lag stays when the axis changes.
#[test]
fn precise_ring_keeps_its_lag_about_other_axis() {
    let angle = |is_precise: bool, keys: &str| {
        let mut stage = idle(Mode::Rotate);
        let at = |degrees: f64| {
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            DVec3::new(cos, sin, 0.0)
        };
        stage.grab(stage.at(at(20.0)));
        stage.gizmo.set_held_keys(HeldKeys { precision: is_precise, ..HeldKeys::NONE });
        stage.update();
        stage.move_to(stage.at(at(50.0)));
        stage.update();
        stage.gizmo.set_held_keys(HeldKeys::NONE);
        stage.update();
        stage.move_to(stage.at(at(80.0)));
        stage.update();
        press(&mut stage, keys);
        stage.gizmo.drag().expect("a drag is in progress").numbers()[0]
    };
    let lag = 27f64.to_radians();
    for keys in ["", "y"] {
        let behind = angle(false, keys) - angle(true, keys);
        assert!((behind - lag).abs() < 1e-6, "{keys:?}: {}", behind.to_degrees());
    }
}
