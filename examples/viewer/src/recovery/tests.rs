//! Tests of journals on disk: who owns them, when they are written, and what happens to bad ones.

use super::*;
use scene::built_in;
use session::editor::Editor;
use session::journal::{Journal, JournalHead};
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// Returns a journal with one change, which is a move to this x.
fn journal(time: u64, x: f64) -> Journal {
    let mut editor = Editor::new(built_in::scene()).expect("there are enough ids");
    let local = Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
    editor.select_by_name(["crate"]);
    editor.adjust("x", "Translate {}", |_, _| local);
    editor.settle();
    Journal::of(&editor, None, JournalHead { time, ..JournalHead::default() })
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("the temporary folder can be written"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("rescued")
    }

    fn store(&self) -> Store {
        Store::in_folder(self.path())
    }

    fn writer(&self) -> (Writer, mpsc::Receiver<String>) {
        let (sender, failures) = mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        let on_failure = move |why| drop(sender.lock().map(|sender| sender.send(why)));
        (Writer::start(self.store(), Box::new(on_failure)).expect("threads can be started"), failures)
    }

    /// Returns the names of all files with an extension.
    fn files(&self, extension: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().filter_map(Result::ok);
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
    }

    fn only_journal(&self) -> String {
        let [path] = &self.files("journal")[..] else { panic!("{:?}", self.files("journal")) };
        fs::read_to_string(path).expect("the file is readable")
    }
}

fn wait(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn changes_are_on_disk_within_five_seconds() {
    let folder = Folder::new();
    let (writer, _failures) = folder.writer();
    let started = Instant::now();
    writer.write(journal(1, 1.0), None);
    wait("the first change is not written", || !folder.files("journal").is_empty());
    // Many changes, of which the last counts.
    (2..20).for_each(|time| writer.write(journal(time, time as f64), None));
    wait("the last change is not written", || folder.only_journal() == journal(19, 19.0).to_text());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    writer.clear();
    wait("the journal stays", || folder.files("journal").is_empty());
    assert_eq!(folder.files("lock").len(), 1);
    writer.finish();
    assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0), "nothing is left");
}

#[test]
fn flush_and_panic_hook_write_at_once() {
    let folder = Folder::new();
    let (writer, _failures) = folder.writer();
    for time in 0..5 {
        writer.write(journal(time, 0.5), None);
        writer.flush().expect("the folder is writable");
        assert_eq!(folder.only_journal(), journal(time, 0.5).to_text());
    }
    writer.register();
    install_panic_hook();
    writer.write(journal(9, 0.25), None);
    let panicked = thread::spawn(|| panic!("on purpose, to see what the hook does")).join();
    assert!(panicked.is_err());
    assert_eq!(folder.only_journal(), journal(9, 0.25).to_text());
}

#[test]
fn journals_of_running_viewers_are_left_alone() {
    let folder = Folder::new();
    let (first, _first) = folder.writer();
    let (second, _second) = folder.writer();
    for (writer, time) in [(&first, 10), (&second, 20)] {
        writer.write(journal(time, time as f64), None);
        writer.flush().expect("the folder is writable");
    }
    assert_eq!(folder.files("journal").len(), 2);
    assert!(folder.store().find(|_| true).journals.is_empty());
    // Dropping the writer is all that the end of its process does: the lock goes, the journal stays.
    drop(first);
    wait("the lock is kept", || !folder.store().find(|_| true).journals.is_empty());
    let found = folder.store().find(|_| true);
    assert_eq!(found.journals.iter().map(|found| found.journal.head.time).collect::<Vec<_>>(), [10]);
    assert!(folder.store().find(|_| true).journals.is_empty(), "nobody else finds it");
    drop(found);
    drop(second);
    wait("the lock is kept", || folder.store().find(|_| true).journals.len() == 2);
    let found = folder.store().find(|_| true);
    let times: Vec<u64> = found.journals.iter().map(|found| found.journal.head.time).collect();
    assert_eq!(times, [20, 10], "latest first");
    found.journals.into_iter().for_each(FoundJournal::discard);
    assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0), "nothing is left");
}

#[test]
fn unreadable_journals_are_renamed_and_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path()).expect("the temporary folder can be written");
    let put = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).expect("the temporary folder can be written");
    };
    put("empty.journal", b"");
    put("noise.journal", b"\xff\0\x1b[31m");
    put("deep.journal", "[".repeat(100_000).as_bytes());
    put("other.journal", b"{\"journal\": 7}");
    put("good.journal", journal(3, 1.0).to_text().as_bytes());
    let huge = fs::File::create(folder.path().join("huge.journal")).expect("the folder is writable");
    // Takes no space on disk.
    huge.set_len(store::MAX_BYTES + 2).expect("the folder is writable");
    fs::create_dir(folder.path().join("folder.journal")).expect("the folder is writable");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("link.journal")).expect("links can be made");
    let found = folder.store().find(|_| true);
    assert_eq!((found.journals.len(), found.broken.len()), (1, 5), "{:?}", found.broken);
    assert_eq!(folder.files("broken").len(), 5);
    for line in &found.broken {
        assert!(
            line.starts_with("Could not read a recovery journal: ") && line.contains(".1.broken"),
            "{line}"
        );
        assert!(!line.contains('\x1b'), "{line}");
    }
    drop(found);
    let again = folder.store().find(|_| true);
    assert_eq!((again.journals.len(), again.broken.len()), (1, 0), "each is named once");
}

#[test]
fn failed_write_is_reported_once_and_tried_again() {
    let folder = Folder::new();
    // A file is where the folder should be.
    fs::write(folder.path(), b"").expect("the temporary folder can be written");
    let (writer, failures) = folder.writer();
    for time in 0..3 {
        writer.write(journal(time, 1.0), None);
        assert!(writer.flush().is_err());
    }
    assert_eq!(failures.try_iter().count(), 1);
    fs::remove_file(folder.path()).expect("the temporary folder can be written");
    wait("nothing is tried again", || !folder.files("journal").is_empty());
    assert_eq!(folder.only_journal(), journal(2, 1.0).to_text());
    assert_eq!(failures.try_iter().count(), 0);
}

#[test]
fn whole_scene_is_stored_beside_private_journal_and_restored() {
    let folder = Folder::new();
    let (writer, _failures) = folder.writer();
    let whole = |time| {
        let mut journal = journal(time, 1.0);
        journal.head.is_whole = true;
        journal.head.scene = "../../arm:1\n.gltf".to_owned();
        journal
    };
    writer.write(whole(1), Some(built_in::scene()));
    writer.flush().expect("the folder is writable");
    assert_eq!(folder.files("glb").len(), 1);
    writer.write(journal(2, 1.0), None);
    writer.flush().expect("the folder is writable");
    assert!(folder.files("glb").is_empty(), "the journal holds everything again");
    writer.write(whole(3), Some(built_in::scene()));
    writer.flush().expect("the folder is writable");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).expect("the file exists").permissions().mode() & 0o777;
        assert_eq!(mode(&folder.path()), 0o700);
        let files = ["journal", "lock", "glb"].map(|extension| folder.files(extension));
        assert!(
            files.concat().iter().all(|path| mode(path) == 0o600) && files.iter().all(|all| all.len() == 1)
        );
    }
    drop(writer);
    wait("the lock is kept", || !folder.store().find(|_| true).journals.is_empty());
    let found = folder.store().find(|_| true).journals.pop().expect("there is one");
    let path = found.take_scene().expect("the scene can be renamed");
    assert_eq!(path, folder.path().join("arm_1_ 1.glb"));
    let read = gltf_io::open(&path).expect("the scene is complete");
    assert_eq!(read.nodes().len(), built_in::scene().nodes().len());
    assert!(folder.files("journal").is_empty() && folder.files("lock").is_empty());
}
