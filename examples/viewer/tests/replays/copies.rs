//! Copies of nodes, made by a shortcut and by an event.

use crate::contract::{self, numbers};
use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// Plays events and returns the lines. The scene has `post` with the child `lamp`.
fn lines(out: &Folder, events: &[Value]) -> Vec<Value> {
    let object = |name: &str, parent: Value, x: f64| {
        json!({ "name": name, "parent": parent, "translation": [x, 0, 0], "rotation": [0, 0, 0, 1],
                "scale": [1, 1, 1], "shape": "cube" })
    };
    let replay = json!({
        "version": 1,
        "size_px": [64, 48],
        "camera": {
            "eye": [0, 0, 30], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": { "kind": "orthographic", "height": 24, "near": 0.1, "far": 100, "reversed": false }
        },
        "scene": { "objects": [object("post", Value::Null, -2.0), object("lamp", json!("post"), 4.0)] },
        "settings": { "mode": "none" },
        "events": events,
    });
    let path = out.write("replay.json", replay.to_string().as_bytes());
    contract::lines(&play(&path, out), events)
}

fn names(line: &Value) -> Vec<&str> {
    line["targets"]
        .as_object()
        .map(|targets| targets.keys().map(String::as_str).collect())
        .unwrap_or_default()
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
    let events = [
        json!({ "select": ["post"] }),
        json!({ "key": "d", "mods": ["ctrl"] }),
        json!({ "set": { "mode": "translate" } }),
        json!({ "key": "y" }),
        json!({ "key": "4" }),
        json!({ "key": "enter" }),
        json!({ "set": { "mode": "none" } }),
        json!({ "pick": ABOVE }),
        json!({ "pick": LAMP }),
        json!({ "save": "copied.gltf" }),
        json!({ "undo": true }),
        json!({ "undo": true }),
        json!({ "pick": ABOVE }),
        json!({ "redo": true }),
        json!({ "redo": true }),
        json!({ "pick": ABOVE }),
        json!({ "region": [0, 0, 64, 48] }),
    ];
    let lines = lines(&out, &events);
    assert_eq!(names(&lines[1]), ["post.001"]);
    assert_eq!(numbers(&lines[5]["targets"]["post.001"]["translation"]), [-2.0, 4.0, 0.0]);
    assert_eq!(lines[7]["hit"], json!({ "object": "lamp.001" }));
    assert_eq!(lines[8]["hit"], json!({ "object": "lamp" }));
    assert_eq!(names(&lines[11]), ["post"], "undo selects the original");
    assert_eq!((&lines[12]["hit"], &lines[12]["id"]), (&Value::Null, &json!(0)));
    assert_eq!((&lines[15]["hit"], &lines[15]["id"]), (&lines[7]["hit"], &lines[7]["id"]));
    let all = ["post", "lamp", "post.001", "lamp.001"].map(|name| json!({ "object": name }));
    assert_eq!(lines[16]["hits"], json!(all), "in the order of their ids");
    let saved = std::fs::read_to_string(out.0.join("copied.gltf")).expect("the file was written");
    let saved: Value = serde_json::from_str(&saved).expect("the text is JSON");
    let nodes = saved["nodes"].as_array().expect("the value is an array");
    assert_eq!(nodes.len(), 4);
    assert_eq!((&nodes[2]["name"], &nodes[2]["children"]), (&json!("post.001"), &json!([3])));
}

#[test]
fn later_events_can_name_copies() {
    let out = Folder::new();
    let events = [
        json!({ "select": ["lamp"] }),
        // Copies the lamp alone, then all nodes, after the first copy has been moved.
        json!({ "duplicate": { "lamp": "spare" } }),
        json!({ "place": { "spare": { "translation": [8, 0, 0] } } }),
        json!({ "duplicate": { "post": "second", "lamp": "a second lamp", "spare": "more" } }),
        json!({ "select": ["more", "a second lamp"] }),
        json!({ "expect": {
            "targets": {
                "more": { "translation": [8, 0, 0] }, "a second lamp": { "translation": [4, 0, 0] },
                "second": { "translation": [-2, 0, 0] }
            },
            "parents": { "spare": "post", "more": "second", "a second lamp": "second", "second": null },
        } }),
        json!({ "pick": BESIDE }),
        json!({ "undo": true }),
        json!({ "flags": { "second": { "deleted": true }, "spare": { "deleted": true } } }),
        json!({ "pick": BESIDE }),
    ];
    let lines = lines(&out, &events);
    assert_eq!(names(&lines[4]), ["a second lamp", "more"]);
    assert_eq!(lines[5]["met"], true, "{}", lines[5]);
    assert!(
        ["spare", "more"].map(|name| json!({ "object": name })).contains(&lines[6]["hit"]),
        "{}",
        lines[6]
    );
    assert_eq!(names(&lines[7]), ["a second lamp", "more"], "copies of an event are not undo steps");
    assert_eq!((names(&lines[8]), &lines[9]["hit"]), (Vec::new(), &Value::Null));
}
