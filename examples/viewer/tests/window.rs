//! The viewer in a real window, driven as a person would: Xvfb shows it, xdotool is the hand.
//! What the window shows is compared with what the same events give without one.

#[path = "window/carrying.rs"]
mod carrying;
#[path = "window/display.rs"]
mod display;
#[path = "window/files.rs"]
mod files;
#[path = "window/panel.rs"]
mod panel;
#[path = "window/recording.rs"]
mod recording;
#[path = "window/selecting.rs"]
mod selecting;

use display::{Display, Picture};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

const VIEWER: &str = env!("CARGO_BIN_EXE_wgpu-gizmo-viewer");
const SIZE: [u32; 2] = [1280, 800];
/// The status line at the bottom is in the window only.
const STATUS_ROWS: u32 = 40;

/// The viewer in a window; closed when dropped.
struct Window(Child);

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Window {
    /// Without the panel, so that the whole window is the view.
    fn open(display: &Display, arguments: &[&str]) -> Self {
        Self::open_with_panel(display, &[&["--no-panel"], arguments].concat())
    }

    fn open_with_panel(display: &Display, arguments: &[&str]) -> Self {
        let child = display.command(VIEWER).args(arguments).spawn().expect("the viewer starts");
        let window = Self(child);
        display.hand(&["search", "--sync", "--onlyvisible", "--name", "wgpu-gizmo"]);
        // A key that comes before the window's first frame may be lost on a busy machine.
        let started = Instant::now();
        while display.picture().is_black() {
            assert!(started.elapsed() < Duration::from_secs(60), "the window draws nothing");
            std::thread::sleep(Duration::from_millis(50));
        }
        display.hand(&["search", "--name", "wgpu-gizmo", "windowfocus", "--sync"]);
        window
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("a child of ours").is_none()
    }
}

/// Runs events on the built-in scene without a window. Gives the lines, and the last picture.
fn without_window(folder: &Path, events: &[Value]) -> (Vec<Value>, Picture) {
    without_window_in([0, 0, SIZE[0], SIZE[1]], folder, events)
}

/// The same where the view is this part of the window: x, y, width and height.
fn without_window_in(viewport: [u32; 4], folder: &Path, events: &[Value]) -> (Vec<Value>, Picture) {
    without_window_of(&json!({ "built_in": "robot_arm" }), viewport, folder, events)
}

/// The same with this scene.
fn without_window_of(
    scene: &Value,
    viewport: [u32; 4],
    folder: &Path,
    events: &[Value],
) -> (Vec<Value>, Picture) {
    let replay = json!({
        "version": 1,
        "size_px": SIZE,
        "viewport": viewport,
        "scene": scene,
        "view_cube": true,
        "events": events,
    });
    let (file, picture) = (folder.join("replay.json"), folder.join("picture.png"));
    std::fs::write(&file, replay.to_string()).expect("a folder of ours");
    let output = Command::new(VIEWER)
        .args(["--headless", "--replay"])
        .arg(&file)
        .arg("--out")
        .arg(folder)
        .arg("--screenshot")
        .arg(&picture)
        .output()
        .expect("the viewer runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    (lines, Picture::of_png(&picture))
}

/// A pixel of the node of this name, with some of it all round.
fn pixel_of(folder: &Path, node: &str) -> [usize; 2] {
    pixel_in([0, 0, SIZE[0], SIZE[1]], folder, node)
}

fn pixel_in(viewport: [u32; 4], folder: &Path, node: &str) -> [usize; 2] {
    let (lines, _) = without_window_in(viewport, folder, &[json!({ "dump_ids": "ids" })]);
    let dump = std::fs::read(lines[0]["path"].as_str().expect("a path")).expect("the dump");
    let [width, height] = SIZE.map(|side| side as usize);
    let id = |x: usize, y: usize| &dump[4 * (y * width + x)..][..4];
    let inside = |[x, y]: &[usize; 2]| {
        let round = [[x - 8, *y], [x + 8, *y], [*x, y - 8], [*x, y + 8]];
        id(*x, *y) != [0; 4] && round.iter().all(|[i, j]| id(*i, *j) == id(*x, *y))
    };
    let mut spots: Vec<[usize; 2]> =
        (8..height - 48).flat_map(|y| (8..width - 8).map(move |x| [x, y])).filter(inside).collect();
    spots.sort_by_key(|[x, y]| id(*x, *y));
    spots.dedup_by_key(|[x, y]| id(*x, *y));
    let events: Vec<Value> = spots.iter().map(|spot| json!({ "pick": spot })).collect();
    let (lines, _) = without_window_in(viewport, folder, &events);
    let found = spots.iter().zip(&lines).find(|(_, line)| line["hit"]["object"] == node);
    *found.unwrap_or_else(|| panic!("{node} is nowhere to be seen")).0
}

/// Waits for the window to show `wanted`, but for the status line and a few pixels.
fn assert_shows(display: &Display, wanted: &Picture, when: &str, folder: &Path) {
    assert_shows_in([0, 0, SIZE[0], SIZE[1] - STATUS_ROWS], display, wanted, (when, folder));
}

/// The same for this part of the window.
fn assert_shows_in(part: [u32; 4], display: &Display, wanted: &Picture, (when, folder): (&str, &Path)) {
    let started = Instant::now();
    let mut difference = 1.0;
    while started.elapsed() < Duration::from_secs(30) {
        let shown = display.picture();
        difference = shown.difference(wanted, part);
        if difference < 0.001 {
            return;
        }
        shown.save(&folder.join("shown.png"));
        wanted.save(&folder.join("wanted.png"));
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{when}: {:.2} % of the pixels differ; see {}", 100.0 * difference, folder.display());
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("cargo's own folder");
    folder
}

#[test]
fn a_node_is_clicked_dragged_along_x_and_put_back() {
    let folder = folder("window-drag");
    let display = Display::open(SIZE, &folder);
    let _window = Window::open(&display, &[]);

    let [x, y] = pixel_of(&folder, "forearm");
    let mut events =
        vec![json!({ "move": [x, y] }), json!({ "press": "primary" }), json!({ "release": "primary" })];
    display.hand(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    let (lines, selected) = without_window(&folder, &events);
    assert!(lines[2]["targets"]["forearm"].is_object(), "{}", lines[2]);
    assert_shows(&display, &selected, "after the click", &folder);

    let (lines, _) = without_window(&folder, &[&events[..], &[json!({ "handles": true })]].concat());
    let at = &lines[3]["handles"]["translate_x"]["at"];
    let (x, y) = (at[0].as_i64().expect("a column"), at[1].as_i64().expect("a row"));
    events.push(json!({ "move": [x, y] }));
    events.push(json!({ "press": "primary" }));
    display.hand(&["mousemove", &x.to_string(), &y.to_string(), "mousedown", "1"]);
    for step in 1..=6 {
        let (x, y) = (x + 15 * step, y + 5 * step);
        events.push(json!({ "move": [x, y] }));
        display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
    }
    let (_, dragging) = without_window(&folder, &events);
    assert_shows(&display, &dragging, "in the drag", &folder);
    events.push(json!({ "release": "primary" }));
    display.hand(&["mouseup", "1"]);
    let (lines, dragged) = without_window(&folder, &events);
    let moved = &lines[events.len() - 1]["targets"]["forearm"]["translation"];
    assert_ne!(moved, &lines[2]["targets"]["forearm"]["translation"], "the drag moved the node");
    assert_shows(&display, &dragged, "after the drag", &folder);

    events.push(json!({ "undo": true }));
    display.hand(&["key", "ctrl+z"]);
    let (lines, undone) = without_window(&folder, &events);
    assert_eq!(lines[events.len() - 1]["targets"], lines[2]["targets"]);
    assert_shows(&display, &undone, "after undo", &folder);
}

/// Moves there and clicks, with shift or without.
fn click(display: &Display, [x, y]: [usize; 2], shift: bool, events: &mut Vec<Value>) {
    let mods = if shift { json!(["shift"]) } else { json!([]) };
    events.push(json!({ "move": [x, y] }));
    events.push(json!({ "press": "primary", "mods": mods }));
    events.push(json!({ "release": "primary" }));
    let (x, y) = (x.to_string(), y.to_string());
    if shift {
        display.hand(&["keydown", "shift", "mousemove", &x, &y, "click", "1", "keyup", "shift"]);
    } else {
        display.hand(&["mousemove", &x, &y, "click", "1"]);
    }
}

#[test]
fn two_nodes_are_moved_by_what_is_typed_and_dragged_in_one_of_four_views() {
    let folder = folder("window-four");
    let display = Display::open(SIZE, &folder);
    let _window = Window::open(&display, &[]);
    let mut events = Vec::new();
    let shows = |events: &[Value], when: &str| {
        let (lines, picture) = without_window(&folder, events);
        assert_shows(&display, &picture, when, &folder);
        lines[events.len() - 1].clone()
    };

    click(&display, pixel_of(&folder, "forearm"), false, &mut events);
    shows(&events, "after a click");
    click(&display, pixel_of(&folder, "crate"), true, &mut events);
    let line = shows(&events, "after a click with shift");
    assert!(line["targets"]["forearm"].is_object() && line["targets"]["crate"].is_object(), "{line}");

    let start = line["targets"]["crate"]["translation"][0].as_f64().expect("a number");
    for (key, name) in [("x", "x"), ("-", "minus"), ("1", "1"), (".", "period"), ("2", "2")] {
        events.push(json!({ "key": key }));
        display.hand(&["key", name]);
    }
    let line = shows(&events, "while a number is typed");
    let typed = line["targets"]["crate"]["translation"][0].as_f64().expect("a number");
    assert!((typed - (start - 1.2)).abs() < 1e-12, "{line}");
    events.extend([json!({ "key": "enter" }), json!({ "key": "f4" })]);
    display.hand(&["key", "Return", "key", "F4"]);
    shows(&events, "with four views");

    // Into the view from the front: bottom left.
    events.push(json!({ "move": [40, 440] }));
    display.hand(&["mousemove", "40", "440"]);
    let (lines, _) = without_window(&folder, &[&events[..], &[json!({ "handles": true })]].concat());
    let at = &lines[events.len()]["handles"]["translate_y"]["at"];
    let (x, y) = (at[0].as_i64().expect("a column"), at[1].as_i64().expect("a row"));
    events.push(json!({ "move": [x, y] }));
    shows_hovered(&display, &folder, &events, [x, y]);
    events.push(json!({ "press": "primary" }));
    display.hand(&["mousedown", "1"]);
    for step in 1..=4 {
        let (x, y) = (x + 9 * step, y - 20 * step);
        events.push(json!({ "move": [x, y] }));
        display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
    }
    shows(&events, "in a drag in the view from the front");
    events.push(json!({ "release": "primary" }));
    display.hand(&["mouseup", "1"]);
    shows(&events, "after it");
}

fn shows_hovered(display: &Display, folder: &Path, events: &[Value], [x, y]: [i64; 2]) {
    display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
    let (lines, picture) = without_window(folder, events);
    assert_eq!(lines[events.len() - 1]["hover"], "translate_y");
    assert_shows(display, &picture, "with the pointer on an arrow", folder);
}

#[test]
fn a_window_resized_in_the_middle_of_a_drag_survives() {
    let folder = folder("window-resize");
    let display = Display::open(SIZE, &folder);
    let mut window = Window::open(&display, &[]);
    let [x, y] = pixel_of(&folder, "forearm");
    display.hand(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    display.hand(&["mousemove", &x.to_string(), &y.to_string(), "mousedown", "1"]);
    for size in [["300", "200"], ["1", "1"], ["1280", "800"]] {
        display.hand(&["search", "--name", "wgpu-gizmo", "windowsize", size[0], size[1]]);
        display.hand(&["mousemove_relative", "--", "7", "-3"]);
        std::thread::sleep(Duration::from_millis(300));
        assert!(window.is_alive(), "after a resize to {size:?}");
    }
    display.hand(&["search", "--name", "wgpu-gizmo", "windowminimize"]);
    display.hand(&["mouseup", "1", "key", "Escape"]);
    std::thread::sleep(Duration::from_millis(300));
    assert!(window.is_alive(), "after it was minimised");
}
