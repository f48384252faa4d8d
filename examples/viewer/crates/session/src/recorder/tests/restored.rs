//! Tests that changes restored from a recovery journal are recorded.

use super::*;
use crate::journal::Journal;

#[test]
fn restored_changes_are_recorded_and_undone() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept");
    let text = std::fs::read(kept.join("names.journal")).expect("the journal exists");
    // It renames, reparents, copies and hides nodes, and changes a camera and a light.
    let journal = Journal::of_text(&text).expect("the journal is valid");
    let path = kept.join("lit.gltf");
    let mut fixture = crate::tests::session(gltf_io::open(&path).expect("the file is valid"));
    let mut recorder = recorder(SceneSource::Gltf(path), &fixture);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    in_panel(fixture, recorder, |editor| {
        let restored = editor.restore(&journal, true).expect("the journal fits");
        assert_eq!(restored.missed, [""; 0]);
    });
    assert_plays_to(fixture, recorder, "after restoring");
    let ctrl = Mods { ctrl: true, ..Mods::default() };
    act(fixture, recorder, "z", ctrl);
    assert_plays_to(fixture, recorder, "after undo");
    assert!(fixture.editor.is_saved());
    act(fixture, recorder, "y", ctrl);
    assert_plays_to(fixture, recorder, "after redo");
}
