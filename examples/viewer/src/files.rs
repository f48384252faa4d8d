//! Which file is open, and all that can happen to it: opening, saving, reloading, and the
//! questions before anything is lost. Knows neither window nor GPU.

mod dialogs;
mod listing;
mod loading;
mod recent;
mod saving;
mod watch;

#[cfg(test)]
mod tests;

pub(crate) use dialogs::{Answer, Dialog, PathDialog, Question};
pub(crate) use listing::{Entry, read_folder};
pub(crate) use recent::Recent;

use crate::editor::Editor;
use crate::file_error::{FileError, printable};
use crate::gltf_file::Written;
use crate::scene::Scene;
use crate::write_file::FileStamp;
use loading::{Arrived, Loading};
use saving::{Over, Saving};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use watch::Watch;

/// What takes no longer than this is not worth saying that it is going on.
pub(crate) const SOON: Duration = Duration::from_millis(400);

/// What threads have to tell. Numbers tell the load, the save and the watch that are meant from
/// earlier ones.
pub(crate) enum FileEvent {
    /// A load has come farther.
    Progress,
    /// A load has come to its end.
    Loaded(u64, Box<Result<Scene, FileError>>),
    /// A scene has been written, or not.
    Saved(u64, Box<Result<Written, FileError>>),
    /// A watched file is another than before, and nobody is writing it any longer.
    Changed(u64),
    /// These of the watched files are no longer there.
    Gone(u64, Vec<PathBuf>),
    /// They are there again, and as they were.
    Back(u64),
}

impl fmt::Debug for FileEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Progress => f.write_str("Progress"),
            Self::Loaded(number, result) => write!(f, "Loaded({number}, {})", result.is_ok()),
            Self::Saved(number, result) => write!(f, "Saved({number}, {})", result.is_ok()),
            Self::Changed(number) => write!(f, "Changed({number})"),
            Self::Gone(number, files) => write!(f, "Gone({number}, {files:?})"),
            Self::Back(number) => write!(f, "Back({number})"),
        }
    }
}

/// Where threads tell it.
pub(crate) type Tell = Arc<dyn Fn(FileEvent) + Send + Sync>;

/// What the person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ask {
    /// To be asked which file to open.
    Open,
    /// To open this one.
    OpenFile(PathBuf),
    /// To write the scene to its file.
    Save,
    /// To be asked where to write it.
    SaveAs,
    /// To read the file again.
    Reload,
    /// To close the window.
    Quit,
    /// To load no further.
    CancelLoad,
}

/// What happens once the changes are safe or given up.
#[derive(Debug)]
pub(crate) enum Next {
    /// Opens a file.
    Load(PathBuf, Purpose),
    /// Shows a scene that has been read.
    Show(Box<Opened>),
    /// Closes the window.
    Quit,
}

impl Next {
    /// Whether the file that is open takes its own place.
    fn is_reload(&self) -> bool {
        let purpose = match self {
            Self::Load(_, purpose) => Some(*purpose),
            Self::Show(opened) => Some(opened.purpose),
            Self::Quit => None,
        };
        purpose == Some(Purpose::Reload)
    }
}

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be looked at.
    Open,
    /// It is open already; camera and selection stay.
    Reload,
}

/// A scene that has been read, and the file that it is in.
pub(crate) struct Opened {
    pub(crate) scene: Scene,
    pub(crate) path: PathBuf,
    pub(crate) purpose: Purpose,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opened({:?}, {:?})", self.path, self.purpose)
    }
}

/// What the person did in a dialog or a menu, to be done after the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlayerRequest {
    Ask(Ask),
    Answer(Answer),
    /// The path is typed.
    TakePath,
    /// The dialog is closed.
    Dismiss,
}

/// The state of all that.
pub(crate) struct Files {
    tell: Tell,
    /// What the scene is called while it has no file.
    unnamed: String,
    open: Option<OpenFile>,
    loading: Option<Loading>,
    arrived: Option<Arrived>,
    saving: Option<Saving>,
    watch: Option<Watch>,
    /// The watched file has changed, and nothing was done about it yet.
    has_changed: bool,
    /// The file has gone, or is no scene any longer: what was in it is only here.
    is_only_here: bool,
    pub(crate) recent: Recent,
    pub(crate) dialog: Option<Dialog>,
    /// What to do once the scene has been saved.
    next: Option<Next>,
    /// The window is to be closed: once what is being written is whole.
    leaves: bool,
    quits: bool,
    /// The recording could not be written, and need not be.
    gives_up_recording: bool,
    /// Numbers given so far.
    count: u64,
    /// How many scenes have been shown since the first one.
    scene: u64,
    /// What was done in the last frame.
    pub(crate) wishes: Vec<PlayerRequest>,
}

/// The file that the scene is in.
#[derive(Debug, Clone)]
struct OpenFile {
    path: PathBuf,
    /// As it was when it was read or written here.
    disk: FileStamp,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files")
            .field("open", &self.open)
            .field("dialog", &self.dialog)
            .finish_non_exhaustive()
    }
}

impl Files {
    /// No file is open; the scene is called `unnamed`.
    pub(crate) fn new(tell: Tell, unnamed: &str, recent: Recent) -> Self {
        Self {
            tell,
            unnamed: unnamed.to_owned(),
            open: None,
            loading: None,
            arrived: None,
            saving: None,
            watch: None,
            has_changed: false,
            is_only_here: false,
            recent,
            dialog: None,
            next: None,
            leaves: false,
            quits: false,
            gives_up_recording: false,
            count: 0,
            scene: 0,
            wishes: Vec::new(),
        }
    }

    /// The file that the scene is in.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.open.as_ref().map(|open| open.path.as_path())
    }

    /// What the scene is called.
    pub(crate) fn name(&self) -> String {
        self.path().map_or(self.unnamed.clone(), file_name)
    }

    /// Whether what is shown was in a file that is not there any longer as it was.
    pub(crate) fn is_only_here(&self) -> bool {
        self.is_only_here
    }

    /// For the window: a star where something is unsaved.
    pub(crate) fn title(&self, is_saved: bool) -> String {
        format!("{}{} – wgpu-gizmo", if is_saved && !self.is_only_here { "" } else { "* " }, self.name())
    }

    /// The file that is being read, and how much of it has been, from 0 to 1.
    pub(crate) fn loading(&self) -> Option<(&Path, f32)> {
        self.loading.as_ref().map(|loading| (loading.path(), loading.part()))
    }

    /// The file whose scene has been read and is to be put in place after the next frame.
    pub(crate) fn arrived(&self) -> Option<&Path> {
        self.arrived.as_ref().map(|arrived| arrived.opened.path.as_path())
    }

    /// The file that is being written, and for how long it has been.
    pub(crate) fn saving(&self) -> Option<(&Path, Duration)> {
        self.saving.as_ref().map(|saving| (saving.path(), saving.elapsed()))
    }

    /// Whether the window is to be closed.
    pub(crate) fn quits(&self) -> bool {
        self.quits
    }

    /// Does what the person asks for, or asks back. Answers with a scene to show instead.
    pub(crate) fn ask(&mut self, ask: Ask, editor: &mut Editor) -> Option<Opened> {
        match ask {
            Ask::Open => self.ask_for_path(false),
            Ask::SaveAs => self.ask_for_path(true),
            Ask::OpenFile(path) => return self.open(path, editor),
            Ask::Reload => match self.path().map(Path::to_owned) {
                Some(path) => return self.unless_unsaved(Next::Load(path, Purpose::Reload), editor),
                None => editor.say(format!("{} is in no file that could be read again", self.name())),
            },
            Ask::Quit => return self.unless_unsaved(Next::Quit, editor),
            Ask::Save => match self.path().map(Path::to_owned) {
                Some(path) => return self.save(&path, Over::AskFirst, editor),
                None => self.ask_for_path(true),
            },
            Ask::CancelLoad => (self.loading, self.arrived) = (None, None),
        }
        None
    }

    /// The person has typed a path.
    pub(crate) fn take_path(&mut self, editor: &mut Editor) -> Option<Opened> {
        let Some(Dialog::Path(asked)) = &mut self.dialog else { return None };
        let path = match asked.meant() {
            Ok(path) => path,
            Err(why) => {
                asked.refused = Some(why);
                return None;
            }
        };
        let saves = asked.saves;
        if path.is_dir() {
            asked.choose(path.join(""));
            return None;
        }
        self.dialog = None;
        match saves {
            true => self.save(&path, Over::AskFirst, editor),
            false => self.ask(Ask::OpenFile(path), editor),
        }
    }

    /// The dialog is closed without an answer, or has been read.
    pub(crate) fn dismiss(&mut self) {
        self.dialog = None;
        self.next = None;
    }

    /// The person has answered a question.
    pub(crate) fn answer(&mut self, answer: Answer, editor: &mut Editor) -> Option<Opened> {
        let Some(Dialog::Question(question)) = self.dialog.take() else { return None };
        match (question, answer) {
            (Question::Unsaved(next) | Question::Gone(next), Answer::Save) => {
                self.next = Some(next);
                return self.ask(Ask::Save, editor);
            }
            (Question::Unsaved(next) | Question::Gone(next), Answer::Discard) => {
                return self.go_on(next, editor);
            }
            (Question::Recording(_), answer @ (Answer::Save | Answer::Discard)) => {
                self.gives_up_recording = answer == Answer::Discard;
                self.quits = true;
            }
            (Question::ChangedOnDisk, Answer::Save) => {
                let path = self.path()?.to_owned();
                return self.save(&path, Over::Replace, editor);
            }
            (Question::ChangedOnDisk, Answer::SaveAs) => self.ask_for_path(true),
            (Question::Exists(path), Answer::Save) => return self.save(&path, Over::Replace, editor),
            (Question::ReloadOver, Answer::Discard) => {
                let path = self.path()?.to_owned();
                return self.go_on(Next::Load(path, Purpose::Reload), editor);
            }
            _ => self.next = None,
        }
        None
    }

    /// Does what was wished for in the last frame. Answers with a scene to show instead.
    pub(crate) fn grant(&mut self, editor: &mut Editor) -> Option<Opened> {
        let mut opened = None;
        for wish in std::mem::take(&mut self.wishes) {
            let more = match wish {
                PlayerRequest::Ask(ask) => self.ask(ask, editor),
                PlayerRequest::Answer(answer) => self.answer(answer, editor),
                PlayerRequest::TakePath => self.take_path(editor),
                PlayerRequest::Dismiss => {
                    self.dismiss();
                    None
                }
            };
            opened = more.or(opened);
        }
        opened
    }

    /// Takes in what a thread has to tell. Answers with a scene to show instead.
    pub(crate) fn on_event(&mut self, event: FileEvent, editor: &mut Editor) -> Option<Opened> {
        match event {
            FileEvent::Progress => {}
            FileEvent::Changed(number) => {
                self.has_changed |= self.is_watched(number);
                self.look_after(editor);
            }
            FileEvent::Gone(number, files) if self.is_watched(number) => self.gone(&files, editor),
            FileEvent::Back(number) if self.is_watched(number) => self.back(editor),
            FileEvent::Gone(..) | FileEvent::Back(_) => {}
            FileEvent::Saved(number, result) => {
                let saving = self.saving.take_if(|saving| saving.number == number)?;
                return self.saved(saving, *result, editor);
            }
            FileEvent::Loaded(number, result) => {
                let loading = self.loading.take_if(|loading| loading.number == number)?;
                return self.loaded(loading, *result, editor);
            }
        }
        None
    }

    /// Whether nobody is asked, nothing is written and nothing is dragged.
    fn is_free(&self, editor: &Editor) -> bool {
        self.dialog.is_none() && self.saving.is_none() && !editor.is_busy()
    }

    fn ask_for_path(&mut self, saves: bool) {
        let folder = match self.path().and_then(Path::parent) {
            Some(folder) => folder.to_owned(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let path = match (saves, self.path()) {
            (true, Some(path)) => path.to_owned(),
            (true, None) => folder.join(format!("{}.glb", self.unnamed)),
            // An empty name at its end: the separator that the next one comes after.
            (false, _) => folder.join(""),
        };
        self.dialog = Some(Dialog::Path(PathDialog::new(saves, path)));
    }

    fn unless_unsaved(&mut self, next: Next, editor: &mut Editor) -> Option<Opened> {
        // Read again, what is gone is an error, and stays what it is here.
        let is_lost = self.is_only_here && !next.is_reload();
        if editor.is_saved() && !is_lost {
            return self.go_on(next, editor);
        }
        // What is being written need not be asked about.
        if editor.is_being_saved() {
            self.next = Some(next);
        } else {
            let question = if is_lost { Question::Gone(next) } else { Question::Unsaved(next) };
            self.dialog = Some(Dialog::Question(question));
        }
        None
    }

    fn go_on(&mut self, next: Next, editor: &Editor) -> Option<Opened> {
        match next {
            Next::Load(path, purpose) => self.load(path, purpose, editor),
            Next::Quit => {
                (self.loading, self.arrived) = (None, None);
                self.quits = self.saving.is_none();
                self.leaves = true;
            }
            Next::Show(opened) => return Some(*opened),
        }
        None
    }

    /// A scene that was handed out is shown now.
    pub(crate) fn shown(&mut self, path: &Path, scene: &Scene) {
        self.scene += 1;
        self.is_in(path, scene.source.as_ref().map_or(Vec::new(), |source| source.disk().to_vec()));
    }

    /// Says something that the person must not miss.
    pub(crate) fn warn(&mut self, message: String) {
        (self.next, self.leaves) = (None, false);
        self.dialog = Some(Dialog::Message(printable(&message)));
    }

    /// The window is to be closed, and the recording could not be written.
    pub(crate) fn recording_failed(&mut self, why: &FileError) {
        (self.quits, self.leaves) = (false, false);
        self.dialog = Some(Dialog::Question(Question::Recording(why.to_string())));
    }

    /// The person closes the window without the recording.
    pub(crate) fn gives_up_recording(&self) -> bool {
        self.gives_up_recording
    }

    /// The scene is in this file now, which is as the first of `files` says.
    fn is_in(&mut self, path: &Path, files: Vec<(PathBuf, FileStamp)>) {
        let disk = files.first().map_or_else(|| FileStamp::of(path), |(_, disk)| *disk);
        self.open = Some(OpenFile { path: path.to_owned(), disk });
        self.recent.add(path);
        (self.has_changed, self.is_only_here) = (false, false);
        self.count += 1;
        self.watch = Watch::start(self.count, files, watch::PERIOD, &self.tell).ok();
    }
}

/// A file's name without its folder, for people.
fn file_name(path: &Path) -> String {
    printable(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Tells whether the scene was changed since.
fn edits(editor: &Editor) -> Edits {
    (editor.history().revision(), editor.is_saved())
}

/// As of which step, and whether that is saved.
type Edits = (u64, bool);
