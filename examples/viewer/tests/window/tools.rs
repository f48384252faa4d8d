//! Tests of the toolbar, the menus, the hints and the keymap with a real mouse and real keys.

use super::driver::Driver;
use super::recording::wait_for_recording;
use super::{SIZE, STATUS_ROWS};
use serde_json::json;
use std::time::Duration;

/// Centers of buttons of the toolbar, in the window.
const ROTATE: [&str; 2] = ["20", "115"];
const GRID: [&str; 2] = ["20", "535"];
/// The status line.
const STATUS: [u32; 4] = [280, SIZE[1] - 28, 600, 26];

impl Driver {
    fn click_outside_view(&self, [x, y]: [&str; 2]) {
        self.send_unrecorded(&["mousemove", x, y]);
        // The window learns what is under the pointer only in the next frame.
        std::thread::sleep(Duration::from_millis(500));
        self.send_unrecorded(&["click", "1"]);
        std::thread::sleep(Duration::from_millis(500));
    }

    /// Opens the built-in scene with a keymap and more arguments, without the panel.
    fn with_keymap(name: &str, keymap: &str, arguments: &[&str]) -> Self {
        let mut driver = Self::new(name);
        let folder = driver.display.data().join("wgpu-gizmo");
        std::fs::create_dir_all(&folder).expect("the folder is writable");
        let preferences = json!({ "keymap": keymap }).to_string();
        std::fs::write(folder.join("window.json"), preferences).expect("the folder is writable");
        driver.open_again(arguments);
        driver
    }
}

#[test]
fn toolbar_selects_mode_and_hides_grid() {
    let mut driver = Driver::with_panel("window-toolbar");
    driver.click_node("forearm", &[]);
    driver.assert_shows("after a click");
    driver.click_outside_view(ROTATE);
    driver.events.push(json!({ "key": "e" }));
    driver.events.push(json!({ "move": [44, 34] }));
    let line = driver.assert_shows("with rings");
    assert!(line["targets"]["forearm"].is_object(), "the click on the button selects nothing: {line}");
    driver.click_outside_view(GRID);
    driver.events.push(json!({ "key": "g", "mods": ["shift"] }));
    driver.assert_shows("without the grid");
}

#[test]
fn menu_of_node_hides_it() {
    let mut driver = Driver::with_panel("window-menu");
    let [x, y] = driver.pixel_of("forearm");
    driver.move_to([x, y]);
    let line = driver.assert_shows("with the pointer on a node");
    assert_eq!(line["object"], "forearm");
    let before = driver.display.picture();
    driver.send_unrecorded(&["click", "3"]);
    let corner = [x as u32 + 4, y as u32 + 4, 60, 60];
    driver.display.wait_for_change_in(corner, &before);
    // The menu selects the node first. Its fourth command hides the node.
    let at = [x + 60, y + HIDE_LPX];
    let opened = driver.display.picture();
    let [column, row] = at.map(|at| at.to_string());
    driver.send_unrecorded(&["mousemove", &column, &row]);
    let item = [at[0] as u32 + 30, at[1] as u32 - 9, 100, 18];
    driver.display.wait_for_change_in(item, &opened);
    driver.send_unrecorded(&["click", "1"]);
    driver.display.wait_for_title("* robot arm");
    driver.send_unrecorded(&["mousemove", "44", "34"]);
    driver.events.extend([
        json!({ "select": ["forearm"] }),
        json!({ "key": "h" }),
        json!({ "move": [44, 34] }),
    ]);
    driver.assert_shows("without the node");
}

/// The distance from the corner of the menu to its command Hide, in pixels.
const HIDE_LPX: i64 = 126;

#[test]
fn status_line_follows_what_is_hovered() {
    let mut driver = Driver::with_panel("window-hints");
    driver.click_node("crate", &[]);
    driver.move_to([60, 60]);
    driver.assert_shows("with the pointer on nothing");
    let nothing = driver.display.picture();
    let handle = driver.handle("translate_y");
    driver.move_to(handle);
    driver.display.wait_for_change_in(STATUS, &nothing);
    let hovered = driver.display.picture();
    driver.press(&[]);
    driver.display.wait_for_change_in(STATUS, &hovered);
    driver.release(&[]);
    driver.move_to([60, 60]);
    let is_back = || driver.display.picture().difference(&nothing, STATUS) < 0.001;
    driver.display.wait("the hints for nothing come back", is_back);
}

#[test]
fn readout_is_beside_pointer_far_from_pivot() {
    let mut driver = Driver::with_panel("window-hand");
    driver.click_node("crate", &[]);
    let [x, y] = [60, 100];
    driver.move_to([x, y]);
    driver.assert_shows("before the drag");
    let before = driver.display.picture();
    driver.events.push(json!({ "grab": "translate_view" }));
    driver.send_unrecorded(&["key", "g"]);
    driver.move_to([x + 20, y]);
    let readouts = driver.ask(&[json!({ "readouts": true })]).remove(0);
    let [right, down] =
        [0, 1].map(|i| readouts["readouts"][0]["at"][i].as_f64().expect("there is a readout"));
    let distance = (right - x as f64 - 20.0).hypot(down - y as f64);
    assert!(distance < 160.0, "{readouts} is far from the pointer");
    let beside = [right as u32 - 2, down as u32 - 7, 12, 14];
    let is_shown = || driver.display.picture().difference(&before, beside) > 0.5;
    driver.display.wait("the amount is beside the pointer", is_shown);
    driver.keys(&[("escape", "Escape")]);
    let is_gone = || driver.display.picture().difference(&before, beside) < 0.01;
    driver.display.wait("the amount is gone after Esc", is_gone);
}

#[test]
fn key_grabs_selection_until_click_enter_or_escape() {
    let mut driver = Driver::with_keymap("window-grab", "Blender", &[]);
    driver.click_node("crate", &[]);
    let before = driver.assert_shows("after a click");
    let grab = |driver: &mut Driver, key: &str, handle: &str| {
        driver.events.push(json!({ "grab": handle }));
        driver.send_unrecorded(&["key", key]);
    };
    // G follows the pointer, and a click confirms.
    driver.move_to([500, 300]);
    grab(&mut driver, "g", "translate_view");
    driver.move_along(&[[520, 310], [560, 300]]);
    let line = driver.assert_shows("during a drag that a key began");
    assert_eq!(line["dragging"], "translate_view", "{line}");
    driver.press(&[]);
    driver.release(&[]);
    let moved = driver.assert_shows("after the click");
    assert!(moved["dragging"].is_null() && moved["targets"] != before["targets"], "{moved}");
    // R with an axis and a number, confirmed by Enter.
    grab(&mut driver, "r", "rotate_view");
    driver.move_to([600, 360]);
    driver.keys(&[("z", "z"), ("3", "3"), ("0", "0"), ("enter", "Return")]);
    let turned = driver.assert_shows("after a number was typed");
    assert_ne!(turned["targets"], moved["targets"]);
    // S, canceled by the right button.
    grab(&mut driver, "s", "scale_uniform");
    driver.move_to([700, 360]);
    driver.assert_shows("while the node is scaled");
    driver.events.push(json!({ "cancel": true }));
    driver.send_unrecorded(&["click", "3"]);
    let canceled = driver.assert_shows("after the right button");
    assert_eq!(canceled["targets"], turned["targets"]);
    // An axis key, canceled by Esc.
    grab(&mut driver, "y", "translate_view");
    driver.events.push(json!({ "key": "y" }));
    driver.move_to([700, 300]);
    let line = driver.assert_shows("during a drag along Y");
    assert_eq!(line["dragging"], "translate_y", "{line}");
    driver.keys(&[("escape", "Escape")]);
    let canceled = driver.assert_shows("after Esc");
    assert_eq!(canceled["targets"], turned["targets"]);
    driver.undo();
    driver.undo();
    let undone = driver.assert_shows("after undo");
    assert_eq!(undone["targets"], before["targets"], "each drag is one step");
}

#[test]
fn copy_follows_pointer_with_keys_of_blender() {
    let mut driver = Driver::with_keymap("window-copy", "Blender", &[]);
    driver.click_node("crate", &[]);
    driver.move_to([500, 300]);
    driver.assert_shows("after a click");
    driver.send_unrecorded(&["key", "shift+d"]);
    driver.events.push(json!({ "key": "d", "mods": ["ctrl"] }));
    driver.events.push(json!({ "grab": "translate_view" }));
    driver.move_to([560, 330]);
    let line = driver.assert_shows("while the copy follows the pointer");
    assert_eq!(line["dragging"], "translate_view", "{line}");
    driver.press(&[]);
    driver.release(&[]);
    let line = driver.assert_shows("after the click");
    assert!(line["dragging"].is_null() && line["targets"]["crate.001"].is_object(), "{line}");
}

#[test]
fn keys_of_unity_are_recorded_as_commands() {
    let folder = super::folder("window-unity");
    let recording = folder.join("recording.json");
    let path = recording.to_str().expect("the path is UTF-8");
    let mut driver = Driver::with_keymap("window-unity", "Unity", &["--record", path]);
    driver.click_node("forearm", &[]);
    driver.assert_shows("after a click");
    for (key, command) in
        [("q", "no_handles"), ("y", "universal"), ("x", "next_orientation"), ("q", "no_handles")]
    {
        driver.send_unrecorded(&["key", key]);
        driver.events.push(json!({ "command": command }));
        driver.assert_shows(command);
    }
    let recorded = wait_for_recording(&driver.display, &recording);
    let events = recorded["events"].as_array().expect("events is a list").iter();
    let commands: Vec<&str> = events.filter_map(|event| event["command"].as_str()).collect();
    // A window shows the handles of cameras and lights from the start.
    let wanted = ["camera_and_light_handles", "no_handles", "universal", "next_orientation", "no_handles"];
    assert_eq!(commands, wanted, "{recorded}");
}

#[test]
fn look_through_and_back_ends_where_it_began() {
    let folder = super::folder("window-through");
    let recording = folder.join("recording.json");
    let path = recording.to_str().expect("the path is UTF-8");
    let mut driver = Driver::with("window-through", &["--record", path]);
    driver.click_node("forearm", &[]);
    driver.assert_shows("after a click");
    for (node, when) in [(json!("forearm"), "through the node"), (json!(null), "back again")] {
        driver.send_unrecorded(&["key", "0"]);
        driver.events.push(json!({ "look_through": node }));
        driver.assert_shows(when);
        wait_for_recording(&driver.display, &recording);
    }
    // Pressed twice at once, the jumps end early and in the same place.
    driver.send_unrecorded(&["key", "0", "key", "0"]);
    let recorded = wait_for_recording(&driver.display, &recording);
    let events = recorded["events"].as_array().expect("events is a list");
    assert!(events.iter().any(|event| event["look_through"] == "forearm"), "{recorded}");
    driver.assert_shows("after both keys");
}

#[test]
fn wheel_keeps_node_under_pointer() {
    let folder = super::folder("window-dolly");
    let recording = folder.join("recording.json");
    let path = recording.to_str().expect("the path is UTF-8");
    let mut driver = Driver::with("window-dolly", &["--record", path]);
    let [x, y] = driver.pixel_of("crate");
    driver.move_to([x, y]);
    let line = driver.assert_shows("with the pointer on a node");
    assert_eq!(line["object"], "crate");
    driver.send_unrecorded(&[
        "click", "4", "click", "4", "click", "4", "click", "4", "click", "4", "click", "4",
    ]);
    super::recording::wait_for_recording(&driver.display, &recording);
    let lines = super::recording::play(&recording);
    let last = &lines[lines.len() - 2];
    assert_eq!(last["object"], "crate", "it is still under the pointer: {last}");
    // An orbit about it keeps it there too, and a view from the front is reached by a jump.
    driver.send_unrecorded(&["mousedown", "3"]);
    let [right, down] = [(x + 30).to_string(), (y + 8).to_string()];
    driver.send_unrecorded(&["mousemove", &right, &down, "mouseup", "3"]);
    let recorded = super::recording::wait_for_recording(&driver.display, &recording);
    assert!(recorded["events"].to_string().contains("camera"), "{recorded}");
    driver.send_unrecorded(&["key", "1"]);
    std::thread::sleep(Duration::from_secs(1));
    let before = recorded;
    let recorded = super::recording::wait_for_recording(&driver.display, &recording);
    assert_ne!(recorded["events"], before["events"], "the camera has jumped");
    let part = [0, 0, SIZE[0], SIZE[1] - STATUS_ROWS];
    assert!(driver.display.picture().difference(&driver.display.picture(), part) < 0.001, "it is at rest");
}
