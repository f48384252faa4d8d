//! Files opened, moved, saved and opened again, with real keys; what counts is what is on disk.

use super::{Display, SIZE, STATUS_ROWS, Window, assert_shows_in, folder, without_window_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A scene of one node, at this x.
fn scene(x: f64) -> String {
    format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scenes": [ {{ "nodes": [0] }} ], "extras": "kept",
  "nodes": [ {{ "name": "a", "translation": [{x}, 0, 0], "mesh": 0 }} ],
  "meshes": [ {{ "primitives": [ {{ "attributes": {{ "POSITION": 0 }} }} ] }} ],
  "accessors": [ {{ "componentType": 5126, "count": 3, "type": "VEC3", "bufferView": 0,
    "min": [-1, -1, 0], "max": [1, 1, 0] }} ], "bufferViews": [ {{ "buffer": 0, "byteLength": 36 }} ],
  "buffers": [ {{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA" }} ] }}"#
    )
}

/// The node's x, once it is `wanted`; what it is after half a minute otherwise.
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
    // First, so that it is closed before its display is.
    window: Window,
    display: Display,
    folder: PathBuf,
}

impl Session {
    fn open(name: &str, file: Option<&str>) -> Self {
        let folder = folder(name);
        std::fs::write(folder.join("one.gltf"), scene(1.0)).expect("cargo's own folder");
        std::fs::write(folder.join("two.gltf"), scene(2.0)).expect("cargo's own folder");
        let _ = std::fs::remove_file(folder.join("copy.gltf"));
        let display = Display::open(SIZE, &folder);
        let file = file.map(|file| folder.join(file).to_string_lossy().into_owned());
        let window = Window::open(
            &display,
            &["--no-panel"].into_iter().chain(file.iter().map(String::as_str)).collect::<Vec<_>>(),
        );
        let session = Self { display, window, folder };
        if let Some(file) = file {
            session
                .display
                .wait_for_title(Path::new(&file).file_name().expect("a name").to_str().expect("UTF-8"));
        }
        session
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn keys(&self, keys: &[&str]) {
        self.display.hand(&[&["key"], keys].concat());
    }

    /// Types a path into the dialog that a key brings.
    fn dialog(&self, key: &str, name: &str) {
        self.keys(&[key, "ctrl+a"]);
        self.display.hand(&["type", &self.path(name).to_string_lossy()]);
        self.keys(&["Return"]);
    }

    /// Everything along X, by a typed number.
    fn move_by(&self, digit: &str) {
        self.keys(&["a", "x", digit, "Return"]);
    }
}

#[test]
fn a_scene_is_opened_moved_saved_and_opened_again() {
    let session = Session::open("window-files", None);
    session.dialog("ctrl+o", "one.gltf");
    session.display.wait_for_title("one.gltf");
    session.move_by("5");
    session.display.wait_for_title("* one.gltf");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
    let text = std::fs::read_to_string(session.path("one.gltf")).expect("saved");
    assert_eq!(text, scene(1.0).replace("[1, 0, 0]", "[6, 0, 0]"), "nothing else has changed");
    session.dialog("ctrl+o", "two.gltf");
    session.display.wait_for_title("two.gltf");
    session.move_by("3");
    session.dialog("ctrl+shift+s", "copy.gltf");
    assert_eq!(x_in(&session.path("copy.gltf"), 5.0), 5.0);
    assert_eq!(x_in(&session.path("two.gltf"), 2.0), 2.0);
    // What was saved is what is opened: it goes on from there.
    session.dialog("ctrl+o", "one.gltf");
    session.display.wait_for_title("one.gltf");
    session.move_by("1");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 7.0), 7.0);
}

#[test]
fn a_drag_by_keys_waits_for_the_dialog_that_is_opened_in_it() {
    let session = Session::open("window-files-drag", Some("one.gltf"));
    session.keys(&["a", "x", "5", "ctrl+s", "ctrl+o", "9", "Escape", "Return"]);
    session.display.wait_for_title("* one.gltf");
    assert_eq!(x_in(&session.path("one.gltf"), 1.0), 1.0, "what is not done yet is not saved");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
}

#[test]
fn a_file_that_another_program_writes_is_shown_as_it_is_then() {
    let session = Session::open("window-reload", Some("one.gltf"));
    std::fs::write(session.path("first.gltf"), scene(1.0)).expect("cargo's own folder");
    session.display.hand(&["mousemove", "4", "4"]);
    session.move_by("5");
    session.keys(&["ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
    std::fs::write(session.path("one.gltf"), scene(1.25)).expect("cargo's own folder");
    // Camera and selection stay.
    let keys = ["a", "x", ".", "2", "5", "enter"].map(|key| json!({ "key": key }));
    let events = [&[json!({ "move": [4, 4] })], &keys[..]].concat();
    let view = [0, 0, SIZE[0], SIZE[1]];
    let (_, picture) = without_window_of(&json!({ "gltf": "first.gltf" }), view, &session.folder, &events);
    let (part, when) = ([0, 0, SIZE[0], SIZE[1] - STATUS_ROWS], "after another program has written the file");
    assert_shows_in(part, &session.display, &picture, (when, &session.folder));
    session.keys(&["x", "1", "Return", "ctrl+s"]);
    assert_eq!(x_in(&session.path("one.gltf"), 2.25), 2.25);
}

#[test]
fn a_window_with_unsaved_changes_asks_before_it_closes() {
    let mut session = Session::open("window-quit", Some("one.gltf"));
    session.move_by("5");
    session.display.wait_for_title("* one.gltf");
    let unasked = session.display.picture();
    session.keys(&["ctrl+q"]);
    session.display.wait_for_other_than(&unasked);
    assert!(session.window.is_alive(), "it asks");
    let asked = session.display.picture();
    session.keys(&["Escape"]);
    session.display.wait_for_other_than(&asked);
    assert!(session.window.is_alive(), "it was told not to");
    assert_eq!(x_in(&session.path("one.gltf"), 1.0), 1.0);
    // Enter saves.
    session.keys(&["ctrl+q", "Return"]);
    let started = Instant::now();
    while session.window.is_alive() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!session.window.is_alive(), "saved, it closes");
    assert_eq!(x_in(&session.path("one.gltf"), 6.0), 6.0);
}
