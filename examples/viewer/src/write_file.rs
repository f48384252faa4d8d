//! Writes files whole or not at all, and tells one state of a file from another.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
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
/// the new ones; nothing else is left behind. Its permissions stay, and its owner where the system
/// lets that be; where the name is a link, what it leads to is written. What another program has put
/// there since this began is left alone. An error is a phrase such as "is a folder".
///
/// Answers with the state that the file was given, whatever other programs have made of it since.
pub(crate) fn write(path: &Path, pieces: &[&[u8]]) -> Result<Disk, String> {
    write_over(path, Disk::of(path), pieces)
}

/// As [`write()`], over a file that was last seen like this: what another program has put there
/// since then is left alone.
pub(crate) fn write_over(path: &Path, seen: Disk, pieces: &[&[u8]]) -> Result<Disk, String> {
    write_with(path, seen, pieces, || ())
}

/// [`write_over()`], with something done once the new file is whole and before it takes its place.
fn write_with(path: &Path, seen: Disk, pieces: &[&[u8]], meanwhile: impl FnOnce()) -> Result<Disk, String> {
    let target = behind_links(path);
    let overtaken = || "was written by another program at the same time; nothing was saved".to_owned();
    let old = check(&target)?;
    if Disk::of(&target) != seen {
        return Err(overtaken());
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("cannot be written: there is no folder {}", folder.display()),
        _ => cannot(error),
    })?;
    fill(&mut file, pieces, old.as_ref()).map_err(cannot)?;
    // While nobody else knows the file: a rename changes neither length nor time, and what another
    // program writes to it a moment later must not be taken for what was written here.
    let disk = Disk(file.as_file().metadata().ok().as_ref().map(Disk::told));
    meanwhile();
    if Disk::of(&target) != seen {
        return Err(overtaken());
    }
    let put = match old {
        Some(_) => file.persist(&target),
        // The system itself sees to it that there is nothing, where it can.
        None => file.persist_noclobber(&target).or_else(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => error.file.persist(&target),
        }),
    };
    put.map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => overtaken(),
        _ => cannot(error.error),
    })?;
    // Not every system can do this, and the file itself is safe.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    sweep(folder, OLD);
    Ok(disk)
}

/// What a program has left that was killed while it wrote is of no use to anybody after this.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes files of [`new_file`] that nobody has written to for so long.
fn sweep(folder: &Path, old: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(BEGIN) && name.ends_with(END));
        let is_file = is_ours && entry.file_type().is_ok_and(|kind| kind.is_file());
        let written = entry.metadata().ok().filter(|_| is_file).and_then(|about| about.modified().ok());
        if written.is_some_and(|written| written.elapsed().is_ok_and(|age| age >= old)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How the names of files begin and end that are not whole yet.
const BEGIN: &str = ".wgpu-gizmo-";
const END: &str = ".part";

fn cannot(error: io::Error) -> String {
    let why = error.to_string();
    // Without the temporary file's name, which says nothing to anybody.
    let why = why.split_once(" at path ").map_or(why.as_str(), |(why, _)| why);
    format!("cannot be written: {why}")
}

/// What is there already, if anything is; an error where it is not to be written.
fn check(target: &Path) -> Result<Option<Metadata>, String> {
    let about = match fs::metadata(target) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
    };
    if about.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !about.is_file() {
        return Err("is not a regular file".to_owned());
    }
    // A rename would go through all the same: it asks only the folder.
    if about.permissions().readonly() {
        return Err("cannot be written: it is read-only".to_owned());
    }
    OpenOptions::new().write(true).open(target).map_err(cannot)?;
    Ok(Some(about))
}

fn fill(file: &mut NamedTempFile, pieces: &[&[u8]], old: Option<&Metadata>) -> io::Result<()> {
    // Before there is anything in it that not everybody may read.
    if let Some(old) = old {
        adopt_owner(file.as_file(), old);
        file.as_file().set_permissions(old.permissions())?;
    }
    for piece in pieces {
        file.write_all(piece)?;
    }
    // The name must not reach the disk before what it names.
    file.as_file().sync_all()
}

/// Gives a new file the owner and the group of the old one, as far as this person may: a file that
/// is shared within a group stays so, and what an administrator saves stays the person's.
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

/// What to say where the file has other names (hard links): they keep what it had.
pub(crate) fn other_names(path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let others = fs::metadata(path).ok().filter(Metadata::is_file)?.nlink().saturating_sub(1);
        (others > 0).then(|| format!("its other names (hard links: {others}) keep the old file"))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// A file without a lasting name, in the folder that it will stay in.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(BEGIN).suffix(END);
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
            let error =
                write_with(&path, Disk::of(&path), &[b"mine"], other).expect_err("it is another file");
            assert!(error.contains("by another program"), "{error}");
            assert_eq!(fs::read(&path).expect("there"), b"another's");
            assert_eq!(names(folder.path()), ["a.glb"]);
        }
    }

    #[test]
    fn what_a_killed_program_left_is_swept_up_once_it_is_old() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |name: &str| folder.path().join(name);
        let left = [".wgpu-gizmo-x7.part", ".wgpu-gizmo-x7", "other.part", "a.glb"];
        left.iter().for_each(|name| fs::write(path(name), b"half").expect("ours"));
        fs::create_dir(path(".wgpu-gizmo-x8.part")).expect("ours");
        assert!(write(&path("a.glb"), &[b"new"]).is_ok());
        assert_eq!(names(folder.path()).len(), 5, "it may be somebody's yet");
        sweep(folder.path(), Duration::ZERO);
        assert_eq!(names(folder.path()), [".wgpu-gizmo-x7", ".wgpu-gizmo-x8.part", "a.glb", "other.part"]);
    }

    #[test]
    fn what_another_program_wrote_since_the_file_was_seen_is_not_lost() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a.glb");
        let nothing = Disk::of(&path);
        fs::write(&path, b"another's").expect("ours");
        let error = write_over(&path, nothing, &[b"mine"]).expect_err("there was nothing");
        assert!(error.contains("by another program"), "{error}");
        assert_eq!(
            (fs::read(&path).expect("there"), names(folder.path())),
            (b"another's".to_vec(), vec!["a.glb".to_owned()])
        );
        assert!(write_over(&path, Disk::of(&path), &[b"mine"]).is_ok());
        assert_eq!(fs::read(&path).expect("there"), b"mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_group_and_its_other_names_are_said_to_keep_the_old_one() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), b"old").expect("ours");
        // Only an administrator can give files away.
        let is_given = chown(path("a"), Some(12345), Some(54321)).is_ok();
        let owner =
            |name: &str| fs::metadata(path(name)).map(|about| (about.uid(), about.gid())).expect("there");
        let before = owner("a");
        assert_eq!(is_given, before == (12345, 54321));
        assert_eq!(other_names(&path("a")), None);
        fs::hard_link(path("a"), path("b")).expect("ours");
        assert!(other_names(&path("a")).is_some_and(|names| names.contains("hard links: 1")));
        assert!(write(&path("a"), &[b"new"]).is_ok());
        assert_eq!(owner("a"), before);
        assert_eq!(
            (fs::read(path("a")).expect("there"), fs::read(path("b")).expect("there")),
            (b"new".to_vec(), b"old".to_vec())
        );
        assert_eq!(other_names(&path("a")), None);
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
        assert!(error.starts_with("cannot be written") && !error.contains(".part"), "{error}");
    }
}
