//! A test of snapping with a real mouse and a real key.

use super::*;

#[test]
fn vertex_key_released_in_flight_is_not_held_after_it() {
    let mut driver = Driver::new("window-snap-flight");
    driver.select("crate");
    driver.send_unrecorded("keydown v key j keyup v key Escape");
    let (to, from) = (driver.pixel_of("base"), driver.handle("translate_view"));
    driver.move_to(from);
    driver.press(&[]);
    driver.move_to(to);
    driver.assert_shows("during a drag after a flight");
}

/// Selects a node and presses its handle for the view plane. Returns the pixels of the handle and of another node.
fn held_handle(name: &str) -> (Driver, [i64; 2], [i64; 2]) {
    let out = folder(name);
    let mut driver = Driver::with(name, &["--out", text(&out)]);
    driver.select("crate");
    let (to, from) = (driver.pixel_of("base"), driver.handle("translate_view"));
    driver.move_to(from);
    driver.press(&[]);
    (driver, from, to)
}

#[test]
fn vertex_key_snaps_under_mouse_while_it_is_held() {
    let (mut driver, from, to) = held_handle("window-snap-key");
    driver.send_unrecorded("keydown v");
    for at in [[(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], to] {
        driver.move_to(at);
        if let Some(event) = driver.events.last_mut() {
            event["mods"] = json!(["v"]);
        }
    }
    driver.assert_shows("while the vertex key is held");
    driver.send_unrecorded("mouseup 1");
    driver.events.push(json!({ "release": "primary", "mods": ["v"] }));
    driver.send_unrecorded("keyup v");
    let after = driver.assert_shows("after the drag");
    assert_eq!(driver.moved_transforms(), after["targets"], "bit for bit");
}

#[test]
fn vertex_key_pressed_without_motion_is_recorded() {
    let (mut driver, _, to) = held_handle("window-snap-still");
    driver.move_to(to);
    driver.send_unrecorded("keydown v");
    driver.events.push(json!({ "move": to, "mods": ["v"] }));
    driver.assert_shows("with the vertex key");
    driver.send_unrecorded("mouseup 1 keyup v");
    driver.moved_transforms();
    play(&driver.path("test-1.json"));
}
