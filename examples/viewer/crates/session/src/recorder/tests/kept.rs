//! Recordings and journals that an earlier version of the viewer has written still play and restore.

use super::*;

/// The recorded sessions: each as a recording that checks its result, and as the journal of its unsaved changes.
///
/// - `crops`: sections, crop boxes that were dragged, their undo
/// - `pivot`: an edited pivot, its undo, no handles, values that were dragged in the panel
/// - `names`: names that were exchanged, parents, copies, flags, a camera and a light
const SESSIONS: [&str; 3] = ["crops", "pivot", "names"];

#[test]
fn kept_recordings_play_and_kept_journals_restore_their_result() {
    for name in SESSIONS {
        let replay = replay_file::open(&path(&format!("kept/{name}.json"))).expect("the recording is valid");
        let played = play(&replay, name);
        let missed = expected(&replay).missed(&replay.scene);
        assert!(missed.is_some(), "{name}: the session has changed something");
        let text = std::fs::read(path(&format!("kept/{name}.journal"))).expect("the journal exists");
        let journal = Journal::of_text(&text).expect("the journal is valid");
        let (mut fixture, mut recorder) = match name {
            "names" => opened("kept/lit.gltf"),
            _ => recorded(&[]),
        };
        let (fixture, recorder) = (&mut fixture, &mut recorder);
        in_panel(fixture, recorder, |editor| {
            let restored = editor.restore(&journal, true).expect("the journal fits");
            assert_eq!(restored.missed, [""; 0], "{name}");
        });
        assert_eq!(state(fixture.editor.scene()), state(played.editor.scene()), "{name}");
        assert_eq!(fixture.editor.log().entries().len(), 1, "{name}: one undo step");
        assert_plays_to(fixture, recorder, name);
        for key in ["z", "y"] {
            act(fixture, recorder, key, Mods { ctrl: true, ..Mods::default() });
            assert_plays_to(fixture, recorder, &format!("{name} after {key}"));
            assert_eq!(fixture.editor.is_saved(), key == "z", "{name} after {key}");
        }
    }
}
