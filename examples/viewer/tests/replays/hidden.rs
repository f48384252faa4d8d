//! Hidden and locked nodes: what is seen, picked and dragged where they are.

use crate::contract;
use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// Two cubes behind each other, and a smaller one that hangs on the front one, beside it. Gives the
/// lines of these events.
fn lines(out: &Folder, events: &[Value]) -> Vec<Value> {
    let object = |name: &str, parent: Value, at: [f64; 3]| {
        json!({ "name": name, "parent": parent, "translation": at, "rotation": [0, 0, 0, 1],
                "scale": [1, 1, 1], "shape": "cube" })
    };
    let replay = json!({
        "version": 1,
        "size_px": [400, 300],
        "camera": {
            "eye": [0, 0, 10], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": { "kind": "orthographic", "height": 6, "near": 0.1, "far": 100, "reversed": false }
        },
        "scene": { "objects": [
            object("front", Value::Null, [0.0, 0.0, 2.0]),
            object("child", json!("front"), [2.0, 0.0, 0.0]),
            object("behind", Value::Null, [0.0, 0.0, -2.0]),
        ] },
        "settings": { "mode": "none" },
        "events": events,
    });
    let path = out.write("replay.json", replay.to_string().as_bytes());
    contract::lines(&play(&path, out), events)
}

const FRONT: [i32; 2] = [210, 160];
const CHILD: [i32; 2] = [300, 150];

fn pick(at: [i32; 2]) -> Value {
    json!({ "pick": at })
}

fn object(name: &str) -> Value {
    json!({ "object": name })
}

#[test]
fn what_is_hidden_is_gone_with_what_hangs_on_it_until_it_is_shown() {
    let out = Folder::new();
    let lines = lines(
        &out,
        &[
            pick(FRONT),
            pick(CHILD),
            json!({ "select": ["front"] }),
            json!({ "key": "h" }),
            pick(FRONT),
            pick(CHILD),
            json!({ "region": [0, 0, 400, 300] }),
            json!({ "undo": true }),
            pick(FRONT),
            json!({ "redo": true }),
            pick(FRONT),
            json!({ "key": "h", "mods": ["shift"] }),
            pick(CHILD),
        ],
    );
    let hit = |line: usize| lines[line]["hit"].clone();
    assert_eq!((hit(0), hit(1)), (object("front"), object("child")));
    assert_eq!((hit(4), hit(5)), (object("behind"), Value::Null));
    assert_eq!(lines[6]["hits"], json!([object("behind")]));
    assert_eq!((hit(8), hit(10), hit(12)), (object("front"), object("behind"), object("child")));
}

#[test]
fn what_is_locked_is_neither_picked_nor_dragged() {
    let out = Folder::new();
    let lines = lines(
        &out,
        &[
            json!({ "set": { "mode": "translate" } }),
            json!({ "select": ["front"] }),
            json!({ "key": "k" }),
            json!({ "handles": true }),
            json!({ "key": "x" }),
            json!({ "key": "1" }),
            json!({ "key": "enter" }),
            pick(FRONT),
            json!({ "move": FRONT }),
            json!({ "press": "primary" }),
            json!({ "release": "primary" }),
            json!({ "key": "a" }),
        ],
    );
    assert_eq!(lines[3]["handles"], json!({}), "no handles on it");
    assert_eq!(lines[6]["targets"]["front"]["translation"], json!([0.0, 0.0, 2.0]));
    assert_eq!(lines[7]["hit"], object("behind"), "the pointer goes through it");
    let selected = |line: usize| {
        let targets = lines[line]["targets"].as_object().expect("an object");
        targets.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(selected(10), ["behind"]);
    assert_eq!(selected(11), ["behind"], "nor is it among all: the others hang on what is locked");
}
