//! What a person is asked about files, and told of them.

use super::Next;
use super::listing::{Entry, Listing};
use crate::file_error::printable;
use crate::gltf_file;
use std::path::{Path, PathBuf};

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
    /// What was put there last by something else than typing. Not every path is a text.
    chosen: PathBuf,
    /// That was just now: whoever goes on typing goes on at its end.
    pub(crate) is_fresh: bool,
    /// What is shown of the folder.
    pub(crate) listing: Listing,
    /// The path that the listing is of: what is typed, or was before an entry was picked.
    listed: PathBuf,
    /// The chosen path is an entry of the listing, which stays as it was then.
    is_picked: bool,
}

impl PathDialog {
    pub(super) fn new(saves: bool, path: PathBuf) -> Self {
        let mut dialog = Self {
            saves,
            text: String::new(),
            refused: None,
            chosen: PathBuf::new(),
            is_fresh: true,
            listing: Listing::default(),
            listed: PathBuf::new(),
            is_picked: false,
        };
        dialog.choose(path);
        dialog
    }

    /// Puts a path there, as if it had been typed.
    pub(crate) fn choose(&mut self, path: PathBuf) {
        self.text = path.to_string_lossy().into_owned();
        self.refused = None;
        (self.chosen, self.is_fresh, self.is_picked) = (path, true, false);
    }

    /// Puts an entry of the listing there. A folder is gone into; for a file the listing stays as it is, so
    /// that the second click of a double click meets the same entry.
    pub(crate) fn pick(&mut self, path: PathBuf, is_folder: bool) {
        self.choose(if is_folder { path.join("") } else { path });
        self.is_picked = !is_folder;
    }

    /// Returns true if this entry of the listing was picked last, and nothing was typed since.
    pub(crate) fn is_picked(&self, path: &Path) -> bool {
        self.is_picked && self.is_chosen() && self.chosen == path
    }

    /// Brings the listing up to date with the path.
    pub(crate) fn list(&mut self, read: impl FnOnce(&Path) -> Vec<Entry>) {
        self.is_picked &= self.is_chosen();
        if !self.is_picked {
            self.listed = self.path();
        }
        self.listing.follow(&self.listed, read);
    }

    /// The path that is there now.
    pub(crate) fn path(&self) -> PathBuf {
        match self.is_chosen() {
            true => self.chosen.clone(),
            false => PathBuf::from(&self.text),
        }
    }

    /// Whether it was put there and not typed, so that it means what it says to the last space.
    fn is_chosen(&self) -> bool {
        self.chosen.to_string_lossy() == self.text.as_str()
    }

    /// What is typed or chosen, as a whole path; an error says why it means no file.
    pub(super) fn meant(&self) -> Result<PathBuf, String> {
        let saves = self.saves;
        let text = self.text.trim();
        if text.is_empty() {
            return Err("Type the path of a file".to_owned());
        }
        let home = directories::BaseDirs::new().map(|folders| folders.home_dir().to_owned());
        let path = match (text.strip_prefix("~/"), home) {
            _ if self.is_chosen() => self.path(),
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        };
        let mut path = std::path::absolute(&path).map_err(|error| error.to_string())?;
        if !saves && !path.exists() {
            return Err("There is no such file".to_owned());
        }
        if saves && !path.is_dir() && gltf_file::Format::of(&path).is_none() {
            if path.extension().is_some() {
                return Err("The name must end in .glb or .gltf".to_owned());
            }
            path.set_extension("glb");
        }
        Ok(path)
    }
}

/// What a person has to decide before something could be lost.
#[derive(Debug)]
pub(crate) enum Question {
    /// There are changes that are in no file; what comes after would lose them.
    Unsaved(Next),
    /// What was in the file is not on disk any longer; what comes after would lose it.
    Gone(Next),
    /// The recording could not be written, for this reason, and the window is to be closed.
    Recording(String),
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
            Self::Unsaved(next) if next.is_reload() => {
                format!("Read {name} again? What you changed since you saved it would be lost.")
            }
            Self::Unsaved(_) => format!("Save what you changed in {name}?"),
            Self::Gone(_) => format!("{name} is not on disk any longer as it is here. Write it again?"),
            Self::Recording(why) => format!("What was recorded is not saved. {why}"),
            Self::ChangedOnDisk => {
                format!("{name} is not what was opened here: another program has written it. Write over it?")
            }
            Self::Exists(path) => {
                format!("There is a file {} already. Replace it?", printable(&path.to_string_lossy()))
            }
            Self::ReloadOver => {
                format!("Another program has written {name}. Read it again, and lose what you changed here?")
            }
        }
    }

    /// The answer that Enter gives: one that loses nothing.
    pub(crate) fn usual(&self) -> Answer {
        match self {
            Self::Unsaved(next) if next.is_reload() => Answer::Cancel,
            Self::Unsaved(_) | Self::Gone(_) | Self::Recording(_) => Answer::Save,
            Self::ChangedOnDisk | Self::Exists(_) | Self::ReloadOver => Answer::Cancel,
        }
    }

    /// The answers that it takes, with what to write on their buttons. The last one does nothing.
    pub(crate) fn answers(&self) -> &'static [(Answer, &'static str)] {
        match self {
            Self::Unsaved(next) if next.is_reload() => {
                &[(Answer::Discard, "Read again"), (Answer::Cancel, "Cancel")]
            }
            Self::Unsaved(_) | Self::Gone(_) => {
                &[(Answer::Save, "Save"), (Answer::Discard, "Don't save"), (Answer::Cancel, "Cancel")]
            }
            Self::Recording(_) => &[
                (Answer::Save, "Try again"),
                (Answer::Discard, "Close without it"),
                (Answer::Cancel, "Cancel"),
            ],
            Self::ChangedOnDisk => {
                &[(Answer::Save, "Write over it"), (Answer::SaveAs, "Save as…"), (Answer::Cancel, "Cancel")]
            }
            Self::Exists(_) => &[(Answer::Save, "Replace"), (Answer::Cancel, "Cancel")],
            Self::ReloadOver => &[(Answer::Discard, "Read again"), (Answer::Cancel, "Keep mine")],
        }
    }
}
