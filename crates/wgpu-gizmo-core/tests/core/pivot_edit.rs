//! §19 of docs/spec.md: editing the place of the gizmo itself.

use crate::prelude::*;

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
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    assert_eq!(stage.cancel(), [Event::Canceled]);
    assert_eq!(stage.gizmo.pivot_place(), from);
    stage.release();
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    let live = point(&stage);
    assert!(live.x > 0.3 && live.y == 0.2, "the place is live: {live}");
    let events = stage.release();
    let to = stage.gizmo.pivot_place();
    assert_eq!(events, [Event::PivotChanged { from, to }, Event::Ended { changed: false }]);
    stage.gizmo.end_pivot_edit();
    stage.update();
    assert_eq!((point(&stage), bits(&stage.local())), (live, start));
    stage.gizmo.reset_pivot();
    assert_eq!(stage.update(), [Event::PivotChanged { from: to, to: from }]);
    assert!(!stage.gizmo.has_edited_pivot());
}

#[test]
fn rotation_drag_turns_reference_frame_only() {
    let mut stage = editing(Settings::default().with(|s| s.mode = Mode::Rotate));
    let start = stage.local();
    drag(&mut stage, DVec3::new(0.8, 0.0, 0.6), DVec2::X * -40.0);
    stage.release();
    let Transform { translation, rotation, .. } = stage.gizmo.pivot_place().expect("the gizmo has a place");
    assert_eq!((translation, bits(&stage.local())), (start.translation, bits(&start)));
    assert!(rotation.y.abs() > 0.05, "{rotation}");
    // Drags of the target follow the turned frame.
    stage.gizmo.end_pivot_edit();
    stage.update();
    stage.drive("translate_x", 2.0);
    let moved = stage.local().translation - start.translation;
    assert!(moved.abs_diff_eq(rotation * DVec3::X * 2.0, 1e-12), "{moved}");
}

#[test]
fn targets_rotate_about_edited_pivot_and_carry_it() {
    let mut stage = Stage::new(Settings::default());
    stage.gizmo.pivot_to(DVec3::X);
    stage.update();
    for (name, by, position, pivot) in [
        ("rotate_z", std::f64::consts::PI, DVec3::X * 2.0, DVec3::X),
        ("translate_y", 3.0, DVec3::new(2.0, 3.0, 0.0), DVec3::new(1.0, 3.0, 0.0)),
    ] {
        stage.drive(name, by);
        stage.update();
        let moved = stage.local().translation;
        assert!(moved.abs_diff_eq(position, 1e-12) && point(&stage).abs_diff_eq(pivot, 1e-12), "{name}");
    }
    let carried = point(&stage);
    stage.gizmo.align_frame_to(DQuat::from_rotation_x(0.5));
    stage.update();
    assert_eq!(point(&stage), carried, "an edit of the frame leaves the point there");
    stage.drive("rotate_y", 1.0);
    stage.update();
    let frame = stage.gizmo.pivot_place().expect("the gizmo has a place").rotation;
    let turned = DQuat::from_rotation_x(0.5) * DQuat::from_rotation_y(1.0);
    assert!(frame.dot(turned).abs() > 1.0 - 1e-12, "the frame turns with the target: {frame}");
}

#[test]
fn edited_place_is_kept_per_selection() {
    let mut stage = Stage::new(Settings::default());
    for (key, place) in [(1, DVec3::X), (2, DVec3::Y)] {
        stage.targets = vec![odd_target(key)];
        stage.update();
        assert_eq!(point(&stage), DVec3::new(0.1, 0.2, 0.3), "another selection has its own");
        stage.gizmo.pivot_to(place);
        stage.update();
    }
    stage.targets = vec![];
    stage.update();
    let others: Vec<_> = stage.gizmo.other_edited_selections().collect();
    assert_eq!(others, [[Some(1)], [Some(2)]], "the oldest first");
    for (key, place) in [(1, DVec3::X), (2, DVec3::Y)] {
        stage.targets = vec![odd_target(key)];
        stage.update();
        assert_eq!(point(&stage), place);
    }
}

#[test]
fn drive_moves_pivot_of_selection_since_last_update() {
    let mut stage = editing(Settings::default());
    stage.targets[0] = Target::from_world(Transform::from_translation(DVec3::Y * 4.0)).with_key(2);
    stage.drive("translate_x", 1.0);
    stage.update();
    assert_eq!(point(&stage), DVec3::new(1.0, 4.0, 0.0));
}

#[test]
fn refused_drive_of_other_targets_leaves_pivot_drag() {
    let mut stage = editing(Settings::default());
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    let refused = stage.gizmo.drive(handle("translate_x"), 1.0, &mut [odd_target(2)]);
    assert_eq!(refused, Err(DriveError::Busy));
    assert_eq!(stage.update(), []);
    assert!(stage.gizmo.is_active());
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
fn edit_begins_after_press_beside_gizmo() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.grab(DVec2::splat(5.0));
    stage.gizmo.edit_pivot();
    stage.point_at(DVec2::splat(50.0));
    stage.draw();
    assert_eq!(stage.release(), []);
    assert!(stage.gizmo.needs_update());
    stage.update();
    assert!(!stage.gizmo.needs_update() && stage.gizmo.disabled_reason(handle("scale_x")).is_some());
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
}

#[test]
fn place_changes_after_press_that_waits_for_pick() {
    let mut stage = Stage::new(Settings::default());
    let query = stage.press(stage.at(ARROW_X));
    stage.gizmo.pivot_to(DVec3::X);
    assert_eq!(stage.update(), [], "the press refers to the gizmo that the user saw");
    stage.answer_hit(query, "translate_x");
    let events = stage.update();
    let is_in_order =
        matches!(events[..], [Event::Started(_), Event::Ended { .. }, Event::PivotChanged { .. }]);
    assert!(is_in_order, "{events:?}");
}

#[test]
fn pivot_drag_leaves_target_alone_in_update_without_view() {
    let mut stage = editing(Settings::default());
    let start = bits(&stage.local());
    drag(&mut stage, ARROW_X, DVec2::X * 60.0);
    let other = stage.shot.view.with_key(7);
    for views in [&[][..], &[other]] {
        assert!(stage.gizmo.update(views, &mut stage.targets).is_empty());
        assert_eq!(bits(&stage.local()), start);
    }
}

#[test]
fn place_is_restored_for_any_selection_without_event() {
    let mut stage = Stage::new(Settings::default());
    let place = (Some(DVec3::X), Some(DQuat::from_rotation_z(0.5)));
    for target in [1, 2].map(odd_target) {
        stage.targets = vec![odd_target(1)];
        stage.update();
        stage.gizmo.restore_pivot(&[target], place.0, place.1);
        assert_eq!(stage.update(), []);
        stage.targets = vec![target];
        assert_eq!(stage.update(), []);
        assert_eq!(stage.gizmo.edited_pivot(), place);
        assert_eq!(stage.gizmo.pivot_place().map(|place| place.translation), place.0);
        stage.gizmo.restore_pivot(&[target], None, Some(DQuat::NAN));
        assert_eq!(stage.update(), []);
        assert_eq!(stage.gizmo.edited_pivot(), (None, None));
        assert_ne!(stage.gizmo.pivot_place().map(|place| place.translation), place.0);
    }
    let [plain, restored] = [false, true].map(|restores| {
        let mut stage = Stage::new(Settings::default());
        drag(&mut stage, ARROW_X, DVec2::X * 30.0);
        if restores {
            stage.gizmo.restore_pivot(&stage.targets, place.0, place.1);
        }
        stage.point_at(DVec2::new(600.0, 300.0));
        stage.release();
        stage.local()
    });
    assert_eq!(restored, plain, "a drag in progress goes on");
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
fn pivot_snaps_to_grid_of_parent() {
    let mut stage = editing(Settings::default().with(|s| {
        s.orientation = Orientation::Parent;
        s.snap.increments = Snap::DEFAULT_INCREMENTS;
        s.snap.kind = SnapKind::Grid { origin_world: DVec3::X * 0.03 };
    }));
    stage.targets[0] = Target::new(Transform::IDENTITY, DMat4::from_translation(DVec3::X * 0.1));
    stage.update();
    stage.drive("translate_x", 1.2);
    stage.update();
    assert!((point(&stage).x - 1.1).abs() < 1e-12, "{}", point(&stage));
}
