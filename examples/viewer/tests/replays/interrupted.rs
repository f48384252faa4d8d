//! Signals that end a replay.

use crate::viewer::*;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

#[test]
fn signals_end_replay_between_lines_and_files() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = Folder::new();
        let events: Vec<Value> = (0..20_000)
            .flat_map(|n| [json!({ "screenshot": format!("{n}.png") }), json!({ "move": [n, 1] })])
            .collect();
        let replay = json!({ "version": 1, "size_px": [64, 48], "scene": { "built_in": "robot_arm" },
            "events": events });
        let path = folder.write("long.json", replay.to_string().as_bytes());
        let out = folder.path().join("out");
        let mut child = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"))
            .args(["--headless", "--replay"])
            .arg(&path)
            .arg("--out")
            .arg(&out)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the viewer starts");
        let mut lines = BufReader::new(child.stdout.take().expect("the output is piped"));
        let mut text = String::new();
        for _ in 0..9 {
            lines.read_line(&mut text).expect("the line is UTF-8");
        }
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        lines.read_to_string(&mut text).expect("the lines are UTF-8");
        assert_eq!(child.wait().expect("the viewer ends").code(), Some(status));
        assert!(text.ends_with('\n') && !text.contains("\"done\""), "{text}");
        for line in text.lines() {
            serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
        for entry in std::fs::read_dir(&out).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
