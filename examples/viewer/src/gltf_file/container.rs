//! The outermost layer: a text file, or a binary one of chunks.

use crate::file_error::{FileError, PlaceError};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// The two parts of a glTF file.
pub(super) struct Container {
    /// The document.
    pub(super) json: Vec<u8>,
    /// The binary chunk of a `.glb`.
    pub(super) binary: Option<Vec<u8>>,
}

/// More than a `.glb` can hold, whose lengths are u32.
const MAX_FILE_BYTES: u64 = 1 << 32;

/// Reads a file whole; an error is a phrase such as "is a folder".
pub(crate) fn file_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let about = fs::metadata(path).map_err(|error| cannot_open(&error))?;
    if about.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !about.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if about.len() > MAX_FILE_BYTES {
        return Err("is larger than 4 GiB".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| cannot_open(&error))?;
    file.take(about.len()).read_to_end(&mut bytes).map_err(|error| cannot_open(&error))?;
    Ok(bytes)
}

fn cannot_open(error: &std::io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Reads the file and takes it apart.
pub(super) fn read(path: &Path) -> Result<Container, FileError> {
    let bytes = file_bytes(path).map_err(|what| FileError::new(path, what))?;
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if bytes.starts_with(b"glTF") {
        return split(&bytes).map_err(|error| error.in_file(path));
    }
    match first {
        None => Err(FileError::new(path, "is empty")),
        Some(b'{' | 0xEF) => Ok(Container { json: bytes, binary: None }),
        Some(_) => Err(FileError::new(path, "is no glTF file: neither JSON nor GLB")),
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(offset..offset.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

/// glTF 2.0 §4.4: a header of 12 bytes, then chunks of length, type and data.
fn split(bytes: &[u8]) -> Result<Container, PlaceError> {
    let header = |what: &str| PlaceError::new("GLB header", what);
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(header("is cut off"));
    };
    if version != 2 {
        return Err(header(&format!("has version {version}; only 2 can be read")));
    }
    let Some(bytes) = bytes.get(..length) else {
        return Err(header(&format!("says {length} bytes, but the file is cut off after {}", bytes.len())));
    };
    let mut offset = 12;
    let mut chunks = Vec::new();
    while offset < bytes.len() && chunks.len() < 2 {
        let place = format!("GLB chunk {} at byte {offset}", chunks.len());
        let cut = || PlaceError::new(&place, "is cut off");
        let length = u32_at(bytes, offset).ok_or_else(cut)?;
        let kind = bytes.get(offset + 4..offset + 8).ok_or_else(cut)?;
        let start = offset + 8;
        let end = start.checked_add(length).ok_or_else(cut)?;
        let data = bytes.get(start..end).ok_or_else(cut)?;
        chunks.push((kind, data));
        offset = end;
    }
    let Some((b"JSON", json)) = chunks.first() else {
        return Err(PlaceError::new("GLB chunk 0", "is not the JSON chunk"));
    };
    // Some writers pad with zeros where the standard says spaces.
    let end = json.iter().rposition(|byte| !matches!(byte, 0 | b' ')).map_or(0, |last| last + 1);
    let binary = match chunks.get(1) {
        Some((b"BIN\0", data)) => Some(data.to_vec()),
        _ => None,
    };
    Ok(Container { json: json[..end].to_vec(), binary })
}
