//! Handles of every mode, dragged with a real mouse.

use super::{folder, hand::Hand};
use serde_json::Value;
use std::f64::consts::TAU;

/// A hand on one node, in a window that can be asked for its transforms; and the line of what is
/// selected.
fn hand_on(node: &str, name: &str) -> (Hand, Value) {
    let out = folder(name);
    let mut hand = Hand::with(name, &["--out", out.to_str().expect("a readable path")]);
    hand.click_node(node, &[]);
    let line = hand.shows("after a click");
    assert!(line["targets"][node].is_object(), "{line}");
    (hand, line)
}

/// That a drag has changed this part of the node and nothing else of it.
fn assert_changed(node: &str, part: &str, before: &Value, after: &Value) {
    for other in ["translation", "rotation", "scale"] {
        let [before, after] = [before, after].map(|line| &line["targets"][node][other]);
        assert_eq!(before != after, part == other, "{other}: {before}, then {after}");
    }
}

/// Drags handles one after the other, each of which changes one part of the node: seen in the
/// window, and to the last bit what the same events give without one.
fn drag_all(hand: &mut Hand, (node, mut before): (&str, Value), drags: &[(&str, &str, &[[i64; 2]])]) {
    for (handle, part, path) in drags {
        let after = hand.drag(handle, path);
        assert_changed(node, part, &before, &after);
        before = after;
    }
    assert_eq!(hand.moved(), before["targets"]);
}

/// `count` places along a line that ends there.
fn line(count: i64, [x, y]: [i64; 2]) -> Vec<[i64; 2]> {
    (1..=count).map(|step| [x * step / count, y * step / count]).collect()
}

#[test]
fn handles_that_move_are_dragged_and_what_they_did_is_undone() {
    let (mut hand, first) = hand_on("forearm", "window-move");
    drag_all(
        &mut hand,
        ("forearm", first.clone()),
        &[
            ("translate_x", "translation", &line(6, [90, 30])),
            ("translate_zx", "translation", &line(4, [-50, 44])),
            ("translate_view", "translation", &line(5, [-70, -35])),
        ],
    );
    for _ in 0..3 {
        hand.undo();
    }
    let undone = hand.shows("after undo");
    assert_eq!(undone["targets"], first["targets"]);
}

#[test]
fn rings_are_led_round_more_than_once_and_the_ball_is_turned() {
    let (mut hand, _) = hand_on("upper_arm", "window-turn");
    let [x, y] = hand.handle("translate_view");
    hand.keys(&[("e", "e")]);
    let before = hand.shows("with rings");
    // Once round the pivot and a third, in steps of 24 degrees.
    let [from_x, from_y] = hand.handle("rotate_y");
    let (right, down) = ((from_x - x) as f64, (from_y - y) as f64);
    let round: Vec<[i64; 2]> = (1..=20)
        .map(|step| {
            let (sin, cos) = (TAU * f64::from(step) / 15.0).sin_cos();
            let at = [right * cos - down * sin, right * sin + down * cos];
            [at[0].round() as i64 + x - from_x, at[1].round() as i64 + y - from_y]
        })
        .collect();
    drag_all(
        &mut hand,
        ("upper_arm", before),
        &[
            ("rotate_y", "rotation", &round),
            ("rotate_trackball", "rotation", &line(5, [-60, 45])),
            ("rotate_view", "rotation", &line(4, [-20, 70])),
        ],
    );
}

#[test]
fn boxes_that_scale_are_dragged_along_one_axis_two_and_all() {
    let (mut hand, _) = hand_on("crate", "window-scale");
    hand.keys(&[("r", "r")]);
    let before = hand.shows("with boxes");
    drag_all(
        &mut hand,
        ("crate", before),
        &[
            ("scale_y", "scale", &line(5, [4, -60])),
            ("scale_uniform", "scale", &line(5, [40, -20])),
            ("scale_zx", "scale", &line(4, [24, 12])),
        ],
    );
}

#[test]
fn one_handle_of_each_kind_is_dragged_where_all_are_shown() {
    let (mut hand, _) = hand_on("crate", "window-universal");
    hand.keys(&[("t", "t")]);
    let before = hand.shows("with all handles");
    drag_all(
        &mut hand,
        ("crate", before),
        &[
            ("translate_z", "translation", &line(5, [-40, 36])),
            ("translate_xy", "translation", &line(4, [30, -44])),
            ("rotate_z", "rotation", &line(6, [-70, -24])),
            ("scale_x", "scale", &line(5, [48, 14])),
        ],
    );
}
