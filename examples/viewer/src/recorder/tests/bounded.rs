//! Recordings stay small, cost little, and play to what was done nevertheless.

use super::*;
use crate::command::Command;

/// Orbits by a step, as a frame of the window sees it.
fn orbit(table: &mut Table, recorder: &mut Recorder, by: f64) {
    table.cameras.turn(&table.views, DVec2::new(by, 0.3 * by.sin()));
    table.session().look().expect("usable");
    recorder.look(&table.session());
}

fn kinds(recorder: &Recorder) -> Vec<&'static str> {
    let replay = read(&recorder.replay(Path::new("recording.json")));
    replay.events.iter().map(|event| event.kind.name()).collect()
}

/// The camera that a replay ends with.
fn last_camera(recorder: &Recorder) -> Option<Camera> {
    let replay = read(&recorder.replay(Path::new("recording.json")));
    replay.events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Camera(camera) => Some(camera.clone()),
        _ => None,
    })
}

#[test]
fn a_hundred_thousand_orbit_steps_are_one_camera() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    for step in 0..100_000 {
        orbit(&mut table, &mut recorder, 0.1 + f64::from(step % 7));
        if step % 100 == 0 {
            // The pointer wanders about meanwhile.
            let kind = EventKind::Move(DVec2::splat(f64::from(step % 500)));
            recorder.event(&kind, Mods::default(), Held::Nothing);
        }
    }
    let camera = table.cameras.main_camera(table.views.main().viewport());
    assert_eq!(last_camera(&recorder), Some(camera));
    let cameras = kinds(&recorder).iter().filter(|kind| **kind == "camera").count();
    assert_eq!(cameras, 1);
    assert!(recorder.events.bytes() < 128 << 10, "{} bytes", recorder.events.bytes());
    let mut table = Table::new();
    let mut recorder = super::recorder(&mut table);
    (0..100_000).for_each(|_| orbit(&mut table, &mut recorder, 1.0));
    assert!(recorder.events.bytes() < 2 << 10, "{} bytes", recorder.events.bytes());
}

#[test]
fn a_camera_stays_that_something_between_depends_on() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let key = EventKind::Key("w".to_owned());
    let mut seen = Vec::new();
    for (between, stays) in [("nothing", false), ("a key", true), ("a handle that goes", true)] {
        orbit(&mut table, &mut recorder, 5.0);
        let before = last_camera(&recorder);
        match between {
            "a key" => recorder.event(&key, Mods::default(), Held::Nothing),
            "a handle that goes" => recorder.saw([NonZeroU32::MIN].into_iter()),
            _ => {}
        }
        orbit(&mut table, &mut recorder, 5.0);
        let replay = read(&recorder.replay(Path::new("recording.json")));
        let is_there = replay.events.iter().any(|event| match &event.kind {
            EventKind::Camera(camera) => Some(camera) == before.as_ref(),
            _ => false,
        });
        assert_eq!(is_there, stays, "{between}");
        seen.push(replay.events.len());
    }
    assert_eq!(seen, [1, 3, 4]);
    // In a drag each counts.
    table.editor.select(Selection::of(&[1]), &table.views.current().clone());
    act(&mut table, &mut recorder, "x", Mods::default());
    table.session().update().expect("usable");
    assert!(table.editor.is_busy());
    let before = recorder.count();
    (0..3).for_each(|_| orbit(&mut table, &mut recorder, 5.0));
    assert_eq!(recorder.count(), before + 3);
}

#[test]
fn a_turn_of_the_view_cube_is_its_moves_and_one_camera() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    for x in 0..50 {
        let kind = EventKind::Move(DVec2::new(f64::from(x), 3.0));
        recorder.event(&kind, Mods::default(), Held::Cube);
        orbit(&mut table, &mut recorder, 1.0);
    }
    let kinds = kinds(&recorder);
    let (last, moves) = kinds.split_last().expect("events");
    assert_eq!((*last, moves), ("camera", &["move"; 50][..]));
}

#[test]
fn values_that_are_dragged_in_a_panel_are_kept_once() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let ball = table.editor.scene().find("ball").expect("there");
    let view = *table.views.current();
    in_panel(&mut table, &mut recorder, |editor| editor.select(Selection::of(&[ball]), &view));
    for x in 0..1000 {
        in_panel(&mut table, &mut recorder, |editor| {
            let translation = DVec3::X * f64::from(x);
            editor.adjust("x", "Move {}", |_, local| Transform { translation, ..*local });
        });
        assert!(recorder.count() < 3);
    }
    for size in 50..150 {
        in_panel(&mut table, &mut recorder, |editor| editor.gizmo.settings.size_lpx = f64::from(size));
    }
    in_panel(&mut table, &mut recorder, |editor| editor.gizmo.settings.mode = Mode::Scale);
    assert_eq!(kinds(&recorder), ["select", "place", "set", "set"]);
    assert_plays_to(&table, &recorder, "after values were dragged");
}

#[test]
fn a_frame_looks_at_no_node_that_did_not_change() {
    let nodes = (0..20_000).map(|index| Node::new(format!("n{index}"), None, Transform::IDENTITY));
    let mut table = Table::of(Scene::new(nodes.collect(), Vec::new()).expect("a tree"));
    let mut recorder = recorder(&mut table);
    let view = *table.views.current();
    let all: Vec<usize> = (0..20_000).collect();
    in_panel(&mut table, &mut recorder, |editor| editor.select(Selection::of(&all), &view));
    for _ in 0..100 {
        in_panel(&mut table, &mut recorder, |_| {});
    }
    assert_eq!((recorder.compared, recorder.count()), (0, 1));
    in_panel(&mut table, &mut recorder, |editor| editor.set_flag(&[3, 4], Flag::Locked, true));
    in_panel(&mut table, &mut recorder, |editor| editor.rename(5, "other").expect("free"));
    assert_eq!((recorder.compared, recorder.count()), (3, 3));
    // What events have done is not the panel's.
    let moved = Transform { translation: DVec3::ONE, ..Transform::IDENTITY };
    table.editor.place(&all.iter().map(|node| (*node, moved)).collect::<Vec<_>>(), &view);
    in_panel(&mut table, &mut recorder, |_| {});
    assert_eq!((recorder.compared, recorder.count()), (3, 3));
}

#[test]
fn a_recording_that_begins_anew_plays_to_the_same() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let node = |table: &Table, name| table.editor.scene().find(name).expect("there");
    let (ball, base, wrist) = (node(&table, "ball"), node(&table, "base"), node(&table, "wrist"));
    let (ctrl, none) = (Mods { ctrl: true, ..Mods::default() }, Mods::default());
    let (table, recorder) = (&mut table, &mut recorder);
    let view = *table.views.current();
    let select = |table: &mut Table, recorder: &mut Recorder, nodes: &[usize]| {
        in_panel(table, recorder, |editor| editor.select(Selection::of(nodes), &view));
    };
    let anew = |table: &mut Table, recorder: &mut Recorder, when: &str| {
        recorder.compact(&table.session());
        assert_plays_to(table, recorder, when);
    };
    anew(table, recorder, "at first");
    select(table, recorder, &[node(table, "forearm")]);
    act(table, recorder, "d", ctrl);
    in_panel(table, recorder, |editor| {
        editor.adjust("x", "Move {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    anew(table, recorder, "after a copy was moved");
    act(table, recorder, "d", ctrl);
    anew(table, recorder, "after a copy of the copy");
    // Two nodes have one name by now, and a third has had it.
    in_panel(table, recorder, |editor| editor.rename(ball, "x").expect("free"));
    in_panel(table, recorder, |editor| editor.rename(ball, "y").expect("free"));
    in_panel(table, recorder, |editor| editor.rename(wrist, "x").expect("free"));
    select(table, recorder, &[wrist]);
    act(table, recorder, "delete", none);
    in_panel(table, recorder, |editor| editor.rename(base, "x").expect("free by now"));
    in_panel(table, recorder, |editor| editor.rename(ball, "base").expect("free by now"));
    anew(table, recorder, "after names went round");
    select(table, recorder, &[ball, base]);
    act(table, recorder, "p", ctrl);
    act(table, recorder, "h", none);
    in_panel(table, recorder, |editor| editor.gizmo.settings.mode = Mode::Scale);
    act(table, recorder, "b", none);
    anew(table, recorder, "after it was hung and hidden");
    for (key, count) in [("z", 12), ("y", 5), ("z", 2), ("y", 9)] {
        for step in 0..count {
            act(table, recorder, key, ctrl);
            let when = format!("{step} steps by {key}");
            assert_plays_to(table, recorder, &when);
            if step % 3 == 0 {
                anew(table, recorder, &when);
            }
        }
    }
    in_panel(table, recorder, |editor| {
        editor.run(Command::Duplicate, &view);
    });
    assert_plays_to(table, recorder, "after one more copy");
    let replay = read(&recorder.replay(Path::new("recording.json")));
    let mut played = Table::of(replay.scene);
    for event in &replay.events {
        played.session().take(&event.kind, event.mods).expect("usable");
    }
    assert_eq!(played.editor.gizmo.settings, table.editor.gizmo.settings);
    assert!(played.editor.is_through() && table.editor.is_through());
}

#[test]
fn events_take_no_more_memory_than_their_limit() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    recorder.max_bytes = 8 << 10;
    let mut most = 0;
    for step in 0..20_000 {
        // Moves far enough apart, and keys, so that no event takes another's place.
        let kind = EventKind::Move(DVec2::new(f64::from(step % 2) * 100.0, 0.0));
        recorder.event(&kind, Mods::default(), Held::Nothing);
        act(&mut table, &mut recorder, "w", Mods::default());
        if step % 10 == 0 {
            recorder.max_bytes = recorder.max_bytes.min(8 << 10);
            orbit(&mut table, &mut recorder, 1.0);
        }
        most = most.max(recorder.events.bytes());
    }
    assert!(most < 12 << 10, "{most} bytes");
    assert_plays_to(&table, &recorder, "after all of it");
}

#[test]
fn copies_by_a_key_are_recorded_as_an_event_that_names_them() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let ball = table.editor.scene().find("ball").expect("there");
    let view = *table.views.current();
    in_panel(&mut table, &mut recorder, |editor| editor.select(Selection::of(&[ball]), &view));
    act(&mut table, &mut recorder, "d", Mods { ctrl: true, ..Mods::default() });
    in_panel(&mut table, &mut recorder, |editor| {
        let copy = editor.scene().find("ball.001").expect("there");
        editor.set_flag(&[copy], Flag::Locked, true);
    });
    let text = recorder.replay(Path::new("recording.json"));
    assert_eq!(kinds(&recorder), ["select", "duplicate", "select", "flags"]);
    for line in [r#"{"duplicate":{"ball":"ball.001"}}"#, r#"{"select":["ball.001"]}"#] {
        assert!(text.contains(line), "{text}");
    }
    assert_plays_to(&table, &recorder, "after the copy was locked");
}
