//! The outermost layer: a text file, or a binary one of chunks.

use crate::file_error::{FileError, PlaceError};
use crate::progress::Progress;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// A glTF file as it is on disk, and where its two parts are in it.
#[derive(Debug)]
pub(super) struct Container {
    /// The whole file.
    pub(super) bytes: Vec<u8>,
    /// Where the document is, without what fills up its chunk.
    pub(super) json: Range<usize>,
    /// The chunks of a `.glb`; `None` of a text file.
    pub(super) chunks: Option<Chunks>,
}

/// What a binary file has besides the document.
#[derive(Debug, Clone)]
pub(super) struct Chunks {
    /// Where the data of the binary chunk is.
    pub(super) binary: Option<Range<usize>>,
    /// Where everything behind the document's chunk is, up to the end that the header names.
    pub(super) rest: Range<usize>,
}

impl Container {
    /// The document's text.
    pub(super) fn json(&self) -> &[u8] {
        &self.bytes[self.json.clone()]
    }

    /// The data of the binary chunk.
    pub(super) fn binary(&self) -> Option<&[u8]> {
        let range = self.chunks.as_ref()?.binary.clone()?;
        Some(&self.bytes[range])
    }
}

/// Files are read whole; beyond this the scene would have more than can be shown many times over.
pub(super) const MAX_FILE_BYTES: u64 = (1 << 31) - 1;

/// Read at once, between two looks at whether the file is still wanted.
const PIECE_BYTES: u64 = 1 << 22;

/// Reads a file whole; an error is a phrase such as "is a folder".
pub(crate) fn file_bytes(path: &Path) -> Result<Vec<u8>, String> {
    begin_of_file(path, MAX_FILE_BYTES)
}

/// As [`file_bytes`], but no more than so many bytes.
pub(super) fn begin_of_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let (mut file, length) = opened(path)?;
    whole(&mut file, length.min(most), &Progress::default())
}

/// A regular file of a size that can be read, and its length.
fn opened(path: &Path) -> Result<(File, u64), String> {
    let about = fs::metadata(path).map_err(|error| cannot_open(&error))?;
    if about.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !about.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if about.len() > MAX_FILE_BYTES {
        return Err("is too large: files of 2 GiB and more are not read".to_owned());
    }
    Ok((File::open(path).map_err(|error| cannot_open(&error))?, about.len()))
}

fn whole(file: &mut File, length: u64, progress: &Progress) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
        .map_err(|_| "does not fit into memory".to_owned())?;
    while (bytes.len() as u64) < length {
        let piece = PIECE_BYTES.min(length - bytes.len() as u64);
        let read = file.by_ref().take(piece).read_to_end(&mut bytes).map_err(|error| cannot_open(&error))?;
        if read == 0 {
            break;
        }
        progress.advanced(read as u64)?;
    }
    Ok(bytes)
}

fn cannot_open(error: &std::io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Looks at the first bytes: whether there is a file here that could be a scene.
pub(crate) fn check(path: &Path) -> Result<(), FileError> {
    begun(path).map(|_| ())
}

/// A file whose first bytes were looked at and found good, before its first one.
struct Begun {
    file: File,
    length: u64,
    is_binary: bool,
}

fn begun(path: &Path) -> Result<Begun, FileError> {
    let plain = |what: String| FileError::new(path, what);
    let (mut file, length) = opened(path).map_err(plain)?;
    let head = head(&mut file).map_err(plain)?;
    let is_binary = head.starts_with(b"glTF");
    if is_binary {
        if let Some(says) = u32_at(&head, 8).filter(|says| *says as u64 > length) {
            let what = format!("says {says} bytes, but the file is cut off after {length}");
            return Err(PlaceError::new("GLB header", what).in_file(path));
        }
    } else if head.len() as u64 == length || !head.trim_ascii().is_empty() {
        check_text(&head).map_err(|what| plain(what.to_owned()))?;
    }
    Ok(Begun { file, length, is_binary })
}

/// Reads the file and takes it apart.
pub(super) fn read(path: &Path, progress: &Progress) -> Result<Container, FileError> {
    let Begun { mut file, length, is_binary } = begun(path)?;
    // The other half is for what is made of the bytes.
    progress.expect(2 * length.max(1));
    let plain = |what: String| FileError::new(path, what);
    let bytes = whole(&mut file, length, progress).map_err(plain)?;
    match is_binary {
        true => split(bytes).map_err(|error| error.in_file(path)),
        false => {
            check_text(&bytes).map_err(|what| plain(what.to_owned()))?;
            Ok(Container { json: 0..bytes.len(), bytes, chunks: None })
        }
    }
}

/// The first bytes; reading begins at the first one again.
fn head(file: &mut File) -> Result<Vec<u8>, String> {
    let mut head = Vec::new();
    let read = file.by_ref().take(PIECE_BYTES >> 10).read_to_end(&mut head);
    read.and_then(|_| file.seek(SeekFrom::Start(0))).map_err(|error| cannot_open(&error))?;
    Ok(head)
}

/// Whether this begins as a document does.
fn check_text(bytes: &[u8]) -> Result<(), &'static str> {
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => Err("is empty"),
        // What a disk that was full leaves behind.
        Some(_) if bytes.contains(&0) => Err("is no glTF file: a text with zeros in it"),
        Some(b'{' | 0xEF) => Ok(()),
        Some(_) => Err("is no glTF file: neither JSON nor GLB"),
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(offset..offset.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

/// glTF 2.0 §4.4: a header of 12 bytes, then chunks of length, type and data.
pub(super) fn split(bytes: Vec<u8>) -> Result<Container, PlaceError> {
    let header = |what: &str| PlaceError::new("GLB header", what);
    let (Some(version), Some(length)) = (u32_at(&bytes, 4), u32_at(&bytes, 8)) else {
        return Err(header("is cut off"));
    };
    if version != 2 {
        return Err(header(&format!("has version {version}; only 2 can be read")));
    }
    let Some(inside) = bytes.get(..length) else {
        return Err(header(&format!("says {length} bytes, but the file is cut off after {}", bytes.len())));
    };
    let mut offset = 12;
    let mut chunks = Vec::new();
    while offset < inside.len() && chunks.len() < 2 {
        let place = format!("GLB chunk {} at byte {offset}", chunks.len());
        let cut = || PlaceError::new(&place, "is cut off");
        let length = u32_at(inside, offset).ok_or_else(cut)?;
        let kind = inside.get(offset + 4..offset + 8).ok_or_else(cut)?;
        let start = offset + 8;
        let end = start.checked_add(length).filter(|end| *end <= inside.len()).ok_or_else(cut)?;
        chunks.push((kind, start..end));
        offset = end;
    }
    let Some((b"JSON", json)) = chunks.first() else {
        return Err(PlaceError::new("GLB chunk 0", "is not the JSON chunk"));
    };
    let binary = chunks.get(1).filter(|(kind, _)| *kind == b"BIN\0").map(|(_, data)| data.clone());
    let rest = json.end..length;
    // Some writers pad with zeros where the standard says spaces.
    let text = &bytes[json.clone()];
    let filled = text.iter().rposition(|byte| !matches!(byte, 0 | b' ')).map_or(0, |last| last + 1);
    let json = json.start..json.start + filled;
    Ok(Container { json, chunks: Some(Chunks { binary, rest }), bytes })
}
