//! Compares what boxes and lassos select with the pixels of each object, in the ID image of all objects and
//! in the one of the object alone.

use crate::contract::{self, kind_of, numbers};
use crate::viewer::{Folder, json_file, play, replays, stem};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

type Point = [f64; 2];

/// The drag threshold in logical pixels.
const DRAG_THRESHOLD: f64 = 4.0;

/// The pixels of each object by name: those that are visible, and those that it has when drawn alone.
struct Pixels {
    visible: BTreeMap<String, Vec<bool>>,
    alone: BTreeMap<String, Vec<bool>>,
    size: [usize; 2],
    is_quad: bool,
}

fn dump(replay: &Value, out: &Folder) -> Vec<u32> {
    let events = [json!({ "dump_ids": "dump.bin" })];
    run(replay, &events, out);
    let bytes = std::fs::read(out.0.join("dump.bin")).expect("the ID image was written");
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn run(replay: &Value, events: &[Value], out: &Folder) -> Vec<Value> {
    let mut replay = replay.clone();
    replay["events"] = Value::from(events);
    let path = out.write("part.json", replay.to_string().as_bytes());
    contract::lines(&play(&path, out), events)
}

impl Pixels {
    fn of(replay: &Value, out: &Folder) -> Self {
        let size = numbers::<2>(&replay["size_px"]).map(|side| side as usize);
        let all = dump(replay, out);
        let first: BTreeMap<u32, usize> = all
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, id)| **id != 0)
            .map(|(index, id)| (*id, index))
            .collect();
        let picks: Vec<Value> =
            first.values().map(|index| json!({ "pick": [index % size[0], index / size[0]] })).collect();
        let picked = run(replay, &picks, out);
        let name = |line: &Value| line["hit"]["object"].as_str().expect("the value is an object").to_owned();
        let visible = first.keys().zip(&picked);
        let visible =
            visible.map(|(id, line)| (name(line), all.iter().map(|texel| texel == id).collect())).collect();
        let mut alone = BTreeMap::new();
        for object in replay["scene"]["objects"].as_array().expect("the scene has objects") {
            let mut replay = replay.clone();
            replay["scene"]["objects"] = json!([object]);
            let pixels = dump(&replay, out).iter().map(|texel| *texel != 0).collect();
            alone.insert(object["name"].as_str().expect("the value is a string").to_owned(), pixels);
        }
        Self { visible, alone, size, is_quad: replay.get("views").is_some() }
    }

    /// Returns the objects with a pixel inside, in the view that contains `first`.
    fn in_region(&self, first: Point, through: bool, inside: impl Fn(Point) -> bool) -> BTreeSet<String> {
        let [width, height] = self.size;
        let quarter = |[x, y]: Point| [2.0 * x >= width as f64, 2.0 * y >= height as f64];
        let counts: Vec<bool> = (0..width * height)
            .map(|index| [(index % width) as f64 + 0.5, (index / width) as f64 + 0.5])
            .map(|px| (!self.is_quad || quarter(px) == quarter(first)) && inside(px))
            .collect();
        let pixels = if through { &self.alone } else { &self.visible };
        let has_one = |has: &[bool]| has.iter().zip(&counts).any(|(has, counts)| *has && *counts);
        pixels.iter().filter(|(_, has)| has_one(has)).map(|(name, _)| name.clone()).collect()
    }
}

/// Returns the winding number of a closed line around a point, from the angles that its sides subtend.
fn winding_number(line: &[Point], [x, y]: Point) -> f64 {
    let sides = line.iter().zip(line.iter().cycle().skip(1));
    let angle = |(a, b): (&Point, &Point)| {
        let ([ax, ay], [bx, by]) = ([a[0] - x, a[1] - y], [b[0] - x, b[1] - y]);
        (ax * by - ay * bx).atan2(ax * bx + ay * by)
    };
    sides.map(angle).sum::<f64>() / std::f64::consts::TAU
}

fn in_lasso(line: &[Point], px: Point) -> bool {
    winding_number(line, px).abs() > 0.5
}

fn in_rectangle([x0, y0]: Point, [x1, y1]: Point, [x, y]: Point) -> bool {
    x >= x0.min(x1) && x < x0.max(x1) && y >= y0.min(y1) && y < y0.max(y1)
}

/// A press on nothing.
struct Drawn {
    path: Vec<Point>,
    mods: Vec<String>,
    is_lasso: bool,
    is_click: bool,
}

struct Walk {
    pixels: Pixels,
    scale_factor: f64,
    selected: BTreeSet<String>,
    cursor: Point,
    through: bool,
    drawn: Option<Drawn>,
    /// The number of regions that were drawn, and of `select_region` events.
    region_counts: [usize; 2],
}

impl Walk {
    fn take(&mut self, event: &Value, line: &Value) {
        let kind = kind_of(event);
        let value = &event[kind];
        let mods: Vec<String> = event["mods"].as_array().into_iter().flatten().map(text).collect();
        match (kind, value.as_str().unwrap_or_default()) {
            ("move", _) => {
                self.cursor = numbers(value);
                if let Some(drawn) = &mut self.drawn {
                    let [x, y] = [0, 1].map(|i| self.cursor[i] - drawn.path[0][i]);
                    drawn.is_click &= x.hypot(y) < DRAG_THRESHOLD * self.scale_factor;
                    drawn.is_lasso |= mods.contains(&"d".to_owned());
                    drawn.path.push(self.cursor);
                }
            }
            ("press", "primary") => {
                assert!(line["hover"].is_null() && line["object"].is_null(), "a press on nothing: {line}");
                let is_lasso = mods.contains(&"d".to_owned());
                self.drawn = Some(Drawn { path: vec![self.cursor], mods, is_lasso, is_click: true });
            }
            ("release", "primary") => self.release(),
            ("press", "secondary") | ("cancel" | "camera" | "views", _) | ("key", "escape") => {
                self.drawn = None
            }
            ("key", "b") => self.through = !self.through,
            ("select", _) => {
                self.selected = value.as_array().expect("the value is an array").iter().map(text).collect();
                self.drawn = None;
            }
            ("select_region", _) => {
                let through = value["through"].as_bool().unwrap_or(false);
                let found = match value.get("rect") {
                    Some(rect) => {
                        let [x0, y0, x1, y1] = numbers::<4>(rect);
                        self.pixels.in_region([x0, y0], through, |px| in_rectangle([x0, y0], [x1, y1], px))
                    }
                    None => {
                        let line = value["lasso"].as_array().expect("the value is an array");
                        let line: Vec<Point> = line.iter().map(numbers::<2>).collect();
                        self.pixels.in_region(line[0], through, |px| in_lasso(&line, px))
                    }
                };
                self.select(found, &mods);
                self.region_counts[1] += 1;
            }
            _ => {}
        }
        let printed: BTreeSet<String> =
            line["targets"].as_object().expect("the value is an object").keys().cloned().collect();
        assert_eq!(printed, self.selected, "{line}");
    }

    fn release(&mut self) {
        let Some(Drawn { path, mods, is_lasso, is_click }) = self.drawn.take() else { return };
        if is_click {
            if mods.is_empty() {
                self.selected.clear();
            }
            return;
        }
        let (first, last) = (path[0], path[path.len() - 1]);
        let found = self.pixels.in_region(first, self.through, |px| match is_lasso {
            true => in_lasso(&path, px),
            false => in_rectangle(first, last, px),
        });
        self.select(found, &mods);
        self.region_counts[0] += 1;
    }

    fn select(&mut self, found: BTreeSet<String>, mods: &[String]) {
        if mods.contains(&"ctrl".to_owned()) {
            self.selected.retain(|name| !found.contains(name));
        } else if mods.contains(&"shift".to_owned()) {
            self.selected.extend(found);
        } else if !found.is_empty() {
            self.selected = found;
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("the value is a string").to_owned()
}

#[test]
fn box_and_lasso_select_objects_with_pixels_inside() {
    let mut counts = [0, 0];
    for path in replays().iter().filter(|path| stem(path).starts_with("region-select")) {
        println!("{}", stem(path));
        let replay = json_file(path);
        let out = Folder::new();
        let lines =
            contract::lines(&play(path, &out), replay["events"].as_array().expect("the value is an array"));
        let mut walk = Walk {
            pixels: Pixels::of(&replay, &out),
            scale_factor: replay["scale_factor"].as_f64().unwrap_or(1.0),
            selected: BTreeSet::new(),
            cursor: [f64::NAN; 2],
            through: false,
            drawn: None,
            region_counts: [0, 0],
        };
        let occluded = walk.pixels.alone.len() - 1 - walk.pixels.visible.len();
        assert!(walk.pixels.is_quad || occluded == 1, "one object is occluded, and one is empty");
        for (event, line) in replay["events"].as_array().expect("the value is an array").iter().zip(&lines) {
            if line.get("targets").is_some() {
                walk.take(event, line);
            }
        }
        counts = [0, 1].map(|i| counts[i] + walk.region_counts[i]);
    }
    assert!(counts[0] >= 15 && counts[1] >= 8, "{counts:?}");
}
