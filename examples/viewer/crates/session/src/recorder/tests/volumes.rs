//! Tests that changes of cameras and lights are recorded.

use super::*;
use crate::replay_file::Expected;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};
use tempfile::TempDir;

const SOURCE: &str = r#"{"asset":{"version":"2.0"},"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
    "extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","range":2}]}},
    "nodes":[{"name":"lamp","extensions":{"KHR_lights_punctual":{"light":0}}},{"name":"eye","camera":0}]}"#;

/// Returns a folder with the file `lit.gltf`, and its session.
fn lit_fixture() -> (TempDir, Session) {
    let folder = tempfile::tempdir().expect("the folder can be created");
    let path = folder.path().join("lit.gltf");
    std::fs::write(&path, SOURCE).expect("the folder is writable");
    let scene = gltf_io::open(&path).expect("the file is valid");
    (folder, crate::tests::session(scene))
}

#[test]
fn panel_edits_of_volumes_replay_after_undo() {
    let (folder, mut fixture) = lit_fixture();
    let path = folder.path().join("lit.gltf");
    fixture.editor.shows_volumes = true;
    let mut recorder = recorder(SceneSource::Gltf(path), &fixture);
    let spot = |outer| {
        let shape = LightShape::Spot { range: None, inner: 0.1, outer };
        NodeVolume::Light(Light { shape, color: [0.1 + 0.2, 0.5, 1.0 / 7.0], intensity: outer * 10.0 })
    };
    let lens = Lens::Perspective { fov_y: 0.1 + 0.2, near: 0.3, far: Some(1.0 / 3.0), aspect: None };
    in_panel(&mut fixture, &mut recorder, |editor| {
        editor.adjust_volume(1, spot(0.7));
        editor.settle();
    });
    assert_plays_to(&fixture, &recorder, "after an edit");
    in_panel(&mut fixture, &mut recorder, |editor| {
        editor.adjust_volume(0, NodeVolume::Camera(lens));
        editor.settle();
    });
    assert_plays_to(&fixture, &recorder, "after another edit");
    let ctrl = Mods { ctrl: true, ..Mods::default() };
    for (key, when) in [("z", "undo"), ("z", "undo again"), ("y", "redo")] {
        act(&mut fixture, &mut recorder, key, ctrl);
        assert_plays_to(&fixture, &recorder, when);
    }
    assert_eq!(fixture.editor.scene().volume(1), Some(spot(0.7)));
    let expected = expected_of(&fixture, &recorder);
    assert_eq!(expected.edits, [Edit::Volume(vec![(0, spot(0.7))])], "the edit of the camera is undone");
    assert_eq!(expected.missed(fixture.editor.scene()), None);
    recorder.start_over(&fixture);
    assert_plays_to(&fixture, &recorder, "after it started over");
}

#[test]
fn expected_light_of_another_value_is_missed() {
    let (folder, mut fixture) = lit_fixture();
    let path = folder.path().join("lit.gltf");
    let recorder = recorder(SceneSource::Gltf(path), &fixture);
    let spot = |range| NodeVolume::Light(Light::new(LightShape::Spot { range, inner: 0.1, outer: 0.5 }));
    assert_eq!(expected_of(&fixture, &recorder).edits, [], "nothing has changed");
    fixture.editor.adjust_volume(1, spot(Some(3.0)));
    let mut expected = expected_of(&fixture, &recorder);
    for (now, tolerance, is_missed) in
        [(Some(3.0), 0.0, false), (Some(3.5), 0.0, true), (Some(3.5), 0.5, false), (None, 100.0, true)]
    {
        fixture.editor.adjust_volume(1, spot(now));
        expected.tolerance = tolerance;
        let missed = expected.missed(fixture.editor.scene());
        assert_eq!(missed.is_some(), is_missed, "{now:?} within {tolerance}: {missed:?}");
        assert!(missed.is_none_or(|missed| missed.starts_with("lamp: range is ")), "the line names the node");
    }
}

/// Returns the values that a recorded test requires at its end.
fn expected_of(fixture: &Session, recorder: &Recorder) -> Expected {
    let mut replay = read(&recorder.test(Path::new("test.json"), &fixture.editor));
    match replay.events.pop() {
        Some(Event { kind: EventKind::Expect(expected), .. }) => expected,
        last => panic!("the last event is {last:?}"),
    }
}
