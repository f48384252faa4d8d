//! Buffers, the bytes behind accessors: the binary chunk, data URIs and external files.

use crate::container::{MAX_FILE_BYTES, read_prefix};
use crate::file_error::LocatedError;
use crate::json::Json;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The bytes of each buffer that is stored in an external file, by buffer index.
pub(crate) type ExternalBuffers = Vec<Option<Vec<u8>>>;

/// Reads every buffer of the file, truncated to its declared length.
pub(crate) fn read<'a>(
    root: &Json<'_>,
    binary: Option<&'a [u8]>,
    folder: &Path,
) -> Result<Vec<Cow<'a, [u8]>>, LocatedError> {
    let mut buffers = Vec::new();
    let mut total = 0u64;
    for buffer in root.items_of("buffers")? {
        let length = buffer.need("byteLength")?.index()?;
        // Otherwise a small document could allocate any amount by naming one file many times.
        total = total.saturating_add(length as u64);
        if total > MAX_FILE_BYTES {
            return Err(buffer.error("too large: all buffers together must be smaller than 2 GiB"));
        }
        let bytes = match buffer.get("uri")? {
            Some(uri) => Cow::Owned(prefix_from_uri(&uri, folder, "buffer", length as u64)?),
            None if buffers.is_empty() => {
                let binary = binary.map(Cow::Borrowed);
                binary.ok_or_else(|| buffer.error("has no uri, and there is no binary chunk"))?
            }
            None => return Err(buffer.error("has no uri")),
        };
        if bytes.len() < length {
            let found = bytes.len();
            return Err(buffer.error(format!("declares {length} bytes, but its data has only {found}")));
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

/// Keeps the buffers that were read from external files and drops the others.
pub(crate) fn into_external(
    root: &Json<'_>,
    folder: &Path,
    buffers: Vec<Cow<'_, [u8]>>,
) -> Result<ExternalBuffers, LocatedError> {
    let external = |(buffer, bytes): (&Json<'_>, Cow<'_, [u8]>)| {
        let uri = buffer.get("uri")?.map(|uri| uri.text()).transpose()?;
        let is_file = uri.is_some_and(|uri| file_from_uri(uri, folder).is_some());
        Ok(is_file.then(|| bytes.into_owned()))
    };
    root.items_of("buffers")?.iter().zip(buffers).map(external).collect()
}

/// Returns the bytes in a data URI or in the file that a URI names. Errors call the file a
/// "`kind` file".
pub(crate) fn from_uri(uri: &Json<'_>, folder: &Path, kind: &str) -> Result<Vec<u8>, LocatedError> {
    prefix_from_uri(uri, folder, kind, MAX_FILE_BYTES)
}

/// Like [`from_uri`], but reads at most `max_bytes` of a file.
fn prefix_from_uri(
    uri: &Json<'_>,
    folder: &Path,
    kind: &str,
    max_bytes: u64,
) -> Result<Vec<u8>, LocatedError> {
    let text = uri.text()?;
    if let Some(data) = text.strip_prefix("data:") {
        let (media_type, data) =
            data.split_once(',').ok_or_else(|| uri.error("is a data URI without a comma"))?;
        return match media_type.ends_with(";base64") {
            true => from_base64(data).map_err(|error| uri.error(format!("is not valid base64: {error}"))),
            false => Ok(urlencoding::decode_binary(data.as_bytes()).into_owned()),
        };
    }
    if let Some((scheme, _)) = text.split_once("://") {
        return Err(uri.error(format!("{scheme} URIs are not supported")));
    }
    let path =
        file_from_uri(text, folder).ok_or_else(|| uri.error("is not valid UTF-8 after percent-decoding"))?;
    read_prefix(&path, max_bytes)
        .map_err(|why| uri.error(format!("the {kind} file {} {why}", path.display())))
}

/// Returns the path of the file that `uri` names, or `None` for a data URI or a URI with a scheme.
pub(crate) fn file_from_uri(uri: &str, folder: &Path) -> Option<PathBuf> {
    if uri.starts_with("data:") || uri.contains("://") {
        return None;
    }
    Some(folder.join(urlencoding::decode(uri).ok()?.as_ref()))
}

/// Decodes base64 with or without padding.
fn from_base64(data: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config).decode(data)
}
