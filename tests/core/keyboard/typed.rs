//! Typed numbers and nudges (§11 of docs/spec.md).

use super::{idle, press, turned};
use crate::oracle::{cases, direction, handle, magnitude, rotation};
use crate::stage::Stage;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo::interaction::settings::Pivot;
use wgpu_gizmo::interaction::{Change, Event};
use wgpu_gizmo::{Increment, Mode, Orientation, Snap, Target, Transform};

#[test]
fn typed_axis_number_and_enter_make_drag() {
    let mut stage = idle(Mode::Translate);
    let events = press(&mut stage, "x-2.5!");
    assert_eq!(stage.local().translation, DVec3::new(-2.5, 0.0, 0.0));
    assert_eq!(events.first(), Some(&Event::Started(handle("translate_x"))));
    assert_eq!(events.last(), Some(&Event::Ended { changed: true }));
    assert!(!stage.gizmo.is_active() && !stage.gizmo.claims().keys);

    let mut stage = idle(Mode::Rotate);
    press(&mut stage, "z90!");
    assert!(stage.local().rotation.dot(turned().rotation).abs() > 1.0 - 1e-15);
    let mut stage = idle(Mode::Scale);
    press(&mut stage, "y.5!");
    assert_eq!(stage.local().scale, DVec3::new(1.0, 0.5, 1.0));
    // In Universal mode, an axis key translates.
    let mut stage = idle(Mode::Universal);
    press(&mut stage, "Y3>4!");
    assert_eq!(
        stage.local().translation,
        DVec3::new(4.0, 0.0, 3.0),
        "z and x, in the order of the handle's name"
    );
}

#[test]
fn arrows_nudge_by_one_readable_increment() {
    let mut stage = idle(Mode::Translate);
    stage.gizmo.settings.snap.translate = Increment::new(0.1);
    press(&mut stage, "xrrrl");
    assert_eq!(stage.gizmo.drag().and_then(|drag| drag.typed()), Some("0.2"));
    assert_eq!(stage.local().translation, DVec3::X * 0.2);
    press(&mut stage, "uuud!");
    assert_eq!(stage.local().translation, DVec3::X * 0.4);

    let mut stage = idle(Mode::Rotate);
    press(&mut stage, "yrr");
    assert_eq!(stage.gizmo.drag().and_then(|drag| drag.typed()), Some("30"), "15° by default");
    let mut stage = idle(Mode::Scale);
    press(&mut stage, "zl");
    assert_eq!(stage.local().scale, DVec3::new(1.0, 1.0, 0.9));
    // In a plane, up and down change the second number.
    let mut stage = idle(Mode::Translate);
    press(&mut stage, "Zruu");
    assert_eq!(stage.local().translation, DVec3::new(0.5, 1.0, 0.0));
}

#[test]
fn backspace_on_empty_text_returns_to_mouse() {
    let mut stage = idle(Mode::Translate);
    press(&mut stage, "x12<");
    assert_eq!(stage.local().translation, DVec3::X);
    press(&mut stage, "<");
    assert_eq!(stage.local(), Transform::IDENTITY);

    let mut stage = idle(Mode::Translate);
    let tip = stage.at(DVec3::X * 0.7);
    stage.grab(tip);
    stage.move_to(tip + DVec2::new(40.0, 3.0));
    stage.update();
    let before = stage.local();
    assert!(before.translation.x > 0.1);
    press(&mut stage, "3");
    assert_eq!(stage.local().translation, DVec3::X * 3.0);
    stage.move_to(tip + DVec2::new(90.0, 3.0));
    stage.update();
    assert_eq!(stage.local().translation, DVec3::X * 3.0, "typed numbers hold");
    stage.move_to(tip + DVec2::new(40.0, 3.0));
    press(&mut stage, "<");
    assert_eq!(stage.local(), before);
}

#[test]
fn typed_number_is_world_motion_under_any_parent() {
    cases(3_000, |rng| {
        let parent = DMat4::from_translation(direction(rng))
            * DMat4::from_quat(rotation(rng))
            * DMat4::from_scale(DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -1.0, 1.0))))
            * DMat4::from_quat(rotation(rng));
        let local = Transform { rotation: rotation(rng), ..Transform::IDENTITY };
        let mut stage = idle(Mode::Translate);
        stage.gizmo.settings.orientation =
            [Orientation::World, Orientation::Parent, Orientation::Local][rng.usize(..3)];
        stage.targets = vec![Target::new(local, parent)];
        stage.update();
        press(&mut stage, "z-12.75");
        let Some(Change::Translate(by)) = stage.gizmo.drag().map(|drag| drag.motion().change) else {
            panic!("a translation")
        };
        assert!((by.length() / 12.75 - 1.0).abs() < 1e-12);
        let moved = parent.transform_vector3(stage.local().translation - local.translation);
        assert!((moved - by).length() < 1e-12 * 12.75 * 100.0, "{moved} for {by}");
    });
}

#[test]
fn several_targets_and_every_pivot_can_be_typed() {
    let at = |x: f64| Target::from_world(Transform { translation: DVec3::X * x, ..Transform::IDENTITY });
    for pivot in [
        Pivot::Median,
        Pivot::Active,
        Pivot::Individual,
        Pivot::BoundsCenter,
        Pivot::Custom(DVec3::ONE),
        Pivot::EachTarget,
    ] {
        let mut stage = idle(Mode::Translate);
        stage.gizmo.settings.pivot = pivot;
        stage.targets = vec![at(0.0), at(2.0)];
        stage.update();
        press(&mut stage, "y4!");
        let moved: Vec<DVec3> = stage.targets.iter().map(|target| target.local.translation).collect();
        assert_eq!(moved, [DVec3::new(0.0, 4.0, 0.0), DVec3::new(2.0, 4.0, 0.0)], "{pivot:?}");
    }
}

#[test]
fn numbers_can_be_typed_with_pivot_out_of_view() {
    let mut stage = idle(Mode::Translate);
    stage.targets[0].local.translation = DVec3::new(20.0, 25.0, 60.0);
    stage.update();
    assert!(stage.shot.view.px_from_world(stage.pivot()).is_none(), "behind the viewer");
    press(&mut stage, "x-20!");
    assert_eq!(stage.local().translation, DVec3::new(0.0, 25.0, 60.0));
}

#[test]
fn first_arrow_nudges_one_increment_from_rest() {
    for name in
        ["translate_x", "translate_xy", "rotate_y", "rotate_view", "rotate_trackball", "scale_uniform"]
    {
        let handle = handle(name);
        let mut stage = Stage::of_mode(Mode::Handles(handle.into()));
        let press = stage.at(match name {
            "translate_x" => DVec3::X * 0.8,
            "translate_xy" => DVec3::new(0.4, 0.4, 0.0),
            "rotate_y" => DVec3::new(0.8, 0.0, 0.6),
            _ => DVec3::ZERO,
        });
        let on_ring = DVec2::X * if name == "rotate_view" { 1.15 * 96.0 } else { 0.0 };
        stage.grab(press + on_ring);
        assert_eq!(stage.gizmo.dragging(), Some(handle));
        let rest = if name == "scale_uniform" { 1.0 } else { 0.0 };
        let numbers = |stage: &Stage| stage.gizmo.drag().expect("a drag is in progress").numbers().to_vec();
        assert_eq!(numbers(&stage)[0], rest, "{name}");
        press_right(&mut stage);
        let defaults = Snap::DEFAULT_INCREMENTS;
        let increment = match name {
            "scale_uniform" => defaults.scale,
            name if name.starts_with("rotate") => defaults.rotate,
            _ => defaults.translate,
        };
        let step = increment.map_or(0.0, Increment::get);
        assert!((numbers(&stage)[0] - rest - step).abs() < 1e-12, "{name}: {:?}", numbers(&stage));
    }
}

fn press_right(stage: &mut Stage) {
    press(stage, "r");
}

#[test]
fn two_typed_drags_in_one_frame_undo_separately() {
    let mut stage = idle(Mode::Translate);
    let mut undo = Vec::new();
    let mut positions = Vec::new();
    let mut events = press(&mut stage, "x1!y2!z9~x3!");
    while stage.gizmo.claims().keys || !events.is_empty() {
        for event in events {
            if event == (Event::Ended { changed: true }) {
                undo.extend(stage.gizmo.starts().map(|start| start.translation));
                positions.push(stage.local().translation);
            }
        }
        events = stage.update();
    }
    let [zero, one, two] = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 2.0, 0.0)];
    assert_eq!(undo, [zero, one, two]);
    assert_eq!(positions, [one, two, DVec3::new(4.0, 2.0, 0.0)]);
}
