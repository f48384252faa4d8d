//! The outermost layer of a glTF file: JSON text, or the chunks of a binary file.

use crate::disk::{self, File, Metadata};
use crate::external::ExternalFile;
use crate::file_error::{FileError, LocatedError, Result};
use crate::progress::Progress;
use crate::write_file::Restriction;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a glTF file and the ranges of its parts.
#[derive(Debug, Default)]
pub(crate) struct Container {
    /// The whole file.
    pub(crate) bytes: Vec<u8>,
    /// Range of the JSON document, without the padding of its chunk.
    pub(crate) json: Range<usize>,
    /// The chunks of a `.glb`, or `None` for a text file.
    pub(crate) chunks: Option<Chunks>,
}

/// The parts of a binary file after the JSON chunk.
#[derive(Debug, Clone)]
pub(crate) struct Chunks {
    /// Range of the data of the binary chunk.
    pub(crate) binary: Option<Range<usize>>,
    /// Range of everything after the JSON chunk, up to the length that the header declares.
    pub(crate) rest: Range<usize>,
}

impl Container {
    /// Returns the text of the JSON document.
    pub(crate) fn json(&self) -> &[u8] {
        &self.bytes[self.json.clone()]
    }

    /// Returns the data of the binary chunk.
    pub(crate) fn binary(&self) -> Option<&[u8]> {
        let range = self.chunks.as_ref()?.binary.clone()?;
        Some(&self.bytes[range])
    }
}

/// Size limit of a file, which is read into memory completely. Larger scenes could not be shown anyway.
pub(crate) const MAX_FILE_BYTES: u64 = (1 << 31) - 1;

/// Bytes read between two checks for cancellation.
const CHUNK_BYTES: u64 = 1 << 22;

/// Reads a complete file. The error is a phrase such as "is a folder".
pub fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let (mut file, metadata) = open_regular(path)?;
    read_bytes(&mut file, metadata.len(), &Progress::default())
}

/// Reads at most `max_bytes` of a file. More than `limit` is an error.
pub(crate) fn read_prefix(path: &Path, max_bytes: u64, limit: u64) -> Result<ExternalFile, String> {
    let (mut file, metadata) = open_regular(path)?;
    let length = metadata.len().min(max_bytes);
    if length > limit {
        return Err("is too large: all files of a scene together must be smaller than 2 GiB".to_owned());
    }
    let bytes = Arc::new(read_bytes(&mut file, length, &Progress::default())?);
    Ok(ExternalFile { bytes, restriction: Restriction::of(&metadata) })
}

/// Opens a regular file within the size limit.
fn open_regular(path: &Path) -> Result<(File, Metadata), String> {
    // Checked before the file is opened, because opening a pipe waits and opening a device can do anything,
    // and again afterwards, because another file can have taken its place.
    check_regular(&disk::metadata(path).map_err(|error| read_error(&error))?)?;
    let (file, metadata) = disk::open(path).map_err(|error| read_error(&error))?;
    check_regular(&metadata)?;
    Ok((file, metadata))
}

fn check_regular(metadata: &Metadata) -> Result<(), String> {
    if metadata.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err("is too large: files must be smaller than 2 GiB".to_owned());
    }
    Ok(())
}

fn read_bytes(file: &mut File, length: u64, progress: &Progress) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
        .map_err(|_| "does not fit in memory".to_owned())?;
    while (bytes.len() as u64) < length {
        let chunk = CHUNK_BYTES.min(length - bytes.len() as u64);
        let read = file.by_ref().take(chunk).read_to_end(&mut bytes).map_err(|error| read_error(&error))?;
        if read == 0 {
            break;
        }
        progress.advance(read as u64)?;
    }
    Ok(bytes)
}

fn read_error(error: &std::io::Error) -> String {
    format!("could not be read: {error}")
}

/// Checks from the first bytes whether the file could be a glTF file.
pub fn check(path: &Path) -> Result<(), FileError> {
    open_checked(path).map(|_| ())
}

/// Opens a file, checks its first bytes, and returns it at position 0.
fn open_checked(path: &Path) -> Result<(File, Metadata), FileError> {
    let file_error = |what: String| FileError::new(path, what);
    let (mut file, metadata) = open_regular(path).map_err(file_error)?;
    let length = metadata.len();
    let head = read_head(&mut file).map_err(file_error)?;
    if is_binary(&head) {
        first_chunk(&head, length).map_err(|error| error.in_file(path))?;
    } else {
        check_start(&head, head.len() as u64 == length).map_err(|what| file_error(what.to_owned()))?;
    }
    Ok((file, metadata))
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Reads a file and splits it into its parts. The properties are those of the file before it was read, so that any
/// later write counts as a change.
pub(crate) fn read(path: &Path, progress: &Progress) -> Result<(Container, Metadata), FileError> {
    let (mut file, metadata) = open_checked(path)?;
    // The other half of the progress counts the conversion of the bytes.
    progress.set_total(2 * metadata.len().max(1));
    let file_error = |what: String| FileError::new(path, what);
    let bytes = read_bytes(&mut file, metadata.len(), progress).map_err(file_error)?;
    let container = match is_binary(&bytes) {
        true => split(bytes).map_err(|error| error.in_file(path))?,
        false => {
            check_text(&bytes).map_err(|what| file_error(what.to_owned()))?;
            Container { json: 0..bytes.len(), bytes, chunks: None }
        }
    };
    Ok((container, metadata))
}

/// Reads the first bytes and seeks back to the start.
fn read_head(file: &mut File) -> Result<Vec<u8>, String> {
    let mut head = Vec::new();
    let read = file.by_ref().take(CHUNK_BYTES >> 10).read_to_end(&mut head);
    read.and_then(|_| file.seek(SeekFrom::Start(0))).map_err(|error| read_error(&error))?;
    Ok(head)
}

/// Checks the first bytes of a text, or all of them.
fn check_start(bytes: &[u8], is_whole: bool) -> Result<(), &'static str> {
    if is_whole || !bytes.trim_ascii().is_empty() { check_text(bytes) } else { Ok(()) }
}

/// Checks that the bytes start like a JSON object and contain no NUL bytes.
fn check_text(bytes: &[u8]) -> Result<(), &'static str> {
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => Err("is empty"),
        // A full disk can leave a file like this.
        Some(_) if bytes.contains(&0) => Err("is not a glTF file: text that contains NUL bytes"),
        Some(b'{' | 0xEF) => Ok(()),
        Some(_) => Err("is not a glTF file: neither JSON nor GLB"),
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(offset..offset.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

/// Returns the declared length of a binary file and the range of the data of its JSON chunk, from its first bytes:
/// a header of 12 bytes, then chunks of length, type and data (glTF 2.0 specification, §4.4).
fn first_chunk(head: &[u8], file_length: u64) -> Result<(usize, Range<usize>)> {
    let header = |what: String| LocatedError::new("GLB header", what);
    let (Some(version), Some(length)) = (u32_at(head, 4), u32_at(head, 8)) else {
        return Err(header("is truncated".to_owned()));
    };
    if version != 2 {
        return Err(header(format!("has version {version}; only version 2 is supported")));
    }
    if length as u64 > file_length {
        return Err(header(format!(
            "declares {length} bytes, but the file is truncated after {file_length}"
        )));
    }
    let (kind, json) = chunk_at(head, 12, length, 0)?;
    let error = |what: &str| LocatedError::new("GLB chunk 0", what);
    if kind != b"JSON" {
        return Err(error("is not the JSON chunk"));
    }
    let is_whole = json.end <= head.len();
    let text = &head[json.start..json.end.min(head.len())];
    // Only the end of the chunk can be padding.
    let text = if is_whole { &text[..text_length(text)] } else { text };
    check_start(text, is_whole).map_err(|_| error("is not JSON text"))?;
    Ok((length, json))
}

/// Returns the type of the chunk at an offset and the range of its data, in a file of this length.
fn chunk_at(bytes: &[u8], offset: usize, file_length: usize, number: usize) -> Result<(&[u8], Range<usize>)> {
    let truncated = || LocatedError::new(format!("GLB chunk {number} at byte {offset}"), "is truncated");
    let start = offset + 8;
    let length = u32_at(bytes, offset).ok_or_else(truncated)?;
    let kind = bytes.get(offset + 4..start).ok_or_else(truncated)?;
    let end = start.checked_add(length).filter(|end| *end <= file_length).ok_or_else(truncated)?;
    Ok((kind, start..end))
}

/// Returns the length of a JSON chunk without its padding. Some exporters pad with zeros instead of the spaces that
/// the specification requires.
fn text_length(chunk: &[u8]) -> usize {
    chunk.iter().rposition(|byte| !matches!(byte, 0 | b' ')).map_or(0, |last| last + 1)
}

/// Splits a binary file into its chunks.
pub(crate) fn split(bytes: Vec<u8>) -> Result<Container> {
    let (length, json) = first_chunk(&bytes, bytes.len() as u64)?;
    let rest = json.end..length;
    let second = (!rest.is_empty()).then(|| chunk_at(&bytes[..length], rest.start, length, 1)).transpose()?;
    let binary = second.and_then(|(kind, data)| (kind == b"BIN\0").then_some(data));
    let json = json.start..json.start + text_length(&bytes[json]);
    Ok(Container { json, chunks: Some(Chunks { binary, rest }), bytes })
}
