//! The recently opened files, stored in the user's data folder.

use crate::small_files::{read_json, write};
use crate::user_data;
use serde_json::Value;
use session::journal::{path_from_json, path_to_json};
use std::path::{Path, PathBuf};

/// Maximum number of files in the list.
const MAX_PATHS: usize = 10;

/// A list of files, most recent first.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// The file that stores the list, if any.
    list: Option<PathBuf>,
    /// The files, most recent first.
    pub(crate) paths: Vec<PathBuf>,
}

impl Recent {
    /// Reads the user's list: `$XDG_DATA_HOME/wgpu-gizmo/recent.json` on Linux.
    pub(crate) fn of_user() -> Self {
        Self::stored_in(user_data::path("recent.json"))
    }

    /// Reads the list from this file. A missing or invalid file gives an empty list.
    pub(crate) fn stored_in(list: Option<PathBuf>) -> Self {
        let paths = list.as_deref().map_or(Vec::new(), read);
        Self { list, paths }
    }

    /// Moves or adds a file to the front. Write errors are ignored.
    pub(crate) fn add(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else { return };
        if let Some(list) = &self.list {
            // Another window may have changed the list.
            self.paths = read(list);
        }
        self.paths.retain(|other| *other != path);
        self.paths.insert(0, path);
        self.paths.truncate(MAX_PATHS);
        if let Some(list) = &self.list {
            let names: Vec<Value> = self.paths.iter().filter_map(|path| path_to_json(path)).collect();
            let text = serde_json::to_string_pretty(&names).unwrap_or_default();
            let _ = write(list, text.as_bytes());
        }
    }
}

/// Maximum size of a list file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

fn read(list: &Path) -> Vec<PathBuf> {
    let names = read_json(list, MAX_BYTES);
    names.as_array().into_iter().flatten().filter_map(path_from_json).take(MAX_PATHS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn recent_paths_are_unique_and_most_recent_first() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("deep/recent.json");
        let mut recent = Recent::stored_in(Some(list.clone()));
        for number in 0..14 {
            recent.add(&folder.path().join(format!("ü {number}.glb")));
        }
        let mut other = Recent::stored_in(Some(list.clone()));
        assert_eq!(other.paths, recent.paths);
        other.add(&folder.path().join("ü 7.glb"));
        recent.add(Path::new("/x.glb"));
        let stems = recent.paths.iter().filter_map(|path| path.file_stem()?.to_str());
        let wanted = ["x", "ü 7", "ü 13", "ü 12", "ü 11", "ü 10", "ü 9", "ü 8", "ü 6", "ü 5"];
        assert_eq!(stems.collect::<Vec<_>>(), wanted);
    }

    #[cfg(unix)]
    #[test]
    fn non_utf8_paths_are_kept_and_invalid_entries_dropped() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("recent.json");
        let odd = Path::new(std::ffi::OsStr::from_bytes(b"/scenes/\xff\n.glb"));
        Recent::stored_in(Some(list.clone())).add(odd);
        Recent::stored_in(Some(list.clone())).add(Path::new("/b.glb"));
        assert_eq!(Recent::stored_in(Some(list.clone())).paths, [Path::new("/b.glb"), odd]);
        let many: Vec<String> = (0..50).map(|number| format!("\"/{number}.glb\"")).collect();
        fs::write(&list, format!("[7, \"\", [256], [\"x\"], \"not/whole.glb\", {}]", many.join(",")))
            .expect("the temporary folder can be written");
        let recent = Recent::stored_in(Some(list));
        assert_eq!((recent.paths.len(), recent.paths[0].as_path()), (MAX_PATHS, Path::new("/0.glb")));
    }

    #[test]
    fn invalid_list_file_reads_as_empty() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("recent.json");
        for bytes in [&b"[\"/a\""[..], b"", b"{}", b"[1]", b"\xff\0"] {
            fs::write(&list, bytes).expect("the temporary folder can be written");
            let mut recent = Recent::stored_in(Some(list.clone()));
            assert!(recent.paths.is_empty());
            recent.add(Path::new("/b"));
            assert_eq!(Recent::stored_in(Some(list.clone())).paths, [PathBuf::from("/b")]);
        }
        assert!(Recent::stored_in(Some(folder.path().to_owned())).paths.is_empty(), "a folder");
        let mut nowhere = Recent::stored_in(None);
        nowhere.add(Path::new("/c"));
        assert_eq!(nowhere.paths, [PathBuf::from("/c")]);
    }
}
