//! The whole gizmo in one call a frame.

use crate::oracle::{bits, handle, odd_transform};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::{Event, Interaction, Pointer};
use wgpu_gizmo::{DrawList, Mode, Transform, View};

const ARROW_X: DVec3 = DVec3::new(0.7, 0.0, 0.0);

fn frame(stage: &mut Stage, px: DVec2, down: bool, world: &mut Transform) -> (Interaction, usize) {
    let pointer = Pointer { position_px: Some(px), primary_down: down, ..Pointer::default() };
    let said = stage.gizmo.interact(&stage.shot.view, pointer, world);
    let shown = stage.draw().items().len();
    (said, shown)
}

#[test]
fn immediate_mode_does_whole_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let mut world = Transform::IDENTITY;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    let arrow = Some(handle("translate_x"));
    let (said, shown) = frame(&mut stage, DVec2::new(10.0, 10.0), false, &mut world);
    assert_eq!((said.hovered, said.dragging, said.motion, said.event), (None, None, None, None));
    assert!(shown > 0);
    let (said, _) = frame(&mut stage, press, false, &mut world);
    assert_eq!((said.hovered, said.dragging), (arrow, None));
    let (said, _) = frame(&mut stage, press, true, &mut world);
    assert_eq!((said.dragging, said.event), (arrow, Some(Event::Started(handle("translate_x")))));
    assert_eq!(world, Transform::IDENTITY);
    let (said, shown) = frame(&mut stage, to, true, &mut world);
    assert!(matches!(said.event, Some(Event::Changed(motion)) if Some(motion) == said.motion));
    assert!(
        world.translation.x > 0.1 && world.translation.reject_from(DVec3::X).length() < 1e-12,
        "{world:?}"
    );
    assert!(shown > 0);
    let (said, _) = frame(&mut stage, to, true, &mut world);
    assert_eq!((said.dragging, said.event), (arrow, None));
    let moved = world;
    let (said, _) = frame(&mut stage, to, false, &mut world);
    assert_eq!((said.dragging, said.event), (None, Some(Event::Ended { changed: true })));
    assert_eq!(bits(&world), bits(&moved));
    let (said, _) = frame(&mut stage, DVec2::new(10.0, 10.0), false, &mut world);
    assert_eq!((said.hovered, said.event), (None, None));
}

#[test]
fn the_cancel_key_restores_every_bit() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let start = odd_transform(DVec3::ZERO);
    let mut world = start;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    for (px, down) in [(press, false), (press, true), (to, true)] {
        frame(&mut stage, px, down, &mut world);
    }
    assert_ne!(bits(&world), bits(&start));
    let pointer =
        Pointer { position_px: Some(to), primary_down: true, cancel_down: true, ..Pointer::default() };
    let said = stage.gizmo.interact(&stage.shot.view, pointer, &mut world);
    assert_eq!((said.event, said.dragging), (Some(Event::Cancelled), None));
    assert_eq!(bits(&world), bits(&start));
}

#[test]
fn missing_immediate_call_draws_nothing_and_cancels() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let start = odd_transform(DVec3::ZERO);
    let mut world = start;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    for (px, down) in [(press, false), (press, true), (to, true)] {
        let (_, shown) = frame(&mut stage, px, down, &mut world);
        assert!(shown > 0);
    }
    assert!(stage.gizmo.is_active());
    assert!(stage.draw().is_empty(), "no call since the last frame");
    assert!(!stage.gizmo.is_active());
    let kept: Vec<_> = stage.gizmo.starts().map(|start| bits(&start)).collect();
    assert_eq!(kept, [bits(&start)]);
    // Back again, with the button still down: nothing is dragged until it is pressed anew.
    let (said, shown) = frame(&mut stage, press, true, &mut world);
    assert!(said.dragging.is_none() && shown > 0, "{said:?}");
    frame(&mut stage, press, false, &mut world);
    stage.targets[0].local = world;
    let now = stage.at(ARROW_X);
    let (said, _) = frame(&mut stage, now, true, &mut world);
    assert_eq!(said.dragging, Some(handle("translate_x")));
}

#[test]
fn missing_pointer_clears_hover_but_keeps_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let mut world = Transform::IDENTITY;
    let press = stage.at(ARROW_X);
    frame(&mut stage, press, false, &mut world);
    let gone = Pointer::default();
    let said = stage.gizmo.interact(&stage.shot.view, gone, &mut world);
    assert_eq!(said.hovered, None);
    frame(&mut stage, press, false, &mut world);
    frame(&mut stage, press, true, &mut world);
    let held = Pointer { primary_down: true, ..gone };
    let said = stage.gizmo.interact(&stage.shot.view, held, &mut world);
    assert_eq!(said.dragging, Some(handle("translate_x")));
}

/// The same rectangle of two windows, whose cameras differ or do not.
fn second_windows(stage: &Stage) -> [View; 3] {
    let other = views::ALL[0].shot(&Camera::at(DVec3::new(-3.0, 1.0, 5.0))).view;
    assert_eq!(other.viewport(), stage.shot.view.viewport());
    [other, other.with_key(7), stage.shot.view.with_key(7)]
}

#[test]
fn a_second_window_of_the_same_size_costs_no_drag() {
    let stage = || Stage::of_mode(Mode::Translate);
    for second in second_windows(&stage()) {
        let mut stage = stage();
        let mut world = Transform::IDENTITY;
        let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
        let mut list = DrawList::new();
        for (px, down) in [(press, false), (press, true), (to, true), (to, true), (press, true), (to, true)] {
            let (_, shown) = frame(&mut stage, px, down, &mut world);
            assert!(shown > 0);
            stage.gizmo.draw(list.begin(&second));
            assert!(!list.is_empty(), "the second window shows it too");
            assert_eq!(stage.gizmo.is_active(), down);
        }
        let moved = world;
        assert!(moved.translation.x > 0.1);
        let (said, _) = frame(&mut stage, to, false, &mut world);
        assert_eq!((said.event, bits(&world)), (Some(Event::Ended { changed: true }), bits(&moved)));
    }
}

#[test]
fn a_call_for_another_window_leaves_the_drag_alone() {
    let stage = || Stage::of_mode(Mode::Translate);
    let [_, keyed @ ..] = second_windows(&stage());
    let pointers = [
        Pointer::default(),
        Pointer { position_px: Some(DVec2::new(30.0, 40.0)), ..Pointer::default() },
        Pointer { primary_down: true, ..Pointer::default() },
    ];
    for (second, other) in keyed.into_iter().flat_map(|view| pointers.map(|pointer| (view, pointer))) {
        let mut two = stage();
        let mut one = stage();
        let (mut world, mut alone) = (Transform::IDENTITY, Transform::IDENTITY);
        let (press, to) = (one.at(ARROW_X), one.at(ARROW_X * 2.0));
        for (px, down) in [(press, true), (to, true), (to, true), (press, true), (to, true), (to, false)] {
            let (said, shown) = frame(&mut two, px, down, &mut world);
            assert_eq!((said, shown), frame(&mut one, px, down, &mut alone));
            assert_eq!(bits(&world), bits(&alone));
            assert_eq!(two.gizmo.is_active(), down);
            let now = two.gizmo.interact(&second, other, &mut world);
            assert_eq!((bits(&world), now.dragging), (bits(&alone), said.dragging));
            two.gizmo.draw(DrawList::new().begin(&second));
        }
        assert!(world.translation.x > 0.1);
        // Its Esc is for all.
        frame(&mut two, press, false, &mut world);
        let start = world;
        two.targets[0].local = world;
        let (press, to) = (two.at(ARROW_X), two.at(ARROW_X * 2.0));
        frame(&mut two, press, false, &mut world);
        for px in [press, to] {
            frame(&mut two, px, true, &mut world);
        }
        assert!(two.gizmo.is_active() && bits(&world) != bits(&start));
        let said = two.gizmo.interact(&second, Pointer { cancel_down: true, ..other }, &mut world);
        assert_eq!((said.event, bits(&world)), (Some(Event::Cancelled), bits(&start)));
    }
}

#[test]
fn frames_without_the_call_cancel_though_the_camera_moves() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let mut world = Transform::IDENTITY;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    for (px, down) in [(press, false), (press, true), (to, true)] {
        frame(&mut stage, px, down, &mut world);
    }
    let mut list = DrawList::new();
    for step in 0..16 {
        let eye = DVec3::new(2.0 + 0.01 * f64::from(step), 2.5, 6.0);
        stage.gizmo.draw(list.begin(&views::ALL[0].view(&Camera::at(eye))));
    }
    assert!(list.is_empty() && !stage.gizmo.is_active());
}
