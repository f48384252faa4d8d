//! §16 of docs/spec.md: why nothing is drawn, and views in which no drag begins or continues.

use crate::oracle::{bits, cases, handle};
use crate::stage::Stage;
use crate::walks;
use wgpu_gizmo_core::draw::InvisibleReason;
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3, dcamera};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::{DisabledReason, Event, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, Target, Transform, View, Viewport};

fn view_from(eye: DVec3, viewport: Viewport) -> View {
    let view_from_world = dcamera::rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let clip_from_view = dcamera::rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
    View::new(view_from_world, clip_from_view, viewport, 1.0).expect("the view is valid")
}

fn target_at(translation: DVec3) -> Target {
    Target::from_world(Transform { translation, ..Transform::IDENTITY })
}

/// Returns a stage whose gizmo is not visible, for the reason that is named.
fn hidden(reason: InvisibleReason) -> Stage {
    let mut stage = Stage::of_mode(Mode::Translate);
    let eye = DVec3::new(0.0, 0.0, 6.0);
    stage.shot.view = view_from(eye, Viewport::from_size(800, 600));
    match reason {
        InvisibleReason::NoTarget => stage.targets.clear(),
        InvisibleReason::NotFinite => stage.targets = vec![target_at(DVec3::NAN)],
        InvisibleReason::NoHandle => stage.gizmo.settings.mode = Mode::None,
        InvisibleReason::PivotNotInFront => stage.targets = vec![target_at(eye * 2.0)],
        InvisibleReason::OutsideView => stage.targets = vec![target_at(DVec3::X * 40.0)],
        InvisibleReason::SeenEndOn => {
            stage.gizmo.settings.mode = Mode::Handles(handle("translate_z").into());
        }
        _ => stage.shot.view = view_from(eye, Viewport::from_size(1, 1)),
    }
    stage.update();
    stage
}

const ALL: [InvisibleReason; 7] = [
    InvisibleReason::NoTarget,
    InvisibleReason::NotFinite,
    InvisibleReason::NoHandle,
    InvisibleReason::PivotNotInFront,
    InvisibleReason::OutsideView,
    InvisibleReason::SeenEndOn,
    InvisibleReason::DegenerateView,
];

#[test]
fn invisible_gizmo_names_reason_and_begins_no_key_drag() {
    for reason in ALL {
        let mut stage = hidden(reason);
        assert_eq!(stage.gizmo.invisible_reason(&stage.shot.view), Some(reason));
        assert!(stage.draw().bounds_px().is_none() || stage.draw().is_empty(), "{reason:?}");
        let axis = if reason == InvisibleReason::SeenEndOn { Axis::Z } else { Axis::X };
        stage.gizmo.key(Key::Axis(axis), KeyModifiers::NONE);
        let events = stage.update();
        assert!(!stage.gizmo.is_active(), "{reason:?}");
        match reason {
            // The mode has no handle that the key could refuse.
            InvisibleReason::NoHandle => assert_eq!(events, []),
            _ => {
                let refused = DisabledReason::Invisible(reason);
                assert!(matches!(events[..], [Event::Refused(_, why)] if why == refused), "{events:?}");
            }
        }
    }
    let stage = Stage::of_mode(Mode::Translate);
    assert_eq!(
        stage.gizmo.invisible_reason(&stage.shot.view),
        Some(InvisibleReason::NoTarget),
        "no update yet"
    );
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    assert_eq!(stage.gizmo.invisible_reason(&stage.shot.view), None);
}

#[test]
fn drive_works_where_gizmo_is_invisible() {
    for reason in [
        InvisibleReason::NoHandle,
        InvisibleReason::PivotNotInFront,
        InvisibleReason::OutsideView,
        InvisibleReason::SeenEndOn,
        InvisibleReason::DegenerateView,
    ] {
        let mut stage = hidden(reason);
        let start = stage.local().translation;
        let driven = stage.gizmo.drive(handle("translate_y"), 2.0, &mut stage.targets);
        assert!(driven.is_ok_and(|driven| driven.changed), "{reason:?}");
        assert_eq!(stage.local().translation, start + DVec3::Y * 2.0);
    }
}

#[test]
fn grab_needs_visible_pivot_but_no_shown_handle() {
    for reason in ALL {
        let mut stage = hidden(reason);
        stage.gizmo.pointer_left();
        stage.gizmo.grab(handle("translate_x"));
        let events = stage.update();
        let begins = reason == InvisibleReason::NoHandle;
        assert_eq!(stage.gizmo.is_active(), begins, "{reason:?}");
        assert!(begins || matches!(events[..], [Event::Refused(..)]), "{events:?}");
    }
}

#[test]
fn empty_list_always_has_reason() {
    let seen = std::cell::RefCell::new(std::collections::BTreeMap::<String, u32>::new());
    cases(3_000, |rng| {
        let mut number = |size: f64| (rng.f64() - 0.5) * 2.0 * size;
        let eye = DVec3::new(number(6.0), number(6.0), number(6.0));
        let position = DVec3::new(number(12.0), number(12.0), number(12.0));
        let viewport =
            if number(1.0) > 0.8 { Viewport::from_size(3, 400) } else { Viewport::from_size(800, 600) };
        let mut stage = Stage::of_mode(Mode::PRESETS[rng.usize(..5)]);
        let is_end_on = rng.u8(..4) == 0;
        if is_end_on {
            stage.gizmo.settings.mode = Mode::Handles(handle("translate_x").into());
        }
        // Sizes, handles and pivots of every kind.
        let any = walks::settings(rng);
        let settings = &mut stage.gizmo.settings;
        settings.display.size_lpx = [20.0, 96.0, 300.0][rng.usize(..3)];
        if !is_end_on {
            (settings.pivot, settings.orientation, settings.box_handles) =
                (any.pivot, any.orientation, any.box_handles);
        }
        stage.gizmo.theme.sizes.line_lpx = [1.0, 3.0, 40.0][rng.usize(..3)];
        let position = if is_end_on { DVec3::ZERO } else { position };
        let eye = if is_end_on { DVec3::new(6.0, eye.y * 0.3, 0.0) } else { eye };
        stage.shot.view = view_from(eye, viewport);
        stage.targets = vec![target_at(position)];
        if !is_end_on && rng.bool() {
            stage.targets.push(walks::target(rng, 1));
        }
        stage.update();
        let list = stage.draw();
        let is_drawn = !list.is_empty() && list.bounds_px().is_some();
        let reason = stage.gizmo.invisible_reason(&stage.shot.view);
        assert_eq!(is_drawn, reason.is_none(), "{reason:?}");
        *seen.borrow_mut().entry(format!("{reason:?}")).or_default() += 1;
    });
    assert!(seen.borrow().len() == 6, "{seen:?}");
}

#[test]
fn tiny_viewport_holds_last_motion() {
    for (name, at) in [("translate_x", DVec3::X * 0.7), ("translate_view", DVec3::ZERO)] {
        let mut stage = Stage::of_mode(Mode::Translate);
        let press = stage.at(at);
        stage.grab(press);
        assert_eq!(stage.gizmo.dragging(), Some(handle(name)));
        stage.point_at(press + DVec2::new(40.0, 10.0));
        let held = bits(&stage.local());
        let window = stage.shot.view;
        for (width, height) in [(1, 1), (800, 1), (7, 600)] {
            let viewport = Viewport::from_size(width, height);
            let clip_from_world: DMat4 = stage.shot.clip_from_world;
            stage.shot.view =
                View::from_clip_from_world(clip_from_world, viewport, 1.0).expect("the view is valid");
            stage.point_at(press + DVec2::new(41.0, 12.0));
            assert_eq!(bits(&stage.local()), held, "{name} in {width} x {height}");
        }
        assert_eq!(stage.release().last(), Some(&Event::Ended { changed: true }));
        assert_eq!(bits(&stage.local()), held, "{name}");
        stage.shot.view = window;
    }
}

/// Keeps the messages of each thread.
struct Logger;

thread_local! {
    static LOGGED: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        assert_eq!(record.level(), log::Level::Debug);
        LOGGED.with_borrow_mut(|logged| logged.push(record.args().to_string()));
    }

    fn flush(&self) {}
}

#[test]
fn reason_is_logged_once_per_change() {
    log::set_logger(&Logger).expect("no other test sets a logger");
    log::set_max_level(log::LevelFilter::Debug);
    let mut stage = hidden(InvisibleReason::OutsideView);
    let take = || LOGGED.with_borrow_mut(std::mem::take);
    for _ in 0..3 {
        stage.update();
        stage.draw();
    }
    assert_eq!(take(), ["no handle of the gizmo is visible: the gizmo is outside of the view"]);
    stage.targets.clear();
    for _ in 0..3 {
        stage.update();
        stage.draw();
    }
    assert_eq!(take(), ["no handle of the gizmo is visible: nothing is selected"]);
    stage.targets = vec![target_at(DVec3::ZERO)];
    stage.update();
    stage.draw();
    assert_eq!(take(), [""; 0]);
}
