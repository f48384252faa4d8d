//! The bytes that accessors look into: the binary chunk, data URIs and files beside the file.

use super::container::file_bytes;
use crate::file_error::PlaceError;
use crate::json::Json;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::path::Path;

/// Each buffer of the file, cut to the length it declares.
pub(super) fn read(
    root: &Json<'_>,
    mut binary: Option<Vec<u8>>,
    folder: &Path,
) -> Result<Vec<Vec<u8>>, PlaceError> {
    let mut buffers = Vec::new();
    for buffer in root.items_of("buffers")? {
        let length = buffer.need("byteLength")?.index()?;
        let mut bytes = match buffer.get("uri")? {
            Some(uri) => from_uri(&uri, folder, "buffer")?,
            None if buffers.is_empty() => {
                binary.take().ok_or_else(|| buffer.error("has no uri, and there is no binary chunk"))?
            }
            None => return Err(buffer.error("has no uri")),
        };
        if bytes.len() < length {
            let has = bytes.len();
            return Err(buffer.error(format!("should have {length} bytes, but its data ends after {has}")));
        }
        bytes.truncate(length);
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// The bytes that a URI holds or names; `what` kind of thing they are, an error says.
pub(super) fn from_uri(uri: &Json<'_>, folder: &Path, what: &str) -> Result<Vec<u8>, PlaceError> {
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
    let name = urlencoding::decode(text).map_err(|_| uri.error("is not UTF-8 once decoded"))?;
    let path = folder.join(name.as_ref());
    file_bytes(&path).map_err(|why| uri.error(format!("the {what} file {} {why}", path.display())))
}

/// With or without the padding at its end.
fn from_base64(data: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config).decode(data)
}
