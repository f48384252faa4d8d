//! The inputs of the file state (events of threads and requests) and its outputs (scenes).

use super::Answer;
use gltf_io::FileResult;
use gltf_io::write_file::FileStamp;
use scene::Scene;
use std::path::PathBuf;
use std::sync::Arc;

/// An event of a thread. The numbers identify the load, save or watch, so events of earlier ones can be
/// ignored.
#[derive(Debug)]
pub(crate) enum FileEvent {
    /// The progress of a load has changed.
    Progress,
    /// A load has finished or failed.
    Loaded(u64, Box<FileResult<Scene>>),
    /// A save has finished or failed.
    Saved(u64),
    /// Watched files have changed.
    Disk(u64, DiskChange),
    /// A dialog of the desktop has ended, with a path unless it was canceled.
    Chosen(u64, Option<PathBuf>),
    /// The recovery journal could not be written, for this reason.
    JournalFailed(String),
}

/// A change of watched files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DiskChange {
    /// A file has changed, and nobody is writing it any longer.
    Changed,
    /// A file was written again with the same contents. Holds the new state of the open file.
    Touched(FileStamp),
    /// These files no longer exist.
    Gone(Vec<PathBuf>),
    /// All deleted files exist again, unchanged.
    Back,
}

/// A request of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Request {
    /// Asks which file to open.
    Open,
    /// Opens this file.
    OpenFile(PathBuf),
    /// Writes the scene to its file.
    Save,
    /// Asks where to write the scene.
    SaveAs,
    /// Reads the file again.
    Reload,
    /// Closes the window.
    Quit,
    /// Cancels the load in progress.
    CancelLoad,
    /// Answers the question of the dialog.
    Answer(Answer),
    /// Accepts the typed path.
    SubmitPath,
    /// Closes the dialog.
    Dismiss,
}

/// The action that follows once unsaved changes are saved or discarded.
#[derive(Debug)]
pub(crate) enum PendingAction {
    /// Opens a file.
    Load(PathBuf, Purpose),
    /// Shows a scene that has been loaded.
    Show(Box<Opened>),
    /// Closes the window.
    Quit,
}

impl PendingAction {
    /// Returns true if the action reads the open file again.
    pub(super) fn is_reload(&self) -> bool {
        let purpose = match self {
            Self::Load(_, purpose) => Some(*purpose),
            Self::Show(opened) => Some(opened.purpose),
            Self::Quit => None,
        };
        purpose == Some(Purpose::Reload)
    }
}

/// The reason why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To show it.
    Open,
    /// It is open already and has changed; camera and selection stay.
    Reload,
}

/// A scene that has been loaded, with its file.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) scene: Scene,
    pub(crate) path: PathBuf,
    pub(crate) purpose: Purpose,
}

/// The callback that receives the events of threads.
pub(crate) type Notify = Arc<dyn Fn(FileEvent) + Send + Sync>;
