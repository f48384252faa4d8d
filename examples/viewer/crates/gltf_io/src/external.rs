//! The files and the data that URIs of a document refer to. Each file is read once, however often it is
//! named.

use crate::budget::{Budget, Charge};
use crate::container::{MAX_FILE_BYTES, read_prefix};
use crate::disk;
use crate::file_error::{LocatedError, Result, excerpt};
use crate::json::Json;
use crate::progress::Progress;
use crate::uri::{Located, SceneFolder, UriError, data_of};
use crate::write_file::{FileStamp, Restriction};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// A file as it was read. Copies share the bytes.
#[derive(Debug, Clone)]
pub(crate) struct ExternalFile {
    /// The contents, or a prefix if a buffer needs no more.
    pub(crate) bytes: Arc<Vec<u8>>,
    /// Its read permissions.
    pub(crate) restriction: Restriction,
}

/// Reads the files of one document.
#[derive(Debug)]
pub(crate) struct ExternalFiles<'a> {
    folder: SceneFolder,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a Progress,
    /// The files read so far, by path without symbolic links.
    read: RefCell<HashMap<PathBuf, ExternalFile>>,
    /// The same files, by the URI that refers to them.
    pub(crate) by_uri: RefCell<HashMap<String, ExternalFile>>,
    /// Total bytes of these files.
    total: RefCell<u64>,
    /// Folders that would have to be allowed.
    pub(crate) outside: RefCell<BTreeSet<PathBuf>>,
}

impl<'a> ExternalFiles<'a> {
    pub(crate) fn new(folder: SceneFolder, budget: &'a Budget, progress: &'a Progress) -> Self {
        let (read, by_uri, total, outside) = Default::default();
        Self { folder, budget, progress, read, by_uri, total, outside }
    }

    /// Returns the path of each file that buffers and images refer to and that may be read, with its state.
    pub(crate) fn stamps(&self, root: &Json<'_>) -> Result<Vec<(PathBuf, FileStamp)>> {
        let mut stamps = Vec::new();
        let mut seen = BTreeSet::new();
        for item in ["buffers", "images"].into_iter().flat_map(|key| root.items_of(key).unwrap_or_default()) {
            self.check(&item)?;
            if let Ok(Some(uri)) = item.get("uri")
                && let Ok(uri) = uri.text()
                && data_of(uri).is_none()
                && seen.insert(uri)
            {
                match self.folder.locate(uri) {
                    Ok(Located { path, real }) => stamps.push((path, FileStamp::of(&real))),
                    // Its state is "missing", and it can appear later.
                    Err(UriError::Unreadable { path, .. }) => stamps.push((path, FileStamp::MISSING)),
                    Err(_) => {}
                }
            }
        }
        Ok(stamps)
    }

    /// Returns the file that `uri` refers to. Errors call it a "`kind` file".
    pub(crate) fn locate(&self, uri: &Json<'_>, kind: &str) -> Result<Located> {
        self.folder.locate(uri.text()?).map_err(|error| {
            if let Some(folder) = error.folder_to_allow() {
                self.outside.borrow_mut().insert(folder.to_owned());
            }
            let what = match &error {
                UriError::Unreadable { .. } => error.to_string().replacen("file", &format!("{kind} file"), 1),
                _ => error.to_string(),
            };
            LocatedError { outside: error.folder_to_allow().map(Into::into), ..uri.error(what) }
        })
    }

    /// Returns the bytes in a data URI, or those of the file that a URI refers to. Of a file, bytes beyond `max_bytes`
    /// may be left out.
    pub(crate) fn content(&self, uri: &Json<'_>, kind: &str, max_bytes: u64) -> Result<Arc<Vec<u8>>> {
        let text = uri.text()?;
        if let Some(data) = data_of(text) {
            self.budget.charge(Charge::Memory, data.len() as u64, uri)?;
            return decode_data(data).map(Arc::new).map_err(|what| uri.error(what));
        }
        let Located { path, real } = self.locate(uri, kind)?;
        let keep = |file: &ExternalFile| self.by_uri.borrow_mut().insert(text.to_owned(), file.clone());
        if let Some(file) = self.read.borrow().get(&real)
            && file.bytes.len() as u64 >= max_bytes.min(FileStamp::of(&real).len())
        {
            keep(file);
            return Ok(file.bytes.clone());
        }
        self.check(uri)?;
        let left = MAX_FILE_BYTES.saturating_sub(*self.total.borrow());
        let read = read_prefix(&real, max_bytes, left).map_err(|why| {
            uri.error(format!("the {kind} file {} {why}", excerpt(&disk::shown(&path).to_string_lossy())))
        })?;
        *self.total.borrow_mut() += read.bytes.len() as u64;
        self.budget.add_file(read.bytes.len() as u64);
        keep(&read);
        let bytes = read.bytes.clone();
        self.read.borrow_mut().insert(real, read);
        Ok(bytes)
    }

    /// Returns an error at this value if the load was canceled.
    pub(crate) fn check(&self, at: &Json<'_>) -> Result<()> {
        self.progress.check().map_err(|what| at.error(what))
    }
}

/// Decodes the part of a data URI after `data:`. Base64 can be with or without padding.
pub(crate) fn decode_data(data: &str) -> Result<Vec<u8>, String> {
    let (media_type, data) = data.split_once(',').ok_or("is a data URI without a comma")?;
    if !media_type.ends_with(";base64") {
        return Ok(percent_decode_str(data).collect());
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let decoded = GeneralPurpose::new(&STANDARD, config).decode(data);
    decoded.map_err(|error| format!("is not valid base64: {error}"))
}
