//! Tests of opening, editing and saving files with real keys. They check the files on disk.

use super::*;
use std::fs::File;

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

/// Returns the node's x in a file.
fn x_in(path: &Path) -> Option<f64> {
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    document["nodes"][0]["translation"][0].as_f64()
}

impl Driver {
    /// Opens `one.gltf` of two scenes.
    fn with_files(name: &str) -> Self {
        let folder = folder(name);
        let files = ["one.gltf", "two.gltf"].map(|name| folder.join(name));
        for (file, x) in files.iter().zip([1.0, 2.0]) {
            std::fs::write(file, scene(x)).expect("the target folder is writable");
        }
        let driver = Self::with(name, &[text(&files[0])]);
        driver.display.wait_for_title("one.gltf");
        driver
    }

    /// Types a path into the dialog that a key opens.
    pub(crate) fn type_path(&self, key: &str, path: &Path) {
        self.press_keys(&[key, "ctrl+a"]);
        self.display.xdotool(&["type", text(path)]);
        self.press_keys(&["Return"]);
    }

    /// Moves everything along X by a typed number.
    fn move_by(&self, digit: &str) {
        self.press_keys(&["a", "x", digit, "Return"]);
    }

    /// Waits until the node's x in a file has this value.
    fn wait_for_x(&self, name: &str, wanted: f64) {
        let path = self.path(name);
        self.display.wait(&format!("{name}: x does not become {wanted}"), || x_in(&path) == Some(wanted));
    }
}

#[test]
fn number_in_field_is_applied_before_saving_and_closing() {
    let mut driver = Driver::with_files("window-files-field");
    driver.press_keys(&["a", "F6", "F6", "4", "ctrl+s"]);
    driver.wait_for_x("one.gltf", 4.0);
    driver.display.wait_for_title("one.gltf");
    driver.press_keys(&["F6", "F6", "5"]);
    driver.display.ask_to_close("wgpu-gizmo");
    driver.display.wait_for_title("* one.gltf");
    driver.display.wait_until_still();
    assert!(driver.window.is_alive(), "the window asks");
    driver.press_keys(&["Return"]);
    assert!(exit_status(&mut driver.window.process, TIME_LIMIT).is_some(), "the window closes after saving");
    driver.wait_for_x("one.gltf", 5.0);
}

#[test]
fn digits_right_before_field_is_left_are_applied() {
    let mut driver = Driver::with_files("window-files-leave");
    let click = "mousemove 300 300 click 1";
    for (input, x) in
        [(["type 12", click], 12.0), (["type 34", "key F6"], 34.0), (["type 56", "key Tab"], 56.0)]
    {
        driver.press_keys(&["Escape", "a", "F6", "F6"]);
        driver.display.wait_until_still();
        driver.at_once(|driver| input.iter().for_each(|input| driver.send_unrecorded(input)));
        driver.press_keys(&["ctrl+s"]);
        driver.wait_for_x("one.gltf", x);
    }
}

#[test]
fn earlier_esc_does_not_close_dialog() {
    let driver = Driver::with_files("window-files-esc");
    // All keys after the first Esc wait until the dialog is closed, and then come at once.
    driver.press_keys(&["ctrl+o", "Escape", "Escape", "ctrl+o"]);
    driver.type_path("ctrl+a", &driver.path("two.gltf"));
    driver.display.wait_for_title("two.gltf");
}

#[test]
fn keyboard_drag_waits_for_open_dialog() {
    let driver = Driver::with_files("window-files-drag");
    driver.press_keys(&["a", "x", "5", "ctrl+s", "ctrl+o", "9", "Escape", "Return"]);
    driver.display.wait_for_title("* one.gltf");
    assert_eq!(x_in(&driver.path("one.gltf")), Some(1.0), "a pending drag is not saved");
    driver.press_keys(&["ctrl+s"]);
    driver.wait_for_x("one.gltf", 6.0);
}

#[test]
fn question_after_load_is_shown_without_input() {
    let driver = Driver::with_files("window-files-slow");
    let (small, large) =
        (r#""count": 3, "type": "VEC3", "bufferView": 0,"#, r#""count": 3000000, "type": "VEC3","#);
    let slow = scene(1.0).replace(small, large);
    std::fs::write(driver.path("slow.gltf"), slow).expect("the target folder is writable");
    driver.press_keys(&["a"]);
    let without_dialog = driver.display.picture();
    driver.type_path("ctrl+o", &driver.path("slow.gltf"));
    driver.press_keys(&["x", "5", "Return"]);
    driver.display.wait_for_title("* one.gltf");
    // A dialog darkens the whole window.
    driver.display.wait_for_change_in([0, 0, 16, 16], &without_dialog);
}

#[test]
fn file_written_by_another_program_is_reloaded() {
    let driver = Driver::with_files("window-reload");
    std::fs::write(driver.path("first.gltf"), scene(1.0)).expect("the target folder is writable");
    driver.send_unrecorded("mousemove 4 4");
    driver.move_by("5");
    driver.press_keys(&["ctrl+s"]);
    driver.wait_for_x("one.gltf", 6.0);
    std::fs::write(driver.path("one.gltf"), scene(1.25)).expect("the target folder is writable");
    // Camera and selection stay.
    let keys = ["a", "x", ".", "2", "5", "enter"].map(|key| json!({ "key": key }));
    let events = [&[json!({ "move": [4, 4] })], &keys[..]].concat();
    let view = [0, 0, SIZE[0], SIZE[1]];
    let (_, picture) = run_headless(&json!({ "gltf": "first.gltf" }), view, &driver.folder, &events);
    let (part, when) = ([0, 0, SIZE[0], SIZE[1] - STATUS_ROWS], "after another program has written the file");
    assert_shows_in(part, &driver.display, &picture, (when, &driver.folder));
    driver.press_keys(&["x", "1", "Return", "ctrl+s"]);
    driver.wait_for_x("one.gltf", 2.25);
}

#[test]
fn key_before_closing_is_not_lost_while_pick_is_pending() {
    let mut driver = Driver::new("window-close");
    driver.display.ask_to_close("wgpu-gizmo");
    assert!(exit_status(&mut driver.window.process, TIME_LIMIT).is_some(), "nothing has changed");
    driver.open_again(&[]);
    driver.at_once(|driver| {
        driver.click_node("crate", &[]);
        driver.press_keys(&["Delete"]);
        driver.display.ask_to_close("wgpu-gizmo");
    });
    driver.display.wait_for_title("* robot arm");
    assert!(driver.window.is_alive());
}

#[test]
fn keys_after_rename_are_its_name_while_pick_is_pending() {
    let (mut driver, recording) = Driver::recording("window-rename");
    driver.at_once(|driver| {
        driver.click_node("crate", &[]);
        // N would hide the panel, and with it the field that has all keys.
        driver.press_keys(&["F2", "n", "Return"]);
    });
    driver.display.wait_for_title("* robot arm");
    driver.press_keys(&["ctrl+r"]);
    let recorded = read_when_written(&recording);
    let events = recorded["events"].as_array().expect("a recording has events");
    assert!(events.iter().any(|event| event["edit"]["name"] == "Rename crate to n"), "{recorded}");
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
    let name = "window-from-desktop";
    let folder = folder(name);
    std::fs::write(folder.join("broken.gltf"), "{ not a scene").expect("the target folder is writable");
    std::fs::write(folder.join("one.gltf"), scene(1.0)).expect("the target folder is writable");
    let broken = folder.join("broken.gltf").to_string_lossy().into_owned();
    // In a terminal the line is enough.
    let output = Command::new(VIEWER).arg(&broken).output().expect("the viewer runs");
    assert_eq!(output.status.code(), Some(2));
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(line.contains("broken.gltf"), "{line}");

    let errors = folder.join("errors.txt");
    let mut driver = Driver::start(name, |display| {
        let mut command = display.command(VIEWER);
        command.args(["--no-panel", "--from-desktop", &broken]);
        Window::start(display, command.stderr(File::create(&errors).expect("the target folder is writable")))
    });
    driver.display.wait("the message is not on stderr", || {
        std::fs::read_to_string(&errors).is_ok_and(|text| text.contains(line.trim()))
    });
    // The message takes the keys until it is closed; then a scene can be opened.
    driver.display.wait_until_still();
    let shown = driver.display.picture();
    driver.press_keys(&["Escape"]);
    driver.display.wait_for_change(&shown);
    driver.type_path("ctrl+o", &driver.path("one.gltf"));
    driver.display.wait_for_title("one.gltf");
    assert!(driver.window.is_alive());
}
