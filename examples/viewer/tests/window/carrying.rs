//! A row of the tree that is dragged with a real mouse.

use super::hand::written;
use super::recording::{play, remove};
use super::{Display, SIZE, Window, folder};
use serde_json::{Value, json};
use std::time::Duration;

/// Places of rows in the window.
const BASE: [u32; 2] = [SIZE[0] - 220, 79];
const FOREARM: [u32; 2] = [SIZE[0] - 220, 189];

fn go(display: &Display, [x, y]: [u32; 2]) {
    display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
}

/// Presses on the forearm's row, leads it over the view, and lets go of it.
fn carry(display: &Display, to: [u32; 2]) {
    go(display, FOREARM);
    display.hand(&["mousedown", "1"]);
    for at in [[FOREARM[0], FOREARM[1] - 15], [600, 400], [300, 200], to] {
        go(display, at);
    }
    // Until the window has drawn a frame: what the pointer is over, it knows only then.
    std::thread::sleep(Duration::from_secs(1));
    display.hand(&["mouseup", "1"]);
    std::thread::sleep(Duration::from_secs(1));
}

#[test]
fn a_row_is_hung_elsewhere_by_the_mouse_and_the_view_takes_no_part_in_it() {
    let folder = folder("window-carrying");
    let (recording, test) = (folder.join("recording.json"), folder.join("test-1.json"));
    remove(&[&recording, &test]);
    let display = Display::open(SIZE, &folder);
    let paths = [&recording, &folder].map(|path| path.to_str().expect("a readable path"));
    let _window = Window::open(&display, &["--record", paths[0], "--out", paths[1]]);
    let kinds = |recorded: &Value, kind: &str| {
        let events = recorded["events"].as_array().expect("a list");
        events.iter().filter(|event| event.get(kind).is_some()).count()
    };
    // Over the view nothing comes of it, and in the view nothing at all.
    carry(&display, [400, 420]);
    display.hand(&["key", "ctrl+r"]);
    let recorded = written(&recording);
    assert_eq!((kinds(&recorded, "parent"), kinds(&recorded, "press")), (0, 0), "{recorded}");
    carry(&display, BASE);
    display.hand(&["key", "ctrl+shift+r"]);
    let tested = written(&test);
    assert_eq!((kinds(&tested, "parent"), kinds(&tested, "press")), (1, 0), "{tested}");
    let last = tested["events"].as_array().and_then(|events| events.last()).expect("an event");
    assert_eq!(last["expect"]["parents"], json!({ "forearm": "base" }), "{tested}");
    let lines = play(&test);
    assert_eq!(lines[lines.len() - 2]["met"], true, "{lines:?}");
}
