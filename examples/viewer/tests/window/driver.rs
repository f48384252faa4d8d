//! Drives a window and records the same input as replay events, so that the window's picture can be
//! compared with a headless one.

use super::*;

/// A viewer on a display of its own.
pub(crate) struct Driver {
    // Declared first, so that the window closes before its display.
    pub(crate) window: Window,
    pub(crate) display: Display,
    pub(crate) folder: PathBuf,
    /// The scene in the window, as a replay in the folder specifies it.
    pub(crate) scene: Value,
    pub(crate) events: Vec<Value>,
    /// The positions of handles when the window was last compared.
    handles: Value,
}

impl Driver {
    /// Opens the built-in scene without the panel.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// Opens the built-in scene without the panel and with more arguments, which may name files of
    /// `folder(name)`.
    pub(crate) fn with(name: &str, arguments: &[&str]) -> Self {
        Self::on(name, &[&["--no-panel"], arguments].concat())
    }

    /// Opens the built-in scene beside the panel.
    pub(crate) fn with_panel(name: &str) -> Self {
        Self::on(name, &[])
    }

    /// Opens the built-in scene without the panel, and records the session. Returns the file of the recording too.
    pub(crate) fn recording(name: &str) -> (Self, PathBuf) {
        let folder = folder(name);
        let recording = folder.join("recording.json");
        (Self::with(name, &["--record", text(&recording), "--out", text(&folder)]), recording)
    }

    /// Opens a window with these arguments.
    pub(crate) fn on(name: &str, arguments: &[&str]) -> Self {
        Self::start(name, |display| Window::open(display, arguments))
    }

    /// Opens a display, and on it a window.
    pub(crate) fn start(name: &str, window: impl FnOnce(&Display) -> Window) -> Self {
        let folder = folder(name);
        let display = Display::open(SIZE, &folder);
        let window = window(&display);
        let scene = json!({ "built_in": "robot_arm" });
        Self { window, display, folder, scene, events: Vec::new(), handles: Value::Null }
    }

    /// Closes the window and opens another on the same display, without any events.
    pub(crate) fn open_again(&mut self, arguments: &[&str]) {
        self.window.close();
        self.display.forget_journals();
        self.window = Window::open(&self.display, &[&["--no-panel"], arguments].concat());
        self.events.clear();
    }

    /// Returns the part of the window with the view: x, y, width and height.
    pub(crate) fn view(&self) -> [u32; 4] {
        self.window.frames.viewport()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Sends input that is not recorded, because it is not for the view: arguments of xdotool, with spaces between.
    pub(crate) fn send_unrecorded(&self, what: &str) {
        self.display.xdotool(&what.split(' ').collect::<Vec<_>>());
    }

    /// Sends input while the viewer does not respond. It then finds all of it at once.
    pub(crate) fn at_once(&mut self, input: impl FnOnce(&mut Self)) {
        self.window.run_on_process("kill", &["-s", "STOP"]);
        input(self);
        self.window.run_on_process("kill", &["-s", "CONT"]);
    }

    /// Focuses the server's root window, which lies behind all others.
    pub(crate) fn focus_root(&self) {
        self.display.xdotool(&["search", "--maxdepth", "0", "", "windowfocus", "--sync"]);
    }

    /// Presses keys that are not recorded, given by their names in xdotool.
    pub(crate) fn press_keys(&self, keys: &[&str]) {
        self.display.xdotool(&[&["key"], keys].concat());
    }

    /// Presses keys, given by their names in replays and in xdotool.
    pub(crate) fn keys(&mut self, keys: &[(&str, &str)]) {
        for (key, name) in keys {
            self.events.push(json!({ "key": key }));
            self.display.xdotool(&["key", name]);
        }
    }

    pub(crate) fn move_to(&mut self, to: [i64; 2]) {
        self.move_along(&[to]);
    }

    /// Moves the pointer along a path, without delays.
    pub(crate) fn move_along(&mut self, path: &[[i64; 2]]) {
        let arguments: Vec<String> = path
            .iter()
            .flat_map(|[x, y]| ["mousemove".to_owned(), "--".to_owned(), x.to_string(), y.to_string()])
            .collect();
        self.events.extend(path.iter().map(|at| json!({ "move": at })));
        self.display.xdotool(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    }

    pub(crate) fn press(&mut self, held: &[&str]) {
        for key in held {
            self.display.xdotool(&["keydown", key]);
        }
        self.events.push(json!({ "press": "primary", "mods": held }));
        self.display.xdotool(&["mousedown", "1"]);
    }

    pub(crate) fn release(&mut self, held: &[&str]) {
        self.events.push(json!({ "release": "primary" }));
        self.display.xdotool(&["mouseup", "1"]);
        for key in held {
            self.display.xdotool(&["keyup", key]);
        }
    }

    pub(crate) fn click(&mut self, at: [i64; 2], held: &[&str]) {
        self.move_to(at);
        self.press(held);
        self.release(held);
    }

    /// Clicks on a pixel of this node.
    pub(crate) fn click_node(&mut self, node: &str, held: &[&str]) {
        self.click(self.pixel_of(node), held);
    }

    /// Clicks on a node, compares the window, and returns the line of the click.
    pub(crate) fn select(&mut self, node: &str) -> Value {
        self.click_node(node, &[]);
        self.assert_shows("after a click")
    }

    /// Returns a pixel of this node in the initial scene, surrounded by pixels of the same node.
    pub(crate) fn pixel_of(&self, node: &str) -> [i64; 2] {
        let pixels = pixels_in(&self.scene, self.view(), &self.folder);
        *pixels.nodes.get(node).unwrap_or_else(|| panic!("{node} is not visible"))
    }

    /// Returns a pixel of the view that is far from nodes and handles of the initial scene.
    pub(crate) fn empty_pixel(&self) -> [i64; 2] {
        pixels_in(&self.scene, self.view(), &self.folder).empty
    }

    /// Returns a pixel of the view cube.
    pub(crate) fn cube_pixel(&self) -> [i64; 2] {
        pixels_in(&self.scene, self.view(), &self.folder).cube
    }

    /// Returns a pixel near the corner of the front view, which is at the bottom left of four.
    pub(crate) fn in_front_view(&self) -> [i64; 2] {
        let [x, y, _, height] = self.view();
        [x + 40, y + height / 2 + 40].map(i64::from)
    }

    /// Returns a pixel in the middle of the panel, which begins at the right edge of the view. The height is 0 at the
    /// top of the view and 1 at the bottom.
    pub(crate) fn panel_at(&self, height: f64) -> [i64; 2] {
        let [x, y, width, view_height] = self.view();
        let left = i64::from(x + width);
        [(left + i64::from(SIZE[0])) / 2, i64::from(y) + (height * f64::from(view_height)) as i64]
    }

    pub(crate) fn undo(&mut self) {
        self.events.push(json!({ "undo": true }));
        self.display.xdotool(&["key", "ctrl+z"]);
    }

    /// Returns the position of a handle when the window was last compared.
    pub(crate) fn handle(&self, name: &str) -> [i64; 2] {
        let at = &self.handles[name]["at"];
        let at = [&at[0], &at[1]].map(Value::as_i64);
        at.map(|at| at.unwrap_or_else(|| panic!("no {name} in {}", self.handles)))
    }

    /// Runs the events in headless mode, with an additional picture after the first `and_after` of
    /// them. Returns their lines, that picture and the last one.
    fn run_headless_with_midpoint(&mut self, and_after: usize) -> (Vec<Value>, Picture, Picture) {
        let (first, rest) = self.events.split_at(and_after);
        let picture = json!({ "screenshot": "before.png" });
        let events = [first, &[picture], rest, &[json!({ "handles": true })]].concat();
        let (mut lines, last) = run_headless(&self.scene, self.view(), &self.folder, &events);
        lines.remove(and_after);
        lines.truncate(events.len() - 1);
        self.handles = lines.pop().unwrap_or_default()["handles"].take();
        (lines, Picture::of_png(&self.path("before.png")), last)
    }

    fn assert_picture(&self, wanted: &Picture, when: &str) {
        // If the view is the whole window, the status line covers its lower edge.
        let [x, y, width, height] = self.view();
        let part = [x, y, width, height.min(SIZE[1] - STATUS_ROWS)];
        assert_shows_in(part, &self.display, wanted, (when, &self.folder));
    }

    /// Asserts that the view shows the result of the events, and returns the line of the last one.
    pub(crate) fn assert_shows(&mut self, when: &str) -> Value {
        let (mut lines, _, picture) = self.run_headless_with_midpoint(0);
        self.assert_picture(&picture, when);
        lines.pop().unwrap_or_default()
    }

    /// Drags a handle along a path of offsets, and compares the window before and after the release.
    /// Returns the last line.
    pub(crate) fn drag(&mut self, handle: &str, path: &[[i64; 2]]) -> Value {
        let [x, y] = self.handle(handle);
        self.move_to([x, y]);
        self.press(&[]);
        self.move_along(&path.iter().map(|[right, down]| [x + right, y + down]).collect::<Vec<_>>());
        // One headless run for both pictures, because it takes most of the time.
        let held = self.events.len();
        self.events.push(json!({ "release": "primary" }));
        let (mut lines, during, after) = self.run_headless_with_midpoint(held);
        assert_eq!(lines[held - 1]["dragging"], *handle, "{}", lines[held - 1]);
        self.assert_picture(&during, &format!("during a drag of {handle}"));
        self.display.xdotool(&["mouseup", "1"]);
        self.assert_picture(&after, &format!("after a drag of {handle}"));
        lines.pop().unwrap_or_default()
    }

    /// Returns the exact local transforms of the moved nodes, by name, as the window's own test records
    /// them. The test's folder must be the window's `--out`.
    pub(crate) fn moved_transforms(&self) -> Value {
        let test = self.path("test-1.json");
        let _ = std::fs::remove_file(&test);
        self.press_keys(&["ctrl+shift+r"]);
        let written = read_when_written(&test);
        let expect = written["events"].as_array().and_then(|events| events.last()).expect("there are events");
        expect["expect"]["targets"].clone()
    }
}

/// Waits for a file that is written atomically, and reads it.
pub(crate) fn read_when_written(path: &Path) -> Value {
    let started = Instant::now();
    loop {
        if let Ok(text) = std::fs::read_to_string(path) {
            return serde_json::from_str(&text).expect("the file is JSON");
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{} was not written", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}
