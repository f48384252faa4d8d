//! The list of a folder in the path dialog. A folder is read when it is entered or refreshed, not in every
//! frame, because it can be large or on a network.

use gltf_io::printable;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// A folder or a scene file in the listed folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) is_folder: bool,
    /// The name in lower case, because names are compared case-insensitively.
    name: String,
}

/// Maximum number of entries in the list.
const MAX_ENTRIES: usize = 2000;

/// The entries of a folder that complete the typed path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The folder that was read last.
    folder: Option<PathBuf>,
    /// All folders and scene files in it: folders first, sorted by name.
    all: Vec<Entry>,
    /// The common prefix of the shown names, in lower case.
    prefix: String,
    /// Indices of the shown entries.
    shown: Vec<usize>,
}

impl Listing {
    /// Shows the entries that complete `typed`. Calls `read` only if the folder has changed.
    pub(crate) fn follow(&mut self, typed: &Path, read: impl FnOnce(&Path) -> Vec<Entry>) {
        let (folder, prefix) = split(typed);
        let is_read = self.folder.as_deref() == Some(folder);
        if is_read && self.prefix == prefix {
            return;
        }
        if !is_read {
            self.all = read(folder);
            self.folder = Some(folder.to_owned());
        }
        let matches = |(_, entry): &(usize, &Entry)| entry.name.starts_with(&prefix);
        let shown = self.all.iter().enumerate().filter(matches).map(|(index, _)| index);
        self.shown = shown.take(MAX_ENTRIES).collect();
        self.prefix = prefix;
    }

    /// Makes the next [`Listing::follow`] read the folder again.
    pub(crate) fn refresh(&mut self) {
        self.folder = None;
    }

    /// Returns the shown entries.
    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.shown.iter().map(|index| &self.all[*index])
    }
}

/// Splits a typed path into the folder and the prefix of a name in it, in lower case.
fn split(typed: &Path) -> (&Path, String) {
    match typed.as_os_str().as_encoded_bytes().ends_with(&[MAIN_SEPARATOR as u8]) {
        true => (typed, String::new()),
        false => (
            typed.parent().unwrap_or(Path::new("")),
            typed.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
        ),
    }
}

/// Returns the folders and scene files in a folder, without hidden ones: folders first, sorted by name. The
/// list is empty if the folder could not be read.
pub(crate) fn read_folder(folder: &Path) -> Vec<Entry> {
    let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: std::fs::DirEntry| {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_lowercase());
        if name.starts_with('.') {
            return None;
        }
        // Querying the metadata of each file would be slow on a network drive.
        let kind = entry.file_type().ok()?;
        let is_folder = kind.is_dir() || (kind.is_symlink() && path.is_dir());
        let is_scene = [".glb", ".gltf"].iter().any(|ending| name.ends_with(ending));
        (is_folder || is_scene).then_some(Entry { path, is_folder, name })
    };
    let mut entries: Vec<Entry> = found.filter_map(Result::ok).filter_map(entry).collect();
    entries.sort_by(|a, b| (!a.is_folder, &a.name).cmp(&(!b.is_folder, &b.name)));
    entries
}

impl Entry {
    /// Returns the name to show. A folder ends with a separator.
    pub(crate) fn label(&self) -> String {
        let name = printable(&self.path.file_name().unwrap_or_default().to_string_lossy());
        if self.is_folder { format!("{name}{MAIN_SEPARATOR}") } else { name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> Entry {
        Entry { path: PathBuf::from(name), is_folder: false, name: name.to_lowercase() }
    }

    #[test]
    fn folder_is_read_once_until_changed_or_refreshed() {
        let mut listing = Listing::default();
        let mut reads = Vec::new();
        let mut follow = |listing: &mut Listing, typed: &str| {
            listing.follow(Path::new(typed), |folder| {
                reads.push(folder.to_owned());
                vec![file("Arm.glb"), file("base.glb")]
            });
            (listing.entries().len(), reads.len())
        };
        // One hundred frames with different typed text.
        for _ in 0..100 {
            assert_eq!(follow(&mut listing, "a/"), (2, 1));
            assert_eq!(follow(&mut listing, "a/ar"), (1, 1));
            assert_eq!(follow(&mut listing, "a/none"), (0, 1));
        }
        assert_eq!(follow(&mut listing, "b/ar"), (1, 2));
        listing.refresh();
        assert_eq!(follow(&mut listing, "b/ar"), (1, 3));
        assert_eq!(follow(&mut listing, "b/ar"), (1, 3));
        assert_eq!(follow(&mut listing, ""), (2, 4));
        assert_eq!(reads, ["a/", "b", "b", ""].map(PathBuf::from));
    }
}
