//! Recordings that play to what was done.

mod bounded;

use super::file::from_folder;
use super::*;
use crate::built_in;
use crate::cameras::Cameras;
use crate::replay_file;
use crate::scene::Node;
use crate::view_cube::CubePointer;
use crate::views::Views;
use std::path::Path;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::interaction::{Limits, Locks, Pivot, SnapKind};
use wgpu_gizmo::{Increment, Mode, Orientation, Snap, Viewport};

struct Table {
    editor: Editor,
    cameras: Cameras,
    views: Views,
    frame: Frame,
    cube: CubePointer,
}

impl Table {
    fn new() -> Self {
        Self::of(built_in::scene())
    }

    fn of(scene: Scene) -> Self {
        let editor = Editor::new(scene).expect("few nodes");
        let cameras = Cameras::of_scene(editor.scene());
        let viewport = Viewport::of_size(640, 480);
        let frame = Frame { size_px: [640, 480], viewport, scale_factor: 1.0 };
        let views = Views::one(cameras.views(&frame).expect("usable")[0]);
        Self { editor, cameras, views, frame, cube: CubePointer::default() }
    }

    fn session(&mut self) -> Session<'_> {
        let Self { editor, cameras, views, frame, cube } = self;
        Session { editor, cameras, views, frame, cube }
    }
}

fn recorder(table: &mut Table) -> Recorder {
    Recorder::new(SceneSource::BuiltIn("robot_arm"), &table.session()).expect("ids")
}

fn read(text: &str) -> replay_file::Replay {
    let path = Path::new("recording.json");
    replay_file::from_bytes(text.as_bytes(), path).expect("what is written can be read")
}

#[test]
fn what_is_written_is_read_as_it_was_to_the_last_bit() {
    let mut table = Table::new();
    table.editor.gizmo.settings.mode = Mode::Rotate;
    let mut recorder = recorder(&mut table);
    recorder.before(&mut table.editor);
    let settings = &mut table.editor.gizmo.settings;
    settings.orientation = Orientation::Local;
    settings.pivot = Pivot::Custom(DVec3::new(0.1, 1e-7, -3.0));
    settings.snap = Snap { rotate: Increment::new(7.3f64.to_radians()), ..Snap::OFF };
    settings.snap_while_held = Snap::DEFAULT_INCREMENTS;
    settings.snap_kind = SnapKind::Grid { origin_world: DVec3::splat(0.3) };
    settings.limits = Limits { angle: [-0.1f64.to_radians(), f64::INFINITY], ..Limits::NONE };
    settings.locks = Locks { rotation: true, ..Locks::NONE };
    settings.tolerance_lpx = 22.0;
    recorder.changed(&mut table.editor);
    table.cameras.switch();
    table.cameras.turn(&table.views, DVec2::new(31.0, 7.0));
    table.session().look().expect("usable");
    recorder.look(&table.session());
    let at = |x: f64| EventKind::Move(DVec2::new(x, 1.0 / 3.0));
    let held = Mods { shift: true, lasso: true, ..Mods::default() };
    recorder.event(&at(0.1), held, Held::Something);

    let replay = read(&recorder.replay(Path::new("x/recording.json")));
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids");
    replay.settings.apply(&mut gizmo);
    assert_eq!(gizmo.settings.mode, Mode::Rotate);
    for event in &replay.events {
        if let EventKind::Set(patch) = &event.kind {
            patch.apply(&mut gizmo);
        }
    }
    assert_eq!(gizmo.settings, table.editor.gizmo.settings);
    let kinds: Vec<&str> = replay.events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["set", "views", "camera", "move"]);
    assert_eq!(replay.events[1].kind, EventKind::Views(table.cameras.plans().copied()));
    let camera = table.cameras.main_camera(table.views.main().viewport());
    assert_eq!(replay.events[2].kind, EventKind::Camera(camera));
    assert_eq!((&replay.events[3].kind, replay.events[3].mods), (&at(0.1), held));
}

#[test]
fn a_camera_that_goes_along_with_a_node_is_kept_as_that() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let node = table.editor.scene().find("wrist").expect("there");
    table.cameras.look_through(node, table.editor.scene());
    table.session().look().expect("usable");
    recorder.look(&table.session());
    let moved = Transform { translation: DVec3::ONE, ..Transform::IDENTITY };
    let view = *table.views.current();
    table.editor.place(&[(node, moved)], &view);
    table.session().look().expect("usable");
    recorder.look(&table.session());
    table.cameras.own(&table.views);
    table.session().look().expect("usable");
    recorder.look(&table.session());
    let replay = read(&recorder.replay(Path::new("recording.json")));
    let kinds: Vec<&str> = replay.events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["look_through", "camera"]);
    assert_eq!(replay.events[0].kind, EventKind::LookThrough(Some(node)));
}

#[test]
fn a_pointer_that_wanders_about_leaves_few_events_and_one_that_drags_all() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let mut go = |x: f64, held: Held| {
        let kind = EventKind::Move(DVec2::new(x, 0.0));
        recorder.event(&kind, Mods::default(), held);
    };
    (0..100).for_each(|x| go(f64::from(x), Held::Nothing));
    (0..10).for_each(|x| go(f64::from(x), Held::Something));
    assert!(recorder.count() < 20, "{}", recorder.count());
    let replay = read(&recorder.replay(Path::new("recording.json")));
    let last_idle = &replay.events[replay.events.len() - 11].kind;
    assert_eq!(last_idle, &EventKind::Move(DVec2::new(99.0, 0.0)));
}

#[test]
fn a_test_expects_what_moved_and_what_is_selected() {
    let mut table = Table::new();
    let recorder = recorder(&mut table);
    let node = |table: &Table, name| table.editor.scene().find(name).expect("there");
    let (ball, base) = (node(&table, "ball"), node(&table, "base"));
    let moved = Transform { translation: DVec3::new(0.1, 0.2, 0.3), ..Transform::IDENTITY };
    let view = *table.views.current();
    table.editor.place(&[(ball, moved)], &view);
    table.editor.select(crate::selection::Selection::of(&[base]), &view);
    let replay = read(&recorder.test(Path::new("test.json"), &table.editor));
    let [Event { kind: EventKind::Expect(expected), .. }] = &replay.events[..] else { panic!("one event") };
    let mut places = expected.places.clone();
    places.sort_by_key(|(node, _)| *node != base);
    assert_eq!(places, [(base, Transform::IDENTITY), (ball, moved)]);
    assert_eq!(expected.missed(table.editor.scene()), None);
    let missed = expected.missed(&built_in::scene()).expect("the ball is elsewhere");
    assert!(missed.starts_with("ball: translation is [0.75"), "{missed}");
}

/// A person at the picture: what is done is kept, as the window keeps it.
fn act(table: &mut Table, recorder: &mut Recorder, key: &str, mods: Mods) {
    let kind = EventKind::Key(key.to_owned());
    recorder.event(&kind, mods, Held::Nothing);
    table.session().take(&kind, mods).expect("usable");
    recorder.after(&kind, &mut table.editor);
}

/// The same person at a panel.
fn in_panel(table: &mut Table, recorder: &mut Recorder, does: impl FnOnce(&mut Editor)) {
    recorder.before(&mut table.editor);
    does(&mut table.editor);
    recorder.changed(&mut table.editor);
}

fn assert_plays_to(table: &Table, recorder: &Recorder, when: &str) {
    let replay = read(&recorder.test(Path::new("test.json"), &table.editor));
    let mut played = Table::of(replay.scene);
    played.editor.select(crate::selection::Selection::of(&replay.select), played.views.current());
    for event in &replay.events {
        played.session().take(&event.kind, event.mods).expect("usable");
        played.session().update().expect("usable");
        if let EventKind::Expect(expected) = &event.kind {
            assert_eq!(expected.missed(played.editor.scene()), None, "{when}");
        }
    }
    let [wanted, found] = [&table.editor, &played.editor].map(|editor| {
        // Copies may stand in another order.
        let scene = editor.scene();
        let name = |node: usize| scene.nodes()[node].name.clone();
        let state = |node: usize| {
            let Node { parent, local, mesh, .. } = &scene.nodes()[node];
            let flags = FLAGS.map(|flag| scene.has_flag(node, flag));
            (name(node), parent.map(name), flags, *local, *mesh)
        };
        let mut nodes: Vec<_> = (0..scene.nodes().len()).map(state).collect();
        nodes.sort_by(|a, b| a.0.cmp(&b.0));
        let selected = editor.selection().nodes().iter().map(|node| name(*node));
        (nodes, selected.collect::<Vec<_>>())
    });
    let differ: Vec<_> = wanted.0.iter().zip(&found.0).filter(|(a, b)| a != b).collect();
    assert!(differ.is_empty(), "{when}: {differ:?}");
    assert_eq!((wanted.0.len(), wanted.1), (found.0.len(), found.1), "{when}");
}

#[test]
fn names_eyes_and_locks_play_to_what_they_were_whatever_was_undone_between() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let node = |table: &Table, name| table.editor.scene().find(name).expect("there");
    let (ball, base, wrist) = (node(&table, "ball"), node(&table, "base"), node(&table, "wrist"));
    let (none, ctrl) = (Mods::default(), Mods { ctrl: true, ..Mods::default() });
    let (table, recorder) = (&mut table, &mut recorder);
    let view = *table.views.current();

    in_panel(table, recorder, |editor| {
        editor.select(crate::selection::Selection::of(&[wrist]), &view);
    });
    act(table, recorder, "h", none);
    assert_plays_to(table, recorder, "after the key that hides");
    in_panel(table, recorder, |editor| editor.rename(ball, "ein \"Ball\"").expect("a free name"));
    in_panel(table, recorder, |editor| editor.rename(base, "ball").expect("free by now"));
    in_panel(table, recorder, |editor| editor.set_flag(&[ball], Flag::Hidden, true));
    in_panel(table, recorder, |editor| editor.set_flag(&[base, ball], Flag::Locked, true));
    assert_plays_to(table, recorder, "after names, an eye and locks");
    act(table, recorder, "k", none);
    // Back through all of it, the key's step among the panel's.
    for step in 0..7 {
        act(table, recorder, "z", ctrl);
        assert_plays_to(table, recorder, &format!("{step} steps back"));
    }
    assert!(table.editor.scene().is_shown(wrist) && table.editor.history().done() == 0);
    for step in 0..5 {
        act(table, recorder, "y", ctrl);
        assert_plays_to(table, recorder, &format!("{step} steps forth"));
    }
    in_panel(table, recorder, |editor| editor.go_to_step(2));
    assert_plays_to(table, recorder, "after a click in the history");
    act(table, recorder, "h", Mods { shift: true, ..none });
    assert_plays_to(table, recorder, "after the key that shows all");
    assert_eq!(table.editor.scene().nodes()[ball].name, "ein \"Ball\"");
}

#[test]
fn what_was_hung_elsewhere_or_deleted_plays_to_where_it_was_whatever_was_undone_between() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let node = |table: &Table, name| table.editor.scene().find(name).expect("there");
    let (ball, base, wrist) = (node(&table, "ball"), node(&table, "base"), node(&table, "wrist"));
    let (ctrl, none) = (Mods { ctrl: true, ..Mods::default() }, Mods::default());
    let (table, recorder) = (&mut table, &mut recorder);
    let view = *table.views.current();
    let select = |table: &mut Table, recorder: &mut Recorder, nodes: &[usize]| {
        in_panel(table, recorder, |editor| {
            editor.select(crate::selection::Selection::of(nodes), &view);
        });
    };
    select(table, recorder, &[ball, base]);
    act(table, recorder, "p", ctrl);
    assert_eq!(table.editor.scene().nodes()[ball].parent, Some(base));
    assert_plays_to(table, recorder, "after the key that hangs");
    in_panel(table, recorder, |editor| {
        editor.adjust("x", "Move {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    select(table, recorder, &[wrist]);
    act(table, recorder, "delete", none);
    assert_plays_to(table, recorder, "after the key that deletes");
    select(table, recorder, &[ball]);
    act(table, recorder, "p", Mods { shift: true, ..ctrl });
    // All four keys and the panel's step, back and forth.
    for (key, count) in [("z", 5), ("y", 2)] {
        for step in 0..count {
            act(table, recorder, key, ctrl);
            assert_plays_to(table, recorder, &format!("{step} steps by {key}"));
        }
    }
    assert_eq!(table.editor.scene().nodes()[ball].parent, Some(base));
    in_panel(table, recorder, |editor| editor.go_to_step(4));
    assert_plays_to(table, recorder, "after a click in the history");
    let scene = table.editor.scene();
    assert_eq!((scene.is_there(wrist), scene.nodes()[ball].parent), (false, None));
    in_panel(table, recorder, |editor| editor.go_to_step(0));
    assert_plays_to(table, recorder, "as opened");
}

#[test]
fn copies_play_to_what_they_were_whatever_was_undone_between() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let (ctrl, none) = (Mods { ctrl: true, ..Mods::default() }, Mods::default());
    let (table, recorder) = (&mut table, &mut recorder);
    let view = *table.views.current();
    let select = |table: &mut Table, recorder: &mut Recorder, names: &[&str]| {
        in_panel(table, recorder, |editor| {
            let node = |name: &&str| editor.scene().find(name).expect("there");
            let nodes: Vec<usize> = names.iter().map(node).collect();
            editor.select(crate::selection::Selection::of(&nodes), &view);
        });
    };
    let there = |table: &Table| {
        let scene = table.editor.scene();
        (0..scene.nodes().len()).filter(|node| scene.is_there(*node)).count()
    };
    let all = there(table);
    select(table, recorder, &["forearm"]);
    act(table, recorder, "d", ctrl);
    assert_plays_to(table, recorder, "after the key that copies");
    assert!(there(table) > all + 1, "with what hangs on it");
    in_panel(table, recorder, |editor| {
        editor.adjust("x", "Move {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    in_panel(table, recorder, |editor| {
        let copy = editor.scene().find("forearm.001").expect("there");
        editor.rename(copy, "second").expect("free");
    });
    act(table, recorder, "h", none);
    assert_plays_to(table, recorder, "after it was moved, renamed and hidden");
    // The name that the first copy had is free again, and taken.
    select(table, recorder, &["second", "forearm", "ball"]);
    act(table, recorder, "d", ctrl);
    assert!(table.editor.scene().find("forearm.001").is_some());
    assert_plays_to(table, recorder, "after copies of copies");
    in_panel(table, recorder, |editor| {
        editor.run(crate::command::Command::Duplicate, &view);
    });
    assert_plays_to(table, recorder, "after copies by the panel");
    act(table, recorder, "delete", none);
    let most = there(table);
    for (key, count) in [("z", 7), ("y", 3), ("z", 1), ("y", 5)] {
        for step in 0..count {
            act(table, recorder, key, ctrl);
            assert_plays_to(table, recorder, &format!("{step} steps by {key}"));
        }
        assert_eq!(there(table) == all, table.editor.history().done() == 0);
    }
    assert_eq!(there(table), most);
    in_panel(table, recorder, |editor| editor.go_to_step(1));
    assert_plays_to(table, recorder, "after a click in the history");
    in_panel(table, recorder, |editor| editor.go_to_step(0));
    assert_plays_to(table, recorder, "as opened");
    // What was undone cannot come back, and keeps its names.
    select(table, recorder, &["forearm"]);
    act(table, recorder, "d", ctrl);
    assert_plays_to(table, recorder, "after another copy");
}

#[test]
fn a_step_back_of_what_a_panel_moved_leads_to_where_it_led() {
    let mut table = Table::new();
    let mut recorder = recorder(&mut table);
    let node = |table: &Table, name| table.editor.scene().find(name).expect("there");
    let (ball, base) = (node(&table, "ball"), node(&table, "base"));
    let (table, recorder) = (&mut table, &mut recorder);
    let view = *table.views.current();
    let ctrl = Mods { ctrl: true, ..Mods::default() };
    in_panel(table, recorder, |editor| {
        editor.select(crate::selection::Selection::of(&[base]), &view);
    });
    for key in ["x", "2", "enter"] {
        act(table, recorder, key, Mods::default());
        table.session().update().expect("usable");
    }
    in_panel(table, recorder, |editor| {
        editor.select(crate::selection::Selection::of(&[ball]), &view);
        editor.adjust("x", "Move {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    assert_plays_to(table, recorder, "after a drag and a typed value");
    assert_eq!(table.editor.history().done(), 2, "and the replay has one step");
    for (key, when) in [("z", "back"), ("z", "back again"), ("y", "forth"), ("y", "forth again")] {
        act(table, recorder, key, ctrl);
        assert_plays_to(table, recorder, when);
    }
    assert_eq!(table.editor.scene().nodes()[ball].local.translation, DVec3::ONE);
}

#[test]
fn eyes_and_locks_that_stayed_when_a_file_was_read_again_are_kept_from_the_start() {
    let mut table = Table::new();
    let ball = table.editor.scene().find("ball").expect("there");
    table.editor.set_flag(&[ball], Flag::Hidden, true);
    let recorder = recorder(&mut table);
    assert_plays_to(&table, &recorder, "at once");
}

#[test]
fn a_scene_is_named_as_seen_from_the_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(a.join("deep")).expect("ours");
    std::fs::create_dir_all(&b).expect("ours");
    let file = b.join("scene.gltf");
    std::fs::write(&file, "{}").expect("ours");
    assert_eq!(from_folder(&file, &a.join("deep")), "../../b/scene.gltf");
    assert_eq!(from_folder(&file, &b), "scene.gltf");
}
