//! Goes through a replay's events beside the lines that were printed, and judges each line by
//! what the events before it must lead to.

use crate::camera::Camera;
use crate::contract::kind_of;
use crate::drag::{Change, Drag};
use crate::settings::Settings;
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of};
use serde_json::Value;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2};

/// How far printed numbers may be from the closed form: relative to the distance moved, to 1 rad,
/// to the factor.
const TOLERANCE: f64 = 1e-9;

/// How far, in logical pixels, a press may wander and still be a click.
const CLICK: f64 = 4.0;

/// What a replay showed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Handles dragged, one entry a press.
    pub(crate) dragged: Vec<String>,
    /// Cancelled drags.
    pub(crate) cancelled: usize,
    /// Steps taken back and forth.
    pub(crate) undone: usize,
    pub(crate) redone: usize,
    /// Lines on which a limit held the drag.
    pub(crate) clamped: usize,
    /// Lines of a drag whose transform was judged.
    pub(crate) judged: usize,
    /// Largest deviation of translation, rotation and scale, as [`TOLERANCE`] counts.
    pub(crate) worst: [f64; 3],
}

/// The state that the events lead to.
struct Walk {
    viewport: [f64; 4],
    scale_factor: f64,
    camera: Camera,
    settings: Settings,
    cursor: DVec2,
    /// The selected node and, before it, its ancestors: the order of the `select` events.
    chain: Vec<String>,
    /// Every node's transform as it must be printed.
    locals: HashMap<String, Trs>,
    drag: Option<Drag>,
    /// The primary button is down.
    is_down: bool,
    /// Where it went down on nothing.
    on_nothing: Option<DVec2>,
    /// Handle and object under the pointer after the event before.
    hovered: [Option<String>; 2],
    history: Vec<(String, Trs, Trs)>,
    done: usize,
    seen: Seen,
}

/// Judges all lines of a replay.
pub(crate) fn judge(replay: &Value, lines: &[Value]) -> Seen {
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
    let events = replay["events"].as_array().expect("a list");
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
        let holds = held("ctrl");
        let mut released = false;
        // Keys go by the letter on them, with shift or without.
        let text = value.as_str().unwrap_or_default().to_lowercase();
        match (kind, text.as_str()) {
            ("move", _) => self.cursor = numbers::<2>(value).into(),
            ("press", "primary") => self.press(line, holds),
            ("release", "primary") => {
                released = self.drag.is_some();
                self.release();
            }
            ("press", "secondary") | ("cancel", _) | ("key", "escape") => self.cancel(),
            ("set", _) => self.settings.set(value),
            ("select", _) => self.select(value),
            ("camera", _) => self.camera = Camera::new(value, self.viewport, self.scale_factor),
            ("undo", _) => self.undo(),
            ("key", "z") if holds && held("shift") => self.redo(),
            ("key", "z") if holds => self.undo(),
            ("redo", _) => self.redo(),
            ("key", "w") => self.settings.mode = "translate".to_owned(),
            ("key", "e") => self.settings.mode = "rotate".to_owned(),
            ("key", "r") => self.settings.mode = "scale".to_owned(),
            ("key", "q") => self.settings.next_orientation(),
            _ => {}
        }
        if self.drag.is_some() {
            self.follow(line, holds, released);
        }
        self.compare(line);
        self.hovered = ["hover", "object"].map(|key| line[key].as_str().map(str::to_owned));
    }

    fn press(&mut self, line: &Value, holds: bool) {
        // In a drag it is another's; where none is, the release of the last went elsewhere.
        if std::mem::replace(&mut self.is_down, true) && self.drag.is_some() {
            return;
        }
        // What was hovered is what is pressed: a handle, an object, or nothing.
        match self.hovered.clone() {
            [Some(handle), _] => self.begin(&handle, line, holds),
            // What hangs on nothing can be dragged after a click: its ancestors are all there.
            [None, Some(name)] if Some(name.as_str()) != self.selected() => self.chain = vec![name],
            [None, Some(_)] => {}
            [None, None] => self.on_nothing = Some(self.cursor),
        }
    }

    fn begin(&mut self, handle: &str, line: &Value, holds: bool) {
        assert_eq!(line["dragging"], handle, "{line}");
        assert!(handle.starts_with(&self.settings.mode), "{handle} in mode {}", self.settings.mode);
        let (name, ancestors) = self.chain.split_last().expect("what is dragged is selected");
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
            (&self.settings, self.settings.snap(holds)),
        ));
        self.seen.dragged.push(handle.to_owned());
    }

    /// A click on nothing selects nothing.
    fn release(&mut self) {
        self.is_down = false;
        let still = CLICK * self.scale_factor;
        if self.on_nothing.take().is_some_and(|pressed| pressed.distance(self.cursor) < still) {
            self.chain.clear();
        }
    }

    /// The drag's transform must be the closed form's.
    fn follow(&mut self, line: &Value, holds: bool, released: bool) {
        let Some(drag) = &mut self.drag else { return };
        let (change, clamped) = drag.at(&self.camera, self.cursor, self.settings.snap(holds));
        let name = self.chain.last().expect("what is dragged is selected").clone();
        let printed = Trs::read(&line["targets"][&name]);
        let found = deviation(drag, change, &printed, line);
        for (worst, found) in self.seen.worst.iter_mut().zip(found) {
            assert!(found <= TOLERANCE, "off by {found:e}: {} by {change:?}: {line}", drag.handle);
            *worst = worst.max(found);
        }
        self.seen.judged += 1;
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

    /// Apart from what a drag has just moved, every printed transform must be the one known.
    fn compare(&mut self, line: &Value) {
        if self.drag.is_none() {
            assert_eq!(line["dragging"], Value::Null, "{line}");
            assert_eq!(line["clamped"], false, "{line}");
        }
        let targets = line["targets"].as_object().expect("an object");
        assert_eq!(targets.keys().map(String::as_str).next(), self.selected(), "{line}");
        assert!(targets.len() <= 1, "{line}");
        for (name, target) in targets {
            let printed = Trs::read(target);
            let known = *self.locals.entry(name.clone()).or_insert(printed);
            assert_eq!(printed.bits(), known.bits(), "not the bits that {name} had before: {line}");
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
            // An ancestor again: the way down starts from there.
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
        let name = self.chain.last().expect("what is dragged is selected");
        self.locals.insert(name.clone(), drag.start);
        self.seen.cancelled += 1;
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

/// How far a printed transform is from the closed form, in translation, rotation and scale.
/// What a handle does not change must keep its bits.
fn deviation(drag: &Drag, change: Change, printed: &Trs, line: &Value) -> [f64; 3] {
    let start = &drag.start;
    let linear = DMat3::from_mat4(drag.parent);
    let same = |wanted: Trs| assert_eq!(printed.bits(), wanted.bits(), "{} {change:?}: {line}", drag.handle);
    match change {
        Change::Nothing => {
            same(*start);
            [0.0; 3]
        }
        Change::Moved(by) => {
            same(Trs { translation: printed.translation, ..*start });
            let by = linear.inverse() * by;
            // The sum rounds at the start's own size, whatever the distance moved.
            let rounding = f64::EPSILON * start.translation.length();
            let off = printed.translation.distance(start.translation + by) - rounding;
            [off.max(0.0) / by.length(), 0.0, 0.0]
        }
        Change::Turned(turn) => {
            same(Trs { rotation: printed.rotation, ..*start });
            let wanted = nearest_rotation(linear.inverse() * turn * linear * rotation_of(start.rotation));
            let squared: f64 = printed.rotation.iter().map(|c| c * c).sum();
            assert!((squared - 1.0).abs() < 1e-14, "not of unit length: {line}");
            [0.0, angle_between(rotation_of(printed.rotation), wanted), 0.0]
        }
        Change::Scaled(factors) => {
            same(Trs { scale: printed.scale, ..*start });
            let wanted = start.scale * factors;
            let off = (0..3).map(|i| match factors[i] == 1.0 {
                true => {
                    assert_eq!(printed.scale[i].to_bits(), start.scale[i].to_bits(), "{line}");
                    0.0
                }
                false => ((printed.scale[i] - wanted[i]) / wanted[i]).abs(),
            });
            [0.0, 0.0, off.fold(0.0, f64::max)]
        }
    }
}
