//! §19 of docs/spec.md: editing the place of the gizmo itself.

use crate::oracle::{bits, handle};
use crate::stage::{ARROW_X, Stage};
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::drive::DriveError;
use wgpu_gizmo_core::interaction::settings::{Limits, Pivot, SnapKind};
use wgpu_gizmo_core::interaction::{DisabledReason, Event};
use wgpu_gizmo_core::{Mode, Orientation, Settings, Snap, Target, Transform};

fn odd_target(key: u64) -> Target {
    let local = Transform {
        translation: DVec3::new(0.1, 0.2, 0.3),
        rotation: DQuat::from_rotation_y(0.4),
        scale: DVec3::new(1.0, -2.0, 0.5),
    };
    Target::from_world(local).with_key(key)
}

fn editing(settings: Settings) -> Stage {
    let mut stage = Stage::new(settings);
    stage.targets = vec![odd_target(1)];
    stage.gizmo.edit_pivot();
    stage.update();
    stage
}

fn point(stage: &Stage) -> DVec3 {
    stage.gizmo.pivot_place().expect("the gizmo has a place").translation
}

/// Drags a point of the gizmo by pixels, without the release. `at` is in sizes from the target's position.
fn drag(stage: &mut Stage, at: DVec3, by_px: DVec2) -> Vec<Event> {
    let px = stage.at(at);
    let mut events = stage.grab(px);
    stage.move_to(px + by_px);
    events.extend(stage.update());
    events
}

#[test]
fn drag_moves_gizmo_and_leaves_targets() {
    let mut stage = editing(Settings::default());
    let start = bits(&stage.local());
    let from = stage.gizmo.pivot_place();
    let events = drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    assert!(matches!(events[..], [Event::Started(_), Event::Changed(_)]), "{events:?}");
    assert_eq!(bits(&stage.local()), start);
    let live = point(&stage);
    assert!(live.x > 0.3 && live.y == 0.2, "the place is live: {live}");
    let events = stage.release();
    let to = stage.gizmo.pivot_place();
    assert_eq!(events, [Event::PivotChanged { from, to }, Event::Ended { changed: false }]);
    assert_eq!((point(&stage), bits(&stage.local())), (live, start));
    stage.update();
    assert_eq!(point(&stage), live, "it stays");
    stage.gizmo.end_pivot_edit();
    stage.update();
    assert_eq!(point(&stage), live, "until it is reset");
    stage.gizmo.reset_pivot();
    let events = stage.update();
    assert!(matches!(events[..], [Event::PivotChanged { .. }]), "{events:?}");
    assert_eq!(point(&stage), DVec3::new(0.1, 0.2, 0.3));
    assert!(!stage.gizmo.has_edited_pivot());
}

#[test]
fn rotation_drag_turns_reference_frame_only() {
    let mut stage = editing(Settings::default().with(|s| s.mode = Mode::Rotate));
    let start = bits(&stage.local());
    drag(&mut stage, DVec3::new(0.8, 0.0, 0.6), DVec2::X * -40.0);
    stage.release();
    let Transform { translation, rotation, .. } = stage.gizmo.pivot_place().expect("the gizmo has a place");
    assert_eq!(translation, DVec3::new(0.1, 0.2, 0.3));
    let turned = rotation.to_scaled_axis();
    assert!(turned.y.abs() > 0.1 && turned.x.abs() < 1e-12 && turned.z.abs() < 1e-12, "{turned}");
    assert_eq!(bits(&stage.local()), start);
    // Drags of the target follow the turned frame.
    stage.gizmo.end_pivot_edit();
    stage.gizmo.settings.mode = Mode::Translate;
    stage.update();
    stage.gizmo.drive(handle("translate_x"), 2.0, &mut stage.targets).expect("the handle is usable");
    let moved = stage.local().translation - DVec3::new(0.1, 0.2, 0.3);
    assert!(moved.abs_diff_eq(rotation * DVec3::X * 2.0, 1e-12), "{moved}");
}

#[test]
fn cancel_restores_place_bits() {
    let mut stage = editing(Settings::default());
    stage.gizmo.pivot_to(DVec3::new(0.3, 0.1, 0.2));
    stage.update();
    let before = stage.gizmo.pivot_place();
    let at = (DVec3::new(0.3, 0.1, 0.2) - stage.pivot()) / stage.size() + ARROW_X;
    drag(&mut stage, at, DVec2::X * 50.0);
    assert_ne!(stage.gizmo.pivot_place(), before);
    assert_eq!(stage.cancel(), [Event::Canceled]);
    assert_eq!(stage.gizmo.pivot_place(), before);
}

#[test]
fn pivot_snaps_to_increments_and_hook() {
    let mut stage = editing(Settings::default().with(|s| s.snap.increments = Snap::DEFAULT_INCREMENTS));
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    let by = point(&stage).x - 0.1;
    assert!(by > 0.4 && (by * 2.0 - (by * 2.0).round()).abs() < 1e-12, "{by}");
    stage.move_to(DVec2::new(500.0, 310.0));
    let vertex = DVec3::new(1.25, 7.0, -3.0);
    stage.gizmo.update_with(&stage.shot.view, &mut stage.targets, &mut |_| Some(vertex));
    assert_eq!(point(&stage), DVec3::new(1.25, 0.2, 0.3), "projected onto the axis");
}

#[test]
fn targets_rotate_about_edited_pivot_and_carry_it() {
    let mut stage = Stage::new(Settings::default());
    stage.targets = vec![Target::from_world(Transform::IDENTITY)];
    stage.gizmo.pivot_to(DVec3::X);
    stage.update();
    stage
        .gizmo
        .drive(handle("rotate_z"), std::f64::consts::PI, &mut stage.targets)
        .expect("the handle is usable");
    assert!(stage.local().translation.abs_diff_eq(DVec3::X * 2.0, 1e-12), "about the edited point");
    stage.update();
    assert!(point(&stage).abs_diff_eq(DVec3::X, 1e-12), "which stays where it was");
    stage.gizmo.drive(handle("translate_y"), 3.0, &mut stage.targets).expect("the handle is usable");
    stage.update();
    assert!(point(&stage).abs_diff_eq(DVec3::new(1.0, 3.0, 0.0), 1e-12), "and moves along");
}

#[test]
fn edited_place_is_kept_per_selection() {
    let mut stage = Stage::new(Settings::default());
    stage.targets = vec![odd_target(1)];
    stage.gizmo.pivot_to(DVec3::X);
    stage.update();
    stage.targets = vec![odd_target(2)];
    stage.update();
    assert_eq!(point(&stage), DVec3::new(0.1, 0.2, 0.3), "another selection has its own");
    stage.gizmo.pivot_to(DVec3::Y);
    stage.update();
    stage.targets = vec![];
    stage.update();
    assert_eq!(stage.gizmo.pivot_place(), None);
    let others: Vec<_> = stage.gizmo.other_edited_selections().collect();
    assert_eq!(others, [[Some(1)], [Some(2)]], "the oldest first");
    for (key, place) in [(1, DVec3::X), (2, DVec3::Y)] {
        stage.targets = vec![odd_target(key)];
        stage.update();
        assert_eq!(point(&stage), place);
    }
}

#[test]
fn pivot_of_other_selection_is_told_where_it_moved() {
    let mut stage = Stage::new(Settings::default());
    let mut target = odd_target(1);
    stage.targets = vec![target];
    stage.gizmo.pivot_to(DVec3::X);
    stage.gizmo.align_frame_to(DQuat::from_rotation_z(0.5));
    stage.update();
    let edited = stage.gizmo.edited_pivot();
    assert_eq!(stage.gizmo.edited_pivot_of(&stage.targets), edited, "that of the current selection");
    stage.targets = vec![odd_target(2)];
    stage.update();
    assert_eq!(stage.gizmo.edited_pivot_of(&stage.targets), (None, None));
    assert_eq!(stage.gizmo.edited_pivot_of(&[target]), edited);
    assert_eq!(stage.gizmo.edited_pivot_of(&[target, odd_target(2)]), (None, None));
    assert_eq!(stage.gizmo.edited_pivot_of(&[]), (None, None));
    target.local.translation += DVec3::Y;
    target.local.rotation = DQuat::from_rotation_x(0.3) * target.local.rotation;
    let told = stage.gizmo.edited_pivot_of(&[target]);
    assert_ne!(told, edited);
    stage.targets = vec![target];
    stage.update();
    assert_eq!(stage.gizmo.edited_pivot(), told, "it gets this place back");
    assert_eq!(stage.gizmo.other_edited_selections().count(), 0);
}

#[test]
fn selection_change_cancels_pivot_drag() {
    let mut stage = editing(Settings::default());
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    stage.targets = vec![odd_target(2)];
    assert_eq!(stage.update(), [Event::Canceled]);
    assert_eq!(point(&stage), DVec3::new(0.1, 0.2, 0.3));
}

#[test]
fn edit_begins_and_ends_between_drags() {
    let mut stage = Stage::new(Settings::default());
    drag(&mut stage, ARROW_X, DVec2::X * 30.0);
    stage.gizmo.edit_pivot();
    stage.point_at(DVec2::new(600.0, 300.0));
    let moved = stage.local().translation;
    assert!(moved.x > 0.3, "the drag of the target goes on");
    assert!(matches!(stage.release()[..], [Event::Ended { changed: true }]));
    stage.update();
    drag(&mut stage, ARROW_X, DVec2::X * 30.0);
    assert_eq!(stage.local().translation, moved);
    stage.gizmo.end_pivot_edit();
    assert!(matches!(stage.release()[..], [Event::PivotChanged { .. }, Event::Ended { .. }]));
}

#[test]
fn limits_and_scale_do_not_apply_to_pivot() {
    let limits = Limits { translation: [DVec3::ZERO, DVec3::splat(0.5)], ..Limits::NONE };
    let mut stage = editing(Settings::default().with(|s| {
        s.motion.limits = limits;
        s.pivot = Pivot::EachTarget;
    }));
    drag(&mut stage, ARROW_X, DVec2::X * 150.0);
    stage.release();
    assert!(point(&stage).x > 1.0);
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_x")), Some(DisabledReason::Locked));
    let refused = stage.gizmo.drive_begin(handle("translate_x"), &stage.targets);
    assert_eq!(refused, Err(DriveError::EditsPivot));
}

#[test]
fn drive_moves_pivot_while_it_is_edited() {
    let mut stage = editing(Settings::default().with(|s| s.orientation = Orientation::Local));
    let before = stage.targets.clone();
    let mut expected = stage.gizmo.pivot_place().expect("a target is selected");
    for (name, amount) in [("translate_x", 0.5), ("rotate_z", 1.0), ("translate_x", 0.25)] {
        let driven = stage.gizmo.drive(handle(name), amount, &mut stage.targets);
        assert!(!driven.expect("the handle can be driven").changed, "no target moves");
        assert!(matches!(stage.update()[..], [Event::PivotChanged { .. }]));
        match name {
            "rotate_z" => expected.rotation *= DQuat::from_rotation_z(amount),
            // The second step goes along the turned axes.
            _ => expected.translation += expected.rotation * DVec3::X * amount,
        }
        let place = stage.gizmo.pivot_place().expect("a target is selected");
        assert!(place.translation.abs_diff_eq(expected.translation, 1e-12), "{place:?} {expected:?}");
        assert!(place.rotation.dot(expected.rotation).abs() > 1.0 - 1e-12, "{place:?} {expected:?}");
    }
    assert_eq!(stage.targets, before);
    stage.gizmo.end_pivot_edit();
    stage.update();
    assert!(
        stage.gizmo.drive(handle("translate_y"), 1.0, &mut stage.targets).is_ok_and(|driven| driven.changed)
    );
}

#[test]
fn unusable_places_are_ignored() {
    let mut stage = Stage::new(Settings::default());
    stage.gizmo.pivot_to(DVec3::NAN);
    stage.gizmo.align_frame_to(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    stage.gizmo.align_frame_to(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
    assert!(!stage.gizmo.has_edited_pivot());
    assert_eq!(stage.update(), []);
    stage.gizmo.align_frame_to(DQuat::from_rotation_z(0.5) * 3.0);
    stage.update();
    assert!(matches!(stage.gizmo.edited_pivot(), (None, Some(_))), "the point is that of the settings");
    let place = stage.gizmo.pivot_place().expect("the gizmo has a place");
    assert!(place.rotation.abs_diff_eq(DQuat::from_rotation_z(0.5), 1e-12), "normalized");
    // A flat target has no inverse: its pivot follows its position.
    stage.targets[0].local.scale = DVec3::ZERO;
    stage.gizmo.pivot_to(DVec3::X);
    stage.update();
    stage.targets[0].local.translation = DVec3::Y;
    stage.update();
    assert_eq!(point(&stage), DVec3::new(1.0, 1.0, 0.0));
}

#[test]
fn reset_in_target_drag_ends_it_and_makes_two_steps() {
    let mut stage = Stage::new(Settings::default());
    stage.targets = vec![odd_target(1)];
    stage.gizmo.pivot_to(DVec3::new(0.0, 0.05, 0.0));
    stage.update();
    let at = (DVec3::new(0.0, 0.05, 0.0) - stage.pivot()) / stage.size() + ARROW_X;
    assert!(matches!(drag(&mut stage, at, DVec2::X * 60.0)[..], [Event::Started(_), Event::Changed(_)]));
    stage.gizmo.reset_pivot();
    let events = stage.update();
    let moved = stage.local().translation;
    assert!(moved.x > 0.3, "the drag is kept");
    let [Event::Ended { changed: true }, Event::PivotChanged { from: Some(from), to: Some(to) }] = events[..]
    else {
        panic!("{events:?}")
    };
    let by = moved - DVec3::new(0.1, 0.2, 0.3);
    assert!(from.translation.abs_diff_eq(DVec3::new(0.0, 0.05, 0.0) + by, 1e-12), "it moved along");
    assert_eq!((to.translation, point(&stage)), (moved, moved));
    assert!(!stage.gizmo.has_edited_pivot());
    // The release that follows does nothing, and later selections are not affected.
    assert_eq!(stage.release(), []);
    for key in [2, 1] {
        stage.targets = vec![odd_target(key)];
        stage.update();
        assert_eq!(point(&stage), DVec3::new(0.1, 0.2, 0.3));
    }
}

#[test]
fn reset_in_pivot_drag_undoes_one_step_at_a_time() {
    let mut stage = editing(Settings::default());
    let start = stage.gizmo.pivot_place();
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    let dragged = stage.gizmo.pivot_place();
    stage.gizmo.reset_pivot();
    let expected = [
        Event::PivotChanged { from: start, to: dragged },
        Event::Ended { changed: false },
        Event::PivotChanged { from: dragged, to: start },
    ];
    assert_eq!(stage.update(), expected);
    assert_eq!(stage.release(), []);
    assert_eq!(stage.gizmo.pivot_place(), start, "the reset is not lost");
    // The host undoes the reset, then the drag.
    let to = dragged.expect("the gizmo has a place");
    stage.gizmo.pivot_to(to.translation);
    stage.update();
    assert_eq!(stage.gizmo.pivot_place(), dragged);
    stage.gizmo.reset_pivot();
    stage.update();
    assert_eq!(stage.gizmo.pivot_place(), start);
    // Input that follows several changes in one frame does not wait for another.
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    (0..3).for_each(|_| stage.gizmo.reset_pivot());
    stage.release();
    assert!(matches!(stage.grab(stage.at(ARROW_X))[..], [Event::Started(_)]));
}

#[test]
fn restored_rotation_keeps_its_bits() {
    let mut stage = Stage::new(Settings::default());
    crate::oracle::cases(500, |rng| {
        let mut stage = Stage::new(Settings::default());
        stage.targets = vec![odd_target(1)];
        stage.gizmo.align_frame_to(crate::oracle::rotation(rng) * DQuat::from_rotation_x(rng.f64()));
        stage.update();
        let rotation = stage.gizmo.pivot_place().expect("the gizmo has a place").rotation;
        stage.gizmo.reset_pivot();
        stage.update();
        stage.gizmo.align_frame_to(rotation);
        stage.update();
        let restored = stage.gizmo.pivot_place().expect("the gizmo has a place").rotation;
        assert_eq!(restored.to_array().map(f64::to_bits), rotation.to_array().map(f64::to_bits));
    });
    // Rounded to `f32`, it is normalized.
    stage.gizmo.align_frame_to(DQuat::from_rotation_z(0.3).as_quat().as_dquat());
    stage.update();
    let place = stage.gizmo.pivot_place().expect("the gizmo has a place");
    assert!((place.rotation.length() - 1.0).abs() < 1e-15);
}

#[test]
fn pivot_to_before_first_update_belongs_to_new_selection() {
    let mut stage = Stage::new(Settings::default());
    stage.targets = vec![odd_target(1)];
    stage.gizmo.pivot_to(DVec3::X);
    stage.gizmo.align_frame_to(DQuat::from_rotation_z(0.5));
    stage.update();
    let first = stage.gizmo.pivot_place();
    stage.targets = vec![odd_target(2)];
    stage.gizmo.pivot_to(DVec3::Y);
    stage.update();
    let second = stage.gizmo.pivot_place().expect("the gizmo has a place");
    assert_eq!((second.translation, second.rotation), (DVec3::Y, DQuat::IDENTITY), "inherits nothing");
    stage.targets = vec![odd_target(1)];
    stage.update();
    assert_eq!(stage.gizmo.pivot_place(), first, "the other selection keeps its place");
}

#[test]
fn pivot_snaps_to_grid_of_parent() {
    let parent = wgpu_gizmo_core::glam::DMat4::from_translation(DVec3::new(0.1, 0.0, 0.0));
    let local = Transform { translation: DVec3::new(0.15, 0.0, 0.0), ..Transform::IDENTITY };
    let settings = Settings::default().with(|s| {
        s.orientation = Orientation::Parent;
        s.snap.increments = Snap::DEFAULT_INCREMENTS;
        s.snap.kind = SnapKind::Grid { origin_world: DVec3::new(0.03, 0.0, 0.0) };
    });
    let moved = |edits: bool| {
        let mut stage = Stage::new(settings);
        stage.targets = vec![Target::new(local, parent)];
        if edits {
            stage.gizmo.edit_pivot();
        }
        stage.update();
        stage.gizmo.drive(handle("translate_x"), 1.0, &mut stage.targets).expect("the handle is usable");
        stage.update();
        point(&stage).x
    };
    assert!((moved(false) - 1.1).abs() < 1e-12, "the target, {}", moved(false));
    assert!((moved(true) - 1.1).abs() < 1e-12, "the pivot, {}", moved(true));
}

#[test]
fn turned_gizmo_stays_turned_in_frame_of_release() {
    let mut stage = editing(Settings::default().with(|s| s.mode = Mode::Rotate));
    let arrow_px = |stage: &mut Stage| stage.gizmo.handle_px(&stage.shot.view, handle("rotate_y"));
    drag(&mut stage, DVec3::new(0.8, 0.0, 0.6), DVec2::new(45.0, 30.0));
    let events = stage.release();
    assert!(matches!(events[..], [Event::PivotChanged { .. }, Event::Ended { .. }]), "{events:?}");
    let (released, items) = (arrow_px(&mut stage), stage.draw().items().to_vec());
    stage.update();
    let next = stage.draw();
    assert!(
        items
            .iter()
            .map(|item| item.world_from_part)
            .eq(next.items().iter().map(|item| item.world_from_part))
    );
    assert!(released.is_some() && released == arrow_px(&mut stage));
}
