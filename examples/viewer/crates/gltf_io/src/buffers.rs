//! Buffers, the bytes behind accessors: the binary chunk, data URIs and external files.

use crate::container::MAX_FILE_BYTES;
use crate::external::ExternalFiles;
use crate::file_error::Result;
use crate::json::Json;
use crate::meshopt;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

/// The bytes of a buffer, as many as it declares.
#[derive(Debug)]
pub(crate) struct Buffer<'a> {
    storage: Storage<'a>,
    length: usize,
}

#[derive(Debug)]
enum Storage<'a> {
    Chunk(&'a [u8]),
    Read(Arc<Vec<u8>>),
}

impl Deref for Buffer<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let bytes = match &self.storage {
            Storage::Chunk(bytes) => bytes,
            Storage::Read(bytes) => bytes.as_slice(),
        };
        bytes.get(..self.length).unwrap_or(bytes)
    }
}

/// Reads every buffer of the file.
pub(crate) fn read<'a>(
    root: &Json<'_>,
    binary: Option<&'a [u8]>,
    files: &ExternalFiles<'_>,
) -> Result<Vec<Buffer<'a>>> {
    let items = root.items_of("buffers")?;
    let needed = needed_bytes(&items, files)?;
    let mut buffers: Vec<Buffer<'a>> = Vec::new();
    for (buffer, needed) in items.iter().zip(needed) {
        files.check(buffer)?;
        let length = buffer.need("byteLength")?.index()?;
        let storage = match buffer.get("uri")? {
            Some(uri) => Storage::Read(files.content(&uri, "buffer", needed)?),
            None if (binary.is_none() || !buffers.is_empty()) && meshopt::may_be_fallback(root, buffer) => {
                // Its views are decoded instead.
                buffers.push(Buffer { storage: Storage::Chunk(&[]), length: 0 });
                continue;
            }
            None if buffers.is_empty() => {
                let binary = binary.map(Storage::Chunk);
                binary.ok_or_else(|| buffer.error("has no uri, and there is no binary chunk"))?
            }
            None => return Err(buffer.error("has no uri")),
        };
        let read = Buffer { storage, length };
        if read.len() < length {
            let found = read.len();
            return Err(buffer.error(format!("declares {length} bytes, but its data has only {found}")));
        }
        buffers.push(read);
    }
    Ok(buffers)
}

/// Returns the bytes of a buffer that a view describes, or the compressed data of a view.
pub(crate) fn part<'a>(view: &Json<'_>, buffers: &'a [Buffer<'_>]) -> Result<&'a [u8]> {
    let buffer = view.need("buffer")?.index_below(buffers.len(), "buffers")?;
    let offset = view.get_or("byteOffset", 0, Json::index)?;
    let length = view.need("byteLength")?.index()?;
    let bytes: &[u8] = &buffers[buffer];
    let part = offset.checked_add(length).and_then(|end| bytes.get(offset..end));
    let length = bytes.len();
    part.ok_or_else(|| view.error(format!("extends past the end of buffer {buffer} ({length} bytes)")))
}

/// Returns for each buffer how many bytes of its file must be read: as many as the longest buffer of that
/// file declares.
fn needed_bytes(items: &[Json<'_>], files: &ExternalFiles<'_>) -> Result<Vec<u64>> {
    let mut total = 0u64;
    let mut longest: HashMap<PathBuf, u64> = HashMap::new();
    let mut paths = Vec::new();
    for buffer in items {
        let length = buffer.need("byteLength")?.index()? as u64;
        total = total.saturating_add(length);
        if total > MAX_FILE_BYTES {
            return Err(buffer.error("too large: all buffers together must be smaller than 2 GiB"));
        }
        let located = buffer.get("uri")?.and_then(|uri| files.locate(&uri, "buffer").ok());
        let path = located.map(|located| located.real);
        if let Some(path) = &path {
            let longest = longest.entry(path.clone()).or_default();
            *longest = length.max(*longest);
        }
        paths.push((path, length));
    }
    let needed = |(path, length): (Option<PathBuf>, u64)| path.map_or(length, |path| longest[&path]);
    Ok(paths.into_iter().map(needed).collect())
}
