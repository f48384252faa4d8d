//! §22 of docs/spec.md: a drag moves the pressed targets and no others.

use crate::prelude::*;

fn keyed(key: u64, x: f64) -> Target {
    Target::from_world(Transform::from_translation(DVec3::X * x)).with_key(key)
}

#[test]
fn changed_list_cancels_drag_and_restores_by_key() {
    let names = ["translate_y", "rotate_x", "scale_uniform", "box_+x", "box_-y"];
    cases(600, |rng| {
        let name = names[rng.usize(..names.len())];
        let mut stage = Stage::new(Settings::default().with(|s| {
            s.pivot = [Pivot::Median, Pivot::Active, Pivot::EachTarget][rng.usize(..3)];
            s.box_handles.insert(BoxHandles::default()).result = BoxResult::ALL[rng.usize(..2)];
        }));
        let bounds = [DVec3::splat(-0.5), DVec3::splat(0.5)];
        let target = |key: u64| keyed(key, 0.3 + key as f64).with_bounds(bounds);
        let starts: Vec<Target> = (0..rng.u64(1..4)).map(target).collect();
        stage.targets.clone_from(&starts);
        stage.update();
        stage.begin_drive(name, 1.4);
        assert_ne!(stage.targets, starts, "{name}");
        // The host selects something else, which it has moved itself.
        let (other, index) = (target(9), rng.usize(..starts.len()));
        match rng.u8(..4) {
            0 if starts.len() > 1 => stage.targets.reverse(),
            1 => drop(stage.targets.remove(index)),
            2 => stage.targets.insert(index, other),
            _ => stage.targets[index] = other,
        }
        let expected: Vec<Target> = stage
            .targets
            .iter()
            .map(|target| match target.key {
                Some(key) if key < 9 => starts[key as usize],
                _ => other,
            })
            .collect();
        assert_eq!(stage.update(), [Event::Canceled], "{name}");
        assert_eq!(stage.targets, expected, "{name}");
        assert_eq!(stage.gizmo.starts().count(), starts.len(), "the host restores the others");
    });
}

#[test]
fn press_on_handle_drags_no_other_target() {
    for is_other in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.targets = vec![keyed(7, 0.0)];
        stage.update();
        let query = stage.press(stage.at(DVec3::Y * 0.7));
        // The host selects another object, or moves the same one, before the pick is known.
        stage.targets = vec![keyed(if is_other { 9 } else { 7 }, 1.0)];
        let ball = HandleMesh::ball();
        stage.gizmo.add_handle(CustomHandle::new(Constraint::ViewPlane, ball, Transform::IDENTITY, [1.0; 4]));
        stage.update();
        stage.answer_hit(query, "translate_y");
        let arrow = handle("translate_y");
        let refused = Event::Refused(arrow, DisabledReason::NoTarget);
        assert_eq!(stage.update(), [if is_other { refused } else { Event::Started(arrow) }]);
    }
}
