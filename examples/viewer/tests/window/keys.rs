//! Keys that are down when the window comes by the keyboard.

use super::hand::Hand;

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
