//! Tests of when the window draws frames.

use super::*;

/// The number of pointer moves over each part of the window.
const MOVES: usize = 100;
/// The height in the panel, from 0 to 1, of a row of the tree.
const ROW_OF_TREE: f64 = 0.15;
/// Longer than any frame and anything a frame waits for.
const QUIET: Duration = Duration::from_millis(1500);

impl Driver {
    fn count(&self) -> usize {
        self.window.frames.count()
    }

    /// Waits until no more frames are drawn, and returns their number.
    fn settled(&self) -> usize {
        let (mut count, mut since, started) = (self.count(), Instant::now(), Instant::now());
        while since.elapsed() < QUIET {
            assert!(started.elapsed() < Duration::from_secs(60), "the window does not stop drawing frames");
            std::thread::sleep(Duration::from_millis(50));
            if self.count() != count {
                (count, since) = (self.count(), Instant::now());
            }
        }
        count
    }

    /// Returns the number of frames that are drawn while the pointer moves back and forth within a few
    /// pixels, with time for one frame per move.
    fn drawn_while_moving(&mut self, [x, y]: [i64; 2]) -> usize {
        self.move_to([x, y]);
        let before = self.settled();
        let moves: Vec<String> = (1..=MOVES as i64)
            .flat_map(|step| {
                let [x, y] = [x + step % 40, y + step % 3].map(|at| at.to_string());
                ["mousemove".to_owned(), x, y, "sleep".to_owned(), "0.03".to_owned()]
            })
            .collect();
        self.display.xdotool(&moves.iter().map(String::as_str).collect::<Vec<_>>());
        self.settled() - before
    }
}

#[test]
fn pointer_moves_that_change_nothing_draw_no_frame() {
    let mut driver = Driver::with_panel("window-redraw");
    let (empty, below_sections) = (driver.empty_pixel(), driver.panel_at(BELOW_SECTIONS));
    let drawn = [empty, below_sections].map(|from| driver.drawn_while_moving(from));
    println!(
        "figure: frames_drawn_while_hovering_nothing = {} frames of {} moves over the view and {MOVES} over the panel",
        drawn[0] + drawn[1],
        MOVES,
    );
    assert_eq!(drawn, [0, 0]);

    // A change draws at least one frame, and only a few.
    let row = driver.panel_at(ROW_OF_TREE);
    let mut before = driver.settled();
    for (at, what) in [(driver.pixel_of("crate"), "a node"), (empty, "nothing"), (row, "a row")] {
        driver.move_to(at);
        driver.display.wait(what, || driver.count() > before);
        let frames = driver.settled() - before;
        before += frames;
        assert!((1..=3).contains(&frames), "{frames} frames for a pointer that comes to {what}");
    }
}

#[test]
fn window_redraws_what_another_window_covered() {
    let driver = Driver::with_panel("window-covered");
    driver.settled();
    let shown = driver.display.picture();
    let before = driver.count();
    // Unmapping discards the pixels. Without a window manager nothing else does.
    driver.display.xdotool(&["search", "--name", "wgpu-gizmo", "windowunmap", "--sync"]);
    driver.display.wait("the window was not unmapped", || driver.display.picture().is_black());
    driver.display.xdotool(&["search", "--name", "wgpu-gizmo", "windowmap", "--sync"]);
    driver.display.wait("the window was not redrawn", || {
        driver.display.picture().difference(&shown, [0, 0, SIZE[0], SIZE[1]]) < 0.001
    });
    assert!(driver.settled() > before);
}

#[test]
fn escape_cancels_picture_that_is_drawn_in_chunks() {
    // Overlapping triangles take a software driver several minutes.
    let node =
        |index| json!({ "mesh": 0, "scale": [9, 9, 9], "translation": [0, 0, 1e-3 * f64::from(index)] });
    let mut scene: Value = serde_json::from_str(&files::scene(0.0)).expect("the text is JSON");
    scene["nodes"] = (0..10_000).map(node).collect();
    scene["scenes"][0]["nodes"] = (0..10_000).collect();
    let file = folder("window-slow").join("slow.gltf");
    std::fs::write(&file, scene.to_string()).expect("the target folder is writable");
    let driver = Driver::on("window-slow", &[text(&file)]);
    driver.display.wait_for_title("slow.gltf");
    let before = driver.count();
    driver.display.wait("the picture is not drawn in chunks", || driver.count() > before + 5);
    driver.press_keys(&["Escape"]);
    driver.settled();
    // The window is not stuck.
    let before = driver.count();
    driver.press_keys(&["F1"]);
    driver.display.wait("the help page is not shown", || driver.count() > before);
}
