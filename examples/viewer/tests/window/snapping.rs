//! Tests of snapping and of handles that the scene hides with a real mouse.

use super::{SIZE, driver::Driver, folder};
use serde_json::{Value, json};

/// Opens the built-in scene in a window with these settings, and selects a node.
fn driver_with(name: &str, settings: &Value, node: &str) -> Driver {
    let out = folder(name);
    let file = out.join("settings.json");
    let replay = json!({
        "version": 1, "size_px": SIZE, "scene": { "built_in": "robot_arm" }, "view_cube": true,
        "select": ["gripper"], "events": [{ "set": settings }],
    });
    std::fs::write(&file, replay.to_string()).expect("the folder is writable");
    let [file, out] = [&file, &out].map(|path| path.to_str().expect("the path is UTF-8"));
    let mut driver = Driver::with(name, &["--replay", file, "--out", out]);
    driver.events.push(json!({ "set": settings }));
    driver.ignore_replay_controls();
    driver.assert_shows("after the replay that sets the settings");
    driver.click_node(node, &[]);
    driver.assert_shows("with handles");
    driver
}

/// Drags the center of the gizmo onto a pixel of another node, and compares the window on the way. Returns the
/// lines before and after the release.
fn drag_center_onto(driver: &mut Driver, node: &str) -> [Value; 2] {
    let to = driver.pixel_of(node);
    let from = driver.handle("translate_view");
    driver.move_to(from);
    driver.press(&[]);
    driver.move_along(&[[(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], to]);
    let during = driver.assert_shows("while it is dragged onto another node");
    assert_eq!(during["dragging"], "translate_view", "{during}");
    driver.release(&[]);
    [during, driver.assert_shows("after the drag")]
}

fn translation(line: &Value, node: &str) -> [f64; 3] {
    [0, 1, 2].map(|i| line["targets"][node]["translation"][i].as_f64().expect("the translation is a number"))
}

#[test]
fn drag_snaps_to_face_and_vertex_under_mouse() {
    for kind in ["face", "vertex"] {
        let name = format!("window-snap-{kind}");
        let mut driver = driver_with(&name, &json!({ "snap_to": kind }), "crate");
        let [during, after] = drag_center_onto(&mut driver, "base");
        assert_eq!(during["targets"], after["targets"]);
        assert_eq!(driver.moved_transforms(), after["targets"], "bit for bit");
        let snapped = translation(&after, "crate");
        // The same drag without snapping stays in the plane of the screen.
        let mut free = driver.events.clone();
        free[0] = json!({ "set": { "snap_to": null } });
        driver.events = free;
        let free = driver.ask(&[json!({ "set": {} })]).remove(0);
        let free = translation(&free, "crate");
        let apart = snapped.iter().zip(free).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart > 1e-3, "{kind}: {snapped:?} {free:?}");
    }
}

#[test]
fn vertex_key_snaps_under_mouse_while_it_is_held() {
    let name = "window-snap-key";
    let out = folder(name);
    let mut driver = Driver::with(name, &["--out", out.to_str().expect("the path is UTF-8")]);
    driver.click_node("crate", &[]);
    driver.assert_shows("with handles");
    let (to, from) = (driver.pixel_of("base"), driver.handle("translate_view"));
    driver.move_to(from);
    driver.press(&[]);
    driver.send_unrecorded(&["keydown", "v"]);
    for at in [[(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], to] {
        driver.move_to(at);
        if let Some(event) = driver.events.last_mut() {
            event["mods"] = json!(["v"]);
        }
    }
    driver.assert_shows("while the vertex key is held");
    driver.send_unrecorded(&["mouseup", "1"]);
    driver.events.push(json!({ "release": "primary", "mods": ["v"] }));
    driver.send_unrecorded(&["keyup", "v"]);
    let after = driver.assert_shows("after the drag");
    assert_eq!(driver.moved_transforms(), after["targets"], "bit for bit");
}

#[test]
fn hidden_handles_are_shown_and_grabbed_by_their_style() {
    for style in ["on_top", "hatched", "hidden"] {
        let name = format!("window-depth-{style}");
        let mut driver = driver_with(&name, &json!({ "depth_style": style, "mode": "universal" }), "forearm");
        driver.drag("translate_y", &[[0, -10], [2, -30]]);
    }
}
