//! The question whether a scene may read files outside of its folder.

use super::loading::LoadedScene;
use super::{Dialog, Files, Opened, Purpose, Question};
use gltf_io::{FileError, Source, readable};
use session::editor::Editor;
use std::path::{Path, PathBuf};

/// A scene that refers to files in other folders.
#[derive(Debug)]
pub(crate) struct OutsideFiles {
    path: PathBuf,
    purpose: Purpose,
    folders: Vec<PathBuf>,
    /// Why the scene cannot be opened without them, if it cannot.
    error: Option<String>,
}

impl OutsideFiles {
    /// Returns what the status line says if they are not read.
    pub(super) fn refused(self) -> Option<String> {
        Some(format!("Could not open {}", self.error?))
    }

    /// Returns the text of the question.
    pub(super) fn text(&self) -> String {
        let name = |path: &Path| readable(&path.to_string_lossy());
        let folders: Vec<String> = self.folders.iter().take(3).map(|folder| name(folder)).collect();
        let more = if self.folders.len() > 3 { " and others" } else { "" };
        let read = if self.folders.len() > 1 { "these folders" } else { "this folder" };
        format!(
            "{} refers to files outside of its folder, in {}{more}. Read {read}?",
            super::file_name(&self.path),
            folders.join(", ")
        )
    }
}

impl Files {
    /// Asks whether to read the folder of a file without which the scene cannot be opened. Returns false
    /// for any other error.
    pub(super) fn ask_after_error(&mut self, path: &Path, purpose: Purpose, error: &FileError) -> bool {
        let Some(folder) = &error.outside else { return false };
        let (path, folders) = (path.to_owned(), vec![folder.clone()]);
        self.ask(OutsideFiles { path, purpose, folders, error: Some(error.to_string()) });
        true
    }

    /// Asks whether to read the folders of images that a loaded scene is shown without otherwise. A reload
    /// does not ask again.
    pub(super) fn ask_after_load(&mut self, loaded: &LoadedScene) -> bool {
        let Opened { scene, path, purpose } = &loaded.opened;
        let folders = Source::of(scene).map_or(&[][..], |source| &source.outside[..]).to_vec();
        if folders.is_empty() || *purpose == Purpose::Reload {
            return false;
        }
        self.ask(OutsideFiles { path: path.clone(), purpose: *purpose, folders, error: None });
        true
    }

    fn ask(&mut self, files: OutsideFiles) {
        self.after_save = None;
        self.dialog = Some(Dialog::Question(Question::Outside(files)));
    }

    /// Allows the folders and loads the scene again.
    pub(super) fn allow(&mut self, files: OutsideFiles, editor: &Editor) {
        files.folders.into_iter().for_each(|folder| self.loader.allowed.allow(folder));
        self.load(files.path, files.purpose, editor);
    }
}
