//! Tests that recordings replay to the recorded state.

mod bounded;
mod commands;
mod kept;
mod random;
mod results;
mod sessions;

use super::file::from_folder;
use super::*;
use crate::tests::*;

/// Returns a session with a recorder, in which these nodes were selected.
fn recorded(names: &[&str]) -> (Session, Recorder) {
    let mut fixture = crate::tests::session(built_in::scene());
    let mut recorder = recorder(SceneSource::BuiltIn("robot_arm"), &fixture);
    select(&mut fixture, &mut recorder, names);
    (fixture, recorder)
}

/// Returns a session of a file in the folder `tests`, with a recorder.
fn opened(name: &str) -> (Session, Recorder) {
    let fixture = crate::tests::session(scene_of(name));
    let recorder = recorder(SceneSource::Gltf(path(name)), &fixture);
    (fixture, recorder)
}

fn recorder(source: SceneSource, fixture: &Session) -> Recorder {
    Recorder::new(source, fixture).expect("there are enough ids")
}

fn read(text: &str) -> Replay {
    let path = Path::new("recording.json");
    replay_file::from_bytes(text.as_bytes(), path).expect("a recording can be read")
}

/// Returns what a replay requires at its end.
fn expected(replay: &Replay) -> &Expected {
    match replay.events.last().map(|event| &event.kind) {
        Some(EventKind::Expect(expected)) => expected,
        last => panic!("the last event is {last:?}"),
    }
}

#[test]
fn recording_reads_back_exactly() {
    let (mut fixture, _) = recorded(&[]);
    fixture.editor.change(|values| values.gizmo.mode = Mode::Rotate);
    let mut recorder = recorder(SceneSource::BuiltIn("robot_arm"), &fixture);
    recorder.before(&fixture.editor);
    let mut values = fixture.editor.values();
    let settings = &mut values.gizmo;
    settings.orientation = Orientation::Local;
    settings.pivot = Pivot::Custom(DVec3::new(0.1, 1e-7, -3.0));
    settings.snap.increments = Snap { rotate: Increment::new(7.3f64.to_radians()), ..Snap::OFF };
    settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
    settings.snap.kind = SnapKind::Grid { origin_world: DVec3::splat(0.3) };
    settings.motion.limits = Limits { angle: [-0.1f64.to_radians(), f64::INFINITY], ..Limits::NONE };
    settings.motion.locks = Locks { rotation: true, ..Locks::NONE };
    settings.input.tolerance_lpx = 22.0;
    fixture.editor.set_values(values);
    recorder.changed(&fixture.editor);
    fixture.cameras.shows_four ^= true;
    fixture.cameras.drag(&fixture.views, DVec2::new(31.0, 7.0), false, None);
    look(&mut fixture, &mut recorder);
    let at = |x: f64| EventKind::Move(DVec2::new(x, 1.0 / 3.0));
    let held = Mods { shift: true, lasso: true, ..Mods::default() };
    recorder.record(&at(0.1), held, Held::Something);

    let replay = read(&recorder.replay(Path::new("x/recording.json")));
    let mut values = AllSettings::default();
    replay.settings.apply(&mut values);
    assert_eq!(values.gizmo.mode, Mode::Rotate);
    for event in &replay.events {
        if let EventKind::Set(patch) = &event.kind {
            patch.apply(&mut values);
        }
    }
    assert_eq!(values, fixture.editor.values());
    assert_eq!(kinds(&recorder), ["set", "views", "camera", "move"]);
    assert_eq!(replay.events[1].kind, EventKind::Views(fixture.cameras.ortho_views().copied()));
    let camera = fixture.cameras.main_camera(fixture.views.main().viewport());
    assert_eq!(replay.events[2].kind, EventKind::Camera(camera));
    assert_eq!((&replay.events[3].kind, replay.events[3].mods), (&at(0.1), held));
}

#[test]
fn recording_of_changed_file_says_so() {
    let (_, recorder) = opened("sessions.gltf");
    let text = recorder.replay(Path::new("recording.json"));
    let notice = |text: &str| read(text).scene.notice.unwrap_or_default();
    assert!(!notice(&text).contains("changed"), "{}", notice(&text));
    let mut changed: Value = serde_json::from_str(&text).expect("a recording is JSON");
    changed["scene"]["contents"] = json!("0");
    let notice = notice(&changed.to_string());
    assert!(notice.contains("sessions.gltf has changed since it was recorded. Not shown: "), "{notice}");
    // A node that has gone.
    changed["select"] = json!(["gone"]);
    let error = replay_file::from_bytes(changed.to_string().as_bytes(), Path::new("recording.json"));
    let error = error.expect_err("no node has this name").to_string();
    assert!(error.contains("select[0]: no object is named `gone`; "), "{error}");
    assert!(error.ends_with("sessions.gltf has changed since it was recorded"), "{error}");
}

#[test]
fn idle_pointer_records_few_events_and_drag_all() {
    let (_, mut recorder) = recorded(&[]);
    let mut go = |x: f64, held: Held| {
        let kind = EventKind::Move(DVec2::new(x, 0.0));
        recorder.record(&kind, Mods::default(), held);
    };
    (0..100).for_each(|x| go(f64::from(x), Held::Nothing));
    (0..10).for_each(|x| go(f64::from(x), Held::Something));
    // A move of 100 pixels in steps of 16, and then all of the drag.
    assert!((16..20).contains(&recorder.count()), "{}", recorder.count());
    assert_eq!(events(&recorder).into_iter().nth_back(10), Some(EventKind::Move(DVec2::new(99.0, 0.0))));
}

#[test]
fn recorded_test_expects_moved_and_selected_nodes() {
    let (mut fixture, recorder) = recorded(&[]);
    let [ball, base] = ["ball", "base"].map(|name| fixture.editor.node(name));
    let moved = Transform { translation: DVec3::new(0.1, 0.2, 0.3), ..Transform::IDENTITY };
    let view = *fixture.views.current();
    fixture.editor.edit_unlisted(&Edit::Place(vec![(ball, moved)]), &view);
    fixture.editor.select(Selection::of(&[base]), &view);
    let replay = read(&recorder.test(Path::new("test.json"), &fixture.editor));
    let expected = expected(&replay);
    assert_eq!(replay.events.len(), 1);
    assert_eq!(expected.values, Edit::Place(vec![(ball, moved), (base, Transform::IDENTITY)]).values());
    assert_eq!(expected.missed(fixture.editor.scene()), None);
    let missed = expected.missed(&built_in::scene()).expect("the ball has moved");
    assert!(missed.starts_with("ball: translation is [0.75"), "{missed}");
    let crops = Edit::Crop(vec![(ball, fixture.editor.scene().mesh_box(ball))]);
    for (edit, line) in [
        (crops, "ball: extents is null, not [["),
        (Edit::Rename(vec![(ball, "a".to_owned())]), "ball: name is \"ball\", not \"a\""),
        (Edit::Flag(vec![(ball, Flag::Locked, true)]), "ball: locked is false, not true"),
    ] {
        let missed = Expected { values: edit.values(), ..Expected::default() }.missed(&built_in::scene());
        assert!(missed.as_ref().is_some_and(|missed| missed.starts_with(line)), "{missed:?}");
    }
}

/// Updates the views and records them, as a frame of the window does.
fn look(fixture: &mut Session, recorder: &mut Recorder) {
    fixture.look().expect("the view is valid");
    recorder.look(fixture);
}

/// Returns the recorded events, read back.
fn events(recorder: &Recorder) -> Vec<EventKind> {
    let replay = read(&recorder.replay(Path::new("recording.json")));
    replay.events.into_iter().map(|event| event.kind).collect()
}

fn kinds(recorder: &Recorder) -> Vec<&'static str> {
    events(recorder).iter().map(EventKind::name).collect()
}

/// Selects nodes in a panel.
fn select(fixture: &mut Session, recorder: &mut Recorder, names: &[&str]) {
    let view = *fixture.views.current();
    let nodes: Vec<usize> = names.iter().map(|name| fixture.editor.node(name)).collect();
    in_panel(fixture, recorder, |editor| editor.select(Selection::of(&nodes), &view));
}

/// Handles a key in the picture and records it, as the window does.
fn act(fixture: &mut Session, recorder: &mut Recorder, key: &str, mods: Mods) {
    let kind = EventKind::Key(key.to_owned());
    act_by(fixture, recorder, &kind, mods);
}

/// Handles an event of the window and records it.
fn act_by(fixture: &mut Session, recorder: &mut Recorder, kind: &EventKind, mods: Mods) {
    recorder.event(kind, mods, fixture);
    fixture.take(kind, mods).expect("the view is valid");
    recorder.after(&fixture.editor);
    recorder.look(fixture);
}

/// Drives a handle that translates and one that rotates.
fn drive(fixture: &mut Session, recorder: &mut Recorder, by: f64) {
    for handle in ["translate_x", "rotate_z"] {
        let handle = HandleId::from_name(handle).expect("the handle exists");
        act_by(fixture, recorder, &EventKind::Drive(handle, by.into()), Mods::default());
        fixture.update().expect("the view is valid");
    }
}

/// Makes a change in a panel and records it.
fn in_panel(fixture: &mut Session, recorder: &mut Recorder, does: impl FnOnce(&mut Editor)) {
    recorder.before(&fixture.editor);
    does(&mut fixture.editor);
    recorder.changed(&fixture.editor);
}

/// Checks that the recording plays to the state of the session, and returns the played one.
fn assert_plays_to(fixture: &Session, recorder: &Recorder, when: &str) -> Session {
    let played = play(&read(&recorder.test(Path::new("test.json"), &fixture.editor)), when);
    assert_alike(fixture, &played, when);
    played
}

/// Plays a replay, and checks what it requires.
fn play(replay: &Replay, when: &str) -> Session {
    let editor = Editor::of_test(replay.scene.clone(), &[]);
    let mut played = Session::of_replay(editor, replay).expect("the view is valid");
    for event in &replay.events {
        played.take(&event.kind, event.mods).expect("the view is valid");
        played.update().expect("the view is valid");
        played.look().expect("the view is valid");
        if let EventKind::Expect(expected) = &event.kind {
            assert_eq!(expected.missed(played.editor.scene()), None, "{when}");
        }
    }
    played
}

/// Checks that two sessions have the same state, of all that a recording keeps.
fn assert_alike(wanted: &Session, found: &Session, when: &str) {
    let sessions = [wanted, found];
    let [wanted, found] = sessions.map(|session| {
        // The order of copies may differ.
        let (editor, scene) = (&session.editor, session.editor.scene());
        let name = |node: usize| scene.nodes()[node].name.clone();
        let state = |node: usize| {
            let Node { parent, local, mesh, .. } = scene.nodes()[node];
            let flags = FLAGS.map(|flag| scene.has_flag(node, flag));
            (name(node), parent.map(name), flags, local, mesh, scene.crop_box(node))
        };
        // A recording that starts over lacks the copies of discarded steps.
        let counts = |node: &usize| scene.exists(*node) || scene.nodes()[*node].copy_of.is_none();
        let mut nodes: Vec<_> = (0..scene.nodes().len()).filter(counts).map(state).collect();
        nodes.sort_by(|a, b| a.0.cmp(&b.0));
        let selected = editor.selection().nodes().iter().map(|node| name(*node));
        (nodes, selected.collect::<Vec<_>>())
    });
    let differ: Vec<_> = wanted.0.iter().zip(&found.0).filter(|(a, b)| a != b).collect();
    assert!(differ.is_empty(), "{when}: {differ:?}");
    assert_eq!((wanted.0.len(), wanted.1), (found.0.len(), found.1), "{when}");
    let [wanted, found] = sessions.map(|session| session.editor.scene().volumes());
    assert_eq!(wanted, found, "{when}");
    let [wanted, found] = sessions.map(|session| {
        let editor = &session.editor;
        let switched = Command::ALL.into_iter().filter(|command| command.is_switched(editor));
        let pivot = editor.gizmo().edited_pivot();
        (editor.values(), editor.scene_style(), switched.collect::<Vec<_>>(), pivot)
    });
    assert_eq!(wanted, found, "{when}");
    let [wanted, found] = sessions.map(|session| {
        let log = session.editor.log();
        let open = log.open.as_ref().map(|open| open.name.clone());
        (log.done(), session.editor.step_names(), open)
    });
    assert_eq!(wanted, found, "{when}");
    let [wanted, found] = sessions.map(|session| (Shown::of(session), session.cameras.shows_cube));
    assert_eq!(wanted, found, "{when}");
}

#[test]
fn scene_path_is_relative_to_recording() {
    let folder = tempfile::tempdir().expect("the folder can be created");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(a.join("deep")).expect("the folder is writable");
    std::fs::create_dir_all(&b).expect("the folder is writable");
    let file = b.join("scene.gltf");
    std::fs::write(&file, "{}").expect("the folder is writable");
    assert_eq!(from_folder(&file, &a.join("deep")), "../../b/scene.gltf");
    assert_eq!(from_folder(&file, &b), "scene.gltf");
}
