//! Tests of flying with real keys, based on recordings. The distance depends on the clock, but the
//! direction does not.

use super::*;
use wgpu_gizmo::glam::{DMat4, DVec4};

/// Returns the last camera of a recording. Its columns are the viewer's right, up, backward and position in the world.
fn camera_of(recorded: &Value) -> DMat4 {
    let events = recorded["events"].as_array().expect("events is a list");
    let last = events.iter().rev().find_map(|event| event.get("camera"));
    let matrix = &last.unwrap_or(&recorded["camera"])["view_from_world"];
    let numbers = matrix.as_array().expect("the camera has a matrix").iter().filter_map(Value::as_f64);
    DMat4::from_cols_slice(&numbers.collect::<Vec<_>>()).inverse()
}

#[test]
fn flight_keys_move_camera_and_pointer_turns_it() {
    let (driver, recording) = Driver::recording("window-fly");
    // The pointer is on a node, which is hovered except during a flight.
    let [x, y] = driver.pixel_of("base");
    driver.send_unrecorded(&format!("mousemove {x} {y}"));
    let mut before = camera_of(&wait_for_recording(&driver.display, &recording));
    let mut fly = |key: &str| {
        let picture = driver.display.picture();
        driver.send_unrecorded(&format!("key j keydown {key}"));
        driver.display.wait_for_change(&picture);
        driver.send_unrecorded(&format!("keyup {key} key Escape"));
        let after = camera_of(&wait_for_recording(&driver.display, &recording));
        let way = after.w_axis - before.w_axis;
        assert!(way.length_squared() > 1e-6, "{key} flies");
        let turned = before.z_axis.dot(after.z_axis);
        assert!(turned > 1.0 - 1e-9, "{key} does not turn the camera");
        // Along the viewer's right and forward, and up in the world.
        let along = [before.x_axis, -before.z_axis, DVec4::Y].map(|axis| axis.dot(way.normalize()));
        before = after;
        along
    };
    for (key, axis, sign) in [("w", 1, 1.0), ("a", 0, -1.0), ("e", 2, 1.0)] {
        let along = fly(key);
        assert!(sign * along[axis] > 1.0 - 1e-9, "{key}: {along:?}");
    }

    // To the right and down, farther than the window is wide.
    let picture = driver.display.picture();
    driver.press_keys(&["j"]);
    for _ in 0..40 {
        driver.send_unrecorded("mousemove_relative -- 5 2");
    }
    driver.display.wait_for_change(&picture);
    driver.send_unrecorded("click 1");
    let after = camera_of(&wait_for_recording(&driver.display, &recording));
    let forward = -after.z_axis;
    assert!(forward.dot(before.x_axis) > 0.05 && forward.dot(before.y_axis) < -0.02, "{forward}");
    assert!(after.x_axis.y.abs() < 1e-9, "the horizon stays level");
    let still = after.w_axis.distance(before.w_axis);
    assert!(still < 1e-9, "the camera turns and the eye stays: {still}");
}

/// The key is pressed while a button orbits, and the pointer moves on before the jump to the front view has ended.
#[test]
fn orbit_goes_on_from_view_that_key_jumps_to() {
    let (mut driver, recording) = Driver::recording("window-jump-orbit");
    let [x, y] = driver.pixel_of("base");
    driver.send_unrecorded(&format!("mousemove {x} {y} key 1"));
    let front = camera_of(&wait_for_recording(&driver.display, &recording));
    driver.press_keys(&["3"]);
    driver.display.wait_until_still();
    let orbit = format!("mousedown 2 key 1 mousemove {} {y} mouseup 2", x + 40);
    driver.at_once(|driver| driver.send_unrecorded(&orbit));
    let orbited = camera_of(&wait_for_recording(&driver.display, &recording));
    let turned = front.z_axis.dot(orbited.z_axis);
    assert!((0.5..0.999).contains(&turned), "{turned}");
}
