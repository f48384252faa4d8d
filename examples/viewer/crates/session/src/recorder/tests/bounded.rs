//! Tests that recordings stay small and cheap and still replay to the recorded state.

use super::*;

/// Orbits by one step, as a frame of the window does.
fn orbit(fixture: &mut Session, recorder: &mut Recorder, by: f64) {
    fixture.cameras.drag(&fixture.views, DVec2::new(by, 0.3 * by.sin()), false, None);
    look(fixture, recorder);
}

fn set_scale_mode(editor: &mut Editor) {
    editor.change(|values| values.gizmo.mode = Mode::Scale);
}

/// Returns the last camera of the recording.
fn last_camera(recorder: &Recorder) -> Option<Camera> {
    events(recorder).into_iter().rev().find_map(|kind| match kind {
        EventKind::Camera(camera) => Some(camera),
        _ => None,
    })
}

#[test]
fn many_orbit_steps_are_recorded_as_one_camera() {
    let (mut fixture, mut recorder) = recorded(&[]);
    for step in 0..10_000 {
        orbit(&mut fixture, &mut recorder, 0.1 + f64::from(step % 7));
        if step % 100 == 0 {
            // Meanwhile the idle pointer moves.
            let kind = EventKind::Move(DVec2::splat(f64::from(step % 500)));
            recorder.record(&kind, Mods::default(), Held::Nothing);
        }
    }
    let camera = fixture.cameras.main_camera(fixture.views.main().viewport());
    assert_eq!(last_camera(&recorder), Some(camera));
    let cameras = kinds(&recorder).iter().filter(|kind| **kind == "camera").count();
    assert_eq!(cameras, 1);
    assert!(recorder.events.bytes < 13 << 10, "{} bytes", recorder.events.bytes);
    let (mut fixture, mut recorder) = recorded(&[]);
    (0..10_000).for_each(|_| orbit(&mut fixture, &mut recorder, 1.0));
    assert!(recorder.events.bytes < 2 << 10, "{} bytes", recorder.events.bytes);
}

#[test]
fn camera_is_kept_if_later_event_depends_on_it() {
    let (mut fixture, mut recorder) = recorded(&[]);
    let key = EventKind::Key("w".to_owned());
    let mut seen = Vec::new();
    for (between, stays) in [("nothing", false), ("a key", true), ("a handle that disappears", true)] {
        orbit(&mut fixture, &mut recorder, 5.0);
        let before = last_camera(&recorder).expect("the camera is recorded");
        match between {
            "a key" => recorder.record(&key, Mods::default(), Held::Nothing),
            "a handle that disappears" => recorder.saw([NonZeroU32::MIN].into_iter()),
            _ => {}
        }
        orbit(&mut fixture, &mut recorder, 5.0);
        let events = events(&recorder);
        assert_eq!(events.contains(&EventKind::Camera(before)), stays, "{between}");
        seen.push(events.len());
    }
    assert_eq!(seen, [1, 3, 4]);
    // During a drag, every camera counts.
    fixture.editor.select(Selection::of(&[1]), &fixture.views.current().clone());
    act(&mut fixture, &mut recorder, "x", Mods::default());
    fixture.update().expect("the view is valid");
    assert!(fixture.editor.is_busy());
    let before = recorder.count();
    (0..3).for_each(|_| orbit(&mut fixture, &mut recorder, 5.0));
    assert_eq!(recorder.count(), before + 3);
}

#[test]
fn values_dragged_in_panel_are_recorded_once() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    for x in 0..1000 {
        in_panel(&mut fixture, &mut recorder, |editor| {
            let translation = DVec3::X * f64::from(x);
            editor.adjust("x", "Translate {}", |_, local| Transform { translation, ..*local });
        });
        assert!(recorder.count() < 3);
    }
    for size in 50..150 {
        in_panel(&mut fixture, &mut recorder, |editor| {
            editor.change(|values| values.gizmo.display.size_lpx = f64::from(size));
        });
    }
    in_panel(&mut fixture, &mut recorder, set_scale_mode);
    assert_eq!(kinds(&recorder), ["select", "edit", "set", "set"]);
    assert_plays_to(&fixture, &recorder, "after values were dragged");
    in_panel(&mut fixture, &mut recorder, Editor::cancel_adjusting);
    assert_plays_to(&fixture, &recorder, "after the edit was canceled");
}

#[test]
fn recording_stays_below_memory_limit() {
    let (mut fixture, mut recorder) = recorded(&[]);
    recorder.max_bytes = 8 << 10;
    let mut max_bytes = 0;
    for step in 0..20_000 {
        // The moves are far enough apart, and keys separate them, so that no event replaces another.
        let kind = EventKind::Move(DVec2::new(f64::from(step % 2) * 100.0, 0.0));
        recorder.record(&kind, Mods::default(), Held::Nothing);
        act(&mut fixture, &mut recorder, "w", Mods::default());
        if step % 10 == 0 {
            recorder.max_bytes = recorder.max_bytes.min(8 << 10);
            orbit(&mut fixture, &mut recorder, 1.0);
        }
        max_bytes = max_bytes.max(recorder.events.bytes);
    }
    assert!(max_bytes < 12 << 10, "{max_bytes} bytes");
    assert_plays_to(&fixture, &recorder, "at the end");
}

#[test]
fn recording_starts_over_after_edit_of_field() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    in_panel(&mut fixture, &mut recorder, |editor| {
        editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
    });
    let before = recorder.count();
    recorder.max_bytes = 0;
    orbit(&mut fixture, &mut recorder, 1.0);
    assert_eq!(recorder.count(), before + 1);
    assert_plays_to(&fixture, &recorder, "while the field is edited");
    in_panel(&mut fixture, &mut recorder, Editor::settle);
    orbit(&mut fixture, &mut recorder, 1.0);
    assert!(recorder.max_bytes > 0, "it has started over");
    assert_plays_to(&fixture, &recorder, "after the edit");
}
