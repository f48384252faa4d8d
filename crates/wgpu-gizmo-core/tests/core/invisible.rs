//! §16 of docs/spec.md: why nothing is drawn, and views in which no drag begins or continues.

use crate::prelude::*;
use crate::walks;

fn view_from(eye: DVec3, viewport: Viewport) -> View {
    views::ALL[0].view(&Camera { viewport, ..Camera::at(eye) })
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
        let events = stage.keys(if reason == InvisibleReason::SeenEndOn { "z" } else { "x" });
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
    assert_eq!(stage.gizmo.invisible_reason(&stage.shot.view), None);
    let before = Gizmo::new(&mut IdSpace::new()).expect("ids are free").invisible_reason(&stage.shot.view);
    assert_eq!(before, Some(InvisibleReason::NoTarget), "before the first update");
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
    let mut seen = std::collections::BTreeSet::new();
    cases(3_000, |rng| {
        let mut vector = |size: f64| DVec3::from([(); 3].map(|()| between(rng, -size, size)));
        let (eye, position) = (vector(6.0), vector(12.0));
        let mut stage = Stage::new(walks::settings(rng));
        stage.gizmo.settings.display.size_lpx = [20.0, 96.0, 300.0][rng.usize(..3)];
        stage.gizmo.theme.sizes.line_lpx = [1.0, 3.0, 40.0][rng.usize(..3)];
        stage.shot.view = view_from(eye, Viewport::from_size([3, 800, 800, 800][rng.usize(..4)], 600));
        stage.targets = vec![target_at(position)];
        match rng.u8(..4) {
            0 => {
                stage.gizmo.settings = Settings::default();
                stage.gizmo.settings.mode = Mode::Handles(handle("translate_x").into());
                stage.shot.view = view_from(DVec3::new(6.0, eye.y * 0.3, 0.0), Viewport::from_size(800, 600));
                stage.targets = vec![target_at(DVec3::ZERO)];
            }
            1 => stage.gizmo.settings.mode = Mode::None,
            2 => stage.targets.push(walks::target(rng, 1)),
            _ => {}
        }
        stage.update();
        let list = stage.draw();
        let is_drawn = !list.is_empty() && list.bounds_px().is_some();
        let reason = stage.gizmo.invisible_reason(&stage.shot.view);
        assert_eq!(is_drawn, reason.is_none(), "{reason:?}");
        seen.insert(format!("{reason:?}"));
    });
    assert_eq!(seen.len(), 6, "{seen:?}");
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
