//! A row of the tree that is dragged with a real mouse.

use super::hand::written;
use super::recording::{play, remove};
use super::{Display, SIZE, Window, folder};
use serde_json::{Value, json};

/// Places of rows in the window.
const BASE: [u32; 2] = [SIZE[0] - 220, 79];
const FOREARM: [u32; 2] = [SIZE[0] - 220, 189];

fn go(display: &Display, [x, y]: [u32; 2]) {
    display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
}

/// Leads there, and waits until the window says what is carried: what the pointer is over, it knows
/// only once it has drawn a frame.
fn lead(display: &Display, to: [u32; 2]) {
    let before = display.picture();
    go(display, to);
    display.wait_for_other_than_in(round(to), &before);
}

/// Where it is said what is carried to a place.
fn round([x, y]: [u32; 2]) -> [u32; 4] {
    [x - 100, y - 12, 200, 48]
}

/// Presses on the forearm's row and leads it over the view.
fn carry(display: &Display, to: [u32; 2]) {
    go(display, FOREARM);
    display.hand(&["mousedown", "1"]);
    // Not as far as the view: what is pressed is known by the next frame.
    lead(display, [FOREARM[0], FOREARM[1] - 15]);
    lead(display, [600, 400]);
    go(display, [300, 200]);
    lead(display, to);
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
    // Over the view nothing comes of it.
    let (before, over_view) = (display.picture(), [150, 600]);
    carry(&display, over_view);
    display.hand(&["mouseup", "1"]);
    // But for the pointer itself, which X draws.
    let is_bare = || display.picture().difference(&before, round(over_view)) < 0.03;
    display.wait("it is still carried", is_bare);
    carry(&display, BASE);
    display.hand(&["mouseup", "1"]);
    display.wait_for_title("* robot arm");
    display.hand(&["key", "ctrl+shift+r"]);
    let tested = written(&test);
    // Once on the base, and in the view nothing at all.
    assert_eq!((kinds(&tested, "parent"), kinds(&tested, "press")), (1, 0), "{tested}");
    let last = tested["events"].as_array().and_then(|events| events.last()).expect("an event");
    assert_eq!(last["expect"]["parents"], json!({ "forearm": "base" }), "{tested}");
    let lines = play(&test);
    assert_eq!(lines[lines.len() - 2]["met"], true, "{lines:?}");
}
