//! The functions that the fuzz targets run. The scripted host and the view checks are those of the
//! property tests; the readers are the viewer's own source files.

#[path = "../../tests/common"]
mod common {
    pub(crate) mod bytes;
    pub(crate) mod lens;
    pub(crate) mod script;
    pub(crate) mod views;
}

/// The viewer's readers, included as source files.
#[allow(dead_code, unused_imports, reason = "the viewer uses the rest")]
#[path = "../../examples/viewer/src"]
mod readers {
    pub(crate) mod bounds;
    pub(crate) mod built_in;
    pub(crate) mod command;
    pub(crate) mod file_error;
    pub(crate) mod flags;
    pub(crate) mod gltf_file;
    pub(crate) mod json;
    pub(crate) mod json_text;
    pub(crate) mod lens;
    pub(crate) mod material;
    pub(crate) mod mesh;
    pub(crate) mod orbit;
    pub(crate) mod pixels;
    pub(crate) mod progress;
    pub(crate) mod replay_file;
    pub(crate) mod scene;
    pub(crate) mod shapes;
    pub(crate) mod views;
    pub(crate) mod write_file;
}
// The readers refer to these by their paths in the viewer.
use readers::{
    bounds, built_in, command, file_error, flags, gltf_file, json, json_text, lens, material, mesh, orbit,
    pixels, progress, replay_file, scene, shapes, views, write_file,
};

/// The part of the viewer's `words` that the replay reader needs; the rest depends on the whole
/// viewer.
mod labels {
    use wgpu_gizmo::Theme;

    pub(crate) const THEMES: [(&str, Theme); 3] = [
        ("dark", Theme::dark()),
        ("light", Theme::light()),
        ("colour_blind_safe", Theme::color_blind_safe()),
    ];
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
    if let Err(error) = replay_file::from_bytes(bytes, &folder().join("replay.json")) {
        assert!(!error.to_string().is_empty());
    }
}

/// Reads a glTF file, text or binary. The reader takes a path, so the bytes are written to a file.
pub fn gltf(bytes: &[u8]) {
    let path = folder().join("scene.gltf");
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    if let Err(error) = gltf_file::open(&path) {
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
