//! Writes files atomically and detects whether a file has changed.

pub use crate::file_stamp::{FileStamp, Fingerprint, Restriction};

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Writes a file atomically: whatever happens, it has either its old or its new contents, and no other
/// file is left behind. Permissions are kept, and so is the owner if the system allows it. Symbolic
/// links are followed. If another program writes the file during the call, the file is left alone and
/// an error is returned. Errors are phrases such as "is a folder".
///
/// Returns the state of the file as it was written, even if another program changes it right after.
pub fn write(path: &Path, pieces: &[&[u8]]) -> Result<FileStamp, String> {
    write_over(path, FileStamp::of(path), pieces, Restriction::default())
}

/// Like [`write()`], but fails if the file is no longer in the state `seen`, so that changes by other programs are
/// not lost. If not everybody may read the contents, the permissions of the file are restricted before anything is
/// written to it.
pub(crate) fn write_over(
    path: &Path,
    seen: FileStamp,
    pieces: &[&[u8]],
    restriction: Restriction,
) -> Result<FileStamp, String> {
    write_with(path, seen, (pieces, restriction), || ())
}

/// Like [`write_over()`], and calls `before_rename` when the new file is complete but has not replaced
/// the old one yet.
fn write_with(
    path: &Path,
    seen: FileStamp,
    (pieces, restriction): (&[&[u8]], Restriction),
    before_rename: impl FnOnce(),
) -> Result<FileStamp, String> {
    let target = resolve_links(path);
    let conflict = || "was changed by another program in the meantime; nothing was saved".to_owned();
    let old = check(&target)?;
    if FileStamp::of(&target) != seen {
        return Err(conflict());
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if !folder.exists() => {
            format!("could not be written: there is no folder {}", folder.display())
        }
        _ => write_error(error),
    })?;
    fill(&mut file, pieces, (old.as_ref(), restriction)).map_err(write_error)?;
    // Taken before the rename, which changes neither length nor time: afterwards another program could
    // write the file, and its contents must not be taken for those written here.
    let metadata = file.as_file().metadata().map_err(write_error)?;
    let disk = FileStamp::of_metadata(&metadata).with_contents(pieces);
    before_rename();
    if FileStamp::of(&target) != seen {
        return Err(conflict());
    }
    let persisted = match old {
        Some(_) => file.persist(&target),
        // Fails if the file has been created in the meantime, on systems that can check this atomically.
        None => file.persist_noclobber(&target).or_else(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => error.file.persist(&target),
        }),
    };
    let written = persisted.map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => conflict(),
        _ => write_error(error.error),
    })?;
    // Errors are ignored: not every system supports this, and the file itself is safe.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    remove_stale_parts(folder, STALE_AGE);
    Ok(disk.renamed(&written))
}

/// Age at which an unfinished file is certainly left over from a program that was killed.
const STALE_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes unfinished files of [`new_file`] that were last written at least `min_age` ago.
fn remove_stale_parts(folder: &Path, min_age: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let is_ours =
            name.to_str().is_some_and(|name| name.starts_with(PART_PREFIX) && name.ends_with(PART_SUFFIX));
        let is_file = is_ours && entry.file_type().is_ok_and(|kind| kind.is_file());
        let written = entry.metadata().ok().filter(|_| is_file).and_then(|metadata| metadata.modified().ok());
        if written.is_some_and(|written| written.elapsed().is_ok_and(|age| age >= min_age)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Prefix and suffix of the names of unfinished files.
const PART_PREFIX: &str = ".wgpu-gizmo-";
const PART_SUFFIX: &str = ".part";

fn write_error(error: io::Error) -> String {
    let why = error.to_string();
    // Leaves out the name of the temporary file, which does not help the user.
    let why = why.split_once(" at path ").map_or(why.as_str(), |(why, _)| why);
    format!("could not be written: {why}")
}

/// Returns the metadata of the file to be replaced, or `None` if there is none. A file that cannot be
/// written is an error.
fn check(target: &Path) -> Result<Option<Metadata>, String> {
    let metadata = match fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(write_error(error)),
    };
    if metadata.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    // Checked here because a rename depends only on the permissions of the folder.
    if metadata.permissions().readonly() {
        return Err("could not be written: it is read-only".to_owned());
    }
    OpenOptions::new().write(true).open(target).map_err(write_error)?;
    Ok(Some(metadata))
}

fn fill(
    file: &mut NamedTempFile,
    pieces: &[&[u8]],
    (old, restriction): (Option<&Metadata>, Restriction),
) -> io::Result<()> {
    // Set before there is any content that only some users may read.
    if let Some(old) = old {
        adopt_owner(file.as_file(), old);
        file.as_file().set_permissions(old.permissions())?;
    }
    restriction.apply(file.as_file())?;
    for piece in pieces {
        file.write_all(piece)?;
    }
    // The contents must reach the disk before the name does.
    file.as_file().sync_all()
}

/// Gives a new file the owner and the group of the old one, as far as the user is allowed to: a file
/// that is shared within a group stays shared, and a file that an administrator saves keeps its owner.
fn adopt_owner(file: &File, old: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            let _ = fchown(file, None, Some(old.gid()));
        }
    }
    #[cfg(not(unix))]
    let _ = (file, old);
}

/// Returns a remark if the file has other names (hard links), because those keep the old contents.
pub fn hard_link_remark(path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let others = fs::metadata(path).ok().filter(Metadata::is_file)?.nlink().saturating_sub(1);
        (others > 0).then(|| format!("its other names (hard links: {others}) keep the old contents"))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Creates a file with a temporary name in its final folder.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PART_PREFIX).suffix(PART_SUFFIX);
    // Those of an ordinary new file: temporary files would be private by default.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Resolves symbolic links, also if the final file does not exist.
pub fn resolve_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::fs::Permissions;

    /// Returns a temporary folder, and the path of a file in it that does not exist yet.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = folder.path().join("a.glb");
        (folder, path)
    }

    fn read(path: &Path) -> Vec<u8> {
        fs::read(path).expect("the file exists")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder)
            .expect("the folder is readable")
            .map(|entry| entry.expect("the entry is readable").file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Asserts that a file has these contents and is the only one in its folder.
    fn assert_only(path: &Path, contents: &[u8]) {
        let folder = path.parent().expect("the path has a folder");
        assert_eq!((read(path), names(folder)), (contents.to_vec(), vec!["a.glb".to_owned()]));
    }

    #[test]
    fn write_replaces_file_and_leaves_nothing_else() {
        let (folder, path) = place();
        for (pieces, wanted) in [(&[&b"one"[..], b", two"][..], &b"one, two"[..]), (&[b"three"], b"three")] {
            assert_eq!(write(&path, pieces), Ok(FileStamp::of(&path)));
            assert_only(&path, wanted);
        }
        assert_eq!(write(folder.path(), &[b""]), Err("is a folder, not a file".to_owned()));
        let nowhere = write(&folder.path().join("none/a.glb"), &[b""]);
        let nowhere = nowhere.expect_err("the folder does not exist");
        assert!(nowhere.starts_with("could not be written: there is no folder"), "{nowhere}");
        if cfg!(target_os = "linux") {
            let refused = write(Path::new("/proc/a.glb"), &[b""]).expect_err("no file can be created there");
            assert!(!refused.contains("folder") && !refused.contains(".part"), "{refused}");
        }
    }

    #[test]
    fn write_by_other_program_is_kept() {
        let (_folder, path) = place();
        let other = || fs::write(&path, b"another's").expect("the folder is writable");
        let refused = |seen, during: &dyn Fn()| {
            let written = write_with(&path, seen, (&[b"mine"], Restriction::default()), during);
            let error = written.expect_err("the file was changed");
            assert!(error.contains("by another program"), "{error}");
            assert_only(&path, b"another's");
        };
        refused(FileStamp::of(&path), &other);
        fs::write(&path, b"old").expect("the folder is writable");
        refused(FileStamp::of(&path), &other);
        // The file appeared before the write began.
        refused(FileStamp::MISSING, &|| ());
        assert!(write_over(&path, FileStamp::of(&path), &[b"mine"], Restriction::default()).is_ok());
        assert_only(&path, b"mine");
    }

    #[test]
    fn stale_unfinished_files_are_removed() {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = |name: &str| folder.path().join(name);
        let left = [".wgpu-gizmo-x7.part", ".wgpu-gizmo-x7", "other.part", "a.glb"];
        left.iter().for_each(|name| fs::write(path(name), b"half").expect("the folder is writable"));
        fs::create_dir(path(".wgpu-gizmo-x8.part")).expect("the folder is writable");
        assert!(write(&path("a.glb"), &[b"new"]).is_ok());
        assert_eq!(names(folder.path()).len(), 5, "recent files may be in use");
        remove_stale_parts(folder.path(), Duration::ZERO);
        assert_eq!(names(folder.path()), [".wgpu-gizmo-x7", ".wgpu-gizmo-x8.part", "a.glb", "other.part"]);
    }

    #[cfg(unix)]
    #[test]
    fn group_is_kept_and_hard_links_are_reported() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), b"old").expect("the folder is writable");
        // Only an administrator can change the owner of a file.
        let is_given = chown(path("a"), Some(12345), Some(54321)).is_ok();
        let owner = |name: &str| {
            let metadata = fs::metadata(path(name)).expect("the file exists");
            (metadata.uid(), metadata.gid())
        };
        let before = owner("a");
        assert_eq!(is_given, before == (12345, 54321));
        assert_eq!(hard_link_remark(&path("a")), None);
        fs::hard_link(path("a"), path("b")).expect("the folder is writable");
        assert!(hard_link_remark(&path("a")).is_some_and(|names| names.contains("hard links: 1")));
        assert!(write(&path("a"), &[b"new"]).is_ok());
        assert_eq!(owner("a"), before);
        assert_eq!((read(&path("a")), read(&path("b"))), (b"new".to_vec(), b"old".to_vec()));
        assert_eq!(hard_link_remark(&path("a")), None);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_symlinks_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).expect("the folder is writable");
        fs::write(path("deep/real"), b"old").expect("the folder is writable");
        fs::set_permissions(path("deep/real"), Permissions::from_mode(0o640))
            .expect("the folder is writable");
        symlink("deep/real", path("link")).expect("the folder is writable");
        symlink(path("link"), path("link of link")).expect("the folder is writable");
        symlink("deep/new", path("dangling")).expect("the folder is writable");
        assert_eq!(write(&path("link of link"), &[b"new"]), Ok(FileStamp::of(&path("deep/real"))));
        assert_eq!(write(&path("dangling"), &[b"first"]), Ok(FileStamp::of(&path("deep/new"))));
        assert_eq!((read(&path("deep/real")), read(&path("deep/new"))), (b"new".to_vec(), b"first".to_vec()));
        let mode =
            |name: &str| fs::metadata(path(name)).expect("the file exists").permissions().mode() & 0o777;
        assert_eq!(mode("deep/real"), 0o640);
        fs::write(path("plain"), b"").expect("the folder is writable");
        assert_eq!(mode("deep/new"), mode("plain"), "like the user's other files");
        assert!(fs::symlink_metadata(path("link")).expect("the file exists").is_symlink());
    }

    #[test]
    fn read_only_file_is_not_overwritten() {
        let (_folder, path) = place();
        fs::write(&path, b"old").expect("the folder is writable");
        let mut permissions = fs::metadata(&path).expect("the file exists").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("the folder is writable");
        assert_eq!(write(&path, &[b"new"]), Err("could not be written: it is read-only".to_owned()));
        assert_only(&path, b"old");
    }
}
