//! Reads a file in a thread of its own.

use super::{Dialog, Edits, FileEvent, Files, Next, Opened, Purpose, SOON, Tell, edits, file_name};
use crate::editor::Editor;
use crate::file_error::FileError;
use crate::gltf_file;
use crate::progress::Progress;
use crate::scene::Scene;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// A file being read. Dropped, it is read no further.
pub(super) struct Loading {
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    /// What the scene that it takes the place of was like when it began.
    pub(super) edits: Edits,
    pub(super) begun: Instant,
    path: PathBuf,
    progress: Arc<Progress>,
}

impl Loading {
    /// Begins. What comes of it is told as [`FileEvent::Loaded`] with this number.
    pub(super) fn start(
        number: u64,
        path: &Path,
        purpose: Purpose,
        edits: Edits,
        tell: &Tell,
    ) -> io::Result<Self> {
        let told = tell.clone();
        let progress = Arc::new(Progress::telling(move || told(FileEvent::Progress)));
        let (told, watched, path) = (tell.clone(), progress.clone(), path.to_owned());
        let read = path.clone();
        thread::Builder::new().name("load".to_owned()).spawn(move || {
            let scene = gltf_file::open_with_progress(&read, &watched);
            told(FileEvent::Loaded(number, Box::new(scene)));
        })?;
        Ok(Self { number, purpose, edits, begun: Instant::now(), path, progress })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How much is done, from 0 to 1.
    pub(super) fn part(&self) -> f32 {
        self.progress.part()
    }
}

/// A scene that has been read and waits to be shown.
pub(super) struct Arrived {
    pub(super) opened: Opened,
    /// What the scene that it takes the place of was like when the load began.
    pub(super) edits: Edits,
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

impl Files {
    /// Opens a file, unless it is plain that there is nothing to open. Not while something else has
    /// to be answered or read.
    pub(super) fn open(&mut self, path: PathBuf, editor: &mut Editor) -> Option<Opened> {
        if matches!(self.dialog, Some(Dialog::Question(_) | Dialog::Message(_))) {
            editor.say(format!("Not opened: {}; something else waits for an answer", file_name(&path)));
            return None;
        }
        match gltf_file::check(&path) {
            Ok(()) => {
                self.dialog = None;
                self.unless_unsaved(Next::Load(path, Purpose::Open), editor)
            }
            Err(error) => {
                self.dialog = Some(Dialog::Message(error.to_string()));
                None
            }
        }
    }

    pub(super) fn load(&mut self, path: PathBuf, purpose: Purpose, editor: &Editor) {
        self.count += 1;
        self.arrived = None;
        // The one before, if there is one, is given up by being dropped.
        match Loading::start(self.count, &path, purpose, edits(editor), &self.tell) {
            Ok(loading) => self.loading = Some(loading),
            Err(error) => self.warn(format!("{}: cannot be loaded: {error}", path.display())),
        }
    }

    /// What has come of a load.
    pub(super) fn loaded(
        &mut self,
        loading: Loading,
        result: Result<Scene, FileError>,
        editor: &mut Editor,
    ) -> Option<Opened> {
        let scene = match result {
            Ok(scene) => scene,
            Err(error) => {
                self.is_only_here |= loading.purpose == Purpose::Reload;
                self.warn(error.to_string());
                return None;
            }
        };
        let opened = Opened { scene, path: loading.path().to_owned(), purpose: loading.purpose };
        let arrived = Arrived { opened, edits: loading.edits };
        // What was read in no time is put in place in no time, too.
        if loading.begun.elapsed() < SOON && self.is_free(editor) {
            return self.put(arrived, editor);
        }
        self.arrived = Some(arrived);
        None
    }

    /// To be called after each frame: what has been read is shown, now that the frame has said that
    /// it will take a moment. Waits while the person does something.
    pub(crate) fn take_arrived(&mut self, editor: &mut Editor) -> Option<Opened> {
        let arrived = if self.is_free(editor) { self.arrived.take() } else { None };
        self.put(arrived?, editor)
    }

    fn put(&mut self, Arrived { opened, edits: before }: Arrived, editor: &mut Editor) -> Option<Opened> {
        let next = Next::Show(Box::new(opened));
        // What was changed while it loaded, nobody has been asked about.
        match before == edits(editor) {
            true => self.go_on(next, editor),
            false => self.unless_unsaved(next, editor),
        }
    }
}
