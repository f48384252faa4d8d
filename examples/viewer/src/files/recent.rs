//! The files that were open last, kept in the person's data folder.

use crate::write_file::write;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// How many are kept.
const MOST: usize = 10;

/// A list of files, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// Where the list is kept, if anywhere.
    list: Option<PathBuf>,
    paths: Vec<PathBuf>,
}

impl Recent {
    /// The person's own: `$XDG_DATA_HOME/wgpu-gizmo/recent.json` on Linux.
    pub(crate) fn of_person() -> Self {
        let folders = directories::ProjectDirs::from("", "", "wgpu-gizmo");
        Self::kept_in(folders.map(|folders| folders.data_dir().join("recent.json")))
    }

    /// The list in this file. One that is not there, or cannot be understood, is empty.
    pub(crate) fn kept_in(list: Option<PathBuf>) -> Self {
        let paths = list.as_deref().map_or(Vec::new(), read);
        Self { list, paths }
    }

    /// The files, the latest first.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Puts a file in front. A list that cannot be written is none that anybody waits for.
    pub(crate) fn add(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else { return };
        if let Some(list) = &self.list {
            // Another window may have added to it.
            self.paths = read(list);
        }
        self.paths.retain(|other| *other != path);
        self.paths.insert(0, path);
        self.paths.truncate(MOST);
        if let Some(list) = &self.list {
            let names: Vec<Value> = self.paths.iter().filter_map(|path| written(path)).collect();
            let text = serde_json::to_string_pretty(&names).unwrap_or_default();
            let folder = list.parent().map_or(Ok(()), fs::create_dir_all);
            if folder.is_ok() {
                let _ = write(list, &[text.as_bytes()]);
            }
        }
    }
}

/// No list is that long.
const MOST_BYTES: u64 = 1 << 20;

fn read(list: &Path) -> Vec<PathBuf> {
    let is_list = fs::metadata(list).is_ok_and(|about| about.is_file() && about.len() < MOST_BYTES);
    let bytes = if is_list { fs::read(list).unwrap_or_default() } else { Vec::new() };
    let names: Vec<Value> = serde_json::from_slice(&bytes).unwrap_or_default();
    names.iter().filter_map(path_of).take(MOST).collect()
}

/// A path as the list has it: a text, or the bytes of what is none.
fn written(path: &Path) -> Option<Value> {
    let text = path.to_str().map(Value::from);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(text.unwrap_or_else(|| Value::from(path.as_os_str().as_bytes())))
    }
    #[cfg(not(unix))]
    text
}

/// The path that an entry of the list is; `None` of what is no path.
fn path_of(written: &Value) -> Option<PathBuf> {
    let path = match written {
        Value::String(text) => PathBuf::from(text),
        #[cfg(unix)]
        Value::Array(bytes) => {
            use std::os::unix::ffi::OsStringExt;
            let bytes = bytes.iter().map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()));
            PathBuf::from(std::ffi::OsString::from_vec(bytes.collect::<Option<Vec<u8>>>()?))
        }
        _ => return None,
    };
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_comes_first_and_each_once() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("deep/recent.json");
        let mut recent = Recent::kept_in(Some(list.clone()));
        for number in 0..14 {
            recent.add(&folder.path().join(format!("ü {number}.glb")));
        }
        let mut other = Recent::kept_in(Some(list.clone()));
        assert_eq!(other.paths(), recent.paths());
        other.add(&folder.path().join("ü 7.glb"));
        recent.add(Path::new("/x.glb"));
        let names: Vec<String> = recent
            .paths()
            .iter()
            .map(|path| path.file_name().expect("a name").to_string_lossy().into())
            .collect();
        assert_eq!(
            names,
            [
                "x.glb",
                "ü 7.glb",
                "ü 13.glb",
                "ü 12.glb",
                "ü 11.glb",
                "ü 10.glb",
                "ü 9.glb",
                "ü 8.glb",
                "ü 6.glb",
                "ü 5.glb"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_stays_in_the_list_and_what_is_no_path_does_not() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("recent.json");
        let odd = Path::new(std::ffi::OsStr::from_bytes(b"/scenes/\xff\n.glb"));
        Recent::kept_in(Some(list.clone())).add(odd);
        Recent::kept_in(Some(list.clone())).add(Path::new("/b.glb"));
        assert_eq!(Recent::kept_in(Some(list.clone())).paths(), [Path::new("/b.glb"), odd]);
        let many: Vec<String> = (0..50).map(|number| format!("\"/{number}.glb\"")).collect();
        fs::write(&list, format!("[7, \"\", [256], [\"x\"], \"not/whole.glb\", {}]", many.join(",")))
            .expect("ours");
        let recent = Recent::kept_in(Some(list));
        assert_eq!((recent.paths().len(), recent.paths()[0].as_path()), (MOST, Path::new("/0.glb")));
    }

    #[test]
    fn a_broken_list_is_an_empty_one() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let list = folder.path().join("recent.json");
        for bytes in [&b"[\"/a\""[..], b"", b"{}", b"[1]", b"\xff\0"] {
            fs::write(&list, bytes).expect("ours");
            let mut recent = Recent::kept_in(Some(list.clone()));
            assert!(recent.paths().is_empty());
            recent.add(Path::new("/b"));
            assert_eq!(Recent::kept_in(Some(list.clone())).paths(), [PathBuf::from("/b")]);
        }
        assert!(Recent::kept_in(Some(folder.path().to_owned())).paths().is_empty(), "a folder");
        let mut nowhere = Recent::kept_in(None);
        nowhere.add(Path::new("/c"));
        assert_eq!(nowhere.paths(), [PathBuf::from("/c")]);
    }
}
