//! The file of the scene that is shown, and its state on disk.

use super::watch::{self, Watch};
use super::{DiskChange, Files, file_name};
use gltf_io::write_file::FileStamp;
use session::editor::Editor;
use std::path::{Path, PathBuf};

/// The file of the scene, if it has one.
pub(crate) struct SceneFile {
    /// The name of a scene without a file.
    unnamed: String,
    pub(super) open: Option<OpenFile>,
    watch: Option<Watch>,
    /// Whether the watched file has changed and has not been reloaded yet.
    pub(super) has_changed: bool,
    /// Whether the file was deleted or is not a valid scene any longer, so its contents exist only here.
    pub(super) is_only_copy: bool,
    /// The index that each node has in the file since it was last saved, or `None` if it was not.
    pub(super) saved_indices: Option<Vec<Option<usize>>>,
}

/// A file that the scene was read from or written to.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: PathBuf,
    /// State of the file when it was last read or written here.
    pub(super) disk: FileStamp,
}

impl SceneFile {
    /// Returns the state of a scene without a file, which is named `unnamed`.
    pub(super) fn new(unnamed: &str) -> Self {
        Self {
            unnamed: unnamed.to_owned(),
            open: None,
            watch: None,
            has_changed: false,
            is_only_copy: false,
            saved_indices: None,
        }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.open.as_ref().map(|open| open.path.as_path())
    }

    /// Returns the name of the scene.
    pub(crate) fn name(&self) -> String {
        self.path().map_or(self.unnamed.clone(), file_name)
    }

    /// Returns true if the scene is as it is in its file, which still exists.
    pub(crate) fn is_saved(&self, editor: &Editor) -> bool {
        editor.is_saved() && !self.is_only_copy
    }

    /// Returns the title of the window, with an asterisk for unsaved changes.
    pub(crate) fn title(&self, editor: &Editor) -> String {
        format!("{}{} – wgpu-gizmo", if self.is_saved(editor) { "" } else { "* " }, self.name())
    }

    /// Handles a change that the watch with this number has found.
    pub(super) fn on_disk(&mut self, number: u64, change: DiskChange, editor: &mut Editor) {
        match (change, &mut self.open) {
            _ if self.watch.as_ref().is_none_or(|watch| watch.number != number) => {}
            (DiskChange::Changed, _) => self.has_changed = true,
            (DiskChange::Touched(disk), Some(open)) => (open.disk, self.is_only_copy) = (disk, false),
            (DiskChange::Touched(_), None) => {}
            (DiskChange::Gone(files), _) => {
                let is_own = files.iter().any(|file| self.path() == Some(file));
                self.is_only_copy |= is_own;
                let names: Vec<String> = files.iter().map(|file| file_name(file)).collect();
                editor.show_message(match is_own {
                    true => format!("{} was deleted on disk; save it to keep it", self.name()),
                    false => format!("{} needs what was deleted on disk: {}", self.name(), names.join(", ")),
                });
            }
            (DiskChange::Back, open) => {
                // "Unchanged" includes a change by another program that the user has chosen not to load.
                self.is_only_copy = open.as_ref().is_some_and(|open| open.disk != FileStamp::of(&open.path));
                editor.show_message(format!("{} is on disk again, unchanged", self.name()));
            }
        }
    }
}

impl Files {
    /// Sets the file of the scene and watches `files`, of which the first is that file.
    pub(super) fn set_file(&mut self, path: &Path, files: Vec<(PathBuf, FileStamp)>) {
        self.recent.add(path);
        self.count += 1;
        let disk = files.first().map_or_else(|| FileStamp::of(path), |(_, disk)| *disk);
        self.file.open = Some(OpenFile { path: path.to_owned(), disk });
        (self.file.has_changed, self.file.is_only_copy) = (false, false);
        self.file.watch = Watch::start(self.count, files, watch::PERIOD, &self.notify).ok();
    }
}
