//! Copies of nodes, made by a shortcut and by an event.

use crate::viewer::*;

/// Plays events and returns the lines. The scene has `post` with the child `lamp`.
fn lines(out: &Folder, events: Value) -> Vec<Value> {
    let replay = json!({
        "size_px": [64, 48],
        "camera": orthographic(24.0),
        "scene": { "objects": [cube("post", None, [-2.0, 0.0, 0.0]), cube("lamp", Some("post"), [4.0, 0.0, 0.0])] },
        "settings": { "mode": "none" },
        "events": events,
    });
    crate::viewer::lines(out, replay)
}

/// The pixel of the lamp. A pixel is half a unit.
const LAMP: [i32; 2] = [36, 24];
/// The pixel four units above the lamp.
const ABOVE: [i32; 2] = [36, 16];
/// The pixel four units to the right of the lamp.
const BESIDE: [i32; 2] = [44, 24];

#[test]
fn shortcut_copies_can_be_picked_moved_and_saved() {
    let out = Folder::new();
    let events = json!([
        { "select": ["post"] }, { "key": "d", "mods": ["ctrl"] }, { "set": { "mode": "translate" } },
        { "key": "y" }, { "key": "4" }, { "key": "enter" }, { "set": { "mode": "none" } },
        { "pick": ABOVE }, { "pick": LAMP }, { "save": "copied.gltf" }, { "undo": true }, { "undo": true },
        { "pick": ABOVE }, { "redo": true }, { "redo": true }, { "pick": ABOVE }, { "region": [0, 0, 64, 48] },
    ]);
    let lines = lines(&out, events);
    assert_eq!(selected(&lines[1]), ["post.001"]);
    assert_eq!(numbers(&lines[5]["targets"]["post.001"]["translation"]), [-2.0, 4.0, 0.0]);
    assert_eq!(lines[7]["hit"], json!({ "object": "lamp.001" }));
    assert_eq!(lines[8]["hit"], json!({ "object": "lamp" }));
    assert_eq!(selected(&lines[11]), ["post"], "undo selects the original");
    assert_eq!((&lines[12]["hit"], &lines[12]["id"]), (&Value::Null, &json!(0)));
    assert_eq!((&lines[15]["hit"], &lines[15]["id"]), (&lines[7]["hit"], &lines[7]["id"]));
    let all = ["post", "lamp", "post.001", "lamp.001"].map(|name| json!({ "object": name }));
    assert_eq!(lines[16]["hits"], json!(all), "in the order of their ids");
    let saved = json_file(&out.path().join("copied.gltf"));
    let nodes = saved["nodes"].as_array().expect("the value is an array");
    assert_eq!(nodes.len(), 4);
    assert_eq!((&nodes[2]["name"], &nodes[2]["children"]), (&json!("post.001"), &json!([3])));
}

#[test]
fn later_events_can_name_copies() {
    let out = Folder::new();
    let events = json!([
        { "select": ["lamp"] },
        // Copies the lamp alone, then all nodes, after the first copy has been moved.
        { "duplicate": { "lamp": "spare" } },
        { "place": { "spare": { "translation": [8, 0, 0] } } },
        { "duplicate": { "post": "second", "lamp": "a second lamp", "spare": "more" } },
        { "select": ["more", "a second lamp"] },
        { "expect": {
            "targets": {
                "more": { "translation": [8, 0, 0] }, "a second lamp": { "translation": [4, 0, 0] },
                "second": { "translation": [-2, 0, 0] }
            },
            "parents": { "spare": "post", "more": "second", "a second lamp": "second", "second": null },
        } },
        { "pick": LAMP }, { "undo": true },
        { "flags": { "second": { "deleted": true }, "spare": { "deleted": true } } }, { "pick": BESIDE },
    ]);
    let lines = lines(&out, events);
    assert_eq!(selected(&lines[4]), ["a second lamp", "more"]);
    assert_eq!(lines[5]["met"], true, "{}", lines[5]);
    // A window, which has no copy before it is made, finds the same one.
    assert_eq!(lines[6]["hit"], json!({ "object": "a second lamp" }), "a copy covers its original");
    assert_eq!(selected(&lines[7]), ["a second lamp", "more"], "copies of an event are not undo steps");
    assert_eq!((selected(&lines[8]), &lines[9]["hit"]), (Vec::new(), &Value::Null));
}
