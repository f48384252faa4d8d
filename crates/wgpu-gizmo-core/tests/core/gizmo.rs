//! The state machine of the gizmo (§3 and §14 of docs/spec.md).

use crate::prelude::*;

#[test]
fn press_outside_viewport_misses_without_query() {
    let mut stage = Stage::of_mode(Mode::Translate);
    for outside in [DVec2::new(-1.0, 300.0), DVec2::new(800.0, 300.0), DVec2::new(5.0, 600.5)] {
        stage.move_to(outside);
        stage.gizmo.pointer_pressed();
        assert_eq!(stage.update(), []);
        assert_eq!(stage.gizmo.pick_query(), None);
        assert!(!stage.gizmo.is_active() && !stage.gizmo.claims().primary_press);
        assert_eq!(stage.release(), [], "a click on a panel deselects nothing");
    }
}

#[test]
fn unusable_press_is_refused_with_reason() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.targets[0].local.scale = DVec3::new(0.0, 1.0, 1.0);
    stage.update();
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_x")), Some(DisabledReason::ZeroScale));
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_y")), None);
    let id = stage.gizmo.id_of(handle("scale_x"));
    let (list, [r, g, b, _]) = (stage.draw(), stage.gizmo.theme.colors.disabled);
    let mut parts = list.items().iter().filter(|item| item.handle_id() == id.get());
    assert!(
        parts.all(|item| item.id.is_none() && item.color()[..3] == [r, g, b]),
        "it is gray and has no id"
    );
    let query = stage.press(stage.at(ARROW_X));
    stage.answer_hit(query, "scale_x");
    assert_eq!(stage.update(), [Event::Refused(handle("scale_x"), DisabledReason::ZeroScale)]);
    stage.targets.push(Target::from_world(Transform::IDENTITY));
    stage.update();
    assert_eq!(stage.gizmo.disabled_reason(handle("scale_x")), None, "it scales the other target");
}

/// A grab needs no press: it begins at the pointer, wherever that is.
#[test]
fn grab_follows_pointer_until_press() {
    let beside = DVec2::new(90.0, 80.0);
    for name in ["translate_view", "rotate_view", "scale_uniform"] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.point_at(beside);
        stage.gizmo.grab(handle(name));
        assert!(stage.gizmo.claims().keys, "the next key belongs to the drag");
        assert_eq!(stage.update(), [Event::Started(handle(name))]);
        assert!(matches!(stage.point_at(beside + DVec2::X * 60.0)[..], [Event::Changed(_)]), "{name}");
        let moved = stage.local();
        assert_eq!(stage.release(), [], "a release does not end the drag");
        stage.gizmo.pointer_pressed();
        assert_eq!(stage.update(), [Event::Ended { changed: true }]);
        assert_eq!(stage.release(), [], "the press selects nothing");
        assert_eq!(stage.local(), moved, "{name}");
    }
}
