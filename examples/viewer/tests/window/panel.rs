//! The panel beside the view, with a real mouse and real keys: each has what is its own.

use super::SIZE;
use super::hand::{BESIDE_PANEL, Hand};
use serde_json::json;
use std::time::Duration;

/// What bar and status line leave of the window.
const WITHOUT_PANEL: [u32; 4] = [0, 30, SIZE[0], SIZE[1] - 60];

impl Hand {
    /// Something that is not the view's, after which keys go elsewhere.
    fn unseen_in_panel(&self, what: &[&str]) {
        self.unseen(what);
        // Until the window has drawn a frame: what has the keys, it knows only then.
        std::thread::sleep(Duration::from_secs(1));
    }
}

#[test]
fn a_value_is_typed_into_a_field_and_undone() {
    let mut hand = Hand::with_panel("window-field");
    hand.click_node("forearm", &[]);
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
    let mut hand = Hand::with_panel("window-drag-keys");
    hand.click_node("crate", &[]);
    hand.shows("after a click");
    hand.unseen_in_panel(&["key", "F6"]);
    // The tree has the keys: arrows are its own, letters and what follows them are the view's.
    hand.keys(&[("X", "shift+x"), ("1", "1"), ("tab", "Tab"), ("2", "2"), ("up", "Up")]);
    let line = hand.shows("while two numbers are typed");
    assert_eq!(line["dragging"], "translate_yz", "{line}");
    hand.keys(&[("escape", "Escape")]);
    hand.shows("after Esc");
}

#[test]
fn the_pointer_is_the_views_or_the_panels() {
    let mut hand = Hand::with_panel("window-pointer");
    let at = hand.pixel_of("crate");
    hand.go(at);
    let line = hand.shows("with the pointer on a node");
    assert_eq!(line["object"], "crate");

    // Beside the view nothing is hovered, pressed, dragged or zoomed.
    hand.unseen_in_panel(&["mousemove", "1100", "240"]);
    hand.events = vec![json!({ "move": [4, 34] })];
    hand.shows("with the pointer on the panel");
    hand.unseen_in_panel(&["click", "4", "click", "5", "click", "5"]);
    hand.shows("after the wheel was turned over the panel");
    hand.unseen_in_panel(&["mousedown", "1", "mousemove", &at[0].to_string(), &at[1].to_string()]);
    hand.shows("in a drag that was begun in the panel");
    hand.unseen_in_panel(&["mouseup", "1", "mousemove", "1100", "240"]);
    hand.shows("after it");

    // A box that is begun in the view goes on over the panel, and nothing there is pressed.
    hand.events.clear();
    hand.go([560, 400]);
    hand.press(&[]);
    for to in [[700, 500], [1000, 560], [1228, 620]] {
        hand.go(to);
    }
    hand.release(&[]);
    let line = hand.shows("after a box that ended on the panel");
    let selected = line["targets"].as_object().map_or(0, serde_json::Map::len);
    assert_eq!(selected, 2, "{line}");
}

#[test]
fn the_panel_makes_room_and_takes_it() {
    let mut hand = Hand::with_panel("window-room");
    hand.click_node("forearm", &[]);
    hand.shows("after a click");
    hand.keys(&[("h", "h")]);
    hand.shows("without the forearm");
    hand.keys(&[("h", "h")]);
    hand.shows("with it");
    hand.events = vec![json!({ "key": "n" })];
    hand.unseen_in_panel(&["mousemove", "4", "34", "click", "1", "key", "n"]);
    hand.view_is(WITHOUT_PANEL);
    hand.shows("without the panel");
    // The menu bar is there, and lets the panel come back.
    hand.unseen_in_panel(&["mousemove", "4", "34", "key", "n"]);
    hand.events.push(json!({ "key": "n" }));
    hand.view_is(BESIDE_PANEL);
    hand.shows("with the panel again");
}
