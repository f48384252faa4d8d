//! Tests that no ending of the viewer loses unsaved work: each makes changes, ends the viewer, starts it again
//! and restores the changes, which must be the same bit for bit.

use super::*;
use std::panic::AssertUnwindSafe;

/// Time within which changes must be in the journal.
const MAX_DELAY: Duration = Duration::from_secs(5);

/// A way in which a viewer ends.
#[derive(Clone, Copy)]
enum Ending {
    Signal(&'static str),
    DisplayKilled,
    WindowKilled,
    /// F12 causes this fault.
    Hook(&'static str),
}

/// The endings, with the exit status of each; `None` if it is not the viewer that decides.
const ENDINGS: [(&str, Ending, Option<i32>); 8] = [
    ("SIGTERM", Ending::Signal("TERM"), Some(128 + 15)),
    ("SIGHUP", Ending::Signal("HUP"), Some(128 + 1)),
    ("SIGKILL", Ending::Signal("KILL"), None),
    ("killed display", Ending::DisplayKilled, None),
    ("killed window", Ending::WindowKilled, None),
    ("panic", Ending::Hook("panic"), Some(101)),
    ("lost device", Ending::Hook("lose-device"), Some(2)),
    // No panic.
    ("uncaptured error", Ending::Hook("misuse-device"), Some(2)),
];

/// Opens the viewer with a scene in a folder of its own. Returns the path of the scene too.
fn open(name: &str, hook: &[&str]) -> (Driver, String) {
    let name = format!("window-ending-{}", name.replace(' ', "-"));
    let file = folder(&name).join("one.gltf");
    std::fs::write(&file, files::scene(1.0)).expect("the target folder is writable");
    let file = text(&file).to_owned();
    let driver = Driver::start(&name, |display| window(display, &folder(&name), &[&[&*file], hook].concat()));
    driver.display.wait_for_title("one.gltf");
    (driver, file)
}

fn window(display: &Display, folder: &Path, more: &[&str]) -> Window {
    // A file that exceeds the limit of `prlimit` must be an error, as on a full disk, and no signal.
    let mut command = display.command("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", VIEWER]);
    command.arg("--no-panel").arg("--out").arg(folder).args(more).stderr(Stdio::null());
    Window::start(display, &mut command)
}

impl Driver {
    /// Starts the viewer again, which has ended.
    fn restart(&mut self, arguments: &[&str]) {
        self.window = window(&self.display, &self.folder, arguments);
    }

    /// Returns the journals in the folder of the viewer's data.
    fn journals(&self) -> Vec<Value> {
        let entries = std::fs::read_dir(self.display.data().join("wgpu-gizmo/rescued"));
        let paths = entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let journals = paths.filter(|path| path.extension().is_some_and(|extension| extension == "journal"));
        journals.filter_map(|path| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()).collect()
    }

    /// Moves and rotates the node. Returns the transforms.
    fn transform(&self) -> Value {
        self.press_keys(&["a", "x", "period", "3", "Return", "e", "y", "1", "7", "Return"]);
        self.display.wait_for_title("* one.gltf");
        self.moved_transforms()
    }

    /// Moves and rotates the node, and waits until the journal has the result. Returns the transforms.
    fn change(&self) -> Value {
        let transforms = self.transform();
        let changed = Instant::now();
        let is_written = |journal: &Value| journal["changes"][0]["transform"] == transforms["a"];
        while !self.journals().iter().any(is_written) {
            assert!(changed.elapsed() < MAX_DELAY, "{:?}", self.journals());
            std::thread::sleep(Duration::from_millis(50));
        }
        transforms
    }

    /// Ends the viewer and returns its exit status, unless a signal has ended it.
    fn end(&mut self, ending: Ending) -> Option<i32> {
        match ending {
            Ending::Signal(signal) => self.window.run_on_process("kill", &["-s", signal]),
            Ending::DisplayKilled => self.display.kill(),
            Ending::WindowKilled => self.send_unrecorded("search --name wgpu-gizmo windowkill"),
            Ending::Hook(_) => self.press_keys(&["F12"]),
        }
        self.exit_status()
    }

    /// Waits until the viewer has ended, and returns its exit status, unless a signal has ended it.
    fn exit_status(&mut self) -> Option<i32> {
        exit_status(&mut self.window.process, TIME_LIMIT).expect("the viewer ends").code()
    }

    /// Waits for the offer, accepts it, and returns the restored transforms.
    fn restore(&self) -> Value {
        self.display.wait("nothing is offered", || {
            let is_restored = self.display.shows_window("^\\* one.gltf ");
            if !is_restored {
                // The default button. Without a dialog the key does nothing.
                self.press_keys(&["Return"]);
                std::thread::sleep(Duration::from_millis(150));
            }
            is_restored
        });
        self.moved_transforms()
    }
}

/// Asserts that a node of a file has the transform that the viewer has returned.
fn assert_has_transform(document: &Value, transform: &Value) {
    let numbers =
        |list: &Value| list.as_array().map(|list| list.iter().map(Value::as_f64).collect::<Vec<_>>());
    for key in ["translation", "rotation"] {
        let written = numbers(&document["nodes"][0][key]);
        assert!(written.is_some() && written == numbers(&transform[key]), "{document} {transform}");
    }
}

/// Changes a scene, ends the viewer, starts it again and restores the changes.
fn lose_nothing(name: &str, ending: Ending, expected: Option<i32>) {
    let hook = match ending {
        Ending::Hook(hook) => vec!["--test-hook", hook],
        _ => Vec::new(),
    };
    let (mut driver, file) = open(name, &hook);
    let before = driver.change();
    assert!(before["a"].is_object(), "{before}");
    let status = driver.end(ending);
    if expected.is_some() {
        assert_eq!(status, expected, "the exit status");
    }
    if matches!(ending, Ending::DisplayKilled) {
        driver.display = Display::open_again(SIZE, &driver.folder);
    }
    assert_eq!(driver.journals().len(), 1);
    // Half of them without the file, which is then opened by the offer.
    let named = [&*file];
    driver.restart(if matches!(ending, Ending::Signal(_)) { &[] } else { &named });
    assert_eq!(driver.restore(), before);
    // Saving deletes the journal.
    driver.press_keys(&["ctrl+s"]);
    driver.display.wait_for_title("one.gltf");
    driver.display.wait("the journal stays", || driver.journals().is_empty());
    driver.end(Ending::Signal("TERM"));
    let rescued = std::fs::read_dir(driver.display.data().join("wgpu-gizmo/rescued"));
    assert_eq!(rescued.map_or(0, Iterator::count), 0, "neither a journal nor a lock stays");
}

#[test]
fn no_ending_loses_unsaved_work() {
    let mut lost = Vec::new();
    for (name, ending, status) in ENDINGS {
        let started = Instant::now();
        // The message of a panic is printed when it happens.
        if std::panic::catch_unwind(AssertUnwindSafe(|| lose_nothing(name, ending, status))).is_err() {
            lost.push(name);
        }
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
    }
    println!("figure: endings_that_lose_work = {} of {}", lost.len(), ENDINGS.len());
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn edit_right_before_display_is_killed_is_restored() {
    let (mut driver, file) = open("late edit", &[]);
    let first = driver.change();
    // The journal was written a moment ago, so this is not written at once.
    driver.press_keys(&["ctrl+z"]);
    let last = driver.moved_transforms();
    assert_ne!(last, first);
    driver.end(Ending::DisplayKilled);
    driver.display = Display::open_again(SIZE, &driver.folder);
    driver.restart(&[&file]);
    assert_eq!(driver.restore(), last);
}

#[test]
fn quitting_while_saving_leaves_complete_file() {
    let (mut driver, file) = open("quit while saving", &[]);
    let saved = driver.change();
    driver.press_keys(&["ctrl+s", "ctrl+q"]);
    assert_eq!(driver.exit_status(), Some(0));
    assert_has_transform(&read_when_written(file.as_ref()), &saved["a"]);
    assert!(driver.journals().is_empty());
}

#[test]
fn save_on_full_disk_fails_and_changes_are_restored() {
    let (mut driver, file) = open("full disk", &[]);
    let before = driver.change();
    driver.window.run_on_process("prlimit", &["--fsize=1", "--pid"]);
    // The save fails, so the window stays.
    let before_failure = driver.display.picture();
    driver.press_keys(&["ctrl+q", "Return"]);
    driver.display.wait_for_change(&before_failure);
    driver.display.wait_until_still();
    driver.display.wait_for_title("* one.gltf");
    assert!(driver.window.is_alive());
    assert_eq!(std::fs::read_to_string(&file).ok(), Some(files::scene(1.0)));
    assert_eq!(driver.end(Ending::Signal("TERM")), Some(128 + 15));
    driver.restart(&[&file]);
    assert_eq!(driver.restore(), before);
}

#[test]
fn changes_are_rescued_beside_scene_without_data_folder() {
    let (mut driver, _) = open("no data folder", &[]);
    let data = driver.display.data();
    let _ = std::fs::remove_dir_all(&data);
    std::fs::write(&data, b"").expect("the target folder is writable");
    let rescued = driver.path("one 1.glb");
    let _ = std::fs::remove_file(&rescued);
    let before = driver.transform();
    assert_eq!(driver.end(Ending::Signal("TERM")), Some(128 + 15));
    std::fs::remove_file(&data).expect("the target folder is writable");
    let bytes = std::fs::read(&rescued).expect("the scene was rescued");
    let file = gltf::Glb::from_slice(&bytes).expect("it is a binary file");
    assert_has_transform(&serde_json::from_slice(&file.json).expect("the text is JSON"), &before["a"]);
}

#[test]
fn device_destroyed_during_drag_is_replaced() {
    let out = folder("window-device");
    let mut driver = Driver::with("window-device", &["--out", text(&out), "--test-hook", "destroy-device"]);
    driver.select("forearm");
    let [x, y] = driver.handle("translate_x");
    driver.move_to([x, y]);
    driver.press(&[]);
    driver.move_along(&[[x + 20, y + 4], [x + 41, y + 9]]);
    let during = driver.assert_shows("during the drag");
    assert_eq!(during["dragging"], "translate_x", "{during}");
    driver.press_keys(&["F12"]);
    driver.assert_shows("on the new device");
    // The drag continues with the same start.
    driver.move_along(&[[x + 60, y + 15], [x + 83, y + 26]]);
    driver.release(&[]);
    let after = driver.assert_shows("after the drag");
    assert_ne!(after["targets"], during["targets"]);
    assert_eq!(driver.moved_transforms(), after["targets"]);
    driver.undo();
    driver.assert_shows("after undo");
}
