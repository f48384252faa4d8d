//! Tests that pictures with cached parts equal pictures that are drawn from scratch.

use crate::viewer::*;

/// Returns every kind of change to a picture, each after other changes.
fn changes() -> Vec<Value> {
    let changes = json!([
        { "move": [114, 76] }, { "select": ["forearm"] }, { "select": ["forearm", "crate"] }, { "move": [75, 110] },
        { "key": "g", "mods": ["shift"] }, { "key": "c", "mods": ["shift"] }, { "key": "e" }, { "key": "c" },
        { "key": "c" }, { "key": "h" }, { "undo": true }, { "place": { "crate": { "translation": [1, 0.5, 1] } } },
        { "key": "x" }, { "key": "4" }, { "key": "5" }, { "key": "enter" }, { "undo": true }, { "redo": true },
        { "key": "f4" }, { "move": [30, 150] }, { "key": "f4" }, { "view_cube": true },
        { "window": { "size_px": [200, 150], "scale_factor": 1 } },
        { "window": { "size_px": [200, 150], "scale_factor": 2 } },
        { "window": { "size_px": [200, 150], "viewport": [10, 5, 150, 125], "scale_factor": 2 } },
        { "key": "delete" }, { "undo": true }, { "select": [] }, { "look_through": "gripper" }, { "look_through": null },
    ]);
    changes.as_array().expect("the value is an array").clone()
}

fn pictures(events: &[Value], names: &[String]) -> Vec<image::RgbImage> {
    let out = Folder::new();
    lines(&out, json!({ "size_px": [240, 180], "scene": { "built_in": "robot_arm" }, "events": events }));
    let picture = |name| image::open(out.path().join(name)).expect("the picture can be read").into_rgb8();
    names.iter().map(picture).collect()
}

#[test]
fn picture_with_cached_parts_equals_fresh_picture() {
    let changes = changes();
    let name = |index: usize| format!("{index}.png");
    let names: Vec<String> = (0..changes.len()).map(name).collect();
    let after_each =
        |(index, change): (usize, &Value)| [change.clone(), json!({ "screenshot": name(index) })];
    let events: Vec<Value> = changes.iter().enumerate().flat_map(after_each).collect();
    let cached = pictures(&events, &names);
    for (index, cached) in cached.iter().enumerate() {
        let events = [&changes[..=index], &[json!({ "screenshot": "fresh.png" })]].concat();
        let fresh = pictures(&events, &["fresh.png".to_owned()]);
        assert!(*cached == fresh[0], "events[{index}]: {}", changes[index]);
    }
    // The comparison is meaningful only if each change alters the picture.
    let same: Vec<usize> = (1..cached.len()).filter(|index| cached[*index] == cached[index - 1]).collect();
    assert_eq!(same, [0; 0], "each change alters the picture");
}
