//! Tests of keymaps, of readouts and of cameras with a real mouse and real keys.

use super::*;

impl Driver {
    /// Opens the built-in scene with a keymap, without the panel.
    fn with_keymap(name: &str, keymap: &str) -> Self {
        let mut driver = Self::new(name);
        let folder = driver.display.data().join("wgpu-gizmo");
        std::fs::create_dir_all(&folder).expect("the folder is writable");
        let preferences = json!({ "keymap": keymap }).to_string();
        std::fs::write(folder.join("window.json"), preferences).expect("the folder is writable");
        driver.open_again(&[]);
        driver
    }
}

#[test]
fn key_grabs_selection_until_click_enter_or_escape() {
    let mut driver = Driver::with_keymap("window-grab", "Blender");
    let before = driver.select("crate");
    let grab = |driver: &mut Driver, key: &str, handle: &str| {
        driver.events.push(json!({ "grab": handle }));
        driver.press_keys(&[key]);
    };
    let [x, y] = driver.empty_pixel();
    // G follows the pointer, and a click confirms.
    driver.move_to([x, y]);
    grab(&mut driver, "g", "translate_view");
    driver.move_along(&[[x + 20, y + 10], [x + 60, y]]);
    let line = driver.assert_shows("during a drag that a key began");
    assert_eq!(line["dragging"], "translate_view", "{line}");
    driver.press(&[]);
    driver.release(&[]);
    let moved = driver.assert_shows("after the click");
    assert!(moved["dragging"].is_null() && moved["targets"] != before["targets"], "{moved}");
    // S, canceled by the right button.
    grab(&mut driver, "s", "scale_uniform");
    driver.move_to([x + 200, y + 60]);
    driver.assert_shows("while the node is scaled");
    driver.events.push(json!({ "cancel": true }));
    driver.send_unrecorded("click 3");
    let canceled = driver.assert_shows("after the right button");
    assert_eq!(canceled["targets"], moved["targets"]);
    // An axis key, canceled by Esc.
    grab(&mut driver, "y", "translate_view");
    driver.events.push(json!({ "key": "y" }));
    driver.move_to([x + 200, y]);
    let line = driver.assert_shows("during a drag along Y");
    assert_eq!(line["dragging"], "translate_y", "{line}");
    driver.keys(&[("escape", "Escape")]);
    let canceled = driver.assert_shows("after Esc");
    assert_eq!(canceled["targets"], moved["targets"]);
    driver.undo();
    let undone = driver.assert_shows("after undo");
    assert_eq!(undone["targets"], before["targets"], "the drag is one step");
}

#[test]
fn alt_before_press_resizes_box_about_center() {
    let mut driver = Driver::new("window-alt");
    driver.click_node("crate", &[]);
    driver.press_keys(&["shift+b"]);
    driver.events.push(json!({ "command": "next_box_handles" }));
    let before = driver.assert_shows("with box handles");
    let [x, y] = driver.handle("box_+x+y+z");
    driver.move_to([x, y]);
    driver.assert_shows("over a handle of the box");
    driver.press(&["alt"]);
    driver.move_to([x + 30, y - 10]);
    if let Some(event) = driver.events.last_mut() {
        event["mods"] = json!(["alt"]);
    }
    let during = driver.assert_shows("during the drag");
    driver.release(&["alt"]);
    let of = |line: &Value, key: &str| line["targets"]["crate"][key].clone();
    assert_eq!(of(&during, "translation"), of(&before, "translation"), "{during}");
    assert_ne!(of(&during, "scale"), of(&before, "scale"), "{during}");
}

#[test]
fn look_through_and_back_ends_where_it_began() {
    let (mut driver, recording) = Driver::recording("window-through");
    driver.select("forearm");
    for (node, when) in [(json!("forearm"), "through the node"), (json!(null), "back again")] {
        driver.press_keys(&["0"]);
        driver.events.push(json!({ "look_through": node }));
        driver.assert_shows(when);
        wait_for_recording(&driver.display, &recording);
    }
    // Pressed twice at once, the jumps end early and in the same place.
    driver.send_unrecorded("key 0 key 0");
    let recorded = wait_for_recording(&driver.display, &recording);
    let events = recorded["events"].as_array().expect("events is a list");
    assert!(events.iter().any(|event| event["look_through"] == "forearm"), "{recorded}");
    driver.assert_shows("after both keys");
}

#[test]
fn wheel_keeps_node_under_pointer() {
    let (mut driver, recording) = Driver::recording("window-dolly");
    let [x, y] = driver.pixel_of("crate");
    driver.move_to([x, y]);
    let line = driver.assert_shows("with the pointer on a node");
    assert_eq!(line["object"], "crate");
    driver.send_unrecorded("click --repeat 6 4");
    wait_for_recording(&driver.display, &recording);
    let (lines, _) = play(&recording);
    let last = &lines[lines.len() - 2];
    assert_eq!(last["object"], "crate", "it is still under the pointer: {last}");
    // An orbit about it is recorded as a camera.
    driver.send_unrecorded("mousedown 3");
    driver.send_unrecorded(&format!("mousemove {} {} mouseup 3", x + 30, y + 8));
    let recorded = wait_for_recording(&driver.display, &recording);
    assert!(recorded["events"].to_string().contains("camera"), "{recorded}");
}
