//! §20 of docs/spec.md: drags without a pointer.

use crate::oracle::{bits, cases, handle};
use crate::stage::Stage;
use crate::views::{self, Camera};
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::drive::{Amount, DriveError};
use wgpu_gizmo_core::interaction::settings::{Limits, Locks, Pivot};
use wgpu_gizmo_core::interaction::{DisabledReason, Drag, Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{
    Gizmo, HandleId, IdSpace, Increment, Mode, Orientation, Settings, Snap, Target, Transform,
};

fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * 2.0 * size
}

fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_scaled_axis(vector(rng, 3.0))
}

fn random_target(rng: &mut Rng) -> Target {
    let scale = DVec3::ONE + vector(rng, 0.6);
    let local = Transform { translation: vector(rng, 4.0), rotation: rotation(rng), scale };
    let stretch = DVec3::new(1.0, 1.7, if rng.bool() { -0.6 } else { 0.6 });
    let parent = match rng.u8(..3) {
        0 => DMat4::IDENTITY,
        1 => DMat4::from_scale_rotation_translation(DVec3::splat(1.5), rotation(rng), vector(rng, 5.0)),
        _ => DMat4::from_scale_rotation_translation(stretch, rotation(rng), vector(rng, 5.0)),
    };
    Target::new(local, parent)
}

fn random_settings(rng: &mut Rng) -> Settings {
    let orientation = match rng.u8(..5) {
        0 => Orientation::World,
        1 => Orientation::Parent,
        2 => Orientation::Local,
        3 => Orientation::View,
        _ => Orientation::Custom(rotation(rng)),
    };
    let pivot =
        [Pivot::Median, Pivot::Active, Pivot::Individual, Pivot::Custom(vector(rng, 3.0))][rng.usize(..4)];
    let limits = if rng.bool() {
        Limits { translation: [DVec3::splat(-6.0), DVec3::splat(6.0)], angle: [-1.0, 4.0], ..Limits::NONE }
    } else {
        Limits::NONE
    };
    let translation = BVec3::new(rng.u8(..6) == 0, rng.u8(..6) == 0, false);
    let locks = if rng.u8(..4) == 0 { Locks { translation, ..Locks::NONE } } else { Locks::NONE };
    Settings::default().with(|s| {
        s.orientation = orientation;
        s.pivot = pivot;
        s.motion.limits = limits;
        s.motion.locks = locks;
        s.motion.allow_mirror = rng.bool();
    })
}

/// Types a number with at most six digits, and returns it.
fn type_number(drag: &mut Drag, number: f64) -> f64 {
    let text = format!("{number:.3}");
    for character in text.chars() {
        assert!(drag.key(Key::from_char(character).expect("the character is a key"), Snap::OFF));
    }
    text.parse().expect("the value is a number")
}

#[test]
fn drive_equals_typed_drag_bit_for_bit() {
    let (driven_count, refused_count) = (Cell::new(0), Cell::new(0));
    cases(10_000, |rng| {
        let shot = crate::views::ALL[rng.usize(..crate::views::ALL.len())].shot(&crate::oracle::camera(rng));
        let settings = random_settings(rng);
        let targets: Vec<_> = (0..rng.usize(1..4)).map(|_| random_target(rng)).collect();
        let handle = HandleId::all().nth(rng.usize(..HandleId::all().len())).expect("the handle exists");
        let mut typed = match Drag::begin_by_keys(handle, &shot.view, &targets, &settings, Snap::OFF) {
            Ok(typed) => typed,
            Err(reason) => {
                let mut gizmo = gizmo(settings);
                let mut moved = targets.clone();
                gizmo.update(&shot.view, &mut moved);
                let amount = Amount::from(1.0);
                assert_eq!(gizmo.drive(handle, amount, &mut moved), Err(DriveError::Disabled(reason)));
                refused_count.set(refused_count.get() + 1);
                return;
            }
        };
        let is_rotation =
            matches!(handle.constraint(), Constraint::Ring(_) | Constraint::ViewRing | Constraint::Trackball);
        let range = if is_rotation { 720.0 } else { 5.0 };
        let mut number = || {
            let typed_number = type_number(&mut typed, (rng.f64() - 0.5) * range);
            if is_rotation { typed_number.to_radians() } else { typed_number }
        };
        let first = number();
        let amount = match handle.constraint() {
            Constraint::Plane(_) | Constraint::ViewPlane => {
                let second = {
                    assert!(typed.key(Key::Tab, Snap::OFF));
                    type_number(&mut typed, (rng.f64() - 0.5) * range)
                };
                Amount::from([first, second])
            }
            _ => first.into(),
        };
        let mut expected = targets.clone();
        typed.apply(&mut expected);
        let mut gizmo = gizmo(settings);
        let mut moved = targets.clone();
        gizmo.update(&shot.view, &mut moved);
        let driven = gizmo.drive(handle, amount, &mut moved).expect("the handle is usable");
        assert_eq!(driven.motion, typed.motion());
        let changed = moved.iter().zip(&targets).any(|(target, start)| target.local != start.local);
        assert_eq!(driven.changed, changed);
        for (driven, typed) in moved.iter().zip(&expected) {
            assert_eq!(bits(&driven.local), bits(&typed.local), "{}", handle.name());
        }
        let starts: Vec<_> = gizmo.starts().collect();
        assert!(starts.iter().zip(&targets).all(|(start, target)| bits(start) == bits(&target.local)));
        assert!(!gizmo.is_active());
        driven_count.set(driven_count.get() + 1);
    });
    assert!(driven_count.get() > 8_000 && refused_count.get() > 0, "{driven_count:?} {refused_count:?}");
}

fn gizmo(settings: Settings) -> Gizmo {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    gizmo.settings = settings;
    gizmo
}

fn one() -> [Target; 1] {
    [Target::from_world(Transform::IDENTITY)]
}

#[test]
fn driven_amount_is_snapped_and_limited() {
    let quarter = Snap { translate: Increment::new(0.25), ..Snap::DEFAULT_INCREMENTS };
    let limits = Limits { translation: [DVec3::splat(-1.0), DVec3::ONE], ..Limits::NONE };
    let mut gizmo = gizmo(Settings::default().with(|s| {
        s.snap.increments = quarter;
        s.motion.limits = limits;
    }));
    let mut targets = one();
    let driven = gizmo.drive(handle("translate_x"), 0.3, &mut targets).expect("the handle is usable");
    assert_eq!((targets[0].local.translation.x, driven.motion.clamped), (0.25, false));
    let driven = gizmo.drive(handle("translate_x"), 7.0, &mut targets).expect("the handle is usable");
    assert_eq!((targets[0].local.translation.x, driven.motion.clamped), (1.0, true));
    // A multiple keeps its bits, which the product of count and increment would not.
    let thirty = 30f64.to_radians();
    let driven = gizmo.drive(handle("rotate_y"), thirty, &mut targets).expect("the handle is usable");
    assert_eq!(driven.motion.change.total_angle().to_bits(), thirty.to_bits());
    gizmo.drive(handle("scale_z"), 1.26, &mut targets).expect("the handle is usable");
    assert_eq!(targets[0].local.scale, DVec3::new(1.0, 1.0, 1.3));
    let driven = gizmo.drive(handle("translate_y"), 0.1, &mut targets).expect("the handle is usable");
    assert!(!driven.changed, "less than half an increment");
}

#[test]
fn drive_needs_view_only_if_view_defines_handle() {
    let mut gizmo = gizmo(Settings::default());
    let mut targets = one();
    for name in ["translate_view", "rotate_view", "rotate_trackball"] {
        let amount: Amount = if name == "translate_view" { [1.0, 2.0].into() } else { 1.0.into() };
        assert_eq!(gizmo.drive(handle(name), amount, &mut targets), Err(DriveError::NoView), "{name}");
    }
    gizmo.settings.orientation = Orientation::View;
    assert_eq!(gizmo.drive(handle("translate_x"), 1.0, &mut targets), Err(DriveError::NoView));
    assert!(gizmo.drive(handle("scale_x"), 2.0, &mut targets).is_ok(), "always along local axes");
    let stage = Stage::of_mode(Mode::Translate);
    gizmo.update(&stage.shot.view, &mut targets);
    assert!(gizmo.drive(handle("translate_view"), [1.0, 2.0], &mut targets).is_ok());
}

#[test]
fn unusable_amounts_and_targets_are_refused() {
    let mut gizmo = gizmo(Settings::default());
    let mut targets = one();
    let x = handle("translate_x");
    let count = DriveError::WrongCount { expected: 1, given: 2 };
    assert_eq!(gizmo.drive(x, [1.0, 2.0], &mut targets), Err(count));
    for number in [f64::NAN, f64::INFINITY] {
        assert_eq!(gizmo.drive(x, number, &mut targets), Err(DriveError::NotFinite));
    }
    let nobody = DriveError::Disabled(DisabledReason::NoTarget);
    assert_eq!(gizmo.drive(x, 1.0, &mut []), Err(nobody));
    assert_eq!(gizmo.drive_by(1.0, &mut targets), Err(DriveError::NotBegun));
    assert_eq!(gizmo.drive_end(&mut targets), Err(DriveError::NotBegun));
    gizmo.drive_begin(x, &targets).expect("the handle is usable");
    assert_eq!(gizmo.drive(x, 1.0, &mut targets), Err(DriveError::Busy));
    assert_eq!(gizmo.drive_begin(x, &targets), Err(DriveError::Busy));
    assert_eq!(gizmo.drive_by(1.0, &mut []), Err(DriveError::OtherTargets));
    assert_eq!(bits(&targets[0].local), bits(&Transform::IDENTITY));
}

#[test]
fn stream_of_amounts_is_one_step_with_snapped_total() {
    let mut gizmo = gizmo(Settings::default().with(|s| s.snap.increments = Snap::DEFAULT_INCREMENTS));
    let mut targets = one();
    gizmo.drive_begin(handle("translate_x"), &targets).expect("the handle is usable");
    for _ in 0..9 {
        gizmo.drive_by(0.125, &mut targets).expect("the drag is in progress");
    }
    assert_eq!(targets[0].local.translation.x, 1.0, "1.125 in halves");
    let driven = gizmo.drive_end(&mut targets).expect("the drag is in progress");
    assert!(driven.changed && !gizmo.is_active());
    assert_eq!(gizmo.starts().collect::<Vec<_>>(), [Transform::IDENTITY]);
    gizmo.settings.snap.increments = Snap::OFF;
    gizmo.drive_begin(handle("scale_uniform"), &targets).expect("the handle is usable");
    for _ in 0..3 {
        gizmo.drive_by(2.0, &mut targets).expect("the drag is in progress");
    }
    gizmo.drive_end(&mut targets).expect("the drag is in progress");
    assert_eq!(targets[0].local.scale, DVec3::splat(8.0), "factors multiply");
}

fn nudging(mode: Mode, at: DVec3) -> Stage {
    let mut stage = Stage::new(Settings::default().with(|s| {
        s.mode = mode;
        s.input.wheel_nudge = true;
    }));
    stage.update();
    let px = stage.at(at);
    stage.hover(px);
    stage
}

fn total_angle(drag: &Drag) -> f64 {
    drag.motion().change.total_angle()
}

#[test]
fn wheel_over_ring_nudges_five_degrees_in_one_step() {
    let mut stage = nudging(Mode::Rotate, DVec3::new(0.8, 0.0, 0.6));
    stage.gizmo.wheel(2.0);
    let events = stage.update();
    assert!(matches!(events[..], [Event::Started(ring), Event::Changed(_)] if ring.name() == "rotate_y"));
    assert_eq!(stage.gizmo.drag().map(total_angle), Some(10f64.to_radians()));
    stage.gizmo.set_held_keys(HeldKeys { precision: true, ..HeldKeys::NONE });
    stage.gizmo.wheel(-1.0);
    stage.update();
    assert_eq!(stage.gizmo.drag().map(total_angle), Some(9f64.to_radians()));
    let driven = stage.gizmo.drive_end(&mut stage.targets).expect("the host ends it");
    assert!(driven.changed);
    assert_eq!(stage.local().rotation, DQuat::from_rotation_y(9f64.to_radians()));
    assert_eq!(stage.gizmo.starts().collect::<Vec<_>>(), [Transform::IDENTITY], "one undo step");
}

#[test]
fn wheel_burst_ends_where_pointer_leaves_handle() {
    let arrow = DVec3::X * 0.7;
    let mut stage = nudging(Mode::Translate, arrow);
    stage.gizmo.wheel(1.0);
    stage.gizmo.wheel(1.0);
    let events = stage.update();
    assert!(matches!(events[..], [Event::Started(_), Event::Changed(_), Event::Changed(_)]), "{events:?}");
    assert_eq!(stage.local().translation, DVec3::X, "two increments of a half");
    assert_eq!(stage.gizmo.pick_query(), None, "the pointer rests");
    assert!(!stage.gizmo.is_hover_pending());
    // The handle has moved away with the target; the pointer follows it.
    let followed = stage.at(arrow);
    assert_eq!(stage.point_at(followed), []);
    assert!(stage.gizmo.is_hover_pending(), "a host that asks only then must ask");
    stage.answer();
    assert_eq!(stage.update(), [], "it is still on the arrow");
    assert!(!stage.gizmo.is_hover_pending());
    stage.gizmo.wheel(1.0);
    stage.update();
    stage.hover(wgpu_gizmo_core::glam::DVec2::new(30.0, 40.0));
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    assert_eq!(stage.local().translation.x, 1.5);
}

#[test]
fn wheel_moves_nothing_unless_nudging_is_on() {
    let mut stage = nudging(Mode::Translate, DVec3::X * 0.7);
    stage.gizmo.settings.input.wheel_nudge = false;
    stage.gizmo.wheel(3.0);
    assert_eq!(stage.update(), []);
    let arrow = stage.at(DVec3::X * 0.7);
    stage.grab(arrow);
    stage.gizmo.wheel(3.0);
    assert_eq!(stage.update(), []);
    assert_eq!(stage.local(), Transform::IDENTITY);
    // With nudging on, the wheel nudges the dragged handle.
    stage.gizmo.settings.input.wheel_nudge = true;
    stage.gizmo.wheel(3.0);
    assert!(matches!(stage.update()[..], [Event::Changed(_)]));
    assert!(stage.local().translation.abs_diff_eq(DVec3::X * 1.5, 1e-12));
    stage.gizmo.key(Key::Escape, KeyModifiers::NONE);
    stage.update();
    assert_eq!(stage.local(), Transform::IDENTITY);
}

#[test]
fn increment_changed_in_drag_counts_for_next_nudge() {
    for by_wheel in [true, false] {
        let mut stage = nudging(Mode::Translate, DVec3::X * 0.7);
        let arrow = stage.at(DVec3::X * 0.7);
        stage.grab(arrow);
        // Snapping is off, so a nudge has the increment that applies while the key is held.
        stage.gizmo.settings.snap.increments = Snap::OFF;
        for (increment, total) in [(0.5, 0.5), (0.25, 0.75)] {
            stage.gizmo.settings.snap.while_held = Snap { translate: Increment::new(increment), ..Snap::OFF };
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
    let mut stage = nudging(Mode::Translate, DVec3::X * 0.7);
    stage.gizmo.wheel(-0.0);
    assert_eq!(stage.update(), [], "a wheel that turns sideways");
    assert!(!stage.gizmo.is_active());
}

#[test]
fn press_after_end_of_wheel_drag_is_not_delayed() {
    let mut stage = nudging(Mode::Translate, DVec3::X * 0.7);
    stage.gizmo.wheel(1.0);
    stage.update();
    stage.gizmo.drive_end(&mut stage.targets).expect("the host ends it");
    stage.move_to(stage.at(DVec3::Y * 0.7));
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    stage.answer();
    assert_eq!(stage.update(), [Event::Started(handle("translate_y"))]);
}

#[test]
fn end_of_wheel_drag_keeps_press_before_it() {
    let mut stage = nudging(Mode::Translate, DVec3::X * 0.7);
    stage.gizmo.wheel(1.0);
    stage.update();
    stage.move_to(stage.at(DVec3::Y * 0.7));
    stage.gizmo.pointer_pressed();
    // The host's timer has run out in the same frame.
    stage.gizmo.drive_end(&mut stage.targets).expect("the wheel's drag is in progress");
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    stage.answer();
    assert_eq!(stage.update(), [Event::Started(handle("translate_y"))]);
    assert!(stage.gizmo.is_active(), "the drag of the press goes on");
}

/// The wheel nudges the handle within the tolerance of the pointer, also before the pick there is answered.
#[test]
fn wheel_reaches_as_far_as_tolerance() {
    for scale_factor in [1.0, 2.5] {
        for (lpx, is_near) in [(4.0, true), (5.5, true), (8.5, false)] {
            let mut stage = nudging(Mode::Handles(handle("translate_x").into()), DVec3::X * 0.6);
            let eye = DVec3::Z * 6.0;
            stage.shot = views::ALL[0].shot(&Camera { scale_factor, ..Camera::at(eye) });
            stage.update();
            let arrow = stage.at(DVec3::X * 0.6);
            stage.move_to(arrow);
            stage.update();
            stage.answer();
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
    let arrow = DVec3::X * 0.7;
    let mut stage = nudging(Mode::Translate, arrow);
    stage.gizmo.wheel(1.0);
    stage.update();
    stage.move_to(stage.at(arrow));
    stage.update();
    let first = stage.gizmo.pick_query().expect("the pointer has moved");
    let repeated = (0..9).any(|_| {
        stage.update();
        stage.gizmo.pick_query().is_some_and(|query| query.sequence > first.sequence)
    });
    assert!(repeated && stage.gizmo.is_active());
}
