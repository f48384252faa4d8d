//! Files that a replay saves open again with the same transforms.

use crate::viewer::*;

fn replay(scene: &Value, select: &[&str], events: &[Value]) -> Value {
    json!({ "size_px": [320, 240], "scene": scene, "select": select, "events": events })
}

/// Returns the bits of all numbers of the targets in `f32`, as other readers of the file see them.
fn bits(targets: &Value) -> Vec<(String, String, Vec<u32>)> {
    let mut bits = Vec::new();
    for (name, target) in targets.as_object().expect("`targets` is an object") {
        for (key, numbers) in target.as_object().expect("a target is an object") {
            let numbers = numbers.as_array().expect("a channel is an array").iter();
            let numbers = numbers.map(|n| (n.as_f64().expect("an element is a number") as f32).to_bits());
            bits.push((name.clone(), key.clone(), numbers.collect()));
        }
    }
    assert!(!bits.is_empty());
    bits
}

/// Returns events that translate, rotate and scale by typed numbers. The line of each key has the
/// transforms in `targets`.
fn edits() -> Vec<Value> {
    let mut events = Vec::new();
    for (mode, keys) in [("translate", "x1.3"), ("rotate", "y33"), ("scale", "z1.7")] {
        events.push(json!({ "set": { "mode": mode } }));
        events.extend(keys.chars().map(|key| json!({ "key": key.to_string() })));
        events.push(json!({ "key": "enter" }));
    }
    events
}

#[test]
fn saved_objects_open_with_same_transforms() {
    let objects = json!({ "objects": [
        { "name": "ü \"top\"", "parent": null, "scale": [2, 2, -2], "shape": "sphere" },
        { "name": "a", "parent": "ü \"top\"", "rotation": [0, 0.3, 0.1, 2], "shape": "cube" },
        { "name": "b", "parent": "a", "translation": [0.1, 0, 1e-7], "shape": "empty" }] });
    for name in ["saved.glb", "folder/saved.gltf"] {
        let out = Folder::new();
        let events = [edits(), vec![json!({ "save": name })]].concat();
        let first = lines(&out, replay(&objects, &["b", "a"], &events));
        let saved = &first[events.len() - 1];
        assert_eq!((&saved["kind"], &saved["event"]), (&json!("save"), &json!(events.len() - 1)));
        assert_eq!(saved["path"], json!(out.path().join(name).to_str()));
        let moved = &first[events.len() - 2]["targets"];
        assert_ne!(moved, &first[0]["targets"], "the keys moved something");
        let again = replay(&json!({ "gltf": name }), &["b", "a"], &[json!({ "move": [1, 1] })]);
        let second = lines(&out, again);
        assert_eq!(bits(&second[0]["targets"]), bits(moved), "{name}");
    }
}

/// The browser tests type the keys of the same replay in the viewer's page, and compare its download with the same
/// file.
#[test]
fn native_save_equals_file_of_browser_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests");
    let out = Folder::new();
    play(&folder.join("moved.json"), &out);
    let bytes = |path: &Path| std::fs::read(path).unwrap_or_default();
    let (saved, file) = (bytes(&out.path().join("moved.glb")), folder.join("moved.glb"));
    let scene = json_file(&folder.join("moved.json"))["scene"]["gltf"].clone();
    let opened = bytes(&folder.join(scene.as_str().expect("the replay opens a file")));
    assert!(!saved.is_empty() && !opened.is_empty() && saved != opened, "the replay changes its scene");
    if std::env::var_os("WRITE_SAVED").is_some() {
        std::fs::write(&file, &saved).expect("the folder is writable");
    }
    assert!(
        saved == bytes(&file),
        "run this test with WRITE_SAVED=1 if the writer or the replay has changed"
    );
}
