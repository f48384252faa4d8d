//! Tests that no ending of the viewer loses unsaved work: each makes changes, ends the viewer, starts it again
//! and restores the changes, which must be the same bit for bit.

use super::driver::{Driver, read_when_written};
use super::{Display, SIZE, Window, files, folder};
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

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
const ENDINGS: [(&str, Ending, Option<i32>); 7] = [
    ("SIGTERM", Ending::Signal("TERM"), Some(128 + 15)),
    ("SIGHUP", Ending::Signal("HUP"), Some(128 + 1)),
    ("SIGKILL", Ending::Signal("KILL"), None),
    ("killed display", Ending::DisplayKilled, None),
    ("killed window", Ending::WindowKilled, None),
    ("panic", Ending::Hook("panic"), Some(101)),
    ("lost device", Ending::Hook("lose-device"), Some(2)),
];

struct Session {
    // Declared first, so that the window closes before its display.
    window: Window,
    display: Display,
    folder: PathBuf,
}

impl Session {
    fn open(folder: PathBuf, hook: &[&str]) -> Self {
        let display = Display::open(SIZE, &folder);
        let window = Self::window(&display, &folder, hook);
        Self { window, display, folder }
    }

    fn window(display: &Display, folder: &PathBuf, more: &[&str]) -> Window {
        // A file that exceeds the limit of `prlimit` must be an error, as on a full disk, and no signal.
        let mut command = display.command("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", super::VIEWER]);
        command.arg("--no-panel").arg("--out").arg(folder).args(more).stderr(Stdio::null());
        Window::start(display, &mut command)
    }

    fn keys(&self, keys: &[&str]) {
        self.display.xdotool(&[&["key"], keys].concat());
    }

    /// Returns the exact transforms of the nodes that have moved.
    fn transforms(&self) -> Value {
        let test = self.folder.join("test-1.json");
        let _ = std::fs::remove_file(&test);
        self.keys(&["ctrl+shift+r"]);
        let written = read_when_written(&test);
        let expect = written["events"].as_array().and_then(|events| events.last()).expect("there are events");
        expect["expect"]["targets"].clone()
    }

    /// Returns the journals in the folder of the viewer's data.
    fn journals(&self) -> Vec<Value> {
        let entries = std::fs::read_dir(self.display.data().join("wgpu-gizmo/rescued"));
        let paths = entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let journals = paths.filter(|path| path.extension().is_some_and(|extension| extension == "journal"));
        journals.filter_map(|path| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()).collect()
    }

    /// Moves and rotates the node, and waits until the journal has the result. Returns the transforms.
    fn change(&self) -> Value {
        self.keys(&["a", "x", "period", "3", "Return", "e", "y", "1", "7", "Return"]);
        self.display.wait_for_title("* one.gltf");
        let transforms = self.transforms();
        let (changed, started) = (Instant::now(), &transforms["a"]);
        let is_written = |journal: &Value| journal["changes"][0]["transform"] == *started;
        while !self.journals().iter().any(is_written) {
            assert!(changed.elapsed() < MAX_DELAY, "{:?}", self.journals());
            std::thread::sleep(Duration::from_millis(50));
        }
        transforms
    }

    /// Runs a program with the number of the viewer's process as its last argument.
    /// Ends the viewer and returns its exit status, unless a signal has ended it.
    fn end(&mut self, ending: Ending) -> Option<i32> {
        match ending {
            Ending::Signal(signal) => self.window.run_on_process("kill", &["-s", signal]),
            Ending::DisplayKilled => self.display.kill(),
            Ending::WindowKilled => self.display.xdotool(&["search", "--name", "wgpu-gizmo", "windowkill"]),
            Ending::Hook(_) => self.keys(&["F12"]),
        }
        self.exit_status()
    }

    /// Waits until the viewer has ended, and returns its exit status, unless a signal has ended it.
    fn exit_status(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.window.process.try_wait().expect("the viewer can be waited for") {
                return status.code();
            }
            assert!(started.elapsed() < Duration::from_secs(30), "the viewer goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the offer, accepts it, and returns the restored transforms.
    fn restore(&self) -> Value {
        self.accept_offer();
        self.transforms()
    }

    fn accept_offer(&self) {
        let started = Instant::now();
        while !self.display.shows_window("^\\* one.gltf ") {
            assert!(started.elapsed() < Duration::from_secs(30), "nothing is offered");
            // The default button. Without a dialog the key does nothing.
            self.keys(&["Return"]);
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Returns a new folder, and the path of a scene in it.
fn folder_with_scene(name: &str) -> (PathBuf, String) {
    let folder = folder(&format!("window-ending-{}", name.replace(' ', "-")));
    let file = folder.join("one.gltf");
    std::fs::write(&file, files::scene(1.0)).expect("the target folder is writable");
    let file = file.to_str().expect("the path is UTF-8").to_owned();
    (folder, file)
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
    let (folder, file) = folder_with_scene(name);
    let file = &*file;
    let hook = match ending {
        Ending::Hook(hook) => vec![file, "--test-hook", hook],
        _ => vec![file],
    };
    let mut session = Session::open(folder.clone(), &hook);
    session.display.wait_for_title("one.gltf");
    let before = session.change();
    assert!(before["a"].is_object(), "{before}");
    let status = session.end(ending);
    if expected.is_some() {
        assert_eq!(status, expected, "the exit status");
    }
    if matches!(ending, Ending::DisplayKilled) {
        session.display = Display::open_again(SIZE, &folder);
    }
    assert_eq!(session.journals().len(), 1);
    // Half of them without the file, which is then opened by the offer.
    let without_file = matches!(ending, Ending::Signal(_));
    session.window = Session::window(&session.display, &folder, if without_file { &[] } else { &hook[..1] });
    assert_eq!(session.restore(), before);
    // Saving deletes the journal.
    session.keys(&["ctrl+s"]);
    session.display.wait_for_title("one.gltf");
    session.display.wait("the journal stays", || session.journals().is_empty());
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
    let (folder, file) = folder_with_scene("late edit");
    let mut session = Session::open(folder.clone(), &[&file]);
    session.display.wait_for_title("one.gltf");
    let first = session.change();
    // The journal was written a moment ago, so this is not written at once.
    session.keys(&["ctrl+z"]);
    let last = session.transforms();
    assert_ne!(last, first);
    session.end(Ending::DisplayKilled);
    session.display = Display::open_again(SIZE, &folder);
    session.window = Session::window(&session.display, &folder, &[&file]);
    assert_eq!(session.restore(), last);
}

#[test]
fn quitting_while_saving_leaves_complete_file() {
    let (folder, file) = folder_with_scene("quit while saving");
    let mut session = Session::open(folder, &[&file]);
    session.display.wait_for_title("one.gltf");
    let saved = session.change();
    session.keys(&["ctrl+s", "ctrl+q"]);
    assert_eq!(session.exit_status(), Some(0));
    assert_has_transform(&read_when_written(file.as_ref()), &saved["a"]);
    assert!(session.journals().is_empty());
}

#[test]
fn save_on_full_disk_fails_and_changes_are_restored() {
    let (folder, file) = folder_with_scene("full disk");
    let mut session = Session::open(folder.clone(), &[&file]);
    session.display.wait_for_title("one.gltf");
    let before = session.change();
    session.window.run_on_process("prlimit", &["--fsize=1", "--pid"]);
    // The save fails, so the window stays.
    let before_failure = session.display.picture();
    session.keys(&["ctrl+q", "Return"]);
    session.display.wait_for_change(&before_failure);
    session.display.wait_until_still();
    session.display.wait_for_title("* one.gltf");
    assert!(session.window.is_alive());
    assert_eq!(std::fs::read_to_string(&file).ok(), Some(files::scene(1.0)));
    assert_eq!(session.end(Ending::Signal("TERM")), Some(128 + 15));
    session.window = Session::window(&session.display, &folder, &[&file]);
    assert_eq!(session.restore(), before);
}

#[test]
fn changes_are_rescued_beside_scene_without_data_folder() {
    let (folder, file) = folder_with_scene("no data folder");
    let mut session = Session::open(folder.clone(), &[&file]);
    session.display.wait_for_title("one.gltf");
    let _ = std::fs::remove_dir_all(session.display.data());
    std::fs::write(session.display.data(), b"").expect("the target folder is writable");
    let rescued = folder.join("one 1.glb");
    let _ = std::fs::remove_file(&rescued);
    session.keys(&["a", "x", "period", "3", "Return", "e", "y", "1", "7", "Return"]);
    session.display.wait_for_title("* one.gltf");
    let before = session.transforms();
    assert_eq!(session.end(Ending::Signal("TERM")), Some(128 + 15));
    std::fs::remove_file(session.display.data()).expect("the target folder is writable");
    let bytes = std::fs::read(&rescued).expect("the scene was rescued");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("these are four bytes"));
    let document = serde_json::from_slice(&bytes[20..20 + length as usize]).expect("the chunk is JSON");
    assert_has_transform(&document, &before["a"]);
}

#[test]
fn uncaptured_gpu_error_ends_viewer_orderly() {
    let (folder, file) = folder_with_scene("gpu error");
    let mut session = Session::open(folder, &[&file, "--test-hook", "misuse-device"]);
    session.display.wait_for_title("one.gltf");
    session.change();
    assert_eq!(session.end(Ending::Hook("misuse-device")), Some(2), "no panic");
    assert_eq!(session.journals().len(), 1);
}

#[test]
fn device_destroyed_during_drag_is_replaced() {
    let out = folder("window-device");
    let out = out.to_str().expect("the path is UTF-8").to_owned();
    let mut driver = Driver::with("window-device", &["--out", &out, "--test-hook", "destroy-device"]);
    driver.click_node("forearm", &[]);
    driver.assert_shows("after a click");
    let [x, y] = driver.handle("translate_x");
    driver.move_to([x, y]);
    driver.press(&[]);
    driver.move_along(&[[x + 20, y + 4], [x + 41, y + 9]]);
    let during = driver.assert_shows("during the drag");
    assert_eq!(during["dragging"], "translate_x", "{during}");
    driver.send_unrecorded(&["key", "F12"]);
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
