//! Tests that changes restored from a recovery journal, and poses, are recorded.

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

/// A node that an animation moves by 2 within a second.
const ANIMATED: &str = r#"{
    "asset": { "version": "2.0" },
    "nodes": [{ "name": "node" }],
    "scenes": [{ "nodes": [0] }],
    "buffers": [{ "byteLength": 32, "uri": "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAABAAAAAAAAAAAA=" }],
    "bufferViews": [
        { "buffer": 0, "byteLength": 8 },
        { "buffer": 0, "byteOffset": 8, "byteLength": 24 }
    ],
    "accessors": [
        { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
        { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" }
    ],
    "animations": [{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        "samplers": [{ "input": 0, "output": 1 }]
    }]
}"#;

#[test]
fn pose_of_animation_is_recorded_and_kept() {
    let folder = tempfile::tempdir().expect("the folder can be created");
    let path = folder.path().join("animated.gltf");
    std::fs::write(&path, ANIMATED).expect("the folder is writable");
    let mut fixture = crate::tests::session(gltf_io::open(&path).expect("the file is valid"));
    let mut recorder = recorder(SceneSource::Gltf(path), &fixture);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    for pose in [Some(0.25), Some(0.5), None, Some(0.75)] {
        let view = *fixture.views.current();
        fixture.editor.show_pose(pose.map(|time| Pose { animation: 0, time }), &view);
        look(fixture, recorder);
        let played = assert_plays_to(fixture, recorder, &format!("{pose:?}"));
        let x = played.editor.scene().world_from_node(0).w_axis.x;
        assert_eq!(x, pose.map_or(0.0, |time| 2.0 * time));
    }
    recorder.start_over(fixture);
    assert_plays_to(fixture, recorder, "after it started over");
}

#[test]
fn restarted_recording_keeps_pivots_of_other_selections() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    let edit_pivot = |fixture: &mut Session, recorder: &mut Recorder, names: &[&str], by: f64| {
        select(fixture, recorder, names);
        fixture.update().expect("the view is valid");
        act_by(fixture, recorder, &EventKind::EditPivot(true), Mods::default());
        fixture.update().expect("the view is valid");
        for handle in ["translate_x", "rotate_z"] {
            let handle = wgpu_gizmo_core::HandleId::from_name(handle).expect("the handle exists");
            act_by(fixture, recorder, &EventKind::Drive(handle, by.into()), Mods::default());
            fixture.update().expect("the view is valid");
        }
        act_by(fixture, recorder, &EventKind::EditPivot(false), Mods::default());
        fixture.update().expect("the view is valid");
    };
    edit_pivot(fixture, recorder, &["ball"], 0.5);
    edit_pivot(fixture, recorder, &["ball", "wrist"], 0.25);
    // This moves the node below it, and so the pivot of that one.
    select(fixture, recorder, &["base"]);
    in_panel(fixture, recorder, |editor| {
        editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    fixture.update().expect("the view is valid");
    recorder.start_over(fixture);
    let mut played = assert_plays_to(fixture, recorder, "after it started over");
    let mut seen = Vec::new();
    for names in [&["ball"][..], &["ball", "wrist"], &["wrist"], &["base"]] {
        let [wanted, found] = [&mut *fixture, &mut played].map(|session| {
            let nodes: Vec<usize> = names.iter().map(|name| session.editor.node(name)).collect();
            let view = *session.views.current();
            session.editor.select(Selection::of(&nodes), &view);
            session.update().expect("the view is valid");
            session.editor.gizmo().edited_pivot()
        });
        assert_eq!(wanted, found, "{names:?}");
        seen.push(wanted.0.is_some() && wanted.1.is_some());
    }
    assert_eq!(seen, [true, true, false, false]);
}
