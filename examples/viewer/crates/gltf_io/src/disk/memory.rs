//! Files in memory, with the part of the interface of `std::fs` that reading needs.
//!
//! There is one folder, which has no other folders: a file that was chosen without its folder is found by its name
//! alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

thread_local! {
    static FILES: RefCell<BTreeMap<PathBuf, Stored>> = const { RefCell::new(BTreeMap::new()) };
}

#[derive(Debug, Clone)]
struct Stored {
    bytes: Arc<[u8]>,
    metadata: Metadata,
}

/// The properties of a file, or of the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// `None` for the folder.
    length: Option<u64>,
    /// How often any file had been written.
    version: u64,
}

#[allow(clippy::len_without_is_empty, reason = "the interface is that of std::fs::Metadata")]
impl Metadata {
    /// Returns the length of the file in bytes.
    pub fn len(&self) -> u64 {
        self.length.unwrap_or_default()
    }

    /// Returns true for the folder.
    pub fn is_dir(&self) -> bool {
        self.length.is_none()
    }

    /// Returns true for a file.
    pub fn is_file(&self) -> bool {
        self.length.is_some()
    }

    /// Returns a time that differs from that of earlier contents.
    pub fn modified(&self) -> io::Result<SystemTime> {
        Ok(SystemTime::UNIX_EPOCH + Duration::from_nanos(self.version))
    }
}

/// A file that is being read.
#[derive(Debug)]
pub struct File {
    bytes: Cursor<Arc<[u8]>>,
    metadata: Metadata,
}

impl File {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let Stored { bytes, metadata } = stored(path)?;
        Ok(Self { bytes: Cursor::new(bytes), metadata })
    }

    /// Returns the properties of the file when it was opened.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(self.metadata)
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// Returns the name of a file, or `None` for the folder.
fn name(path: &Path) -> Option<&Path> {
    path.file_name().map(Path::new)
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no file of this name was chosen")
}

fn stored(path: &Path) -> io::Result<Stored> {
    let name = name(path).ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    FILES.with_borrow(|files| files.get(name).cloned()).ok_or_else(missing)
}

/// Returns the properties of a file or of the folder.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    match name(path) {
        Some(_) => stored(path).map(|stored| stored.metadata),
        None => Ok(Metadata { length: None, version: 0 }),
    }
}

/// Returns the one path of a file or of the folder.
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    let root = PathBuf::from("/");
    match name(path) {
        Some(name) => stored(path).map(|_| root.join(name)),
        None => Ok(root),
    }
}

/// Returns the contents of a file.
pub fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    stored(path).map(|stored| stored.bytes)
}

/// Adds or replaces a file, and returns its properties.
pub fn insert(path: &Path, bytes: impl Into<Arc<[u8]>>) -> io::Result<Metadata> {
    let name = name(path).ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    let bytes = bytes.into();
    FILES.with_borrow_mut(|files| {
        let version = 1 + files.values().map(|stored| stored.metadata.version).max().unwrap_or_default();
        let metadata = Metadata { length: Some(bytes.len() as u64), version };
        files.insert(name.to_owned(), Stored { bytes, metadata });
        Ok(metadata)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_file_is_found_by_name_in_any_folder() {
        let bytes: Vec<u8> = (0..=255).collect();
        let first = insert(Path::new("scene.bin"), bytes.clone()).expect("the name is valid");
        assert_eq!(metadata(Path::new("deep/scene.bin")).ok(), Some(first));
        assert_eq!(canonicalize(Path::new("./scene.bin")).ok(), Some(PathBuf::from("/scene.bin")));
        let mut file = File::open(Path::new("scene.bin")).expect("the file exists");
        let mut read = Vec::new();
        file.seek(SeekFrom::Start(3)).and_then(|_| file.read_to_end(&mut read)).expect("memory is readable");
        assert_eq!(read, bytes[3..]);
        let second = insert(Path::new("scene.bin"), bytes).expect("the name is valid");
        assert_ne!(first.modified().ok(), second.modified().ok(), "the same length, written again");
    }

    #[test]
    fn folder_and_missing_file_are_errors() {
        assert!(metadata(Path::new(".")).is_ok_and(|folder| folder.is_dir() && !folder.is_file()));
        assert_eq!(canonicalize(Path::new("")).ok(), Some(PathBuf::from("/")));
        assert!(File::open(Path::new("/")).is_err() && insert(Path::new(".."), *b"x").is_err());
        let error = File::open(Path::new("none.glb")).expect_err("there is no such file");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
