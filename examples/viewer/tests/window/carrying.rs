//! Tests of dragging a row of the tree with a real mouse.

use super::driver::read_when_written;
use super::recording::{play, remove};
use super::{Display, SIZE, Window, folder};
use serde_json::json;

/// Positions of rows in the window.
const BASE: [u32; 2] = [SIZE[0] - 220, 79];
const FOREARM: [u32; 2] = [SIZE[0] - 220, 189];

fn move_to(display: &Display, [x, y]: [u32; 2]) {
    display.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
}

/// Moves the pointer and waits until the window shows the label of the dragged row. The window knows
/// what is under the pointer only after the next frame.
fn move_and_wait(display: &Display, to: [u32; 2]) {
    let before = display.picture();
    move_to(display, to);
    display.wait_for_change_in(beside(to), &before);
}

/// Returns the part of the window with the label of the dragged row: beside the pointer, which X draws
/// itself.
fn beside([x, y]: [u32; 2]) -> [u32; 4] {
    [x + 18, y + 6, 50, 18]
}

/// Presses the forearm's row and drags it over the view.
fn drag_row(display: &Display, to: [u32; 2]) {
    move_to(display, FOREARM);
    display.xdotool(&["mousedown", "1"]);
    // Within the panel first, because the pressed row is known only in the next frame.
    move_and_wait(display, [FOREARM[0], FOREARM[1] - 15]);
    move_and_wait(display, [600, 400]);
    move_to(display, [300, 200]);
    move_and_wait(display, to);
}

#[test]
fn row_dragged_in_tree_reparents_without_touching_view() {
    let folder = folder("window-carrying");
    let (recording, test) = (folder.join("recording.json"), folder.join("test-1.json"));
    remove(&[&recording, &test]);
    let display = Display::open(SIZE, &folder);
    let paths = [&recording, &folder].map(|path| path.to_str().expect("the path is UTF-8"));
    let _window = Window::open(&display, &["--record", paths[0], "--out", paths[1]]);
    // Dropping the row on the view does nothing.
    let (before, over_view) = (display.picture(), [150, 600]);
    drag_row(&display, over_view);
    display.xdotool(&["mouseup", "1"]);
    let is_bare = || display.picture().difference(&before, beside(over_view)) < 0.001;
    display.wait("the row is still being dragged", is_bare);
    drag_row(&display, BASE);
    display.xdotool(&["mouseup", "1"]);
    display.wait_for_title("* robot arm");
    display.xdotool(&["key", "ctrl+shift+r"]);
    let tested = read_when_written(&test);
    // One reparenting to the base, and no press in the view.
    let events = tested["events"].as_array().expect("events is a list");
    let changes = events.iter().filter_map(|event| event["edit"]["changes"].as_array()).flatten();
    let parents = changes.filter_map(|change| change.get("parent")).collect::<Vec<_>>();
    assert_eq!(parents, [&json!({ "forearm": "base" })], "{tested}");
    assert!(events.iter().all(|event| event.get("press").is_none()), "{tested}");
    let last = events.last().expect("there are events");
    assert_eq!(last["expect"]["parents"], json!({ "forearm": "base" }), "{tested}");
    let lines = play(&test);
    assert_eq!(lines[lines.len() - 2]["met"], true, "{lines:?}");
}
