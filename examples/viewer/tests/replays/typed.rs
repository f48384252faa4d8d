//! Drags with the keyboard: typed numbers, readouts, and the precision key.

use crate::contract::{self, kind_of};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_about, rotation_of};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// The maximum error relative to the typed number.
const TOLERANCE: f64 = 1e-12;

/// A drag that a key started.
struct Typing {
    start: Trs,
    /// Index of the axis.
    axis: usize,
    is_plane: bool,
    /// The number of presses of the axis key.
    presses: u32,
    /// The numbers of the constraint, as typed.
    fields: Vec<String>,
}

struct Walk {
    settings: Settings,
    parent: DMat4,
    local: Trs,
    typing: Option<Typing>,
    history: Vec<Trs>,
    checked: usize,
}

/// Returns the value of a number, or of a difference of two.
fn value_of(field: &str) -> Option<f64> {
    match field.rfind('-').filter(|at| *at > 0) {
        Some(at) => Some(field[..at].parse::<f64>().ok()? - field[at + 1..].parse::<f64>().ok()?),
        None => field.parse().ok(),
    }
}

impl Typing {
    fn numbers(&self, rest: f64) -> Option<Vec<f64>> {
        let parsed: Vec<Option<f64>> = self.fields.iter().map(|field| value_of(field)).collect();
        let typed = parsed.iter().any(Option::is_some);
        typed.then(|| parsed.into_iter().map(|number| number.unwrap_or(rest)).collect())
    }

    /// Returns the expected transform, and the largest typed number.
    fn expected(&self, mode: &str, parent: DMat4) -> (Trs, f64) {
        let start = self.start;
        let linear = DMat3::from_mat4(parent);
        let frame = match (mode, self.presses) {
            ("scale", _) | (_, 2) => nearest_rotation(linear * start.linear()),
            _ => DMat3::IDENTITY,
        };
        let rest = if mode == "scale" { 1.0 } else { 0.0 };
        let Some(numbers) = self.numbers(rest) else { return (start, 1.0) };
        let [first, second] = [numbers[0], numbers.get(1).copied().unwrap_or(rest)];
        let [b, c] = [1, 2].map(|next| frame.col((self.axis + next) % 3));
        let trs = match (mode, self.is_plane) {
            ("translate", plane) => {
                let by = if plane { b * first + c * second } else { frame.col(self.axis) * first };
                Trs { translation: start.translation + linear.inverse() * by, ..start }
            }
            ("rotate", _) => {
                let by = rotation_about(frame.col(self.axis), first.to_radians());
                let rotated = nearest_rotation(linear.inverse() * by * linear * rotation_of(start.rotation));
                let rotation = wgpu_gizmo::glam::DQuat::from_mat3(&rotated).to_array();
                Trs { rotation, ..start }
            }
            (_, plane) => {
                let along = DVec3::AXES[self.axis];
                let scaled = if plane { DVec3::ONE - along } else { along };
                Trs { scale: start.scale * (DVec3::ONE + scaled * (first - 1.0)), ..start }
            }
        };
        (trs, first.abs().max(second.abs()).max(1.0))
    }
}

impl Walk {
    fn key(&mut self, key: &str, shift: bool) {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == key);
        let Some(typing) = &mut self.typing else {
            match (axis, key) {
                (Some(axis), _) => {
                    let fields = vec![String::new()];
                    let start = self.local;
                    self.typing = Some(Typing { start, axis, is_plane: shift, presses: 1, fields });
                }
                (None, "w") => self.settings.mode = "translate".to_owned(),
                (None, "e") => self.settings.mode = "rotate".to_owned(),
                (None, "r") => self.settings.mode = "scale".to_owned(),
                _ => {}
            }
            return;
        };
        let field = typing.fields.last_mut().expect("there is at least one field");
        match (axis, key) {
            (Some(axis), _) if axis == typing.axis && shift == typing.is_plane => typing.presses += 1,
            (Some(axis), _) => {
                (typing.axis, typing.is_plane, typing.presses) = (axis, shift, 1);
                typing.fields.truncate(1);
            }
            (_, "backspace") => drop(field.pop()),
            (_, "tab") if typing.is_plane => typing.fields.push(String::new()),
            (_, "escape") => {
                self.local = typing.start;
                self.typing = None;
            }
            (_, "enter") => {
                self.history.push(typing.start);
                self.typing = None;
            }
            (_, "left" | "right" | "down" | "up") => {
                let (step, rest) = match self.settings.mode.as_str() {
                    "translate" => (0.5, 0.0),
                    "rotate" => (15.0, 0.0),
                    _ => (0.1, 1.0),
                };
                let sign = if ["right", "up"].contains(&key) { 1.0 } else { -1.0 };
                let now: f64 = field.parse().unwrap_or(rest);
                // Removes the rounding error of the sum.
                *field = format!("{}", ((now + sign * step) * 1e9).round() / 1e9);
            }
            (None, digit) => field.push_str(digit),
        }
    }

    fn check(&mut self, line: &Value) {
        let printed = Trs::read(&line["targets"]["a"]);
        let Some(typing) = &self.typing else {
            assert_eq!(line["dragging"], Value::Null, "{line}");
            // The bits at the end of the last drag.
            assert_eq!(printed.bits(), self.local.bits(), "{line}");
            return;
        };
        assert!(line["dragging"].is_string(), "{line}");
        let (expected, size) = typing.expected(&self.settings.mode, self.parent);
        let errors = [
            printed.translation.distance(expected.translation),
            angle_between(rotation_of(printed.rotation), rotation_of(expected.rotation)),
            (printed.scale - expected.scale).length(),
        ];
        assert!(errors.iter().all(|error| *error <= TOLERANCE * size), "off by {errors:?}: {line}");
        self.local = printed;
        self.checked += 1;
    }
}

#[test]
fn typed_numbers_match_closed_form() {
    let path = replay_folder().join("typed-numbers.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let objects = replay["scene"]["objects"].as_array().expect("the scene has objects");
    let transform =
        |name: &str| Trs::of_object(objects.iter().find(|o| o["name"] == name).expect("the object exists"));
    let mut walk = Walk {
        settings: Settings::default(),
        parent: transform("parent").matrix(),
        local: transform("a"),
        typing: None,
        history: Vec::new(),
        checked: 0,
    };
    for (event, line) in events.iter().zip(&lines) {
        let shift = event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from("shift")));
        match kind_of(event) {
            "key" => {
                let key = event["key"].as_str().expect("the value is a string");
                walk.key(&key.to_lowercase(), shift || key.chars().all(char::is_uppercase));
            }
            "undo" => walk.local = walk.history.pop().expect("there is a step to undo"),
            // A drag with the keyboard ignores the pointer.
            "move" | "press" | "release" => {}
            other => panic!("{other}"),
        }
        walk.check(line);
    }
    assert!(walk.checked > 40 && walk.history.is_empty(), "{}", walk.checked);
}

#[test]
fn precision_key_slows_drag_to_tenth_without_jump() {
    let path = replay_folder().join("typed-precision.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    // The world units per pixel of the orthographic front view.
    let [_, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("the value is a number") / height;
    let (mut cursor, mut expected, mut checked) = (DVec2::NAN, 0.0, 0);
    for (event, line) in events.iter().zip(&lines) {
        let precise = event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from("shift")));
        if let Some(to) = event.get("move") {
            let to = DVec2::from(numbers::<2>(to));
            if line["dragging"].is_string() {
                expected += (to - cursor).x * unit * if precise { 0.1 } else { 1.0 };
                let printed = Trs::read(&line["targets"]["a"]).translation;
                assert!((printed - DVec3::X * expected).length() < 1e-9, "{expected}: {line}");
                checked += 1;
            }
            cursor = to;
        }
    }
    assert!(checked >= 6, "{checked}");
}

#[test]
fn readouts_show_typed_numbers_and_drag_distance() {
    let path = replay_folder().join("typed-readouts.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let mut texts = Vec::new();
    for line in lines.iter().filter(|line| line["kind"] == "readouts") {
        let readouts = line["readouts"].as_array().expect("the value is an array");
        assert!(readouts.len() <= 1, "{line}");
        for readout in readouts {
            let [x, y] = numbers::<2>(&readout["at"]);
            assert!(x >= 0.0 && y >= 0.0 && x < width && y < height, "outside the picture: {line}");
        }
        texts.push(
            readouts.first().map_or("", |readout| readout["text"].as_str().expect("the value is a string")),
        );
    }
    let [before, translated, rotated, scaled, dragged, snapped, after] = texts[..] else {
        panic!("{texts:?}")
    };
    assert_eq!([before, after], ["", ""]);
    assert_eq!([translated, rotated, scaled], ["X -1.25", "Z 30°", "Y ×1.5"]);
    // A world unit is a hundred pixels; the increment is 0.5.
    let number = |text: &str| text.strip_prefix("X ").and_then(|number| number.parse::<f64>().ok());
    assert!((number(dragged).expect("the value is a number") - 0.37).abs() < 1e-9, "{dragged}");
    assert_eq!(number(snapped), Some(-0.5));
}
