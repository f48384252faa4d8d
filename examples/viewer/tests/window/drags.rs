//! Tests of dragging the handles of every mode with a real mouse.

use super::{driver::Driver, folder};
use serde_json::Value;
use std::f64::consts::TAU;

/// Opens a window that can report transforms and selects one node in it. Returns the driver and the
/// line that reports the selection.
fn driver_on(node: &str, name: &str) -> (Driver, Value) {
    let out = folder(name);
    let mut driver = Driver::with(name, &["--out", out.to_str().expect("the path is UTF-8")]);
    driver.click_node(node, &[]);
    let line = driver.assert_shows("after a click");
    assert!(line["targets"][node].is_object(), "{line}");
    (driver, line)
}

/// Asserts that a drag has changed this part of the node and nothing else.
fn assert_changed(node: &str, part: &str, before: &Value, after: &Value) {
    for other in ["translation", "rotation", "scale"] {
        let [before, after] = [before, after].map(|line| &line["targets"][node][other]);
        assert_eq!(before != after, part == other, "{other}: {before}, then {after}");
    }
}

/// Drags handles one after another, each of which changes one part of the node. The window must show
/// the headless result, and its transforms must equal it bit for bit.
fn drag_all(driver: &mut Driver, (node, mut before): (&str, Value), drags: &[(&str, &str, &[[i64; 2]])]) {
    for (handle, part, path) in drags {
        let after = driver.drag(handle, path);
        assert_changed(node, part, &before, &after);
        before = after;
    }
    assert_eq!(driver.moved_transforms(), before["targets"]);
}

/// Returns `count` offsets along a line to this one.
fn line(count: i64, [x, y]: [i64; 2]) -> Vec<[i64; 2]> {
    (1..=count).map(|step| [x * step / count, y * step / count]).collect()
}

#[test]
fn translate_handles_move_node_and_undo_reverts() {
    let (mut driver, first) = driver_on("forearm", "window-move");
    drag_all(
        &mut driver,
        ("forearm", first.clone()),
        &[
            ("translate_x", "translation", &line(6, [90, 30])),
            ("translate_zx", "translation", &line(4, [-50, 44])),
            ("translate_view", "translation", &line(5, [-70, -35])),
        ],
    );
    for _ in 0..3 {
        driver.undo();
    }
    let undone = driver.assert_shows("after undo");
    assert_eq!(undone["targets"], first["targets"]);
}

#[test]
fn rings_turn_beyond_full_circle_and_trackball_turns() {
    let (mut driver, _) = driver_on("upper_arm", "window-turn");
    let [x, y] = driver.handle("translate_view");
    driver.keys(&[("e", "e")]);
    let before = driver.assert_shows("with rings");
    // One and a third turns around the pivot, in steps of 24 degrees.
    let [from_x, from_y] = driver.handle("rotate_y");
    let (right, down) = ((from_x - x) as f64, (from_y - y) as f64);
    let path: Vec<[i64; 2]> = (1..=20)
        .map(|step| {
            let (sin, cos) = (TAU * f64::from(step) / 15.0).sin_cos();
            let at = [right * cos - down * sin, right * sin + down * cos];
            [at[0].round() as i64 + x - from_x, at[1].round() as i64 + y - from_y]
        })
        .collect();
    drag_all(
        &mut driver,
        ("upper_arm", before),
        &[
            ("rotate_y", "rotation", &path),
            ("rotate_trackball", "rotation", &line(5, [-60, 45])),
            ("rotate_view", "rotation", &line(4, [-20, 70])),
        ],
    );
}

#[test]
fn scale_handles_scale_one_two_and_all_axes() {
    let (mut driver, _) = driver_on("crate", "window-scale");
    driver.keys(&[("r", "r")]);
    let before = driver.assert_shows("with scale handles");
    drag_all(
        &mut driver,
        ("crate", before),
        &[
            ("scale_y", "scale", &line(5, [4, -60])),
            ("scale_uniform", "scale", &line(5, [40, -20])),
            ("scale_zx", "scale", &line(4, [24, 12])),
        ],
    );
}

#[test]
fn universal_mode_drags_one_handle_of_each_kind() {
    let (mut driver, _) = driver_on("crate", "window-universal");
    driver.keys(&[("t", "t")]);
    let before = driver.assert_shows("with all handles");
    drag_all(
        &mut driver,
        ("crate", before),
        &[
            ("translate_z", "translation", &line(5, [-40, 36])),
            ("translate_xy", "translation", &line(4, [30, -44])),
            ("rotate_z", "rotation", &line(6, [-70, -24])),
            ("scale_x", "scale", &line(5, [48, 14])),
        ],
    );
}
