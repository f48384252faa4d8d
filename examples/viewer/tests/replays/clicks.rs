//! Clicks at one place: which of the balls behind each other each of them means, in closed form.

use crate::contract::{self, kind_of};
use crate::solid::numbers;
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use std::collections::BTreeSet;

/// How far, in logical pixels, clicks may be apart and still be at one place.
const STILL: f64 = 4.0;

struct Walk<'a> {
    replay: &'a Value,
    selected: BTreeSet<String>,
    cursor: [f64; 2],
    /// Where the row of clicks began, and how many there were.
    row: Option<([f64; 2], usize)>,
    pressed_nothing: bool,
    /// Clicks that went on behind what is seen.
    behind: usize,
}

impl Walk<'_> {
    /// Balls under the pointer, the nearest first. The camera looks along -Z with parallel rays;
    /// no ball is moved while it is clicked on.
    fn under(&self) -> Vec<String> {
        let [width, height] = numbers::<2>(&self.replay["size_px"]);
        let unit = self.replay["camera"]["projection"]["height"].as_f64().expect("a number") / height;
        let at = [(self.cursor[0] - 0.5 * width) * unit, (0.5 * height - self.cursor[1]) * unit];
        let mut found: Vec<(f64, String)> = Vec::new();
        for object in self.replay["scene"]["objects"].as_array().expect("objects") {
            let [x, y, z] = numbers::<3>(&object["translation"]);
            let radius = 0.5 * numbers::<3>(&object["scale"])[0];
            let off = (x - at[0]).hypot(y - at[1]);
            // A ball has facets: close to its edge a circle does not say what they cover.
            assert!(off < 0.93 * radius || off > 1.05 * radius, "{object} is hit at its edge");
            if off < radius {
                let name = object["name"].as_str().expect("a name").to_owned();
                found.push((z + (radius * radius - off * off).sqrt(), name));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, name)| name).collect()
    }

    fn click(&mut self, mods: &[&str]) {
        let under = self.under();
        self.pressed_nothing = under.is_empty() && mods.is_empty();
        let Some(front) = under.first().cloned() else {
            self.row = None;
            return;
        };
        if mods.contains(&"ctrl") {
            self.row = None;
            self.selected.remove(&front);
        } else if mods.contains(&"shift") {
            self.row = None;
            if !self.selected.remove(&front) {
                self.selected.insert(front);
            }
        } else {
            let apart = |from: [f64; 2]| (from[0] - self.cursor[0]).hypot(from[1] - self.cursor[1]);
            let (from, clicks) =
                self.row.filter(|(from, _)| apart(*from) <= STILL).unwrap_or((self.cursor, 0));
            self.behind += usize::from(clicks % under.len() > 0);
            self.selected = BTreeSet::from([under[clicks % under.len()].clone()]);
            self.row = Some((from, clicks + 1));
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
            // What changes the view, the scene or what is selected begins a new row.
            "camera" | "undo" | "redo" => self.row = None,
            "select" => {
                self.row = None;
                let names = event["select"].as_array().expect("a list").iter();
                self.selected = names.map(|name| name.as_str().expect("a name").to_owned()).collect();
            }
            "key" if event["key"] == "enter" => self.row = None,
            _ => {}
        }
        assert!(line["dragging"].is_null() || kind == "key", "no handle is pressed: {line}");
        let printed: BTreeSet<String> =
            line["targets"].as_object().expect("an object").keys().cloned().collect();
        assert_eq!(printed, self.selected, "{line}");
    }
}

#[test]
fn clicks_at_one_place_go_from_front_to_back_and_round_again() {
    let path = replay_folder().join("clicks-behind-each-other.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let mut walk = Walk {
        replay: &replay,
        selected: BTreeSet::new(),
        cursor: [f64::NAN; 2],
        row: None,
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
fn a_click_on_a_handle_stays_one_and_the_row_goes_on_behind_it() {
    let path = replay_folder().join("clicks-on-a-handle.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let presses: Vec<_> = lines
        .iter()
        .filter(|line| line["kind"] == "press")
        .map(|line| {
            let names = line["targets"].as_object().expect("an object").keys().map(String::as_str);
            (line["dragging"].as_str(), names.collect::<Vec<_>>())
        })
        .collect();
    let wanted = [
        (None, vec!["a"]),
        (Some("translate_view"), vec!["a"]),
        (Some("translate_view"), vec!["a"]),
        // With the handles away it is the ball behind, and then the first again.
        (None, vec!["b"]),
        (None, vec!["a"]),
    ];
    assert_eq!(presses, wanted);
    let start = &lines[1]["targets"]["a"];
    assert!(lines.iter().all(|line| line["targets"]["a"].is_null() || &line["targets"]["a"] == start));
}
