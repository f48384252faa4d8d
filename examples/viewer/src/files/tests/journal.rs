//! Tests of the offer to restore the changes of viewers that were killed.

use super::*;
use crate::recovery::Store;

impl TestSession {
    /// Returns a session with a journal and a file `a.gltf`, whose node was moved to x = 5.
    fn edited() -> (Self, PathBuf) {
        let mut session = Self::with_recovery();
        let path = session.write("a.gltf", 1.0);
        session.open(&path);
        session.move_to(5.0);
        (session, path)
    }

    fn with_recovery() -> Self {
        let mut session = Self::new();
        session.start_recovery();
        session
    }

    fn start_recovery(&mut self) {
        self.files.start_recovery(Store::in_folder(self.path("rescued")));
    }

    /// Writes the journal and ends, as a killed viewer does. Returns a new session with the same folder.
    fn kill_and_restart(mut self) -> Self {
        let is_kept = self.files.flush_journal(&self.editor).expect("the folder is writable");
        assert!(is_kept);
        let count = self.journals();
        let Self { folder, files, .. } = self;
        drop(files);
        let store = Store::in_folder(folder.path().join("rescued"));
        let started = std::time::Instant::now();
        while store.find(|_| true).journals.len() < count {
            assert!(started.elapsed() < Duration::from_secs(30), "the thread of the writer goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut session = Self { folder, ..Self::new() };
        session.start_recovery();
        session
    }

    /// Moves the first node, which is one undo step.
    fn move_to(&mut self, x: f64) {
        let name = self.editor.scene().nodes()[0].name.clone();
        self.editor.select_by_name([name.as_str()]);
        let to = |_, local: &Transform| Transform { translation: DVec3::X * x, ..*local };
        self.editor.adjust("x", "Translate {}", to);
        self.editor.settle();
    }

    fn journals(&self) -> usize {
        let entries = fs::read_dir(self.path("rescued")).into_iter().flatten().filter_map(Result::ok);
        entries.filter(|entry| entry.path().extension().is_some_and(|found| found == "journal")).count()
    }

    /// Returns the text of the offer that is shown.
    fn offer(&self) -> String {
        match &self.files.dialog {
            Some(Dialog::Question(question @ Question::Recovered(_))) => question.text("a"),
            other => panic!("no offer but {other:?}"),
        }
    }

    /// Opens a file and asks about its journals, as the window does.
    fn open_with_offer(&mut self, path: &Path) {
        self.open(path);
        self.files.offer_for_open_file();
    }

    fn restore(&mut self) {
        self.answer(Answer::Save);
        if self.files.loading().is_some() {
            self.wait_until_loaded();
            self.files.offer_for_open_file();
        }
        assert!(self.files.wants_restore());
        self.files.restore(&mut self.editor);
    }
}

#[test]
fn unsaved_change_is_offered_and_restored() {
    let mut session = TestSession::with_recovery();
    let path = session.write("a.gltf", 1.0);
    session.open_with_offer(&path);
    assert!(session.files.dialog.is_none(), "there is nothing to offer");
    session.move_to(0.1 + 0.2);
    let mut session = session.kill_and_restart();
    session.open_with_offer(&path);
    assert_eq!(session.offer(), "Recovered: a.gltf, 1 change, less than a minute ago.");
    session.restore();
    assert_eq!(session.x(), 0.1 + 0.2);
    assert!(!session.editor.is_saved());
    assert_eq!(session.journals(), 1, "it is the journal of this viewer now");
    session.request(Request::Save);
    session.files.update_journal(&session.editor);
    session.files.flush_journal(&session.editor).expect("the folder is writable");
    assert_eq!(session.journals(), 0, "everything is saved");
}

#[test]
fn start_without_file_offers_journals_of_all_files() {
    let (session, path) = TestSession::edited();
    let mut session = session.kill_and_restart();
    session.files.offer_all();
    session.restore();
    assert_eq!((session.x(), session.files.file.path()), (5.0, Some(path.as_path())));
    // Another kill, and the offer is left for later twice.
    let mut session = session.kill_and_restart();
    for _ in 0..2 {
        session.files.offer_all();
        assert!(session.offer().starts_with("Recovered: a.gltf, 1 change"));
        session.answer(Answer::Cancel);
        assert_eq!(session.journals(), 1);
    }
    session.files.offer_all();
    session.answer(Answer::Discard);
    assert!(session.files.dialog.is_none() && session.journals() == 0);
}

#[test]
fn journal_is_not_restored_into_other_file() {
    let (session, path) = TestSession::edited();
    let mut session = session.kill_and_restart();
    let other = session.write("b.gltf", 2.0);
    session.files.offer_all();
    session.answer(Answer::Save);
    // Another file is dropped while that of the journal is loaded.
    session.request(Request::OpenFile(other));
    while session.files.file.path().is_none() {
        session.wait_until_loaded();
    }
    session.files.offer_for_open_file();
    assert!(!session.files.wants_restore() && session.x() == 2.0);
    session.open_with_offer(&path);
    session.restore();
    assert_eq!(session.x(), 5.0);
}

#[test]
fn discarding_one_journal_offers_next_one() {
    let (session, _) = TestSession::edited();
    let mut session = session.kill_and_restart();
    let other = session.write("b.gltf", 1.0);
    session.open(&other);
    session.move_to(3.0);
    let mut session = session.kill_and_restart();
    // Leaving one for later leaves all.
    session.files.offer_all();
    session.answer(Answer::Cancel);
    assert!(session.files.dialog.is_none() && session.journals() == 2);
    session.files.offer_all();
    let mut offers = [0, 1].map(|left| {
        let offer = session.offer();
        session.answer(Answer::Discard);
        assert!(session.journals() == 1 - left, "{offer}");
        offer
    });
    offers.sort();
    assert!(offers[0].contains("a.gltf") && offers[1].contains("b.gltf"), "{offers:?}");
    assert!(session.files.dialog.is_none());
}

#[test]
fn changed_file_is_reported_and_rest_is_kept() {
    let (session, path) = TestSession::edited();
    let mut session = session.kill_and_restart();
    session.write("a.gltf", 2.0);
    session.open_with_offer(&path);
    assert!(session.offer().contains("The file was changed since then"), "{}", session.offer());
    session.restore();
    assert_eq!(session.x(), 5.0, "the node is still there");
    let mut session = session.kill_and_restart();
    let text = fs::read_to_string(&path).expect("the file exists").replace(r#""a""#, r#""b""#);
    fs::write(&path, text).expect("the folder is writable");
    session.open_with_offer(&path);
    session.restore();
    let Some(Dialog::Message(message)) = &session.files.dialog else { panic!("{:?}", session.files.dialog) };
    assert!(message.contains("without a: there is no such node") && message.contains(".kept"), "{message}");
    assert_eq!((session.x(), session.journals()), (2.0, 0));
}

#[test]
fn missing_file_can_only_be_discarded_or_left() {
    let (session, path) = TestSession::edited();
    let mut session = session.kill_and_restart();
    fs::remove_file(&path).expect("the file exists");
    session.files.offer_all();
    assert!(session.offer().ends_with("The file no longer exists."));
    session.answer(Answer::Save);
    assert!(!session.files.wants_restore() && session.journals() == 1);
}

#[test]
fn discarding_changes_knowingly_deletes_journal() {
    let (mut session, _) = TestSession::edited();
    session.files.flush_journal(&session.editor).expect("the folder is writable");
    assert_eq!(session.journals(), 1);
    session.request(Request::Quit);
    session.answer(Answer::Discard);
    assert!(session.files.closes);
    session.files.finish_recovery();
    assert_eq!(fs::read_dir(session.path("rescued")).map(Iterator::count).ok(), Some(0));
}

#[test]
fn undo_to_saved_state_deletes_journal() {
    let (mut session, _) = TestSession::edited();
    for journals in [1, 0, 1] {
        match journals {
            1 => session.move_to(5.0),
            _ => session.editor.go_to_step(0),
        }
        session.files.flush_journal(&session.editor).expect("the folder is writable");
        assert_eq!(session.journals(), journals);
    }
}

#[test]
fn scene_of_deleted_file_is_offered_as_copy() {
    let (mut session, path) = TestSession::edited();
    fs::remove_file(&path).expect("the file exists");
    session.wait_until_gone();
    let mut session = session.kill_and_restart();
    session.files.offer_all();
    assert!(session.offer().starts_with("Recovered: a.gltf, the whole scene, "), "{}", session.offer());
    session.answer(Answer::Save);
    session.wait_until_loaded();
    assert_eq!(session.x(), 5.0);
    assert_eq!(session.files.file.path(), Some(session.path("rescued/a 1.glb").as_path()));
    assert!(session.journals() == 0 && session.editor.is_saved());
}

#[test]
fn whole_scene_of_longest_file_name_is_kept() {
    let mut session = TestSession::with_recovery();
    let path = session.write(&format!("{}.gltf", "a".repeat(250)), 1.0);
    session.open(&path);
    session.move_to(5.0);
    let rescued = session.files.rescue(Some(&session.path("other")), &session.editor);
    let rescued = rescued.unwrap_or_else(|error| panic!("{error}")).expect("it is not saved");
    assert!(rescued.starts_with(session.path("other")), "{}", rescued.display());
    fs::remove_file(&path).expect("the file exists");
    session.wait_until_gone();
    let mut session = session.kill_and_restart();
    session.files.offer_all();
    session.answer(Answer::Save);
    session.wait_until_loaded();
    assert!(session.x() == 5.0 && session.journals() == 0);
}

#[test]
fn node_restored_by_undo_after_save_is_kept() {
    let mut session = TestSession::with_recovery();
    let path = session.path("two.gltf");
    let text =
        r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"nodes":[{"name":"a"},{"name":"b"}]}"#;
    fs::write(&path, text).expect("the folder is writable");
    session.open(&path);
    let b = session.editor.scene().find("b").expect("the node exists");
    session.editor.set_flag(&[b], scene::flags::Flag::Deleted, true);
    session.request(Request::Save);
    session.editor.go_to_step(0);
    let mut session = session.kill_and_restart();
    session.open_with_offer(&path);
    assert!(session.offer().contains("the whole scene"), "{}", session.offer());
    session.answer(Answer::Save);
    session.wait_until_loaded();
    assert!(session.editor.scene().find("b").is_some());
}
