//! Writes files whole or not at all, and tells one state of a file from another.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::{Builder, NamedTempFile};

/// What tells one state of a file from another: how long it is and when it was written. `None`
/// of a file that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disk(Option<(u64, Option<SystemTime>)>);

impl Disk {
    /// As it is now.
    pub(crate) fn of(path: &Path) -> Self {
        Self(fs::metadata(path).ok().as_ref().map(Self::told))
    }

    /// Whether there is such a file.
    pub(crate) fn is_there(self) -> bool {
        self.0.is_some()
    }

    fn told(about: &Metadata) -> (u64, Option<SystemTime>) {
        (about.len(), about.modified().ok())
    }
}

/// Puts these bytes into a file of this name. Whatever happens, the file has its old contents or
/// the new ones; nothing else is left behind. Its permissions stay, and where the name is a link,
/// what it leads to is written. What another program has put there since this began is left alone.
/// An error is a phrase such as "is a folder".
///
/// Answers with the state that the file was given, whatever other programs have made of it since.
pub(crate) fn write(path: &Path, pieces: &[&[u8]]) -> Result<Disk, String> {
    write_with(path, pieces, || ())
}

/// [`write()`], with something done once the new file is whole and before it takes its place.
fn write_with(path: &Path, pieces: &[&[u8]], meanwhile: impl FnOnce()) -> Result<Disk, String> {
    let target = behind_links(path);
    let begun = Disk::of(&target);
    let cannot = |error: io::Error| {
        // Without the temporary file's name, which says nothing to anybody.
        let inner = error.get_ref().and_then(|error| error.source());
        let why = inner.map_or_else(|| error.to_string(), ToString::to_string);
        format!("cannot be written: {why}")
    };
    let old = match fs::metadata(&target) {
        Ok(about) if about.is_dir() => return Err("is a folder, not a file".to_owned()),
        Ok(about) if !about.is_file() => return Err("is not a regular file".to_owned()),
        // A rename would go through all the same: it asks only the folder.
        Ok(about) if about.permissions().readonly() => {
            return Err("cannot be written: it is read-only".to_owned());
        }
        Ok(about) => Some(about.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(cannot(error)),
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("cannot be written: there is no folder {}", folder.display()),
        _ => cannot(error),
    })?;
    fill(&mut file, pieces, old).map_err(cannot)?;
    // While nobody else knows the file: a rename changes neither length nor time, and what another
    // program writes to it a moment later must not be taken for what was written here.
    let disk = Disk(file.as_file().metadata().ok().as_ref().map(Disk::told));
    meanwhile();
    if Disk::of(&target) != begun {
        return Err("was written by another program at the same time; nothing was saved".to_owned());
    }
    file.persist(&target).map_err(|error| cannot(error.error))?;
    // Not every system can do this, and the file itself is safe.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(disk)
}

fn fill(file: &mut NamedTempFile, pieces: &[&[u8]], permissions: Option<Permissions>) -> io::Result<()> {
    for piece in pieces {
        file.write_all(piece)?;
    }
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    // The name must not reach the disk before what it names.
    file.as_file().sync_all()
}

/// A file without a lasting name, in the folder that it will stay in.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".wgpu-gizmo-").suffix(".part");
    if let Some(permissions) = of_new_files() {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

/// Temporary files are for nobody else; these are to be as any other.
fn of_new_files() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

/// What a name leads to, also where nothing is there yet.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("ours").map(|entry| entry.expect("ours").file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a.glb");
        assert_eq!(write(&path, &[b"one", b", two"]), Ok(Disk::of(&path)));
        assert_eq!(fs::read(&path).expect("there"), b"one, two");
        assert_eq!(write(&path, &[b"three"]), Ok(Disk::of(&path)));
        assert_eq!(fs::read(&path).expect("there"), b"three");
        assert_eq!(names(folder.path()), ["a.glb"]);
        assert_eq!(write(folder.path(), &[b""]), Err("is a folder, not a file".to_owned()));
        let nowhere = write(&folder.path().join("none/a.glb"), &[b""]).expect_err("no folder");
        assert!(nowhere.starts_with("cannot be written: there is no folder"), "{nowhere}");
    }

    #[test]
    fn what_another_program_writes_in_the_middle_is_not_lost() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a.glb");
        for before in [None, Some(b"old")] {
            before.map_or_else(|| drop(fs::remove_file(&path)), |old| fs::write(&path, old).expect("ours"));
            let other = || fs::write(&path, b"another's").expect("ours");
            let error = write_with(&path, &[b"mine"], other).expect_err("it is another file");
            assert!(error.contains("by another program"), "{error}");
            assert_eq!(fs::read(&path).expect("there"), b"another's");
            assert_eq!(names(folder.path()), ["a.glb"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_links_are_written_through() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).expect("ours");
        fs::write(path("deep/real"), b"old").expect("ours");
        fs::set_permissions(path("deep/real"), Permissions::from_mode(0o640)).expect("ours");
        symlink("deep/real", path("link")).expect("ours");
        symlink(path("link"), path("link of link")).expect("ours");
        symlink("deep/new", path("dangling")).expect("ours");
        assert_eq!(write(&path("link of link"), &[b"new"]), Ok(Disk::of(&path("deep/real"))));
        assert_eq!(write(&path("dangling"), &[b"first"]), Ok(Disk::of(&path("deep/new"))));
        assert_eq!(fs::read(path("deep/real")).expect("there"), b"new");
        assert_eq!(fs::read(path("deep/new")).expect("there"), b"first");
        let mode = |name: &str| fs::metadata(path(name)).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode("deep/real"), 0o640);
        fs::write(path("plain"), b"").expect("ours");
        assert_eq!(mode("deep/new"), mode("plain"), "as the person's other files");
        assert!(fs::symlink_metadata(path("link")).expect("there").is_symlink());
    }

    #[test]
    fn a_read_only_file_keeps_its_contents() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a.glb");
        fs::write(&path, b"old").expect("ours");
        let mut permissions = fs::metadata(&path).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("ours");
        assert_eq!(write(&path, &[b"new"]), Err("cannot be written: it is read-only".to_owned()));
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert_eq!(names(folder.path()), ["a.glb"]);
    }

    /// Not even root can put a file there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_says_so() {
        let error = write(Path::new("/proc/self/a.glb"), &[b"new"]).expect_err("no such place");
        assert!(error.starts_with("cannot be written"), "{error}");
    }
}
