//! Follows the events of a replay and compares each printed line with the expected state.

use crate::camera::Camera;
use crate::contract::kind_of;
use crate::drag::{Change, Drag};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of};
use serde_json::Value;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2};

/// The maximum error: relative to the distance of a translation, in radians, and relative to a scale factor.
const TOLERANCE: f64 = 1e-9;

/// The drag threshold in logical pixels.
const DRAG_THRESHOLD: f64 = 4.0;

/// The cases that occurred in a replay.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// The dragged handles, one per press.
    pub(crate) dragged: Vec<String>,
    /// Canceled drags.
    pub(crate) canceled: usize,
    /// Undone steps.
    pub(crate) undone: usize,
    /// Redone steps.
    pub(crate) redone: usize,
    /// Lines with a clamped drag.
    pub(crate) clamped: usize,
    /// Lines of a drag whose transform was checked.
    pub(crate) checked: usize,
    /// The maximum errors of translation, rotation and scale, as in [`TOLERANCE`].
    pub(crate) max_errors: [f64; 3],
}

/// The expected state.
struct Walk {
    viewport: [f64; 4],
    scale_factor: f64,
    camera: Camera,
    settings: Settings,
    cursor: DVec2,
    /// The ancestors of the selected node and the node itself, in the order of the `select` events.
    chain: Vec<String>,
    /// The expected transform of every node.
    locals: HashMap<String, Trs>,
    drag: Option<Drag>,
    /// Whether the primary button is down.
    is_down: bool,
    /// The position of a press on nothing.
    on_nothing: Option<DVec2>,
    /// The handle and the object under the pointer after the previous event.
    hovered: [Option<String>; 2],
    history: Vec<(String, Trs, Trs)>,
    done: usize,
    seen: Seen,
}

/// Checks all lines of a replay.
pub(crate) fn check(replay: &Value, lines: &[Value]) -> Seen {
    let [width, height] = numbers(&replay["size_px"]);
    let viewport = replay.get("viewport").map_or([0.0, 0.0, width, height], numbers);
    let scale_factor = replay["scale_factor"].as_f64().unwrap_or(1.0);
    let mut settings = Settings::default();
    replay.get("settings").inspect(|patch| settings.set(patch));
    let mut walk = Walk {
        viewport,
        scale_factor,
        camera: Camera::new(&replay["camera"], viewport, scale_factor),
        settings,
        cursor: DVec2::NAN,
        chain: Vec::new(),
        locals: HashMap::new(),
        drag: None,
        is_down: false,
        on_nothing: None,
        hovered: [None, None],
        history: Vec::new(),
        done: 0,
        seen: Seen::default(),
    };
    let events = replay["events"].as_array().expect("the value is an array");
    for (event, line) in events.iter().zip(lines) {
        if line.get("targets").is_some() {
            walk.take(event, line);
        }
    }
    walk.seen
}

impl Walk {
    fn take(&mut self, event: &Value, line: &Value) {
        let kind = kind_of(event);
        let value = &event[kind];
        let held = |key: &str| event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from(key)));
        let snaps = held("ctrl");
        let mut released = false;
        // Keys are compared by their letter, regardless of Shift.
        let text = value.as_str().unwrap_or_default().to_lowercase();
        match (kind, text.as_str()) {
            ("move", _) => self.cursor = numbers::<2>(value).into(),
            ("press", "primary") => self.press(line, snaps),
            ("release", "primary") => {
                released = self.drag.is_some();
                self.release();
            }
            ("press", "secondary") | ("cancel", _) | ("key", "escape") => self.cancel(),
            ("set", _) => self.settings.set(value),
            ("select", _) => self.select(value),
            ("camera", _) => self.camera = Camera::new(value, self.viewport, self.scale_factor),
            ("undo", _) => self.undo(),
            ("key", "z") if snaps && held("shift") => self.redo(),
            ("key", "z") if snaps => self.undo(),
            ("redo", _) => self.redo(),
            ("key", "w") => self.settings.mode = "translate".to_owned(),
            ("key", "e") => self.settings.mode = "rotate".to_owned(),
            ("key", "r") => self.settings.mode = "scale".to_owned(),
            ("key", "q") => self.settings.next_orientation(),
            _ => {}
        }
        if self.drag.is_some() {
            self.follow(line, snaps, released);
        }
        self.compare(line);
        self.hovered = ["hover", "object"].map(|key| line[key].as_str().map(str::to_owned));
    }

    fn press(&mut self, line: &Value, snaps: bool) {
        // A second press during a drag has no effect. Without a drag the last release was lost.
        if std::mem::replace(&mut self.is_down, true) && self.drag.is_some() {
            return;
        }
        match self.hovered.clone() {
            [Some(handle), _] => self.begin(&handle, line, snaps),
            // A clicked object is assumed to be a root, because its ancestors are not known.
            [None, Some(name)] if Some(name.as_str()) != self.selected() => self.chain = vec![name],
            [None, Some(_)] => {}
            [None, None] => self.on_nothing = Some(self.cursor),
        }
    }

    fn begin(&mut self, handle: &str, line: &Value, snaps: bool) {
        assert_eq!(line["dragging"], handle, "{line}");
        assert!(handle.starts_with(&self.settings.mode), "{handle} in mode {}", self.settings.mode);
        let (name, ancestors) = self.chain.split_last().expect("the dragged node is selected");
        let mut parent = DMat4::IDENTITY;
        for ancestor in ancestors {
            parent *= self.locals[ancestor].matrix();
        }
        let start = self.locals[name];
        self.drag = Some(Drag::begin(
            handle,
            (start, parent),
            parent.transform_point3(start.translation),
            (self.camera, self.cursor),
            (&self.settings, self.settings.snap(snaps)),
        ));
        self.seen.dragged.push(handle.to_owned());
    }

    /// Handles a release. A click on nothing deselects.
    fn release(&mut self) {
        self.is_down = false;
        let threshold = DRAG_THRESHOLD * self.scale_factor;
        if self.on_nothing.take().is_some_and(|pressed| pressed.distance(self.cursor) < threshold) {
            self.chain.clear();
        }
    }

    /// Compares the transform of a drag with the closed form.
    fn follow(&mut self, line: &Value, snaps: bool, released: bool) {
        let Some(drag) = &mut self.drag else { return };
        let (change, clamped) = drag.at(&self.camera, self.cursor, self.settings.snap(snaps));
        let name = self.chain.last().expect("the dragged node is selected").clone();
        let printed = Trs::read(&line["targets"][&name]);
        let errors = errors(drag, change, &printed, line);
        for (max, error) in self.seen.max_errors.iter_mut().zip(errors) {
            assert!(error <= TOLERANCE, "off by {error:e}: {} by {change:?}: {line}", drag.handle);
            *max = max.max(error);
        }
        self.seen.checked += 1;
        self.locals.insert(name.clone(), printed);
        if released {
            assert_eq!(line["dragging"], Value::Null, "{line}");
            if change != Change::Nothing {
                self.history.truncate(self.done);
                self.history.push((name, drag.start, printed));
                self.done += 1;
            }
            self.drag = None;
        } else {
            assert_eq!(line["dragging"], drag.handle.as_str(), "{line}");
            assert_eq!(line["clamped"], clamped, "{line}");
            self.seen.clamped += usize::from(clamped);
        }
    }

    /// Asserts that the printed selection and transforms have the expected bits.
    fn compare(&mut self, line: &Value) {
        if self.drag.is_none() {
            assert_eq!(line["dragging"], Value::Null, "{line}");
            assert_eq!(line["clamped"], false, "{line}");
        }
        let targets = line["targets"].as_object().expect("the value is an object");
        assert_eq!(targets.keys().map(String::as_str).next(), self.selected(), "{line}");
        assert!(targets.len() <= 1, "{line}");
        for (name, target) in targets {
            let printed = Trs::read(target);
            let known = *self.locals.entry(name.clone()).or_insert(printed);
            assert_eq!(printed.bits(), known.bits(), "the bits of {name} have changed: {line}");
        }
    }

    fn selected(&self) -> Option<&str> {
        self.chain.last().map(String::as_str)
    }

    fn select(&mut self, names: &Value) {
        let name = names[0].as_str();
        if name != self.selected() {
            self.cancel();
        }
        match name {
            // A known ancestor starts a new path down from there.
            Some(name) => {
                let known = self.chain.iter().position(|known| known == name);
                self.chain.truncate(known.unwrap_or(self.chain.len()));
                self.chain.push(name.to_owned());
            }
            None => self.chain.clear(),
        }
    }

    fn cancel(&mut self) {
        self.on_nothing = None;
        let Some(drag) = self.drag.take() else { return };
        let name = self.chain.last().expect("the dragged node is selected");
        self.locals.insert(name.clone(), drag.start);
        self.seen.canceled += 1;
    }

    fn undo(&mut self) {
        if self.drag.is_some() {
            return self.cancel();
        }
        let Some(done) = self.done.checked_sub(1) else { return };
        self.done = done;
        let (name, before, _) = &self.history[done];
        self.locals.insert(name.clone(), *before);
        self.seen.undone += 1;
    }

    fn redo(&mut self) {
        if self.drag.is_some() {
            return;
        }
        let Some((name, _, after)) = self.history.get(self.done) else { return };
        self.locals.insert(name.clone(), *after);
        self.done += 1;
        self.seen.redone += 1;
    }
}

/// Returns the errors of translation, rotation and scale against the closed form. Asserts that the other
/// channels keep their bits.
fn errors(drag: &Drag, change: Change, printed: &Trs, line: &Value) -> [f64; 3] {
    let start = &drag.start;
    let linear = DMat3::from_mat4(drag.parent);
    let same =
        |expected: Trs| assert_eq!(printed.bits(), expected.bits(), "{} {change:?}: {line}", drag.handle);
    match change {
        Change::Nothing => {
            same(*start);
            [0.0; 3]
        }
        Change::Translated(by) => {
            same(Trs { translation: printed.translation, ..*start });
            let by = linear.inverse() * by;
            // The rounding error of the sum depends on the start, not on the distance.
            let rounding = f64::EPSILON * start.translation.length();
            let error = printed.translation.distance(start.translation + by) - rounding;
            [error.max(0.0) / by.length(), 0.0, 0.0]
        }
        Change::Rotated(by) => {
            same(Trs { rotation: printed.rotation, ..*start });
            let expected = nearest_rotation(linear.inverse() * by * linear * rotation_of(start.rotation));
            let squared: f64 = printed.rotation.iter().map(|c| c * c).sum();
            assert!((squared - 1.0).abs() < 1e-14, "the rotation is not normalized: {line}");
            [0.0, angle_between(rotation_of(printed.rotation), expected), 0.0]
        }
        Change::Scaled(factors) => {
            same(Trs { scale: printed.scale, ..*start });
            let expected = start.scale * factors;
            let errors = (0..3).map(|i| match factors[i] == 1.0 {
                true => {
                    assert_eq!(printed.scale[i].to_bits(), start.scale[i].to_bits(), "{line}");
                    0.0
                }
                false => ((printed.scale[i] - expected[i]) / expected[i]).abs(),
            });
            [0.0, 0.0, errors.fold(0.0, f64::max)]
        }
    }
}
