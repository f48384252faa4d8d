//! Writes a scene in a thread of its own.

use super::{Dialog, FileEvent, Files, Opened, Question, Tell, file_name};
use crate::editor::Editor;
use crate::file_error::FileError;
use crate::gltf_file::{self, Written};
use crate::scene::Scene;
use crate::write_file::{FileStamp, resolve_links};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// A scene being written. It is never given up: half a save is none.
pub(super) struct Saving {
    pub(super) number: u64,
    path: PathBuf,
    /// Which of the scenes that were shown it is.
    pub(super) scene: u64,
    /// It is the file that is open.
    pub(super) is_own: bool,
    /// What was changed since is to be saved too, once this one is done.
    pub(super) again: bool,
    begun: Instant,
}

impl Saving {
    /// Begins to write the scene as it is now, over a file that was last seen like this. What comes
    /// of it is told as [`FileEvent::Saved`] with this number.
    pub(super) fn start(
        (number, shown): (u64, u64),
        scene: &Scene,
        (path, seen): (&Path, FileStamp),
        is_own: bool,
        tell: &Tell,
    ) -> io::Result<Self> {
        let (scene, written, tell) = (scene.clone(), path.to_owned(), tell.clone());
        thread::Builder::new().name("save".to_owned()).spawn(move || {
            let written = gltf_file::save_over(&scene, &written, seen);
            tell(FileEvent::Saved(number, Box::new(written)));
        })?;
        let (path, begun) = (path.to_owned(), Instant::now());
        Ok(Self { number, path, scene: shown, is_own, again: false, begun })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How long it has taken so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// What is done where there is a file already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// The person is asked, unless it is the one that was opened, as it was.
    AskFirst,
    /// It is written over.
    Replace,
}

impl Files {
    /// Begins to write the scene to a file, or asks back.
    pub(super) fn save(&mut self, path: &Path, over: Over, editor: &mut Editor) -> Option<Opened> {
        if editor.is_busy() {
            self.next = None;
            editor.say("Not saved: a drag is not done yet".to_owned());
            return None;
        }
        if let Some(saving) = &mut self.saving {
            // One after the other: both would be the same file, or the first one's failure unseen.
            let name = file_name(saving.path());
            match saving.scene == self.scene && saving.path() == path {
                true => saving.again = true,
                false => {
                    self.next = None;
                    editor.say(format!("Not saved: {name} is still being written"));
                }
            }
            return None;
        }
        let own = self.open.as_ref().filter(|open| resolve_links(&open.path) == resolve_links(path));
        let disk = FileStamp::of(path);
        if over == Over::AskFirst && disk.is_there() && own.is_none_or(|own| own.disk != disk) {
            self.dialog = Some(Dialog::Question(match own {
                Some(_) => Question::ChangedOnDisk,
                None => Question::Exists(path.to_owned()),
            }));
            return None;
        }
        let is_own = own.is_some();
        editor.begin_save();
        self.count += 1;
        match Saving::start((self.count, self.scene), editor.scene(), (path, disk), is_own, &self.tell) {
            Ok(saving) => {
                editor.say(format!("Saving {}", file_name(path)));
                self.saving = Some(saving);
            }
            Err(error) => {
                editor.end_save(false);
                self.warn(format!("{}: cannot be written: {error}", path.display()));
            }
        }
        None
    }

    /// The window cannot go on: writes what is nowhere else to a file in this folder, which is made,
    /// and answers with that file. `None` where all is saved.
    pub(crate) fn rescue(&self, folder: &Path, editor: &Editor) -> Result<Option<PathBuf>, FileError> {
        if editor.is_saved() && !self.is_only_here {
            return Ok(None);
        }
        let name = self.name();
        let stem = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = (1..).map(|number| folder.join(format!("{stem} {number}.glb")));
        let path = path.into_iter().find(|path| !path.exists()).unwrap_or_default();
        let failed = |error: io::Error| FileError::new(&path, format!("cannot be written: {error}"));
        std::fs::create_dir_all(folder).map_err(failed)?;
        gltf_file::save(editor.scene(), &path)?;
        Ok(Some(path))
    }

    /// What has come of a save.
    pub(super) fn saved(
        &mut self,
        saving: Saving,
        result: Result<Written, FileError>,
        editor: &mut Editor,
    ) -> Option<Opened> {
        let is_shown = saving.scene == self.scene;
        if is_shown {
            editor.end_save(result.is_ok());
        }
        let written = match result {
            Ok(written) => written,
            Err(error) => {
                editor.say(format!("Not saved: {}", file_name(saving.path())));
                self.warn(error.to_string());
                return None;
            }
        };
        let remark = written.remark.map_or(String::new(), |remark| format!(", {remark}"));
        editor.say(format!("Saved {}{remark}", file_name(saving.path())));
        if is_shown {
            // The files beside it were not written: they are known as they were read.
            let beside = editor.scene().source.as_ref().filter(|_| saving.is_own);
            let beside = beside.map_or(&[][..], |source| source.disk().get(1..).unwrap_or_default());
            let own = (saving.path().to_owned(), written.disk);
            self.is_in(saving.path(), std::iter::once(own).chain(beside.iter().cloned()).collect());
        } else {
            self.recent.add(saving.path());
        }
        if self.leaves {
            self.quits = true;
            return None;
        }
        if is_shown && saving.again && !editor.is_saved() {
            return self.save(saving.path(), Over::AskFirst, editor);
        }
        let next = self.next.take()?;
        self.unless_unsaved(next, editor)
    }
}
