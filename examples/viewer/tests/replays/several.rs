//! Replays with several targets: where each of them must go, in closed form, from the motion of
//! the handle that is dragged.

use crate::camera::Camera;
use crate::contract::kind_of;
use crate::drag::{Change, Drag};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of};
use serde_json::Value;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// How far printed numbers may be from the closed form: world units, radians, parts of a scale.
/// The scenes are a few units large.
const TOLERANCE: f64 = 1e-9;

/// What a replay showed.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) dragged: Vec<String>,
    /// Transforms held against the closed form in a drag.
    pub(crate) judged: usize,
    pub(crate) undone: usize,
    /// Drags of a gizmo that is not the active target's.
    pub(crate) of_others: usize,
    /// Targets that went along inside another one.
    pub(crate) inside: usize,
}

/// A target as it was pressed.
struct Start {
    name: String,
    local: Trs,
    parent: DMat4,
    is_inside: bool,
    /// What it turns and scales about, and the axes of that.
    pivot: DVec3,
    axes: DMat3,
    turned_by: DMat3,
}

struct Held {
    drag: Drag,
    starts: Vec<Start>,
}

struct Walk<'a> {
    objects: &'a [Value],
    /// Where handles were when last asked, and their names.
    places: Vec<(DVec2, String)>,
    locals: HashMap<String, Trs>,
    selected: Vec<String>,
    settings: Settings,
    camera: Camera,
    cursor: DVec2,
    hovered: Option<String>,
    object: Option<String>,
    /// Pressed on nothing, and not to add to what is selected.
    deselects: bool,
    held: Option<Held>,
    /// Each step with the transforms before it and after it.
    history: Vec<[HashMap<String, Trs>; 2]>,
    done: usize,
    seen: Seen,
}

/// Judges all lines of a replay whose scene stands in the file.
pub(crate) fn judge(replay: &Value, lines: &[Value]) -> Seen {
    let [width, height] = numbers(&replay["size_px"]);
    let objects = replay["scene"]["objects"].as_array().expect("objects");
    let mut settings = Settings::default();
    replay.get("settings").inspect(|patch| settings.set(patch));
    let mut walk = Walk {
        objects,
        places: Vec::new(),
        locals: objects.iter().map(|object| (name_of(object), Trs::of_object(object))).collect(),
        selected: names(replay.get("select").unwrap_or(&Value::Array(Vec::new()))),
        settings,
        camera: Camera::new(&replay["camera"], [0.0, 0.0, width, height], 1.0),
        cursor: DVec2::NAN,
        hovered: None,
        object: None,
        deselects: false,
        held: None,
        history: Vec::new(),
        done: 0,
        seen: Seen::default(),
    };
    let events = replay["events"].as_array().expect("a list");
    for (event, line) in events.iter().zip(lines) {
        if line.get("targets").is_some() {
            walk.take(event, line);
        } else if let Some(handles) = line["handles"].as_object() {
            let place =
                |(name, handle): (&String, &Value)| (DVec2::from(numbers(&handle["at"])), name.clone());
            walk.places = handles.iter().map(place).collect();
        }
    }
    walk.seen
}

fn name_of(object: &Value) -> String {
    object["name"].as_str().expect("a name").to_owned()
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

impl Walk<'_> {
    fn take(&mut self, event: &Value, line: &Value) {
        let kind = kind_of(event);
        let value = &event[kind];
        let held = |key: &str| event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from(key)));
        // Keys go by the letter on them, with shift or without.
        let text = value.as_str().unwrap_or_default().to_lowercase();
        match (kind, text.as_str()) {
            ("move", _) => self.cursor = numbers::<2>(value).into(),
            ("press", "primary") => self.press(held("shift"), line),
            ("set", _) => self.settings.set(value),
            ("select", _) => self.selected = names(value),
            ("key", "a") if held("shift") => self.selected.clear(),
            // Every object that can be seen, the active one last.
            ("key", "a") => {
                let active = self.selected.pop();
                let seen = self.objects.iter().filter(|object| object["shape"] != "empty").map(name_of);
                self.selected = seen.filter(|name| Some(name) != active.as_ref()).collect();
                self.selected.extend(active);
            }
            ("key", "p") => self.settings.next_pivot(),
            ("cancel", _) => self.give_up(),
            ("undo", _) => self.undo(),
            ("redo", _) => self.redo(),
            _ => {}
        }
        if self.held.is_some() {
            self.follow(line, held("ctrl"));
        }
        if kind == "release" {
            self.release();
        }
        self.compare(line);
        self.hovered = line["hover"].as_str().map(str::to_owned);
        self.object = line["object"].as_str().map(str::to_owned);
    }

    fn press(&mut self, toggles: bool, line: &Value) {
        match (self.hovered.clone(), self.object.clone()) {
            (Some(handle), _) => self.begin(&handle, line),
            (None, Some(object)) if toggles => {
                let before = self.selected.len();
                self.selected.retain(|name| *name != object);
                if self.selected.len() == before {
                    self.selected.push(object);
                }
            }
            (None, Some(object)) => self.selected = vec![object],
            (None, None) => self.deselects = !toggles,
        }
    }

    fn begin(&mut self, handle: &str, line: &Value) {
        assert_eq!(line["dragging"], handle, "{line}");
        let mut active = self.selected.last().expect("what is dragged is selected").clone();
        if self.settings.pivot == "each" {
            // The one that is taken hold of decides.
            let middle = self.cursor - DVec2::splat(0.5);
            let (_, name) =
                self.places.iter().find(|(at, _)| *at == middle).expect("pressed where it was said to be");
            if let Some((_, target)) = name.split_once('@') {
                target.clone_into(&mut active);
                self.seen.of_others += 1;
            }
        }
        let active_start = (self.locals[&active], self.parent_of(&active));
        let camera = self.camera;
        let frame = |(local, parent): (Trs, DMat4)| self.settings.frame(handle, &camera, parent, &local);
        let own = self.settings.pivot == "individual";
        // The view is the same to all of them.
        let is_of_the_view = ["rotate_view", "rotate_trackball"].contains(&handle);
        let axes = frame(active_start);
        let pivot = self.pivot(&active);
        let starts = self.selected.iter().map(|name| {
            let (local, parent) = (self.locals[name], self.parent_of(name));
            let own_frame = frame((local, parent));
            let position = parent.transform_point3(local.translation);
            Start {
                name: name.clone(),
                local,
                parent,
                is_inside: self.above(name).any(|above| self.selected.contains(&above)),
                pivot: if own { position } else { pivot },
                axes: if own { own_frame } else { axes },
                // Takes the active target's axes to the own ones.
                turned_by: if own && !is_of_the_view {
                    own_frame * axes.transpose()
                } else {
                    DMat3::IDENTITY
                },
            }
        });
        let starts = starts.collect();
        let snap = self.settings.snap(false);
        let grip = (camera, self.cursor);
        let drag = Drag::begin(handle, active_start, pivot, grip, (&self.settings, snap));
        self.held = Some(Held { drag, starts });
        self.seen.dragged.push(handle.to_owned());
    }

    /// The names on the way up.
    fn above(&self, name: &str) -> impl Iterator<Item = String> {
        let up = |name: &String| {
            let object = self.objects.iter().find(|object| object["name"] == name.as_str());
            object.expect("an object")["parent"].as_str().map(str::to_owned)
        };
        std::iter::successors(up(&name.to_owned()), up)
    }

    fn parent_of(&self, name: &str) -> DMat4 {
        self.above(name).fold(DMat4::IDENTITY, |world, above| self.locals[&above].matrix() * world)
    }

    /// What the targets turn and scale about.
    fn pivot(&self, active: &str) -> DVec3 {
        let position = |name: &str| self.parent_of(name).transform_point3(self.locals[name].translation);
        let free: Vec<&String> = self
            .selected
            .iter()
            .filter(|name| !self.above(name).any(|above| self.selected.contains(&above)))
            .collect();
        match self.settings.pivot.as_str() {
            Some("active" | "individual" | "each") => position(active),
            Some("median") => free.iter().map(|name| position(name)).sum::<DVec3>() / free.len() as f64,
            Some("bounds") => {
                let points: Vec<DVec3> = free.iter().flat_map(|name| self.corners(name)).collect();
                let low = points.iter().copied().reduce(DVec3::min).expect("a point");
                let high = points.iter().copied().reduce(DVec3::max).expect("a point");
                (low + high) * 0.5
            }
            Some(other) => panic!("the tests do not follow the pivot `{other}`"),
            None => numbers::<3>(&self.settings.pivot["custom"]).into(),
        }
    }

    /// Of a target's box, in the world; its position where it shows nothing.
    fn corners(&self, name: &str) -> Vec<DVec3> {
        let object = self.objects.iter().find(|object| object["name"] == name).expect("an object");
        let world = self.parent_of(name) * self.locals[name].matrix();
        let half = match object["shape"].as_str() {
            Some("empty") => 0.0,
            _ => 0.5,
        };
        let sides = [-half, half];
        let corner = |i: usize| DVec3::new(sides[i & 1], sides[i >> 1 & 1], sides[i >> 2 & 1]);
        (0..8).map(|i| world.transform_point3(corner(i))).collect()
    }

    fn follow(&mut self, line: &Value, snaps: bool) {
        let Some(Held { drag, starts }) = &mut self.held else { return };
        assert_eq!(line["dragging"].as_str().is_some(), line["kind"] != "release", "{line}");
        let (change, _) = drag.at(&self.camera, self.cursor, self.settings.snap(snaps));
        for start in starts {
            let printed = Trs::read(&line["targets"][&start.name]);
            let wanted = start.moved(change, drag.handle.starts_with("scale"));
            assert_near(&printed, &wanted, &format!("{} by {change:?}: {line}", start.name));
            if start.is_inside {
                assert_eq!(printed.bits(), start.local.bits(), "{} goes along: {line}", start.name);
                self.seen.inside += 1;
            }
            self.locals.insert(start.name.clone(), printed);
            self.seen.judged += 1;
        }
    }

    fn release(&mut self) {
        if std::mem::take(&mut self.deselects) {
            self.selected.clear();
        }
        let Some(Held { starts, .. }) = self.held.take() else { return };
        let before: HashMap<_, _> = starts.into_iter().map(|start| (start.name, start.local)).collect();
        let after: HashMap<_, _> = before.keys().map(|name| (name.clone(), self.locals[name])).collect();
        if before.iter().any(|(name, local)| local.bits() != after[name].bits()) {
            self.history.truncate(self.done);
            self.history.push([before, after]);
            self.done += 1;
        }
    }

    fn give_up(&mut self) {
        if let Some(Held { starts, .. }) = self.held.take() {
            self.locals.extend(starts.into_iter().map(|start| (start.name, start.local)));
        }
    }

    /// One step for all that moved.
    fn undo(&mut self) {
        let Some(done) = self.done.checked_sub(1) else { return };
        self.done = done;
        self.locals.extend(self.history[done][0].clone());
        self.seen.undone += 1;
    }

    fn redo(&mut self) {
        let Some([_, after]) = self.history.get(self.done) else { return };
        self.locals.extend(after.clone());
        self.done += 1;
    }

    /// All that is selected and nothing else is printed, with the bits that are known.
    fn compare(&mut self, line: &Value) {
        let targets = line["targets"].as_object().expect("an object");
        let mut printed: Vec<&String> = targets.keys().collect();
        let mut wanted: Vec<&String> = self.selected.iter().collect();
        printed.sort();
        wanted.sort();
        assert_eq!(printed, wanted, "{line}");
        for (name, target) in targets {
            assert_eq!(Trs::read(target).bits(), self.locals[name].bits(), "the bits of {name}: {line}");
        }
    }
}

impl Start {
    /// SPEC §9: positions turn and scale about the pivot; each target's own channels take the
    /// factor of the same name.
    fn moved(&self, change: Change, scales: bool) -> Trs {
        let start = self.local;
        if self.is_inside || change == Change::Nothing {
            return start;
        }
        let linear = DMat3::from_mat4(self.parent);
        let position = self.parent.transform_point3(start.translation);
        let from_pivot = position - self.pivot;
        let (by, rotation, scale) = match change {
            Change::Nothing => (DVec3::ZERO, start.rotation, start.scale),
            Change::Moved(by) => (by, start.rotation, start.scale),
            Change::Turned(turn) => {
                let turn = self.turned_by * turn * self.turned_by.transpose();
                let turned = nearest_rotation(linear.inverse() * turn * linear * rotation_of(start.rotation));
                let quaternion = wgpu_gizmo::glam::DQuat::from_mat3(&turned);
                (turn * from_pivot - from_pivot, quaternion.to_array(), start.scale)
            }
            Change::Scaled(factors) => {
                assert!(scales);
                let stretched = self.axes * (factors * (self.axes.transpose() * from_pivot));
                (stretched - from_pivot, start.rotation, start.scale * factors)
            }
        };
        Trs { translation: start.translation + linear.inverse() * by, rotation, scale }
    }
}

fn assert_near(printed: &Trs, wanted: &Trs, what: &str) {
    let apart = [
        printed.translation.distance(wanted.translation),
        angle_between(rotation_of(printed.rotation), rotation_of(wanted.rotation)),
        ((printed.scale - wanted.scale) / wanted.scale).abs().max_element(),
    ];
    assert!(apart.iter().all(|off| *off <= TOLERANCE), "off by {apart:?}: {what}");
}
