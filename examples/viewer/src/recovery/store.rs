//! The folder of journals.
//!
//! A journal `ID.journal` belongs to the process that has locked `ID.lock`. The system releases the lock
//! when that process ends, however it ends. Then the next viewer that locks it has the journal to itself.

use crate::small_files::{free_path, new_scene_path};
use crate::user_data;
use gltf_io::readable;
use scene::Scene;
use session::journal::Journal;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The extension of whole scenes, for changes that a journal cannot hold.
const SCENE: &str = "glb";
/// The extensions of journals, of their locks, and of journals that cannot be read.
const JOURNAL: &str = "journal";
const LOCK: &str = "lock";
const BROKEN: &str = "broken";
/// The extension of journals that were restored in part.
const KEPT: &str = "kept";

/// Maximum size of a journal in bytes.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// A folder of journals.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// The journals that no running viewer has.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The journals, latest first.
    pub(crate) journals: Vec<FoundJournal>,
    /// A line for the user about each journal that could not be read and was renamed.
    pub(crate) broken: Vec<String>,
}

/// The journal of a viewer that has ended. No other viewer finds it until this is dropped.
#[derive(Debug)]
pub(crate) struct FoundJournal {
    pub(crate) journal: Journal,
    path: PathBuf,
    /// Locked.
    _lock: File,
}

impl FoundJournal {
    /// Renames the journal, so that it is kept but not offered again. Returns its new path.
    pub(crate) fn set_aside(self) -> Option<PathBuf> {
        let aside = rename_aside(&self.path, KEPT)?;
        let _ = fs::remove_file(self.path.with_extension(LOCK));
        Some(aside)
    }

    /// Renames the whole scene that is kept beside the journal, deletes the journal, and returns the path of
    /// the scene. Returns `None` if there is no such scene.
    pub(crate) fn take_scene(self) -> Option<PathBuf> {
        let path = new_scene_path(self.path.parent()?, &self.journal.head.scene);
        fs::rename(self.path.with_extension(SCENE), &path).ok()?;
        self.discard();
        Some(path)
    }

    /// Deletes the journal.
    pub(crate) fn discard(self) {
        // A journal that cannot be deleted is offered again.
        for extension in [JOURNAL, SCENE, LOCK] {
            let _ = fs::remove_file(self.path.with_extension(extension));
        }
    }
}

/// The journal file of this process.
#[derive(Debug)]
pub(crate) struct OwnFile {
    path: PathBuf,
    /// Locked.
    _lock: File,
}

impl Store {
    /// Returns the user's folder, `$XDG_DATA_HOME/wgpu-gizmo/rescued` on Linux, or `None` if the user has no
    /// folder for data.
    pub(crate) fn of_user() -> Option<Self> {
        Some(Self::in_folder(user_data::path("rescued")?))
    }

    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Finds and locks the journals of viewers that have ended and for which `wants` returns true. A journal that
    /// cannot be read is renamed.
    pub(crate) fn find(&self, wants: impl Fn(&Journal) -> bool) -> Found {
        let mut found = Found::default();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            // Links, pipes and folders are ignored.
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if !is_file || path.extension().is_none_or(|extension| extension != JOURNAL) {
                continue;
            }
            let Some(lock) = lock(&path.with_extension(LOCK)) else { continue };
            match read(&path) {
                Ok(journal) if wants(&journal) => {
                    found.journals.push(FoundJournal { journal, path, _lock: lock })
                }
                Ok(_) => {}
                // The journal was deleted before it could be locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(why) => found.broken.push(set_aside(&path, &why)),
            }
        }
        found.journals.sort_by_key(|found| std::cmp::Reverse(found.journal.head.time));
        found
    }

    /// Locks a new name for the journal of this process. Creates the folder if needed.
    pub(super) fn create(&self) -> io::Result<OwnFile> {
        create_private_folder(&self.folder)?;
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let process = std::process::id();
        for attempt in 0..100 {
            let path = self.folder.join(format!("{process}-{time:x}-{attempt}.{JOURNAL}"));
            let lock = match private(OpenOptions::new().create_new(true)).open(path.with_extension(LOCK)) {
                Ok(lock) => lock,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            match lock.try_lock() {
                Ok(()) => return Ok(OwnFile { path, _lock: lock }),
                // Another viewer has locked the name while it looked for journals.
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => {
                    let _ = fs::remove_file(path.with_extension(LOCK));
                    return Err(error);
                }
            }
        }
        Err(io::Error::other("the folder cannot be locked"))
    }
}

impl OwnFile {
    /// Replaces the journal, completely or not at all. Only its owner can read it.
    pub(super) fn write(&self, text: &[u8]) -> io::Result<()> {
        if text.len() as u64 > MAX_BYTES {
            return Err(io::Error::other("there are too many changes"));
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        // The permissions of temporary files are 0600.
        let mut file = tempfile::Builder::new().prefix(".wgpu-gizmo-").suffix(".part").tempfile_in(folder)?;
        file.write_all(text)?;
        // The contents must reach the disk before the name does.
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        // Not every system supports this.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Writes the whole scene beside the journal. Only its owner can read it.
    pub(super) fn write_scene(&self, scene: &Scene) -> io::Result<()> {
        let path = self.path.with_extension(SCENE);
        // A save keeps the permissions.
        drop(private(OpenOptions::new().create(true)).open(&path)?);
        gltf_io::save(scene, &path).map(drop).map_err(|error| io::Error::other(error.to_string()))
    }

    /// Deletes the scene beside the journal.
    pub(super) fn clear_scene(&self) -> io::Result<()> {
        remove(&self.path.with_extension(SCENE))
    }

    /// Deletes the journal. The lock is kept.
    pub(super) fn clear(&self) -> io::Result<()> {
        remove(&self.path)?;
        self.clear_scene()
    }

    /// Deletes the lock file of a journal that was cleared.
    pub(super) fn remove_lock(self) {
        if !self.path.exists() {
            let _ = fs::remove_file(self.path.with_extension(LOCK));
        }
    }
}

/// Deletes a file, if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Opens and locks a lock file. Returns `None` if another process has it, or if files cannot be locked here.
fn lock(path: &Path) -> Option<File> {
    let file = private(OpenOptions::new().create(true)).open(path).ok()?;
    file.try_lock().ok().map(|()| file)
}

fn read(path: &Path) -> io::Result<Journal> {
    let mut text = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("it is too large"));
    }
    Journal::of_text(&text).map_err(|error| io::Error::other(error.to_string()))
}

/// Renames a journal that cannot be read, so that it is neither offered again nor lost. Returns a line for
/// the user.
fn set_aside(path: &Path, why: &io::Error) -> String {
    let renamed = rename_aside(path, BROKEN);
    let _ = fs::remove_file(path.with_extension(LOCK));
    let text = match renamed {
        Some(aside) => {
            format!("Could not read a recovery journal: {why}. It was kept as {}.", aside.display())
        }
        None => format!("Could not read the recovery journal {}: {why}.", path.display()),
    };
    readable(&text)
}

fn rename_aside(path: &Path, extension: &str) -> Option<PathBuf> {
    let aside = free_path(|number| path.with_extension(format!("{number}.{extension}")));
    fs::rename(path, &aside).ok().map(|()| aside)
}

/// Creates a folder that only its owner can read, unless it exists.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Opens files for writing, as they are. New ones are readable by their owner alone.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.write(true).truncate(false)
}
