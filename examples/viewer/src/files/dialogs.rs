//! What a person is asked about files, and told of them.

use super::{Next, Purpose};
use std::path::PathBuf;

/// What is shown over the window until it is answered.
#[derive(Debug)]
pub(crate) enum Dialog {
    /// Asks for a path.
    Path(PathDialog),
    /// Asks what to do.
    Question(Question),
    /// Says something, and waits until it has been read.
    Message(String),
}

/// Asks for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathDialog {
    /// To save there; otherwise to open it.
    pub(crate) saves: bool,
    /// As it is typed.
    pub(crate) text: String,
    /// Why the last one was not taken.
    pub(crate) refused: Option<String>,
}

/// What a person has to decide before something could be lost.
#[derive(Debug)]
pub(crate) enum Question {
    /// There are changes that are in no file; what comes after would lose them.
    Unsaved(Next),
    /// The file that is to be written is not the one that was read.
    ChangedOnDisk,
    /// There is a file of the name to save as.
    Exists(PathBuf),
    /// The file is another one on disk, and there are changes here.
    ReloadOver,
}

/// A person's answer to a [`Question`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Saves first; or writes over the file.
    Save,
    /// Saves under another name.
    SaveAs,
    /// Gives the changes up.
    Discard,
    /// Does nothing.
    Cancel,
}

impl Question {
    /// What is asked.
    pub(crate) fn text(&self, name: &str) -> String {
        match self {
            Self::Unsaved(Next::Load(_, Purpose::Reload)) => {
                format!("Read {name} again? What you changed since you saved it would be lost.")
            }
            Self::Unsaved(_) => format!("Save what you changed in {name}?"),
            Self::ChangedOnDisk => {
                format!("{name} is not what was opened here: another program has written it. Write over it?")
            }
            Self::Exists(path) => format!("There is a file {} already. Replace it?", path.display()),
            Self::ReloadOver => {
                format!("Another program has written {name}. Read it again, and lose what you changed here?")
            }
        }
    }

    /// The answers that it takes, with what to write on their buttons. The last one does nothing.
    pub(crate) fn answers(&self) -> &'static [(Answer, &'static str)] {
        match self {
            Self::Unsaved(Next::Load(_, Purpose::Reload)) => {
                &[(Answer::Discard, "Read again"), (Answer::Cancel, "Cancel")]
            }
            Self::Unsaved(_) => {
                &[(Answer::Save, "Save"), (Answer::Discard, "Don't save"), (Answer::Cancel, "Cancel")]
            }
            Self::ChangedOnDisk => {
                &[(Answer::Save, "Write over it"), (Answer::SaveAs, "Save as…"), (Answer::Cancel, "Cancel")]
            }
            Self::Exists(_) => &[(Answer::Save, "Replace"), (Answer::Cancel, "Cancel")],
            Self::ReloadOver => &[(Answer::Discard, "Read again"), (Answer::Cancel, "Keep mine")],
        }
    }
}
