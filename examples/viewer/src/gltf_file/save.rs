//! Writes a scene back: the file that it was read from with its nodes where they are now, or a
//! file of its own where there was none.

use super::buffers;
use super::generated;
use super::nodes_text::{self, Lost};
use super::source::Source;
use crate::file_error::{FileError, PlaceError, printable};
use crate::json::{self, Json};
use crate::json_text::{Edits, JsonText};
use crate::scene::Scene;
use crate::write_file::{Disk, behind_links, other_names, write_over};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// The two kinds of glTF file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// `.glb`: one file that has all.
    Binary,
    /// `.gltf`: JSON, which may name other files.
    Text,
}

impl Format {
    /// As the name's ending says.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        [("glb", Self::Binary), ("gltf", Self::Text)].into_iter().find(|(e, _)| *e == ending).map(|(_, f)| f)
    }
}

/// A file that has been written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// As it was when it was whole.
    pub(crate) disk: Disk,
    /// What the person should know of what the file could not keep, as one line.
    pub(crate) remark: Option<String>,
}

/// Writes the scene to a file, whole or not at all.
///
/// Where the scene comes from a file, all that nobody moved or renamed is written as it was read,
/// byte for byte; into another folder or into a `.glb` go the files that the document names too.
pub(crate) fn save(scene: &Scene, path: &Path) -> Result<Written, FileError> {
    save_over(scene, path, Disk::of(path))
}

/// As [`save`], over a file that was last seen like this: what another program has put there since
/// is left alone.
pub(crate) fn save_over(scene: &Scene, path: &Path, seen: Disk) -> Result<Written, FileError> {
    let here = |error: PlaceError| error.in_file(path);
    let Some(format) = Format::of(path) else {
        return Err(FileError::new(path, "must end in .glb or .gltf, so that it is clear what to write"));
    };
    let made;
    let (source, scene) = match &scene.source {
        Some(source) => (source.as_ref(), scene),
        None => {
            made = generated::source(scene).map_err(here)?;
            (&made.0, &made.1)
        }
    };
    let target = behind_links(path);
    let folder = target.parent().unwrap_or(Path::new(""));
    let saved = Saved::of(source, scene, format, !is_same_folder(folder, &source.folder)).map_err(here)?;
    let pieces: Vec<&[u8]> = saved.pieces.iter().map(AsRef::as_ref).collect();
    let mut remarks = saved.remarks;
    remarks.extend(other_names(&target));
    let disk = write_over(path, seen, &pieces).map_err(|what| FileError::new(path, what))?;
    let remark = (!remarks.is_empty()).then(|| remarks.join(", "));
    Ok(Written { disk, remark })
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    let whole = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    };
    a == b || whole(a).is_some_and(|a| whole(b) == Some(a))
}

/// A file ready to be written.
struct Saved<'a> {
    /// One after the other they are the file.
    pieces: Vec<Cow<'a, [u8]>>,
    remarks: Vec<String>,
}

impl<'a> Saved<'a> {
    fn of(source: &'a Source, scene: &Scene, format: Format, is_elsewhere: bool) -> Result<Self, PlaceError> {
        let container = &source.container;
        let old = container.json();
        let mut edits = Edits::default();
        let lost = nodes_text::changes(source, scene, &mut edits)?;
        let mut packer = Packer { source, text: JsonText(old), edits: &mut edits, missing: Vec::new() };
        let binary = packer.pack(format, is_elsewhere)?;
        let remarks = remarks(&lost, &packer.missing);
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

fn remarks(lost: &Lost, missing: &[String]) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(first) = lost.sheared.first() {
        let count = lost.sheared.len();
        remarks.push(format!("without the shear of {count} matrix nodes (first: {})", printable(first)));
    }
    if let Some(first) = missing.first() {
        let count = missing.len();
        remarks.push(format!("without {count} image files that are not there (first: {})", printable(first)));
    }
    remarks
}

/// The header and the document's chunk, and what comes behind it.
fn glb<'a>(text: &[u8], rest: Cow<'a, [u8]>) -> Result<Vec<Cow<'a, [u8]>>, PlaceError> {
    let padded = text.len().next_multiple_of(4);
    let mut head = b"glTF\x02\0\0\0".to_vec();
    head.extend(length(20 + padded + rest.len())?);
    head.extend(length(padded)?);
    head.extend(b"JSON");
    head.extend(text);
    head.resize(20 + padded, b' ');
    Ok(vec![head.into(), rest])
}

/// A file of a document and a binary chunk, which is left out where it is empty.
pub(super) fn whole_glb(text: &[u8], binary: &[u8]) -> Result<Vec<u8>, PlaceError> {
    let chunk = if binary.is_empty() { Vec::new() } else { binary_chunk(binary)? };
    Ok(glb(text, chunk.into())?.concat())
}

fn binary_chunk(bytes: &[u8]) -> Result<Vec<u8>, PlaceError> {
    let padded = bytes.len().next_multiple_of(4);
    let mut chunk = length(padded)?.to_vec();
    chunk.extend(b"BIN\0");
    chunk.extend(bytes);
    chunk.resize(8 + padded, 0);
    Ok(chunk)
}

fn length(bytes: usize) -> Result<[u8; 4], PlaceError> {
    let length = u32::try_from(bytes).map(u32::to_le_bytes);
    length.map_err(|_| PlaceError::new("GLB header", "the file would be larger than 4 GiB"))
}

/// Takes what other files hold into the document, where it could not be found from its new place.
struct Packer<'a> {
    source: &'a Source,
    text: JsonText<'a>,
    edits: &'a mut Edits,
    /// Addresses of files that could not be read and need not be.
    missing: Vec<String>,
}

impl Packer<'_> {
    /// Answers with the data of the binary chunk, where it is not the old one.
    fn pack(&mut self, format: Format, is_elsewhere: bool) -> Result<Option<Vec<u8>>, PlaceError> {
        let was_text = self.source.container.chunks.is_none();
        let becomes_binary = was_text && format == Format::Binary;
        let becomes_text = !was_text && format == Format::Text;
        if !(becomes_binary || becomes_text || is_elsewhere) {
            return Ok(None);
        }
        let document = json::parse(self.text.0)?;
        let document = Json::root(&document);
        let root = self.text.root().unwrap_or(0..0);
        let mut binary = None;
        let places = self.text.items_of(&root, "buffers");
        for (index, (buffer, place)) in document.items_of("buffers")?.iter().zip(places).enumerate() {
            match (buffer.get("uri")?, self.text.member(&place, "uri")) {
                (Some(uri), Some(member)) if becomes_binary && index == 0 => {
                    binary = Some(self.buffer(index, &uri)?.into_owned());
                    self.edits.remove(self.text, &place, &member);
                }
                (Some(uri), Some(member))
                    if (becomes_binary || is_elsewhere) && self.names_a_file(uri.text()?) =>
                {
                    let bytes = self.buffer(index, &uri)?;
                    self.edits.replace(member.value, data_uri("application/octet-stream", &bytes));
                }
                (None, _) if becomes_text && index == 0 => {
                    let bytes = self.source.container.binary().unwrap_or_default();
                    let used = buffer.need("byteLength")?.index()?.min(bytes.len());
                    let uri = data_uri("application/octet-stream", &bytes[..used]);
                    self.edits.insert(self.text, &place, &[format!("\"uri\":{uri}")]);
                }
                _ => {}
            }
        }
        if becomes_binary || is_elsewhere {
            let places = self.text.items_of(&root, "images");
            for (image, place) in document.items_of("images")?.iter().zip(places) {
                self.pack_image(image, &place)?;
            }
        }
        Ok(binary)
    }

    /// As it was when the scene was read.
    fn buffer(&self, index: usize, uri: &Json<'_>) -> Result<Cow<'_, [u8]>, PlaceError> {
        match self.source.buffers.get(index) {
            Some(Some(bytes)) => Ok(bytes.into()),
            _ => buffers::from_uri(uri, &self.source.folder, "buffer").map(Cow::Owned),
        }
    }

    fn pack_image(&mut self, image: &Json<'_>, place: &Range<usize>) -> Result<(), PlaceError> {
        let (Some(uri), Some(member)) = (image.get("uri")?, self.text.member(place, "uri")) else {
            return Ok(());
        };
        if !self.names_a_file(uri.text()?) {
            return Ok(());
        }
        match buffers::from_uri(&uri, &self.source.folder, "image") {
            Ok(bytes) => {
                let kind = match image.get("mimeType")? {
                    Some(kind) => kind.text()?,
                    None => image_kind(&bytes),
                };
                self.edits.replace(member.value, data_uri(kind, &bytes));
            }
            // The scene was opened without it.
            Err(_) => self.missing.push(uri.text()?.to_owned()),
        }
        Ok(())
    }

    fn names_a_file(&self, uri: &str) -> bool {
        buffers::file_of(uri, &self.source.folder).is_some()
    }
}

/// A data URI as a JSON string. Neither part has characters that JSON would escape.
fn data_uri(kind: &str, bytes: &[u8]) -> String {
    let kind: String = kind.chars().filter(|c| c.is_ascii_alphanumeric() || "/-+.".contains(*c)).collect();
    format!("\"data:{kind};base64,{}\"", BASE64_STANDARD.encode(bytes))
}

/// By the first bytes: those of the kinds that glTF and its extensions have.
fn image_kind(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xAB, b'K', b'T', b'X', ..] => "image/ktx2",
        _ => "application/octet-stream",
    }
}
