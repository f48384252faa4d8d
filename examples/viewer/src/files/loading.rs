//! Loads a file in a thread.

use super::{Dialog, Edits, FileEvent, Files, Opened, PROGRESS_DELAY, PendingAction, Purpose};
use super::{edits, file_name};
use crate::tasks::{self, Task};
use gltf_io::{AllowedFolders, FileResult, Progress, printable};
use scene::Scene;
use session::editor::Editor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use web_time::Instant;

/// A file that is being loaded. Dropping it cancels the load.
pub(super) struct Loading {
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    /// Version of the current scene when the load began.
    pub(super) edits: Edits,
    pub(super) begun: Instant,
    pub(super) path: PathBuf,
    pub(super) progress: Arc<Progress>,
}

/// A loaded scene that waits to be shown.
pub(super) struct LoadedScene {
    pub(super) opened: Opened,
    /// Version of the current scene when the load began.
    edits: Edits,
    /// Whether the user was asked about files outside of its folder.
    was_asked: bool,
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

/// Loads one scene at a time.
#[derive(Default)]
pub(super) struct Loader {
    pub(super) loading: Option<Loading>,
    /// The scene that waits to be shown.
    pub(super) loaded: Option<LoadedScene>,
    /// The thread of the last load, which may still have to notice that it was canceled.
    pub(super) thread: Option<Task>,
    /// Folders outside of a scene's own that may be read.
    pub(super) allowed: AllowedFolders,
}

impl Loader {
    /// Returns true if nothing is loaded or waits to be shown.
    pub(super) fn is_idle(&self) -> bool {
        self.loading.is_none() && self.loaded.is_none()
    }

    /// Cancels a load, or discards its scene.
    pub(super) fn cancel(&mut self) {
        (self.loading, self.loaded) = (None, None);
    }
}

impl Files {
    /// Returns true if nothing is loaded or saved.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.loader.is_idle() && self.saving.is_none() && self.requests.is_empty()
    }

    /// Returns true while a question or message is open, which keeps files from being opened.
    fn is_asking(&self) -> bool {
        matches!(self.dialog, Some(Dialog::Question(_) | Dialog::Message(_)))
    }

    /// Returns the message for a file that is held over the window.
    pub(crate) fn drop_message(&self, path: &Path) -> String {
        let action = if self.is_asking() { "Close the dialog first to open" } else { "Drop to open" };
        format!("{action} {}", printable(&path.to_string_lossy()))
    }

    /// Opens a file, after a quick check. Does nothing while a question or message is open.
    pub(super) fn open(&mut self, path: PathBuf, editor: &mut Editor) {
        if self.is_asking() {
            editor.show_message(format!("Could not open {}: close the dialog first", file_name(&path)));
            return;
        }
        match gltf_io::check(&path) {
            Ok(()) => {
                self.dialog = None;
                self.check_unsaved(PendingAction::Load(path, Purpose::Open), editor);
            }
            Err(error) => self.warn(format!("Could not open {error}")),
        }
    }

    /// Starts a load after canceling an earlier one. Its result comes as [`FileEvent::Loaded`].
    pub(super) fn load(&mut self, path: PathBuf, purpose: Purpose, editor: &Editor) {
        self.loader.cancel();
        self.count += 1;
        let (number, edits, begun) = (self.count, edits(editor), Instant::now());
        let (notify, on_progress, upload) =
            (self.notify.clone(), self.notify.clone(), self.window.upload.clone());
        let progress = Arc::new(Progress::with_notify(move || on_progress(FileEvent::Progress)));
        let loading =
            Loading { number, purpose, edits, begun, path: path.clone(), progress: progress.clone() };
        let (allowed, before) = (self.loader.allowed.clone(), self.loader.thread.take());
        let thread = tasks::spawn("load", move || {
            // Two loads at a time would need the memory of both.
            if let Some(before) = before {
                let _ = before.join();
            }
            let mut scene = gltf_io::open_allowing(&path, &allowed, &progress);
            if let (Ok(scene), Some(upload)) = (&mut scene, upload) {
                upload(scene);
            }
            notify(FileEvent::Loaded(number, Box::new(scene)));
        });
        match thread {
            Ok(thread) => (self.loader.loading, self.loader.thread) = (Some(loading), Some(thread)),
            Err(error) => self.warn(format!("Could not open {}: {error}", loading.path.display())),
        }
    }

    /// Handles the result of a load.
    pub(super) fn on_loaded(&mut self, loading: Loading, result: FileResult<Scene>, editor: &mut Editor) {
        let scene = match result {
            Ok(scene) => scene,
            Err(error) => {
                // A journal whose file could not be opened is left for later.
                self.restoring = None;
                self.file.is_only_copy |= loading.purpose == Purpose::Reload;
                if !self.ask_after_error(&loading.path, loading.purpose, &error) {
                    self.warn(format!("Could not open {error}"));
                }
                return;
            }
        };
        let opened = Opened { scene, path: loading.path.clone(), purpose: loading.purpose };
        self.loader.loaded = Some(LoadedScene { opened, edits: loading.edits, was_asked: false });
        // After a short load no message has to be shown first.
        if loading.begun.elapsed() < PROGRESS_DELAY {
            self.take_loaded(editor);
        }
    }

    /// Opens a loaded scene, if there is one, or asks first about files outside of its folder, and about changes since
    /// the load began. Must be called after each frame, so that the frame before has shown that this takes a moment.
    /// Waits while a dialog is open or something is dragged.
    pub(crate) fn take_loaded(&mut self, editor: &mut Editor) {
        let Some(mut loaded) = self.is_idle(editor).then(|| self.loader.loaded.take()).flatten() else {
            return;
        };
        if !std::mem::replace(&mut loaded.was_asked, true) && self.ask_after_load(&loaded) {
            self.loader.loaded = Some(loaded);
            return;
        }
        let LoadedScene { opened, edits: before, .. } = loaded;
        self.follow(PendingAction::Show(Box::new(opened)), Some(before), editor);
    }
}
