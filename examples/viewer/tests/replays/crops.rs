//! Crop boxes cut the picture and the picks, can be undone, and are saved.

use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// The pixels of points to the right and to the left of the middle of the front face.
const RIGHT: [i64; 2] = [224, 200];
const LEFT: [i64; 2] = [176, 200];

/// Plays events on a scene that is seen from the front, and returns the printed lines.
fn lines(folder: &Folder, scene: Value, events: Value) -> Vec<Value> {
    let document = json!({
        "version": 1,
        "size_px": [400, 400],
        "camera": {
            "eye": [0, 0, 5], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": { "kind": "perspective", "fov_y": 50, "near": 0.1, "far": null, "reversed": true }
        },
        "scene": scene,
        "settings": { "mode": "none", "box": "extents" },
        "select": ["a"],
        "events": events,
    });
    let text = play(&folder.write("replay.json", document.to_string().as_bytes()), folder);
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn cube() -> Value {
    json!({ "objects": [{ "name": "a", "parent": null, "shape": "cube" }] })
}

#[test]
fn crop_box_cuts_what_is_picked_until_undo() {
    let drive = json!({ "drive": { "handle": "box_+x", "amount": 0.5 } });
    let picks = [json!({ "pick": RIGHT }), json!({ "pick": LEFT })];
    let through = json!({ "select": [] });
    let region = json!({ "region": [RIGHT[0], RIGHT[1] - 4, RIGHT[0] + 8, RIGHT[1] + 4] });
    let [right, left] = picks;
    let events = json!([through, right, { "select": ["a"] }, drive, { "select": [] }, right, left, region, { "undo": true }, right]);
    let found = lines(&Folder::new(), cube(), events);
    let a = json!({ "object": "a" });
    assert_eq!(found[1]["hit"], a);
    assert_eq!(found[3]["extents"]["a"], json!([[-0.5, -0.5, -0.5], [0.0, 0.5, 0.5]]));
    assert_eq!((&found[5]["hit"], &found[6]["hit"]), (&Value::Null, &a), "the right half is gone");
    assert_eq!(found[7]["hits"], json!([]));
    assert_eq!(found[9]["hit"], a, "it is there again");
}

#[test]
fn crop_box_is_saved_and_opened_again() {
    for name in ["saved.glb", "saved.gltf"] {
        let folder = Folder::new();
        let drive = json!({ "drive": { "handle": "box_+x", "amount": 0.5 } });
        let saved = lines(&folder, cube(), json!([drive, { "save": name }]));
        let again = lines(
            &folder,
            json!({ "gltf": name }),
            json!([{ "move": [5, 5] }, { "select": [] }, { "pick": RIGHT }, { "pick": LEFT }]),
        );
        assert_eq!(again[0]["extents"], saved[0]["extents"], "{name}");
        assert_eq!((&again[2]["hit"], &again[3]["hit"]), (&Value::Null, &json!({ "object": "a" })), "{name}");
    }
}
