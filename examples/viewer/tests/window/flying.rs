//! Tests of flying with real keys, based on recordings. The distance depends on the clock, but the
//! direction does not.

use super::driver::Driver;
use super::recording::wait_for_recording;
use serde_json::Value;

/// The axes are rows 0 to 2 of `view_from_world`: the viewer's right, up and backward in world space.
struct Eye {
    axes: [[f64; 3]; 3],
    at: [f64; 3],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the last camera of a recording.
fn eye_of(recorded: &Value) -> Eye {
    let events = recorded["events"].as_array().expect("events is a list");
    let last = events.iter().rev().find_map(|event| event.get("camera"));
    let matrix = &last.unwrap_or(&recorded["camera"])["view_from_world"];
    let m: Vec<f64> =
        matrix.as_array().expect("the camera has a matrix").iter().filter_map(Value::as_f64).collect();
    let axes = [0, 1, 2].map(|row| [m[row], m[4 + row], m[8 + row]]);
    // The eye is the origin of the view: −Rᵀt.
    let at = [0, 1, 2].map(|i| -(0..3).map(|row| axes[row][i] * m[12 + row]).sum::<f64>());
    Eye { axes, at }
}

#[test]
fn flight_keys_move_camera_and_pointer_turns_it() {
    let (driver, recording) = Driver::recording("window-fly");
    // The pointer is on a node, which is hovered except during a flight.
    let [x, y] = driver.pixel_of("base").map(|at| at.to_string());
    driver.send_unrecorded(&["mousemove", &x, &y]);
    let mut before = eye_of(&wait_for_recording(&driver.display, &recording));
    let mut fly = |key: &str| {
        let picture = driver.display.picture();
        driver.send_unrecorded(&["key", "j", "keydown", key]);
        driver.display.wait_for_change(&picture);
        driver.send_unrecorded(&["keyup", key, "key", "Escape"]);
        let after = eye_of(&wait_for_recording(&driver.display, &recording));
        let way = [0, 1, 2].map(|i| after.at[i] - before.at[i]);
        assert!(dot(way, way) > 1e-6, "{key} flies");
        let looks = |eye: &Eye| eye.axes[2];
        let turned = dot(looks(&before), looks(&after));
        assert!(turned > 1.0 - 1e-9, "{key} does not turn the camera");
        let length = dot(way, way).sqrt();
        let way = way.map(|way| way / length);
        let along = before.axes.map(|axis| dot(axis, way));
        before = after;
        // Along the viewer's right and forward, and up in the world.
        [along[0], -along[2], way[1]]
    };
    for (key, axis, sign) in [("w", 1, 1.0), ("a", 0, -1.0), ("e", 2, 1.0)] {
        let along = fly(key);
        assert!(sign * along[axis] > 1.0 - 1e-9, "{key}: {along:?}");
    }

    // To the right and down, farther than the window is wide.
    let picture = driver.display.picture();
    driver.send_unrecorded(&["key", "j"]);
    for _ in 0..40 {
        driver.send_unrecorded(&["mousemove_relative", "--", "5", "2"]);
    }
    driver.display.wait_for_change(&picture);
    driver.send_unrecorded(&["click", "1"]);
    let after = eye_of(&wait_for_recording(&driver.display, &recording));
    let forward = after.axes[2].map(|backward| -backward);
    assert!(dot(forward, before.axes[0]) > 0.05 && dot(forward, before.axes[1]) < -0.02, "{forward:?}");
    assert!(dot(after.axes[0], [0.0, 1.0, 0.0]).abs() < 1e-9, "the horizon stays level");
    let still = [0, 1, 2].map(|i| (after.at[i] - before.at[i]).abs());
    assert!(still.iter().all(|off| *off < 1e-9), "the camera turns and the eye stays: {still:?}");
}
