//! The bytes that accessors look into: the binary chunk, data URIs and files beside the file.

use super::container::{MAX_FILE_BYTES, begin_of_file};
use super::source::Kept;
use crate::file_error::PlaceError;
use crate::json::Json;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Each buffer of the file, cut to the length it declares.
pub(super) fn read<'a>(
    root: &Json<'_>,
    binary: Option<&'a [u8]>,
    folder: &Path,
) -> Result<Vec<Cow<'a, [u8]>>, PlaceError> {
    let mut buffers = Vec::new();
    let mut whole = 0u64;
    for buffer in root.items_of("buffers")? {
        let length = buffer.need("byteLength")?.index()?;
        // A few lines could otherwise ask for any amount by naming the same file again and again.
        whole = whole.saturating_add(length as u64);
        if whole > MAX_FILE_BYTES {
            return Err(buffer.error("too large: buffers of 2 GiB and more in all are not read"));
        }
        let bytes = match buffer.get("uri")? {
            Some(uri) => Cow::Owned(begin_of_uri(&uri, folder, "buffer", length as u64)?),
            None if buffers.is_empty() => {
                let binary = binary.map(Cow::Borrowed);
                binary.ok_or_else(|| buffer.error("has no uri, and there is no binary chunk"))?
            }
            None => return Err(buffer.error("has no uri")),
        };
        if bytes.len() < length {
            let has = bytes.len();
            return Err(buffer.error(format!("should have {length} bytes, but its data ends after {has}")));
        }
        buffers.push(match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(length);
                Cow::Owned(bytes)
            }
        });
    }
    Ok(buffers)
}

/// Of the buffers that were read, those that are in files of their own.
pub(super) fn of_files(
    root: &Json<'_>,
    folder: &Path,
    buffers: Vec<Cow<'_, [u8]>>,
) -> Result<Kept, PlaceError> {
    let kept = |(buffer, bytes): (&Json<'_>, Cow<'_, [u8]>)| {
        let uri = buffer.get("uri")?.map(|uri| uri.text()).transpose()?;
        let is_file = uri.is_some_and(|uri| file_of(uri, folder).is_some());
        Ok(is_file.then(|| bytes.into_owned()))
    };
    root.items_of("buffers")?.iter().zip(buffers).map(kept).collect()
}

/// The bytes that a URI holds or names; `what` kind of thing they are, an error says.
pub(super) fn from_uri(uri: &Json<'_>, folder: &Path, what: &str) -> Result<Vec<u8>, PlaceError> {
    begin_of_uri(uri, folder, what, MAX_FILE_BYTES)
}

/// As [`from_uri`]; of a file no more than so many bytes.
fn begin_of_uri(uri: &Json<'_>, folder: &Path, what: &str, most: u64) -> Result<Vec<u8>, PlaceError> {
    let text = uri.text()?;
    if let Some(data) = text.strip_prefix("data:") {
        let (kind, data) = data.split_once(',').ok_or_else(|| uri.error("is a data URI without a comma"))?;
        return match kind.ends_with(";base64") {
            true => from_base64(data).map_err(|error| uri.error(format!("is not base64: {error}"))),
            false => Ok(urlencoding::decode_binary(data.as_bytes()).into_owned()),
        };
    }
    if let Some((scheme, _)) = text.split_once("://") {
        return Err(uri.error(format!("{scheme} addresses are not fetched")));
    }
    let path = file_of(text, folder).ok_or_else(|| uri.error("is not UTF-8 once decoded"))?;
    begin_of_file(&path, most).map_err(|why| uri.error(format!("the {what} file {} {why}", path.display())))
}

/// The file that a `uri` names, unless it is data or an address.
pub(super) fn file_of(uri: &str, folder: &Path) -> Option<PathBuf> {
    if uri.starts_with("data:") || uri.contains("://") {
        return None;
    }
    Some(folder.join(urlencoding::decode(uri).ok()?.as_ref()))
}

/// With or without the padding at its end.
fn from_base64(data: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config).decode(data)
}
