//! Immediate mode: `Gizmo::interact`, one call per frame.

use crate::prelude::*;

/// The event of one frame, and the state of the gizmo after it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Response {
    event: Option<Event>,
    hovered: Option<HandleId>,
    dragging: Option<HandleId>,
    motion: Option<Motion>,
}

fn interact(gizmo: &mut Gizmo, view: &View, pointer: Pointer, world: &mut Transform) -> Response {
    let event = gizmo.interact(view, pointer, world);
    let motion = gizmo.drag().map(|drag| drag.motion());
    Response { event, hovered: gizmo.hovered(), dragging: gizmo.dragging(), motion }
}

fn frame(stage: &mut Stage, px: DVec2, down: bool, world: &mut Transform) -> (Response, usize) {
    let pointer = Pointer { position_px: Some(px), primary_down: down, ..Pointer::default() };
    let response = interact(&mut stage.gizmo, &stage.shot.view, pointer, world);
    let shown = stage.draw().items().len();
    (response, shown)
}

#[test]
fn call_for_other_window_does_not_affect_drag() {
    let stage = || Stage::of_mode(Mode::Translate);
    // A second window with an equal viewport, with another camera or the same one.
    let other = views::ALL[0].view(&Camera::at(DVec3::new(-3.0, 1.0, 5.0)));
    let pointers = [
        Pointer::default(),
        Pointer { position_px: Some(DVec2::new(30.0, 40.0)), ..Pointer::default() },
        Pointer { primary_down: true, ..Pointer::default() },
    ];
    for (second, other) in
        [other, stage().shot.view].into_iter().flat_map(|view| pointers.map(|pointer| (view, pointer)))
    {
        let second = second.with_key(7);
        let mut shared = stage();
        let mut single = stage();
        let (mut world, mut alone) = (Transform::IDENTITY, Transform::IDENTITY);
        let (press, to) = (single.at(ARROW_X), single.at(ARROW_X * 2.0));
        for (px, down) in [(press, true), (to, true), (to, true), (press, true), (to, true), (to, false)] {
            let (response, shown) = frame(&mut shared, px, down, &mut world);
            assert_eq!((response, shown), frame(&mut single, px, down, &mut alone));
            assert_eq!(bits(&world), bits(&alone));
            assert_eq!(shared.gizmo.is_active(), down);
            let now = interact(&mut shared.gizmo, &second, other, &mut world);
            assert_eq!((bits(&world), now.dragging), (bits(&alone), response.dragging));
            shared.gizmo.draw(DrawList::new().begin(&second));
        }
        assert!(world.translation.x > 0.1);
        // Escape in the other window cancels the drag.
        frame(&mut shared, press, false, &mut world);
        let start = world;
        shared.targets[0].local = world;
        let (press, to) = (shared.at(ARROW_X), shared.at(ARROW_X * 2.0));
        frame(&mut shared, press, false, &mut world);
        for px in [press, to] {
            frame(&mut shared, px, true, &mut world);
        }
        assert!(shared.gizmo.is_active() && bits(&world) != bits(&start));
        let response =
            interact(&mut shared.gizmo, &second, Pointer { cancel_down: true, ..other }, &mut world);
        assert_eq!((response.event, bits(&world)), (Some(Event::Canceled), bits(&start)));
    }
}

#[test]
fn frames_without_call_cancel_despite_camera_motion() {
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
    assert_eq!(
        frame(&mut stage, to, true, &mut world).0.event,
        Some(Event::Canceled),
        "the next call says so"
    );
}

/// Runs a frame of several windows, with the pointer in one of them.
fn frame_of_windows(
    gizmo: &mut Gizmo,
    windows: &[View],
    (window, pointer): (usize, Pointer),
    world: &mut Transform,
) -> Vec<Event> {
    let mut events = Vec::new();
    for (index, view) in windows.iter().enumerate() {
        let pointer = if index == window { pointer } else { Pointer::default() };
        events.extend(interact(gizmo, view, pointer, world).event);
        gizmo.draw(DrawList::new().begin(view));
    }
    events
}

#[test]
fn pointer_goes_from_window_to_window() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let windows: Vec<View> = (1..=20).map(|key| stage.shot.view.with_key(key)).collect();
    let mut world = Transform::IDENTITY;
    let arrow_x = Some(handle("translate_x"));
    for window in [0, 19, 7, 8] {
        stage.targets[0].local = world;
        let start = world.translation.x;
        let (arrow, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 1.2));
        let gizmo = &mut stage.gizmo;
        let mut frame = |px: DVec2, primary_down: bool| {
            let pointer = Pointer { position_px: Some(px), primary_down, ..Pointer::default() };
            let events = frame_of_windows(gizmo, &windows, (window, pointer), &mut world);
            (events, gizmo.hovered(), gizmo.dragging())
        };
        assert_eq!(frame(arrow, false), (vec![], arrow_x, None), "window {window}");
        let (events, _, dragging) = frame(arrow, true);
        assert_eq!((events, dragging), (vec![Event::Started(handle("translate_x"))], arrow_x));
        let (events, _, dragging) = frame(to, true);
        assert!(matches!(events[..], [Event::Changed(_)]) && dragging == arrow_x, "{events:?}");
        let (events, _, dragging) = frame(to, false);
        assert_eq!((events, dragging), (vec![Event::Ended { changed: true }], None));
        assert_eq!(frame(DVec2::new(9.0, 9.0), false), (vec![], None, None));
        assert!(world.translation.x > start + 0.1, "{world:?}");
    }
    // It leaves the last window.
    stage.targets[0].local = world;
    let on_arrow = Pointer { position_px: Some(stage.at(ARROW_X)), ..Pointer::default() };
    frame_of_windows(&mut stage.gizmo, &windows, (8, on_arrow), &mut world);
    assert_eq!(stage.gizmo.hovered(), arrow_x);
    frame_of_windows(&mut stage.gizmo, &windows, (8, Pointer::default()), &mut world);
    assert_eq!(stage.gizmo.hovered(), None);
}

#[test]
fn held_cancel_key_cancels_no_later_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let mut world = Transform::IDENTITY;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    let mut frame = |px: DVec2, primary_down: bool, cancel_down: bool| {
        let pointer = Pointer { position_px: Some(px), primary_down, cancel_down, ..Pointer::default() };
        interact(&mut stage.gizmo, &stage.shot.view, pointer, &mut world).event
    };
    frame(press, false, true);
    assert_eq!(frame(press, true, true), Some(Event::Started(handle("translate_x"))));
    assert!(matches!(frame(to, true, true), Some(Event::Changed(_))), "it was down before the drag");
    assert_eq!(frame(to, true, false), None);
    assert_eq!(frame(to, true, true), Some(Event::Canceled), "it is pressed again");
}

#[test]
fn drag_outlives_hundreds_but_not_any_number_of_views() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let mut world = Transform::IDENTITY;
    let (press, to) = (stage.at(ARROW_X), stage.at(ARROW_X * 2.0));
    for (px, down) in [(press, false), (press, true), (to, true)] {
        frame(&mut stage, px, down, &mut world);
    }
    let mut draw = |key: u64| {
        stage.gizmo.draw(DrawList::new().begin(&stage.shot.view.with_key(key)));
        stage.gizmo.is_active()
    };
    assert!((1..200).all(&mut draw), "each window has a view");
    assert!(!(200..400).all(draw), "no call follows");
}
