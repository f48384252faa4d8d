//! Tests of the viewer in a real window: Xvfb shows it, and xdotool sends the input. The picture in the
//! window is compared with the picture of the same events in headless mode.

mod display;
mod driver;
mod endings;
mod files;
mod flying;
mod frames;
mod keys;
mod panel;
mod recording;
mod redrawing;
mod size;
mod snapping;
mod story;
mod tools;

use display::{Display, Picture, TIME_LIMIT, exit_status};
use driver::{Driver, read_when_written};
use frames::Frames;
use panel::BELOW_SECTIONS;
use recording::wait_for_recording;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const VIEWER: &str = env!("CARGO_BIN_EXE_wgpu-gizmo-viewer");
const SIZE: [u32; 2] = [1280, 800];
/// The height of the status line at the bottom, which headless pictures lack.
const STATUS_ROWS: u32 = 40;

/// A viewer in a window. Dropping it closes the window.
struct Window {
    process: Child,
    frames: Frames,
}

impl Drop for Window {
    fn drop(&mut self) {
        self.close();
    }
}

impl Window {
    /// Runs a program whose last argument is the process of the viewer.
    fn run_on_process(&self, program: &str, arguments: &[&str]) {
        let status = Command::new(program).args(arguments).arg(self.process.id().to_string()).status();
        assert!(status.is_ok_and(|status| status.success()), "{program} {arguments:?}");
    }

    fn open(display: &Display, arguments: &[&str]) -> Self {
        Self::start(display, display.command(VIEWER).args(arguments))
    }

    /// Starts a viewer with a custom command, and waits for its window.
    fn start(display: &Display, command: &mut Command) -> Self {
        let command = command.arg("--print-frames").stdout(Stdio::piped());
        let mut process = command.spawn().expect("the viewer starts");
        let frames = Frames::of(process.stdout.take().expect("the output is piped"));
        let mut window = Self { process, frames };
        let started = Instant::now();
        // A key before the window's first frame may be lost on a busy machine.
        while window.frames.count() == 0 || !display.shows_window("wgpu-gizmo") {
            assert!(window.is_alive(), "the viewer has ended");
            assert!(started.elapsed() < TIME_LIMIT, "the window draws nothing");
            std::thread::sleep(Duration::from_millis(20));
        }
        display.xdotool(&["search", "--name", "wgpu-gizmo", "windowfocus", "--sync"]);
        window
    }

    /// Kills the viewer.
    fn close(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn is_alive(&mut self) -> bool {
        self.process.try_wait().expect("the viewer can be waited for").is_none()
    }
}

/// Runs events on a scene in headless mode, with the view in this part of the picture: x, y, width and
/// height. Returns the printed lines and the last picture.
fn run_headless(scene: &Value, viewport: [u32; 4], folder: &Path, events: &[Value]) -> (Vec<Value>, Picture) {
    let replay = json!({
        "version": 1,
        "size_px": SIZE,
        "viewport": viewport,
        "scene": scene,
        "view_cube": true,
        // As in the window, which shows handles at once.
        "select": if scene["built_in"].is_null() { &[][..] } else { &["gripper"] },
        "events": events,
    });
    let file = folder.join("replay.json");
    std::fs::write(&file, replay.to_string()).expect("the folder is writable");
    play(&file)
}

/// Plays a replay in headless mode, which writes its files beside it. Returns the printed lines and the last picture.
fn play(replay: &Path) -> (Vec<Value>, Picture) {
    let picture = replay.with_extension("png");
    let mut command = Command::new(VIEWER);
    command.args(["--headless", "--replay"]).arg(replay).arg("--screenshot").arg(&picture);
    let output = command.arg("--out").arg(replay.with_file_name("")).output().expect("the viewer runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {}: {message}", replay.display(), output.status);
    let lines = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("the line is JSON")).collect();
    (lines, Picture::of_png(&picture))
}

/// Returns a path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// Pixels of the initial picture.
#[derive(Clone)]
struct Pixels {
    /// One pixel of each clearly visible node, by its name. It is surrounded by pixels of the same node.
    nodes: HashMap<String, [i64; 2]>,
    /// A pixel of the view cube, chosen in the same way.
    cube: [i64; 2],
    /// A pixel with nothing around it for [`EMPTY_PX`].
    empty: [i64; 2],
}

/// The distance of the empty pixel from nodes and handles, farther than the tolerance of presses.
const EMPTY_PX: usize = 48;

/// Returns pixels of nodes and of the space beside them. The result for the built-in scene is cached for all tests.
fn pixels_in(scene: &Value, viewport: [u32; 4], folder: &Path) -> Pixels {
    static KNOWN: Mutex<BTreeMap<[u32; 4], Pixels>> = Mutex::new(BTreeMap::new());
    if scene["built_in"].is_null() {
        return find_pixels(scene, viewport, folder);
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(viewport).or_insert_with(|| find_pixels(scene, viewport, folder)).clone()
}

fn find_pixels(scene: &Value, viewport: [u32; 4], folder: &Path) -> Pixels {
    let run = |events: &[Value]| run_headless(scene, viewport, folder, events).0;
    let lines = run(&[json!({ "dump_ids": "ids" })]);
    let dump =
        std::fs::read(lines[0]["path"].as_str().expect("the line has a path")).expect("the dump can be read");
    let [width, height] = SIZE.map(|side| side as usize);
    let id = |x: usize, y: usize| &dump[4 * (y * width + x)..][..4];
    let inside = |[x, y]: &[usize; 2]| {
        let around = [[x - 8, *y], [x + 8, *y], [*x, y - 8], [*x, y + 8]];
        id(*x, *y) != [0; 4] && around.iter().all(|[i, j]| id(*i, *j) == id(*x, *y))
    };
    let mut spots: Vec<[usize; 2]> =
        (8..height - 48).flat_map(|y| (8..width - 8).map(move |x| [x, y])).filter(inside).collect();
    spots.sort_by_key(|[x, y]| id(*x, *y));
    spots.dedup_by_key(|[x, y]| id(*x, *y));
    let is_empty = |[left, top]: &[usize; 2]| {
        let rows = *top..=top + 2 * EMPTY_PX;
        rows.into_iter().all(|y| (*left..=left + 2 * EMPTY_PX).all(|x| id(x, y) == [0; 4]))
    };
    let [left, top, across, down] = viewport.map(|px| px as usize);
    let mut corners = (top..top + down - 2 * EMPTY_PX)
        .step_by(8)
        .flat_map(|y| (left..left + across - 2 * EMPTY_PX).step_by(8).map(move |x| [x, y]));
    let corner = corners.find(is_empty).expect("a part of the view is empty");
    let empty = corner.map(|at| (at + EMPTY_PX) as i64);
    let events: Vec<Value> = spots.iter().map(|spot| json!({ "pick": spot })).collect();
    let lines = run(&events);
    let hits =
        || spots.iter().map(|spot| spot.map(|at| at as i64)).zip(lines.iter().map(|line| &line["hit"]));
    let named = |(at, hit): ([i64; 2], &Value)| Some((hit["object"].as_str()?.to_owned(), at));
    let cube = hits().find(|(_, hit)| hit["view_cube"].is_string()).expect("the view cube is visible").0;
    Pixels { nodes: hits().filter_map(named).collect(), cube, empty }
}

/// Waits until this part of the window shows `wanted`, except for a few pixels.
fn assert_shows_in(part: [u32; 4], display: &Display, wanted: &Picture, (when, folder): (&str, &Path)) {
    let started = Instant::now();
    loop {
        let shown = display.picture();
        let difference = shown.difference(wanted, part);
        if difference < 0.001 {
            return;
        }
        if started.elapsed() > Duration::from_secs(30) {
            shown.save(&folder.join("shown.png"));
            wanted.save(&folder.join("wanted.png"));
            panic!("{when}: {:.2} % of the pixels differ; see {}", 100.0 * difference, folder.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

#[test]
fn window_resized_during_drag_survives() {
    let mut driver = Driver::new("window-resize");
    driver.select("forearm");
    let before_drag = driver.events.len();
    let [x, y] = driver.handle("translate_x");
    driver.move_to([x, y]);
    driver.press(&[]);
    driver.move_to([x + 20, y + 4]);
    assert_eq!(driver.assert_shows("during the drag")["dragging"], "translate_x");
    for size in ["300 200", "1 1", "1280 800"] {
        driver.send_unrecorded(&format!("search --name wgpu-gizmo windowsize {size}"));
        driver.send_unrecorded("mousemove_relative -- 7 -3");
        driver.display.wait_until_still();
        assert!(driver.window.is_alive(), "after a resize to {size:?}");
    }
    driver.display.wait("the picture has another size", || driver.view() == [0, 0, SIZE[0], SIZE[1]]);
    driver.send_unrecorded("search --name wgpu-gizmo windowminimize");
    driver.send_unrecorded("key Escape mouseup 1");
    driver.display.wait_until_still();
    assert!(driver.window.is_alive(), "after minimizing");
    driver.events.truncate(before_drag);
    let empty = driver.empty_pixel();
    driver.move_to(empty);
    driver.assert_shows("after the drag was canceled");
}
