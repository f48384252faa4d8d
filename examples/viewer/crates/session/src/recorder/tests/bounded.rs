//! Tests that recordings stay small and cheap and still replay to the recorded state.

use super::*;
use crate::command::Command;

/// Orbits by one step, as a frame of the window does.
fn orbit(fixture: &mut Session, recorder: &mut Recorder, by: f64) {
    fixture.cameras.turn(&fixture.views, DVec2::new(by, 0.3 * by.sin()));
    fixture.look().expect("the view is valid");
    recorder.look(fixture);
}

fn set_scale_mode(editor: &mut Editor) {
    editor.set_settings(Settings { mode: Mode::Scale, ..editor.gizmo().settings });
}

fn kinds(recorder: &Recorder) -> Vec<&'static str> {
    let replay = read(&recorder.replay(Path::new("recording.json")));
    replay.events.iter().map(|event| event.kind.name()).collect()
}

/// Returns the last camera of the recording.
fn last_camera(recorder: &Recorder) -> Option<Camera> {
    let replay = read(&recorder.replay(Path::new("recording.json")));
    replay.events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Camera(camera) => Some(camera.clone()),
        _ => None,
    })
}

#[test]
fn many_orbit_steps_are_recorded_as_one_camera() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    for step in 0..100_000 {
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
    assert!(recorder.events.bytes() < 128 << 10, "{} bytes", recorder.events.bytes());
    let mut fixture = super::fixture();
    let mut recorder = super::recorder(&mut fixture);
    (0..100_000).for_each(|_| orbit(&mut fixture, &mut recorder, 1.0));
    assert!(recorder.events.bytes() < 2 << 10, "{} bytes", recorder.events.bytes());
}

#[test]
fn camera_is_kept_if_later_event_depends_on_it() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    let key = EventKind::Key("w".to_owned());
    let mut seen = Vec::new();
    for (between, stays) in [("nothing", false), ("a key", true), ("a handle that disappears", true)] {
        orbit(&mut fixture, &mut recorder, 5.0);
        let before = last_camera(&recorder);
        match between {
            "a key" => recorder.record(&key, Mods::default(), Held::Nothing),
            "a handle that disappears" => recorder.saw([NonZeroU32::MIN].into_iter()),
            _ => {}
        }
        orbit(&mut fixture, &mut recorder, 5.0);
        let replay = read(&recorder.replay(Path::new("recording.json")));
        let is_there = replay.events.iter().any(|event| match &event.kind {
            EventKind::Camera(camera) => Some(camera) == before.as_ref(),
            _ => false,
        });
        assert_eq!(is_there, stays, "{between}");
        seen.push(replay.events.len());
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
fn view_cube_turn_is_recorded_as_moves_and_one_camera() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    for x in 0..50 {
        let kind = EventKind::Move(DVec2::new(f64::from(x), 3.0));
        recorder.record(&kind, Mods::default(), Held::Cube);
        orbit(&mut fixture, &mut recorder, 1.0);
    }
    let kinds = kinds(&recorder);
    let (last, moves) = kinds.split_last().expect("events were recorded");
    assert_eq!((*last, moves), ("camera", &["move"; 50][..]));
}

#[test]
fn values_dragged_in_panel_are_recorded_once() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    let ball = fixture.editor.scene().find("ball").expect("the node exists");
    let view = *fixture.views.current();
    in_panel(&mut fixture, &mut recorder, |editor| editor.select(Selection::of(&[ball]), &view));
    for x in 0..1000 {
        in_panel(&mut fixture, &mut recorder, |editor| {
            let translation = DVec3::X * f64::from(x);
            editor.adjust("x", "Translate {}", |_, local| Transform { translation, ..*local });
        });
        assert!(recorder.count() < 3);
    }
    for size in 50..150 {
        in_panel(&mut fixture, &mut recorder, |editor| {
            editor.set_settings(Settings { size_lpx: f64::from(size), ..editor.gizmo().settings });
        });
    }
    in_panel(&mut fixture, &mut recorder, set_scale_mode);
    assert_eq!(kinds(&recorder), ["select", "place", "set", "set"]);
    assert_plays_to(&fixture, &recorder, "after values were dragged");
}

#[test]
fn frames_compare_only_changed_nodes() {
    let nodes = (0..20_000).map(|index| Node::new(format!("n{index}"), None, Transform::IDENTITY));
    let mut fixture = fixture_of(Scene::new(nodes.collect(), Vec::new()).expect("the nodes form a tree"));
    let mut recorder = recorder(&mut fixture);
    let view = *fixture.views.current();
    let all: Vec<usize> = (0..20_000).collect();
    in_panel(&mut fixture, &mut recorder, |editor| editor.select(Selection::of(&all), &view));
    for _ in 0..100 {
        in_panel(&mut fixture, &mut recorder, |_| {});
    }
    assert_eq!((recorder.compared, recorder.count()), (0, 1));
    in_panel(&mut fixture, &mut recorder, |editor| editor.set_flag(&[3, 4], Flag::Locked, true));
    in_panel(&mut fixture, &mut recorder, |editor| editor.rename(5, "other").expect("the name is free"));
    assert_eq!((recorder.compared, recorder.count()), (3, 3));
    // Changes by events are not recorded as the panel's.
    let moved = Transform { translation: DVec3::ONE, ..Transform::IDENTITY };
    fixture.editor.set_transforms_raw(&all.iter().map(|node| (*node, moved)).collect::<Vec<_>>(), &view);
    in_panel(&mut fixture, &mut recorder, |_| {});
    assert_eq!((recorder.compared, recorder.count()), (3, 3));
}

/// Starts the recording over from the current state, and checks that it still plays to it.
fn compact(fixture: &mut Session, recorder: &mut Recorder, when: &str) {
    recorder.compact(fixture);
    assert_plays_to(fixture, recorder, when);
}

/// Undoes and redoes steps, and checks the recording after each.
fn undo_and_redo(fixture: &mut Session, recorder: &mut Recorder) {
    let ctrl = Mods { ctrl: true, ..Mods::default() };
    for (key, count) in [("z", 12), ("y", 5), ("z", 2), ("y", 9)] {
        for step in 0..count {
            act(fixture, recorder, key, ctrl);
            let when = format!("{step} steps by {key}");
            assert_plays_to(fixture, recorder, &when);
            if step % 3 == 0 {
                compact(fixture, recorder, &when);
            }
        }
    }
}

#[test]
fn compacted_recording_replays_to_same_state() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    let node = |fixture: &Session, name| fixture.editor.scene().find(name).expect("the node exists");
    let (ball, base, wrist) = (node(&fixture, "ball"), node(&fixture, "base"), node(&fixture, "wrist"));
    let (ctrl, none) = (Mods { ctrl: true, ..Mods::default() }, Mods::default());
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    let view = *fixture.views.current();
    let select = |fixture: &mut Session, recorder: &mut Recorder, nodes: &[usize]| {
        in_panel(fixture, recorder, |editor| editor.select(Selection::of(nodes), &view));
    };
    compact(fixture, recorder, "at the start");
    select(fixture, recorder, &[node(fixture, "forearm")]);
    act(fixture, recorder, "d", ctrl);
    in_panel(fixture, recorder, |editor| {
        editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    compact(fixture, recorder, "after moving a copy");
    act(fixture, recorder, "d", ctrl);
    compact(fixture, recorder, "after copying the copy");
    // Two nodes now share a name that a third one had before.
    in_panel(fixture, recorder, |editor| editor.rename(ball, "x").expect("the name is free"));
    in_panel(fixture, recorder, |editor| editor.rename(ball, "y").expect("the name is free"));
    in_panel(fixture, recorder, |editor| editor.rename(wrist, "x").expect("the name is free"));
    select(fixture, recorder, &[wrist]);
    act(fixture, recorder, "delete", none);
    in_panel(fixture, recorder, |editor| editor.rename(base, "x").expect("the name is free again"));
    in_panel(fixture, recorder, |editor| editor.rename(ball, "base").expect("the name is free again"));
    compact(fixture, recorder, "after exchanging names");
    select(fixture, recorder, &[ball, base]);
    act(fixture, recorder, "p", ctrl);
    act(fixture, recorder, "h", none);
    in_panel(fixture, recorder, set_scale_mode);
    act(fixture, recorder, "b", none);
    compact(fixture, recorder, "after reparenting and hiding");
    undo_and_redo(fixture, recorder);
    in_panel(fixture, recorder, |editor| {
        editor.run(Command::Duplicate, &view);
    });
    assert_plays_to(fixture, recorder, "after one more copy");
    let replay = read(&recorder.replay(Path::new("recording.json")));
    let mut played = fixture_of(replay.scene);
    for event in &replay.events {
        played.take(&event.kind, event.mods).expect("the view is valid");
    }
    assert_eq!(played.editor.gizmo().settings, fixture.editor.gizmo().settings);
    assert!(played.editor.is_through() && fixture.editor.is_through());
}

#[test]
fn recording_stays_below_memory_limit() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
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
        max_bytes = max_bytes.max(recorder.events.bytes());
    }
    assert!(max_bytes < 12 << 10, "{max_bytes} bytes");
    assert_plays_to(&fixture, &recorder, "at the end");
}

#[test]
fn copies_by_key_are_recorded_with_their_names() {
    let mut fixture = super::fixture();
    let mut recorder = recorder(&mut fixture);
    let ball = fixture.editor.scene().find("ball").expect("the node exists");
    let view = *fixture.views.current();
    in_panel(&mut fixture, &mut recorder, |editor| editor.select(Selection::of(&[ball]), &view));
    act(&mut fixture, &mut recorder, "d", Mods { ctrl: true, ..Mods::default() });
    in_panel(&mut fixture, &mut recorder, |editor| {
        let copy = editor.scene().find("ball.001").expect("the node exists");
        editor.set_flag(&[copy], Flag::Locked, true);
    });
    let text = recorder.replay(Path::new("recording.json"));
    assert_eq!(kinds(&recorder), ["select", "duplicate", "select", "flags"]);
    for line in [r#"{"duplicate":{"ball":"ball.001"}}"#, r#"{"select":["ball.001"]}"#] {
        assert!(text.contains(line), "{text}");
    }
    assert_plays_to(&fixture, &recorder, "after locking the copy");
}
