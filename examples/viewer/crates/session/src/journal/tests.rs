//! Tests that changes survive being written to a journal, bit for bit, and that bad journals are refused.

use super::*;
use crate::tests::*;
use scene::bounds::Bounds;

fn head() -> JournalHead {
    let (scene, viewer) = ("robot arm".to_owned(), "0.1.0".to_owned());
    JournalHead { scene, viewer, time: 1_700_000_000, ..JournalHead::default() }
}

fn editor() -> Editor {
    Editor::new(built_in::scene()).expect("there are enough ids")
}

fn put(editor: &mut Editor, name: &str, local: Transform) {
    editor.select_named(&[name]);
    editor.adjust("x", "Translate {}", |_, _| local);
    editor.settle();
}

/// A transform whose numbers have no short decimal form, with a negative zero and a tiny number.
fn odd() -> Transform {
    Transform {
        translation: DVec3::new(0.1 + 0.2, -0.0, 1e-310),
        rotation: DQuat::from_xyzw(0.1, 0.7, -0.3, 0.6444444444444445),
        scale: DVec3::new(-1.0 / 3.0, 1e17, 0.999_999_999_999_999_9),
    }
}

/// Makes every kind of change.
fn change_everything(editor: &mut Editor) {
    put(editor, "forearm", odd());
    editor.select_named(&["forearm"]);
    editor.run(Command::Duplicate, &view());
    put(editor, "forearm.001", Transform { translation: DVec3::ONE, ..odd() });
    let [ball, base] = ["ball", "base"].map(|name| editor.node(name));
    editor.rename(ball, "between").expect("the name is free");
    editor.rename(base, "ball").expect("the name is free again");
    editor.rename(ball, "base").expect("the name is free again");
    editor.select_named(&["crate", "wrist.001"]);
    editor.reparent(Some(editor.node("wrist.001")));
    editor.set_flag(&[editor.node("crate")], Flag::Hidden, true);
    editor.set_flag(&[editor.node("small_crate")], Flag::Locked, true);
    editor.select_named(&["wrist"]);
    editor.run(Command::Delete, &view());
    let copy = editor.node("wrist.001");
    editor.rename(copy, "wrist").expect("the name of a deleted node is free");
}

fn read_back(journal: &Journal) -> Journal {
    let read = Journal::of_text(journal.to_text().as_bytes()).expect("the journal is valid");
    assert_eq!(read.to_text(), journal.to_text());
    read
}

#[test]
fn every_kind_of_change_is_restored_bit_for_bit() {
    let mut editor = editor();
    let before = state(editor.scene());
    change_everything(&mut editor);
    let journal = read_back(&Journal::of(&editor, None, head()));
    assert!(journal.unrestorable.is_empty(), "{:?}", journal.unrestorable);
    editor.select_named(&["forearm", "forearm.001"]);
    editor.adjust("x", "Translate {}", |_, _| Transform::IDENTITY);
    let in_progress = Journal::of(&editor, None, head());
    assert_eq!(in_progress.to_text(), journal.to_text(), "an edit in progress is not in it");
    editor.cancel_adjusting();
    let mut other = Editor::new(built_in::scene()).expect("there are enough ids");
    let restored = other.restore(&journal, true).expect("the journal fits");
    assert_eq!((restored.missed, restored.count), (Vec::new(), journal.count()));
    assert_eq!(state(other.scene()), state(editor.scene()));
    assert!(!other.is_saved() && other.log().entries().len() == 1, "one undo step");
    let again = Journal::of(&other, None, head());
    assert_eq!(again.count(), journal.count(), "the next journal has the same changes");
    other.undo(&view());
    assert_eq!(state(other.scene()), before);
    assert!(other.is_saved());
    other.go_to_step(1);
    assert_eq!(state(other.scene()), state(editor.scene()));
}

/// An editor of nodes with a camera and a spot light.
fn lit_editor() -> Editor {
    Editor::of_test(scene_of("kept/lit.gltf"), &[])
}

fn spot(outer: f64) -> Light {
    let shape = LightShape::Spot { range: None, inner: 0.1, outer };
    Light { shape, color: [0.1 + 0.2, 0.5, 1.0 / 7.0], intensity: 1.0 / 9.0 }
}

#[test]
fn cameras_and_lights_are_restored_bit_for_bit() {
    let mut editor = lit_editor();
    let lens = Lens::Perspective { fov_y: 0.1 + 0.2, near: 1e-7, far: Some(1.0 / 3.0), aspect: None };
    editor.adjust_volume(0, NodeVolume::Camera(lens));
    editor.adjust_volume(1, NodeVolume::Light(spot(1.0 / 3.0)));
    editor.settle();
    // An edit in progress is not in the journal.
    editor.adjust_volume(1, NodeVolume::Light(spot(1.0)));
    let journal = read_back(&Journal::of(&editor, None, head()));
    editor.cancel_adjusting();
    let mut other = lit_editor();
    let restored = other.restore(&journal, true).expect("the journal fits");
    assert_eq!(restored.missed, [""; 0]);
    assert_eq!(other.scene().volumes(), editor.scene().volumes());
    assert_eq!(other.log().entries().len(), 1);
    other.undo(&view());
    assert_eq!(other.scene().volumes(), lit_editor().scene().volumes());
    // Older journals have no colors.
    let text = journal.to_text().replace(r#""color":[0.30000000000000004,0.5,0.14285714285714285],"#, "");
    let older = text.replace(r#""intensity":0.1111111111111111,"#, "");
    let older = Journal::of_text(older.as_bytes()).expect("the journal is valid");
    let mut scene = lit_editor().scene().clone();
    scene.set_volumes(vec![scene.volume(0), Some(NodeVolume::Light(spot(0.5)))]);
    let mut colored = Editor::new(scene).expect("there are enough ids");
    assert_eq!(colored.restore(&older, true).map(|restored| restored.missed), Ok(Vec::new()));
    assert_eq!(colored.scene().volume(1), Some(NodeVolume::Light(spot(1.0 / 3.0))), "the color stays");
    // Another file has no such light.
    let mut without = self::editor();
    let restored = without.restore(&journal, false).expect("nothing fits");
    assert_eq!((restored.missed.len(), without.is_saved()), (2, true), "{:?}", restored.missed);
    let mut changed = lit_editor();
    changed.adjust_volume(1, NodeVolume::Light(Light::new(LightShape::Directional)));
    assert_eq!(changed.scene().volumes(), lit_editor().scene().volumes(), "the kind stays");
    let text = journal.to_text().replace("0.3333333333333333,", "7,");
    let restored = Journal::of_text(text.as_bytes());
    assert!(text != journal.to_text() && restored.is_err(), "{restored:?}");
}

#[test]
fn changed_file_gets_applicable_changes_and_names_the_rest() {
    let mut editor = editor();
    put(&mut editor, "crate", odd());
    put(&mut editor, "ball", odd());
    editor.select_named(&["forearm"]);
    editor.run(Command::Duplicate, &view());
    let wrist = editor.node("wrist");
    editor.rename(wrist, "hand").expect("the name is free");
    let journal = Journal::of(&editor, None, head());
    // Another file, in another order, without two of the nodes and with one of the new names.
    let scene = built_in::scene();
    let kept = |name: &&str| !["ball", "forearm"].contains(name);
    let names = scene.nodes().iter().map(|node| node.name.as_str()).filter(kept).rev().chain(["hand"]);
    let nodes = names.map(|name| scene::Node::new(name, None, Transform::IDENTITY)).collect();
    let changed = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
    let mut other = Editor::new(changed).expect("there are enough ids");
    let restored = other.restore(&journal, false).expect("something fits");
    let missed = restored.missed.join("; ");
    for what in ["ball: there is no such node", "the copy forearm.001", "the name hand is taken"] {
        assert!(missed.contains(what), "{missed}");
    }
    assert_eq!(bits(&other.scene().nodes()[other.node("crate")].local), bits(&odd()));
}

#[test]
fn hostile_journals_apply_only_applicable_changes() {
    let original = editor();
    let before = state(original.scene());
    let nodes = original.scene().nodes();
    let changes = |changes: &str| {
        let text = format!(
            r#"{{"journal":1,"viewer":"x","time":9,"scene":"s","path":null,"whole":false,"lost":[],"copies":[
            {{"of":{{"index":0,"name":"{name}"}},"name":"{name}"}},{{"of":{{"index":9999999,"name":"-"}},"name":" "}}],
            "changes":[{changes}]}}"#,
            name = nodes[0].name
        );
        Journal::of_text(text.as_bytes()).expect("the journal can be read")
    };
    let of = |node: usize| format!(r#"{{"index":{node},"name":"{}"}}"#, nodes[node].name);
    let huge = r#""transform":{"translation":[0,0,0],"rotation":[0,0,0,1],"scale":[1e308,1e308,1e308]}"#;
    let all = |value: &str| {
        let all = (0..nodes.len()).map(|node| format!(r#"{{"node":{},{value}}}"#, of(node)));
        all.collect::<Vec<_>>().join(",")
    };
    for (text, expected) in [
        (all(huge), "overflows"),
        (all(r#""deleted":true"#) + r#",{"node":{"copy":0},"deleted":true}"#, "all nodes are deleted"),
    ] {
        let mut editor = editor();
        let error = editor.restore(&changes(&text), true).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(state(editor.scene()), before);
    }
    // A loop of parents, a node below itself, the same name for all, and values given twice.
    let loops = format!(
        r#"{{"node":{a},"parent":{b}}},{{"node":{b},"parent":{a}}},{{"node":{a},"parent":{a},"name":"  "}},
        {{"node":{{"copy":1}},"hidden":true}},{}"#,
        all(r#""name":"same","locked":true"#),
        a = of(1),
        b = of(2),
    );
    let mut editor = editor();
    let restored = editor.restore(&changes(&loops), true).expect("a part of it fits");
    assert!(restored.missed.iter().any(|missed| missed.contains("below it")), "{restored:?}");
    assert!(restored.missed.iter().any(|missed| missed.contains("is taken")), "{restored:?}");
    editor.undo(&view());
    assert_eq!(state(editor.scene()), before);
}

#[test]
fn invalid_text_error_names_location() {
    let valid = {
        let mut editor = editor();
        change_everything(&mut editor);
        Journal::of(&editor, None, head()).to_text()
    };
    // Cut anywhere, as after a crash of the system.
    for length in (0..valid.trim_end().len()).step_by(7) {
        assert!(Journal::of_text(&valid.as_bytes()[..length]).is_err(), "cut at {length}");
    }
    for (from, to, expected) in [
        ("\"journal\": 1", "\"journal\": 2", "another version"),
        ("\"journal\": 1", "\"journal\": -1", "journal"),
        ("\"path\": null", "\"path\": \"relative\"", "path: must be an absolute path"),
        ("\"copy\":0", "\"copy\":77", "copies"),
        ("\"locked\":true", "\"locked\":3", "locked"),
        ("\"changes\": [", "\"changes\": [7,", "changes[0]"),
    ] {
        let text = valid.replacen(from, to, 1);
        assert_ne!(text, valid, "{from}");
        let error = Journal::of_text(text.as_bytes()).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn file_and_time_survive_text() {
    let file = JournalFile {
        path: std::path::absolute("a \"b\"\n.glb").expect("the path is not empty"),
        fingerprint: Some(Fingerprint { length: 7, contents: u64::MAX }),
    };
    let head = JournalHead { file: Some(file), ..head() };
    let journal = read_back(&Journal::of(&editor(), None, head));
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_180);
    assert_eq!(journal.age(now), Duration::from_secs(180));
    assert_eq!(journal.age(SystemTime::UNIX_EPOCH), Duration::ZERO, "a clock that was set back");
}

#[test]
fn mutated_journals_never_panic_and_undo_exactly() {
    let text = {
        let mut editor = editor();
        change_everything(&mut editor);
        Journal::of(&editor, None, head()).to_text().into_bytes()
    };
    let before = state(editor().scene());
    let (mut read, mut changed) = (0, 0);
    for (index, byte) in text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric()) {
        // Other indices, names and numbers, and sometimes other keys.
        let mut mutated = text.clone();
        mutated[index] = match byte {
            b'0'..=b'8' => byte + 1,
            b'9' => b'0',
            _ => text[(7 * index + 11) % text.len()],
        };
        let Ok(journal) = Journal::of_text(&mutated) else { continue };
        read += 1;
        for is_same in [true, false] {
            let mut editor = editor();
            if editor.restore(&journal, is_same).is_ok() {
                changed += usize::from(state(editor.scene()) != before);
                editor.go_to_step(0);
            }
            assert_eq!(state(editor.scene()), before, "{}", String::from_utf8_lossy(&mutated));
        }
    }
    assert!(read > 500 && changed > 500, "{read} were read and {changed} changed something");
}

/// Returns an editor of a scene as it is read from a file with a hidden and a cropped node.
fn marked_editor() -> Editor {
    let mut scene = built_in::scene();
    let [ball, base] = ["ball", "base"].map(|name| scene.find(name).expect("the node exists"));
    scene.set_flag(ball, Flag::Hidden, true);
    let half = scene.extents(base).map(|whole| Bounds { max: whole.center(), ..whole });
    scene.set_crop_box(base, half);
    Editor::new(scene).expect("there are enough ids")
}

#[test]
fn marks_of_file_are_changed_and_restored() {
    let mut editor = marked_editor();
    assert_eq!(Journal::of(&editor, None, head()).count(), 0, "it is as it was opened");
    editor.select_named(&["ball", "base"]);
    editor.run(Command::Duplicate, &view());
    let nodes = ["ball", "ball.001"].map(|name| editor.node(name));
    editor.set_flag(&nodes[1..], Flag::Hidden, false);
    editor.select_named(&["base"]);
    editor.run(Command::RemoveSections, &view());
    let journal = read_back(&Journal::of(&editor, None, head()));
    let mut other = marked_editor();
    let restored = other.restore(&journal, true).expect("the journal fits");
    assert_eq!(restored.missed, [""; 0]);
    assert_eq!(state(other.scene()), state(editor.scene()));
    assert!(!other.scene().has_flag(other.node("ball.001"), Flag::Hidden));
    assert_eq!(other.scene().crop_box(other.node("base")), None);
    editor.begin_save();
    editor.end_save(true);
    let indices: Vec<_> = (0..editor.scene().nodes().len()).map(Some).collect();
    assert_eq!(Journal::of(&editor, Some(&indices), head()).count(), 0, "a save writes all of it");
    editor.set_flag(&nodes[..1], Flag::Hidden, false);
    assert_eq!(Journal::of(&editor, Some(&indices), head()).count(), 1);
}

#[test]
fn crop_box_of_drag_in_progress_is_not_in_journal() {
    let mut session = crate::tests::session(built_in::scene());
    session.editor.select_named(&["crate"]);
    session.editor.run(Command::SectionX, &view());
    session.editor.change(|values| values.gizmo.mode = Mode::None);
    session.update().expect("the view is valid");
    let crop = |session: &Session| session.editor.scene().crop_box(session.editor.selection().nodes()[0]);
    let (cut, journal) = (crop(&session), Journal::of(&session.editor, None, head()));
    // Without an arrow, X drags a side of the box.
    for key in ["x", "2"] {
        session.take(&EventKind::Key(key.to_owned()), Mods::default()).expect("the view is valid");
        session.update().expect("the view is valid");
    }
    assert_ne!(crop(&session), cut);
    assert_eq!(Journal::of(&session.editor, None, head()).to_text(), journal.to_text());
}
