//! Tests that recordings of real input replay in headless mode, and that replays play in a window.

use super::*;

fn remove(paths: &[&Path]) {
    for path in paths {
        std::fs::remove_file(path).ok();
    }
}

/// Waits until the window shows the result of its own recording, and returns the recording.
pub(crate) fn wait_for_recording(display: &Display, recording: &Path) -> Value {
    let started = Instant::now();
    loop {
        remove(&[recording]);
        display.xdotool(&["key", "ctrl+r"]);
        let recorded = read_when_written(recording);
        let (_, wanted) = play(recording);
        if display.picture().difference(&wanted, [0, 0, SIZE[0], SIZE[1] - STATUS_ROWS]) < 0.001 {
            return recorded;
        }
        assert!(started.elapsed() < Duration::from_secs(90), "the window shows something else: {recorded}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn recorded_window_session_replays_bit_for_bit() {
    let (mut driver, recording) = Driver::recording("window-record");
    let test = driver.path("test-1.json");
    remove(&[&recording, &test]);
    driver.select("forearm");
    let [x, y] = driver.handle("translate_x");
    let (display, send) = (&driver.display, |input: &str| driver.send_unrecorded(input));
    // A drag that is partly slowed down by the precision key.
    send(&format!("mousemove {x} {y}"));
    wait_for_recording(display, &recording);
    send("mousedown 1");
    (1..=5).for_each(|step| send(&format!("mousemove {} {}", x + 13 * step, y + 3 * step)));
    send("keydown shift");
    (1..=5).for_each(|step| send(&format!("mousemove {} {}", x + 65 + 11 * step, y + 15)));
    send(&format!("keyup shift mousemove {} {} mouseup 1", x + 131, y + 20));
    wait_for_recording(display, &recording);
    // Orbit and zoom the camera, then type a number.
    let [x, y] = driver.empty_pixel();
    send(&format!("mousemove {x} {y} mousedown 3 mousemove {} {} mouseup 3", x + 70, y + 20));
    send("click 4 key 5 key 1 key 5");
    send("key e key z key 3 key 7 key Return");
    // Four views with a keyboard drag in one of them, then turn the cube.
    let ([x, y], [cube_x, cube_y]) = (driver.in_front_view(), driver.cube_pixel());
    send(&format!("mousemove {x} {y} key F4 key g mousemove {} {y} key Return", x + 40));
    wait_for_recording(display, &recording);
    send("key w key y key minus key 1");
    send(&format!("key Return mousemove {cube_x} {cube_y}"));
    wait_for_recording(display, &recording);
    let [x, y] = [cube_x - 34, cube_y + 24];
    send(&format!("mousedown 1 mousemove {x} {y} mousemove {} {} mouseup 1", x - 40, y + 10));
    let recorded = wait_for_recording(display, &recording);
    let events = recorded["events"].as_array().expect("events is a list");
    let kinds = |kind: &str| events.iter().filter(|event| event.get(kind).is_some()).count();
    assert_eq!((kinds("views"), kinds("press")), (1, 3), "{recorded}");
    assert!(kinds("camera") > 1, "{recorded}");
    send("key ctrl+shift+r");
    let tested = read_when_written(&test);
    assert_eq!(recorded["scene"], json!({ "built_in": "robot_arm" }));
    let expected =
        &tested["events"].as_array().and_then(|events| events.last()).expect("there are events")["expect"];
    assert_eq!(expected["tolerance"], 0.0);
    let (lines, _) = play(&test);
    assert_eq!(lines[lines.len() - 2]["met"], true);
    // The recording contains the drag, and the drag has moved something.
    let (lines, _) = play(&recording);
    let last = lines.iter().rev().find(|line| line["targets"].is_object()).expect("a line has targets");
    assert_eq!(last["targets"]["forearm"], expected["targets"]["forearm"], "{last}");
    let start = json!([0.0, 0.1, 0.0]);
    assert_ne!(last["targets"]["forearm"]["translation"], start, "{last}");
    assert_ne!(last["targets"]["forearm"]["rotation"], json!([0.0, 0.0, 0.0, 1.0]), "{last}");
}

/// The press refers to the picture before the zoom.
#[test]
fn box_right_after_zoom_replays_as_it_went() {
    let (mut driver, recording) = Driver::recording("window-zoom-box");
    let ([x, y], [to_x, to_y]) = (driver.empty_pixel(), driver.pixel_of("crate"));
    let [to_x, to_y] = [to_x + (to_x - x).signum() * 80, to_y + (to_y - y).signum() * 80];
    let a_box = format!("mousemove {x} {y} click 4 mousedown 1 mousemove -- {to_x} {to_y} mouseup 1");
    driver.at_once(|driver| driver.send_unrecorded(&a_box));
    wait_for_recording(&driver.display, &recording);
}

/// Which handles there are is known only once the nodes in the box are.
#[test]
fn input_right_after_box_acts_on_what_is_in_it() {
    let (mut driver, recording) = Driver::recording("window-box-drag");
    let [left, top, width, height] = driver.view().map(i64::from);
    let [from, to] = [[left + 9, top + height - 9], [left + width - 9, top + 9]];
    driver.move_to(from);
    driver.press(&[]);
    driver.move_along(&[to]);
    driver.release(&[]);
    driver.assert_shows("after a box");
    let [x, y] = driver.handle("translate_y");
    let drag = |[x, y]: [i64; 2], [to_x, to_y]: [i64; 2]| {
        format!("mousemove {x} {y} mousedown 1 mousemove {to_x} {to_y} mouseup 1")
    };
    let [a_box, pull] = [drag(from, to), drag([x, y], [x, y - 40])];
    for (next, is_drag) in [(pull, true), ("key Escape".to_owned(), false)] {
        driver.click(from, &[]);
        driver.at_once(|driver| driver.send_unrecorded(&format!("{a_box} {next}")));
        let recorded = wait_for_recording(&driver.display, &recording);
        let (lines, _) = play(&recording);
        let targets = lines.iter().rev().find_map(|line| line["targets"].as_object());
        assert!(targets.is_some_and(|targets| targets.len() > 1), "{recorded}");
        assert!(!is_drag || lines.iter().any(|line| line["dragging"] == "translate_y"), "{recorded}");
    }
}

#[test]
fn replay_in_window_ends_like_headless_replay() {
    let folder = folder("window-replay");
    let (replay, recording) = (folder.join("replay.json"), folder.join("recording.json"));
    remove(&[&recording]);
    let mut driver = Driver::with("window-replay", &[]);
    driver.select("upper_arm");
    let [x, y] = driver.handle("translate_z").map(|at| at as f64);
    let mut events = driver.events.clone();
    events.extend([json!({ "move": [x, y] }), json!({ "press": "primary" })]);
    events.extend((1..6).map(|step| json!({ "move": [x + 7.25 * f64::from(step), y + f64::from(step)] })));
    events.push(json!({ "release": "primary", "mods": ["ctrl"] }));
    let document = json!({
        "version": 1, "size_px": SIZE, "scene": { "built_in": "robot_arm" }, "events": events
    });
    std::fs::write(&replay, document.to_string()).expect("the folder is writable");
    let (wanted, _) = play(&replay);

    driver.open_again(&["--replay", text(&replay), "--record", text(&recording)]);
    // Keys are ignored until the replay has ended.
    let started = Instant::now();
    while !recording.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the replay did not end");
        std::thread::sleep(Duration::from_millis(500));
        driver.press_keys(&["ctrl+r"]);
    }
    read_when_written(&recording);
    let (played, _) = play(&recording);
    let end = |lines: &[Value]| {
        lines.iter().rev().find(|line| line["targets"].is_object()).expect("a line has targets")["targets"]
            .clone()
    };
    assert_eq!(end(&played), end(&wanted));
    assert_ne!(end(&wanted), wanted[2]["targets"], "something was dragged");
}

#[test]
fn restarted_replay_shows_its_own_scene() {
    let folder = folder("window-restart");
    let (scene, view) = (json!({ "built_in": "robot_arm" }), [0, 0, SIZE[0], SIZE[1]]);
    let (_, picture) = run_headless(&scene, view, &folder, &[json!({ "select": ["crate"] })]);
    let display = Display::open(SIZE, &folder);
    let _window = Window::open(&display, &["--replay", &folder.join("replay.json").to_string_lossy()]);
    // Above the controls of the replay.
    let part = [0, 0, SIZE[0], SIZE[1] - 110];
    assert_shows_in(part, &display, &picture, ("at first", &folder));
    display.xdotool(&["key", "x", "3", "Return"]);
    display.wait_for_change_in(part, &picture);
    display.wait_until_still();
    // The button Restart.
    display.xdotool(&["mousemove", "314", "732", "click", "1"]);
    assert_shows_in(part, &display, &picture, ("after the restart", &folder));
}

#[test]
fn replay_can_be_paused_during_its_drag() {
    let replay = folder("window-pause").join("replay.json");
    let mut driver = Driver::with("window-pause", &[]);
    driver.select("upper_arm");
    let [x, y] = driver.handle("translate_z");
    let mut events = driver.events.clone();
    events.extend([json!({ "move": [x, y] }), json!({ "press": "primary" })]);
    events.extend((0..5000).map(|step| json!({ "move": [x + step % 60, y] })));
    let document = json!({
        "version": 1, "size_px": SIZE, "scene": { "built_in": "robot_arm" }, "events": events
    });
    std::fs::write(&replay, document.to_string()).expect("the folder is writable");
    driver.open_again(&["--replay", text(&replay)]);
    let display = &driver.display;
    // Several positions of the drag.
    (0..8).for_each(|_| display.wait_for_change(&display.picture()));
    let before = display.picture();
    // A corner of the button Pause. Its text becomes Play.
    display.xdotool(&["mousemove", "463", "739", "click", "1"]);
    display.wait_for_change_in([425, 722, 28, 12], &before);
}
