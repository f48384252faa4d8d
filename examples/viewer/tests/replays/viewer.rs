//! Plays replays in this process, and runs the viewer as another.

pub(crate) use crate::contract::{kind_of, numbers};
pub(crate) use crate::program::headless::{Pictures, Run};
pub(crate) use render::device;
pub(crate) use serde_json::{Value, json};
pub(crate) use session::replay_file;
pub(crate) use std::collections::BTreeMap;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::process::{Command, Output};
use tempfile::TempDir;
pub(crate) use wgpu_gizmo::HandleId;

/// Returns the folder of the replays.
pub(crate) fn replay_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/replays")
}

/// Returns the paths of all replays, sorted by name.
pub(crate) fn replays() -> Vec<PathBuf> {
    let folder = replay_folder();
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.expect("the folder is readable").path());
    let mut replays: Vec<_> = paths.filter(|path| path.extension() == Some("json".as_ref())).collect();
    replays.sort();
    replays
}

/// Returns the name of a file without the extension.
pub(crate) fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("the name is UTF-8")
}

/// Reads a JSON file.
pub(crate) fn json_file(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A temporary folder that is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("the temporary folder is writable"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
        path
    }
}

/// Plays a replay by the program.
pub(crate) fn run(replay: &Path, out: &Folder) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"));
    command.args(["--headless", "--replay"]).arg(replay).arg("--out").arg(out.path());
    command.output().expect("the viewer starts")
}

/// Plays a replay as the program does without a window, and returns what it prints. All replays share a device: its
/// start takes longer than most of them.
pub(crate) fn play(path: &Path, out: &Folder) -> String {
    let gpu = device::shared();
    let replay = replay_file::open(path).unwrap_or_else(|error| panic!("{error}"));
    let mut lines = Vec::new();
    let pictures = Pictures { last: false, all: false };
    let result = Run::check_sizes(gpu, (&replay, None), pictures)
        .and_then(|()| Run::new(gpu, (&replay, None), out.path())?.play(&mut lines));
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8(lines).expect("the output is UTF-8")
}

/// Plays a replay, whose version may be missing, and returns the lines of its events.
pub(crate) fn lines(out: &Folder, mut replay: Value) -> Vec<Value> {
    replay["version"] = json!(1);
    let text = play(&out.write("replay.json", replay.to_string().as_bytes()), out);
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("the line is JSON"));
    let mut lines: Vec<Value> = lines.collect();
    assert_eq!(lines.pop().expect("there is a line")["done"], true);
    lines
}

/// Returns the names of the selected objects of a line.
pub(crate) fn selected(line: &Value) -> Vec<&str> {
    line["targets"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns events that drag from one pixel to another.
pub(crate) fn drag(from: [f64; 2], to: [f64; 2]) -> [Value; 4] {
    let [press, release] = ["press", "release"].map(|kind| json!({ kind: "primary" }));
    [json!({ "move": from }), press, json!({ "move": to }), release]
}

/// Returns events that click on a pixel with these modifiers.
pub(crate) fn click(at: [f64; 2], mods: &[&str]) -> [Value; 3] {
    let [press, release] = ["press", "release"].map(|kind| json!({ kind: "primary", "mods": mods }));
    [json!({ "move": at }), press, release]
}

/// Returns a camera that looks at the origin.
pub(crate) fn camera(eye: [f64; 3], projection: &Value) -> Value {
    json!({ "eye": eye, "look_at": [0, 0, 0], "up": [0, 1, 0], "projection": projection })
}

/// Returns a perspective camera that looks at the origin.
pub(crate) fn perspective(eye: [f64; 3], fov_y: f64) -> Value {
    let projection =
        json!({ "kind": "perspective", "fov_y": fov_y, "near": 0.1, "far": null, "reversed": true });
    camera(eye, &projection)
}

/// Returns an orthographic camera that looks along -Z and shows this height.
pub(crate) fn orthographic(height: f64) -> Value {
    let projection =
        json!({ "kind": "orthographic", "height": height, "near": 0.1, "far": 100, "reversed": false });
    camera([0.0, 0.0, 30.0], &projection)
}

/// Returns a cube of a scene.
pub(crate) fn cube(name: &str, parent: Option<&str>, translation: [f64; 3]) -> Value {
    json!({ "name": name, "parent": parent, "translation": translation, "shape": "cube" })
}
