//! §20 of docs/spec.md: drags without a pointer.

use crate::prelude::*;
use crate::walks;

#[test]
fn drive_equals_typed_drag_bit_for_bit() {
    let mut counts = [0; 2];
    cases(5_000, |rng| {
        let shot = views::ALL[rng.usize(..views::ALL.len())].shot(&camera(rng));
        let settings = walks::settings(rng).with(|s| s.snap.increments = Snap::OFF);
        let targets: Vec<_> = (0..rng.usize(1..4)).map(|index| walks::target(rng, index)).collect();
        let handle = HandleId::all().nth(rng.usize(..HandleId::BUILT_IN)).expect("the handle exists");
        let (mut gizmo, mut moved) = (Stage::new(settings).gizmo, targets.clone());
        gizmo.update(&shot.view, &mut moved);
        let typed = Drag::begin_by_keys(handle, &shot.view, &targets, &settings, Snap::OFF);
        counts[usize::from(typed.is_ok())] += 1;
        let mut typed = match typed {
            Ok(typed) => typed,
            Err(reason) => {
                assert_eq!(gizmo.drive(handle, 1.0, &mut moved), Err(DriveError::Disabled(reason)));
                return;
            }
        };
        let is_rotation =
            matches!(handle.constraint(), Constraint::Ring(_) | Constraint::ViewRing | Constraint::Trackball);
        let range = if is_rotation { 720.0 } else { 5.0 };
        let texts = [0, 1].map(|_| format!("{:.3}", (rng.f64() - 0.5) * range));
        let mut type_text = |text: &str| {
            for key in text.chars().filter_map(Key::from_char).chain([Key::Tab]) {
                typed.key(key, Snap::OFF);
            }
        };
        let [first, second] = texts.each_ref().map(|text| text.parse::<f64>().expect("a number"));
        type_text(&texts[0]);
        let amount: Amount = match handle.constraint() {
            Constraint::Plane(_) | Constraint::ViewPlane => {
                type_text(&texts[1]);
                [first, second].into()
            }
            _ => if is_rotation { first.to_radians() } else { first }.into(),
        };
        let mut expected = targets.clone();
        typed.apply(&mut expected);
        let driven = gizmo.drive(handle, amount, &mut moved).expect("the handle is usable");
        assert_eq!(driven.motion, typed.motion());
        for (driven, typed) in moved.iter().zip(&expected) {
            assert_eq!(bits(&driven.local), bits(&typed.local), "{}", handle.name());
        }
        assert!(!gizmo.is_active());
    });
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

#[test]
fn unusable_amounts_and_targets_are_refused() {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    let mut targets = [Target::from_world(Transform::IDENTITY)];
    let x = handle("translate_x");
    for (name, amount, expected) in [
        ("translate_x", [1.0, 2.0].into(), DriveError::WrongCount { expected: 1, given: 2 }),
        ("translate_x", Amount::from(f64::NAN), DriveError::NotFinite),
        // The view defines the handle.
        ("translate_view", [1.0, 2.0].into(), DriveError::NoView),
        ("rotate_trackball", 1.0.into(), DriveError::NoView),
    ] {
        assert_eq!(gizmo.drive(handle(name), amount, &mut targets), Err(expected), "{name}");
    }
    assert_eq!(gizmo.drive(x, 1.0, &mut []), Err(DriveError::Disabled(DisabledReason::NoTarget)));
    assert_eq!(gizmo.drive_by(1.0, &mut targets), Err(DriveError::NotBegun));
    assert_eq!(gizmo.drive_end(&mut targets), Err(DriveError::NotBegun));
    gizmo.drive_begin(x, &targets).expect("the handle is usable");
    assert_eq!(gizmo.drive(x, 1.0, &mut targets), Err(DriveError::Busy));
    assert_eq!(gizmo.drive_by(1.0, &mut []), Err(DriveError::OtherTargets));
    assert_eq!(gizmo.drive_end(&mut []), Err(DriveError::OtherTargets));
    assert_eq!(targets[0].local, Transform::IDENTITY);
}

#[test]
fn stream_of_amounts_is_one_step_with_snapped_total() {
    let mut gizmo =
        Stage::new(Settings::default().with(|s| s.snap.increments = Snap::DEFAULT_INCREMENTS)).gizmo;
    let mut targets = [Target::from_world(Transform::IDENTITY)];
    gizmo.drive_begin(handle("translate_x"), &targets).expect("the handle is usable");
    for _ in 0..9 {
        gizmo.drive_by(0.125, &mut targets).expect("the drag is in progress");
    }
    assert_eq!(targets[0].local.translation.x, 1.0, "1.125 in halves");
    targets[0].local = Transform::IDENTITY;
    let driven = gizmo.drive_end(&mut targets).expect("the drag is in progress");
    assert!(driven.changed && !gizmo.is_active());
    assert_eq!(targets[0].local.translation.x, 1.0, "the host may pass the start again");
    assert_eq!(gizmo.starts().collect::<Vec<_>>(), [Transform::IDENTITY]);
}

fn nudging(mode: Mode, at: DVec3) -> Stage {
    let mut stage = Stage::new(Settings::default().with(|s| {
        s.mode = mode;
        s.input.wheel_nudge = true;
    }));
    stage.update();
    stage.hover(stage.at(at));
    stage
}

#[test]
fn wheel_over_ring_nudges_five_degrees_in_one_step() {
    let mut stage = nudging(Mode::Rotate, DVec3::new(0.8, 0.0, 0.6));
    stage.gizmo.wheel(2.0);
    let events = stage.update();
    assert!(matches!(events[..], [Event::Started(ring), Event::Changed(_)] if ring.name() == "rotate_y"));
    assert_eq!(stage.local().rotation, DQuat::from_rotation_y(10f64.to_radians()));
    stage.gizmo.set_held_keys(HeldKeys { precision: true, ..HeldKeys::NONE });
    stage.gizmo.wheel(-1.0);
    stage.update();
    assert_eq!(stage.local().rotation, DQuat::from_rotation_y(9f64.to_radians()));
    assert!(stage.gizmo.drive_end(&mut stage.targets).is_ok_and(|driven| driven.changed));
    assert_eq!(stage.gizmo.starts().collect::<Vec<_>>(), [Transform::IDENTITY], "one undo step");
}

#[test]
fn wheel_turns_targets_about_hovered_gizmo() {
    let on_ring = DVec3::new(0.8, 0.0, 0.6);
    let mut stage = nudging(Mode::Rotate, on_ring);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    let at = stage.at(on_ring);
    stage.targets.push(Target::from_world(Transform::from_translation(DVec3::X * -3.0)));
    stage.hover(at);
    stage.gizmo.wheel(18.0);
    stage.update();
    let [first, second] = [0, 1].map(|i| stage.targets[i].local.translation);
    assert!(first == DVec3::ZERO && second.abs_diff_eq(DVec3::Z * 3.0, 1e-12), "{first}, {second}");
}

#[test]
fn wheel_burst_ends_where_pointer_leaves_handle() {
    let mut stage = nudging(Mode::Translate, ARROW_X);
    stage.gizmo.wheel(2.0);
    stage.update();
    assert_eq!(stage.local().translation, DVec3::X, "two increments of a half");
    // The handle has moved away with the target; the pointer follows it.
    stage.hover(stage.at(ARROW_X));
    assert_eq!(stage.update(), [], "it is still on the arrow");
    stage.gizmo.wheel(2.0);
    stage.update();
    stage.gizmo.answer_on_cpu();
    assert_eq!(stage.update(), [], "the pointer has not moved since");
    stage.hover(DVec2::new(30.0, 40.0));
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
}

#[test]
fn increment_changed_in_drag_counts_for_next_nudge() {
    for by_wheel in [true, false] {
        let mut stage = nudging(Mode::Translate, ARROW_X);
        stage.grab(stage.at(ARROW_X));
        let nudges = [(0.5, 0.5, false), (0.25, 0.75, false), (0.25, 1.0, true), (0.5, 1.5, true)];
        for (increment, total, snap) in nudges {
            // Snapping is off, so a nudge has the increment that applies while the key is held.
            stage.gizmo.settings.snap.while_held = Snap { translate: Increment::new(increment), ..Snap::OFF };
            stage.gizmo.settings.snap.increments.translate = Increment::new(2.0).filter(|_| snap);
            stage.gizmo.set_held_keys(HeldKeys { snap, ..HeldKeys::NONE });
            match by_wheel {
                true => stage.gizmo.wheel(1.0),
                false => stage.gizmo.key(Key::Right, KeyModifiers::NONE),
            }
            stage.update();
            let x = stage.local().translation.x;
            assert!((x - total).abs() < 1e-12, "{increment}, by wheel: {by_wheel}: {x}");
        }
    }
}

#[test]
fn wheel_without_notches_begins_no_drag() {
    // A wheel that turns sideways, and one that is not to nudge.
    for (notches, wheel_nudge) in [(-0.0, true), (f64::NAN, true), (3.0, false)] {
        let mut stage = nudging(Mode::Translate, ARROW_X);
        stage.gizmo.settings.input.wheel_nudge = wheel_nudge;
        stage.gizmo.wheel(notches);
        assert_eq!(stage.update(), []);
        assert!(!stage.gizmo.is_active());
    }
}

/// The wheel nudges the handle within the tolerance of the pointer, also before the pick there is answered.
#[test]
fn wheel_reaches_as_far_as_tolerance() {
    for scale_factor in [1.0, 2.5] {
        for (lpx, is_near) in [(4.0, true), (5.5, true), (8.5, false)] {
            let mut stage = nudging(Mode::Handles(handle("translate_x").into()), DVec3::X * 0.6);
            let camera = Camera { scale_factor, ..Camera::at(DVec3::Z * 6.0) };
            stage.shot = views::ALL[0].shot(&camera);
            stage.update();
            let arrow = stage.at(DVec3::X * 0.6);
            stage.hover(arrow);
            stage.draw();
            assert!(stage.gizmo.hovered().is_some());
            stage.move_to(arrow + DVec2::Y * (lpx * scale_factor));
            stage.gizmo.wheel(1.0);
            stage.update();
            // The stem is three logical pixels wide.
            assert_eq!(stage.gizmo.is_active(), is_near, "{lpx} at {scale_factor}");
        }
    }
}

/// A query in a drag of the wheel that is never encoded is repeated.
#[test]
fn unanswered_query_of_wheel_drag_is_repeated() {
    let mut stage = nudging(Mode::Translate, ARROW_X);
    stage.gizmo.wheel(1.0);
    stage.update();
    stage.point_at(stage.at(ARROW_X));
    let first = stage.gizmo.pick_query().expect("the pointer has moved");
    let repeated = (0..9).any(|_| {
        stage.update();
        stage.gizmo.pick_query().is_some_and(|query| query.sequence > first.sequence)
    });
    assert!(repeated && stage.gizmo.is_active());
}
