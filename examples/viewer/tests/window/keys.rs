//! Keys that are down when the window comes by the keyboard, and keys of other layouts.

use super::hand::Hand;
use serde_json::json;

#[test]
fn a_key_that_went_down_in_another_window_does_nothing_here() {
    let mut hand = Hand::new("window-other-key");
    hand.shows("at first");
    // Of the server's own window, which lies behind all.
    hand.unseen(&["search", "--maxdepth", "0", "", "windowfocus", "--sync"]);
    hand.unseen(&["keydown", "F4"]);
    hand.unseen(&["search", "--name", "wgpu-gizmo", "windowfocus", "--sync"]);
    hand.click_node("ball", &[]);
    hand.shows("after a click, and in one view");
    hand.unseen(&["keyup", "F4"]);
    hand.keys(&[("f4", "F4")]);
    hand.shows("with four views");
}

/// Keycodes of the keys that have E, X and 2 on them in the English layout, and of Return.
const CODES: [(&str, &str); 4] = [("e", "26"), ("x", "53"), ("2", "11"), ("enter", "36")];

#[test]
fn keys_of_a_layout_in_another_script_go_by_their_place() {
    for layout in ["ru", "gr"] {
        let mut hand = Hand::new(&format!("window-layout-{layout}"));
        hand.click_node("crate", &[]);
        hand.shows("after a click");
        let status = hand.display.command("setxkbmap").args(["-layout", layout]).status();
        assert!(status.is_ok_and(|status| status.success()), "setxkbmap (of x11-xkb-utils) is missing");
        hand.keys(&CODES);
        hand.shows("after a turn by keys");
        // Ctrl+Z.
        hand.events.push(json!({ "undo": true }));
        hand.display.hand(&["keydown", "37", "key", "52", "keyup", "37"]);
        hand.shows("after undo");
    }
}
