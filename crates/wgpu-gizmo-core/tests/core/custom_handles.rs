//! Custom handles that are added, replaced and removed.

use crate::prelude::*;

fn ball_at(constraint: Constraint, x: f64) -> CustomHandle {
    let placement =
        Transform { translation: DVec3::new(x, 0.6, 0.0), scale: DVec3::splat(0.1), ..Transform::IDENTITY };
    CustomHandle::new(constraint, HandleMesh::ball(), placement, [1.0, 0.5, 0.0, 1.0])
}

/// Creates a stage with three balls next to each other, each with one draw item.
fn three_balls() -> (Stage, [HandleId; 3]) {
    let mut stage = Stage::of_mode(Mode::None);
    let added = [-0.5, 0.0, 0.5].map(|x| {
        let custom = ball_at(Constraint::ViewPlane, x);
        stage.gizmo.add_handle(custom).expect("there is a free handle slot")
    });
    stage.gizmo.settings.mode = Mode::Handles(added.into_iter().collect());
    stage.update();
    stage.draw();
    (stage, added)
}

fn picked(stage: &mut Stage, x: f64) -> Option<HandleId> {
    let at = stage.at(DVec3::new(x, 0.6, 0.0));
    let id = stage.draw().pick(at, 0.0)?;
    stage.gizmo.handle_of(id)
}

#[test]
fn removed_handle_disappears_and_others_keep_ids() {
    let (mut stage, [first, second, third]) = three_balls();
    let removed = stage.gizmo.remove_handle(second).expect("the handle exists");
    assert_eq!(removed.placement, ball_at(Constraint::ViewPlane, 0.0).placement);
    assert!(stage.gizmo.remove_handle(second).is_none(), "already removed");
    assert!(stage.gizmo.remove_handle(handle("translate_x")).is_none());
    assert!(!stage.gizmo.settings.mode.handles().contains(second));
    // A mode that still lists the handle does not bring it back, but shows the next one in its slot.
    stage.gizmo.settings.mode = Mode::Handles([first, second, third].into_iter().collect());
    assert!(stage.gizmo.needs_redraw(0));
    stage.update();
    assert_eq!([-0.5, 0.0, 0.5].map(|x| picked(&mut stage, x)), [Some(first), None, Some(third)]);
    assert_eq!(stage.gizmo.add_handle(ball_at(Constraint::ViewPlane, 0.0)), Some(second));
    assert!(stage.gizmo.needs_redraw(0));
    stage.update();
    assert_eq!(picked(&mut stage, 0.0), Some(second));
}

#[test]
fn reused_handle_slot_ignores_late_answers() {
    let (mut stage, [_, second, _]) = three_balls();
    stage.point_at(stage.at(DVec3::new(0.0, 0.6, 0.0)));
    let query = stage.gizmo.pick_query().expect("the hover has a query");
    stage.gizmo.remove_handle(second);
    let next =
        stage.gizmo.add_handle(ball_at(Constraint::Axis(Axis::X), 0.0)).expect("there is a free handle slot");
    assert_eq!(next.index(), second.index());
    stage.gizmo.settings.mode = Mode::Handles(next.into());
    stage.update();
    let late = answer_with(query, stage.gizmo.id_of(next));
    stage.gizmo.answer(&late);
    assert_eq!(stage.gizmo.hovered(), None, "the query was about the old handle");
    stage.answer();
    assert_eq!(stage.gizmo.hovered(), Some(next));
    // Handles can be added and removed without end.
    for _ in 0..200 {
        let custom =
            stage.gizmo.add_handle(ball_at(Constraint::ViewRing, 0.9)).expect("there is a free handle slot");
        assert!(stage.gizmo.remove_handle(custom).is_some());
    }
}

#[test]
fn replaced_handle_looks_and_moves_like_new_one() {
    let (mut stage, [first, second, third]) = three_balls();
    let mut green = ball_at(Constraint::ViewPlane, 0.0);
    green.color = [0.0, 1.0, 0.0, 1.0];
    assert_eq!(stage.gizmo.replace_handle(second, green), Some(second));
    assert!(stage.gizmo.needs_redraw(0));
    stage.update();
    let colors: Vec<_> = stage.draw().items().iter().map(|item| item.color()).collect();
    assert_eq!(colors.iter().filter(|color| **color == [0.0, 1.0, 0.0, 1.0]).count(), 1);

    let mut far = ball_at(Constraint::ViewPlane, 2.0);
    far.placement.scale = DVec3::splat(-0.4);
    assert_eq!(stage.gizmo.replace_handle(third, far), Some(third));
    stage.update();
    assert_eq!(picked(&mut stage, 2.3), Some(third), "mirrored, and beyond the arrows");
    stage.gizmo.settings.display.size_lpx = 30.0;
    let farther = ball_at(Constraint::ViewPlane, 2.0).with_offset(DVec3::X * 2.0 * stage.size());
    assert_eq!(stage.gizmo.replace_handle(third, farther), Some(third));
    stage.update();
    assert_eq!(picked(&mut stage, 4.0), Some(third), "twice as far");

    let along_x = ball_at(Constraint::Axis(Axis::X), -0.5);
    let now = stage.gizmo.replace_handle(first, along_x).expect("the handle exists");
    assert!(now != first && now.index() == first.index());
    assert_eq!(stage.gizmo.replace_handle(first, ball_at(Constraint::ViewPlane, 0.0)), None, "gone");
    stage.update();
    let at = stage.at(DVec3::new(-0.5, 0.6, 0.0));
    stage.grab(at);
    assert_eq!(stage.gizmo.replace_handle(now, ball_at(Constraint::ViewPlane, 0.0)), None, "dragged");
    stage.point_at(at + 40.0);
    let to = stage.local().translation;
    assert!(to.x != 0.0 && (to.y, to.z) == (0.0, 0.0), "{to}");
}

#[test]
fn turned_handle_is_locked_and_hidden_as_its_new_axis() {
    let mut stage = Stage::of_mode(Mode::None);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::X * 6.0));
    let custom = ball_at(Constraint::Axis(Axis::X), 0.0);
    let along_x = custom.placement;
    let id = stage.gizmo.add_handle(custom).expect("there is a free handle slot");
    stage.gizmo.settings.mode = Mode::Handles(id.into());
    stage.gizmo.settings.motion.locks.translation.x = true;
    stage.update();
    let along_y = Transform { rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), ..along_x };
    for (placement, reason) in
        [(along_x, Some(DisabledReason::Locked)), (along_y, None), (along_x, Some(DisabledReason::Locked))]
    {
        stage.gizmo.place_handle(id, placement);
        stage.update();
        assert_eq!(stage.gizmo.disabled_reason(id), reason, "{placement:?}");
        assert_eq!(stage.draw().items().is_empty(), reason.is_some(), "X points at the viewer");
    }
}

#[test]
fn hover_ends_with_handle_that_is_gone() {
    let at = |x: f64| DVec3::new(x, 0.6, 0.0);
    let along_x = || ball_at(Constraint::Axis(Axis::X), -0.5);
    let plain = || ball_at(Constraint::ViewPlane, -0.5);
    type Change = fn(&mut Stage, HandleId, CustomHandle);
    let remove: Change = |stage, handle, _| assert!(stage.gizmo.remove_handle(handle).is_some());
    let replace: Change = |stage, handle, by| assert!(stage.gizmo.replace_handle(handle, by).is_some());
    for (change, by, index, is_hovered) in [
        (remove, plain(), 0, false),
        (remove, plain(), 1, true),
        (replace, plain(), 0, true),
        (replace, along_x(), 0, false),
        (replace, along_x(), 1, true),
    ] {
        let (mut stage, added) = three_balls();
        stage.hover(stage.at(at(-0.5)));
        assert_eq!(stage.gizmo.hovered(), Some(added[0]));
        change(&mut stage, added[index], by);
        assert_eq!(stage.gizmo.hovered(), Some(added[0]).filter(|_| is_hovered));
    }
    // A drag keeps the pointer of its handle.
    let (mut stage, [first, ..]) = three_balls();
    stage.grab(stage.at(at(-0.5)));
    stage.gizmo.remove_handle(first);
    assert_eq!(stage.gizmo.hovered(), Some(first));
}

#[test]
fn handle_with_nonfinite_placement_is_not_drawn() {
    let plain = ball_at(Constraint::ViewPlane, 0.0).placement;
    for placement in [
        Transform { translation: DVec3::NAN, ..plain },
        Transform { scale: DVec3::INFINITY, ..plain },
        Transform { rotation: DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), ..plain },
    ] {
        let mut stage = Stage::of_mode(Mode::None);
        let mut custom = ball_at(Constraint::ViewPlane, 0.0);
        custom.placement = placement;
        let id = stage.gizmo.add_handle(custom).expect("there is a free handle slot");
        stage.gizmo.settings.mode = Mode::Handles(id.into());
        stage.update();
        assert!(stage.draw().items().is_empty(), "{placement:?}");
    }
}

#[test]
fn meshes_are_equal_if_they_are_clones() {
    let corner = |x: f32, y: f32| Vertex { position: [x, y, 0.0], weight: 0.0, normal: [0.0; 3], lit: 0.0 };
    let mesh = || {
        let corners = vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)];
        HandleMesh::new(corners, vec![0, 1, 2]).expect("the mesh is valid")
    };
    let [first, second] = [mesh(), mesh()];
    assert!(first == first.clone() && first != second);
}
