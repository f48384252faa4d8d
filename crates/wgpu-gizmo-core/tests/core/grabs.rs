//! Drags that begin at the pointer without a press (§11 of docs/spec.md).

use crate::oracle::{bits, handle};
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::{Event, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, Settings};

/// The pointer before the grab, beside all handles.
const BESIDE: DVec2 = DVec2::new(90.0, 80.0);

/// Grabs a handle with the pointer beside the gizmo, then moves it right by 60 pixels.
fn grabbed(mode: Mode, name: &str) -> Stage {
    let mut stage = Stage::of_mode(mode);
    stage.point_at(BESIDE);
    stage.gizmo.grab(handle(name));
    assert!(stage.gizmo.claims().keys, "the next key belongs to the drag");
    assert_eq!(stage.update(), [Event::Started(handle(name))]);
    assert!(matches!(stage.point_at(BESIDE + DVec2::X * 60.0)[..], [Event::Changed(_)]), "{name}");
    stage
}

#[test]
fn grab_follows_pointer_until_press() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale] {
        for name in ["translate_view", "rotate_view", "scale_uniform"] {
            let mut stage = grabbed(mode, name);
            let moved = stage.local();
            assert_eq!(stage.release(), [], "a release does not end the drag");
            stage.gizmo.pointer_pressed();
            assert_eq!(stage.update(), [Event::Ended { changed: true }]);
            assert_eq!(stage.release(), [], "the press selects nothing");
            assert_eq!(bits(&stage.local()), bits(&moved), "{name}");
        }
    }
}

#[test]
fn grabbed_point_of_view_plane_stays_under_pointer() {
    let stage = grabbed(Mode::Rotate, "translate_view");
    let drag = stage.gizmo.drag().expect("a drag is in progress");
    let start = drag.starts().next().expect("the drag has a target").translation;
    let grabbed = drag.press_point_world().expect("the drag has a grabbed point");
    let world = grabbed + stage.local().translation - start;
    let px = stage.shot.view.px_from_world(world).expect("the point is in front of the eye");
    assert!(px.abs_diff_eq(BESIDE + DVec2::X * 60.0, 1e-6), "{px}");
}

#[test]
fn grab_without_pointer_is_controlled_by_keys() {
    let mut stage = Stage::new(Settings::default());
    stage.update();
    stage.gizmo.pointer_left();
    stage.gizmo.grab(handle("translate_x"));
    for key in [Key::Digit(3), Key::Enter] {
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    let before = stage.local().translation;
    assert_eq!(stage.update().last(), Some(&Event::Ended { changed: true }));
    assert!((stage.local().translation - before).abs_diff_eq(DVec3::X * 3.0, 1e-12));
}
