//! The state of the open file: opening, saving, reloading, and the questions before anything is lost. It
//! depends on neither the window nor the GPU.

mod desktop;
mod dialogs;
mod events;
mod journal;
mod loading;
mod outside;
mod recent;
mod saving;
mod scene_file;
mod watch;

#[cfg(test)]
mod tests;

pub(crate) use desktop::{Choice, DesktopDialogs, Upload, WindowHooks};
pub(crate) use dialogs::{Answer, Dialog, PathDialog, Question};
pub(crate) use events::{DiskChange, FileEvent, Notify, Opened, PendingAction, Purpose, Request};
pub(crate) use recent::Recent;

use crate::messages::print_error;
use crate::small_files::reason;
use desktop::Asked;
use gltf_io::Source;
use gltf_io::{AllowedFolders, FileError, printable};
use journal::{Offer, Recovery, Restoring, journal_failed};
use loading::Loader;
use saving::{Overwrite, Saving};
use scene::Scene;
use scene_file::SceneFile;
use session::editor::Editor;
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// Loads and saves that take no longer than this show no progress.
pub(crate) const PROGRESS_DELAY: Duration = Duration::from_millis(400);

/// The open file, and the loads, saves and dialogs in progress.
pub(crate) struct Files {
    notify: Notify,
    pub(crate) file: SceneFile,
    loader: Loader,
    saving: Option<Saving>,
    /// The recovery journal, if one is kept.
    recovery: Option<Recovery>,
    /// Journals of viewers that have ended, to offer after the current one.
    offers: VecDeque<Offer>,
    /// The journal that the user has chosen to restore.
    restoring: Option<Restoring>,
    pub(crate) recent: Recent,
    pub(crate) dialog: Option<Dialog>,
    /// What the window provides.
    pub(crate) window: WindowHooks,
    /// The dialog of the desktop that is open.
    asked: Option<Asked>,
    after_save: Option<AfterSave>,
    /// Whether the window closes now.
    pub(crate) closes: bool,
    /// Whether it closes even if the recording cannot be written.
    pub(crate) discards_recording: bool,
    /// The number of the last load, save or watch.
    count: u64,
    /// Number of scenes that have replaced the first one.
    scene: u64,
    /// The requests of the last frame, which run after it.
    pub(crate) requests: Vec<Request>,
    /// A scene to show, until the window takes it.
    pub(crate) opened: Option<Opened>,
}

/// An action that follows the save in progress.
struct AfterSave {
    next: PendingAction,
    /// The version of the scene that the user has agreed to lose, if any.
    may_lose: Option<Edits>,
}

impl Files {
    /// Returns a state without an open file, for a scene that is named `unnamed`.
    pub(crate) fn new(notify: Notify, unnamed: &str, recent: Recent) -> Self {
        Self {
            notify,
            file: SceneFile::new(unnamed),
            loader: Loader::default(),
            saving: None,
            recovery: None,
            offers: VecDeque::new(),
            restoring: None,
            recent,
            dialog: None,
            window: WindowHooks::default(),
            asked: None,
            after_save: None,
            closes: false,
            discards_recording: false,
            count: 0,
            scene: 0,
            requests: Vec::new(),
            opened: None,
        }
    }

    /// Allows scenes to refer to files in these folders.
    pub(crate) fn allow_folders(&mut self, allowed: AllowedFolders) {
        self.loader.allowed = allowed;
    }

    /// Returns the file that is being loaded and the progress, from 0 to 1.
    pub(crate) fn loading(&self) -> Option<(&Path, f32)> {
        self.loader.loading.as_ref().map(|loading| (&*loading.path, loading.progress.fraction()))
    }

    /// Returns the file of a loaded scene that is shown after the next frame.
    pub(crate) fn loaded_path(&self) -> Option<&Path> {
        self.loader.loaded.as_ref().map(|loaded| loaded.opened.path.as_path())
    }

    /// Returns the file that is being saved and the elapsed time.
    pub(crate) fn saving(&self) -> Option<(&Path, Duration)> {
        self.saving.as_ref().map(|saving| (&*saving.path, saving.begun.elapsed()))
    }

    /// Handles a request of the user, or asks a question first.
    pub(crate) fn request(&mut self, request: Request, editor: &mut Editor) {
        let path = self.file.path().map(Path::to_owned);
        match (request, path) {
            (Request::Open, _) => self.ask_for_path(false, editor),
            (Request::SaveAs, _) | (Request::Save, None) => self.ask_for_path(true, editor),
            (Request::Save, Some(path)) => self.save(&path, Overwrite::AskFirst, editor),
            (Request::OpenFile(path), _) => self.open(path, editor),
            (Request::Reload, Some(path)) => {
                self.check_unsaved(PendingAction::Load(path, Purpose::Reload), editor)
            }
            (Request::Reload, None) => {
                editor.show_message(format!("{} has no file to reload", self.file.name()))
            }
            (Request::Quit, _) => self.check_unsaved(PendingAction::Quit, editor),
            (Request::CancelLoad, _) => {
                self.loader.cancel();
                self.restoring = None;
            }
            (Request::Answer(answer), _) => self.answer(answer, editor),
            (Request::SubmitPath, _) => self.submit_path(editor),
            (Request::Dismiss, _) => self.dismiss(),
        }
    }

    /// Accepts the path in the dialog. If it is not valid, the dialog stays and shows the reason.
    pub(crate) fn submit_path(&mut self, editor: &mut Editor) {
        let Some(Dialog::Path(dialog)) = &mut self.dialog else { return };
        let path = match dialog.resolve() {
            Ok(path) => path,
            Err(why) => return dialog.error = Some(why),
        };
        let saves = dialog.saves;
        self.dialog = None;
        match saves {
            true => self.save(&path, Overwrite::AskFirst, editor),
            false => self.request(Request::OpenFile(path), editor),
        }
    }

    /// Closes the dialog without an answer.
    pub(crate) fn dismiss(&mut self) {
        self.dialog = None;
        self.after_save = None;
        self.offers.clear();
    }

    /// Handles the answer to a question.
    pub(crate) fn answer(&mut self, answer: Answer, editor: &mut Editor) {
        let Some(Dialog::Question(question)) = self.dialog.take() else { return };
        match (question, answer, self.file.path().map(Path::to_owned)) {
            (Question::Unsaved(next) | Question::Gone(next), Answer::Save, _) => {
                self.after_save = Some(AfterSave { next, may_lose: None });
                self.request(Request::Save, editor);
            }
            (Question::Unsaved(next) | Question::Gone(next), Answer::Discard, _) => {
                self.proceed(next, editor)
            }
            (Question::Recording(_), answer @ (Answer::Save | Answer::Discard), _) => {
                (self.closes, self.discards_recording) = (true, answer == Answer::Discard);
            }
            (Question::ChangedOnDisk, Answer::Save, Some(path))
            | (Question::Exists(path), Answer::Save, _) => self.save(&path, Overwrite::Always, editor),
            (Question::ChangedOnDisk, Answer::SaveAs, _) => self.ask_for_path(true, editor),
            (Question::Outside(files), Answer::Save, _) => self.allow(files, editor),
            (Question::Outside(files), ..) => {
                self.after_save = None;
                if let Some(message) = files.refused() {
                    editor.show_message(message);
                }
            }
            (Question::Recovered(offer), answer, _) => self.answer_offer(offer, answer, editor),
            (Question::ReloadOver, Answer::Discard, Some(path)) => {
                self.proceed(PendingAction::Load(path, Purpose::Reload), editor)
            }
            _ => self.after_save = None,
        }
    }

    /// Handles an event of a thread.
    pub(crate) fn on_event(&mut self, event: FileEvent, editor: &mut Editor) {
        match event {
            FileEvent::Progress => {}
            FileEvent::Disk(number, change) => {
                self.file.on_disk(number, change, editor);
                self.reload_if_changed(editor);
            }
            FileEvent::JournalFailed(why) => journal_failed(&why, editor),
            FileEvent::Saved(number) => {
                if let Some(saving) = self.saving.take_if(|saving| saving.number == number)
                    && let Some(result) = saving.result.lock().ok().and_then(|mut result| result.take())
                {
                    self.on_saved(saving, result, editor);
                }
            }
            FileEvent::Chosen(number, path) => self.on_chosen(number, path, editor),
            FileEvent::Loaded(number, result) => {
                if let Some(loading) = self.loader.loading.take_if(|loading| loading.number == number) {
                    self.on_loaded(loading, *result, editor);
                }
            }
        }
    }

    /// Returns true if no dialog is open, nothing is being saved and nothing is dragged.
    fn is_idle(&self, editor: &Editor) -> bool {
        self.dialog.is_none() && !self.asks_where_to_save() && self.saving.is_none() && !editor.is_busy()
    }

    fn ask_for_path(&mut self, saves: bool, editor: &mut Editor) {
        let folder = match self.file.path().and_then(Path::parent) {
            Some(folder) => folder.to_owned(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let path = match (saves, self.file.path()) {
            (true, Some(path)) => path.to_owned(),
            (true, None) => folder.join(format!("{}.glb", self.file.name())),
            // Joining an empty name appends a separator.
            (false, _) => folder.join(""),
        };
        if !self.ask_desktop(saves, &path, editor) {
            self.dialog = Some(Dialog::Path(PathDialog::new(saves, path)));
        }
    }

    /// Performs an action, or asks first if it would lose unsaved changes.
    fn check_unsaved(&mut self, next: PendingAction, editor: &mut Editor) {
        // It replaces one that waits for a save.
        self.after_save = None;
        // Reloading a deleted file is an error, which keeps the scene.
        let is_lost = self.file.is_only_copy && !next.is_reload();
        if editor.is_saved() && !is_lost {
            self.proceed(next, editor);
        } else if editor.is_being_saved() {
            // Changes that are being saved need no question.
            self.after_save = Some(AfterSave { next, may_lose: None });
        } else {
            let question = if is_lost { Question::Gone(next) } else { Question::Unsaved(next) };
            self.dialog = Some(Dialog::Question(question));
        }
    }

    fn proceed(&mut self, next: PendingAction, editor: &Editor) {
        match next {
            PendingAction::Load(path, purpose) => self.load(path, purpose, editor),
            PendingAction::Quit => {
                self.loader.cancel();
                match self.saving {
                    Some(_) => self.after_save = Some(AfterSave { next, may_lose: Some(edits(editor)) }),
                    None => self.closes = true,
                }
            }
            PendingAction::Show(opened) => self.opened = Some(*opened),
        }
    }

    /// Performs an action. The user was asked about changes, unless the scene has changed since this version.
    fn follow(&mut self, next: PendingAction, asked: Option<Edits>, editor: &mut Editor) {
        match asked == Some(edits(editor)) {
            true => self.proceed(next, editor),
            false => self.check_unsaved(next, editor),
        }
    }

    /// Records that an opened scene is shown now.
    pub(crate) fn shown(&mut self, path: &Path, scene: &Scene) {
        self.scene += 1;
        self.file.saved_indices = None;
        #[cfg(target_arch = "wasm32")]
        gltf_io::disk::delete_before(path);
        self.set_file(path, Source::of(scene).map_or(Vec::new(), |source| source.stamps.to_vec()));
    }

    /// Shows a message that stays until the user closes it, and prints it on stderr.
    pub(crate) fn warn(&mut self, message: String) {
        self.after_save = None;
        print_error(&message);
        self.dialog = Some(Dialog::Message(printable(&message)));
    }

    /// Asks what to do, because the window must close but the recording could not be written.
    pub(crate) fn recording_failed(&mut self, why: &FileError) {
        self.closes = false;
        let why = format!("Could not save the recording {}", reason(why));
        self.dialog = Some(Dialog::Question(Question::Recording(why)));
    }

    /// Reloads the file if it has changed, or asks first if there are unsaved changes. Must be called after
    /// each frame. Waits while a dialog is open, something is dragged, or a file is loaded or saved.
    pub(crate) fn reload_if_changed(&mut self, editor: &mut Editor) {
        if !self.file.has_changed || !self.loader.is_idle() || !self.is_idle(editor) {
            return;
        }
        (self.file.has_changed, self.file.is_only_copy) = (false, false);
        let Some(path) = self.file.path().map(Path::to_owned) else { return };
        match editor.is_saved() {
            true => self.load(path, Purpose::Reload, editor),
            false => self.dialog = Some(Dialog::Question(Question::ReloadOver)),
        }
    }
}

/// Returns the name of a file without its folder, for display.
pub(crate) fn file_name(path: &Path) -> String {
    printable(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Returns the current version of the scene, to find out later whether it was changed.
fn edits(editor: &Editor) -> Edits {
    (editor.log().revision(), editor.is_saved())
}

/// The revision of the history, and whether it is saved.
type Edits = (u64, bool);
