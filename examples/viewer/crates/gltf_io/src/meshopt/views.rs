//! The compressed buffer views of a file.

use super::filters::Filter;
use super::{Damaged, indices, vertices};
use crate::budget::Charge;
use crate::buffers::{self, Buffer};
use crate::external::ExternalFiles;
use crate::file_error::Result;
use crate::json::Json;
use std::collections::HashMap;

/// The names of the extension.
pub(crate) const EXTENSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
/// The largest stride of attributes.
const MAX_STRIDE: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// The decoded bytes of the compressed buffer views of a file, by index.
pub(crate) type DecodedViews = HashMap<usize, Vec<u8>>;

/// Decodes the compressed buffer views of a file.
pub(crate) fn decode_views(
    root: &Json<'_>,
    buffers: &[Buffer<'_>],
    files: &ExternalFiles<'_>,
) -> Result<DecodedViews> {
    let mut decoded = DecodedViews::new();
    for (index, view) in root.items_of("bufferViews")?.iter().enumerate() {
        files.check(view)?;
        if let Some(compressed) = compression(view)? {
            decoded.insert(index, decode(view, &compressed, buffers, files)?);
        }
    }
    Ok(decoded)
}

/// Returns true if a buffer may have no data: its views are compressed in another one. Marking it is optional if
/// the file requires the extension.
pub(crate) fn may_be_fallback(root: &Json<'_>, buffer: &Json<'_>) -> bool {
    let is_marked = |name: &&str| {
        let extension = buffer.value().get("extensions").and_then(|extensions| extensions.get(*name));
        extension.and_then(|extension| extension.get("fallback")?.as_bool()) == Some(true)
    };
    let required = root.value().get("extensionsRequired").and_then(|list| list.as_array());
    let is_required = |name: &&str| required.is_some_and(|list| list.iter().any(|item| item == *name));
    EXTENSIONS.iter().any(|name| is_marked(name) || is_required(name))
}

fn compression<'a>(view: &Json<'a>) -> Result<Option<Json<'a>>> {
    let [first, second] = EXTENSIONS.map(|name| view.extension(name));
    Ok(first?.or(second?))
}

fn decode(
    view: &Json<'_>,
    compressed: &Json<'_>,
    buffers: &[Buffer<'_>],
    files: &ExternalFiles<'_>,
) -> Result<Vec<u8>> {
    let modes =
        [("ATTRIBUTES", Mode::Attributes), ("TRIANGLES", Mode::Triangles), ("INDICES", Mode::Indices)];
    let filters = [
        ("NONE", Filter::None),
        ("OCTAHEDRAL", Filter::Octahedral),
        ("QUATERNION", Filter::Quaternion),
        ("EXPONENTIAL", Filter::Exponential),
        ("COLOR", Filter::Color),
    ];
    let mode = compressed.need("mode")?.one_of(&modes)?;
    let filter = compressed.get_or("filter", Filter::None, |filter| filter.one_of(&filters))?;
    let (stride, count) = (compressed.need("byteStride")?, compressed.need("count")?);
    let (bytes_per, elements) = (stride.index()?, count.index()?);
    let is_valid = match mode {
        Mode::Attributes => (4..=MAX_STRIDE).contains(&bytes_per) && bytes_per.is_multiple_of(4),
        Mode::Triangles | Mode::Indices => bytes_per == 2 || bytes_per == 4,
    };
    if !is_valid || !filter.fits(bytes_per) || (filter != Filter::None && mode != Mode::Attributes) {
        return Err(stride.error("does not fit the mode and the filter"));
    }
    let data = buffers::part(compressed, buffers)?;
    // A byte of compressed data stands for at most 64 bytes of attributes, in version 1 for four bytes of each of
    // 256 vertices, or for the three indices of a triangle.
    let max = if data.first() == Some(&vertices::VERSION_1) { 1024 } else { 64 };
    let bytes = elements.checked_mul(bytes_per).filter(|bytes| *bytes / max <= data.len());
    let length = view.need("byteLength")?;
    let Some(bytes) = bytes.filter(|bytes| length.index().is_ok_and(|length| length == *bytes)) else {
        return Err(count.error("does not fit the length of the buffer view or of its compressed data"));
    };
    files.budget.charge(Charge::Memory, bytes as u64, view)?;
    let mut out = vec![0; bytes];
    let mut free = out.chunks_exact_mut(bytes_per);
    let write = |index: u32| {
        if let Some(element) = free.next() {
            element.copy_from_slice(&index.to_le_bytes()[..element.len()]);
        }
    };
    let decoded: Result<(), Damaged> = match mode {
        Mode::Attributes => vertices::decode(data, bytes_per, &mut out),
        Mode::Triangles => indices::decode_triangles(data, elements, write),
        Mode::Indices => indices::decode_sequence(data, elements, write),
    };
    decoded.map_err(|damaged| compressed.error(damaged.to_string()))?;
    filter.apply(bytes_per, &mut out);
    Ok(out)
}
