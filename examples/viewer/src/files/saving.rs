//! Saves a scene in a thread.

use super::{AfterSave, Dialog, FileEvent, Files, Question, file_name};
use crate::small_files::{new_scene_path, not_written, reason};
use crate::tasks::{self, Task};
use gltf_io::write_file::{FileStamp, resolve_links};
use gltf_io::{FileError, FileResult, Source, Written};
use session::editor::Editor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use web_time::Instant;

/// A scene that is being saved. A save is never canceled.
pub(super) struct Saving {
    pub(super) number: u64,
    pub(super) path: PathBuf,
    /// Number of the scene, to detect that another one is shown when the save ends.
    pub(super) scene: u64,
    /// Whether the scene must be saved again after this save.
    pub(super) again: bool,
    pub(super) begun: Instant,
    thread: Task,
    /// The result, once it is known.
    pub(super) result: Arc<Mutex<Option<FileResult<Written>>>>,
}

/// The way a save treats an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overwrite {
    /// Asks the user, unless it is the unchanged open file.
    AskFirst,
    /// Overwrites it.
    Always,
}

impl Files {
    /// Starts to save the scene to a file, or asks a question first.
    pub(super) fn save(&mut self, path: &Path, overwrite: Overwrite, editor: &mut Editor) {
        if editor.is_busy() {
            self.after_save = None;
            editor.show_message("Could not save: finish the drag first".to_owned());
            return;
        }
        if let Some(saving) = &mut self.saving {
            // Only one save runs at a time: two could write the same file, or hide each other's errors.
            let name = file_name(&saving.path);
            match saving.scene == self.scene && saving.path == path {
                true => saving.again = true,
                false => {
                    self.after_save = None;
                    editor.show_message(format!("Could not save: {name} is still being saved"));
                }
            }
            return;
        }
        let own = self.file.open.as_ref().filter(|open| resolve_links(&open.path) == resolve_links(path));
        let disk = FileStamp::of(path);
        if overwrite == Overwrite::AskFirst
            && disk.exists()
            && own.is_none_or(|own| !own.disk.is_current(path))
        {
            self.dialog = Some(Dialog::Question(match own {
                Some(_) => Question::ChangedOnDisk,
                None => Question::Exists(path.to_owned()),
            }));
            return;
        }
        editor.begin_save();
        self.count += 1;
        let (number, notify, scene, to) =
            (self.count, self.notify.clone(), editor.scene().clone(), path.to_owned());
        let result = Arc::new(Mutex::new(None));
        let written = result.clone();
        let thread = tasks::spawn("save", move || {
            let saved = gltf_io::save_over(&scene, &to, disk);
            // Nothing panics that holds the lock.
            drop(written.lock().map(|mut written| *written = Some(saved)));
            notify(FileEvent::Saved(number));
        });
        match thread {
            Ok(thread) => {
                editor.show_message(format!("Saving {}…", file_name(path)));
                let (path, scene, begun) = (path.to_owned(), self.scene, Instant::now());
                self.saving = Some(Saving { number, path, scene, again: false, begun, thread, result });
            }
            Err(error) => {
                editor.end_save(false);
                self.warn(format!("Could not save {}: {error}", path.display()));
            }
        }
    }

    /// Waits until a running save has written its file, at most this long. Called before the viewer ends
    /// without asking, so that it leaves no half-written temporary file, and knows what is saved.
    pub(crate) fn wait_for_save(&mut self, limit: Duration, editor: &mut Editor) {
        self.after_save = None;
        let Some(saving) = &mut self.saving else { return };
        saving.again = false;
        let (number, begun) = (saving.number, Instant::now());
        while !saving.thread.is_finished() && begun.elapsed() < limit {
            thread::sleep(Duration::from_millis(10));
        }
        if saving.thread.is_finished() {
            self.on_event(FileEvent::Saved(number), editor);
        }
    }

    /// Writes unsaved changes to a new file and returns its path, or `None` if there are no unsaved changes. The file is
    /// in the folder `rescued`, which is created if needed, or if that fails beside the open file, or in a private
    /// folder for temporary files. Called before the window closes because of an error.
    pub(crate) fn rescue(&self, rescued: Option<&Path>, editor: &Editor) -> FileResult<Option<PathBuf>> {
        if self.file.is_saved(editor) {
            return Ok(None);
        }
        let folders = [rescued, self.file.path().and_then(Path::parent)].into_iter().flatten();
        let rescue = |folder: &Path| self.rescue_in(folder, editor);
        if let Some(path) = { folders }.find_map(|folder| rescue(folder).ok()) {
            return Ok(Some(path));
        }
        let folder = tempfile::Builder::new().prefix("wgpu-gizmo-").tempdir();
        let folder = folder.map_err(|error| FileError::new(&std::env::temp_dir(), error.to_string()))?;
        let path = rescue(folder.path())?;
        let _ = folder.keep();
        Ok(Some(path))
    }

    fn rescue_in(&self, folder: &Path, editor: &Editor) -> FileResult<PathBuf> {
        let path = new_scene_path(folder, &self.file.name());
        std::fs::create_dir_all(folder).map_err(|error| not_written(&path, error))?;
        gltf_io::save(editor.scene(), &path)?;
        Ok(path)
    }

    /// Handles the result of a save.
    pub(super) fn on_saved(&mut self, saving: Saving, result: FileResult<Written>, editor: &mut Editor) {
        let is_shown = saving.scene == self.scene;
        if is_shown {
            editor.end_save(result.is_ok());
        }
        let written = match result {
            Ok(written) => written,
            Err(error) => {
                editor.show_message(format!("Could not save {}", file_name(&saving.path)));
                self.warn(format!("Could not save {}", reason(&error)));
                return;
            }
        };
        let remark = written.remark.map_or(String::new(), |remark| format!(", {remark}"));
        editor.show_message(format!("Saved {}{remark}", file_name(&saving.path)));
        if let Some(saved) = self.window.saved {
            saved(&saving.path);
        }
        if is_shown {
            self.file.saved_indices = Some(written.indices);
            // The files that it refers to were not written, so their last known state is that of the load.
            let others = Source::of(editor.scene()).filter(|_| written.refers);
            let others = others.map_or(&[][..], |source| source.stamps.get(1..).unwrap_or_default());
            let own = (saving.path.clone(), written.disk);
            self.set_file(&saving.path, std::iter::once(own).chain(others.iter().cloned()).collect());
        } else {
            self.recent.add(&saving.path);
        }
        // A scene that may be lost is not saved again.
        let may_be_lost = self.after_save.as_ref().is_some_and(|after| after.may_lose.is_some());
        if is_shown && saving.again && !may_be_lost && !editor.is_saved() {
            self.save(&saving.path, Overwrite::AskFirst, editor);
        } else if let Some(AfterSave { next, may_lose }) = self.after_save.take() {
            self.follow(next, may_lose, editor);
        }
    }
}
