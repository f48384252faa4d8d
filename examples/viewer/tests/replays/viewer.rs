//! Runs the viewer as a process.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

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
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wgpu-gizmo-replays-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Runs the viewer with these arguments until it exits.
pub(crate) fn viewer<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"));
    command.args(arguments).output().expect("the viewer starts")
}

/// Plays a replay without a window and returns its standard output.
pub(crate) fn play(replay: &Path, out: &Folder) -> String {
    let [replay, folder] = [replay, &out.0].map(|path| path.to_str().expect("the path is UTF-8"));
    let output = viewer(["--replay", replay, "--headless", "--out", folder]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{replay}: {}: {messages}", output.status);
    assert!(!messages.contains("panicked"), "{replay}: {messages}");
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}
