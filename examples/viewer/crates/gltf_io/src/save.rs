//! Saves a scene: as the file that it was read from with the node changes applied, or as a generated
//! file.

mod generated;
mod marks_text;
mod nodes_text;
mod tree_text;
mod volumes_text;

#[cfg(test)]
mod tests;

use crate::budget::{Budget, Charge};
use crate::disk;
use crate::external::ExternalFile;
use crate::external::decode_data;
use crate::file_error::{FileError, LocatedError, Result, excerpt, readable};
use crate::json::{self, Json};
use crate::json_text::{Change, Edits, JsonText};
use crate::source::Source;
use crate::uri::{data_of, is_data};
use crate::write_file::{FileStamp, Restriction, hard_link_remark, resolve_links, write_over};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nodes_text::Losses;
use percent_encoding::percent_decode_str;
use scene::Scene;
use scene::pixels::EncodedImage;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

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
    /// The index in the file of each node of the scene; `None` for a deleted node.
    pub indices: Vec<Option<usize>>,
    /// Whether it refers to the same files as the file that was read: they are not embedded.
    pub refers: bool,
    /// One line for the user about the files that were embedded and the properties that could not be saved.
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
    let indices = saved_indices(scene);
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
    let mut output = Output::new(source, scene, format, is_other_folder).map_err(file_error)?;
    // When the scene's own file is replaced, its current permissions apply, not those from when it was read.
    let is_own_file = source.stamps.first().is_some_and(|(own, _)| resolve_links(own) == real_path);
    if !is_own_file {
        output.restriction = output.restriction.and(source.restriction);
    }
    let pieces: Vec<&[u8]> = output.pieces.iter().map(AsRef::as_ref).collect();
    let mut remarks = output.remarks;
    remarks.extend(hard_link_remark(&real_path));
    let disk = write_over(path, seen, &pieces, output.restriction);
    let disk = disk.map_err(|what| FileError::new(path, what))?;
    let remark = (!remarks.is_empty()).then(|| readable(&remarks.join(", ")));
    let refers = !is_other_folder && (format == Format::Text || source.container.chunks.is_some());
    Ok(Written { disk, indices, refers, remark })
}

/// Returns the index that each node of the scene has in the file that a save writes. Deleted nodes have
/// none: readers do not show them.
fn saved_indices(scene: &Scene) -> Vec<Option<usize>> {
    let source = Source::of(scene);
    // Copies follow the nodes of the file.
    let mut next = source.map_or(0, |source| JsonText(source.container.json()).nodes().len());
    let index_of = |node: usize| {
        if !scene.exists(node) {
            return None;
        }
        source.and_then(|source| source.file_index(node)).or_else(|| {
            next += 1;
            Some(next - 1)
        })
    };
    (0..scene.nodes().len()).map(index_of).collect()
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    let canonical = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        disk::canonicalize(folder).ok()
    };
    a == b || canonical(a).is_some_and(|a| canonical(b) == Some(a))
}

/// The contents of a file to be written.
struct Output<'a> {
    /// The file is the concatenation of these pieces.
    pieces: Vec<Cow<'a, [u8]>>,
    remarks: Vec<String>,
    restriction: Restriction,
}

impl<'a> Output<'a> {
    fn new(source: &'a Source, scene: &Scene, format: Format, is_other_folder: bool) -> Result<Self> {
        let container = &source.container;
        let old = container.json();
        let mut edits = Edits::default();
        let losses = nodes_text::changes(source, scene, &mut edits)?;
        volumes_text::changes(source, scene, &mut edits)?;
        let mut embedder = Embedder::new(source, &mut edits);
        let binary = embedder.embed(format, is_other_folder)?;
        let (restriction, remarks) = (embedder.restriction, remarks(&losses, &embedder));
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
        Ok(Self { pieces, remarks, restriction })
    }
}

fn remarks(losses: &Losses, embedder: &Embedder<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    if !embedder.embedded.is_empty() {
        /// Further names are counted.
        const NAMED: usize = 5;
        let names: Vec<&str> = embedder.embedded.iter().take(NAMED).map(String::as_str).collect();
        let more = embedder.embedded.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        remarks.push(format!("with the contents of {}{more}", names.join(", ")));
    }
    remarks.extend(losses.remarks());
    if let Some(first) = embedder.missing.first() {
        let count = embedder.missing.len();
        remarks.push(format!("without {count} image files that were not read as images (first: {first})"));
    }
    remarks
}

/// Returns a binary file of a header, a JSON chunk and `rest`.
fn glb<'a>(text: &[u8], rest: Cow<'a, [u8]>) -> Result<Vec<Cow<'a, [u8]>>> {
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
pub fn whole_glb(text: &[u8], binary: &[u8]) -> Result<Vec<u8>> {
    let chunk = if binary.is_empty() { Vec::new() } else { binary_chunk(binary)? };
    Ok(glb(text, chunk.into())?.concat())
}

fn binary_chunk(bytes: &[u8]) -> Result<Vec<u8>> {
    let padded = bytes.len().next_multiple_of(4);
    let mut chunk = length_bytes(padded)?.to_vec();
    chunk.extend(b"BIN\0");
    chunk.extend(bytes);
    chunk.resize(8 + padded, 0);
    Ok(chunk)
}

fn length_bytes(bytes: usize) -> Result<[u8; 4]> {
    let length = u32::try_from(bytes).map(u32::to_le_bytes);
    length.map_err(|_| LocatedError::new("GLB header", "the file would be larger than 4 GiB"))
}

/// Embeds external files in the document if its relative URIs would no longer find them. Only what was
/// read with the scene is embedded.
struct Embedder<'a> {
    source: &'a Source,
    text: JsonText<'a>,
    edits: &'a mut Edits,
    /// Excerpts of the paths of the files that were embedded, each once.
    embedded: Vec<String>,
    is_embedded: HashSet<String>,
    /// Media types by the address of the bytes, so that an image is decoded once however often it is named.
    media_types: HashMap<usize, Option<&'static str>>,
    /// Excerpts of the URIs of image files that were not read or are not images, which is not an error.
    missing: Vec<String>,
    /// The read permissions that all embedded files have in common.
    restriction: Restriction,
    /// One file can be named, and so embedded, many times.
    budget: Budget,
}

impl<'a> Embedder<'a> {
    fn new(source: &'a Source, edits: &'a mut Edits) -> Self {
        let text = JsonText(source.container.json());
        let (embedded, is_embedded, media_types, missing) = Default::default();
        let (restriction, budget) =
            (Restriction::default(), Budget::new(source.container.bytes.len() as u64));
        Self { source, text, edits, embedded, is_embedded, media_types, missing, restriction, budget }
    }

    /// Embeds buffers and images, and returns the data of a new binary chunk if the file needs one.
    fn embed(&mut self, format: Format, is_other_folder: bool) -> Result<Option<Vec<u8>>> {
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
            let new_uri = match buffer.get("uri")? {
                Some(uri) if becomes_binary && index == 0 => {
                    binary = Some(self.buffer(buffer, &uri)?.into_owned());
                    None
                }
                Some(uri) if (becomes_binary || is_other_folder) && !is_data(uri.text()?) => {
                    Some(data_uri("application/octet-stream", &self.buffer(buffer, &uri)?))
                }
                None if becomes_text && index == 0 => {
                    let bytes = self.source.container.binary().unwrap_or_default();
                    let used = buffer.need("byteLength")?.index()?.min(bytes.len());
                    Some(data_uri("application/octet-stream", &bytes[..used]))
                }
                _ => continue,
            };
            self.edits.change(self.text, &object, vec![("uri", Change::Set(new_uri.map(Into::into)))]);
        }
        if becomes_binary || is_other_folder {
            let objects = self.text.items_of(&root, "images");
            for (image, object) in document.items_of("images")?.iter().zip(objects) {
                self.embed_image(image, &object)?;
            }
        }
        Ok(binary)
    }

    /// Returns the bytes of a buffer as they were when the scene was read, as many as it declares.
    fn buffer(&mut self, buffer: &Json<'_>, uri: &Json<'_>) -> Result<Cow<'a, [u8]>> {
        let text = uri.text()?;
        if let Some(data) = data_of(text) {
            return decode_data(data).map(Cow::Owned).map_err(|what| uri.error(what));
        }
        let source = self.source;
        let Some(file) = source.files.get(text) else {
            return Err(uri.error("was not read with the scene, so it cannot be saved"));
        };
        self.add(uri, file)?;
        let length = buffer.need("byteLength")?.index()?;
        Ok(file.bytes.get(..length).unwrap_or(&file.bytes).into())
    }

    fn embed_image(&mut self, image: &Json<'_>, object: &Range<usize>) -> Result<()> {
        let Some(uri) = image.get("uri")? else { return Ok(()) };
        if is_data(uri.text()?) {
            return Ok(());
        }
        let source = self.source;
        let file = source.files.get(uri.text()?);
        let mut media_type = |file: &ExternalFile| {
            let types = self.media_types.entry(Arc::as_ptr(&file.bytes).addr());
            *types.or_insert_with(|| image_media_type(&file.bytes))
        };
        match file.and_then(|file| Some((file, media_type(file)?))) {
            Some((file, found)) => {
                let declared = image.get("mimeType")?.map(|declared| declared.text()).transpose()?;
                self.add(&uri, file)?;
                let new_uri = Change::to(data_uri(declared.unwrap_or(found), &file.bytes));
                self.edits.change(self.text, object, vec![("uri", new_uri)]);
            }
            // The scene opened without the image, so it can be saved without it.
            None => self.missing.push(excerpt(uri.text()?)),
        }
        Ok(())
    }

    /// Counts a file that is about to be embedded.
    fn add(&mut self, uri: &Json<'_>, file: &ExternalFile) -> Result<()> {
        self.restriction = self.restriction.and(file.restriction);
        // Not percent-encoded, as users know the file.
        let text = uri.text()?;
        let name =
            percent_decode_str(text).decode_utf8().map_or_else(|_| excerpt(text), |name| excerpt(&name));
        let length = file.bytes.len() as u64;
        if self.is_embedded.insert(name.clone()) {
            self.embedded.push(name);
            self.budget.add_file(length);
        }
        // The text is kept as an edit, in the document and in the file.
        self.budget.charge(Charge::Memory, 4 * length, uri)
    }
}

/// Returns a data URI.
fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "/-+.".contains(*c);
    let media_type: String = media_type.chars().filter(is_plain).collect();
    format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(bytes))
}

/// Returns the media type of an image in a format of glTF or its extensions, or `None` for anything else.
/// PNG, JPEG and WebP are decoded, because a few bytes in front make any file look like an image. Of KTX2 also
/// the textures are kept that are not shown; the sizes in their headers must be those of the file.
fn image_media_type(bytes: &[u8]) -> Option<&'static str> {
    let word = |at: usize| Some(u64::from(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)));
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => is_decodable(bytes).then_some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => is_decodable(bytes).then_some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', b'8', ..] => {
            let is_whole = word(4)?.next_multiple_of(2) + 8 == bytes.len() as u64;
            (is_whole && is_decodable(bytes)).then_some("image/webp")
        }
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, ..] => {
            // The data format descriptor follows the header and the table of levels.
            let (descriptor, length) = (word(48)?, word(52)?);
            let is_inside = length > 4 && descriptor + length <= bytes.len() as u64;
            (is_inside && word(usize::try_from(descriptor).ok()?)? == length).then_some("image/ktx2")
        }
        _ => None,
    }
}

fn is_decodable(bytes: &[u8]) -> bool {
    /// Images that need more are not decoded when a scene is read either.
    const MAX_DECODER_BYTES: u64 = 1 << 30;
    let image = EncodedImage::new(bytes).ok();
    let image = image.filter(|image| image.decoder_bytes(SMALL_SIDE) <= MAX_DECODER_BYTES);
    image.is_some_and(|image| image.decode(SMALL_SIDE, false).is_ok())
}

/// The decoded pixels are not needed, so they are reduced.
const SMALL_SIDE: u32 = 256;
