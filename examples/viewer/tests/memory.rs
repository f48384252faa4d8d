//! Tests that the viewer's frames do not leak memory. A replay selects two nodes, hovers and takes a
//! picture after each step, while the test measures the memory of the process.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Pictures until buffers, textures and the driver's caches have reached their sizes.
const WARM_UP: usize = 60;
const FRAMES: usize = 200;
/// Pictures after the last measurement, so that the process still exists then.
const REST: usize = 10;
const SIZE_PX: [u32; 2] = [240, 180];

/// Returns the resident memory of a process and the size of its executable mappings, in KB.
fn memory_kb(process: u32) -> [i64; 2] {
    let read = |name| {
        let path = format!("/proc/{process}/{name}");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let resident = read("smaps_rollup")
        .lines()
        .find_map(|line| line.strip_prefix("Rss:")?.trim().strip_suffix(" kB")?.parse().ok())
        .expect("the kernel reports the resident size");
    let executable = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let [start, end] =
            [start, end].map(|n| u64::from_str_radix(n, 16).expect("a mapping has hexadecimal addresses"));
        rest.get(2..3).filter(|flag| *flag == "x").map(|_| (end - start) as i64 / 1024)
    };
    [resident, read("maps").lines().filter_map(executable).sum()]
}

/// Returns a replay that selects two nodes and moves the pointer around over them and their gizmo.
fn replay() -> Value {
    let mut events = vec![json!({"set": {"mode": "universal"}}), json!({"select": ["wrist", "upper_arm"]})];
    let [width, height] = SIZE_PX.map(f64::from);
    for frame in 0..WARM_UP + FRAMES + REST {
        let turn = 0.37 * frame as f64;
        let at = [width * (0.5 + 0.3 * turn.cos()), height * (0.5 + 0.3 * (1.3 * turn).sin())];
        events.push(json!({"move": at}));
        events.push(json!({"screenshot": "frame.png"}));
    }
    json!({
        "version": 1,
        "size_px": SIZE_PX,
        "camera": {
            "eye": [2.2, 1.9, 3.1], "look_at": [0.2, 1.0, 0.0], "up": [0, 1, 0],
            "projection": {"kind": "perspective", "fov_y": 50, "near": 0.1, "far": 80, "reversed": true}
        },
        "scene": {"built_in": "robot_arm"},
        "events": events,
    })
}

/// A viewer process that ends with the test.
struct Viewer(Child);

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn viewer_frames_with_selection_and_hover_keep_no_memory() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("replay.json");
    std::fs::write(&path, replay().to_string()).expect("the temporary folder can be written");
    let viewer = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"))
        .args(["--headless", "--replay"])
        .arg(&path)
        .arg("--out")
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn();
    let mut viewer = Viewer(viewer.expect("the viewer starts"));
    let lines = BufReader::new(viewer.0.stdout.take().expect("the output is piped"));
    let (mut pictures, mut hovering, mut measured) = (0, 0, Vec::new());
    let mut backend = String::new();
    for line in lines.lines() {
        let line: Value =
            serde_json::from_str(&line.expect("the output is UTF-8")).expect("the line is JSON");
        if line["kind"] == "screenshot" {
            pictures += 1;
            if pictures == WARM_UP || pictures == WARM_UP + FRAMES {
                measured.push(memory_kb(viewer.0.id()));
            }
        }
        let is_over = |what: &str| !line[what].is_null();
        hovering += usize::from(line["kind"] == "move" && (is_over("hover") || is_over("object")));
        backend.push_str(line["backend"].as_str().unwrap_or_default());
    }
    assert!(viewer.0.wait().expect("the viewer ends").success());
    assert_eq!(pictures, WARM_UP + FRAMES + REST);
    assert!(hovering > pictures / 4, "the pointer is over something {hovering} times");
    let [[resident, executable], [resident_after, executable_after]] = measured[..] else {
        panic!("measured {} times", measured.len());
    };
    let (resident_kb, executable_kb) = (resident_after - resident, executable_after - executable);
    println!("{FRAMES} frames: {resident_kb} KB resident, {executable_kb} KB executable");
    println!("figure: rss_kb_per_frame_selected_{backend} = {:.2}", resident_kb as f64 / FRAMES as f64);
    // A compiled shader takes 500 KB and more.
    assert!(resident_kb < 1024, "{FRAMES} frames took {resident_kb} KB");
    assert!(executable_kb < 128, "{FRAMES} frames mapped {executable_kb} KB of code");
}
