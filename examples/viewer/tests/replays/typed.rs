//! Drags with the keyboard: what is typed is what is done, and what the precision key makes of the
//! pointer's way.

use crate::contract::{self, kind_of};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of, turn};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// Relative to the number typed.
const TOLERANCE: f64 = 1e-12;

/// A drag that keys began.
struct Typing {
    start: Trs,
    /// Index of the axis.
    axis: usize,
    is_plane: bool,
    /// How often the key of the axis came.
    presses: u32,
    /// Each number of the constraint, as typed.
    fields: Vec<String>,
}

struct Walk {
    settings: Settings,
    parent: DMat4,
    local: Trs,
    typing: Option<Typing>,
    history: Vec<Trs>,
    judged: usize,
}

impl Typing {
    fn numbers(&self, rest: f64) -> Option<Vec<f64>> {
        let parsed: Vec<Option<f64>> = self.fields.iter().map(|field| field.parse().ok()).collect();
        let typed = parsed.iter().any(Option::is_some);
        typed.then(|| parsed.into_iter().map(|number| number.unwrap_or(rest)).collect())
    }

    /// What the transform has to be, and how large a number made it so.
    fn wanted(&self, mode: &str, parent: DMat4) -> (Trs, f64) {
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
                let turn = turn(frame.col(self.axis), first.to_radians());
                let turned = nearest_rotation(linear.inverse() * turn * linear * rotation_of(start.rotation));
                let rotation = wgpu_gizmo::glam::DQuat::from_mat3(&turned).to_array();
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
        let field = typing.fields.last_mut().expect("one at least");
        match (axis, key) {
            (Some(axis), _) if axis == typing.axis && shift == typing.is_plane => typing.presses += 1,
            (Some(axis), _) => {
                (typing.axis, typing.is_plane, typing.presses) = (axis, shift, 1);
                typing.fields.truncate(1);
            }
            (_, "-") => *field = field.strip_prefix('-').map_or(format!("-{field}"), str::to_owned),
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
                // Twelve digits, as a person reads it.
                *field = format!("{}", ((now + sign * step) * 1e9).round() / 1e9);
            }
            (None, digit) => field.push_str(digit),
        }
    }

    fn judge(&mut self, line: &Value) {
        let printed = Trs::read(&line["targets"]["a"]);
        let Some(typing) = &self.typing else {
            assert_eq!(line["dragging"], Value::Null, "{line}");
            // Where the last drag ended, with its bits.
            assert_eq!(printed.bits(), self.local.bits(), "{line}");
            return;
        };
        assert!(line["dragging"].is_string(), "{line}");
        let (wanted, size) = typing.wanted(&self.settings.mode, self.parent);
        let off = [
            printed.translation.distance(wanted.translation),
            angle_between(rotation_of(printed.rotation), rotation_of(wanted.rotation)),
            (printed.scale - wanted.scale).length(),
        ];
        assert!(off.iter().all(|off| *off <= TOLERANCE * size), "off by {off:?}: {line}");
        self.local = printed;
        self.judged += 1;
    }
}

#[test]
fn what_is_typed_is_what_is_done() {
    let path = replay_folder().join("typed-numbers.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let objects = replay["scene"]["objects"].as_array().expect("objects");
    let of = |name: &str| Trs::of_object(objects.iter().find(|o| o["name"] == name).expect("an object"));
    let mut walk = Walk {
        settings: Settings::default(),
        parent: of("parent").matrix(),
        local: of("a"),
        typing: None,
        history: Vec::new(),
        judged: 0,
    };
    for (event, line) in events.iter().zip(&lines) {
        let shift = event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from("shift")));
        match kind_of(event) {
            "key" => {
                let key = event["key"].as_str().expect("a key");
                walk.key(&key.to_lowercase(), shift || key.chars().all(char::is_uppercase));
            }
            "undo" => walk.local = walk.history.pop().expect("a step to undo"),
            // The pointer is ignored.
            "move" | "press" | "release" => {}
            other => panic!("{other}"),
        }
        walk.judge(line);
    }
    assert!(walk.judged > 40 && walk.history.is_empty(), "{}", walk.judged);
}

#[test]
fn the_precision_key_slows_the_pointer_to_a_tenth_without_a_jump() {
    let path = replay_folder().join("typed-precision.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    // From the front, with parallel rays: so many world units a pixel.
    let [_, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("a number") / height;
    let (mut cursor, mut wanted, mut judged) = (DVec2::NAN, 0.0, 0);
    for (event, line) in events.iter().zip(&lines) {
        let precise = event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from("shift")));
        if let Some(to) = event.get("move") {
            let to = DVec2::from(numbers::<2>(to));
            if line["dragging"].is_string() {
                wanted += (to - cursor).x * unit * if precise { 0.1 } else { 1.0 };
                let printed = Trs::read(&line["targets"]["a"]).translation;
                assert!((printed - DVec3::X * wanted).length() < 1e-9, "{wanted}: {line}");
                judged += 1;
            }
            cursor = to;
        }
    }
    assert!(judged >= 6, "{judged}");
}

#[test]
fn readouts_say_what_is_typed_and_how_far_the_pointer_has_gone() {
    let path = replay_folder().join("typed-readouts.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let mut said = Vec::new();
    for line in lines.iter().filter(|line| line["kind"] == "readouts") {
        let readouts = line["readouts"].as_array().expect("a list");
        assert!(readouts.len() <= 1, "{line}");
        for readout in readouts {
            let [x, y] = numbers::<2>(&readout["at"]);
            assert!(x >= 0.0 && y >= 0.0 && x < width && y < height, "outside the picture: {line}");
        }
        said.push(readouts.first().map_or("", |readout| readout["text"].as_str().expect("a text")));
    }
    let [nothing, moved, turned, scaled, dragged, snapped, after] = said[..] else { panic!("{said:?}") };
    assert_eq!([nothing, after], ["", ""]);
    assert_eq!([moved, turned, scaled], ["X -1.25", "30°", "Y ×1.5"]);
    // A hundred pixels for a world unit; snapped to halves.
    let number = |text: &str| text.strip_prefix("X ").and_then(|number| number.parse::<f64>().ok());
    assert!((number(dragged).expect("a number") - 0.37).abs() < 1e-9, "{dragged}");
    assert_eq!(number(snapped), Some(-0.5));
}
