//! One gizmo in several windows: each has a view with a key of its own (§1, §3 of docs/spec.md).

use crate::oracle::bits;
use crate::stage::{ARROW_X, Stage};
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::{Event, Key, KeyModifiers};
use wgpu_gizmo_core::{DrawList, Mode, View, Viewport};

fn draw(stage: &mut Stage, view: &View) {
    let mut list = DrawList::new();
    stage.gizmo.draw(list.begin(view));
}

#[test]
fn each_view_is_redrawn_once_after_change() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let first = stage.shot.view;
    let views = [first, first.with_key(7), first.with_key(8)];
    stage.update();
    for view in views {
        assert!(stage.gizmo.needs_redraw(view.key()), "not drawn yet");
        draw(&mut stage, &view);
    }
    assert!(views.iter().all(|view| !stage.gizmo.needs_redraw(view.key())));
    let arrow = stage.at(ARROW_X);
    stage.hover(arrow);
    for (index, view) in views.iter().enumerate() {
        let outdated = views.map(|view| stage.gizmo.needs_redraw(view.key()));
        assert_eq!(outdated, [0, 1, 2].map(|other| other >= index), "the hover shows in every view");
        draw(&mut stage, view);
    }
    assert!(views.iter().all(|view| !stage.gizmo.needs_redraw(view.key())));
}

#[test]
fn drag_ignores_updates_with_view_of_other_window() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let own = stage.shot;
    let arrow = stage.at(ARROW_X);
    stage.grab(arrow);
    let mut other = own;
    other.view = View::from_clip_from_world(own.clip_from_world, Viewport::from_size(300, 900), 2.0)
        .expect("the view is valid")
        .with_key(7);
    for step in 1..5 {
        stage.move_to(arrow + DVec2::X * 10.0 * f64::from(step));
        let before = bits(&stage.local());
        stage.shot = other;
        assert_eq!(stage.update(), [], "the move waits for its own view");
        assert_eq!(bits(&stage.local()), before);
        stage.shot = own;
        assert!(matches!(stage.update()[..], [Event::Changed(_)]));
        let moved = bits(&stage.local());
        assert_ne!(moved, before);
        stage.shot = other;
        assert_eq!(stage.update(), []);
        assert_eq!(bits(&stage.local()), moved, "it does not flip between two positions");
    }
    // A release waits, too. A cancel ends the drag in any window.
    assert_eq!(stage.release(), []);
    stage.shot = own;
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    stage.gizmo.key(Key::Axis(wgpu_gizmo_core::handle::Axis::Y), KeyModifiers::NONE);
    stage.update();
    stage.gizmo.cancel();
    stage.shot = other;
    assert_eq!(stage.update(), [Event::Canceled]);
}
