//! A hand on a window, and what it does written down as a replay has it: so that what the window
//! shows can be held against what the same events give without one.

use super::{Display, Picture, SIZE, STATUS_ROWS, Window};
use super::{assert_shows_in, folder, pixels_in, without_window_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All of the window.
const WHOLE: [u32; 4] = [0, 0, SIZE[0], SIZE[1]];
/// What the panel, the bar and the status line leave.
pub(crate) const BESIDE_PANEL: [u32; 4] = [0, 30, SIZE[0] - 340, SIZE[1] - 60];

pub(crate) struct Hand {
    // First, so that it is closed before its display is.
    pub(crate) window: Window,
    pub(crate) display: Display,
    pub(crate) folder: PathBuf,
    /// What the window shows, as a replay in the folder names it.
    pub(crate) scene: Value,
    /// The part of the window that is the view: x, y, width and height.
    view: [u32; 4],
    pub(crate) events: Vec<Value>,
    /// Where handles could be taken when the window last showed what it should.
    handles: Value,
}

impl Hand {
    /// On the built-in scene, without the panel.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// The same with more arguments. They may name files of `folder(name)`.
    pub(crate) fn with(name: &str, arguments: &[&str]) -> Self {
        Self::on(name, WHOLE, &[&["--no-panel"], arguments].concat())
    }

    /// On the built-in scene, beside the panel.
    pub(crate) fn with_panel(name: &str) -> Self {
        Self::on(name, BESIDE_PANEL, &[])
    }

    fn on(name: &str, view: [u32; 4], arguments: &[&str]) -> Self {
        let folder = folder(name);
        let display = Display::open(SIZE, &folder);
        let window = Window::open(&display, arguments);
        let scene = json!({ "built_in": "robot_arm" });
        Self { window, display, folder, scene, view, events: Vec::new(), handles: Value::Null }
    }

    /// Closes the window, and opens another on the same display. What was done is forgotten.
    pub(crate) fn open_again(&mut self, arguments: &[&str]) {
        self.window.close();
        self.window = Window::open(&self.display, &[&["--no-panel"], arguments].concat());
        self.events.clear();
    }

    pub(crate) fn view(&self) -> [u32; 4] {
        self.view
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Something that is not the view's.
    pub(crate) fn unseen(&self, what: &[&str]) {
        self.display.hand(what);
    }

    /// Keys, as replays and as xdotool call them.
    pub(crate) fn keys(&mut self, keys: &[(&str, &str)]) {
        for (key, name) in keys {
            self.events.push(json!({ "key": key }));
            self.display.hand(&["key", name]);
        }
    }

    pub(crate) fn go(&mut self, to: [i64; 2]) {
        self.go_through(&[to]);
    }

    /// One place after the other, as fast as it goes.
    pub(crate) fn go_through(&mut self, path: &[[i64; 2]]) {
        let words: Vec<String> = path
            .iter()
            .flat_map(|[x, y]| ["mousemove".to_owned(), "--".to_owned(), x.to_string(), y.to_string()])
            .collect();
        self.events.extend(path.iter().map(|at| json!({ "move": at })));
        self.display.hand(&words.iter().map(String::as_str).collect::<Vec<_>>());
    }

    pub(crate) fn press(&mut self, held: &[&str]) {
        for key in held {
            self.display.hand(&["keydown", key]);
        }
        self.events.push(json!({ "press": "primary", "mods": held }));
        self.display.hand(&["mousedown", "1"]);
    }

    pub(crate) fn release(&mut self, held: &[&str]) {
        self.events.push(json!({ "release": "primary" }));
        self.display.hand(&["mouseup", "1"]);
        for key in held {
            self.display.hand(&["keyup", key]);
        }
    }

    pub(crate) fn click(&mut self, at: [i64; 2], held: &[&str]) {
        self.go(at);
        self.press(held);
        self.release(held);
    }

    /// What a replay answers after the events.
    pub(crate) fn asked(&self, questions: &[Value]) -> Vec<Value> {
        let events = [&self.events[..], questions].concat();
        without_window_of(&self.scene, self.view, &self.folder, &events).0.split_off(self.events.len())
    }

    /// Clicks where there is something of this node all round.
    pub(crate) fn click_node(&mut self, node: &str, held: &[&str]) {
        self.click(self.pixel_of(node), held);
    }

    /// A pixel of the node of this name as the scene is at first, with some of it all round.
    pub(crate) fn pixel_of(&self, node: &str) -> [i64; 2] {
        let pixels = pixels_in(&self.scene, self.view, &self.folder);
        *pixels.get(node).unwrap_or_else(|| panic!("{node} is nowhere to be seen"))
    }

    pub(crate) fn undo(&mut self) {
        self.events.push(json!({ "undo": true }));
        self.display.hand(&["key", "ctrl+z"]);
    }

    /// Where a handle can be taken, as of what was shown last.
    pub(crate) fn handle(&self, name: &str) -> [i64; 2] {
        let at = &self.handles[name]["at"];
        let at = [&at[0], &at[1]].map(Value::as_i64);
        at.map(|at| at.unwrap_or_else(|| panic!("no {name} in {}", self.handles)))
    }

    /// What the events give without a window, with one more picture where only so many of them
    /// have been: their lines, that picture and the last one.
    fn without_window(&mut self, and_after: usize) -> (Vec<Value>, Picture, Picture) {
        let (first, rest) = self.events.split_at(and_after);
        let picture = json!({ "screenshot": "before.png" });
        let events = [first, &[picture], rest, &[json!({ "handles": true })]].concat();
        let (mut lines, last) = without_window_of(&self.scene, self.view, &self.folder, &events);
        lines.remove(and_after);
        lines.truncate(events.len() - 1);
        self.handles = lines.pop().unwrap_or_default()["handles"].take();
        (lines, Picture::of_png(&self.path("before.png")), last)
    }

    fn assert_shows(&self, wanted: &Picture, when: &str) {
        // Over the foot of a view that is the whole window lies the status line.
        let [x, y, width, height] = self.view;
        let part = [x, y, width, height.min(SIZE[1] - STATUS_ROWS)];
        assert_shows_in(part, &self.display, wanted, (when, &self.folder));
    }

    /// The view shows what the events give, and no more; the line of the last of them.
    pub(crate) fn shows(&mut self, when: &str) -> Value {
        let (mut lines, _, picture) = self.without_window(0);
        self.assert_shows(&picture, when);
        lines.pop().unwrap_or_default()
    }

    /// The view is this part of the window from now on.
    pub(crate) fn view_is(&mut self, part: [u32; 4]) {
        self.view = part;
    }

    /// Takes a handle and leads it along a path, given from where it is taken, with a look at it
    /// before it is let go and after; the last line.
    pub(crate) fn drag(&mut self, handle: &str, path: &[[i64; 2]]) -> Value {
        let [x, y] = self.handle(handle);
        self.go([x, y]);
        self.press(&[]);
        self.go_through(&path.iter().map(|[right, down]| [x + right, y + down]).collect::<Vec<_>>());
        // Both pictures of one run: that takes longer than all else.
        let held = self.events.len();
        self.events.push(json!({ "release": "primary" }));
        let (mut lines, during, after) = self.without_window(held);
        assert_eq!(lines[held - 1]["dragging"], *handle, "{}", lines[held - 1]);
        self.assert_shows(&during, &format!("in a drag of {handle}"));
        self.display.hand(&["mouseup", "1"]);
        self.assert_shows(&after, &format!("after a drag of {handle}"));
        lines.pop().unwrap_or_default()
    }

    /// What of the window can be compared to the last bit: the local transforms of what was moved,
    /// by name, as its test has them. The folder is the window's `--out`.
    pub(crate) fn moved(&self) -> Value {
        let test = self.path("test-1.json");
        let _ = std::fs::remove_file(&test);
        self.unseen(&["key", "ctrl+shift+r"]);
        let written = written(&test);
        let expect = written["events"].as_array().and_then(|events| events.last()).expect("an event");
        expect["expect"]["targets"].clone()
    }
}

/// Waits for a file that is written whole or not at all.
pub(crate) fn written(path: &Path) -> Value {
    let started = Instant::now();
    loop {
        if let Ok(text) = std::fs::read_to_string(path) {
            return serde_json::from_str(&text).expect("JSON");
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{} was not written", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}
