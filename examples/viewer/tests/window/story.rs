//! A complete session: opens a file, edits it in every mode, saves it, and opens it again.

use super::*;

#[test]
fn file_is_edited_in_every_mode_saved_and_reopened() {
    let mut driver = Driver::new("window-story");
    let (arm, wanted) = (driver.path("arm.glb"), driver.path("wanted.glb"));
    // Save the built-in scene as a file.
    driver.save_headless("arm.glb");
    std::fs::copy(&arm, driver.path("first.glb")).expect("the folder is writable");

    driver.type_path("ctrl+o", &arm);
    driver.display.wait_for_title("arm.glb");
    driver.scene = json!({ "gltf": "first.glb" });

    driver.click_node("crate", &[]);
    driver.assert_shows("after a click in the opened scene");
    driver.drag("translate_y", &[[0, -20], [2, -44], [4, -61]]);
    driver.keys(&[("e", "e")]);
    driver.assert_shows("with rings");
    driver.drag("rotate_x", &[[-6, 18], [10, 40], [31, 55]]);
    driver.keys(&[("r", "r")]);
    driver.assert_shows("with scale handles");
    driver.drag("scale_z", &[[-10, 12], [-18, 25], [-31, 38]]);
    driver.keys(&[("t", "t")]);
    driver.assert_shows("with all handles");
    driver.drag("translate_zx", &[[-20, 4], [-36, 11], [-57, 17]]);
    driver.keys(&[("z", "z"), ("-", "minus"), (".", "period"), ("7", "7"), ("5", "5"), ("enter", "Return")]);
    let typed = driver.assert_shows("after a number was typed");
    driver.keys(&[("y", "y"), ("3", "3"), ("enter", "Return")]);
    let undone = driver.assert_shows("after another number was typed");
    assert_ne!(undone["targets"], typed["targets"]);
    driver.undo();
    let undone = driver.assert_shows("after undo");
    assert_eq!(undone["targets"], typed["targets"]);
    driver.display.wait_for_title("* arm.glb");
    driver.press_keys(&["ctrl+s"]);
    driver.display.wait_for_title("arm.glb");
    let copy = driver.path("copy.glb");
    let _ = std::fs::remove_file(&copy);
    driver.type_path("ctrl+shift+s", &copy);
    driver.display.wait_for_title("copy.glb");

    driver.save_headless("wanted.glb");
    let files = [&arm, &copy, &wanted].map(|path| std::fs::read(path).expect("the file was saved"));
    assert!(files[0] == files[2] && files[1] == files[2], "byte for byte");

    driver.open_again(&[text(&arm)]);
    driver.display.wait_for_title("arm.glb");
    driver.scene = json!({ "gltf": "wanted.glb" });
    driver.assert_shows("after reopening");
    driver.click_node("crate", &[]);
    let line = driver.assert_shows("after a click in the reopened scene");
    assert_eq!(line["targets"], undone["targets"]);
}

impl Driver {
    /// Saves the result of the events in headless mode.
    fn save_headless(&self, name: &str) {
        let events = [&self.events[..], &[json!({ "save": name })]].concat();
        run_headless(&self.scene, self.view(), &self.folder, &events);
    }
}
