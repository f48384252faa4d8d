//! Tests of opening, editing and saving files with real keys. They check the files on disk.

use super::{Display, SIZE, STATUS_ROWS, VIEWER, Window, assert_shows_in, folder, run_headless};
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Returns a scene of one node at this x.
pub(crate) fn scene(x: f64) -> String {
    format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scenes": [ {{ "nodes": [0] }} ], "extras": "kept",
  "nodes": [ {{ "name": "a", "translation": [{x}, 0, 0], "mesh": 0 }} ],
  "meshes": [ {{ "primitives": [ {{ "attributes": {{ "POSITION": 0 }} }} ] }} ],
  "accessors": [ {{ "componentType": 5126, "count": 3, "type": "VEC3", "bufferView": 0,
    "min": [-1, -1, 0], "max": [1, 1, 0] }} ], "bufferViews": [ {{ "buffer": 0, "byteLength": 36 }} ],
  "buffers": [ {{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA" }} ] }}"#
    )
}

/// Waits until the node's x in a file is `wanted` and returns it. Returns the last value after a
/// timeout.
fn x_in(path: &Path, wanted: f64) -> f64 {
    let started = Instant::now();
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        let x = document["nodes"][0]["translation"][0].as_f64().unwrap_or(f64::NAN);
        if x == wanted || started.elapsed() > Duration::from_secs(30) {
            return x;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

struct Session {
    // Declared first, so that the window closes before its display.
    window: Window,
    display: Display,
    folder: PathBuf,
}

impl Session {
    fn open(name: &str, file: Option<&str>) -> Self {
        let folder = folder(name);
        std::fs::write(folder.join("one.gltf"), scene(1.0)).expect("the target folder is writable");
        std::fs::write(folder.join("two.gltf"), scene(2.0)).expect("the target folder is writable");
        let _ = std::fs::remove_file(folder.join("copy.gltf"));
        let display = Display::open(SIZE, &folder);
        let file = file.map(|file| folder.join(file).to_string_lossy().into_owned());
        let window = Window::open(
            &display,
            &["--no-panel"].into_iter().chain(file.iter().map(String::as_str)).collect::<Vec<_>>(),
        );
        let session = Self { display, window, folder };
        if let Some(file) = file {
            session.display.wait_for_title(
                Path::new(&file)
                    .file_name()
                    .expect("the path has a file name")
                    .to_str()
                    .expect("the name is UTF-8"),
            );
        }
        session
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn keys(&self, keys: &[&str]) {
        self.display.xdotool(&[&["key"], keys].concat());
    }

    /// Types a path into the dialog that a key opens.
    fn dialog(&self, key: &str, name: &str) {
        self.keys(&[key, "ctrl+a"]);
        self.display.xdotool(&["type", &self.path(name).to_string_lossy()]);
        self.keys(&["Return"]);
    }

    /// Moves everything along X by a typed number.
    fn move_by(&self, digit: &str) {
        self.keys(&["a", "x", digit, "Return"]);
    }
}

#[test]
fn scene_is_edited_saved_and_reopened() {
    let session = Session::open("window-files", None);
    session.dialog("ctrl+o", "one.gltf");
    session.display.wait_for_title("one.gltf");
    session.move_by("5");
    session.display.wait_for_title("* one.gltf");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
    let text = std::fs::read_to_string(session.path("one.gltf")).expect("the file was saved");
    assert_eq!(text, scene(1.0).replace("[1, 0, 0]", "[6, 0, 0]"), "nothing else has changed");
    session.dialog("ctrl+o", "two.gltf");
    session.display.wait_for_title("two.gltf");
    session.move_by("3");
    session.dialog("ctrl+shift+s", "copy.gltf");
    assert_eq!(x_in(&session.path("copy.gltf"), 5.0), 5.0);
    assert_eq!(x_in(&session.path("two.gltf"), 2.0), 2.0);
    // Opening the saved file continues from there.
    session.dialog("ctrl+o", "one.gltf");
    session.display.wait_for_title("one.gltf");
    session.move_by("1");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 7.0), 7.0);
}

#[test]
fn number_in_field_is_applied_before_saving() {
    let session = Session::open("window-files-field", Some("one.gltf"));
    session.keys(&["a", "F6", "F6", "4", "ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 4.0), 4.0);
}

#[test]
fn keyboard_drag_waits_for_open_dialog() {
    let session = Session::open("window-files-drag", Some("one.gltf"));
    session.keys(&["a", "x", "5", "ctrl+s", "ctrl+o", "9", "Escape", "Return"]);
    session.display.wait_for_title("* one.gltf");
    assert_eq!(x_in(&session.path("one.gltf"), 1.0), 1.0, "a pending drag is not saved");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
}

#[test]
fn file_written_by_another_program_is_reloaded() {
    let session = Session::open("window-reload", Some("one.gltf"));
    std::fs::write(session.path("first.gltf"), scene(1.0)).expect("the target folder is writable");
    session.display.xdotool(&["mousemove", "4", "4"]);
    session.move_by("5");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
    std::fs::write(session.path("one.gltf"), scene(1.25)).expect("the target folder is writable");
    // Camera and selection stay.
    let keys = ["a", "x", ".", "2", "5", "enter"].map(|key| json!({ "key": key }));
    let events = [&[json!({ "move": [4, 4] })], &keys[..]].concat();
    let view = [0, 0, SIZE[0], SIZE[1]];
    let (_, picture) = run_headless(&json!({ "gltf": "first.gltf" }), view, &session.folder, &events);
    let (part, when) = ([0, 0, SIZE[0], SIZE[1] - STATUS_ROWS], "after another program has written the file");
    assert_shows_in(part, &session.display, &picture, (when, &session.folder));
    session.keys(&["x", "1", "Return", "ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 2.25), 2.25);
}

#[test]
fn window_with_unsaved_changes_asks_before_closing() {
    let mut session = Session::open("window-quit", Some("one.gltf"));
    session.move_by("5");
    session.display.wait_for_title("* one.gltf");
    let before = session.display.picture();
    session.keys(&["ctrl+q"]);
    session.display.wait_for_change(&before);
    assert!(session.window.is_alive(), "the window asks");
    let asked = session.display.picture();
    session.keys(&["Escape"]);
    session.display.wait_for_change(&asked);
    assert!(session.window.is_alive(), "closing was canceled");
    assert_eq!(x_in(&session.path("one.gltf"), 1.0), 1.0);
    // Enter saves.
    session.keys(&["ctrl+q", "Return"]);
    let started = Instant::now();
    while session.window.is_alive() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!session.window.is_alive(), "the window closes after saving");
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
}

/// The drag of a wheel has no release, and looks complete.
#[test]
fn turn_of_wheel_is_not_lost_by_closing() {
    let folder = folder("window-wheel");
    let events = [
        json!({ "select": ["crate"] }),
        json!({ "set": { "mode": "rotate", "wheel_nudge": true } }),
        json!({ "handles": true }),
    ];
    let scene = json!({ "built_in": "robot_arm" });
    let (lines, _) = run_headless(&scene, [0, 0, SIZE[0], SIZE[1]], &folder, &events);
    let [x, y] = [0, 1].map(|axis| lines[2]["handles"]["rotate_z"]["at"][axis].to_string());
    let display = Display::open(SIZE, &folder);
    let mut window = Window::open(&display, &["--replay", &folder.join("replay.json").to_string_lossy()]);
    for input in [&["mousemove", &x, &y][..], &["click", "4"]] {
        display.wait_until_still();
        let before = display.picture();
        display.xdotool(input);
        display.wait_for_change(&before);
    }
    display.xdotool(&["key", "ctrl+q"]);
    display.wait_for_title("* replay");
    assert!(window.is_alive());
}

#[test]
fn broken_file_from_desktop_is_shown_and_printed() {
    let folder = folder("window-from-desktop");
    std::fs::write(folder.join("broken.gltf"), "{ not a scene").expect("the target folder is writable");
    std::fs::write(folder.join("one.gltf"), scene(1.0)).expect("the target folder is writable");
    let broken = folder.join("broken.gltf").to_string_lossy().into_owned();
    // In a terminal the line is enough.
    let output = Command::new(VIEWER).arg(&broken).output().expect("the viewer runs");
    assert_eq!(output.status.code(), Some(2));
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(line.contains("broken.gltf"), "{line}");

    let display = Display::open(SIZE, &folder);
    let errors = folder.join("errors.txt");
    let mut command = display.command(VIEWER);
    command.args(["--no-panel", "--from-desktop", &broken]);
    command.stderr(File::create(&errors).expect("the target folder is writable"));
    let mut window = Window::start(&display, &mut command);
    display.wait("the message is not on stderr", || {
        std::fs::read_to_string(&errors).is_ok_and(|text| text.contains(line.trim()))
    });
    // The message takes the keys until it is closed; then a scene can be opened.
    display.wait_until_still();
    let shown = display.picture();
    display.xdotool(&["key", "Escape"]);
    display.wait_for_change(&shown);
    display.xdotool(&["key", "ctrl+o", "ctrl+a"]);
    display.xdotool(&["type", &folder.join("one.gltf").to_string_lossy()]);
    display.xdotool(&["key", "Return"]);
    display.wait_for_title("one.gltf");
    assert!(window.is_alive());
}
