//! Click-through: which object each of several clicks at the same position selects. Also boxes and lassos.

use crate::viewer::*;
use std::collections::BTreeSet;

fn stored(name: &str) -> Vec<Value> {
    lines(&Folder::new(), json_file(&replay_folder().join(name)))
}

/// Asserts which events change the selection, each with its index and the selected objects.
fn assert_changes(name: &str, wanted: &str) {
    let mut last = None;
    let mut changes = Vec::new();
    for line in stored(name).into_iter().filter(|line| line["targets"].is_object()) {
        let selected = selected(&line).join(" ");
        let change = format!("{}: {selected}", line["event"]);
        if last.replace(selected.clone()) != Some(selected) {
            changes.push(change);
        }
    }
    assert_eq!(changes.join(", ").trim_end(), wanted, "{name}");
}

/// At first, the balls a, b and c are behind each other, and then d and e. The first ball under each click follows from
/// the circles that the balls are in this view, the next ones from the number of clicks within four pixels.
#[test]
fn repeated_clicks_cycle_from_front_to_back() {
    assert_changes("clicks-behind-each-other.json", CLICKS);
}

const CLICKS: &str = "0: , 1: a, 4: b, 7: c, 10: a, 13: b, 16: c, 19: a, 22: b, 25: d, 28: e, 31: d, 34: a, 37: b, \
    40: a b, 43: b, 46: a b, 49: a, 60: b, 62: e, 64: a, 67: b, 73: c, 80: a, 87: b, 91: , 99: a, \
    102:";

/// The objects have pixels inside the box or lasso in the ID image, or, where occluded nodes count as well, in the ID
/// image of the object alone.
#[test]
fn box_and_lasso_select_objects_with_pixels_inside() {
    for (name, wanted) in REGIONS {
        assert_changes(name, wanted);
    }
}

const REGIONS: [(&str, &str); 3] = [
    (
        "region-select.json",
        "1: , 5: far left low near right, 9: , 14: left, 19: left low, 27: far left low right, \
         32: far right, 38: right, 49: hidden near, 75: left low near, 81: far right, \
         82: far hidden left low near right, 83: far left low right, 84: far left low near right, \
         86: hidden near, 89: far left low near right, 96: left low near, 101: far",
    ),
    (
        "region-select-quad.json",
        "1: , 5: hidden left low near, 13: far hidden left low near, 19: left low near, \
         27: far hidden left low near, 33: left low near, 41: far hidden left low near, \
         47: left low near right, 55: far left low near right, 61: far hidden left low near right, 64: , \
         65: far hidden left low near right",
    ),
    ("region-select-scale-factor-2.json", "1: , 9: far left low near right, 13: , 23: low"),
];

#[test]
fn click_on_handle_does_not_end_cycle() {
    let lines = stored("clicks-on-a-handle.json");
    let presses: Vec<_> = lines
        .iter()
        .filter(|line| line["kind"] == "press")
        .map(|line| (line["dragging"].as_str(), selected(line)))
        .collect();
    let expected = [
        (None, vec!["a"]),
        (Some("translate_view"), vec!["a"]),
        (Some("translate_view"), vec!["a"]),
        // Without handles the next clicks select the ball behind, then the first again.
        (None, vec!["b"]),
        (None, vec!["a"]),
    ];
    assert_eq!(presses, expected);
    let start = &lines[1]["targets"]["a"];
    assert!(lines.iter().all(|line| line["targets"]["a"].is_null() || &line["targets"]["a"] == start));
}

/// Plays events in a scene with a small selected cube in front of a large one, and returns the names of the selected
/// objects after each.
fn selected_after(mode: &str, events: &[Value]) -> Vec<BTreeSet<String>> {
    let object = |name: &str, z: f64, scale: f64| json!({ "name": name, "translation": [0, 0, z], "scale": [scale, scale, scale], "shape": "cube" });
    let replay = json!({
        "size_px": [800, 600],
        "camera": perspective([0.0, 0.0, 8.0], 45.0),
        "scene": { "objects": [object("a", 0.0, 0.2), object("b", -12.0, 9.0)] },
        "settings": { "mode": mode },
        "select": ["a"],
        "events": events,
    });
    let lines = lines(&Folder::new(), replay);
    lines.iter().map(|line| selected(line).into_iter().map(str::to_owned).collect()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn click_through_handle_selects_what_is_behind() {
    // Inside of the trackball and beside the rings; on the center handle, over the selected cube.
    let (beside, center) = ([420.5, 330.5], [400.5, 300.5]);
    let last = |mode: &str, events: &[Value]| selected_after(mode, events).pop().expect("there are events");
    assert_eq!(last("rotate", &click(beside, &[])), set(&["b"]));
    assert_eq!(last("rotate", &click(beside, &["shift"])), set(&["a", "b"]));
    assert_eq!(last("translate", &click(center, &[])), set(&["a"]));
    let twice = [click(center, &[]), click(center, &[])].concat();
    assert_eq!(last("translate", &twice), set(&["a"]), "clicks on a handle do not cycle");
    assert_eq!(last("rotate", &drag(beside, [450.5, 330.5])), set(&["a"]), "a drag selects nothing");
}

#[test]
fn box_with_modifier_begins_on_object() {
    let drag = |mods: &[&str]| {
        let mut events = drag([430.5, 330.5], [380.5, 280.5]);
        events[1..].iter_mut().for_each(|event| event["mods"] = json!(mods));
        events
    };
    let last = |events: &[Value]| selected_after("none", events).pop().expect("there are events");
    assert_eq!(last(&drag(&["ctrl"])), set(&[]), "the box has both");
    let added = [&click([10.5, 10.5], &[])[..], &drag(&["shift"])].concat();
    assert_eq!(last(&added), set(&["a", "b"]));
    assert_eq!(last(&drag(&[])), set(&["b"]), "without a modifier, the press selects");
}
