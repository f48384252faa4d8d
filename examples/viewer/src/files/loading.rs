//! Reads a file in a thread of its own.

use super::{Edits, FileEvent, Purpose, Tell};
use crate::gltf_file;
use crate::progress::Progress;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A file being read. Dropped, it is read no further.
pub(super) struct Loading {
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    /// What the scene that it takes the place of was like when it began.
    pub(super) edits: Edits,
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
            let scene = gltf_file::open_telling(&read, &watched);
            told(FileEvent::Loaded(number, Box::new(scene)));
        })?;
        Ok(Self { number, purpose, edits, path, progress })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How much is done, from 0 to 1.
    pub(super) fn part(&self) -> f32 {
        self.progress.part()
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}
