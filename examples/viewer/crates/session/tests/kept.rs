//! Recordings and journals that an earlier version of the viewer has written still play and restore.

use scene::Scene;
use scene::flags::FLAGS;
use std::path::{Path, PathBuf};
use wgpu_gizmo_viewer_session::Session;
use wgpu_gizmo_viewer_session::editor::Editor;
use wgpu_gizmo_viewer_session::journal::Journal;
use wgpu_gizmo_viewer_session::replay_file::{self, EventKind, Expected, Replay};

/// The recorded sessions: each as a recording that checks its result, and as the journal of its unsaved changes.
///
/// - `crops`: sections, crop boxes that were dragged, their undo
/// - `pivot`: an edited pivot, its undo, no handles, values that were dragged in the panel
/// - `names`: names that were exchanged, parents, copies, flags, a camera and a light
const SESSIONS: [&str; 3] = ["crops", "pivot", "names"];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept").join(name)
}

fn replay(name: &str) -> Replay {
    replay_file::open(&file(&format!("{name}.json"))).expect("the recording is valid")
}

/// Returns what a recording requires at its end.
fn expected(replay: &Replay) -> &Expected {
    match replay.events.last().map(|event| &event.kind) {
        Some(EventKind::Expect(expected)) => expected,
        last => panic!("the last event is {last:?}"),
    }
}

fn play(replay: &Replay) -> Session {
    let editor = Editor::new(replay.scene.clone()).expect("there are enough ids");
    let mut played = Session::of_replay(editor, replay).expect("the view is valid");
    for event in &replay.events {
        played.take(&event.kind, event.mods).expect("the view is valid");
        played.update().expect("the view is valid");
    }
    played
}

/// Returns everything that a journal restores, by node name, with every bit of the transforms.
fn state(scene: &Scene) -> Vec<String> {
    let name = |node: usize| scene.nodes()[node].name.as_str();
    let line = |node: usize| {
        let now = &scene.nodes()[node];
        let (flags, crop) = (FLAGS.map(|flag| scene.has_flag(node, flag)), scene.crop_box(node));
        format!("{} {:?} {:?} {flags:?} {crop:?}", now.name, now.parent.map(name), now.local)
    };
    let mut lines: Vec<String> =
        (0..scene.nodes().len()).filter(|node| scene.exists(*node)).map(line).collect();
    lines.sort();
    lines.push(format!("{:?}", scene.volumes()));
    lines
}

#[test]
fn kept_recordings_play_to_their_result() {
    for name in SESSIONS {
        let replay = replay(name);
        let played = play(&replay);
        assert_eq!(expected(&replay).missed(played.editor.scene()), None, "{name}");
        assert!(
            expected(&replay).missed(&replay.scene).is_some(),
            "{name}: the session has changed something"
        );
    }
}

#[test]
fn kept_journals_restore_result_of_recording() {
    for name in SESSIONS {
        let replay = replay(name);
        let text = std::fs::read(file(&format!("{name}.journal"))).expect("the journal exists");
        let journal = Journal::of_text(&text).expect("the journal is valid");
        let scene = match name {
            "names" => gltf_io::open(&file("lit.gltf")).expect("the file is valid"),
            _ => scene::built_in::scene(),
        };
        let mut restored = Editor::new(scene).expect("there are enough ids");
        let result = restored.restore(&journal, true).expect("the journal fits");
        assert_eq!(result.missed, [""; 0], "{name}");
        assert_eq!(state(restored.scene()), state(play(&replay).editor.scene()), "{name}");
        assert_eq!(restored.log().entries().len(), 1, "{name}: one undo step");
    }
}
