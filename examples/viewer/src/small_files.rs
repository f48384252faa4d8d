//! Files that are written and read as a whole.

use gltf_io::FileError;
use gltf_io::write_file;
use serde_json::Value;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a file atomically, in a folder that is created if needed: on failure, the old file stays.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    make_folder(path)?;
    write_file::write(path, &[bytes]).map(drop).map_err(|what| FileError::new(path, what))
}

/// Creates the parent folder of a file.
pub(crate) fn make_folder(path: &Path) -> Result<(), FileError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), fs::create_dir_all).map_err(|error| not_written(path, error))
}

/// Returns the path of a new `.glb` file in a folder, named after a scene.
pub(crate) fn new_scene_path(folder: &Path, scene: &str) -> PathBuf {
    let stem = Path::new(scene).file_stem().unwrap_or_default().to_string_lossy();
    // The name must be valid for a file, whatever a journal contains, and 255 bytes are the most.
    let valid = |c: char| if c.is_control() || "/\\:".contains(c) { '_' } else { c };
    let stem: String = stem.chars().map(valid).take(60).collect();
    free_path(|number| folder.join(format!("{stem} {number}.glb")))
}

/// Returns the first of the paths with numbers, from 1, that is not taken.
pub(crate) fn free_path(numbered: impl Fn(usize) -> PathBuf) -> PathBuf {
    (1..).map(numbered).find(|path| !path.exists()).unwrap_or_default()
}

/// Returns the error that a file could not be written.
pub(crate) fn not_written(path: &Path, why: impl Display) -> FileError {
    FileError::new(path, format!("{NOT_WRITTEN}{why}"))
}

/// Returns the file and the reason of an error, for a message that says itself what could not be done: such as
/// `Could not save {}`.
pub(crate) fn reason(error: &FileError) -> FileError {
    let what = error.what.strip_prefix(NOT_WRITTEN).unwrap_or(&error.what).to_owned();
    FileError { what, ..error.clone() }
}

/// The start of errors of files that could not be written.
const NOT_WRITTEN: &str = "could not be written: ";

/// Reads a JSON file. Returns `null` if it is missing, too large or invalid.
pub(crate) fn read_json(path: &Path, max_bytes: u64) -> Value {
    let is_small = fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() < max_bytes);
    let bytes = if is_small { fs::read(path).unwrap_or_default() } else { Vec::new() };
    serde_json::from_slice(&bytes).unwrap_or_default()
}
