//! Files in memory, with the part of the interface of `std::fs` that reading needs.
//!
//! The files that are chosen together are in one folder, whose name is a number and which has no other folders: they
//! are chosen without their folders, so they are found by their names alone. Other files are in the folder 0.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

thread_local! {
    static FILES: RefCell<BTreeMap<Location, Stored>> = const { RefCell::new(BTreeMap::new()) };
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
pub type File = Cursor<Arc<[u8]>>;

/// The number of a folder and the name of a file in it.
type Location = (u64, PathBuf);

/// Returns the number of the folder of a path, and the name of the file in it; that of a folder is empty.
fn locate(path: &Path) -> Location {
    let mut names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let folder = names.next().and_then(|first| first.to_str()?.parse().ok());
    let is_folder = path.file_name().is_none() || (folder.is_some() && names.next().is_none());
    let name = path.file_name().filter(|_| !is_folder);
    (folder.unwrap_or_default(), name.unwrap_or_default().into())
}

/// Returns the location of a file, or an error for a folder.
fn locate_file(path: &Path) -> io::Result<Location> {
    let location = locate(path);
    if location.1.as_os_str().is_empty() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(location) }
}

/// Returns a path as users know it, without the number of its folder.
pub fn shown(path: &Path) -> &Path {
    let (folder, name) = locate(path);
    let prefix = path.strip_prefix(folder.to_string());
    prefix.ok().filter(|_| !name.as_os_str().is_empty()).unwrap_or(path)
}

fn stored(path: &Path) -> io::Result<Stored> {
    let location = locate_file(path)?;
    let missing = || io::Error::new(io::ErrorKind::NotFound, "no file of this name was chosen");
    FILES.with_borrow(|files| files.get(&location).cloned()).ok_or_else(missing)
}

/// Opens a file, and returns its properties.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    stored(path).map(|Stored { bytes, metadata }| (Cursor::new(bytes), metadata))
}

/// Returns the properties of a file or of a folder.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    match locate_file(path) {
        Ok(_) => stored(path).map(|stored| stored.metadata),
        Err(_) => Ok(Metadata { length: None, version: 0 }),
    }
}

/// Returns the one path of a file or of a folder.
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    let (folder, name) = locate(path);
    let folder = Path::new("/").join(folder.to_string());
    match locate_file(path) {
        Ok(_) => stored(path).map(|_| folder.join(name)),
        Err(_) => Ok(folder),
    }
}

/// Deletes the files that were chosen before this one, whose folders have smaller numbers. Those in the folder 0 stay.
pub fn delete_before(path: &Path) {
    let (first, _) = locate(path);
    FILES.with_borrow_mut(|files| files.retain(|(folder, _), _| *folder == 0 || *folder >= first));
}

/// Returns the contents of a file.
pub fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    stored(path).map(|stored| stored.bytes)
}

/// Adds or replaces a file, and returns its properties.
pub fn insert(path: &Path, bytes: impl Into<Arc<[u8]>>) -> io::Result<Metadata> {
    let location = locate_file(path)?;
    let bytes = bytes.into();
    FILES.with_borrow_mut(|files| {
        let version = 1 + files.values().map(|stored| stored.metadata.version).max().unwrap_or_default();
        let metadata = Metadata { length: Some(bytes.len() as u64), version };
        files.insert(location, Stored { bytes, metadata });
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
        assert_eq!(canonicalize(Path::new("./scene.bin")).ok(), Some(PathBuf::from("/0/scene.bin")));
        let (file, properties) = open(Path::new("scene.bin")).expect("the file exists");
        assert_eq!((&file.get_ref()[..], properties), (&bytes[..], first));
        let second = insert(Path::new("scene.bin"), bytes).expect("the name is valid");
        assert_ne!(first.modified().ok(), second.modified().ok(), "the same length, written again");
    }

    #[test]
    fn files_of_one_name_that_are_chosen_later_replace_nothing() {
        let contents = |path: &str| read(Path::new(path)).map(|bytes| bytes.to_vec()).ok();
        for path in ["1/scene.bin", "2/scene.bin", "scene.bin"] {
            insert(Path::new(path), path.as_bytes()).expect("the name is valid");
        }
        for (path, wanted) in [
            ("1/scene.bin", "1/scene.bin"),
            ("2/data/scene.bin", "2/scene.bin"),
            // However a scene refers to it, a file is one of those that were chosen with the scene.
            ("1/../2/scene.bin", "1/scene.bin"),
            ("/2/scene.bin", "2/scene.bin"),
            ("data/scene.bin", "scene.bin"),
        ] {
            assert_eq!(contents(path).as_deref(), Some(wanted.as_bytes()), "{path}");
        }
        let real = canonicalize(Path::new("2/../data/scene.bin")).expect("the file exists");
        assert!(
            real.starts_with(canonicalize(Path::new("2")).expect("it is a folder")),
            "{}",
            real.display()
        );
        assert_eq!(shown(Path::new("2/data/scene.bin")), Path::new("data/scene.bin"));
        assert_eq!(shown(Path::new("scene.bin")), Path::new("scene.bin"));
        delete_before(Path::new("2/scene.bin"));
        let left = ["1/scene.bin", "2/scene.bin", "scene.bin"].map(|path| contents(path).is_some());
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn folder_and_missing_file_are_errors() {
        for folder in [".", "3"] {
            let folder = metadata(Path::new(folder));
            assert!(folder.is_ok_and(|folder| folder.is_dir() && !folder.is_file()));
        }
        assert_eq!(canonicalize(Path::new("")).ok(), Some(PathBuf::from("/0")));
        assert!(open(Path::new("/")).is_err() && insert(Path::new(".."), *b"x").is_err());
        assert!(open(Path::new("3")).is_err() && insert(Path::new("3"), *b"x").is_err());
        let error = open(Path::new("3/none.glb")).expect_err("there is no such file");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
