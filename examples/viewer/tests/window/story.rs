//! A file opened, worked on in every mode, saved, and opened again, as a person does it.

use super::hand::Hand;
use super::without_window_of;
use serde_json::{Value, json};
use std::path::Path;

/// The JSON of a binary glTF: the first chunk (glTF 2.0 §4.4.3). `None` while it is being written.
fn json_of(path: &Path) -> Option<Value> {
    let bytes = std::fs::read(path).ok()?;
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    serde_json::from_slice(bytes.get(20..20 + length)?).ok()
}

/// The local transforms of all nodes, as the bits of f32; absent numbers are none.
fn transforms_of(document: &Value) -> Vec<Vec<u32>> {
    let numbers = |node: &Value, key: &str| {
        let numbers = node[key].as_array().cloned().unwrap_or_default();
        numbers.iter().map(|number| number.as_f64().expect("a number") as f32).collect::<Vec<_>>()
    };
    let of = |node: &Value| {
        let keys = ["translation", "rotation", "scale"];
        keys.iter().flat_map(|key| numbers(node, key)).map(f32::to_bits).collect()
    };
    document["nodes"].as_array().expect("a list").iter().map(of).collect()
}

#[test]
fn a_file_is_opened_dragged_in_every_mode_typed_undone_saved_and_opened_again() {
    let mut hand = Hand::new("window-story");
    let (arm, wanted) = (hand.path("arm.glb"), hand.path("wanted.glb"));
    // Where the built-in scene is put down as a file.
    hand.saved_without_window("arm.glb");
    std::fs::copy(&arm, hand.path("first.glb")).expect("a folder of ours");
    let first = json_of(&arm).expect("saved");

    hand.unseen(&["key", "ctrl+o", "key", "ctrl+a", "type", arm.to_str().expect("a readable path")]);
    hand.unseen(&["key", "Return"]);
    hand.display.wait_for_title("arm.glb");
    hand.scene = json!({ "gltf": "first.glb" });

    hand.click_node("crate", &[]);
    hand.shows("after a click on what was opened");
    hand.drag("translate_y", &[[0, -20], [2, -44], [4, -61]]);
    hand.keys(&[("e", "e")]);
    hand.shows("with rings");
    hand.drag("rotate_x", &[[-6, 18], [10, 40], [31, 55]]);
    hand.keys(&[("r", "r")]);
    hand.shows("with boxes");
    hand.drag("scale_z", &[[-10, 12], [-18, 25], [-31, 38]]);
    hand.keys(&[("t", "t")]);
    hand.shows("with all handles");
    hand.drag("translate_zx", &[[-20, 4], [-36, 11], [-57, 17]]);
    hand.keys(&[("z", "z"), ("-", "minus"), (".", "period"), ("7", "7"), ("5", "5"), ("enter", "Return")]);
    let typed = hand.shows("after a number was typed");
    hand.keys(&[("y", "y"), ("3", "3"), ("enter", "Return")]);
    let undone = hand.shows("after another");
    assert_ne!(undone["targets"], typed["targets"]);
    hand.undo();
    let undone = hand.shows("after it was undone");
    assert_eq!(undone["targets"], typed["targets"]);
    hand.display.wait_for_title("* arm.glb");
    hand.unseen(&["key", "ctrl+s"]);
    hand.display.wait_for_title("arm.glb");

    hand.saved_without_window("wanted.glb");
    let [saved, wanted] = [&arm, &wanted].map(|path| json_of(path).expect("saved"));
    assert_eq!(transforms_of(&saved), transforms_of(&wanted));
    let changed = transforms_of(&saved).iter().zip(&transforms_of(&first)).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 1, "the crate, and nothing else");

    hand.open_again(&[arm.to_str().expect("a readable path")]);
    hand.display.wait_for_title("arm.glb");
    hand.scene = json!({ "gltf": "wanted.glb" });
    hand.shows("when it is opened again");
    hand.click_node("crate", &[]);
    let line = hand.shows("after a click on what was saved");
    assert_eq!(line["targets"], undone["targets"]);
}

impl Hand {
    /// What the events lead to, saved without the window.
    fn saved_without_window(&self, name: &str) {
        let events = [&self.events[..], &[json!({ "save": name })]].concat();
        without_window_of(&self.scene, self.view(), &self.folder, &events);
    }
}
