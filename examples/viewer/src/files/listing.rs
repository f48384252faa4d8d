//! What the dialog that asks for a path shows of a folder. A folder is read when it becomes the one that is
//! shown, or when it is asked for anew: not in every frame, since it can be large, or on a network.

use crate::file_error::printable;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// A folder or a scene in the folder that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) is_folder: bool,
    /// In lower case: names are compared without regard to case.
    name: String,
}

/// Listing more entries would not help anybody to choose one.
const MAX_ENTRIES: usize = 2000;

/// The entries of a folder that a half-typed path could become.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The folder that was read last.
    folder: Option<PathBuf>,
    /// All of its folders and scenes: folders first, by name.
    all: Vec<Entry>,
    /// What the names of the shown entries begin with, in lower case.
    begin: String,
    /// Indices of the shown entries.
    shown: Vec<usize>,
}

impl Listing {
    /// Shows the entries that `typed` could become. Calls `read` only for another folder than before.
    pub(crate) fn follow(&mut self, typed: &Path, read: impl FnOnce(&Path) -> Vec<Entry>) {
        let (folder, begin) = split(typed);
        let is_read = self.folder.as_deref() == Some(folder);
        if is_read && self.begin == begin {
            return;
        }
        if !is_read {
            self.all = read(folder);
            self.folder = Some(folder.to_owned());
        }
        let begins = |(_, entry): &(usize, &Entry)| entry.name.starts_with(&begin);
        let shown = self.all.iter().enumerate().filter(begins).map(|(index, _)| index);
        self.shown = shown.take(MAX_ENTRIES).collect();
        self.begin = begin;
    }

    /// Has the folder read again by the next [`Listing::follow`].
    pub(crate) fn refresh(&mut self) {
        self.folder = None;
    }

    /// The shown entries.
    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.shown.iter().map(|index| &self.all[*index])
    }
}

/// The folder of a path, and the beginning of a name in it, in lower case.
fn split(typed: &Path) -> (&Path, String) {
    match typed.as_os_str().as_encoded_bytes().ends_with(&[MAIN_SEPARATOR as u8]) {
        true => (typed, String::new()),
        false => (
            typed.parent().unwrap_or(Path::new("")),
            typed.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
        ),
    }
}

/// Returns the folders and scenes in a folder, without hidden ones: folders first, by name. None where it
/// cannot be read.
pub(crate) fn read_folder(folder: &Path) -> Vec<Entry> {
    let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: std::fs::DirEntry| {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_lowercase());
        if name.starts_with('.') {
            return None;
        }
        // Asking of each file what it is would be slow where the folder is on a network.
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
    /// Returns the name to show, with a separator at its end for a folder.
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
    fn a_folder_is_read_once_until_another_is_typed_or_refreshed() {
        let mut listing = Listing::default();
        let mut reads = Vec::new();
        let mut follow = |listing: &mut Listing, typed: &str| {
            listing.follow(Path::new(typed), |folder| {
                reads.push(folder.to_owned());
                vec![file("Arm.glb"), file("base.glb")]
            });
            (listing.entries().len(), reads.len())
        };
        // One hundred frames, and what is typed in between.
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
