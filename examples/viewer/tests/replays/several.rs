//! Replays with several targets: the expected transform of each, in closed form, from the motion of the
//! dragged handle.

use crate::camera::Camera;
use crate::contract::kind_of;
use crate::drag::{Change, Drag};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of};
use serde_json::Value;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// The maximum error in world units, in radians, and relative for scale factors. The scenes have a size of
/// a few units.
const TOLERANCE: f64 = 1e-9;

/// The cases that occurred in a replay.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) dragged: Vec<String>,
    /// Transforms that were compared with the closed form.
    pub(crate) checked: usize,
    pub(crate) undone: usize,
    /// Drags of the gizmo of a target that is not the active one.
    pub(crate) of_others: usize,
    /// Transforms of targets that are descendants of other targets.
    pub(crate) inside: usize,
}

/// A target at the press.
struct Start {
    name: String,
    local: Trs,
    parent: DMat4,
    /// Whether an ancestor is also a target.
    is_inside: bool,
    /// The point that it rotates and scales about, and its reference frame.
    pivot: DVec3,
    axes: DMat3,
    /// The rotation from the reference frame of the active target to that of this one.
    from_active: DMat3,
}

struct Held {
    drag: Drag,
    starts: Vec<Start>,
}

struct Walk<'a> {
    objects: &'a [Value],
    /// Pixels and names of the handles in the last `handles` event.
    handles: Vec<(DVec2, String)>,
    locals: HashMap<String, Trs>,
    selected: Vec<String>,
    settings: Settings,
    camera: Camera,
    cursor: DVec2,
    hovered: Option<String>,
    object: Option<String>,
    /// Whether the release deselects, after a press on nothing without Shift.
    deselects: bool,
    held: Option<Held>,
    /// The transforms before and after each undo step.
    history: Vec<[HashMap<String, Trs>; 2]>,
    done: usize,
    seen: Seen,
}

/// Checks all lines of a replay whose scene is written in the replay.
pub(crate) fn check(replay: &Value, lines: &[Value]) -> Seen {
    let [width, height] = numbers(&replay["size_px"]);
    let objects = replay["scene"]["objects"].as_array().expect("the scene has objects");
    let mut settings = Settings::default();
    replay.get("settings").inspect(|patch| settings.set(patch));
    let mut walk = Walk {
        objects,
        handles: Vec::new(),
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
    let events = replay["events"].as_array().expect("the value is an array");
    for (event, line) in events.iter().zip(lines) {
        if line.get("targets").is_some() {
            walk.take(event, line);
        } else if let Some(handles) = line["handles"].as_object() {
            let position =
                |(name, handle): (&String, &Value)| (DVec2::from(numbers(&handle["at"])), name.clone());
            walk.handles = handles.iter().map(position).collect();
        }
    }
    walk.seen
}

fn name_of(object: &Value) -> String {
    object["name"].as_str().expect("the value is a string").to_owned()
}

fn names(list: &Value) -> Vec<String> {
    list.as_array()
        .expect("the value is an array")
        .iter()
        .map(|name| name.as_str().expect("the value is a string").to_owned())
        .collect()
}

impl Walk<'_> {
    fn take(&mut self, event: &Value, line: &Value) {
        let kind = kind_of(event);
        let value = &event[kind];
        let held = |key: &str| event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from(key)));
        // Keys are compared by their letter, regardless of Shift.
        let text = value.as_str().unwrap_or_default().to_lowercase();
        match (kind, text.as_str()) {
            ("move", _) => self.cursor = numbers::<2>(value).into(),
            ("press", "primary") => self.press(held("shift"), line),
            ("set", _) => self.settings.set(value),
            ("select", _) => self.selected = names(value),
            ("key", "a") if held("shift") => self.selected.clear(),
            // Selects every visible object, the active one last.
            ("key", "a") => {
                let active = self.selected.pop();
                let visible = self.objects.iter().filter(|object| object["shape"] != "empty").map(name_of);
                self.selected = visible.filter(|name| Some(name) != active.as_ref()).collect();
                self.selected.extend(active);
            }
            ("key", "p") => self.settings.next_pivot(),
            ("cancel", _) => self.cancel(),
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
        let mut active = self.selected.last().expect("the dragged target is selected").clone();
        if self.settings.pivot == "each" {
            // The target of the pressed gizmo replaces the active one.
            let pixel = self.cursor - DVec2::splat(0.5);
            let pressed = self.handles.iter().find(|(at, _)| *at == pixel);
            let (_, name) = pressed.expect("the press is at the pixel of a handle");
            if let Some((_, target)) = name.split_once('@') {
                target.clone_into(&mut active);
                self.seen.of_others += 1;
            }
        }
        let active_start = (self.locals[&active], self.parent_of(&active));
        let camera = self.camera;
        let frame =
            |(local, parent): (Trs, DMat4)| self.settings.reference_frame(handle, &camera, parent, &local);
        let is_individual = self.settings.pivot == "individual";
        // These handles rotate about axes of the view, which are the same for all targets.
        let is_of_view = ["rotate_view", "rotate_trackball"].contains(&handle);
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
                is_inside: self.ancestors(name).any(|ancestor| self.selected.contains(&ancestor)),
                pivot: if is_individual { position } else { pivot },
                axes: if is_individual { own_frame } else { axes },
                from_active: if is_individual && !is_of_view {
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

    /// Returns the names of the ancestors, from the parent up.
    fn ancestors(&self, name: &str) -> impl Iterator<Item = String> {
        let parent = |name: &String| {
            let object = self.objects.iter().find(|object| object["name"] == name.as_str());
            object.expect("the object exists")["parent"].as_str().map(str::to_owned)
        };
        std::iter::successors(parent(&name.to_owned()), parent)
    }

    fn parent_of(&self, name: &str) -> DMat4 {
        self.ancestors(name).fold(DMat4::IDENTITY, |world, ancestor| self.locals[&ancestor].matrix() * world)
    }

    /// Returns the point that the targets rotate and scale about.
    fn pivot(&self, active: &str) -> DVec3 {
        let position = |name: &str| self.parent_of(name).transform_point3(self.locals[name].translation);
        let tops: Vec<&String> = self
            .selected
            .iter()
            .filter(|name| !self.ancestors(name).any(|ancestor| self.selected.contains(&ancestor)))
            .collect();
        match self.settings.pivot.as_str() {
            Some("active" | "individual" | "each") => position(active),
            Some("median") => tops.iter().map(|name| position(name)).sum::<DVec3>() / tops.len() as f64,
            Some("bounds") => {
                let points: Vec<DVec3> = tops.iter().flat_map(|name| self.corners(name)).collect();
                let min = points.iter().copied().reduce(DVec3::min).expect("there is a corner");
                let max = points.iter().copied().reduce(DVec3::max).expect("there is a corner");
                (min + max) * 0.5
            }
            Some(other) => panic!("the tests do not support the pivot `{other}`"),
            None => numbers::<3>(&self.settings.pivot["custom"]).into(),
        }
    }

    /// Returns the corners of a target's bounding box in world space, which is its position if it is empty.
    fn corners(&self, name: &str) -> Vec<DVec3> {
        let object = self.objects.iter().find(|object| object["name"] == name).expect("the object exists");
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
            let expected = start.moved(change, drag.handle.starts_with("scale"));
            assert_near(&printed, &expected, &format!("{} by {change:?}: {line}", start.name));
            if start.is_inside {
                assert_eq!(printed.bits(), start.local.bits(), "{} keeps its bits: {line}", start.name);
                self.seen.inside += 1;
            }
            self.locals.insert(start.name.clone(), printed);
            self.seen.checked += 1;
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

    fn cancel(&mut self) {
        if let Some(Held { starts, .. }) = self.held.take() {
            self.locals.extend(starts.into_iter().map(|start| (start.name, start.local)));
        }
    }

    /// Undoes one step, which covers all targets.
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

    /// Asserts that exactly the selected targets are printed, with the expected bits.
    fn compare(&mut self, line: &Value) {
        let targets = line["targets"].as_object().expect("the value is an object");
        let mut printed: Vec<&String> = targets.keys().collect();
        let mut expected: Vec<&String> = self.selected.iter().collect();
        printed.sort();
        expected.sort();
        assert_eq!(printed, expected, "{line}");
        for (name, target) in targets {
            assert_eq!(Trs::read(target).bits(), self.locals[name].bits(), "the bits of {name}: {line}");
        }
    }
}

impl Start {
    /// Returns the expected transform, as in §9 of docs/spec.md: positions rotate and scale about the
    /// pivot, and the local scale of each target is multiplied by the factor of the same axis.
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
            Change::Translated(by) => (by, start.rotation, start.scale),
            Change::Rotated(by) => {
                let by = self.from_active * by * self.from_active.transpose();
                let rotated = nearest_rotation(linear.inverse() * by * linear * rotation_of(start.rotation));
                let quaternion = wgpu_gizmo::glam::DQuat::from_mat3(&rotated);
                (by * from_pivot - from_pivot, quaternion.to_array(), start.scale)
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

fn assert_near(printed: &Trs, expected: &Trs, context: &str) {
    let errors = [
        printed.translation.distance(expected.translation),
        angle_between(rotation_of(printed.rotation), rotation_of(expected.rotation)),
        ((printed.scale - expected.scale) / expected.scale).abs().max_element(),
    ];
    assert!(errors.iter().all(|error| *error <= TOLERANCE), "off by {errors:?}: {context}");
}
