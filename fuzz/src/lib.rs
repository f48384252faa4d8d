//! The functions that the fuzz targets run. The scripted host and the view checks are those of the
//! property tests; the readers are those of the viewer.

#[path = "../../crates/wgpu-gizmo-core/tests/common"]
mod common {
    pub(crate) mod bytes;
    pub(crate) mod drag_ends;
    pub(crate) mod lens;
    pub(crate) mod script;
    pub(crate) mod views;
}

use std::cell::RefCell;
use std::path::PathBuf;

/// Runs a host that is scripted by the bytes: events, views, targets, settings, keys, answers.
pub fn events(bytes: &[u8]) {
    common::script::run(bytes);
}

/// Builds a view from arbitrary numbers and calls everything that it offers.
pub fn view(bytes: &[u8]) {
    common::lens::run(bytes);
}

/// Reads a replay file, including its scene.
pub fn replay(bytes: &[u8]) {
    if let Err(error) = session::replay_file::from_bytes(bytes, &folder().join("replay.json")) {
        assert!(!error.to_string().is_empty());
    }
}

/// Reads a glTF file, text or binary. The reader takes a path, so the bytes are written to a file.
pub fn gltf(bytes: &[u8]) {
    let path = folder().join("scene.gltf");
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    if let Err(error) = gltf_io::open(&path) {
        assert!(!error.to_string().is_empty());
    }
}

/// Returns a folder of this process, in memory if possible.
fn folder() -> PathBuf {
    thread_local!(static FOLDER: RefCell<Option<PathBuf>> = const { RefCell::new(None) });
    FOLDER.with_borrow_mut(|folder| {
        folder
            .get_or_insert_with(|| {
                let memory = PathBuf::from("/dev/shm");
                let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
                let folder = base.join(format!("wgpu-gizmo-fuzz-{}", std::process::id()));
                std::fs::create_dir_all(&folder).expect("the folder can be created");
                folder
            })
            .clone()
    })
}
