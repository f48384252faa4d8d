//! Hidden, locked and renamed nodes.

use crate::viewer::*;

/// Plays events with two cubes behind each other, and a child of the front one beside it.
fn lines(out: &Folder, events: Value) -> Vec<Value> {
    let objects = [
        cube("front", None, [0.0, 0.0, 2.0]),
        cube("child", Some("front"), [2.0, 0.0, 0.0]),
        cube("behind", None, [0.0, 0.0, -2.0]),
    ];
    let replay = json!({
        "size_px": [400, 300], "camera": orthographic(6.0), "scene": { "objects": objects },
        "settings": { "mode": "none" }, "events": events,
    });
    crate::viewer::lines(out, replay)
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
fn hidden_node_and_descendants_are_not_picked() {
    let events = json!([
        pick(FRONT), pick(CHILD), { "select": ["front"] }, { "key": "h" }, pick(FRONT), pick(CHILD),
        { "region": [0, 0, 400, 300] }, { "undo": true }, pick(FRONT), { "redo": true }, pick(FRONT),
        { "key": "h", "mods": ["shift"] }, pick(CHILD),
    ]);
    let lines = lines(&Folder::new(), events);
    let hit = |line: usize| lines[line]["hit"].clone();
    assert_eq!((hit(0), hit(1)), (object("front"), object("child")));
    assert_eq!((hit(4), hit(5)), (object("behind"), Value::Null));
    assert_eq!(lines[6]["hits"], json!([object("behind")]));
    assert_eq!((hit(8), hit(10), hit(12)), (object("front"), object("behind"), object("child")));
}

#[test]
fn locked_node_is_not_picked_or_dragged() {
    let events = json!([
        { "set": { "mode": "translate" } }, { "select": ["front"] }, { "key": "k" }, { "handles": true },
        { "key": "x" }, { "key": "1" }, { "key": "enter" }, pick(FRONT), { "move": FRONT },
        { "press": "primary" }, { "release": "primary" }, { "key": "a" },
        { "command": "invert_selection" }, { "command": "invert_selection" },
    ]);
    let lines = lines(&Folder::new(), events);
    assert_eq!(lines[3]["handles"], json!({}), "a locked node has no handles");
    assert_eq!(lines[6]["targets"]["front"]["translation"], json!([0.0, 0.0, 2.0]));
    assert_eq!(lines[7]["hit"], object("behind"), "a pick ignores the locked node");
    assert_eq!(selected(&lines[10]), ["behind"]);
    assert_eq!(selected(&lines[11]), ["behind"], "Select all skips locked nodes and their descendants");
    assert_eq!([selected(&lines[12]), selected(&lines[13])], [vec![], vec!["behind"]]);
}

#[test]
fn rename_and_flags_events_are_not_undo_steps() {
    let out = Folder::new();
    let flags = |front: Value| json!({ "flags": { "front": front } });
    let events = json!([
        { "select": ["child"] },
        { "rename": { "front": "behind", "behind": "vorne", "child": "\u{e4} \"b\"" } },
        pick(FRONT), flags(json!({ "locked": true })), { "move": FRONT },
        flags(json!({ "hidden": true, "locked": false })), pick(FRONT), { "undo": true },
        { "expect": {
            "targets": {}, "names": { "front": "behind", "behind": "vorne" },
            "flags": { "front": { "hidden": true, "locked": false }, "behind": { "hidden": false } }
        } },
        flags(json!({ "hidden": false })), pick(FRONT), { "save": "named.gltf" },
    ]);
    let lines = lines(&out, events);
    assert!(lines[1]["targets"].get("\u{e4} \"b\"").is_some(), "{}", lines[1]);
    assert_eq!(lines[2]["hit"], object("behind"));
    assert_eq!(lines[4]["object"], "vorne", "hover ignores the locked node");
    assert_eq!(lines[6]["hit"], object("vorne"));
    assert_eq!((&lines[8]["met"], &lines[8]["missed"]), (&json!(true), &Value::Null));
    assert_eq!(lines[10]["hit"], object("behind"));
    let saved = json_file(&out.path().join("named.gltf"));
    let names: Vec<_> =
        saved["nodes"].as_array().expect("the value is an array").iter().map(|node| &node["name"]).collect();
    assert_eq!(names, ["behind", "\u{e4} \"b\"", "vorne"]);
}
