//! What the fuzz targets run. The host and the lens are those of the property tests; the readers
//! are the viewer's own files.

#[path = "../../tests/common"]
mod common {
    pub(crate) mod lens;
    pub(crate) mod script;
    pub(crate) mod views;
}

/// The viewer's readers, as they stand in the viewer.
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
// The readers name these by their place in the viewer.
use readers::{
    bounds, built_in, command, file_error, flags, gltf_file, json, json_text, lens, material, mesh, orbit,
    pixels, progress, replay_file, scene, shapes, views, write_file,
};

/// What the replay reader takes of the viewer's words; the rest of them lead to all of the viewer.
mod words {
    use wgpu_gizmo::Theme;

    pub(crate) const THEMES: [(&str, Theme); 3] = [
        ("dark", Theme::dark()),
        ("light", Theme::light()),
        ("colour_blind_safe", Theme::colour_blind_safe()),
    ];
}

use std::cell::RefCell;
use std::path::PathBuf;

/// A host that does what the bytes say: events, views, targets, settings, keys, answers.
pub fn events(bytes: &[u8]) {
    common::script::run(bytes);
}

/// A view of any numbers, and everything that can be asked of it.
pub fn view(bytes: &[u8]) {
    common::lens::run(bytes);
}

/// A replay file, its scene included.
pub fn replay(bytes: &[u8]) {
    if let Err(error) = replay_file::from_bytes(bytes, &folder().join("replay.json")) {
        assert!(!error.to_string().is_empty());
    }
}

/// A glTF file, text or binary. It goes through a file, as the reader takes one.
pub fn gltf(bytes: &[u8]) {
    let path = folder().join("scene.gltf");
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    if let Err(error) = gltf_file::open(&path) {
        assert!(!error.to_string().is_empty());
    }
}

/// An empty folder of this process, in memory where there is such a place.
fn folder() -> PathBuf {
    thread_local!(static FOLDER: RefCell<Option<PathBuf>> = const { RefCell::new(None) });
    FOLDER.with_borrow_mut(|folder| {
        folder
            .get_or_insert_with(|| {
                let memory = PathBuf::from("/dev/shm");
                let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
                let folder = base.join(format!("wgpu-gizmo-fuzz-{}", std::process::id()));
                std::fs::create_dir_all(&folder).expect("a place for files");
                folder
            })
            .clone()
    })
}
