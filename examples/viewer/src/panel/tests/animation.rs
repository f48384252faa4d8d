//! Tests of the animation bar.

use super::*;
use scene::rig::{Animation, Channel, Interpolation, Keyframes, Pose, Property, Rig};

/// Returns the scene with the animations `slide`, which moves `arm` from x = 0 to x = 10 in a second, and
/// `still`.
pub(super) fn animated() -> Scene {
    let mut scene = scene();
    let animation = |name: &str, end: f32| {
        let values = vec![0., 0., 0., end, 0., 0.];
        let keyframes = Keyframes::new(vec![0.0, 1.0], values, Interpolation::Linear);
        Animation {
            name: name.to_owned(),
            samplers: vec![keyframes.expect("the keyframes are valid")],
            channels: vec![Channel { node: 0, property: Property::Translation, sampler: 0 }],
        }
    };
    let animations = Arc::new(vec![animation("slide", 10.0), animation("still", 0.0)]);
    scene.set_rig(Rig { animations, ..Rig::default() });
    scene
}

fn pose(harness: &Harness<'_, Session>) -> Option<Pose> {
    harness.state().editor.scene().pose()
}

fn x(harness: &Harness<'_, Session>) -> f64 {
    harness.state().editor.scene().world_from_node(0).w_axis.x
}

#[test]
fn play_and_pause_and_rest_pose() {
    assert!(session(scene(), &[]).query_by_label("Play").is_none(), "without animations there is no bar");
    let mut harness = session(animated(), &[0]);
    assert_eq!(pose(&harness), None, "the scene opens at rest");
    harness.get_by_label("Play").click();
    harness.step();
    harness.step();
    let before = x(&harness);
    for _ in 0..5 {
        harness.step();
    }
    assert!(x(&harness) > before, "{before} {}", x(&harness));
    click(&mut harness, "Pause", Modifiers::NONE);
    let paused = pose(&harness);
    harness.run();
    assert_eq!((pose(&harness), paused.is_some()), (paused, true), "the time stays");
    assert_eq!(local(&harness, "arm").translation.x, 1.0);
    click(&mut harness, "Rest pose", Modifiers::NONE);
    assert_eq!((pose(&harness), x(&harness)), (None, 1.0));
    assert!(steps(&harness).is_empty(), "nothing was edited");
}

#[test]
fn slider_shows_time_and_edit_ends_animation() {
    let mut harness = session(animated(), &[0]);
    let center = harness.get_by_role(Role::Slider).rect().center();
    harness.hover_at(center);
    harness.run();
    let click = [true, false].map(|pressed| press(center, pressed, PointerButton::Primary, Modifiers::NONE));
    harness.input_mut().events.extend(click.map(|[_, button]| button));
    harness.run();
    assert!((x(&harness) - 5.0).abs() < 0.5, "a click within one frame goes to its time");
    harness.get_by_role(Role::Slider).focus();
    harness.run();
    press_key(&mut harness, Key::ArrowRight);
    let shown = pose(&harness).expect("the slider shows the animation");
    assert!(shown.time > 0.0 && (x(&harness) - 10.0 * shown.time).abs() < 1e-6, "{shown:?}");
    harness.state_mut().editor.reparent(None);
    harness.get_by_label("Play").click();
    harness.step();
    harness.state_mut().editor.adjust("x", "Translate {}", |_, start| Transform {
        translation: start.translation + DVec3::X,
        ..*start
    });
    harness.run();
    assert_eq!((pose(&harness), x(&harness)), (None, 2.0), "the edit applies to the scene at rest");
}
