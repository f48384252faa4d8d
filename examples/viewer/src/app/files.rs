//! The window's side of opening and saving: replaces the scene that is shown.

use super::screen::Screen;
use crate::files::{FileEvent, Files, Opened, Purpose, Recent, Request, Upload};
use crate::messages::print_error;
use crate::small_files::reason;
use crate::user_data;
use crate::user_event::UserEvent;
use gltf_io::AllowedFolders;
use render::stage::Stage;
use session::Session;
use session::cameras::Cameras;
use session::replay_file::SceneSource;
use std::error::Error;
#[cfg(target_arch = "wasm32")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use winit::event_loop::EventLoopProxy;

/// The longest time that an ending viewer waits for a running save: most saves take less, and a session that
/// shuts down kills programs a little later.
const MAX_SAVE_WAIT: Duration = Duration::from_secs(5);

/// Returns a file state whose threads send their events to the window.
pub(super) fn files(proxy: EventLoopProxy<UserEvent>, unnamed: &str, allowed: AllowedFolders) -> Files {
    // Sending fails only if the event loop is closed.
    let notify = move |event| drop(proxy.send_event(UserEvent::File(event)));
    let mut files = Files::new(Arc::new(notify), unnamed, Recent::of_user());
    files.allow_folders(allowed);
    files
}

/// Returns what uploads loaded scenes in their threads.
pub(super) fn upload(stage: &Stage) -> Upload {
    let uploader = stage.uploader();
    Arc::new(move |scene| uploader.upload(scene))
}

impl Screen {
    /// Handles a request of the user, or asks a question first.
    pub(super) fn request(&mut self, request: Request) {
        self.end_wheel();
        let had_dialog = self.files.dialog.is_some();
        self.files.request(request, &mut self.session.editor);
        self.show_opened();
        if self.files.dialog.is_some() && !had_dialog {
            // A path can be typed before the dialog is shown.
            self.give_keys_to_new();
        }
        self.wake();
    }

    pub(super) fn on_file_event(&mut self, event: FileEvent) {
        self.files.on_event(event, &mut self.session.editor);
        self.show_opened();
        self.wake();
    }

    /// Handles the file requests of the last frame, shows a scene that was loaded, and updates the title.
    pub(super) fn after_frame(&mut self) {
        for request in std::mem::take(&mut self.files.requests) {
            self.files.request(request, &mut self.session.editor);
            self.show_opened();
            self.wake();
        }
        let had_dialog = self.files.dialog.is_some();
        self.files.take_loaded(&mut self.session.editor);
        self.show_opened();
        self.files.reload_if_changed(&mut self.session.editor);
        if self.files.dialog.is_some() != had_dialog {
            self.wake();
        }
        let title = self.files.file.title(&self.session.editor);
        if title != self.title {
            self.surface.window.set_title(&title);
            self.title = title;
        }
    }

    /// Writes the recording if the user has closed the window. Returns true if the window can close now. If
    /// the recording could not be written, the window stays open until the user discards the recording.
    pub(super) fn try_close(&mut self) -> bool {
        if !self.files.closes {
            return false;
        }
        match self.recording.write() {
            Err(error) if !self.files.discards_recording => {
                self.files.recording_failed(&error);
                self.wake();
                false
            }
            _ => {
                // It is not written again on exit.
                self.recording.file = None;
                self.files.finish_recovery();
                true
            }
        }
    }

    /// Keeps unsaved changes, because the window must close without a question: in the journal, or if that
    /// cannot be written, as a scene.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn keep_unsaved(&mut self) {
        self.end_edits();
        self.files.wait_for_save(MAX_SAVE_WAIT, &mut self.session.editor);
        let editor = &self.session.editor;
        if self.files.file.is_saved(editor) {
            self.files.finish_recovery();
            return;
        }
        let name = self.files.file.name();
        match self.files.flush_journal(editor) {
            Ok(true) => {
                print_error(&format!(
                    "Unsaved changes of {name} will be offered when the viewer is started again."
                ));
                return;
            }
            Ok(false) => {}
            Err(error) => print_error(&format!("Could not write the recovery journal: {error}")),
        }
        match self.files.rescue(user_data::path("rescued").as_deref(), editor) {
            Ok(None) => {}
            Ok(Some(path)) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                print_error(&format!("Unsaved changes were written to {}", path.display()))
            }
            Err(error) => {
                print_error(&format!("Unsaved changes are lost. Could not save {}", reason(&error)))
            }
        }
    }

    /// Ends edits in progress: a drag is canceled, and the value of a field becomes an undo step.
    fn end_edits(&mut self) {
        let Session { editor, views, .. } = &mut self.session;
        editor.cancel();
        editor.update(views.current());
        editor.settle();
    }

    /// Saves unsaved changes in the memory of the page, because the window must close without a question. Returns the
    /// path of the file, or `None` if there are no unsaved changes or they cannot be saved.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn unsaved_file(&mut self) -> Option<PathBuf> {
        self.end_edits();
        let editor = &self.session.editor;
        let unnamed = || PathBuf::from(format!("{}.glb", self.files.file.name()));
        let path = self.files.file.path().map_or_else(unnamed, Into::into);
        (!editor.is_saved()).then(|| gltf_io::save(editor.scene(), &path).ok().map(|_| path)).flatten()
    }

    /// Restores the changes of a journal, if the user has chosen to and their scene is shown.
    pub(super) fn restore_changes(&mut self) {
        if self.files.wants_restore() && !self.session.editor.is_busy() {
            self.recording.recorder.before(&self.session.editor);
            self.files.restore(&mut self.session.editor);
            self.recording.recorder.changed(&self.session.editor);
        }
    }

    /// Replaces the scene by one that was opened, if any. If that fails, the old scene stays.
    fn show_opened(&mut self) {
        if let Some(Opened { scene, path, purpose }) = self.files.opened.take() {
            match self.replace_scene(scene, purpose) {
                Ok(()) => {
                    self.files.shown(&path, self.session.editor.scene());
                    self.restart_recording(SceneSource::Gltf(path));
                    if purpose == Purpose::Open {
                        self.files.offer_for_open_file();
                    }
                }
                Err(error) => self.files.warn(format!("Could not open {}: {error}", path.display())),
            }
            self.wake();
        }
    }

    fn replace_scene(&mut self, scene: scene::Scene, purpose: Purpose) -> Result<(), Box<dyn Error>> {
        self.end_easing();
        match purpose {
            Purpose::Reload => {
                self.session.reload(scene)?;
                let message = format!("Reloaded {}; earlier steps cannot be undone", self.files.file.name());
                self.session.editor.show_message(message);
            }
            Purpose::Open => {
                self.session.editor = self.session.editor.with_scene(scene)?;
                self.session.cameras = Cameras::of_scene(self.session.editor.scene());
            }
        }
        self.navigation = None;
        self.stage.load(&mut self.session);
        self.session.editor.hold(self.keyboard.mods());
        self.session.editor.pointer_moved(self.cursor_px);
        Ok(())
    }
}
