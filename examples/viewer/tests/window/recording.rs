//! Recordings of what a real mouse did, played without a window, and replays played in one.

use super::hand::{Hand, written};
use super::{Display, SIZE, folder};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

pub(super) fn remove(paths: &[&Path]) {
    for path in paths {
        std::fs::remove_file(path).ok();
    }
}

/// Plays a replay without a window: what it prints, or what it says where it fails.
pub(super) fn play(path: &Path) -> Vec<Value> {
    let output = Command::new(super::VIEWER).args(["--headless", "--replay"]).arg(path).output();
    let output = output.expect("the viewer runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {}: {message}", path.display(), output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Waits until the window shows what its recording leads to; gives that.
pub(crate) fn caught_up(display: &Display, recording: &Path) -> Value {
    let started = Instant::now();
    let picture = recording.with_extension("png");
    loop {
        remove(&[recording]);
        display.hand(&["key", "ctrl+r"]);
        let recorded = written(recording);
        let played = Command::new(super::VIEWER)
            .args(["--headless", "--replay"])
            .arg(recording)
            .arg("--screenshot")
            .arg(&picture)
            .output();
        assert!(played.expect("the viewer runs").status.success(), "{recorded}");
        let wanted = super::Picture::of_png(&picture);
        if display.picture().difference(&wanted, [0, 0, SIZE[0], SIZE[1] - super::STATUS_ROWS]) < 0.001 {
            return recorded;
        }
        assert!(started.elapsed() < Duration::from_secs(90), "the window shows something else: {recorded}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn what_is_done_in_the_window_comes_out_the_same_to_the_last_bit_when_it_is_played() {
    let folder = folder("window-record");
    let (recording, test) = (folder.join("recording.json"), folder.join("test-1.json"));
    remove(&[&recording, &test]);
    let paths = [&recording, &folder].map(|path| path.to_str().expect("a readable path"));
    let mut hand = Hand::with("window-record", &["--record", paths[0], "--out", paths[1]]);
    hand.click_node("forearm", &[]);
    hand.shows("after a click");
    let [x, y] = hand.handle("translate_x");
    let display = &hand.display;
    let go = |x: i64, y: i64| display.hand(&["mousemove", &x.to_string(), &y.to_string()]);
    // A drag of which a part is at a tenth of the pace.
    go(x, y);
    caught_up(display, &recording);
    display.hand(&["mousedown", "1"]);
    (1..=5).for_each(|step| go(x + 13 * step, y + 3 * step));
    display.hand(&["keydown", "shift"]);
    (1..=5).for_each(|step| go(x + 65 + 11 * step, y + 15));
    display.hand(&["keyup", "shift"]);
    go(x + 131, y + 20);
    display.hand(&["mouseup", "1"]);
    caught_up(display, &recording);
    // The camera is turned and comes nearer; then a number is typed.
    display.hand(&["mousemove", "400", "500", "mousedown", "3", "mousemove", "470", "520", "mouseup", "3"]);
    display.hand(&["click", "4", "key", "5", "key", "1", "key", "5"]);
    display.hand(&["key", "e", "key", "z", "key", "3", "key", "7", "key", "Return"]);
    // Four views, and a drag by a key in one of them; a turn of the cube.
    display.hand(&[
        "key",
        "F4",
        "mousemove",
        "300",
        "600",
        "key",
        "w",
        "key",
        "y",
        "key",
        "minus",
        "key",
        "1",
    ]);
    display.hand(&["key", "Return", "mousemove", "1224", "56"]);
    caught_up(display, &recording);
    display.hand(&["mousedown", "1", "mousemove", "1190", "80", "mousemove", "1150", "90", "mouseup", "1"]);
    let recorded = caught_up(display, &recording);
    let events = recorded["events"].as_array().expect("a list");
    let kinds = |kind: &str| events.iter().filter(|event| event.get(kind).is_some()).count();
    assert_eq!((kinds("views"), kinds("press")), (1, 3), "{recorded}");
    assert!(kinds("camera") > 1, "{recorded}");
    display.hand(&["key", "ctrl+shift+r"]);
    let tested = written(&test);
    assert_eq!(recorded["scene"], json!({ "built_in": "robot_arm" }));
    let expected = &tested["events"].as_array().and_then(|events| events.last()).expect("an event")["expect"];
    assert_eq!(expected["tolerance"], 0.0);
    let lines = play(&test);
    assert_eq!(lines[lines.len() - 2]["met"], true);
    // That it is the drag that was made, not one of nothing.
    let lines = play(&recording);
    let last = lines.iter().rev().find(|line| line["targets"].is_object()).expect("a state");
    assert_eq!(last["targets"]["forearm"], expected["targets"]["forearm"], "{last}");
    let start = json!([0.0, 0.1, 0.0]);
    assert_ne!(last["targets"]["forearm"]["translation"], start, "{last}");
    assert_ne!(last["targets"]["forearm"]["rotation"], json!([0.0, 0.0, 0.0, 1.0]), "{last}");
}

#[test]
fn a_replay_that_is_played_in_the_window_ends_as_it_does_without_one() {
    let folder = folder("window-replay");
    let (replay, recording) = (folder.join("replay.json"), folder.join("recording.json"));
    remove(&[&recording]);
    let mut hand = Hand::with("window-replay", &[]);
    hand.click_node("upper_arm", &[]);
    hand.shows("after a click");
    let [x, y] = hand.handle("translate_z").map(|at| at as f64);
    let mut events = hand.events.clone();
    events.extend([json!({ "move": [x, y] }), json!({ "press": "primary" })]);
    events.extend((1..6).map(|step| json!({ "move": [x + 7.25 * f64::from(step), y + f64::from(step)] })));
    events.push(json!({ "release": "primary", "mods": ["ctrl"] }));
    let document = json!({
        "version": 1, "size_px": SIZE, "scene": { "built_in": "robot_arm" }, "events": events
    });
    std::fs::write(&replay, document.to_string()).expect("a folder of ours");
    let wanted = play(&replay);

    let paths = [&replay, &recording].map(|path| path.to_str().expect("a readable path"));
    hand.open_again(&["--replay", paths[0], "--record", paths[1]]);
    // The keys are the replay's until it is over.
    let started = Instant::now();
    while !recording.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the replay did not come to its end");
        std::thread::sleep(Duration::from_millis(500));
        hand.unseen(&["key", "ctrl+r"]);
    }
    written(&recording);
    let played = play(&recording);
    let end = |lines: &[Value]| {
        lines.iter().rev().find(|line| line["targets"].is_object()).expect("a state")["targets"].clone()
    };
    assert_eq!(end(&played), end(&wanted));
    assert_ne!(end(&wanted), wanted[2]["targets"], "something was dragged");
}
