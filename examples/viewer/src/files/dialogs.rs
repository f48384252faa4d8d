//! Dialogs about files: paths, questions and messages.

use super::PendingAction;
use super::journal::Offer;
use super::outside::OutsideFiles;
use gltf_io::printable;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A modal dialog.
#[derive(Debug)]
pub(crate) enum Dialog {
    /// Asks for a path.
    Path(PathDialog),
    /// Asks what to do.
    Question(Question),
    /// Shows a message.
    Message(String),
}

/// A dialog that asks for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathDialog {
    /// Whether the path is for saving instead of opening.
    pub(crate) saves: bool,
    /// The text of the field.
    pub(crate) text: String,
    /// The reason why the last path was not accepted.
    pub(crate) error: Option<String>,
    /// The path that the dialog began with. It may be one that is not valid UTF-8.
    initial: PathBuf,
    /// Whether the dialog has just been opened, so that the cursor must be placed.
    pub(crate) is_fresh: bool,
}

impl PathDialog {
    pub(super) fn new(saves: bool, initial: PathBuf) -> Self {
        Self { saves, text: initial.to_string_lossy().into_owned(), error: None, initial, is_fresh: true }
    }

    /// Returns the characters of the field to select: the name to save without its ending, or none at the end.
    pub(crate) fn selected(&self) -> Range<usize> {
        let end = self.text.chars().count();
        let name = Path::new(&self.text).file_name().filter(|_| self.saves && !self.text.ends_with('/'));
        let Some(name) = name.map(|name| name.to_string_lossy()) else { return end..end };
        let stem = Path::new(name.as_ref()).file_stem().unwrap_or_default().to_string_lossy();
        let first = end - name.chars().count().min(end);
        first..first + stem.chars().count()
    }

    /// Returns the path in the field as an absolute path, or the reason why it is not valid.
    pub(super) fn resolve(&self) -> Result<PathBuf, String> {
        let text = self.text.trim();
        if text.is_empty() {
            return Err("Enter the path of a file".to_owned());
        }
        let initial = self.initial.to_string_lossy();
        // A whole path replaces the folder that it was typed or pasted after.
        let folder = &initial[..initial.rfind(std::path::is_separator).map_or(0, |at| at + 1)];
        let is_whole = |rest: &&str| rest.starts_with("~/") || Path::new(rest).is_absolute();
        let text = text.strip_prefix(folder).filter(is_whole).unwrap_or(text);
        let path = match (text.strip_prefix("~/"), std::env::home_dir()) {
            // A path that was not edited is used literally, including spaces.
            _ if initial == self.text => self.initial.clone(),
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        };
        let mut path = std::path::absolute(&path).map_err(|error| error.to_string())?;
        // The ending of the first name is not selected, so it stays behind one that was typed.
        let has_two_endings = |path: &Path| gltf_io::Format::of(&path.with_extension("")).is_some();
        if self.saves && has_two_endings(&path) && !has_two_endings(&self.initial) {
            path.set_extension("");
        }
        if path.is_dir() {
            return Err("This is a folder: append the name of a file".to_owned());
        }
        if !self.saves && !path.exists() {
            return Err("The file does not exist".to_owned());
        }
        if self.saves && gltf_io::Format::of(&path).is_none() {
            if path.extension().is_some() {
                return Err("The name must end in .glb or .gltf".to_owned());
            }
            path.set_extension("glb");
        }
        Ok(path)
    }
}

/// A question to the user before something could be lost.
#[derive(Debug)]
pub(crate) enum Question {
    /// There are unsaved changes, which the action would lose.
    Unsaved(PendingAction),
    /// The file was deleted or damaged; the action would lose its contents.
    Gone(PendingAction),
    /// The window must close, but the recording could not be written. Holds the message.
    Recording(String),
    /// The file to save to was changed by another program since it was read.
    ChangedOnDisk,
    /// The file to save to exists.
    Exists(PathBuf),
    /// The file has changed on disk, and there are unsaved changes here.
    ReloadOver,
    /// The scene refers to files outside of its folder.
    Outside(OutsideFiles),
    /// A viewer that was killed had unsaved changes.
    Recovered(Offer),
}

/// The answer to a [`Question`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Saves first, or overwrites the file.
    Save,
    /// Saves under another name.
    SaveAs,
    /// Discards the changes.
    Discard,
    /// Does nothing.
    Cancel,
}

impl Question {
    /// Returns the text of the question for a scene named `name`.
    pub(crate) fn text(&self, name: &str) -> String {
        match self {
            Self::Unsaved(next) if next.is_reload() => {
                format!("Reload {name}? Unsaved changes will be lost.")
            }
            Self::Unsaved(_) => format!("Save changes to {name}?"),
            Self::Gone(_) => format!("{name} was deleted or damaged on disk. Save it again?"),
            Self::Recording(message) => message.clone(),
            Self::ChangedOnDisk => {
                format!("{name} was changed by another program. Overwrite it?")
            }
            Self::Exists(path) => {
                let path = printable(&gltf_io::disk::shown(path).to_string_lossy());
                format!("{path} already exists. Replace it?")
            }
            Self::ReloadOver => {
                format!("{name} was changed by another program. Reload it and lose unsaved changes?")
            }
            Self::Outside(files) => files.text(),
            Self::Recovered(offer) => offer.text(),
        }
    }

    /// Returns the answer of the default button, which never loses anything, and the possible answers with the labels
    /// of their buttons. The last one is [`Answer::Cancel`].
    pub(crate) fn answers(&self) -> (Answer, &'static [(Answer, &'static str)]) {
        use Answer::{Cancel, Discard, Save, SaveAs};
        match self {
            Self::Unsaved(next) if next.is_reload() => (Cancel, &[(Discard, "Reload"), (Cancel, "Cancel")]),
            Self::Unsaved(_) | Self::Gone(_) => {
                (Save, &[(Save, "Save"), (Discard, "Don't save"), (Cancel, "Cancel")])
            }
            Self::Recording(_) => {
                (Save, &[(Save, "Try again"), (Discard, "Close without saving"), (Cancel, "Cancel")])
            }
            Self::ChangedOnDisk => (Cancel, &[(Save, "Overwrite"), (SaveAs, "Save As…"), (Cancel, "Cancel")]),
            Self::Exists(_) => (Cancel, &[(Save, "Replace"), (Cancel, "Cancel")]),
            Self::Outside(_) => (Cancel, &[(Save, "Read"), (Cancel, "Don't read")]),
            Self::Recovered(offer) if offer.can_restore() => {
                (Save, &[(Save, "Restore"), (Discard, "Discard"), (Cancel, "Later")])
            }
            Self::Recovered(_) => (Cancel, &[(Discard, "Discard"), (Cancel, "Later")]),
            Self::ReloadOver => (Cancel, &[(Discard, "Reload"), (Cancel, "Keep changes")]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stem_of_saved_name_is_selected() {
        let selected = |saves, path: &str| {
            let dialog = PathDialog::new(saves, PathBuf::from(path));
            dialog
                .text
                .chars()
                .skip(dialog.selected().start)
                .take(dialog.selected().len())
                .collect::<String>()
        };
        assert_eq!(selected(true, "/a/b.c/scené.glb"), "scené");
        assert_eq!(selected(true, "/a/scene"), "scene");
        assert_eq!(selected(true, "/a/b/"), "");
        assert_eq!(selected(false, "/a/scene.glb"), "");
        assert_eq!(PathDialog::new(false, PathBuf::from("/a/é.glb")).selected(), 8..8);
    }

    #[cfg(unix)]
    #[test]
    fn whole_path_replaces_folder_it_was_typed_after() {
        let saved = |text: &str| {
            let mut dialog = PathDialog::new(true, PathBuf::from("/a/robot arm.glb"));
            dialog.text = text.to_owned();
            dialog.resolve().expect("the name is valid")
        };
        assert_eq!(saved("/a//b/c.glb"), Path::new("/b/c.glb"));
        assert_eq!(saved("/a/~/c.glb"), std::env::home_dir().expect("there is one").join("c.glb"));
        assert_eq!(saved("/a/b//c.glb"), Path::new("/a/b/c.glb"), "an ordinary path");
        assert_eq!(saved("/a//b/c.gltf.glb"), Path::new("/b/c.gltf"), "the ending was not selected");
        assert_eq!(saved("/a/robot arm.glb"), Path::new("/a/robot arm.glb"));
    }
}
