//! Writes files in memory, where a browser has no others. The program hands them to the user.

pub use crate::file_stamp::{FileStamp, Fingerprint, Restriction};

use crate::disk;
use std::path::{Path, PathBuf};

/// Writes a file. Errors are phrases such as "is a folder". Returns the state of the file.
pub fn write(path: &Path, pieces: &[&[u8]]) -> Result<FileStamp, String> {
    let written =
        disk::insert(path, pieces.concat()).map_err(|error| format!("could not be written: {error}"))?;
    Ok(FileStamp::of_metadata(&written).with_contents(pieces))
}

/// Like [`write()`], but fails if the file is no longer in the state `seen`. Nobody else can read the memory of a
/// page.
pub(crate) fn write_over(
    path: &Path,
    seen: FileStamp,
    pieces: &[&[u8]],
    _: Restriction,
) -> Result<FileStamp, String> {
    if FileStamp::of(path) != seen {
        return Err("was replaced in the meantime; nothing was saved".to_owned());
    }
    write(path, pieces)
}

/// Returns `None`: files in memory have one name.
pub fn hard_link_remark(_: &Path) -> Option<String> {
    None
}

/// Returns the path: there are no links.
pub fn resolve_links(path: &Path) -> PathBuf {
    path.to_owned()
}
