//! Click-through: which ball each of several clicks at the same position selects, in closed form.

use crate::contract::{self, kind_of, numbers};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The maximum distance of clicks at the same position, in logical pixels.
const MAX_DISTANCE: f64 = 4.0;

struct Walk<'a> {
    replay: &'a Value,
    selected: BTreeSet<String>,
    cursor: [f64; 2],
    /// The position and the number of the clicks at the same position.
    sequence: Option<([f64; 2], usize)>,
    pressed_nothing: bool,
    /// The number of clicks that selected an occluded ball.
    behind: usize,
}

impl Walk<'_> {
    /// Returns the balls under the pointer, the nearest first. The camera is orthographic and looks along
    /// −z; no ball is moved while it is clicked on.
    fn under(&self) -> Vec<String> {
        let [width, height] = numbers::<2>(&self.replay["size_px"]);
        let unit =
            self.replay["camera"]["projection"]["height"].as_f64().expect("the value is a number") / height;
        let at = [(self.cursor[0] - 0.5 * width) * unit, (0.5 * height - self.cursor[1]) * unit];
        let mut found: Vec<(f64, String)> = Vec::new();
        for object in self.replay["scene"]["objects"].as_array().expect("the scene has objects") {
            let [x, y, z] = numbers::<3>(&object["translation"]);
            let radius = 0.5 * numbers::<3>(&object["scale"])[0];
            let distance = (x - at[0]).hypot(y - at[1]);
            // The mesh of a ball differs from the circle near its edge.
            assert!(distance < 0.93 * radius || distance > 1.05 * radius, "{object} is hit at its edge");
            if distance < radius {
                let name = object["name"].as_str().expect("the value is a string").to_owned();
                found.push((z + (radius * radius - distance * distance).sqrt(), name));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, name)| name).collect()
    }

    fn click(&mut self, mods: &[&str]) {
        let under = self.under();
        self.pressed_nothing = under.is_empty() && mods.is_empty();
        let Some(front) = under.first().cloned() else {
            self.sequence = None;
            return;
        };
        if mods.contains(&"ctrl") {
            self.sequence = None;
            self.selected.remove(&front);
        } else if mods.contains(&"shift") {
            self.sequence = None;
            if !self.selected.remove(&front) {
                self.selected.insert(front);
            }
        } else {
            let distance = |from: [f64; 2]| (from[0] - self.cursor[0]).hypot(from[1] - self.cursor[1]);
            let sequence = self.sequence.filter(|(from, _)| distance(*from) <= MAX_DISTANCE);
            let (from, clicks) = sequence.unwrap_or((self.cursor, 0));
            self.behind += usize::from(clicks % under.len() > 0);
            self.selected = BTreeSet::from([under[clicks % under.len()].clone()]);
            self.sequence = Some((from, clicks + 1));
        }
    }

    fn take(&mut self, event: &Value, line: &Value) {
        let kind = kind_of(event);
        let mods: Vec<&str> =
            event["mods"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        match kind {
            "move" => self.cursor = numbers(&event["move"]),
            "press" => self.click(&mods),
            "release" if self.pressed_nothing => self.selected.clear(),
            // A change of the view, the scene or the selection ends the sequence.
            "camera" | "undo" | "redo" => self.sequence = None,
            "select" => {
                self.sequence = None;
                let names = event["select"].as_array().expect("the value is an array").iter();
                self.selected =
                    names.map(|name| name.as_str().expect("the value is a string").to_owned()).collect();
            }
            "key" if event["key"] == "enter" => self.sequence = None,
            _ => {}
        }
        assert!(line["dragging"].is_null() || kind == "key", "a handle is pressed: {line}");
        let printed: BTreeSet<String> =
            line["targets"].as_object().expect("the value is an object").keys().cloned().collect();
        assert_eq!(printed, self.selected, "{line}");
    }
}

#[test]
fn repeated_clicks_cycle_from_front_to_back() {
    let path = replay_folder().join("clicks-behind-each-other.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let mut walk = Walk {
        replay: &replay,
        selected: BTreeSet::new(),
        cursor: [f64::NAN; 2],
        sequence: None,
        pressed_nothing: false,
        behind: 0,
    };
    for (event, line) in events.iter().zip(&lines) {
        if line.get("targets").is_some() {
            walk.take(event, line);
        }
    }
    assert!(walk.behind >= 8, "{}", walk.behind);
}

#[test]
fn click_on_handle_does_not_end_cycle() {
    let path = replay_folder().join("clicks-on-a-handle.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let presses: Vec<_> = lines
        .iter()
        .filter(|line| line["kind"] == "press")
        .map(|line| {
            let names =
                line["targets"].as_object().expect("the value is an object").keys().map(String::as_str);
            (line["dragging"].as_str(), names.collect::<Vec<_>>())
        })
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
    let object = |name: &str, z: f64, scale: f64| {
        json!({ "name": name, "parent": null, "translation": [0, 0, z], "rotation": [0, 0, 0, 1],
            "scale": [scale, scale, scale], "shape": "cube" })
    };
    let replay = json!({
        "version": 1,
        "size_px": [800, 600],
        "camera": { "eye": [0, 0, 8], "look_at": [0, 0, 0], "up": [0, 1, 0], "projection":
            { "kind": "perspective", "fov_y": 45, "near": 0.1, "far": null, "reversed": true } },
        "scene": { "objects": [object("a", 0.0, 0.2), object("b", -12.0, 9.0)] },
        "settings": { "mode": mode },
        "select": ["a"],
        "events": events,
    });
    let folder = Folder::new();
    let path = folder.write("replay.json", replay.to_string().as_bytes());
    let lines = contract::lines(&play(&path, &folder), events);
    let names = |line: &Value| {
        line["targets"].as_object().map(|targets| targets.keys().cloned().collect()).unwrap_or_default()
    };
    lines.iter().map(names).collect()
}

fn click_at(at: [f64; 2], mods: &[&str]) -> Vec<Value> {
    vec![
        json!({ "move": at }),
        json!({ "press": "primary", "mods": mods }),
        json!({ "release": "primary", "mods": mods }),
    ]
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn click_through_handle_selects_what_is_behind() {
    // Inside of the trackball and beside the rings; on the center handle, over the selected cube.
    let (beside, center) = ([420.5, 330.5], [400.5, 300.5]);
    let last = |mode: &str, events: &[Value]| selected_after(mode, events).pop().expect("there are events");
    assert_eq!(last("rotate", &click_at(beside, &[])), set(&["b"]));
    assert_eq!(last("rotate", &click_at(beside, &["shift"])), set(&["a", "b"]));
    assert_eq!(last("translate", &click_at(center, &[])), set(&["a"]));
    let twice = [click_at(center, &[]), click_at(center, &[])].concat();
    assert_eq!(last("translate", &twice), set(&["a"]), "clicks on a handle do not cycle");
    let drag = [
        json!({ "move": beside }),
        json!({ "press": "primary" }),
        json!({ "move": [450.5, 330.5] }),
        json!({ "release": "primary" }),
    ];
    assert_eq!(last("rotate", &drag), set(&["a"]), "a drag selects nothing");
}

#[test]
fn box_with_modifier_begins_on_object() {
    let drag = |mods: &[&str]| {
        vec![
            json!({ "move": [430.5, 330.5] }),
            json!({ "press": "primary", "mods": mods }),
            json!({ "move": [380.5, 280.5], "mods": mods }),
            json!({ "release": "primary", "mods": mods }),
        ]
    };
    let last = |events: &[Value]| selected_after("none", events).pop().expect("there are events");
    assert_eq!(last(&drag(&["ctrl"])), set(&[]), "the box has both");
    let added = [click_at([10.5, 10.5], &[]), drag(&["shift"])].concat();
    assert_eq!(last(&added), set(&["a", "b"]));
    assert_eq!(last(&drag(&[])), set(&["b"]), "without a modifier, the press selects");
}
