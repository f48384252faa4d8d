//! Tests of box handles, of editing the pivot and of drags from click to click with a real mouse.

use super::{driver::Driver, folder};
use serde_json::json;

impl Driver {
    /// Presses a shortcut with Shift. Without it, a capital letter is a key of a drag.
    fn shift_key(&mut self, key: &str) {
        self.events.push(json!({ "key": key, "mods": ["shift"] }));
        self.display.xdotool(&["key", &format!("shift+{key}")]);
    }
}

/// Opens a window that can report transforms, with the crate selected.
fn driver_on_crate(name: &str) -> Driver {
    let out = folder(name);
    let mut driver = Driver::with(name, &["--out", out.to_str().expect("the path is UTF-8")]);
    driver.click_node("crate", &[]);
    driver
}

#[test]
fn box_handles_scale_node_and_change_its_crop_box() {
    let mut driver = driver_on_crate("window-box");
    driver.shift_key("b");
    let before = driver.assert_shows("with box handles");
    let after = driver.drag("box_+y", &[[0, -12], [0, -30], [2, -44]]);
    let [before, after] = [before, after].map(|line| line["targets"]["crate"].clone());
    assert!(before["scale"] != after["scale"] && before["translation"] != after["translation"], "{after}");
    assert_eq!(before["rotation"], after["rotation"]);
    assert_eq!(driver.moved_transforms()["crate"], after);
    driver.shift_key("b");
    let before = driver.assert_shows("with the handles of the crop box");
    let cropped = driver.drag("box_+y", &[[0, 10], [0, 26], [-2, 34]]);
    assert!(before["extents"] != cropped["extents"], "{cropped}");
    assert_eq!(before["targets"], cropped["targets"]);
    driver.undo();
    let undone = driver.assert_shows("after undo");
    assert_eq!(undone["extents"], before["extents"]);
}

#[test]
fn drags_move_pivot_while_it_is_edited() {
    let mut driver = driver_on_crate("window-pivot");
    driver.keys(&[("i", "i")]);
    let before = driver.assert_shows("while the pivot is edited");
    let after = driver.drag("translate_x", &[[20, 6], [48, 14]]);
    assert_eq!(before["targets"], after["targets"]);
    assert!(before["pivot"]["point"] != after["pivot"]["point"], "{after}");
    driver.keys(&[("i", "i"), ("e", "e")]);
    let before = driver.assert_shows("with rings around the edited pivot");
    let after = driver.drag("rotate_y", &[[14, 3], [30, 8]]);
    let [before, after] = [before, after].map(|line| line["targets"]["crate"].clone());
    assert!(before["translation"] != after["translation"], "it turns about the edited pivot: {after}");
    assert_eq!(driver.moved_transforms()["crate"], after);
    driver.shift_key("i");
    driver.assert_shows("after the pivot was reset");
}

#[test]
fn handle_is_carried_from_click_to_click() {
    let mut driver = driver_on_crate("window-clicks");
    driver.keys(&[("u", "shift+u")]);
    let before = driver.assert_shows("with click-move-click");
    let [x, y] = driver.handle("translate_y");
    driver.click([x, y], &[]);
    driver.move_along(&[[x, y - 20], [x + 3, y - 50]]);
    let line = driver.assert_shows("while the handle is carried");
    assert_eq!(line["dragging"], "translate_y", "{line}");
    driver.press(&[]);
    driver.release(&[]);
    let after = driver.assert_shows("after the second click");
    assert!(after["dragging"].is_null() && after["targets"] != before["targets"], "{after}");
    assert_eq!(driver.moved_transforms(), after["targets"]);
}
