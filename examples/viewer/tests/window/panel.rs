//! The panel beside the view, with a real mouse and real keys: each has what is its own.

use super::{Display, SIZE, Window, assert_shows_in, folder, pixel_in, without_window_in};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// What the panel, the bar and the status line leave.
const VIEW: [u32; 4] = [0, 30, SIZE[0] - 340, SIZE[1] - 60];

/// A hand on the window, and what the view makes of it for a replay.
struct Hand {
    display: Display,
    folder: PathBuf,
    events: Vec<Value>,
}

impl Hand {
    fn new(name: &str) -> (Self, Window) {
        let folder = folder(name);
        let display = Display::open(SIZE, &folder);
        let window = Window::open_with_panel(&display, &[]);
        (Self { display, folder, events: Vec::new() }, window)
    }

    /// Something that is not the view's.
    fn do_unseen(&self, what: &[&str]) {
        self.display.hand(what);
        // Until the window has drawn a frame: what has the keys, it knows only then.
        std::thread::sleep(Duration::from_secs(1));
    }

    fn keys(&mut self, keys: &[(&str, &str)]) {
        for (key, name) in keys {
            self.events.push(json!({ "key": key }));
            self.display.hand(&["key", name]);
        }
    }

    fn move_to(&mut self, [x, y]: [usize; 2]) {
        self.events.push(json!({ "move": [x, y] }));
        self.display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    fn click(&mut self, at: [usize; 2]) {
        self.move_to(at);
        self.events.extend([json!({ "press": "primary" }), json!({ "release": "primary" })]);
        self.display.hand(&["click", "1"]);
    }

    /// The view shows what the events give, and no more; its last line.
    fn shows(&self, when: &str) -> Value {
        self.shows_in(VIEW, when)
    }

    fn shows_in(&self, view: [u32; 4], when: &str) -> Value {
        let (lines, picture) = without_window_in(view, &self.folder, &self.events);
        // Over the foot of a view that is the whole window lies the status line.
        let part = [view[0], view[1], view[2], view[3].min(SIZE[1] - 40)];
        assert_shows_in(part, &self.display, &picture, (when, &self.folder));
        lines.into_iter().rev().nth(1).unwrap_or_default()
    }
}

#[test]
fn a_value_is_typed_into_a_field_and_undone() {
    let (mut hand, _window) = Hand::new("window-field");
    hand.click(pixel_in(VIEW, &hand.folder, "forearm"));
    hand.keys(&[("q", "q")]);
    hand.shows("after a click");
    // Its parent's axes are as long as the world's, so that the view's own keys do the same.
    // Faster than frames are drawn.
    hand.display.hand(&["key", "F6", "key", "F6", "type", "0.5"]);
    hand.display.hand(&["key", "Return"]);
    let typed = [("x", "x"), ("0", "0"), (".", "period"), ("5", "5"), ("enter", "Return")];
    let before = hand.events.len();
    hand.events.extend(typed.iter().map(|(key, _)| json!({ "key": key })));
    let line = hand.shows("after a value was typed");
    assert_eq!(line["targets"]["forearm"]["translation"][0], 0.5, "{line}");
    hand.events.truncate(before);
    hand.display.hand(&["key", "ctrl+z"]);
    hand.shows("after undo");
    hand.display.hand(&["key", "ctrl+y"]);
    hand.events.extend(typed.iter().map(|(key, _)| json!({ "key": key })));
    hand.shows("after redo");
}

#[test]
fn keys_of_a_drag_are_not_the_panels() {
    let (mut hand, _window) = Hand::new("window-drag-keys");
    hand.click(pixel_in(VIEW, &hand.folder, "crate"));
    hand.shows("after a click");
    hand.do_unseen(&["key", "F6"]);
    // The tree has the keys: arrows are its own, letters and what follows them are the view's.
    hand.keys(&[("X", "shift+x"), ("1", "1"), ("tab", "Tab"), ("2", "2"), ("up", "Up")]);
    let line = hand.shows("while two numbers are typed");
    assert_eq!(line["dragging"], "translate_yz", "{line}");
    hand.keys(&[("escape", "Escape")]);
    hand.shows("after Esc");
}

#[test]
fn the_pointer_is_the_views_or_the_panels() {
    let (mut hand, _window) = Hand::new("window-pointer");
    let at = pixel_in(VIEW, &hand.folder, "crate");
    hand.move_to(at);
    let line = hand.shows("with the pointer on a node");
    assert_eq!(line["object"], "crate");

    // Beside the view nothing is hovered, pressed, dragged or zoomed.
    hand.do_unseen(&["mousemove", "1100", "240"]);
    hand.events = vec![json!({ "move": [4, 34] })];
    hand.shows("with the pointer on the panel");
    hand.do_unseen(&["click", "4", "click", "5", "click", "5"]);
    hand.shows("after the wheel was turned over the panel");
    hand.do_unseen(&["mousedown", "1", "mousemove", &at[0].to_string(), &at[1].to_string()]);
    hand.shows("in a drag that was begun in the panel");
    hand.do_unseen(&["mouseup", "1", "mousemove", "1100", "240"]);
    hand.shows("after it");

    // A box that is begun in the view goes on over the panel, and nothing there is pressed.
    hand.events.clear();
    hand.move_to([560, 400]);
    hand.events.push(json!({ "press": "primary" }));
    hand.display.hand(&["mousedown", "1"]);
    for to in [[700, 500], [1000, 560], [1228, 620]] {
        hand.move_to(to);
    }
    hand.events.push(json!({ "release": "primary" }));
    hand.display.hand(&["mouseup", "1"]);
    let line = hand.shows("after a box that ended on the panel");
    let selected = line["targets"].as_object().map_or(0, serde_json::Map::len);
    assert_eq!(selected, 2, "{line}");
}

#[test]
fn the_panel_makes_room_and_takes_it() {
    let (mut hand, _window) = Hand::new("window-room");
    hand.click(pixel_in(VIEW, &hand.folder, "forearm"));
    hand.shows("after a click");
    hand.keys(&[("h", "h")]);
    hand.shows("without the forearm");
    hand.keys(&[("h", "h")]);
    hand.shows("with it");
    hand.events = vec![json!({ "key": "n" })];
    hand.do_unseen(&["mousemove", "4", "34", "click", "1", "key", "n"]);
    hand.shows_in([0, 0, SIZE[0], SIZE[1]], "without the panel");
}
