//! Tests of a 3D mouse: a daemon of the test speaks the protocol of spacenavd.

use super::driver::{Driver, read_when_written};
use super::folder;
use serde_json::{Value, json};
use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

/// Sends the deflection of a cap: three translations, then three rotations.
fn send(daemon: &mut UnixStream, cap: [i32; 6]) {
    let [x, y, z, rx, ry, rz] = cap;
    let message = [0, x, y, z, rx, ry, rz, 16].map(i32::to_ne_bytes).concat();
    daemon.write_all(&message).expect("the viewer reads the socket");
}

/// Holds the cap as a device does, which sends each count many times per second.
fn hold(daemon: &mut UnixStream, cap: [i32; 6]) {
    for _ in 0..40 {
        send(daemon, cap);
        std::thread::sleep(Duration::from_millis(16));
    }
}

/// Waits until the window has recorded this many events of a kind and records no more, and plays its recording
/// from now on.
fn follow_recording(driver: &mut Driver, kind: &str, count: usize) {
    let (started, mut before) = (Instant::now(), Vec::new());
    loop {
        driver.moved_transforms();
        let test = read_when_written(&driver.path("test-1.json"));
        let events = test["events"].as_array().cloned().unwrap_or_default();
        if events == before && events.iter().filter(|event| event.get(kind).is_some()).count() >= count {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "not {count} of {kind}: {events:?}");
        before = events;
    }
    driver.events = before.into_iter().filter(|event| event.get("expect").is_none()).collect();
}

fn height_of_crate(line: &Value) -> f64 {
    line["targets"]["crate"]["translation"][1].as_f64().expect("the crate is selected")
}

#[test]
fn space_mouse_moves_selection_and_camera_until_unplugged() {
    let out = folder("window-space-mouse");
    let socket = out.join("spnav.sock");
    let _ = std::fs::remove_file(&socket);
    let listener = UnixListener::bind(&socket).expect("the folder is writable");
    let mut driver = Driver::with("window-space-mouse", &["--out", out.to_str().expect("the path is UTF-8")]);
    let mut daemon = listener.accept().expect("the viewer connects").0;

    driver.click_node("crate", &[]);
    let start = height_of_crate(&driver.assert_shows("with the crate selected"));
    hold(&mut daemon, [10, 300, 0, 0, 20, 0]);
    send(&mut daemon, [0; 6]);
    follow_recording(&mut driver, "drive", 1);
    let moved = height_of_crate(&driver.assert_shows("after a push of the cap"));
    assert!(moved > start + 0.05, "{start} to {moved}");
    driver.undo();
    let undone = height_of_crate(&driver.assert_shows("after undo"));
    assert_eq!(undone, start, "a push is one undo step");

    // Without a selection the camera moves.
    driver.events.push(json!({ "key": "a", "mods": ["shift"] }));
    driver.send_unrecorded(&["key", "shift+a"]);
    driver.assert_shows("with nothing selected");
    hold(&mut daemon, [200, 0, 100, 0, 250, 0]);
    send(&mut daemon, [0; 6]);
    follow_recording(&mut driver, "camera", 1);
    driver.assert_shows("after the camera has moved");

    // A device that is unplugged is at rest, and is found again.
    driver.keys(&[("a", "a")]);
    driver.assert_shows("with everything selected");
    hold(&mut daemon, [0, 300, 0, 0, 0, 0]);
    drop(daemon);
    follow_recording(&mut driver, "drive", 2);
    let unplugged = height_of_crate(&driver.assert_shows("after the device was unplugged"));
    assert!(unplugged > start + 0.05, "{start} to {unplugged}");
    let mut daemon = listener.accept().expect("the viewer connects again").0;
    hold(&mut daemon, [0, -300, 0, 0, 0, 0]);
    send(&mut daemon, [0; 6]);
    follow_recording(&mut driver, "drive", 3);
    let lowered = height_of_crate(&driver.assert_shows("after the device was plugged in again"));
    assert!(lowered < unplugged - 0.05, "{unplugged} to {lowered}");
}
