//! Tests that changes restored from a recovery journal are recorded.

use super::*;
use crate::journal::{Journal, JournalHead};

#[test]
fn restored_changes_are_recorded_and_undone() {
    let mut changed = fixture();
    let view = *changed.views.current();
    let node = |session: &Session, name| session.editor.scene().find(name).expect("the node exists");
    let (forearm, ball, base) = (node(&changed, "forearm"), node(&changed, "ball"), node(&changed, "base"));
    let editor = &mut changed.editor;
    editor.select(Selection::of(&[forearm]), &view);
    editor.run(Command::Duplicate, &view);
    editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::ONE / 3.0, ..*local });
    editor.settle();
    editor.select(Selection::of(&[ball]), &view);
    editor.reparent(Some(base));
    editor.rename(ball, "sphere").expect("the name is free");
    editor.set_flag(&[base], Flag::Locked, true);
    // A copy gets the name of a deleted node.
    let [wrist, copy] =
        ["wrist", "wrist.001"].map(|name| editor.scene().find(name).expect("the node exists"));
    editor.set_flag(&[wrist], Flag::Deleted, true);
    editor.rename(copy, "wrist").expect("the name is free");
    let head = JournalHead {
        scene: "robot arm".to_owned(),
        file: None,
        viewer: "0".to_owned(),
        time: 1,
        is_whole: false,
    };
    let journal = Journal::of(editor, None, head);

    let mut fixture = fixture();
    let mut recorder = recorder(&mut fixture);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    recorder.before(&fixture.editor);
    let restored = fixture.editor.restore(&journal, true).expect("the journal fits");
    assert_eq!(restored.missed, [""; 0]);
    recorder.changed(&fixture.editor);
    assert_plays_to(fixture, recorder, "after restoring");
    let ctrl = Mods { ctrl: true, ..Mods::default() };
    act(fixture, recorder, "z", ctrl);
    assert_plays_to(fixture, recorder, "after undo");
    assert!(fixture.editor.is_saved());
    act(fixture, recorder, "y", ctrl);
    assert_plays_to(fixture, recorder, "after redo");
}
