//! Saves a scene: as the file that it was read from with the node changes applied, or as a generated
//! file.

mod generated;
mod nodes_text;
mod tree_text;

#[cfg(test)]
mod tests;

use crate::buffers;
use crate::file_error::{FileError, LocatedError, printable};
use crate::json::{self, Json};
use crate::json_text::{Edits, JsonText};
use crate::source::Source;
use crate::write_file::{FileStamp, hard_link_remark, resolve_links, write_over};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nodes_text::Losses;
use scene::Scene;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// The two kinds of glTF file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.glb`: a single file with all data.
    Binary,
    /// `.gltf`: JSON, which may refer to other files.
    Text,
}

impl Format {
    /// Returns the format for the extension of a path, ignoring case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "glb" => Some(Self::Binary),
            "gltf" => Some(Self::Text),
            _ => None,
        }
    }
}

/// A file that has been written.
#[derive(Debug, PartialEq, Eq)]
pub struct Written {
    /// State of the file right after it was written.
    pub disk: FileStamp,
    /// One line for the user about properties that could not be saved.
    pub remark: Option<String>,
}

/// Writes the scene to a file, completely or not at all.
///
/// If the scene was read from a file, everything that did not change is written byte for byte as it was
/// read. The files that the document names are embedded if the scene is saved to another folder or as
/// a `.glb`.
pub fn save(scene: &Scene, path: &Path) -> Result<Written, FileError> {
    save_over(scene, path, FileStamp::of(path))
}

/// Like [`save`], but fails if the file is no longer in the state `seen`, so that changes by other
/// programs are not lost.
pub fn save_over(scene: &Scene, path: &Path, seen: FileStamp) -> Result<Written, FileError> {
    let file_error = |error: LocatedError| error.in_file(path);
    let Some(format) = Format::of(path) else {
        return Err(FileError::new(path, "the name must end in .glb or .gltf"));
    };
    let synthesized;
    let (source, scene) = match Source::of(scene) {
        Some(source) => (source, scene),
        None => {
            synthesized = generated::source(scene).map_err(file_error)?;
            (&synthesized.0, &synthesized.1)
        }
    };
    let real_path = resolve_links(path);
    let folder = real_path.parent().unwrap_or(Path::new(""));
    let is_other_folder = !is_same_folder(folder, &source.folder);
    let output = Output::new(source, scene, format, is_other_folder).map_err(file_error)?;
    let pieces: Vec<&[u8]> = output.pieces.iter().map(AsRef::as_ref).collect();
    let mut remarks = output.remarks;
    remarks.extend(hard_link_remark(&real_path));
    let disk = write_over(path, seen, &pieces).map_err(|what| FileError::new(path, what))?;
    let remark = (!remarks.is_empty()).then(|| remarks.join(", "));
    Ok(Written { disk, remark })
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    let canonical = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    };
    a == b || canonical(a).is_some_and(|a| canonical(b) == Some(a))
}

/// The contents of a file to be written.
struct Output<'a> {
    /// The file is the concatenation of these pieces.
    pieces: Vec<Cow<'a, [u8]>>,
    remarks: Vec<String>,
}

impl<'a> Output<'a> {
    fn new(
        source: &'a Source,
        scene: &Scene,
        format: Format,
        is_other_folder: bool,
    ) -> Result<Self, LocatedError> {
        let container = &source.container;
        let old = container.json();
        let mut edits = Edits::default();
        let losses = nodes_text::changes(source, scene, &mut edits)?;
        let mut embedder = Embedder { source, text: JsonText(old), edits: &mut edits, missing: Vec::new() };
        let binary = embedder.embed(format, is_other_folder)?;
        let remarks = remarks(&losses, &embedder.missing);
        let text = edits.apply(old);
        let bytes = &container.bytes;
        let pieces = match (format, &container.chunks) {
            (Format::Text, _) => vec![text.into()],
            (Format::Binary, Some(_)) if text == old => vec![bytes.into()],
            (Format::Binary, Some(chunks)) => {
                let mut pieces = glb(&text, bytes[chunks.rest.clone()].into())?;
                pieces.push(bytes[chunks.rest.end..].into());
                pieces
            }
            (Format::Binary, None) => {
                let chunk = binary.map_or(Ok(Vec::new()), |bytes| binary_chunk(&bytes))?;
                glb(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text), chunk.into())?
            }
        };
        Ok(Self { pieces, remarks })
    }
}

fn remarks(losses: &Losses, missing: &[String]) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(first) = losses.sheared.first() {
        let count = losses.sheared.len();
        remarks.push(format!("without the shear of {count} matrix nodes (first: {})", printable(first)));
    }
    if let Some(first) = missing.first() {
        let count = missing.len();
        remarks.push(format!("without {count} missing image files (first: {})", printable(first)));
    }
    remarks
}

/// Returns a binary file of a header, a JSON chunk and `rest`.
fn glb<'a>(text: &[u8], rest: Cow<'a, [u8]>) -> Result<Vec<Cow<'a, [u8]>>, LocatedError> {
    let padded = text.len().next_multiple_of(4);
    let mut head = b"glTF\x02\0\0\0".to_vec();
    head.extend(length_bytes(20 + padded + rest.len())?);
    head.extend(length_bytes(padded)?);
    head.extend(b"JSON");
    head.extend(text);
    head.resize(20 + padded, b' ');
    Ok(vec![head.into(), rest])
}

/// Returns a binary file of a document and a binary chunk. An empty chunk is left out.
pub(crate) fn whole_glb(text: &[u8], binary: &[u8]) -> Result<Vec<u8>, LocatedError> {
    let chunk = if binary.is_empty() { Vec::new() } else { binary_chunk(binary)? };
    Ok(glb(text, chunk.into())?.concat())
}

fn binary_chunk(bytes: &[u8]) -> Result<Vec<u8>, LocatedError> {
    let padded = bytes.len().next_multiple_of(4);
    let mut chunk = length_bytes(padded)?.to_vec();
    chunk.extend(b"BIN\0");
    chunk.extend(bytes);
    chunk.resize(8 + padded, 0);
    Ok(chunk)
}

fn length_bytes(bytes: usize) -> Result<[u8; 4], LocatedError> {
    let length = u32::try_from(bytes).map(u32::to_le_bytes);
    length.map_err(|_| LocatedError::new("GLB header", "the file would be larger than 4 GiB"))
}

/// Embeds external files in the document if its relative URIs would no longer find them.
struct Embedder<'a> {
    source: &'a Source,
    text: JsonText<'a>,
    edits: &'a mut Edits,
    /// URIs of image files that could not be read, which is not an error.
    missing: Vec<String>,
}

impl Embedder<'_> {
    /// Embeds buffers and images, and returns the data of a new binary chunk if the file needs one.
    fn embed(&mut self, format: Format, is_other_folder: bool) -> Result<Option<Vec<u8>>, LocatedError> {
        let was_text = self.source.container.chunks.is_none();
        let becomes_binary = was_text && format == Format::Binary;
        let becomes_text = !was_text && format == Format::Text;
        if !(becomes_binary || becomes_text || is_other_folder) {
            return Ok(None);
        }
        let document = json::parse(self.text.0)?;
        let document = Json::root(&document);
        let root = self.text.root().unwrap_or(0..0);
        let mut binary = None;
        let objects = self.text.items_of(&root, "buffers");
        for (index, (buffer, object)) in document.items_of("buffers")?.iter().zip(objects).enumerate() {
            match (buffer.get("uri")?, self.text.member(&object, "uri")) {
                (Some(uri), Some(member)) if becomes_binary && index == 0 => {
                    binary = Some(self.buffer(index, &uri)?.into_owned());
                    self.edits.remove(self.text, &object, &member);
                }
                (Some(uri), Some(member))
                    if (becomes_binary || is_other_folder) && self.is_file_uri(uri.text()?) =>
                {
                    let bytes = self.buffer(index, &uri)?;
                    self.edits.replace(member.value, data_uri("application/octet-stream", &bytes));
                }
                (None, _) if becomes_text && index == 0 => {
                    let bytes = self.source.container.binary().unwrap_or_default();
                    let used = buffer.need("byteLength")?.index()?.min(bytes.len());
                    let uri = data_uri("application/octet-stream", &bytes[..used]);
                    self.edits.insert(self.text, &object, &[format!("\"uri\":{uri}")]);
                }
                _ => {}
            }
        }
        if becomes_binary || is_other_folder {
            let objects = self.text.items_of(&root, "images");
            for (image, object) in document.items_of("images")?.iter().zip(objects) {
                self.embed_image(image, &object)?;
            }
        }
        Ok(binary)
    }

    /// Returns the bytes of a buffer as they were when the scene was read.
    fn buffer(&self, index: usize, uri: &Json<'_>) -> Result<Cow<'_, [u8]>, LocatedError> {
        match self.source.buffers.get(index) {
            Some(Some(bytes)) => Ok(bytes.into()),
            _ => buffers::from_uri(uri, &self.source.folder, "buffer").map(Cow::Owned),
        }
    }

    fn embed_image(&mut self, image: &Json<'_>, object: &Range<usize>) -> Result<(), LocatedError> {
        let (Some(uri), Some(member)) = (image.get("uri")?, self.text.member(object, "uri")) else {
            return Ok(());
        };
        if !self.is_file_uri(uri.text()?) {
            return Ok(());
        }
        match buffers::from_uri(&uri, &self.source.folder, "image") {
            Ok(bytes) => {
                let media_type = match image.get("mimeType")? {
                    Some(media_type) => media_type.text()?,
                    None => image_media_type(&bytes),
                };
                self.edits.replace(member.value, data_uri(media_type, &bytes));
            }
            // The scene opened without the image, so it can be saved without it.
            Err(_) => self.missing.push(uri.text()?.to_owned()),
        }
        Ok(())
    }

    fn is_file_uri(&self, uri: &str) -> bool {
        buffers::file_from_uri(uri, &self.source.folder).is_some()
    }
}

/// Returns a data URI as a JSON string. Neither part contains characters that JSON would escape.
fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "/-+.".contains(*c);
    let media_type: String = media_type.chars().filter(is_plain).collect();
    format!("\"data:{media_type};base64,{}\"", BASE64_STANDARD.encode(bytes))
}

/// Detects the media type of an image from its first bytes: the formats of glTF and its extensions.
fn image_media_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xAB, b'K', b'T', b'X', ..] => "image/ktx2",
        _ => "application/octet-stream",
    }
}
