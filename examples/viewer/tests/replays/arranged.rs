//! Shortcuts that align, reparent and delete nodes.

use crate::contract::{self, numbers};
use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// Plays events and returns the lines. The scene has `post`, rotated and scaled, with the child `lamp`, and
/// `box`.
fn lines(out: &Folder, events: &[Value]) -> Vec<Value> {
    let half = 0.5f64.sqrt();
    let replay = json!({
        "version": 1,
        "size_px": [64, 48],
        "camera": {
            "eye": [0, 0, 30], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": { "kind": "orthographic", "height": 20, "near": 0.1, "far": 100, "reversed": false }
        },
        "scene": { "objects": [
            { "name": "post", "parent": null, "translation": [0.3, 0.6, 0], "rotation": [0, 0, half, half],
              "scale": [2, 2, 2], "shape": "cube" },
            { "name": "lamp", "parent": "post", "translation": [1, 0.2, 0], "rotation": [0, 0, 0, 1],
              "scale": [1, 1, 1], "shape": "cube" },
            { "name": "box", "parent": null, "translation": [-4.2, 1.7, 0.6], "rotation": [0, 0, 0, 1],
              "scale": [1, 1, 1], "shape": "cube" },
        ] },
        "settings": { "mode": "none", "snap": { "translate": 0.5 } },
        "events": events,
    });
    let path = out.write("replay.json", replay.to_string().as_bytes());
    contract::lines(&play(&path, out), events)
}

fn translation(line: &Value, name: &str) -> [f64; 3] {
    numbers(&line["targets"][name]["translation"])
}

#[test]
fn shortcuts_reparent_in_place_and_delete() {
    let at_lamp = json!({ "pick": [30, 17] });
    let events = [
        at_lamp.clone(),
        json!({ "select": ["lamp"] }),
        json!({ "key": "p", "mods": ["ctrl", "shift"] }),
        at_lamp.clone(),
        json!({ "select": ["box", "lamp"] }),
        json!({ "key": "p", "mods": ["ctrl"] }),
        json!({ "undo": true }),
        json!({ "undo": true }),
        json!({ "select": ["lamp", "post"] }),
        json!({ "key": "delete" }),
        at_lamp.clone(),
        json!({ "region": [0, 0, 64, 48] }),
        json!({ "undo": true }),
        at_lamp.clone(),
    ];
    let out = Folder::new();
    let lines = lines(&out, &events);
    let near =
        |found: [f64; 3], expected: [f64; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert_eq!(lines[0]["hit"], json!({ "object": "lamp" }));
    // The same world position as under the rotated and scaled post.
    assert!(near(translation(&lines[2], "lamp"), [-0.1, 2.6, 0.0]), "{}", lines[2]);
    assert_eq!(lines[3], {
        let mut line = lines[0].clone();
        line["event"] = json!(3);
        line
    });
    // In the space of the lamp, which is scaled by 2 and rotated by 90 degrees.
    let expected = [(1.7 - 2.6) / 2.0, -(-4.2 + 0.1) / 2.0, 0.6 / 2.0];
    assert!(near(translation(&lines[5], "box"), expected), "{}", lines[5]);
    assert_eq!(lines[6]["targets"]["box"], lines[4]["targets"]["box"]);
    assert_eq!(lines[7]["targets"]["lamp"], lines[1]["targets"]["lamp"]);
    assert_eq!(lines[9]["targets"], json!({}));
    assert_eq!((&lines[10]["hit"], &lines[11]["hits"]), (&Value::Null, &json!([{ "object": "box" }])));
    assert_eq!(lines[13]["hit"], json!({ "object": "lamp" }));
}
