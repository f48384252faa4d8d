//! Pictures that are made of parts that were drawn before, against pictures that are drawn at once.

use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// Every kind of change to what a picture shows, each with others before it.
fn changes() -> Vec<Value> {
    vec![
        json!({ "move": [228, 152] }),
        json!({ "select": ["forearm"] }),
        json!({ "select": ["forearm", "crate"] }),
        json!({ "move": [150, 220] }),
        json!({ "key": "g", "mods": ["shift"] }),
        json!({ "key": "c", "mods": ["shift"] }),
        json!({ "key": "e" }),
        json!({ "key": "c" }),
        json!({ "key": "c" }),
        json!({ "key": "h" }),
        json!({ "undo": true }),
        json!({ "place": { "crate": { "translation": [1, 0.5, 1] } } }),
        json!({ "key": "x" }),
        json!({ "key": "4" }),
        json!({ "key": "5" }),
        json!({ "key": "enter" }),
        json!({ "undo": true }),
        json!({ "redo": true }),
        json!({ "key": "f4" }),
        json!({ "move": [60, 300] }),
        json!({ "key": "f4" }),
        json!({ "view_cube": true }),
        json!({ "window": { "size_px": [400, 300], "scale_factor": 1 } }),
        json!({ "window": { "size_px": [400, 300], "scale_factor": 2 } }),
        json!({ "window": { "size_px": [400, 300], "viewport": [20, 10, 300, 250], "scale_factor": 2 } }),
        json!({ "key": "delete" }),
        json!({ "undo": true }),
        json!({ "select": [] }),
        json!({ "look_through": "gripper" }),
        json!({ "look_through": null }),
    ]
}

fn pictures(events: &[Value], names: &[String]) -> Vec<image::RgbImage> {
    let out = Folder::new();
    let replay = json!({
        "version": 1, "size_px": [480, 360], "scene": { "built_in": "robot_arm" }, "events": events,
    });
    play(&out.write("replay.json", replay.to_string().as_bytes()), &out);
    let picture = |name| image::open(out.0.join(name)).expect("a picture").into_rgb8();
    names.iter().map(picture).collect()
}

#[test]
fn picture_after_each_change_equals_one_drawn_at_once() {
    let changes = changes();
    let name = |place: usize| format!("{place}.png");
    let names: Vec<String> = (0..changes.len()).map(name).collect();
    let after_each =
        |(place, change): (usize, &Value)| [change.clone(), json!({ "screenshot": name(place) })];
    let events: Vec<Value> = changes.iter().enumerate().flat_map(after_each).collect();
    let kept = pictures(&events, &names);
    for (place, kept) in kept.iter().enumerate() {
        let events = [&changes[..=place], &[json!({ "screenshot": "at-once.png" })]].concat();
        let at_once = pictures(&events, &["at-once.png".to_owned()]);
        assert!(*kept == at_once[0], "events[{place}]: {}", changes[place]);
    }
    // Equal pictures in a row would show nothing.
    let same: Vec<usize> = (1..kept.len()).filter(|place| kept[*place] == kept[place - 1]).collect();
    assert_eq!(same, [0; 0], "no change is to be seen");
}
