//! Shortcuts that align, reparent and delete nodes.

use crate::contract::numbers;
use crate::viewer::{Folder, cube, lines, orthographic};
use serde_json::{Value, json};

fn translation(line: &Value, name: &str) -> [f64; 3] {
    numbers(&line["targets"][name]["translation"])
}

#[test]
fn shortcuts_reparent_in_place_and_delete() {
    let half = 0.5f64.sqrt();
    let post = json!({ "name": "post", "translation": [0.3, 0.6, 0], "rotation": [0, 0, half, half],
        "scale": [2, 2, 2], "shape": "cube" });
    let objects = [post, cube("lamp", Some("post"), [1.0, 0.2, 0.0]), cube("box", None, [-4.2, 1.7, 0.6])];
    let at_lamp = json!({ "pick": [30, 17] });
    let lines = lines(
        &Folder::new(),
        json!({
            "size_px": [64, 48],
            "camera": orthographic(20.0),
            "scene": { "objects": objects },
            "settings": { "mode": "none", "snap": { "translate": 0.5 } },
            "events": [
                at_lamp,
                { "select": ["lamp"] },
                { "key": "p", "mods": ["ctrl", "shift"] },
                at_lamp,
                { "select": ["box", "lamp"] },
                { "key": "p", "mods": ["ctrl"] },
                { "undo": true },
                { "undo": true },
                { "select": ["lamp", "post"] },
                { "key": "delete" },
                at_lamp,
                { "region": [0, 0, 64, 48] },
                { "undo": true },
                at_lamp,
            ],
        }),
    );
    let near =
        |found: [f64; 3], expected: [f64; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert_eq!(lines[0]["hit"], json!({ "object": "lamp" }));
    // The same world position as under the rotated and scaled post.
    assert!(near(translation(&lines[2], "lamp"), [-0.1, 2.6, 0.0]), "{}", lines[2]);
    assert_eq!((&lines[3]["hit"], &lines[3]["id"]), (&lines[0]["hit"], &lines[0]["id"]));
    // In the space of the lamp, which is scaled by 2 and rotated by 90 degrees.
    let expected = [(1.7 - 2.6) / 2.0, -(-4.2 + 0.1) / 2.0, 0.6 / 2.0];
    assert!(near(translation(&lines[5], "box"), expected), "{}", lines[5]);
    assert_eq!(lines[6]["targets"]["box"], lines[4]["targets"]["box"]);
    assert_eq!(lines[7]["targets"]["lamp"], lines[1]["targets"]["lamp"]);
    assert_eq!(lines[9]["targets"], json!({}));
    assert_eq!((&lines[10]["hit"], &lines[11]["hits"]), (&Value::Null, &json!([{ "object": "box" }])));
    assert_eq!(lines[13]["hit"], json!({ "object": "lamp" }));
}
